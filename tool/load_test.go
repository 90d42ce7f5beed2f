package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/tool"
)

// TestLoadErrors has the ways in which a tool can be badly written, with the
// places where the reasons stand.
func TestLoadErrors(t *testing.T) {
	const invoke = "export function invoke() {}\n"
	for _, tt := range []struct {
		name   string
		source tool.Source
		code   tool.Code
		want   string // how the message begins
	}{
		{"no parse", tool.Source{Text: invoke + "let x = ;"}, tool.BadSyntax, "t.js:2:9: SyntaxError: Unexpected token ';'"},
		{"no parse of types", tool.Source{File: "t.ts", Text: invoke + "let x: = 1"}, tool.BadSyntax, "t.ts:2:8: SyntaxError"},
		{"no exports", tool.Source{Text: "1 + 1"}, tool.NoInvoke, "t.js:1:1: the file exports no function invoke: it exports nothing; write export async function invoke"},
		{"another export", tool.Source{Text: "export function run() {}"}, tool.NoInvoke, "t.js:1:1: the file exports no function invoke: the functions that it exports are run"},
		{"invoke is data", tool.Source{Text: "export const invoke = 1"}, tool.NoInvoke, "t.js:1:1: "},
		{"no description", tool.Source{Text: invoke}, tool.NoDescription, "t.js:1:1: the tool has no description; write export const tool ="},
		{"the top level throws", tool.Source{Text: invoke + "\n  null.x"}, tool.BadTopLevel, "t.js:3:8: the top level of the file fails: TypeError: Cannot read properties of null"},
		{"the top level asks for a file", tool.Source{Text: invoke + "await ctx.readFile('x')"}, tool.BadTopLevel, "t.js:2:11: the top level of the file fails: Error: ctx.readFile needs 'fileRead'"},
		{"the top level waits for ever", tool.Source{Text: invoke + "await new Promise(() => {})"}, tool.BadTopLevel, "t.js: the top level of the file fails: "},
		{"tool is no object", tool.Source{Text: invoke + "export const tool = 1"}, tool.BadValue, "t.js:2:14: the description must be an object, not the number 1"},
		{"tool has a function", tool.Source{Text: invoke + "export const tool = {description: () => 1}"}, tool.BadValue, "t.js: the exported object tool must be data: tool.description: a function can't be returned"},
		{"no text", tool.Source{Text: invoke + "export const tool = {\n  name: 'x',\n}"}, tool.BadValue, "t.js:2:14: the key description is missing; say"},
		{"an unknown key", tool.Source{Text: invoke + "export const tool = {\n  description: 'x',\n  requres: [],\n}"}, tool.UnknownKey, `t.js:4:3: unknown key "requres"; did you mean requires?`},
		{"an unknown key like none", tool.Source{Text: invoke + "export const tool = {description: 'x', zzz: 1}"}, tool.UnknownKey, `t.js:2:40: unknown key "zzz"; there are name, description,`},
		{"an unknown key of an object behind", tool.Source{Text: invoke + "const d = Object.freeze({\n description: 'x', inputSchema: {type: 'object'}, colour: 1 });\nexport { d as tool }"}, tool.UnknownKey, `t.js:3:51: unknown key "colour"`},
		{"name", tool.Source{Text: invoke + "export const tool = {name: '1x', description: 'x'}"}, tool.BadValue, `t.js:2:22: name must have 1 to 64 letters`},
		{"the file's name", tool.Source{File: "my tool.js", Text: invoke + "export const tool = {description: 'x'}"}, tool.BadValue, `my tool.js:2:14: the file's name "my tool" can't be the name of a tool`},
		{"description", tool.Source{Text: invoke + "export const tool = {description: ' '}"}, tool.BadValue, "t.js:2:22: description is empty"},
		{"a long description", tool.Source{Text: invoke + "export const tool = {description: 'x'.repeat(4001)}"}, tool.BadValue, "t.js:2:22: description has 4001 characters, 4000 are allowed"},
		{"a description with hidden text", tool.Source{Text: invoke + "export const tool = {description: 'x\\u{E0041}'}"}, tool.BadValue, "t.js:2:22: description has the character U+E0041, which a reader can't see"},
		{"inputSchema", tool.Source{Text: invoke + "export const tool = {description: 'x', inputSchema: {\n type: 'object', properties: {a: {\n  type: 'strin'}}}}"}, tool.BadSchema, "t.js:4:3: inputSchema/properties/a/type isn't a JSON Schema: "},
		{"inputSchema is no object's", tool.Source{Text: invoke + "export const tool = {description: 'x', inputSchema: {type: 'string'}}"}, tool.BadSchema, "t.js:2:40: inputSchema must describe an object"},
		{"a reference into the world", tool.Source{Text: invoke + "export const tool = {description: 'x', outputSchema: {$ref: 'file:///etc/passwd'}}"}, tool.BadSchema, "t.js:2:55: outputSchema/$ref isn't a JSON Schema: "},
		{"requires", tool.Source{Text: invoke + "export const tool = {description: 'x', requires: ['fileread']}"}, tool.BadRequirement, `t.js:2:51: there is no capability "fileread"; did you mean fileRead?`},
		{"requires twice", tool.Source{Text: invoke + "export const tool = {description: 'x', requires: ['log', 'log']}"}, tool.BadRequirement, "t.js:2:58: requires has log twice"},
		{"requires of a kind", tool.Source{Text: invoke + "export const tool = {description: 'x', requires: 'log'}"}, tool.BadRequirement, `t.js:2:40: requires must be a list; it is the string "log"`},
		{"a scope of nothing", tool.Source{Text: invoke + "export const tool = {description: 'x', requires: {network: []}}"}, tool.BadRequirement, "t.js:2:51: the list of network is empty"},
		{"a scope where there is none", tool.Source{Text: invoke + "export const tool = {description: 'x', requires: {store: ['a']}}"}, tool.BadRequirement, "t.js:2:51: store can't be narrowed by a list"},
		{"costHint", tool.Source{Text: invoke + "export const tool = {description: 'x', costHint: '-1'}"}, tool.BadValue, "t.js:2:40: costHint must be US dollars"},
		{"timeout", tool.Source{Text: invoke + "export const tool = {description: 'x', timeout: 0}"}, tool.BadValue, "t.js:2:40: timeout must be a number of seconds"},
		{"endsLoop", tool.Source{Text: invoke + "export const tool = {description: 'x', endsLoop: 'yes'}"}, tool.BadValue, `t.js:2:40: endsLoop must be true or false; it is the string "yes"`},

		{"YAML", tool.Source{Text: invoke, YAML: "description: x\n bad: [\n"}, tool.BadYAML, "t.tool.yaml:2:"},
		{"YAML that is a list", tool.Source{Text: invoke, YAML: "- a\n"}, tool.BadValue, "t.tool.yaml:1:1: the description must be an object, not a list"},
		{"YAML with an unknown key", tool.Source{Text: invoke, YAML: "description: x\n\nrequire: [network]\n"}, tool.UnknownKey, `t.tool.yaml:3:1: unknown key "require"; did you mean requires?`},
		{"YAML with a key twice", tool.Source{Text: invoke, YAML: "description: x\ndescription: y\n"}, tool.BadYAML, `t.tool.yaml:2:1: the key "description" is there twice`},
		{"YAML with an alias", tool.Source{Text: invoke, YAML: "description: &d x\nname: *d\n"}, tool.BadYAML, "t.tool.yaml:1:14: anchors and aliases"},
		{"YAML with two documents", tool.Source{Text: invoke, YAML: "description: x\n---\ndescription: y\n"}, tool.BadYAML, "t.tool.yaml:"},
		{"YAML with a schema", tool.Source{Text: invoke, YAML: "description: x\ninputSchema:\n  type: object\n  properties:\n    a:\n      type: strin\n"}, tool.BadSchema, "t.tool.yaml:6:7: inputSchema/properties/a/type isn't a JSON Schema: "},
		{"YAML with a requirement", tool.Source{Text: invoke, YAML: "description: x\nrequires:\n  - log\n  - netwrok: [a.example]\n"}, tool.BadRequirement, `t.tool.yaml:4:5: there is no capability "netwrok"; did you mean network?`},
		{"empty YAML", tool.Source{Text: invoke, YAML: "# nothing\n"}, tool.BadYAML, "t.tool.yaml:1:1: the file is empty"},

		{"an import from outside", tool.Source{Text: "import '../x.js'\n" + invoke}, tool.BadImport, `t.js:1:8: "../x.js" leads out of the tool's folder`},
		{"an import of a package", tool.Source{Text: "import 'lodash'\n" + invoke}, tool.BadImport, `t.js:1:8: "lodash" can't be imported: a tool imports files of its own folder; copy what it needs`},
		{"an import of node", tool.Source{Text: "import fs from 'node:fs'\n" + invoke}, tool.BadImport, `t.js:1:16: "node:fs" can't be imported: a tool imports files of its own folder; use ctx.readFile`},
		{"an import of an absolute path", tool.Source{Text: "import '/etc/passwd'\n" + invoke}, tool.BadImport, `t.js:1:8: "/etc/passwd" can't be imported`},
		{"an import without extension", tool.Source{Text: "import './a'\n" + invoke, Modules: map[string]string{"a.js": ""}}, tool.BadImport, `t.js:1:8: "./a" can't be imported; write "./a.js"`},
		{"an import of nothing", tool.Source{Text: "import './lib/a.js'\n" + invoke, Modules: map[string]string{"lib/a.js": "\n export * from './b.ts'"}}, tool.BadImport, `lib/a.js:2:16: there is no file "lib/b.ts" in the tool's folder`},
		{"a module that doesn't parse", tool.Source{Text: "import './a.js'\n" + invoke, Modules: map[string]string{"a.js": "\nlet x = ;"}}, tool.BadSyntax, "a.js:2:9: SyntaxError"},
		{"JSON that isn't", tool.Source{Text: "import './a.json'\n" + invoke, Modules: map[string]string{"a.json": "{\n \"a\": }"}}, tool.BadSyntax, "a.json:2:7: this isn't JSON"},
		{"another ending", tool.Source{File: "t.mjs", Text: invoke}, tool.Unreadable, "t.mjs: a tool's file ends in .js or .ts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.source.File == "" {
				tt.source.File = "t.js"
			}
			_, err := tt.source.Load(tool.Config{LoadTimeout: 20 * time.Second})
			if err == nil {
				t.Fatal("it loads")
			}
			var e *tool.LoadError
			if !errors.As(err, &e) || !errors.Is(err, tool.BadDefinition) || !errors.Is(err, tt.code) {
				t.Errorf("%v has the code %v, want %v", err, e, string(tt.code))
			}
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%s\nwant  %s", err, tt.want)
			}
		})
	}
}

// TestLoadDefinition reads descriptions.
func TestLoadDefinition(t *testing.T) {
	const code = "export async function invoke() {}\nexport const tool = {description: 'of the file', timeout: 1}\n"
	for _, tt := range []struct {
		name, yaml, want string
	}{
		{"defaults", "", `{"name":"t","description":"of the file","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"parallelSafe":true} [] 1s`},
		{"YAML wins", "description: of the YAML", `{"name":"t","description":"of the YAML","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"parallelSafe":true} [] 0s`},
		{"all keys", `
name: other
description: |
  Two
  lines.
inputSchema: {type: object, properties: {b: {type: integer}, a: {type: string}}, required: [b]}
outputSchema: {type: string}
requires: [log, store]
endsLoop: true
requiresApproval: true
costHint: 0.10
parallelSafe: false
timeout: 2.5
`, `{"name":"other","description":"Two\nlines.","inputSchema":{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["b"]},"outputSchema":{"type":"string"},"endsLoop":true,"requiresApproval":true,"costHint":"0.1","parallelSafe":false} [log store] 2.5s`},
		{"a cost that floats don't have", "description: x\ncostHint: 0.000000000001", `{"name":"t","description":"x","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"costHint":"0.000000000001","parallelSafe":true} [] 0s`},
		{"scopes", "description: x\nrequires:\n  log:\n  network: [api.example.com]\n  fileRead: ['data/**']", `{"name":"t","description":"x","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"parallelSafe":true,"untrusted":true} [log network: [api.example.com] fileRead: [data/**]] 0s`},
		{"scopes in a list", "description: x\nrequires: [log, {network: [api.example.com]}, fileRead: ['data/**']]", `{"name":"t","description":"x","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"parallelSafe":true,"untrusted":true} [log network: [api.example.com] fileRead: [data/**]] 0s`},
		{"JSON", `{"description": "x", "requires": ["log"], "costHint": "1e-3"}`, `{"name":"t","description":"x","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"costHint":"0.001","parallelSafe":true} [log] 0s`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := load(t, tool.Source{Text: code, YAML: tt.yaml}, tool.Config{Options: pinfold.Options{Grants: everything(t)}, LoadTimeout: 20 * time.Second})
			d := f.Definition()
			text, _ := json.Marshal(d)
			if got := fmt.Sprintf("%s %v %v", text, d.Requires, d.Timeout); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
			d.InputSchema[0], d.Requires = 'X', nil
			if again, _ := json.Marshal(f.Definition()); string(again) != string(text) {
				t.Errorf("the definition was changed from outside: %s", again)
			}
		})
	}
}

// everything grants a folder and a host.
func everything(t testing.TB) *pinfold.Grants {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	fs, err := files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"**"}, Write: []string{"**"}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fs.Close() })
	client, err := egress.New(egress.Policy{Allow: []egress.Rule{{Hosts: []string{"api.example.com"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return &pinfold.Grants{Files: fs, Network: client, Store: memory(t)}
}

// TestMissingCapabilities loads tools that require more than is granted.
func TestMissingCapabilities(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, requires := range map[string]string{
		"a": "[log]", "b": "[network]", "c": "{network: [api.example.com, evil.example]}", "d": "{fileRead: ['data/**']}", "e": "[llm]", "f": "[{network: [api.example.com]}]",
	} {
		fsys["d/"+name+".js"] = &fstest.MapFile{Data: []byte("export function invoke() {}")}
		fsys["d/"+name+".tool.yaml"] = &fstest.MapFile{Data: []byte("description: x\nrequires: " + requires)}
	}
	grants := everything(t)
	cfg := tool.Config{Options: pinfold.Options{Grants: grants}, LoadTimeout: 20 * time.Second}
	_, err := tool.LoadDirFS(fsys, "d", cfg)
	var missing *tool.CapabilityMissingError
	if !errors.As(err, &missing) || missing.Tool != "c" || missing.File != "c.js" || fmt.Sprint(missing.Missing) != "[network: [evil.example]]" {
		t.Errorf("%v: %v", err, missing)
	}
	if want := "c.js: the tool c requires what is not granted: network: [evil.example]; grant it, or leave the tool out\ne.js: the tool e requires what is not granted: llm; grant it, or leave the tool out"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	cfg.Lenient = true
	d, err := tool.LoadDirFS(fsys, "d", cfg)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range d.Tools {
		names = append(names, f.Definition().Name)
	}
	if got := fmt.Sprint(names, d.Warnings); got != "[a b d f] [c.js: the tool c was left out: it requires network: [evil.example], which is not granted e.js: the tool e was left out: it requires llm, which is not granted]" {
		t.Error(got)
	}
	cfg.Options.Grants = nil
	if _, err := tool.LoadFS(fsys, "d/d.js", cfg); !errors.Is(err, tool.LeftOut) {
		t.Errorf("nothing is granted, and it loads: %v", err)
	}
}

// TestLoadDir loads a folder.
func TestLoadDir(t *testing.T) {
	write := func(t *testing.T, files map[string]string) string {
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
	code := "export const invoke = () => 1; export const tool = {description: 'x'};"
	t.Run("sorted, not recursive", func(t *testing.T) {
		dir := write(t, map[string]string{"b.js": code, "a.ts": "import { x } from './lib/x.ts'; export const invoke = (): number => x; export const tool = {description: 'x'}", "lib/x.ts": "export const x: number = 1", "lib/broken.js": "(", "c.d.ts": "declare const x: number", "readme.md": "#", "a.tool.test.yaml": "cases: []"})
		d, err := tool.LoadDir(dir, tool.Config{LoadTimeout: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Tools) != 2 || d.Tools[0].FileName() != "a.ts" || d.Tool("b") == nil || d.Tool("c") != nil {
			t.Errorf("%v", d.Tools)
		}
		if got := d.Tools[0].Imports(); fmt.Sprint(got) != "[lib/x.ts]" {
			t.Errorf("a.ts imports %v", got)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, tt := range []struct {
		name  string
		files map[string]string
		code  tool.Code
		want  string
	}{
		{"two names", map[string]string{"a.js": code, "b.js": "export const invoke = () => 1; export const tool = {name: 'a', description: 'x'}"}, tool.Duplicate, "b.js: there are two tools of the name a: the other one is a.js; rename one of them"},
		{"two languages", map[string]string{"a.js": code, "a.ts": code}, tool.Duplicate, "a.ts: there are two tools of the name a: the other one is a.js; rename one of them"},
		{"an orphan", map[string]string{"a.js": code, "b.tool.yaml": "description: x"}, tool.Orphan, "b.tool.yaml: this describes no tool: there is neither b.js nor b.ts"},
		{"another ending", map[string]string{"a.js": code, "a.tool.yml": "description: x"}, tool.Orphan, "a.tool.yml: this is not read: the description of a tool is called a.tool.yaml"},
		{"all that is wrong", map[string]string{"a.js": "1", "b.js": "export const invoke = 1;", "c.js": code}, tool.NoInvoke, "a.js:1:1: the file exports no function invoke: it exports nothing; write export async function invoke(inputs, ctx) { … }\nb.js:1:1: the file exports no function invoke: it exports nothing that can be called; write export async function invoke(inputs, ctx) { … }"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files)
			_, err := tool.LoadDir(dir, tool.Config{LoadTimeout: 20 * time.Second})
			if err == nil || err.Error() != tt.want || !errors.Is(err, tt.code) {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
	t.Run("no folder", func(t *testing.T) {
		dir := t.TempDir()
		_, err := tool.LoadDir(filepath.Join(dir, "none"), tool.Config{})
		if !errors.Is(err, tool.Unreadable) || !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), dir) {
			t.Error(err)
		}
	})
	t.Run("an orphan is a warning", func(t *testing.T) {
		d, err := tool.LoadDir(write(t, map[string]string{"a.js": "export const invoke = () => 1; export const tool = {description: 'x', colour: 1}", "b.tool.yaml": "description: x"}), tool.Config{Lenient: true, LoadTimeout: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(d.Warnings); !strings.HasPrefix(got, `[a.js:1:71: unknown key "colour"; there are name,`) || !strings.Contains(got, "b.tool.yaml: this describes no tool") {
			t.Error(got)
		}
	})
}

// TestLoadGuard looks that what a tool imports is in its folder, whatever links
// and special files lie there, and that no message tells where the folder is.
func TestLoadGuard(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.js"), []byte("export const secret = 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text("inside.js", "export const x = 'inside'")
	for name, to := range map[string]string{"out.js": filepath.Join(outside, "secret.js"), "in.js": "inside.js", "up.js": "../" + filepath.Base(outside) + "/secret.js"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.js"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"in.js": "", "out.js": "can't be read: outside the granted folders", "up.js": "can't be read: outside the granted folders", "folder.js": "can't be read: ",
	} {
		text("t.js", "import '"+"./"+name+"'\nexport const invoke = () => 1; export const tool = {description: 'x'}")
		_, err := tool.Load(filepath.Join(dir, "t.js"), tool.Config{LoadTimeout: 20 * time.Second})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), outside)):
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"folder.js", "none.js"} {
		if _, err := tool.Load(filepath.Join(dir, name), tool.Config{}); !errors.Is(err, tool.Unreadable) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestImports runs a tool of several files, which import each other in a circle.
func TestImports(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Modules = map[string]string{"host": "export const given = 'by the host'"}
		f := load(t, tool.Source{
			File: "main.ts",
			Text: `import { a } from './lib/a.js'; import table from './table.json' with { type: 'json' }; import { given } from 'host';
export const own = (): string => 'own';
export const tool = { description: 'x' };
export async function invoke() { const { late } = await import('./lib/late.ts'); return [a(), table.n, given, late, await import('./none.js').catch(e => e.message)] }`,
			Modules: map[string]string{
				"lib/a.js":    "import { b } from './b.js'; import { own } from '../main.ts'; export const a = () => b() + own(); export const n = () => 'n'",
				"lib/b.js":    "import { n } from './a.js'; export const b = () => 'b' + n()",
				"lib/late.ts": "export const late: string = 'late'",
				"table.json":  `{"n": 7}`, "unused.js": "(",
			},
		}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		r := f.Call(t.Context(), nil)
		want := `["bnown",7,"by the host","late","Cannot load module './none.js': available: host, lib/a.js, lib/b.js, lib/late.ts, table.json"]`
		if r.Text != want {
			t.Errorf("%s\nwant %s", r.Text, want)
		}
	})
}

// TestManyImports has more files than a tool may have, and longer ones.
func TestManyImports(t *testing.T) {
	many, long := map[string]string{}, map[string]string{}
	for i := range 250 {
		many[fmt.Sprintf("m%d.js", i)] = fmt.Sprintf("import './m%d.js'", i+1)
		long[fmt.Sprintf("m%d.js", i)] = fmt.Sprintf("import './m%d.js'\n//%s", i+1, strings.Repeat("x", 100_000))
	}
	for want, modules := range map[string]map[string]string{"m199.js:1:8: the tool imports more than 200 files": many, "m82.js:1:8: the files that the tool imports have more than 8388608 bytes together": long} {
		_, err := tool.Source{File: "t.js", Text: "import './m0.js'; export const invoke = () => 1", YAML: "description: x", Modules: modules}.Load(tool.Config{LoadTimeout: 20 * time.Second})
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestHash changes each thing that a tool is made of.
func TestHash(t *testing.T) {
	base := func() tool.Source {
		return tool.Source{File: "t.js", Text: "import './a.js'; export const invoke = () => 1", YAML: "description: x", Modules: map[string]string{"a.js": "1", "b.js": "1"}}
	}
	hash := func(change func(*tool.Source)) string {
		s := base()
		change(&s)
		return load(t, s, tool.Config{LoadTimeout: 20 * time.Second}).Hash()
	}
	first := hash(func(*tool.Source) {})
	if len(first) != 64 || first != hash(func(*tool.Source) {}) || first != hash(func(s *tool.Source) { s.Modules["b.js"] = "2" }) {
		t.Error("equal tools have different hashes")
	}
	seen := map[string]bool{first: true}
	for i, change := range []func(*tool.Source){
		func(s *tool.Source) { s.Text += " " }, func(s *tool.Source) { s.YAML += " " }, func(s *tool.Source) { s.Modules["a.js"] += " " },
		func(s *tool.Source) { s.File = "u.js" },
	} {
		if h := hash(change); seen[h] {
			t.Errorf("change %d leaves the hash as it was", i)
		} else {
			seen[h] = true
		}
	}
}

// TestLoadTakesASlot looks that loading waits for the limiter, and counts.
func TestLoadTakesASlot(t *testing.T) {
	l, err := limiter.New(limiter.Config{MaxConcurrentRuns: 4, MaxRunsPerCaller: 1, MaxWait: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	slot, err := l.Acquire(t.Context(), limiter.Request{})
	if err != nil {
		t.Fatal(err)
	}
	s := tool.Source{File: "t.js", Text: "export const invoke = () => 1; export const tool = {description: 'x'}"}
	cfg := tool.Config{Options: pinfold.Options{Limiter: l}, LoadTimeout: 20 * time.Second}
	_, err = s.Load(cfg)
	var busy *limiter.BusyError
	if !errors.Is(err, tool.NotAdmitted) || !errors.Is(err, pinfold.ErrBusy) || !errors.As(err, &busy) {
		t.Errorf("%v", err)
	}
	slot.Release()
	before := l.Stats().AdmittedRuns
	load(t, s, cfg)
	if n := l.Stats().AdmittedRuns - before; n != 2 { // compiling, and the top level
		t.Errorf("loading took %d slots", n)
	}
	if n := l.ActiveRuns(); n != 0 {
		t.Errorf("%d slots are still held", n)
	}
}

// TestFrozenDescription loads a tool whose description depends on when it is
// asked.
func TestFrozenDescription(t *testing.T) {
	f := load(t, tool.Source{Text: `export const tool = { description: 'seed ' + Math.random(), requires: ctx.capabilities.length ? [] : ['log'] };
export const invoke = () => tool.description`}, tool.Config{LoadTimeout: 20 * time.Second})
	first := f.Definition()
	for range 3 {
		if r := f.Call(t.Context(), nil); r.IsError || r.Text == first.Description {
			t.Errorf("a call has the description of the load: %s", r.Text)
		}
	}
	if f.Definition().Description != first.Description || len(f.Definition().Requires) != 1 {
		t.Error("the definition has changed")
	}
}

func TestConfigErrors(t *testing.T) {
	s := tool.Source{File: "t.js", Text: "export const invoke = () => 1; export const tool = {description: 'x'}"}
	for _, tt := range []struct {
		cfg  tool.Config
		want string
	}{
		{tool.Config{Options: pinfold.Options{Requires: []pinfold.Requirement{}}}, "tool: Options.Requires must be nil"},
		{tool.Config{LoadTimeout: -1}, "tool: LoadTimeout is -1ns"},
		{tool.Config{Options: pinfold.Options{Limits: pinfold.Limits{Fuel: -1}}}, "tool: "},
		{tool.Config{Options: pinfold.Options{KeepCalls: -1}}, "tool: pinfold: KeepCalls is -1"},
	} {
		if _, err := s.Load(tt.cfg); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
