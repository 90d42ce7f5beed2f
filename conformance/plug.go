package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// openPinfold returns the engine of this repository.
func openPinfold() (Engine, error) { return pinfold{}, nil }

type pinfold struct{}

func (pinfold) Name() string { return "pinfold" }

func (pinfold) Can(c Capability) bool {
	return c == CanCollect || c == CanModuleSrc || c == CanCreateRealm
}

func (pinfold) Compile(name, source string) (Program, error) {
	p, err := js.Compile(name, source, js.CompileOptions{NonErasable: js.CompileNonErasable})
	if err != nil {
		return nil, parseError(err, PhaseParse)
	}
	return p, nil
}

func parseError(err error, phase Phase) error {
	var se *syntax.SyntaxError
	if errors.As(err, &se) {
		return &Thrown{Phase: phase, Constructor: "SyntaxError", Text: se.Error()}
	}
	return err
}

// pinfoldRealm is one machine.
type pinfoldRealm struct {
	m       *vm.Machine
	mt      *meter.Meter
	opt     RealmOptions
	modules map[string]vm.ModuleSource
	failed  map[string]error // modules that do not parse, by name
}

func (pinfold) NewRealm(o RealmOptions) (Realm, error) {
	r := &pinfoldRealm{opt: o, modules: map[string]vm.ModuleSource{}, failed: map[string]error{}}
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	r.mt = meter.New(ctx, meter.Limits{
		Fuel: o.Fuel, LiveBytes: o.Memory, RequestedBytes: 64 << 30, Depth: 8000, NativeDepth: 2000, Timeout: o.Timeout,
	})
	m, err := js.NewMachine(r.mt, vm.Options{Stress: o.Stress, StressEvery: o.Every, MaxSourceBytes: 16 << 20, LoadModule: r.load})
	if err != nil {
		return nil, err
	}
	r.m = m
	_, err = r.host()
	return r, err
}

// host gives the current realm the functions that the host defines, and returns
// its $262.
func (r *pinfoldRealm) host() (vm.Value, error) {
	m := r.m
	function := func(on vm.Obj, name string, fn vm.NativeFunc) error {
		f, err := m.NewHostFunction(name, 0, fn)
		if err != nil {
			return err
		}
		k, err := m.H.KeyOfName(name)
		if err != nil {
			return err
		}
		return m.CreateDataOrThrow(on, k, heap.ObjectValue(f))
	}
	err := function(m.Global(), "print", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := m.GoString(c.Arg(0))
		if err == nil {
			r.opt.Print(s)
		}
		return vm.Undefined, err
	})
	h := m.NewPlain()
	m.Root(heap.ObjectValue(h))
	k, kerr := m.H.KeyOfName("global")
	ks, kserr := m.H.KeyOfName("AbstractModuleSource")
	return heap.ObjectValue(h), errors.Join(err, kerr, kserr,
		m.CreateDataOrThrow(h, k, heap.ObjectValue(m.Global())),
		function(h, "evalScript", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			src, err := m.GoString(c.Arg(0))
			if err != nil {
				return vm.Undefined, err
			}
			p, err := js.Compile("evalScript", src, js.CompileOptions{Completion: true, NonErasable: js.CompileNonErasable})
			if err != nil {
				return vm.Undefined, err
			}
			return m.RunScript(p)
		}),
		function(h, "createRealm", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			n, err := m.CreateRealm()
			if err != nil {
				return vm.Undefined, err
			}
			v := vm.Undefined
			err = m.InRealm(n, func() error {
				v, err = r.host()
				return err
			})
			return v, err
		}),
		function(h, "gc", func(m *vm.Machine, c vm.Call) (vm.Value, error) { return vm.Undefined, m.CollectGarbage() }),
		function(h, "detachArrayBuffer", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			if v := c.Arg(0); v.IsObject() && m.H.Obj(v.AsObj()).Class == heap.ClassArrayBuffer {
				m.DetachBuffer(v.AsObj())
				return vm.Null, nil
			}
			return vm.Undefined, m.TypeError("not an ArrayBuffer")
		}),
		m.CreateDataOrThrow(h, ks, heap.ObjectValue(m.Intrinsic(vm.AbstractModuleSource))),
		m.SetGlobal("$262", heap.ObjectValue(h)))
}

// guard runs f and turns its error into the suite's, and a Go panic into a
// *Crash.
func (r *pinfoldRealm) guard(phase *Phase, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Crash{Value: fmt.Sprint(p), Stack: string(debug.Stack())}
		}
	}()
	err = f()
	if err == nil {
		return nil
	}
	exc, ok := r.m.Caught(err)
	if !ok {
		return err
	}
	return r.thrown(exc, *phase)
}

// thrown describes an exception. Reading its properties may run script.
func (r *pinfoldRealm) thrown(exc vm.Value, phase Phase) error {
	m := r.m
	m.Root(exc)
	t := &Thrown{Phase: phase, Text: m.Describe(exc)}
	if !exc.IsObject() {
		if s, err := m.GoString(exc); err == nil {
			t.Text = s
		}
		return t
	}
	t.Constructor = m.ConstructorName(exc.AsObj())
	if msg, err := m.Get(exc.AsObj(), m.N.Message); err == nil && !msg.IsObject() {
		if s, err := m.GoString(msg); err == nil {
			t.Text = t.Constructor + ": " + s
		}
	}
	t.Stack = m.FormatStack(exc)
	return t
}

func (r *pinfoldRealm) Script(p Program) error {
	phase := PhaseRuntime
	return r.guard(&phase, func() error {
		_, err := r.m.RunScript(p.(*js.Program))
		return err
	})
}

func (r *pinfoldRealm) Jobs() error {
	phase := PhaseRuntime
	return r.guard(&phase, r.m.RunJobs)
}

func (r *pinfoldRealm) Close() { r.mt.Close() }

// load is the machine's LoadModule.
func (r *pinfoldRealm) load(referrer, specifier string, attributes [][2]string) (vm.ModuleSource, error) {
	if specifier == moduleSource && len(attributes) == 0 {
		return vm.ModuleSource{Key: moduleSource, Default: noDefault, Source: func(m *vm.Machine) (vm.Obj, error) {
			return m.NewModuleSource("TestModuleSource")
		}}, nil
	}
	if r.opt.Load == nil {
		return vm.ModuleSource{}, vm.ErrModuleNotFound
	}
	var attrs []Attribute
	for _, a := range attributes {
		attrs = append(attrs, Attribute{a[0], a[1]})
	}
	src, err := r.opt.Load(referrer, specifier, attrs)
	var unsupported attributeError
	if errors.As(err, &unsupported) {
		return vm.ModuleSource{}, &syntax.SyntaxError{Name: referrer, Message: err.Error(), Line: 1, Column: 1}
	}
	if err != nil {
		return vm.ModuleSource{}, err
	}
	return r.module(src)
}

func (r *pinfoldRealm) module(src Source) (vm.ModuleSource, error) {
	key := src.Name
	if src.Type != "" {
		key += " as " + src.Type
	}
	if m, ok := r.modules[key]; ok {
		return m, nil
	}
	if err := r.failed[key]; err != nil {
		return vm.ModuleSource{}, err
	}
	m := vm.ModuleSource{Key: key}
	if src.Type != "" {
		// What a synthetic module exports is made when it is loaded.
		v, err := r.synthetic(src)
		if err != nil {
			return vm.ModuleSource{}, err
		}
		r.m.Root(v)
		m.Default = func(*vm.Machine) (vm.Value, error) { return v, nil }
	} else {
		p, err := js.Compile(src.Name, src.Text, js.CompileOptions{Goal: js.Module, NonErasable: js.CompileNonErasable})
		if err != nil {
			r.failed[key] = err
			return vm.ModuleSource{}, err
		}
		m.Program = p
	}
	r.modules[key] = m
	return m, nil
}

// moduleSource is the specifier of a module with a module source object, in the
// words of the suite.
const moduleSource = "<module source>"

func noDefault(*vm.Machine) (vm.Value, error) { return vm.Undefined, nil }

// synthetic makes the default export of a module that is not JavaScript.
func (r *pinfoldRealm) synthetic(src Source) (vm.Value, error) {
	switch src.Type {
	case "text":
		return r.m.NewString(strings.TrimPrefix(strings.ToValidUTF8(src.Text, "\uFFFD"), "\uFEFF"))
	case "bytes":
		return r.bytes(src.Text)
	}
	return r.parseJSON(src.Text)
}

// bytes makes a Uint8Array over an immutable buffer.
func (r *pinfoldRealm) bytes(s string) (vm.Value, error) {
	buf, err := r.m.NewArrayBuffer(r.m.Intrinsic(vm.ArrayBufferPrototype), len(s), -1)
	if err != nil {
		return vm.Undefined, err
	}
	copy(r.m.BufferBytesW(buf), s)
	r.m.FreezeBuffer(buf)
	return heap.ObjectValue(r.m.NewTypedArray(r.m.Intrinsic(vm.Uint8ArrayPrototype), vm.ElemUint8, buf, 0, len(s))), nil
}

func (r *pinfoldRealm) parseJSON(text string) (vm.Value, error) {
	m := r.m
	k, err := m.H.KeyOfName("parse")
	if err != nil {
		return vm.Undefined, err
	}
	parse, err := m.Get(m.Intrinsic(vm.JSONObject), k)
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.NewString(text)
	if err != nil {
		return vm.Undefined, err
	}
	v, err := m.Call(parse, vm.Undefined, s)
	if exc, ok := m.Caught(err); ok {
		// ParseJSONModule: a syntax error of the module.
		return vm.Undefined, &syntax.SyntaxError{Message: m.Describe(exc), Line: 1, Column: 1}
	}
	return v, err
}

func (r *pinfoldRealm) Module(name, source string) error {
	phase := PhaseParse
	return r.guard(&phase, func() error {
		src, err := r.module(Source{Name: name, Text: source})
		if err != nil {
			return err
		}
		phase = PhaseResolution
		mod, err := r.m.AddModule(src)
		if err != nil {
			return err
		}
		if err := r.m.Link(mod); err != nil {
			return err
		}
		phase = PhaseRuntime
		p, err := r.m.Evaluate(mod)
		if err != nil {
			return err
		}
		r.m.Root(heap.ObjectValue(p))
		r.m.MarkHandled(p)
		if err := r.m.RunJobs(); err != nil {
			return err
		}
		switch state, v := r.m.PromiseStateOf(p); state {
		case vm.PromiseRejected:
			return r.m.Throw(v)
		case vm.PromisePending:
			return errors.New("the evaluation of the module never settles")
		}
		return nil
	})
}
