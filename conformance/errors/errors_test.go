package errors

import (
	"bufio"
	"bytes"
	"encoding/json"
	goerrors "errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// told is what an engine says of a program's error.
type told struct {
	Headline string   `json:"headline"`
	Place    string   `json:"place,omitempty"` // line:column of an early error
	Stack    []string `json:"stack"`
}

type program struct {
	key, name, source string
	module            bool
}

// The rates below which the test fails, in percent.
const (
	wantHeadlines = 95
	wantStacks    = 90
)

func TestErrors(t *testing.T) {
	expected := map[string]told{}
	recorded, err := filepath.Glob("programs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range recorded {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &expected); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	failing := readFailing(t)
	list := programs(t)
	if len(list) < 250 {
		t.Errorf("found %d programs, want at least 250", len(list))
	}
	headlines, stacks := 0, 0
	for _, p := range list {
		want, ok := expected[p.key]
		if !ok {
			t.Errorf("%s: not recorded: run record.mjs", p.key)
			continue
		}
		got := run(t, p)
		got.Headline = lineAndColumn.ReplaceAllString(got.Headline, "$1")
		if want.Place == "" && want.Stack == nil {
			got.Place = "" // node doesn't say where
		}
		same := got.Headline == want.Headline
		if same {
			headlines++
		}
		frames := same && got.Place == want.Place && strings.Join(got.Stack, "\n") == strings.Join(want.Stack, "\n")
		if frames {
			stacks++
		}
		switch known := failing[p.key]; {
		case frames && known:
			t.Errorf("%s is as node's now: take it out of failing.txt", p.key)
		case !frames && !known:
			t.Errorf("%s\n got: %s\nnode: %s", p.key, got.String(), want.String())
		}
	}
	t.Logf("%d programs: headline equal in %d (%.1f %%), whole stack in %d (%.1f %%)", len(list),
		headlines, percent(headlines, len(list)), stacks, percent(stacks, len(list)))
	if percent(headlines, len(list)) < wantHeadlines || percent(stacks, len(list)) < wantStacks {
		t.Errorf("want %d %% of the headlines, %d %% of the stacks", wantHeadlines, wantStacks)
	}
}

// lineAndColumn is what node 22 and later, and this engine, add to the messages
// of JSON.parse.
var lineAndColumn = regexp.MustCompile(`( JSON at position \d+) \(line \d+ column \d+\)`)

func percent(n, all int) float64 { return 100 * float64(n) / float64(all) }

func (r told) String() string {
	s := r.Headline
	if r.Place != "" {
		s = r.Place + " " + s
	}
	for _, f := range r.Stack {
		s += "\n        " + f
	}
	return s
}

// programs reads the programs, as record.mjs does.
func programs(t *testing.T) []program {
	t.Helper()
	files, err := filepath.Glob("programs/*.js")
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	var out []program
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		theme := strings.TrimSuffix(filepath.Base(file), ".js")
		for _, part := range strings.Split("\n"+string(text), "\n//// ")[1:] {
			head, source, _ := strings.Cut(part, "\n")
			name, kind, _ := strings.Cut(strings.TrimSpace(head), " ")
			if !strings.HasSuffix(source, "\n") {
				source += "\n"
			}
			out = append(out, program{key: theme + "/" + name, name: name, source: source, module: kind == "module"})
		}
	}
	return out
}

// run runs a program in a fresh realm and describes its uncaught error.
func run(t *testing.T, p program) told {
	t.Helper()
	m, err := js.NewMachine(meter.New(nil, meter.Limits{Fuel: 100_000_000, LiveBytes: 2 << 30, Depth: 2000, NativeDepth: 1000}), vm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file, goal := p.name+".js", js.Script
	if p.module {
		file, goal = p.name+".mjs", js.Module
	}
	code, err := js.Compile(file, p.source, js.CompileOptions{Goal: goal})
	var early *syntax.SyntaxError
	if goerrors.As(err, &early) {
		return told{Headline: "SyntaxError: " + early.Message, Place: fmt.Sprintf("%d:%d", early.Line, early.Column)}
	}
	if err != nil {
		t.Fatalf("%s: %v", p.key, err)
	}
	thrown := vm.Undefined
	failed := false
	if p.module {
		var mod vm.LoadedModule
		if mod, err = m.AddModule(vm.ModuleSource{Key: file, Program: code}); err == nil {
			err = m.Link(mod)
		}
		if err == nil {
			_, err = m.Evaluate(mod)
		}
	} else {
		_, err = m.RunScript(code)
	}
	if err == nil {
		err = m.RunJobs()
	}
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return told{Headline: "the run ended: " + err.Error()}
		}
		thrown, failed = exc, true
	} else if rejected := m.Unhandled(); len(rejected) > 0 {
		_, thrown = m.PromiseStateOf(rejected[0])
		failed = true
	}
	if !failed {
		return told{Headline: "nothing was thrown"}
	}
	return describe(t, m, thrown)
}

// describe takes an error's stack apart, as record.mjs does.
func describe(t *testing.T, m *vm.Machine, v vm.Value) told {
	t.Helper()
	m.Root(v)
	stack := vm.Undefined
	if v.IsObject() {
		var err error
		if stack, err = m.Get(v.AsObj(), m.N.Stack); err != nil {
			t.Fatal(err)
		}
	}
	if !stack.IsString() {
		kind := m.H.GoString(m.TypeOf(v))
		var text string
		if v.IsSymbol() {
			text = m.Describe(v)
		} else if s, err := m.ToString(v); err == nil {
			text = m.H.GoString(s)
		} else {
			text = "(no string)"
		}
		return told{Headline: "thrown " + kind + ": " + text}
	}
	lines := strings.Split(m.H.GoString(stack.AsStr()), "\n")
	first := 0
	for first < len(lines) && !strings.HasPrefix(lines[first], "    at ") {
		first++
	}
	r := told{Headline: strings.Join(lines[:first], "\n"), Stack: []string{}}
	for _, l := range lines[first:] {
		r.Stack = append(r.Stack, strings.TrimSpace(l))
	}
	return r
}

// readFailing reads the keys of the programs that are known to differ.
func readFailing(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("failing.txt")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		line, _, _ := strings.Cut(s.Text(), "#")
		if line = strings.TrimSpace(line); line != "" {
			keys[line] = true
		}
	}
	return keys
}
