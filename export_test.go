package pinfold

import (
	"context"

	"github.com/pinfold-js/pinfold/js/vm"
)

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
