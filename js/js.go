package js

import (
	"fmt"
	"sync"

	"github.com/pinfold-js/pinfold/js/builtins"
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/compiler"
	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// Program is compiled source: immutable, safe to share between goroutines.
type Program = bytecode.Program

// Goal is the kind of source text.
type Goal = syntax.Goal

// The goals.
const (
	Script       = syntax.Script
	Module       = syntax.Module
	FunctionBody = syntax.FunctionBody
)

// NonErasable says what happens to TypeScript that isn't types alone.
type NonErasable = compiler.NonErasable

// The choices: an error that names a rewrite, or the meaning TypeScript gives
// it.
const (
	RefuseNonErasable  = compiler.RefuseNonErasable
	CompileNonErasable = compiler.CompileNonErasable
)

// CompileOptions say how source text is read. The zero value is a sloppy
// script.
type CompileOptions struct {
	Goal       Goal
	TypeScript bool
	// NonErasable says what happens to TypeScript that needs code: enums,
	// namespaces with values, parameter properties, decorators.
	NonErasable NonErasable
	// LegacyDecorators: decorators are those of TypeScript's option
	// experimentalDecorators, which parameters may have too.
	LegacyDecorators bool
	Strict           bool // strict mode without a directive; modules always are
	// Params names the parameters of a function body beside input.
	Params []string
	// Completion makes a script's value that of its last expression statement.
	Completion bool
	// Trace makes a program for a machine that traces: see vm.TraceOptions.
	Trace bool
	// MaxBytes bounds the source; 0 means one gibibyte.
	MaxBytes int
	// Charge, if set, is charged for the work of parsing and compiling; its
	// error ends the compilation.
	Charge func(units int64) error
	// Grow, if set, is charged for the memory that the syntax tree and the code
	// take, in bytes, as they grow; its error ends the compilation. When the
	// compilation is over most of the memory is free again: of what was
	// charged, the program keeps Program.Size bytes.
	Grow func(bytes int64) error
}

// treeBytes is the memory that one unit of the parser's work takes, a token's
// part in the tree; codeBytes what one of the compiler's does.
const (
	treeBytes = 112
	codeBytes = 12
)

// Compile parses and compiles source text (WTF-8). The error is a
// *syntax.SyntaxError, or what Charge or Grow returned.
func Compile(name, src string, o CompileOptions) (*Program, error) {
	so := syntax.Options{
		Goal: o.Goal, Strict: o.Strict, TypeScript: o.TypeScript, MaxBytes: o.MaxBytes, CheckRegExp: checkRegExp(o.Charge, o.Grow),
	}
	so.Check = check(o.Charge, o.Grow, treeBytes)
	var tree *syntax.Program
	var err error
	if o.Goal == FunctionBody {
		tree, err = syntax.ParseExpressionOrBody(name, src, so)
	} else {
		tree, err = syntax.Parse(name, src, so)
	}
	if err != nil {
		return nil, err
	}
	return compiler.Compile(tree, compiler.Options{
		Completion: o.Completion, NonErasable: o.NonErasable, LegacyDecorators: o.LegacyDecorators, Trace: o.Trace, Params: o.Params,
		Check: check(o.Charge, o.Grow, codeBytes),
	})
}

// check returns what charges for work, and for the memory that a unit of it
// takes.
func check(charge, grow func(int64) error, bytes int64) func(int) error {
	if charge == nil && grow == nil {
		return nil
	}
	return func(n int) error {
		if grow != nil {
			if err := grow(int64(n) * bytes); err != nil {
				return err
			}
		}
		if charge == nil {
			return nil
		}
		return charge(int64(n))
	}
}

// checkRegExp returns what checks the literals of a source text.
func checkRegExp(charge, grow func(int64) error) func(pattern, flags string) (string, error) {
	l := &literals{charge: charge, grow: grow}
	return func(pattern, flags string) (string, error) {
		l.live = 0
		err := regexp.CheckSyntax(pattern, flags, l)
		if e, ok := err.(*regexp.SyntaxError); ok {
			return e.Message, nil
		}
		return "", err
	}
}

// literals is the meter of checking a text's literals one after the other: the
// memory that each takes is free for the next, so what counts is the most.
type literals struct {
	charge, grow func(int64) error
	live, peak   int64
}

func (l *literals) Charge(n int64) error {
	if l.charge == nil {
		return nil
	}
	return l.charge(n)
}

func (l *literals) Grow(n int64) error {
	l.live += n
	if l.grow == nil || l.live <= l.peak {
		return nil
	}
	more := l.live - l.peak
	l.peak = l.live
	return l.grow(more)
}

func (l *literals) Shrink(n int64) { l.live -= n }

// Realm is the template of machines: a fresh realm that they copy. It is
// immutable and safe for use by many goroutines.
type Realm struct{ r *vm.Realm }

// NewRealm builds a realm of ECMAScript's built-ins and what extra adds to it. It
// takes some milliseconds: make one and keep it.
func NewRealm(extra func(*vm.Builder)) (*Realm, error) {
	r, err := builtins.NewRealm(extra)
	if err != nil {
		return nil, fmt.Errorf("js: building the realm: %w", err)
	}
	return &Realm{r}, nil
}

// NewMachine makes a machine that starts from the realm and charges mt.
func (r *Realm) NewMachine(mt *meter.Meter, opt vm.Options) *vm.Machine {
	return r.r.NewMachine(mt, opt, evalCompiler{})
}

// realm is the template of the machines that NewMachine makes, built on first
// use.
var realm = sync.OnceValues(func() (*Realm, error) { return NewRealm(func(*vm.Builder) {}) })

// NewMachine makes a machine with a fresh realm that charges mt.
func NewMachine(mt *meter.Meter, opt vm.Options) (*vm.Machine, error) {
	r, err := realm()
	if err != nil {
		return nil, err
	}
	return r.NewMachine(mt, opt), nil
}

// evalCompiler compiles the source that reaches eval and the Function
// constructors of a running program.
type evalCompiler struct{}

func (evalCompiler) options(m *vm.Machine) syntax.Options {
	return syntax.Options{
		CheckRegExp: checkRegExp(m.Meter().Charge, m.Hold),
		Check:       check(m.Meter().Charge, m.Hold, treeBytes),
	}
}

func (evalCompiler) compiling(m *vm.Machine, o compiler.Options) compiler.Options {
	o.Check = check(m.Meter().Charge, m.Hold, codeBytes)
	o.Trace = m.Options().Trace != nil
	return o
}

func (c evalCompiler) Eval(m *vm.Machine, src string, outer *bytecode.Scope) (*bytecode.Program, error) {
	o := c.options(m)
	o.Goal = syntax.Eval
	if outer != nil {
		x := outer.Context
		o.Strict = x.Strict
		o.AllowNewTarget, o.AllowSuperProperty, o.AllowSuperCall, o.InClassFieldInit = x.NewTarget, x.SuperProperty, x.SuperCall, x.FieldInit
		for s := outer; s != nil; s = s.Parent {
			if err := m.Charge(1 + len(s.Bindings)); err != nil {
				return nil, err
			}
			for _, b := range s.Bindings { //meter: charged above
				if len(b.Name) > 1 && b.Name[0] == '#' {
					o.PrivateNames = append(o.PrivateNames, b.Name[1:])
				}
			}
		}
	}
	tree, err := syntax.Parse("<eval>", src, o)
	if err != nil {
		return nil, err
	}
	return compiler.Compile(tree, c.compiling(m, compiler.Options{Completion: true, Outer: outer}))
}

func (c evalCompiler) Function(m *vm.Machine, kind, params, body string) (*bytecode.Program, error) {
	async := kind == "async function" || kind == "async function*"
	generator := kind == "function*" || kind == "async function*"
	o := c.options(m)
	tree, err := syntax.ParseFunction("<anonymous>", params, body, async, generator, o)
	if err != nil {
		return nil, err
	}
	return compiler.CompileFunction(tree, c.compiling(m, compiler.Options{}))
}
