package conv_test

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strconv"
	"testing"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/js/conv"
)

// The rows of testdata/golden.json were recorded from node by golden.mjs.
var golden = func() map[string][][]any {
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		panic(err)
	}
	var g map[string][][]any
	if err := json.Unmarshal(b, &g); err != nil {
		panic(err)
	}
	return g
}()

func num(v any) float64 {
	f, err := strconv.ParseFloat(v.(string), 64)
	if err != nil {
		panic(err)
	}
	return f
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func bigInt(v any) *big.Int {
	x, ok := new(big.Int).SetString(v.(string), 10)
	if !ok {
		panic(v)
	}
	return x
}

func TestFormat(t *testing.T) {
	for _, r := range golden["format"] {
		if got := string(conv.FormatNumber(nil, num(r[0]))); got != r[1] {
			t.Errorf("FormatNumber(%v) = %s", r, got)
		}
	}
	for _, r := range golden["radix"] {
		if got := string(conv.FormatRadix(nil, num(r[0]), int(r[1].(float64)))); got != r[2] {
			t.Errorf("FormatRadix(%v) = %s", r, got)
		}
	}
	for name, f := range map[string]func([]byte, float64, int) []byte{
		"fixed": conv.ToFixed, "exponential": conv.ToExponential, "precision": conv.ToPrecision,
	} {
		for _, r := range golden[name] {
			if got := string(f([]byte("x"), num(r[0]), int(r[1].(float64)))); got != "x"+r[2].(string) {
				t.Errorf("%s(%v) = %s", name, r, got)
			}
		}
	}
}

// forms calls f with s as UTF-16, and as Latin-1 if it fits.
func forms(s string, wide func([]uint16), narrow func([]byte)) {
	u := utf16.Encode([]rune(s))
	wide(u)
	b := make([]byte, len(u))
	for i, c := range u {
		if c > 0xFF {
			return
		}
		b[i] = byte(c)
	}
	narrow(b)
}

func TestParse(t *testing.T) {
	check := func(name string, r []any, want any, got float64) {
		t.Helper()
		if !same(got, num(want)) {
			t.Errorf("%s(%.80v) = %v", name, r, got)
		}
	}
	for _, r := range golden["number"] {
		forms(r[0].(string), func(s []uint16) {
			f, ok := conv.ParseNumber(s)
			check("ParseNumber", r, r[1], f)
			if ok != (f == f) {
				t.Error("ok", r)
			}
		}, func(s []byte) {
			f, _ := conv.ParseNumber(s)
			check("ParseNumber", r, r[1], f)
		})
	}
	for _, r := range golden["parseFloat"] {
		forms(r[0].(string), func(s []uint16) {
			f, _ := conv.ParseFloatPrefix(nil, s)
			check("ParseFloatPrefix", r, r[1], f)
		}, func(s []byte) {
			f, _ := conv.ParseFloatPrefix(nil, s)
			check("ParseFloatPrefix", r, r[1], f)
		})
	}
	for _, r := range golden["parseInt"] {
		radix := int32(r[1].(float64))
		if f := num(r[2]); radix == 36 && f > 1<<53 && f < math.MaxFloat64 {
			continue // node approximates there (§19.2.5 step 13)
		}
		forms(r[0].(string), func(s []uint16) {
			f, _ := conv.ParseIntPrefix(nil, s, radix)
			check("ParseIntPrefix", r, r[2], f)
		}, func(s []byte) {
			f, _ := conv.ParseIntPrefix(nil, s, radix)
			check("ParseIntPrefix", r, r[2], f)
		})
	}
	for _, r := range golden["literal"] {
		f, _ := conv.ParseLiteral(nil, r[0].(string))
		check("ParseLiteral", r, r[1], f)
	}
}

func TestIntegers(t *testing.T) {
	for _, r := range golden["int32"] {
		f := num(r[0])
		got := []any{f, float64(conv.ToInt32(f)), float64(conv.ToUint32(f)), float64(conv.ToInt16(f)),
			float64(conv.ToUint16(f)), float64(conv.ToInt8(f)), float64(conv.ToUint8(f)), float64(conv.ToUint8Clamp(f))}
		for i := 1; i < len(r); i++ {
			if got[i] != r[i] {
				t.Errorf("%v: column %d is %v", r, i, got[i])
			}
		}
	}
}

func TestMath(t *testing.T) {
	for _, r := range golden["round"] {
		f := num(r[0])
		got := []float64{0, conv.Round(f), conv.Sign(f), conv.Fround(f), float64(conv.Clz32(conv.ToUint32(f))), conv.Expm1(f / 1e3)}
		for i := 1; i < len(r); i++ {
			want, ok := r[i].(float64)
			if !ok {
				want = num(r[i])
			}
			if !same(got[i], want) {
				t.Errorf("%v: column %d is %v", r, i, got[i])
			}
		}
	}
	for _, r := range golden["pow"] {
		// node's power is not always the nearest number.
		got, want := conv.Pow(num(r[0]), num(r[1])), num(r[2])
		if !same(got, want) && math.Nextafter(got, want) != want {
			t.Errorf("Pow(%v) = %v", r, got)
		}
	}
	for _, r := range golden["hypot"] {
		var a []float64
		for _, v := range r[0].([]any) {
			a = append(a, num(v))
		}
		if got := conv.Hypot(a...); !same(got, num(r[1])) {
			t.Errorf("Hypot(%v) = %v", r, got)
		}
	}
	if conv.Imul(0xFFFFFFFF, 5) != -5 {
		t.Error("Imul")
	}
}

func TestBigInt(t *testing.T) {
	z := new(big.Int)
	ops := map[string]func(x, y *big.Int) error{
		"+":  func(x, y *big.Int) error { return conv.BigAdd(nil, z, x, y) },
		"-":  func(x, y *big.Int) error { return conv.BigSub(nil, z, x, y) },
		"*":  func(x, y *big.Int) error { return conv.BigMul(nil, z, x, y) },
		"/":  func(x, y *big.Int) error { return conv.BigDiv(nil, z, x, y) },
		"%":  func(x, y *big.Int) error { return conv.BigRem(nil, z, x, y) },
		"&":  func(x, y *big.Int) error { return conv.BigAnd(nil, z, x, y) },
		"|":  func(x, y *big.Int) error { return conv.BigOr(nil, z, x, y) },
		"^":  func(x, y *big.Int) error { return conv.BigXor(nil, z, x, y) },
		"**": func(x, y *big.Int) error { return conv.BigExp(nil, z, x, y) },
		"<<": func(x, y *big.Int) error { return conv.BigShl(nil, z, x, y) },
		">>": func(x, y *big.Int) error { return conv.BigShr(nil, z, x, y) },
	}
	for _, r := range golden["bigBinary"] {
		x, y := bigInt(r[0]), bigInt(r[2])
		got := ""
		if err := ops[r[1].(string)](x, y); err != nil {
			got = err.Error()
			if err == conv.ErrNegExponent {
				got = "undefined must be positive" // node 20's wording
			}
		} else {
			got = z.String()
		}
		if got != r[3] {
			t.Errorf("%v = %s", r, got)
		}
		if x.Cmp(bigInt(r[0])) != 0 || y.Cmp(bigInt(r[2])) != 0 {
			t.Errorf("%v changed an operand", r)
		}
	}
	for _, r := range golden["bigUnary"] {
		x := bigInt(r[0])
		got := []string{"", "", "", string(conv.FormatNumber(nil, conv.BigToFloat(x)))}
		_ = conv.BigNeg(nil, z, x)
		got[1] = z.String()
		_ = conv.BigNot(nil, z, x)
		got[2] = z.String()
		for _, radix := range []int{2, 7, 36, 16} {
			b, _ := conv.FormatBigInt(nil, nil, x, radix)
			got = append(got, string(b))
		}
		for i := 1; i < len(r); i++ {
			if got[i] != r[i] {
				t.Errorf("%v: column %d is %v", r, i, got[i])
			}
		}
	}
	for _, r := range golden["bigN"] {
		x, n := bigInt(r[0]), int64(r[1].(float64))
		if err := conv.BigAsIntN(nil, z, n, x); err != nil || z.String() != r[2] {
			t.Errorf("AsIntN %v = %v", r, z)
		}
		if err := conv.BigAsUintN(nil, z, n, x); err != nil || z.String() != r[3] {
			t.Errorf("AsUintN %v = %v", r, z)
		}
	}
	for _, r := range golden["bigParse"] {
		forms(r[0].(string), func(s []uint16) {
			x, ok, err := conv.StringToBigInt(nil, s)
			if err != nil || ok != (r[1] != nil) || ok && x.String() != r[1] {
				t.Errorf("StringToBigInt(%v) = %v", r, x)
			}
		}, func(s []byte) {
			x, ok, err := conv.StringToBigInt(nil, s)
			if err != nil || ok != (r[1] != nil) || ok && x.String() != r[1] {
				t.Errorf("StringToBigInt(%v) = %v", r, x)
			}
		})
	}
	for _, r := range golden["bigCmp"] {
		if got := conv.BigCmpFloat(bigInt(r[0]), num(r[1])); float64(got) != r[2] {
			t.Errorf("BigCmpFloat(%v) = %v", r, got)
		}
	}
}
