package cost

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/cockroachdb/apd/v3"
)

// The bounds on amounts.
const (
	MaxDecimals = 12   // behind the point
	MaxUSD      = 1e12 // of one amount
)

// Amount is an exact sum of US dollars, from 0 on. The zero Amount is 0. Amounts
// are immutable.
type Amount struct{ d apd.Decimal }

// decimal is the text of an amount. A number of a script can have an exponent.
var decimal = regexp.MustCompile(`^(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,3})?$`)

// exact computes with sums of amounts, which have fewer digits than its
// precision, and fails rather than rounding.
var exact = apd.Context{
	Precision: 60, MaxExponent: 60, MinExponent: -60,
	Traps: apd.DefaultTraps | apd.Inexact | apd.Rounded,
}

// Parse reads a decimal such as "0.0125". The error is an *Error.
func Parse(s string) (Amount, error) {
	if len(s) > 0 && s[0] == '-' && decimal.MatchString(s[1:]) {
		return Amount{}, fail(Negative, "the amount is negative")
	}
	if len(s) > 100 || !decimal.MatchString(s) {
		return Amount{}, fail(BadAmount, "bad argument: usd, which must be a number or a decimal such as \"0.0125\"")
	}
	var a Amount
	if _, _, err := a.d.SetString(s); err != nil || a.d.Form != apd.Finite {
		return Amount{}, fail(BadAmount, "bad argument: usd")
	}
	a.d.Reduce(&a.d)
	if a.d.Exponent < -MaxDecimals {
		return Amount{}, fail(TooPrecise, fmt.Sprintf("the amount has more than %d decimals; round it", MaxDecimals))
	}
	if a.d.Exponent > 12 || a.d.Cmp(&largest) > 0 {
		return Amount{}, fail(TooLarge, "the amount is larger than 1000000000000")
	}
	return a, nil
}

var largest = *apd.New(1, 12)

// FromFloat takes a number as a script has it: the shortest decimal that reads
// as that number. The error is an *Error.
func FromFloat(f float64) (Amount, error) {
	switch {
	case math.IsNaN(f), math.IsInf(f, 0):
		return Amount{}, fail(BadAmount, "the amount is not a finite number")
	case f < 0:
		return Amount{}, fail(Negative, "the amount is negative")
	}
	return Parse(strconv.FormatFloat(math.Abs(f), 'g', -1, 64))
}

// Of takes what a script can give: a number (float64, int, int64, json.Number)
// or the text of a decimal. The error is an *Error.
func Of(v any) (Amount, error) {
	switch v := v.(type) {
	case string:
		return Parse(v)
	case json.Number:
		return Parse(string(v))
	case float64:
		return FromFloat(v)
	case int:
		return Of(int64(v))
	case int64:
		return Parse(strconv.FormatInt(v, 10))
	}
	return Amount{}, fail(BadAmount, "bad argument: usd, which must be a number or a decimal such as \"0.0125\"")
}

// Must is Parse for amounts that are part of a program: it panics when s isn't
// one.
func Must(s string) Amount {
	a, err := Parse(s)
	if err != nil {
		panic("cost: Must(" + strconv.Quote(s) + "): " + err.Error())
	}
	return a
}

// String returns the amount as a decimal without exponent: "0.0125".
func (a Amount) String() string { return a.d.Text('f') }

// IsZero reports whether the amount is 0.
func (a Amount) IsZero() bool { return a.d.IsZero() }

// Cmp compares two amounts: -1, 0 or 1.
func (a Amount) Cmp(b Amount) int { return a.d.Cmp(&b.d) }

// Add returns the sum. Sums of amounts within the bounds are always exact.
func (a Amount) Add(b Amount) Amount {
	var sum Amount
	if _, err := exact.Add(&sum.d, &a.d, &b.d); err != nil {
		// Only sums of some 10^40 amounts have so many digits.
		panic("cost: " + err.Error())
	}
	sum.d.Reduce(&sum.d)
	return sum
}

// Sub returns what is left of a without b, 0 when that is less.
func (a Amount) Sub(b Amount) Amount {
	if a.Cmp(b) <= 0 {
		return Amount{}
	}
	var left Amount
	if _, err := exact.Sub(&left.d, &a.d, &b.d); err != nil {
		panic("cost: " + err.Error())
	}
	left.d.Reduce(&left.d)
	return left
}

// MarshalText writes the decimal: in JSON an amount is a string, since readers
// that take numbers for floats would round it.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalJSON reads a string or a number.
func (a *Amount) UnmarshalJSON(text []byte) error {
	s := string(text)
	if len(s) > 0 && s[0] == '"' {
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
	}
	b, err := sum(s)
	if err != nil {
		return err
	}
	*a = b
	return nil
}

// UnmarshalText reads a decimal.
func (a *Amount) UnmarshalText(text []byte) error {
	b, err := sum(string(text))
	if err == nil {
		*a = b
	}
	return err
}

// sum reads what String wrote, which may be a total and larger than one amount.
func sum(s string) (Amount, error) {
	a, err := Parse(s)
	if e, ok := err.(*Error); !ok || e.Code != TooLarge || len(s) > 40 {
		return a, err
	}
	if _, _, err := a.d.SetString(s); err != nil || a.d.Exponent < -MaxDecimals || a.d.Exponent > 0 {
		return Amount{}, fail(BadAmount, "bad argument: usd")
	}
	a.d.Reduce(&a.d)
	return a, nil
}
