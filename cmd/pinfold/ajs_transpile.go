package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atom"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/spf13/cobra"
)

// ajsSource are the flags that say how AJS source is read.
type ajsSource struct {
	atoms    string
	original bool
	source   size
	json     bool
}

func (f *ajsSource) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.atoms, "atoms", "", "the host's own atoms: a JSON `FILE` of tool definitions; names nobody has are refused then")
	fs.BoolVar(&f.original, "original", false, "read the language as the original tool does: no calls inside expressions")
	fs.Var(&f.source, "source-limit", "most bytes of source text; without it, any number")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
}

func (f *ajsSource) options(name string) (transpile.Options, error) {
	opt := transpile.Options{Filename: name, Original: f.original, MaxSourceBytes: int(f.source)}
	if f.atoms == "" {
		return opt, nil
	}
	text, err := os.ReadFile(f.atoms)
	if err != nil {
		return opt, fmt.Errorf("--atoms: %w", err)
	}
	if opt.Atoms, err = atom.Parse(text); err != nil {
		return opt, fmt.Errorf("--atoms %s: %w", f.atoms, err)
	}
	return opt, nil
}

// transpileFailure is what --json prints of a source that was refused.
type transpileFailure struct {
	OK      bool   `json:"ok"`
	Error   string `json:"transpileError"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Fix     string `json:"fix"`
}

// refuse prints why a source was refused.
func (f *ajsSource) refuse(cmd *cobra.Command, err error) error {
	var e *transpile.Error
	if !errors.As(err, &e) {
		return err
	}
	if f.json {
		if err := writeJSON(cmd.OutOrStdout(), transpileFailure{Error: e.Error(), Code: string(e.Code), Message: e.Message, Line: e.Line, Column: e.Column, Fix: e.Fix}); err != nil {
			return err
		}
		return exitError(exitFailed)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), e.Explain())
	return exitError(exitFailed)
}

// writeJSON prints a value as one line.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

type transpiled struct {
	OK        bool            `json:"ok"`
	AST       json.RawMessage `json:"ast"`
	Signature json.RawMessage `json:"signature"`
	Warnings  []warning       `json:"warnings"`
}

type warning struct {
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

func warnings(list []transpile.Warning) []warning {
	out := make([]warning, len(list))
	for i, w := range list {
		out[i] = warning(w)
	}
	return out
}

func newAJSTranspile() *cobra.Command {
	f := &ajsSource{}
	var positions, pretty bool
	cmd := &cobra.Command{
		Use:   "transpile FILE",
		Short: "Turn AJS source into a JSON program",
		Long: `Turn AJS source (a file, or standard input with -) into a JSON program, printed
as one line. What the language has no place for is refused with the place and
code to write instead; the exit code is 1 then.`,
		Example: `  pinfold ajs transpile agent.ajs > agent.json
  pinfold ajs transpile agent.ajs --atoms tools.json --json`,
		Args: oneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, source, err := readSource(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			opt, err := f.options(name)
			if err != nil {
				return err
			}
			res, err := transpile.Transpile(source, opt)
			if err != nil {
				return f.refuse(cmd, err)
			}
			program, err := res.Program.AppendJSON(nil, positions)
			if err != nil {
				return err
			}
			if f.json {
				sig, err := res.Signature.MarshalJSON()
				if err != nil {
					return err
				}
				return writeJSON(cmd.OutOrStdout(), transpiled{true, program, sig, warnings(res.Warnings)})
			}
			for _, w := range res.Warnings {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s at %s:%d:%d\n", w.Message, name, w.Line, w.Column)
			}
			if pretty {
				var b bytes.Buffer
				if err := json.Indent(&b, program, "", "  "); err != nil {
					return err
				}
				program = b.Bytes()
			}
			_, err = cmd.OutOrStdout().Write(append(program, '\n'))
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&positions, "positions", false, "keep the place of every step in the program, for errors")
	cmd.Flags().BoolVar(&pretty, "pretty", false, "print the program on several lines")
	return cmd
}

type checked struct {
	OK         bool            `json:"ok"`
	Kind       string          `json:"kind"`
	Signature  json.RawMessage `json:"signature,omitempty"`
	Version    int             `json:"version"`
	Steps      int             `json:"steps"`
	Helpers    []string        `json:"helpers"`
	Operations []string        `json:"operations"`
	Warnings   []warning       `json:"warnings"`
}

func newAJSCheck() *cobra.Command {
	f := &ajsSource{}
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check AJS source or a JSON program without running it",
		Long: `Check AJS source, or a JSON program (a file that begins with {), without running
it: say what it takes, which atoms it calls, or why it is refused. With --atoms a
call of an atom that neither the file nor the VM has is refused.`,
		Example: `  pinfold ajs check agent.ajs
  pinfold ajs check agent.json --json`,
		Args: oneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, source, err := readSource(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			opt, err := f.options(name)
			if err != nil {
				return err
			}
			if strings.HasPrefix(strings.TrimLeft(source, " \t\r\n"), "{") {
				return f.checkProgram(cmd, name, source, opt.Atoms)
			}
			res, err := transpile.Transpile(source, opt)
			if err != nil {
				return f.refuse(cmd, err)
			}
			return f.report(cmd, name, res.Program, res.Signature, res.Warnings)
		},
	}
	f.add(cmd)
	return cmd
}

// checkProgram checks a program that comes as JSON.
func (f *ajsSource) checkProgram(cmd *cobra.Command, name, text string, atoms *atom.Table) error {
	p, err := ast.Decode([]byte(text), ast.Options{Where: "check"})
	if err == nil && atoms != nil {
		for _, op := range operations(p) {
			if atoms.Lookup(op) == nil && atom.Core().Lookup(op) == nil {
				err = fmt.Errorf("Unknown Atom: %s", op)
				break
			}
		}
	}
	if err == nil {
		return f.report(cmd, name, p, nil, nil)
	}
	if f.json {
		if err := writeJSON(cmd.OutOrStdout(), struct {
			OK      bool   `json:"ok"`
			Message string `json:"message"`
		}{false, err.Error()}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", name, err)
	}
	return exitError(exitFailed)
}

// operations lists the atoms a program calls, in the order they are met.
func operations(p *ast.Program) []string {
	seen := map[string]bool{}
	out := []string{}
	p.Walk(func(s *ast.Step) {
		if a := atom.Core().Lookup(s.Op); (a == nil || !a.Flow) && !seen[s.Op] {
			seen[s.Op] = true
			out = append(out, s.Op)
		}
	})
	return out
}

func (f *ajsSource) report(cmd *cobra.Command, name string, p *ast.Program, sig *ast.Signature, warns []transpile.Warning) error {
	c := checked{OK: true, Kind: "program", Version: p.Version, Helpers: []string{}, Operations: operations(p), Warnings: warnings(warns)}
	p.Walk(func(*ast.Step) { c.Steps++ })
	for _, h := range p.Helpers {
		c.Helpers = append(c.Helpers, h.Name)
	}
	if sig != nil {
		c.Kind = "source"
		text, err := sig.MarshalJSON()
		if err != nil {
			return err
		}
		c.Signature = text
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), c)
	}
	for _, w := range warns {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s at %s:%d:%d\n", w.Message, name, w.Line, w.Column)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s: ok, format version %d, %d steps", name, c.Version, c.Steps)
	if len(c.Helpers) > 0 {
		fmt.Fprintf(out, ", helpers %s", strings.Join(c.Helpers, ", "))
	}
	fmt.Fprintln(out)
	if sig != nil {
		var ps []string
		for _, q := range sig.Parameters {
			s := q.Name
			if !q.Required {
				s += "?"
			}
			ps = append(ps, s+": "+string(q.Type.Kind))
		}
		fmt.Fprintf(out, "takes %s({ %s })\n", sig.Name, strings.Join(ps, ", "))
	}
	if len(c.Operations) > 0 {
		fmt.Fprintf(out, "calls %s\n", strings.Join(c.Operations, ", "))
	}
	return nil
}
