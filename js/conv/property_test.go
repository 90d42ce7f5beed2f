package conv_test

import (
	"context"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/meter"
	"pgregory.net/rapid"
)

func anyFloat(t *rapid.T, name string) float64 {
	if rapid.Bool().Draw(t, name+" by bits") {
		return math.Float64frombits(rapid.Uint64().Draw(t, name))
	}
	return rapid.Float64().Draw(t, name)
}

func TestFormatParseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFloat(t, "f")
		s := conv.FormatNumber(nil, f)
		g, ok := conv.ParseNumber(s)
		if ok != (f == f) || f == f && g != f {
			t.Fatalf("%v -> %s -> %v", f, s, g)
		}
		if f == f {
			if g, _ := conv.ParseNumber(conv.ToExponential(nil, f, -1)); g != f {
				t.Fatalf("exponential %v -> %v", f, g)
			}
			if g, _ := conv.ParseNumber(conv.ToPrecision(nil, f, 17)); g != f {
				t.Fatalf("precision %v -> %v", f, g)
			}
		}
	})
}

// exactRound rounds x × 10^digits to an integer, ties up.
func exactRound(x float64, digits int) *big.Int {
	r := new(big.Rat).SetFloat64(x)
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	r.Mul(r, new(big.Rat).SetInt(p))
	r.Add(r, big.NewRat(1, 2))
	return new(big.Int).Quo(r.Num(), r.Denom())
}

func TestToFixedExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(0, 1e21).Draw(t, "f")
		if rapid.Bool().Draw(t, "dyadic") {
			f = float64(rapid.Uint32().Draw(t, "n")) / math.Ldexp(1, rapid.IntRange(0, 60).Draw(t, "k"))
		}
		if f >= 1e21 {
			return
		}
		d := rapid.IntRange(0, 100).Draw(t, "digits")
		got := strings.Replace(string(conv.ToFixed(nil, f, d)), ".", "", 1)
		n, _ := new(big.Int).SetString(got, 10)
		if want := exactRound(f, d); n.Cmp(want) != 0 {
			t.Fatalf("%v.toFixed(%d) = %v, want %v", f, d, n, want)
		}
	})
}

func TestParseAgreesWithStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[0-9]{0,30}\.?[0-9]{1,60}(e[+-]?[0-9]{1,3})?`).Draw(t, "s")
		want, _ := strconv.ParseFloat(s, 64)
		if got, ok := conv.ParseNumber([]byte(s)); !ok || got != want {
			t.Fatalf("%s: %v, want %v", s, got, want)
		}
	})
}

func TestLongDigits(t *testing.T) {
	n := 1 << 20
	for s, want := range map[string]float64{
		strings.Repeat("0", n) + "1.5":                            1.5,
		"0." + strings.Repeat("0", n) + "15e" + strconv.Itoa(n+1): 1.5,
		"15" + strings.Repeat("0", n) + "e-" + strconv.Itoa(n+1):  1.5,
		"9007199254740993" + "." + strings.Repeat("0", n) + "1":   9007199254740994,
		"9007199254740993" + "." + strings.Repeat("0", n):         9007199254740992,
		strings.Repeat(" ", n) + "7" + strings.Repeat(" ", n):     7,
		strings.Repeat("9", n):                                    math.Inf(1),
		"0x" + strings.Repeat("0", n) + "20000000000001" + "000":  0x20000000000001000,
		"1e" + strings.Repeat("0", n) + "5":                       1e5,
		strings.Repeat("9", n) + "e-" + strconv.Itoa(n):           1,
	} {
		m := meter.New(context.Background(), meter.Limits{})
		if got, err := conv.StringToNumber(m, []byte(s)); err != nil || got != want {
			t.Errorf("%.20s… = %v, want %v", s, got, want)
		}
		if u := m.Usage().Fuel; u < int64(n)/20 {
			t.Errorf("%.20s… charged %d", s, u)
		}
		m = meter.New(context.Background(), meter.Limits{Fuel: 1000})
		if _, err := conv.StringToNumber(m, []byte(s)); !meter.IsLimit(err) {
			t.Errorf("%.20s… passed the limit", s)
		}
	}
	if f, _ := conv.ParseIntPrefix(nil, []byte(strings.Repeat("0", n)+"zz"), 36); f != 35*37 {
		t.Error(f)
	}
	if f, _ := conv.ParseIntPrefix(nil, []byte(strings.Repeat("1", n)), 7); !math.IsInf(f, 1) {
		t.Error(f)
	}
}

func TestFloat16(t *testing.T) {
	for h := range 1 << 16 {
		f := conv.Float16ToFloat64(uint16(h))
		if f == f && conv.Float16FromFloat64(f) != uint16(h) {
			t.Fatalf("%#x -> %v -> %#x", h, f, conv.Float16FromFloat64(f))
		}
	}
	// Halfway cases go to even; a little more or less decides them.
	for h := range uint16(0x7BFF) {
		a, b := conv.Float16ToFloat64(h), conv.Float16ToFloat64(h+1)
		mid := (a + b) / 2
		even := h + h&1
		if conv.Float16FromFloat64(mid) != even || conv.Float16FromFloat64(math.Nextafter(mid, 1e9)) != h+1 || conv.Float16FromFloat64(math.Nextafter(mid, 0)) != h {
			t.Fatalf("around %v", mid)
		}
	}
	for f, want := range map[float64]float64{65519.999: 65504, 65520: math.Inf(1), 1e-8: 0, 0x1p-25: 0, 0x1.000001p-25: 0x1p-24, 1.337: 1.3369140625} {
		if got := conv.F16round(f); got != want {
			t.Errorf("F16round(%v) = %v", f, got)
		}
	}
}

func TestPreciseSum(t *testing.T) {
	sum := func(xs ...float64) float64 {
		var p conv.PreciseSum
		for _, x := range xs {
			p.Add(x)
		}
		return p.Result()
	}
	inf := math.Inf(1)
	neg0 := math.Copysign(0, -1)
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{nil, neg0}, {[]float64{neg0, neg0}, neg0}, {[]float64{neg0, 0}, 0}, {[]float64{1, -1}, 0},
		{[]float64{1e20, 0.1, -1e20}, 0.1}, {[]float64{1e308, 1e308, -1e308}, 1e308}, {[]float64{1e308, 1e308}, inf},
		{[]float64{inf, -inf}, math.NaN()}, {[]float64{inf, 1e308}, inf}, {[]float64{math.NaN(), 1}, math.NaN()},
		{[]float64{5e-324, 5e-324}, 1e-323}, {[]float64{-5e-324, 5e-324}, 0}, {[]float64{1, 0x1p-53}, 1},
		{[]float64{1, 0x1p-53, 5e-324}, 1 + 0x1p-52}, {[]float64{-1, -0x1p-53, -5e-324}, -1 - 0x1p-52},
		{[]float64{8.98846567431158e+307, 8.988465674311579e+307, -1.7976931348623157e+308}, 9.9792015476736e+291},
		{[]float64{0.1, 0.2, 0.3}, 0.6},
	} {
		if got := sum(c.xs...); !same(got, c.want) {
			t.Errorf("sum(%v) = %v, want %v", c.xs, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e300, 1e300), 1, 20).Draw(t, "xs")
		want := new(big.Float).SetPrec(5000)
		for _, x := range xs {
			want.Add(want, new(big.Float).SetFloat64(x))
		}
		w, _ := want.Float64()
		if got := sum(xs...); got != w {
			t.Fatalf("%v: %v, want %v", xs, got, w)
		}
	})
}

// TestPowIsNearest compares x^(n/4) with an exact power and square roots.
func TestPowIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-3, 1e3).Draw(t, "x")
		n := rapid.IntRange(-300, 300).Draw(t, "n")
		w := new(big.Float).SetPrec(400).SetInt64(1)
		bx := new(big.Float).SetPrec(400).SetFloat64(x)
		for range max(n, -n) {
			w.Mul(w, bx)
		}
		if n < 0 {
			w.Quo(new(big.Float).SetPrec(400).SetInt64(1), w)
		}
		w.Sqrt(w)
		w.Sqrt(w)
		want, _ := w.Float64()
		if got := conv.Pow(x, float64(n)/4); got != want {
			t.Fatalf("%v ** %v/4 = %v, want %v", x, n, got, want)
		}
	})
}

func drawBig(t *rapid.T, name string, maxLimbs int) *big.Int {
	n := rapid.IntRange(0, maxLimbs).Draw(t, name+" limbs")
	seed := rapid.Uint64().Draw(t, name+" seed")
	fill := rapid.IntRange(0, 2).Draw(t, name+" fill")
	w := make([]big.Word, n)
	for i := range w {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		switch {
		case fill == 1 && seed%3 != 0:
			w[i] = ^big.Word(0)
		case fill == 2 && seed%3 != 0:
		default:
			w[i] = big.Word(seed)
		}
	}
	x := new(big.Int).SetBits(w)
	if rapid.Bool().Draw(t, name+" negative") {
		x.Neg(x)
	}
	return x
}

func TestLongBigInts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawBig(t, "x", 5000)
		y := drawBig(t, "y", []int{3, 600, 5000}[rapid.IntRange(0, 2).Draw(t, "size")])
		var z, w big.Int
		if err := conv.BigMul(nil, &z, x, y); err != nil || z.Cmp(w.Mul(x, y)) != 0 {
			t.Fatal("mul")
		}
		if y.Sign() == 0 {
			return
		}
		if err := conv.BigDiv(nil, &z, x, y); err != nil || z.Cmp(w.Quo(x, y)) != 0 {
			t.Fatal("div")
		}
		if err := conv.BigRem(nil, &z, x, y); err != nil || z.Cmp(w.Rem(x, y)) != 0 {
			t.Fatal("rem")
		}
		radix := rapid.IntRange(2, 36).Draw(t, "radix")
		b, err := conv.FormatBigInt(nil, nil, y, radix)
		if err != nil || string(b) != y.Text(radix) {
			t.Fatal("format", radix)
		}
		if radix == 10 {
			if z, ok, _ := conv.StringToBigInt(nil, b); !ok || z.Cmp(y) != 0 {
				t.Fatal("parse")
			}
		}
	})
}

// TestVeryLongBigInts takes the paths for operands over 2^16 limbs.
func TestVeryLongBigInts(t *testing.T) {
	one := big.NewInt(1)
	x := new(big.Int).Lsh(big.NewInt(12345), 5_000_000)
	x.Sub(x, big.NewInt(987654321))
	y := new(big.Int).Lsh(big.NewInt(777), 4_500_000)
	y.Add(y, big.NewInt(31))
	for _, p := range [][2]*big.Int{{x, y}, {new(big.Int).Neg(x), y}, {x, new(big.Int).Neg(y)}, {y, x}, {new(big.Int).Neg(x), new(big.Int).Neg(y)}, {x, one}, {new(big.Int).Neg(x), x}} {
		a, b := p[0], p[1]
		var z, w big.Int
		for name, c := range map[string]struct {
			got  func(*meter.Meter, *big.Int, *big.Int, *big.Int) error
			want func(x, y *big.Int) *big.Int
		}{
			"+": {conv.BigAdd, w.Add}, "-": {conv.BigSub, w.Sub}, "&": {conv.BigAnd, w.And},
			"|": {conv.BigOr, w.Or}, "^": {conv.BigXor, w.Xor},
		} {
			if err := c.got(nil, &z, a, b); err != nil || z.Cmp(c.want(a, b)) != 0 {
				t.Errorf("%s differs", name)
			}
		}
	}
	var z big.Int
	if err := conv.BigShr(nil, &z, new(big.Int).Neg(x), big.NewInt(77)); err != nil || z.Cmp(new(big.Int).Rsh(new(big.Int).Neg(x), 77)) != 0 {
		t.Error(">>")
	}
	if err := conv.BigAdd(nil, x, x, x); err != nil || x.Bit(1) != 1 { // in place
		t.Error("in place")
	}
}

func TestBigIntLimits(t *testing.T) {
	var z big.Int
	huge := new(big.Int).Lsh(big.NewInt(1), 1<<30-1)
	if err := conv.BigShl(nil, &z, big.NewInt(1), big.NewInt(1<<30)); err != conv.ErrTooBig {
		t.Error("1n << 2n**30n:", err)
	}
	if err := conv.BigMul(nil, &z, huge, big.NewInt(2)); err != conv.ErrTooBig {
		t.Error("huge * 2n:", err)
	}
	if err := conv.BigAdd(nil, &z, huge, huge); err != conv.ErrTooBig {
		t.Error("huge + huge:", err)
	}
	if err := conv.BigExp(nil, &z, big.NewInt(3), big.NewInt(1<<40)); err != conv.ErrTooBig {
		t.Error("3n ** 2n**40n:", err)
	}
	if err := conv.BigExp(nil, &z, big.NewInt(7), big.NewInt(400_000_000)); err != conv.ErrTooBig {
		t.Error("7n ** 400000000n:", err)
	}
	if err := conv.BigAsUintN(nil, &z, 1<<31, big.NewInt(-1)); err != conv.ErrTooBig {
		t.Error("asUintN:", err)
	}
	if err := conv.BigAsIntN(nil, &z, 1<<40, big.NewInt(-1)); err != nil || z.Int64() != -1 {
		t.Error("asIntN:", err)
	}
	if err := conv.BigExp(nil, &z, big.NewInt(2), big.NewInt(1<<30-1)); err != nil || z.Cmp(huge) != 0 {
		t.Error("2n ** (2n**30n - 1n):", err)
	}
	if err := conv.BigDiv(nil, &z, huge, &big.Int{}); err != conv.ErrDivZero {
		t.Error("/ 0n:", err)
	}
}

// TestBigIntsStop shows that long operations end soon after the meter says so.
func TestBigIntsStop(t *testing.T) {
	long := new(big.Int).Exp(big.NewInt(3), big.NewInt(5_000_000), nil)
	half := new(big.Int).Rsh(long, 4_000_000)
	digits := []byte(strings.Repeat("7", 3_000_000))
	var z big.Int
	for name, f := range map[string]func(m *meter.Meter) error{
		"pow":   func(m *meter.Meter) error { return conv.BigExp(m, &z, big.NewInt(7), big.NewInt(300_000_000)) },
		"mul":   func(m *meter.Meter) error { return conv.BigMul(m, &z, long, long) },
		"div":   func(m *meter.Meter) error { return conv.BigDiv(m, &z, long, half) },
		"parse": func(m *meter.Meter) error { _, _, err := conv.StringToBigInt(m, digits); return err },
		"format": func(m *meter.Meter) error {
			_, err := conv.FormatBigInt(m, nil, long, 10)
			return err
		},
	} {
		m := meter.New(context.Background(), meter.Limits{Timeout: 5 * time.Millisecond})
		start := time.Now()
		err := f(m)
		if took := time.Since(start); !meter.IsLimit(err) || took > 10*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"", "1", "-1.5e3", "0x1F", " Infinity ", "1e400", ".5.", "0b12", "\x00", "1_0"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, radix int) {
		b := []byte(s)
		u := make([]uint16, len(b))
		for i, c := range b {
			u[i] = uint16(c)
		}
		x, ok := conv.ParseNumber(b)
		y, ok2 := conv.ParseNumber(u)
		if ok != ok2 || !same(x, y) {
			t.Fatalf("%q: %v, %v", s, x, y)
		}
		if ok {
			if z, _ := conv.ParseNumber(conv.FormatNumber(nil, x)); z != x {
				t.Fatalf("%q: %v, %v", s, x, z)
			}
		}
		_, _ = conv.ParseFloatPrefix(nil, b)
		_, _ = conv.ParseIntPrefix(nil, b, int32(radix))
		_, _ = conv.ParseLiteral(nil, s)
		if n, ok, _ := conv.StringToBigInt(nil, b); ok && len(s) < 1000 {
			if f := conv.BigToFloat(n); !same(f+0, x+0) {
				t.Fatalf("%q: %v, %v", s, f, x)
			}
		}
	})
}

func BenchmarkFormatNumber(b *testing.B) {
	buf := make([]byte, 0, 64)
	b.Run("integer", func(b *testing.B) {
		for i := range b.N {
			buf = conv.FormatNumber(buf[:0], float64(i&0xFFFFF))
		}
	})
	b.Run("fraction", func(b *testing.B) {
		for i := range b.N {
			buf = conv.FormatNumber(buf[:0], float64(i)*0.1+0.3)
		}
	})
	b.Run("fixed", func(b *testing.B) {
		for i := range b.N {
			buf = conv.ToFixed(buf[:0], float64(i)*0.1+0.3, 2)
		}
	})
}

func BenchmarkParseNumber(b *testing.B) {
	for _, s := range []string{"12345", " 3.14159 ", "0.1234567890123456789", "1.7976931348623157e308"} {
		x := []byte(s)
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				conv.ParseNumber(x)
			}
		})
	}
}

func BenchmarkPow(b *testing.B) {
	for _, y := range []float64{5, 2.31} {
		b.Run(strconv.FormatFloat(y, 'g', -1, 64), func(b *testing.B) {
			for i := range b.N {
				conv.Pow(1.37+float64(i&15), y)
			}
		})
	}
}

func BenchmarkBigInt(b *testing.B) {
	x := new(big.Int).Exp(big.NewInt(3), big.NewInt(400_000), nil)
	y := new(big.Int).Rsh(x, 300_000)
	var z big.Int
	text := []byte(x.String())
	b.Run("mul", func(b *testing.B) {
		for range b.N {
			_ = conv.BigMul(nil, &z, x, x)
		}
	})
	b.Run("math/big mul", func(b *testing.B) {
		for range b.N {
			z.Mul(x, x)
		}
	})
	b.Run("div", func(b *testing.B) {
		for range b.N {
			_ = conv.BigDiv(nil, &z, x, y)
		}
	})
	b.Run("math/big div", func(b *testing.B) {
		for range b.N {
			z.Quo(x, y)
		}
	})
	b.Run("format", func(b *testing.B) {
		for range b.N {
			_, _ = conv.FormatBigInt(nil, nil, x, 10)
		}
	})
	b.Run("math/big format", func(b *testing.B) {
		for range b.N {
			_ = x.String()
		}
	})
	b.Run("parse", func(b *testing.B) {
		for range b.N {
			_, _, _ = conv.StringToBigInt(nil, text)
		}
	})
}
