package number

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/intl/plural"
)

// RoundingMode is ECMA-402's [[RoundingMode]].
type RoundingMode uint8

const (
	HalfExpand RoundingMode = iota
	Ceil
	Floor
	Expand
	Trunc
	HalfCeil
	HalfFloor
	HalfTrunc
	HalfEven
)

// RoundingModes are the names of the modes, in their order.
var RoundingModes = []string{"halfExpand", "ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfTrunc", "halfEven"}

// RoundingType is ECMA-402's [[RoundingType]].
type RoundingType uint8

const (
	FractionDigits RoundingType = iota
	SignificantDigits
	MorePrecision
	LessPrecision
)

// Digits are the options that say which digits are written.
type Digits struct {
	MinInteger                     int
	MinFraction, MaxFraction       int // of all but SignificantDigits
	MinSignificant, MaxSignificant int // of all but FractionDigits
	Type                           RoundingType
	Increment                      int
	Mode                           RoundingMode
	StripIfInteger                 bool
}

// never is a power of ten that no number has.
const never = 1 << 30

// round rounds d and returns the least number of fraction digits to write.
func (o *Digits) round(d *Decimal) (minFraction int) {
	switch o.Type {
	case FractionDigits:
		if o.Increment > 1 {
			d.roundToIncrement(o.Increment, -o.MaxFraction, o.Mode)
		} else {
			d.roundTo(-o.MaxFraction, o.Mode)
		}
		minFraction = o.MinFraction
	case SignificantDigits:
		d.roundTo(d.magnitude()-o.MaxSignificant+1, o.Mode)
		minFraction = o.MinSignificant - 1 - d.magnitude()
	default:
		byFraction, bySignificant := -o.MaxFraction, d.magnitude()-o.MaxSignificant+1
		power := min(byFraction, bySignificant)
		if o.Type == LessPrecision {
			power = max(byFraction, bySignificant)
		}
		before := d.magnitude()
		if len(d.digits) > 0 {
			d.roundTo(power, o.Mode)
			if len(d.digits) > 0 && d.magnitude() != before && byFraction == bySignificant {
				bySignificant++
			}
		}
		shownFraction := never
		if o.MinFraction > 0 {
			shownFraction = -o.MinFraction
		}
		shownSignificant := d.magnitude() - o.MinSignificant + 1
		if (bySignificant <= byFraction) == (o.Type == MorePrecision) {
			minFraction = -shownSignificant
		} else {
			minFraction = -shownFraction
		}
	}
	if o.StripIfInteger && d.point >= len(d.digits) {
		return 0
	}
	return max(0, minFraction)
}

// Operands returns the plural operands of a number as the options write it. It
// takes d over.
func (o *Digits) Operands(d Decimal) plural.Operands {
	s := shown{Decimal: d, minInteger: o.MinInteger}
	s.minFraction = o.round(&s.Decimal)
	return s.operands()
}

// Options are the resolved options of a number format, in ECMA-402's words.
type Options struct {
	Data            string // the locale whose data are used
	Style           string
	Currency        string
	CurrencyDisplay string
	CurrencySign    string
	Unit            string
	UnitDisplay     string
	Notation        string
	CompactDisplay  string
	SignDisplay     string
	Grouping        string // auto, always, min2 or false
	NumberingSystem string
	Digits
}

// Default are the options of a NumberFormat that no options were given to.
func Default(data string) Options {
	return Options{
		Data: data, Style: "decimal", Notation: "standard", SignDisplay: "auto", Grouping: "auto", NumberingSystem: DefaultNumberingSystem(data),
		Digits: Digits{MinInteger: 1, MaxFraction: 3, Increment: 1},
	}
}

func (o *Options) texts() []*string {
	return []*string{&o.Data, &o.Style, &o.Currency, &o.CurrencyDisplay, &o.CurrencySign, &o.Unit, &o.UnitDisplay,
		&o.Notation, &o.CompactDisplay, &o.SignDisplay, &o.Grouping, &o.NumberingSystem}
}

// Encode returns the options as text, for Decode.
func (o *Options) Encode() string {
	var b strings.Builder
	for _, s := range o.texts() { //meter: a few fields
		b.WriteString(*s)
		b.WriteByte('|')
	}
	b.WriteString(o.Digits.Encode())
	return b.String()
}

// Decode reads what Encode wrote.
func Decode(s string) (Options, error) {
	var o Options
	for _, t := range o.texts() { //meter: a few fields
		head, rest, ok := strings.Cut(s, "|")
		if !ok {
			return o, errors.New("number: malformed options")
		}
		*t, s = head, rest
	}
	var err error
	o.Digits, err = DecodeDigits(s)
	return o, err
}

// Encode returns the options as text, for DecodeDigits.
func (o *Digits) Encode() string {
	strip := 0
	if o.StripIfInteger {
		strip = 1
	}
	var b []byte
	for i, n := range [...]int{o.MinInteger, o.MinFraction, o.MaxFraction, o.MinSignificant, o.MaxSignificant, int(o.Type), o.Increment, int(o.Mode), strip} { //meter: nine
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(b)
}

// DecodeDigits reads what Encode wrote.
func DecodeDigits(s string) (Digits, error) {
	var n [9]int
	f := strings.Split(s, ",")
	if len(f) != len(n) {
		return Digits{}, errors.New("number: malformed digit options")
	}
	for i := range n { //meter: nine
		var err error
		if n[i], err = strconv.Atoi(f[i]); err != nil {
			return Digits{}, err
		}
	}
	return Digits{MinInteger: n[0], MinFraction: n[1], MaxFraction: n[2], MinSignificant: n[3], MaxSignificant: n[4],
		Type: RoundingType(n[5]), Increment: n[6], Mode: RoundingMode(n[7]), StripIfInteger: n[8] != 0}, nil
}
