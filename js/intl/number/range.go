package number

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// FormatRange writes a range from one number to another (ECMA-402 §16.5.19).
// It takes both over.
func (f *Formatter) FormatRange(a, b Decimal) string {
	o := output{plain: true}
	f.writeRange(&o, a, b)
	return string(o.b)
}

// FormatRangeToParts writes a range in parts. It takes a and b over.
func (f *Formatter) FormatRangeToParts(a, b Decimal) []Part {
	var o output
	f.writeRange(&o, a, b)
	return o.parts()
}

// middle is what a number's pattern puts around it.
type middle struct{ prefix, suffix output }

func (f *Formatter) middle(m *micro) *middle {
	var w middle
	f.writeAffix(&w.prefix, m, true)
	f.writeAffix(&w.suffix, m, false)
	return &w
}

func (w *middle) equal(v *middle) bool {
	return bytes.Equal(w.prefix.b, v.prefix.b) && bytes.Equal(w.suffix.b, v.suffix.b) &&
		slices.Equal(w.prefix.runs, v.prefix.runs) && slices.Equal(w.suffix.runs, v.suffix.runs)
}

func (w *middle) count() int {
	return utf8.RuneCount(w.prefix.b) + utf8.RuneCount(w.suffix.b)
}

func (f *Formatter) writeRange(o *output, a, b Decimal) {
	same := a.equal(&b)
	again := a
	again.digits = slices.Clone(a.digits)
	var m, n micro
	f.process(&m, a)
	f.process(&n, b)
	around, other := f.middle(&m), f.middle(&n)
	same = same || m.neg == n.neg && m.Decimal.equal(&n.Decimal) && m.minFraction == n.minFraction
	alike := around.equal(other)
	if same && alike && m.exp == n.exp && m.scientific == n.scientific {
		f.process(&m, again)
		m.approx = true
		o.spans = []span{}
		f.write(o, &m)
		return
	}
	// What both numbers have is written once: a unit always, what the pattern
	// adds if that is more than one character.
	collapse := alike && around.count() > 1
	repeated := m.scientific || !collapse && around.count() > 0
	before, infix, after := splitRange(f.rangePattern)
	o.add(literal, before)
	if f.outer != nil {
		m.category = f.rules.Range(m.category, n.category)
		o.add(f.outerField, f.outer[m.category].before)
	}
	spaced := collapse && f.writePrefix(o, &m)
	from := len(o.b)
	f.writeInner(o, &m, collapse)
	first := span{from, len(o.b)}
	if repeated {
		if !patternSpace(infix[0]) {
			infix = " " + infix
		}
		if !patternSpace(infix[len(infix)-1]) {
			infix += " "
		}
	}
	o.add(literal, infix)
	from = len(o.b)
	f.writeInner(o, &n, collapse)
	o.spans = []span{first, {from, len(o.b)}}
	if spaced {
		// ICU counts the space after a currency symbol that is written once
		// as part of the first number, and both numbers begin one too soon.
		for i := range o.spans { //meter: two
			s := &o.spans[i]
			s.from, s.to = o.before(s.from), o.before(s.to)
		}
	}
	if collapse {
		f.writeSuffix(o, &m)
	}
	if f.outer != nil {
		o.add(f.outerField, f.outer[m.category].after)
	}
	o.add(literal, after)
}

// writeInner writes one number of a range.
func (f *Formatter) writeInner(o *output, m *micro, bare bool) {
	if !bare {
		f.writePrefix(o, m)
	}
	f.writeNumber(o, m)
	f.writeExponent(o, m)
	if !bare {
		f.writeSuffix(o, m)
	}
}

// splitRange splits a pattern "{0}–{1}".
func splitRange(s string) (before, infix, after string) {
	before, rest, _ := strings.Cut(s, "{0}")
	infix, after, _ = strings.Cut(rest, "{1}")
	return before, infix, after
}

func patternSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// before is the offset of the character before an offset.
func (o *output) before(i int) int {
	_, n := utf8.DecodeLastRune(o.b[:i])
	return i - n
}
