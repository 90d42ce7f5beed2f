package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/tool"
	"github.com/spf13/cobra"
)

func newTool() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tool",
		Short: "List, check, call and test tools that are written as files",
		Long: `List, check, call and test tools that are written as files. A tool is a file .js or
.ts that exports invoke(inputs, ctx), with a description in it or in NAME.tool.yaml
beside it, and tests in NAME.tool.test.yaml.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newToolList(), newToolCheck(), newToolCall(), newToolTest(), newToolNew())
	return cmd
}

// isToolFile reports whether a file of a folder is a tool's.
func isToolFile(name string) bool {
	ext := filepath.Ext(name)
	return (ext == ".js" || ext == ".ts") && !strings.HasSuffix(name, ".d.ts") && !strings.HasPrefix(name, ".")
}

// toolsIn returns the tool files of a folder, sorted.
func toolsIn(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, fileError(dir, err)
	}
	var out []string
	for _, e := range list {
		if !e.IsDir() && isToolFile(e.Name()) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// toolFiles returns the files that arguments name: files, folders, names of tools
// in dir. Without arguments they are those of dir.
func toolFiles(args []string, dir string) ([]string, error) {
	if len(args) == 0 {
		files, err := toolsIn(dir)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("there are no tools in %s: name files or another folder, or write one with pinfold tool new", dir)
		}
		return files, err
	}
	var out []string
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case err == nil && info.IsDir():
			files, err := toolsIn(a)
			if err != nil {
				return nil, err
			}
			if len(files) == 0 {
				return nil, fmt.Errorf("there are no tools in %s", a)
			}
			out = append(out, files...)
		case err == nil && isToolFile(a):
			out = append(out, a)
		default:
			f, err := findTool(a, dir)
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// findTool finds the file of a tool by its name.
func findTool(name, dir string) (string, error) {
	if strings.ContainsAny(name, `/\`) || isToolFile(name) {
		return "", fmt.Errorf("there is no file %s", name)
	}
	files, err := toolsIn(dir)
	if err != nil {
		return "", err
	}
	stem := func(f string) string { return strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)) }
	// The file of that name first: most tools have its name.
	slices.SortStableFunc(files, func(a, b string) int {
		switch x, y := stem(a) == name, stem(b) == name; {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	})
	var known []string
	for _, f := range files {
		t, err := tool.Inspect(f, tool.Config{Lenient: true})
		if err != nil {
			if stem(f) == name {
				return f, nil // loading it again says what is wrong
			}
			continue
		}
		n := t.Definition().Name
		_ = t.Close()
		if n == name {
			return f, nil
		}
		known = append(known, n)
	}
	slices.Sort(known)
	return "", fmt.Errorf("there is no tool %s in %s: there are %s", name, dir, listed(known, "none"))
}

// toolNames completes names of tools, and files.
func toolNames(dir *string, many bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !many {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		files, err := toolsIn(folderOf(*dir, nil))
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var out []string
		for _, f := range files[:min(len(files), 200)] {
			t, err := tool.Inspect(f, tool.Config{Lenient: true})
			if err != nil {
				continue
			}
			d := t.Definition()
			_ = t.Close()
			if strings.HasPrefix(d.Name, start) && !slices.Contains(args, d.Name) {
				out = append(out, d.Name+"\t"+firstLine(d.Description))
			}
		}
		return out, cobra.ShellCompDirectiveDefault
	}
}

// folderOf returns the folder of the tools: that of the flag, of the configuration,
// or the working directory.
func folderOf(dir string, g *grantFlags) string {
	if dir != "" {
		return dir
	}
	if g != nil && g.config != "" {
		if c, err := loadConfig(g.config); err == nil && c.Tools != nil && c.Tools.Dir != "" {
			return c.Path(c.Tools.Dir)
		}
	}
	return "."
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > 100 {
		s = string(r[:99]) + "…"
	}
	return s
}

// jsonTool is what --json says of a tool.
type jsonTool struct {
	Name             string        `json:"name,omitempty"` // left out if it can't be loaded
	File             string        `json:"file"`
	Description      string        `json:"description,omitempty"`
	Requires         []string      `json:"requires"`
	RequiresApproval bool          `json:"requiresApproval,omitempty"`
	EndsLoop         bool          `json:"endsLoop,omitempty"`
	CostHint         string        `json:"costHint,omitempty"`
	Hash             string        `json:"hash,omitempty"`
	Definition       any           `json:"definition,omitempty"`
	OK               bool          `json:"ok"`
	Missing          []string      `json:"missing,omitempty"`
	Problems         []jsonProblem `json:"problems,omitempty"`
	Warnings         []jsonProblem `json:"warnings,omitempty"`
}

type jsonProblem struct {
	Code    string `json:"code"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func requirements(list []pinfold.Requirement) []string {
	out := []string{}
	for _, q := range list {
		out = append(out, q.String())
	}
	return out
}

// describeTool loads a file for what is said of it. strict says that what it
// requires must be granted.
func describeTool(file string, cfg tool.Config, strict, definition bool) jsonTool {
	j := jsonTool{File: file, Requires: []string{}}
	load := tool.Inspect
	if strict {
		load = tool.Load
	}
	t, err := load(file, cfg)
	var missing *tool.CapabilityMissingError
	if errors.As(err, &missing) {
		j.Missing = requirements(missing.Missing)
		j.Problems = append(j.Problems, jsonProblem{Code: string(tool.LeftOut), File: filepath.Base(file), Message: fmt.Sprintf("the tool %s requires what is not granted: %s", missing.Tool, strings.Join(j.Missing, ", ")), Hint: "grant it with --allow-read, --allow-write, --allow-net, --store or --config"})
		t, err = tool.Inspect(file, cfg)
	}
	if err != nil {
		j.Problems = append(j.Problems, problemsOf(err)...)
		return j
	}
	defer t.Close()
	d := t.Definition()
	j.Name, j.Description, j.Requires, j.Hash = d.Name, d.Description, requirements(d.Requires), t.Hash()
	j.RequiresApproval, j.EndsLoop, j.CostHint = d.RequiresApproval, d.EndsLoop, d.CostHint
	if definition {
		j.Definition = d
	}
	for _, w := range t.Warnings() {
		j.Warnings = append(j.Warnings, jsonProblem{Code: string(w.Code), File: w.File, Line: w.Line, Column: w.Column, Message: w.Message})
	}
	j.OK = len(j.Problems) == 0
	return j
}

// problemsOf takes an error of loading apart.
func problemsOf(err error) []jsonProblem {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var out []jsonProblem
		for _, e := range many.Unwrap() {
			out = append(out, problemsOf(e)...)
		}
		return out
	}
	var e *tool.LoadError
	if errors.As(err, &e) {
		return []jsonProblem{{string(e.Code), e.File, e.Line, e.Column, e.Message, e.Hint}}
	}
	return []jsonProblem{{Code: string(tool.BadDefinition), Message: err.Error()}}
}

func (p jsonProblem) String() string {
	s := p.Message
	if p.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, s)
	} else if p.File != "" {
		s = p.File + ": " + s
	}
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s + " (" + p.Code + ")"
}

// printProblems prints what is wrong with a tool.
func (j *jsonTool) printProblems(w io.Writer) {
	for _, p := range j.Problems {
		fmt.Fprintln(w, paint(w, red, "problem: ")+p.String())
	}
	for _, p := range j.Warnings {
		fmt.Fprintln(w, paint(w, yellow, "warning: ")+p.String())
	}
}

func newToolList() *cobra.Command {
	g := &grantFlags{}
	var asJSON, definitions bool
	var dir string
	cmd := &cobra.Command{
		Use:   "list [FILE|DIR…]",
		Short: "List tools: their names, descriptions, and what they require",
		Long: `List tools: those of the files and folders that are named, or of --dir, or of the
configuration's tools.dir, or of this folder. Nothing need be granted to list them.
Exit code 1 if one of them can't be loaded.`,
		ValidArgsFunction: toolNames(&dir, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := toolFiles(args, folderOf(dir, g))
			if err != nil {
				return err
			}
			bar := newProgress(cmd.ErrOrStderr(), asJSON)
			list := []jsonTool{}
			ok := true
			for _, f := range files {
				bar.show("loading " + filepath.Base(f))
				j := describeTool(f, tool.Config{Lenient: true}, false, definitions)
				list = append(list, j)
				ok = ok && j.OK
			}
			bar.clear()
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), struct {
					OK    bool       `json:"ok"`
					Tools []jsonTool `json:"tools"`
				}{ok, list})
			} else {
				printTools(cmd.OutOrStdout(), cmd.ErrOrStderr(), list)
			}
			if err == nil && !ok {
				err = exitError(exitFailed)
			}
			return err
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	fs.BoolVar(&definitions, "definitions", false, "with --json: what models are told of each tool, too")
	fs.StringVar(&dir, "dir", "", "the folder of the tools, instead of this one: `DIR`")
	fs.StringVar(&g.config, "config", "", "take the folder of the tools from a configuration `FILE`")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

func printTools(out, errs io.Writer, list []jsonTool) {
	width := 0
	for _, j := range list {
		width = max(width, len(j.Name))
	}
	for _, j := range list {
		if j.Name != "" {
			more := ""
			if len(j.Requires) > 0 {
				more = "  " + paint(out, dim, "requires "+strings.Join(j.Requires, ", "))
			}
			if j.RequiresApproval {
				more += "  " + paint(out, dim, "needs approval")
			}
			fmt.Fprintf(out, "%s%s  %s%s\n", paint(out, bold, j.Name), strings.Repeat(" ", width-len(j.Name)), firstLine(j.Description), more)
		}
		j.printProblems(errs)
	}
}

func newToolCheck() *cobra.Command {
	g := &grantFlags{}
	var asJSON, lenient bool
	var dir string
	cmd := &cobra.Command{
		Use:   "check [FILE|DIR|NAME…]",
		Short: "Check tools: syntax, description, schemas, and that what they require is granted",
		Long: `Check tools: that they parse, that their top level runs, their description and
schemas, and, if anything is granted by flags or --config, that they require nothing
else. Exit code 1 if something is wrong.`,
		Example: `  pinfold tool check tools
  pinfold tool check weather.ts --allow-net api.example.com`,
		ValidArgsFunction: toolNames(&dir, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := toolFiles(args, folderOf(dir, g))
			if err != nil {
				return err
			}
			cfg := tool.Config{Lenient: lenient}
			strict := g.config != "" || slices.ContainsFunc(grantNames, func(n string) bool { return cmd.Flags().Changed(n) })
			if strict {
				s, err := g.open(cmd, &tapeFlags{}, &flags{}, nil)
				if err != nil {
					return err
				}
				defer s.close()
				cfg.Options = s.opt
			}
			list := []jsonTool{}
			ok := true
			names := map[string]string{}
			bar := newProgress(cmd.ErrOrStderr(), asJSON)
			for _, f := range files {
				bar.show("checking " + filepath.Base(f))
				j := describeTool(f, cfg, strict, false)
				if other, twice := names[j.Name]; twice && j.Name != "" {
					j.Problems = append(j.Problems, jsonProblem{Code: string(tool.Duplicate), File: filepath.Base(f), Message: fmt.Sprintf("there are two tools of the name %s: the other one is %s", j.Name, filepath.Base(other)), Hint: "rename one of them"})
					j.OK = false
				}
				names[j.Name] = f
				list = append(list, j)
				ok = ok && j.OK
			}
			bar.clear()
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), struct {
					OK    bool       `json:"ok"`
					Tools []jsonTool `json:"tools"`
				}{ok, list})
			} else {
				out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
				for _, j := range list {
					if j.OK {
						fmt.Fprintf(out, "%s %s: requires %s\n", paint(out, green, "ok"), j.Name, listed(j.Requires, "nothing"))
					}
					j.printProblems(errs)
				}
			}
			if err == nil && !ok {
				err = exitError(exitFailed)
			}
			return err
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	fs.BoolVar(&lenient, "lenient", false, "take unknown keys for warnings")
	fs.StringVar(&dir, "dir", "", "the folder of the tools, instead of this one: `DIR`")
	g.add(cmd)
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}
