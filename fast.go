package pinfold

import (
	"context"
	"math"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// Calls of common signatures without reflection.

type caller func(r *run, c *vm.Call) (vm.Value, error)

// fastCall returns a call for a function of a common signature, nil for others.
func fastCall(name string, fn any) caller {
	switch f := fn.(type) {
	case func():
		return func(*run, *vm.Call) (vm.Value, error) { f(); return vm.Undefined, nil }
	case func() float64:
		return func(*run, *vm.Call) (vm.Value, error) { return heap.Number(f()), nil }
	case func() string:
		return func(r *run, _ *vm.Call) (vm.Value, error) { return r.stringResult(f()) }
	case func(float64) float64:
		return with(name, floatArg, func(r *run, x float64) (vm.Value, error) { return heap.Number(f(x)), nil })
	case func(float64, float64) float64:
		return func(r *run, c *vm.Call) (vm.Value, error) {
			x, err := floatArg(r, name, c, 0)
			if err != nil {
				return vm.Undefined, err
			}
			y, err := floatArg(r, name, c, 1)
			if err != nil {
				return vm.Undefined, err
			}
			return heap.Number(f(x, y)), nil
		}
	case func(float64) (float64, error):
		return with(name, floatArg, func(r *run, x float64) (vm.Value, error) {
			y, err := f(x)
			if err != nil {
				return vm.Undefined, r.hostError(name, err)
			}
			return heap.Number(y), nil
		})
	case func(float64) bool:
		return with(name, floatArg, func(r *run, x float64) (vm.Value, error) { return heap.Bool(f(x)), nil })
	case func(int) int:
		return with(name, intArg, func(r *run, x int) (vm.Value, error) { return r.intResult(int64(f(x))) })
	case func(int, int) int:
		return func(r *run, c *vm.Call) (vm.Value, error) {
			x, err := intArg(r, name, c, 0)
			if err != nil {
				return vm.Undefined, err
			}
			y, err := intArg(r, name, c, 1)
			if err != nil {
				return vm.Undefined, err
			}
			return r.intResult(int64(f(x, y)))
		}
	case func(int64) int64:
		return with(name, intArg, func(r *run, x int) (vm.Value, error) { return r.intResult(f(int64(x))) })
	case func(string):
		return with(name, textArg, func(r *run, s string) (vm.Value, error) { f(s); return vm.Undefined, nil })
	case func(string) string:
		return with(name, textArg, func(r *run, s string) (vm.Value, error) { return r.stringResult(f(s)) })
	case func(string) bool:
		return with(name, textArg, func(r *run, s string) (vm.Value, error) { return heap.Bool(f(s)), nil })
	case func(string) float64:
		return with(name, textArg, func(r *run, s string) (vm.Value, error) { return heap.Number(f(s)), nil })
	case func(string) int:
		return with(name, textArg, func(r *run, s string) (vm.Value, error) { return r.intResult(int64(f(s))) })
	case func(string) (string, error):
		return with(name, textArg, func(r *run, s string) (vm.Value, error) {
			t, err := f(s)
			if err != nil {
				return vm.Undefined, r.hostError(name, err)
			}
			return r.stringResult(t)
		})
	case func(context.Context, string) (string, error):
		return with(name, textArg, func(r *run, s string) (vm.Value, error) {
			t, err := f(r.context(), s)
			if err != nil {
				return vm.Undefined, r.hostError(name, err)
			}
			return r.stringResult(t)
		})
	case func(context.Context, float64) (float64, error):
		return with(name, floatArg, func(r *run, x float64) (vm.Value, error) {
			y, err := f(r.context(), x)
			if err != nil {
				return vm.Undefined, r.hostError(name, err)
			}
			return heap.Number(y), nil
		})
	}
	return nil
}

// with makes a call of one argument.
func with[T any](name string, arg func(r *run, name string, c *vm.Call, i int) (T, error), f func(r *run, x T) (vm.Value, error)) caller {
	return func(r *run, c *vm.Call) (vm.Value, error) {
		x, err := arg(r, name, c, 0)
		if err != nil {
			return vm.Undefined, err
		}
		return f(r, x)
	}
}

func floatArg(r *run, name string, c *vm.Call, i int) (float64, error) {
	v := c.Arg(i)
	if !v.IsNumber() {
		return 0, r.wrongArg(name, i, "a number", v)
	}
	return v.AsFloat(), nil
}

func intArg(r *run, name string, c *vm.Call, i int) (int, error) {
	v := c.Arg(i)
	if v.IsInt() {
		return int(v.AsInt()), nil
	}
	if v.IsNumber() {
		if f := v.AsFloat(); f == math.Trunc(f) && math.Abs(f) <= 1<<53 && float64(int(f)) == f {
			return int(f), nil
		}
	}
	return 0, r.wrongArg(name, i, "an integer", v)
}

func textArg(r *run, name string, c *vm.Call, i int) (string, error) {
	v := c.Arg(i)
	if !v.IsString() {
		return "", r.wrongArg(name, i, "a string", v)
	}
	return r.stringArg(v)
}

func (r *run) stringResult(s string) (vm.Value, error) {
	if int64(len(s)) > r.sb.limits.ResultBytes {
		return vm.Undefined, r.throwCode(vm.ErrorPrototype, CodeHost, "a host function returned a string that is too long")
	}
	if err := r.m.Charge(len(s) / 16); err != nil {
		return vm.Undefined, err
	}
	return r.m.NewString(membrane.ValidString(s))
}

func (r *run) intResult(i int64) (vm.Value, error) {
	if i > 1<<53 || i < -1<<53 {
		return vm.Undefined, r.throwCode(vm.ErrorPrototype, CodeHost, "a host function returned an integer beyond 2**53")
	}
	return heap.Int64(i), nil
}
