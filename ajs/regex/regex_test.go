package regex_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/ajs/regex"
	"github.com/pinfold-js/pinfold/js/regexp"
)

func free(int) error { return nil }

func match(t *testing.T, pattern, flags, in string) string {
	t.Helper()
	p, err := regex.CompileString(pattern, flags)
	if err != nil {
		return err.Error()
	}
	u := utf16.Encode([]rune(in))
	caps := make([]int32, 2*p.Groups)
	ok, err := regex.Match(p, u, 0, caps, free)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return "no"
	}
	var b strings.Builder
	for i := 0; i < len(caps); i += 2 {
		if i > 0 {
			b.WriteByte('|')
		}
		if caps[i] < 0 {
			b.WriteByte('-')
		} else {
			b.WriteString(string(utf16.Decode(u[caps[i]:caps[i+1]])))
		}
	}
	return b.String()
}

// The expected matches are node's: JSON of "in".match(/pattern/flags).
func TestMatches(t *testing.T) {
	for _, c := range []struct{ pattern, flags, in, want string }{
		{`b+`, "", "abbbc", "bbb"},
		{`(a|ab)(c|bcd)(d*)`, "", "abcd", "abcd|a|bcd|"},
		{`a{2,3}?`, "", "aaaa", "aa"},
		{`^(\w+)\s(\w+)$`, "", "Ann Lee", "Ann Lee|Ann|Lee"},
		{`^b`, "m", "a\nb", "b"},
		{`a.b`, "", "a\nb", "no"},
		{`a.b`, "s", "a\nb", "a\nb"},
		{`STRASSE`, "i", "strasse", "strasse"},
		{`[a-z]+`, "i", "ABC", "ABC"},
		{`[^a-c]+`, "i", "ABCxyz", "xyz"},
		{`ſ`, "i", "S", "no"},
		{`ſ`, "iu", "S", "S"},
		{`.`, "", "😀", "\uFFFD"},
		{`.`, "u", "😀", "😀"},
		{`[😀-😎]`, "u", "x😄", "😄"},
		{`\u{1F600}`, "u", "😀", "😀"},
		{`\bfoo\b`, "", "a foo b", "foo"},
		{`\Boo`, "", "foo", "oo"},
		{`(?<y>\d{4})-(?<m>\d\d)`, "", "on 2024-03", "2024-03|2024|03"},
		{`(?:(a)|b)*`, "", "ab", "ab|-"},
		{`(z)((a+)?(b+)?(c))*`, "", "zaacbbbcac", "zaacbbbcac|z|ac|a|-|c"},
		{`\x41\u0042\103`, "", "ABC", "ABC"},
		{`[\d-x]+`, "", "1-x", "1-x"},
		{`a||b`, "", "b", ""},
		{`x*`, "", "aaa", ""},
		{`b`, "y", "ab", "no"},
		{`(a+)+$`, "", strings.Repeat("a", 2000) + "b", "no"},
		{`(`, "", "", "Invalid regular expression: /(/: Unterminated group"},
		{`(a)\1`, "", "", "Backreferences are not supported in AsyncJS regexes (/(a)\\1/)"},
		{`(?=a)`, "", "", "Lookahead and lookbehind are not supported in AsyncJS regexes (/(?=a)/)"},
		{`(?<!a)b`, "", "", "Lookahead and lookbehind are not supported in AsyncJS regexes (/(?<!a)b/)"},
		{`\p{L}`, "u", "", `Property escapes (\p{…}) are not supported in AsyncJS regexes (/\p{L}/)`},
		{`a`, "v", "", "The regex flag 'v' is not supported in AsyncJS (supported: g i m s u y)"},
		{`a{10001}`, "", "", "A count in a regex is at most 10000"},
		{`(?:a{100}){1000}`, "", "", "The regex is too large to compile"},
		{`(?:(?:(?:){9999}){9999}){9999}`, "", "", "The regex is too large to compile"},
		{strings.Repeat("()", 255) + "(?:a{100}){90}", "", "", "The regex is too large to compile"},
		{strings.Repeat("(?:", 300) + strings.Repeat(")", 300), "", "", "The regex nests too deeply"},
	} {
		if got := match(t, c.pattern, c.flags, c.in); got != c.want {
			t.Errorf("/%.40s/%s on %.20q: %q, want %q", c.pattern, c.flags, c.in, got, c.want)
		}
	}
}

// The number of steps is linear in the input, whatever the pattern.
func TestLinear(t *testing.T) {
	for _, pattern := range []string{`(a+)+$`, `(a|a)*b`, `(a*)*c`, `(?:a?){30}a{30}b`} {
		p, err := regex.CompileString(pattern, "")
		if err != nil {
			t.Fatal(err)
		}
		steps := func(n int) (total int) {
			caps := make([]int32, 2*p.Groups)
			in := []byte(strings.Repeat("a", n))
			if _, err := regex.Match(p, in, 0, caps, func(n int) error { total += n; return nil }); err != nil {
				t.Fatal(err)
			}
			return total
		}
		if a, b := steps(1000), steps(2000); b > 2*a+1000 {
			t.Errorf("/%s/: %d steps for 1000 characters, %d for 2000", pattern, a, b)
		}
	}
}

// Random patterns match what the backtracking engine of the language matches.
func TestAgreesWithTheBacktracker(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var gen func(depth int) string
	gen = func(depth int) string {
		switch n := r.IntN(12); {
		case depth == 0 || n < 4:
			return []string{"a", "b", "c", ".", "[ab]", "[^a]", `\w`, `\d`, `\b`, "^", "$", "A"}[r.IntN(12)]
		case n < 6:
			return gen(depth-1) + gen(depth-1)
		case n < 8:
			return "(?:" + gen(depth-1) + "|" + gen(depth-1) + ")"
		case n < 10:
			return "(" + gen(depth-1) + ")"
		default:
			// What may be empty and is repeated is where the two kinds of
			// engine may cut at different points: those have tests of their own.
			return "(?:" + gen(0) + []string{"a", "b"}[r.IntN(2)] + ")" + []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}?"}[r.IntN(9)]
		}
	}
	for range 20000 {
		pattern := gen(4)
		flags := []string{"", "i", "m", "s"}[r.IntN(4)]
		p, err := regex.CompileString(pattern, flags)
		if err != nil {
			t.Fatalf("/%s/: %v", pattern, err)
		}
		f, _ := regexp.ParseFlags(flags)
		q, err := regexp.Compile(utf16.Encode([]rune(pattern)), f, nil)
		if err != nil {
			t.Fatalf("/%s/: %v", pattern, err)
		}
		in := make([]byte, r.IntN(10))
		for i := range in {
			in[i] = "abcA1\n"[r.IntN(6)]
		}
		a, b := make([]int32, 2*p.Groups), make([]int32, 2*q.NumCaptures)
		got, err := regex.Match(p, in, 0, a, free)
		if err != nil {
			t.Fatal(err)
		}
		var x regexp.Matcher
		want, err := x.SearchLatin1(q, in, 0, b, nopMeter{})
		if err != nil {
			t.Fatal(err)
		}
		if got != want || got && fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("/%s/%s on %q: %v %v, the backtracker says %v %v", pattern, flags, in, got, a, want, b)
		}
	}
}

type nopMeter struct{}

func (nopMeter) Charge(int64) error { return nil }
func (nopMeter) Grow(int64) error   { return nil }
func (nopMeter) Shrink(int64)       {}
