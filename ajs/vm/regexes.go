package vm

import (
	"strings"

	"github.com/pinfold-js/pinfold/ajs/regex"
)

// A pattern is a regex object of a run: source and flags as data, and the
// program.
func (r *run) compileRegex(pattern *str, flags, op string) (value, bool) {
	// What is long takes long to compile: it is paid before, by its length.
	if r.fuel -= regexFuel * float64(8*pattern.len()+64); r.fuel <= 0 {
		return value{}, r.outOfFuel(op)
	}
	if !r.poll(16 * pattern.len()) {
		return value{}, false
	}
	p, err := r.vm.compileRegex(pattern, flags)
	if err != nil {
		return value{}, r.fail(KindType, op, err.Error())
	}
	if r.fuel -= regexFuel * float64(p.Work()); r.fuel <= 0 {
		return value{}, r.outOfFuel(op)
	}
	o := newObject(2)
	o.tag, o.prog = regexTag, p
	o.set("source", stringOf(pattern))
	o.set("flags", text(flags))
	return objectOf(o), true
}

func regexText(o *object) *str {
	src, _ := o.get("source")
	flags, _ := o.get("flags")
	var b builder
	b.ascii("/")
	b.add(src.str())
	b.ascii("/")
	b.add(flags.str())
	return b.str()
}

// A matcher runs one pattern over one text.
type textMatcher struct {
	r     *run
	p     *regex.Program
	ascii []byte
	wide  []uint16
	s     *str
	op    string
}

func (r *run) matcher(p *regex.Program, s *str, op string) *textMatcher {
	m := &textMatcher{r: r, p: p, s: s, op: op}
	if s.wide != nil {
		m.wide = s.wide
	} else {
		m.ascii = []byte(s.s)
	}
	return m
}

func (m *textMatcher) charge(n int) error {
	if m.r.fuel -= regexFuel * float64(n); m.r.fuel <= 0 {
		m.r.outOfFuel(m.op)
		return errRunOver
	}
	if !m.r.poll(n) {
		return errRunOver
	}
	return nil
}

// find matches at from or after it. ok is false if the run has an error.
func (m *textMatcher) find(from int) (caps []int32, found, ok bool) {
	caps = make([]int32, 2*m.p.Groups)
	var err error
	if m.s.wide != nil {
		found, err = regex.Match(m.p, m.wide, from, caps, m.charge)
	} else {
		found, err = regex.Match(m.p, m.ascii, from, caps, m.charge)
	}
	return caps, found, err == nil
}

// advance is the index after an empty match.
func (m *textMatcher) advance(i int) int {
	if m.p.Flags&regex.Unicode != 0 && i < m.s.len() {
		_, w := codePoint(m.s, i)
		return i + w
	}
	return i + 1
}

func (m *textMatcher) group(caps []int32, g int) (value, bool) {
	if g >= m.p.Groups || caps[2*g] < 0 {
		return undefinedValue, false
	}
	return stringOf(m.s.slice(int(caps[2*g]), int(caps[2*g+1]))), true
}

// pattern returns the program of a pattern argument: a text is compiled.
func (r *run) pattern(v value, op string) (*regex.Program, bool) {
	if v.kind == stringKind {
		o, ok := r.compileRegex(v.str(), "", op)
		if !ok {
			return nil, false
		}
		v = o
	}
	return v.object().prog, true
}

func searchMethod(r *run, this value, args []value) (value, bool) {
	p, ok := r.pattern(args[0], "expr.search")
	if !ok {
		return value{}, false
	}
	caps, found, ok := r.matcher(p, this.str(), "expr.search").find(0)
	if !ok {
		return value{}, false
	}
	if !found {
		return number(-1), true
	}
	return number(float64(caps[0])), true
}

func matchMethod(r *run, this value, args []value) (value, bool) {
	const op = "expr.match"
	p, ok := r.pattern(args[0], op)
	if !ok {
		return value{}, false
	}
	m := r.matcher(p, this.str(), op)
	if p.Flags&regex.Global == 0 {
		caps, found, ok := m.find(0)
		if !ok {
			return value{}, false
		}
		if !found {
			return nullValue, true
		}
		bytes := 48*float64(len(p.Names)) + 128
		for g := range p.Groups {
			bytes += 16
			if caps[2*g] >= 0 {
				bytes += 2 * float64(caps[2*g+1]-caps[2*g])
			}
		}
		if !r.allocate(bytes, op) {
			return value{}, false
		}
		out := make([]value, p.Groups)
		for g := range out {
			out[g], _ = m.group(caps, g)
		}
		return listOf(out), true
	}
	var out []value
	for at := 0; at <= m.s.len(); {
		caps, found, ok := m.find(at)
		if !ok {
			return value{}, false
		}
		if !found {
			break
		}
		if !r.allocateMore(64+24*float64(p.Groups)+2*float64(caps[1]-caps[0])+16, textExtra, op) {
			return value{}, false
		}
		v, _ := m.group(caps, 0)
		out = append(out, v)
		if at = int(caps[1]); caps[0] == caps[1] {
			at = m.advance(at)
		}
	}
	if out == nil {
		return nullValue, true
	}
	return listOf(out), true
}

func splitMethod(r *run, this value, args []value) (value, bool) {
	const op = "expr.split"
	limit := 1 << 31
	if len(args) > 1 && args[1].kind == numberKind {
		if limit = int(min(max(args[1].n, 0), 1<<31)); args[1].n != args[1].n {
			limit = 0
		}
	}
	s := this.str()
	var out []value
	// piece adds a piece, and reports whether there is room for more.
	piece := func(v value) (more, ok bool) {
		n := 0
		if v.kind == stringKind {
			n = v.str().len()
		}
		if !r.allocateMore(2*float64(n)+32, textExtra, op) {
			return false, false
		}
		out = append(out, v)
		return len(out) < limit, true
	}
	switch {
	case limit == 0:
		return listOf(nil), true
	case len(args) == 0 || args[0].kind == undefinedKind:
		_, ok := piece(this)
		return listOf(out), ok
	case args[0].kind == stringKind:
		sep := args[0].str()
		n := sep.len()
		if n == 0 {
			for i := range s.len() {
				if more, ok := piece(stringOf(s.slice(i, i+1))); !more {
					return listOf(out), ok
				}
			}
			return listOf(out), true
		}
		if !r.poll(s.len()) {
			return value{}, false
		}
		for at := 0; ; {
			i := s.index(sep, at)
			if i < 0 {
				_, ok := piece(stringOf(s.slice(at, s.len())))
				return listOf(out), ok
			}
			if more, ok := piece(stringOf(s.slice(at, i))); !more {
				return listOf(out), ok
			}
			at = i + n
		}
	}
	p := args[0].object().prog
	m := r.matcher(p, s, op)
	if s.len() == 0 {
		_, found, ok := m.find(0)
		if !ok || found {
			return listOf(nil), ok
		}
		_, ok = piece(this)
		return listOf(out), ok
	}
	// SplitMatcher, ECMA-262 §22.2.6.14.
	last, at := 0, 0
	for at < s.len() {
		caps, found, ok := m.find(at)
		if !ok {
			return value{}, false
		}
		if !found && p.Flags&regex.Sticky != 0 {
			at = m.advance(at)
			continue
		}
		if !found || int(caps[0]) >= s.len() {
			break
		}
		lo, hi := int(caps[0]), int(caps[1])
		if hi == last {
			at = m.advance(lo)
			continue
		}
		if more, ok := piece(stringOf(s.slice(last, lo))); !more {
			return listOf(out), ok
		}
		for g := 1; g < p.Groups; g++ {
			v, _ := m.group(caps, g)
			if more, ok := piece(v); !more {
				return listOf(out), ok
			}
		}
		last, at = hi, hi
	}
	_, ok := piece(stringOf(s.slice(last, s.len())))
	return listOf(out), ok
}

// A part of a replacement, ECMA-262 §22.1.3.19.1 GetSubstitution: a text (t), a
// group (g), a named group (n), or & ` ' as they stand after the $.
type part struct {
	kind  byte
	text  *str
	group int
	name  string
}

func parseTemplate(t *str, groups int, named bool) []part {
	var out []part
	n := t.len()
	start := 0
	flush := func(to int) {
		if to > start {
			out = append(out, part{kind: 't', text: t.slice(start, to)})
		}
	}
	isDigit := func(i int) bool { return i < n && t.at(i) >= '0' && t.at(i) <= '9' }
	for i := 0; i < n; i++ {
		if t.at(i) != '$' || i+1 >= n {
			continue
		}
		switch c := t.at(i + 1); {
		case c == '$':
			flush(i)
			out = append(out, part{kind: 't', text: &str{s: "$"}})
			i++
			start = i + 1
		case c == '&' || c == '`' || c == '\'':
			flush(i)
			out = append(out, part{kind: byte(c)})
			i++
			start = i + 1
		case isDigit(i + 1):
			g, w := int(c-'0'), 1
			if isDigit(i + 2) {
				if g2 := g*10 + int(t.at(i+2)-'0'); g2 >= 1 && g2 < groups {
					g, w = g2, 2
				}
			}
			if g < 1 || g >= groups {
				continue
			}
			flush(i)
			out = append(out, part{kind: 'g', group: g})
			i += w
			start = i + 1
		case c == '<' && named:
			end := -1
			for j := i + 2; j < n; j++ {
				if t.at(j) == '>' {
					end = j
					break
				}
			}
			if end < 0 {
				continue
			}
			flush(i)
			out = append(out, part{kind: 'n', name: t.slice(i+2, end).text()})
			i = end
			start = i + 1
		}
	}
	flush(n)
	return out
}

func replaceMethod(all bool) bodyFunc {
	op := "expr.replace"
	if all {
		op = "expr.replaceAll"
	}
	return func(r *run, this value, args []value) (value, bool) {
		s, tmpl := this.str(), args[1].str()
		// The template is read once: a step for each unit, and its parts.
		if r.fuel -= regexFuel * float64(tmpl.len()+1); r.fuel <= 0 {
			return value{}, r.outOfFuel(op)
		}
		if !r.allocate(2*float64(tmpl.len())+64, op) || !r.allocate(64, op) {
			return value{}, false
		}
		var p *regex.Program
		groups, named := 1, false
		if args[0].kind != stringKind {
			p = args[0].object().prog
			groups, named = p.Groups, len(p.Names) > 0
			if all && p.Flags&regex.Global == 0 {
				return value{}, r.fail(KindType, op, "replaceAll must be called with a global RegExp")
			}
		}
		parts := parseTemplate(tmpl, groups, named)
		var b builder
		last := 0
		// substitute writes the text before a match and what replaces it.
		substitute := func(lo, hi int, group func(int) (value, bool)) bool {
			var pieces []*str
			pieces = append(pieces, s.slice(last, lo))
			for _, q := range parts {
				switch q.kind {
				case 't':
					pieces = append(pieces, q.text)
				case '&':
					pieces = append(pieces, s.slice(lo, hi))
				case '`':
					pieces = append(pieces, s.slice(0, lo))
				case '\'':
					pieces = append(pieces, s.slice(hi, s.len()))
				case 'g':
					if v, ok := group(q.group); ok {
						pieces = append(pieces, v.str())
					}
				case 'n':
					for _, n := range p.Names {
						if n.Name == q.name {
							if v, ok := group(n.Group); ok {
								pieces = append(pieces, v.str())
							}
						}
					}
				}
			}
			if r.fuel -= regexFuel * float64(len(parts)+2); r.fuel <= 0 {
				return r.outOfFuel(op)
			}
			bytes := 0.0
			for _, q := range pieces {
				bytes += 2 * float64(q.len())
			}
			if !r.allocate(bytes, op) {
				return false
			}
			for _, q := range pieces {
				b.add(q)
			}
			last = hi
			return true
		}
		switch {
		case p == nil:
			sub := args[0].str()
			noGroup := func(int) (value, bool) { return undefinedValue, false }
			if !r.poll(s.len()) {
				return value{}, false
			}
			for at := 0; at <= s.len(); {
				i := s.index(sub, at)
				if i < 0 {
					break
				}
				if all && !r.allocate(64, op) {
					return value{}, false
				}
				if !substitute(i, i+sub.len(), noGroup) {
					return value{}, false
				}
				if !all {
					break
				}
				at = i + max(sub.len(), 1)
			}
		default:
			m := r.matcher(p, s, op)
			for at := 0; at <= s.len(); {
				caps, found, ok := m.find(at)
				if !ok {
					return value{}, false
				}
				if !found {
					break
				}
				if !r.allocate(64+24*float64(groups), op) {
					return value{}, false
				}
				if !substitute(int(caps[0]), int(caps[1]), func(g int) (value, bool) { return m.group(caps, g) }) {
					return value{}, false
				}
				if p.Flags&regex.Global == 0 {
					break
				}
				if at = int(caps[1]); caps[0] == caps[1] {
					at = m.advance(at)
				}
			}
		}
		if !r.allocate(2*float64(s.len()-last), op) {
			return value{}, false
		}
		b.add(s.slice(last, s.len()))
		return stringOf(b.str()), true
	}
}

var regexMethods = methods(
	define("toString()", func(_ *run, this value, _ []value) float64 {
		src, _ := this.object().get("source")
		return 2*float64(src.str().len()) + 64
	}, func(_ *run, this value, _ []value) (value, bool) { return stringOf(regexText(this.object())), true }),
)

// compileRegex compiles a pattern, once for a VM while it is in use.
func (vm *VM) compileRegex(pattern *str, flags string) (*regex.Program, error) {
	var key strings.Builder
	key.WriteString(flags)
	key.WriteByte('/')
	key.WriteString(pattern.text())
	k := key.String()
	if p, ok := vm.regexes.get(k); ok {
		return p, nil
	}
	p, err := regex.Compile(pattern.units(), flags)
	if err != nil {
		return nil, err
	}
	if p.Size() <= 2000 {
		vm.regexes.put(k, p)
	}
	return p, nil
}
