package regexp_test

import (
	"fmt"
	"testing"

	"github.com/pinfold-js/pinfold/js/regexp"
)

// TestSpecification holds what Node.js 20 can't say: syntax it does not know
// yet, and where it leaves the specification. The results follow ECMA-262.
func TestSpecification(t *testing.T) {
	for _, c := range []struct{ pattern, flags, input, want string }{
		// Modifiers.
		{`(?i:a)b`, "", "ABAb", "2,4"},
		{`(?-i:a)b`, "i", "ABaB", "2,4"},
		{`(?i:a(?-i:b)c)`, "", "ABCAbC", "3,6"},
		{`(?s:.)(?-s:.)`, "", "\n\na", "1,3"},
		{`(?m:^)a$`, "", "b\na", "2,3"},
		{`(?m-i:^a)$`, "i", "A\na", "2,3"},
		{`(?ims-:a.^)`, "", "A\n", "0,2"},
		{`(?i:\b)(?i:[k])`, "u", "~212a", "0,1"},
		{`(?i:(.))\1(?i:\1)`, "", "aaA", "0,3;0,1"},
		{`(?:(?i:a)|b)c`, "", "Bc bc", "3,5"},
		{`(?i:)a`, "", "A", ""},
		{`(?-:a)`, "", "", "!Invalid flag group"},
		{`(?i-i:a)`, "", "", "!Repeated flag in flag group"},
		{`(?ii:a)`, "", "", "!Repeated flag in flag group"},
		{`(?i--s:a)`, "", "", "!Multiple dashes in flag group"},
		{`(?g:a)`, "", "", "!Invalid group"},
		{`(?i)`, "", "", "!Invalid group"},
		{`(?i-`, "", "", "!Invalid group"},
		{`(?i:a`, "", "", "!Unterminated group"},
		// Names in several alternatives.
		{`(?<x>a)|(?<x>b)`, "", "b", "0,1;-;0,1"},
		{`(?:(?<x>a)|(?<x>b))\k<x>`, "", "abb", "1,3;-;1,2"},
		{`(?:(?:(?<x>a)|(?<x>b))\k<x>){2}`, "", "aabb", "0,4;-;2,3"},
		{`^(?:(?<a>x)|(?<a>y)|z)\k<a>$`, "", "z", "0,1;-;-"},
		{`\k<a>(?:(?<a>x)|(?<a>y))`, "", "yy", "0,1;-;0,1"},
		{`(?<=(?:\k<a>(?<a>x)|(?<a>y)))z`, "", "xxz", "2,3;1,2;-"},
		{`(?:(?<x>a)|(?<x>b))(?<x>c)`, "", "", "!Duplicate capture group name"},
		{`(?<x>a)(?:(?<x>b)|c)`, "", "", "!Duplicate capture group name"},
		{`(?:(?<x>a)|(?:(?<y>b)|(?<x>c)))(?<y>d)`, "", "", "!Duplicate capture group name"},
		{`(?<x>a(?<x>b)|c)`, "", "", "!Duplicate capture group name"},
		{`(?=(?<x>a)|(?<x>b))|(?<x>c)`, "", "a", "0,0;0,1;-;-"},
		// Set operations with i; ſ and K fold to s and k.
		{`[\w--k]`, "iv", "~212a", ""},
		{`[\w--k]`, "iv", "kKj", "2,3"},
		{`[\w--\d--a]`, "iv", "aA1b", "3,4"},
		{`[\p{Lu}--[A-M]]`, "iv", "mMn", "2,3"},
		{`[[a-z]&&[K]]`, "iv", "~212a", "0,1"},
		{`[^\q{a|b}]`, "iv", "aBc", "2,3"},
		{`[\q{Ab|c}--\q{aB}]`, "iv", "abC", "2,3"},
		// Nothing matches between the halves of a pair.
		{`\B`, "u", "~d83d~de00", "0,0"},
		{`\B`, "u", "a~d83d~de00b", ""},
		{`[^]{2}`, "v", "ab", "0,2"},
		{`[^]*`, "v", "ab~d83d~de00", "0,4"},
		{`$`, "u", "~d83d~de00", "2,2"},
	} {
		flags, _ := regexp.ParseFlags(c.flags)
		p, err := regexp.Compile(units(c.pattern), flags, nil)
		got := ""
		if err != nil {
			got = "!" + err.(*regexp.SyntaxError).Reason
		} else {
			var x regexp.Matcher
			caps := make([]int32, 2*p.NumCaptures)
			ok, _ := x.SearchUTF16(p, units(c.input), 0, caps, nil)
			got = format(ok, caps)
		}
		if got != c.want {
			t.Errorf("/%s/%s on %q: %q, want %q", c.pattern, c.flags, c.input, got, c.want)
		}
	}
}

func TestStart(t *testing.T) {
	pair := units("a~d83d~de00b")
	for _, c := range []struct {
		pattern, flags string
		start          int
		match, search  string
	}{
		{`b`, "", 3, "3,4", "3,4"},
		{`b`, "", 4, "", ""},
		{`$`, "", 4, "4,4", "4,4"},
		{`.`, "", 2, "2,3", "2,3"},
		{`.`, "u", 2, "1,3", "1,3"}, // an index between the halves means the pair
		{`\ude00`, "u", 2, "", ""},
		{`\ude00`, "", 1, "", "2,3"},
		{`^`, "", 1, "", ""},
		{`(?<=a).`, "u", 1, "1,3", "1,3"},
		{`b`, "y", 0, "", "3,4"},
	} {
		flags, _ := regexp.ParseFlags(c.flags)
		p, err := regexp.Compile(units(c.pattern), flags, nil)
		if err != nil {
			t.Fatal(err)
		}
		var x regexp.Matcher
		caps := make([]int32, 2)
		ok, _ := x.MatchUTF16(p, pair, c.start, caps, nil)
		if got := format(ok, caps); got != c.match {
			t.Errorf("/%s/%s at %d: %q, want %q", c.pattern, c.flags, c.start, got, c.match)
		}
		ok, _ = x.SearchUTF16(p, pair, c.start, caps, nil)
		if got := format(ok, caps); got != c.search {
			t.Errorf("/%s/%s from %d: %q, want %q", c.pattern, c.flags, c.start, got, c.search)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		in, out string
		ok      bool
	}{{"", "", true}, {"yvsmigd", "dgimsvy", true}, {"gg", "", false}, {"uv", "", false}, {"x", "", false}, {"G", "", false}, {"é", "", false}} {
		f, ok := regexp.ParseFlags(c.in)
		if ok != c.ok || ok && f.String() != c.out {
			t.Errorf("%q: %q %v", c.in, f, ok)
		}
	}
}

func TestErrors(t *testing.T) {
	// The messages are V8's, recorded from Node.js 20.
	_, err := regexp.Compile(units("a(b~d83d"), regexp.Unicode|regexp.Global, nil)
	if want := "Invalid regular expression: /a(b\xed\xa0\xbd/gu: Unterminated group"; err == nil || err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	for _, c := range []struct {
		pattern, flags, want string
		offset               int
	}{
		{"é😀)", "", "Invalid regular expression: /é😀)/: Unmatched ')'", 6},
		{"[b-a]", "u", "Invalid regular expression: /[b-a]/u: Range out of order in character class", 4},
		{"a", "gg", "Invalid regular expression flags", 1},
		{"", "q", "Invalid regular expression flags", 0},
	} {
		e, ok := regexp.CheckSyntax(c.pattern, c.flags, nil).(*regexp.SyntaxError)
		if !ok || e.Message != c.want || e.Offset != c.offset {
			t.Errorf("/%s/%s: %+v, want %s at %d", c.pattern, c.flags, e, c.want, c.offset)
		}
	}
}

func TestNames(t *testing.T) {
	if _, err := regexp.Compile(units(`(.)(?<b>.)(?:(?<a>x)|(?<\u{61}>y)(?<π~d835~dc9c>z))`), 0, nil); err == nil {
		t.Fatal("π is not one unit here")
	}
	p, err := regexp.Compile(utf16Of(`(.)(?<b>.)(?:(?<a>x)|(?<\u{61}>y)(?<π𝒜>z))`), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(p.NumCaptures, p.Names), "6 [{b [2]} {a [3 4]} {π𝒜 [5]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
