package pinfold

import (
	"errors"
	"fmt"
	"time"

	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// Limits are the ceilings of one run. A zero field means its default, never
// "unlimited"; a negative one is an error when the Sandbox is made. The zero
// value is fit for a program nobody has read.
type Limits struct {
	// MemoryBytes bounds the bytes of the run's heap that are alive, or not yet
	// collected, at any time. Default 256 MiB. Kind memory.
	MemoryBytes int64
	// AllocatedBytes bounds the bytes asked for over the whole run, collected
	// or not. Default 16 times MemoryBytes: 4 GiB. Kind memory.
	AllocatedBytes int64
	// Fuel bounds the work: about one unit for each instruction, and in
	// proportion for built-ins. Default 200 million: some seconds. Kind fuel.
	Fuel int64
	// Timeout bounds the wall time, waiting for host functions included.
	// Default 10 s. Kind time.
	Timeout time.Duration
	// CallDepth bounds the calls of script functions inside each other. Default
	// 2000. Kind stack.
	CallDepth int
	// NativeDepth bounds the nesting of built-ins that call back into the
	// script: getters, conversions, comparators, proxies. Default 1000. Kind
	// stack.
	NativeDepth int
	// OutputBytes and OutputLines bound what the console takes. Defaults 256
	// KiB and 5000. Kind output.
	OutputBytes int64
	OutputLines int
	// OutputLineBytes cuts each console line to as many bytes, the mark "… [cut]"
	// included. 0 is no bound of its own; otherwise at least 32.
	OutputLineBytes int
	// SourceBytes bounds the source text of a program, of each module, and of
	// what eval and Function compile. Default 1 MiB. Kind source.
	SourceBytes int64
	// ResultBytes and ResultDepth bound the value that a run returns, as JSON,
	// and each value that goes to or comes from a host function. Defaults 4 MiB
	// and 64. Kind result. (The input is bounded by MemoryBytes.)
	ResultBytes int64
	ResultDepth int
	// ResultNodes bounds the values in each of them. Default 1 million. Kind result.
	ResultNodes int
	// HostCalls bounds the calls of host functions. Default 1000. Kind
	// hostcalls.
	HostCalls int64
	// ConcurrentHostCalls bounds the asynchronous host functions that are at
	// work at once. Further calls begin as others end, in the order in which
	// they were made. Default 64.
	ConcurrentHostCalls int
	// AtomicGrace bounds how long the end of a run waits for host functions
	// that are Atomic. Default 30 s.
	AtomicGrace time.Duration
}

// defaultLimits are what the zero Limits mean.
var defaultLimits = Limits{
	MemoryBytes:    256 << 20,
	AllocatedBytes: 4 << 30,
	Fuel:           200_000_000,
	Timeout:        10 * time.Second,
	CallDepth:      2000,
	NativeDepth:    1000,
	OutputBytes:    256 << 10,
	OutputLines:    5000,
	SourceBytes:    1 << 20,
	ResultBytes:    4 << 20,
	ResultNodes:    membrane.DefaultNodes,
	ResultDepth:    64,
	HostCalls:      1000,

	ConcurrentHostCalls: 64,
	AtomicGrace:         30 * time.Second,
}

// allocatedPerMemory is how many times a run may go through its memory: enough
// for honest programs that build strings and arrays all the time, and a bound on
// the work of the collector.
const allocatedPerMemory = 16

// maxNativeDepth is the most that NativeDepth may be: Go's stack is limited.
const maxNativeDepth = 10_000

// WithDefaults returns the limits with zero fields replaced by their defaults.
func (l Limits) WithDefaults() Limits {
	if l.AllocatedBytes == 0 && l.MemoryBytes > 0 {
		if l.AllocatedBytes = l.MemoryBytes * allocatedPerMemory; l.AllocatedBytes/allocatedPerMemory != l.MemoryBytes {
			l.AllocatedBytes = 1 << 62
		}
	}
	d := defaultLimits
	orDefault(&l.MemoryBytes, d.MemoryBytes)
	orDefault(&l.AllocatedBytes, d.AllocatedBytes)
	orDefault(&l.Fuel, d.Fuel)
	orDefault(&l.Timeout, d.Timeout)
	orDefault(&l.CallDepth, d.CallDepth)
	orDefault(&l.NativeDepth, d.NativeDepth)
	orDefault(&l.OutputBytes, d.OutputBytes)
	orDefault(&l.OutputLines, d.OutputLines)
	orDefault(&l.SourceBytes, d.SourceBytes)
	orDefault(&l.ResultBytes, d.ResultBytes)
	orDefault(&l.ResultDepth, d.ResultDepth)
	orDefault(&l.ResultNodes, d.ResultNodes)
	orDefault(&l.HostCalls, d.HostCalls)
	orDefault(&l.ConcurrentHostCalls, d.ConcurrentHostCalls)
	orDefault(&l.AtomicGrace, d.AtomicGrace)
	return l
}

func orDefault[T int | int64 | time.Duration](v *T, d T) {
	if *v == 0 {
		*v = d
	}
}

// Validate reports every field that is wrong.
func (l Limits) Validate() error {
	var errs []error
	d := defaultLimits
	check := func(name string, v, def int64) {
		if v < 0 {
			errs = append(errs, fmt.Errorf("Limits.%s is %d: it must not be negative (0 means the default, %d)", name, v, def))
		}
	}
	check("MemoryBytes", l.MemoryBytes, d.MemoryBytes)
	check("AllocatedBytes", l.AllocatedBytes, d.AllocatedBytes)
	check("Fuel", l.Fuel, d.Fuel)
	if l.Timeout < 0 {
		errs = append(errs, fmt.Errorf("Limits.Timeout is %v: it must not be negative (0 means the default, %v)", l.Timeout, d.Timeout))
	}
	check("CallDepth", int64(l.CallDepth), int64(d.CallDepth))
	check("NativeDepth", int64(l.NativeDepth), int64(d.NativeDepth))
	if l.NativeDepth > maxNativeDepth {
		errs = append(errs, fmt.Errorf("Limits.NativeDepth is %d: it must be at most %d", l.NativeDepth, maxNativeDepth))
	}
	check("OutputBytes", l.OutputBytes, d.OutputBytes)
	check("OutputLines", int64(l.OutputLines), int64(d.OutputLines))
	if l.OutputLineBytes < 0 || l.OutputLineBytes > 0 && l.OutputLineBytes < 32 {
		errs = append(errs, fmt.Errorf("Limits.OutputLineBytes is %d: it must be 32 or more (0 is no bound)", l.OutputLineBytes))
	}
	check("SourceBytes", l.SourceBytes, d.SourceBytes)
	check("ResultBytes", l.ResultBytes, d.ResultBytes)
	check("ResultNodes", int64(l.ResultNodes), int64(d.ResultNodes))
	check("ResultDepth", int64(l.ResultDepth), int64(d.ResultDepth))
	if l.ResultDepth > 1000 {
		errs = append(errs, fmt.Errorf("Limits.ResultDepth is %d: it must be at most 1000", l.ResultDepth))
	}
	check("HostCalls", l.HostCalls, d.HostCalls)
	check("ConcurrentHostCalls", int64(l.ConcurrentHostCalls), int64(d.ConcurrentHostCalls))
	if l.AtomicGrace < 0 {
		errs = append(errs, fmt.Errorf("Limits.AtomicGrace is %v: it must not be negative (0 means the default, %v)", l.AtomicGrace, d.AtomicGrace))
	}
	return errors.Join(errs...)
}

// meter returns the part that the meter watches.
func (l *Limits) meter() meter.Limits {
	return meter.Limits{
		Fuel: l.Fuel, LiveBytes: l.MemoryBytes, RequestedBytes: l.AllocatedBytes,
		Depth: l.CallDepth, NativeDepth: l.NativeDepth, Timeout: l.Timeout,
	}
}

// Usage is what a run has used. It is part of every outcome.
type Usage struct {
	Fuel           int64         // units of work
	PeakBytes      int64         // most bytes of the heap at any time
	AllocatedBytes int64         // bytes asked for over the whole run
	Wall           time.Duration // from the start of the run to its outcome
	HostCalls      int64         // calls of host functions
	OutputBytes    int64         // bytes of the console lines
	Waited         time.Duration // for a slot of Options.Limiter, before the run; no part of Wall
	Stragglers     int           // host functions that had not returned when the run was closed
}
