package regexp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/regexp"
)

// units reads the recorder's spelling of a UTF-16 string.
func units(s string) []uint16 {
	var out []uint16
	for i := 0; i < len(s); i++ {
		if s[i] == '~' {
			n, _ := strconv.ParseUint(s[i+1:i+5], 16, 16)
			out = append(out, uint16(n))
			i += 4
			continue
		}
		out = append(out, uint16(s[i]))
	}
	return out
}

// latin1 returns the units as bytes, if they fit.
func latin1(u []uint16) ([]byte, bool) {
	b := make([]byte, len(u))
	for i, c := range u {
		if c > 0xFF {
			return nil, false
		}
		b[i] = byte(c)
	}
	return b, true
}

func format(ok bool, caps []int32) string {
	if !ok {
		return ""
	}
	var parts []string
	for i := 0; i < len(caps); i += 2 {
		if caps[i] < 0 {
			parts = append(parts, "-")
		} else {
			parts = append(parts, fmt.Sprintf("%d,%d", caps[i], caps[i+1]))
		}
	}
	return strings.Join(parts, ";")
}

// newerSyntax is what the recorded engine refuses but ES2025 allows: modifiers
// and names that come again in another alternative.
func newerSyntax(pattern, want string) bool {
	return want == "!Invalid group" && (strings.HasPrefix(pattern, "(?-") || strings.HasPrefix(pattern, "(?i")) || want == "!Duplicate capture group name" && strings.Contains(pattern, "|")
}

// TestNode replays testdata/node.json, which testdata/record.mjs has recorded
// from Node.js 20.
func TestNode(t *testing.T) {
	path := "testdata/node.json"
	if p := os.Getenv("REGEXP_ROWS"); p != "" {
		path = p
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][4]string
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	var x regexp.Matcher
	for _, r := range rows {
		pattern, want := units(r[0]), r[3]
		flags, ok := regexp.ParseFlags(r[1])
		if !ok {
			t.Fatalf("flags %q", r[1])
		}
		if newerSyntax(r[0], want) {
			continue
		}
		p, err := regexp.Compile(pattern, flags, nil)
		check := regexp.CheckSyntax(string(wtf8(pattern)), r[1], nil)
		if (err == nil) != (check == nil) || err != nil && err.Error() != check.Error() {
			t.Errorf("/%s/%s: Compile says %v, CheckSyntax %v", r[0], r[1], err, check)
		}
		if err != nil {
			if got := "!" + err.(*regexp.SyntaxError).Reason; got != want {
				t.Errorf("/%s/%s: %s, want %s", r[0], r[1], got, want)
			}
			continue
		}
		if strings.HasPrefix(want, "!") {
			t.Errorf("/%s/%s compiles, want %s", r[0], r[1], want)
			continue
		}
		in := units(r[2])
		caps := make([]int32, 2*p.NumCaptures)
		find := x.SearchUTF16
		if flags&regexp.Sticky != 0 {
			find = x.MatchUTF16
		}
		ok, err = find(p, in, 0, caps, nil)
		if got := format(ok, caps); err != nil || got != want {
			t.Errorf("/%s/%s on %q: %q, want %q", r[0], r[1], r[2], got, want)
		}
		if b, fits := latin1(in); fits {
			find := x.SearchLatin1
			if flags&regexp.Sticky != 0 {
				find = x.MatchLatin1
			}
			ok, err = find(p, b, 0, caps, nil)
			if got := format(ok, caps); err != nil || got != want {
				t.Errorf("/%s/%s on Latin-1 %q: %q, want %q", r[0], r[1], r[2], got, want)
			}
		}
	}
}

func wtf8(u []uint16) []byte {
	var b []byte
	for i := 0; i < len(u); i++ {
		r := rune(u[i])
		if r&0xFC00 == 0xD800 && i+1 < len(u) && u[i+1]&0xFC00 == 0xDC00 {
			r = (r-0xD800)<<10 + rune(u[i+1]) - 0xDC00 + 0x10000
			i++
		} else if r >= 0xD800 && r <= 0xDFFF {
			b = append(b, 0xE0|byte(r>>12), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
			continue
		}
		b = append(b, string(r)...)
	}
	return b
}
