package syntax_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// The columns in long lines are those that counting from the line's start gives.
func TestPositionsInLongLines(t *testing.T) {
	long := strings.Repeat("aé€😀", 1500)
	for _, src := range []string{long, "x\n" + long + "\r\n" + long + "\u2028y", long + "\n\n" + strings.Repeat("a", 5000)} {
		lines := syntax.NewLineTable(src)
		start, line := 0, 1
		for off := 0; off <= len(src); off++ {
			if off < len(src) && !utf8.RuneStart(src[off]) {
				continue
			}
			if off > 0 && (src[off-1] == '\n' || strings.HasSuffix(src[:off], "\u2028")) {
				start, line = off, line+1
			}
			text := src[start:off]
			units := 0
			for _, r := range text {
				if units++; r > 0xFFFF {
					units++
				}
			}
			want := syntax.Position{Line: line, ByteColumn: len(text) + 1, RuneColumn: utf8.RuneCountInString(text) + 1, UTF16Column: units + 1}
			if off%97 == 0 || off-start < 3 {
				if got := lines.Position(int32(off)); got != want {
					t.Fatalf("offset %d: %+v, want %+v", off, got, want)
				}
			}
		}
	}
}
