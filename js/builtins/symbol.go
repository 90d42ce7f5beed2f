package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupSymbol makes the Symbol constructor and its prototype (§20.4).
func setupSymbol(b *vm.Builder) {
	p := b.Set(vm.SymbolPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c := b.Set(vm.SymbolConstructor, b.Ctor("Symbol", 0, symbolConstructor, p, 0))
	b.GlobalObj("Symbol", c)
	b.Method(c, "for", 1, symbolFor)
	b.Method(c, "keyFor", 1, symbolKeyFor)
	for _, name := range []string{
		"asyncDispose", "asyncIterator", "dispose", "hasInstance", "isConcatSpreadable", "iterator", "match", "matchAll",
		"replace", "search", "species", "split", "toPrimitive", "toStringTag", "unscopables",
	} {
		b.Const(c, name, heap.SymbolValue(b.Key("@@"+name).Name()))
	}
	b.Method(p, "toString", 0, symbolToString)
	b.Method(p, "valueOf", 0, symbolValueOf)
	b.Getter(p, "description", symbolDescription, nil)
	b.Tag(p, "Symbol")
	b.Prop(p, "@@toPrimitive", heap.ObjectValue(b.Func("[Symbol.toPrimitive]", 1, symbolToPrimitive)), heap.Configurable)
}

func symbolConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget != vm.Undefined {
		return vm.Undefined, m.TypeError("Symbol is not a constructor")
	}
	desc := heap.Str(0)
	if c.Arg(0) != vm.Undefined {
		var err error
		if desc, err = m.ToString(c.Arg(0)); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.SymbolValue(m.H.NewSymbol(desc)), nil
}

func symbolFor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	return m.SymbolFor(s)
}

func symbolKeyFor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsSymbol() {
		return vm.Undefined, m.TypeError("%s is not a symbol", m.Describe(c.Arg(0)))
	}
	return m.SymbolKeyFor(c.Arg(0).AsStr()), nil
}

// thisSymbol is ThisSymbolValue (§20.4.3.4.1).
func thisSymbol(m *vm.Machine, c vm.Call, method string) (heap.Str, error) {
	v := c.This
	if v.IsObject() {
		if rec := m.H.Obj(v.AsObj()); rec.Class == heap.ClassSymbol {
			v = rec.Data
		}
	}
	if v.IsSymbol() {
		return v.AsStr(), nil
	}
	return 0, m.TypeError("Symbol.prototype%s requires that 'this' be a Symbol", method)
}

// symbolToString is Symbol.prototype.toString (§20.4.3.3).
func symbolToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisSymbol(m, c, ".toString")
	if err != nil {
		return vm.Undefined, err
	}
	return symbolDescriptiveString(m, s)
}

// symbolDescriptiveString is SymbolDescriptiveString (§20.4.3.3.1).
func symbolDescriptiveString(m *vm.Machine, s heap.Str) (vm.Value, error) {
	out, err := m.H.NewString("Symbol(")
	if err != nil {
		return vm.Undefined, err
	}
	if d := m.H.Description(s); d != 0 {
		if out, err = m.H.Concat(out, d); err != nil {
			return vm.Undefined, err
		}
	}
	out, err = m.H.Concat(out, m.H.Char(')'))
	return heap.StringValue(out), err
}

func symbolValueOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisSymbol(m, c, ".valueOf")
	return heap.SymbolValue(s), err
}

func symbolDescription(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisSymbol(m, c, ".description")
	if err != nil {
		return vm.Undefined, err
	}
	if d := m.H.Description(s); d != 0 {
		return heap.StringValue(d), nil
	}
	return vm.Undefined, nil
}

func symbolToPrimitive(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisSymbol(m, c, " [ @@toPrimitive ]")
	return heap.SymbolValue(s), err
}
