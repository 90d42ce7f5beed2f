package regexp

// run makes one attempt at start. It is ECMA-262's matcher with the
// continuations turned inside out: a way not taken yet is an entry of the
// stack, and so is the old value of a register that was written while there
// was one. On success the captures are in x.regs.
func run[T unit](x *Matcher, p *Program, in []T, lit []T, start int, m Meter) (bool, error) {
	latin1 := ^T(0) == 255 // known when this is compiled for a type
	code := p.code
	regs := x.regs
	for i := range regs[:2*p.NumCaptures] { //meter: charged below
		regs[i] = -1
	}
	st := x.stack
	sp := 0
	fuel := x.fuel - int64(p.NumCaptures)/8
	pos := start
	pc := int32(0)
	var err error
	for {
		if fuel--; fuel < 0 {
			if fuel, err = x.refuel(m, fuel); err != nil {
				return false, err
			}
		}
		if sp+headroom > len(st) {
			if st, err = x.deepen(st, m); err != nil {
				return false, err
			}
		}
		i := &code[pc]
		switch i.op {
		case opChar:
			if pos >= len(in) || int32(in[pos]) != i.a {
				goto fail
			}
			pos++
			pc++
			continue

		case opChar2:
			if pos >= len(in) {
				goto fail
			}
			if c := int32(in[pos]); c != i.a && c != i.b {
				goto fail
			}
			pos++
			pc++
			continue

		case opStr:
			n := int(i.b)
			if n > len(in)-pos || i.flag && latin1 {
				goto fail
			}
			l, s := lit[i.a:int(i.a)+n], in[pos:pos+n]
			for k := range l { //meter: a literal of the pattern, charged below
				if l[k] != s[k] {
					fuel -= int64(k >> 4)
					goto fail
				}
			}
			fuel -= int64(n >> 4)
			pos += n
			pc++
			continue

		case opStr2:
			n := int(i.b)
			if n > len(in)-pos || i.flag && latin1 {
				goto fail
			}
			l, s := lit[i.a:int(i.a)+2*n], in[pos:pos+n]
			for k, c := range s { //meter: a literal of the pattern, charged below
				if c != l[2*k] && c != l[2*k+1] {
					fuel -= int64(k >> 3)
					goto fail
				}
			}
			fuel -= int64(n >> 3)
			pos += n
			pc++
			continue

		case opSet:
			if pos >= len(in) {
				goto fail
			}
			c := in[pos]
			s := p.sets[i.a]
			if uint16(c) <= 0xFF {
				if !s.latin1[uint8(c)] {
					goto fail
				}
			} else if !s.hasHigh(rune(c)) {
				goto fail
			}
			pos++
			pc++
			continue

		case opSetU:
			if pos >= len(in) {
				goto fail
			}
			c, w := point(in, pos)
			if !p.sets[i.a].has(c) {
				goto fail
			}
			pos += w
			pc++
			continue

		case opLoop, opLoopAll:
			s := p.sets[i.a]
			from, floor := pos, pos
			if i.flag && !latin1 {
				// By code points: find where the minimum ends on the way.
				k := 0
				for {
					to, n := takePoints(in, pos, min(len(in), pos+chunk), int(i.b)-k, s)
					fuel -= int64(n >> 3)
					pos = to
					if k += n; n == 0 || k >= int(i.b) {
						break
					}
					if fuel < 0 {
						if fuel, err = x.refuel(m, fuel); err != nil {
							return false, err
						}
					}
				}
				if k < int(i.b) {
					goto fail
				}
				floor = pos
				for k < int(i.c) {
					to, n := takePoints(in, pos, min(len(in), pos+chunk), int(i.c)-k, s)
					fuel -= int64(n >> 3)
					pos = to
					if k += n; n == 0 {
						break
					}
					if fuel < 0 {
						if fuel, err = x.refuel(m, fuel); err != nil {
							return false, err
						}
					}
				}
			} else {
				end := len(in)
				if int(i.c) < end-pos {
					end = pos + int(i.c)
				}
				for {
					e := min(end, pos+chunk)
					to := take(in, pos, e, s)
					fuel -= int64(to-pos) >> 3
					pos = to
					if to < e || e == end {
						break
					}
					if fuel < 0 {
						if fuel, err = x.refuel(m, fuel); err != nil {
							return false, err
						}
					}
				}
				if pos-from < int(i.b) {
					goto fail
				}
				floor = from + int(i.b)
			}
			if i.op == opLoopAll || pos == floor {
				pc++
				continue
			}
			// Start where what follows can; the stack keeps the rest.
			if i.d >= 0 {
				f := &p.filters[i.d]
				n := 0
				for !pass(f, in, pos) {
					if pos <= floor {
						fuel -= int64(n >> 3)
						goto fail
					}
					pos--
					if n++; n == chunk {
						if fuel, err = x.refuel(m, fuel-int64(n>>3)); err != nil {
							return false, err
						}
						n = 0
					}
				}
				fuel -= int64(n >> 3)
				if i.flag && !latin1 && pos > floor && pos < len(in) && isTrail(in[pos]) && isLead(in[pos-1]) {
					pos-- // not between the halves of a pair
				}
			}
			if pos > floor {
				st[sp] = entry{pc<<kindBits | kLoop, int32(floor), int32(pos)}
				sp++
			}
			pc++
			continue

		case opLoopLazy:
			s := p.sets[i.a]
			if i.flag && !latin1 {
				k := 0
				for k < int(i.b) {
					to, n := takePoints(in, pos, min(len(in), pos+chunk), int(i.b)-k, s)
					fuel -= int64(n >> 3)
					pos = to
					if k += n; n == 0 {
						break
					}
					if fuel < 0 {
						if fuel, err = x.refuel(m, fuel); err != nil {
							return false, err
						}
					}
				}
				if k < int(i.b) {
					goto fail
				}
			} else if i.b > 0 {
				if int(i.b) > len(in)-pos {
					goto fail
				}
				end := pos + int(i.b)
				for pos < end {
					e := min(end, pos+chunk)
					to := take(in, pos, e, s)
					fuel -= int64(to-pos) >> 3
					pos = to
					if to < e {
						goto fail
					}
					if fuel < 0 {
						if fuel, err = x.refuel(m, fuel); err != nil {
							return false, err
						}
					}
				}
			}
			if i.c > i.b {
				st[sp] = entry{pc<<kindBits | kLazy, int32(pos), i.c - i.b}
				sp++
				if i.d >= 0 && !pass(&p.filters[i.d], in, pos) {
					goto fail // and take more at once
				}
			}
			pc++
			continue

		case opSplit:
			st[sp] = entry{i.a<<kindBits | kChoice, int32(pos), 0}
			sp++
			pc++
			continue

		case opSplitNext:
			next := i.b < 0 || pass(&p.filters[i.b], in, pos)
			jump := i.c < 0 || pass(&p.filters[i.c], in, pos)
			if next {
				if jump {
					st[sp] = entry{i.a<<kindBits | kChoice, int32(pos), 0}
					sp++
				}
				pc++
				continue
			}
			if !jump {
				goto fail
			}
			pc = i.a
			continue

		case opSplitJump:
			next := i.b < 0 || pass(&p.filters[i.b], in, pos)
			jump := i.c < 0 || pass(&p.filters[i.c], in, pos)
			if jump {
				if next {
					st[sp] = entry{(pc+1)<<kindBits | kChoice, int32(pos), 0}
					sp++
				}
				pc = i.a
				continue
			}
			if !next {
				goto fail
			}
			pc++
			continue

		case opJmp:
			pc = i.a
			continue

		case opSave, opMark:
			if sp > 0 {
				st[sp] = entry{i.a<<kindBits | kRestore, regs[i.a], 0}
				sp++
			}
			regs[i.a] = int32(pos)
			pc++
			continue

		case opReset:
			for r := i.a; r < i.b; r++ { //meter: registers, charged below
				if regs[r] < 0 {
					continue
				}
				if sp > 0 {
					if sp+headroom > len(st) {
						if st, err = x.deepen(st, m); err != nil {
							return false, err
						}
					}
					st[sp] = entry{r<<kindBits | kRestore, regs[r], 0}
					sp++
				}
				regs[r] = -1
			}
			fuel -= int64(i.b-i.a) >> 3
			pc++
			continue

		case opSetReg:
			if sp > 0 {
				st[sp] = entry{i.a<<kindBits | kRestore, regs[i.a], 0}
				sp++
			}
			regs[i.a] = i.b
			pc++
			continue

		case opCount:
			if sp > 0 {
				st[sp] = entry{i.a<<kindBits | kRestore, regs[i.a], 0}
				sp++
				if i.b >= 0 {
					st[sp] = entry{i.b<<kindBits | kRestore, regs[i.b], 0}
					sp++
				}
			}
			regs[i.a]++
			if i.b >= 0 {
				regs[i.b] = int32(pos)
			}
			pc++
			continue

		case opLoopTop:
			n := regs[i.b]
			switch {
			case n < i.c:
				pc++
			case n >= i.d:
				pc = i.a
			case i.flag:
				st[sp] = entry{(pc+1)<<kindBits | kChoice, int32(pos), 0}
				sp++
				pc = i.a
			default:
				st[sp] = entry{i.a<<kindBits | kChoice, int32(pos), 0}
				sp++
				pc++
			}
			continue

		case opNonEmpty:
			if regs[i.a] == int32(pos) {
				goto fail
			}
			pc++
			continue

		case opNonEmptyMin:
			if regs[i.a] == int32(pos) && regs[i.b] > i.c {
				goto fail
			}
			pc++
			continue

		case opBOL:
			if pos != 0 {
				goto fail
			}
			pc++
			continue

		case opEOL:
			if pos != len(in) {
				goto fail
			}
			pc++
			continue

		case opBOLMulti:
			if pos > 0 && !isLine(in[pos-1]) {
				goto fail
			}
			pc++
			continue

		case opEOLMulti:
			if pos < len(in) && !isLine(in[pos]) {
				goto fail
			}
			pc++
			continue

		case opWord:
			a := pos > 0 && isWord(in[pos-1], i.end)
			b := pos < len(in) && isWord(in[pos], i.end)
			if (a != b) == i.flag {
				goto fail
			}
			pc++
			continue

		case opLookBegin:
			regs[i.a] = int32(sp)
			regs[i.a+1] = int32(pos)
			pc++
			continue

		case opLookEnd:
			// What the body left untried is dropped; what undoes its captures
			// stays for who backtracks to before it.
			low := int(regs[i.a])
			pos = int(regs[i.a+1])
			fuel -= int64(sp-low) >> 2
			if low == 0 {
				sp = 0
			} else {
				to := low
				for k := low; k < sp; k++ { //meter: charged above
					if st[k].k&(1<<kindBits-1) == kRestore {
						st[to] = st[k]
						to++
					}
				}
				sp = to
			}
			pc++
			continue

		case opNegBegin:
			regs[i.a] = int32(sp)
			st[sp] = entry{i.b<<kindBits | kChoice, int32(pos), 0}
			sp++
			pc++
			continue

		case opNegEnd:
			low := int(regs[i.a])
			fuel -= int64(sp-low) >> 2
			for sp > low { //meter: charged above
				sp--
				if e := &st[sp]; e.k&(1<<kindBits-1) == kRestore {
					regs[e.k>>kindBits] = e.a
				}
			}
			goto fail

		case opBackref, opBackrefBehind:
			to, n, err := backref(p, in, pos, regs, i, m)
			if err != nil {
				return false, err
			}
			fuel -= int64(n)
			if to < 0 {
				goto fail
			}
			pos = to
			pc++
			continue

		case opBack:
			if pos -= int(i.a); pos < 0 {
				goto fail
			}
			pc++
			continue

		case opBackU:
			if pos == 0 {
				goto fail
			}
			_, w := pointBefore(in, pos)
			pos -= w
			pc++
			continue

		case opMatch:
			x.fuel = fuel
			return true, nil
		}

	fail:
		for {
			if sp == 0 {
				x.fuel = fuel
				return false, nil
			}
			if fuel--; fuel < -chunk {
				if fuel, err = x.refuel(m, fuel); err != nil {
					return false, err
				}
			}
			e := &st[sp-1]
			at := e.k >> kindBits
			switch e.k & (1<<kindBits - 1) {
			case kRestore:
				regs[at] = e.a
				sp--
				continue

			case kChoice:
				pos, pc = int(e.a), at
				sp--

			case kLoop:
				i := &code[at]
				floor := int(e.a)
				pos = int(e.b) - 1
				if i.d >= 0 {
					f := &p.filters[i.d]
					n := 0
					for !pass(f, in, pos) {
						if pos <= floor {
							pos = -1
							break
						}
						pos--
						if n++; n == chunk {
							if fuel, err = x.refuel(m, fuel-int64(n>>3)); err != nil {
								return false, err
							}
							n = 0
						}
					}
					fuel -= int64(n >> 3)
					if pos < 0 {
						sp--
						continue
					}
				}
				if i.flag && !latin1 && pos > floor && pos < len(in) && isTrail(in[pos]) && isLead(in[pos-1]) {
					pos--
				}
				if pos <= floor {
					sp--
				} else {
					e.b = int32(pos)
				}
				pc = at + 1

			case kLazy:
				i := &code[at]
				s := p.sets[i.a]
				pos = int(e.a)
				left := e.b
				n := 0
				for {
					if left == 0 || pos >= len(in) {
						pos = -1
						break
					}
					c, w := rune(in[pos]), 1
					if i.flag && !latin1 {
						c, w = point(in, pos)
					}
					if !s.has(c) {
						pos = -1
						break
					}
					pos += w
					left--
					if i.d < 0 || pass(&p.filters[i.d], in, pos) {
						break
					}
					if n++; n == chunk {
						if fuel, err = x.refuel(m, fuel-int64(n>>3)); err != nil {
							return false, err
						}
						n = 0
					}
				}
				fuel -= int64(n >> 3)
				if pos < 0 {
					sp--
					continue
				}
				if left == 0 {
					sp--
				} else {
					e.a, e.b = int32(pos), left
				}
				pc = at + 1
			}
			break
		}
	}
}
