package vm

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/meter"
)

// Builder fills the realm template. Its embedded Machine has the whole object
// model; only running bytecode is impossible in it.
type Builder struct {
	*Machine
	failed error
	again  bool // the realm is not the template's: its built-in functions are there
	next   int  // … and this is the number of the next one
}

// BuildRealm makes a realm: fill creates every intrinsic. The error is the
// first that a Builder method met.
func BuildRealm(fill func(b *Builder)) (*Realm, error) {
	mt := meter.New(nil, meter.Limits{})
	h := heap.New(mt)
	r := &Realm{names: &Names{}}
	r.names.intern(h)
	r.fill = fill
	m := &Machine{H: h, N: r.names, meter: mt, slice: mt.Slice(), realm: r, exc: Undefined}
	m.growStack(256)
	b := &Builder{Machine: m}
	b.build(fill)
	if b.failed != nil {
		return nil, b.failed
	}
	r.intrinsics, r.shapes = m.intrinsics, m.shapes
	r.heap = h.Freeze()
	return r, nil
}

// build creates the intrinsics of the current realm.
func (b *Builder) build(fill func(b *Builder)) {
	m, h := b.Machine, b.H
	// The two objects everything else stands on.
	objProto := h.NewObject(h.RootShape(0), heap.ClassObject)
	m.intrinsics[ObjectPrototype] = objProto
	fnProto := b.newNative("", 0, func(*Machine, Call) (Value, error) { return Undefined, nil }, objProto, false)
	m.intrinsics[FunctionPrototype] = fnProto
	m.intrinsics[GlobalObject] = h.NewObject(h.RootShape(objProto), heap.ClassGlobal)
	m.intrinsics[GlobalLex] = h.NewObject(h.RootShape(0), heap.ClassObject)
	m.shapes.object = h.RootShape(objProto)
	m.shapes.null = h.RootShape(0)
	m.shapes.function = h.RootShape(fnProto)
	b.setupPromises()
	b.setupIteration()
	b.setupModules()
	fill(b)
	if b.failed != nil {
		return
	}
	s := &m.shapes
	s.array = h.RootShape(m.intrinsics[ArrayPrototype])
	s.promise = h.RootShape(m.intrinsics[PromisePrototype])
	s.generatorProto = h.RootShape(m.intrinsics[GeneratorPrototype])
	s.asyncGeneratorProto = h.RootShape(m.intrinsics[AsyncGeneratorPrototype])
	ir := h.NewObject(s.object, heap.ClassObject)
	h.AddNamed(ir, m.N.Value.Name(), Undefined, heap.DefaultAttrs)
	h.AddNamed(ir, m.N.Done.Name(), False, heap.DefaultAttrs)
	s.iterResult = h.Obj(ir).Shape
	s.lazyFunction = h.LooseShape(m.intrinsics[FunctionPrototype])
	s.lazyAsync = h.LooseShape(m.intrinsics[AsyncFunctionPrototype])
	s.lazyGenerator = h.LooseShape(m.intrinsics[GeneratorFunctionPrototype])
	s.lazyAsyncGenerator = h.LooseShape(m.intrinsics[AsyncGeneratorFunctionPrototype])
	// Shapes that every function of a kind passes through, made once here.
	for _, p := range []Intrinsic{FunctionPrototype, AsyncFunctionPrototype, GeneratorFunctionPrototype, AsyncGeneratorFunctionPrototype} {
		f := h.NewObject(h.RootShape(m.intrinsics[p]), heap.ClassObject)
		h.AddNamed(f, m.N.Length.Name(), Undefined, heap.Configurable)
		h.AddNamed(f, m.N.Name.Name(), Undefined, heap.Configurable)
		h.AddNamed(f, m.N.Prototype.Name(), Undefined, heap.Writable)
	}
}

// Fail records an error; the first one makes BuildRealm fail.
func (b *Builder) Fail(err error) {
	if b.failed == nil && err != nil {
		b.failed = err
	}
}

// Check tells what objects of a class must hold: it is asked of those in
// snapshots of unknown origin.
func (b *Builder) Check(class heap.Class, f ObjectCheck) { b.realm.checks[class] = f }

// Set registers an intrinsic.
func (b *Builder) Set(i Intrinsic, o Obj) Obj {
	b.intrinsics[i] = o
	return o
}

// Object makes an ordinary object with the given prototype (0: null).
func (b *Builder) Object(proto Obj) Obj {
	return b.H.NewObject(b.H.RootShape(proto), heap.ClassObject)
}

// Key interns a property key. Names that begin with "@@" are the well-known
// symbols: "@@iterator".
func (b *Builder) Key(name string) Key {
	if len(name) > 2 && name[:2] == "@@" {
		return b.wellKnown(name[2:])
	}
	k, err := b.H.KeyOfName(name)
	b.Fail(err)
	return k
}

func (b *Builder) wellKnown(name string) Key {
	n := b.N
	switch name {
	case "iterator":
		return n.SymIterator
	case "asyncIterator":
		return n.SymAsyncIterator
	case "hasInstance":
		return n.SymHasInstance
	case "toPrimitive":
		return n.SymToPrimitive
	case "toStringTag":
		return n.SymToStringTag
	case "species":
		return n.SymSpecies
	case "isConcatSpreadable":
		return n.SymIsConcatSpreadable
	case "unscopables":
		return n.SymUnscopables
	case "match":
		return n.SymMatch
	case "matchAll":
		return n.SymMatchAll
	case "replace":
		return n.SymReplace
	case "search":
		return n.SymSearch
	case "split":
		return n.SymSplit
	case "dispose":
		return n.SymDispose
	case "asyncDispose":
		return n.SymAsyncDispose
	}
	panic("vm: no well-known symbol " + name) // a mistake in a table of built-ins, found when the template is built
}

func (b *Builder) newNative(name string, length int, fn NativeFunc, proto Obj, ctor bool) Obj {
	o := b.H.NewObject(b.H.RootShape(proto), heap.ClassNative)
	w := b.H.ObjW(o)
	w.Length = uint32(len(b.realm.natives))
	w.Flags |= heap.Callable
	w.Realm = b.current
	if ctor {
		w.Flags |= heap.Constructor
	}
	if b.again {
		// The same functions are made in the same order.
		w.Length = uint32(b.next)
		b.next++
	} else {
		b.realm.natives = append(b.realm.natives, native{fn: fn, name: name, hidden: hiddenInStacks[name]})
	}
	b.H.AddNamed(o, b.N.Length.Name(), heap.Int(int32(length)), heap.Configurable)
	s, err := b.H.Atom(name)
	b.Fail(err)
	b.H.AddNamed(o, b.N.Name.Name(), heap.StringValue(s), heap.Configurable)
	return o
}

// functionName is the "name" of a built-in stored under a key.
func functionName(prefix, key string) string {
	if len(key) > 2 && key[:2] == "@@" {
		key = "[Symbol." + key[2:] + "]"
	}
	if prefix != "" {
		return prefix + " " + key
	}
	return key
}

// Func makes a built-in function that is no property of anything.
func (b *Builder) Func(name string, length int, fn NativeFunc) Obj {
	return b.newNative(name, length, fn, b.intrinsics[FunctionPrototype], false)
}

// Method defines a built-in method: writable, configurable, not enumerable.
func (b *Builder) Method(on Obj, key string, length int, fn NativeFunc) Obj {
	f := b.Func(functionName("", key), length, fn)
	b.Prop(on, key, heap.ObjectValue(f), heap.HiddenAttrs)
	return f
}

// Getter defines a built-in accessor; set may be nil.
func (b *Builder) Getter(on Obj, key string, get, set NativeFunc) {
	g, s := Undefined, Undefined
	if get != nil {
		g = heap.ObjectValue(b.Func(functionName("get", key), 0, get))
	}
	if set != nil {
		s = heap.ObjectValue(b.Func(functionName("set", key), 1, set))
	}
	b.H.AddNamed(on, b.Key(key).Name(), b.H.NewPair(g, s), heap.Configurable|heap.Accessor)
}

// Prop defines a data property.
func (b *Builder) Prop(on Obj, key string, v Value, attrs heap.Attrs) {
	k := b.Key(key)
	if k.IsIndex() {
		b.Fail(b.H.AddElem(on, k.Index(), v, attrs))
		return
	}
	b.H.AddNamed(on, k.Name(), v, attrs)
}

// Const defines a data property that can't be changed.
func (b *Builder) Const(on Obj, key string, v Value) { b.Prop(on, key, v, 0) }

// Tag defines @@toStringTag.
func (b *Builder) Tag(on Obj, tag string) {
	b.Prop(on, "@@toStringTag", b.String(tag), heap.Configurable)
}

// String makes an interned string.
func (b *Builder) String(s string) Value {
	a, err := b.H.Atom(s)
	b.Fail(err)
	return heap.StringValue(a)
}

// Ctor makes a constructor function with its prototype object (0: no
// prototype property), linked both ways. parent is the constructor's own
// prototype; 0 is %Function.prototype%.
func (b *Builder) Ctor(name string, length int, fn NativeFunc, proto, parent Obj) Obj {
	if parent == 0 {
		parent = b.intrinsics[FunctionPrototype]
	}
	c := b.newNative(name, length, fn, parent, true)
	if proto != 0 {
		b.H.AddNamed(c, b.N.Prototype.Name(), heap.ObjectValue(proto), 0)
		b.H.AddNamed(proto, b.N.Constructor.Name(), heap.ObjectValue(c), heap.HiddenAttrs)
	}
	return c
}

// GlobalFunc and GlobalValue define properties of the global object.
func (b *Builder) GlobalFunc(name string, length int, fn NativeFunc) Obj {
	return b.Method(b.intrinsics[GlobalObject], name, length, fn)
}

func (b *Builder) GlobalValue(name string, v Value, attrs heap.Attrs) {
	b.Prop(b.intrinsics[GlobalObject], name, v, attrs)
}

// Global defines a constructor or namespace object on the global object.
func (b *Builder) GlobalObj(name string, o Obj) {
	b.Prop(b.intrinsics[GlobalObject], name, heap.ObjectValue(o), heap.HiddenAttrs)
}

// mark gives the native function f a kind that the interpreter handles itself.
func (b *Builder) mark(f Obj, k nativeKind) {
	if !b.again {
		b.realm.natives[b.H.Obj(f).Length].kind = k
	}
}

// MarkCall, MarkApply and MarkGeneratorNext tell the interpreter which
// functions are Function.prototype.call, Function.prototype.apply and
// %GeneratorPrototype%.next: it calls them without nesting.
func (b *Builder) MarkCall(f Obj)          { b.mark(f, nativeCall) }
func (b *Builder) MarkApply(f Obj)         { b.mark(f, nativeApply) }
func (b *Builder) MarkGeneratorNext(f Obj) { b.mark(f, nativeGenNext) }

// hiddenInStacks are the built-in functions that V8 doesn't show in stacks: they
// leave their work to something else, or throw before their frame is made.
var hiddenInStacks = map[string]bool{
	"Array": true, "Proxy": true, "TypedArray": true, "apply": true, "call": true, "construct": true,
	"structuredClone": true,
}
