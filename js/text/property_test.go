package text_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/meter"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func drawUnits(t *rapid.T, name string) []uint16 {
	return rapid.SliceOf(rapid.OneOf(rapid.Uint16(), rapid.Uint16Range(0, 0x17F), rapid.Uint16Range(0xD800, 0xDFFF))).Draw(t, name)
}

func TestWTF8RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawUnits(t, "s")
		b, err := text.AppendWTF8(nil, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := text.DecodeWTF8(nil, b)
		if err != nil || !slices.Equal(wide(back), s) {
			t.Fatalf("%x -> %x -> %x", s, b, wide(back))
		}
		if n := narrow(s); n != nil {
			c, _ := text.AppendUTF8Latin1(nil, nil, n)
			if !bytes.Equal(b, c) || back.IsWide() {
				t.Fatalf("%x: %x, %x", s, b, c)
			}
		}
		if ok, _ := text.IsWellFormed(nil, s); ok != utf8.Valid(b) {
			t.Fatalf("IsWellFormed(%x)", s)
		}
		// Package utf16 puts U+FFFD for lone surrogates, as toWellFormed does.
		w, _ := text.ToWellFormed(nil, nil, s)
		if !slices.Equal(w, utf16.Encode(utf16.Decode(s))) {
			t.Fatalf("ToWellFormed(%x) = %x", s, w)
		}
		_, valid, _ := text.DecodeUTF8(nil, string(b))
		if valid != utf8.Valid(b) {
			t.Fatalf("DecodeUTF8(%x): %v", b, valid)
		}
	})
}

// TestDecodeReplaces has the examples of the Encoding standard's rule, as
// node's TextDecoder decodes them.
func TestDecodeReplaces(t *testing.T) {
	for in, want := range map[string]string{
		"a\x80b": "a\uFFFDb", "\xE2\x82": "\uFFFD", "\xE2\x82A": "\uFFFDA", "\xF0\x9F\x98": "\uFFFD",
		"\xC0\x80": "\uFFFD\uFFFD", "\xED\xA0\x80": "\uFFFD\uFFFD\uFFFD", "\xF4\x90\x80\x80": "\uFFFD\uFFFD\uFFFD\uFFFD",
		"\xE0\x80\x80": "\uFFFD\uFFFD\uFFFD", "\xFF": "\uFFFD", "\xF0\x80\x80": "\uFFFD\uFFFD\uFFFD", "\xC3\xA9": "é",
	} {
		got, valid, _ := text.DecodeUTF8(nil, in)
		if s := string(utf16.Decode(wide(got))); s != want || valid != utf8.ValidString(in) {
			t.Errorf("%x: %q, want %q", in, s, want)
		}
	}
}

func TestIndexAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.Uint8Range(0, uint8(rapid.IntRange(0, 2).Draw(t, "letters")))
		hay := rapid.SliceOfN(letters, 0, 400).Draw(t, "hay")
		needle := rapid.SliceOfN(letters, 0, 60).Draw(t, "needle")
		if len(hay) > 0 && rapid.Bool().Draw(t, "taken") {
			i := rapid.IntRange(0, len(hay)-1).Draw(t, "i")
			needle = hay[i : i+rapid.IntRange(0, len(hay)-i).Draw(t, "n")]
		}
		w := text.AppendWide(nil, hay)
		want := bytes.Index(hay, needle)
		{
			a, _ := text.Index(nil, hay, needle, 0)
			b, _ := text.Index(nil, w, needle, 0)
			c, _ := text.Index(nil, w, text.AppendWide(nil, needle), 0)
			if a != want || b != want || c != want {
				t.Fatalf("Index %d %d %d, want %d", a, b, c, want)
			}
		}
		want = bytes.LastIndex(hay, needle)
		a, _ := text.LastIndex(nil, hay, needle, len(hay))
		b, _ := text.LastIndex(nil, w, needle, len(hay))
		if a != want || b != want {
			t.Fatalf("LastIndex %d %d, want %d", a, b, want)
		}
	})
}

// TestIndexLinear counts what hostile searches cost.
func TestIndexLinear(t *testing.T) {
	const n = 1 << 20
	a := strings.Repeat("a", n)
	ab := strings.Repeat("ab", n/2)
	for _, c := range []struct{ hay, needle string }{
		{a, strings.Repeat("a", n/2) + "b"}, {a, "b" + strings.Repeat("a", n/2)}, {a, strings.Repeat("a", n/4) + "b" + strings.Repeat("a", n/4)},
		{ab, strings.Repeat("ab", n/8) + "aa"}, {ab, "aa" + strings.Repeat("ab", n/8)},
	} {
		for _, last := range []bool{false, true} {
			m := meter.New(nil, meter.Limits{})
			i, err := 0, error(nil)
			if last {
				i, err = text.LastIndex(m, []byte(c.hay), []byte(c.needle), n)
			} else {
				i, err = text.Index(m, []byte(c.hay), []byte(c.needle), 0)
			}
			if i != -1 || err != nil || m.Usage().Fuel > n {
				t.Errorf("%v: %d, %v, %d units", last, i, err, m.Usage().Fuel)
			}
		}
	}
}

// TestNormalizeNewer has node v20 (Unicode 17) as its source.
func TestNormalizeNewer(t *testing.T) {
	for _, c := range []struct {
		s    string
		form text.Form
		want string
	}{
		{"\U000105D2\u0307", text.NFC, "\U000105C9"}, {"\U000105C9", text.NFD, "\U000105D2\u0307"},
		{"\U0001611E\U0001611E\U0001611F", text.NFC, "\U00016126"}, {"\U00016126", text.NFD, "\U0001611E\U0001611E\U0001611F"},
		{"\U00016D63\U00016D67\U00016D67", text.NFC, "\U00016D6A"}, {"\U00016D6A", text.NFKD, "\U00016D63\U00016D67\U00016D67"},
		{"a\u0301\U0001E5EF", text.NFD, "a\U0001E5EF\u0301"}, {"\U0001CCD6\uA7F1\U0001CCF9", text.NFKC, "AS9"},
		{"\U0001CCD6", text.NFC, "\U0001CCD6"}, {"\U000113C2\U000113C2", text.NFC, "\U000113C5"},
	} {
		s := utf16.Encode([]rune(c.s))
		got, changed, err := text.Normalize(nil, s, c.form)
		w := wide(got)
		if !changed {
			w = s
		}
		if string(utf16.Decode(w)) != c.want || err != nil {
			t.Errorf("%+q, form %d: %x, want %+q", c.s, c.form, w, c.want)
		}
	}
}

func TestNormalizeAgreesWithNorm(t *testing.T) {
	forms := [...]norm.Form{norm.NFC, norm.NFD, norm.NFKC, norm.NFKD}
	for r := rune(0); r < 0x30000; r++ {
		// Where nothing decomposes, or all does by rule.
		if r >= 0x3400 && r < 0xA600 || r >= 0xAD00 && r <= 0xDFFF || r >= 0x12000 && r < 0x1D000 || r >= 0x20000 && r < 0x2F800 {
			continue
		}
		if !unicode.IsPrint(r) {
			continue // x/text and Go have Unicode 15: see TestNormalizeNewer
		}
		s := utf16.Encode([]rune{r})
		for f, x := range forms {
			got, changed, _ := text.Normalize(nil, s, text.Form(f))
			w := wide(got)
			if !changed {
				w = s
			}
			if want := x.String(string(r)); string(utf16.Decode(w)) != want {
				t.Fatalf("%U, form %d: %x, want %q", r, f, w, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawUnits(t, "s")
		for f := text.NFC; f <= text.NFKD; f++ {
			a, changed, _ := text.Normalize(nil, s, f)
			if !changed {
				continue
			}
			if _, changed, _ = text.Normalize(nil, wide(a), f); changed {
				t.Fatalf("not idempotent: %x", s)
			}
		}
	})
}

func TestURIRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawUnits(t, "s")
		e, err := text.Escape(nil, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		if u, _ := text.Unescape(nil, e); !slices.Equal(wide(u), s) {
			t.Fatalf("unescape %s", e)
		}
		b, err := text.EncodeURI(nil, nil, s, true)
		if ok, _ := text.IsWellFormed(nil, s); ok != (err == nil) {
			t.Fatal(ok, err)
		}
		if err == nil {
			if d, err := text.DecodeURI(nil, b, true); err != nil || !slices.Equal(wide(d), s) {
				t.Fatalf("decode %s", b)
			}
		}
	})
}

// fromBase64 follows the steps of FromBase64 one by one, on a string.
func fromBase64(s string, url bool, last text.LastChunk, maxLen int) (read int, out []byte, failed bool) {
	if maxLen == 0 {
		return 0, nil, false
	}
	space := func(i int) int {
		for i < len(s) && strings.IndexByte("\t\n\f\r ", s[i]) >= 0 {
			i++
		}
		return i
	}
	final := func(c string) ([]byte, bool) {
		n := len(c) - 1
		b, err := base64.RawStdEncoding.DecodeString(c)
		_, strictErr := base64.RawStdEncoding.Strict().DecodeString(c)
		if err != nil || len(b) != n {
			panic(c)
		}
		return b, strictErr == nil
	}
	c := ""
	i := 0
	for {
		i = space(i)
		if i == len(s) {
			if len(c) > 0 {
				if last == text.StopBeforePartial {
					return read, out, false
				}
				if last == text.Strict || len(c) == 1 {
					return read, out, true
				}
				b, _ := final(c)
				out = append(out, b...)
			}
			return len(s), out, false
		}
		ch := s[i]
		i++
		if ch == '=' {
			if len(c) < 2 {
				return read, out, true
			}
			i = space(i)
			if len(c) == 2 {
				if i == len(s) {
					return read, out, last != text.StopBeforePartial
				}
				if s[i] == '=' {
					i = space(i + 1)
				}
			}
			if i < len(s) {
				return read, out, true
			}
			b, clean := final(c)
			if last == text.Strict && !clean {
				return read, out, true
			}
			return len(s), append(out, b...), false
		}
		if url {
			switch ch {
			case '+', '/':
				return read, out, true
			case '-':
				ch = '+'
			case '_':
				ch = '/'
			}
		}
		if strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", ch) < 0 {
			return read, out, true
		}
		left := maxLen - len(out)
		if maxLen > 0 && (left == 1 && len(c) == 2 || left == 2 && len(c) == 3) {
			return read, out, false
		}
		if c += string(ch); len(c) == 4 {
			b, _ := base64.StdEncoding.DecodeString(c)
			out = append(out, b...)
			c = ""
			read = i
			if len(out) == maxLen {
				return read, out, false
			}
		}
	}
}

func TestFromBase64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`([A-Za-z0-9+/_\-]{4}[ \t]?){0,5}[A-Za-z0-9+/ ]{0,4}[= \n!\x0b]{0,3}`).Draw(t, "s")
		url := rapid.Bool().Draw(t, "url")
		last := text.LastChunk(rapid.IntRange(0, 2).Draw(t, "last"))
		maxLen := rapid.IntRange(-1, 12).Draw(t, "max")
		read, want, failed := fromBase64(s, url, last, maxLen)
		r, got, err := text.FromBase64(nil, nil, []byte(s), url, last, maxLen)
		if r != read || !bytes.Equal(got, want) || (err != nil) != failed {
			t.Fatalf("%q: %d %x %v, want %d %x %v", s, r, got, err, read, want, failed)
		}
		r, got, err = text.FromBase64(nil, nil, text.AppendWide(nil, []byte(s)), url, last, maxLen)
		if r != read || !bytes.Equal(got, want) || (err != nil) != failed {
			t.Fatalf("wide %q: %d %x %v", s, r, got, err)
		}
	})
}

func TestBinaryText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		for _, url := range []bool{false, true} {
			for _, omit := range []bool{false, true} {
				s, _ := text.AppendBase64(nil, nil, b, url, omit)
				want := base64.StdEncoding
				if url {
					want = base64.URLEncoding
				}
				if omit {
					want = want.WithPadding(base64.NoPadding)
				}
				if string(s) != want.EncodeToString(b) {
					t.Fatalf("%x: %s", b, s)
				}
				if _, back, err := text.FromBase64(nil, nil, s, url, text.Loose, -1); err != nil || !bytes.Equal(back, b) {
					t.Fatalf("%s: %x", s, back)
				}
			}
		}
		h, _ := text.AppendHex(nil, nil, b)
		if string(h) != hex.EncodeToString(b) {
			t.Fatalf("%s", h)
		}
		n := rapid.IntRange(0, len(b)).Draw(t, "n")
		if read, back, err := text.FromHex(nil, nil, bytes.ToUpper(h), n); err != nil || read != 2*n || !bytes.Equal(back, b[:n]) {
			t.Fatalf("%d %x %v", read, back, err)
		}
	})
	if _, _, err := text.FromHex(nil, nil, []byte("abc"), -1); !errors.Is(err, text.ErrHexLength) {
		t.Error(err)
	}
	if read, b, err := text.FromHex(nil, nil, []byte("abxy"), -1); err != text.ErrHexChar || read != 2 || len(b) != 1 {
		t.Error(read, b, err)
	}
}

// TestLongStrings crosses the chunks that the loops work in.
func TestLongStrings(t *testing.T) {
	b := []byte(strings.Repeat("aé\"%ÿ", 60_000))
	l1 := text.AppendNarrow(nil, utf16.Encode([]rune(string(b))))
	w := text.AppendWide(nil, l1)
	up, _ := text.ToUpperLatin1(nil, l1)
	up2, _ := text.ToUpper(nil, w)
	if !slices.Equal(wide(up), wide(up2)) || up.Len() != len(l1) {
		t.Error("upper")
	}
	low, _ := text.ToLowerLatin1(nil, l1)
	low2, _ := text.ToLower(nil, wide(up))
	if !slices.Equal(wide(low2), text.AppendWide(nil, low)) {
		t.Error("lower")
	}
	u, _ := text.AppendUTF8Latin1(nil, nil, l1)
	if !bytes.Equal(u, b) {
		t.Error("UTF-8")
	}
	q, _ := text.AppendQuoteJSON(nil, nil, l1)
	if want := `"` + strings.ReplaceAll(string(l1), `"`, `\"`) + `"`; string(q) != want {
		t.Error("JSON")
	}
	e, _ := text.EncodeURI(nil, nil, w, false)
	d, err := text.DecodeURI(nil, e, false)
	if err != nil || !slices.Equal(wide(d), w) {
		t.Error("URI", err)
	}
	if n, c, err := text.Normalize(nil, l1, text.NFD); err != nil || !c || n.Len() != len(l1)+120_000 {
		t.Error("NFD", err)
	}
	if i, _ := text.Index(nil, append(l1, "end"...), []byte("end"), 0); i != len(l1) {
		t.Error("index")
	}
}

func BenchmarkText(b *testing.B) {
	ascii := []byte(strings.Repeat("The quick brown fox jumps. ", 40))
	w := text.AppendWide(nil, ascii)
	w[500] = 0x3B1
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(ascii)))
			for range b.N {
				f()
			}
		})
	}
	buf := make([]byte, 0, 4096)
	wbuf := make([]uint16, 0, 4096)
	run("UpperLatin1", func() { _, _ = text.ToUpperLatin1(nil, ascii) })
	run("LowerWide", func() { _, _ = text.ToLower(nil, w) })
	run("QuoteJSON", func() { _, _ = text.AppendQuoteJSON(nil, buf, ascii) })
	run("QuoteJSONWide", func() { _, _ = text.AppendQuoteJSON(nil, wbuf, w) })
	run("Index", func() { _, _ = text.Index(nil, ascii, []byte("cow"), 0) })
	run("IndexLong", func() { _, _ = text.Index(nil, ascii, []byte("jumps. The quick brown cow"), 0) })
	run("IndexWide", func() { _, _ = text.Index(nil, w, []byte("cow"), 0) })
	run("WTF8", func() { _, _ = text.AppendWTF8(nil, buf, w) })
	run("DecodeWTF8", func() { _, _ = text.DecodeWTF8(nil, ascii) })
	run("NormalizeNFC", func() { _, _, _ = text.Normalize(nil, w, text.NFC) })
	run("EncodeURI", func() { _, _ = text.EncodeURI(nil, buf, ascii, true) })
}
