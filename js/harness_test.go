package js_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// testNativeDepth is the native nesting that the tests of this package allow.
// TestGoStackPerLevel says what it costs in Go stack.
const testNativeDepth = 1000

// quick says that a sample is enough: the race detector makes a run ten times
// as long, and finds what it finds in the sample.
func quick() bool { return testing.Short() || raceEnabled }

// ending is how a run ended.
type ending struct {
	kind  string // "value", "throw", "limit" or "fault"
	what  string // the value as a string, the exception's name, the limit's kind, the error
	text  string // the exception's headline
	err   error
	usage meter.Usage
	m     *vm.Machine
	mt    *meter.Meter
}

// String is the ending as the tables of these tests write it.
func (e ending) String() string {
	if e.kind == "value" {
		return "value"
	}
	return e.kind + ":" + e.what
}

// job is what a test runs.
type job struct {
	src    string
	goal   js.Goal
	ts     bool
	limits meter.Limits
	ctx    context.Context
	opt    vm.Options
	setup  func(m *vm.Machine) // defines host functions
}

// run compiles and runs a program with its jobs, and never fails the test: a
// Go panic is a fault like an error that is neither exception nor limit.
func run(j job) (e ending) {
	defer func() {
		if p := recover(); p != nil {
			e.kind, e.what = "fault", fmt.Sprint("panic: ", p)
			panic(p)
		}
	}()
	e.mt = meter.New(j.ctx, j.limits)
	defer e.mt.Close()
	p, err := js.Compile("test.js", j.src, js.CompileOptions{Goal: j.goal, TypeScript: j.ts, Completion: j.goal == js.Script, Charge: e.mt.Charge})
	if err != nil {
		e.end(err)
		return e
	}
	return runProgram(e, p, j)
}

func runProgram(e ending, p *js.Program, j job) ending {
	m, err := js.NewMachine(e.mt, j.opt)
	if err != nil {
		e.kind, e.what = "fault", err.Error()
		return e
	}
	e.m = m
	if j.setup != nil {
		j.setup(m)
	}
	var v vm.Value
	switch j.goal {
	case js.FunctionBody:
		v, err = m.RunFunctionBody(p)
	case js.Module:
		var mod vm.LoadedModule
		if mod, err = m.AddModule(vm.ModuleSource{Key: "test.js", Program: p}); err == nil {
			if err = m.Link(mod); err == nil {
				var o vm.Obj
				o, err = m.Evaluate(mod)
				v = heap.ObjectValue(o)
			}
		}
	default:
		v, err = m.RunScript(p)
	}
	at := m.Root(v)
	for err == nil && m.HasJobs() {
		err = m.RunJobs()
	}
	m.PopRoots(at)
	if err != nil {
		e.end(err)
		return e
	}
	e.kind = "value"
	if m.IsPromise(v) {
		state, result := m.PromiseStateOf(v.AsObj())
		switch state {
		case vm.PromiseRejected:
			e.exception(result)
			e.usage = e.mt.Usage()
			return e
		case vm.PromisePending:
			e.what = "pending"
			e.usage = e.mt.Usage()
			return e
		}
		v = result
	}
	e.what = plain(m, v)
	e.usage = e.mt.Usage()
	return e
}

// end says how the run ended by err.
func (e *ending) end(err error) {
	e.err = err
	e.usage = e.mt.Usage()
	var l *meter.LimitError
	var se *syntax.SyntaxError
	switch {
	case errors.As(err, &l):
		e.kind, e.what = "limit", l.Kind.String()
	case errors.As(err, &se):
		e.kind, e.what, e.text = "throw", "SyntaxError", se.Message
	default:
		if e.m != nil {
			if exc, ok := e.m.Caught(err); ok {
				e.exception(exc)
				return
			}
		}
		e.kind, e.what = "fault", err.Error()
	}
}

func (e *ending) exception(v vm.Value) {
	e.kind = "throw"
	if s, err := e.m.Headline(v); err == nil && v.IsObject() {
		e.text = e.m.H.GoString(s)
	} else {
		e.text = plain(e.m, v)
	}
	e.what, _, _ = strings.Cut(e.text, ":")
}

// plain shows a value without running script.
func plain(m *vm.Machine, v vm.Value) string {
	if v.IsString() {
		if m.H.Len(v.AsStr()) > 1<<16 {
			return fmt.Sprintf("a string of %d units", m.H.Len(v.AsStr()))
		}
		return m.H.GoString(v.AsStr())
	}
	return m.Describe(v)
}

// host defines a global host function.
func host(m *vm.Machine, name string, fn vm.NativeFunc) {
	f, err := m.NewHostFunction(name, 0, fn)
	if err == nil {
		err = m.SetGlobal(name, heap.ObjectValue(f))
	}
	if err != nil {
		panic(err)
	}
}

// within reports whether one of the alternatives in want, separated by "|", is
// the ending.
func within(e ending, want string) bool {
	for w := range strings.SplitSeq(want, "|") {
		if w == e.String() || strings.HasSuffix(w, ":") && strings.HasPrefix(e.String(), w) || e.kind == "value" && strings.HasPrefix(w, "value=") && w[6:] == e.what {
			return true
		}
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestHarness(t *testing.T) {
	tests := []struct {
		job  job
		want string
	}{
		{job{src: "1+1"}, "value=2"},
		{job{src: "throw new TypeError('x')"}, "throw:TypeError"},
		{job{src: "for(;;);", limits: meter.Limits{Fuel: 1000}}, "limit:fuel"},
		{job{src: "for(;;);", limits: meter.Limits{Timeout: time.Millisecond}}, "limit:time"},
		{job{src: "await 1; return 7", goal: js.FunctionBody}, "value=7"},
		{job{src: "await 1; throw new RangeError('7')", goal: js.FunctionBody}, "throw:RangeError"},
		{job{src: "export default await 1", goal: js.Module}, "value"},
		{job{src: "let x: number = 4; x", ts: true}, "value=4"},
		{job{src: "1 +"}, "throw:SyntaxError"},
	}
	for _, tt := range tests {
		if e := run(tt.job); !within(e, tt.want) {
			t.Errorf("%s: %v %q, want %s", tt.job.src, e, e.text, tt.want)
		}
	}
}
