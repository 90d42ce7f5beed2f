package regexp

import "github.com/pinfold-js/pinfold/js/regexp/ucd"

// A Matcher is the scratch memory of matching. It may be used again and again,
// by one goroutine at a time; its zero value is ready. What a match charges
// does not depend on the matches before it.
type Matcher struct {
	stack   []entry // its length is what this match may use
	regs    []int32
	charged int64 // bytes that the meter knows of
	fuel    int64 // left of the batch that has not been charged yet
}

// An entry of the backtracking stack. k is a kind in its low bits, with an
// instruction or a register above.
type entry struct{ k, a, b int32 }

const (
	kChoice  = iota // go on at instruction k, position a
	kRestore        // register k = a
	kLoop           // loop at instruction k has taken up to b, must keep up to a
	kLazy           // loop at instruction k has taken up to a, may take b more
	kindBits = 2
)

const (
	entryBytes = 12
	startStack = 128     // entries that every match may use
	keepStack  = 2048    // entries that stay allocated from match to match
	startRegs  = 128     // registers that every match may use
	keepRegs   = 512     // registers that stay allocated
	batch      = 512     // fuel between two charges
	chunk      = 1 << 15 // units that a tight loop takes between two charges
	headroom   = 4       // entries that one instruction may push without asking
)

// begin makes room for a match of p.
func (x *Matcher) begin(p *Program, m Meter) error {
	x.fuel = batch
	n := 2*p.NumCaptures + p.regs
	if n > startRegs && m != nil {
		if err := m.Grow(int64(n) * 4); err != nil {
			return err
		}
		x.charged = int64(n) * 4
	}
	if n > len(x.regs) {
		x.regs = make([]int32, max(n, startRegs))
	}
	if x.stack == nil {
		x.stack = make([]entry, startStack)
	}
	x.stack = x.stack[:startStack]
	return nil
}

// finish copies the captures of a match that succeeded, charges what is left
// and gives the memory back.
func (x *Matcher) finish(p *Program, ok bool, caps []int32, m Meter, err error) (bool, error) {
	if ok {
		copy(caps, x.regs[:2*p.NumCaptures])
	}
	if m != nil {
		if err == nil {
			err = m.Charge(batch - x.fuel)
		}
		if x.charged > 0 {
			m.Shrink(x.charged)
		}
	}
	x.charged = 0
	if cap(x.stack) > keepStack {
		x.stack = nil
	}
	if len(x.regs) > keepRegs {
		x.regs = nil
	}
	return ok && err == nil, err
}

// refuel charges a batch that has run out. left is negative or 0.
//
//meter:charges
func (x *Matcher) refuel(m Meter, left int64) (int64, error) {
	if m != nil {
		if err := m.Charge(batch - left); err != nil {
			return batch, err
		}
	}
	return batch, nil
}

// deepen doubles the stack.
func (x *Matcher) deepen(st []entry, m Meter) ([]entry, error) {
	n := 2 * len(st)
	if m != nil {
		if err := m.Grow(int64(n) * entryBytes); err != nil {
			return st, err
		}
		x.charged += int64(n) * entryBytes
	}
	if n <= cap(x.stack) {
		x.stack = x.stack[:n]
	} else {
		x.stack = make([]entry, n)
		copy(x.stack, st)
	}
	if m != nil && len(st) > startStack { // the first was never charged
		m.Shrink(int64(len(st)) * entryBytes)
		x.charged -= int64(len(st)) * entryBytes
	}
	return x.stack, nil
}

// MatchLatin1 tries to match p at start, an index from 0 to len(input). On
// success caps gets the start and end of each group, the whole match first, -1
// for a group that took no part; it has room for 2*p.NumCaptures. The error is
// the meter's.
func (x *Matcher) MatchLatin1(p *Program, input []byte, start int, caps []int32, m Meter) (bool, error) {
	if err := x.begin(p, m); err != nil {
		return false, err
	}
	ok, err := run(x, p, input, p.bytes, start, m)
	return x.finish(p, ok, caps, m, err)
}

// MatchUTF16 is MatchLatin1 for UTF-16. In Unicode mode an attempt in the
// middle of a surrogate pair is made at its beginning.
func (x *Matcher) MatchUTF16(p *Program, input []uint16, start int, caps []int32, m Meter) (bool, error) {
	if err := x.begin(p, m); err != nil {
		return false, err
	}
	ok, err := run(x, p, input, p.units, boundary(p, input, start), m)
	return x.finish(p, ok, caps, m, err)
}

// boundary moves an index in the middle of a surrogate pair to its beginning,
// in Unicode mode.
func boundary[T unit](p *Program, in []T, i int) int {
	if p.Flags.FullUnicode() && i > 0 && i < len(in) && isTrail(in[i]) && isLead(in[i-1]) {
		return i - 1
	}
	return i
}

func isLine[T unit](c T) bool {
	return c == '\n' || c == '\r' || uint16(c) == 0x2028 || uint16(c) == 0x2029
}

func isWord[T unit](c T, fold bool) bool {
	if uint16(c) < 0x80 {
		return wordSet.latin1[uint8(c)]
	}
	return fold && (uint16(c) == 0x17F || uint16(c) == 0x212A)
}

// take moves over units of s from pos to at most end.
func take[T unit](in []T, pos, end int, s *set) int {
	for pos < end { //meter: a chunk at most, which the caller charges
		c := in[pos]
		if uint16(c) <= 0xFF {
			if !s.latin1[uint8(c)] {
				return pos
			}
		} else if !s.hasHigh(rune(c)) {
			return pos
		}
		pos++
	}
	return pos
}

// takePoints moves over at most n code points of s from pos while below end,
// and returns how many it took.
func takePoints[T unit](in []T, pos, end, n int, s *set) (int, int) {
	k := 0
	for pos < end && k < n { //meter: a chunk at most, which the caller charges
		c, w := point(in, pos)
		if !s.has(c) {
			break
		}
		pos += w
		k++
	}
	return pos, k
}

// point returns the code point at pos and its width.
func point[T unit](in []T, pos int) (rune, int) {
	c := in[pos]
	if isLead(c) && pos+1 < len(in) && isTrail(in[pos+1]) {
		return combine(c, in[pos+1]), 2
	}
	return rune(c), 1
}

// pointBefore is the same for the code point that ends at pos.
func pointBefore[T unit](in []T, pos int) (rune, int) {
	c := in[pos-1]
	if isTrail(c) && pos >= 2 && isLead(in[pos-2]) {
		return combine(in[pos-2], c), 2
	}
	return rune(c), 1
}

// backref matches the text of the one group of refs that took part, from pos
// onwards or, behind, up to pos. It returns the new position, or -1, and the
// units of fuel that the caller takes; what is more it has charged. ECMA-262
// BackreferenceMatcher.
func backref[T unit](p *Program, in []T, pos int, regs []int32, i *inst, m Meter) (int, int, error) {
	from, to := -1, -1
	for _, g := range p.refs[i.a : i.a+i.b] { //meter: the groups of one name, charged by their number
		if regs[2*g] >= 0 && regs[2*g+1] >= 0 {
			from, to = int(regs[2*g]), int(regs[2*g+1])
			break
		}
	}
	n := to - from
	if n <= 0 {
		return pos, int(i.b) / 4, nil
	}
	behind := i.op == opBackrefBehind
	if behind {
		return backrefBehind(p, in, pos, from, to, i.flag, m)
	}
	if !i.flag {
		if n > len(in)-pos {
			return -1, 0, nil
		}
		paid := 0
		for k := 0; k < n; k++ {
			if k-paid == chunk {
				paid = k
				if err := bulk(m, chunk/4); err != nil {
					return -1, 0, err
				}
			}
			if in[from+k] != in[pos+k] {
				return -1, (k - paid) / 4, nil
			}
		}
		if p.Flags.FullUnicode() && pos+n < len(in) && isLead(in[pos+n-1]) && isTrail(in[pos+n]) {
			return -1, (n - paid) / 4, nil
		}
		return pos + n, (n - paid) / 4, nil
	}
	at, paid := pos, from
	for k := from; k < to; {
		if k-paid >= chunk/4 {
			if err := bulk(m, k-paid); err != nil {
				return -1, 0, err
			}
			paid = k
		}
		if at >= len(in) {
			return -1, k - paid, nil
		}
		a, b, w, v := rune(in[k]), rune(in[at]), 1, 1
		if p.Flags.FullUnicode() {
			a, w = point(in[:to], k)
			b, v = point(in, at)
		}
		if !same(p.cases, a, b) {
			return -1, k - paid, nil
		}
		k += w
		at += v
	}
	return at, to - paid, nil
}

func backrefBehind[T unit](p *Program, in []T, pos, from, to int, icase bool, m Meter) (int, int, error) {
	at, paid := pos, to
	for k := to; k > from; {
		if paid-k >= chunk/4 {
			if err := bulk(m, paid-k); err != nil {
				return -1, 0, err
			}
			paid = k
		}
		if at <= 0 {
			return -1, paid - k, nil
		}
		a, b, w, v := rune(in[k-1]), rune(in[at-1]), 1, 1
		if p.Flags.FullUnicode() {
			a, w = pointBefore(in, k)
			b, v = pointBefore(in, at)
		}
		if a != b && !(icase && same(p.cases, a, b)) {
			return -1, paid - k, nil
		}
		k -= w
		at -= v
	}
	return at, paid - from, nil
}

// bulk charges n units at once.
//
//meter:charges
func bulk(m Meter, n int) error {
	if m == nil {
		return nil
	}
	return m.Charge(int64(n))
}

func same(c *ucd.Cases, a, b rune) bool { return a == b || c.Canonical(a) == c.Canonical(b) }
