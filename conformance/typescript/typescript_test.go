package typescript

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// A snippet is one program of a file.
type snippet struct{ name, text string }

// read splits the files into snippets.
func read(t *testing.T) []snippet {
	t.Helper()
	files, err := filepath.Glob("snippets/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	var list []snippet
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(f), ".ts")
		var s *snippet
		for _, line := range strings.SplitAfter(string(text), "\n") {
			if name, ok := strings.CutPrefix(line, "//// "); ok {
				list = append(list, snippet{name: base + ": " + strings.TrimSuffix(name, "\n")})
				s = &list[len(list)-1]
			} else if s != nil {
				s.text += line
			}
		}
	}
	return list
}

// parts splits a snippet into its module and the ones it imports, each under a
// line `//-- name`.
func parts(text string) (string, map[string]string) {
	var key, main string
	more := map[string]string{}
	for _, line := range strings.SplitAfter(text, "\n") {
		if name, ok := strings.CutPrefix(line, "//-- "); ok {
			key = strings.TrimSuffix(name, "\n")
			more[key] = ""
		} else if key == "" {
			main += line
		} else {
			more[key] += line
		}
	}
	return main, more
}

// run returns the lines that a module prints. stress: every safepoint collects.
func run(name, text string, stress bool) (lines []string) {
	mt := meter.New(context.Background(), meter.Limits{Fuel: 50_000_000, LiveBytes: 64 << 20, Depth: 2000, NativeDepth: 200})
	defer mt.Close()
	main, more := parts(text)
	opt := js.CompileOptions{
		Goal: js.Module, TypeScript: true, NonErasable: js.CompileNonErasable, Charge: mt.Charge,
		LegacyDecorators: strings.HasPrefix(name, "legacy"),
	}
	p, err := js.Compile("snippet.ts", main, opt)
	if err != nil {
		return []string{"SyntaxError: " + err.Error()}
	}
	load := func(_, specifier string, _ [][2]string) (vm.ModuleSource, error) {
		text, ok := more[specifier]
		if !ok {
			return vm.ModuleSource{}, vm.ErrModuleNotFound
		}
		src := vm.ModuleSource{Key: specifier}
		if strings.HasSuffix(specifier, ".json") {
			src.Default = func(m *vm.Machine) (vm.Value, error) {
				return membrane.Import(m, json.RawMessage(text), specifier, membrane.Limits{Bytes: 1 << 20, Depth: 100})
			}
			return src, nil
		}
		p, err := js.Compile(specifier, text, opt)
		src.Program = p
		return src, err
	}
	m, err := js.NewMachine(mt, vm.Options{Stress: stress, LoadModule: load})
	if err != nil {
		return []string{err.Error()}
	}
	f, err := m.NewHostFunction("put", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := m.GoString(c.Args[0])
		lines = append(lines, s)
		return vm.Undefined, err
	})
	if err != nil {
		return []string{err.Error()}
	}
	if err := m.SetGlobal("put", heap.ObjectValue(f)); err != nil {
		return []string{err.Error()}
	}
	prelude, err := js.Compile("prelude.js", `{
		const { put } = globalThis;
		delete globalThis.put;
		const show = v => { try { return String(v); } catch (e) { return 'no string: ' + e; } };
		globalThis.console = { log(...a) { put(a.map(show).join(' ')); } };
	}`, js.CompileOptions{})
	if err == nil {
		_, err = m.RunScript(prelude)
	}
	if err != nil {
		return []string{err.Error()}
	}
	thrown := func(v vm.Value) {
		s := m.Describe(v)
		if v.IsObject() {
			if h, err := m.Headline(v); err == nil {
				s = m.H.GoString(h)
			}
		}
		lines = append(lines, "Uncaught "+s)
	}
	ended := func(err error) {
		if v, ok := m.Caught(err); ok {
			thrown(v)
			return
		}
		lines = append(lines, "ended: "+err.Error())
	}
	mod, err := m.AddModule(vm.ModuleSource{Key: "snippet.ts", Program: p})
	if err == nil {
		err = m.Link(mod)
	}
	var o vm.Obj
	if err == nil {
		o, err = m.Evaluate(mod)
	}
	if err != nil {
		ended(err)
		return lines
	}
	at := m.Root(heap.ObjectValue(o))
	defer m.PopRoots(at)
	for m.HasJobs() {
		if err := m.RunJobs(); err != nil {
			ended(err)
			return lines
		}
	}
	switch state, v := m.PromiseStateOf(o); state {
	case vm.PromiseRejected:
		thrown(v)
	case vm.PromisePending:
		lines = append(lines, "pending")
	default:
		var names []string
		for _, e := range p.Exports {
			names = append(names, e.Name)
		}
		sort.Strings(names)
		if len(names) > 0 && len(more) == 0 {
			lines = append(lines, "exports: "+strings.Join(names, " "))
		}
	}
	return lines
}

func TestSnippets(t *testing.T) {
	text, err := os.ReadFile("expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	list := read(t)
	if len(list) != len(want) {
		t.Errorf("%d snippets, %d expectations: run record.mjs", len(list), len(want))
	}
	for i, s := range list {
		t.Run(s.name, func(t *testing.T) {
			got := strings.Join(run(s.name, s.text, i%10 == 0), "\n")
			if w := strings.Join(want[s.name], "\n"); got != w {
				t.Errorf("%s\nprints:\n%s\nwant:\n%s", s.text, got, w)
			}
		})
	}
}
