package metercheck_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/hostile"
)

// The parser and the compiler say once, for all their loops, that they go on in the
// text, and that a token or a node of the tree is charged for. That is proved
// here by counting: the packages are built with a counter in each loop and each
// function, and what they count stays in proportion to what they charge.

// counted are the folders whose loops are counted.
var counted = []string{"js/syntax", "js/compiler", "js/bytecode"}

// stepsPerUnit is how often a loop may turn for a unit that is charged; a text that
// is refused may be gone over a few times more, for the words of its error.
const (
	stepsPerUnit = 100
	stepsPerByte = 20
	stepsFree    = 20_000
)

// countProgram builds testdata/count with the counters. places are where they are.
func countProgram(t *testing.T) (exe string, places []string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for _, folder := range counted {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var out []byte
			if out, places = withCounters(t, path, src, places); out == nil {
				continue
			}
			to := filepath.Join(dir, strings.ReplaceAll(folder, "/", "_")+"_"+filepath.Base(path))
			if err := os.WriteFile(to, out, 0o600); err != nil {
				t.Fatal(err)
			}
			replace[path] = to
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	exe = filepath.Join(dir, "count.exe")
	build := exec.Command("go", "build", "-overlay", list, "-o", exe, "./testdata/count")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return exe, places
}

// withCounters puts a counter into each loop and each function of a file; nil if it
// has none. The lines stay what they are.
func withCounters(t *testing.T, path string, src []byte, places []string) ([]byte, []string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	type insert struct {
		at   int
		text string
	}
	var list []insert
	ast.Inspect(f, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		case *ast.FuncDecl:
			body = n.Body
		}
		if body != nil {
			list = append(list, insert{fset.Position(body.Lbrace).Offset + 1, fmt.Sprintf(" tally.At[%d]++; ", len(places))})
			p := fset.Position(n.Pos())
			places = append(places, fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line))
		}
		return true
	})
	if len(list) == 0 {
		return nil, places
	}
	list = append(list, insert{fset.Position(f.Name.End()).Offset, `; import "github.com/pinfold-js/pinfold/internal/metercheck/testdata/tally"`})
	slices.SortFunc(list, func(a, b insert) int { return a.at - b.at })
	var out bytes.Buffer
	at := 0
	for _, x := range list {
		out.Write(src[at:x.at])
		out.WriteString(x.text)
		at = x.at
	}
	out.Write(src[at:])
	return out.Bytes(), places
}

// countText is a text for the program, and what the program says of one.
type (
	countText struct {
		name                     string
		Src                      string
		TypeScript, Code, Module bool
	}
	counts struct {
		Units       int64
		Steps       int
		Most, Often int
	}
)

var (
	tokens = strings.Fields("( ) [ ] { } , ; : ? ?. . ... => = == + - * / % ** ++ -- ! ~ & | && || ?? < > >> <= ` ${ } ' \" a b c 1 0x1 1n /a/ /a/v this super new new.target function function* async await yield class extends static get set #a constructor if else for for( while do switch case default: try catch finally throw return break continue var let const in of instanceof typeof void delete with import export from as default debugger label: null true eval arguments @a import.meta import( using // /* */ \\u0061 a=1 {a} {a=1} [a] (a) a:1 'use~strict' f() x=>1 async() ()=>{} <!-- --> \\ #")
	types  = strings.Fields("type interface enum namespace module declare abstract readonly keyof infer is satisfies as! ! <T> : A| A& A<B> A?B:C public private accessor override unique symbol asserts import=require export= enum~A{a=1} namespace~N{export~let~a=1} @d()class~A{} class~A{constructor(private~a){}} @a")
)

// countTexts are the ways in which text nests, and random pieces again and again,
// each some ten thousand bytes.
func countTexts() []countText {
	const size = 20_000
	var list []countText
	for _, s := range hostile.Shapes {
		for _, n := range []int{200, 900, 20_000} {
			list = append(list, countText{name: fmt.Sprint(s.Name, " ", n), Src: s.Make(n), TypeScript: s.TypeScript})
		}
		for _, between := range []string{"", ";\n"} {
			list = append(list, countText{name: s.Name + between, Src: strings.Repeat(s.Make(1)+between, 4000), TypeScript: s.TypeScript, Code: true})
		}
	}
	for _, s := range slices.Concat(hostile.Long, hostile.Named) {
		for _, around := range []string{"%s", "function f(){%s}"} {
			list = append(list, countText{name: "long " + s.Name, Src: fmt.Sprintf(around, s.Repeat(5000)), TypeScript: s.TypeScript})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		t := countText{TypeScript: r.IntN(3) == 0, Code: r.IntN(2) == 0, Module: r.IntN(4) == 0}
		piece := func() string {
			var b strings.Builder
			for range 1 + r.IntN(6) {
				from := tokens
				if t.TypeScript && r.IntN(3) == 0 {
					from = types
				}
				b.WriteString(strings.ReplaceAll(from[r.IntN(len(from))], "~", " "))
				b.WriteString([...]string{" ", "", "", "\n"}[r.IntN(4)])
			}
			return b.String()
		}
		open, mid, shut := piece(), "", ""
		if r.IntN(2) == 0 {
			mid = piece()
		}
		if r.IntN(2) == 0 {
			shut = piece()
		}
		n := size / len(open+shut)
		if r.IntN(3) == 0 {
			n = min(n, 900) // what nests is not refused
		}
		t.name = fmt.Sprintf("%q %q %q %d times", open, mid, shut, n)
		var b strings.Builder
		distinct := r.IntN(3) == 0
		for i := range n {
			if distinct {
				b.WriteString(strings.ReplaceAll(open, "a", fmt.Sprint("a", i)))
			} else {
				b.WriteString(open)
			}
		}
		t.Src = b.String() + mid + strings.Repeat(shut, n)
		if r.IntN(3) == 0 {
			t.Src = "function f(){" + t.Src + "}"
		}
		list = append(list, t)
	}
	return list
}

func TestLoopsPerUnit(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the parser and the compiler again")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the program is built by the go command, which isn't there")
	}
	exe, places := countProgram(t)
	if len(places) < 500 {
		t.Fatalf("%d places are counted", len(places))
	}
	texts := countTexts()
	var in bytes.Buffer
	for _, x := range texts {
		if err := json.NewEncoder(&in).Encode(x); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(exe)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	worst := 0.0
	total := 0
	for _, x := range texts {
		var c counts
		if err := dec.Decode(&c); err != nil {
			t.Fatal(err)
		}
		total += c.Steps
		may := stepsPerUnit*int(c.Units) + stepsPerByte*len(x.Src) + stepsFree
		worst = max(worst, float64(c.Steps)/float64(may))
		if c.Steps > may {
			t.Errorf("%s: %d steps for %d units and %d bytes, %d of them at %s", x.name, c.Steps, c.Units, len(x.Src), c.Often, places[c.Most])
		}
	}
	t.Logf("%d texts, %d places, %d steps: at most %.0f%% of what may be", len(texts), len(places), total, worst*100)
	if total < 1_000_000 {
		t.Errorf("%d steps were counted", total)
	}
}
