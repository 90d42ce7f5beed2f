package main

import (
	"context"
	"errors"
	"strings"
	"time"

	pf "github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// pinfold returns the engine of this repository. Every run of it has all its
// limits on: fuel, live memory, total allocation, depth and time.
//
// Fresh runs, snippets and host calls go through package pinfold, as a user's
// do. The programs, whose main is called again and again in one realm, use the
// engine, package js, since the library closes a realm with its run.
func pinfold() engine { return pinfoldEngine{} }

type pinfoldEngine struct{}

func (pinfoldEngine) Name() string { return "pinfold" }

func limits(timeout time.Duration) meter.Limits {
	return meter.Limits{Fuel: 1 << 40, LiveBytes: 512 << 20, RequestedBytes: 64 << 30, Depth: 2000, NativeDepth: 1000, Timeout: timeout}
}

func (pinfoldEngine) Load(name, source string) (instance, error) {
	if strings.Contains(source, "hostScalar(") || strings.Contains(source, "hostObject(") {
		return loadHost(name, source)
	}
	p, err := js.Compile(name, source, js.CompileOptions{})
	if err != nil {
		return nil, err
	}
	mt := meter.New(context.Background(), limits(time.Hour))
	m, err := js.NewMachine(mt, vm.Options{})
	if err != nil {
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

// hostInstance is a program that calls host functions: each Main is a run of
// the library.
type hostInstance struct {
	sb *pf.Sandbox
	p  *pf.Program
}

func loadHost(name, source string) (instance, error) {
	sb, err := pf.New(pf.Options{
		Limits: pf.Limits{Fuel: 1 << 40, Timeout: time.Hour, HostCalls: 1 << 40},
		Functions: []pf.Function{
			{Name: "hostScalar", Func: hostScalar},
			{Name: "hostObject", Func: hostObject},
		},
	})
	if err != nil {
		return nil, err
	}
	p, err := sb.Compile(name, source+"\nreturn main()")
	return &hostInstance{sb, p}, err
}

func (i *hostInstance) Main(timeout time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return valueOf(i.sb.Run(ctx, i.p, nil))
}

func (i *hostInstance) Close() {}

func valueOf(o *pf.Outcome) (string, error) {
	switch {
	case o.Failure == nil:
		return strings.Trim(o.Value.String(), `"`), nil
	case errors.Is(o.Failure, pf.ErrTime), errors.Is(o.Failure, pf.ErrCancelled):
		return "", errTimeout
	}
	return "", o.Failure
}

// freshLimits are those of the fresh runs of every engine that has such.
var freshLimits = pf.Limits{Fuel: limitFuel, MemoryBytes: limitMemory, Timeout: limitTime}

func (pinfoldEngine) Prepare(source string) (func() (string, error), error) {
	sb, err := pf.New(pf.Options{Limits: freshLimits})
	if err != nil {
		return nil, err
	}
	p, err := sb.Compile("fresh.js", asBody(source))
	if err != nil {
		return nil, err
	}
	return func() (string, error) { return valueOf(sb.Run(context.Background(), p, nil)) }, nil
}

// asBody turns a script whose value is that of its last line into the body of
// a function, the library's form of a program.
func asBody(source string) string {
	i := strings.LastIndexAny(source, ";\n")
	return source[:i+1] + " return " + strings.TrimSpace(source[i+1:])
}

func (pinfoldEngine) Snippet(source string) (string, error) {
	// A sandbox of its own: its cache of programs must not help.
	sb, err := pf.New(pf.Options{Limits: freshLimits})
	if err != nil {
		return "", err
	}
	return valueOf(sb.Eval(context.Background(), "snippet.js", asBody(source), nil))
}

// workerPrograms are run in a warm worker process: see pinfold.Process.
var workerPrograms = []struct{ name, source string }{
	{"fresh run in a worker process", "return 1 + 2"},
	{"the same with a host call", "return hostScalar(2)"},
}

func measureWorker(source string, runs int) sample {
	sb, err := pf.New(pf.Options{Limits: freshLimits, Isolation: pf.Process, Functions: []pf.Function{{Name: "hostScalar", Func: hostScalar}}})
	if err != nil {
		return sample{err: err}
	}
	defer sb.Close()
	p, err := sb.Compile("fresh.js", source)
	if err != nil {
		return sample{err: err}
	}
	return measureCalls(func() (string, error) { return valueOf(sb.Run(context.Background(), p, nil)) }, runs)
}
