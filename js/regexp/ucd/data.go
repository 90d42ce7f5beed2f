package ucd

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Version is the Unicode version of the data.
const Version = "17.0.0"

// MaxRune is the largest code point.
const MaxRune = 0x10FFFF

//go:embed ucd.bin
var bin string

// A Range is a run of code points, both ends included.
type Range struct{ Lo, Hi rune }

type data struct {
	sets    map[string][]Range // by "b:", "g:", "s:" or "x:" and a name or alias
	strings map[string][][]rune
	folded  *Cases
	upper   *Cases
}

var load = sync.OnceValue(decode)

type reader struct {
	s string
}

func (r *reader) uint() int {
	n, shift := 0, 0
	for i := 0; i < len(r.s); i++ { //meter: at most five bytes of embedded data
		b := r.s[i]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			r.s = r.s[i+1:]
			return n
		}
		shift += 7
	}
	r.s = ""
	return n
}

func (r *reader) text() string {
	n := r.uint()
	t := r.s[:n]
	r.s = r.s[n:]
	return t
}

func decode() *data {
	r := &reader{bin}
	d := &data{sets: map[string][]Range{}, strings: map[string][][]rune{}}
	var all [][]Range
	for range r.uint() { //meter: embedded data, once
		kind := r.s[:1]
		r.s = r.s[1:]
		names := r.text()
		var set []Range
		if n := r.uint(); n&1 == 1 {
			set = all[n>>1]
		} else {
			set = make([]Range, n>>1) //meter: embedded data, once
			at := rune(0)
			for i := range set { //meter: embedded data, once
				set[i].Lo = at + rune(r.uint())
				set[i].Hi = set[i].Lo + rune(r.uint())
				at = set[i].Hi + 1
			}
		}
		all = append(all, set)
		for name := range strings.SplitSeq(names, "|") { //meter: embedded data, once
			d.sets[kind+":"+name] = set
		}
	}
	d.composed()
	d.folded = r.cases()
	d.upper = r.cases()
	for range r.uint() { //meter: embedded data, once
		name := r.text()
		list := make([][]rune, r.uint()) //meter: embedded data, once
		var prev []rune
		for i := range list { //meter: embedded data, once
			s := append([]rune(nil), prev[:r.uint()]...)
			for range r.uint() { //meter: embedded data, once
				s = append(s, rune(r.uint()))
			}
			list[i], prev = s, s
		}
		d.strings[name] = list
	}
	d.strings["RGI_Emoji"] = slices.Concat(d.strings["Basic_Emoji"], d.strings["Emoji_Keycap_Sequence"],
		d.strings["RGI_Emoji_Modifier_Sequence"], d.strings["RGI_Emoji_Flag_Sequence"],
		d.strings["RGI_Emoji_Tag_Sequence"], d.strings["RGI_Emoji_ZWJ_Sequence"])
	return d
}

// groupings are the General_Category values that are unions of others.
var groupings = []struct{ names, of string }{
	{"Cased_Letter LC", "Lu Ll Lt"},
	{"Letter L", "Lu Ll Lt Lm Lo"},
	{"Mark M Combining_Mark", "Mn Mc Me"},
	{"Number N", "Nd Nl No"},
	{"Punctuation P punct", "Pc Pd Ps Pe Pi Pf Po"},
	{"Symbol S", "Sm Sc Sk So"},
	{"Separator Z", "Zs Zl Zp"},
	{"Other C", "Cc Cf Cs Co Cn"},
}

// composed adds the sets that follow from others.
func (d *data) composed() {
	for _, g := range groupings {
		var set []Range
		for of := range strings.FieldsSeq(g.of) { //meter: embedded data, once
			set = append(set, d.sets["g:"+of]...)
		}
		set = normalize(set)
		for name := range strings.FieldsSeq(g.names) { //meter: embedded data, once
			d.sets["g:"+name] = set
		}
	}
	d.sets["b:ASCII"] = []Range{{0, 0x7f}}
	d.sets["b:Any"] = []Range{{0, MaxRune}}
	var assigned []Range
	at := rune(0)
	for _, r := range d.sets["g:Cn"] { //meter: embedded data, once
		if r.Lo > at {
			assigned = append(assigned, Range{at, r.Lo - 1})
		}
		at = r.Hi + 1
	}
	if at <= MaxRune {
		assigned = append(assigned, Range{at, MaxRune})
	}
	d.sets["b:Assigned"] = assigned
}

// normalize sorts ranges and joins those that touch.
func normalize(set []Range) []Range {
	slices.SortFunc(set, func(a, b Range) int { return int(a.Lo - b.Lo) })
	out := set[:0]
	for _, r := range set { //meter: embedded data, once
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
		} else {
			out = append(out, r)
		}
	}
	return slices.Clip(out)
}
