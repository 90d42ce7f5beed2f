package tool_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/tool"
)

// folder writes files into a new folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTest runs cases that pass, and says of others what is wrong.
func TestTest(t *testing.T) {
	const source = `export const tool = { description: 'x', inputSchema: { type: 'object' }, requires: ['fileRead', 'fileWrite', 'network', 'store', 'llm', 'tool'] };
export const invoke = (inputs, ctx) => new (async () => {}).constructor('inputs', 'ctx', inputs.code)(inputs, ctx);`
	for _, tt := range []struct {
		name, yaml string
		want       string // the problems, "" if the case passes
	}{
		{"output", "input: {code: 'return {b: 1, a: [1.0, null]}'}\n    output: {a: [1, null], b: 1}", ""},
		{"other output", "input: {code: 'return {a: [1, {b: 2}]}'}\n    output: {a: [1, {b: 3}]}", "a[1].b is 2, want 3"},
		{"a key that is missing", "input: {code: 'return {a: 1}'}\n    output: {a: 1, b: 2}", `the value has no key "b", want 2`},
		{"a key too many", "input: {code: 'return {a: 1, b: 2}'}\n    output: {a: 1}", `the value has the key "b", which is not wanted: it is 2`},
		{"a shorter list", "input: {code: 'return [1]'}\n    output: [1, 2]", "the value has 1 elements, want 2"},
		{"nothing", "input: {code: 'return'}\n    output: 1", "it returns nothing, want 1"},
		{"text", "input: {code: 'return \"x\"'}\n    text: y", `the text is "x", want "y"`},
		{"parts", "input: {code: 'return \"xyz\"'}\n    contains: [x, a]", `the text is "xyz", want "a" in it`},
		{"an error", "input: {code: 'throw new Error(\"no\")'}\n    error: 'no'", ""},
		{"any error", "input: {code: 'throw new Error(\"no\")'}\n    error: true", ""},
		{"another error", "input: {code: 'throw new Error(\"no\")'}\n    error: 'yes'", `the error is "Error: no`},
		{"no error", "input: {code: 'return 1'}\n    error: true", `it gives "1", want an error`},
		{"an error that isn't wanted", "input: {code: 'null.x'}\n    output: 1", "it fails: Error: TypeError: Cannot read properties of null"},
		{"files", "files: {a/b.txt: hello, c.bin: {base64: /wA=}, d.json: {json: {x: [1]}}}\n    input: {code: 'return [await ctx.readFile(\"a/b.txt\"), [...await ctx.readFile(\"c.bin\", {encoding: \"bytes\"})], JSON.parse(await ctx.readFile(\"d.json\"))]'}\n    output: [hello, [255, 0], {x: [1]}]", ""},
		{"files for all", "files: {a.txt: own}\n    input: {code: 'return await ctx.readFile(\"a.txt\") + await ctx.readFile(\"all.txt\")'}\n    text: ownall", ""},
		{"writes", "input: {code: 'await ctx.writeFile(\"out.txt\", \"x\"); await ctx.writeFile(\"out.json\", \"{\\\"a\\\": 1}\")'}\n    writes: {out.txt: x, out.json: {a: 1}, none.txt: null}", ""},
		{"other writes", "input: {code: 'await ctx.writeFile(\"out.txt\", \"x\")'}\n    writes: {out.txt: y, out2.txt: z, all.txt: null}", `the file "out.txt" has "x", want "y"; the file "out2.txt" was not written; the file "all.txt" is there, want none`},
		{"fetch", "fetch: [{url: 'https://api.example.com/*', method: post, sends: {n: 1}, status: 201, headers: {x-y: 1}, json: {ok: true}}]\n    input: {code: 'const r = await ctx.fetch(\"https://api.example.com/a\", {method: \"POST\", body: {n: 1}}); return [r.status, r.headers[\"x-y\"], await r.json()]'}\n    output: [201, '1', {ok: true}]", ""},
		{"fetch something else", "fetch: [{url: 'https://api.example.com/a'}]\n    input: {code: 'return ctx.fetch(\"https://api.example.com/b\").catch(() => 1)'}\n    output: 1", "there is no answer to GET https://api.example.com/b; nothing was requested for the answer to https://api.example.com/a"},
		{"fetch elsewhere", "fetch: [{url: 'https://api.example.com/a', optional: true}]\n    input: {code: 'return ctx.fetch(\"https://evil.example/\").catch(e => e.message)'}\n    text: 'ctx.fetch: host not allowed: evil.example'", ""},
		{"a redirect", "fetch: [{url: 'https://api.example.com/a', status: 302, headers: {location: /b}}, {url: 'https://api.example.com/b', body: there}]\n    input: {code: 'const r = await ctx.fetch(\"https://api.example.com/a\"); return [r.redirected, await r.text()]'}\n    output: [true, there]", ""},
		{"no connection", "fetch: [{url: 'https://api.example.com/a', error: down}]\n    input: {code: 'return ctx.fetch(\"https://api.example.com/a\").catch(e => e.code)'}\n    text: E_FETCH_CONNECTION_FAILED", ""},
		{"store", "store: {a: 1}\n    input: {code: 'await ctx.store.set(\"b\", await ctx.store.get(\"a\") + await ctx.store.get(\"all\"))'}\n    stored: {a: 1, b: 10}", ""},
		{"another store", "input: {code: 'await ctx.store.set(\"a\", [1])'}\n    stored: {a: [2], b: 1}", `the store's key "a": [0] is 1, want 2; the store has no key "b", want 1`},
		{"model", "llm: [yes, {error: busy}]\n    input: {code: 'return [(await ctx.llm(\"a\")).content, await ctx.llm(\"b\").catch(e => e.message)]'}\n    output: [yes, 'ctx.llm: busy']", ""},
		{"tools", "tools: {add: {sum: 3}, say: hi}\n    input: {code: 'return [await ctx.callTool(\"add\", {a: 1}), await ctx.callTool(\"say\")]'}\n    output: [{sum: 3}, hi]", ""},
		{"time and chance", "now: 2026-03-01T00:00:00Z\n    seed: 7\n    input: {code: 'return [Date.now(), Math.random() === Math.random()]'}\n    output: [1772323200000, false]", ""},
		{"waiting takes no time", "input: {code: 'await ctx.delay(50000); return 1'}\n    output: 1", ""},
		{"logs and costs", "input: {code: 'ctx.log(\"began\"); ctx.addCost(\"0.1\"); ctx.addCost(\"0.2\")'}\n    logs: began\n    cost: '0.3'", ""},
		{"other logs and costs", "input: {code: 'ctx.addCost(\"0.1\")'}\n    logs: [ended]\n    cost: 0.3", `no record of the log has "ended" in it; the cost is $0.1, want $0.3`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := folder(t, map[string]string{"t.js": source, "t.tool.test.yaml": "files: {all.txt: all}\nstore: {all: 9}\ncases:\n  - " + tt.yaml + "\n"})
			r, err := tool.Test(filepath.Join(dir, "t.js"), tool.Config{LoadTimeout: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Cases) != 1 || r.Cases[0].Name != "case 1" || r.Cases[0].Line != 4 || r.Cases[0].File != "t.tool.test.yaml" {
				t.Fatalf("%+v", r)
			}
			got := strings.Join(r.Cases[0].Problems, "; ")
			if got != tt.want && (tt.want == "" || !strings.HasPrefix(got, tt.want)) || (r.Failed() > 0) != (tt.want != "") {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
			if strings.Contains(got, dir) {
				t.Errorf("a path of the host is in %s", got)
			}
		})
	}
}

// TestTestLeavesNothing looks that the folders of cases are gone, and that a tool
// that requires nothing is granted nothing.
func TestTestLeavesNothing(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	dir := folder(t, map[string]string{
		"t.js":             "export const tool = { description: 'x', inputSchema: {type: 'object'} }; export const invoke = (i, ctx) => Promise.all([ctx.readFile('a').catch(e => e.message), ctx.capabilities.join()])",
		"t.tool.test.json": `{"cases": [{"output": ["ctx.readFile needs 'fileRead' in the tool's requires list", ""]}]}`,
		"u.js":             "export const tool = { description: 'x', requires: ['fileWrite'] }; export const invoke = (i, ctx) => ctx.writeFile('a', 'b')",
		"u.tool.test.yaml": "cases: [{writes: {a: b}}]",
		"none.js":          "export const tool = { description: 'x' }; export const invoke = () => 1",
	})
	for name, cases := range map[string]int{"t.js": 1, "u.js": 1, "none.js": 0} {
		r, err := tool.Test(filepath.Join(dir, name), tool.Config{LoadTimeout: 20 * time.Second})
		if err != nil || r.Failed() > 0 || len(r.Cases) != cases {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "pinfold-test-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestTestErrors has files of tests that can't be read.
func TestTestErrors(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{
		{"cases: []", "t.tool.test.yaml:1:1: write cases: a list"},
		{"case: []", `t.tool.test.yaml:1:1: unknown key "case"; did you mean cases?`},
		{"cases:\n  - inputs: {}", `t.tool.test.yaml:2:5: unknown key "inputs"; did you mean input?`},
		{"cases:\n  - {output: 1, error: x}", "t.tool.test.yaml:2:17: a case has either an error, or an output or text"},
		{"cases:\n  - fetch: [{url: /a}]", "t.tool.test.yaml:2:14: url must be an absolute one"},
		{"cases:\n  - fetch: [{url: 'https://*.example.com/'}]", "t.tool.test.yaml:2:14: url must be an absolute one"},
		{"cases:\n  - fetch: [{status: 200}]", "t.tool.test.yaml:2:13: the key url is missing"},
		{"cases:\n  - fetch: [{url: 'https://a.example/', status: 99}]", "t.tool.test.yaml:2:"},
		{"cases:\n  - files: {../a: x}", `t.tool.test.yaml:2:13: the path "../a" must be relative`},
		{"cases:\n  - writes: {/etc/passwd: x}", `t.tool.test.yaml:2:14: the path "/etc/passwd" must be relative`},
		{"cases:\n  - now: yesterday", "t.tool.test.yaml:2:5: now must be a time"},
		{"cases:\n  - cost: -1", "t.tool.test.yaml:2:5: cost must be US dollars"},
		{"cases: [", "t.tool.test.yaml:"},
	} {
		dir := folder(t, map[string]string{"t.js": "export const tool = { description: 'x' }; export const invoke = () => 1", "t.tool.test.yaml": tt.yaml})
		_, err := tool.Test(filepath.Join(dir, "t.js"), tool.Config{LoadTimeout: 20 * time.Second})
		if !errors.Is(err, tool.BadTest) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %v\nwant %s", tt.yaml, err, tt.want)
		}
	}
}

func TestDiff(t *testing.T) {
	req := func(list ...string) (out []pinfold.Requirement) {
		for _, s := range list {
			name, scope, ok := strings.Cut(s, ":")
			q := pinfold.Requirement{Capability: name}
			if ok {
				q.Scope = strings.Split(scope, ",")
			}
			out = append(out, q)
		}
		return out
	}
	type def = tool.Definition
	for _, tt := range []struct {
		old, new def
		want     string // ! before what widens
	}{
		{def{}, def{}, "[]"},
		{def{}, def{Requires: req("network:api.example.com")}, "[!asks for network now: api.example.com]"},
		{def{}, def{Requires: req("fileRead")}, "[!asks for fileRead now]"},
		{def{Requires: req("network:a,b")}, def{Requires: req("network:b,c")}, "[!asks for network now: c asks for network no longer: a]"},
		{def{Requires: req("network:a,b")}, def{Requires: req("network")}, "[!asks for all of network now, not only a, b]"},
		{def{Requires: req("network")}, def{Requires: req("network:a")}, "[asks for less of network now: only a]"},
		{def{Requires: req("network", "log")}, def{Requires: req("log")}, "[asks for network no longer]"},
		{def{RequiresApproval: true}, def{}, "[!needs no approval any more]"},
		{def{}, def{RequiresApproval: true}, "[needs approval now]"},
		{def{}, def{EndsLoop: true, ParallelSafe: true}, "[!ends the loop now may be called in parallel now]"},
		{def{Timeout: time.Second}, def{Timeout: 2 * time.Second}, "[!may take 2s now instead of 1s]"},
		{def{Timeout: time.Second}, def{}, "[!may take the host's limit now instead of 1s]"},
		{def{}, def{Timeout: time.Second, CostHint: "0.1"}, "[may take 1s now instead of the host's limit says that a call costs about $0.1 now instead of an unknown cost]"},
		{def{Name: "a", Description: "x", InputSchema: []byte("{}"), OutputSchema: []byte("{}")}, def{Name: "b", Description: "y"}, "[is called b now instead of a is described in other words now takes other arguments now returns something else now]"},
	} {
		var got []string
		for _, c := range tool.Diff(tt.old, tt.new) {
			s := c.String()
			if c.Widens {
				s = "!" + s
			}
			got = append(got, s)
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%v\nwant %s", got, tt.want)
		}
	}
}
