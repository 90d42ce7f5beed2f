package number

import (
	"unicode"
	"unicode/utf8"
)

// field is the type of a part.
type field uint8

const (
	literal field = iota
	integer
	group
	decimalPoint
	fraction
	minusSign
	plusSign
	percentSign
	currency
	unit
	compact
	exponentSeparator
	exponentMinusSign
	exponentInteger
	infinity
	nan
	approximatelySign
)

var fieldNames = [...]string{"literal", "integer", "group", "decimal", "fraction", "minusSign", "plusSign", "percentSign", "currency", "unit", "compact",
	"exponentSeparator", "exponentMinusSign", "exponentInteger", "infinity", "nan", "approximatelySign"}

// Part is an element of what formatToParts returns; Source is set in ranges.
type Part struct{ Type, Value, Source string }

// output collects text in runs of one field.
type output struct {
	b     []byte
	runs  []run
	plain bool   // no runs are wanted
	last  field  // of the end of the text
	spans []span // of a range: where its two numbers are
}

type run struct {
	field field
	end   int
}

type span struct{ from, to int }

// mark says that what was appended since the last mark is of a field.
func (o *output) mark(f field) {
	o.last = f
	if o.plain {
		return
	}
	end := len(o.b)
	n := len(o.runs)
	switch {
	case end == 0 || n > 0 && o.runs[n-1].end == end:
	case n > 0 && o.runs[n-1].field == f:
		o.runs[n-1].end = end
	default:
		o.runs = append(o.runs, run{f, end})
	}
}

func (o *output) add(f field, s string) {
	if s != "" {
		o.b = append(o.b, s...)
		o.mark(f)
	}
}

// endsWithDigit reports whether the text ends with a decimal digit.
func (o *output) endsWithDigit() bool {
	r, _ := utf8.DecodeLastRune(o.b)
	return unicode.IsDigit(r)
}

// trimmed are the characters that count as no part of a field at its ends.
func trimmed(r rune) bool {
	return r == '\t' || r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || unicode.Is(unicode.Zs, r)
}

// parts returns the parts; space and marks at the ends of fields become
// literals.
func (o *output) parts() []Part {
	fields := make([]run, 0, len(o.runs)+2)
	add := func(f field, end int) {
		from := 0
		n := len(fields)
		if n > 0 {
			from = fields[n-1].end
		}
		if end == from {
			return
		}
		if f == literal && n > 0 && fields[n-1].field == f {
			fields[n-1].end = end
			return
		}
		fields = append(fields, run{f, end})
	}
	at := 0
	for _, r := range o.runs { //meter: the caller charges for the text
		i, j := at, r.end
		at = r.end
		if r.field == literal || r.field == group {
			add(r.field, r.end)
			continue
		}
		for i < j { //meter: as above
			c, n := utf8.DecodeRune(o.b[i:j])
			if !trimmed(c) {
				break
			}
			i += n
		}
		for i < j { //meter: as above
			c, n := utf8.DecodeLastRune(o.b[i:j])
			if !trimmed(c) {
				break
			}
			j -= n
		}
		add(literal, i)
		add(r.field, j)
		add(literal, r.end)
	}
	list := make([]Part, len(fields))
	at = 0
	for i, r := range fields { //meter: as above
		list[i] = Part{Type: fieldNames[r.field], Value: string(o.b[at:r.end])}
		if o.spans != nil {
			list[i].Source = o.sourceOf(at, r.end)
		}
		at = r.end
	}
	return list
}

// sourceOf returns which number of a range a part belongs to: the one that it
// lies within.
func (o *output) sourceOf(from, to int) string {
	for i, s := range o.spans { //meter: two
		if from >= s.from && to <= s.to {
			return [...]string{"startRange", "endRange"}[i]
		}
	}
	return "shared"
}
