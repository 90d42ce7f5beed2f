package pinfold

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/internal/worker"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/membrane"
)

// Options configure a Sandbox. The zero value is a sandbox with the default
// limits in which a program can compute and nothing else.
type Options struct {
	// Limits are the ceilings of each run.
	Limits Limits

	// Functions are what programs may call, by name.
	Functions []Function

	// Grants are the capabilities that programs have through the object ctx. nil
	// is no ctx at all; with an empty Grants ctx is there, and its functions say
	// that nothing was granted.
	Grants *Grants
	// Requires are the capabilities that programs declare. What is granted and
	// not declared can't be used. nil declares everything; an empty list nothing.
	Requires []Requirement
	// Quotas bound what each run may do with a capability.
	Quotas map[string]Quota
	// Audit is told of each call of a host function when it has ended, or was
	// refused, on the run's goroutine. It makes calls of synchronous functions
	// slower, as KeepCalls and Progress do.
	Audit func(HostCall)
	// KeepCalls is how many records of calls an outcome keeps: the first ones.
	KeepCalls int
	// Progress is told what host functions report by CallContext.Progress, on
	// their goroutines.
	Progress func(Progress)

	// Tape sees the calls of host functions, or answers them instead. A sandbox that
	// has one is for one run at a time.
	Tape Tape

	// Modules are source texts that programs may import, by specifier. A
	// specifier that ends in .json is JSON, one that ends in .ts TypeScript. One
	// that begins with ./ or ../ and isn't here by that name is looked for from
	// the folder of the module, or the program, that imports it.
	Modules map[string]string

	// Console is told of each console line as it comes, on the run's goroutine.
	// The lines are part of the Outcome as well.
	Console func(ConsoleLine)

	// Clock is what the programs take the time from; nil is the system's clock.
	Clock func() time.Time
	// FixedTime stops the programs' clock at an instant.
	FixedTime time.Time
	// Location is the programs' time zone; nil is UTC.
	Location *time.Location
	// Seed makes Math.random and crypto repeat themselves: equal seeds, equal
	// numbers. 0 is a new seed for each run, unless Deterministic is set. What
	// they give is no secret from someone who can guess a seed of 64 bits.
	Seed uint64
	// Deterministic makes runs repeat themselves exactly: the clock stands at
	// FixedTime (if that is zero, at the start of the year 2000), the time zone
	// is UTC, and Math.random starts from Seed.
	Deterministic bool

	// Timers gives programs setTimeout, setInterval, clearTimeout and
	// clearInterval, with node's rules for delays; ids are numbers. The run
	// waits for timers as long as its own promise is pending, within Timeout;
	// those that are left then are dropped. With FixedTime or Deterministic
	// nothing sleeps: once no host function is at work, the programs' clock
	// jumps to the next timer. Otherwise timers wait in real time, also when
	// Clock is set.
	Timers bool

	// RefuseNonErasable makes TypeScript that isn't types alone (enums,
	// namespaces with values, parameter properties, decorators) an error whose
	// hint is the rewrite. Without it such code is compiled as TypeScript does.
	RefuseNonErasable bool

	// LegacyDecorators gives decorators the meaning of TypeScript's option
	// experimentalDecorators, which allows them on parameters, instead of the
	// standard's.
	LegacyDecorators bool

	// Completion gives the body of a function that ends without return the value of
	// its last expression statement, as eval has it.
	Completion bool

	// DropOutput leaves out console lines beyond Limits.OutputLines and
	// OutputBytes, and says so in the outcome, instead of ending the run.
	DropOutput bool

	// PartialResults makes what a program returns, or throws, cross as far as it can:
	// see membrane.EncodePartial and Outcome.Partial. Without it a value that can't
	// cross whole is a failure of the kind result. Methods toJSON aren't called.
	PartialResults bool

	// Hardened freezes everything that ECMAScript's global object leads to, and
	// takes away what differs from run to run: Date.now, Math.random and the random
	// parts of crypto throw a TypeError, and new Date() is an invalid date, unless
	// FixedTime says what it is. Programs can't change built-in objects then; an
	// assignment to a property that an object inherits from a frozen one gives it
	// a property of its own, which ECMAScript would refuse.
	Hardened bool

	// Refused may change the words and the code of the errors that the library
	// itself makes for programs when a host function isn't called, or runs out of
	// its time. It is called on the run's goroutine.
	Refused func(*Error)

	// MissingModule replaces the message of the error that a program gets for a
	// module that isn't there: {specifier} and {available} stand in it for the
	// specifier and for the list of those that are.
	MissingModule string

	// NoEval makes eval and the Function constructors throw an EvalError.
	NoEval bool

	// NoExplain leaves out what is done to explain failures: what host functions
	// return is not recorded, and a run that fails by an uncaught error is not
	// run again to find out where the value that it stumbled over came from. Such
	// a second run calls nothing of the host. It is bounded by twice the fuel
	// that the run used and by what is left of Limits.Timeout.
	NoExplain bool

	// Limiter decides how many runs work at once, together with all other
	// sandboxes that have the same one; limiter.Shared is the process's own. A
	// run that gets no slot in time fails with the kind busy. nil is none: runs
	// are limited each by itself, however many there are.
	Limiter *limiter.Limiter
	// Admission says who runs, for the Limiter, where the context of a run
	// doesn't: see limiter.With.
	Admission limiter.Request

	ctxIn bool // of a worker: programs have ctx, whose functions are among Functions

	// Isolation says where programs run: in this process, or in processes of their
	// own, which Workers configure and main must allow for: see WorkerMain.
	Isolation Isolation
	Workers   Workers

	// SnapshotKey signs what Run.Suspend writes, and Resume takes nothing that
	// isn't signed with it. Without one, what Resume is given is checked through
	// and through.
	SnapshotKey []byte

	// Journal opens what the journal of a run is written to that Start, Resume,
	// Replay or Run.Fork begins, by the run's ID: each host call before it is
	// made and when it has ended, with what the clock said, so that Replay can go
	// on from it after the process has died at any moment. nil is none, and so is
	// a nil Writer; Run.Journal gives the journal in any case.
	//
	// The first Write is the journal up to then, each further one what comes next;
	// it may append to what there is of the run already. A call is made when the
	// Write has returned: a file outlives the process, one that was opened with
	// O_SYNC the machine. When a Write fails the run ends before the call, with
	// the kind internal. A Writer that is an io.Closer is closed when the run is
	// over or was written out.
	Journal func(run string) (io.Writer, error)

	// CacheBytes bounds the memory of the cache of compiled programs; 0 is 32
	// MiB. Programs that are held by the host cost it nothing more.
	CacheBytes int64
}

// deterministicTime is the time of deterministic runs that name none.
var deterministicTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxInputDepth is how deeply an input may be nested.
const maxInputDepth = 1000

const defaultCacheBytes = 32 << 20

// Sandbox is a configured factory of runs. It is made once, by New, and is
// immutable from then on: any number of goroutines may compile and run with it
// at the same time. It holds no goroutine and need not be closed, unless its
// Isolation is Process.
type Sandbox struct {
	opt                    Options
	limits                 Limits
	crossing               membrane.Limits // of results, and of what goes to and from host functions
	entering               membrane.Limits // of the input: the host chose it, and the memory limit bounds it
	functions              []*hostFunc
	async                  bool // some function is
	now                    func() float64
	modules                []string // specifiers, sorted
	cache                  programCache
	closing                closing
	numCaps                int         // capabilities of functions
	ctxFuncs               []*hostFunc // those of ctx, in the order of the template's; nil without ctx
	ctxOwn                 bool        // ctx has more than the template's
	fetchNamed             bool        // the name fetch is that of ctx.fetch
	streamNext, streamStop *hostFunc
	declared               func() [32]byte // hash of what snapshots must find again
	pool                   *worker.Pool    // of worker processes; nil if programs run in this one
	workers                Workers         // defaults filled in
	stress                 bool            // tests only: collect at every safepoint
}

// New makes a Sandbox. The error names everything that is wrong with the
// options.
func New(opt Options) (*Sandbox, error) {
	s := &Sandbox{opt: opt}
	s.opt.Functions = slices.Clone(opt.Functions)
	s.opt.SnapshotKey = slices.Clone(opt.SnapshotKey)
	var errs []error
	errs = append(errs, opt.Limits.Validate())
	var err error
	granted, err := opt.Grants.functions(opt.Requires)
	errs = append(errs, err)
	s.functions, err = prepareAll(append(s.opt.Functions, granted...))
	errs = append(errs, err, s.capabilities(), s.hideStreams(), s.findCtx())
	s.tapeAll()
	for _, f := range s.functions { //meter: the options of a sandbox
		if opt.Timers && timerNames[f.path[0]] {
			errs = append(errs, fmt.Errorf("the function %s has the name of a timer function: rename it, or leave Timers off", f.name))
		}
	}
	s.fetchNamed = s.namesFetch()
	if opt.Limiter == nil && opt.Admission != (limiter.Request{}) {
		errs = append(errs, errors.New("Admission is set and Limiter isn't: nothing would look at it"))
	}
	if opt.Isolation > Process {
		errs = append(errs, fmt.Errorf("there is no Isolation %d", opt.Isolation))
	}
	if opt.KeepCalls < 0 {
		errs = append(errs, fmt.Errorf("KeepCalls is %d: it must not be negative (0 keeps none)", opt.KeepCalls))
	}
	if opt.CacheBytes < 0 {
		errs = append(errs, fmt.Errorf("CacheBytes is %d: it must not be negative (0 means the default, %d)", opt.CacheBytes, defaultCacheBytes))
	}
	if opt.Clock != nil && !opt.FixedTime.IsZero() {
		errs = append(errs, errors.New("Clock and FixedTime exclude each other: set one of them"))
	}
	if opt.Deterministic && opt.Clock != nil {
		errs = append(errs, errors.New("Deterministic and Clock exclude each other: use FixedTime to choose the time"))
	}
	if opt.Deterministic && opt.Location != nil && opt.Location != time.UTC {
		errs = append(errs, errors.New("Deterministic and Location exclude each other: deterministic runs are in UTC"))
	}
	s.opt.Modules = map[string]string{}
	for name, src := range opt.Modules { //meter: the options of a sandbox
		if name == "" {
			errs = append(errs, errors.New("a module has no specifier"))
		}
		s.opt.Modules[name] = src
		s.modules = append(s.modules, name)
	}
	sort.Strings(s.modules)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("pinfold: %w", err)
	}
	s.limits = opt.Limits.WithDefaults()
	s.crossing = membrane.Limits{Depth: s.limits.ResultDepth, Nodes: s.limits.ResultNodes, Bytes: s.limits.ResultBytes}
	s.entering = membrane.Limits{Depth: max(s.limits.ResultDepth, maxInputDepth), Nodes: math.MaxInt, Bytes: s.limits.MemoryBytes}
	for _, f := range s.functions { //meter: the options of a sandbox
		s.async = s.async || f.async
	}
	if opt.Deterministic && opt.FixedTime.IsZero() {
		s.opt.FixedTime = deterministicTime
	}
	switch {
	case !s.opt.FixedTime.IsZero():
		ms := float64(s.opt.FixedTime.UnixMilli())
		s.now = func() float64 { return ms }
	case opt.Clock != nil:
		s.now = func() float64 { return float64(opt.Clock().UnixMilli()) }
	}
	s.declared = sync.OnceValue(s.declarationsHash)
	s.cache.limit = opt.CacheBytes
	if s.cache.limit == 0 {
		s.cache.limit = defaultCacheBytes
	}
	if opt.Isolation == Process {
		if err := s.isolate(); err != nil {
			return nil, fmt.Errorf("pinfold: %w", err)
		}
	}
	return s, nil
}

// Limits returns the limits of the runs, defaults filled in.
func (s *Sandbox) Limits() Limits { return s.limits }

// seed returns the seed of a run.
func (s *Sandbox) seed() uint64 {
	if s.opt.Deterministic || s.opt.Seed != 0 {
		return s.opt.Seed
	}
	return rand.Uint64()
}

// available lists the modules for messages.
func (s *Sandbox) available() string {
	if len(s.modules) == 0 {
		return "no module is available"
	}
	return "available: " + strings.Join(s.modules, ", ")
}

var tsName = regexp.MustCompile(`\.[cm]?ts$`)
var jsName = regexp.MustCompile(`\.[cm]?js$`)
