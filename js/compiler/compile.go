package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// Options say how a program is compiled.
type Options struct {
	// Completion: the value of the last expression statement is what the body
	// returns. Eval code always does so.
	Completion bool
	// Outer describes the environments around a direct eval; nil for an
	// indirect one.
	Outer *bytecode.Scope
	// Check, if set, is called with the work done since its last call; its error
	// ends the compilation.
	Check func(n int) error
	// NonErasable says what happens to TypeScript that needs code.
	NonErasable NonErasable
	// LegacyDecorators: decorators are those of TypeScript's option
	// experimentalDecorators, not the standard's.
	LegacyDecorators bool
	// Trace adds what a replay of a failed run needs to tell where values came
	// from: Trace operations and bytecode.Debug.
	Trace bool
	// Params names the parameters of a function-body program besides input.
	Params []string
}

// compiler is one compilation.
type compiler struct {
	p     *syntax.Program
	opt   Options
	prog  *bytecode.Program
	an    *analyzer
	top   *funcInfo
	queue []*funcInfo
	// consts finds constants by value.
	consts map[constKey]uint32
	err    error
	work   int // steps since Options.Check was called

	declared  map[string]bool  // var names and functions of this script
	evalNames []string         // var names of sloppy eval code
	hoisted   map[string]bool  // those of evalNames that are only functions that Annex B hoists
	blocked   map[string]bool  // functions that Annex B doesn't hoist out of eval code
	function  bool             // the program is one function expression
	scopeIDs  map[*scope]int32 // of Program.DebugScopes
	scopesOf  map[*funcInfo][]*scope
}

// Compile compiles a program. The error is a *syntax.SyntaxError.
func Compile(p *syntax.Program, opt Options) (*bytecode.Program, error) {
	return compile(p, opt, false)
}

// CompileFunction compiles what syntax.ParseFunction returns, for the Function
// constructors: Funcs[0] of the program, a script, returns the closure.
func CompileFunction(p *syntax.Program, opt Options) (*bytecode.Program, error) {
	return compile(p, opt, true)
}

// abort carries the error of Options.Check out of the compiler.
type abort struct{ err error }

// workStep is how much work one node of the tree is.
const workStep = 8

// workLimit is how much work is done between two calls of Options.Check.
const workLimit = 4096

// step counts a node of the tree as work.
//
//meter:charges
func (cp *compiler) step() {
	if cp.work += workStep; cp.work >= workLimit {
		cp.checkWork()
	}
}

// parsed counts the work of parsing text that was made for the tree.
func (cp *compiler) parsed(n int) error {
	if cp.work += n; cp.work >= workLimit {
		cp.checkWork() // ends the compilation itself
	}
	return nil
}

//meter:charges
func (cp *compiler) checkWork() {
	n := cp.work
	cp.work = 0
	if cp.opt.Check != nil {
		if err := cp.opt.Check(n); err != nil {
			panic(abort{err})
		}
	}
}

func compile(p *syntax.Program, opt Options, function bool) (prog *bytecode.Program, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case abort:
			prog, err = nil, r.err
		default:
			panic(r)
		}
	}()
	cp := &compiler{
		p: p, opt: opt, function: function,
		consts: map[constKey]uint32{}, blocked: map[string]bool{}, hoisted: map[string]bool{},
		prog: &bytecode.Program{Name: p.Name, Source: p.Source, Goal: p.Goal, Lines: p.Lines()},
	}
	cp.an = newAnalyzer(cp)
	if len(p.NonErasable) > 0 && opt.NonErasable == CompileNonErasable {
		cp.lower()
		if cp.err != nil {
			return nil, cp.err
		}
	} else if len(p.NonErasable) > 0 {
		n := p.NonErasable[0]
		msg := "TypeScript's " + n.Construct + " is not supported: it can't be erased"
		if n.Construct == "decorator" {
			msg = "decorators are not supported"
		}
		cp.failAt(n.Start, n.End, msg)
		cp.err.(*syntax.SyntaxError).Hint = n.Hint
		return nil, cp.err
	}
	switch {
	case function:
		cp.analyzeFunction()
	case p.Goal == syntax.Module:
		cp.analyzeModule()
	case p.Goal == syntax.FunctionBody:
		cp.analyzeBody()
	case p.Goal == syntax.Eval:
		cp.analyzeEval()
	default:
		cp.analyzeScript()
	}
	for _, s := range cp.an.all {
		s.layout()
	}
	for len(cp.queue) > 0 && cp.err == nil {
		fi := cp.queue[0]
		cp.queue = cp.queue[1:]
		cp.compileFunc(fi)
	}
	cp.checkWork()
	if cp.err != nil {
		return nil, cp.err
	}
	if p.Goal == syntax.Module {
		cp.linkage()
	}
	return cp.prog, nil
}

// index gives a function its place in Program.Funcs and queues it.
func (cp *compiler) index(fi *funcInfo) int32 {
	if fi.index < 0 {
		fi.index = int32(len(cp.prog.Funcs))
		cp.prog.Funcs = append(cp.prog.Funcs, nil)
		cp.queue = append(cp.queue, fi)
	}
	return fi.index
}

// fail notes an error about a function.
func (cp *compiler) fail(fi *funcInfo, msg string) {
	start, end := cp.p.Start, cp.p.End
	if fi.node != nil {
		start, end = fi.node.Start, fi.node.End
	}
	cp.failAt(start, end, msg)
}

func (cp *compiler) failAt(start, end int32, msg string) {
	if cp.err != nil {
		return
	}
	e := &syntax.SyntaxError{Name: cp.p.Name, Message: msg, Start: start, End: end, Line: 1, Column: 1}
	if lines := cp.p.Lines(); lines != nil {
		pos := lines.Position(start)
		e.Line, e.Column = pos.Line, pos.UTF16Column
	}
	cp.err = e
}

// analyzeBody sets up a function-body program: the body of an async function.
func (cp *compiler) analyzeBody() {
	a, f := cp.an, cp.p.Func
	a.fn = &funcInfo{kind: funcScript, index: -1}
	names := append([]string{"input"}, cp.opt.Params...)
	fi := a.function(f, funcOptions{names: names})
	fi.async = true
	cp.top = fi
	cp.index(fi)
}

// analyzeFunction sets up the program of a Function constructor.
func (cp *compiler) analyzeFunction() {
	a := cp.an
	fi := &funcInfo{kind: funcScript, index: -1}
	a.fn = fi
	s := a.newScope(scopeFunc, nil)
	fi.params, fi.body = s, s
	a.scope = s
	cp.top = fi
	cp.index(fi)
	cp.opt.Completion = true
	if len(cp.p.Body) == 1 {
		if st, ok := cp.p.Body[0].(*syntax.ExpressionStatement); ok {
			if fe, ok := st.Expression.(*syntax.FunctionExpression); ok {
				f := a.function(fe.Func, funcOptions{})
				f.name = "anonymous"
				return
			}
		}
	}
	a.stmts(cp.p.Body)
}
