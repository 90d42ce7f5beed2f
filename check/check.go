package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// MaxProblems is how many problems a result has at most.
const MaxProblems = 20

// maxFound is how many problems of one code are kept until the first ones of all
// are chosen.
const maxFound = 500

// Code says what kind of problem it is. Codes are part of the interface: they
// don't change their meaning.
type Code string

// The codes.
const (
	Syntax        Code = "syntax"         // the source doesn't parse
	TooLarge      Code = "too-large"      // a limit ended reading the source
	UnknownName   Code = "unknown-name"   // nobody defines the name
	UnknownMember Code = "unknown-member" // ctx, or another object of the host's, has no such member
	NotDeclared   Code = "not-declared"   // the capability isn't among those that the program requires
	NotGranted    Code = "not-granted"    // the host doesn't grant the capability
	MissingAwait  Code = "missing-await"  // a promise is used as what it is of, or nobody waits for it
	UnknownModule Code = "unknown-module" // nothing can be imported by that name
	UnknownExport Code = "unknown-export" // the module doesn't export the name
	NoReturn      Code = "no-return"      // a value is computed last, and isn't returned
	Unreachable   Code = "unreachable"    // nothing reaches the statement
)

// Severity says how sure it is that the program goes wrong.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // it goes wrong where it comes to this
	Warning Severity = "warning" // it is hardly what was meant
)

// Problem is one thing that is wrong.
type Problem struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	File     string   `json:"file"`
	// Line and the columns count from 1, columns in UTF-16 code units; EndColumn is
	// the column after the last one meant. Start and End are byte offsets.
	Line        int      `json:"line"`
	Column      int      `json:"column"`
	EndColumn   int      `json:"endColumn"`
	Start       int      `json:"start"`
	End         int      `json:"end"`
	SourceLine  string   `json:"sourceLine"`
	Hint        string   `json:"hint"`        // what to do; may be empty
	Suggestions []string `json:"suggestions"` // names that may have been meant
	Fix         *Fix     `json:"fix"`         // nil if there is no safe one
}

// Fix is a change of the source that mends a problem.
type Fix struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"` // in the order of the source, none inside another
}

// Edit replaces the bytes [Start, End) of the source.
type Edit struct {
	Start   int    `json:"start"`
	End     int    `json:"end"`
	NewText string `json:"newText"`
}

// Result is what a check found.
type Result struct {
	File     string
	Problems []Problem // in the order of the source
	More     int       // problems beyond MaxProblems
}

// OK reports whether nothing was found that goes wrong; there may be warnings.
func (r *Result) OK() bool {
	return !slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Severity == Error })
}

// Options say what the sandbox doesn't. The zero value adds nothing.
type Options struct {
	// Requires replaces what the sandbox says of what programs declare; nil doesn't.
	// In a module that exports a tool's description its requires is read, if it is
	// written out.
	Requires []pinfold.Requirement
	// Described says that the description of a module that exports one isn't looked
	// at: another one replaces it.
	Described bool
	// Granted replaces what the sandbox says of the capabilities that it grants; nil
	// doesn't. Everything gives all.
	Granted []string
	// Names are further names that programs find.
	Names []string
	// Exists says whether a module can be imported that the sandbox doesn't have; nil
	// knows none.
	Exists func(specifier string) bool
}

// Everything returns the capabilities of a sandbox's functions, sorted.
func Everything(s *pinfold.Sandbox) []string {
	var all []string
	for _, f := range s.Functions() {
		if f.Capability != "" {
			all = append(all, f.Capability)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Checker checks programs for one sandbox. It is immutable and safe for use by
// many goroutines.
type Checker struct {
	sandbox *pinfold.Sandbox
	opt     Options
	around  pinfold.Surroundings
	list    []pinfold.FunctionInfo
	byName  map[string]*pinfold.FunctionInfo
	globals map[string]bool // all names
	builtin map[string]bool // those of ECMAScript and the web
	groups  map[string]bool
	members map[string][]string // of groups, sorted
	modules []string
	granted map[string]bool // nil is as the sandbox says
	ctx     bool
	// exports returns the names that a module exports; nil if they aren't known.
	exports func(specifier string) []string
}

// New makes a Checker for the programs of a sandbox.
func New(s *pinfold.Sandbox, opt Options) *Checker {
	c := &Checker{
		sandbox: s, opt: opt, around: s.Surroundings(), list: s.Functions(), modules: s.Modules(),
		byName: map[string]*pinfold.FunctionInfo{}, globals: map[string]bool{}, builtin: map[string]bool{}, groups: map[string]bool{}, members: map[string][]string{},
	}
	c.ctx = c.around.Ctx
	read := map[string]func() []string{} // each when it is imported first
	for _, m := range c.modules {
		read[m] = sync.OnceValue(func() []string {
			text, _ := s.ModuleSource(m)
			return exportsOf(m, text)
		})
	}
	c.exports = func(specifier string) []string {
		if f := read[specifier]; f != nil {
			return f()
		}
		return nil
	}
	for _, n := range append(append([]string{"input"}, c.around.Globals...), opt.Names...) {
		c.globals[n] = true
	}
	for _, n := range c.around.Globals {
		c.builtin[n] = true
	}
	for _, n := range opt.Names {
		delete(c.builtin, n)
	}
	if c.ctx {
		c.groups["ctx"] = true
		c.members["ctx"] = c.around.CtxFields
	}
	for i := range c.list {
		f := &c.list[i]
		c.byName[f.Name] = f
		path := strings.Split(f.Name, ".")
		for k := 1; k < len(path); k++ {
			g := strings.Join(path[:k], ".")
			c.groups[g] = true
			c.members[g] = append(c.members[g], path[k])
		}
	}
	for g, list := range c.members {
		slices.Sort(list)
		c.members[g] = slices.Compact(list)
	}
	if opt.Granted != nil {
		c.granted = map[string]bool{}
		for _, g := range opt.Granted {
			c.granted[g] = true
		}
	}
	return c
}

// ForNames makes a Checker for programs that find ECMAScript and some names.
func ForNames(names ...string) (*Checker, error) {
	s, err := pinfold.New(pinfold.Options{})
	if err != nil {
		return nil, err
	}
	return New(s, Options{Names: names}), nil
}

// Check checks a program. The name is as for Sandbox.Compile: its ending tells
// the language, and whether it must be a module. The context ends the reading.
func (c *Checker) Check(ctx context.Context, name, source string) *Result {
	res := &Result{File: name}
	tree, err := c.sandbox.Tree(ctx, name, source)
	if err != nil {
		res.Problems = []Problem{unread(err, name)}
		return res
	}
	a := &analysis{
		Checker: c, tree: tree, functions: c.byName,
		entries: map[*syntax.Function]bool{}, inits: map[*binding]bool{}, shorthand: map[*syntax.Identifier]bool{},
		guards: map[syntax.Node]bool{}, present: map[string]bool{}, refused: map[string]bool{}, found: map[Code]int{},
	}
	if c.opt.Requires != nil {
		a.declared = map[string]bool{}
		for _, q := range c.opt.Requires {
			a.declared[q.Capability] = true
		}
	}
	r := newResolver()
	r.program(tree)
	a.refs, a.owned = r.refs, r.made
	a.findEntries()
	a.survey()
	a.result()
	top := tree.Goal == syntax.FunctionBody || tree.Goal == syntax.Module
	a.frames = []frame{{f: tree.Func, await: top, entry: tree.Goal == syntax.FunctionBody}}
	a.imports()
	a.statements(tree.Body)
	for _, b := range a.misused {
		m := b.bad[0]
		a.unawaited(m.at, a.of(b, maxLook), m, b)
	}
	a.absentMembers()
	a.unknownNames(r)
	return a.finish(res)
}

// unread is the problem of a source that can't be read.
func unread(err error, name string) Problem {
	p := Problem{Code: TooLarge, Severity: Error, Message: err.Error(), File: name, Suggestions: []string{}}
	var f *pinfold.Failure
	if errors.As(err, &f) {
		if f.Kind == pinfold.ErrSyntax {
			p.Code = Syntax
		}
		p.Message, p.Hint = f.Message, f.Hint
		if f.Name != "" {
			p.Message = f.Name + ": " + f.Message
		}
		p.Line, p.Column, p.EndColumn, p.SourceLine = f.Line, f.Column, f.EndColumn, f.SourceLine
		var se *syntax.SyntaxError
		if errors.As(err, &se) {
			p.Start, p.End = int(se.Start), int(se.End)
		}
	}
	return p
}

// add notes a problem at a place.
func (a *analysis) add(p Problem, at syntax.Node) {
	if a.found[p.Code]++; a.found[p.Code] > maxFound { // those found first come first
		a.dropped++
		return
	}
	s := at.Range()
	p.Start, p.End = int(s.Start), int(s.End)
	a.problems = append(a.problems, p)
}

// full reports whether enough problems of a code were found, and counts one more
// if so.
func (a *analysis) full(code Code) bool {
	if a.found[code] < maxFound {
		return false
	}
	a.dropped++
	return true
}

// finish chooses the first problems and says where they are.
func (a *analysis) finish(res *Result) *Result {
	slices.SortStableFunc(a.problems, func(x, y Problem) int {
		return cmp.Or(x.Start-y.Start, x.End-y.End, strings.Compare(string(x.Code), string(y.Code)))
	})
	a.problems = slices.CompactFunc(a.problems, func(x, y Problem) bool { return x.Start == y.Start && x.End == y.End && x.Code == y.Code })
	res.More = a.dropped
	if n := len(a.problems); n > MaxProblems {
		res.More += n - MaxProblems
		a.problems = a.problems[:MaxProblems]
	}
	lines := a.tree.Lines()
	for i := range a.problems {
		p := &a.problems[i]
		at, end := lines.Position(int32(p.Start)), lines.Position(int32(p.End))
		p.File, p.Line, p.Column = res.File, at.Line, at.UTF16Column
		p.SourceLine = lines.Line(at.Line)
		p.EndColumn = end.UTF16Column
		if end.Line != at.Line {
			p.EndColumn = lines.Position(int32(p.Start + lineLeft(a.tree.Source[p.Start:p.End]))).UTF16Column
		}
		p.EndColumn = max(p.EndColumn, p.Column+1)
		if p.Suggestions == nil {
			p.Suggestions = []string{}
		}
		if p.Fix != nil {
			slices.SortStableFunc(p.Fix.Edits, func(x, y Edit) int { return x.Start - y.Start })
		}
	}
	res.Problems = a.problems
	return res
}

// lineLeft is how much of a text is on its first line.
func lineLeft(s string) int {
	if i := strings.IndexAny(s, "\r\n\u2028\u2029"); i >= 0 {
		return len(strings.TrimRight(s[:i], " \t"))
	}
	return len(s)
}
