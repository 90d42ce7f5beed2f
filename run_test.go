package pinfold_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pinfold-js/pinfold"
)

// eval runs a source with the default options.
func eval(t testing.TB, opt pinfold.Options, source string, input any) *pinfold.Outcome {
	t.Helper()
	return sandbox(t, opt).Eval(context.Background(), "test", source, input)
}

func TestPrograms(t *testing.T) {
	tests := []struct {
		name, source string
		input        any
		want         string
	}{
		{"expression", "1 + 2", nil, "3"},
		{"object literal", "{ a: 1, b: input }", 2, `{"a":1,"b":2}`},
		{"body", "const x = input.n; return x * 2", map[string]any{"n": 21}, "42"},
		{"await", "return await Promise.resolve(7)", nil, "7"},
		{"no return", "1; 2;", nil, `{"$js":"undefined"}`},
		{"no input", "typeof input", nil, `"undefined"`},
		{"null input", "input", json.RawMessage("null"), "null"},
		{"input is a copy", "input.list.push(4); return input.list.length", map[string]any{"list": []int{1, 2, 3}}, "4"},
		{"thenable", "return { then(f) { f('done') } }", nil, `"done"`},
		{"module with a function", "export default async (i) => i.n + 1", map[string]int{"n": 1}, "2"},
		{"module with a value", "const a = await 1; export default { a }", nil, `{"a":1}`},
		{"module with a promise", "export default Promise.resolve(3)", nil, "3"},
		{"module without default", "export const a = 1", nil, `{"$js":"undefined"}`},
		{"module with imports", "import { twice } from 'lib'; import data from 'data.json'; export default twice(data.n)", nil, "42"},
		{"dynamic import", "return (await import('lib')).twice(4)", nil, "8"},
		{"TypeScript by trying", "interface A { n: number }\nconst a: A = { n: 1 };\nreturn a.n as number", nil, "1"},
		{"strict", "try { undeclared = 1 } catch (e) { return e.name }", nil, `"ReferenceError"`},
		{"this", "return this === undefined", nil, "true"},
		{"proto key", "Object.keys(input)", json.RawMessage(`{"__proto__":1,"b":2}`), `["__proto__","b"]`},
		{"key order", "input", json.RawMessage(`{"z":1,"a":2}`), `{"z":1,"a":2}`},
		{"big input", "input * 2n", big.NewInt(1 << 60), `{"$js":"bigint","v":"2305843009213693952"}`},
		{"nothing ambient", "[typeof process, typeof require, typeof fetch, typeof setTimeout, typeof WebAssembly, typeof SharedArrayBuffer]", nil,
			`["undefined","undefined","undefined","undefined","undefined","undefined"]`},
		{"prototype is the run's own", "Object.prototype.polluted = 1; return ({}).polluted", nil, "1"},
		{"and not the next one's", "return ({}).polluted === undefined", nil, "true"},
		{"lone expression with comment", "// about\n[1].map(x => x)\n", nil, "[1]"},
		{"toJSON", "class A { #x = 1; toJSON() { return { x: this.#x } } } return new A", nil, `{"x":1}`},
		{"unhandled but handled later", "const p = Promise.reject(1); await 0; await 0; try { await p } catch (e) { return e }", nil, "1"},
	}
	s := sandbox(t, pinfold.Options{Modules: map[string]string{
		"lib": "export const twice = (n) => n * 2", "data.json": `{"n": 21}`,
	}})
	stressed := sandbox(t, pinfold.Options{Modules: map[string]string{
		"lib": "export const twice = (n) => n * 2", "data.json": `{"n": 21}`,
	}})
	stressed.Stress()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range []*pinfold.Sandbox{s, stressed} {
				o := s.Eval(context.Background(), "test", tt.source, tt.input)
				if o.Failure != nil {
					t.Fatal(o.Failure)
				}
				if got := o.Value.String(); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			}
		})
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name, source string
		want         pinfold.Failure
	}{
		{"throw", "let a;\na.b", pinfold.Failure{Kind: pinfold.ErrScript, Name: "TypeError", Message: "Cannot read properties of undefined (reading 'b')", Line: 2, Column: 3}},
		{"throw a value", "throw { code: 7 }", pinfold.Failure{Kind: pinfold.ErrScript, Message: "uncaught { code: 7 }", Line: 1, Column: 1}},
		{"reject", "await Promise.reject(new RangeError('far'))", pinfold.Failure{Kind: pinfold.ErrScript, Name: "RangeError", Message: "far", Line: 1, Column: 22}},
		{"own error class", "class E extends Error { name = 'E' } throw new E('x')", pinfold.Failure{Kind: pinfold.ErrScript, Name: "E", Message: "x", Line: 1, Column: 44}},
		{"unhandled", "Promise.reject(new Error('lost')); return 1", pinfold.Failure{Kind: pinfold.ErrScript, Name: "Error", Message: "lost", Line: 1, Column: 16}},
		{"microtask", "queueMicrotask(() => { throw new Error('late') }); await 1", pinfold.Failure{Kind: pinfold.ErrScript, Name: "Error", Message: "late", Line: 1, Column: 30}},
		{"never settles", "await new Promise(() => {})", pinfold.Failure{Kind: pinfold.ErrScript, Message: "the promise returned by the program can never settle"}},
		{"syntax", "const a = 1;\nconst a = 2;", pinfold.Failure{Kind: pinfold.ErrSyntax, Name: "SyntaxError", Message: "Identifier 'a' has already been declared", Line: 2, Column: 7}},
		{"syntax in a module", "export default 1;\nconst 5;", pinfold.Failure{Kind: pinfold.ErrSyntax, Name: "SyntaxError", Message: "Unexpected number", Line: 2, Column: 7}},
		{"a function", "return { items: [1, 2, 3, { fn() {} }] }", pinfold.Failure{Kind: pinfold.ErrResult, Message: "result.items[3].fn: a function can't be returned"}},
		{"missing module", "import 'fs'; export default 1", pinfold.Failure{Kind: pinfold.ErrScript, Name: "TypeError", Message: "Cannot load module 'fs': no module is available", Line: 1, Column: 8}},
		{"toJSON throws", "return { toJSON() { throw new Error('no') } }", pinfold.Failure{Kind: pinfold.ErrScript, Name: "Error", Message: "no", Line: 1, Column: 27}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := eval(t, pinfold.Options{}, tt.source, nil)
			f := o.Failure
			if f == nil {
				t.Fatalf("no failure, value %s", o.Value)
			}
			got := pinfold.Failure{Kind: f.Kind, Name: f.Name, Message: f.Message, Line: f.Line, Column: f.Column}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) || got.Line != tt.want.Line || got.Column != tt.want.Column || got.Kind != tt.want.Kind {
				t.Errorf("got  %+v %d:%d\nwant %+v %d:%d", got.Error(), got.Line, got.Column, tt.want.Error(), tt.want.Line, tt.want.Column)
			}
			if !errors.Is(o.Err(), tt.want.Kind) {
				t.Errorf("errors.Is(%v, %s) is false", o.Err(), tt.want.Kind)
			}
		})
	}
}

func TestLongMessageIsCut(t *testing.T) {
	o := eval(t, pinfold.Options{}, "throw new Error('é'.repeat(5e6))", nil)
	if n := len([]rune(o.Failure.Message)); n > pinfold.MaxMessageChars || !strings.HasSuffix(o.Failure.Message, "more characters left out]") {
		t.Errorf("%d characters, ending in %q", n, o.Failure.Message[len(o.Failure.Message)-40:])
	}
}

func TestHostFunctions(t *testing.T) {
	type item struct {
		Name string   `json:"name"`
		Tags []string `json:"tags,omitempty"`
		N    *int     `json:"n,omitempty"`
	}
	_, osError := fs.Stat(brokenFS{}, "secret/path")
	opt := pinfold.Options{Functions: []pinfold.Function{
		{Name: "add", Func: func(a, b float64) float64 { return a + b }},
		{Name: "half", Func: func(a int) (int, error) {
			if a%2 != 0 {
				return 0, fmt.Errorf("%d is odd", a)
			}
			return a / 2, nil
		}},
		{Name: "upper", Func: strings.ToUpper},
		{Name: "join", Func: func(sep string, parts ...string) string { return strings.Join(parts, sep) }},
		{Name: "echo", Func: func(x any) any { return x }},
		{Name: "item", Func: func(i item) item { i.Tags = append(i.Tags, "seen"); return i }},
		{Name: "raw", Func: func(r json.RawMessage) json.RawMessage { return r }},
		{Name: "value", Func: func(v pinfold.Value) pinfold.Value { return v }},
		{Name: "opt", Func: func(p *string) bool { return p == nil }},
		{Name: "nothing", Func: func() {}},
		{Name: "coded", Func: func() error {
			return &pinfold.Error{Code: "LATER", Message: "try later", Retryable: true, Data: []int{1}}
		}},
		{Name: "wrapped", Func: func() error { return fmt.Errorf("order 5: %w", &pinfold.Error{Code: "GONE", Message: "gone"}) }},
		{Name: "leaky", Func: func() error { return fmt.Errorf("cannot read: %w", osError) }},
		{Name: "late", Func: func() error { return context.DeadlineExceeded }},
		{Name: "badvalue", Func: func() any { return make(chan int) }},
		{Name: "db.users.find", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context, id int) (map[string]any, error) {
			if id < 0 {
				return nil, errors.New("no such user")
			}
			return map[string]any{"id": id, "name": "u"}, ctx.Err()
		}},
		{Name: "db.ping", Func: func() bool { return true }},
	}}
	tests := []struct{ source, want string }{
		{"add(1, 2)", "3"},
		{"half(8)", "4"},
		{"upper('é😀x')", `"É😀X"`},
		{"join('-', 'a', 'b', 'c') + join('-')", `"a-b-c"`},
		{"echo({ b: 1, a: [undefined, NaN, 1n, new Date(0), new Map([[1, 2]])] })", `{"b":1,"a":[{"$js":"undefined"},{"$js":"number","v":"NaN"},{"$js":"bigint","v":"1"},{"$js":"date","v":"1970-01-01T00:00:00.000Z"},{"$js":"map","v":[[1,2]]}]}`},
		{"item({ name: 'x', tags: ['a'], other: 1 })", `{"name":"x","tags":["a","seen"]}`},
		{"raw({ z: 1, a: 'q' })", `{"z":1,"a":"q"}`},
		{"value(new Set([1]))", `{"$js":"set","v":[1]}`},
		{"[opt(), opt(null), opt('x')]", "[true,true,false]"},
		{"nothing()", `{"$js":"undefined"}`},
		{"await db.users.find(3)", `{"id":3,"name":"u"}`},
		{"(await Promise.all([1, 2, 3].map(db.users.find))).map((u) => u.id)", "[1,2,3]"},
		{"db.ping()", "true"},
		{"'use strict'; try { db.ping = 1 } catch (e) { return e.name + Object.isFrozen(db) }", `"TypeErrortrue"`},
		{"Object.getPrototypeOf(db) === null", "true"},
		{"add.constructor === Function", "true"},
		{"try { add.constructor('return process')() } catch (e) { return e.name }", `"ReferenceError"`},
		{"db.users.find() instanceof Promise", "true"},
	}
	s, stressed := sandbox(t, opt), sandbox(t, opt)
	stressed.Stress()
	for _, tt := range tests {
		for _, s := range []*pinfold.Sandbox{s, stressed} {
			if o := s.Eval(nil, "test", tt.source, nil); o.Failure != nil {
				t.Errorf("%s: %v", tt.source, o.Failure)
			} else if got := o.Value.String(); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.source, got, tt.want)
			}
		}
	}
	failing := []struct{ call, want string }{
		{"half(3)", `["Error",null,"3 is odd",null,null]`},
		{"half(1.5)", `["TypeError","E_ARGUMENT","half: argument 1: an integer is wanted, this is the number 1.5",null,null]`},
		{"add('1', 2)", `["TypeError","E_ARGUMENT","add: argument 1: a number is wanted, this is a string",null,null]`},
		{"item({ name: 'x', tags: [1] })", `["TypeError","E_ARGUMENT","item: argument 1.tags[0]: a string is wanted, this is the number 1",null,null]`},
		{"echo({ f() {} })", `["TypeError","E_ARGUMENT","echo: argument 1.f: a function can't be passed to the host",null,null]`},
		{"coded()", `["Error","LATER","try later",true,[1]]`},
		{"wrapped()", `["Error","GONE","order 5: gone",null,null]`},
		{"leaky()", `["Error","E_HOST","leaky failed",null,null]`},
		{"late()", `["Error","E_TIMEOUT","late timed out",true,null]`},
		{"badvalue()", `["Error","E_HOST","badvalue returned a value that can't be passed on: result: a Go chan int can't be passed to a script",null,null]`},
		{"await db.users.find(-1)", `["Error",null,"no such user",null,null]`},
		{"await db.users.find('x')", `["TypeError","E_ARGUMENT","db.users.find: argument 1: an integer is wanted, this is a string",null,null]`},
	}
	for _, tt := range failing {
		o := s.Eval(nil, "test", "try { "+tt.call+"; return 'no error' } catch (e) { const { code = null, retryable = null, data = null } = e; return [Object.getPrototypeOf(e).constructor.name, code, e.message, retryable, data] }", nil)
		if o.Failure != nil {
			t.Errorf("%s: %v", tt.call, o.Failure)
		} else if got := o.Value.String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.call, got, tt.want)
		}
	}
}

type brokenFS struct{}

func (brokenFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: "/home/host/" + name, Err: fs.ErrNotExist}
}

// Argument conversion never runs the script's code, and what a host function
// sees is a copy.
func TestArgumentsAreCopies(t *testing.T) {
	var kept *pinfold.Object
	o := eval(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "keep", Func: func(x *pinfold.Object) { kept = x }},
	}}, `
		const o = { a: [1] };
		keep(o);
		o.a.push(2);
		let ran = 0;
		try { keep(new Proxy({}, { get() { ran++ }, ownKeys() { ran++; return [] } })) } catch {}
		try { keep({ get x() { ran++; return 1 } }) } catch {}
		return ran`, nil)
	if o.Value.String() != "0" {
		t.Errorf("script code ran %s times, %v", o.Value, o.Failure)
	}
	if a, _ := kept.Get("a"); len(a.([]any)) != 1 {
		t.Errorf("the host's copy changed: %v", a)
	}
}

func TestHostPanicFailsThatRunOnly(t *testing.T) {
	s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "boom", Func: func(i int) int { panic(fmt.Sprintf("secret %d", i)) }},
		{Name: "boomLater", Async: true, Cancel: pinfold.Cooperative, Func: func() { panic("secret") }},
		{Name: "fine", Func: func(i int) int { return i }},
	}})
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			switch i % 3 {
			case 0:
				o := s.Eval(nil, "test", "try { boom(1) } catch { return 'caught' } finally { console.log('ran') }", nil)
				if f := o.Failure; f == nil || f.Kind != pinfold.ErrInternal || f.Message != "the host's boom panicked" || !strings.Contains(f.GoStack(), "secret 1") || len(o.Console) > 0 {
					t.Errorf("panic: %+v, console %v", f, o.Console)
				}
			case 1:
				o := s.Eval(nil, "test", "await boomLater().catch(() => 0)", nil)
				if f := o.Failure; f == nil || f.Kind != pinfold.ErrInternal || strings.Contains(f.Report(), "secret") {
					t.Errorf("panic of an asynchronous function: %+v", f)
				}
			default:
				if o := s.Eval(nil, "test", "fine(input)", i); o.Failure != nil || o.Value.String() != fmt.Sprint(i) {
					t.Errorf("a neighbour: %s, %v", o.Value, o.Failure)
				}
			}
		})
	}
	wg.Wait()
}

// After Run has returned nothing acts for the run any more.
func TestClosedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var started, finished, cancelled atomic.Int32
		s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{Timeout: 5 * time.Second}, Functions: []pinfold.Function{
			{Name: "slow", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) error {
				started.Add(1)
				select {
				case <-ctx.Done():
					cancelled.Add(1)
					return ctx.Err()
				case <-time.After(time.Hour):
					finished.Add(1)
					return nil
				}
			}},
			{Name: "stubborn", Async: true, Cancel: pinfold.Cooperative, Func: func() { time.Sleep(3 * time.Second) }},
		}})
		// Not awaited: cancelled, and gone before Run returns.
		o := s.Eval(t.Context(), "test", "for (let i = 0; i < 10; i++) slow().then(() => console.log('no'), () => console.log('no')); return 1", nil)
		if o.Value.String() != "1" || started.Load() != 10 || cancelled.Load() != 10 || finished.Load() != 0 || len(o.Console) > 0 {
			t.Errorf("value %s, %v: %d started, %d cancelled, console %v", o.Value, o.Failure, started.Load(), cancelled.Load(), o.Console)
		}
		// Awaited: the limit of time ends it.
		begin := time.Now()
		o = s.Eval(t.Context(), "test", "await slow()", nil)
		if d := time.Since(begin); !errors.Is(o.Err(), pinfold.ErrTime) || !errors.Is(o.Err(), context.DeadlineExceeded) || d < 5*time.Second || d > 6100*time.Millisecond {
			t.Errorf("after %v: %v", d, o.Failure)
		}
		// One that ignores its context is waited for a second.
		begin = time.Now()
		o = s.Eval(t.Context(), "test", "stubborn(); return 2", nil)
		if d := time.Since(begin); o.Failure != nil || d < time.Second || d > 1100*time.Millisecond {
			t.Errorf("after %v: %v", d, o.Failure)
		}
		time.Sleep(3 * time.Second)
	})
}

func TestCancellation(t *testing.T) {
	s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "wait", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
	}})
	for _, source := range []string{"for (;;);", "await wait()", "for (;;) await 0", "try { await wait() } catch { return 1 }"} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		o := s.Eval(ctx, "test", source, nil)
		if !errors.Is(o.Err(), pinfold.ErrCancelled) || !errors.Is(o.Err(), context.Canceled) {
			t.Errorf("%s: %v", source, o.Err())
		}
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if o := s.Eval(ctx, "test", "for (;;);", nil); !errors.Is(o.Err(), pinfold.ErrCancelled) || !errors.Is(o.Err(), context.DeadlineExceeded) {
		t.Errorf("deadline of the context: %v", o.Err())
	}
	if o := s.Eval(ctx, "test", "1", nil); !errors.Is(o.Err(), pinfold.ErrCancelled) {
		t.Errorf("a context that has ended before the run: %v", o.Err())
	}
}

func TestConsole(t *testing.T) {
	var streamed []pinfold.ConsoleLine
	o := eval(t, pinfold.Options{Console: func(l pinfold.ConsoleLine) { streamed = append(streamed, l) }}, `
		console.log('a', 1, { b: [1, 'x'] });
		console.info('%s is %d', 'n', 4.5);
		console.warn(new Map([[1, 2]]));
		console.error('e');
		console.debug(undefined, null);
		console.group('g');
		console.log('in\nside');
		console.groupEnd();
		console.count(); console.count();
		console.assert(1 === 2, 'math');
		console.log()`, nil)
	want := []pinfold.ConsoleLine{
		{Level: "log", Text: "a 1 { b: [ 1, 'x' ] }"}, {Level: "info", Text: "n is 4.5"}, {Level: "warn", Text: "Map(1) { 1 => 2 }"},
		{Level: "error", Text: "e"}, {Level: "debug", Text: "undefined null"}, {Level: "log", Text: "g"}, {Level: "log", Text: "  in\n  side"},
		{Level: "log", Text: "default: 1"}, {Level: "log", Text: "default: 2"}, {Level: "warn", Text: "Assertion failed: math"}, {Level: "log", Text: ""},
	}
	if o.Failure != nil || !slices.Equal(o.Console, want) || !slices.Equal(streamed, want) {
		t.Errorf("%v\ngot  %q\nwant %q", o.Failure, o.Console, want)
	}
	// Lines are kept when the run fails.
	o = eval(t, pinfold.Options{}, "console.log('before'); null.x", nil)
	if o.Failure == nil || len(o.Console) != 1 || o.Usage.OutputBytes != 7 {
		t.Errorf("%+v", o)
	}
}

func TestDeterministic(t *testing.T) {
	s := sandbox(t, pinfold.Options{Deterministic: true, Seed: 7, FixedTime: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)})
	p := program(t, s, "console.log(new Date(), Date.now(), [Math.random(), Math.random()], new Date(2026, 0, 1).getTimezoneOffset()); return Math.random()")
	var wg sync.WaitGroup
	outs := make([]*pinfold.Outcome, 100)
	for i := range outs {
		wg.Go(func() { outs[i] = s.Run(nil, p, nil) })
	}
	wg.Wait()
	for _, o := range outs {
		if o.Failure != nil || o.Value.String() != outs[0].Value.String() || !slices.Equal(o.Console, outs[0].Console) || o.Usage.Fuel != outs[0].Usage.Fuel {
			t.Fatalf("%+v\nand\n%+v", o, outs[0])
		}
	}
	if a, b := eval(t, pinfold.Options{}, "Math.random()", nil), eval(t, pinfold.Options{}, "Math.random()", nil); a.Value.String() == b.Value.String() {
		t.Error("two runs without a seed had the same random number")
	}
}

func TestNewReportsEverything(t *testing.T) {
	_, err := pinfold.New(pinfold.Options{
		Limits: pinfold.Limits{Fuel: -1, Timeout: -time.Second, ResultDepth: 5000},
		Functions: []pinfold.Function{
			{Name: "Promise.x", Func: func() {}}, {Name: "then", Func: func() {}}, {Name: "a", Func: func() {}}, {Name: "a", Func: func() {}},
			{Name: "a.b", Func: func() {}}, {Name: "c", Func: 5}, {Name: "d", Func: func(chan int) {}}, {Name: "e", Func: func() (int, int) { return 1, 2 }},
			{Name: "1x", Func: func() {}}, {Name: "f", Func: func() func() { return nil }}, {Name: "class", Func: func() {}},
		},
		Clock: time.Now, FixedTime: time.Now(), Deterministic: true, CacheBytes: -1,
	})
	for _, want := range []string{
		"Limits.Fuel is -1", "Limits.Timeout is -1s", "Limits.ResultDepth is 5000", `"Promise.x": it would hide`, `"then"`, `"a" is there twice`,
		`"a.b": a is a function`, `"c": Func must be a Go function`, `"d": parameter 1`, `"e": it may return`, `"1x"`, `"f": result`, `"class"`,
		"Clock and FixedTime", "Deterministic and Clock", "CacheBytes is -1",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("nothing is said of %s:\n%v", want, err)
		}
	}
}

func TestProgramCache(t *testing.T) {
	s := sandbox(t, pinfold.Options{CacheBytes: 100_000})
	a := program(t, s, "1 + 1")
	if b := program(t, s, "1 + 1"); a != b {
		t.Error("the program was compiled again")
	}
	if b, err := s.Compile("other", "1 + 1"); err != nil || a == b || a.Hash() == b.Hash() {
		t.Error("a program of another name is the same")
	}
	for i := range 200 {
		program(t, s, fmt.Sprintf("'%s' + %d", strings.Repeat("x", 1000), i))
	}
	if b := program(t, s, "1 + 1"); a == b {
		t.Error("the cache doesn't forget")
	}
	if o := s.Run(nil, a, nil); o.Value.String() != "2" {
		t.Error("a program that the cache forgot doesn't run")
	}
}

func TestUsage(t *testing.T) {
	o := eval(t, pinfold.Options{Functions: []pinfold.Function{{Name: "f", Func: func() {}}}}, "f(); f(); const a = Array(1000).fill(0).map((_, i) => ({ i })); throw 1", nil)
	u := o.Usage
	if o.Failure == nil || u.Fuel < 1000 || u.PeakBytes < 50_000 || u.AllocatedBytes < u.PeakBytes || u.Wall <= 0 || u.HostCalls != 2 {
		t.Errorf("%+v", u)
	}
}
