package text

import (
	"math/bits"

	"github.com/pinfold-js/pinfold/meter"
)

// Char is a code unit of a string: a Latin-1 byte or a UTF-16 unit.
type Char interface{ ~uint8 | ~uint16 }

// chunk is how many units a loop handles between two charges.
const chunk = 1 << 16

// charge takes n units of fuel; a nil meter has no end.
//
//meter:charges
func charge(m *meter.Meter, n int) error {
	if m == nil {
		return nil
	}
	return m.Charge(int64(n))
}

// tick charges a chunk of a loop over code units each time i passes one.
//
//meter:charges
func tick(m *meter.Meter, i int) error {
	if i&(chunk-1) == chunk-1 && m != nil {
		return m.Charge(chunk / 16)
	}
	return nil
}

// pace is how many units a loop handles between two charges where begin hasn't
// charged: fewer cost nothing, and a script may have as many such texts read as
// it likes.
const pace = 1 << 10

// stride is tick for such a loop.
//
//meter:charges
func stride(m *meter.Meter, i int) error {
	if i&(pace-1) == pace-1 && m != nil {
		return m.Charge(pace / 16)
	}
	return nil
}

// begin charges for what is left of n units beside full chunks, one for each
// group of per units.
//
//meter:charges
func begin(m *meter.Meter, n, per int) error {
	if m == nil {
		return nil
	}
	return m.Charge(int64(n&(chunk-1)/per + 1))
}

// reserve checks that n bytes of temporary memory fit. Small ones pass.
func reserve(m *meter.Meter, n int) error {
	if m == nil || n < chunk {
		return nil
	}
	if err := m.Grow(int64(n)); err != nil {
		return err
	}
	m.Shrink(int64(n))
	return nil
}

// extend gives dst room for n more elements of size bytes each.
func extend[C Char](m *meter.Meter, dst []C, n int) ([]C, error) {
	if cap(dst)-len(dst) >= n {
		return dst, nil
	}
	size := 1
	var c C
	if c--; uint64(c) > 0xFF {
		size = 2
	}
	// The old buffer stays until the new one is filled.
	if err := reserve(m, (2*len(dst)+n)*size); err != nil {
		return dst, err
	}
	out := make([]C, len(dst), len(dst)+n) //meter: reserved above
	if err := meter.Copy(m, out, dst); err != nil {
		return dst, err
	}
	return out, nil
}

// A Text is a string in one of the two forms: Wide if it is not nil, else
// Latin1.
type Text struct {
	Latin1 []byte
	Wide   []uint16
}

// Len returns the number of code units.
func (t Text) Len() int {
	if t.Wide != nil {
		return len(t.Wide)
	}
	return len(t.Latin1)
}

// IsWide says whether the text is in UTF-16 form.
func (t Text) IsWide() bool { return t.Wide != nil }

// A Builder collects code units, in Latin-1 form as long as they allow it. Its
// memory is charged while it grows and given back by Text.
type Builder struct {
	m       *meter.Meter
	narrow  []byte
	wide    []uint16
	charged int64
	err     error
}

// NewBuilder returns a builder with room for n units.
func NewBuilder(m *meter.Meter, n int) *Builder {
	b := &Builder{m: m}
	if b.grow(int64(n)) {
		b.narrow = make([]byte, 0, n) //meter: grow has charged for it
	}
	return b
}

// grow charges n bytes. Small ones are free.
func (b *Builder) grow(n int64) bool {
	if b.err != nil {
		return false
	}
	if n >= chunk && b.m != nil {
		if b.err = b.m.Grow(n); b.err != nil {
			return false
		}
		b.charged += n
	}
	return true
}

// room makes space for n more units of the present form.
func (b *Builder) room(n int) bool {
	if b.wide != nil {
		if cap(b.wide)-len(b.wide) >= n {
			return b.err == nil
		}
		c := roundUp(2*cap(b.wide), len(b.wide)+n)
		if !b.grow(int64(c) * 2) {
			return false
		}
		old := b.wide
		b.wide = make([]uint16, len(old), c) //meter: grow has charged for it
		b.err = meter.Copy(b.m, b.wide, old)
		return b.err == nil
	}
	if cap(b.narrow)-len(b.narrow) >= n {
		return b.err == nil
	}
	c := roundUp(2*cap(b.narrow), len(b.narrow)+n)
	if !b.grow(int64(c)) {
		return false
	}
	old := b.narrow
	b.narrow = make([]byte, len(old), c) //meter: grow has charged for it
	b.err = meter.Copy(b.m, b.narrow, old)
	return b.err == nil
}

func roundUp(a, b int) int {
	if a > 1<<26 { // stop doubling where it would waste too much
		a -= a / 4
	}
	return max(a, b, 16)
}

// widen changes to UTF-16 form.
func (b *Builder) widen() bool {
	c := max(cap(b.narrow), 8)
	if !b.grow(int64(c) * 2) {
		return false
	}
	w := make([]uint16, len(b.narrow), c) //meter: grow has charged for it
	for i, x := range b.narrow {          //meter: once a builder, over units that were charged when they were appended
		w[i] = uint16(x)
	}
	b.wide, b.narrow = w, nil
	return true
}

// Unit appends a code unit.
func (b *Builder) Unit(c uint16) {
	if c > 0xFF && b.wide == nil && !b.widen() {
		return
	}
	if b.wide != nil {
		if len(b.wide) < cap(b.wide) || b.room(1) {
			b.wide = append(b.wide, c)
		}
		return
	}
	if len(b.narrow) < cap(b.narrow) || b.room(1) {
		b.narrow = append(b.narrow, byte(c))
	}
}

// Rune appends a code point, which may be a lone surrogate.
func (b *Builder) Rune(r uint32) {
	if r > 0xFFFF {
		b.Unit(uint16(0xD7C0 + r>>10))
		b.Unit(uint16(0xDC00 | r&0x3FF))
		return
	}
	b.Unit(uint16(r))
}

// Err returns the meter's error, if the builder ran into one.
func (b *Builder) Err() error { return b.err }

// Text returns what was collected and gives the charged memory back.
func (b *Builder) Text() (Text, error) {
	if b.m != nil {
		b.m.Shrink(b.charged)
		b.charged = 0
	}
	if b.err != nil {
		return Text{}, b.err
	}
	return Text{Latin1: b.narrow, Wide: b.wide}, nil
}

// span is a range of code points, both ends included.
type span struct{ lo, hi uint32 }

// within says whether c is in one of the sorted spans.
func within(t []span, c uint32) bool {
	lo, hi := 0, len(t)
	for lo < hi { //meter: a binary search
		mid := int(uint(lo+hi) >> 1)
		switch {
		case c > t[mid].hi:
			lo = mid + 1
		case c < t[mid].lo:
			hi = mid
		default:
			return true
		}
	}
	return false
}

// ASCII identifier characters, as bits of two words.
var (
	startBits, partBits = func() (s, p [2]uint64) {
		for c := range uint32(128) {
			letter := c|0x20-'a' < 26 || c == '$' || c == '_'
			if letter {
				s[c>>6] |= 1 << (c & 63)
			}
			if letter || c-'0' <= 9 {
				p[c>>6] |= 1 << (c & 63)
			}
		}
		return
	}()
)

// IsIDStart says whether c is an IdentifierStartChar (§12.7).
func IsIDStart(c uint32) bool {
	if c < 128 {
		return startBits[c>>6]>>(c&63)&1 != 0
	}
	return within(idStart, c)
}

// IsIDContinue says whether c is an IdentifierPartChar (§12.7).
func IsIDContinue(c uint32) bool {
	if c < 128 {
		return partBits[c>>6]>>(c&63)&1 != 0
	}
	return c == 0x200C || c == 0x200D || within(idContinue, c)
}

// IsSpace says whether c is WhiteSpace or LineTerminator (§12.2, §12.3).
func IsSpace(c uint32) bool {
	if c <= 0xFF {
		return c == ' ' || c-9 < 5 || c == 0xA0
	}
	if c < 0x1680 {
		return false
	}
	switch {
	case c-0x2000 <= 10:
		return true
	case c == 0x1680, c == 0x2028, c == 0x2029, c == 0x202F, c == 0x205F, c == 0x3000, c == 0xFEFF:
		return true
	}
	return false
}

// IsLineTerminator says whether c is a LineTerminator (§12.3).
func IsLineTerminator(c uint32) bool {
	return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029
}

// TrimStart returns the index of the first unit that is no white space, or
// len(s) (TrimString, §22.1.3.32.1).
func TrimStart[C Char](m *meter.Meter, s []C) (int, error) {
	i := 0
	for i < len(s) && IsSpace(uint32(s[i])) {
		if err := stride(m, i); err != nil {
			return 0, err
		}
		i++
	}
	return i, nil
}

// TrimEnd returns the index after the last unit that is no white space, or 0.
func TrimEnd[C Char](m *meter.Meter, s []C) (int, error) {
	i := len(s)
	for i > 0 && IsSpace(uint32(s[i-1])) {
		if err := stride(m, i); err != nil {
			return 0, err
		}
		i--
	}
	return i, nil
}

// IsLead and IsTrail say whether a code unit is a leading or trailing
// surrogate.
func IsLead(c uint16) bool  { return c&0xFC00 == 0xD800 }
func IsTrail(c uint16) bool { return c&0xFC00 == 0xDC00 }

// Pair returns the code point of a surrogate pair.
func Pair(lead, trail uint16) uint32 {
	return (uint32(lead)-0xD7C0)<<10 + uint32(trail) - 0xDC00
}

// CodePointAt is CodePointAt (§11.1.4): the code point at i and how many units
// it takes. A lone surrogate stands for itself.
func CodePointAt(s []uint16, i int) (r uint32, n int) {
	c := s[i]
	if IsLead(c) && i+1 < len(s) && IsTrail(s[i+1]) {
		return Pair(c, s[i+1]), 2
	}
	return uint32(c), 1
}

// AppendCodePoint is UTF16EncodeCodePoint (§11.1.1).
func AppendCodePoint(dst []uint16, r uint32) []uint16 {
	if r > 0xFFFF {
		return append(dst, uint16(0xD7C0+r>>10), uint16(0xDC00|r&0x3FF))
	}
	return append(dst, uint16(r))
}

// lone says whether the unit at i is a surrogate without its other half, and
// how many units to go on by.
func lone(s []uint16, i int) (bool, int) {
	c := s[i]
	if c&0xF800 != 0xD800 {
		return false, 1
	}
	if IsLead(c) && i+1 < len(s) && IsTrail(s[i+1]) {
		return false, 2
	}
	return true, 1
}

// IsWellFormed is IsStringWellFormedUnicode (§7.2.9).
func IsWellFormed(m *meter.Meter, s []uint16) (bool, error) {
	if err := begin(m, len(s), 16); err != nil {
		return false, err
	}
	for i, next := 0, chunk; i < len(s); {
		if i >= next {
			if err := charge(m, chunk/16); err != nil {
				return false, err
			}
			next += chunk
		}
		l, n := lone(s, i)
		if l {
			return false, nil
		}
		i += n
	}
	return true, nil
}

// ToWellFormed appends s with U+FFFD for lone surrogates (§22.1.3.31).
func ToWellFormed(m *meter.Meter, dst, s []uint16) ([]uint16, error) {
	if err := begin(m, len(s), 16); err != nil {
		return dst, err
	}
	dst, err := extend(m, dst, len(s))
	if err != nil {
		return dst, err
	}
	for i, next := 0, chunk; i < len(s); {
		if i >= next {
			if err := charge(m, chunk/16); err != nil {
				return dst, err
			}
			next += chunk
		}
		l, n := lone(s, i)
		if l {
			dst = append(dst, 0xFFFD)
		} else {
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return dst, nil
}

// FitsLatin1 says whether every unit is below 256.
func FitsLatin1(m *meter.Meter, s []uint16) (bool, error) {
	if err := begin(m, len(s), 16); err != nil {
		return false, err
	}
	for len(s) > 0 {
		n := min(len(s), chunk)
		if n == chunk {
			if err := charge(m, chunk/16); err != nil {
				return false, err
			}
		}
		var all uint16
		for _, c := range s[:n] { //meter: one chunk, charged above
			all |= c
		}
		if all > 0xFF {
			return false, nil
		}
		s = s[n:]
	}
	return true, nil
}

// AppendNarrow appends units below 256 as bytes; AppendWide appends bytes as
// units. The caller charges for long ones.
func AppendNarrow(dst []byte, s []uint16) []byte {
	for _, c := range s { //meter: the caller charges for long ones
		dst = append(dst, byte(c))
	}
	return dst
}

// AppendWide appends bytes as units.
func AppendWide(dst []uint16, s []byte) []uint16 {
	for _, c := range s { //meter: the caller charges for long ones
		dst = append(dst, uint16(c))
	}
	return dst
}

// IsASCII says whether s has no byte above 127. It reads eight at once.
func IsASCII(s []byte) bool {
	for len(s) >= 8 { //meter: the caller gives it one chunk, charged before
		if (uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)&0x8080808080808080 != 0 {
			return false
		}
		s = s[8:]
	}
	for _, c := range s { //meter: shorter than 8
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// countHigh returns how many bytes of s are above 127.
func countHigh(s []byte) int {
	n := 0
	for len(s) >= 8 { //meter: the caller gives it one chunk, charged before
		n += bits.OnesCount64((uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56) & 0x8080808080808080)
		s = s[8:]
	}
	for _, c := range s { //meter: shorter than 8
		n += int(c >> 7)
	}
	return n
}
