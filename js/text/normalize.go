package text

import (
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/meter"
	"golang.org/x/text/unicode/norm"
)

// Form is a normalization form (§22.1.3.15).
type Form uint8

// The forms.
const (
	NFC Form = iota
	NFD
	NFKC
	NFKD
)

// composition is a pair of characters and what they compose to.
type composition struct{ a, b, c uint32 }

// Hangul syllables are composed by arithmetic (The Unicode Standard, §3.12).
const (
	sBase, lBase, vBase, tBase = 0xAC00, 0x1100, 0x1161, 0x11A7
	lCount, vCount, tCount     = 19, 21, 28
	sCount                     = lCount * vCount * tCount
)

// compose returns the primary composite of a and b, or 0.
func compose(a, b uint32) uint32 {
	if a-lBase < lCount && b-vBase < vCount {
		return sBase + ((a-lBase)*vCount+(b-vBase))*tCount
	}
	if a-sBase < sCount && (a-sBase)%tCount == 0 && b-tBase-1 < tCount-1 {
		return a + b - tBase
	}
	if a >= 0x105C9 {
		if c := newerComposite(a, b); c != 0 {
			return c
		}
	}
	lo, hi := 0, len(compositions)
	for lo < hi { //meter: a binary search
		mid := int(uint(lo+hi) >> 1)
		p := &compositions[mid]
		switch {
		case a > p.a || a == p.a && b > p.b:
			lo = mid + 1
		case a < p.a || b < p.b:
			hi = mid
		default:
			return p.c
		}
	}
	return 0
}

// Normalize is String.prototype.normalize. changed is false if s is in the form
// already; then t is empty.
//
// The properties of characters come from x/text, and for what is newer from
// this package. x/text's own forms are not used:
// they break long runs of combining marks apart (stream-safe text).
func Normalize[C Char](m *meter.Meter, s []C, form Form) (t Text, changed bool, err error) {
	if err := begin(m, len(s), 16); err != nil {
		return Text{}, false, err
	}
	// Below these, nothing decomposes, composes or moves.
	bound := uint32(0xA0)
	switch form {
	case NFC:
		bound = 0x300
	case NFD:
		bound = 0xC0
	}
	i := 0
	for i < len(s) && uint32(s[i]) < bound {
		if err := tick(m, i); err != nil {
			return Text{}, false, err
		}
		i++
	}
	if i == len(s) {
		return Text{}, false, nil
	}
	n := normalizer{m: m, out: NewBuilder(m, len(s)), compose: form == NFC || form == NFKC}
	n.form = norm.NFD
	if form >= NFKC {
		n.form, n.compat = norm.NFKD, true
	}
	// The last unit before i may compose with what follows.
	i = max(i-1, 0)
	for j, c := range s[:i] {
		if err := tick(m, j); err != nil {
			return Text{}, false, err
		}
		n.out.Unit(uint16(c))
	}
	for next := i; i < len(s); {
		if i >= next {
			k := min(len(s)-i, chunk/16)
			if err := charge(m, k*8); err != nil {
				return Text{}, false, err
			}
			next += chunk / 16
		}
		r, k := uint32(s[i]), 1
		if r&0xFC00 == 0xD800 && i+1 < len(s) && uint32(s[i+1])&0xFC00 == 0xDC00 {
			r, k = Pair(uint16(r), uint16(s[i+1])), 2
		}
		if r < bound && (i+1 == len(s) || uint32(s[i+1]) < bound) {
			// Nothing composes with r or moves past it.
			if err := n.flush(); err != nil {
				return Text{}, false, err
			}
			if err := n.emit(); err != nil {
				return Text{}, false, err
			}
			n.starter = false
			n.out.Unit(uint16(r))
			i++
			continue
		}
		if err := n.add(r); err != nil {
			return Text{}, false, err
		}
		i += k
	}
	if err := n.flush(); err != nil {
		return Text{}, false, err
	}
	if err := n.emit(); err != nil {
		return Text{}, false, err
	}
	t, err = n.out.Text()
	if err != nil {
		return Text{}, false, err
	}
	if t.Len() == len(s) {
		var same bool
		if t.Wide != nil {
			same, err = Equal(m, t.Wide, s)
		} else {
			same, err = Equal(m, t.Latin1, s)
		}
		if err != nil || same {
			return Text{}, false, err
		}
	}
	return t, true, nil
}

// mark is a decomposed character with its combining class.
type mark struct {
	r   uint32
	ccc uint8
}

// normalizer turns code points into a form.
type normalizer struct {
	m       *meter.Meter
	form    norm.Form
	compose bool
	compat  bool // a compatibility decomposition
	out     *Builder

	marks   []mark // decomposed, since the last starter, to be ordered
	ordered bool   // marks are in order as they are

	// When composing: what began with a starter and may still change.
	pending []uint32
	lastCCC uint8 // of the last of pending; 0 if it is the starter alone
	starter bool  // pending begins with a starter
}

// add decomposes r.
func (n *normalizer) add(r uint32) error {
	switch {
	case r < 0xA0 || r&0xFFFFF800 == 0xD800:
		return n.put(r, 0)
	case r-sBase < sCount:
		x := r - sBase
		if err := n.put(lBase+x/(vCount*tCount), 0); err != nil {
			return err
		}
		if err := n.put(vBase+x%(vCount*tCount)/tCount, 0); err != nil {
			return err
		}
		if x %= tCount; x != 0 {
			return n.put(tBase+x, 0)
		}
		return nil
	}
	var buf [utf8.UTFMax]byte
	b := utf8.AppendRune(buf[:0], rune(r))
	p := n.form.Properties(b)
	d := p.Decomposition()
	if d == nil {
		if c := p.CCC(); c != 0 || !mayBeNewer(r) {
			return n.put(r, c)
		}
		return n.addNewer(r, 0)
	}
	for len(d) > 0 { //meter: one decomposition: at most 18 characters
		r, k := utf8.DecodeRune(d)
		if err := n.put(uint32(r), n.form.Properties(d).CCC()); err != nil {
			return err
		}
		d = d[k:]
	}
	return nil
}

// put takes one character of a decomposition.
func (n *normalizer) put(r uint32, ccc uint8) error {
	if ccc == 0 {
		if err := n.flush(); err != nil {
			return err
		}
		return n.join(r, 0)
	}
	if k := len(n.marks); k == 0 {
		n.ordered = true
	} else if n.marks[k-1].ccc > ccc {
		n.ordered = false
	}
	if k := len(n.marks); k == cap(n.marks) && k >= chunk/16 {
		if err := reserve(n.m, 6*k*8); err != nil {
			return err
		}
	}
	n.marks = append(n.marks, mark{r, ccc})
	return nil
}

// flush orders the marks (Canonical Ordering Algorithm) and passes them on.
func (n *normalizer) flush() error {
	if len(n.marks) == 0 {
		return nil
	}
	if !n.ordered {
		if err := n.order(); err != nil {
			return err
		}
	}
	for i, x := range n.marks {
		if err := tick(n.m, i); err != nil {
			return err
		}
		if err := n.join(x.r, x.ccc); err != nil {
			return err
		}
	}
	n.marks = n.marks[:0]
	return nil
}

// order sorts the marks by class, stably.
func (n *normalizer) order() error {
	a := n.marks
	if len(a) <= 32 {
		for i := 1; i < len(a); i++ { //meter: at most 32
			for j := i; j > 0 && a[j-1].ccc > a[j].ccc; j-- { //meter: at most 32
				a[j-1], a[j] = a[j], a[j-1]
			}
		}
		return nil
	}
	if err := reserve(n.m, len(a)*8); err != nil {
		return err
	}
	var at [256]int
	for _, x := range a { //meter: marks, each charged when its character was read
		at[x.ccc]++
	}
	sum := 0
	for c, k := range at {
		at[c] = sum
		sum += k
	}
	sorted := make([]mark, len(a))
	for i, x := range a {
		if err := tick(n.m, i); err != nil {
			return err
		}
		sorted[at[x.ccc]] = x
		at[x.ccc]++
	}
	n.marks = sorted
	return nil
}

// join passes an ordered character on, composing it if that is asked for
// (Canonical Composition Algorithm).
func (n *normalizer) join(r uint32, ccc uint8) error {
	if !n.compose {
		n.out.Rune(r)
		return n.out.err
	}
	if n.starter {
		// r is blocked by a character of the same or a higher class, or by any
		// if it is a starter.
		if len(n.pending) == 1 || n.lastCCC < ccc {
			if c := compose(n.pending[0], r); c != 0 {
				n.pending[0] = c
				return nil
			}
		}
	}
	if ccc == 0 {
		if err := n.emit(); err != nil {
			return err
		}
		n.starter = true
	} else if !n.starter {
		n.out.Rune(r)
		return n.out.err
	}
	n.pending = append(n.pending, r)
	n.lastCCC = ccc
	return nil
}

// emit writes what can no longer change.
func (n *normalizer) emit() error {
	for i, r := range n.pending {
		if err := tick(n.m, i); err != nil {
			return err
		}
		n.out.Rune(r)
	}
	n.pending = n.pending[:0]
	return n.out.err
}
