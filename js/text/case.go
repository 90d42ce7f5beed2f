package text

import "github.com/pinfold-js/pinfold/meter"

// caseRun maps lo, lo+step, … hi by adding delta.
type caseRun struct {
	lo, hi uint32
	delta  int32
	step   uint32
}

// caseSpecial maps one character to two or three, all in the BMP.
type caseSpecial struct {
	r  uint32
	to [3]uint16
}

// mapCase returns the simple mapping of c.
func mapCase(runs []caseRun, c uint32) uint32 {
	lo, hi := 0, len(runs)
	for lo < hi { //meter: a binary search
		mid := int(uint(lo+hi) >> 1)
		r := &runs[mid]
		switch {
		case c > r.hi:
			lo = mid + 1
		case c < r.lo:
			hi = mid
		default:
			if (c-r.lo)%r.step != 0 {
				return c
			}
			return uint32(int32(c) + r.delta)
		}
	}
	return c
}

// special returns the mapping of c to several units, or nil.
func special(t []caseSpecial, c uint32) []uint16 {
	lo, hi := 0, len(t)
	for lo < hi { //meter: a binary search
		mid := int(uint(lo+hi) >> 1)
		switch r := &t[mid]; {
		case c > r.r:
			lo = mid + 1
		case c < r.r:
			hi = mid
		case r.to[2] == 0:
			return r.to[:2]
		default:
			return r.to[:]
		}
	}
	return nil
}

// SimpleUpper and SimpleLower are Unicode's simple mappings of a code point to
// one code point, which regular expressions fold with.
func SimpleUpper(c uint32) uint32 { return mapCase(upperRuns, c) }

// SimpleLower is Unicode's simple lowercase mapping.
func SimpleLower(c uint32) uint32 {
	if c == 0x130 {
		return 'i'
	}
	return mapCase(lowerRuns, c)
}

// SpecialUpper returns the units that c becomes in upper case if they are more
// than one, else nil.
func SpecialUpper(c uint32) []uint16 { return special(upperSpecial, c) }

// How Latin-1 characters change: lowerTable and upperTable map one to one, and
// upperClass says what upperTable can't.
var lowerTable, upperTable, upperClass = func() (l, u, class [256]byte) {
	for i := range 256 {
		c := byte(i)
		l[i], u[i] = c, c
		switch {
		case c-'A' < 26, c >= 0xC0 && c <= 0xDE && c != 0xD7:
			l[i] = c + 32
		case c-'a' < 26, c >= 0xE0 && c <= 0xFE && c != 0xF7:
			u[i] = c - 32
			class[i] = changes
		case c == 0xDF:
			class[i] = doubles
		case c == 0xB5, c == 0xFF:
			class[i] = widens
		}
	}
	return
}()

const (
	changes = 1 << iota // to upperTable's entry
	doubles             // ß
	widens              // µ and ÿ
)

// ToLowerLatin1 is String.prototype.toLowerCase (§22.1.3.28) of a Latin-1
// string. It returns s itself if nothing changes.
func ToLowerLatin1(m *meter.Meter, s []byte) ([]byte, error) {
	if err := begin(m, len(s), 16); err != nil {
		return nil, err
	}
	i := 0
	for i < len(s) && lowerTable[s[i]] == s[i] {
		if err := tick(m, i); err != nil {
			return nil, err
		}
		i++
	}
	if i == len(s) {
		return s, nil
	}
	out, err := extend[byte](m, nil, len(s))
	if err != nil {
		return nil, err
	}
	out = out[:len(s)]
	copy(out, s[:i])
	for ; i < len(s); i++ {
		if err := tick(m, i); err != nil {
			return nil, err
		}
		out[i] = lowerTable[s[i]]
	}
	return out, nil
}

// ToUpperLatin1 is String.prototype.toUpperCase (§22.1.3.30) of a Latin-1
// string: ß becomes SS, and µ and ÿ leave Latin-1. The result shares s if
// nothing changes.
func ToUpperLatin1(m *meter.Meter, s []byte) (Text, error) {
	if err := begin(m, len(s), 16); err != nil {
		return Text{}, err
	}
	class := byte(0)
	sharp := 0
	for i, c := range s {
		if err := tick(m, i); err != nil {
			return Text{}, err
		}
		k := upperClass[c]
		class |= k
		sharp += int(k / doubles & 1)
	}
	switch {
	case class == 0:
		return Text{Latin1: s}, nil
	case class == changes:
		out, err := extend[byte](m, nil, len(s))
		if err != nil {
			return Text{}, err
		}
		out = out[:len(s)]
		for i, c := range s {
			if err := tick(m, i); err != nil {
				return Text{}, err
			}
			out[i] = upperTable[c]
		}
		return Text{Latin1: out}, nil
	case class&widens != 0:
		out, err := upperInto[uint16](m, s, len(s)+sharp)
		return Text{Wide: out}, err
	}
	out, err := upperInto[byte](m, s, len(s)+sharp)
	return Text{Latin1: out}, err
}

// What µ and ÿ become; variables, since no constant of theirs fits a byte.
var upperMu, upperY uint16 = 0x39C, 0x178

// upperInto returns s in upper case, which has n units.
func upperInto[C Char](m *meter.Meter, s []byte, n int) ([]C, error) {
	out, err := extend[C](m, nil, n)
	if err != nil {
		return nil, err
	}
	for i, c := range s {
		if err := tick(m, i); err != nil {
			return nil, err
		}
		switch c {
		case 0xDF:
			out = append(out, 'S', 'S')
		case 0xB5:
			out = append(out, C(upperMu))
		case 0xFF:
			out = append(out, C(upperY))
		default:
			out = append(out, C(upperTable[c]))
		}
	}
	return out, nil
}

// caseWriter appends mapped characters and notes whether they fit Latin-1.
type caseWriter struct {
	m   *meter.Meter
	out []uint16
	all uint16
	err error
}

// room makes space for n more units.
func (w *caseWriter) room(n int) bool {
	if cap(w.out)-len(w.out) < n {
		w.out, w.err = extend(w.m, w.out, n+len(w.out)/8)
	}
	return w.err == nil
}

func (w *caseWriter) put(c uint16) {
	w.all |= c
	w.out = append(w.out, c)
}

func (w *caseWriter) putRune(r uint32) {
	if r > 0xFFFF {
		w.put(uint16(0xD7C0 + r>>10))
		w.put(uint16(0xDC00 | r&0x3FF))
		return
	}
	w.put(uint16(r))
}

// text returns the result in its narrower form.
func (w *caseWriter) text() (Text, error) {
	if w.all > 0xFF || w.err != nil {
		return Text{Wide: w.out}, w.err
	}
	b, err := extend[byte](w.m, nil, len(w.out))
	if err != nil {
		return Text{}, err
	}
	for i, c := range w.out {
		if err := tick(w.m, i); err != nil {
			return Text{}, err
		}
		b = append(b, byte(c))
	}
	return Text{Latin1: b}, nil
}

// caseChunk is how many units a case mapping handles between two charges; each
// may become three.
const caseChunk = chunk / 16

// ToLower is String.prototype.toLowerCase (§22.1.3.28) of a UTF-16 string. A
// sigma at the end of a word becomes ς.
func ToLower(m *meter.Meter, s []uint16) (Text, error) {
	w := caseWriter{m: m}
	for i := 0; i < len(s); {
		end := min(i+caseChunk, len(s))
		if err := charge(m, (end-i)/4+1); err != nil {
			return Text{}, err
		}
		if !w.room(max(len(s)-i, 2*(end-i)) + 2) {
			return Text{}, w.err
		}
		for i < end { //meter: one chunk, charged above
			c := s[i]
			if c < 0x80 {
				w.put(uint16(lowerTable[c]))
				i++
				continue
			}
			r, n := CodePointAt(s, i)
			switch r {
			case 0x3A3:
				final, err := isFinal(m, s, i)
				if err != nil {
					return Text{}, err
				}
				if final {
					w.put(0x3C2)
				} else {
					w.put(0x3C3)
				}
			case 0x130:
				w.put('i')
				w.put(0x307)
			default:
				w.putRune(mapCase(lowerRuns, r))
			}
			i += n
		}
	}
	return w.text()
}

// isFinal says whether the sigma at i ends a word (Final_Sigma, The Unicode
// Standard §3.13): a cased character is before it and none after, whatever
// Case_Ignorable ones are between. Each of those is looked at for two sigmas
// at most, so that all calls together stay linear.
func isFinal(m *meter.Meter, s []uint16, i int) (bool, error) {
	before := false
	for j := i; j > 0 && !before; {
		if err := stride(m, j); err != nil {
			return false, err
		}
		j--
		r := uint32(s[j])
		if IsTrail(s[j]) && j > 0 && IsLead(s[j-1]) {
			j--
			r = Pair(s[j], s[j+1])
		}
		if !within(caseIgnorable, r) {
			if before = within(cased, r); !before {
				return false, nil
			}
		}
	}
	if !before {
		return false, nil
	}
	for i++; i < len(s); {
		if err := stride(m, i); err != nil {
			return false, err
		}
		r, n := CodePointAt(s, i)
		if !within(caseIgnorable, r) {
			return !within(cased, r), nil
		}
		i += n
	}
	return true, nil
}

// ToUpper is String.prototype.toUpperCase (§22.1.3.30) of a UTF-16 string.
func ToUpper(m *meter.Meter, s []uint16) (Text, error) {
	w := caseWriter{m: m}
	for i := 0; i < len(s); {
		end := min(i+caseChunk, len(s))
		if err := charge(m, (end-i)/4+1); err != nil {
			return Text{}, err
		}
		if !w.room(max(len(s)-i, 3*(end-i)) + 2) {
			return Text{}, w.err
		}
		for i < end { //meter: one chunk, charged above
			c := s[i]
			if c < 0x80 {
				w.put(uint16(upperTable[c]))
				i++
				continue
			}
			r, n := CodePointAt(s, i)
			if to := special(upperSpecial, r); to != nil {
				for _, c := range to { //meter: at most three
					w.put(c)
				}
			} else {
				w.putRune(mapCase(upperRuns, r))
			}
			i += n
		}
	}
	return w.text()
}
