package vm

import (
	"github.com/pinfold-js/pinfold/ajs/ast"
)

// runBlock runs a block as a seq.
func (r *run) runBlock(b *block) {
	if r.slow {
		r.runBlockSlowly(b)
		return
	}
	if r.fuel -= r.costs[b.self.num]; r.fuel <= 0 {
		r.step = b.self
		r.outOfFuel("")
		return
	}
	r.steps(b)
}

// steps runs the steps of a block whose seq is paid.
func (r *run) steps(b *block) {
	if b.scoped {
		r.scopes++
	}
	for _, st := range b.steps {
		if r.stop.Load() {
			r.stopped()
			break
		}
		if r.slow {
			r.execSlowly(st)
		} else {
			st.exec(r)
		}
		if r.err != nil || r.done {
			break
		}
	}
	if b.scoped {
		r.scopes--
		if b.lo < b.hi {
			clear(r.slots[b.lo:b.hi])
		}
	}
}

// begin pays for a step and makes it the one that runs.
func (r *run) begin(st *step) bool {
	r.step = st
	r.stepSeq++
	if r.fuel -= r.costs[st.num]; r.fuel <= 0 {
		return r.outOfFuel("")
	}
	return true
}

// end releases what a step held in flight.
func (r *run) end() { r.transient = r.base }

// within runs f, which runs blocks, as the inside of st: what st holds in
// flight stays held.
func (r *run) within(st *step, f func()) {
	base := r.base
	r.base = r.transient
	f()
	r.transient, r.base = base, base
	r.step = st
}

// step compiles one step.
func (c *compiler) step(s *ast.Step) *step {
	c.enter()
	defer c.leave()
	st := &step{ast: s, path: c.stepPath(), scope: c.scope}
	st.atom = c.known(s.Op)
	if st.atom == nil {
		op := s.Op
		st.atom, st.num, st.unknown = c.vm.seq, c.vm.seq.num, op
		st.exec = func(r *run) {
			r.step = st
			r.failf(KindRefused, "seq", "Unknown Atom: %s", clip(op, 200))
		}
		return st
	}
	st.num = st.atom.num
	st.exec = c.exec(st, s)
	return st
}

func (c *compiler) stepPath() string {
	n := 0
	for _, p := range c.path {
		n += len(p)
	}
	if n > 400 {
		return joinPath(c.path[:2]) + "…" + joinPath(c.path[max(2, len(c.path)-6):])
	}
	return joinPath(c.path)
}

func joinPath(p []string) string {
	out := ""
	for _, s := range p {
		out += s
	}
	return out
}

// exec compiles what a step does. It pays the cost itself, where the step's
// order of charges wants it.
func (c *compiler) exec(st *step, s *ast.Step) func(r *run) {
	switch b := s.Body.(type) {
	case *ast.Block:
		return c.blockStep(st, s, b)
	case *ast.If:
		return c.ifStep(st, b)
	case *ast.While:
		return c.whileStep(st, b)
	case *ast.Assign:
		return c.assign(st, s.Op, b)
	case *ast.Return:
		return c.returnStep(st, b)
	case *ast.Try:
		return c.try(st, b)
	case *ast.Map:
		return c.mapStep(st, s, b)
	case *ast.Filter:
		return c.filter(st, s, b)
	case *ast.Reduce:
		return c.reduce(st, s, b)
	case *ast.CallLocal:
		return c.callLocal(st, s, b)
	case *ast.Vars:
		if s.Op == "varsImport" {
			return c.varsImport(st, b)
		}
		return c.varsExport(st, s, b)
	case *ast.VarGet:
		places, _ := c.lookup(b.Key)
		store := c.result(s)
		return func(r *run) {
			if !r.begin(st) {
				return
			}
			v := undefinedValue
			for _, p := range places {
				if w := r.slots[p]; w.kind != unset {
					w.fixed = false
					v = w
					break
				}
			}
			store(r, v)
			r.end()
		}
	case *ast.Evaluate:
		x := c.expr(b.Value)
		store := c.result(s)
		return func(r *run) {
			if r.begin(st) {
				if v, ok := x(r); ok {
					store(r, v)
				}
			}
			r.end()
		}
	case *ast.ErrorCall:
		args := c.exprs(b.Args)
		return func(r *run) {
			if r.begin(st) {
				r.raise(args)
			}
			r.end()
		}
	case *ast.Keyed:
		return c.keyed(st, s, b)
	case *ast.Atom:
		if s.Op == "varsLet" {
			return c.varsLet(st, b)
		}
		return c.atomStep(st, s, b)
	}
	return func(r *run) { r.step = st; r.failf(KindRefused, "", "Unknown Atom: %s", clip(s.Op, 200)) }
}

func (c *compiler) blockStep(st *step, s *ast.Step, b *ast.Block) func(r *run) {
	if s.Op == "seq" {
		c.path = append(c.path, ".steps")
		blk := c.block(b.Steps, nil)
		c.path = c.path[:len(c.path)-1]
		return func(r *run) {
			if r.begin(st) {
				r.within(st, func() { r.steps(blk) })
			}
		}
	}
	blk := c.child("steps", b.Steps)
	return func(r *run) {
		if r.begin(st) {
			r.within(st, func() { r.runBlock(blk) })
		}
	}
}

func (c *compiler) ifStep(st *step, b *ast.If) func(r *run) {
	test := c.cond(b.Condition)
	then := c.plain("then", b.Then)
	var other *block
	if b.Else != nil {
		other = c.plain("else", b.Else)
	}
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		yes, ok := test(r)
		if !ok {
			r.end()
			return
		}
		blk := then
		if !yes {
			if blk = other; blk == nil {
				r.end()
				return
			}
		}
		base := r.base
		r.base = r.transient
		r.runBlock(blk)
		r.transient, r.base = base, base
	}
}

func (c *compiler) whileStep(st *step, b *ast.While) func(r *run) {
	test := c.cond(b.Condition)
	blk := c.plain("body", b.Body)
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		base := r.base
		for {
			if r.stop.Load() {
				r.stopped()
				break
			}
			yes, ok := test(r)
			if !ok || !yes {
				break
			}
			if r.fuel -= passFuel; r.fuel <= 0 {
				r.outOfFuel("")
				break
			}
			r.base = r.transient
			r.runBlock(blk)
			r.transient, r.base = base, base
			if r.err != nil || r.done {
				break
			}
			r.step = st
		}
		r.end()
	}
}

// owner compiles the search for the slot that an assignment writes.
func (c *compiler) owner(name string) (places []int, fallback int) {
	places, _ = c.lookup(name)
	fallback = c.scope.slot[name]
	return places, fallback
}

func (c *compiler) assign(st *step, op string, b *ast.Assign) func(r *run) {
	x := c.expr(b.Value)
	name := b.Key
	if forbidden(name) || name == "" {
		return func(r *run) {
			if r.begin(st) {
				r.failf(KindSecurity, "", badKey, name)
			}
		}
	}
	switch op {
	case "varAssign":
		places, fallback := c.owner(name)
		if len(places) == 1 {
			return c.assignTo(st, x, places[0], name)
		}
		return func(r *run) {
			if !r.begin(st) {
				return
			}
			v, ok := x(r)
			if ok {
				r.write(r.ownerOf(places, fallback), name, v)
			}
			r.end()
		}
	case "constSet":
		slot := c.scope.slot[name]
		c.scope.sure[name] = !c.v1()
		return func(r *run) {
			if !r.begin(st) {
				return
			}
			v, ok := x(r)
			if ok {
				r.declareConst(slot, name, v)
			}
			r.end()
		}
	}
	slot := c.scope.slot[name]
	exec := c.assignTo(st, x, slot, name)
	c.scope.sure[name] = !c.v1()
	return exec
}

// assignTo compiles a write to one slot, the commonest step of loops.
func (c *compiler) assignTo(st *step, x expr, slot int, name string) func(r *run) {
	num := st.num
	return func(r *run) {
		r.step = st
		r.stepSeq++
		if r.fuel -= r.costs[num]; r.fuel <= 0 {
			r.outOfFuel("")
			return
		}
		v, ok := x(r)
		if !ok {
			r.end()
			return
		}
		dst := &r.slots[slot]
		if dst.fixed {
			r.failf(KindType, "", "Cannot reassign const variable '%s'", name)
			return
		}
		if v.kind <= numberKind {
			if r.fuel -= oneNode; r.fuel <= 0 {
				r.outOfFuel("bind")
				return
			}
			if dst.kind == numberKind && v.kind == numberKind {
				dst.n = v.n
			} else {
				*dst = v
			}
		} else {
			r.bind(dst, v, "bind")
		}
		r.transient = r.base
	}
}

func (r *run) ownerOf(places []int, fallback int) int {
	for _, p := range places {
		if r.slots[p].kind != unset {
			return p
		}
	}
	return fallback
}

// write stores into a variable that is not const.
func (r *run) write(slot int, name string, v value) bool {
	dst := &r.slots[slot]
	if dst.fixed {
		return r.failf(KindType, "", "Cannot reassign const variable '%s'", name)
	}
	return r.bind(dst, v, "bind")
}

func (r *run) declareConst(slot int, name string, v value) bool {
	dst := &r.slots[slot]
	if dst.kind != unset {
		return r.failf(KindType, "", "Cannot redeclare variable '%s' as const", name)
	}
	if !r.bind(dst, v, "bind") {
		return false
	}
	dst.fixed = true
	return true
}

// result compiles the storing of a step's value. Without a variable for it the
// value is dropped.
func (c *compiler) result(s *ast.Step) func(r *run, v value) bool {
	store := c.storing(s)
	return func(r *run, v value) bool {
		if r.slow {
			r.last, r.hasLast = v, true
		}
		return store == nil || store(r, v)
	}
}

func (c *compiler) storing(s *ast.Step) func(r *run, v value) bool {
	name := s.Result
	if name == "" {
		return nil
	}
	if forbidden(name) {
		return func(r *run, _ value) bool { return r.failf(KindSecurity, "", badKey, name) }
	}
	if s.ResultAssign {
		places, fallback := c.owner(name)
		return func(r *run, v value) bool { return r.write(r.ownerOf(places, fallback), name, v) }
	}
	slot := c.scope.slot[name]
	c.scope.sure[name] = !c.v1()
	if s.ResultConst {
		return func(r *run, v value) bool { return r.declareConst(slot, name, v) }
	}
	return func(r *run, v value) bool { return r.write(slot, name, v) }
}

func (c *compiler) returnStep(st *step, b *ast.Return) func(r *run) {
	free := c.inner > 0
	if b.Value == nil && b.HasSchema {
		return c.returnSchema(st, b, free)
	}
	x := c.expr(b.Value)
	if b.Value == nil {
		x = func(*run) (value, bool) { return objectOf(newObject(0)), true }
	}
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		if v, ok := x(r); ok {
			r.finish(v, free)
		}
		r.end()
	}
}

// finish makes v what the program, the helper or the callback returns.
func (r *run) finish(v value, free bool) bool {
	if !free && !r.anyResult {
		kind := ""
		switch v.kind {
		case numberKind, stringKind, boolKind:
			kind = v.typeOf()
		case arrayKind:
			kind = "array"
		}
		if kind != "" {
			return r.failf(KindType, "", "Agent must return an object, got %s", kind)
		}
	}
	r.out, r.done = v, true
	return true
}

// returnSchema is the return of version 1 that names variables by the
// properties of a schema.
func (c *compiler) returnSchema(st *step, b *ast.Return, free bool) func(r *run) {
	o, _ := b.Schema.(ast.Object)
	props, _ := o.Get("properties")
	po, _ := props.(ast.Object)
	var names []string
	var places [][]int
	for _, e := range po {
		p, _ := c.lookup(e.Key)
		names, places = append(names, e.Key), append(places, p)
	}
	s, err := admit(b.Schema)
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		if err != nil {
			r.fail(KindRefused, "", err.Error())
			return
		}
		out := newObject(len(names))
		for i, n := range names {
			for _, p := range places[i] {
				if v := r.slots[p]; v.kind != unset {
					v.fixed = false
					out.set(n, v)
					break
				}
			}
		}
		if v, ok := r.project(s, objectOf(out)); ok {
			r.finish(v, free)
		}
		r.end()
	}
}

func (c *compiler) try(st *step, b *ast.Try) func(r *run) {
	body := c.plain("try", b.Try)
	param := catchParam(b)
	var handler *block
	var at, opAt int
	if b.Catch != nil {
		if c.v1() {
			at, opAt = c.scope.slot[param], c.scope.slot["errorOp"]
			c.path = append(c.path, ".catch")
			handler = c.block(b.Catch, nil)
			c.path = c.path[:len(c.path)-1]
		} else {
			lo := len(c.names)
			handler = c.child("catch", b.Catch, param, "errorOp")
			at, opAt = lo, lo+1
			if param == "errorOp" {
				opAt = lo
			}
		}
		if forbidden(param) {
			handler = nil
		}
	}
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		r.within(st, func() { r.runBlock(body) })
		if r.err == nil || handler == nil {
			return
		}
		if r.halted != nil {
			// Nothing catches it; the variables of the catch are paid all the
			// same, as the original does.
			r.fuel -= 2 * walkFuel
			return
		}
		e := r.err
		r.err = nil
		r.step = st
		for _, v := range []struct {
			slot int
			text string
		}{{at, e.Message}, {opAt, e.Op}} {
			if !r.bind(&r.slots[v.slot], text(v.text), "catch") {
				clear(r.slots[handler.lo:handler.hi])
				return
			}
		}
		r.within(st, func() { r.runBlock(handler) })
	}
}

func (c *compiler) varsImport(st *step, b *ast.Vars) func(r *run) {
	type pair struct {
		slot  int
		alias string
		name  string
	}
	var pairs []pair
	bad := ""
	for _, k := range b.Keys {
		if forbidden(k.Alias) || k.Alias == "" {
			bad = k.Alias
		}
		pairs = append(pairs, pair{c.scope.slot[k.Alias], k.Alias, k.Name})
		c.scope.sure[k.Alias] = !c.v1()
	}
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		if bad != "" {
			r.failf(KindSecurity, "", badKey, bad)
			return
		}
		for _, p := range pairs {
			v := undefinedValue
			if !forbidden(p.name) {
				v, _ = r.guest.get(p.name)
			}
			if !r.write(p.slot, p.alias, v) {
				break
			}
		}
		r.end()
	}
}

func (c *compiler) varsExport(st *step, s *ast.Step, b *ast.Vars) func(r *run) {
	places := make([][]int, len(b.Keys))
	for i, k := range b.Keys {
		places[i], _ = c.lookup(k.Name)
	}
	store := c.result(s)
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		o := newObject(len(b.Keys))
		for i, k := range b.Keys {
			if forbidden(k.Alias) {
				r.failf(KindSecurity, "", badKey, k.Alias)
				return
			}
			v := undefinedValue
			for _, p := range places[i] {
				if w := r.slots[p]; w.kind != unset {
					w.fixed = false
					v = w
					break
				}
			}
			o.set(k.Alias, v)
		}
		store(r, objectOf(o))
		r.end()
	}
}

func (c *compiler) varsLet(st *step, b *ast.Atom) func(r *run) {
	items := make([]expr, len(b.Inputs))
	slots := make([]int, len(b.Inputs))
	for i, f := range b.Inputs {
		items[i] = c.expr(f.Value)
		slots[i] = c.scope.slot[f.Name]
	}
	for _, f := range b.Inputs {
		c.scope.sure[f.Name] = !c.v1()
	}
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		for i, x := range items {
			if forbidden(b.Inputs[i].Name) {
				r.failf(KindSecurity, "", badKey, b.Inputs[i].Name)
				break
			}
			v, ok := x(r)
			if !ok || !r.write(slots[i], b.Inputs[i].Name, v) {
				break
			}
		}
		r.end()
	}
}
