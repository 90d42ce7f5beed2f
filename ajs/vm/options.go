package vm

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math"
	mrand "math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// An Option sets one of a run's options.
type Option func(*options)

type options struct {
	fuel, timeoutMs, maxHeap, membraneMax, argsMax, maxSource float64

	quotas       map[string]float64
	quotaUsed    *QuotaUsed
	costs        map[string]float64
	costFuncs    map[string]func(ast.Object) float64
	timeouts     map[string]float64
	timeoutFuncs map[string]func(ast.Object) float64
	timeoutSet   map[string]bool
	byteQuotas   map[string]float64
	tokens       float64
	caps         Capabilities
	policy       Policy
	trace        bool
	traceBytes   int
	random       func() float64
	randomBytes  func([]byte)
	clock        func() time.Time
	bad          string // the first option that can't be
	fatal        error
}

// The defaults of the options.
const (
	DefaultFuel           = 1000
	DefaultMaxHeapBytes   = 64 << 20
	DefaultMembraneBytes  = 4 << 20
	DefaultArgsMaxBytes   = 4 << 20
	DefaultMaxSourceBytes = 8192
)

func newOptions(vm *VM) *options {
	return &options{
		fuel:        DefaultFuel,
		timeoutMs:   max(60_000, 2*float64(vm.slowest.Milliseconds())),
		maxHeap:     DefaultMaxHeapBytes,
		membraneMax: DefaultMembraneBytes,
		argsMax:     DefaultArgsMaxBytes,
		maxSource:   DefaultMaxSourceBytes,
		traceBytes:  1 << 20,
		tokens:      math.Inf(1),
		random:      mrand.Float64,
		randomBytes: func(b []byte) { _, _ = rand.Read(b) },
		clock:       time.Now,
	}
}

func (o *options) refuse(name, value, what string) {
	if o.bad == "" {
		o.bad = fmt.Sprintf("Invalid run option %s: %s — it must be a %s", name, clip(value, 200), what)
	}
}

// budget checks a budget: not negative, no NaN; Infinity is allowed.
func (o *options) budget(name string, v float64) float64 {
	if v < 0 || v != v {
		o.refuse(name, formatNumber(v), "non-negative number")
		return 0
	}
	return v
}

// WithFuel sets the fuel; 1000 without it. math.Inf(1) is no bound but time.
func WithFuel(f float64) Option { return func(o *options) { o.fuel = o.budget("fuel", f) } }

// WithTimeout sets the time a run may take; 0 is none at all.
func WithTimeout(d time.Duration) Option {
	return func(o *options) { o.timeoutMs = o.budget("timeoutMs", float64(d)/float64(time.Millisecond)) }
}

// WithMaxHeapBytes sets the ceiling of what is alive at once.
func WithMaxHeapBytes(n float64) Option {
	return func(o *options) { o.maxHeap = o.budget("maxHeapBytes", n) }
}

// WithMembraneMaxBytes sets how much may cross at once, in or out.
func WithMembraneMaxBytes(n float64) Option {
	return func(o *options) { o.membraneMax = o.budget("membraneMaxBytes", n) }
}

// WithArgsMaxBytes sets how large the arguments may be.
func WithArgsMaxBytes(n float64) Option {
	return func(o *options) { o.argsMax = o.budget("argsMaxBytes", n) }
}

// WithMaxSourceBytes bounds source that a program hands to runCode or
// transpileCode; it can only be lowered.
func WithMaxSourceBytes(n float64) Option {
	return func(o *options) { o.maxSource = o.budget("maxSourceBytes", n) }
}

// WithQuota bounds how often a run may call an atom; 0 forbids it.
func WithQuota(op string, n float64) Option {
	return func(o *options) { set(&o.quotas, op, o.budget("quotas."+op, n)) }
}

// WithQuotaUsed shares the counters of quotas among runs.
func WithQuotaUsed(u *QuotaUsed) Option { return func(o *options) { o.quotaUsed = u } }

// WithCost sets the cost of an atom for a run.
func WithCost(op string, fuel float64) Option {
	return func(o *options) { set(&o.costs, op, o.budget("costOverrides."+op, fuel)) }
}

// WithCostFunc sets the cost of an atom by its inputs.
func WithCostFunc(op string, f func(in ast.Object) float64) Option {
	return func(o *options) { set(&o.costFuncs, op, f) }
}

// WithAtomTimeout sets the time of an atom's calls for a run; 0 is any.
func WithAtomTimeout(op string, d time.Duration) Option {
	return func(o *options) {
		set(&o.timeouts, op, o.budget("timeoutOverrides."+op, float64(d)/float64(time.Millisecond)))
		set(&o.timeoutSet, op, true)
	}
}

// WithAtomTimeoutFunc sets the time of an atom's calls, in ms, by its inputs.
func WithAtomTimeoutFunc(op string, f func(in ast.Object) float64) Option {
	return func(o *options) {
		set(&o.timeoutFuncs, op, f)
		set(&o.timeoutSet, op, true)
	}
}

// WithByteQuota bounds the bytes that all calls of an atom in a run may send, as
// the membrane counts them.
func WithByteQuota(op string, n float64) Option {
	return func(o *options) { set(&o.byteQuotas, op, o.budget("byteQuotas."+op, n)) }
}

// WithTokenQuota bounds the tokens that models report with an Answer: once they
// are spent, llmPredict is refused.
func WithTokenQuota(n float64) Option {
	return func(o *options) { o.tokens = o.budget("tokens", n) }
}

// WithCapabilities grants capabilities.
func WithCapabilities(c Capabilities) Option { return func(o *options) { o.caps = c } }

// WithPolicy sets what httpFetch may do.
func WithPolicy(p Policy) Option { return func(o *options) { o.policy = p } }

// WithDomains adds to the hosts that httpFetch may reach.
func WithDomains(hosts ...string) Option {
	return func(o *options) { o.policy.Domains = append(slices.Clone(o.policy.Domains), hosts...) }
}

// WithTrace records an Event for each step.
func WithTrace() Option { return func(o *options) { o.trace = true } }

// WithTraceBytes bounds what a trace may take; a megabyte without it.
func WithTraceBytes(n int) Option { return func(o *options) { o.traceBytes = n } }

// WithDeterminism makes what chance and the clock give a function of seed and
// start: the same program and answers give the same run.
func WithDeterminism(seed uint64, start time.Time) Option {
	return func(o *options) {
		g := mrand.New(mrand.NewPCG(seed, 0x9E3779B97F4A7C15))
		o.random = g.Float64
		o.randomBytes = func(b []byte) {
			for i := range b {
				b[i] = byte(g.Uint32())
			}
		}
		o.clock = func() time.Time { return start }
	}
}

func set[V any](m *map[string]V, k string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[k] = v
}

// millis turns milliseconds into a duration; 0 and Infinity are no bound.
func millis(ms float64) time.Duration {
	if math.IsInf(ms, 1) {
		return 0
	}
	return time.Duration(min(ms, math.MaxInt32) * float64(time.Millisecond))
}

// QuotaUsed counts calls of atoms over several runs. The zero value is ready.
type QuotaUsed struct {
	mu sync.Mutex
	n  map[string]float64
}

// Get returns a count.
func (u *QuotaUsed) Get(op string) float64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.n[op]
}

// Set sets a count, such as one that was kept between two processes.
func (u *QuotaUsed) Set(op string, n float64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	set(&u.n, op, n)
}

// take counts one call if the larger of the count and own is under the quota.
func (u *QuotaUsed) take(op string, own, quota float64) (n float64, ok, valid bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	shared := u.n[op]
	if shared < 0 || !isFinite(shared) {
		return shared, false, false
	}
	n = max(shared, own)
	if n >= quota {
		return n, false, true
	}
	set(&u.n, op, n+1)
	return n + 1, true, true
}

func (o *options) quotaList(vm *VM) []float64 {
	if len(o.quotas) == 0 && o.quotaUsed == nil {
		return nil
	}
	out := make([]float64, len(vm.list))
	for i, a := range vm.list {
		out[i] = math.Inf(1)
		if q, ok := o.quotas[a.Name]; ok {
			out[i] = q
		}
	}
	return out
}

// quota counts a call of an atom, or fails.
func (r *run) quota(a *Atom) bool {
	q := r.quotas[a.num]
	own := r.used[a.num]
	if _, set := r.opts.quotas[a.Name]; !set && r.opts.quotaUsed == nil {
		return true
	}
	n, ok := own+1, own < q
	if r.opts.quotaUsed != nil {
		var valid bool
		if n, ok, valid = r.opts.quotaUsed.take(a.Name, own, q); !valid {
			return r.failf(KindQuota, a.Name, "Invalid quotaUsed.%s: %s — it must be a finite non-negative number", a.Name, formatNumber(n))
		}
	}
	if !ok {
		calls := "calls"
		if q == 1 {
			calls = "call"
		}
		return r.failf(KindQuota, a.Name, "Quota exceeded for '%s': %s %s allowed", a.Name, formatNumber(q), calls)
	}
	r.used[a.num] = n
	return true
}

// OptionsFromData reads run options as JSON data under their own names: fuel,
// timeoutMs, maxHeapBytes, membraneMaxBytes, argsMaxBytes, maxSourceBytes,
// quotas, quotaUsed, costOverrides, timeoutOverrides, trace, context. What is
// wrong comes back from the run, as everything about options does.
func OptionsFromData(d ast.Object) Option {
	return func(o *options) {
		num := func(name string, v any, what string) (float64, bool) {
			f, ok := v.(float64)
			if !ok || f < 0 || f != f {
				o.refuse(name, show(v), what)
				return 0, false
			}
			return f, true
		}
		const budget = "non-negative number"
		table := func(name string, v any, what string, f func(k string, n float64)) {
			t, ok := v.(ast.Object)
			if !ok {
				o.refuse(name, show(v), "plain object of numbers")
				return
			}
			for _, e := range t {
				if n, ok := num(name+"."+e.Key, e.Value, what); ok {
					f(e.Key, n)
				}
			}
		}
		for _, e := range d {
			switch e.Key {
			case "fuel", "timeoutMs", "maxHeapBytes", "membraneMaxBytes", "argsMaxBytes", "maxSourceBytes":
				f, ok := num(e.Key, e.Value, budget)
				if !ok {
					continue
				}
				switch e.Key {
				case "fuel":
					o.fuel = f
				case "timeoutMs":
					o.timeoutMs = f
				case "maxHeapBytes":
					o.maxHeap = f
				case "membraneMaxBytes":
					o.membraneMax = f
				case "argsMaxBytes":
					o.argsMax = f
				default:
					o.maxSource = f
				}
			case "quotas":
				table(e.Key, e.Value, budget, func(k string, n float64) { set(&o.quotas, k, n) })
			case "quotaUsed":
				u := &QuotaUsed{}
				table(e.Key, e.Value, "finite non-negative number", u.Set)
				o.quotaUsed = u
			case "costOverrides":
				table(e.Key, e.Value, budget, func(k string, n float64) { set(&o.costs, k, n) })
			case "timeoutOverrides":
				table(e.Key, e.Value, budget, func(k string, n float64) {
					set(&o.timeouts, k, n)
					set(&o.timeoutSet, k, true)
				})
			case "trace":
				o.trace = e.Value == true
			case "context":
				c, ok := e.Value.(ast.Object)
				if !ok {
					o.refuse(e.Key, show(e.Value), "plain object")
					continue
				}
				o.policy = policyFromData(c)
			default:
				o.refuse(e.Key, show(e.Value), "known option (fuel, timeoutMs, maxHeapBytes, membraneMaxBytes, argsMaxBytes, maxSourceBytes, quotas, quotaUsed, costOverrides, timeoutOverrides, trace, context)")
			}
		}
	}
}

func show(v any) string {
	if f, ok := v.(float64); ok {
		return formatNumber(f)
	}
	b, err := ast.AppendData(nil, v)
	if err != nil {
		return fmt.Sprintf("a %T", v)
	}
	return string(b)
}

// uuid returns a random UUID, RFC 9562 version 4.
func (o *options) uuid() string {
	var b [16]byte
	o.randomBytes(b[:])
	b[6] = b[6]&0x0F | 0x40
	b[8] = b[8]&0x3F | 0x80
	hi, lo := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xFFFF, hi&0xFFFF, lo>>48, lo&(1<<48-1))
}
