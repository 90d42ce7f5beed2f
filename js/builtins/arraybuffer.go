package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupArrayBuffer makes the ArrayBuffer constructor and its prototype
// (§25.1). Buffers' layout is in js/vm/typedarray.go.
func setupArrayBuffer(b *vm.Builder) {
	p := b.Set(vm.ArrayBufferPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c := b.Set(vm.ArrayBufferConstructor, b.Ctor("ArrayBuffer", 1, arrayBufferConstructor, p, 0))
	b.GlobalObj("ArrayBuffer", c)
	b.Method(c, "isView", 1, arrayBufferIsView)
	b.Getter(c, "@@species", returnThis, nil)
	b.Getter(p, "byteLength", arrayBufferByteLength, nil)
	b.Getter(p, "detached", arrayBufferDetached, nil)
	b.Getter(p, "immutable", arrayBufferImmutable, nil)
	b.Getter(p, "maxByteLength", arrayBufferMaxByteLength, nil)
	b.Getter(p, "resizable", arrayBufferResizable, nil)
	b.Method(p, "resize", 1, arrayBufferResize)
	b.Method(p, "slice", 2, arrayBufferSlice)
	b.Method(p, "sliceToImmutable", 2, arrayBufferSliceToImmutable)
	b.Method(p, "transfer", 0, arrayBufferTransfer(transferResizable, "transfer"))
	b.Method(p, "transferToFixedLength", 0, arrayBufferTransfer(transferFixed, "transferToFixedLength"))
	b.Method(p, "transferToImmutable", 0, arrayBufferTransfer(transferImmutable, "transferToImmutable"))
	b.Tag(p, "ArrayBuffer")
}

// toIndex is ToIndex (§7.1.22) with a message of the caller's.
func toIndex(m *vm.Machine, v vm.Value, message string) (float64, error) {
	if v == vm.Undefined {
		return 0, nil
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return 0, err
	}
	if !(f >= 0 && f <= maxLength) {
		return 0, m.RangeError("%s", message)
	}
	return f, nil
}

// speciesConstructor is SpeciesConstructor (§7.3.22).
func speciesConstructor(m *vm.Machine, o vm.Obj, def vm.Intrinsic) (vm.Value, error) {
	d := heap.ObjectValue(m.Intrinsic(def))
	c, err := m.Get(o, m.N.Constructor)
	if err != nil || c == vm.Undefined {
		return d, err
	}
	if !c.IsObject() {
		return vm.Undefined, m.TypeError("The .constructor property is not an object")
	}
	s, err := m.Get(c.AsObj(), m.N.SymSpecies)
	if err != nil || s.IsNullish() {
		return d, err
	}
	if !m.IsConstructor(s) {
		return vm.Undefined, m.TypeError("object.constructor[Symbol.species] is not a constructor")
	}
	return s, nil
}

// allocateBuffer is AllocateArrayBuffer (§25.1.3.1); limit < 0 is a fixed
// length.
func allocateBuffer(m *vm.Machine, newTarget vm.Value, n, limit float64) (vm.Obj, error) {
	if limit >= 0 && n > limit {
		return 0, m.RangeError("Invalid array buffer max length")
	}
	p, err := m.PrototypeFromConstructor(newTarget, vm.ArrayBufferPrototype)
	if err != nil {
		return 0, err
	}
	if n > vm.MaxByteLength || limit > vm.MaxByteLength {
		return 0, m.RangeError("Array buffer allocation failed")
	}
	if err := m.MakeRoom(int64(n), heap.ObjectValue(p)); err != nil {
		return 0, err
	}
	return m.NewArrayBuffer(p, int(n), int(limit))
}

// arrayBufferConstructor is ArrayBuffer(length, options) (§25.1.4.1).
func arrayBufferConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Constructor ArrayBuffer requires 'new'")
	}
	n, err := toIndex(m, c.Arg(0), "Invalid array buffer length")
	if err != nil {
		return vm.Undefined, err
	}
	limit := -1.0
	if opt := c.Arg(1); opt.IsObject() {
		k, err := m.H.KeyOfName("maxByteLength")
		if err != nil {
			return vm.Undefined, err
		}
		v, err := m.Get(opt.AsObj(), k)
		if err != nil {
			return vm.Undefined, err
		}
		if v != vm.Undefined {
			if limit, err = toIndex(m, v, "Invalid array buffer max length"); err != nil {
				return vm.Undefined, err
			}
		}
	}
	o, err := allocateBuffer(m, c.NewTarget, n, limit)
	return heap.ObjectValue(o), err
}

func arrayBufferIsView(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	if !v.IsObject() {
		return vm.False, nil
	}
	class := m.H.Obj(v.AsObj()).Class
	return heap.Bool(class == heap.ClassTypedArray || class == heap.ClassDataView), nil
}

// thisBuffer checks the receiver of a method.
func thisBuffer(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	if c.This.IsObject() && m.H.Obj(c.This.AsObj()).Class == heap.ClassArrayBuffer {
		return c.This.AsObj(), nil
	}
	return 0, m.TypeError("Method ArrayBuffer.prototype.%s called on incompatible receiver %s", method, m.Describe(c.This))
}

func detachedError(m *vm.Machine, method string) error {
	return m.TypeError("Cannot perform %s on a detached ArrayBuffer", method)
}

func arrayBufferByteLength(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisBuffer(m, &c, "byteLength")
	if err != nil {
		return vm.Undefined, err
	}
	return heap.Int(int32(m.ByteLength(o))), nil
}

func arrayBufferDetached(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisBuffer(m, &c, "detached")
	if err != nil {
		return vm.Undefined, err
	}
	return heap.Bool(m.IsDetached(o)), nil
}

func arrayBufferImmutable(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisBuffer(m, &c, "immutable")
	if err != nil {
		return vm.Undefined, err
	}
	return heap.Bool(m.IsImmutable(o)), nil
}

// immutableError is the TypeError of a method that would write to an immutable
// buffer.
func immutableError(m *vm.Machine, method string) error {
	return m.TypeError("Cannot perform %s on an immutable ArrayBuffer", method)
}

func arrayBufferMaxByteLength(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisBuffer(m, &c, "maxByteLength")
	if err != nil {
		return vm.Undefined, err
	}
	n, ok := m.MaxByteLength(o)
	if !ok {
		n = m.ByteLength(o)
	}
	return heap.Int(int32(n)), nil
}

func arrayBufferResizable(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisBuffer(m, &c, "resizable")
	if err != nil {
		return vm.Undefined, err
	}
	_, ok := m.MaxByteLength(o)
	return heap.Bool(ok), nil
}

// arrayBufferResize is ArrayBuffer.prototype.resize (§25.1.6.7).
func arrayBufferResize(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisBuffer(m, &c, "resize")
	if err != nil {
		return vm.Undefined, err
	}
	if _, ok := m.MaxByteLength(o); !ok {
		return vm.Undefined, m.TypeError("Method ArrayBuffer.prototype.resize called on incompatible receiver %s", m.Describe(c.This))
	}
	const message = "ArrayBuffer.prototype.resize: Invalid length parameter"
	n, err := toIndex(m, c.Arg(0), message)
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsDetached(o) {
		return vm.Undefined, detachedError(m, "ArrayBuffer.prototype.resize")
	}
	if limit, _ := m.MaxByteLength(o); n > float64(limit) {
		return vm.Undefined, m.RangeError("%s", message)
	}
	return vm.Undefined, m.ResizeBuffer(o, int(n))
}

// arrayBufferSlice is ArrayBuffer.prototype.slice (§25.1.6.8).
func arrayBufferSlice(m *vm.Machine, c vm.Call) (vm.Value, error) {
	const name = "ArrayBuffer.prototype.slice"
	o, err := thisBuffer(m, &c, "slice")
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsDetached(o) {
		return vm.Undefined, detachedError(m, name)
	}
	n := int64(m.ByteLength(o))
	first, err := relativeIndex(m, c.Arg(0), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	final, err := relativeIndex(m, c.Arg(1), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	size := max(final-first, 0)
	ctor, err := speciesConstructor(m, o, vm.ArrayBufferConstructor)
	if err != nil {
		return vm.Undefined, err
	}
	var to vm.Obj
	if ctor == heap.ObjectValue(m.Intrinsic(vm.ArrayBufferConstructor)) {
		if to, err = m.NewArrayBuffer(m.Intrinsic(vm.ArrayBufferPrototype), int(size), -1); err != nil {
			return vm.Undefined, err
		}
	} else {
		v, err := m.Construct(ctor, ctor, heap.Int64(size))
		if err != nil {
			return vm.Undefined, err
		}
		if !v.IsObject() || m.H.Obj(v.AsObj()).Class != heap.ClassArrayBuffer {
			return vm.Undefined, m.TypeError("Method %s called on incompatible receiver %s", name, m.Describe(v))
		}
		to = v.AsObj()
		switch {
		case m.IsDetached(to):
			return vm.Undefined, detachedError(m, name)
		case m.IsImmutable(to):
			return vm.Undefined, immutableError(m, name)
		case to == o:
			return vm.Undefined, m.TypeError("ArrayBuffer subclass returned this from species constructor")
		case int64(m.ByteLength(to)) < size:
			return vm.Undefined, m.TypeError("Species constructor returned a too small ArrayBuffer")
		case m.IsDetached(o):
			return vm.Undefined, detachedError(m, name)
		}
	}
	if now := int64(m.ByteLength(o)); first < now {
		k := min(size, now-first)
		w := m.BufferBytesW(to)
		if err := copyBytes(m, w, m.BufferBytes(o)[first:first+k]); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(to), nil
}

// arrayBufferSliceToImmutable is ArrayBuffer.prototype.sliceToImmutable.
func arrayBufferSliceToImmutable(m *vm.Machine, c vm.Call) (vm.Value, error) {
	const name = "ArrayBuffer.prototype.sliceToImmutable"
	o, err := thisBuffer(m, &c, "sliceToImmutable")
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsDetached(o) {
		return vm.Undefined, detachedError(m, name)
	}
	n := int64(m.ByteLength(o))
	first, err := relativeIndex(m, c.Arg(0), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	final, err := relativeIndex(m, c.Arg(1), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	final = max(first, final)
	if m.IsDetached(o) {
		return vm.Undefined, detachedError(m, name)
	}
	if int64(m.ByteLength(o)) < final {
		return vm.Undefined, m.RangeError("%s: the buffer became too short", name)
	}
	to, err := m.NewArrayBuffer(m.Intrinsic(vm.ArrayBufferPrototype), int(final-first), -1)
	if err != nil {
		return vm.Undefined, err
	}
	err = copyBytes(m, m.BufferBytesW(to), m.BufferBytes(o)[first:final])
	m.FreezeBuffer(to)
	return heap.ObjectValue(to), err
}

// transferMode is the parameter preserveResizability of
// ArrayBufferCopyAndDetach.
type transferMode int

const (
	transferResizable transferMode = iota
	transferFixed
	transferImmutable
)

// arrayBufferTransfer makes ArrayBuffer.prototype.transfer,
// transferToFixedLength and transferToImmutable: ArrayBufferCopyAndDetach
// (§25.1.3.2).
func arrayBufferTransfer(mode transferMode, method string) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, err := thisBuffer(m, &c, method)
		if err != nil {
			return vm.Undefined, err
		}
		n := float64(m.ByteLength(o))
		if c.Arg(0) != vm.Undefined {
			if n, err = toIndex(m, c.Arg(0), "Invalid array buffer length"); err != nil {
				return vm.Undefined, err
			}
		}
		if m.IsDetached(o) {
			return vm.Undefined, detachedError(m, "ArrayBuffer.prototype."+method)
		}
		if m.IsImmutable(o) {
			return vm.Undefined, immutableError(m, "ArrayBuffer.prototype."+method)
		}
		limit := -1
		if l, ok := m.MaxByteLength(o); ok && mode == transferResizable {
			limit = l
			if n > float64(limit) {
				return vm.Undefined, m.RangeError("Invalid array buffer length")
			}
		}
		if n > vm.MaxByteLength {
			return vm.Undefined, m.RangeError("Array buffer allocation failed")
		}
		to, err := m.TransferBuffer(m.Intrinsic(vm.ArrayBufferPrototype), o, int(n), limit)
		if err == nil && mode == transferImmutable {
			m.FreezeBuffer(to)
		}
		return heap.ObjectValue(to), err
	}
}
