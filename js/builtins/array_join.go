package builtins

import (
	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// addNumber appends Number::toString of v.
func addNumber(sb *stringBuilder, v vm.Value) error {
	var buf [32]byte
	return sb.latin1(conv.FormatNumber(buf[:0], v.AsFloat()))
}

// arrayJoin is Array.prototype.join (§23.1.3.18).
func arrayJoin(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisObject(m, &c, "join")
	if err != nil {
		return vm.Undefined, err
	}
	return joinArray(m, o, c.Arg(0))
}

func joinArray(m *vm.Machine, o vm.Obj, sepArg vm.Value) (vm.Value, error) {
	at, cyclic := m.EnterJoin(o)
	if cyclic {
		return heap.StringValue(m.N.StrEmpty), nil
	}
	defer m.PopRoots(at)
	n, err := m.LengthOf(o)
	if err != nil {
		return vm.Undefined, err
	}
	sep := m.H.Char(',')
	if sepArg != vm.Undefined {
		if sep, err = m.ToString(sepArg); err != nil {
			return vm.Undefined, err
		}
	}
	sepLen := m.H.Len(sep)
	if m.H.Obj(o).Class == heap.ClassArray && m.H.NumElems(o) == 0 && bareChain(m, o) && float64(sepLen)*float64(n-1) > heap.MaxStringLength {
		// Nothing but separators, and too many.
		return vm.Undefined, heap.ErrStringLength
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	for k := int64(0); k < n; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if k > 0 && sepLen > 0 {
			if err := sb.str(sep); err != nil {
				return vm.Undefined, err
			}
		}
		v, err := getAt(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		switch {
		case v.IsNullish():
			continue
		case v.IsString():
			err = sb.str(v.AsStr())
		case v.IsNumber():
			err = addNumber(&sb, v)
		default:
			var s vm.Str
			if s, err = m.ToString(v); err == nil {
				err = sb.str(s)
			}
		}
		if err != nil {
			return vm.Undefined, err
		}
	}
	s, err := sb.finish()
	return heap.StringValue(s), err
}

// arrayToString is Array.prototype.toString (§23.1.3.36).
func arrayToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisObject(m, &c, "toString")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.Get(o, m.N.Join)
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsCallable(f) {
		return m.Call(f, heap.ObjectValue(o))
	}
	// %Object.prototype.toString% itself, whatever became of the property.
	return m.Call(heap.ObjectValue(m.Intrinsic(vm.ObjectProtoToString)), heap.ObjectValue(o))
}

// arrayToLocaleString is Array.prototype.toLocaleString (ECMA-402 §19.5.1).
func arrayToLocaleString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisObject(m, &c, "toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	at, cyclic := m.EnterJoin(o)
	if cyclic {
		return heap.StringValue(m.N.StrEmpty), nil
	}
	defer m.PopRoots(at)
	n, err := m.LengthOf(o)
	if err != nil {
		return vm.Undefined, err
	}
	name, err := m.H.KeyOfName("toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	for k := int64(0); k < n; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if k > 0 {
			if err := sb.str(m.H.Char(',')); err != nil {
				return vm.Undefined, err
			}
		}
		v, err := getAt(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		if v.IsNullish() {
			continue
		}
		f, err := m.GetV(v, name)
		if err != nil {
			return vm.Undefined, err
		}
		r, err := m.Call(f, v, c.Arg(0), c.Arg(1))
		if err != nil {
			return vm.Undefined, err
		}
		s, err := m.ToString(r)
		if err != nil {
			return vm.Undefined, err
		}
		if err := sb.str(s); err != nil {
			return vm.Undefined, err
		}
	}
	s, err := sb.finish()
	return heap.StringValue(s), err
}
