package heap

import "encoding/binary"

// How values and records are written. Values of a block are written one by one,
// each handle relative to the last one of its kind. Records, and blocks as small
// as records, are written as what a prediction didn't foresee: programs make
// things of a kind one after the other, so that each word is as far from the
// last one's as that was from the one before, or the same.

// snapWriter appends values and handles, each relative to the last one of its
// kind: neighbours mostly refer to neighbours.
type snapWriter struct {
	h    *Heap
	b    []byte
	prev snapPrev
	work []Value // of the collector
}

// snapPrev is the last handle of each kind.
type snapPrev struct{ obj, str, block uint32 }

// Codes of values. Those below codeUndefined are the integers from 0 to 63.
const (
	codeUndefined = 0x40 + iota
	codeNull
	codeFalse
	codeTrue
	codeEmpty
	codeZero // the word 0
	codeInt  // zigzag
	codeWord // 8 bytes
	codeObject
	codeString
	codeSymbol
	codeBigInt
	codeEnv
	codeValues
	codeRaw
	codePair
	codeNumber
	codeRepeat // the last value once more, so many times
	codeRun    // so many values more, each as far from the one before

	codeNearObject = 0x60 // + 32 + the distance from the last handle
	codeNearString = 0xA0
)

func (w *snapWriter) uint(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *snapWriter) handle(prev *uint32, x uint32) {
	w.b = binary.AppendVarint(w.b, int64(x)-int64(*prev))
	*prev = x
}

func (w *snapWriter) near(code, far byte, prev *uint32, x uint32) {
	if d := int64(x) - int64(*prev); d >= -32 && d < 32 {
		w.b = append(w.b, code+byte(d+32))
		*prev = x
		return
	}
	w.b = append(w.b, far)
	w.handle(prev, x)
}

func (w *snapWriter) value(v Value) {
	switch v.tag() {
	case tagInt:
		if i := v.AsInt(); i >= 0 && i < 64 {
			w.b = append(w.b, byte(i))
		} else {
			w.b = binary.AppendVarint(append(w.b, codeInt), int64(i))
		}
		return
	case tagSpecial:
		if v <= Empty {
			w.b = append(w.b, codeUndefined+byte(v-Undefined))
			return
		}
	case tagObject:
		w.near(codeNearObject, codeObject, &w.prev.obj, uint32(v))
		return
	case tagString:
		w.near(codeNearString, codeString, &w.prev.str, uint32(v))
		return
	case tagSymbol:
		w.b = append(w.b, codeSymbol)
		w.handle(&w.prev.str, uint32(v))
		return
	case tagBigInt:
		w.b = append(w.b, codeBigInt)
		w.handle(&w.prev.str, uint32(v))
		return
	case tagInternal:
		switch sub := uint64(v) >> 32 & 0xFFFF; sub {
		case subEnv, subValues, subRaw, subPair:
			w.b = append(w.b, codeEnv+byte(sub))
			w.handle(&w.prev.block, uint32(v))
			return
		case subNumber:
			w.b = append(w.b, codeNumber)
			w.uint(uint64(uint32(v)))
			return
		}
	}
	if v == 0 {
		w.b = append(w.b, codeZero)
		return
	}
	w.b = binary.LittleEndian.AppendUint64(append(w.b, codeWord), uint64(v))
}

// values appends words. Those that are equally far from each other, such as the
// elements of an array whose objects were made one after the other, take no more
// room than two of them.
func (w *snapWriter) values(vs []Value) {
	for i := 0; i < len(vs); { //meter: the run's own memory, once
		v := vs[i]
		w.value(v)
		if i++; i == len(vs) {
			return
		}
		d := int32(uint32(vs[i]) - uint32(v))
		if d != 0 && v.tag() < tagInt {
			continue
		}
		k := i
		for k < len(vs) && vs[k] == v.plus(d) { //meter: as above
			v = vs[k]
			k++
		}
		switch n := k - i; {
		case d == 0 && n >= 2:
			w.b = append(w.b, codeRepeat)
			w.uint(uint64(n))
			i = k
		case d != 0 && n >= 3:
			w.b = binary.AppendVarint(append(w.b, codeRun), int64(d))
			w.uint(uint64(n))
			w.prev.passed(v)
			i = k
		}
	}
}

// plus returns the value whose payload is d more.
func (v Value) plus(d int32) Value { return v&^0xFFFFFFFF | Value(uint32(v)+uint32(d)) }

// passed notes the last value of a run.
func (p *snapPrev) passed(v Value) {
	switch v.tag() {
	case tagObject:
		p.obj = uint32(v)
	case tagString, tagSymbol, tagBigInt:
		p.str = uint32(v)
	case tagInternal:
		if uint64(v)>>32&0xFFFF != subNumber {
			p.block = uint32(v)
		}
	}
}

func (r *SnapReader) handle(prev *uint32) uint32 {
	d := r.Int()
	x := int64(*prev) + d
	if x < 0 || x > 1<<32-1 {
		r.Fail("a reference leads nowhere")
		return 0
	}
	*prev = uint32(x)
	return uint32(x)
}

// Value reads a value.
func (r *SnapReader) Value() Value {
	c := r.Byte()
	switch {
	case c < codeUndefined:
		return Int(int32(c))
	case c <= codeEmpty:
		return Undefined + Value(c-codeUndefined)
	case c >= codeNearString && c < codeNearString+64:
		r.prev.str += uint32(c) - codeNearString - 32
		return StringValue(Str(r.prev.str))
	case c >= codeNearObject && c < codeNearObject+64:
		r.prev.obj += uint32(c) - codeNearObject - 32
		return ObjectValue(Obj(r.prev.obj))
	}
	switch c {
	case codeZero:
		return 0
	case codeInt:
		i := r.Int()
		if int64(int32(i)) != i {
			r.Fail("an integer is too large")
		}
		return Int(int32(i))
	case codeWord:
		b := r.Bytes(8)
		if b == nil {
			return 0
		}
		v := Value(binary.LittleEndian.Uint64(b))
		if v.tag() >= tagInt {
			r.Fail("a number is none")
			return 0
		}
		return v
	case codeObject:
		return ObjectValue(Obj(r.handle(&r.prev.obj)))
	case codeString:
		return StringValue(Str(r.handle(&r.prev.str)))
	case codeSymbol:
		return SymbolValue(Str(r.handle(&r.prev.str)))
	case codeBigInt:
		return BigIntValue(Str(r.handle(&r.prev.str)))
	case codeEnv, codeValues, codeRaw, codePair:
		return internalValue(uint64(c-codeEnv), r.handle(&r.prev.block))
	case codeNumber:
		n := r.Uint()
		if n > 1<<32-1 {
			r.Fail("an internal number is too large")
		}
		return NumberValue(uint32(n))
	}
	r.Fail("a value is of kind %#x", c)
	return 0
}

// Values fills dst with the values that Values of SnapWriter wrote.
func (r *SnapReader) Values(dst []Value) {
	for i := 0; i < len(dst); { //meter: dst is charged memory
		if r.at == len(r.B) || r.B[r.at] != codeRepeat && r.B[r.at] != codeRun || i == 0 {
			dst[i] = r.Value()
			if r.Err != nil {
				clear(dst[i:])
				return
			}
			i++
			continue
		}
		v, d := dst[i-1], int64(0)
		r.at++
		if r.B[r.at-1] == codeRun {
			d = r.Int()
		}
		n := r.Uint()
		if n == 0 || n > uint64(len(dst)-i) || d != int64(int32(d)) || d != 0 && (v.tag() < tagInt || v.tag() == tagSpecial) {
			r.Fail("a value is repeated %d times", n)
			clear(dst[i:])
			return
		}
		for k := range int(n) { //meter: dst is charged memory
			v = v.plus(int32(d))
			dst[i+k] = v
		}
		r.prev.passed(v)
		i += int(n)
	}
}

// recordCodec writes and reads records of up to eight words. A record belongs to
// a context, which a part of its first word chooses: the objects of a shape, or
// the strings of a kind. Each word is expected to be as far from the word of the
// context's last record as words there were twice in a row; and each record to
// be of the context that came after its predecessor's the last time. What comes
// as expected is counted; for what doesn't, the context, a bit for each word and
// the differences follow.
type recordCodec struct {
	kind     Value // of the first word: what chooses the context
	contexts [recordContexts]recordContext
	next     [recordContexts]uint8
	at       uint8  // context of the last record
	run      uint64 // records as expected
}

const (
	recordContexts = 16
	recordWordsMax = 8
)

type recordContext struct {
	word, step, last [recordWordsMax]Value
}

func (c *recordCodec) context(first Value) uint8 {
	return uint8(uint64(first&c.kind) * 0x9E3779B97F4A7C15 >> 60)
}

// put appends a record.
func (c *recordCodec) put(b []byte, rec []Value) []byte {
	k := c.context(rec[0])
	x := &c.contexts[k]
	if len(rec) == recordWordsMax && k == c.next[c.at] && x.foresees((*[recordWordsMax]Value)(rec)) {
		x.word = [recordWordsMax]Value(rec)
		c.at = k
		c.run++
		return b
	}
	missed := uint(0)
	for i, v := range rec { //meter: at most 8
		if v != x.word[i]+x.step[i] {
			missed |= 1 << i
		}
	}
	if missed == 0 && k == c.next[c.at] {
		copy(x.word[:], rec)
		c.at = k
		c.run++
		return b
	}
	b = binary.AppendUvarint(b, c.run)
	c.run = 0
	c.next[c.at], c.at = k, k
	if len(rec) <= 4 {
		b = append(b, k<<4|byte(missed))
	} else {
		b = append(b, k, byte(missed))
	}
	for i, v := range rec { //meter: at most 8
		d := v - x.word[i]
		if missed&(1<<i) != 0 {
			b = appendDelta(b, d)
			x.adopt(i, d)
		}
		x.word[i] = v
	}
	return b
}

// foresees reports whether a record of eight words is as expected.
func (x *recordContext) foresees(rec *[recordWordsMax]Value) bool {
	w, s := &x.word, &x.step
	return rec[0] == w[0]+s[0] && rec[1] == w[1]+s[1] && rec[2] == w[2]+s[2] && rec[3] == w[3]+s[3] &&
		rec[4] == w[4]+s[4] && rec[5] == w[5]+s[5] && rec[6] == w[6]+s[6] && rec[7] == w[7]+s[7]
}

// end appends how many records came as expected at the end.
func (c *recordCodec) end(b []byte) []byte { return binary.AppendUvarint(b, c.run) }

// adopt learns from a difference that wasn't expected.
func (x *recordContext) adopt(i int, d Value) {
	if x.last[i] == d {
		x.step[i] = d
	}
	x.last[i] = d
}

// begin reads how many records come as expected at the beginning.
func (c *recordCodec) begin(r *SnapReader) { c.run = r.Uint() }

// get reads a record.
func (c *recordCodec) get(r *SnapReader, rec []Value) {
	if c.run > 0 {
		c.run--
		c.at = c.next[c.at]
		x := &c.contexts[c.at]
		if len(rec) == recordWordsMax {
			w, s := &x.word, &x.step
			w[0] += s[0]
			w[1] += s[1]
			w[2] += s[2]
			w[3] += s[3]
			w[4] += s[4]
			w[5] += s[5]
			w[6] += s[6]
			w[7] += s[7]
			*(*[recordWordsMax]Value)(rec) = *w
			return
		}
		for i := range rec { //meter: at most 8
			x.word[i] += x.step[i]
			rec[i] = x.word[i]
		}
		return
	}
	k := r.Byte()
	missed := uint(k & 15)
	if len(rec) <= 4 {
		k >>= 4
	} else {
		missed = uint(r.Byte())
	}
	if missed>>len(rec) != 0 || k >= recordContexts {
		r.Fail("a record has too many words")
		return
	}
	c.next[c.at], c.at = k, k
	x := &c.contexts[k]
	for i := range rec { //meter: at most 8
		if missed&(1<<i) != 0 {
			d := r.delta()
			x.word[i] += d
			x.adopt(i, d)
		} else {
			x.word[i] += x.step[i]
		}
		rec[i] = x.word[i]
	}
	c.run = r.Uint()
}

// How the upper half of a difference is written.
const (
	upperNone = iota // it is zero
	upperTag         // it is that of another tag
	upperRest        // by itself
	upperBoth        // all 8 bytes are
)

// appendDelta appends the difference of two words: of the lower halves, where
// handles and integers are, and of the upper ones.
func appendDelta(b []byte, d Value) []byte {
	lo := int32(uint32(d))
	hi := int32((int64(d) - int64(lo)) >> 32)
	z := uint64(uint32(lo<<1^lo>>31)) << 2
	switch {
	case hi == 0:
		return binary.AppendUvarint(b, z|upperNone)
	case hi&0xFFFF == 0:
		return binary.AppendVarint(binary.AppendUvarint(b, z|upperTag), int64(hi>>16))
	case z < 1<<28 || hi > -1<<13 && hi < 1<<13:
		return binary.AppendVarint(binary.AppendUvarint(b, z|upperRest), int64(hi))
	}
	return binary.LittleEndian.AppendUint64(append(b, upperBoth), uint64(d))
}

func (r *SnapReader) delta() Value {
	u := r.Uint()
	z := uint32(u >> 2)
	lo := int64(int32(z>>1) ^ -int32(z&1))
	switch u & 3 {
	case upperNone:
		return Value(lo)
	case upperTag:
		return Value(lo + r.Int()<<48)
	case upperRest:
		return Value(lo + r.Int()<<32)
	}
	if b := r.Bytes(8); b != nil {
		return Value(binary.LittleEndian.Uint64(b))
	}
	return 0
}
