package locale

import (
	"slices"
	"strings"
)

// Tag is a Unicode locale identifier in parts. Script is in title case, Region
// in upper case, everything else in lower case.
type Tag struct {
	Language, Script, Region string
	Variants                 []string // in the order of the identifier; sorted when canonical
	Attributes               []string // of the Unicode extension
	Keywords                 []Field  // of the Unicode extension
	Transform                *Transform
	Other                    []string // other extensions with their singleton: "a-foo-bar"
	Private                  string   // "x-…", or empty
}

// Field is a keyword of the Unicode extension or a field of the transform
// extension. The value of a keyword may be empty.
type Field struct{ Key, Value string }

// Transform is the content of a transform extension.
type Transform struct {
	Source *Tag // language, script, region and variants only; may be nil
	Fields []Field
}

func alpha(c byte) bool { return c-'a' < 26 }
func digit(c byte) bool { return c-'0' < 10 }

func all(s string, is func(byte) bool) bool {
	for i := range len(s) { //meter: a subtag
		if !is(s[i]) {
			return false
		}
	}
	return true
}

func alnum(s string) bool { return all(s, func(c byte) bool { return alpha(c) || digit(c) }) }

// IsLanguage, IsScript, IsRegion and IsVariant report whether a subtag in lower
// case has that form.
func IsLanguage(s string) bool {
	return all(s, alpha) && (len(s) == 2 || len(s) == 3 || len(s) >= 5 && len(s) <= 8)
}
func IsScript(s string) bool { return len(s) == 4 && all(s, alpha) }
func IsRegion(s string) bool {
	return len(s) == 2 && all(s, alpha) || len(s) == 3 && all(s, digit)
}
func IsVariant(s string) bool {
	return alnum(s) && (len(s) >= 5 && len(s) <= 8 || len(s) == 4 && digit(s[0]))
}

// IsType reports whether s, in lower case, has the form of a keyword's value.
func IsType(s string) bool {
	for part := range strings.SplitSeq(s, "-") { //meter: a short string
		if len(part) < 3 || len(part) > 8 || !alnum(part) {
			return false
		}
	}
	return true
}

// Lower maps the letters of ASCII to lower case.
func Lower(s string) string {
	for i := range len(s) { //meter: a bounded string
		if s[i]-'A' < 26 {
			b := []byte(s)
			for ; i < len(b); i++ { //meter: a bounded string
				if b[i]-'A' < 26 {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

func titleCase(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

type parser struct {
	sub []string
	i   int
}

func (p *parser) peek() string {
	if p.i < len(p.sub) {
		return p.sub[p.i]
	}
	return ""
}

func (p *parser) language(t *Tag, uniqueVariants bool) bool {
	if !IsLanguage(p.peek()) {
		return false
	}
	t.Language = p.peek()
	p.i++
	if IsScript(p.peek()) {
		t.Script = titleCase(p.peek())
		p.i++
	}
	if IsRegion(p.peek()) {
		t.Region = strings.ToUpper(p.peek())
		p.i++
	}
	for IsVariant(p.peek()) { //meter: subtags of a bounded string
		if uniqueVariants && slices.Contains(t.Variants, p.peek()) {
			return false
		}
		t.Variants = append(t.Variants, p.peek())
		p.i++
	}
	return true
}

// value reads subtags of min to 8 characters.
func (p *parser) value(minLen int) string {
	from := p.i
	for s := p.peek(); len(s) >= minLen && len(s) <= 8; s = p.peek() { //meter: subtags of a bounded string
		p.i++
	}
	return strings.Join(p.sub[from:p.i], "-")
}

// MaxLength is the longest identifier that is looked at. ECMA-402 knows no
// bound; no script needs more.
const MaxLength = 1000

// Parse takes an identifier apart. ok is false if it is not structurally valid
// (ECMA-402 §6.2.1).
func Parse(s string) (t Tag, ok bool) {
	if s == "" || len(s) > MaxLength {
		return t, false
	}
	p := parser{sub: strings.Split(Lower(s), "-")}
	for _, sub := range p.sub { //meter: at most MaxLength
		if sub == "" || len(sub) > 8 || !alnum(sub) {
			return t, false
		}
	}
	if !p.language(&t, true) {
		return t, false
	}
	seen := map[string]bool{}
	for p.i < len(p.sub) { //meter: at most MaxLength
		single := p.sub[p.i]
		if len(single) != 1 || seen[single] {
			return t, false
		}
		seen[single] = true
		p.i++
		switch single {
		case "u":
			ok = p.unicode(&t)
		case "t":
			ok = p.transform(&t)
		case "x":
			v := p.value(1)
			t.Private, ok = "x-"+v, v != ""
		default:
			v := p.value(2)
			t.Other, ok = append(t.Other, single+"-"+v), v != ""
		}
		if !ok {
			return t, false
		}
	}
	return t, true
}

func (p *parser) unicode(t *Tag) bool {
	from := p.i
	for s := p.peek(); len(s) >= 3; s = p.peek() { //meter: subtags of a bounded string
		t.Attributes = append(t.Attributes, s)
		p.i++
	}
	for s := p.peek(); len(s) == 2 && alpha(s[1]); s = p.peek() { //meter: subtags of a bounded string
		p.i++
		v := p.value(3)
		if _, dup := t.Keyword(s); !dup {
			t.Keywords = append(t.Keywords, Field{s, v})
		}
	}
	return p.i > from
}

func (p *parser) transform(t *Tag) bool {
	from := p.i
	tr := &Transform{}
	if IsLanguage(p.peek()) {
		tr.Source = &Tag{}
		if !p.language(tr.Source, true) {
			return false
		}
	}
	for s := p.peek(); len(s) == 2 && alpha(s[0]) && digit(s[1]); s = p.peek() { //meter: subtags of a bounded string
		p.i++
		v := p.value(3)
		if v == "" {
			return false
		}
		if !slices.ContainsFunc(tr.Fields, func(f Field) bool { return f.Key == s }) {
			tr.Fields = append(tr.Fields, Field{s, v})
		}
	}
	t.Transform = tr
	return p.i > from
}

// Keyword returns the value of a keyword of the Unicode extension.
func (t *Tag) Keyword(key string) (value string, ok bool) {
	for _, f := range t.Keywords { //meter: keywords of a bounded string
		if f.Key == key {
			return f.Value, true
		}
	}
	return "", false
}

// SetKeyword adds a keyword or changes its value.
func (t *Tag) SetKeyword(key, value string) {
	t.Keywords = slices.Clone(t.Keywords)
	for i := range t.Keywords { //meter: keywords of a bounded string
		if t.Keywords[i].Key == key {
			t.Keywords[i].Value = value
			return
		}
	}
	t.Keywords = append(t.Keywords, Field{key, value})
	slices.SortStableFunc(t.Keywords, func(a, b Field) int { return strings.Compare(a.Key, b.Key) })
}

// Base returns the part of the identifier before any extension.
func (t *Tag) Base() string {
	s := t.Language
	if t.Script != "" {
		s += "-" + t.Script
	}
	if t.Region != "" {
		s += "-" + t.Region
	}
	for _, v := range t.Variants { //meter: variants of a bounded string
		s += "-" + v
	}
	return s
}

// String returns the identifier.
func (t *Tag) String() string {
	ext := slices.Clone(t.Other)
	if len(t.Attributes)+len(t.Keywords) > 0 {
		u := "u"
		for _, a := range t.Attributes { //meter: a bounded string
			u += "-" + a
		}
		for _, f := range t.Keywords { //meter: a bounded string
			u += "-" + f.Key
			if f.Value != "" {
				u += "-" + f.Value
			}
		}
		ext = append(ext, u)
	}
	if tr := t.Transform; tr != nil {
		s := "t"
		if tr.Source != nil {
			s += "-" + strings.ToLower(tr.Source.Base())
		}
		for _, f := range tr.Fields { //meter: a bounded string
			s += "-" + f.Key + "-" + f.Value
		}
		ext = append(ext, s)
	}
	slices.Sort(ext)
	if t.Private != "" {
		ext = append(ext, t.Private)
	}
	if len(ext) == 0 {
		return t.Base()
	}
	return t.Base() + "-" + strings.Join(ext, "-")
}
