package list_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js/intl/list"
)

// TestSeparators has node v20's Intl.ListFormat as its source.
func TestSeparators(t *testing.T) {
	for _, c := range []struct{ data, typ, style, next, want string }{
		{"en", "conjunction", "long", "B", " and "}, {"en", "conjunction", "short", "B", " & "}, {"de", "disjunction", "narrow", "B", " oder "},
		{"es", "conjunction", "long", "Ivan", " e "}, {"es", "conjunction", "long", "hielo", " y "}, {"es", "conjunction", "long", "hi", " e "},
		{"es", "disjunction", "long", "ocho", " u "}, {"es", "disjunction", "long", "11", " u "}, {"es", "disjunction", "long", "110", " o "},
		{"ja", "conjunction", "long", "B", "、"}, {"zh", "unit", "long", "B", ""},
	} {
		p := list.For(c.data, c.typ, c.style)
		if _, got, _ := p.Separators(p.Pair, c.next); got != c.want {
			t.Errorf("%v: %q", c, got)
		}
	}
}
