package vm

import (
	"math"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/intl/collate"
	jstext "github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/meter"
)

func indexString(s, sub string) int { return strings.Index(s, sub) }

// selected is 2 bytes a unit of what slice, substring or substr takes.
func selected(pick func(args []value, n int) (lo, hi int)) boundFunc {
	return func(_ *run, this value, args []value) float64 {
		lo, hi := pick(args, this.str().len())
		return 2*float64(hi-lo) + 64
	}
}

func cut(pick func(args []value, n int) (lo, hi int)) bodyFunc {
	return func(r *run, this value, args []value) (value, bool) {
		s := this.str()
		lo, hi := pick(args, s.len())
		return stringOf(s.slice(lo, hi)), true
	}
}

func pickSlice(args []value, n int) (int, int) {
	lo, hi := relative(args, 0, n, 0), relative(args, 1, n, n)
	return lo, max(lo, hi)
}

func pickSubstring(args []value, n int) (int, int) {
	at := func(i, missing int) int {
		if i >= len(args) || args[i].kind == undefinedKind {
			return missing
		}
		return clampIndex(max(args[i].n, 0), n)
	}
	lo, hi := at(0, 0), at(1, n)
	return min(lo, hi), max(lo, hi)
}

func pickSubstr(args []value, n int) (int, int) {
	lo := relative(args, 0, n, 0)
	if len(args) < 2 || args[1].kind == undefinedKind {
		return lo, n
	}
	return lo, lo + clampIndex(max(args[1].n, 0), n-lo)
}

// intArg is ToIntegerOrInfinity of an optional number.
func intArg(args []value, i int, missing float64) float64 {
	if i >= len(args) || args[i].kind == undefinedKind {
		return missing
	}
	return conv.ToIntegerOrInfinity(args[i].n)
}

// find compiles the searching methods: each unit of the receiver may be looked
// at, which the clock has to see.
func finding(f func(s, sub *str, args []value) value) bodyFunc {
	return func(r *run, this value, args []value) (value, bool) {
		s, sub := this.str(), args[0].str()
		work := s.len()
		if s.wide != nil {
			work = min(s.len()*max(sub.len(), 1), 1<<40)
		}
		if !r.poll(work) {
			return value{}, false
		}
		return f(s, sub, args), true
	}
}

func caseMapping(lower bool) bodyFunc {
	return func(r *run, this value, _ []value) (value, bool) {
		s := this.str()
		if s.wide == nil {
			if lower {
				return stringOf(&str{s: strings.ToLower(s.s)}), true
			}
			return stringOf(&str{s: strings.ToUpper(s.s)}), true
		}
		m := r.meter()
		f := jstext.ToUpper
		if lower {
			f = jstext.ToLower
		}
		t, err := f(m, s.wide)
		if err != nil {
			return value{}, r.look()
		}
		return stringOf(ofText(t)), true
	}
}

func ofText(t jstext.Text) *str {
	if t.IsWide() {
		return ofUnits(t.Wide)
	}
	return latin1(t.Latin1)
}

func latin1(b []byte) *str {
	u := make([]uint16, len(b))
	for i, c := range b {
		u[i] = uint16(c)
	}
	return ofUnits(u)
}

func trimming(start, end bool) bodyFunc {
	return func(r *run, this value, _ []value) (value, bool) {
		s := this.str()
		lo, hi := 0, s.len()
		if start {
			for lo < hi && jstext.IsSpace(uint32(s.at(lo))) {
				lo++
			}
		}
		if end {
			for hi > lo && jstext.IsSpace(uint32(s.at(hi-1))) {
				hi--
			}
		}
		return stringOf(s.slice(lo, hi)), true
	}
}

func padding(start bool) bodyFunc {
	return func(r *run, this value, args []value) (value, bool) {
		s := this.str()
		n := int(min(max(intArg(args, 0, 0), 0), 1<<31))
		fill := &str{s: " "}
		if len(args) > 1 && args[1].kind == stringKind {
			fill = args[1].str()
		}
		if n <= s.len() || fill.len() == 0 {
			return this, true
		}
		var b builder
		if !start {
			b.add(s)
		}
		for left := n - s.len(); left > 0; {
			k := min(left, fill.len())
			b.add(fill.slice(0, k))
			left -= k
		}
		if start {
			b.add(s)
		}
		return stringOf(b.str()), true
	}
}

func repeat(r *run, this value, args []value) (value, bool) {
	n := conv.ToIntegerOrInfinity(args[0].n)
	if n < 0 || math.IsInf(n, 1) {
		return value{}, r.fail(KindType, "", "Invalid count value: "+formatNumber(args[0].n))
	}
	s := this.str()
	if s.len() == 0 {
		return this, true
	}
	if s.wide == nil {
		return stringOf(&str{s: strings.Repeat(s.s, int(n))}), true
	}
	out := make([]uint16, 0, len(s.wide)*int(n))
	for range int(n) {
		out = append(out, s.wide...)
	}
	return stringOf(&str{wide: out}), true
}

func charAt(args []value, s *str) int {
	i := intArg(args, 0, 0)
	if i < 0 || i >= float64(s.len()) {
		return -1
	}
	return int(i)
}

func same(_ *run, this value, _ []value) (value, bool) { return this, true }

// codePoint reads the code point at i, ECMA-262 §11.1.4.
func codePoint(s *str, i int) (c uint32, width int) {
	c = uint32(s.at(i))
	if c >= 0xD800 && c < 0xDC00 && i+1 < s.len() {
		if t := uint32(s.at(i + 1)); t >= 0xDC00 && t < 0xE000 {
			return 0x10000 + (c-0xD800)<<10 + (t - 0xDC00), 2
		}
	}
	return c, 1
}

var stringMethods = methods(
	define("at(num?)", fixed(64), func(r *run, this value, args []value) (value, bool) {
		s := this.str()
		i := intArg(args, 0, 0)
		if i < 0 {
			i += float64(s.len())
		}
		if i < 0 || i >= float64(s.len()) {
			return undefinedValue, true
		}
		return stringOf(s.slice(int(i), int(i)+1)), true
	}),
	define("charAt(num?)", fixed(64), func(r *run, this value, args []value) (value, bool) {
		s := this.str()
		if i := charAt(args, s); i >= 0 {
			return stringOf(s.slice(i, i+1)), true
		}
		return stringOf(emptyStr), true
	}),
	define("charCodeAt(num?)", free, func(r *run, this value, args []value) (value, bool) {
		s := this.str()
		if i := charAt(args, s); i >= 0 {
			return number(float64(s.at(i))), true
		}
		return number(math.NaN()), true
	}),
	define("codePointAt(num?)", free, func(r *run, this value, args []value) (value, bool) {
		s := this.str()
		if i := charAt(args, s); i >= 0 {
			c, _ := codePoint(s, i)
			return number(float64(c)), true
		}
		return undefinedValue, true
	}),
	define("concat(...prim)", func(_ *run, this value, args []value) float64 {
		n := 2*float64(this.str().len()) + 64
		for _, a := range args {
			n += strform(a)
		}
		return n
	}, func(r *run, this value, args []value) (value, bool) {
		var b builder
		b.add(this.str())
		for _, a := range args {
			b.add(a.toStr())
		}
		return stringOf(b.str()), true
	}),
	define("startsWith(str,num?)", free, finding(func(s, sub *str, args []value) value {
		return boolean(s.hasAt(sub, clampIndex(max(intArg(args, 1, 0), 0), s.len())))
	})),
	define("endsWith(str,num?)", free, finding(func(s, sub *str, args []value) value {
		end := clampIndex(max(intArg(args, 1, float64(s.len())), 0), s.len())
		return boolean(end >= sub.len() && s.hasAt(sub, end-sub.len()))
	})),
	define("includes(str,num?)", free, finding(func(s, sub *str, args []value) value {
		return boolean(s.index(sub, clampIndex(max(intArg(args, 1, 0), 0), s.len())) >= 0)
	})),
	define("indexOf(str,num?)", free, finding(func(s, sub *str, args []value) value {
		return number(float64(s.index(sub, clampIndex(max(intArg(args, 1, 0), 0), s.len()))))
	})),
	define("lastIndexOf(str,num?)", free, finding(func(s, sub *str, args []value) value {
		from := float64(s.len())
		if len(args) > 1 && args[1].n == args[1].n {
			from = max(intArg(args, 1, from), 0)
		}
		return number(float64(s.lastIndex(sub, int(min(from, float64(s.len()))))))
	})),
	// The order of the root locale: the same on every machine.
	define("localeCompare(str)", free, func(r *run, this value, args []value) (value, bool) {
		s, t := this.str(), args[0].str()
		if !r.poll(8 * (s.len() + t.len())) {
			return value{}, false
		}
		d, err := compareRoot(r.meter(), s, t)
		if err != nil {
			return value{}, r.look()
		}
		return number(float64(d)), true
	}),
	define("normalize(str?)", perUnit(36, 64), func(r *run, this value, args []value) (value, bool) {
		form := jstext.NFC
		if len(args) > 0 && args[0].kind == stringKind {
			switch args[0].str().s {
			case "NFC":
			case "NFD":
				form = jstext.NFD
			case "NFKC":
				form = jstext.NFKC
			case "NFKD":
				form = jstext.NFKD
			default:
				return value{}, r.fail(KindType, "", "The normalization form should be one of NFC, NFD, NFKC, NFKD.")
			}
		}
		s := this.str()
		if s.wide == nil {
			return this, true
		}
		t, changed, err := jstext.Normalize(r.meter(), s.wide, form)
		if err != nil {
			return value{}, r.look()
		}
		if !changed {
			return this, true
		}
		return stringOf(ofText(t)), true
	}),
	define("padStart(num,str?)", padBound, padding(true)),
	define("padEnd(num,str?)", padBound, padding(false)),
	define("repeat(num)", func(_ *run, this value, args []value) float64 {
		n := conv.ToIntegerOrInfinity(args[0].n)
		if n < 0 || math.IsInf(n, 0) {
			return 64
		}
		return 2*float64(this.str().len())*n + 64
	}, repeat),
	define("slice(num?,num?)", selected(pickSlice), cut(pickSlice)),
	define("substring(num?,num?)", selected(pickSubstring), cut(pickSubstring)),
	define("substr(num?,num?)", selected(pickSubstr), cut(pickSubstr)),
	define("split(pattern?,num?)", nil, splitMethod),
	define("replace(pattern,str)", nil, replaceMethod(false)),
	define("replaceAll(pattern,str)", nil, replaceMethod(true)),
	define("match(pattern)", nil, matchMethod),
	define("search(pattern)", nil, searchMethod),
	define("toLowerCase()", perUnit(6, 64), caseMapping(true)),
	define("toUpperCase()", perUnit(6, 64), caseMapping(false)),
	define("toLocaleLowerCase()", perUnit(6, 64), caseMapping(true)),
	define("toLocaleUpperCase()", perUnit(6, 64), caseMapping(false)),
	define("trim()", perUnit(2, 64), trimming(true, true)),
	define("trimStart()", perUnit(2, 64), trimming(true, false)),
	define("trimEnd()", perUnit(2, 64), trimming(false, true)),
	define("trimLeft()", perUnit(2, 64), trimming(true, false)),
	define("trimRight()", perUnit(2, 64), trimming(false, true)),
	define("toWellFormed()", perUnit(2, 64), func(r *run, this value, _ []value) (value, bool) {
		s := this.str()
		if s.wide == nil {
			return this, true
		}
		out, err := jstext.ToWellFormed(r.meter(), nil, s.wide)
		if err != nil {
			return value{}, r.look()
		}
		return stringOf(ofUnits(out)), true
	}),
	define("isWellFormed()", free, func(r *run, this value, _ []value) (value, bool) {
		s := this.str()
		if s.wide == nil {
			return boolean(true), true
		}
		ok, err := jstext.IsWellFormed(r.meter(), s.wide)
		if err != nil {
			return value{}, r.look()
		}
		return boolean(ok), true
	}),
	define("toString()", free, same),
	define("valueOf()", free, same),
)

var rootCollator = sync.OnceValue(func() *collate.Collator { return collate.New(collate.Options{}) })

func compareRoot(m *meter.Meter, s, t *str) (int, error) {
	c := rootCollator()
	switch {
	case s.wide == nil && t.wide == nil:
		return collate.Compare(c, m, []byte(s.s), []byte(t.s))
	case s.wide == nil:
		return collate.Compare(c, m, []byte(s.s), t.wide)
	case t.wide == nil:
		return collate.Compare(c, m, s.wide, []byte(t.s))
	}
	return collate.Compare(c, m, s.wide, t.wide)
}

func padBound(_ *run, this value, args []value) float64 {
	return 2*max(float64(this.str().len()), conv.ToIntegerOrInfinity(args[0].n)) + 64
}

var numberMethods = methods(
	define("toFixed(num?)", fixed(4096), digits(0, 100, "toFixed() digits argument must be between 0 and 100", func(f float64, n int) string {
		return string(conv.ToFixed(nil, f, n))
	})),
	define("toExponential(num?)", fixed(4096), func(r *run, this value, args []value) (value, bool) {
		n := intArg(args, 0, -1)
		if len(args) > 0 && args[0].kind == numberKind && (n < 0 || n > 100) {
			return value{}, r.fail(KindType, "", "toExponential() argument must be between 0 and 100")
		}
		return finite(this.n, func() string { return string(conv.ToExponential(nil, this.n, int(n))) }), true
	}),
	define("toPrecision(num?)", fixed(4096), func(r *run, this value, args []value) (value, bool) {
		if len(args) == 0 || args[0].kind == undefinedKind {
			return text(formatNumber(this.n)), true
		}
		n := intArg(args, 0, 0)
		if n < 1 || n > 100 {
			return value{}, r.fail(KindType, "", "toPrecision() argument must be between 1 and 100")
		}
		return finite(this.n, func() string { return string(conv.ToPrecision(nil, this.n, int(n))) }), true
	}),
	define("toString(num?)", fixed(4096), func(r *run, this value, args []value) (value, bool) {
		n := intArg(args, 0, 10)
		if n < 2 || n > 36 {
			return value{}, r.fail(KindType, "", "toString() radix must be between 2 and 36")
		}
		if n == 10 {
			return text(formatNumber(this.n)), true
		}
		return finite(this.n, func() string { return string(conv.FormatRadix(nil, this.n, int(n))) }), true
	}),
	// The root locale: digits in groups of three, at most three decimals.
	define("toLocaleString()", fixed(4096), func(r *run, this value, _ []value) (value, bool) {
		return text(localeNumber(this.n)), true
	}),
	define("valueOf()", free, same),
)

func finite(f float64, s func() string) value {
	if f != f || math.IsInf(f, 0) {
		return text(formatNumber(f))
	}
	return text(s())
}

func digits(lo, hi float64, message string, f func(float64, int) string) bodyFunc {
	return func(r *run, this value, args []value) (value, bool) {
		n := intArg(args, 0, 0)
		if n < lo || n > hi {
			return value{}, r.fail(KindType, "", message)
		}
		if math.Abs(this.n) >= 1e21 {
			return text(formatNumber(this.n)), true
		}
		return finite(this.n, func() string { return f(this.n, int(n)) }), true
	}
}

func localeNumber(f float64) string {
	if f != f || math.IsInf(f, 0) {
		return strings.Replace(formatNumber(f), "Infinity", "∞", 1)
	}
	if math.Abs(f) >= 1e21 {
		return formatNumber(f)
	}
	s := string(conv.ToFixed(nil, math.Abs(f), 3))
	whole, frac, _ := strings.Cut(s, ".")
	frac = strings.TrimRight(frac, "0")
	var b strings.Builder
	if math.Signbit(f) {
		b.WriteByte('-')
	}
	for i, c := range []byte(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(c)
	}
	if frac != "" {
		b.WriteString("." + frac)
	}
	return b.String()
}

var booleanMethods = methods(
	define("toString()", fixed(64), func(r *run, this value, _ []value) (value, bool) { return stringOf(this.toStr()), true }),
	define("valueOf()", free, same),
)
