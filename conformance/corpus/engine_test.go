package corpus

import (
	"strings"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// hostGlobals says whether the realm also has structuredClone, queueMicrotask
// and the globals of the web standards that need no authority.
const hostGlobals = true

// run executes source as a script in a fresh realm that has ECMAScript's
// globals and `console.log`; then it runs the promise jobs until none is left.
// An exception of the script is part of the result; an error is a limit or a
// failure of the engine.
var run = func(name, source string) (result, error) {
	var r result
	mt := meter.New(nil, meter.Limits{Fuel: 500_000_000, LiveBytes: 256 << 20, Depth: 2000, NativeDepth: 1000})
	m, err := js.NewMachine(mt, vm.Options{})
	if err != nil {
		return r, err
	}
	log, err := m.NewHostFunction("log", 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		parts := make([]string, 0, len(c.Args))
		for _, a := range c.Args {
			s, err := m.GoString(a)
			if err != nil {
				return vm.Undefined, err
			}
			parts = append(parts, s)
		}
		r.lines = append(r.lines, strings.Join(parts, " "))
		return vm.Undefined, nil
	})
	if err != nil {
		return r, err
	}
	console := m.NewPlain()
	k, err := m.H.KeyOfName("log")
	if err != nil {
		return r, err
	}
	if err := m.CreateDataOrThrow(console, k, heap.ObjectValue(log)); err != nil {
		return r, err
	}
	if err := m.SetGlobal("console", heap.ObjectValue(console)); err != nil {
		return r, err
	}
	p, err := js.Compile(name, source, js.CompileOptions{})
	if err == nil {
		_, err = m.RunScript(p)
	}
	if err == nil {
		err = m.RunJobs()
	}
	if err == nil {
		if rejected := m.Unhandled(); len(rejected) > 0 {
			_, reason := m.PromiseStateOf(rejected[0])
			err = m.Throw(reason)
		}
	}
	if err == nil {
		return r, nil
	}
	exc, ok := m.Caught(err)
	if !ok {
		return r, err
	}
	r.uncaught, err = describe(m, exc)
	return r, err
}

// describe renders an uncaught exception as the recordings do.
func describe(m *vm.Machine, exc vm.Value) (string, error) {
	m.Root(exc)
	if exc.IsObject() && m.H.Obj(exc.AsObj()).Class == heap.ClassError {
		name, err := m.Get(exc.AsObj(), m.N.Name)
		if err != nil {
			return "", err
		}
		message, err := m.Get(exc.AsObj(), m.N.Message)
		if err != nil {
			return "", err
		}
		n, err := m.GoString(name)
		if err != nil {
			return "", err
		}
		t, err := m.GoString(message)
		return n + ": " + t, err
	}
	return m.GoString(exc)
}
