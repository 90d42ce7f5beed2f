package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// stringBuilder collects the pieces of a long string and makes one flat string
// of them. It keeps Latin-1 bytes until a piece needs more, then UTF-16. Fuel
// and memory are charged as it grows; the memory is given back by finish and
// by release, one of which must be called (release may be called twice):
//
//	sb := stringBuilder{m: m}
//	defer sb.release()
//	…
//	return sb.finish()
//
// Every method that appends fails with the meter's error, or with
// heap.ErrStringLength once the string would be too long; pass the error up.
// Pieces may be views of the heap.
type stringBuilder struct {
	m       *vm.Machine
	narrow  []byte
	wide    []uint16
	isWide  bool
	charged int64
	work    int // units appended since fuel was charged
}

const (
	freeBuilder = 512     // bytes that a builder may use without charging them
	builderWork = 2048    // units between two charges of fuel
	widenPiece  = 1 << 19 // units widened between two looks at the clock
)

// len returns how many code units were appended.
func (b *stringBuilder) len() int {
	if b.isWide {
		return len(b.wide)
	}
	return len(b.narrow)
}

// spend charges for n units appended.
func (b *stringBuilder) spend(n int) error {
	if b.work += n; b.work < builderWork {
		return nil
	}
	w := b.work
	b.work = 0
	return b.m.Charge(w / 32)
}

// account charges the difference between what is allocated and what was
// charged before.
func (b *stringBuilder) account(bytes int64) error {
	if bytes <= freeBuilder {
		return nil
	}
	if err := b.m.Meter().Grow(bytes); err != nil {
		return err
	}
	b.m.Meter().Shrink(b.charged)
	b.charged = bytes
	return nil
}

// capacity returns the units to allocate when at least n are needed.
func (b *stringBuilder) capacity(old, n int) int {
	if old < 1<<24 {
		old *= 2
	} else {
		old += old / 4
	}
	return max(old, n, 64)
}

// reserve makes room for n more units of the present form.
func (b *stringBuilder) reserve(n int) error {
	if b.isWide {
		if cap(b.wide)-len(b.wide) >= n {
			return nil
		}
	} else if cap(b.narrow)-len(b.narrow) >= n {
		return nil
	}
	return b.grow(n)
}

func (b *stringBuilder) grow(n int) error {
	l := b.len()
	if l+n > heap.MaxStringLength {
		return heap.ErrStringLength
	}
	if b.isWide {
		c := b.capacity(cap(b.wide), l+n)
		if err := b.account(int64(c) * 2); err != nil {
			return err
		}
		wide := make([]uint16, l, c) //meter: account has charged for it
		err := meter.Copy(b.m.Meter(), wide, b.wide)
		b.wide = wide
		return err
	}
	c := b.capacity(cap(b.narrow), l+n)
	if err := b.account(int64(c)); err != nil {
		return err
	}
	narrow := make([]byte, l, c) //meter: account has charged for it
	err := meter.Copy(b.m.Meter(), narrow, b.narrow)
	b.narrow = narrow
	return err
}

// widen changes to UTF-16 with room for n more units.
func (b *stringBuilder) widen(n int) error {
	l := len(b.narrow)
	if l+n > heap.MaxStringLength {
		return heap.ErrStringLength
	}
	if err := b.m.Charge(l / 16); err != nil {
		return err
	}
	c := b.capacity(l, l+n)
	if err := b.account(int64(c)*2 + b.charged); err != nil {
		return err
	}
	wide := make([]uint16, 0, c)           //meter: account has charged for it
	for rest := b.narrow; len(rest) > 0; { //meter: charged above
		n := min(len(rest), widenPiece)
		wide = text.AppendWide(wide, rest[:n])
		rest = rest[n:]
		if err := b.m.Meter().Poll(); err != nil {
			return err
		}
	}
	b.wide, b.narrow, b.isWide = wide, nil, true
	return b.account(int64(c) * 2)
}

// unit appends one code unit.
func (b *stringBuilder) unit(c uint16) error {
	if err := b.spend(1); err != nil {
		return err
	}
	if !b.isWide {
		if c <= 0xFF {
			if len(b.narrow) == cap(b.narrow) {
				if err := b.grow(1); err != nil {
					return err
				}
			}
			b.narrow = append(b.narrow, byte(c))
			return nil
		}
		if err := b.widen(1); err != nil {
			return err
		}
	}
	if len(b.wide) == cap(b.wide) {
		if err := b.grow(1); err != nil {
			return err
		}
	}
	b.wide = append(b.wide, c)
	return nil
}

// ascii appends a Go string of ASCII.
func (b *stringBuilder) ascii(s string) error {
	if err := b.spend(len(s)); err != nil {
		return err
	}
	if err := b.reserve(len(s)); err != nil {
		return err
	}
	if !b.isWide {
		b.narrow = append(b.narrow, s...)
		return nil
	}
	for i := range len(s) { //meter: charged above
		b.wide = append(b.wide, uint16(s[i]))
	}
	return nil
}

// latin1 appends Latin-1 units.
func (b *stringBuilder) latin1(s []byte) error {
	if err := b.spend(len(s)); err != nil {
		return err
	}
	if err := b.reserve(len(s)); err != nil {
		return err
	}
	if !b.isWide {
		b.narrow = append(b.narrow, s...)
		return nil
	}
	b.wide = text.AppendWide(b.wide, s)
	return nil
}

// units appends UTF-16 units.
func (b *stringBuilder) units(u []uint16) error {
	if err := b.spend(2 * len(u)); err != nil {
		return err
	}
	if !b.isWide {
		fits, err := text.FitsLatin1(b.m.Meter(), u)
		if err != nil {
			return err
		}
		if fits {
			if err := b.reserve(len(u)); err != nil {
				return err
			}
			b.narrow = text.AppendNarrow(b.narrow, u)
			return nil
		}
		if err := b.widen(len(u)); err != nil {
			return err
		}
	}
	if err := b.reserve(len(u)); err != nil {
		return err
	}
	b.wide = append(b.wide, u...)
	return nil
}

// str appends a string.
func (b *stringBuilder) str(s vm.Str) error {
	l, u, err := b.m.H.Units16(s)
	if err != nil {
		return err
	}
	if u != nil {
		return b.units(u)
	}
	return b.latin1(l)
}

// substr appends units [i, j) of a string.
func (b *stringBuilder) substr(s vm.Str, i, j int) error {
	l, u, err := b.m.H.Units16(s)
	if err != nil {
		return err
	}
	if u != nil {
		return b.units(u[i:j])
	}
	return b.latin1(l[i:j])
}

// repeat appends a string n times. The caller has checked that the result is
// not too long.
func (b *stringBuilder) repeat(s vm.Str, n int) error {
	l := b.m.H.Len(s)
	if n <= 0 || l == 0 {
		return nil
	}
	if l > heap.MaxStringLength/n {
		return heap.ErrStringLength
	}
	if err := b.reserve(n * l); err != nil {
		return err
	}
	from := b.len()
	if err := b.str(s); err != nil {
		return err
	}
	if err := b.spend((n - 1) * l); err != nil {
		return err
	}
	if err := b.reserve((n - 1) * l); err != nil {
		return err
	}
	end := from + n*l
	if b.isWide {
		for len(b.wide) < end { //meter: charged above
			b.wide = append(b.wide, b.wide[from:min(len(b.wide), from+end-len(b.wide), from+max(widenPiece/l, 1)*l)]...)
			if err := b.m.Meter().Poll(); err != nil {
				return err
			}
		}
		return nil
	}
	for len(b.narrow) < end { //meter: charged above
		b.narrow = append(b.narrow, b.narrow[from:min(len(b.narrow), from+end-len(b.narrow), from+max(widenPiece/l, 1)*l)]...)
		if err := b.m.Meter().Poll(); err != nil {
			return err
		}
	}
	return nil
}

// quote appends a string as QuoteJSONString (ECMA-262 §25.5.4.3) does.
func (b *stringBuilder) quote(s vm.Str) error {
	l, u, err := b.m.H.Units16(s)
	if err != nil {
		return err
	}
	n := max(len(l), len(u)) + 2
	if err := b.spend(n); err != nil {
		return err
	}
	if u != nil && !b.isWide {
		if err := b.widen(n); err != nil {
			return err
		}
	}
	if err := b.reserve(n); err != nil {
		return err
	}
	switch {
	case u != nil:
		b.wide, err = text.AppendQuoteJSON(b.m.Meter(), b.wide, u)
	case !b.isWide:
		b.narrow, err = text.AppendQuoteJSON(b.m.Meter(), b.narrow, l)
	default:
		var q []byte
		if q, err = text.AppendQuoteJSON(b.m.Meter(), nil, l); err == nil {
			err = b.latin1(q)
		}
	}
	if err != nil {
		return err
	}
	// Escapes may have made the buffer grow.
	bytes := int64(cap(b.narrow))
	if b.isWide {
		bytes = int64(cap(b.wide)) * 2
	}
	if bytes > b.charged {
		if err := b.account(bytes); err != nil {
			return err
		}
	}
	if b.len() > heap.MaxStringLength {
		return heap.ErrStringLength
	}
	return nil
}

// finish makes the string and gives the builder's memory back.
func (b *stringBuilder) finish() (vm.Str, error) {
	defer b.release()
	if err := b.m.Charge(b.work/32 + b.len()/64); err != nil {
		return 0, err
	}
	b.work = 0
	if b.isWide {
		return b.m.H.NewUTF16(b.wide)
	}
	if len(b.narrow) == 0 {
		return b.m.N.StrEmpty, nil
	}
	return b.m.H.NewLatin1(b.narrow)
}

// value is finish for a string value.
func (b *stringBuilder) value() (vm.Value, error) {
	s, err := b.finish()
	return heap.StringValue(s), err
}

// release gives the builder's memory back.
func (b *stringBuilder) release() {
	if b.charged != 0 {
		b.m.Meter().Shrink(b.charged)
		b.charged = 0
	}
	b.narrow, b.wide, b.isWide = nil, nil, false
}
