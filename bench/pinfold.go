package main

import (
	"context"
	"errors"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// pinfold returns the engine of this repository. Every run of it has all its
// limits on: fuel, live memory, total allocation, depth and time.
func pinfold() engine { return pinfoldEngine{} }

type pinfoldEngine struct{}

func (pinfoldEngine) Name() string { return "pinfold" }

func limits(timeout time.Duration) meter.Limits {
	return meter.Limits{Fuel: 1 << 40, LiveBytes: 512 << 20, RequestedBytes: 64 << 30, Depth: 2000, NativeDepth: 1000, Timeout: timeout}
}

func (pinfoldEngine) Load(name, source string) (instance, error) {
	p, err := js.Compile(name, source, js.CompileOptions{})
	if err != nil {
		return nil, err
	}
	mt := meter.New(context.Background(), limits(time.Hour))
	m, err := js.NewMachine(mt, vm.Options{})
	if err != nil {
		return nil, err
	}
	scalar, err := m.NewHostFunction("hostScalar", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		n, err := m.ToInteger(c.Arg(0))
		return heap.Int64(hostScalar(int64(n))), err
	})
	if err != nil {
		return nil, err
	}
	id, _ := m.H.KeyOfName("id")
	nameKey, _ := m.H.KeyOfName("name")
	ok, _ := m.H.KeyOfName("ok")
	object, err := m.NewHostFunction("hostObject", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		v := c.Arg(0)
		if !v.IsObject() {
			return vm.Undefined, m.TypeError("hostObject takes an object")
		}
		o := v.AsObj()
		idv, e1 := m.Get(o, id)
		nv, e2 := m.Get(o, nameKey)
		okv, e3 := m.Get(o, ok)
		if err := errors.Join(e1, e2, e3); err != nil {
			return vm.Undefined, err
		}
		n, err := m.ToInteger(idv)
		if err != nil {
			return vm.Undefined, err
		}
		s, err := m.GoString(nv)
		if err != nil {
			return vm.Undefined, err
		}
		r := hostObject(hostRecord{ID: int64(n), Name: s, OK: m.ToBoolean(okv)})
		out := m.NewPlain()
		str, err := m.NewString(r.Name)
		if err != nil {
			return vm.Undefined, err
		}
		e1 = m.CreateDataOrThrow(out, id, heap.Int64(r.ID))
		e2 = m.CreateDataOrThrow(out, nameKey, str)
		e3 = m.CreateDataOrThrow(out, ok, heap.Bool(r.OK))
		return heap.ObjectValue(out), errors.Join(e1, e2, e3)
	})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(m.SetGlobal("hostScalar", heap.ObjectValue(scalar)), m.SetGlobal("hostObject", heap.ObjectValue(object))); err != nil {
		return nil, err
	}
	if _, err := m.RunScript(p); err != nil {
		return nil, explain(m, err)
	}
	k, _ := m.H.KeyOfName("main")
	f, err := m.Get(m.Global(), k)
	if err != nil {
		return nil, err
	}
	m.Root(f)
	return &pinfoldInstance{m, mt, f}, nil
}

func explain(m *vm.Machine, err error) error {
	if exc, ok := m.Caught(err); ok {
		if s, err := m.GoString(exc); err == nil {
			return errors.New(s)
		}
	}
	return err
}

type pinfoldInstance struct {
	m    *vm.Machine
	mt   *meter.Meter
	main vm.Value
}

func (i *pinfoldInstance) Main(timeout time.Duration) (string, error) {
	timer := time.AfterFunc(timeout, func() { i.mt.Stop(&meter.LimitError{Kind: meter.Time, What: "wall time"}) })
	defer timer.Stop()
	v, err := i.m.CallRooted(i.main, vm.Undefined)
	if err != nil {
		if meter.IsLimit(err) {
			return "", errTimeout
		}
		return "", explain(i.m, err)
	}
	return i.m.GoString(v)
}

func (i *pinfoldInstance) Close() { i.mt.Close() }

func (pinfoldEngine) Prepare(source string) (func() (string, error), error) {
	p, err := js.Compile("fresh.js", source, js.CompileOptions{Completion: true})
	if err != nil {
		return nil, err
	}
	return func() (string, error) { return pinfoldFresh(p) }, nil
}

func pinfoldFresh(p *js.Program) (string, error) {
	mt := meter.New(context.Background(), meter.Limits{Fuel: limitFuel, LiveBytes: limitMemory, RequestedBytes: 4 << 30, Depth: 2000, NativeDepth: 1000, Timeout: limitTime})
	defer mt.Close()
	m, err := js.NewMachine(mt, vm.Options{})
	if err != nil {
		return "", err
	}
	v, err := m.RunScript(p)
	if err != nil {
		return "", explain(m, err)
	}
	return m.GoString(v)
}

func (pinfoldEngine) Snippet(source string) (string, error) {
	p, err := js.Compile("snippet.js", source, js.CompileOptions{Completion: true})
	if err != nil {
		return "", err
	}
	return pinfoldFresh(p)
}
