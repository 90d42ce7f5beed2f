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
	"github.com/pinfold-js/pinfold/check"
	"github.com/pinfold-js/pinfold/tool"
	"github.com/spf13/cobra"
)

// checkFlags are those of check.
type checkFlags struct {
	grants   grantFlags
	json     bool
	fix      bool
	strict   bool
	timers   bool
	requires []string
	names    []string
}

func newCheck() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Look at programs and tools before they run: names, capabilities, promises, imports",
		Long: `Look at programs and tools, without running them: source that doesn't parse, names
that nobody defines, capabilities that aren't declared or granted, members that ctx
doesn't have, promises that are used without await, imports of what isn't there,
results that nobody returns. - is standard input.

Everything is taken for granted, unless flags or a configuration say what is. What a
tool requires is read from its description.

Exit codes: 0 nothing goes wrong (there may be warnings), 1 something does.`,
		Example: `  pinfold check report.ts
  pinfold check tools/*.ts --config pinfold.yaml --strict
  pinfold check draft.js --fix`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("check takes one FILE or more; see pinfold check --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.json, "json", false, "print one JSON object (docs/check.md)")
	fs.BoolVar(&f.fix, "fix", false, "make the fixes that are safe in the files, and report what is left")
	fs.BoolVar(&f.strict, "strict", false, "exit with 1 for warnings, too")
	fs.StringSliceVar(&f.requires, "requires", nil, "the capabilities that the programs declare: `NAME,…`; without it all, or what a tool's description says")
	fs.StringSliceVar(&f.names, "names", nil, "functions and other names that the host gives: `NAME,…`")
	fs.BoolVar(&f.timers, "timers", false, "programs have setTimeout, setInterval, clearTimeout and clearInterval")
	f.grants.add(cmd)
	return cmd
}

// surroundings makes a sandbox like that of programs, in which nothing is granted,
// and says what would be: nil if nothing says so.
func (g *grantFlags) surroundings(cmd *cobra.Command, timers bool) (*pinfold.Sandbox, []string, error) {
	cfg, err := g.load()
	if err != nil {
		return nil, nil, err
	}
	opt, err := cfg.Options()
	if err != nil {
		return nil, nil, err
	}
	opt.Grants = &pinfold.Grants{}
	opt.Isolation = pinfold.InProcess
	opt.Timers = opt.Timers || timers
	s, err := pinfold.New(opt)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range append([]string{"config"}, grantNames...) {
		if cmd.Flags().Changed(n) {
			return s, cfg.Granted(), nil
		}
	}
	return s, nil, nil
}

// jsonChecks is the object of --json.
type jsonChecks struct {
	OK    bool            `json:"ok"`
	Fixed int             `json:"fixed"`
	Files []*check.Result `json:"files"`
}

func (f *checkFlags) run(cmd *cobra.Command, args []string) error {
	if f.fix && f.json && slices.Contains(args, "-") {
		return errors.New("--fix prints what it makes of standard input, so it can't be together with --json then")
	}
	s, granted, err := f.grants.surroundings(cmd, f.timers)
	if err != nil {
		return err
	}
	defer s.Close()
	if granted == nil {
		granted = check.Everything(s)
	}
	opt := check.Options{Granted: granted, Names: f.names}
	if cmd.Flags().Changed("requires") {
		known := check.Everything(s)
		opt.Requires = []pinfold.Requirement{}
		for _, n := range f.requires {
			if near := pinfold.Closest(n, known); !slices.Contains(known, n) {
				hint := "there are " + strings.Join(known, ", ")
				if len(near) > 0 {
					hint = "did you mean " + near[0] + "?"
				}
				return fmt.Errorf("--requires: there is no capability %q: %s", n, hint)
			}
			opt.Requires = append(opt.Requires, pinfold.Requirement{Capability: n})
		}
	}
	all := jsonChecks{OK: true, Files: []*check.Result{}}
	errs := cmd.ErrOrStderr()
	for _, file := range args {
		name, source, err := readSource(file, cmd.InOrStdin())
		if err != nil {
			return err
		}
		c := check.New(s, fileOptions(opt, file))
		r := c.Check(cmd.Context(), name, source)
		if f.fix {
			fixed, n := fix(c, cmd, name, source, r)
			if n > 0 {
				r = c.Check(cmd.Context(), name, fixed)
				if all.Fixed += n; file == "-" {
					_, err = io.WriteString(cmd.OutOrStdout(), fixed)
				} else {
					err = replace(file, fixed)
				}
				if err != nil {
					return err
				}
			} else if file == "-" {
				if _, err := io.WriteString(cmd.OutOrStdout(), source); err != nil {
					return err
				}
			}
		}
		all.Files = append(all.Files, r)
		all.OK = all.OK && r.OK() && !(f.strict && len(r.Problems) > 0)
		if !f.json {
			fmt.Fprint(errs, paintProblems(errs, r))
		}
	}
	switch {
	case f.json:
		err = writeJSON(cmd.OutOrStdout(), all)
	case all.Fixed > 0:
		fmt.Fprintf(errs, "%d fixed\n", all.Fixed)
	}
	if err == nil && !all.OK {
		err = exitError(exitFailed)
	}
	return err
}

// maxRounds is how often fixes are made, since one can stand in another's way.
const maxRounds = 10

// fix makes the fixes of a source text, and those of what is found then.
func fix(c *check.Checker, cmd *cobra.Command, name, source string, r *check.Result) (string, int) {
	made := 0
	for range maxRounds {
		fixed, n := check.Apply(source, r.Problems)
		if n == 0 {
			break
		}
		after := c.Check(cmd.Context(), name, fixed)
		if len(after.Problems) > 0 && after.Problems[0].Code == check.Syntax {
			break // never make a program worse
		}
		source, r = fixed, after
		made += n
	}
	return source, made
}

// replace writes a file anew, whole or not at all, with the mode that it has.
func replace(file, text string) error {
	info, err := os.Stat(file)
	if err != nil {
		return fileError(file, err)
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return fileError(file, err)
	}
	t, err := os.CreateTemp(filepath.Dir(real), ".pinfold-*")
	if err != nil {
		return fileError(file, err)
	}
	_, err = t.WriteString(text)
	if e := t.Chmod(info.Mode().Perm()); err == nil {
		err = e
	}
	if e := t.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(t.Name(), real)
	}
	if err != nil {
		_ = os.Remove(t.Name())
		return fileError(file, err)
	}
	return nil
}

// fileOptions are the options for one file: a tool's description beside it says
// what it requires, and a tool may import files of its folder.
func fileOptions(opt check.Options, file string) check.Options {
	if file == "-" || !isToolFile(file) {
		return opt
	}
	dir := filepath.Dir(file)
	opt.Exists = func(specifier string) bool {
		if !strings.HasPrefix(specifier, "./") && !strings.HasPrefix(specifier, "../") {
			return false
		}
		p := filepath.FromSlash(specifier)
		if p = filepath.Clean(p); !filepath.IsLocal(p) {
			return false // a tool's imports don't leave its folder
		}
		info, err := os.Stat(filepath.Join(dir, p))
		return err == nil && info.Mode().IsRegular()
	}
	yaml := strings.TrimSuffix(file, filepath.Ext(file)) + ".tool.yaml"
	if _, err := os.Stat(yaml); err != nil || opt.Requires != nil {
		return opt
	}
	opt.Described = true
	t, err := tool.Inspect(file, tool.Config{Lenient: true})
	if err != nil {
		return opt // pinfold tool check says what is wrong with it
	}
	defer t.Close()
	opt.Requires = append([]pinfold.Requirement{}, t.Definition().Requires...)
	return opt
}

// paintProblems colours a report.
func paintProblems(w io.Writer, r *check.Result) string {
	if !coloured(w) {
		return r.Report()
	}
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString(paintReport(w, p.Report()))
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "… %d more problems\n", r.More)
	}
	return b.String()
}
