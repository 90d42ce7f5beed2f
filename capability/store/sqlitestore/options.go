package sqlitestore

import (
	"time"

	"github.com/pinfold-js/pinfold/capability/store"
)

// Options are what Open needs besides the file. The zero Options are ready to
// use.
type Options struct {
	Limits store.Limits // quotas of each namespace
	// Wait is how long a call waits for writers of other processes before it
	// fails with code Busy; 0 is 5 s.
	Wait time.Duration
}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	if o.Wait <= 0 {
		o.Wait = 5 * time.Second
	}
	return o
}
