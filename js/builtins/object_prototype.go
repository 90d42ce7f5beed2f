package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupObjectPrototype defines the properties of %Object.prototype% (§20.1.3
// and §B.2.2).
func setupObjectPrototype(b *vm.Builder, p vm.Obj) {
	b.Method(p, "__defineGetter__", 2, objectDefineGetter)
	b.Method(p, "__defineSetter__", 2, objectDefineSetter)
	b.Method(p, "hasOwnProperty", 1, objectHasOwnProperty)
	b.Method(p, "__lookupGetter__", 1, objectLookupGetter)
	b.Method(p, "__lookupSetter__", 1, objectLookupSetter)
	b.Method(p, "isPrototypeOf", 1, objectIsPrototypeOf)
	b.Method(p, "propertyIsEnumerable", 1, objectPropertyIsEnumerable)
	b.Method(p, "toString", 0, objectToString)
	b.Method(p, "valueOf", 0, objectValueOf)
	b.Getter(p, "__proto__", objectProtoGetter, objectProtoSetter)
	b.Method(p, "toLocaleString", 0, objectToLocaleString)
}

func objectHasOwnProperty(m *vm.Machine, c vm.Call) (vm.Value, error) {
	key, err := m.ToKey(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := m.HasOwn(o, key)
	return heap.Bool(ok), err
}

func objectIsPrototypeOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsObject() {
		return vm.False, nil
	}
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	for v := c.Arg(0).AsObj(); ; {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if v, err = m.GetPrototypeOf(v); err != nil {
			return vm.Undefined, err
		}
		if v == 0 || v == o {
			return heap.Bool(v == o), nil
		}
	}
}

func objectPropertyIsEnumerable(m *vm.Machine, c vm.Call) (vm.Value, error) {
	key, err := m.ToKey(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	d, ok, err := m.GetOwnProperty(o, key)
	return heap.Bool(ok && d.Attrs&heap.Enumerable != 0), err
}

func objectToLocaleString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.This.IsNullish() {
		return vm.Undefined, m.TypeError("Object.prototype.toLocaleString called on null or undefined")
	}
	f, err := m.GetV(c.This, m.N.ToString)
	if err != nil {
		return vm.Undefined, err
	}
	return m.Call(f, c.This)
}

// builtinTags names the classes that Object.prototype.toString knows.
var builtinTags = [heap.NumClasses]string{
	heap.ClassArguments: "Arguments",
	heap.ClassError:     "Error",
	heap.ClassBoolean:   "Boolean",
	heap.ClassNumber:    "Number",
	heap.ClassString:    "String",
	heap.ClassDate:      "Date",
	heap.ClassRegExp:    "RegExp",
}

// objectToString is Object.prototype.toString (§20.1.3.6).
func objectToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	switch c.This {
	case vm.Undefined:
		return m.NewString("[object Undefined]")
	case vm.Null:
		return m.NewString("[object Null]")
	}
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	isArray, err := m.IsArray(heap.ObjectValue(o))
	if err != nil {
		return vm.Undefined, err
	}
	rec := m.H.Obj(o)
	tag := builtinTags[rec.Class]
	switch {
	case isArray:
		tag = "Array"
	case tag != "":
	case rec.Flags&heap.Callable != 0:
		tag = "Function"
	default:
		tag = "Object"
	}
	t, err := m.Get(o, m.N.SymToStringTag)
	if err != nil {
		return vm.Undefined, err
	}
	if !t.IsString() {
		return m.NewString("[object " + tag + "]")
	}
	open, err := m.H.NewString("[object ")
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.H.Concat(open, t.AsStr())
	if err != nil {
		return vm.Undefined, err
	}
	s, err = m.H.Concat(s, m.H.Char(']'))
	return heap.StringValue(s), err
}

func objectValueOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.ToObject(c.This)
	return heap.ObjectValue(o), err
}

// objectProtoGetter and objectProtoSetter are the accessor __proto__
// (§20.1.3.8).
func objectProtoGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	p, err := m.GetPrototypeOf(o)
	return protoValue(p), err
}

func objectProtoSetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.This.IsNullish() {
		return vm.Undefined, m.TypeError("set Object.prototype.__proto__ called on null or undefined")
	}
	p := c.Arg(0)
	if !p.IsObject() && p != vm.Null {
		return vm.Undefined, nil
	}
	return vm.Undefined, setPrototype(m, c.This, p)
}

func objectDefineGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return defineAccessor(m, c, false)
}

func objectDefineSetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return defineAccessor(m, c, true)
}

// defineAccessor is __defineGetter__ and __defineSetter__ (§20.1.3.9.1).
func defineAccessor(m *vm.Machine, c vm.Call, setter bool) (vm.Value, error) {
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	if !m.IsCallable(c.Arg(1)) {
		name := "__defineGetter__"
		if setter {
			name = "__defineSetter__"
		}
		return vm.Undefined, m.TypeError("Object.prototype.%s: Expecting function", name)
	}
	d := vm.AccessorDesc(c.Arg(1), vm.Empty, heap.Enumerable|heap.Configurable)
	if setter {
		d.Get, d.Set = vm.Empty, c.Arg(1)
	}
	key, err := m.ToKey(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, m.DefineOrThrow(o, key, d)
}

func objectLookupGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return lookupAccessor(m, c, false)
}

func objectLookupSetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return lookupAccessor(m, c, true)
}

// lookupAccessor is __lookupGetter__ and __lookupSetter__ (§20.1.3.9.3).
func lookupAccessor(m *vm.Machine, c vm.Call, setter bool) (vm.Value, error) {
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	key, err := m.ToKey(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	for o != 0 {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		d, ok, err := m.GetOwnProperty(o, key)
		if err != nil {
			return vm.Undefined, err
		}
		if ok {
			f := vm.Undefined
			if d.IsAccessor() {
				if f = d.Get; setter {
					f = d.Set
				}
				if f == vm.Empty {
					f = vm.Undefined
				}
			}
			return f, nil
		}
		if o, err = m.GetPrototypeOf(o); err != nil {
			return vm.Undefined, err
		}
	}
	return vm.Undefined, nil
}
