package hostile

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
)

// arrayMethods are the methods of arrays with arguments (C7).
var arrayMethods = map[string]string{
	"every": "()=>true", "some": "()=>false", "find": "()=>false", "findIndex": "()=>false", "findLast": "()=>false", "findLastIndex": "()=>false",
	"forEach": "()=>1", "map": "()=>1", "filter": "()=>false", "indexOf": "1", "lastIndexOf": "1", "includes": "1", "reduce": "()=>1,1", "reduceRight": "()=>1,1",
	"join": "''", "fill": "1", "copyWithin": "0,3", "reverse": "", "sort": "", "slice": "", "splice": "0,1", "shift": "", "unshift": "1",
	"flat": "", "flatMap": "x=>x", "toReversed": "", "toSorted": "", "toSpliced": "0,1", "with": "0,1", "concat": "[1]", "at": "5", "toString": "", "toLocaleString": "",
	"pop": "", "push": "1", "entries": "", "keys": "", "values": "",
}

// methodCases are every array method over a huge array-like.
func methodCases() []Case {
	var cases []Case
	for _, name := range sortedKeys(arrayMethods) {
		for _, length := range []string{"2**32-1", "2**53-1"} {
			id := "C7-" + name + "-32"
			if length != "2**32-1" {
				id = "C7-" + name + "-53"
			}
			args := ""
			if arrayMethods[name] != "" {
				args = "," + arrayMethods[name]
			}
			cases = append(cases, Case{ID: id, Source: fmt.Sprintf("for(;;) [...[Array.prototype.%s.call({length:%s}%s)]]", name, length, args), Want: bounded + "|throw:TypeError"})
		}
	}
	for _, name := range []string{"every", "some", "find", "findLast", "forEach", "map", "filter", "reduce", "reduceRight", "sort", "toSorted", "toReversed", "fill", "set", "indexOf", "join", "slice", "reverse", "with", "copyWithin", "toLocaleString"} {
		arg := arrayMethods[name]
		if name == "set" {
			arg = "new Array(1<<20).fill(1)"
		}
		cases = append(cases, Case{ID: "C7-typed-" + name, Source: fmt.Sprintf("const u=new Uint8Array(1<<22); for(;;) u.%s(%s)", name, arg), Want: bounded})
	}
	return cases
}

// shapeCases are source text nested a hundred thousand deep, compiled beforehand
// and through eval (E9, E12, C29).
func shapeCases() []Case {
	want := nested + "|throw:ReferenceError|throw:TypeError|unsettled"
	var cases []Case
	for _, s := range Shapes {
		for _, n := range []int{1000, 100_000} {
			cases = append(cases, Case{ID: fmt.Sprintf("E9-%s-%d", s.Name, n), Make: func() string { return s.Make(n) }, TypeScript: s.TypeScript, Want: want})
		}
		if !s.TypeScript {
			cases = append(cases, Case{ID: fmt.Sprintf("E9-%s-eval", s.Name), Script: true, Want: want,
				Source: fmt.Sprintf("eval(%q.repeat(100000)+%q+%q.repeat(100000))", s.Open, s.Mid, s.Close)})
		}
	}
	return cases
}

// A trigger is script that runs into a limit: the body of boom().
type trigger struct {
	name, want, source string
	limits             pinfold.Limits
}

var triggers = []trigger{
	{"fuel", "limit:fuel", "for(;;);", pinfold.Limits{Fuel: 300_000}},
	{"fuel in a built-in", "limit:fuel", "Array.prototype.indexOf.call({length:2**53-1},1)", pinfold.Limits{Fuel: 300_000}},
	{"memory", "limit:memory", "const a=[]; for(;;) a.push({})", pinfold.Limits{MemoryBytes: 4 << 20}},
	{"memory at once", "limit:memory", "const a=[]; for(;;) a.push('x'.repeat(1<<20).padEnd(3<<20))", pinfold.Limits{MemoryBytes: 8 << 20}},
	{"allocation", "limit:memory", "for(;;) new Array(1000).fill(0)", pinfold.Limits{AllocatedBytes: 8 << 20}},
	{"calls", "limit:stack", "boom()", pinfold.Limits{CallDepth: 200}},
	{"nesting", "limit:stack", "const o={get x(){ return Reflect.get(o,'x') }}; o.x", pinfold.Limits{NativeDepth: 100}},
	{"time", "limit:time", "for(;;);", pinfold.Limits{Timeout: 10 * time.Millisecond}},
	{"output", "limit:output", "for(;;) console.log('x')", pinfold.Limits{OutputLines: 20}},
	{"host calls", "limit:hostcalls", "for(;;) noop()", pinfold.Limits{HostCalls: 20}},
	{"cancellation", "cancelled", "cancel(); for(;;);", pinfold.Limits{}},
	{"panic of the host", "fault", "panics()", pinfold.Limits{}},
}

// handlerCases run every handler with every limit. The handlers are sloppy
// scripts.
func handlerCases() []Case {
	var cases []Case
	for _, name := range sortedKeys(Handlers) {
		cases = append(cases, Case{ID: "U-" + strings.ReplaceAll(name, " ", "-"), Scenario: func(s *Scene) { handle(s, Handlers[name]) }})
	}
	return cases
}

func handle(s *Scene, handler string) {
	for _, t := range triggers {
		var touches atomic.Int64
		ctx, cancel := context.WithCancel(context.Background())
		l := t.limits
		set(&l.Fuel, 1<<30) // should boom never be called
		if l.Timeout == 0 {
			l.Timeout = 20 * time.Second
		}
		sb := s.New(pinfold.Options{Limits: l, Functions: []pinfold.Function{
			{Name: "touched", Func: func() { touches.Add(1) }},
			{Name: "noop", Func: func() {}},
			{Name: "cancel", Func: func() { cancel() }},
			{Name: "panics", Func: func() { panic("the host's own mistake") }},
		}})
		source := HandlerPrelude + "function boom(){ " + t.source + " }\n" + handler
		o := sb.Eval(ctx, "program.js", "(0, eval)(input)", source)
		cancel()
		outcome, value, text := describe(o)
		if outcome != t.want {
			s.Errorf("%s: ended as %s %s%s, want %s", t.name, outcome, value, text, t.want)
		}
		if n := touches.Load(); n > 0 {
			s.Errorf("%s: the script got control back %d times", t.name, n)
		}
	}
}

// recursionCases enter each recursion under the default depths, and under depths
// that leave it to memory and time.
func recursionCases() []Case {
	var cases []Case
	for _, name := range sortedKeys(Recursions) {
		if name == "host callback" {
			continue // host functions of the library can't be given a function
		}
		id := "R-" + strings.ReplaceAll(name, " ", "-")
		source := "try { " + Recursions[name] + " } catch { touched() } finally { touched() }"
		cases = append(cases,
			Case{ID: id, Script: true, Source: source, Want: "limit:stack", Options: func(o *pinfold.Options) {
				o.Limits.MemoryBytes = 256 << 20
			}},
			Case{ID: id + "-deep", Script: true, Source: source, Want: "limit:stack|" + anyLimit, Limits: pinfold.Limits{CallDepth: 1 << 30, NativeDepth: 10_000}},
		)
	}
	return cases
}
