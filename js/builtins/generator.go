package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupGenerator makes what generator and async functions need: their
// constructors and prototypes, which no global names (§27.3, §27.4, §27.7),
// and the prototypes of generators (§27.5, §27.6).
func setupGenerator(b *vm.Builder) {
	fnProto := b.Intrinsic(vm.FunctionPrototype)

	gf := b.Set(vm.GeneratorFunctionPrototype, b.Object(fnProto))
	functionKind(b, "GeneratorFunction", "function*", vm.GeneratorFunctionConstructor, gf)
	gen := b.Set(vm.GeneratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	linkGenerators(b, gf, gen)
	b.MarkGeneratorNext(b.Set(vm.GeneratorNext, b.Method(gen, "next", 1, generatorMethod(vm.ResumeNext))))
	b.Method(gen, "return", 1, generatorMethod(vm.ResumeReturn))
	b.Method(gen, "throw", 1, generatorMethod(vm.ResumeThrow))
	b.Tag(gen, "Generator")
	b.Tag(gf, "GeneratorFunction")

	agf := b.Set(vm.AsyncGeneratorFunctionPrototype, b.Object(fnProto))
	functionKind(b, "AsyncGeneratorFunction", "async function*", vm.AsyncGeneratorFunctionConstructor, agf)
	agen := b.Set(vm.AsyncGeneratorPrototype, b.Object(b.Intrinsic(vm.AsyncIteratorPrototype)))
	linkGenerators(b, agf, agen)
	b.Method(agen, "next", 1, asyncGeneratorMethod(vm.ResumeNext))
	b.Method(agen, "return", 1, asyncGeneratorMethod(vm.ResumeReturn))
	b.Method(agen, "throw", 1, asyncGeneratorMethod(vm.ResumeThrow))
	b.Tag(agen, "AsyncGenerator")
	b.Tag(agf, "AsyncGeneratorFunction")

	af := b.Set(vm.AsyncFunctionPrototype, b.Object(fnProto))
	functionKind(b, "AsyncFunction", "async function", vm.AsyncFunctionConstructor, af)
	b.Tag(af, "AsyncFunction")
}

// functionKind makes the constructor of a kind of function; unlike other
// constructors' it is linked from its prototype by a property that can't be
// assigned to.
func functionKind(b *vm.Builder, name, kind string, i vm.Intrinsic, proto vm.Obj) {
	c := b.Set(i, b.Ctor(name, 1, dynamicFunction(kind), 0, b.Intrinsic(vm.FunctionConstructor)))
	b.Const(c, "prototype", heap.ObjectValue(proto))
	b.Prop(proto, "constructor", heap.ObjectValue(c), heap.Configurable)
}

// linkGenerators links the prototype of generators with that of generator
// functions.
func linkGenerators(b *vm.Builder, functions, generators vm.Obj) {
	b.Prop(functions, "prototype", heap.ObjectValue(generators), heap.Configurable)
	b.Prop(generators, "constructor", heap.ObjectValue(functions), heap.Configurable)
}

func generatorMethod(mode vm.ResumeMode) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) { return m.GeneratorResume(c.This, mode, c.Arg(0)) }
}

func asyncGeneratorMethod(mode vm.ResumeMode) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		return m.AsyncGeneratorEnqueue(c.This, mode, c.Arg(0))
	}
}
