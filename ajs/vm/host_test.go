package vm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/ajs/vm"
)

// The context of a call has the call's time and ends with it, whether the
// function is called beside the run or on its goroutine, and whether anybody
// waits for it or only looks.
func TestContextOfCalls(t *testing.T) {
	for name, opts := range map[string][]vm.AtomOption{"beside": nil, "heeds": {vm.Heeds()}} {
		t.Run(name, func(t *testing.T) {
			var quick, waited context.Context
			wait, err := vm.Define("wait", func(c *vm.Call, in struct {
				How string `ajs:"how"`
			}) (string, error) {
				if d, ok := c.Context.Deadline(); !ok || time.Until(d) > 30*time.Millisecond {
					return "", errors.New("no deadline")
				}
				switch in.How {
				case "quick":
					quick = c.Context
					return "done", c.Context.Err()
				case "derived":
					ctx, cancel := context.WithCancel(c.Context)
					defer cancel()
					<-ctx.Done()
					return "", context.Cause(ctx)
				case "looks":
					for c.Context.Err() == nil {
						time.Sleep(time.Millisecond)
					}
					return "", c.Context.Err()
				}
				waited = c.Context
				<-c.Context.Done()
				return "", c.Context.Err()
			}, append(opts, vm.Timeout(30*time.Millisecond))...)
			if err != nil {
				t.Fatal(err)
			}
			p := program(t, `function f() {
  let out = [wait({ how: 'quick' })]
  for (const how of ['waits', 'derived', 'looks', 'waits']) {
    try { out.push(wait({ how })) } catch (e) { out.push(e) }
  }
  out.push(wait({ how: 'quick' }))
  return { out }
}`)
			res, err := vm.MustNew(wait).Run(context.Background(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			const late = `"Atom 'wait' timed out"`
			if got, want := js(res.Value), `{"out":["done",`+late+`,`+late+`,`+late+`,`+late+`,"done"]}`; got != want {
				t.Errorf("%s %v\nwant %s", got, res.Err, want)
			}
			for _, ctx := range []context.Context{quick, waited} {
				<-ctx.Done()
				if ctx.Err() == nil {
					t.Error("a context goes on after its call")
				}
			}
		})
	}
}
