package pinfold_test

import (
	"os"
	"strings"
	"testing"
)

// The README's embedding example is the body of examples/embed, and its table of
// limits names the defaults.
func TestReadme(t *testing.T) {
	readme := read(t, "README.md")
	main := read(t, "examples/embed/main.go")
	_, body, _ := strings.Cut(main, "func main() {\n")
	body = strings.TrimSuffix(strings.TrimRight(body, "\n"), "\n}")
	var want strings.Builder
	for line := range strings.Lines(body + "\n") {
		want.WriteString(strings.TrimPrefix(line, "\t"))
	}
	if !strings.Contains(readme, "```go\n"+want.String()+"```") {
		t.Errorf("README.md doesn't hold the body of examples/embed/main.go:\n%s", want.String())
	}
	for _, want := range []string{"256 MiB", "4 GiB", "200 million", "10 s", "2000", "256 KiB", "5000", "1 MiB", "4 MiB", "64", "1000"} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md doesn't name the default %s", want)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}
