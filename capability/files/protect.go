package files

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tempPrefix begins the names of files that are being written. They are
// protected: nobody reads half a file.
const (
	tempPrefix  = ".pinfold-"
	tempSuffix  = ".tmp"
	tempPattern = tempPrefix + "*" + tempSuffix
)

// protection is a list of protected names.
type protection []protectRule

type protectRule struct {
	source string
	match  pattern // of folded names
	path   bool    // compared with the path, not with each name of it
	stem   string  // what a short name of a protected file begins with; "" for none
}

// compileProtect reads patterns of protected names.
func compileProtect(sources []string) (protection, error) {
	var out protection
	for _, src := range sources {
		p, err := compilePattern(src, fold)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", src, err)
		}
		r := protectRule{source: src, match: p, path: strings.Contains(strings.Trim(src, "/"), "/")}
		if strings.HasSuffix(src, "/") && !r.path {
			// "secrets/" is the folder secrets, wherever it is.
			if r.match, err = compilePattern(strings.TrimRight(src, "/"), fold); err != nil {
				return nil, fmt.Errorf("%q: %w", src, err)
			}
		}
		if strings.HasPrefix(src, "/") {
			r.path = true
		}
		if !r.path {
			r.stem = shortStem(fold(src))
		}
		out = append(out, r)
	}
	return out, nil
}

// shortStem returns how a short name of a file begins that has such a name, for
// names that have one in any case because they begin with a dot.
func shortStem(name string) string {
	if !strings.HasPrefix(name, ".") {
		return ""
	}
	name = strings.TrimLeft(name, ".")
	if i := strings.IndexAny(name, "*?[{."); i >= 0 {
		name = name[:i]
	}
	if len(name) > 6 {
		name = name[:6]
	}
	return name
}

// find returns the pattern that protects a path, and whether there is one. The
// first clear names are known not to be protected.
func (ps protection) find(names []string, clear int) (string, bool) {
	if len(ps) == 0 {
		return "", false
	}
	folded := make([]string, len(names))
	for i, n := range names {
		folded[i] = fold(trimName(n))
		if i < clear {
			continue
		}
		full := fold(n)
		stem, _ := shortName(full)
		for k := range ps {
			r := &ps[k]
			if r.path {
				continue
			}
			if r.match.match("", []string{folded[i]}) || full != folded[i] && r.match.match("", []string{full}) ||
				stem != "" && r.stem != "" && strings.HasPrefix(r.stem, stem) {
				return r.source, true
			}
		}
	}
	for k := range ps {
		if !ps[k].path {
			continue
		}
		for n := clear + 1; n <= len(folded); n++ {
			if ps[k].match.match("", folded[:n]) {
				return ps[k].source, true
			}
		}
	}
	return "", false
}

// trimName takes off what Windows doesn't look at when it opens a file: the
// name of a stream, and dots and spaces at the end.
func trimName(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	if t := strings.TrimRight(name, ". "); t != "" {
		return t
	}
	return name
}

// fold maps names that some file system takes for the same to one text: case
// (also where one letter stands for two), normalization, compatibility forms,
// and characters that are ignored. It may map more together; it is only for
// names that are refused.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case isIgnorable(r), r == 0x0307: // the dot that remains of a small dotted capital I
		case r == 'ß' || r == 'ẞ':
			b.WriteString("ss")
		default:
			b.WriteRune(unicode.ToLower(unicode.ToUpper(r)))
		}
	}
	return norm.NFKD.String(b.String())
}

// ignorable are the code points with the property Default_Ignorable_Code_Point,
// which HFS+ and ext4 with case folding leave out of comparisons.
var ignorable = [][2]rune{
	{0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5},
	{0x180b, 0x180f}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
	{0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfff8},
	{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}

func isIgnorable(r rune) bool {
	for _, g := range ignorable {
		if r >= g[0] && r <= g[1] {
			return true
		}
	}
	return false
}
