package vm

import (
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// A Program is a program made ready for one VM. It is immutable; many runs may
// use it at once.
type Program struct {
	ast     *ast.Program
	root    *body
	helpers map[string]*body
	input   *schema
	output  *schema
	bad     string // why a schema of the program can't be used
	vm      *VM
	depth   int
}

// AST returns what the program was made of.
func (p *Program) AST() *ast.Program { return p.ast }

// A body is the steps of a program or a helper.
type body struct {
	name   string
	params []string
	slots  []int // of the parameters
	block  *block
	names  []string // of the slots
	depth  int      // how deep steps and nodes nest
	input  *schema
}

// A block is steps that run as a seq.
type block struct {
	steps  []*step
	lo, hi int   // the slots of the scope, if it has one of its own
	scoped bool  // it is a scope
	self   *step // the seq
	ast    []*ast.Step
}

// A step is a step made ready.
type step struct {
	atom  *Atom
	num   int
	exec  func(r *run)
	ast   *ast.Step
	path  string
	scope *scope
	// For a trace and for the long way: whether quotas count it.
	unknown string
}

// A scope is what a block may declare.
type scope struct {
	up     *scope
	slot   map[string]int
	lo, hi int
	sure   map[string]bool // declared whenever a step after this point runs
}

type compiler struct {
	vm      *VM
	version int
	scope   *scope
	names   []string
	nest    int
	deepest int
	inner   int // inside of a callback or a helper: return takes any value
	path    []string
	helpers map[string]*body
}

func (c *compiler) enter() {
	if c.nest++; c.nest > c.deepest {
		c.deepest = c.nest
	}
}
func (c *compiler) leave() { c.nest-- }

// Load makes a program ready. The error is for what is no program: one of a
// version that this code doesn't know.
func (vm *VM) Load(p *ast.Program) (*Program, error) {
	if p.Version > ast.Current {
		_, err := ast.VersionOf(ast.Object{{Key: "$ajs", Value: float64(p.Version)}}, "AgentVM.run")
		return nil, err
	}
	out := &Program{ast: p, vm: vm, helpers: map[string]*body{}}
	c := &compiler{vm: vm, version: max(p.Version, 1), helpers: out.helpers}
	for i := range p.Helpers {
		out.helpers[p.Helpers[i].Name] = &body{name: p.Helpers[i].Name}
	}
	out.root = &body{}
	c.body(out.root, p.Steps, nil, "steps")
	out.depth = out.root.depth
	for i := range p.Helpers {
		h := &p.Helpers[i]
		c.inner = 1
		b := out.helpers[h.Name]
		b.params = h.Params
		c.body(b, h.Steps, h.Params, "helpers."+h.Name+".steps")
		if h.HasInput {
			s, err := admit(h.Input)
			if err != nil {
				out.bad = err.Error()
			}
			b.input = s
		}
	}
	if p.HasInput {
		s, err := admit(p.InputSchema)
		if err != nil {
			out.bad = err.Error()
		}
		out.input = s
	}
	if p.HasOutput {
		s, err := admit(p.OutputSchema)
		if err != nil {
			out.bad = err.Error()
		}
		out.output = s
	}
	return out, nil
}

// body compiles the steps of an activation.
func (c *compiler) body(b *body, steps []*ast.Step, params []string, path string) {
	c.scope, c.names, c.nest, c.deepest = nil, nil, 0, 0
	c.path = append(c.path[:0], path)
	sc := c.open(steps, params...)
	for _, p := range params {
		b.slots = append(b.slots, sc.slot[p])
		sc.sure[p] = !c.v1()
	}
	b.block = c.block(steps, sc)
	c.close()
	b.block.scoped = true
	b.names, b.depth = c.names, c.deepest
}

func (c *compiler) v1() bool { return c.version < 2 }

// open begins the scope of a block, with the names it may declare.
func (c *compiler) open(steps []*ast.Step, names ...string) *scope {
	s := &scope{up: c.scope, slot: map[string]int{}, sure: map[string]bool{}, lo: len(c.names)}
	for _, n := range names {
		c.declare(s, n)
	}
	c.collect(s, steps)
	s.hi = len(c.names)
	c.scope = s
	return s
}

func (c *compiler) close() { c.scope = c.scope.up }

func (c *compiler) declare(s *scope, name string) {
	if _, ok := s.slot[name]; ok || name == "" || forbidden(name) {
		return
	}
	s.slot[name] = len(c.names)
	c.names = append(c.names, name)
}

// collect declares what steps may declare in their own scope. In version 1 the
// blocks of if, while and try have no scope of their own.
func (c *compiler) collect(s *scope, steps []*ast.Step) {
	for _, st := range steps {
		if !st.ResultAssign || !surely(s.up, st.Result) {
			c.declare(s, st.Result)
		}
		switch b := st.Body.(type) {
		case *ast.Assign:
			// An assignment declares only what nobody has declared.
			if st.Op != "varAssign" || !surely(s.up, b.Key) {
				c.declare(s, b.Key)
			}
		case *ast.Vars:
			if st.Op == "varsImport" {
				for _, k := range b.Keys {
					c.declare(s, k.Alias)
				}
			}
		case *ast.Atom:
			if st.Op == "varsLet" {
				for _, f := range b.Inputs {
					c.declare(s, f.Name)
				}
			}
		}
		if c.v1() {
			switch b := st.Body.(type) {
			case *ast.If:
				c.collect(s, b.Then)
				c.collect(s, b.Else)
			case *ast.While:
				c.collect(s, b.Body)
			case *ast.Try:
				c.declare(s, catchParam(b))
				c.declare(s, "errorOp")
				c.collect(s, b.Try)
				c.collect(s, b.Catch)
			case *ast.Block:
				if st.Op == "seq" {
					c.collect(s, b.Steps)
				}
			}
		} else if b, ok := st.Body.(*ast.Block); ok && st.Op == "seq" {
			c.collect(s, b.Steps)
		}
	}
}

// surely reports whether a name is declared around a scope that is opened now.
func surely(s *scope, name string) bool {
	for ; s != nil; s = s.up {
		if s.sure[name] {
			return true
		}
	}
	return false
}

func catchParam(t *ast.Try) string {
	if t.CatchParam == "" {
		return "error"
	}
	return t.CatchParam
}

// lookup returns the slots that a name may be in, the nearest first, and
// whether the last one is sure to be filled.
func (c *compiler) lookup(name string) (places []int, sure bool) {
	for s := c.scope; s != nil; s = s.up {
		if slot, ok := s.slot[name]; ok {
			places = append(places, slot)
			if s.sure[name] {
				return places, true
			}
		}
	}
	return places, false
}

// block compiles steps. With a scope they run in it, else in the one around.
func (c *compiler) block(steps []*ast.Step, sc *scope) *block {
	c.enter()
	defer c.leave()
	b := &block{ast: steps}
	if sc != nil {
		b.scoped, b.lo, b.hi = true, sc.lo, sc.hi
	}
	b.self = &step{atom: c.vm.seq, num: c.vm.seq.num, path: strings.Join(c.path, ""), ast: &ast.Step{Op: "seq", Body: &ast.Block{Steps: steps}}, scope: c.scope}
	if len(steps) > 0 {
		b.self.ast.Pos = steps[0].Pos
	}
	for i, st := range steps {
		c.path = append(c.path, "["+strconv.Itoa(i)+"]")
		b.steps = append(b.steps, c.step(st))
		c.path = c.path[:len(c.path)-1]
	}
	return b
}

// child compiles a block in a scope of its own; in version 1 in the one around.
func (c *compiler) child(field string, steps []*ast.Step, names ...string) *block {
	c.path = append(c.path, "."+field)
	defer func() { c.path = c.path[:len(c.path)-1] }()
	sc := c.open(steps, names...)
	for _, n := range names {
		sc.sure[n] = true
	}
	b := c.block(steps, sc)
	c.close()
	return b
}

// plain compiles the block of an if, a while or a try.
func (c *compiler) plain(field string, steps []*ast.Step) *block {
	if !c.v1() {
		return c.child(field, steps)
	}
	c.path = append(c.path, "."+field)
	defer func() { c.path = c.path[:len(c.path)-1] }()
	return c.block(steps, nil)
}

// reference compiles a bare string of version 1.
func (c *compiler) reference(s string) expr {
	read := func(name string) func(r *run) (value, bool) {
		places, _ := c.lookup(name)
		return func(r *run) (value, bool) {
			for _, slot := range places {
				if v := r.slots[slot]; v.kind != unset {
					v.fixed = false
					return v, true
				}
			}
			return undefinedValue, false
		}
	}
	whole := read(s)
	literal := text(s)
	head, rest, dotted := strings.Cut(s, ".")
	if !dotted || head == "" {
		return func(r *run) (value, bool) {
			if v, ok := whole(r); ok {
				return v, true
			}
			return literal, true
		}
	}
	first := read(head)
	keys := strings.Split(rest, ".")
	return func(r *run) (value, bool) {
		if v, ok := whole(r); ok {
			return v, true
		}
		v, ok := first(r)
		if !ok && head == "args" {
			v, ok = objectOf(r.guest), true
		}
		if !ok {
			return literal, true
		}
		for _, k := range keys {
			if v.isNullish() {
				return undefinedValue, true
			}
			if forbidden(k) {
				return value{}, r.failf(KindSecurity, "", badKey, k)
			}
			if v, ok = r.getMember(v, text(k), k); !ok {
				return value{}, false
			}
		}
		return v, true
	}
}

// known returns the atom of an operation.
func (c *compiler) known(op string) *Atom { return c.vm.atoms[op] }
