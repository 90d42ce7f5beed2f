package corpus

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// result is what a program did.
type result struct {
	lines    []string // one per console.log
	uncaught string   // "" or how the uncaught exception reads: "<name>: <message>", else its string
}

func TestCorpus(t *testing.T) {
	failing := readFailing(t)
	programs := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".js") {
			return err
		}
		programs++
		name := filepath.ToSlash(strings.TrimSuffix(path, ".js"))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			switch {
			case strings.HasPrefix(name, "host-globals/") && !hostGlobals:
				t.Skip("needs a global that isn't ECMAScript's")
			}
			difference := runOne(t, path)
			switch known := failing[name]; {
			case difference == "" && known:
				t.Errorf("passes now: take it out of failing.txt")
			case difference != "" && !known:
				t.Error(difference)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if programs < 350 {
		t.Errorf("found %d programs, want at least 350", programs)
	}
}

// runOne runs the program and says where its output leaves the recording; ""
// when it doesn't.
func runOne(t *testing.T, path string) string {
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(strings.TrimSuffix(path, ".js") + ".out")
	if err != nil {
		t.Fatal(err)
	}
	r, err := run(filepath.Base(path), string(source))
	if err != nil {
		return fmt.Sprintf("the run failed: %v", err)
	}
	var got strings.Builder
	for _, line := range r.lines {
		got.WriteString(line)
		got.WriteByte('\n')
	}
	if r.uncaught != "" {
		got.WriteString("Uncaught " + r.uncaught + "\n")
	}
	return firstDifference(got.String(), string(want))
}

func firstDifference(got, want string) string {
	if got == want {
		return ""
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; i < len(g) || i < len(w); i++ {
		a, b := "(nothing)", "(nothing)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d is\n\t%s\nwant\n\t%s%s", i+1, a, b, at(a, b))
		}
	}
	return ""
}

// at points at the first differing field of two long lines.
func at(a, b string) string {
	x, y := strings.Fields(a), strings.Fields(b)
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] != y[i] {
			return fmt.Sprintf("\nfield %d is %s, want %s", i+1, x[i], y[i])
		}
	}
	return ""
}

// readFailing reads the names of the programs that are known to fail, one a
// line, `#` starts a comment. The test fails when one of them passes.
func readFailing(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open("failing.txt")
	if err != nil {
		if os.IsNotExist(err) {
			return nil
		}
		t.Fatal(err)
	}
	defer f.Close()
	names := map[string]bool{}
	for s := bufio.NewScanner(f); s.Scan(); {
		line, _, _ := strings.Cut(s.Text(), "#")
		if line = strings.TrimSpace(line); line != "" {
			names[line] = true
		}
	}
	return names
}
