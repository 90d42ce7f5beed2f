package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Iterator.prototype.chunks and windows of the proposal Iterator Chunking.

func chunkHelper(m *vm.Machine, c *vm.Call, method string, kind int32) (vm.Value, error) {
	partial := vm.False
	it, err := thisIterator(m, c, method, func() error {
		v := c.Arg(0)
		if !v.IsNumber() || !conv.IsIntegral(v.AsFloat()) {
			return m.TypeError("%s is not an integer", m.Describe(v))
		}
		if f := v.AsFloat(); f < 1 || f > math.MaxUint32 {
			return m.RangeError("%s is out of range", m.Describe(v))
		}
		if kind == helperChunks || c.Arg(1) == vm.Undefined {
			return nil
		}
		if u := c.Arg(1); u.IsString() && m.H.Len(u.AsStr()) < 16 {
			switch m.H.GoString(u.AsStr()) {
			case "only-full":
				return nil
			case "allow-partial":
				partial = vm.True
				return nil
			}
		}
		return m.TypeError("%s is neither \"only-full\" nor \"allow-partial\"", m.Describe(c.Arg(1)))
	})
	if err != nil {
		return vm.Undefined, err
	}
	h := newHelper(m, kind, it, partial, c.Arg(0))
	if kind == helperWindows {
		b, _ := iteratorBlock(m, h, iterHelper)
		m.H.SetWord(b, helperInner, heap.ObjectValue(m.NewArrayLen(0)))
	}
	return h, nil
}

func iteratorChunks(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return chunkHelper(m, &c, "chunks", helperChunks)
}

func iteratorWindows(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return chunkHelper(m, &c, "windows", helperWindows)
}

func chunksStep(m *vm.Machine, b heap.Block, it *vm.Iterator) (vm.Value, bool, error) {
	if m.H.Word(b, helperInnerNext) == vm.True {
		return vm.Undefined, false, nil
	}
	size := int64(m.H.Word(b, helperCount).AsFloat())
	out := m.NewArrayLen(0)
	at := m.Root(heap.ObjectValue(out))
	defer m.PopRoots(at)
	for n := int64(0); n < size; n++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, false, err
		}
		v, ok, err := m.StepRooted(it)
		if err != nil {
			return vm.Undefined, false, err
		}
		if !ok {
			m.H.SetWord(b, helperInnerNext, vm.True)
			return heap.ObjectValue(out), n > 0, nil
		}
		if err := m.H.Push(out, v); err != nil {
			return vm.Undefined, false, err
		}
	}
	return heap.ObjectValue(out), true, nil
}

func windowsStep(m *vm.Machine, b heap.Block, it *vm.Iterator) (vm.Value, bool, error) {
	if m.H.Word(b, helperInnerNext) == vm.True {
		return vm.Undefined, false, nil
	}
	size := uint32(m.H.Word(b, helperCount).AsFloat())
	last := m.H.Word(b, helperInner).AsObj()
	for {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, false, err
		}
		v, ok, err := m.StepRooted(it)
		if err != nil {
			return vm.Undefined, false, err
		}
		if !ok {
			m.H.SetWord(b, helperInnerNext, vm.True)
			n := m.H.Obj(last).Length
			return heap.ObjectValue(last), n > 0 && n < size && m.H.Word(b, helperFn) == vm.True, nil
		}
		if m.H.Obj(last).Length == size {
			if err := openGap(m, last, 0, 1, 0); err != nil {
				return vm.Undefined, false, err
			}
		}
		if err := m.H.Push(last, v); err != nil {
			return vm.Undefined, false, err
		}
		if m.H.Obj(last).Length == size {
			if err := m.Charge(int(size / 4)); err != nil {
				return vm.Undefined, false, err
			}
			out, err := m.NewArray(m.H.Elems(last))
			return heap.ObjectValue(out), true, err
		}
	}
}
