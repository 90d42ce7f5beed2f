package regexp

import "bytes"

// SearchLatin1 finds the first match at start or after it, whatever the flag y
// says; else it is MatchLatin1.
func (x *Matcher) SearchLatin1(p *Program, input []byte, start int, caps []int32, m Meter) (bool, error) {
	if err := x.begin(p, m); err != nil {
		return false, err
	}
	ok, err := search(x, p, input, p.bytes, start, m)
	return x.finish(p, ok, caps, m, err)
}

// SearchUTF16 is SearchLatin1 for UTF-16. In Unicode mode it starts and goes
// on at the beginnings of code points.
func (x *Matcher) SearchUTF16(p *Program, input []uint16, start int, caps []int32, m Meter) (bool, error) {
	if err := x.begin(p, m); err != nil {
		return false, err
	}
	ok, err := search(x, p, input, p.units, boundary(p, input, start), m)
	return x.finish(p, ok, caps, m, err)
}

func search[T unit](x *Matcher, p *Program, in, lit []T, start int, m Meter) (bool, error) {
	points := p.Flags.FullUnicode() && ^T(0) != 255
	for pos := start; ; pos++ { //meter: candidate charges for what is passed over, run for an attempt
		var err error
		if pos, err = candidate(x, p, in, pos, m); pos < 0 || err != nil {
			return false, err
		}
		if points && boundary(p, in, pos) != pos && pos > start {
			continue
		}
		ok, err := run(x, p, in, lit, pos, m)
		if ok || err != nil {
			return ok, err
		}
		if s := p.start.run; s != nil {
			if pos, err = skipRun(x, in, pos, s, points, m); err != nil {
				return false, err
			}
		}
	}
}

// skipRun returns the end of the characters of s from pos on.
func skipRun[T unit](x *Matcher, in []T, pos int, s *set, points bool, m Meter) (int, error) {
	for {
		end := min(len(in), pos+chunk)
		from := pos
		if points {
			pos, _ = takePoints(in, pos, end, chunk, s)
		} else {
			pos = take(in, pos, end, s)
		}
		if err := x.spend(m, (pos-from)/8); err != nil {
			return 0, err
		}
		if pos < end || pos >= len(in) {
			return pos, nil
		}
	}
}

// spend takes fuel from the batch.
//
//meter:charges
func (x *Matcher) spend(m Meter, n int) (err error) {
	if x.fuel -= int64(n); x.fuel < 0 {
		x.fuel, err = x.refuel(m, x.fuel)
	}
	return err
}

// candidate returns the first index from pos on where an attempt may succeed,
// or -1.
func candidate[T unit](x *Matcher, p *Program, in []T, pos int, m Meter) (int, error) {
	h := &p.start
	if pos > len(in) {
		return -1, nil
	}
	if err := x.spend(m, 1); err != nil {
		return -1, err
	}
	switch {
	case h.anchored:
		if pos > 0 {
			return -1, nil
		}
		return 0, nil
	case h.lines:
		return lineStart(x, in, pos, m)
	case len(h.prefix) > 0:
		if ^T(0) == 255 && !h.latin1 {
			return -1, nil
		}
		return literal(x, h, in, pos, m)
	case h.filter != nil:
		return firstUnit(x, h.filter, in, pos, m)
	}
	return pos, nil
}

// lineStart finds 0 or an index after a line terminator.
func lineStart[T unit](x *Matcher, in []T, pos int, m Meter) (int, error) {
	if pos == 0 {
		return 0, nil
	}
	for from := pos - 1; from < len(in); {
		end := min(len(in), from+chunk)
		i := from
		for i < end && !isLine(in[i]) { //meter: a chunk, charged below
			i++
		}
		if err := x.spend(m, (i-from)/16); err != nil {
			return -1, err
		}
		if i < end {
			return i + 1, nil
		}
		from = end
	}
	return -1, nil
}

// firstUnit finds an index that f lets pass.
func firstUnit[T unit](x *Matcher, f *filter, in []T, pos int, m Meter) (int, error) {
	for pos < len(in) {
		end := min(len(in), pos+chunk)
		i := pos
		for i < end { //meter: a chunk, charged below
			c := in[i]
			if uint16(c) > 0xFF {
				if f.high {
					break
				}
			} else if f.bits[uint8(c)>>6]>>(uint8(c)&63)&1 != 0 {
				break
			}
			i++
		}
		if err := x.spend(m, (i-pos)/16); err != nil {
			return -1, err
		}
		if pos = i; i < end {
			return i, nil
		}
	}
	if f.end {
		return len(in), nil
	}
	return -1, nil
}

// literal finds the prefix of every match.
func literal[T unit](x *Matcher, h *startHint, in []T, pos int, m Meter) (int, error) {
	k := len(h.prefix)
	for pos+k <= len(in) {
		end := min(len(in), pos+chunk+k-1)
		i := -1
		switch w := any(in[pos:end]).(type) {
		case []byte:
			i = bytes.Index(w, h.prefix8)
		case []uint16:
			i = indexUnits(w, h.prefix)
		}
		used := i
		if i < 0 {
			used = end - pos
		}
		if err := x.spend(m, used/32); err != nil {
			return -1, err
		}
		if i >= 0 {
			return pos + i, nil
		}
		pos = end - k + 1
	}
	return -1, nil
}

// indexUnits is bytes.Index for UTF-16, for a short s.
func indexUnits(in, s []uint16) int {
	first := s[0]
	for i := 0; i+len(s) <= len(in); i++ { //meter: a chunk, charged by the caller; the prefix is short
		if in[i] != first {
			continue
		}
		k := 1
		for k < len(s) && in[i+k] == s[k] { //meter: a chunk, charged by the caller; the prefix is short
			k++
		}
		if k == len(s) {
			return i
		}
	}
	return -1
}
