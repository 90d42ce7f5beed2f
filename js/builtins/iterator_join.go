package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// iteratorJoin is Iterator.prototype.join of the TC39 proposal "Iterator Join".
func iteratorJoin(m *vm.Machine, c vm.Call) (vm.Value, error) {
	sep := m.H.Char(',')
	it, err := thisIterator(m, &c, "join", func() (err error) {
		if c.Arg(0) != vm.Undefined {
			sep, err = m.ToString(c.Arg(0))
		}
		return err
	})
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(heap.StringValue(sep))
	defer m.PopRoots(at)
	sb := stringBuilder{m: m}
	defer sb.release()
	err = consumeFrom(m, &it, func(v vm.Value, k int64) (bool, error) {
		if k > 0 {
			if err := sb.str(sep); err != nil {
				return false, err
			}
		}
		if v.IsNullish() {
			return false, nil
		}
		s, err := m.ToString(v)
		if err != nil {
			return false, err
		}
		return false, sb.str(s)
	})
	if err != nil {
		return vm.Undefined, err
	}
	s, err := sb.finish()
	return heap.StringValue(s), err
}
