package vm

import (
	"fmt"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// inline runs a program inside of the run: its scope, helpers, memo and version
// are its own; fuel, heap, quotas, capabilities and trace are the run's.
func (r *run) inline(st *step, p *Program, args *object, anyResult bool) (value, bool) {
	if p.bad != "" {
		return value{}, r.fail(KindRefused, "", p.bad)
	}
	if !r.nest(p.depth) {
		return value{}, false
	}
	defer func() { r.nesting -= p.depth }()
	if p.input != nil {
		holds, ok := r.validate(p.input, objectOf(args), st.atom.Name)
		if !ok {
			return value{}, false
		}
		if !holds {
			return value{}, r.fail(KindInput, "", "Input validation failed: args do not match expected schema")
		}
	}
	type saved struct {
		program   *Program
		guest     *object
		hide      bool
		slots     []value
		memo      map[string]value
		depth     int
		pins      int
		anyResult bool
	}
	old := saved{r.program, r.guest, r.hideArgs, r.slots, r.memo, r.depth, len(r.pins), r.anyResult}
	r.anyResult = anyResult
	act := &activation{up: r.act, body: p.root, slots: make([]value, len(p.root.names))}
	// What the outer program holds stays a root.
	r.pins = append(r.pins, objectOf(old.guest))
	for _, v := range old.memo {
		r.pins = append(r.pins, v)
	}
	r.program, r.guest, r.hideArgs, r.memo, r.depth = p, args, false, nil, 0
	up := r.act
	r.act, r.slots = act, act.slots
	r.within(st, func() { r.runBlock(p.root.block) })
	out := undefinedValue
	if r.done {
		out, r.done, r.out = r.out, false, value{}
	}
	r.act, r.slots = up, old.slots
	r.program, r.guest, r.hideArgs, r.memo, r.depth = old.program, old.guest, old.hide, old.memo, old.depth
	r.pins, r.anyResult = r.pins[:old.pins], old.anyResult
	r.step = st
	if r.err != nil {
		if r.halted == nil {
			// The failure of an agent is a plain message to the one that ran it.
			e := r.err
			r.err = nil
			r.fail(e.Kind, "", e.Message)
			r.err.Cause = e
		}
		return value{}, false
	}
	if p.output != nil {
		holds, ok := r.validate(p.output, out, st.atom.Name)
		if !ok {
			return value{}, false
		}
		if !holds {
			return value{}, r.fail(KindOutput, "", "Result does not match the declared result type")
		}
	}
	return out, true
}

const maxAgents = 256

func argsObject(v value) *object {
	if v.kind == objectKind {
		return v.object()
	}
	return newObject(0)
}

func atomAgentRun(r *run, st *step, in inputs) (value, bool) {
	id, input := in.get("agentId"), in.get("input")
	var p *Program
	switch {
	case id.kind == stringKind && isToken(id.str().text()):
		var err error
		if p, err = r.vm.procedures.get(id.str().text(), r.now()); err != nil {
			return value{}, r.fail(KindRefused, "", err.Error())
		}
	case id.kind == stringKind:
		return r.agentByName(st, id, input)
	case id.kind == objectKind:
		var ok bool
		if p, ok = r.programOf(id, "agentRun"); !ok {
			return value{}, false
		}
	default:
		return value{}, r.fail(KindType, "", "agentRun: agentId must be a name, a token or an AST")
	}
	if r.agents >= maxAgents {
		return value{}, r.failf(KindRefused, "", "Maximum agent depth (%d) exceeded — likely infinite recursion", maxAgents)
	}
	if !input.isNullish() && input.kind != objectKind {
		return value{}, r.fail(KindInput, "", "Input validation failed: args do not match expected schema")
	}
	r.agents++
	defer func() { r.agents-- }()
	return r.inline(st, p, argsObject(input), false)
}

// programOf reads a program that a program holds as a value.
func (r *run) programOf(v value, where string) (*Program, bool) {
	t, ok := r.tree(v, false)
	if !ok || !r.allocate(4*t.bytes, where) {
		return nil, false
	}
	d, cerr := r.export(v, exportLimits{bytes: r.opts.membraneMax, depth: ast.DefaultMaxDepth})
	if cerr != nil {
		return nil, r.fail(KindRefused, "", where+": "+cerr.reason)
	}
	return r.load(d, where)
}

func (r *run) load(d any, where string) (*Program, bool) {
	prog, err := ast.FromData(d, ast.Options{Where: where})
	if err != nil {
		return nil, r.fail(KindRefused, "", err.Error())
	}
	p, err := r.vm.Load(prog)
	if err != nil {
		return nil, r.fail(KindRefused, "", err.Error())
	}
	return p, true
}

func (r *run) agentByName(st *step, id, input value) (value, bool) {
	agent := r.opts.caps.Agent
	if agent == nil {
		return r.missing("agent.run")
	}
	o := newObject(2)
	o.set("agentId", id)
	o.set("input", input)
	d, ok := r.outbound(st.atom, objectOf(o), nil)
	if !ok {
		return value{}, false
	}
	in, _ := d.(ast.Object).Get("input")
	name := str1(d.(ast.Object), "agentId")
	return r.ask(st, func(c *Call) (any, error) {
		out, err := agent.RunAgent(c.Context, name, in)
		if err != nil {
			return nil, err
		}
		return unwrap(out)
	})
}

// unwrap takes the result of a run apart: one is known by its numeric fuelUsed.
func unwrap(out any) (any, error) {
	fail := func(e any) error {
		switch e := e.(type) {
		case *AgentError:
			return fmt.Errorf("%s", e.Message)
		case string:
			if e != "" {
				return fmt.Errorf("%s", e)
			}
		case ast.Object:
			if m := str1(e, "message"); m != "" {
				return fmt.Errorf("%s", m)
			}
		case map[string]any:
			if m, _ := e["message"].(string); m != "" {
				return fmt.Errorf("%s", m)
			}
		}
		return fmt.Errorf("Sub-agent failed")
	}
	switch v := out.(type) {
	case *Result:
		if v == nil {
			return nil, nil
		}
		if v.Err != nil {
			return nil, fail(v.Err)
		}
		return v.Value, nil
	case ast.Object:
		if f, _ := v.Get("fuelUsed"); isNumber(f) {
			if e, _ := v.Get("error"); e != nil {
				return nil, fail(e)
			}
			out, _ = v.Get("result")
			return out, nil
		}
	case map[string]any:
		if isNumber(v["fuelUsed"]) {
			if e := v["error"]; e != nil {
				return nil, fail(e)
			}
			return v["result"], nil
		}
	}
	if IsAgentError(out) {
		return nil, fail(out)
	}
	return out, nil
}

func isNumber(v any) bool {
	switch v.(type) {
	case float64, int, int64:
		return true
	}
	return false
}

// transpile turns a program's source into a program, under its cap.
func (r *run) transpile(st *step, code value, enable string) (*ast.Program, bool) {
	op := st.atom.Name
	c := r.opts.caps.Code
	if c == nil {
		return nil, r.failf(KindCapability, "", "Capability 'code.transpile' missing. Enable %s by providing the code capability.", enable)
	}
	s, ok := r.needText(code, op+": code")
	if !ok {
		return nil, false
	}
	limit := DefaultMaxSourceBytes + 0.0
	if r.opts.maxSource > 0 {
		limit = min(limit, r.opts.maxSource)
	}
	if float64(s.len()) > limit || float64(len(s.text())) > limit {
		return nil, r.failf(KindRefused, "", "%s: source is over the %s-byte limit. Transpilation runs before fuel can stop it, so oversized source is refused rather than metered.", op, formatNumber(limit))
	}
	if !r.spend(sourceFuel * float64(s.len())) {
		return nil, false
	}
	p, err := c.Transpile(s.text())
	if err != nil {
		return nil, r.failf(KindRefused, "", "Code transpilation failed: %s", err)
	}
	if p == nil {
		return nil, r.fail(KindRefused, "", "Transpiled code must be a seq node")
	}
	return p, true
}

func atomTranspileCode(r *run, st *step, in inputs) (value, bool) {
	if _, ok := r.send(st, in); !ok {
		return value{}, false
	}
	p, ok := r.transpile(st, in.get("code"), "code transpilation")
	if !ok {
		return value{}, false
	}
	return r.accept(st.atom, p, st.ast.Result != "")
}

func atomRunCode(r *run, st *step, in inputs) (value, bool) {
	if r.subs >= maxRunCode {
		return value{}, r.failf(KindRefused, "", "runCode recursion limit exceeded (max %d). Code that runs code that runs code must end.", maxRunCode)
	}
	p, ok := r.transpile(st, in.get("code"), "dynamic code execution")
	if !ok {
		return value{}, false
	}
	args := in.get("args")
	if !args.isNullish() && args.kind != objectKind {
		return value{}, r.fail(KindType, "", "runCode: args must be an object")
	}
	prog, err := r.vm.Load(p)
	if err != nil {
		return value{}, r.fail(KindRefused, "", err.Error())
	}
	r.subs++
	defer func() { r.subs-- }()
	return r.inline(st, prog, argsObject(args), true)
}

// keyed compiles memoize and cache.
func (c *compiler) keyed(st *step, s *ast.Step, b *ast.Keyed) func(r *run) {
	key, ttl := c.expr(b.Key), c.expr(b.TTL)
	hasTTL := b.TTL != nil
	c.inner++
	blk := c.child("steps", b.Steps)
	c.inner--
	resultSlot := -1
	for i := blk.lo; i < blk.hi; i++ {
		if c.names[i] == "result" {
			resultSlot = i
		}
	}
	keep := *blk
	keep.scoped = false
	store := c.result(s)
	cached := s.Op == "cache"
	return func(r *run) {
		if !r.begin(st) {
			return
		}
		defer r.end()
		k, ok := key(r)
		if !ok {
			return
		}
		if k.kind != stringKind || k.str().len() == 0 {
			r.failf(KindType, "", "'%s': a key is required, a string naming what the result depends on", s.Op)
			return
		}
		name := k.str().text()
		ms := 24 * 3_600_000.0
		if hasTTL {
			v, ok := ttl(r)
			if !ok {
				return
			}
			if v.kind == numberKind && v.n >= 0 {
				ms = v.n
			}
		}
		if cached {
			if r.opts.caps.Store == nil {
				r.fail(KindCapability, "", "Capability 'store' missing for caching")
				return
			}
			v, hit, ok := r.cacheGet(st, name)
			if !ok {
				return
			}
			if hit {
				store(r, v)
				return
			}
		} else if v, hit := r.memo[name]; hit {
			store(r, v)
			return
		}
		out := nullValue
		r.within(st, func() {
			r.scopes++
			r.runBlock(&keep)
			r.scopes--
			switch {
			case r.done:
				out, r.done, r.out = r.out, false, value{}
			case resultSlot >= 0 && r.slots[resultSlot].kind != unset:
				out = r.slots[resultSlot]
				out.fixed = false
			}
			clear(r.slots[blk.lo:blk.hi])
		})
		if r.err != nil {
			return
		}
		if cached {
			if !r.spend(5) || !r.cacheSet(st, name, out, ms) {
				return
			}
		} else {
			h, ok := r.size(out, "memoize")
			if !ok || !r.hold(h.bytes+8, h.extra, "memoize") {
				return
			}
			set(&r.memo, name, out)
		}
		store(r, out)
	}
}

func (r *run) cacheGet(st *step, name string) (v value, hit, ok bool) {
	s := r.opts.caps.Store
	if _, ok := r.outbound(st.atom, text("cache:"+name), nil); !ok {
		return value{}, false, false
	}
	d, ok := r.await("cache", r.timeoutOf(st.atom), func(c *Call) (any, error) { return s.Get(c.Context, "cache:"+name) })
	if !ok {
		return value{}, false, false
	}
	v, ok = r.inbound(st.atom, d)
	if !ok || v.isNullish() {
		return value{}, false, ok
	}
	if v.kind == objectKind {
		if exp, has := v.object().get("_exp"); has {
			if exp.kind == numberKind && exp.n > r.nowMs() {
				val, _ := v.object().get("val")
				return val, true, true
			}
			return value{}, false, true
		}
	}
	return v, true, true
}

func (r *run) cacheSet(st *step, name string, v value, ms float64) bool {
	o := newObject(2)
	o.set("val", v)
	o.set("_exp", number(r.nowMs()+ms))
	d, ok := r.outbound(st.atom, objectOf(o), nil)
	if !ok {
		return false
	}
	s := r.opts.caps.Store
	_, ok = r.await("cache", r.timeoutOf(st.atom), func(c *Call) (any, error) { return nil, s.Set(c.Context, "cache:"+name, d) })
	return ok
}
