package pinfold

import (
	"math"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// harden freezes a realm that is being built, and takes away what differs from
// run to run: see Options.Hardened. It is done once, so runs pay nothing for it.
func harden(b *vm.Builder) {
	for _, f := range []struct{ of, name string }{
		{"Date", "now"}, {"Math", "random"}, {"crypto", "getRandomValues"}, {"crypto", "randomUUID"},
	} { //meter: a fixed number
		on, err := b.Get(b.Intrinsic(vm.GlobalObject), b.Key(f.of))
		if err != nil || !on.IsObject() {
			b.Fail(err)
			continue
		}
		takeAway(b, on.AsObj(), f.of, f.name)
	}
	z := freezer{b: b, seen: map[vm.Obj]bool{b.Intrinsic(vm.GlobalObject): true}}
	z.properties(b.Intrinsic(vm.GlobalObject))
	for i := range vm.NumIntrinsics { //meter: a fixed number
		switch i {
		case vm.GlobalObject, vm.GlobalLex, vm.ProxyShape, vm.RegExpPristine:
		default:
			if o := b.Intrinsic(i); o != 0 {
				z.add(o)
			}
		}
	}
	for len(z.list) > 0 { //meter: the objects of a realm, before any script
		o := z.list[len(z.list)-1]
		z.list = z.list[:len(z.list)-1]
		z.properties(o)
		if p := b.H.Proto(o); p != 0 {
			z.add(p)
		}
		_, err := b.SetIntegrityLevel(o, vm.Frozen)
		b.Fail(err)
	}
	b.SealRegExp()
}

// takeAway puts a function that throws in the place of one, where that is found.
func takeAway(b *vm.Builder, on vm.Obj, of, name string) {
	k := b.Key(name)
	for ; on != 0; on = b.H.Proto(on) { //meter: a chain of prototypes of a realm, before any script
		old, ok, err := b.GetOwnProperty(on, k)
		if err != nil {
			b.Fail(err)
			return
		}
		if !ok {
			continue
		}
		f := b.Func(name, 0, func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
			return vm.Undefined, m.TypeError("%s.%s() is not available here: programs get the same result each time; take times and random numbers from the input or a host function", of, name)
		})
		_, err = b.DefineOwnProperty(on, k, vm.DataDesc(heap.ObjectValue(f), old.Attrs))
		b.Fail(err)
		return
	}
}

// freezer walks the objects of a realm.
type freezer struct {
	b    *vm.Builder
	seen map[vm.Obj]bool
	list []vm.Obj
}

func (z *freezer) add(o vm.Obj) {
	if !z.seen[o] {
		z.seen[o] = true
		z.list = append(z.list, o)
	}
}

func (z *freezer) properties(o vm.Obj) {
	keys, err := z.b.OwnKeys(o)
	z.b.Fail(err)
	for _, k := range keys { //meter: the objects of a realm, before any script
		d, _, err := z.b.GetOwnProperty(o, k)
		z.b.Fail(err)
		for _, v := range []vm.Value{d.Value, d.Get, d.Set} { //meter: three
			if v.IsObject() {
				z.add(v.AsObj())
			}
		}
	}
}

// noClock is the clock of hardened runs that have no fixed time: it says nothing,
// so that new Date() is an invalid date.
func noClock() float64 { return math.NaN() }
