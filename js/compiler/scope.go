package compiler

import (
	"math"
	"sort"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// bindKind says what declared a binding.
type bindKind uint8

const (
	bindVar bindKind = iota
	bindFunc
	bindParam
	bindLet
	bindConst
	bindClass
	bindCatch  // simple catch parameter
	bindSelf   // a named function expression's own name
	bindImport // imported into a module
	bindHidden // names that source text can't spell
)

const never = math.MaxInt32

// A binding is one declared name.
type binding struct {
	name     string
	kind     bindKind
	scope    *scope
	captured bool // lives in an environment
	// tdz: some reference may come before the initialisation, so the register
	// has to hold Empty until then.
	tdz bool
	// objects: some value assigned to it may be an object.
	objects bool
	// other: some value assigned to it may not be a Number. numbers holds the
	// spans in which a var has surely been assigned.
	other   bool
	numbers [][2]int32
	// declared late: declEnd is the offset from which on a reference in the
	// same function and within safeEnd finds the binding initialised.
	declEnd, safeEnd int32
	assigns          []int32 // offsets of the assignments
	sorted           bool
	brand            string // of a private method or accessor: its class, for messages
	reg              uint16
	slot             uint16
	imp              int // bindImport: index into Program.Imports
	// getter, of an import that eval code may name, is the hidden binding with a
	// function that returns the value; of eval code's binding, it is itself.
	getter *binding
	used   bool // referred to from its own function
}

// lexical reports whether the binding has a temporal dead zone.
func (b *binding) lexical() bool {
	switch b.kind {
	case bindLet, bindConst, bindClass:
		return true
	case bindParam:
		return b.declEnd != 0
	}
	return false
}

// constant reports whether assignment is a TypeError.
func (b *binding) constant() bool { return b.kind == bindConst || b.kind == bindImport }

// safe reports whether code of fn at off finds the binding initialised.
func (b *binding) safe(fn *funcInfo, off int32) bool {
	return !b.lexical() || b.scope.fn == fn && off >= b.declEnd && off < b.safeEnd
}

// assignedIn reports whether an assignment stands in [from, to).
func (b *binding) assignedIn(from, to int32) bool {
	if len(b.assigns) == 0 || from >= to {
		return false
	}
	if !b.sorted {
		sort.Slice(b.assigns, func(i, j int) bool { return b.assigns[i] < b.assigns[j] })
		b.sorted = true
	}
	i := sort.Search(len(b.assigns), func(i int) bool { return b.assigns[i] >= from })
	return i < len(b.assigns) && b.assigns[i] < to
}

// numericAt reports whether the value of a local is a Number at off.
func (b *binding) numericAt(off int32) bool {
	if b.other || b.scope.evalSeen || b.scope.kind == scopeOuter {
		return false
	}
	switch b.kind {
	case bindLet, bindConst:
		if b.captured {
			return true // reading it checks
		}
		return off >= b.declEnd && off < b.safeEnd
	case bindVar:
		if b.captured {
			return false
		}
		for _, s := range b.numbers {
			if off >= s[0] && off < s[1] {
				return true
			}
		}
	}
	return false
}

// scopeKind says what a scope belongs to.
type scopeKind uint8

const (
	scopeBlock      scopeKind = iota
	scopeFunc                 // parameters, and the body unless there are parameter expressions
	scopeBody                 // body of a function with parameter expressions
	scopeSelf                 // a named function expression's name
	scopeEvalParams           // variables of direct evals in parameter expressions
	scopeCatch
	scopeClass
	scopeObject // an object literal whose methods need their home object
	scopeWith
	scopeModule
	scopeEval   // lexical declarations of eval code, its variables too when strict
	scopeStatic // a class static block
	scopeOuter  // around eval code
)

// A scope is a set of bindings; those that are captured share one environment.
type scope struct {
	kind   scopeKind
	parent *scope
	fn     *funcInfo
	list   []*binding
	index  map[string]*binding

	env      bool // has an environment at run time
	external bool // the environment comes from outside of the function (modules, eval)
	slots    int
	envReg   uint16

	// varObj holds the eval variable object of a function with a sloppy direct
	// eval, with a with statement's object.
	varObj, with *binding
	varScope     bool // var declarations of a direct eval go here
	evalSeen     bool // a direct eval can see all bindings

	desc *bytecode.Scope
}

// find looks a name up in this scope alone.
func (s *scope) find(name string) *binding {
	if s.index != nil {
		return s.index[name]
	}
	for _, b := range s.list {
		if b.name == name {
			return b
		}
	}
	return nil
}

// declare adds a binding, or returns the one of that name.
func (s *scope) declare(name string, kind bindKind) *binding {
	if b := s.find(name); b != nil {
		if kind == bindFunc && b.kind == bindVar {
			b.kind = bindFunc
		}
		return b
	}
	return s.add(name, kind)
}

func (s *scope) add(name string, kind bindKind) *binding {
	b := &binding{name: name, kind: kind, scope: s, captured: s.evalSeen && kind != bindImport, safeEnd: never}
	switch kind {
	case bindLet, bindConst, bindClass:
		b.declEnd = never
	}
	s.list = append(s.list, b)
	if s.index != nil {
		s.index[name] = b
	} else if len(s.list) > 8 {
		s.index = make(map[string]*binding, 16)
		for _, b := range s.list {
			s.index[b.name] = b
		}
	}
	return b
}

// dynamic reports whether the scope may hold names that are known only at run
// time.
func (s *scope) dynamic() bool { return s.with != nil || s.varObj != nil }

// funcKind says what code a funcInfo stands for.
type funcKind uint8

const (
	funcOrdinary funcKind = iota
	funcScript
	funcModule
	funcInit // link-time part of a module
	funcEval
	funcOuter       // what surrounds eval code
	funcFields      // initialises the fields and private methods of an instance
	funcStatics     // runs the static elements of a class
	funcDefaultCtor // constructor of a class that has none
	funcAccessorGet // getter of an `accessor` field
	funcAccessorSet
	funcImport // returns the value of an import, for eval code
)

// funcInfo is one function to compile.
type funcInfo struct {
	node     *syntax.Function // nil for synthetic functions
	kind     funcKind
	parent   *funcInfo
	arrow    bool // takes this, arguments, super and new.target from its parent
	strict   bool
	index    int32 // in Program.Funcs, -1 until it is referred to
	name     string
	inferred string // what a stack calls it, when it has no name

	outer  *scope // where the closure is made
	self   *scope
	params *scope
	body   *scope // may be params

	paramExprs bool // FunctionDeclarationInstantiation's hasParameterExpressions
	usesThis   bool
	args       *binding // arguments object
	argsMapped bool
	argsWrite  bool // arguments is used other than to read an element or the length

	class  *classInfo // of constructors and synthetic functions
	home   *scope     // scope with the home object
	static bool       // the home object is the class itself
	member *memberInfo
	imp    int                  // of funcImport
	ctx    bytecode.EvalContext // of funcOuter
	funcs  []*syntax.FunctionDeclaration
	async  bool     // the top of a function-body program
	names  []string // parameters of a function-body program
}

// derived reports whether this is the constructor of a class with extends.
func (f *funcInfo) derived() bool {
	if f.kind == funcDefaultCtor {
		return f.class.node.SuperClass != nil
	}
	if f.kind == funcOuter {
		return f.ctx.SuperCall
	}
	return f.node != nil && f.node.Kind == syntax.FuncDerivedConstructor
}

// owner returns the function that supplies this, arguments and so on.
func (f *funcInfo) owner() *funcInfo {
	for f.arrow && f.parent != nil {
		f = f.parent
	}
	return f
}

// skipsHoist reports a function in a block that Annex B doesn't hoist because
// its name is that of the arguments object (B.3.2.1).
func (f *funcInfo) skipsHoist(name string) bool {
	if name != "arguments" || f.kind != funcOrdinary || f.arrow {
		return false
	}
	for _, d := range f.funcs {
		if d.Func.ID.Name == name {
			return false
		}
	}
	return true
}

// classInfo is what the first pass knows of a class.
type classInfo struct {
	node        *syntax.Class
	name, scope *scope // name may be scope
	inner       *binding
	fields      *funcInfo // nil if there is nothing to initialise
	statics     *funcInfo
	ctor        *funcInfo
	members     []memberInfo // as long as node.Members
}

// memberInfo is what the first pass knows of one class member.
type memberInfo struct {
	key      *binding // value of a computed key, or method of a private name
	method   *binding // closure of an instance's private method
	setter   *binding
	storage  *binding // private name behind an `accessor` field
	get, set *funcInfo
	block    *scope // static block
}

// The names of hidden bindings.
const (
	hidThis      = "%this"
	hidNewTarget = "%newtarget"
	hidFunc      = "%fn"
	hidHome      = "%home"
	hidStatic    = "%shome"
	hidFields    = "%fields"
	hidVarObj    = "%varobj"
	hidWith      = "%with"
)

// layout decides after the first pass where the bindings of a scope live.
func (s *scope) layout() {
	if s.kind == scopeOuter {
		return
	}
	n := 0
	for _, b := range s.list {
		if b.kind == bindImport {
			continue
		}
		if b.captured {
			b.slot = uint16(n)
			n++
		}
	}
	s.slots = n
	s.env = n > 0 || s.kind == scopeModule
}

// describe returns what eval code has to know of the environments from s on
// outwards; nil if there are none.
func (s *scope) describe() *bytecode.Scope { //meter: as deep as scopes nest, which the parser bounds
	for s != nil && !s.env {
		s = s.parent
	}
	if s == nil {
		return nil
	}
	if s.desc != nil {
		return s.desc
	}
	d := &bytecode.Scope{VarObjSlot: -1, WithSlot: -1, FunctionScope: s.varScope}
	if s.varObj != nil {
		d.VarObjSlot = int(s.varObj.slot)
	}
	if s.with != nil {
		d.WithSlot = int(s.with.slot)
	}
	for _, b := range s.list {
		if g := b.getter; g != nil {
			d.Bindings = append(d.Bindings, bytecode.Binding{Name: b.name, Slot: int(g.slot), Const: true, Lexical: true, Getter: true})
			continue
		}
		if !b.captured || b == s.varObj || b == s.with {
			continue
		}
		d.Bindings = append(d.Bindings, bytecode.Binding{
			Name:  b.name,
			Slot:  int(b.slot),
			Const: b.constant(),
			Soft:  b.kind == bindSelf,
			Lexical: b.kind == bindLet || b.kind == bindConst || b.kind == bindClass ||
				s.fn.paramExprs && (b.kind == bindParam || b == s.fn.args) ||
				b.kind == bindFunc && !s.varScope, // a function of a block
		})
	}
	s.desc = d
	d.Parent = s.parent.describe()
	return d
}

// fromOuter rebuilds the scopes around eval code from their description. It is
// done again for each eval, however little code that has, so that it is work.
func (cp *compiler) fromOuter(d *bytecode.Scope, fn *funcInfo) *scope {
	var first, last *scope
	for ; d != nil; d = d.Parent {
		s := &scope{kind: scopeOuter, fn: fn, env: true, external: true, varScope: d.FunctionScope, desc: d}
		cp.step()
		for _, b := range d.Bindings {
			cp.step()
			kind := bindVar
			switch {
			case b.Soft:
				kind = bindSelf
			case b.Const:
				kind = bindConst
			case b.Lexical:
				kind = bindLet
			}
			nb := s.add(b.Name, kind)
			nb.captured, nb.slot = true, uint16(b.Slot)
			if b.Getter {
				nb.getter = nb
			}
		}
		if d.VarObjSlot >= 0 {
			s.varObj = &binding{name: hidVarObj, kind: bindHidden, scope: s, captured: true, slot: uint16(d.VarObjSlot)}
		}
		if d.WithSlot >= 0 {
			s.with = &binding{name: hidWith, kind: bindHidden, scope: s, captured: true, slot: uint16(d.WithSlot)}
		}
		if last == nil {
			first = s
		} else {
			last.parent = s
		}
		last = s
	}
	return first
}
