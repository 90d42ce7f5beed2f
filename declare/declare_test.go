package declare_test

import (
	"context"
	"encoding/json"
	"flag"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/declare"
	"github.com/pinfold-js/pinfold/js/syntax"
)

var update = flag.Bool("update", false, "write the golden files")

type order struct {
	ID    string    `json:"id"`
	Total float64   `json:"total"`
	Made  time.Time `json:"made"`
	Note  *string   `json:"note,omitempty"`
	Lines []line    `json:"lines"`
	skip  int
}

type line struct {
	Article string            `json:"article"`
	Tags    map[string]string `json:"tags,omitempty"`
	Of      *order            `json:"of"`
}

func options() (pinfold.Options, declare.Options) {
	return pinfold.Options{
			Grants: &pinfold.Grants{}, Timers: true,
			Functions: []pinfold.Function{
				{Name: "now", Func: func() time.Time { return time.Time{} }, Doc: "The time. */ It ends."},
				{Name: "orders.find", Func: func(context.Context, string, *order) (order, error) { return order{skip: 1}, nil }, Async: true, Cancel: pinfold.Cooperative},
				{Name: "orders.all", Func: func(context.Context) (iter.Seq[line], error) { return nil, nil }, Async: true, Cancel: pinfold.Cooperative},
				{Name: "orders.sum", Func: func(...float64) float64 { return 0 }},
				{Name: "orders.save", Func: func([]byte, any) {}, Declaration: "(bytes: Uint8Array, how?: SaveOptions) => Receipt"},
				{Name: "pick", Func: func(any) any { return nil }, Declaration: "<T>(list: T[]) => T | undefined"},
				{Name: "wrong", Func: func(a, b int) (bool, error) { return false, nil }, Declaration: "(a: => number"},
				{Name: "ask", Deferred: true},
			},
		}, declare.Options{
			All: true, Types: "interface Receipt { id: string }",
			Tools: []declare.Tool{
				{Name: "convert-units", Description: "Converts units.", Input: json.RawMessage(`{"type":"object","properties":{"from":{"type":"string"},"value":{"type":"number"}},"required":["from","value"]}`),
					Output: json.RawMessage(`{"type":"number"}`)},
				{Name: "convert_units", Description: "Converts others."},
			},
		}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test ./declare -update writes it):\n%s", file, got)
	}
}

// TestGolden: the bytes are the same each time, parse, and differ for what is
// granted.
func TestGolden(t *testing.T) {
	for range 3 {
		o, d := options()
		s, err := pinfold.New(o)
		if err != nil {
			t.Fatal(err)
		}
		file, err := declare.File(s, d)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "all.d.ts", file)
		if _, err := syntax.Parse("all.d.ts", file, syntax.Options{TypeScript: true}); err != nil {
			t.Error(err)
		}
		compact, err := declare.Compact(s, d)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "all.txt", compact)
	}
	s, err := pinfold.New(pinfold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := declare.File(s, declare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file, "ctx") || strings.Contains(file, "FetchResponse") || strings.Contains(file, "setTimeout") {
		t.Errorf("without grants:\n%s", file)
	}
}

func TestErrors(t *testing.T) {
	s, err := pinfold.New(pinfold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		opt  declare.Options
		want string
	}{
		{declare.Options{Types: "interface {"}, "declare: Types: SyntaxError"},
		{declare.Options{Tools: []declare.Tool{{Name: "a", Input: json.RawMessage(`{"type":"thing"}`)}}}, "declare: the tool a: its input: "},
	} {
		if _, err := declare.File(s, x.opt); err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
}

// TestTypeScript: typescript takes the file, finds nothing wrong in a program
// that fits it, and finds what doesn't fit.
func TestTypeScript(t *testing.T) {
	dir := os.Getenv("PINFOLD_TYPESCRIPT_DIR")
	node, err := exec.LookPath("node")
	if dir == "" || err != nil {
		t.Skip("set PINFOLD_TYPESCRIPT_DIR to the folder of npm's package typescript, and have node, to compare with it")
	}
	work := t.TempDir()
	declarations, err := os.ReadFile(filepath.Join("testdata", "all.d.ts"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"all.d.ts": string(declarations),
		"good.ts": `export {};
const r = await ctx.fetch("https://a.example/", { method: "POST", body: { a: 1 } });
const rows: { n: number }[] = r.ok ? await r.json() : [];
const text: string = await ctx.readFile("a") + r.headers.get("etag");
const bytes: Uint8Array = await ctx.readFile("a", { encoding: "bytes" });
const names = (await ctx.listFiles("/")).entries.map(e => e.name + e.kind);
for await (const c of await ctx.llmStream("hi")) console.log(c.text, c.done?.usage.input_tokens);
const n: number = await ctx.callTool("convert-units", { from: "km", value: 1 });
const o = await orders.find("a");
const total: number = o.total + o.lines.length + o.made.getTime() + orders.sum(1, 2);
const one: string | undefined = pick(names);
ctx.log("x", { n, total, one, rows, text, bytes, id: orders.save(bytes).id });
const same = (await fetch(new URL("https://a.example").href)).status;
const left: number = ctx.remainingMs() + ctx.capabilities.length + same + setTimeout(() => {}, 1);
`,
		"bad.ts": `export {};
const a: number = await ctx.readFile("a");
ctx.fetch(1);
await ctx.callTool("convert-units", { from: 1 });
orders.find();
ctx.nothing;
`,
	} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tsc := func(files ...string) string {
		args := append([]string{filepath.Join(dir, "bin", "tsc"), "--noEmit", "--strict", "--target", "esnext", "--module", "esnext", "--lib", "esnext", "--pretty", "false"}, files...)
		cmd := exec.Command(node, args...)
		cmd.Dir = work
		out, _ := cmd.CombinedOutput() // it fails where there are errors, which are in the output
		return string(out)
	}
	if out := tsc("all.d.ts", "good.ts"); out != "" {
		t.Errorf("good.ts:\n%s", out)
	}
	out := tsc("all.d.ts", "bad.ts")
	for _, at := range []string{"bad.ts(2,", "bad.ts(3,", "bad.ts(4,", "bad.ts(5,", "bad.ts(6,"} {
		if !strings.Contains(out, at) {
			t.Errorf("no error at %s:\n%s", at, out)
		}
	}
}
