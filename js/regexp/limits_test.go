package regexp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/meter"
)

var errFuel, errMemory = errors.New("fuel"), errors.New("memory")

// A counter is a meter that keeps count and can run out.
type counter struct {
	fuel, limit       int64
	live, peak, bytes int64
}

func (m *counter) Charge(n int64) error {
	if m.fuel += n; m.fuel > m.limit {
		return errFuel
	}
	return nil
}

func (m *counter) Grow(n int64) error {
	if m.bytes > 0 && m.live+n > m.bytes {
		return errMemory
	}
	m.live += n
	m.peak = max(m.peak, m.live)
	return nil
}

func (m *counter) Shrink(n int64) { m.live -= n }

var _ regexp.Meter = (*meter.Meter)(nil)

// TestCatastrophes: patterns that would never end, end with their meter.
func TestCatastrophes(t *testing.T) {
	for _, pattern := range []string{`(a+)+$`, `^[A-Za-z]+\.([A-Za-z]+)*$`, `(?:a|a)*b`, `(a*)*b`, `(?:a?){60}a{60}b`, `(?=(a+)+b)`, `(?<=b(a+)+)!`, `(.*)*(.*)*(.*)*x`, `(?:){2000000000}`, `(a|){2000000000}b`} {
		p, err := regexp.Compile(units(pattern), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		in := []byte("a." + strings.Repeat("a", 60) + "!")
		caps := make([]int32, 2*p.NumCaptures)
		var x regexp.Matcher
		m := meter.New(context.Background(), meter.Limits{Fuel: 3_000_000, LiveBytes: 16 << 20})
		_, err = x.SearchLatin1(p, in, 0, caps, m)
		var limit *meter.LimitError
		if !errors.As(err, &limit) && pattern != `(?:){2000000000}` {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// TestStackIsCharged: the backtracking stack of a long input is memory, and it
// is given back.
func TestStackIsCharged(t *testing.T) {
	p, err := regexp.Compile(units(`(?:a|b|ab)*c`), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := []byte(strings.Repeat("ab", 100_000))
	var x regexp.Matcher
	caps := make([]int32, 2)
	m := &counter{limit: 1 << 40, bytes: 1 << 20}
	if _, err := x.MatchLatin1(p, in, 0, caps, m); err != errMemory {
		t.Errorf("%v, want the memory limit", err)
	}
	if m.live != 0 {
		t.Errorf("%d bytes stay charged", m.live)
	}
	m = &counter{limit: 3_000_000}
	if _, err := x.MatchLatin1(p, in, 0, caps, m); err != errFuel {
		t.Errorf("%v, want the fuel limit", err)
	}
	if m.live != 0 || m.peak == 0 {
		t.Errorf("%d bytes stay charged of %d", m.live, m.peak)
	}
}

// TestSameFuel: what a match charges does not depend on the matches before it.
func TestSameFuel(t *testing.T) {
	big, _ := regexp.Compile(units(`(?:a|b)*c`), 0, nil)
	p, _ := regexp.Compile(units(`(a|ab)*?(c|$)`), 0, nil)
	in := []byte(strings.Repeat("ab", 3000))
	caps := make([]int32, 2*p.NumCaptures)
	var x regexp.Matcher
	var want counter
	for i := range 3 {
		m := &counter{limit: 1 << 40}
		if _, err := x.SearchLatin1(p, in, 0, caps, m); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = *m
		} else if *m != want {
			t.Errorf("match %d charges %+v, the first %+v", i, *m, want)
		}
		_, _ = x.SearchLatin1(big, in[:400], 0, caps, nil)
	}
}

// TestLinear: searches that are quadratic when done plainly.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ pattern, input string }{
		{`\s+$`, strings.Repeat(" ", 200_000) + "x"},
		{`^\s+|\s+$`, "x" + strings.Repeat(" ", 200_000) + "x"},
		{`[a-z]*@`, strings.Repeat("a", 200_000)},
		{`.*=.*;`, strings.Repeat("=", 500) + strings.Repeat("a", 200_000)},
		{`(\d+)px`, strings.Repeat("1", 200_000)},
	} {
		p, err := regexp.Compile(units(c.pattern), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := &counter{limit: 40_000_000}
		var x regexp.Matcher
		caps := make([]int32, 2*p.NumCaptures)
		if ok, err := x.SearchLatin1(p, []byte(c.input), 0, caps, m); ok || err != nil {
			t.Errorf("%s: %v, %v after %d", c.pattern, ok, err, m.fuel)
		}
	}
}

// TestCompileLimits: no pattern takes the compiler down.
func TestCompileLimits(t *testing.T) {
	n := 200_000
	for _, c := range []struct{ pattern, flags, want string }{
		{strings.Repeat("(", n), "", "Regular expression too large"},
		{strings.Repeat("(?:", n) + strings.Repeat(")", n), "", "Regular expression too large"},
		{strings.Repeat("(?=", 900) + strings.Repeat(")", 900), "", ""},
		{strings.Repeat("[", n), "v", "Regular expression too large"},
		{strings.Repeat("[", n), "", "Unterminated character class"},
		{strings.Repeat("()", 65535), "", ""},
		{strings.Repeat("()", 65536), "", "Too many captures"},
		{strings.Repeat("(?:", 900) + "a" + strings.Repeat("){9}", 900), "", ""},
		{strings.Repeat("(?:", 900) + "a" + strings.Repeat(")+", 900), "", ""},
		{strings.Repeat("a|", n), "", ""},
		{strings.Repeat("[a-z]", n), "i", ""},
		{strings.Repeat(`\p{L}`, 20_000), "iu", ""},
		{strings.Repeat(`[^\p{L}\p{N}a]`, 2_000), "iv", ""},
		{strings.Repeat(`[\p{RGI_Emoji}]`, 10), "v", ""},
		{`[\q{` + strings.Repeat("a|ab|", 5000) + "}]", "v", ""},
		{`[\q{` + strings.Repeat("a", n) + "}]", "v", ""},
		{strings.Repeat(`\k<a>`, 50_000) + "(?<a>)", "", ""},
		{"a{" + strings.Repeat("9", n) + "}", "", ""},
	} {
		f, _ := regexp.ParseFlags(c.flags)
		m := meter.New(context.Background(), meter.Limits{Fuel: 1 << 40, LiveBytes: 1 << 30})
		p, err := regexp.Compile(units(c.pattern), f, m)
		short := c.pattern[:min(20, len(c.pattern))]
		if c.want == "" {
			if err != nil {
				t.Errorf("%s…: %.100v", short, err)
			} else if p.Size() > 64<<20 {
				t.Errorf("%s…: a program of %d bytes", short, p.Size())
			}
		} else if e, ok := err.(*regexp.SyntaxError); !ok || e.Reason != c.want {
			t.Errorf("%s…: %.100v, want %s", short, err, c.want)
		}
		if m.Live() != 0 {
			t.Errorf("%s…: %d bytes stay charged", short, m.Live())
		}
		small := &counter{limit: 1 << 40, bytes: 1 << 16}
		if _, err := regexp.Compile(units(c.pattern), f, small); err == errMemory && small.live != 0 {
			t.Errorf("%s…: %d bytes stay charged after the limit", short, small.live)
		}
		_ = regexp.CheckSyntax(c.pattern, c.flags, nil)
	}
}
