package pinfold_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

func TestHardened(t *testing.T) {
	for _, tt := range []struct {
		source, want string
		fixed        bool
	}{
		{`try { Date.now() } catch (e) { return [e.name, e.message.slice(0, 35)] }`, `["TypeError","Date.now() is not available here: p"]`, false},
		{`try { Math.random() } catch (e) { return e.name }`, `"TypeError"`, false},
		{`return ['getRandomValues', 'randomUUID'].map(k => { try { crypto[k](new Uint8Array(1)) } catch (e) { return e.name } })`, `["TypeError","TypeError"]`, false},
		{`return [String(new Date()), String(new Date(0).toISOString()), Date()]`, `["Invalid Date","1970-01-01T00:00:00.000Z","Invalid Date"]`, false},
		{`return new Date().toISOString()`, `"2026-01-02T03:04:05.000Z"`, true},
		{`let bad = []; for (const o of [Object, Array, Function, Promise, RegExp, Date, Map, Math, JSON, Reflect, Intl, console, URL, Error, Symbol]) if (!Object.isFrozen(o) || o.prototype && !Object.isFrozen(o.prototype)) bad.push(o); return bad.length`, `0`, false},
		{`return [function* () {}, async () => {}, async function* () {}, [].values(), new Map().entries(), 'a'.matchAll(/a/g), [].values().map(x => x)].every(f => Object.isFrozen(Object.getPrototypeOf(f)))`, `true`, false},
		{`try { Array.prototype.push = null } catch (e) { return e.name }`, `"TypeError"`, false},
		{`try { Object.prototype.x = 1 } catch (e) { return [e.name, 'x' in {}] }`, `["TypeError",false]`, false},
		{`class A { toString() { return 'a' } } let o = { valueOf() { return 7 } }; return [String(new A()), o * 1, [3, 1, 2].sort().join(), 'abc'.replace(/b/g, 'x'), [...'ab'].map(c => c.toUpperCase())]`, `["a",7,"1,2,3","axc",["A","B"]]`, false},
		{`class E extends Error { constructor(m) { super(m); this.name = 'E' } } try { throw new E('m') } catch (e) { return [e.name, e.message, e instanceof E, typeof e.stack] }`, `["E","m",true,"string"]`, false},
		{`let o = {}; o.toString = () => 'own'; let e = new Error('m'); e.name = 'N'; e.message = 'changed'; return [String(o), String(e), Error.prototype.name]`, `["own","N: changed","Error"]`, false},
		{`'use strict'; try { Object.prototype.toString = 1 } catch (e) { return e.name }`, `"TypeError"`, false},
		{`globalThis.x = 1; return x`, `1`, false},
		{`let s = 0; for await (const x of (async function* () { yield 1; yield 2 })()) s += x; return s`, `3`, false},
	} {
		onTiers(t, func(*testing.T) pinfold.Options {
			o := pinfold.Options{Hardened: true}
			if tt.fixed {
				o.FixedTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			}
			return o
		}, func(t *testing.T, s *pinfold.Sandbox) {
			if got, _ := run(t, s, context.Background(), tt.source); got != tt.want {
				t.Errorf("%s\ngives %s\nwant  %s", tt.source, got, tt.want)
			}
		})
	}
}

func TestCompletion(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{`const x = 1; x + 1`, `2`},
		{`let s = 0; for (const x of [1, 2]) s += x`, `3`},
		{`await null; if (true) { 'yes' } else { 'no' }`, `"yes"`},
		{`return 5; 6`, `5`},
		{`const x = 1`, `{"$js":"undefined"}`},
		{`({a: 1})`, `{"a":1}`},
		{`function f() { 1 } f()`, `{"$js":"undefined"}`},
		{`export default 7`, `7`},
	} {
		onTiers(t, func(*testing.T) pinfold.Options { return pinfold.Options{Completion: true} }, func(t *testing.T, s *pinfold.Sandbox) {
			if got, _ := run(t, s, context.Background(), tt.source); got != tt.want {
				t.Errorf("%s gives %s, want %s", tt.source, got, tt.want)
			}
			p, err := s.Compile("kept.js", tt.source)
			if err != nil {
				t.Fatal(err)
			}
			if o := s.Run(context.Background(), p, nil); o.Value.String() != tt.want {
				t.Errorf("%s, compiled before, gives %s %v, want %s", tt.source, o.Value, o.Failure, tt.want)
			}
		})
	}
}

func TestDropOutput(t *testing.T) {
	for _, tt := range []struct {
		source  string
		lines   []string
		dropped bool
	}{
		{`console.log('a'); console.log('b')`, []string{"a", "b"}, false},
		{`for (let i = 0; i < 100000; i++) console.log(i); return 1`, []string{"0", "1", "2", "3", "4"}, true},
		{`console.log('é'.repeat(100)); console.log('next')`, []string{strings.Repeat("é", 11) + "… [cut]", "next"}, false},
		{`console.log('x'.repeat(5000)); console.log('after')`, []string{strings.Repeat("x", 23) + "… [cut]", "after"}, false},
		{`console.log([Array(3000).fill('long enough')], 1); console.log('after')`, []string{"<an array> <the number … [cut]", "after"}, false},
		{`console.log({a: Array(200).fill(123456)}); console.log('after')`, []string{"{\n  a: [\n    123456, 12… [cut]", "after"}, false},
	} {
		onTiers(t, func(*testing.T) pinfold.Options {
			return pinfold.Options{DropOutput: true, Limits: pinfold.Limits{OutputLines: 5, OutputBytes: 4000, OutputLineBytes: 32, Fuel: 50_000_000}}
		}, func(t *testing.T, s *pinfold.Sandbox) {
			_, o := run(t, s, context.Background(), tt.source)
			if o.Failure != nil {
				t.Fatalf("%s: %v", tt.source, o.Failure)
			}
			var got []string
			for _, l := range o.Console {
				got = append(got, l.Text)
			}
			if strings.Join(got[:min(len(got), len(tt.lines))], "|") != strings.Join(tt.lines, "|") || o.Dropped != tt.dropped {
				t.Errorf("%s gives %q, dropped %v; want %q, %v", tt.source, got, o.Dropped, tt.lines, tt.dropped)
			}
		})
	}
	if _, err := pinfold.New(pinfold.Options{Limits: pinfold.Limits{OutputLineBytes: 5}}); err == nil {
		t.Error("OutputLineBytes of 5 was taken")
	}
}

func TestRefused(t *testing.T) {
	onTiers(t, func(*testing.T) pinfold.Options {
		return pinfold.Options{
			Quotas:  map[string]pinfold.Quota{"x": {Calls: 1}},
			Refused: func(e *pinfold.Error) { e.Message = "no: " + e.Code; e.Code = "E_OWN" },
			Functions: []pinfold.Function{
				{Name: "f", Capability: "x", Func: func() {}},
				{Name: "slow", Async: true, Cancel: pinfold.Cooperative, Timeout: time.Millisecond, Func: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
			},
		}
	}, func(t *testing.T, s *pinfold.Sandbox) {
		got, _ := run(t, s, context.Background(), `f(); let out = []; try { f() } catch (e) { out.push(e.message, e.code) } await slow().catch(e => out.push(e.message, e.code)); return out`)
		if got != `["no: E_QUOTA","E_OWN","no: E_TIMEOUT","E_OWN"]` {
			t.Error(got)
		}
	})
}

func TestPartialResults(t *testing.T) {
	for _, tt := range []struct{ source, want, paths string }{
		{`return {a: 1, f() {}}`, `{"a":1,"f":{"$js":"opaque","type":"function","name":"f"}}`, "[result.f]"},
		{`return {toJSON() { return 1 }, b: 2}`, `{"toJSON":{"$js":"opaque","type":"function","name":"toJSON"},"b":2}`, "[result.toJSON]"},
		{`return [[[[1]]]]`, `[[[{"$js":"cut","reason":"depth"}]]]`, "[result[0][0][0]]"},
		{`return 1`, `1`, ""},
		{`throw {code: 7, f: Symbol()}`, `{"code":7,"f":{"$js":"opaque","type":"symbol"}}`, "[thrown.f]"},
	} {
		onTiers(t, func(*testing.T) pinfold.Options {
			return pinfold.Options{PartialResults: true, Limits: pinfold.Limits{ResultDepth: 3}}
		}, func(t *testing.T, s *pinfold.Sandbox) {
			_, o := run(t, s, context.Background(), tt.source)
			v := o.Value
			if o.Failure != nil {
				v = o.Failure.Thrown
			}
			paths := ""
			if o.Partial != nil {
				paths = fmt.Sprint(o.Partial.Paths)
			}
			if v.String() != tt.want || paths != tt.paths {
				t.Errorf("%s gives %s lacking %s, want %s lacking %s", tt.source, v, paths, tt.want, tt.paths)
			}
		})
	}
}
