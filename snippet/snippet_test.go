package snippet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/snippet"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	goleak.VerifyTestMain(m)
}

func newTool(t testing.TB, cfg snippet.Config) *snippet.Tool {
	t.Helper()
	x, err := snippet.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func arguments(code string, input any) json.RawMessage {
	m := map[string]any{"code": code}
	if input != nil {
		m["input"] = input
	}
	b, _ := json.Marshal(m)
	return b
}

// TestResults has the texts that the specification of run_javascript gives.
func TestResults(t *testing.T) {
	for _, tier := range []pinfold.Isolation{pinfold.InProcess, pinfold.Process} {
		t.Run(tier.String(), func(t *testing.T) {
			x := newTool(t, snippet.Config{Options: pinfold.Options{Isolation: tier, Limits: pinfold.Limits{Timeout: 5 * time.Second, Fuel: 3_000_000}}})
			for _, tt := range []struct {
				code  string
				input any
				want  string
				fails bool
			}{
				{`return 1 + 1`, nil, "=> 2", false},
				{`return undefined`, nil, "(no output)", false},
				{`1 + 1`, nil, "=> 2", false}, // a text that is one expression has its value
				{`let x = 1;`, nil, "(no output)", false},
				{`console.log('a', {b: [1]}); console.warn('careful'); console.error('bad'); console.info('i'); console.debug('d')`, nil, "a { b: [ 1 ] }\nwarn: careful\nerror: bad\ni\nd", false},
				{`console.log('x'); return {a: 1}`, nil, "x\n=> {\"a\":1}", false},
				{`return input.rows.length`, map[string]any{"rows": []int{1, 2}}, "=> 2", false},
				{`input.rows.push(3); return input`, map[string]any{"rows": []int{1}}, `=> {"rows":[1,3]}`, false},
				{`const n: number = 3; interface A { b: string }; return n as number`, nil, "=> 3", false},
				{`return await Promise.resolve('later')`, nil, `=> "later"`, false},
				{`return Array.from({length: 50}, (_, i) => i)`, nil, "=> [\n  0,\n  1,", false},
				{`console.log('before'); null.x`, nil, "before\nError: TypeError: Cannot read properties of null (reading 'x')\n --> code:1:29", true},
				{`return 1 +`, nil, "Error: SyntaxError: ", true},
				{`while (true) {}`, nil, "Error: ", true},
				{`throw 'text'`, nil, "Error: ", true},
				{`return () => 1`, nil, "Error: ", true},
				{`return ctx.readFile('x').catch(e => e.message)`, nil, `=> "ctx.readFile is not available: fileRead was not granted"`, false},
				{`return typeof setTimeout + typeof process + typeof require`, nil, `=> "undefinedundefinedundefined"`, false},
			} {
				r := x.Call(context.Background(), arguments(tt.code, tt.input))
				if !strings.HasPrefix(r.Text, tt.want) || r.IsError != tt.fails {
					t.Errorf("%s\ngives %q (error: %v)\nwant  %q", tt.code, r.Text, r.IsError, tt.want)
				}
			}
		})
	}
}

func TestArguments(t *testing.T) {
	x := newTool(t, snippet.Config{})
	for _, tt := range []struct{ arguments, want string }{
		{``, "Error: the arguments must be an object"},
		{`null`, "Error: the arguments must be an object"},
		{`[]`, "Error: the arguments must be an object"},
		{`{}`, "Error: the argument code is missing"},
		{`{"code": 1}`, "Error: the argument code must be a string"},
		{`{"code": "return 1", "timeout": 1}`, `Error: there is no argument "timeout": use code and input`},
		{`{"code": "return input === null", "input": null}`, "=> true"},
		{`{"code": "return input"}`, "(no output)"},
	} {
		if r := x.Call(nil, json.RawMessage(tt.arguments)); !strings.HasPrefix(r.Text, tt.want) { //nolint: a nil context is allowed
			t.Errorf("%s gives %q, want %q", tt.arguments, r.Text, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	x := newTool(t, snippet.Config{MaxChars: 300})
	r := x.Call(context.Background(), arguments(`return 'é'.repeat(1000)`, nil))
	if want := "=> \"" + strings.Repeat("é", 196) + "\n… [705 characters left out] …\n" + strings.Repeat("é", 99) + `"`; r.Text != want {
		t.Errorf("%q\nwant %q", r.Text, want)
	}
	if _, err := snippet.New(snippet.Config{MaxChars: 10}); err == nil {
		t.Error("MaxChars of 10 was taken")
	}
	if s := snippet.Cut("short", 300); s != "short" {
		t.Error(s)
	}
}

// TestState looks that nothing of a call is seen by the next one: the first row of
// the acceptance list.
func TestState(t *testing.T) {
	x := newTool(t, snippet.Config{})
	x.Call(context.Background(), arguments(`globalThis.leak = 1; Array.prototype.leak = 2; Object.prototype.leak = 3; new Promise(() => {}); return 1`, nil))
	r := x.Call(context.Background(), arguments(`return [typeof leak, [].leak, ({}).leak]`, nil))
	if r.Text != `=> ["undefined",null,null]` {
		t.Error(r.Text)
	}
}

// TestFiles looks that what the caller has not been granted can't be used.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	fs, err := files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"**"}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = fs.Close() }()
	x := newTool(t, snippet.Config{Options: pinfold.Options{Grants: &pinfold.Grants{Files: fs}}})
	read := arguments(`return ctx.readFile('a.txt')`, nil)
	if r := x.Call(context.Background(), read); r.Text != `=> "hello"` {
		t.Error(r.Text)
	}
	ctx := pinfold.WithCaller(context.Background(), pinfold.Caller{Capabilities: []string{}})
	if r := x.Call(ctx, read); !strings.Contains(r.Text, "ctx.readFile is not available: the caller was not granted fileRead") {
		t.Error(r.Text)
	}
	d := x.Definition()
	if !strings.Contains(d.Description, "ctx.readFile(path: string") || strings.Contains(d.Description, "ctx.fetch") {
		t.Error(d.Description)
	}
}

// TestFlood has many calls at once from one caller: the limiter lets no more in
// than it may, and all end.
func TestFlood(t *testing.T) {
	l, err := limiter.New(limiter.Config{})
	if err != nil {
		t.Fatal(err)
	}
	x := newTool(t, snippet.Config{Options: pinfold.Options{Limiter: l, Admission: limiter.Request{Caller: limiter.NewCaller("root")}}})
	var wg sync.WaitGroup
	got := make([]string, 100)
	for i := range got {
		wg.Go(func() {
			got[i] = x.Call(context.Background(), arguments(fmt.Sprintf("let s = 0; for (let i = 0; i < 1000; i++) s += i; return s + %d", i), nil)).Text
		})
	}
	wg.Wait()
	for i, s := range got {
		if want := fmt.Sprintf("=> %d", 499500+i); s != want {
			t.Errorf("%d: %s", i, s)
		}
	}
	if st := l.Stats(); st.ActiveRuns != 0 {
		t.Errorf("%+v", st)
	}
}

func BenchmarkCall(b *testing.B) {
	x := newTool(b, snippet.Config{})
	args := arguments("return 1 + 1", nil)
	for b.Loop() {
		if r := x.Call(context.Background(), args); r.IsError {
			b.Fatal(r.Text)
		}
	}
}

func ExampleTool() {
	x, err := snippet.New(snippet.Config{})
	if err != nil {
		panic(err)
	}
	r := x.Call(context.Background(), json.RawMessage(`{"code": "console.log(input.length); return input.filter(x => x > 1)", "input": [1, 2, 3]}`))
	fmt.Println(r.Text)
	// Output:
	// 3
	// => [2,3]
}

func BenchmarkAwaitedHostCalls(b *testing.B) {
	x := newTool(b, snippet.Config{Options: pinfold.Options{Functions: []pinfold.Function{
		{Name: "ask", Async: true, Cancel: pinfold.Cooperative, Func: func(_ context.Context, n int64) (int64, error) { return n + 1, nil }},
	}}})
	args := arguments("let s = 0; for (let i = 0; i < 100; i++) s += await ask(i); return s", nil)
	for b.Loop() {
		if r := x.Call(context.Background(), args); r.IsError {
			b.Fatal(r.Text)
		}
	}
}
