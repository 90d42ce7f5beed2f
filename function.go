package pinfold

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// Function is a host function: what a program may call.
//
// Func is any Go function with parameters and results that can cross (see
// package membrane), such as
//
//	func(ctx context.Context, id string, n int) (Order, error)
//
// A first parameter of type context.Context gets the run's context, which ends
// with the run. Arguments are checked against the parameters' types: a program
// that passes something else gets a TypeError. Missing arguments are undefined,
// which pointers, slices, maps and any take as nil. The last result may be an
// error; it becomes an Error in the script: see Error.
//
// A function that isn't Async holds the run while it works: it should end when
// its context does, since the run can't end before it returns.
//
// A panic in Func fails the run with kind internal, and no other.
type Function struct {
	// Name is what the program calls: "lookup", or "orders.find" for a
	// function find of a frozen object orders.
	Name string
	// Func is the Go function.
	Func any
	// Async makes the function return a promise. Func then runs in a goroutine
	// of its own and must be safe for that; it may be called again before it
	// has returned.
	Async bool
	// Deferred makes a function whose calls the host answers when it can, with
	// Run.Answer: there is no Func, the program gets a promise, and a run that
	// waits for nothing else can be written out: see Sandbox.Start. Arguments
	// are copied as data, whatever their types.
	Deferred bool
	// Cancel says what happens to the calls of an asynchronous function that
	// are at work when the run ends. There is no default: what a function does
	// when it is left alone is for its author to say.
	Cancel Cancellation
	// Capability is what a program must have declared (Options.Requires), and
	// its caller have (Caller.Capabilities), to call the function. "" is nothing.
	// Options.Quotas bounds the use of a capability.
	Capability string
	// Timeout bounds each call of an asynchronous function. Then the program gets
	// an error with the code E_TIMEOUT, and, unless the function is Atomic, its
	// context ends. A call that goes on nevertheless still counts as one at work.
	// 0 is no bound but the run's.
	Timeout time.Duration
	// Declaration is the function's type in TypeScript, such as
	// "(id: string) => Promise<Order>", and Doc says in a sentence what it does:
	// for Sandbox.Declarations and messages.
	Declaration string
	Doc         string

	refused bool  // the capability isn't granted
	free    bool  // the capability need not be declared
	hidden  bool  // programs don't see it
	shape   shape // of the result
	// send begins a call that is made in another process, and returns what waits
	// for it.
	send      func(in []reflect.Value) (wait func() (reflect.Value, error))
	elsewhere bool // it is in the parent of this process, and queues there
}

// Error is the error that a host function returns to say more to the script than
// a text. The script gets an Error with message, code, retryable and data as
// its properties.
//
// What other errors tell a script is chosen with care. The text of errors made
// by errors.New and fmt.Errorf, which the host wrote, is passed on. An error
// with a method Code() string passes its code and its text. Any other error, or
// one that wraps one, such as an *fs.PathError, is told as "lookup failed" with
// the code "E_HOST", since its text may hold paths and addresses.
type Error struct {
	Code      string
	Message   string
	Retryable bool // the call may succeed when it is made again
	Data      any  // more for the script; must be able to cross
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Codes of errors that the library itself makes for scripts.
const (
	CodeHost      = "E_HOST"      // a host function failed with an error that isn't passed on
	CodeTimeout   = "E_TIMEOUT"   // a host function ran out of its own time
	CodeCancelled = "E_CANCELLED" // a host function's context was cancelled
	CodeArgument  = "E_ARGUMENT"  // an argument of the wrong type
	CodeBusy      = "E_BUSY"      // too many calls of the function from ended runs are still at work
)

// hostFunc is a Function, checked and made ready.
type hostFunc struct {
	name   string
	path   []string
	length int
	async  bool
	// deferred functions are asynchronous ones without code.
	deferred bool
	cancel   Cancellation
	fn       reflect.Value
	ctx      bool // has a context parameter
	args     []argument
	result   reflect.Type // nil if there is none
	errs     bool         // the last result is an error

	// call makes a synchronous call.
	call caller

	capability string
	cap        *capability
	refused    bool
	watched    bool // admission looks at its calls
	timeout    time.Duration
	decl, doc  string
	free       bool
	hidden     bool
	inCtx      bool // it is a part of the template's ctx
	shape      shape
	elsewhere  bool
	send       func(in []reflect.Value) (wait func() (reflect.Value, error))

	stragglers atomic.Int64 // calls of closed runs that have not returned
}

type argument struct {
	typ      reflect.Type
	variadic bool
}

var (
	typeContext = reflect.TypeFor[context.Context]()
	typeErr     = reflect.TypeFor[error]()
)

var functionName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*){0,3}$`)

// refusedNames can't be parts of a function's name.
var refusedNames = []string{"constructor", "prototype", "__proto__", "then", "console", "input", "globalThis", "undefined", "NaN", "Infinity", "arguments", "eval"}

// prepare checks a Function.
func prepare(f Function) (*hostFunc, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("function %q: %s", f.Name, fmt.Sprintf(format, args...))
	}
	if !functionName.MatchString(f.Name) {
		return nil, wrong("the name must be an identifier, or up to four joined by dots")
	}
	h := &hostFunc{
		name: f.Name, path: strings.Split(f.Name, "."), async: f.Async || f.Deferred, deferred: f.Deferred, cancel: f.Cancel,
		capability: f.Capability, refused: f.refused, timeout: f.Timeout, decl: f.Declaration, doc: f.Doc,
		free: f.free, hidden: f.hidden, shape: f.shape, send: f.send, elsewhere: f.elsewhere,
	}
	switch {
	case f.Deferred && (f.Func != nil || f.Async || f.Cancel != 0):
		return nil, wrong("it is Deferred: the host answers its calls, so it has no Func, is not Async and has no Cancel")
	case f.Cancel > Atomic:
		return nil, wrong("there is no cancellation class %d", f.Cancel)
	case f.Async && f.Cancel == 0:
		return nil, wrong("it is asynchronous and doesn't say what happens to its calls when the run ends: set Cancel to Cooperative, Killable or Atomic")
	case f.Timeout < 0 || f.Timeout > 0 && !f.Async:
		return nil, wrong("Timeout is %v: it bounds the calls of asynchronous functions and must not be negative", f.Timeout)
	case !f.Async && f.Cancel != 0:
		return nil, wrong("Cancel is for asynchronous functions: a run can't end before this one has returned")
	}
	for i, part := range h.path { //meter: the host's functions and their paths
		if slices.Contains(refusedNames, part) || i == 0 && reservedWords[part] { // after a dot, words are names
			return nil, wrong("the name %q has a meaning of its own in JavaScript", part)
		}
	}
	if globalNames[h.path[0]] && !h.hidden {
		return nil, wrong("it would hide JavaScript's own %s", h.path[0])
	}
	if h.deferred {
		return h, nil
	}
	h.fn = reflect.ValueOf(f.Func)
	if h.fn.Kind() != reflect.Func || h.fn.IsNil() {
		return nil, wrong("Func must be a Go function, it is %T", f.Func)
	}
	t := h.fn.Type()
	for i := range t.NumIn() { //meter: the parameters of a Go function
		in := t.In(i)
		if i == 0 && in == typeContext {
			h.ctx = true
			continue
		}
		a := argument{typ: in, variadic: t.IsVariadic() && i == t.NumIn()-1}
		if a.variadic {
			a.typ = in.Elem()
		}
		if err := membrane.CheckType(a.typ, membrane.FromScript); err != nil {
			return nil, wrong("parameter %d: %v", len(h.args)+1, err)
		}
		h.args = append(h.args, a)
		if !a.variadic {
			h.length++
		}
	}
	switch n := t.NumOut(); {
	case n > 0 && t.Out(n-1) == typeErr:
		h.errs = true
		if n == 2 {
			h.result = t.Out(0)
		} else if n > 2 {
			return nil, wrong("it may return one value and an error, not %d", n)
		}
	case n == 1:
		h.result = t.Out(0)
	case n > 1:
		return nil, wrong("it may return one value and an error, not %d", n)
	}
	if h.result != nil {
		check := h.result
		if item, _, ok := streamed(h.result); ok {
			if err := checkStream(f); err != nil {
				return nil, wrong("%v", err)
			}
			h.shape, check = stream, item
		}
		if err := membrane.CheckType(check, membrane.ToScript); err != nil {
			return nil, wrong("result: %v", err)
		}
	}
	if h.cancel == Killable && !h.ctx {
		return nil, wrong("it is Killable and has no parameter of type context.Context, so it can't register what is to be killed")
	}
	if h.call = fastCall(h.name, f.Func); h.call == nil {
		h.call = h.reflectCall
	}
	return h, nil
}

// prepareAll checks all functions and how their names go together.
func prepareAll(list []Function) ([]*hostFunc, error) {
	var errs []error
	var out []*hostFunc
	names := map[string]bool{}
	for _, f := range list { //meter: the host's functions and their paths
		h, err := prepare(f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if names[h.name] {
			errs = append(errs, fmt.Errorf("function %q is there twice", h.name))
			continue
		}
		names[h.name] = true
		out = append(out, h)
	}
	for _, h := range out { //meter: the host's functions and their paths
		for i := 1; i < len(h.path); i++ { //meter: the host's functions and their paths
			if p := strings.Join(h.path[:i], "."); names[p] {
				errs = append(errs, fmt.Errorf("function %q: %s is a function, so it can't hold others", h.name, p))
			}
		}
	}
	return out, errors.Join(errs...)
}

// native is the function's code in a machine.
func (h *hostFunc) native(r *run) vm.NativeFunc {
	return func(_ *vm.Machine, c vm.Call) (vm.Value, error) { return h.called(r, &c) }
}

// called is a call by the program.
func (h *hostFunc) called(r *run, c *vm.Call) (v vm.Value, err error) {
	switch {
	case r.replay != nil:
		return r.replay.call(r, h)
	case h.deferred:
		return r.deferCall(h, c)
	case h.async:
		return h.start(r, c)
	}
	if err := r.enterHost(h); err != nil {
		return vm.Undefined, err
	}
	defer func() {
		if p := recover(); p != nil {
			v, err = vm.Undefined, r.panicked(h.name, p, debug.Stack())
		}
	}()
	v, err = r.callSync(h, c)
	if e := r.poll(); e != nil {
		return vm.Undefined, e
	}
	if r.rec != nil {
		return r.recordCall(v, err)
	}
	return v, err
}

// callSync makes a synchronous call.
func (r *run) callSync(h *hostFunc, c *vm.Call) (v vm.Value, err error) {
	if !h.watched {
		if r.waiting != nil {
			return r.callNoted(h, c)
		}
		return h.call(r, c)
	}
	t, err := r.admitCall(h)
	if err != nil {
		return vm.Undefined, err
	}
	r.beginCall(t)
	t.End = CallFailed // if it panics
	r.passing = t
	defer func() { r.passing = nil }()
	if r.waiting != nil {
		v, err = r.callNoted(h, c)
	} else {
		v, err = h.call(r, c)
	}
	if err == nil {
		at := r.m.Root(v)
		defer r.m.PopRoots(at)
	}
	return v, r.passed(t, err)
}

// poll looks whether the run should end. It looks at the context itself: the
// meter may hear of its end a moment later than a host function does.
func (r *run) poll() error {
	if err := r.ctx.Err(); err != nil {
		r.mt.Stop(&meter.LimitError{Kind: meter.Cancelled, What: "the caller's context ended", Cause: err})
	}
	return r.mt.Poll()
}

// enterHost begins a host call.
func (r *run) enterHost(h *hostFunc) error {
	if r.ended {
		return ErrEnded
	}
	if err := r.poll(); err != nil {
		return err
	}
	if h.hidden {
		return nil // a part of a call that was counted
	}
	return r.countHostCall()
}

// hostPanic is the error that ends a run whose host function panicked.
type hostPanic struct {
	name  string
	value any
	stack string
}

func (p *hostPanic) Error() string { return fmt.Sprintf("the host's %s panicked", p.name) }

func (r *run) panicked(name string, value any, stack []byte) error {
	p := &hostPanic{name, value, fmt.Sprintf("panic: %v\n\n%s", value, stack)}
	if r.panic == nil {
		r.panic = p
	}
	return p
}

// arguments converts what the script passed. size is about what the copies take.
func (h *hostFunc) arguments(r *run, c *vm.Call, a *asyncCall) (in []reflect.Value, size int64, err error) {
	n := len(h.args)
	variadic := n > 0 && h.args[n-1].variadic
	if variadic {
		n = max(n-1, len(c.Args))
	}
	in = make([]reflect.Value, 0, n+1) //meter: as many as the call has arguments, which its window of registers was charged for
	if h.ctx {
		in = append(in, reflect.ValueOf(r.contextOf(a)))
	}
	for i := range n { //meter: argument charges for what it copies
		typ := h.args[min(i, len(h.args)-1)].typ
		dst := reflect.New(typ).Elem()
		bytes, err := r.argument(h.name, i, c.Arg(i), dst)
		if err != nil {
			return nil, 0, err
		}
		size += bytes
		in = append(in, dst)
	}
	return in, size, nil
}

// argument converts one argument. The common kinds take no detour.
func (r *run) argument(name string, i int, v vm.Value, dst reflect.Value) (size int64, err error) {
	switch dst.Kind() {
	case reflect.String:
		if v.IsString() && dst.Type().PkgPath() == "" {
			s, err := r.stringArg(v)
			if err == nil {
				dst.SetString(s)
			}
			return int64(len(s)), err
		}
	case reflect.Float64:
		if v.IsNumber() && dst.Type().PkgPath() == "" {
			dst.SetFloat(v.AsFloat())
			return 0, nil
		}
	case reflect.Int, reflect.Int64:
		if v.IsInt() && dst.Type().PkgPath() == "" {
			dst.SetInt(int64(v.AsInt()))
			return 0, nil
		}
	case reflect.Bool:
		if v.IsBool() && dst.Type().PkgPath() == "" {
			dst.SetBool(v == vm.True)
			return 0, nil
		}
	}
	if size, err = membrane.ExportTo(r.m, v, dst, "", r.sb.crossing); err != nil {
		err = r.argumentError(name, i, err)
	}
	return size, err
}

// argumentError turns what is wrong with an argument into a TypeError.
func (r *run) argumentError(name string, i int, err error) error {
	var e *membrane.Error
	if !errors.As(err, &e) {
		return err
	}
	return r.throwCode(vm.TypeErrorPrototype, CodeArgument, fmt.Sprintf("%s: argument %d%s: %s", name, i+1, e.Path, e.Reason))
}

// wrongArg is argumentError for the fast calls.
func (r *run) wrongArg(name string, i int, want string, v vm.Value) error {
	return r.throwCode(vm.TypeErrorPrototype, CodeArgument, fmt.Sprintf("%s: argument %d: %s is wanted, this is %s", name, i+1, want, membrane.Name(r.m, v)))
}

func (r *run) stringArg(v vm.Value) (string, error) {
	s := v.AsStr()
	n := r.m.H.Len(s)
	if err := r.m.Charge(n / 16); err != nil {
		return "", err
	}
	if int64(n) > r.sb.limits.ResultBytes {
		return "", r.m.RangeError("a string of %d characters is too long for a host function", n)
	}
	var buf [64]byte
	b, err := r.m.H.AppendString(buf[:0], s)
	if err != nil {
		return "", err
	}
	return membrane.ValidString(string(b)), nil
}

// throwCode throws a new error with a code.
func (r *run) throwCode(proto vm.Intrinsic, code, message string) error {
	v, err := r.m.NewError(proto, message)
	if err != nil {
		return err
	}
	if err := r.setText(v, "code", code); err != nil {
		return err
	}
	return r.m.Throw(v)
}

func (r *run) setText(o vm.Value, name, text string) error {
	s, err := r.m.NewString(text)
	if err != nil {
		return err
	}
	return r.set(o, name, s)
}

func (r *run) set(o vm.Value, name string, v vm.Value) error {
	k, err := r.m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	return r.m.DefineOrThrow(o.AsObj(), k, vm.DataDesc(v, heap.DefaultAttrs))
}

// reflectCall makes a call of any signature.
func (h *hostFunc) reflectCall(r *run, c *vm.Call) (vm.Value, error) {
	in, size, err := h.arguments(r, c, nil)
	if err == nil && r.passing != nil {
		if err = r.took(r.passing, size); err == nil {
			err = r.tape(r.passing, h, c)
		}
	}
	if err != nil {
		return vm.Undefined, err
	}
	if t := r.passing; t != nil && t.taped.answer != nil {
		v, err := t.play(r.context(), h)
		return r.hostResult(h, v, err)
	}
	v, err := h.invoke(in)
	return r.hostResult(h, v, err)
}

// invoke calls the Go function.
func (h *hostFunc) invoke(in []reflect.Value) (v reflect.Value, err error) {
	out := h.fn.Call(in)
	if h.errs {
		err, _ = out[len(out)-1].Interface().(error)
	}
	if h.result != nil {
		v = out[0]
	}
	return v, err
}

// hostResult turns what a host function returned into a value or an exception.
func (r *run) hostResult(h *hostFunc, v reflect.Value, err error) (vm.Value, error) {
	x, err := r.resultOf(h, v, err)
	return r.tapeEnd(r.passing, x, err)
}

func (r *run) resultOf(h *hostFunc, v reflect.Value, err error) (vm.Value, error) {
	if err != nil {
		return vm.Undefined, r.hostError(h.name, err)
	}
	if h.result == nil {
		return vm.Undefined, nil
	}
	if h.shape == stream && v.Kind() == reflect.Func {
		return r.openStream(v)
	}
	if r.passing != nil && r.passing.taped.answer == nil { // what was recorded has passed the quota
		if err := r.gives(r.passing, sizeOf(v)); err != nil {
			return vm.Undefined, err
		}
	}
	limits := r.sb.crossing
	if h.elsewhere || h.send != nil {
		limits = r.sb.entering // it has been looked at there, and here it is text, which is longer
	}
	x, err := membrane.Import(r.m, v.Interface(), "", limits)
	if err == nil {
		return x, nil
	}
	return vm.Undefined, r.importError(h.name, err)
}

// importError is for a result that can't enter the script.
func (r *run) importError(name string, err error) error {
	var e *membrane.Error
	var se *membrane.SyntaxError
	switch {
	case errors.As(err, &e):
		return r.throwCode(vm.ErrorPrototype, CodeHost, fmt.Sprintf("%s returned a value that can't be passed on: result%s: %s", name, e.Path, e.Reason))
	case errors.As(err, &se):
		return r.throwCode(vm.ErrorPrototype, CodeHost, name+" returned a text that is "+se.Error())
	}
	return err
}

// hostError throws the script's form of an error that a host function returned.
func (r *run) hostError(name string, err error) error {
	var remote *remoteError
	if errors.As(err, &remote) {
		return r.throwRemote(remote)
	}
	v, e := r.guestError(name, err)
	if e != nil {
		return e
	}
	return r.m.Throw(v)
}

// guestError makes the script's form of a host's error.
func (r *run) guestError(name string, err error) (vm.Value, error) {
	g := describeHostError(name, err)
	if g.Code == CodeTimeout && r.sb.opt.Refused != nil {
		r.sb.opt.Refused(&g)
	}
	v, e := r.m.NewError(vm.ErrorPrototype, cut(membrane.ValidString(g.Message)))
	if e != nil {
		return v, e
	}
	if g.Code != "" {
		if e := r.setText(v, "code", g.Code); e != nil {
			return v, e
		}
	}
	if g.Retryable {
		if e := r.set(v, "retryable", vm.True); e != nil {
			return v, e
		}
	}
	if g.Data != nil {
		d, e := membrane.Import(r.m, g.Data, "", r.sb.crossing)
		var me *membrane.Error
		switch {
		case errors.As(e, &me):
			return v, nil // the error itself matters more than its data
		case e != nil:
			return v, e
		}
		return v, r.set(v, "data", d)
	}
	return v, nil
}

// describeHostError chooses what a script is told: see Error.
func describeHostError(name string, err error) Error {
	var own *Error
	if errors.As(err, &own) {
		e := *own
		if err != error(own) && authored(err) {
			e.Message = err.Error()
		}
		return e
	}
	var coded interface {
		error
		Code() string
	}
	if errors.As(err, &coded) {
		return Error{Code: coded.Code(), Message: coded.Error()}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Error{Code: CodeTimeout, Message: name + " timed out", Retryable: true}
	case errors.Is(err, context.Canceled):
		return Error{Code: CodeCancelled, Message: name + " was cancelled"}
	case authored(err):
		return Error{Message: err.Error()}
	}
	return Error{Code: CodeHost, Message: name + " failed"}
}

// authoredTypes are the types of errors whose text the host's author wrote.
var authoredTypes = []reflect.Type{
	reflect.TypeOf(errors.New("")),
	reflect.TypeOf(fmt.Errorf("%w", errors.ErrUnsupported)),
	reflect.TypeOf(fmt.Errorf("%w%w", errors.ErrUnsupported, errors.ErrUnsupported)),
	reflect.TypeOf(fmt.Errorf("")),
	reflect.TypeOf(errors.Join(errors.ErrUnsupported)),
	reflect.TypeFor[*Error](),
	reflect.TypeFor[*ErrorValue](),
}

// authored reports whether all the errors of a chain are the host's own text.
func authored(err error) bool { //meter: as deep as a host function's errors wrap each other
	if !slices.Contains(authoredTypes, reflect.TypeOf(err)) {
		return false
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		inner := x.Unwrap()
		return inner == nil || authored(inner)
	case interface{ Unwrap() []error }:
		for _, inner := range x.Unwrap() { //meter: the errors of a host function, on the host's time
			if !authored(inner) {
				return false
			}
		}
	}
	return true
}
