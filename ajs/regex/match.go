package regex

// A Unit is a code unit of an input: a byte of ASCII, or UTF-16.
type Unit interface{ byte | uint16 }

// A threads is a list of program counters in the order of their priority, each
// at most once, with the captures each came with.
type threads struct {
	pcs   []int32
	caps  []int32
	where []int32 // of a pc: its index in pcs; valid if pcs there says so
}

func (t *threads) has(pc int32) bool {
	i := t.where[pc]
	return int(i) < len(t.pcs) && t.pcs[i] == pc
}

// Match finds the first match at from or after it; with the flag y at from
// only. On success caps, with room for 2*p.Groups, gets the start and end of
// each group, -1 for one that took no part. charge is called with the number of
// steps about to be made; its error ends the match.
func Match[C Unit](p *Program, in []C, from int, caps []int32, charge func(steps int) error) (bool, error) {
	m := &matcher[C]{p: p, in: in, slots: 2 * p.Groups}
	n := len(p.code)
	if err := charge(n/16 + 1); err != nil {
		return false, err
	}
	m.now = &threads{where: make([]int32, n)}
	m.then = &threads{where: make([]int32, n)}
	m.tmp = make([]int32, m.slots)
	found := false
	for at := from; ; {
		if !found && (at == from || p.Flags&Sticky == 0) {
			for i := range m.tmp {
				m.tmp[i] = -1
			}
			m.add(m.now, 0, at, m.tmp)
		}
		// A step copies the captures.
		if err := charge(m.steps*(1+m.slots/32) + len(m.now.pcs) + 1); err != nil {
			return false, err
		}
		m.steps = 0
		if len(m.now.pcs) == 0 && (found || p.Flags&Sticky != 0) {
			break
		}
		c, width := int32(-1), 1
		if at < len(in) {
			c = int32(in[at])
			if p.Flags&Unicode != 0 && c >= 0xD800 && c < 0xDC00 && at+1 < len(in) {
				if t := int32(in[at+1]); t >= 0xDC00 && t < 0xE000 {
					c, width = 0x10000+(c-0xD800)<<10+(t-0xDC00), 2
				}
			}
		}
		for i, pc := range m.now.pcs {
			own := m.now.caps[i*m.slots : (i+1)*m.slots]
			ok := false
			switch q := &p.code[pc]; q.op {
			case opChar:
				ok = c == q.x
			case opSet:
				ok = c >= 0 && p.sets[q.x].has(c)
			case opMatch:
				copy(caps, own)
				found = true
			}
			if found && p.code[pc].op == opMatch {
				break // those behind it have less priority
			}
			if ok {
				m.add(m.then, pc+1, at+width, own)
			}
		}
		if at >= len(in) {
			break
		}
		at += width
		m.now, m.then = m.then, m.now
		m.then.pcs, m.then.caps = m.then.pcs[:0], m.then.caps[:0]
	}
	return found, nil
}

type matcher[C Unit] struct {
	p         *Program
	in        []C
	slots     int
	now, then *threads
	tmp       []int32
	stack     []frame
	steps     int
}

// A frame is a program counter to go on with, or a capture to put back.
type frame struct {
	pc   int32
	slot int32 // ≥ 0: restore it
	old  int32
}

// add follows the ways from pc that take no character.
func (m *matcher[C]) add(t *threads, pc int32, at int, caps []int32) {
	if &caps[0] != &m.tmp[0] {
		copy(m.tmp, caps)
	}
	m.stack = append(m.stack[:0], frame{pc: pc, slot: -1})
	for len(m.stack) > 0 {
		f := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if f.slot >= 0 {
			m.tmp[f.slot] = f.old
			continue
		}
		pc := f.pc
	follow:
		for {
			m.steps++
			if t.has(pc) {
				break
			}
			t.where[pc] = int32(len(t.pcs))
			t.pcs = append(t.pcs, pc)
			t.caps = append(t.caps, m.tmp...)
			switch q := &m.p.code[pc]; q.op {
			case opJump:
				pc = q.x
			case opSplit:
				m.stack = append(m.stack, frame{pc: q.y, slot: -1})
				pc = q.x
			case opSave:
				m.stack = append(m.stack, frame{slot: q.x, old: m.tmp[q.x]})
				m.tmp[q.x] = int32(at)
				pc++
			case opClear:
				for s := q.x; s < q.y; s++ {
					if m.tmp[s] >= 0 {
						m.stack = append(m.stack, frame{slot: s, old: m.tmp[s]})
						m.tmp[s] = -1
					}
				}
				pc++
			case opBegin, opEnd, opWord, opNotWord:
				if !m.holds(q.op, at) {
					break follow
				}
				pc++
			default:
				break follow
			}
		}
	}
}

// holds evaluates an assertion.
func (m *matcher[C]) holds(op opcode, at int) bool {
	switch op {
	case opBegin:
		return at == 0 || m.p.Flags&Multiline != 0 && isLine(int32(m.in[at-1]))
	case opEnd:
		return at == len(m.in) || m.p.Flags&Multiline != 0 && isLine(int32(m.in[at]))
	}
	before := at > 0 && m.isWord(int32(m.in[at-1]))
	after := at < len(m.in) && m.isWord(int32(m.in[at]))
	return (before != after) == (op == opWord)
}

func (m *matcher[C]) isWord(c int32) bool {
	if c < 128 {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	}
	return m.p.Flags&(Unicode|IgnoreCase) == Unicode|IgnoreCase && (c == 0x17F || c == 0x212A)
}

func isLine(c int32) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }
