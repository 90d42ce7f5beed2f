package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupDataView makes the DataView constructor and its prototype (§25.3).
func setupDataView(b *vm.Builder) {
	p := b.Set(vm.DataViewPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c := b.Set(vm.DataViewConstructor, b.Ctor("DataView", 1, dataViewConstructor, p, 0))
	b.GlobalObj("DataView", c)
	b.Getter(p, "buffer", dataViewBuffer, nil)
	b.Getter(p, "byteLength", dataViewByteLength, nil)
	b.Getter(p, "byteOffset", dataViewByteOffset, nil)
	for _, t := range []vm.ElemType{
		vm.ElemBigInt64, vm.ElemBigUint64, vm.ElemFloat16, vm.ElemFloat32, vm.ElemFloat64, vm.ElemInt8, vm.ElemInt16, vm.ElemInt32,
		vm.ElemUint8, vm.ElemUint16, vm.ElemUint32,
	} {
		b.Method(p, "get"+t.String(), 1, dataViewGet(t))
		b.Method(p, "set"+t.String(), 2, dataViewSet(t))
	}
	b.Tag(p, "DataView")
}

// dataViewConstructor is DataView(buffer, byteOffset, byteLength) (§25.3.2.1).
func dataViewConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Constructor DataView requires 'new'")
	}
	v := c.Arg(0)
	if !v.IsObject() || m.H.Obj(v.AsObj()).Class != heap.ClassArrayBuffer {
		return vm.Undefined, m.TypeError("First argument to DataView constructor must be an ArrayBuffer")
	}
	buf := v.AsObj()
	offset, err := toIndex(m, c.Arg(1), "Start offset is outside the bounds of the buffer")
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsDetached(buf) {
		return vm.Undefined, detachedError(m, "DataView")
	}
	have := float64(m.ByteLength(buf))
	if offset > have {
		return vm.Undefined, m.RangeError("Start offset %s is outside the bounds of the buffer", m.Describe(heap.Number(offset)))
	}
	_, resizable := m.MaxByteLength(buf)
	tracking := resizable && c.Arg(2) == vm.Undefined
	length := have - offset
	if c.Arg(2) != vm.Undefined {
		if length, err = toIndex(m, c.Arg(2), "Invalid DataView length"); err != nil {
			return vm.Undefined, err
		}
		if offset+length > have {
			return vm.Undefined, m.RangeError("Invalid DataView length %s", m.Describe(heap.Number(length)))
		}
	}
	p, err := m.PrototypeFromConstructor(c.NewTarget, vm.DataViewPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsDetached(buf) {
		return vm.Undefined, detachedError(m, "DataView")
	}
	have = float64(m.ByteLength(buf))
	if offset > have || !tracking && offset+length > have {
		return vm.Undefined, m.RangeError("Invalid DataView length %s", m.Describe(heap.Number(length)))
	}
	n := int(length)
	if tracking {
		n = -1
	}
	return heap.ObjectValue(m.NewDataView(p, buf, int(offset), n)), nil
}

func thisDataView(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	if c.This.IsObject() && m.H.Obj(c.This.AsObj()).Class == heap.ClassDataView {
		return c.This.AsObj(), nil
	}
	return 0, m.TypeError("Method DataView.prototype.%s called on incompatible receiver %s", method, m.Describe(c.This))
}

// dataViewBounds is the length of a view that is not out of bounds.
func dataViewBounds(m *vm.Machine, o vm.Obj, method string) (int, error) {
	n, ok := m.DataViewLength(o)
	if ok {
		return n, nil
	}
	if m.IsDetached(m.ViewBuffer(o)) {
		return 0, detachedError(m, "DataView.prototype."+method)
	}
	return 0, m.TypeError("Invalid DataView accessor %s: out of bounds", method)
}

func dataViewBuffer(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisDataView(m, &c, "buffer")
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(m.ViewBuffer(o)), nil
}

func dataViewByteLength(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisDataView(m, &c, "byteLength")
	if err != nil {
		return vm.Undefined, err
	}
	n, err := dataViewBounds(m, o, "byteLength")
	return heap.Int(int32(n)), err
}

func dataViewByteOffset(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisDataView(m, &c, "byteOffset")
	if err != nil {
		return vm.Undefined, err
	}
	if _, err := dataViewBounds(m, o, "byteOffset"); err != nil {
		return vm.Undefined, err
	}
	return heap.Int(int32(m.ViewOffset(o))), nil
}

const outsideView = "Offset is outside the bounds of the DataView"

// dataViewGet is GetViewValue (§25.3.1.5).
func dataViewGet(t vm.ElemType) vm.NativeFunc {
	name := "get" + t.String()
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, err := thisDataView(m, &c, name)
		if err != nil {
			return vm.Undefined, err
		}
		at, err := toIndex(m, c.Arg(0), outsideView)
		if err != nil {
			return vm.Undefined, err
		}
		little := m.ToBoolean(c.Arg(1))
		n, err := dataViewBounds(m, o, name)
		if err != nil {
			return vm.Undefined, err
		}
		if at+float64(t.Size()) > float64(n) {
			return vm.Undefined, m.RangeError(outsideView)
		}
		b := m.BufferBytes(m.ViewBuffer(o))[m.ViewOffset(o)+int(at):]
		return m.ElemValue(t, vm.GetBits(b, t, little)), nil
	}
}

// dataViewSet is SetViewValue (§25.3.1.6).
func dataViewSet(t vm.ElemType) vm.NativeFunc {
	name := "set" + t.String()
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, err := thisDataView(m, &c, name)
		if err == nil && m.IsImmutable(m.ViewBuffer(o)) {
			err = immutableError(m, "DataView.prototype."+name)
		}
		if err != nil {
			return vm.Undefined, err
		}
		at, err := toIndex(m, c.Arg(0), outsideView)
		if err != nil {
			return vm.Undefined, err
		}
		bits, err := m.ElemBits(t, c.Arg(1))
		if err != nil {
			return vm.Undefined, err
		}
		little := m.ToBoolean(c.Arg(2))
		n, err := dataViewBounds(m, o, name)
		if err != nil {
			return vm.Undefined, err
		}
		if at+float64(t.Size()) > float64(n) {
			return vm.Undefined, m.RangeError(outsideView)
		}
		b := m.BufferBytesW(m.ViewBuffer(o))[m.ViewOffset(o)+int(at):]
		vm.PutBits(b, t, bits, little)
		return vm.Undefined, nil
	}
}
