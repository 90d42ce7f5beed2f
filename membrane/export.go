package membrane

import (
	"bytes"
	"math/big"
	"reflect"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Export copies a script value out as Go data: see Value.Any for the types.
// Shared objects are copied for each reference; a cyclic one is an error. The
// error is an *Error, or a limit of the meter.
func Export(m *vm.Machine, v vm.Value, root string, lim Limits) (any, error) {
	x := exporter{m: m, lim: lim.withDefaults()}
	t, err := x.value(v, 0)
	m.Meter().Shrink(x.charged)
	if err != nil {
		return nil, rooted(err, root)
	}
	return t, nil
}

// ExportTo copies a script value into a Go variable: see Value.Decode. It
// returns about how many bytes of Go memory the copy takes.
func ExportTo(m *vm.Machine, v vm.Value, dst reflect.Value, root string, lim Limits) (int64, error) {
	if dst.Type() == typeValue || dst.Type() == typeRaw {
		t, err := Encode(m, v, root, lim)
		if err == nil && dst.Type() == typeValue {
			dst.Set(reflect.ValueOf(t))
		} else if err == nil {
			dst.SetBytes(t.JSON())
		}
		return int64(cap(t.text)), err
	}
	x := exporter{m: m, lim: lim.withDefaults()}
	t, err := x.value(v, 0)
	m.Meter().Shrink(x.charged)
	if err == nil {
		err = assign(t, dst)
	}
	if err != nil {
		return 0, rooted(err, root)
	}
	return x.charged, nil
}

// nodeBytes is what a value in Go's memory is charged for the time of the
// crossing.
const nodeBytes = 32

type exporter struct {
	m       *vm.Machine
	lim     Limits
	nodes   int
	bytes   int64
	charged int64
	open    []vm.Obj // the objects around the current one
}

func (x *exporter) value(v vm.Value, depth int) (any, error) {
	m := x.m
	if err := m.Charge(1); err != nil {
		return nil, err
	}
	if x.nodes++; x.nodes > x.lim.Nodes {
		return nil, over("the number of values", int64(x.lim.Nodes), int64(x.nodes))
	}
	w, inner, reason := classify(m, v)
	switch w {
	case whatUndefined:
		return Undefined{}, nil
	case whatNull:
		return nil, nil
	case whatBool:
		return inner == vm.True, nil
	}
	if err := x.grow(nodeBytes); err != nil {
		return nil, err
	}
	switch w {
	case whatNumber:
		return inner.AsFloat(), nil
	case whatString:
		return x.string(inner.AsStr())
	case whatBigInt:
		return bigOf(m, inner)
	case whatRefused:
		return nil, refuse(reason + " can't be passed to the host")
	}
	o := v.AsObj()
	if depth >= x.lim.Depth {
		return nil, over("the depth", int64(x.lim.Depth), int64(depth)+1)
	}
	for _, q := range x.open { //meter: at most Depth
		if q == o {
			return nil, refuse("a cyclic value can't be passed to the host")
		}
	}
	switch w {
	case whatDate:
		return dateTree(m.H.Obj(o).Data.AsFloat()), nil
	case whatBytes:
		b, typ := viewBytes(m, o)
		if err := x.size(len(b)); err != nil {
			return nil, err
		}
		return bytesTree(&Bytes{Type: typ, Data: bytes.Clone(nonNil(b))}), nil
	}
	x.open = append(x.open, o)
	defer func() { x.open = x.open[:len(x.open)-1] }()
	switch w {
	case whatArray:
		return x.array(o, depth)
	case whatMap:
		return x.mapOf(o, depth)
	case whatSet:
		return x.setOf(o, depth)
	case whatError:
		return x.error(o, depth)
	}
	ps, err := properties(m, o, nil)
	if err != nil {
		return nil, err
	}
	return x.object(ps, depth)
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// size counts bytes that are copied.
func (x *exporter) size(n int) error {
	if x.bytes += int64(n); x.bytes > x.lim.Bytes {
		return over("the size in bytes", x.lim.Bytes, x.bytes)
	}
	if err := x.grow(int64(n)); err != nil {
		return err
	}
	return x.m.Charge(n / 16)
}

// grow charges Go memory to the run for the time of the crossing.
func (x *exporter) grow(n int64) error {
	if err := x.m.Meter().Grow(n); err != nil {
		return err
	}
	x.charged += n
	return nil
}

func (x *exporter) string(s vm.Str) (string, error) {
	if err := x.size(x.m.H.Len(s)); err != nil {
		return "", err
	}
	b, err := x.m.H.AppendString(nil, s)
	if err != nil {
		return "", err
	}
	return goString(string(b)), nil
}

// bigOf copies a BigInt.
func bigOf(m *vm.Machine, v vm.Value) (*big.Int, error) {
	neg, limbs := m.H.BigInt(v.AsStr())
	if err := m.Charge(len(limbs) / 8); err != nil {
		return nil, err
	}
	b := make([]byte, 8*len(limbs))
	for i, l := range limbs { //meter: charged above
		for k := range 8 { //meter: eight
			b[len(b)-1-8*i-k] = byte(l >> (8 * k))
		}
	}
	z := new(big.Int).SetBytes(b)
	if neg {
		z.Neg(z)
	}
	return z, nil
}

func (x *exporter) array(o vm.Obj, depth int) (any, error) {
	n := int(x.m.H.Obj(o).Length)
	if n > x.lim.Nodes {
		return nil, over("the number of values", int64(x.lim.Nodes), int64(n))
	}
	if err := x.m.Charge(n); err != nil {
		return nil, err
	}
	if err := x.grow(16 * int64(n)); err != nil {
		return nil, err
	}
	out := make([]any, n)
	for i := range out { //meter: charged above
		v, a, ok := x.m.H.GetElem(o, uint32(i))
		if !ok {
			out[i] = Undefined{}
			continue
		}
		var err error
		if a&heap.Accessor != 0 {
			err = refuse("an accessor can't be passed to the host")
		} else {
			out[i], err = x.value(v, depth+1)
		}
		if err != nil {
			return nil, underIndex(err, i)
		}
	}
	return out, nil
}

func (x *exporter) object(ps []prop, depth int) (*Object, error) {
	o := &Object{keys: make([]string, 0, len(ps)), vals: make([]any, 0, len(ps))}
	for _, p := range ps { //meter: charged by properties
		k, err := keyString(x.m, p.key)
		if err != nil {
			return nil, err
		}
		if err := x.size(len(k)); err != nil {
			return nil, err
		}
		k = goString(k)
		err = refuse("an accessor can't be passed to the host")
		var v any
		if !p.accessor {
			v, err = x.value(p.val, depth+1)
		}
		if err != nil {
			if p.key.IsIndex() {
				return nil, underIndex(err, int(p.key.Index()))
			}
			return nil, underKey(err, k)
		}
		o.Set(k, v)
	}
	return o, nil
}

// entries calls f for the entries of a Map or Set.
func (x *exporter) entries(o vm.Obj, f func(i int, key, val vm.Value) error) error {
	b := x.m.H.Obj(o).Data.AsBlock()
	seq := 0.0
	for i := 0; ; i++ {
		key, val, next, ok, err := x.m.H.TableNext(b, seq)
		if err != nil || !ok {
			return err
		}
		if err := x.m.Charge(1); err != nil {
			return err
		}
		seq = next
		if err := f(i, key, val); err != nil {
			return underIndex(err, i)
		}
	}
}

func (x *exporter) mapOf(o vm.Obj, depth int) (any, error) {
	out := &Map{}
	err := x.entries(o, func(_ int, key, val vm.Value) error {
		k, err := x.value(key, depth+1)
		if err != nil {
			return underIndex(err, 0)
		}
		v, err := x.value(val, depth+1)
		if err != nil {
			return underIndex(err, 1)
		}
		out.Entries = append(out.Entries, [2]any{k, v})
		return nil
	})
	return out, err
}

func (x *exporter) setOf(o vm.Obj, depth int) (any, error) {
	out := &Set{}
	err := x.entries(o, func(_ int, key, _ vm.Value) error {
		k, err := x.value(key, depth+1)
		out.Items = append(out.Items, k)
		return err
	})
	return out, err
}

func (x *exporter) error(o vm.Obj, depth int) (any, error) {
	p, err := readError(x.m, o, x.lim.Bytes)
	if err != nil {
		return nil, err
	}
	if err := x.size(len(p.name) + len(p.message) + len(p.stack)); err != nil {
		return nil, err
	}
	e := &ErrorValue{Name: goString(p.name), Message: goString(p.message), Stack: goString(p.stack), HasCause: p.hasCause}
	if p.hasCause {
		if e.Cause, err = x.value(p.cause, depth+1); err != nil {
			return nil, under(err, ".cause")
		}
	}
	if p.errors != 0 {
		v, err := x.value(heap.ObjectValue(p.errors), depth+1)
		if err != nil {
			return nil, under(err, ".errors")
		}
		e.Errors, _ = v.([]any)
	}
	ps, err := errorProps(x.m, o, nil)
	if err != nil {
		return nil, err
	}
	if len(ps) > 0 {
		if e.Props, err = x.object(ps, depth); err != nil {
			return nil, err
		}
	}
	return e, nil
}
