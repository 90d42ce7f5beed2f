package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
)

// Name is the tool's name.
const Name = "evaluate_javascript"

// Gate decides on an evaluation before anything happens. An error is none of
// the two answers: see Evaluator.Evaluate for what becomes of it. The context ends
// with the turn, or when GateTimeout is over.
type Gate func(ctx context.Context, call GateCall) (Decision, error)

// GateCall is what a gate decides on.
type GateCall struct {
	Tool    string
	Source  string
	Timeout time.Duration
	// Hash is the same for the same source under the same configuration: what an
	// earlier decision can be remembered by.
	Hash string
}

// Decision is a gate's answer. The zero Decision is a no.
type Decision struct {
	Approved bool
	Note     string // for the model, when it is a no
}

// ErrGateAborted is what a gate returns that was called off.
var ErrGateAborted error = GateAborted

// AllowAll is a gate that says yes: for hosts whose guests can do no harm.
func AllowAll(context.Context, GateCall) (Decision, error) { return Decision{Approved: true}, nil }

// DenyAll is a gate that says no: for hosts where nobody can be asked.
func DenyAll(context.Context, GateCall) (Decision, error) {
	return Decision{Note: "nobody can approve evaluations here"}, nil
}

// Global is a function that is injected. Guests call it by name and get a promise.
type Global struct {
	// Func gets copies of the arguments, as pinfold.Value.Any gives them, and
	// returns data that can cross (see package membrane). It must end when its
	// context does, as Cancellation says.
	Func func(ctx context.Context, args []any) (any, error)
	// Cancellation says what happens to calls that are at work when the guest's
	// time is over. There is no default.
	Cancellation pinfold.Cancellation
	// Doc says in a sentence what it does, and Type how it is called, in
	// TypeScript: "(id: string) => Promise<Order>". Both are for the description.
	Doc, Type string
}

// Module is what guests can import by a specifier. One of the fields is set.
type Module struct {
	// Data is a JSON value: guests get a frozen copy, as default export, and the
	// properties of an object as exports of their own.
	Data json.RawMessage
	// Source is JavaScript, or TypeScript if the specifier ends in .ts. It runs in
	// the guest and may import other modules of the configuration.
	Source string
	Doc    string
}

// Limits bound what is logged and what crosses. A zero field is its default.
type Limits struct {
	MaxLogEventBytes int // 8192; at least 32
	MaxLogEvents     int // 1000; at least 1
	// LogDrainMs is how long a log is waited for after the guest's end; nil is 250
	// ms. Logs come in order and before the outcome, so nothing is waited for but
	// what a lost worker had sent.
	LogDrainMs              *int
	CodecMaxDepth           int // 32; at least 4
	CodecMaxNodes           int // 10 000; at least 16
	MaxHostcallBytes        int // 1 000 000; at least 4096
	MaxTerminalPayloadBytes int // 10 000 000; at least 4096
}

// Quotas bound host calls. A zero field is its default.
type Quotas struct {
	HostcallTimeoutMs         int // 10 000
	MaxHostcallsPerEvaluation int // 1000
	MaxConcurrentHostcalls    int // 8
}

// Config configures the tool. Gate is required.
type Config struct {
	Gate Gate
	// GateTimeout bounds how long the gate may take. Default 300 s.
	GateTimeout time.Duration
	Globals     map[string]Global
	Modules     map[string]Module
	Limits      Limits
	Quotas      Quotas
	// DefaultTimeout is that of evaluations that name none, MaxTimeout the most
	// that they can ask for: more is cut to it. Defaults 30 s and 120 s.
	DefaultTimeout, MaxTimeout time.Duration
	// Soft leaves the realm as ECMAScript has it: built-in objects can be changed,
	// Date.now and Math.random work. Without it the guest is hardened.
	Soft bool
	// Sandbox says where guests run, and their memory: of its fields Isolation,
	// Workers, Limiter, Admission, FixedTime, Seed, Deterministic, Location and
	// Limits' MemoryBytes, AllocatedBytes, Fuel, CallDepth, NativeDepth and
	// SourceBytes are used, and no others may be set. Fuel without a limit is time
	// alone.
	Sandbox pinfold.Options
}

// floor is a limit with its default and least value.
type floor struct {
	group, field string
	value        *int
	def, least   int
}

func (c *Config) floors() []floor {
	l, q := &c.Limits, &c.Quotas
	return []floor{
		{"limits", "maxLogEventBytes", &l.MaxLogEventBytes, 8192, 32},
		{"limits", "maxLogEvents", &l.MaxLogEvents, 1000, 1},
		{"limits", "codecMaxDepth", &l.CodecMaxDepth, 32, 4},
		{"limits", "codecMaxNodes", &l.CodecMaxNodes, 10_000, 16},
		{"limits", "maxHostcallBytes", &l.MaxHostcallBytes, 1_000_000, 4096},
		{"limits", "maxTerminalPayloadBytes", &l.MaxTerminalPayloadBytes, 10_000_000, 4096},
		{"hostcallQuotas", "hostcallTimeoutMs", &q.HostcallTimeoutMs, 10_000, 1},
		{"hostcallQuotas", "maxHostcallsPerEvaluation", &q.MaxHostcallsPerEvaluation, 1000, 1},
		{"hostcallQuotas", "maxConcurrentHostcalls", &q.MaxConcurrentHostcalls, 8, 1},
	}
}

// check fills in defaults and says what is wrong.
func (c *Config) check() error {
	if c.Gate == nil {
		return &Error{Code: GateRequired, Message: "evaluate_javascript requires a gate", Narration: Misconfigured}
	}
	for _, f := range c.floors() {
		if *f.value == 0 {
			*f.value = f.def
		}
		if *f.value < f.least {
			return invalid("%s.%s=%d must be a finite integer >= %d", f.group, f.field, *f.value, f.least)
		}
	}
	if d := c.Limits.LogDrainMs; d != nil && *d < 0 {
		return invalid("limits.logDrainMs=%d must be a finite integer >= 0", *d)
	}
	for _, d := range []struct {
		name string
		v    *time.Duration
		def  time.Duration
	}{{"GateTimeout", &c.GateTimeout, 300 * time.Second}, {"MaxTimeout", &c.MaxTimeout, 120 * time.Second}, {"DefaultTimeout", &c.DefaultTimeout, 30 * time.Second}} {
		if *d.v < 0 {
			return invalid("%s is %v: it must not be negative (0 is the default, %v)", d.name, *d.v, d.def)
		}
		if *d.v == 0 {
			*d.v = d.def
		}
	}
	c.DefaultTimeout = min(c.DefaultTimeout, c.MaxTimeout)
	o := c.Sandbox
	for name, set := range map[string]bool{
		"Functions": o.Functions != nil, "Grants": o.Grants != nil, "Requires": o.Requires != nil, "Quotas": o.Quotas != nil,
		"Modules": o.Modules != nil, "Console": o.Console != nil, "Audit": o.Audit != nil, "KeepCalls": o.KeepCalls != 0,
		"Hardened": o.Hardened, "Completion": o.Completion, "DropOutput": o.DropOutput, "PartialResults": o.PartialResults, "Refused": o.Refused != nil, "MissingModule": o.MissingModule != "",
		"Limits.Timeout": o.Limits.Timeout != 0, "Limits.HostCalls": o.Limits.HostCalls != 0,
		"Limits.OutputBytes": o.Limits.OutputBytes != 0, "Limits.OutputLines": o.Limits.OutputLines != 0, "Limits.OutputLineBytes": o.Limits.OutputLineBytes != 0,
		"Limits.ResultBytes": o.Limits.ResultBytes != 0, "Limits.ResultDepth": o.Limits.ResultDepth != 0, "Limits.ResultNodes": o.Limits.ResultNodes != 0,
	} {
		if set {
			return invalid("Sandbox.%s is set: the configuration of evaluate_javascript decides on it", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Globals)) {
		if c.Globals[name].Func == nil {
			return invalid("globals.%s has no function", name)
		}
		if c.Globals[name].Cancellation == 0 {
			return invalid("globals.%s says nothing about cancellation: set it to Killable, Cooperative or Atomic", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Modules)) {
		m := c.Modules[name]
		switch {
		case (m.Data == nil) == (m.Source == ""):
			return invalid("modules.%s must have either data or source", name)
		case m.Data != nil && !json.Valid(m.Data):
			return invalid("modules.%s: its data is not JSON", name)
		}
	}
	return nil
}

// options are those of the sandbox.
func (c *Config) options() (pinfold.Options, error) {
	o := c.Sandbox
	l := &o.Limits
	l.Timeout = c.MaxTimeout + time.Second // an evaluation's own context ends it
	l.HostCalls = 1 << 40                  // the quota refuses, and the time ends
	l.OutputLines, l.OutputLineBytes = c.Limits.MaxLogEvents, c.Limits.MaxLogEventBytes
	l.OutputBytes = int64(c.Limits.MaxLogEvents) * int64(c.Limits.MaxLogEventBytes+1)
	l.ResultDepth, l.ResultNodes = c.Limits.CodecMaxDepth, c.Limits.CodecMaxNodes
	l.ResultBytes = int64(c.Limits.MaxTerminalPayloadBytes)
	l.ConcurrentHostCalls = c.Quotas.MaxConcurrentHostcalls
	if l.Fuel == 0 {
		l.Fuel = 1 << 60
	}
	o.Hardened, o.Completion, o.DropOutput, o.PartialResults = !c.Soft, true, true, true
	o.KeepCalls = c.Quotas.MaxHostcallsPerEvaluation
	o.Quotas = map[string]pinfold.Quota{}
	o.Refused = reword
	o.MissingModule = `module "{specifier}" is not available ({available})`
	for _, name := range slices.Sorted(maps.Keys(c.Globals)) {
		o.Functions = append(o.Functions, c.function(name, c.Globals[name]))
	}
	if len(o.Functions) > 0 {
		o.Quotas[hostcall] = pinfold.Quota{Calls: int64(c.Quotas.MaxHostcallsPerEvaluation), Concurrent: c.Quotas.MaxConcurrentHostcalls, Refuse: true}
	}
	o.Modules = map[string]string{}
	for name, m := range c.Modules {
		src := m.Source
		if m.Data != nil {
			var err error
			if src, err = dataModule(m.Data); err != nil {
				return o, invalid("modules.%s: %v", name, err)
			}
			if strings.HasSuffix(name, ".json") {
				src = string(m.Data)
			}
		}
		o.Modules[name] = src
	}
	return o, nil
}

// hostcall is the capability that all injected functions belong to: the quotas
// are for them together.
const hostcall = "hostcall"

// reword gives refusals the codes of the protocol.
func reword(e *pinfold.Error) {
	switch e.Code {
	case pinfold.CodeQuota:
		e.Code, e.Message = string(HostcallQuota), "Hostcall quota exceeded: "+e.Message
	case pinfold.CodeTimeout:
		e.Code, e.Message = string(HostcallTimeout), "Hostcall timed out: "+e.Message
	}
}

// function makes a host function of a global.
func (c *Config) function(name string, g Global) pinfold.Function {
	most := c.Limits.MaxHostcallBytes
	return pinfold.Function{
		Name: name, Capability: hostcall, Async: true, Cancel: g.Cancellation, Doc: g.Doc, Declaration: g.Type,
		Timeout: time.Duration(c.Quotas.HostcallTimeoutMs) * time.Millisecond,
		Func: func(ctx context.Context, args ...pinfold.Value) (any, error) {
			size := len(name)
			in := make([]any, len(args))
			for i, a := range args {
				if size += len(a.JSON()); size > most {
					return nil, &pinfold.Error{Code: string(HostcallLarge), Message: fmt.Sprintf("Hostcall arguments exceed byte limit (%d)", most)}
				}
				x, err := a.Any()
				if err != nil {
					return nil, &pinfold.Error{Code: pinfold.CodeArgument, Message: fmt.Sprintf("%s: argument %d: %v", name, i+1, err)}
				}
				in[i] = x
			}
			out, err := g.Func(ctx, in)
			if err != nil {
				return pinfold.Value{}, err
			}
			if sizeOf(out) > most {
				return nil, &pinfold.Error{Code: string(HostcallLarge), Message: fmt.Sprintf("Hostcall result exceeds byte limit (%d)", most)}
			}
			return out, nil
		},
	}
}

// sizeOf is how many bytes a result has as JSON; what JSON can't hold is for the
// membrane to judge.
func sizeOf(x any) int {
	switch x := x.(type) {
	case nil:
		return 4
	case string:
		return len(x) + 2
	case []byte:
		return len(x)
	case json.RawMessage:
		return len(x)
	case pinfold.Value:
		return len(x.JSON())
	}
	b, err := json.Marshal(x)
	if err != nil {
		return 0
	}
	return len(b)
}

// dataModule is the source of a module of data.
func dataModule(data json.RawMessage) (string, error) {
	text, err := json.Marshal(string(data)) // a JSON string is a JavaScript string
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("const freeze = x => { if (x !== null && typeof x === 'object') { Object.freeze(x); for (const k of Object.keys(x)) freeze(x[k]) } return x };\n")
	b.WriteString("const data = freeze(JSON.parse(" + string(text) + "));\nexport default data;\n")
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) == nil {
		for i, k := range slices.Sorted(maps.Keys(fields)) {
			name, err := json.Marshal(k)
			if err != nil {
				return "", err
			}
			if k != "default" {
				fmt.Fprintf(&b, "const v%d = data[%s];\nexport { v%d as %s };\n", i, name, i, name)
			}
		}
	}
	return b.String(), nil
}
