package transpile

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atom"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// Options say how a source is read.
type Options struct {
	// Atoms are the host's own atoms. With them a call of a name that neither
	// they nor the core atoms have is refused; without, it is compiled and
	// fails when it runs.
	Atoms *atom.Table
	// MaxSourceBytes bounds the source; 0 is no bound.
	MaxSourceBytes int
	// Filename stands in errors; "" is <source>.
	Filename string
	// Original reads the language as the original tool does: calls inside
	// expressions are not lifted, and names nobody declared are read when the
	// program runs. The conformance cases are written for it. What the original
	// compiles to something else than was written is refused all the same.
	Original bool
	// AnyResult lets the program return something else than an object.
	AnyResult bool
	// Check, if set, is told of the work of parsing; its error ends it.
	Check func(n int) error
}

// Result is a transpiled source.
type Result struct {
	Program   *ast.Program
	Signature *ast.Signature
	Warnings  []Warning
}

// maxDepth bounds the height of the tree that is lowered.
const maxDepth = 1000

// Transpile reads a source. The error is an *Error, or what Options.Check
// returned.
func Transpile(source string, opt Options) (*Result, error) {
	return run(source, opt, func(t *transpiler) *Result {
		t.parse(func(o syntax.Options) (*syntax.Program, error) {
			o.Examples = true
			if !o.Strict {
				o.Goal = syntax.Module
			}
			return syntax.Parse(t.file, source, o)
		})
		return t.program()
	})
}

// run sets a transpiler up and turns the ways it can fail into an error.
func run(source string, opt Options, f func(*transpiler) *Result) (res *Result, err error) {
	t := &transpiler{opt: opt, src: source, file: opt.Filename, helpers: map[string]*helper{}, lifts: map[syntax.Node]bool{}, assigns: map[syntax.Node]bool{}}
	if t.file == "" {
		t.file = "<source>"
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			res, err = nil, r
		case stopped:
			res, err = nil, r.err
		default:
			panic(r)
		}
	}()
	if opt.MaxSourceBytes < 0 {
		panic(&Error{Code: CodeOption, Message: "maxSourceBytes must be a non-negative number", File: t.file, Line: 1, Fix: "transpile(source, { maxSourceBytes: 8192 })"})
	}
	if opt.MaxSourceBytes > 0 && len(source) > opt.MaxSourceBytes {
		panic(&Error{Code: CodeTooLarge, Message: "the source is " + strconv.Itoa(len(source)) + " bytes, over the " + strconv.Itoa(opt.MaxSourceBytes) + "-byte limit",
			File: t.file, Line: 1, Fix: "function main({ items: [''] }) {\n  // take data as a parameter, keep the program short\n  return { n: items.length }\n}"})
	}
	res = f(t)
	if err := res.Program.Check(); err != nil {
		t.failAt(0, CodeTooDeep, err.Error(), "const part = a + b\nconst sum = part + c")
	}
	res.Warnings = t.warnings
	return res, nil
}

// stopped carries the error of Options.Check out.
type stopped struct{ err error }

type helper struct {
	fn     *syntax.Function
	name   string
	params []string
	used   bool
	out    ast.Helper
}

type transpiler struct {
	opt      Options
	src      string
	file     string
	prog     *syntax.Program
	lines    *syntax.LineTable
	entry    string
	helpers  map[string]*helper
	order    []*helper
	warnings []Warning
	lifts    map[syntax.Node]bool // whether there are steps to lift out
	assigns  map[syntax.Node]bool // whether a function in it assigns
	temps    int
	regexes  map[string]bool
	work     int

	// The function, block and scope being lowered.
	steps    []*ast.Step
	scope    *scope
	callback int  // how many callbacks deep
	box      bool // returns of the program are boxed
	inHelper bool

	lastOff int32 // what pos found last
	last    ast.Pos
}

func (t *transpiler) parse(f func(syntax.Options) (*syntax.Program, error)) {
	so := syntax.Options{MaxDepth: maxDepth, Check: t.opt.Check}
	prog, err := f(so)
	if err != nil {
		var se *syntax.SyntaxError
		if errors.As(err, &se) && t.redeclared(se) {
			// Functions of one name: a script may have them, and then there is a
			// better message.
			so.Strict = true
			if again, err := f(so); err == nil {
				t.prog, t.lines = again, again.Lines()
				return
			}
		}
		if se == nil {
			panic(stopped{err})
		}
		code := CodeSyntax
		if se.TooLarge {
			code = CodeTooDeep
		}
		panic(&Error{Code: code, Message: syntaxMessage(se), File: t.file, Line: se.Line, Column: se.Column - 1, Fix: syntaxFix(se)})
	}
	t.prog, t.lines = prog, prog.Lines()
}

// redeclared reports a function declared under a name that is taken.
func (t *transpiler) redeclared(e *syntax.SyntaxError) bool {
	return strings.HasSuffix(e.Message, "has already been declared") && strings.HasSuffix(strings.TrimRight(t.src[:e.Start], " \t\r\n"), "function")
}

// syntaxMessage is the parser's message, in the words of this language where it
// has its own.
func syntaxMessage(e *syntax.SyntaxError) string {
	if strings.HasPrefix(e.Message, "Missing initializer in const") {
		return "const declarations must be initialized"
	}
	if e.Hint != "" {
		return e.Message + " (" + e.Hint + ")"
	}
	return e.Message
}

func syntaxFix(e *syntax.SyntaxError) string {
	switch {
	case strings.HasPrefix(e.Message, "Missing initializer in const"):
		return "const x = 1"
	case e.TooLarge:
		return "const part = a + b\nconst sum = part + c"
	case strings.Contains(e.Message, "await"):
		return "const data = httpFetch({ url })"
	}
	return "function main({ city: 'Oslo' }) {\n  return { city }\n}"
}

// failAt ends the run at an offset.
func (t *transpiler) failAt(off int32, code Code, message, fix string) {
	e := &Error{Code: code, Message: message, File: t.file, Line: 1, Fix: fix}
	if t.lines != nil {
		p := t.lines.Position(off)
		e.Line, e.Column = p.Line, p.UTF16Column-1
	}
	panic(e)
}

func (t *transpiler) fail(n syntax.Node, code Code, message, fix string) {
	t.failAt(n.Range().Start, code, message, fix)
}

func (t *transpiler) warn(n syntax.Node, message string) {
	p := t.lines.Position(n.Range().Start)
	t.warnings = append(t.warnings, Warning{message, p.Line, p.UTF16Column - 1})
}

// pos is the place of a node. Most stand a little behind the one before, on the
// same line, which is all a source in one line consists of.
func (t *transpiler) pos(n syntax.Node) ast.Pos {
	off := n.Range().Start
	if d := off - t.lastOff; t.last.Line > 0 && d >= 0 && d < 1024 {
		plain := true
		for _, c := range []byte(t.src[t.lastOff:off]) {
			plain = plain && c >= ' ' && c < utf8.RuneSelf
		}
		if plain {
			t.lastOff, t.last.Column = off, t.last.Column+d
			return t.last
		}
	}
	p := t.lines.Position(off)
	t.lastOff, t.last = off, ast.Pos{Line: int32(p.Line), Column: int32(p.UTF16Column - 1)}
	return t.last
}

// text is the source of a node, cut when it is long.
func (t *transpiler) text(n syntax.Node) string {
	r := n.Range()
	s := t.src[r.Start:r.End]
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i] + "…"
	}
	const most = 60
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

// program lowers a module: helpers, and the last function as the entry.
func (t *transpiler) program() *Result {
	var entry *syntax.Function
	var funcs []*syntax.Function
	var before int32 // where the text above the entry begins
	var stray syntax.Node
	end := t.prog.Hashbang.End
	for _, s := range t.prog.Body {
		switch s := s.(type) {
		case *syntax.FunctionDeclaration:
			entry, before = s.Func, end
			funcs = append(funcs, s.Func)
		case *syntax.ImportDeclaration:
			t.fail(s, CodeModule, "Imports are not supported. All atoms must be registered with the VM.", "const data = httpFetch({ url: 'https://example.com/data.json' })")
		case *syntax.ExportNamedDeclaration, *syntax.ExportDefaultDeclaration, *syntax.ExportAllDeclaration:
			t.fail(s, CodeModule, "Exports are not supported. The function is automatically exported.", "function main({ city: 'Oslo' }) {\n  return { city }\n}")
		case *syntax.ClassDeclaration:
			t.fail(s, CodeClass, "Classes are not supported. Agent99 uses functional composition.", "function makePoint(x, y) {\n  return { x, y }\n}")
		case *syntax.EmptyStatement:
		case *syntax.ExpressionStatement:
			if !s.Directive && stray == nil {
				stray = s
			}
		default:
			if stray == nil {
				stray = s
			}
		}
		end = s.Range().End
	}
	if entry == nil {
		t.failAt(0, CodeNoFunction, "Source must contain a function declaration", "function main({ city: 'Oslo' }) {\n  return { city }\n}")
	}
	if stray != nil {
		t.fail(stray, CodeTopLevel, "Only functions may stand at the top level: move this into the function that uses it, or make it a parameter",
			"function main({ city: 'Oslo' }) {\n  const limit = 5\n  return { city, limit }\n}")
	}
	for _, fn := range funcs {
		if fn.Generator {
			t.fail(fn, CodeFunctionKind, "Generators are not supported in AsyncJS", "function range(n) {\n  let out = []\n  let i = 0\n  while (i < n) {\n    out.push(i)\n    i = i + 1\n  }\n  return out\n}")
		}
	}
	t.entry = entry.ID.Name
	for _, fn := range funcs {
		if fn != entry {
			t.declareHelper(fn)
		}
	}
	sig := t.signature(entry, t.src[before:entry.Start])
	p := &ast.Program{Version: ast.Current, HasInput: true, InputSchema: sig.InputSchema()}
	if out, ok := sig.OutputSchema(); ok {
		p.OutputSchema, p.HasOutput = out, true
	}
	p.Steps = t.function(entry, func() { t.importParameters(entry) })
	t.finishHelpers(p)
	return &Result{Program: p, Signature: sig}
}

// declareHelper notes a helper and checks how it is declared.
func (t *transpiler) declareHelper(fn *syntax.Function) {
	name := fn.ID.Name
	const fix = "function area(width, height) {\n  return width * height\n}"
	if t.helpers[name] != nil {
		t.fail(fn.ID, CodeHelper, "Duplicate helper function name: "+name, "function "+name+"2(x) {\n  return x\n}")
	}
	if name == t.entry {
		t.fail(fn.ID, CodeHelper, "Helper function cannot share a name with the entry function: "+name, "function "+name+"Helper(x) {\n  return x\n}")
	}
	h := &helper{fn: fn, name: name}
	h.params = []string{}
	for _, q := range fn.Examples.Params {
		if q.Name == nil {
			t.fail(q, CodeHelper, "Helper '"+name+"' parameters must be plain identifiers (optionally with an example value); destructuring is not supported", fix)
		}
		h.params = append(h.params, q.Name.Name)
	}
	t.helpers[name] = h
	t.order = append(t.order, h)
}

// finishHelpers lowers the helpers that the program reaches.
func (t *transpiler) finishHelpers(p *ast.Program) {
	done := map[*helper]bool{}
	for again := true; again; {
		again = false
		for _, h := range t.order {
			if !h.used || done[h] {
				continue
			}
			done[h], again = true, true
			t.inHelper = true
			h.out = ast.Helper{Name: h.name, Params: h.params}
			h.out.Steps = t.function(h.fn, func() {
				for _, q := range h.fn.Examples.Params {
					t.declare(q.Name, q.Name.Name, bindParam)
				}
			})
			t.inHelper = false
			t.helperContract(h)
		}
	}
	for _, h := range t.order {
		if !h.used && !t.opt.Original {
			// Checked like the others, though nobody needs it.
			t.inHelper = true
			t.function(h.fn, func() {
				for _, q := range h.fn.Examples.Params {
					t.declare(q.Name, q.Name.Name, bindParam)
				}
			})
			t.inHelper = false
			continue
		}
		if h.used {
			p.Helpers = append(p.Helpers, h.out)
		}
	}
}

// helperContract writes down what a helper's examples say. The original has no
// contracts of helpers.
func (t *transpiler) helperContract(h *helper) {
	if t.opt.Original {
		return
	}
	params := make([]ast.Parameter, 0, len(h.params))
	typed := false
	for _, q := range h.fn.Examples.Params {
		par := t.parameter(q)
		par.Required = !q.Optional
		typed = typed || par.Type.Kind != ast.Any
		params = append(params, par)
	}
	if typed {
		h.out.Input, h.out.HasInput = ast.ParametersSchema(params), true
	}
	if h.fn.Examples.Return != nil {
		sig := ast.Signature{Returns: t.exampleType(h.fn.Examples.Return, 0)}
		if out, ok := sig.OutputSchema(); ok {
			h.out.Output, h.out.HasOutput = out, true
		}
	}
}

// function lowers the body of a function; first emits what comes before.
func (t *transpiler) function(fn *syntax.Function, first func()) []*ast.Step {
	t.scope = newScope(nil)
	return t.block(func() {
		first()
		t.hoistVars(fn.Body)
		t.statements(fn.Body)
	})
}

// block lowers into a block of its own, in the scope that is current.
func (t *transpiler) block(f func()) []*ast.Step {
	saved := t.steps
	t.steps = []*ast.Step{}
	f()
	out := t.steps
	t.steps = saved
	return out
}

// scoped is block with a scope of its own.
func (t *transpiler) scoped(f func()) []*ast.Step {
	saved := t.scope
	t.scope = newScope(saved)
	out := t.block(f)
	t.scope = saved
	return out
}

func (t *transpiler) emit(s *ast.Step) { t.steps = append(t.steps, s) }

// temp returns a fresh name that no program can spell.
func (t *transpiler) temp() string {
	t.temps++
	return "#" + strconv.Itoa(t.temps)
}
