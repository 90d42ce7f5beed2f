package limiter

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Config says how many runs may work at once. A zero field means its default;
// a negative one is an error.
type Config struct {
	// MaxConcurrentRuns is the number of slots. Default 8.
	MaxConcurrentRuns int
	// MaxTotalBytes bounds the live bytes of all runs together. Default 2 GiB.
	MaxTotalBytes int64
	// MaxWait bounds how long a request waits for a slot. Default 10 s.
	MaxWait time.Duration
	// ReservedForInterceptors are the slots that tools and snippets leave to hooks and
	// deciders. Default 2.
	ReservedForInterceptors int
	// MaxRunsPerCaller bounds the slots that the tools and snippets of one
	// caller hold. Default 3.
	MaxRunsPerCaller int
	// MaxInterceptorsPerOwner bounds the slots that the hooks of one owner hold.
	// Default 2.
	MaxInterceptorsPerOwner int
	// MaxRunsPerDecider bounds the slots that the logic of one decider holds.
	// Default 2.
	MaxRunsPerDecider int
	// Clock is what waiting is measured by; nil is the system's.
	Clock Clock
}

var defaults = Config{
	MaxConcurrentRuns: 8, MaxTotalBytes: 2 << 30, MaxWait: 10 * time.Second,
	ReservedForInterceptors: 2, MaxRunsPerCaller: 3, MaxInterceptorsPerOwner: 2, MaxRunsPerDecider: 2,
}

// maxSlots is the most slots there may be.
const maxSlots = math.MaxInt32

// WithDefaults returns the configuration with zero fields replaced by their
// defaults.
func (c Config) WithDefaults() Config {
	for _, f := range []struct {
		v *int
		d int
	}{
		{&c.MaxConcurrentRuns, defaults.MaxConcurrentRuns}, {&c.ReservedForInterceptors, defaults.ReservedForInterceptors},
		{&c.MaxRunsPerCaller, defaults.MaxRunsPerCaller}, {&c.MaxInterceptorsPerOwner, defaults.MaxInterceptorsPerOwner},
		{&c.MaxRunsPerDecider, defaults.MaxRunsPerDecider},
	} {
		if *f.v == 0 {
			*f.v = f.d
		}
	}
	if c.MaxTotalBytes == 0 {
		c.MaxTotalBytes = defaults.MaxTotalBytes
	}
	if c.MaxWait == 0 {
		c.MaxWait = defaults.MaxWait
	}
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	return c
}

// Validate reports every field that is wrong.
func (c Config) Validate() error {
	var errs []error
	for _, f := range []struct {
		name string
		v, d int64
	}{
		{"MaxConcurrentRuns", int64(c.MaxConcurrentRuns), int64(defaults.MaxConcurrentRuns)},
		{"MaxTotalBytes", c.MaxTotalBytes, defaults.MaxTotalBytes},
		{"ReservedForInterceptors", int64(c.ReservedForInterceptors), int64(defaults.ReservedForInterceptors)},
		{"MaxRunsPerCaller", int64(c.MaxRunsPerCaller), int64(defaults.MaxRunsPerCaller)},
		{"MaxInterceptorsPerOwner", int64(c.MaxInterceptorsPerOwner), int64(defaults.MaxInterceptorsPerOwner)},
		{"MaxRunsPerDecider", int64(c.MaxRunsPerDecider), int64(defaults.MaxRunsPerDecider)},
	} {
		if f.v < 0 {
			errs = append(errs, fmt.Errorf("Config.%s is %d: it must not be negative (0 means the default, %d)", f.name, f.v, f.d))
		}
	}
	if c.MaxWait < 0 {
		errs = append(errs, fmt.Errorf("Config.MaxWait is %v: it must not be negative (0 means the default, %v)", c.MaxWait, defaults.MaxWait))
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	d := c.WithDefaults()
	if d.MaxConcurrentRuns > maxSlots {
		errs = append(errs, fmt.Errorf("Config.MaxConcurrentRuns is %d: it must be at most %d", d.MaxConcurrentRuns, maxSlots))
	} else if d.MaxConcurrentRuns-2 < d.ReservedForInterceptors {
		errs = append(errs, fmt.Errorf("Config.MaxConcurrentRuns is %d and ReservedForInterceptors %d: there must be at least two slots more than are reserved", d.MaxConcurrentRuns, d.ReservedForInterceptors))
	}
	return errors.Join(errs...)
}

// Clock tells the time and wakes who waits. Tests have their own.
type Clock interface {
	Now() time.Time
	// Timer returns a channel that gets a value once d has passed, and what
	// stops it before.
	Timer(d time.Duration) (fired <-chan time.Time, stop func())
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Timer(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}
