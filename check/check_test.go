package check_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/check"
	"github.com/pinfold-js/pinfold/declare"
)

func sandbox(tb testing.TB, opt pinfold.Options) *pinfold.Sandbox {
	tb.Helper()
	if opt.Grants == nil {
		opt.Grants = &pinfold.Grants{}
	}
	opt.Functions = append(opt.Functions,
		pinfold.Function{Name: "lookup", Func: func(context.Context, string) (any, error) { return nil, nil }, Async: true, Cancel: pinfold.Cooperative},
		pinfold.Function{Name: "orders.find", Func: func(context.Context, string) (any, error) { return nil, nil }, Async: true, Cancel: pinfold.Cooperative},
		pinfold.Function{Name: "orders.count", Func: func() int { return 1 }},
	)
	opt.Modules = map[string]string{"rates": "export const eur = 1", "lib/units.ts": "export const km = 1", "d.json": "{}"}
	s, err := pinfold.New(opt)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func checker(tb testing.TB) *check.Checker {
	s := sandbox(tb, pinfold.Options{})
	return check.New(s, check.Options{Granted: check.Everything(s)})
}

// brief writes what a check found: code, place, and the name of what is there.
func brief(r *check.Result, source string) string {
	var out []string
	for _, p := range r.Problems {
		out = append(out, fmt.Sprintf("%s %d:%d %s", p.Code, p.Line, p.Column, source[p.Start:p.End]))
	}
	return strings.Join(out, "; ")
}

// good are programs in which nothing is wrong: the check must be silent.
var good = []string{
	`return 1`,
	`1 + 1`,
	`const r = await ctx.fetch("https://a.example/"); return await r.json()`,
	`const r = await fetch("https://a.example/"); const d = await r.json(); return d.items.map(x => x.name)`,
	`return ctx.readFile("a.txt")`,
	`const p = ctx.readFile("a"); const q = ctx.readFile("b"); const [a, b] = await Promise.all([p, q]); return a + b`,
	`const all = []; for (const n of [1, 2]) all.push(lookup(n)); return await Promise.all(all)`,
	`const rows = await Promise.all(input.map(async x => (await lookup(x)).name)); return rows.join()`,
	`return Promise.all(input.map(x => lookup(x)))`,
	`return await Promise.all([...input.map(lookup)])`,
	`const get = x => lookup(x); const v = await get(1); return v.name`,
	`let p = lookup("a"); p = await p; return p.name`,
	`return lookup("a").then(x => x.name)`,
	`const v = await lookup("a").catch(() => null); return v?.name ?? "none"`,
	`await ctx.store.set("a", 1); return (await ctx.store.get("a")) ?? 0`,
	`void ctx.store.set("a", 1); return 1`,
	`ctx.log("a", {b: 1}); ctx.addCost(1); return ctx.toolName + ctx.remainingMs() + ctx.capabilities.length`,
	`const {fetch: get, readFile} = ctx; const t = await readFile("a"); return t.length + (await get("b")).status`,
	`for await (const c of await ctx.llmStream("hi")) console.log(c.text)`,
	`if (typeof Deno !== "undefined") { Deno.exit(1) } return 1`,
	`if (ctx.shell) { return ctx.shell("ls") } return 1`,
	`return ctx.shell?.("ls")`,
	`globalThis.total = 1; return total`,
	`globalThis.ctx = { body: 1 }; return ctx.body`,
	`function f() { return arguments.length } return f(1)`,
	`for (var i = 0; i < 3; i++) {} return i`,
	`try { JSON.parse("x") } catch ({ message }) { return message }`,
	`label: for (const a of [1]) { for (;;) break label } return 1`,
	`class A { #x = 1; static y = A.name; get z() { return this.#x } } return new A().z`,
	`const o = { a: 1, b() { return this.a }, get c() { return 2 } }; return o.b() + o.c`,
	`return (function fact(n) { return n < 2 ? 1 : n * fact(n - 1) })(5)`,
	`const f = ({ a = 1, ...rest } = {}, [b, c = b] = []) => ({ a, rest, b, c }); return f()`,
	`async function main() { return lookup("a") } return await main()`,
	`const cache = new Map(); async function one(id) { let p = cache.get(id); if (!p) { p = lookup(id); cache.set(id, p) } return p } return (await one(1)).x`,
	`const ps = input.map(async x => lookup(x)); for (const p of ps) console.log((await p).name)`,
	`const pending = lookup("a"); const other = await lookup("b"); return [await pending, other]`,
	`switch (input) { case 1: return 2; default: return 3 }`,
	`const n = orders.count(); return n + 1`,
	`import { eur } from "rates"; export default eur`,
	`const m = await import("rates"); return m.eur`,
	`import * as rates from "./rates"; import data from "d.json"; export default [rates, data]`,
	`export async function invoke(input, ctx) { return (await ctx.fetch(input.url)).status }`,
	`const t = await ctx.readFile("a"); console.log(t)`,
	`input.rows.forEach(r => { r.n = 1 }); return input.rows`,
	`const s = new Set(); s.add(1); return s.size`,
	`console.log(input); input.length`[:18],
	`const xs = [3, 1]; xs.sort(); xs.push(2)`,
	`return input.map(x => { if (x) return 1 })`,
	`try { return 1 } finally { console.log("x") }`,
	`function a() { return b() } function b() { return 1 } return a(); function c() {}`,
	`const first = Promise.race([lookup("a"), ctx.delay(100)]); return first`,
	`const a = await lookup("a"), same = lookup("a") === lookup("b"); return [a, same]`,
	`const url = new URL("https://a.example"); return btoa(url.href) + crypto.randomUUID()`,
	`async function* gen() { yield await lookup("a") } for await (const x of gen()) console.log(x)`,
	`const r = await fetch("u"); return [r.ok, r.status, r.headers.get("a"), r.text(), r.toString(), r.extra ?? 1].length`,
	`const l = await ctx.listFiles("/"); if (l.more) {} return l.entries.map(e => e.name).concat(l.cut)`,
	`let r = await fetch("u"); r = { data: 1 }; return r.data`,
	`const c = { ctx: 1 }; function draw(ctx) { return ctx.fillRect + ctx.ctx } return draw(c)`,
}

func TestGood(t *testing.T) {
	c := checker(t)
	for _, src := range good {
		name := "p"
		if r := c.Check(context.Background(), name, src); len(r.Problems) > 0 {
			t.Errorf("%s\n%s", src, r.Report())
		}
	}
	typed := []string{
		`interface A { n: number } const a: A = { n: 1 }; return a.n as number`,
		`enum E { A = 1, B = A << 1 } return E.B`,
		`namespace N { export const x = 1 } return N.x`,
		`type T = Missing; declare const host: T; return host`,
		`function f(x: string): string; function f(x: number): number; function f(x: any) { return x } return f(1)`,
		`const x = input as Unknown; return x!.a satisfies Other`,
		`abstract class A { abstract m(): void; constructor(private n: number) {} get v(): number { return this.n } } return A.name`,
		`import type { T } from "./nowhere"; export const a: T = 1`,
	}
	for _, src := range typed {
		if r := c.Check(context.Background(), "p.ts", src); len(r.Problems) > 0 {
			t.Errorf("%s\n%s", src, r.Report())
		}
	}
}

// bad are programs, what is wrong with them, and what the fixes make of them; ""
// is no fix.
var bad = []struct{ src, want, fixed string }{
	{`return totl; let total = 1`, `unknown-name 1:8 totl; unreachable 1:14 let total = 1`, `return total; let total = 1`},
	{`const total = 1; return { a: totla, b: [totla] }`, `unknown-name 1:30 totla`, `const total = 1; return { a: total, b: [total] }`},
	{`print("a")`, `unknown-name 1:1 print`, `console.log("a")`},
	{`return None`, `unknown-name 1:8 None`, `return null`},
	{`const total = 1; return { totl }`, `unknown-name 1:27 totl`, `const total = 1; return { totl: total }`},
	{`count = 1; return count`, `unknown-name 1:1 count`, ``},
	{`return require("fs")`, `unknown-name 1:8 require`, ``},
	{`return process.env.HOME`, `unknown-name 1:8 process`, ``},
	{`{ let a = 1 } return a`, `unknown-name 1:22 a`, ``},
	{`return readFile("a")`, `unknown-name 1:8 readFile`, `return ctx.readFile("a")`},
	{`return ctx.readfile("a")`, `unknown-member 1:12 readfile`, `return ctx.readFile("a")`},
	{`return ctx.get("a")`, `unknown-member 1:12 get`, ``},
	{`return await ctx.shell("ls")`, `unknown-member 1:18 shell`, ``},
	{`return orders.fnd("a")`, `unknown-member 1:15 fnd`, `return orders.find("a")`},
	{`const r = ctx.fetch("u"); return r.json()`, `missing-await 1:34 r`, `const r = await ctx.fetch("u"); return r.json()`},
	{`const r = await fetch("u"); const d = r.json(); return d.items`, `missing-await 1:56 d`, `const r = await fetch("u"); const d = await r.json(); return d.items`},
	{`return ctx.fetch("u").status`, `missing-await 1:8 ctx.fetch("u")`, `return (await ctx.fetch("u")).status`},
	{`return JSON.parse(ctx.readFile("a"))`, `missing-await 1:19 ctx.readFile("a")`, `return JSON.parse(await ctx.readFile("a"))`},
	{"return `${lookup(1)}!`", "missing-await 1:11 lookup(1)", "return `${await lookup(1)}!`"},
	{`return 1 + lookup(1)`, `missing-await 1:12 lookup(1)`, `return 1 + await lookup(1)`},
	{`return lookup(1) ** 2`, `missing-await 1:8 lookup(1)`, `return (await lookup(1)) ** 2`},
	{`if (lookup(1)) return 2`, `missing-await 1:5 lookup(1)`, `if (await lookup(1)) return 2`},
	{`return !lookup(1)`, `missing-await 1:9 lookup(1)`, `return !await lookup(1)`},
	{`ctx.store.set("a", 1); return 2`, `missing-await 1:1 ctx.store.set("a", 1)`, `await ctx.store.set("a", 1); return 2`},
	{`const ok = ctx.store.set("a", 1); return 2`, `missing-await 1:12 ctx.store.set("a", 1)`, `const ok = await ctx.store.set("a", 1); return 2`},
	{`for (const f of ctx.listFiles()) console.log(f)`, `missing-await 1:17 ctx.listFiles()`, `for (const f of await ctx.listFiles()) console.log(f)`},
	{`for await (const c of ctx.llmStream("a")) console.log(c)`, `missing-await 1:23 ctx.llmStream("a")`, `for await (const c of await ctx.llmStream("a")) console.log(c)`},
	{`const { entries } = ctx.listFiles("a"); return entries`, `missing-await 1:21 ctx.listFiles("a")`, `const { entries } = await ctx.listFiles("a"); return entries`},
	{`const [a, b] = Promise.all([lookup(1), lookup(2)]); return a + b`, `missing-await 1:16 Promise.all([lookup(1), lookup(2)])`, `const [a, b] = await Promise.all([lookup(1), lookup(2)]); return a + b`},
	{`return { ...lookup(1) }`, `missing-await 1:13 lookup(1)`, `return { ...await lookup(1) }`},
	{`return { a: lookup(1) }`, `missing-await 1:13 lookup(1)`, `return { a: await lookup(1) }`},
	{`const a = lookup(1); return { a }`, `missing-await 1:31 a`, `const a = await lookup(1); return { a }`},
	{`const a = lookup(1); await a; return { a, n: a.n }`, `missing-await 1:40 a`, `const a = lookup(1); await a; return { a: await a, n: (await a).n }`},
	{`console.log(lookup(1)); return 2`, `missing-await 1:13 lookup(1)`, `console.log(await lookup(1)); return 2`},
	{`await ctx.writeFile("b", ctx.readFile("a")); return 1`, `missing-await 1:26 ctx.readFile("a")`, `await ctx.writeFile("b", await ctx.readFile("a")); return 1`},
	{`function f() { return lookup(1).name } return f()`, `missing-await 1:23 lookup(1)`, ``},
	{`const rows = input.map(async x => lookup(x)); return rows`, `missing-await 1:54 rows`, `const rows = input.map(async x => lookup(x)); return await Promise.all(rows)`},
	{`return input.map(x => lookup(x))`, `missing-await 1:8 input.map(x => lookup(x))`, `return await Promise.all(input.map(x => lookup(x)))`},
	{`const r = await input.map(async x => lookup(x)); return r`, `missing-await 1:17 input.map(async x => lookup(x))`, `const r = await Promise.all(input.map(async x => lookup(x))); return r`},
	{`input.forEach(async x => { await lookup(x) }); return 1`, `missing-await 1:7 forEach`, ``},
	{`return input.filter(async x => (await lookup(x)).ok)`, `missing-await 1:14 filter`, ``},
	{`async function main() { console.log(await lookup(1)) } main();`, `missing-await 1:56 main()`, `async function main() { console.log(await lookup(1)) } await main();`},
	{`async function main() { return await lookup(1) } main();`, `no-return 1:50 main()`, `async function main() { return await lookup(1) } return main();`},
	{`(async () => { await lookup(1) })(); console.log(1)`, `missing-await 1:1 (async () => { await lookup(1) })()`, `await (async () => { await lookup(1) })(); console.log(1)`},
	{`lookup(1).then(x => console.log(x));`, `missing-await 1:1 lookup(1).then(x => console.log(x))`, `await lookup(1).then(x => console.log(x));`},
	{`const r = await ctx.fetch("u"); return r.data`, `unknown-member 1:42 data`, ``},
	{`return (await fetch("u")).body`, `unknown-member 1:27 body`, ``},
	{`const d = await fetch("u").json(); return d.x`, `missing-await 1:17 fetch("u")`, `const d = await (await fetch("u")).json(); return d.x`},
	{`for (const f of await ctx.listFiles()) console.log(f)`, `unknown-member 1:17 await ctx.listFiles()`, ``},
	{`const fs = await ctx.findFiles("*"); return fs.map(f => f.name)`, `unknown-member 1:48 map`, ``},
	{`const a = await ctx.llm("hi"); return a.text`, `unknown-member 1:41 text`, ``},
	{`const m = import("rates"); return m.eur`, `missing-await 1:35 m`, `const m = await import("rates"); return m.eur`},
	{`const x = input.a * 2; x`, `no-return 1:24 x`, `const x = input.a * 2; return x`},
	{`const rows = input.rows; rows.filter(r => r.ok).map(r => r.n);`, `no-return 1:26 rows.filter(r => r.ok).map(r => r.n)`, `const rows = input.rows; return rows.filter(r => r.ok).map(r => r.n);`},
	{`return input.map(x => { x.name })`, `no-return 1:25 x.name`, `return input.map(x => { return x.name })`},
	{`return 1; console.log(2)`, `unreachable 1:11 console.log(2)`, ``},
	{`if (input) { return 1 } else { throw new Error("x") } return 2`, `unreachable 1:55 return 2`, ``},
	{`import x from "rats"; export default x`, `unknown-module 1:15 "rats"`, `import x from "rates"; export default x`},
	{`import fs from "node:fs"; export default fs`, `unknown-module 1:16 "node:fs"`, ``},
	{`import { eru } from "rates"; export default eru`, `unknown-export 1:10 eru`, ``},
	{`import rates from "rates"; export default rates`, `unknown-export 1:8 rates`, ``},
	{`return await import("./nope.js")`, `unknown-module 1:21 "./nope.js"`, ``},
	{`retrun 5`, `syntax 1:8 5`, ``},
	{`export const tool = { name: "a", requires: ["fileRead"] }; export async function invoke(i, ctx) { return (await ctx.fetch(i.u)).status + await ctx.readFile("a") }`,
		`not-declared 1:113 ctx.fetch`, `export const tool = { name: "a", requires: ["fileRead", "network"] }; export async function invoke(i, ctx) { return (await ctx.fetch(i.u)).status + await ctx.readFile("a") }`},
	{`export const tool = { name: "a", requires: [] }; export const invoke = async (i, { fetch }) => (await fetch(i.u)).ok`,
		`not-declared 1:103 fetch`, `export const tool = { name: "a", requires: ["network"] }; export const invoke = async (i, { fetch }) => (await fetch(i.u)).ok`},
}

func TestBad(t *testing.T) {
	c := checker(t)
	for _, x := range bad {
		r := c.Check(context.Background(), "p", x.src)
		if got := brief(r, x.src); got != x.want {
			t.Errorf("%s\ngot  %s\nwant %s\n%s", x.src, got, x.want, r.Report())
		}
		fixed, n := check.Apply(x.src, r.Problems)
		if n == 0 {
			fixed = ""
		}
		if fixed != x.fixed {
			t.Errorf("%s\nfixed %s\nwant  %s", x.src, fixed, x.fixed)
		}
	}
}

// TestGrants: what isn't declared or granted is told once for each function.
func TestGrants(t *testing.T) {
	src := `const a = await ctx.readFile("a"); const b = await ctx.readFile("b"); await ctx.log("x"); return (await fetch("u")).status + a + b`
	for _, x := range []struct {
		opt      pinfold.Options
		requires []pinfold.Requirement
		granted  []string
		want     string
	}{
		{want: `not-granted 1:17 ctx.readFile; not-granted 1:77 ctx.log; not-granted 1:105 fetch`},
		{granted: []string{"fileRead", "log", "network"}, want: ``},
		{granted: []string{"fileRead", "log", "network"}, requires: []pinfold.Requirement{{Capability: "fileRead"}}, want: `not-declared 1:105 fetch`},
		{opt: pinfold.Options{Requires: []pinfold.Requirement{}}, granted: []string{"fileRead", "log", "network"}, want: `not-declared 1:17 ctx.readFile; not-declared 1:105 fetch`},
	} {
		c := check.New(sandbox(t, x.opt), check.Options{Requires: x.requires, Granted: x.granted})
		if got := brief(c.Check(context.Background(), "p", src), src); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
	}
}

// TestGlobals: the names that the check takes for given are those of a run.
func TestGlobals(t *testing.T) {
	s := sandbox(t, pinfold.Options{Timers: true})
	o := s.Eval(context.Background(), "p", `return Object.getOwnPropertyNames(globalThis).sort()`, nil)
	if o.Failure != nil {
		t.Fatal(o.Failure)
	}
	var got []string
	if err := o.Value.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if want := s.Surroundings().Globals; !reflect.DeepEqual(got, want) {
		t.Errorf("a run has\n%q\nSurroundings has\n%q", got, want)
	}
	o = s.Eval(context.Background(), "p", `return Object.keys(ctx)`, nil)
	if err := o.Value.Decode(&got); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, n := range s.Surroundings().CtxFields {
		known["ctx."+n] = true
	}
	for _, f := range s.Functions() {
		known[strings.Join(strings.Split(f.Name, ".")[:min(2, strings.Count(f.Name, ".")+1)], ".")] = true
	}
	for _, n := range got {
		if !known["ctx."+n] {
			t.Errorf("ctx has %s, which the check doesn't know", n)
		}
	}
}

// TestExamples: nothing is wrong with the programs and tools of the repository, but
// that their hosts' functions aren't here.
func TestExamples(t *testing.T) {
	s := sandbox(t, pinfold.Options{Timers: true})
	n := 0
	err := filepath.WalkDir(filepath.Join("..", "examples"), func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || ext != ".js" && ext != ".ts" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		c := check.New(s, check.Options{Granted: check.Everything(s), Exists: func(string) bool { return true }})
		for _, p := range c.Check(context.Background(), filepath.Base(path), string(source)).Problems {
			if p.Code != check.UnknownName {
				t.Errorf("%s: %s", path, p.Report())
			}
		}
		return nil
	})
	if err != nil || n < 20 {
		t.Errorf("%d files, %v", n, err)
	}
}

// TestShapes: what functions of ctx give has the members that their declarations
// say.
func TestShapes(t *testing.T) {
	c := checker(t)
	s := sandbox(t, pinfold.Options{})
	file, err := declare.File(s, declare.Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ name, call string }{{"FetchResponse", `ctx.fetch("u")`}, {"FileList", `ctx.listFiles()`}, {"LlmResponse", `ctx.llm("a")`}} {
		_, body, _ := strings.Cut(file, "interface "+x.name+" {\n")
		body, _, ok := strings.Cut(body, "\n}")
		if !ok {
			t.Fatalf("no interface %s", x.name)
		}
		var names []string
		for _, l := range strings.Split(body, "\n") {
			names = append(names, regexp.MustCompile(`^ *(?:readonly )?(\w+)`).FindStringSubmatch(l)[1])
		}
		slices.Sort(names)
		src := "const x = await " + x.call + "; return x.noSuchMember"
		p := c.Check(context.Background(), "p", src).Problems
		if want := "it has " + strings.Join(names, ", "); len(p) != 1 || p[0].Hint != want {
			t.Errorf("%s: %+v, want %s", x.name, p, want)
		}
	}
}

func TestReport(t *testing.T) {
	c := checker(t)
	r := c.Check(context.Background(), "report.js", "const r = ctx.fetch(input.url);\nreturn r.status;\n")
	const want = `r is a promise: it has no status
 --> report.js:2:8
  2 | return r.status;
    |        ^
 hint: write await in front of ctx.fetch(…) at line 1
`
	if got := r.Report(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	const text = `{"version":1,"file":"report.js","ok":false,"problems":[{"code":"missing-await","severity":"error","message":"r is a promise: it has no status","file":"report.js","line":2,"column":8,"endColumn":9,"start":39,"end":40,"sourceLine":"return r.status;","hint":"write await in front of ctx.fetch(…) at line 1","suggestions":[],"fix":{"title":"await it where it is made","edits":[{"start":10,"end":10,"newText":"await "}]}}],"more":0}`
	if string(b) != text {
		t.Errorf("got\n%s\nwant\n%s", b, text)
	}
}

// TestMany: at most 20 problems, the first ones, and the number of the others.
func TestMany(t *testing.T) {
	c := checker(t)
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "use%d(lookup(%d).x);\n", i, i)
	}
	r := c.Check(context.Background(), "p", b.String())
	if len(r.Problems) != check.MaxProblems || r.Problems[0].Line != 1 || r.Problems[19].Line != 10 || r.More < 4000 {
		t.Errorf("%d problems, the last at line %d, %d more", len(r.Problems), r.Problems[len(r.Problems)-1].Line, r.More)
	}
}

// TestHostile: sources that nest, chain and repeat.
func TestHostile(t *testing.T) {
	c := checker(t)
	many := strings.Repeat
	for _, src := range []string{
		"return a" + many(".b", 15_000), "return 1" + many("+ a", 15_000), many("{", 900) + many("}", 900), "return " + many("f(", 400) + many(")", 400),
		"let a0 = lookup(1);" + func() string {
			var b strings.Builder
			for i := range 20_000 {
				fmt.Fprintf(&b, "let a%d=a%d;", i+1, i)
			}
			return b.String()
		}() + "return a20000.x",
		many("if (a) { return 1 } else ", 900) + "{}", many("async () => ", 800) + "1", "return " + many("[", 900) + many("]", 900),
		many("function f() { return g() }", 5000), "lookup" + many("(1)", 5000), "return " + many("input.map(x => ", 400) + "lookup(x)" + many(")", 400),
		"const f0 = () => lookup(1);" + many("const f = () => f();", 1), "const f = () => f(); return f().x", "const a = b, b = a; return a.x",
		many("lookup(", 400) + many(")", 400), many("import('x');", 20_000), many("ctx.nothing(1);", 20_000), "let p = lookup(1);" + many("p + 1;", 20_000),
		func() string {
			var b strings.Builder
			for i := range 20_000 {
				fmt.Fprintf(&b, "let v%d = w%d;", i, i)
			}
			return b.String()
		}(), many("(() => { ", 300) + many("})()", 300), many("if (ctx.fetch) ", 900) + ";", "x = {" + many("a: lookup(1), ", 20_000) + "}",
		"return `" + many("${lookup(1)}", 5000) + "`", "\xff", "", "#!/bin/sh\n1", "\u2028x",
	} {
		r := c.Check(context.Background(), "p", src)
		if len(r.Problems) > check.MaxProblems {
			t.Errorf("%.60s: %d problems", src, len(r.Problems))
		}
		if n := len(r.Report()); n > 300_000 {
			t.Errorf("%.60s: a report of %d bytes", src, n)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range good {
		f.Add(s, false)
	}
	for _, x := range bad {
		f.Add(x.src, false)
	}
	f.Add("enum A { B = C } namespace N { x } const y = <any>lookup(1) as Z", true)
	c := checker(f)
	f.Fuzz(func(t *testing.T, src string, typed bool) {
		name := "p"
		if typed {
			name = "p.ts"
		}
		r := c.Check(context.Background(), name, src)
		if len(r.Problems) > check.MaxProblems {
			t.Fatalf("%d problems", len(r.Problems))
		}
		for _, p := range r.Problems {
			if p.Start < 0 || p.End < p.Start || p.End > len(src) || p.Message == "" {
				t.Fatalf("%+v", p)
			}
		}
		if again := c.Check(context.Background(), name, src); !reflect.DeepEqual(r, again) {
			t.Fatalf("two checks differ:\n%s\n%s", r.Report(), again.Report())
		}
		_ = r.Report()
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		// What parses does so when each fix is made.
		parses := len(r.Problems) == 0 || r.Problems[0].Code != check.Syntax && r.Problems[0].Code != check.TooLarge
		for _, p := range r.Problems {
			if p.Fix == nil || !parses {
				continue
			}
			fixed, _ := check.Apply(src, []check.Problem{p})
			if after := c.Check(context.Background(), name, fixed); len(after.Problems) > 0 && after.Problems[0].Code == check.Syntax {
				t.Fatalf("%s\nfixed, it doesn't parse:\n%s\n%s", p.Report(), fixed, after.Report())
			}
		}
	})
}

func BenchmarkCheck200Lines(b *testing.B) {
	c := checker(b)
	var src strings.Builder
	for i := range 50 {
		fmt.Fprintf(&src, "const r%d = await ctx.fetch(`https://a.example/${input.id}`);\nconst d%d = await r%d.json();\nconst rows%d = d%d.items.filter(x => x.price > %d).map(({ name, price }) => ({ name, price }));\nconsole.log(rows%d.length, undefinedName%d);\n", i, i, i, i, i, i, i, i)
	}
	source := src.String()
	i := 0
	for b.Loop() {
		i++
		c.Check(context.Background(), "p", source+fmt.Sprintf("// %d", i)) // no text twice: nothing comes from the cache
	}
}
