package conv

import (
	"math"
	"math/bits"
)

// PreciseSum adds Numbers exactly, as Math.sumPrecise (§21.3.2.33) does. Its
// zero value is an empty sum, whose result is -0.
type PreciseSum struct {
	// cells[i] counts multiples of 2^(32i - 1074). Each addition changes a cell
	// by less than 2^32, so 2^30 additions fit before carries must be taken.
	cells  [68]int64
	adds   int
	finite bool // something other than -0 was added
	inf    float64
	nan    bool
}

// Add adds f.
func (p *PreciseSum) Add(f float64) {
	b := math.Float64bits(f)
	e := int(b>>52) & 0x7FF
	mant := b & (1<<52 - 1)
	switch {
	case e == 0x7FF:
		if mant != 0 || p.inf != 0 && p.inf != f {
			p.nan = true
		}
		p.inf = f
		return
	case b == 1<<63:
		return
	case e == 0:
		e = 1
	default:
		mant |= 1 << 52
	}
	p.finite = true
	e--
	i, s := e/32, e%32
	lo := mant << s
	hi := mant >> (64 - s) // zero if s is zero
	c := [3]int64{int64(uint32(lo)), int64(lo >> 32), int64(hi)}
	if b>>63 != 0 {
		c[0], c[1], c[2] = -c[0], -c[1], -c[2]
	}
	p.cells[i] += c[0]
	p.cells[i+1] += c[1]
	p.cells[i+2] += c[2]
	if p.adds++; p.adds == 1<<30 {
		p.carry()
		p.adds = 1
	}
}

// carry brings every cell but the last into [0, 2^32).
func (p *PreciseSum) carry() {
	c := int64(0)
	for i := range len(p.cells) - 1 {
		v := p.cells[i] + c
		c = v >> 32
		p.cells[i] = int64(uint32(v))
	}
	p.cells[len(p.cells)-1] += c
}

// Result returns the sum, rounded once.
func (p *PreciseSum) Result() float64 {
	switch {
	case p.nan:
		return math.NaN()
	case p.inf != 0:
		return p.inf
	case !p.finite:
		return math.Copysign(0, -1)
	}
	t := *p
	t.carry()
	neg := t.cells[len(t.cells)-1] < 0
	if neg {
		for i := range t.cells {
			t.cells[i] = -t.cells[i]
		}
		t.carry()
	}
	top := len(t.cells) - 1
	for top >= 0 && t.cells[top] == 0 { //meter: 68 cells
		top--
	}
	if top < 0 {
		return 0
	}
	// The highest 64 bits, and whether any lower bit is set.
	at := func(i int) uint64 {
		if i < 0 {
			return 0
		}
		return uint64(t.cells[i])
	}
	s := bits.LeadingZeros32(uint32(t.cells[top]))
	mant := at(top)<<(32+s) | at(top-1)<<s | at(top-2)>>(32-s)
	sticky := at(top-2)<<(32+s) != 0
	for i := top - 3; i >= 0 && !sticky; i-- { //meter: 68 cells
		sticky = t.cells[i] != 0
	}
	if sticky {
		mant |= 1
	}
	// mant × 2^exp. A subnormal sum has less than 53 bits, so it is exact.
	exp := 32*(top-1) - s - 1074
	f := math.Ldexp(float64(mant), exp)
	if neg {
		return -f
	}
	return f
}
