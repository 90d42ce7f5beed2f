package tool_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/tool"
)

// FuzzLoad loads any source with any description: there is a tool, or an error
// of a known type, and never a panic.
func FuzzLoad(f *testing.F) {
	const code = "export const invoke = () => 1;"
	for _, s := range [][2]string{
		{code, "description: x\nrequires: {network: [a.example]}\n"},
		{code + "export const tool = {description: 'x', timeout: 1e3}", ""},
		{"import './a.js'; export * from './b.json';" + code, "description: &a x\nname: *a\n"},
		{code, strings.Repeat("- ", 200)}, {code, strings.Repeat("{a: ", 200)},
		{code, "description: !!binary x"}, {code, "? [a]\n: b"}, {code, "<<: {a: 1}"}, {code, "inputSchema: {$ref: '#'}"},
		{code, "description: x\ntimeout: 0x10\ncostHint: .5\nparallelSafe: yes\n"},
	} {
		f.Add(s[0], s[1])
	}
	opt := pinfold.Options{Limits: pinfold.Limits{Fuel: 200_000, MemoryBytes: 8 << 20, SourceBytes: 64 << 10}, NoExplain: true}
	f.Fuzz(func(t *testing.T, source, yaml string) {
		x, err := tool.Source{File: "t.ts", Text: source, YAML: yaml, Modules: map[string]string{"a.js": "export let a", "b.json": "[]"}}.Load(tool.Config{Options: opt, LoadTimeout: 5 * time.Second, Lenient: true})
		var bad *tool.LoadError
		var missing *tool.CapabilityMissingError
		if err != nil && !errors.As(err, &bad) && !errors.As(err, &missing) {
			t.Fatalf("%T %v", err, err)
		}
		if err == nil {
			if d := x.Definition(); d.Name == "" || d.Description == "" || len(d.InputSchema) == 0 {
				t.Fatalf("%+v", d)
			}
			if r := x.Call(t.Context(), nil); r == nil {
				t.Fatal("no result")
			}
		}
	})
}

// TestHostileYAML has descriptions that are to use up time or memory.
func TestHostileYAML(t *testing.T) {
	for name, yaml := range map[string]string{
		"aliases":   "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
		"deep":      strings.Repeat("[", 100_000),
		"deep maps": strings.Repeat("{a: ", 50_000),
		"many":      "description: [" + strings.Repeat("a,", 200_000) + "]",
		"large":     "description: " + strings.Repeat("x", 2<<20),
		"keys":      strings.Repeat("? ", 50_000),
		"blocks":    strings.Repeat("- ", 100_000),
	} {
		start := time.Now()
		_, err := tool.Source{File: "t.js", Text: "export const invoke = () => 1", YAML: yaml}.Load(tool.Config{LoadTimeout: 20 * time.Second})
		if !errors.Is(err, tool.BadDefinition) || len(err.Error()) > 2000 {
			t.Errorf("%s: %.300v", name, err)
		}
		t.Logf("%s: %v: %.100v", name, time.Since(start), err)
	}
}

func BenchmarkCall(b *testing.B) {
	for name, source := range map[string]string{
		"trivial": "export const tool = { description: 'x' }; export const invoke = () => 1",
		"schemas": "export const tool = { description: 'x', inputSchema: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'array', items: { type: 'string' } } }, required: ['a'], additionalProperties: false }, outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }; export const invoke = ({ a, b }) => ({ n: a + b.length })",
	} {
		b.Run(name, func(b *testing.B) {
			f := load(b, tool.Source{Text: source}, tool.Config{LoadTimeout: 20 * time.Second})
			args := map[string][]byte{"trivial": nil, "schemas": []byte(`{"a": 1, "b": ["x", "y"]}`)}[name]
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				if r := f.Call(ctx, args); r.IsError {
					b.Fatal(r.Text)
				}
			}
		})
	}
}
