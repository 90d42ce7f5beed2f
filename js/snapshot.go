package js

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// LoadMachine makes a machine from a snapshot that Machine.Snapshot wrote: see
// vm.Realm.LoadMachine.
func (r *Realm) LoadMachine(mt *meter.Meter, opt vm.Options, rd *heap.SnapReader, lo vm.LoadOptions) (*vm.Machine, error) {
	return r.r.LoadMachine(mt, opt, evalCompiler{}, rd, lo)
}

// Hash identifies the realm, and the engine: a snapshot fits one hash.
func (r *Realm) Hash() [32]byte { return r.r.Hash() }
