package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupStructuredClone makes the global function structuredClone, which runs
// the HTML standard's StructuredSerializeWithTransfer and its inverse in one
// pass over the values of the language.
func setupStructuredClone(b *vm.Builder) {
	f := b.Func("structuredClone", 1, structuredClone)
	b.GlobalValue("structuredClone", heap.ObjectValue(f), heap.DefaultAttrs)
}

// cloner is the state of one structuredClone. Getters are called with
// collections delayed, so handles in Go memory stay right.
type cloner struct {
	m       *vm.Machine
	memory  map[vm.Obj]vm.Obj
	charged int64
}

// dataCloneError throws the DOMException of that name.
func dataCloneError(m *vm.Machine, message string) error {
	return domException(m, "DataCloneError", message)
}

func structuredClone(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if len(c.Args) == 0 {
		return vm.Undefined, m.TypeError("The value argument must be specified")
	}
	k := cloner{m: m, memory: make(map[vm.Obj]vm.Obj)}
	defer func() { m.Meter().Shrink(k.charged) }()
	moved, err := k.transferList(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	v, err := k.clone(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	for _, o := range moved { //meter: charged when the list was read
		if m.IsDetached(o) {
			return vm.Undefined, dataCloneError(m, "An ArrayBuffer is detached and could not be cloned.")
		}
		m.MoveBuffer(k.memory[o], o)
	}
	return v, nil
}

// transferList reads the option transfer, and makes the buffers that the bytes
// of its ArrayBuffers will go to.
func (k *cloner) transferList(opts vm.Value) ([]vm.Obj, error) {
	m := k.m
	if opts.IsNullish() {
		return nil, nil
	}
	if !opts.IsObject() {
		return nil, m.TypeError("The options argument must be either an object or undefined")
	}
	key, err := m.H.KeyOfName("transfer")
	if err != nil {
		return nil, err
	}
	list, err := m.Get(opts.AsObj(), key)
	if err != nil || list == vm.Undefined {
		return nil, err
	}
	if !list.IsObject() {
		return nil, m.TypeError("Optional transferList argument must be an iterable")
	}
	var moved []vm.Obj
	err = m.Iterate(list, func(v vm.Value) (bool, error) {
		if !v.IsObject() || m.H.Obj(v.AsObj()).Class != heap.ClassArrayBuffer {
			return false, m.TypeError("Found invalid object in transferList")
		}
		o := v.AsObj()
		if m.IsImmutable(o) {
			return false, dataCloneError(m, "An immutable ArrayBuffer could not be transferred.")
		}
		if k.memory[o] != 0 {
			return false, dataCloneError(m, "Transfer list contains duplicate ArrayBuffer")
		}
		to, err := m.NewArrayBuffer(m.Intrinsic(vm.ArrayBufferPrototype), 0, -1)
		if err != nil {
			return false, err
		}
		moved = append(moved, o)
		return false, k.remember(o, to)
	})
	return moved, err
}

// remember maps an object to its clone.
func (k *cloner) remember(from, to vm.Obj) error {
	const bytes = 48
	if err := k.m.Meter().Grow(bytes); err != nil {
		return err
	}
	k.charged += bytes
	k.memory[from] = to
	return nil
}

// clone copies a value.
func (k *cloner) clone(v vm.Value) (vm.Value, error) {
	m := k.m
	if !v.IsObject() {
		if v.IsSymbol() {
			return v, dataCloneError(m, m.Describe(v)+" could not be cloned.")
		}
		return v, nil
	}
	from := v.AsObj()
	if to := k.memory[from]; to != 0 {
		return heap.ObjectValue(to), nil
	}
	if err := m.Meter().EnterNative(); err != nil {
		return v, err
	}
	defer m.Meter().LeaveNative()
	if err := m.Charge(4); err != nil {
		return v, err
	}
	to, err := k.cloneObject(from)
	return heap.ObjectValue(to), err
}

func (k *cloner) cloneObject(from vm.Obj) (vm.Obj, error) {
	m := k.m
	rec := m.H.Obj(from)
	switch rec.Class {
	case heap.ClassBoolean, heap.ClassNumber, heap.ClassString, heap.ClassBigInt:
		to, err := m.ToObject(rec.Data)
		if err != nil {
			return 0, err
		}
		return to, k.remember(from, to)
	case heap.ClassDate:
		to := newDate(m, rec.Data.AsFloat())
		return to, k.remember(from, to)
	case heap.ClassRegExp:
		p, f := m.RegExpSource(from)
		v, err := m.NewRegExp(heap.StringValue(p), heap.StringValue(f))
		if err != nil {
			return 0, err
		}
		return v.AsObj(), k.remember(from, v.AsObj())
	case heap.ClassArrayBuffer:
		return k.cloneBuffer(from)
	case heap.ClassTypedArray, heap.ClassDataView:
		return k.cloneView(from, rec.Class)
	case heap.ClassMap, heap.ClassSet:
		return k.cloneCollection(from, rec.Class)
	case heap.ClassError:
		return k.cloneError(from)
	case heap.ClassArray:
		to := m.NewArrayLen(rec.Length)
		if err := k.remember(from, to); err != nil {
			return 0, err
		}
		return to, k.members(from, to)
	case heap.ClassObject:
		if rec.Flags&heap.Callable == 0 {
			to := m.NewPlain()
			if err := k.remember(from, to); err != nil {
				return 0, err
			}
			return to, k.members(from, to)
		}
	}
	return 0, dataCloneError(m, m.Describe(heap.ObjectValue(from))+" could not be cloned.")
}

// members copies the own enumerable properties with string keys.
func (k *cloner) members(from, to vm.Obj) error {
	m := k.m
	keys, err := m.OwnKeys(from)
	if err != nil {
		return err
	}
	if err := m.ChargeKeys(len(keys)); err != nil {
		return err
	}
	n := 0
	for _, key := range keys { //meter: charged above
		if key.IsSymbol() {
			continue
		}
		ok, err := isOwnEnumerable(m, from, key)
		if err != nil {
			return err
		}
		if ok {
			keys[n] = key
			n++
		}
	}
	for _, key := range keys[:n] { //meter: charged above
		ok, err := m.HasOwn(from, key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		v, err := m.Get(from, key)
		if err != nil {
			return err
		}
		if v, err = k.clone(v); err != nil {
			return err
		}
		if err := m.CreateDataOrThrow(to, key, v); err != nil {
			return err
		}
	}
	return nil
}

func (k *cloner) cloneBuffer(from vm.Obj) (vm.Obj, error) {
	m := k.m
	if m.IsDetached(from) {
		return 0, dataCloneError(m, "An ArrayBuffer is detached and could not be cloned.")
	}
	limit := -1
	if n, ok := m.MaxByteLength(from); ok {
		limit = n
	}
	to, err := m.NewArrayBuffer(m.Intrinsic(vm.ArrayBufferPrototype), m.ByteLength(from), limit)
	if err != nil {
		return 0, err
	}
	if err := copyBytes(m, m.BufferBytesW(to), m.BufferBytes(from)); err != nil {
		return 0, err
	}
	if m.IsImmutable(from) {
		m.FreezeBuffer(to)
	}
	return to, k.remember(from, to)
}

func (k *cloner) cloneView(from vm.Obj, class heap.Class) (vm.Obj, error) {
	m := k.m
	n, ok := 0, false
	if class == heap.ClassTypedArray {
		n, ok = m.TypedLength(from)
	} else {
		n, ok = m.DataViewLength(from)
	}
	if !ok {
		return 0, dataCloneError(m, m.Describe(heap.ObjectValue(from))+" could not be cloned.")
	}
	if m.ViewTracking(from) {
		n = -1
	}
	buf, err := k.clone(heap.ObjectValue(m.ViewBuffer(from)))
	if err != nil {
		return 0, err
	}
	var to vm.Obj
	if class == heap.ClassTypedArray {
		t := m.TypedElem(from)
		to = m.NewTypedArray(typedProto(m, t), t, buf.AsObj(), m.ViewOffset(from), n)
	} else {
		to = m.NewDataView(m.Intrinsic(vm.DataViewPrototype), buf.AsObj(), m.ViewOffset(from), n)
	}
	return to, k.remember(from, to)
}

// cloneCollection copies a Map or Set: the entries it has now.
func (k *cloner) cloneCollection(from vm.Obj, class heap.Class) (vm.Obj, error) {
	m := k.m
	proto := vm.MapPrototype
	if class == heap.ClassSet {
		proto = vm.SetPrototype
	}
	to := m.H.NewObject(m.H.RootShape(m.Intrinsic(proto)), class)
	n := m.H.TableLen(tableOf(m, from))
	b, err := m.H.NewTable(n)
	if err != nil {
		return 0, err
	}
	setTable(m, to, b)
	if err := k.remember(from, to); err != nil {
		return 0, err
	}
	if err := m.ChargeKeys(2 * n); err != nil {
		return 0, err
	}
	entries := make([]vm.Value, 0, 2*n)
	for seq := 0.0; ; { //meter: charged above
		key, val, next, ok, err := m.H.TableNext(tableOf(m, from), seq)
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		entries = append(entries, key, val)
		seq = next
	}
	for i := 0; i < len(entries); i += 2 { //meter: charged above
		key, err := k.clone(entries[i])
		if err != nil {
			return 0, err
		}
		val := entries[i+1]
		if class == heap.ClassMap {
			if val, err = k.clone(val); err != nil {
				return 0, err
			}
		}
		if err := tableSet(m, to, key, val); err != nil {
			return 0, err
		}
	}
	return to, nil
}

// cloneError copies an error: its kind by name, message, stack and cause.
func (k *cloner) cloneError(from vm.Obj) (vm.Obj, error) {
	m := k.m
	name, err := m.Get(from, m.N.Name)
	if err != nil {
		return 0, err
	}
	proto := vm.ErrorPrototype
	if name != vm.Undefined {
		s, err := m.ToString(name)
		if err != nil {
			return 0, err
		}
		if m.H.Len(s) < 20 {
			switch m.H.GoString(s) {
			case "EvalError":
				proto = vm.EvalErrorPrototype
			case "RangeError":
				proto = vm.RangeErrorPrototype
			case "ReferenceError":
				proto = vm.ReferenceErrorPrototype
			case "SyntaxError":
				proto = vm.SyntaxErrorPrototype
			case "TypeError":
				proto = vm.TypeErrorPrototype
			case "URIError":
				proto = vm.URIErrorPrototype
			}
		}
	}
	to := m.AllocError(m.Intrinsic(proto))
	m.H.ObjW(to).Data = m.H.Obj(from).Data // where it was made
	if err := k.remember(from, to); err != nil {
		return 0, err
	}
	d, ok, err := m.GetOwnProperty(from, m.N.Message)
	if err != nil {
		return 0, err
	}
	if ok && !d.IsAccessor() {
		s, err := m.ToString(d.Value)
		if err != nil {
			return 0, err
		}
		m.H.AddNamed(to, m.N.Message.Name(), heap.StringValue(s), heap.HiddenAttrs)
	}
	d, ok, err = m.GetOwnProperty(from, m.N.Cause)
	if err != nil || !ok || d.IsAccessor() {
		return to, err
	}
	v, err := k.clone(d.Value)
	if err != nil {
		return 0, err
	}
	m.H.AddNamed(to, m.N.Cause.Name(), v, heap.HiddenAttrs)
	return to, nil
}
