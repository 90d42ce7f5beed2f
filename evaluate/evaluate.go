package evaluate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/tool"
)

// Evaluator evaluates sources of models. It is immutable and safe for use by many
// goroutines.
type Evaluator struct {
	cfg     Config
	sandbox *pinfold.Sandbox
	def     tool.Definition
	hash    string // of the configuration
}

var _ tool.Tool = (*Evaluator)(nil)

// New makes an Evaluator. The error is an *Error with a code for the
// configuration, or that of pinfold.New.
func New(cfg Config) (*Evaluator, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.Globals, cfg.Modules = maps.Clone(cfg.Globals), maps.Clone(cfg.Modules)
	opt, err := cfg.options()
	if err != nil {
		return nil, err
	}
	if opt.Limiter == nil {
		opt.Limiter = limiter.Shared()
	}
	s, err := pinfold.New(opt)
	if err != nil {
		return nil, &Error{Code: InvalidConfig, Message: err.Error(), Narration: Misconfigured, cause: err}
	}
	e := &Evaluator{cfg: cfg, sandbox: s}
	e.def = tool.Definition{
		Name: Name, InputSchema: json.RawMessage(fmt.Sprintf(inputSchema, cfg.DefaultTimeout.Seconds(), cfg.MaxTimeout.Seconds())),
		ParallelSafe: true, Untrusted: true, Description: e.describe(),
	}
	sum := sha256.Sum256([]byte(e.def.Description + string(e.def.InputSchema)))
	e.hash = hex.EncodeToString(sum[:])
	return e, nil
}

const inputSchema = `{"type":"object","properties":{` +
	`"source":{"type":"string","description":"one JavaScript expression, or the body of an async function (await and return work at the top level); TypeScript's types are left out"},` +
	`"timeout_seconds":{"type":"number","minimum":1,"description":"default %v; more than %v is cut to that"}},` +
	`"required":["source"],"additionalProperties":false}`

// describe tells the model what the guest has.
func (e *Evaluator) describe() string {
	var b strings.Builder
	b.WriteString("Evaluates JavaScript in a guest and returns an outcome as JSON: {ok, result, logs, …}. " +
		"Write one expression, or statements: the result is what return gives, or the value of the last expression statement. Each evaluation begins anew.\n")
	if e.cfg.Soft {
		b.WriteString("There is no ambient fetch, process or require.")
	} else {
		b.WriteString("The guest is hardened: built-in objects are frozen, and there is no ambient fetch, process, require, Date.now or Math.random.")
	}
	if len(e.cfg.Globals) > 0 {
		b.WriteString("\nInjected functions, all asynchronous (await them):")
		for _, name := range slices.Sorted(maps.Keys(e.cfg.Globals)) {
			g := e.cfg.Globals[name]
			t := g.Type
			if t == "" {
				t = "(...args) => Promise<any>"
			}
			b.WriteString("\n- " + name + ": " + t)
			if g.Doc != "" {
				b.WriteString(" – " + g.Doc)
			}
		}
	}
	if len(e.cfg.Modules) > 0 {
		b.WriteString("\nModules, for await import(…):")
		for _, name := range slices.Sorted(maps.Keys(e.cfg.Modules)) {
			b.WriteString("\n- " + name)
			if d := e.cfg.Modules[name].Doc; d != "" {
				b.WriteString(" – " + d)
			}
		}
	}
	return b.String()
}

// Definition returns what the model is told.
func (e *Evaluator) Definition() tool.Definition { return e.def }

// Close lets go of what the sandbox holds: see pinfold.Sandbox.Close.
func (e *Evaluator) Close() error { return e.sandbox.Close() }

// Call makes an evaluation of the arguments source and timeout_seconds. The
// result's text is the outcome as JSON, or what ended the evaluation.
func (e *Evaluator) Call(ctx context.Context, arguments json.RawMessage) *tool.Result {
	var args struct {
		Source  *string  `json:"source"`
		Timeout *float64 `json:"timeout_seconds"`
	}
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.DisallowUnknownFields()
	if err := d.Decode(&args); err != nil {
		return tool.Failed(`the arguments must be an object: {"source": "1 + 1", "timeout_seconds": 10}: ` + err.Error())
	}
	if args.Source == nil {
		return tool.Failed("the argument source is missing")
	}
	timeout := e.cfg.DefaultTimeout
	if t := args.Timeout; t != nil {
		if !(*t >= 1) {
			return tool.Failed("timeout_seconds must be 1 or more")
		}
		timeout = time.Duration(math.Min(*t, 1e6) * float64(time.Second))
	}
	o, err := e.Evaluate(ctx, *args.Source, timeout)
	if err != nil {
		text := "Error: " + err.Error()
		var x *Error
		if errors.As(err, &x) {
			text = "Error: " + string(x.Code) + ": " + x.Message
			for _, l := range x.Logs {
				text += "\nlog " + l.Level + ": " + l.Text
			}
		}
		return &tool.Result{Text: text, IsError: true}
	}
	text, err := json.Marshal(o)
	if err != nil {
		return tool.Failed(err.Error())
	}
	return &tool.Result{Text: string(text), IsError: !o.OK, Value: o.value, Outcome: o.run}
}

// Evaluate asks the gate and evaluates a source. Longer timeouts than MaxTimeout
// are cut to it; 0 is the default.
//
// An outcome is what the guest came to, also when it threw or didn't parse. An
// error says why there is none; it is an *Error, but for one case: when the gate
// failed and the caller's own context has ended, it is the gate's error as it is,
// since nobody reads it.
func (e *Evaluator) Evaluate(ctx context.Context, source string, timeout time.Duration) (*Outcome, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	if timeout <= 0 {
		timeout = e.cfg.DefaultTimeout
	}
	timeout = min(timeout, e.cfg.MaxTimeout)
	if err := e.ask(ctx, source, timeout); err != nil {
		return nil, err
	}
	own, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	start := time.Now()
	run := e.sandbox.Eval(own, "source", source, nil)
	o := &Outcome{run: run, DurationMs: float64(time.Since(start).Microseconds()) / 1000}
	o.logs(run)
	o.hostcalls(run)
	if f := run.Failure; f != nil {
		if err := e.ended(ctx, f, timeout, o.Logs); err != nil {
			return nil, err
		}
		o.threw(run, e.available())
	} else {
		o.succeeded(run)
	}
	o.bound(e.cfg.Limits.MaxTerminalPayloadBytes)
	return o, nil
}

// ask asks the gate.
func (e *Evaluator) ask(ctx context.Context, source string, timeout time.Duration) error {
	own, cancel := context.WithTimeout(ctx, e.cfg.GateTimeout)
	defer cancel()
	sum := sha256.Sum256([]byte(e.hash + "\x00" + source))
	type answer struct {
		d   Decision
		err error
	}
	// A gate that ignores its context doesn't hold the turn.
	ch := make(chan answer, 1)
	go func() {
		a := answer{err: errors.New("the gate panicked")}
		defer func() {
			_ = recover() // it is a gate that says nothing
			ch <- a
		}()
		d, err := e.cfg.Gate(own, GateCall{Tool: Name, Source: source, Timeout: timeout, Hash: hex.EncodeToString(sum[:])})
		a = answer{d, err}
	}()
	var a answer
	select {
	case a = <-ch:
	case <-own.Done():
		a.err = own.Err()
	}
	switch {
	case a.err == nil && a.d.Approved:
		return nil
	case a.err == nil:
		message := "Approval was declined; request approval and try again."
		if a.d.Note != "" {
			message = "Approval was declined: " + strings.TrimSuffix(a.d.Note, ".") + "; request approval and try again."
		}
		return &Error{Code: Refused, Message: message, Narration: GateDeclined}
	case ctx.Err() != nil:
		return a.err
	case errors.Is(a.err, GateAborted):
		return &Error{Code: GateAborted, Message: "The approval was aborted; request approval and try again.", Narration: Aborted, cause: a.err}
	case errors.Is(a.err, context.DeadlineExceeded):
		return &Error{Code: GateTimeout, Message: "Sandbox gate timeout; retry when available.", Narration: GateUnavailable, cause: a.err}
	}
	return &Error{Code: Refused, Message: "Sandbox gate error; retry when available.", Narration: GateUnavailable, cause: a.err}
}

// ended is the error of a guest that was ended, rather than having come to an end.
func (e *Evaluator) ended(ctx context.Context, f *pinfold.Failure, timeout time.Duration, logs []LogEvent) error {
	x := &Error{Code: Failed, Logs: logs, cause: f}
	switch f.Kind {
	case pinfold.ErrScript, pinfold.ErrSyntax, pinfold.ErrSource:
		return nil
	case pinfold.ErrCancelled, pinfold.ErrTime:
		if f.Kind == pinfold.ErrCancelled && ctx.Err() != nil {
			x.Code, x.Narration, x.Message = Terminated, Aborted, "The evaluation was aborted; start it again if it is still wanted."
			break
		}
		x.Narration = TimedOut
		x.Message = fmt.Sprintf("Evaluation timed out after %v seconds (kind: timed-out).", timeout.Seconds())
	case pinfold.ErrBusy:
		x.Narration, x.Message = Busy, "The sandbox is busy; retry later. ("+f.Message+")"
	case pinfold.ErrInternal:
		x.Code, x.Narration, x.Message = GuestCrashed, Crashed, "The guest crashed; this is not the source's fault. Retry, or report it."
	default:
		x.Narration = OverBudget
		x.Message = fmt.Sprintf("Output exceeded %s (%d+; limit %d); retry with a smaller request or raise the limit.", bounds[f.Kind], f.Used, f.Limit)
		if f.Kind == pinfold.ErrMemory {
			x.Code = GuestOOM
			x.Message = fmt.Sprintf("The guest ran out of memory (limit %d bytes); keep less data at once.", f.Limit)
		} else if f.Kind == pinfold.ErrFuel || f.Kind == pinfold.ErrStack {
			x.Message = fmt.Sprintf("The guest used up its %s (limit %d); do less in one evaluation.", bounds[f.Kind], f.Limit)
		}
	}
	return x
}

// available lists what guests find beside the language.
func (e *Evaluator) available() string {
	names := slices.Sorted(maps.Keys(e.cfg.Globals))
	if len(names) == 0 {
		return "nothing is injected"
	}
	return "injected: " + strings.Join(names, ", ")
}
