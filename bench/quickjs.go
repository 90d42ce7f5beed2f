package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/quickjs"
)

// quickjsEngine is modernc.org/quickjs: QuickJS translated from C to Go. It has
// a memory limit and a timeout, and no fuel.
type quickjsEngine struct{}

func (quickjsEngine) Name() string { return "quickjs" }

func (quickjsEngine) Load(name, source string) (instance, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		vm.RegisterFunc("hostScalar", func(n int) int { return int(hostScalar(int64(n))) }, false),
		vm.RegisterHostFunc("hostObject", func(args []any) (any, error) {
			o, ok := args[0].(*quickjs.Object)
			if !ok {
				return nil, fmt.Errorf("an object was expected, not %T", args[0])
			}
			var r hostRecord
			if err := o.Into(&r); err != nil {
				return nil, err
			}
			r = hostObject(r)
			return map[string]any{"id": r.ID, "name": r.Name, "ok": r.OK}, nil
		}))
	if err == nil {
		_, err = vm.Eval(source+"\n;0", quickjs.EvalGlobal)
	}
	if err != nil {
		vm.Close()
		return nil, err
	}
	return &quickjsInstance{vm}, nil
}

type quickjsInstance struct{ vm *quickjs.VM }

func (i *quickjsInstance) Main(timeout time.Duration) (string, error) {
	if err := i.vm.SetEvalTimeout(timeout); err != nil {
		return "", err
	}
	v, err := i.vm.Eval("String(main())", quickjs.EvalGlobal)
	if err != nil {
		if strings.Contains(err.Error(), "interrupted") {
			return "", errTimeout
		}
		return "", err
	}
	return fmt.Sprint(v), nil
}

func (i *quickjsInstance) Close() { i.vm.Close() }

func (quickjsEngine) Prepare(source string) (func() (string, error), error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, err
	}
	defer vm.Close()
	code, err := vm.Compile(source, quickjs.EvalGlobal)
	if err != nil {
		return nil, err
	}
	return func() (string, error) {
		return quickjsFresh(func(vm *quickjs.VM) (any, error) { return vm.EvalBytecode(code) })
	}, nil
}

func quickjsFresh(eval func(*quickjs.VM) (any, error)) (string, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return "", err
	}
	defer vm.Close()
	vm.SetMemoryLimit(limitMemory)
	if err := vm.SetEvalTimeout(limitTime); err != nil {
		return "", err
	}
	v, err := eval(vm)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(v), nil
}

func (quickjsEngine) Snippet(source string) (string, error) {
	return quickjsFresh(func(vm *quickjs.VM) (any, error) { return vm.Eval(source, quickjs.EvalGlobal) })
}
