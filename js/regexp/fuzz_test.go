package regexp_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/pinfold-js/pinfold/js/regexp"
)

// FuzzRegexp compiles and matches under a small meter: it must end without a
// panic, agree with CheckSyntax, find in Latin-1 what it finds in UTF-16, and
// find by searching what trying every index finds.
func FuzzRegexp(f *testing.F) {
	for _, s := range []struct{ pattern, flags, input string }{
		{`(a+)+$`, "", "aaaaaaaaaaaaaaaaaaaaab"},
		{`^\s+|\s+$`, "g", "  x  "},
		{`(?<y>\d{4})-(?<m>\d\d)|(?<y>x)\k<y>`, "d", "2024-05"},
		{`(?<=(?<!a)b|\1(c))[^\W_]*?\b`, "iu", "abcCc"},
		{`[\q{ab|c}--[c-d]&&\p{L}]`, "v", "abc"},
		{`[\p{RGI_Emoji}--\q{0️⃣}]+`, "v", "👩‍👧 0️⃣"},
		{`(?i-s:a.)(?=b){2}\c[\c1]{,3}`, "s", "Ab"},
		{`(?:(a)|(b)|$)*?\2{1,3}`, "m", "ab\nab"},
		{`\u{1f600}+.*?(\udc00|[^])`, "u", "😀😀x"},
		{`(?:a?){3}(a|)+?b{0}c??`, "y", "aaac"},
	} {
		f.Add(s.pattern, s.flags, s.input)
	}
	f.Fuzz(func(t *testing.T, pattern, flags, input string) {
		if len(pattern) > 200 || len(input) > 60 {
			return
		}
		fl, ok := regexp.ParseFlags(flags)
		if !ok {
			return
		}
		src, in := utf16Of(pattern), utf16Of(input)
		m := &counter{limit: 200_000, bytes: 8 << 20}
		p, err := regexp.Compile(src, fl, m)
		if m.live != 0 {
			t.Fatalf("%d bytes stay charged", m.live)
		}
		var syntax *regexp.SyntaxError
		check := regexp.CheckSyntax(pattern, flags, nil)
		if errors.As(err, &syntax) != (check != nil) && !errors.Is(err, errFuel) && !errors.Is(err, errMemory) {
			t.Fatalf("Compile: %v, CheckSyntax: %v", err, check)
		}
		if err != nil {
			return
		}
		n := 2 * p.NumCaptures
		caps, caps8, capsAt := make([]int32, n), make([]int32, n), make([]int32, n)
		var x regexp.Matcher
		m = &counter{limit: 300_000, bytes: 8 << 20}
		found, err := x.SearchUTF16(p, in, 0, caps, m)
		if m.live != 0 {
			t.Fatalf("%d bytes stay charged", m.live)
		}
		if err != nil {
			return
		}
		if b, ok := latin1(in); ok {
			found8, err := x.SearchLatin1(p, b, 0, caps8, &counter{limit: 1 << 40})
			if err != nil || found8 != found || found && !slices.Equal(caps, caps8) {
				t.Fatalf("UTF-16: %v %v, Latin-1: %v %v %v", found, caps, found8, caps8, err)
			}
		}
		m = &counter{limit: 3_000_000}
		for i := 0; i <= len(in); i++ {
			if fl.FullUnicode() && i > 0 && i < len(in) && in[i]&0xFC00 == 0xDC00 && in[i-1]&0xFC00 == 0xD800 {
				continue
			}
			ok, err := x.MatchUTF16(p, in, i, capsAt, m)
			if err != nil {
				return
			}
			if ok {
				if !found || !slices.Equal(caps, capsAt) {
					t.Fatalf("search: %v %v, match at %d: %v", found, caps, i, capsAt)
				}
				return
			}
		}
		if found {
			t.Fatalf("search: %v, no match at any index", caps)
		}
	})
}

func utf16Of(s string) []uint16 {
	var u []uint16
	for _, r := range s {
		if r > 0xFFFF {
			u = append(u, uint16(0xD800+(r-0x10000)>>10), uint16(0xDC00+(r-0x10000)&0x3FF))
		} else {
			u = append(u, uint16(r))
		}
	}
	return u
}
