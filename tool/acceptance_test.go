package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/tool"
)

// sinkFunc is a function as a log.Sink.
type sinkFunc func(log.Record)

func (f sinkFunc) Write(_ context.Context, r log.Record) error { f(r); return nil }

// The acceptance list of the runtime's specification, as far as it is about
// tools. The numbers are the list's.

// coded is a tool whose argument is its code.
const coded = `export const tool = { description: 'x', inputSchema: { type: 'object', properties: { code: { type: 'string' } } }, requires: REQUIRES };
export const invoke = (inputs, ctx) => new (async () => {}).constructor('inputs', 'ctx', inputs.code)(inputs, ctx);`

func codedTool(t testing.TB, requires string, opt pinfold.Options) func(code string) *tool.Result {
	t.Helper()
	f := load(t, tool.Source{Text: strings.Replace(coded, "REQUIRES", requires, 1)}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
	return func(code string) *tool.Result {
		args, _ := json.Marshal(map[string]string{"code": code})
		return f.Call(t.Context(), args)
	}
}

func TestAcceptance1State(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits.Timeout = 20 * time.Second
		call := codedTool(t, "[]", opt)
		for range 3 {
			r := call(`const seen = [typeof globalThis.left, typeof [].patched, typeof Object.prototype.deep, Symbol.for('s') in globalThis, Math.max(1, 2), RegExp.$1];
				globalThis.left = 1; Array.prototype.patched = 1; Object.prototype.deep = 1; globalThis[Symbol.for('s')] = 1; Math.max = () => 7; /(x)/.exec('x');
				new Promise(() => {}); Promise.resolve().then(() => new Promise(() => {}));
				return JSON.stringify(seen)`)
			if want := `["undefined","undefined","undefined",false,2,""]`; r.Text != want {
				t.Errorf("%s\nwant %s", r.Text, want)
			}
		}
	})
}

func TestAcceptance2Endless(t *testing.T) {
	const limit = 100 * time.Millisecond
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits = pinfold.Limits{Timeout: 2 * limit, Fuel: 3_000_000}
		opt.NoExplain = true
		call := codedTool(t, "[]", opt)
		for name, code := range map[string]string{
			"body": "while (true) {}", "finally": "try { throw 1 } finally { while (true) {} }", "getter": "return { get x() { for (;;); } }.x",
			"toString": "return `${{ toString() { for (;;); } }}`", "comparator": "return [3, 2, 1].sort(() => { for (;;); })",
			"regexp": "return /(a+)+$/.test('a'.repeat(40) + 'b')", "caught": "for (;;) try { for (;;); } catch {} finally { continue }",
			"in promises": "const again = () => Promise.resolve().then(again); await again()", "toJSON": "return { toJSON() { for (;;); } }",
		} {
			r := call(code)
			if err := r.Outcome.Err(); !r.IsError || !errors.Is(err, pinfold.ErrTime) && !errors.Is(err, pinfold.ErrFuel) || !strings.HasPrefix(r.Text, "Error: ") {
				t.Errorf("%s: %q %v", name, r.Text, err)
			}
		}
		for name, source := range map[string]string{
			"top level": "while (true) {}", "a getter of the description": "export const tool = { get description() { for (;;); } };", "top-level await": "const again = () => Promise.resolve().then(again); await again();",
			"an imported file": "import './loop.js';",
		} {
			_, err := tool.Source{File: "t.js", Text: source + "\nexport const invoke = () => 1", Modules: map[string]string{"loop.js": "for (;;);"}}.Load(tool.Config{Options: opt, LoadTimeout: 2 * limit})
			if !errors.Is(err, tool.BadTopLevel) && !errors.Is(err, tool.BadValue) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestAcceptance3Bombs(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits = pinfold.Limits{MemoryBytes: 8 << 20, Fuel: 8_000_000, Timeout: 20 * time.Second}
		opt.NoExplain = true
		call := codedTool(t, "[]", opt)
		for name, code := range map[string]string{
			"array": "let a = []; for (;;) a.push(a.length)", "string": "let s = 'x'; for (;;) s += s", "buffer": "return new ArrayBuffer(2 ** 32)", "map": "let m = new Map(); for (let i = 0;; i++) m.set(i, {})",
			"symbols": "for (let i = 0;; i++) Symbol.for('s' + i)", "promises": "for (;;) Promise.resolve().then(() => 1)", "join": "return Array(2 ** 28).join('x')", "json": "let o = []; for (let i = 0; i < 30; i++) o = [o, o]; return JSON.stringify(o)",
		} {
			r := call(code)
			err := r.Outcome.Err()
			if !r.IsError || !errors.Is(err, pinfold.ErrMemory) && !errors.Is(err, pinfold.ErrFuel) && !strings.Contains(r.Text, "RangeError") {
				t.Errorf("%s: %q %v", name, r.Text, err)
			}
		}
	})
}

// slowly answers each request after a while, and counts those that got through.
type slowly struct{ began, landed atomic.Int64 }

func (s *slowly) RoundTrip(req *http.Request) (*http.Response, error) {
	s.began.Add(1)
	select {
	case <-req.Context().Done():
		return nil, req.Context().Err()
	case <-time.After(20 * time.Millisecond):
	}
	s.landed.Add(1)
	return &http.Response{Status: "200 OK", StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: req}, nil
}

func TestAcceptance4Unawaited(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		dir := t.TempDir()
		fs, err := files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"**"}, Write: []string{"**"}}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = fs.Close() })
		net := &slowly{}
		client, err := egress.New(egress.Policy{Allow: []egress.Rule{{Hosts: []string{"api.example.com"}, Methods: []string{"GET", "POST"}}}, Transport: net})
		if err != nil {
			t.Fatal(err)
		}
		opt.Grants = &pinfold.Grants{Files: fs, Network: client}
		opt.Limits.Timeout = 20 * time.Second
		call := codedTool(t, "['fileWrite', 'network']", opt)
		state := func() string {
			list, _ := filepath.Glob(filepath.Join(dir, "*"))
			var b strings.Builder
			for _, p := range list {
				text, _ := os.ReadFile(p)
				fmt.Fprintln(&b, filepath.Base(p), len(text))
			}
			return fmt.Sprint(b.String(), net.began.Load(), net.landed.Load())
		}
		for i, end := range []string{"return 'done'", "throw new Error('thrown')", "null.x"} {
			r := call(fmt.Sprintf(`for (let i = 0; i < 4; i++) { ctx.writeFile('f%d-' + i + '.txt', 'x'.repeat(100000)); ctx.fetch('https://api.example.com/' + i, {method: 'POST', body: 'x'}) }
				Promise.resolve().then(function later() { ctx.writeFile('later.txt', 'x'); return Promise.resolve().then(later) }); %s`, i, end))
			at := state()
			time.Sleep(60 * time.Millisecond)
			if later := state(); later != at {
				t.Errorf("%s: after %q it was %s, and later %s", end, r.Text, at, later)
			}
		}
	})
}

func TestAcceptance5LogAfterTheEnd(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		var mu sync.Mutex
		over, late := false, 0
		opt.Grants = &pinfold.Grants{Log: sinkFunc(func(r log.Record) {
			mu.Lock()
			defer mu.Unlock()
			if over {
				late++
			}
		})}
		opt.Limits.Timeout = 20 * time.Second
		call := codedTool(t, "[]", opt)
		for range 3 {
			mu.Lock()
			over = false
			mu.Unlock()
			r := call(`for (let i = 0; i < 10000; i++) Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => {}).then(() => {}).then(() => ctx.log('late')).catch(() => {}); return 'done'`)
			mu.Lock()
			over = true
			mu.Unlock()
			if r.Text != "done" && !errors.Is(r.Outcome.Err(), pinfold.ErrHostCalls) {
				t.Errorf("%q", r.Text)
			}
			time.Sleep(20 * time.Millisecond)
		}
		if late > 0 {
			t.Errorf("%d records came after the end", late)
		}
	})
}

func TestAcceptance10LongMessages(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits.Timeout = 20 * time.Second
		call := codedTool(t, "[]", opt)
		for _, code := range []string{"throw 'x'.repeat(5e6)", "throw new Error('x'.repeat(5e6))", "throw new Error('\\u{1F600}'.repeat(1e6))"} {
			r := call(code)
			m := r.Outcome.Failure.Message
			if n := utf8.RuneCountInString(m); !r.IsError || n > 10_240 || utf8.RuneCountInString(r.Text) > 10_240+len("Error: ") || !strings.Contains(m, "more characters left out]") && !strings.Contains(m, "…") || !utf8.ValidString(m) {
				t.Errorf("%s: %d characters, ends %q", code, n, m[max(len(m)-80, 0):])
			}
		}
	})
}

func TestAcceptance11Results(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits.Timeout = 20 * time.Second
		call := codedTool(t, "[]", opt)
		for code, want := range map[string]string{
			"let x = 1; for (let i = 0; i < 65; i++) x = [x]; return x": "the depth passes the limit of 64", "return {a: [1, 2n]}": "result.a[1]", "return {a: {f() {}}}": "result.a.f",
			"let o = {}; o.self = {o}; return o": "result.self.o", "return [Symbol('s')]": "result[0]", "return 'x'.repeat(5e6)": "bytes",
			"return new Map([[1, 2]])": "a Map", "return {s: new Set()}": "result.s", "return new Uint8Array(3)": "binary",
		} {
			r := call(code)
			if !r.IsError || !errors.Is(r.Outcome.Err(), pinfold.ErrResult) || !strings.Contains(r.Text, want) || !r.Value.IsUndefined() {
				t.Errorf("%s: %q, want %q in it", code, r.Text, want)
			}
		}
		if r := call("let x = 1; for (let i = 0; i < 60; i++) x = [x]; return x"); r.IsError {
			t.Errorf("%q", r.Text)
		}
	})
}

func TestAcceptance12Reproducible(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Deterministic, opt.Seed, opt.FixedTime = true, 42, time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		opt.Limits.Timeout = 20 * time.Second
		call := codedTool(t, "[]", opt)
		const code = "return [Math.random(), Math.random(), Date.now(), new Date().toString(), [...new Set([3, 1, 2])], Object.keys({b: 1, a: 2, 1: 3})]"
		first := call(code).Text
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 25 {
					if got := call(code); got.Text != first && !errors.Is(got.Outcome.Err(), pinfold.ErrBusy) {
						t.Errorf("%s\nwas   %s", got.Text, first)
					}
				}
			})
		}
		wg.Wait()
		if !strings.Contains(first, "1777636800000") {
			t.Error(first)
		}
	})
}

// TestAcceptance13TypeScript has the constructs that can't be erased, with the
// places where they stand, and that erased ones leave places as they are.
func TestAcceptance13TypeScript(t *testing.T) {
	const rest = "\nexport const invoke = () => 1; export const tool = { description: 'x' };\n"
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.RefuseNonErasable = true
		for _, tt := range []struct {
			source, place, hint string
		}{
			{"\n  enum E { A, B }", "t.ts:2:3", "const E = {A: 0, B: 1} as const"},
			{"const enum E { A }", "t.ts:1:1", "as const"},
			{"namespace N { export const x = 1 }", "t.ts:1:1", "const N = {x: 1}"},
			{"class C {\n  constructor(private x: number) {} }", "t.ts:2:15", "this.x = x"},
			{"let f = (x: number) => x;\nexport = f", "t.ts:2:1", ""},
			{"import x = require('m')", "t.ts:1:1", ""},
			{"const d: any = 0; class C { m(@d x: number) {} }", "t.ts:1:31", ""},
		} {
			_, err := tool.Source{File: "t.ts", Text: tt.source + rest}.Load(tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
			var e *tool.LoadError
			if !errors.As(err, &e) || e.Code != tool.BadSyntax || fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column) != tt.place || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("%q: %v, want %s", tt.source, err, tt.place)
			}
		}
		f := load(t, tool.Source{File: "t.ts", Text: "interface In { a?: { b: string } }\ntype X<T> = T[];\nexport const tool = { description: 'x', inputSchema: { type: 'object' } } as const;\nexport async function invoke<T extends In>(inputs: T,\n    ctx?: unknown): Promise<string> {\n  const list: X<string> = [] satisfies string[];\n  return (inputs as In).a!.b; }"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		r := f.Call(t.Context(), nil)
		if !strings.Contains(r.Text, "Cannot read properties of undefined (reading 'b')") || !strings.Contains(r.Text, "t.ts:7:28") {
			t.Errorf("%s", r.Text)
		}
	})
}

func TestAcceptance14Replay(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		var calls atomic.Int64
		opt.Functions = []pinfold.Function{
			{Name: "now", Func: func() int { return int(calls.Add(1)) }},
			{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func() map[string]any { calls.Add(1); return map[string]any{"usr": 1} }},
		}
		opt.Limits.Timeout = 20 * time.Second
		f := load(t, tool.Source{Text: "export const tool = { description: 'x' };\nexport async function invoke() {\n  now();\n  const r = await later();\n  return r.user.email;\n}"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		r := f.Call(t.Context(), nil)
		if n := calls.Load(); n != 2 {
			t.Errorf("the functions were called %d times", n)
		}
		if want := "Error: TypeError: Cannot read properties of undefined (reading 'email')\n --> t.js:5:17\n"; !strings.HasPrefix(r.Text, want) || !strings.Contains(r.Text, "usr") {
			t.Errorf("%s\nwant %s", r.Text, want)
		}
	})
}
