package vm

import "github.com/pinfold-js/pinfold/ajs/ast"

// items evaluates the source of a loop and pins it.
func (r *run) items(st *step, x expr) (*array, bool) {
	v, ok := x(r)
	if !ok {
		return nil, false
	}
	if v.kind != arrayKind {
		return nil, r.failf(KindType, "", "%s: items is not an array", st.atom.Name)
	}
	r.pins = append(r.pins, v)
	return v.array(), true
}

// alias makes a loop's item a variable; it is not charged.
func (r *run) alias(slot int, v value) {
	v.fixed = false
	r.slots[slot] = v
}

func (c *compiler) mapStep(st *step, s *ast.Step, b *ast.Map) func(r *run) {
	x := c.expr(b.Items)
	slot := len(c.names)
	if !b.Loop {
		c.inner++
	}
	blk := c.child("steps", b.Steps, b.As)
	if !b.Loop {
		c.inner--
	}
	resultSlot, hasResult := -1, false
	for i := blk.lo; i < blk.hi; i++ {
		if c.names[i] == "result" {
			resultSlot, hasResult = i, true
		}
	}
	// The block's scope ends with the pass, after its result was read.
	keep := *blk
	keep.scoped = false
	store := c.result(s)
	bad := forbidden(b.As) || b.As == ""
	loop := b.Loop
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		pins := len(r.pins)
		a, ok := r.items(st, x)
		if !ok {
			r.end()
			return
		}
		if bad {
			r.failf(KindSecurity, "", badKey, b.As)
			return
		}
		out := &array{}
		if !loop {
			r.pins = append(r.pins, arrayOf(out))
		}
		base := r.base
		r.base = r.transient
		for i := 0; i < len(a.elems); i++ {
			if r.stop.Load() {
				r.stopped()
				break
			}
			r.alias(slot, a.elems[i])
			r.scopes++
			r.runBlock(&keep)
			r.scopes--
			item := nullValue
			if !loop {
				if r.done {
					item, r.done, r.out = r.out, false, value{}
				} else if hasResult && r.slots[resultSlot].kind != unset {
					item = r.slots[resultSlot]
					item.fixed = false
				}
				if item.kind == undefinedKind {
					item = nullValue
				}
			}
			clear(r.slots[blk.lo:blk.hi])
			r.transient = r.base
			if r.err != nil || r.done {
				break
			}
			if !loop {
				if !r.hold(8, slotExtra, "map") || !r.grow(out, 1, "map") {
					break
				}
				out.elems = append(out.elems, item)
			}
		}
		r.base, r.transient = base, base
		r.pins = r.pins[:pins]
		r.step = st
		if r.err == nil && !loop {
			store(r, arrayOf(out))
		}
	}
}

func (c *compiler) filter(st *step, s *ast.Step, b *ast.Filter) func(r *run) {
	x := c.expr(b.Items)
	sc := c.open(nil, b.As)
	slot := sc.lo
	sc.sure[b.As] = true
	test := c.cond(b.Condition)
	c.close()
	store := c.result(s)
	bad := forbidden(b.As) || b.As == ""
	find := s.Op == "find"
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		pins := len(r.pins)
		a, ok := r.items(st, x)
		if !ok {
			r.end()
			return
		}
		if bad {
			r.failf(KindSecurity, "", badKey, b.As)
			return
		}
		out := &array{}
		found := nullValue
		r.pins = append(r.pins, arrayOf(out))
		held := r.transient
		r.scopes++
		for i := 0; i < len(a.elems); i++ {
			if r.stop.Load() {
				r.stopped()
				break
			}
			item := a.elems[i]
			r.alias(slot, item)
			yes, ok := test(r)
			if !ok {
				break
			}
			r.transient = held
			if !yes {
				continue
			}
			if find {
				found = item
				if found.kind == undefinedKind {
					found = nullValue
				}
				break
			}
			if !r.hold(8, slotExtra, "filter") || !r.grow(out, 1, "filter") {
				break
			}
			out.elems = append(out.elems, item)
		}
		r.scopes--
		r.slots[slot] = value{}
		r.pins = r.pins[:pins]
		if r.err == nil {
			if find {
				store(r, found)
			} else {
				store(r, arrayOf(out))
			}
		}
		r.end()
	}
}

func (c *compiler) reduce(st *step, s *ast.Step, b *ast.Reduce) func(r *run) {
	x, first := c.expr(b.Items), c.expr(b.Initial)
	lo := len(c.names)
	c.inner++
	blk := c.child("steps", b.Steps, b.As, b.Accumulator)
	c.inner--
	slot, acc := lo, lo+1
	if b.As == b.Accumulator {
		acc = lo
	}
	resultSlot := -1
	for i := blk.lo; i < blk.hi; i++ {
		if c.names[i] == "result" {
			resultSlot = i
		}
	}
	keep := *blk
	keep.scoped = false
	store := c.result(s)
	bad := ""
	for _, n := range []string{b.As, b.Accumulator} {
		if forbidden(n) || n == "" {
			bad = n + " "
		}
	}
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		pins := len(r.pins)
		a, ok := r.items(st, x)
		if !ok {
			r.end()
			return
		}
		if bad != "" {
			r.failf(KindSecurity, "", badKey, bad[:len(bad)-1])
			return
		}
		total, ok := first(r)
		if !ok {
			r.end()
			return
		}
		r.pins = append(r.pins, total)
		base := r.base
		r.base = r.transient
		for i := 0; i < len(a.elems); i++ {
			if r.stop.Load() {
				r.stopped()
				break
			}
			r.alias(slot, a.elems[i])
			r.step = st
			r.slots[acc] = value{}
			if !r.bind(&r.slots[acc], total, "bind") {
				break
			}
			r.scopes++
			r.runBlock(&keep)
			r.scopes--
			switch {
			case r.done:
				total, r.done, r.out = r.out, false, value{}
			case resultSlot >= 0 && r.slots[resultSlot].kind != unset:
				total = r.slots[resultSlot]
				total.fixed = false
			}
			r.pins[len(r.pins)-1] = total
			clear(r.slots[blk.lo:blk.hi])
			r.transient = r.base
			if r.err != nil {
				break
			}
		}
		clear(r.slots[blk.lo:blk.hi])
		r.base, r.transient = base, base
		r.pins = r.pins[:pins]
		r.step = st
		if r.err == nil {
			store(r, total)
		}
	}
}

func (c *compiler) callLocal(st *step, s *ast.Step, b *ast.CallLocal) func(r *run) {
	args := c.exprs(b.Args)
	name := b.Name
	h := c.helpers[name]
	store := c.result(s)
	if h == nil {
		return func(r *run) {
			if r.begin(st) {
				r.failf(KindRefused, "", "Unknown helper: %s", clip(name, 200))
			}
		}
	}
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		base := len(r.stack)
		defer func() { r.stack = r.stack[:base] }()
		for _, x := range args {
			v, ok := x(r)
			if !ok {
				r.end()
				return
			}
			r.stack = append(r.stack, v)
		}
		if r.depth > maxHelpers {
			r.failf(KindRefused, "", "Maximum helper call depth (%d) exceeded — likely infinite recursion in '%s'", maxHelpers, name)
			r.end()
			return
		}
		if !r.nest(h.depth) {
			r.end()
			return
		}
		if h.input != nil && !r.checkHelper(h, r.stack[base:]) {
			r.nesting -= h.depth
			r.end()
			return
		}
		out, ok := r.call(st, h, r.stack[base:])
		r.nesting -= h.depth
		if ok {
			store(r, out)
		}
		r.end()
	}
}

// nest counts blocks and nodes in one another over calls: each is a Go frame.
func (r *run) nest(depth int) bool {
	if r.nesting+depth > maxNesting {
		return r.fail(KindRefused, "", "The program nests too deeply across its calls")
	}
	r.nesting += depth
	return true
}

// call runs a helper in a fresh scope.
func (r *run) call(st *step, h *body, args []value) (value, bool) {
	act := &activation{up: r.act, body: h, slots: make([]value, len(h.names))}
	slots, hide, scopes := r.slots, r.hideArgs, r.scopes
	up := r.act
	r.act, r.slots, r.hideArgs = act, act.slots, true
	r.depth++
	ok := true
	for i, slot := range h.slots {
		v := undefinedValue
		if i < len(args) {
			v = args[i]
		}
		if forbidden(h.params[i]) {
			ok = r.failf(KindSecurity, "", badKey, h.params[i])
			break
		}
		if ok = r.bind(&r.slots[slot], v, "bind"); !ok {
			break
		}
	}
	out := undefinedValue
	if ok {
		r.within(st, func() { r.runBlock(h.block) })
		if r.done {
			out, r.done, r.out = r.out, false, value{}
		}
	}
	r.depth--
	r.act, r.slots, r.hideArgs, r.scopes = up, slots, hide, scopes
	r.step = st
	return out, r.err == nil
}
