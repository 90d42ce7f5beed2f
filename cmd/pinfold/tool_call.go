package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/tool"
	"github.com/spf13/cobra"
)

// jsonResult is what --json says of a call.
type jsonResult struct {
	Tool     string `json:"tool"`
	Text     string `json:"text"`
	IsError  bool   `json:"isError"`
	EndsLoop bool   `json:"endsLoop,omitempty"`
	jsonOutcome
}

func newToolCall() *cobra.Command {
	f := &flags{}
	var args, dir string
	var yes, lenient bool
	cmd := &cobra.Command{
		Use:   "call NAME|FILE",
		Short: "Call a tool",
		Long: `Call a tool, a file or the name of one in --dir, with arguments as JSON. What it gives a
model is printed: its text, or on standard error why it failed. What it requires
must be granted by flags or --config. A tool that requires approval asks on a
terminal; elsewhere it needs --yes.`,
		Example: `  pinfold tool call convert --args '{"value": 3, "from": "mi", "to": "km"}'
  pinfold tool call weather.ts --args '{"city": "Bern"}' --allow-net api.example.com`,
		Args:              oneArg("NAME or FILE"),
		ValidArgsFunction: toolNames(&dir, false),
		RunE: func(cmd *cobra.Command, names []string) error {
			return f.callTool(cmd, names[0], args, dir, yes, lenient)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&args, "args", "", "the arguments: a JSON `FILE`, - for standard input, or JSON text")
	fs.StringVar(&dir, "dir", "", "the folder of the tools, instead of this one: `DIR`")
	fs.BoolVar(&yes, "yes", false, "approve calls of tools that require approval")
	fs.BoolVar(&lenient, "lenient", false, "take unknown keys of the description for warnings")
	f.addCommon(cmd)
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

func (f *flags) callTool(cmd *cobra.Command, name, args, dir string, yes, lenient bool) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	files, err := toolFiles([]string{name}, folderOf(dir, &f.grants))
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return fmt.Errorf("%s has %d tools: name one of them", name, len(files))
	}
	file := files[0]
	arguments, err := readJSON("--args", args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	logs := errs
	if f.json {
		logs = nil
	}
	s, err := f.grants.open(cmd, &f.tape, f, logs)
	if err != nil {
		return err
	}
	defer s.close()
	if !f.json {
		s.opt.Console = func(l pinfold.ConsoleLine) { fmt.Fprintln(errs, l.Text) }
	}
	ctx := cmd.Context()
	lenient = lenient || s.cfg.Tools != nil && s.cfg.Tools.Lenient
	cfg := tool.Config{Lenient: lenient, Approver: approver(cmd, yes)}
	if f.tape.record != "" || f.tape.replay != "" {
		t, err := tool.Inspect(file, cfg)
		if err != nil {
			return toolError(errs, err)
		}
		hash := t.Hash()
		_ = t.Close()
		x := &target{name: t.FileName(), source: hash, export: "invoke", input: arguments}
		if len(arguments) == 0 {
			x.input = nil
		}
		if ctx, err = s.begin(ctx, &f.tape, x); err != nil {
			return err
		}
		arguments, _ = x.input.(json.RawMessage)
	}
	cfg.Options = s.opt
	t, err := tool.Load(file, cfg)
	if err != nil {
		return toolError(errs, err)
	}
	defer t.Close()
	for _, w := range t.Warnings() {
		fmt.Fprintln(errs, paint(errs, yellow, "warning: ")+w.String())
	}
	r := t.Call(ctx, arguments)
	o := r.Outcome
	if o == nil {
		// It was not made: the arguments are wrong, or nobody approved it.
		o = &pinfold.Outcome{Failure: &pinfold.Failure{Kind: pinfold.ErrScript, Message: strings.TrimPrefix(r.Text, "Error: "), Code: codeNotCalled}}
	}
	hintGrant(o.Failure)
	before := o.Failure
	if err := s.end(o); err != nil {
		return err
	}
	if o.Failure != nil && o.Failure != before {
		r.IsError, r.Text = true, "Error: "+strings.TrimSuffix(o.Failure.Report(), "\n")
	}
	switch {
	case f.json:
		j := jsonResult{Tool: t.Definition().Name, Text: r.Text, IsError: r.IsError, EndsLoop: r.EndsLoop, jsonOutcome: outcomeJSON(o, s)}
		if err := writeJSON(out, j); err != nil {
			return err
		}
	case r.IsError && f.explain && r.Outcome != nil && o.Failure != nil:
		fmt.Fprint(errs, paintReport(errs, o.Failure.FullReport()))
	case r.IsError:
		fmt.Fprintln(errs, paintReport(errs, r.Text))
	case r.Text != "":
		fmt.Fprintln(out, strings.TrimSuffix(r.Text, "\n"))
	}
	if code := exitCode(o.Failure); code != exitOK {
		return exitError(code)
	}
	return nil
}

// codeNotCalled is the code of a call that was not made.
const codeNotCalled = "E_NOT_CALLED"

// toolError prints why a tool can't be loaded.
func toolError(errs io.Writer, err error) error {
	for _, e := range problemsOf(err) {
		fmt.Fprintln(errs, paint(errs, red, "problem: ")+e.String())
	}
	return exitError(exitFailed)
}

// approver asks on a terminal.
func approver(cmd *cobra.Command, yes bool) tool.Approver {
	switch {
	case yes:
		return tool.ApproverFunc(func(context.Context, tool.Question) (tool.Answer, error) { return tool.Answer{Approved: true}, nil })
	case !terminal(cmd.InOrStdin()) || !terminal(cmd.ErrOrStderr()):
		return tool.ApproverFunc(func(context.Context, tool.Question) (tool.Answer, error) {
			return tool.Answer{Reason: "there is no terminal to ask on; --yes approves it"}, nil
		})
	}
	return tool.ApproverFunc(func(_ context.Context, q tool.Question) (tool.Answer, error) {
		errs := cmd.ErrOrStderr()
		fmt.Fprintf(errs, "Call %s with %s? [y/N] ", paint(errs, bold, q.Tool), q.Arguments)
		line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return tool.Answer{}, err
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return tool.Answer{Approved: true}, nil
		}
		return tool.Answer{Reason: "you said no"}, nil
	})
}

// readJSON reads a value that a flag gives as text, as a file, or on standard
// input; nil if the flag is empty.
func readJSON(flag, value string, in io.Reader) (json.RawMessage, error) {
	f := flags{input: value}
	x, err := f.readInput(in)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "--input", flag))
	}
	raw, _ := x.(json.RawMessage)
	return raw, nil
}

func newToolTest() *cobra.Command {
	g := &grantFlags{}
	var asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use:   "test [FILE|DIR|NAME…]",
		Short: "Run the tests of tools",
		Long: `Run the tests of tools: the cases of NAME.tool.test.yaml beside each. A case finds a
world of its own: nothing leaves the process, and nothing need be granted. Exit code
1 if a case fails, a tool can't be loaded, or there are no tests at all.`,
		ValidArgsFunction: toolNames(&dir, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := toolFiles(args, folderOf(dir, g))
			if err != nil {
				return err
			}
			return testTools(cmd, files, asJSON)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	fs.StringVar(&dir, "dir", "", "the folder of the tools, instead of this one: `DIR`")
	fs.StringVar(&g.config, "config", "", "take the folder of the tools from a configuration `FILE`")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

type jsonTests struct {
	OK     bool           `json:"ok"`
	Passed int            `json:"passed"`
	Failed int            `json:"failed"`
	Tools  []jsonTestTool `json:"tools"`
}

type jsonTestTool struct {
	*tool.Report
	File     string        `json:"file"`
	Problems []jsonProblem `json:"problems,omitempty"`
}

func testTools(cmd *cobra.Command, files []string, asJSON bool) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	all := jsonTests{OK: true, Tools: []jsonTestTool{}}
	bar := newProgress(errs, asJSON)
	for i, f := range files {
		if cmd.Context().Err() != nil {
			return exitError(exitLimit)
		}
		bar.show(fmt.Sprintf("%d/%d %s", i+1, len(files), f))
		r, err := tool.Test(f, tool.Config{})
		bar.clear()
		j := jsonTestTool{Report: r, File: f}
		if err != nil {
			j.Report, j.Problems, all.OK = &tool.Report{Cases: []tool.CaseReport{}}, problemsOf(err), false
			if !asJSON {
				_ = toolError(errs, err)
			}
		} else {
			failed := r.Failed()
			all.Failed += failed
			all.Passed += len(r.Cases) - failed
			if !asJSON {
				printTests(out, r)
			}
		}
		all.Tools = append(all.Tools, j)
	}
	loaded := all.OK
	all.OK = loaded && all.Failed == 0 && all.Passed > 0
	if asJSON {
		if err := writeJSON(out, all); err != nil {
			return err
		}
	} else {
		switch {
		case all.Failed > 0:
			fmt.Fprintln(out, paint(out, red, fmt.Sprintf("%d passed, %d failed", all.Passed, all.Failed)))
		case all.Passed == 0 && loaded:
			fmt.Fprintln(errs, "there are no tests")
		case loaded:
			fmt.Fprintln(out, paint(out, green, fmt.Sprintf("%d passed", all.Passed)))
		}
	}
	if !all.OK {
		return exitError(exitFailed)
	}
	return nil
}

func printTests(out io.Writer, r *tool.Report) {
	if len(r.Cases) == 0 {
		fmt.Fprintf(out, "%s: no tests\n", r.Tool)
		return
	}
	for _, c := range r.Cases {
		mark := paint(out, green, "ok  ")
		if len(c.Problems) > 0 {
			mark = paint(out, red, "FAIL")
		}
		fmt.Fprintf(out, "%s %s: %s\n", mark, r.Tool, c.Name)
		for _, p := range c.Problems {
			fmt.Fprintf(out, "     %s:%d: %s\n", c.File, c.Line, p)
		}
	}
}

// writeNew writes a file that isn't there yet.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already", path)
	}
	if err != nil {
		return fileError(path, err)
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
