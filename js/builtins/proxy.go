package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupProxy makes the Proxy constructor (§28.2). What proxies do is package
// vm's.
func setupProxy(b *vm.Builder) {
	c := b.Set(vm.ProxyConstructor, b.Ctor("Proxy", 2, proxyConstructor, 0, 0))
	b.GlobalObj("Proxy", c)
	// No inline cache of another object without a prototype may hit a proxy.
	b.Set(vm.ProxyShape, b.H.NewObject(b.H.LooseShape(0), heap.ClassObject))
	f := b.Method(c, "revocable", 2, proxyRevocable)
	// The function that Proxy.revocable makes copies of.
	b.H.ObjW(f).Data = heap.ObjectValue(b.Func("", 0, proxyRevoke))
}

func proxyConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Constructor Proxy requires 'new'")
	}
	return m.NewProxy(c.Arg(0), c.Arg(1))
}

// proxyRevocable is Proxy.revocable (§28.2.2.1).
func proxyRevocable(m *vm.Machine, c vm.Call) (vm.Value, error) {
	p, err := m.NewProxy(c.Arg(0), c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	revoke := m.NewNative(m.NativeData(c.Callee).AsObj(), p, 0, 0)
	o := m.NewPlain()
	m.H.AddNamed(o, m.N.Proxy.Name(), p, heap.DefaultAttrs)
	m.H.AddNamed(o, m.N.Revoke.Name(), heap.ObjectValue(revoke), heap.DefaultAttrs)
	return heap.ObjectValue(o), nil
}

// proxyRevoke is a proxy revocation function (§28.2.2.1.1); its data is the
// proxy, then undefined.
func proxyRevoke(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if p := m.NativeData(c.Callee); p.IsObject() {
		m.H.ObjW(c.Callee).Data = vm.Undefined
		m.RevokeProxy(p.AsObj())
	}
	return vm.Undefined, nil
}
