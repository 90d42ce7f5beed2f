package heap

import (
	"bytes"
	"errors"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/meter"
)

// MaxStringLength is the longest string, in code units.
const MaxStringLength = 1 << 28

// ErrStringLength is returned when a string would be longer than
// MaxStringLength; callers throw "RangeError: Invalid string length".
var ErrStringLength = errors.New("Invalid string length")

// ropeMin is the shortest concatenation that becomes a rope.
const ropeMin = 24

// sliceMin is the shortest substring that shares its parent's units.
const sliceMin = 24

// Len returns the length of a string in code units.
func (h *Heap) Len(s Str) int { return int(h.cell(s).length) }

// IsWide reports whether the string is kept in UTF-16. Flat strings are wide
// only if they hold a unit above 0xFF.
func (h *Heap) IsWide(s Str) bool { return h.cell(s).flags&cellWide != 0 }

func (h *Heap) newCell(c Cell) Str {
	s := Str(h.cells.alloc(h))
	h.cells.pages[s>>recordShift].p[s&recordMask] = c
	return s
}

// NewLatin1 makes a string of Latin-1 units, copying them.
func (h *Heap) NewLatin1(b []byte) (Str, error) {
	switch {
	case len(b) == 1 && h.chars[b[0]] != 0:
		return h.chars[b[0]], nil
	case len(b) <= inlineBytes:
		c := Cell{kind: cellInline, length: uint32(len(b))}
		copy(c.text[:], b)
		return h.newCell(c), nil
	case len(b) > MaxStringLength:
		return 0, ErrStringLength
	}
	blk, err := h.NewRaw(len(b))
	if err != nil {
		return 0, err
	}
	if err := meter.Copy(h.meter, h.BytesW(blk), b); err != nil {
		return 0, err
	}
	return h.newCell(Cell{kind: cellFlat, length: uint32(len(b)), a: uint32(blk)}), nil
}

// NewUTF16 makes a string of UTF-16 units, copying them; it becomes Latin-1 if
// it fits.
func (h *Heap) NewUTF16(u []uint16) (Str, error) {
	if len(u) > MaxStringLength {
		return 0, ErrStringLength
	}
	if fitsLatin1(u) {
		if len(u) <= inlineBytes {
			var t [inlineBytes]byte
			for i, x := range u { //meter: at most inlineBytes
				t[i] = byte(x)
			}
			return h.NewLatin1(t[:len(u)])
		}
		blk, err := h.NewRaw(len(u))
		if err != nil {
			return 0, err
		}
		d := h.BytesW(blk)
		for i, x := range u { //meter: the caller charged for the units
			d[i] = byte(x)
		}
		return h.newCell(Cell{kind: cellFlat, length: uint32(len(u)), a: uint32(blk)}), nil
	}
	blk, err := h.NewRaw(len(u) * 2)
	if err != nil {
		return 0, err
	}
	if err := meter.Copy(h.meter, h.UnitsW(blk), u); err != nil {
		return 0, err
	}
	return h.newCell(Cell{kind: cellFlat, flags: cellWide, length: uint32(len(u)), a: uint32(blk)}), nil
}

func fitsLatin1(u []uint16) bool {
	var or uint16
	for _, x := range u { //meter: the caller has the units already, one pass
		or |= x
	}
	return or <= 0xFF
}

// NewString makes a string from WTF-8: UTF-8 in which lone surrogates may
// appear as three bytes. Bytes that are neither become U+FFFD.
func (h *Heap) NewString(s string) (Str, error) {
	ascii := true
	for i := 0; i < len(s); i++ { //meter: the caller charged for the text
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		if len(s) <= inlineBytes {
			if len(s) == 1 {
				return h.chars[s[0]], nil
			}
			c := Cell{kind: cellInline, length: uint32(len(s))}
			copy(c.text[:], s)
			return h.newCell(c), nil
		}
		if len(s) > MaxStringLength {
			return 0, ErrStringLength
		}
		blk, err := h.NewRaw(len(s))
		if err != nil {
			return 0, err
		}
		copy(h.BytesW(blk), s)
		return h.newCell(Cell{kind: cellFlat, length: uint32(len(s)), a: uint32(blk)}), nil
	}
	// The units exist twice for a moment: charge the copy.
	if err := h.reserve(int64(len(s)) * 2); err != nil {
		return 0, err
	}
	defer h.release(int64(len(s)) * 2)
	return h.NewUTF16(DecodeWTF8(s))
}

// DecodeWTF8 turns WTF-8 into UTF-16 units.
func DecodeWTF8(s string) []uint16 {
	u := make([]uint16, 0, len(s))
	for i := 0; i < len(s); { //meter: the caller charges for the length of s
		c := s[i]
		if c < utf8.RuneSelf {
			u = append(u, uint16(c))
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if c == 0xED && i+2 < len(s) && s[i+1]&0xE0 == 0xA0 && s[i+2]&0xC0 == 0x80 {
				u = append(u, 0xD000|uint16(s[i+1]&0x3F)<<6|uint16(s[i+2]&0x3F))
				i += 3
				continue
			}
		}
		u = utf16.AppendRune(u, r)
		i += n
	}
	return u
}

// AppendWTF8 appends the WTF-8 form of UTF-16 units: pairs are combined, lone
// surrogates become three bytes each.
func AppendWTF8(dst []byte, u []uint16) []byte {
	for i := 0; i < len(u); i++ { //meter: the caller charges for the length of u
		c := rune(u[i])
		if c < utf8.RuneSelf {
			dst = append(dst, byte(c))
			continue
		}
		if utf16.IsSurrogate(c) {
			if i+1 < len(u) {
				if r := utf16.DecodeRune(c, rune(u[i+1])); r != utf8.RuneError {
					dst = utf8.AppendRune(dst, r)
					i++
					continue
				}
			}
			dst = append(dst, 0xE0|byte(c>>12), 0x80|byte(c>>6)&0x3F|0x80, 0x80|byte(c)&0x3F)
			continue
		}
		dst = utf8.AppendRune(dst, c)
	}
	return dst
}

// AppendString appends the WTF-8 form of a string. The string is flattened.
func (h *Heap) AppendString(dst []byte, s Str) ([]byte, error) {
	b, u, err := h.Units16(s)
	if err != nil {
		return dst, err
	}
	if u != nil {
		return AppendWTF8(dst, u), nil
	}
	for i, c := range b { //meter: Flatten charged the length
		if c >= utf8.RuneSelf {
			dst = append(dst, b[:i]...)
			for _, c := range b[i:] { //meter: as above
				dst = utf8.AppendRune(dst, rune(c))
			}
			return dst, nil
		}
	}
	return append(dst, b...), nil
}

// GoString returns the WTF-8 form of a string for the host. It is for short
// strings: names, messages; the copy is not charged.
func (h *Heap) GoString(s Str) string {
	b, err := h.AppendString(nil, s)
	if err != nil { //meter: "" for a string that the limit stopped: the error is sticky and ends the run at the next charge
		return ""
	}
	return string(b)
}

// Units16 returns the units of a string, flattening it: Latin-1 bytes, or
// UTF-16 units if the string is wide (then the first result is nil).
func (h *Heap) Units16(s Str) ([]byte, []uint16, error) { //meter: two levels: the parts that Flatten reads are no ropes
	c := h.cell(s)
	switch c.kind {
	case cellInline:
		return c.text[:c.length], nil, nil
	case cellRope:
		if err := h.Flatten(s); err != nil {
			return nil, nil, err
		}
		c = h.cell(s)
		if c.kind == cellInline {
			return c.text[:c.length], nil, nil
		}
	case cellSlice:
		p := h.cell(Str(c.a))
		if c.flags&cellWide != 0 {
			return nil, h.Units(Block(p.a))[c.b : c.b+c.length], nil
		}
		return h.Bytes(Block(p.a))[c.b : c.b+c.length], nil, nil
	}
	if c.flags&cellWide != 0 {
		return nil, h.Units(Block(c.a))[:c.length], nil
	}
	return h.Bytes(Block(c.a))[:c.length], nil, nil
}

// At returns code unit i of a string, which must be inside it.
func (h *Heap) At(s Str, i int) (uint16, error) {
	b, u, err := h.Units16(s)
	if err != nil {
		return 0, err
	}
	if u != nil {
		return u[i], nil
	}
	return uint16(b[i]), nil
}

// Char returns the string of one code unit.
func (h *Heap) Char(c uint16) Str {
	if c < 256 {
		return h.chars[c]
	}
	blk := h.allocSmall(0, true)
	h.UnitsW(blk)[0] = c
	return h.newCell(Cell{kind: cellFlat, flags: cellWide, length: 1, a: uint32(blk)})
}

// Concat returns a + b. Long results are ropes.
func (h *Heap) Concat(a, b Str) (Str, error) {
	ca, cb := h.cell(a), h.cell(b)
	if ca.length == 0 {
		return b, nil
	}
	if cb.length == 0 {
		return a, nil
	}
	n := int(ca.length) + int(cb.length)
	if n > MaxStringLength {
		return 0, ErrStringLength
	}
	if n >= ropeMin {
		d := max(ca.ropeDepth(), cb.ropeDepth()) + 1
		return h.newCell(Cell{kind: cellRope, flags: (ca.flags | cb.flags) & cellWide, length: uint32(n), a: uint32(a), b: uint32(b), depth: d}), nil
	}
	if ca.kind == cellInline && cb.kind == cellInline && n <= inlineBytes {
		c := Cell{kind: cellInline, length: uint32(n)}
		copy(c.text[:], ca.text[:ca.length])
		copy(c.text[ca.length:], cb.text[:cb.length])
		return h.newCell(c), nil
	}
	var buf [ropeMin]uint16
	u := h.appendUnits(buf[:0], a)
	u = h.appendUnits(u, b)
	return h.NewUTF16(u)
}

func (c *Cell) ropeDepth() uint16 {
	if c.kind != cellRope {
		return 0
	}
	return min(c.depth, 0xFFFE)
}

// appendUnits appends the units of a short string, which is flat: ropes are
// never shorter than ropeMin.
func (h *Heap) appendUnits(dst []uint16, s Str) []uint16 {
	b, u, _ := h.Units16(s) //meter: a flat string: reading it can't fail
	if u != nil {
		return append(dst, u...)
	}
	for _, c := range b { //meter: shorter than ropeMin
		dst = append(dst, uint16(c))
	}
	return dst
}

// Flatten turns a rope into a flat string, in place. It works without
// recursion: a rope may be a million concatenations deep.
func (h *Heap) Flatten(s Str) error {
	c := h.cell(s)
	if c.kind != cellRope {
		return nil
	}
	n := int(c.length)
	if h.meter != nil {
		if err := h.meter.Charge(int64(n/16) + 1); err != nil {
			return err
		}
	}
	wide := c.flags&cellWide != 0
	size := n
	if wide {
		size *= 2
	}
	blk, err := h.NewRaw(size)
	if err != nil {
		return err
	}
	var bytesTo []byte
	var unitsTo []uint16
	if wide {
		unitsTo = h.UnitsW(blk)[:n]
	} else {
		bytesTo = h.BytesW(blk)[:n]
	}
	// Fill from the right: the usual rope leans left, so the stack stays short.
	stack := h.gc.ropes[:0]
	stack = append(stack, s)
	end := n
	steps := 0
	for len(stack) > 0 {
		if steps++; steps&1023 == 0 && h.meter != nil {
			if err := h.meter.Charge(1024); err != nil {
				return err
			}
		}
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		pc := h.cell(p)
		if pc.kind == cellRope {
			// A right-leaning rope grows the stack by its left parts: bounded
			// by the rope's nodes, which are charged memory already.
			stack = append(stack, Str(pc.a), Str(pc.b))
			continue
		}
		b, u, _ := h.Units16(p) //meter: a flat part of the rope: reading it can't fail
		if u != nil {
			end -= len(u)
			if err := meter.Copy(h.meter, unitsTo[end:], u); err != nil {
				return err
			}
			continue
		}
		end -= len(b)
		if wide {
			d := unitsTo[end : end+len(b)]
			for i, x := range b { //meter: charged by length above
				d[i] = uint16(x)
			}
		} else {
			if err := meter.Copy(h.meter, bytesTo[end:], b); err != nil {
				return err
			}
		}
	}
	h.gc.ropes = stack[:0]
	cw := h.cellW(s)
	cw.kind, cw.a, cw.b, cw.depth = cellFlat, uint32(blk), 0, 0
	return nil
}

// Substring returns units [i, j) of a string; 0 ≤ i ≤ j ≤ length.
func (h *Heap) Substring(s Str, i, j int) (Str, error) {
	c := h.cell(s)
	if i == 0 && j == int(c.length) {
		return s, nil
	}
	b, u, err := h.Units16(s)
	if err != nil {
		return 0, err
	}
	if u == nil {
		if j-i < sliceMin {
			return h.NewLatin1(b[i:j])
		}
	} else {
		u = u[i:j]
		if j-i < sliceMin || fitsLatin1(u) {
			if h.meter != nil {
				if err := h.meter.Charge(int64(j-i) / 16); err != nil {
					return 0, err
				}
			}
			return h.NewUTF16(u)
		}
		if h.meter != nil {
			if err := h.meter.Charge(int64(j-i) / 64); err != nil {
				return 0, err
			}
		}
	}
	c = h.cell(s)
	base, off := s, uint32(i)
	if c.kind == cellSlice {
		base, off = Str(c.a), c.b+uint32(i)
	}
	return h.newCell(Cell{kind: cellSlice, flags: c.flags & cellWide, length: uint32(j - i), a: uint32(base), b: off}), nil
}

// StringEqual compares two strings by content.
func (h *Heap) StringEqual(a, b Str) (bool, error) {
	if a == b {
		return true, nil
	}
	ca, cb := h.cell(a), h.cell(b)
	if ca.length != cb.length || ca.flags&cb.flags&cellAtom != 0 {
		return false, nil
	}
	if h.meter != nil && ca.length > 64 {
		if err := h.meter.Charge(int64(ca.length / 16)); err != nil {
			return false, err
		}
	}
	ba, ua, err := h.Units16(a)
	if err != nil {
		return false, err
	}
	bb, ub, err := h.Units16(b)
	if err != nil {
		return false, err
	}
	if ua == nil && ub == nil {
		// Fetching b may have moved nothing: pages never move.
		return bytes.Equal(ba, bb), nil
	}
	if ua == nil || ub == nil {
		// Ropes and slices of wide strings may be wide without need.
		return compareMixed(ba, ua, bb, ub) == 0, nil
	}
	for i := range ua { //meter: charged above
		if ua[i] != ub[i] {
			return false, nil
		}
	}
	return true, nil
}

// StringCompare compares two strings by code units: -1, 0 or 1.
func (h *Heap) StringCompare(a, b Str) (int, error) {
	if a == b {
		return 0, nil
	}
	n := min(h.Len(a), h.Len(b))
	if h.meter != nil && n > 64 {
		if err := h.meter.Charge(int64(n / 16)); err != nil {
			return 0, err
		}
	}
	ba, ua, err := h.Units16(a)
	if err != nil {
		return 0, err
	}
	bb, ub, err := h.Units16(b)
	if err != nil {
		return 0, err
	}
	if ua == nil && ub == nil {
		return bytes.Compare(ba, bb), nil
	}
	return compareMixed(ba, ua, bb, ub), nil
}

func compareMixed(ba []byte, ua []uint16, bb []byte, ub []uint16) int {
	na, nb := max(len(ba), len(ua)), max(len(bb), len(ub))
	for i := range min(na, nb) { //meter: the callers charge by length
		var x, y uint16
		if ua != nil {
			x = ua[i]
		} else {
			x = uint16(ba[i])
		}
		if ub != nil {
			y = ub[i]
		} else {
			y = uint16(bb[i])
		}
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
	}
	switch {
	case na < nb:
		return -1
	case na > nb:
		return 1
	}
	return 0
}

const (
	hashSeed  = 2166136261
	hashPrime = 16777619
)

func hashBytes(b []byte) uint32 {
	x := uint32(hashSeed)
	for _, c := range b { //meter: callers charge for long strings
		x = (x ^ uint32(c)) * hashPrime
	}
	return max(x^x>>15, 1)
}

func hashUnits(u []uint16) uint32 {
	x := uint32(hashSeed)
	for _, c := range u { //meter: callers charge for long strings
		x = (x ^ uint32(c)) * hashPrime
	}
	return max(x^x>>15, 1)
}

// Hash returns the hash of a string's content: the same for equal strings, on
// every machine and in every run.
func (h *Heap) Hash(s Str) (uint32, error) {
	c := h.cell(s)
	if c.hash != 0 {
		return c.hash, nil
	}
	if h.meter != nil && c.length > 64 {
		if err := h.meter.Charge(int64(c.length / 16)); err != nil {
			return 0, err
		}
	}
	b, u, err := h.Units16(s)
	if err != nil {
		return 0, err
	}
	var x uint32
	if u != nil {
		x = hashUnits(u)
	} else {
		x = hashBytes(b)
	}
	if e := &h.cells.pages[s>>recordShift]; e.owned {
		e.p[s&recordMask].hash = x
	}
	return x, nil
}
