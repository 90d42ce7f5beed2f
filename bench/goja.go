package main

import (
	"errors"
	"time"

	"github.com/dop251/goja"
)

// gojaEngine is github.com/dop251/goja. It has no fuel and no memory limit; a
// fresh run has what it does have, a timer that interrupts.
type gojaEngine struct{}

func (gojaEngine) Name() string { return "goja" }

func (gojaEngine) Load(name, source string) (instance, error) {
	vm := goja.New()
	err := errors.Join(
		vm.Set("hostScalar", func(c goja.FunctionCall) goja.Value {
			return vm.ToValue(hostScalar(c.Argument(0).ToInteger()))
		}),
		vm.Set("hostObject", func(c goja.FunctionCall) goja.Value {
			o := c.Argument(0).ToObject(vm)
			r := hostObject(hostRecord{ID: o.Get("id").ToInteger(), Name: o.Get("name").String(), OK: o.Get("ok").ToBoolean()})
			out := vm.NewObject()
			if err := errors.Join(out.Set("id", r.ID), out.Set("name", r.Name), out.Set("ok", r.OK)); err != nil {
				panic(vm.NewGoError(err))
			}
			return out
		}))
	if err != nil {
		return nil, err
	}
	if _, err := vm.RunScript(name, source); err != nil {
		return nil, err
	}
	main, ok := goja.AssertFunction(vm.Get("main"))
	if !ok {
		return nil, errors.New("no function main")
	}
	return &gojaInstance{vm, main}, nil
}

type gojaInstance struct {
	vm   *goja.Runtime
	main goja.Callable
}

func (i *gojaInstance) Main(timeout time.Duration) (string, error) {
	timer := time.AfterFunc(timeout, func() { i.vm.Interrupt("time") })
	v, err := i.main(goja.Undefined())
	timer.Stop()
	i.vm.ClearInterrupt()
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		return "", errTimeout
	}
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

func (i *gojaInstance) Close() {}

func (gojaEngine) Prepare(source string) (func() (string, error), error) {
	p, err := goja.Compile("fresh.js", source, false)
	if err != nil {
		return nil, err
	}
	return func() (string, error) { return gojaFresh(p) }, nil
}

func gojaFresh(p *goja.Program) (string, error) {
	vm := goja.New()
	timer := time.AfterFunc(limitTime, func() { vm.Interrupt("time") })
	defer timer.Stop()
	v, err := vm.RunProgram(p)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

func (gojaEngine) Snippet(source string) (string, error) {
	p, err := goja.Compile("snippet.js", source, false)
	if err != nil {
		return "", err
	}
	return gojaFresh(p)
}
