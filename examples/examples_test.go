package examples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"testing"
)

// program is one example, read from its folder.
type program struct {
	path   string // of the source file, for its extension and for messages
	source string
	module bool            // has import or export: the default export is called with the input
	input  json.RawMessage // nil: undefined
	hosts  map[string]hostFunction
}

// hostFunction answers a call: args and the result are JSON texts.
type hostFunction func(args []json.RawMessage) (json.RawMessage, error)

// output is what a run gave.
type output struct {
	console []string
	value   json.RawMessage // compact or indented JSON, keys in the script's order; nil: undefined
}

var moduleSyntax = regexp.MustCompile(`(?m)^\s*(import|export)\b`)

func TestExamples(t *testing.T) {
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		p, ok := load(t, f.Name())
		if !ok {
			continue
		}
		found++
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(filepath.Join(filepath.Dir(p.path), "expected.txt"))
			if err != nil {
				t.Fatal(err)
			}
			out, err := run(p)
			if err != nil {
				t.Fatalf("%s: %v", p.path, err)
			}
			if got := text(t, out); got != string(want) {
				t.Errorf("%s: %s", p.path, firstDifference(got, string(want)))
			}
		})
	}
	if found < 18 {
		t.Errorf("found %d examples, want at least 18", found)
	}
}

// load reads the example in dir; ok is false when dir holds none (no single
// program, or no recording).
func load(t *testing.T, dir string) (p program, ok bool) {
	t.Helper()
	var programs, inputs []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	recorded := false
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "expected.txt":
			recorded = true
		case strings.HasSuffix(name, ".ts"), strings.HasSuffix(name, ".js"):
			programs = append(programs, filepath.Join(dir, name))
		case strings.HasSuffix(name, ".json") && name != "hosts.json":
			inputs = append(inputs, filepath.Join(dir, name))
		}
	}
	if !recorded || len(programs) != 1 || len(inputs) > 1 {
		return program{}, false
	}
	p.path = programs[0]
	p.source = string(read(t, p.path))
	p.module = moduleSyntax.MatchString(p.source)
	if len(inputs) == 1 {
		p.input = read(t, inputs[0])
	}
	if path := filepath.Join(dir, "hosts.json"); fileExists(path) {
		p.hosts = loadHosts(t, path)
	}
	return p, true
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// text renders an output as expected.txt holds it.
func text(t *testing.T, out output) string {
	t.Helper()
	var b bytes.Buffer
	for _, line := range out.console {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	if out.value != nil {
		b.WriteString("=> ")
		if err := json.Indent(&b, out.value, "", "  "); err != nil {
			t.Fatalf("the value isn't JSON: %v", err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; i < len(g) || i < len(w); i++ {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d is\n\t%s\nwant\n\t%s", i+1, a, b)
		}
	}
	return "same"
}

// response is one canned answer of hosts.json.
type response struct {
	Value json.RawMessage `json:"value"`
	Error *string         `json:"error"`
}

func (r response) answer() (json.RawMessage, error) {
	if r.Error != nil {
		return nil, fmt.Errorf("%s", *r.Error)
	}
	return r.Value, nil
}

func loadHosts(t *testing.T, path string) map[string]hostFunction {
	t.Helper()
	var described map[string]struct {
		Kind      string          `json:"kind"`
		Responses json.RawMessage `json:"responses"`
		Otherwise *response       `json:"otherwise"`
	}
	decode(t, path, read(t, path), &described)
	names := make([]string, 0, len(described))
	for name := range described {
		names = append(names, name)
	}
	sort.Strings(names)
	hosts := make(map[string]hostFunction, len(names))
	for _, name := range names {
		d := described[name]
		switch d.Kind {
		case "echo":
			hosts[name] = echo
		case "sum":
			hosts[name] = sum
		case "list":
			var responses []response
			decode(t, path, d.Responses, &responses)
			hosts[name] = list(responses)
		case "table":
			var responses map[string]response
			decode(t, path, d.Responses, &responses)
			hosts[name] = table(name, responses, d.Otherwise)
		default:
			t.Fatalf("%s: %s: unknown kind %q", path, name, d.Kind)
		}
	}
	return hosts
}

func decode(t *testing.T, path string, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func echo(args []json.RawMessage) (json.RawMessage, error) {
	if len(args) == 0 {
		return nil, nil
	}
	return args[0], nil
}

func sum(args []json.RawMessage) (json.RawMessage, error) {
	total := 0.0
	for _, a := range args {
		var n float64
		if err := json.Unmarshal(a, &n); err != nil {
			return nil, err
		}
		total += n
	}
	return json.Marshal(total)
}

func list(responses []response) hostFunction {
	var mu sync.Mutex
	calls := 0
	return func([]json.RawMessage) (json.RawMessage, error) {
		mu.Lock()
		r := responses[min(calls, len(responses)-1)]
		calls++
		mu.Unlock()
		return r.answer()
	}
}

func table(name string, responses map[string]response, otherwise *response) hostFunction {
	return func(args []json.RawMessage) (json.RawMessage, error) {
		key := "undefined"
		if len(args) > 0 {
			if args[0] == nil || args[0][0] != '"' || json.Unmarshal(args[0], &key) != nil {
				var compact bytes.Buffer
				if err := json.Compact(&compact, args[0]); err != nil {
					return nil, err
				}
				key = compact.String()
			}
		}
		if r, ok := responses[key]; ok {
			return r.answer()
		}
		if otherwise != nil {
			return otherwise.answer()
		}
		return nil, fmt.Errorf("%s: nothing for %s", name, key)
	}
}
