package pinfold

import (
	"context"
	"sync"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
)

// AnotherEngine makes the process's engine one that has a built-in function more.
// It must be called before anything else.
func AnotherEngine() {
	realm = sync.OnceValues(func() (*hostRealm, error) {
		t := &hostRealm{}
		var err error
		t.Realm, err = js.NewRealm(func(b *vm.Builder) {
			setupConsole(b)
			b.Method(b.Intrinsic(vm.ArrayPrototype), "another", 0, func(*vm.Machine, vm.Call) (vm.Value, error) { return vm.Undefined, nil })
			t.setup(b)
		})
		return t, err
	})
}

// Stress makes the runs of a sandbox collect garbage at every safepoint and
// poison what they free.
func (s *Sandbox) Stress() { s.stress = true }

// RunKeeping is Run, and then gives what the closed run's host functions do when
// they are called.
func (s *Sandbox) RunKeeping(ctx context.Context, p *Program) (o *Outcome, call func(name string) error) {
	r := &run{sb: s, ctx: ctx, p: p}
	return r.do(nil), func(name string) error {
		for _, h := range s.functions {
			if h.name == name {
				_, err := h.native(r)(r.m, vm.Call{})
				return err
			}
		}
		panic(name)
	}
}

// CloseBeforeCall closes a run in which a call of a function was made whose
// goroutine doesn't come to run until the run is closed, and then lets it run.
func (s *Sandbox) CloseBeforeCall(name string) (notes []string) {
	r := &run{sb: s, ctx: context.Background(), inflight: &inflight{done: make(chan settled), gone: make(chan struct{}), closing: &s.closing}}
	var c *asyncCall
	for _, h := range s.functions {
		if h.name == name {
			c = &asyncCall{fn: h}
		}
	}
	r.active = append(r.active, c)
	r.working[c.fn.cancel]++
	notes = r.close()
	r.inflight.work(c)
	return notes
}
