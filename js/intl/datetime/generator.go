package datetime

import (
	"math/bits"
	"strings"
)

// candidate is a pattern of a locale with the skeleton it is for.
type candidate struct {
	pattern   string
	base      string
	skeleton  *skeleton
	specified bool // the skeleton is given by the data, not read off the pattern
}

// generator finds the pattern for a skeleton (UTS #35 part 4, “Matching
// Skeletons”).
type generator struct {
	data *localeData
	list []*candidate
}

// canonicalItems make sure that there is a pattern for every field.
const canonicalItems = "GyMEdaHmsSv"

// newGenerator collects what a locale has: single fields, the patterns of the
// styles, and the available formats, which come before the others.
func newGenerator(d *localeData) *generator {
	g := &generator{data: d}
	buckets := map[byte][]*candidate{}
	add := func(pattern, skel string, specified bool) {
		s := skeletonOf(skel)
		c := &candidate{pattern: pattern, skeleton: s, specified: specified, base: s.baseText()}
		list := buckets[c.base[0]]
		for _, o := range list { //meter: the data of a locale, once
			if o.base == c.base {
				if !specified {
					return
				}
				break
			}
		}
		for i, o := range list { //meter: the data of a locale, once
			if o.skeleton.letter == s.letter && o.skeleton.length == s.length && (!specified || o.specified) {
				return
			}
			if o.base == c.base && o.skeleton.kind == s.kind {
				list[i] = c
				return
			}
		}
		buckets[c.base[0]] = append(list, c)
	}
	for _, c := range canonicalItems {
		add(string(c), string(c), false)
	}
	for _, p := range d.time {
		add(p, p, false)
	}
	for _, p := range d.date {
		add(p, p, false)
	}
	for _, e := range d.available { //meter: the data of a locale, once
		add(e.value, e.key, true)
	}
	for c := byte('A'); c <= 'z'; c++ {
		g.list = append(g.list, buckets[c]...)
	}
	return g
}

// request is one search for a pattern.
type request struct {
	g         *generator
	want      *skeleton
	hours     byte // letter of the locale's hour cycle
	decimal   string
	matchHour bool // give the hour the length asked for
}

// raw finds the candidate nearest to the wanted fields in mask, and which of
// them it lacks and has too much.
func (r *request) raw(mask int) (best *candidate, missing, extra int) {
	const far, lacks = 0x10000, 0x1000
	distance, missing := 1<<30, -1
	for _, c := range r.g.list { //meter: the patterns of a locale: some hundreds
		d, m, x := 0, 0, 0
		for f := range numFields {
			want, has := r.want.kind[f], c.skeleton.kind[f]
			if mask>>f&1 == 0 {
				want = 0
			}
			switch {
			case want == has:
			case want == 0:
				d += far
				x |= 1 << f
			case has == 0:
				d += lacks
				m |= 1 << f
			case want > has:
				d += want - has
			default:
				d += has - want
			}
		}
		if d < distance || d == distance && missing < m {
			best, distance, missing, extra = c, d, m, x
			if d == 0 {
				break
			}
		}
	}
	return best, missing, extra
}

// adjust gives the fields of a pattern the lengths that were asked for.
func (r *request) adjust(pattern string, spec *skeleton, fraction bool) string {
	var b strings.Builder
	tokens(pattern, func(text string, isField bool) {
		var sym *symbol
		if isField {
			sym = symbolOf(text[0], len(text))
		}
		if sym == nil {
			b.WriteString(text)
			return
		}
		f := sym.field
		switch {
		case fraction && f == fieldSecond:
			b.WriteString(text)
			b.WriteString(r.decimal)
			b.WriteString(strings.Repeat("S", r.want.length[fieldFraction])) //meter: at most three
		case r.want.kind[f] == 0:
			b.WriteString(text)
		default:
			letter, n := r.adjusted(text, sym, spec)
			for range n { //meter: a bounded field
				b.WriteByte(letter)
			}
		}
	})
	return b.String()
}

func (r *request) adjusted(text string, sym *symbol, spec *skeleton) (letter byte, n int) {
	f := sym.field
	want, n := r.want.letter[f], r.want.length[f]
	if want == 'E' && n < 3 {
		n = 3
	}
	switch {
	case f == fieldHour && !r.matchHour, f == fieldMinute, f == fieldSecond:
		n = len(text)
	case spec != nil && want != 'c':
		number, wantNumber := sym.kind > 0, r.want.kind[f] > 0
		if spec.length[f] == n || number != wantNumber {
			n = len(text)
		}
	}
	letter = want
	switch f {
	case fieldHour, fieldMonth, fieldWeekday, fieldYear:
		letter = text[0]
	}
	if letter == 'E' && n < 3 {
		letter = 'e'
	}
	if f == fieldHour {
		switch {
		case want == r.hours,
			want == 'h' && r.hours == 'K', want == 'H' && r.hours == 'k',
			want == 'k' && r.hours == 'H', want == 'K' && r.hours == 'h':
			letter = r.hours
		}
	}
	return letter, n
}

// noAppend is how a field is appended that the data does not mention.
const noAppend = "{0} ├{2}: {1}┤"

// appending makes a pattern of the wanted fields in mask: the best candidate,
// and for what it lacks the best after that. Like ICU it appends once: what is
// missing after that stays away.
func (r *request) appending(mask int) string {
	if mask == 0 {
		return ""
	}
	const withFraction = 1<<fieldSecond | 1<<fieldFraction
	c, missing, _ := r.raw(mask)
	spec := func() *skeleton {
		if c.specified {
			return c.skeleton
		}
		return nil
	}
	out := r.adjust(c.pattern, spec(), false)
	for last := 0; missing != 0 && missing != last; { //meter: at most three turns
		if missing&withFraction == 1<<fieldFraction && mask&withFraction == withFraction {
			out = r.adjust(out, spec(), true)
			missing &^= 1 << fieldFraction
			continue
		}
		before := missing
		c, missing, _ = r.raw(before)
		part := r.adjust(c.pattern, spec(), false)
		found := before &^ missing
		top := field(0)
		if found != 0 {
			top = field(bits.Len(uint(found)) - 1)
		}
		format, name := r.g.data.appendItem[top], r.g.data.fieldName[top]
		if format == "" {
			format = noAppend
		}
		if top == fieldFraction {
			name = "F14"
		}
		out = strings.NewReplacer("{0}", out, "{1}", part, "{2}", "'"+name+"'").Replace(format)
		last = missing
	}
	return out
}

// best returns the pattern for a skeleton.
func (f *Formatter) best(skel string, hours byte, matchHour bool) string {
	g := f.gen
	r := &request{g: g, want: skeletonOf(skel), hours: hours, decimal: f.data.decimal, matchHour: matchHour}
	if f.opt.Numbering == "arab" || f.opt.Numbering == "arabext" {
		r.decimal = "\u066b"
	}
	c, missing, extra := r.raw(allFields)
	if missing == 0 && extra == 0 {
		var spec *skeleton
		if c.specified {
			spec = c.skeleton
		}
		return r.adjust(c.pattern, spec, false)
	}
	mask := r.want.mask()
	d, t := r.appending(mask&dateFields), r.appending(mask&timeFields)
	switch {
	case d == "":
		return t
	case t == "":
		return d
	}
	style := styleShort
	switch month := r.want.base[fieldMonth]; {
	case month == 4 && r.want.kind[fieldWeekday] != 0:
		style = styleFull
	case month == 4:
		style = styleLong
	case month == 3:
		style = styleMedium
	}
	return join(g.data.atTime[style], t, d)
}

// join fills in {0} and {1}.
func join(format, zero, one string) string {
	return strings.NewReplacer("{0}", zero, "{1}", one).Replace(format)
}
