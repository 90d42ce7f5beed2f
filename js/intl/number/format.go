package number

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/intl/plural"
)

// Formatter writes numbers by some options.
type Formatter struct {
	o                  Options
	sym                symbols
	pattern            pattern
	primary, secondary int // sizes of the groups, primary 0: none
	leastGrouped       int // digits that the first group must have
	percent            field
	scaled             bool // by a hundred, for style percent
	currency           string
	spaceBefore        bool // a currency symbol before a digit needs a space
	spaceAfter         bool // and after one
	compact            []string
	rules              *plural.Rules
	outer              *[plural.NumCategories]affixes // around the number with its pattern; nil: nothing
	outerField         field
	rangePattern       string
}

type affixes struct{ before, after string }

// Options returns what the formatter was made from.
func (f *Formatter) Options() *Options { return &f.o }

// New makes a Formatter.
func New(o Options) *Formatter {
	f := &Formatter{o: o, percent: percentSign}
	f.sym = symbolsOf(o.Data, o.NumberingSystem, o.Style == "currency")
	f.rules = plural.For(o.Data, false)
	f.rangePattern = text(o.Data, "p.range")
	name := "decimal"
	switch o.Style {
	case "percent":
		f.scaled = true
		name = f.unitNames("percent", "short")
	case "currency":
		if o.CurrencyDisplay == "name" {
			f.currencyNames()
			break
		}
		name = "currency"
		if o.CurrencySign == "accounting" {
			name = "accounting"
		}
		f.currency = currencySymbol(o.Data, o.Currency, o.CurrencyDisplay)
		first, _ := utf8.DecodeRuneInString(f.currency)
		last, _ := utf8.DecodeLastRuneInString(f.currency)
		f.spaceBefore, f.spaceAfter = needsSpace(last), needsSpace(first)
	case "unit":
		name = f.unitNames(o.Unit, o.UnitDisplay)
		f.percent = unit
	}
	f.pattern = parsePattern(patternOf(o.Data, o.NumberingSystem, name))
	f.primary, f.secondary, f.leastGrouped = f.pattern.primary, f.pattern.secondary, int(text(o.Data, "mingroup")[0]-'0')
	switch {
	case o.Grouping == "false":
		f.primary = 0
	case o.Grouping == "always":
		f.leastGrouped = 1
	case o.Grouping == "min2", o.Notation == "compact": // for which auto is min2 in ICU
		f.leastGrouped = max(2, f.leastGrouped)
	}
	if o.Notation == "compact" {
		key := "c.short"
		switch {
		case f.currency != "":
			key = "c.currency"
		case o.CompactDisplay == "long":
			key = "c.long"
		}
		f.compact = strings.Split(text(o.Data, key), "|")
	}
	return f
}

// needsSpace reports whether a currency symbol that begins or ends with r is
// set off from a digit (TR 35, part 3, currencySpacing).
func needsSpace(r rune) bool {
	return !unicode.In(r, unicode.S, unicode.Z) && !(r >= 0x20a0 && r <= 0x20cf)
}

// aroundNumber splits a pattern with {0}.
func aroundNumber(s string) affixes {
	before, after, _ := strings.Cut(s, "{0}")
	return affixes{before, after}
}

func (f *Formatter) currencyNames() {
	f.outer, f.outerField = new([plural.NumCategories]affixes), currency
	names, around := currencyNames(f.o.Data, f.o.Currency), text(f.o.Data, "p.name")
	for c := range plural.NumCategories { //meter: six
		name, _ := form(names, c.String(), false)
		pattern, _ := form(around, c.String(), false)
		f.outer[c] = aroundNumber(strings.Replace(pattern, "{1}", name, 1))
	}
}

// unitNames sets what goes around a number with a unit and returns which
// pattern is used inside. Percent has one of its own, but not in compact
// notation.
func (f *Formatter) unitNames(name, display string) string {
	if head, _, _ := strings.Cut(name, "-per-"); head == "percent" && display != "long" && f.o.Notation != "compact" {
		return "percent"
	}
	f.outer, f.outerField = new([plural.NumCategories]affixes), unit
	key := "u." + display + "."
	names, ok := find(f.o.Data, key+name)
	per := "{0}"
	if !ok {
		numerator, denominator, _ := strings.Cut(name, "-per-")
		names = text(f.o.Data, key+numerator)
		second := text(f.o.Data, key+denominator)
		if per, ok = form(second, "per", true); !ok {
			one, _ := form(second, "one", false)
			per = strings.Replace(text(f.o.Data, "per."+display), "{1}", strings.TrimSpace(strings.Replace(one, "{0}", "", 1)), 1)
		}
	}
	for c := range plural.NumCategories { //meter: six
		name, _ := form(names, c.String(), false)
		f.outer[c] = aroundNumber(strings.Replace(per, "{0}", name, 1))
	}
	return "decimal"
}

// micro is a number with all that was decided about how to write it.
type micro struct {
	shown
	pattern    *pattern
	affixField field // of the literal text in the pattern's affixes
	scientific bool
	sign       byte // '-', '+' or 0
	approx     bool
	category   plural.Category
	own        pattern // what pattern points to for compact patterns
}

// process decides how to write d. It takes d over.
func (f *Formatter) process(m *micro, d Decimal) {
	m.shown = shown{Decimal: d, minInteger: f.o.MinInteger}
	m.pattern = &f.pattern
	if f.scaled {
		m.shift(2)
	}
	switch f.o.Notation {
	case "compact":
		f.processCompact(m)
	case "scientific":
		f.processScientific(m, 1)
	case "engineering":
		f.processScientific(m, 3)
	default:
		m.minFraction = f.o.round(&m.Decimal)
	}
	zero := m.kind != infinite && len(m.digits) == 0
	switch f.o.SignDisplay {
	case "always":
		m.sign = '+'
	case "exceptZero":
		if !zero {
			m.sign = '+'
		}
	}
	if m.neg {
		switch f.o.SignDisplay {
		case "never":
		case "exceptZero", "negative":
			if !zero {
				m.sign = '-'
			}
		default:
			m.sign = '-'
		}
	}
	if f.outer != nil {
		o := m.operands()
		m.category = f.rules.Select(&o)
	}
}

// scaleAndRound rounds m after scaling it by the power of ten that multiplier
// gives for its magnitude. Rounding may lead to the next magnitude, and that to
// another multiplier.
func (f *Formatter) scaleAndRound(m *micro, multiplier func(magnitude int) int) int {
	magnitude := m.magnitude()
	by := multiplier(magnitude)
	m.shift(by)
	m.minFraction = f.o.round(&m.Decimal)
	if len(m.digits) == 0 || m.magnitude() == magnitude+by {
		return by
	}
	next := multiplier(magnitude + 1)
	if next != by {
		m.shift(next - by)
		m.minFraction = f.o.round(&m.Decimal)
	}
	return next
}

// compactForms returns the patterns for a magnitude, "" if there are none.
func (f *Formatter) compactForms(magnitude int) string {
	if magnitude < 3 || len(f.compact) == 0 {
		return ""
	}
	s := f.compact[min(magnitude-3, len(f.compact)-1)]
	if s == "0" {
		return ""
	}
	return s
}

func (f *Formatter) processCompact(m *micro) {
	magnitude, by := 0, 0
	if len(m.digits) == 0 {
		m.minFraction = f.o.round(&m.Decimal)
	} else {
		by = f.scaleAndRound(m, func(magnitude int) int {
			forms := f.compactForms(magnitude)
			if forms == "" {
				return 0
			}
			other, _ := form(forms, "other", false)
			return strings.Count(other, "0") - min(magnitude, len(f.compact)+2) - 1
		})
		if len(m.digits) > 0 {
			magnitude = m.magnitude()
		}
		magnitude -= by
	}
	if forms := f.compactForms(magnitude); forms != "" {
		o := m.operands()
		s, ok := "", false
		if len(m.digits) == 1 && m.point == 1 && m.digits[0] == 1 && !m.neg {
			s, ok = form(forms, "1", true)
		}
		if !ok {
			s, _ = form(forms, f.rules.Select(&o).String(), false)
		}
		if s != "0" {
			m.own = parsePattern(s)
			m.pattern, m.affixField = &m.own, compact
		}
	}
	m.exp = -by
}

func (f *Formatter) processScientific(m *micro, interval int) {
	if m.kind != finite {
		return
	}
	m.scientific = true
	if len(m.digits) == 0 {
		m.minFraction = f.o.round(&m.Decimal)
		return
	}
	m.exp = -f.scaleAndRound(m, func(magnitude int) int {
		return (magnitude%interval+interval)%interval - magnitude
	})
}

// writeNumber writes the digits, without sign and affixes.
func (f *Formatter) writeNumber(o *output, m *micro) {
	switch {
	case !m.pattern.body:
		return
	case m.kind == notANumber:
		o.add(nan, f.sym.nan)
		return
	case m.kind == infinite:
		o.add(infinity, f.sym.infinity)
		return
	}
	n := max(m.point, m.minInteger)
	grouped := f.primary > 0 && n-f.primary >= f.leastGrouped
	for p := n - 1; p >= 0; p-- { //meter: the caller charges for the digits
		f.writeDigit(o, m.digit(p))
		if grouped && p >= f.primary && (p-f.primary)%f.secondary == 0 {
			o.mark(integer)
			o.add(group, f.sym.group)
		}
	}
	o.mark(integer)
	fractions := max(m.minFraction, len(m.digits)-m.point)
	if len(m.digits) == 0 {
		fractions = m.minFraction
	}
	if fractions > 0 {
		o.add(decimalPoint, f.sym.decimal)
		for p := 1; p <= fractions; p++ { //meter: the caller charges for the digits
			f.writeDigit(o, m.digit(-p))
		}
		o.mark(fraction)
	}
}

func (f *Formatter) writeDigit(o *output, d byte) {
	if f.o.NumberingSystem == "latn" {
		o.b = append(o.b, '0'+d)
	} else {
		o.b = append(o.b, f.sym.digits[d]...)
	}
}

// writeExponent writes what follows the digits in scientific notation.
func (f *Formatter) writeExponent(o *output, m *micro) {
	if !m.scientific {
		return
	}
	o.add(exponentSeparator, f.sym.exponential)
	e := m.exp
	if e < 0 {
		o.add(exponentMinusSign, f.sym.minus)
		e = -e
	}
	var buf [20]byte
	i := len(buf)
	for { //meter: an int's digits
		i--
		buf[i] = byte(e % 10)
		if e /= 10; e == 0 {
			break
		}
	}
	for _, d := range buf[i:] { //meter: an int's digits
		f.writeDigit(o, d)
	}
	o.mark(exponentInteger)
}

// affix returns an affix of the number's pattern, whether a sign goes before
// it, and what a minus sign in it stands for.
func (m *micro) affix(prefix bool) (s string, prepend bool, signs string) {
	plus := m.sign == '+'
	negative := m.pattern.hasNegative && (m.sign == '-' || strings.Contains(m.pattern.negPrefix+m.pattern.negSuffix, "-") && (plus || m.approx))
	switch {
	case negative && prefix:
		s = m.pattern.negPrefix
	case negative:
		s = m.pattern.negSuffix
	case prefix:
		s = m.pattern.prefix
		prepend = m.sign != 0 || m.approx
	default:
		s = m.pattern.suffix
	}
	switch {
	case m.approx && plus:
		signs = "~+"
	case m.approx && m.sign == '-':
		signs = "~-"
	case m.approx:
		signs = "~"
	case plus:
		signs = "+"
	default:
		signs = "-"
	}
	return s, prepend, signs
}

func (f *Formatter) writeSigns(o *output, signs string) {
	for i := range len(signs) { //meter: at most two
		switch signs[i] {
		case '~':
			o.add(approximatelySign, f.sym.approximately)
		case '+':
			o.add(plusSign, f.sym.plus)
		default:
			o.add(minusSign, f.sym.minus)
		}
	}
}

// writeAffix writes the prefix or suffix of the number's pattern.
func (f *Formatter) writeAffix(o *output, m *micro, prefix bool) {
	s, prepend, signs := m.affix(prefix)
	if prepend {
		f.writeSigns(o, signs)
	}
	quoted := false
	for i := 0; i < len(s); { //meter: fixed data
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\'':
			quoted = !quoted
		case quoted:
			o.add(m.affixField, s[i:i+n])
		case r == '-':
			f.writeSigns(o, signs)
		case r == '+':
			o.add(plusSign, f.sym.plus)
		case r == '%':
			o.add(f.percent, f.sym.percent)
		case r == '¤':
			o.add(currency, f.currency)
		default:
			o.add(m.affixField, s[i:i+n])
		}
		i += n
	}
}

// writePrefix writes a pattern's prefix for a number that follows at once, and
// reports whether a space was needed between them.
func (f *Formatter) writePrefix(o *output, m *micro) bool {
	at := len(o.b)
	f.writeAffix(o, m, true)
	if f.spaceBefore && len(o.b) > at && o.last == currency && m.kind == finite && m.pattern.body {
		o.add(literal, "\u00a0")
		return true
	}
	return false
}

// writeSuffix writes a pattern's suffix after a number.
func (f *Formatter) writeSuffix(o *output, m *micro) {
	if f.spaceAfter && o.endsWithDigit() {
		if s, _, _ := m.affix(false); strings.HasPrefix(s, "¤") {
			o.add(literal, "\u00a0")
		}
	}
	f.writeAffix(o, m, false)
}

func (f *Formatter) write(o *output, m *micro) {
	if f.outer != nil {
		o.add(f.outerField, f.outer[m.category].before)
	}
	f.writePrefix(o, m)
	f.writeNumber(o, m)
	f.writeExponent(o, m)
	f.writeSuffix(o, m)
	if f.outer != nil {
		o.add(f.outerField, f.outer[m.category].after)
	}
}

// Append appends what Format returns to dst.
func (f *Formatter) Append(dst []byte, d Decimal) []byte {
	var m micro
	f.process(&m, d)
	o := output{b: dst, plain: true}
	f.write(&o, &m)
	return o.b
}

// Format writes a number. It takes d over.
func (f *Formatter) Format(d Decimal) string {
	var buf [64]byte
	return string(f.Append(buf[:0], d))
}

// FormatToParts writes a number in parts. It takes d over.
func (f *Formatter) FormatToParts(d Decimal) []Part {
	var m micro
	var o output
	f.process(&m, d)
	f.write(&o, &m)
	return o.parts()
}

// Category returns the plural category of a number as it is written. It takes d
// over.
func (f *Formatter) Category(d Decimal) plural.Category {
	var m micro
	f.process(&m, d)
	o := m.operands()
	return f.rules.Select(&o)
}
