package pinfold

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// Requirement is a capability that programs declare they need, and, when Scope
// is not nil, what of it: host names for "network", globs for "fileRead" and
// "fileWrite". A declaration narrows what is granted and gives nothing.
type Requirement struct {
	Capability string
	Scope      []string
}

// Quota bounds what one run may do with one capability. A zero field is no bound
// beside those of Limits.
type Quota struct {
	Calls      int64 // admitted calls; further ones are refused
	Concurrent int   // calls at work at once
	BytesIn    int64 // of all arguments, as they are copied
	BytesOut   int64 // of all results
	// Refuse makes a call that comes while Concurrent calls are at work fail at
	// once. Without it the call begins when another one has ended.
	Refuse bool
}

// CallEnd says how a call of a host function ended.
type CallEnd string

// The ends of calls.
const (
	CallOK        CallEnd = "ok"
	CallFailed    CallEnd = "failed"    // with an error that the program got
	CallRefused   CallEnd = "refused"   // by admission: the function was not called
	CallCancelled CallEnd = "cancelled" // by the end of the run: it never began, or gave up
	CallDropped   CallEnd = "dropped"   // it succeeded after the run had ended: nobody got its result
	CallUnknown   CallEnd = "unknown"   // it was still at work when the run was closed
)

// HostCall is the record of a call of a host function.
type HostCall struct {
	ID         int64         `json:"id"` // its number among the run's calls, from 1 on, in program order
	Name       string        `json:"name"`
	Capability string        `json:"capability,omitempty"`
	End        CallEnd       `json:"end"`
	Rule       string        `json:"rule"` // the rule that allowed or refused it
	Code       string        `json:"code,omitempty"`
	BytesIn    int64         `json:"bytesIn"`
	BytesOut   int64         `json:"bytesOut"`
	Start      time.Time     `json:"start"`
	Duration   time.Duration `json:"duration"` // ns
}

// Codes of errors that admission makes for scripts.
const (
	CodeNotDeclared = "E_NOT_DECLARED" // the capability isn't among those that the program requires
	CodeNotGranted  = "E_NOT_GRANTED"  // the host, or the caller, hasn't granted the capability
	CodeQuota       = "E_QUOTA"        // a Quota is used up
)

// Caller says for whom a run works. A context carries it: see WithCaller.
type Caller struct {
	// Tool, CallID and InstanceID are what programs read in ctx.
	Tool, CallID, InstanceID string
	// Capabilities are those that the caller has itself, and so all that the
	// run can have. nil is no narrowing; an empty list leaves none.
	Capabilities []string
	// AgentDepth is how many agents stand before the run in a chain of agents that
	// call each other over the network: ctx.fetch passes it on.
	AgentDepth int
}

type callerKey struct{}

// WithCaller returns a context for runs that work for a caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	c.Capabilities = slices.Clone(c.Capabilities)
	return context.WithValue(ctx, callerKey{}, &c)
}

func callerOf(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{}
}

// CallContext is what a host function can know of, and say about, the call that
// it works for. Its methods may be called from any goroutine.
type CallContext struct {
	ID         int64 // as in HostCall
	Name       string
	Capability string

	key      string
	rule     atomic.Pointer[string]
	progress func(Progress)
	ctx      context.Context
	locals   *locals
}

// Progress is what a host function reports while it works.
type Progress struct {
	Call    int64   `json:"call"`
	Name    string  `json:"name"`
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"` // 0 if it isn't known
	Message string  `json:"message,omitempty"`
}

type callKey struct{}

// CallFrom returns the call that a host function's context belongs to. Functions
// have one that are asynchronous, belong to a capability, or are watched: see
// Options.Audit. For any other context it is one without meaning, never nil.
func CallFrom(ctx context.Context) *CallContext {
	if c, ok := ctx.Value(callKey{}).(*CallContext); ok {
		return c
	}
	return &CallContext{}
}

// IdempotencyKey is the same for the call however often its run is resumed or
// replayed, and no other call has it.
func (c *CallContext) IdempotencyKey() string { return c.key }

// Decided names the rule that let the call act, or refused it, for its HostCall.
func (c *CallContext) Decided(rule string) { c.rule.Store(&rule) }

// Progress reports how far the call is, to Options.Progress. After the end of
// the run it does nothing.
func (c *CallContext) Progress(done, total float64, message string) {
	if c.progress != nil && c.ctx.Err() == nil {
		c.progress(Progress{Call: c.ID, Name: c.Name, Done: done, Total: total, Message: cut(message)})
	}
}

// capability is what a sandbox knows of one.
type capability struct {
	name     string
	declared bool
	granted  bool
	free     bool // need not be declared, nor be the caller's
	quota    Quota
	index    int
}

// use is what a run has done with a capability.
type use struct {
	calls, in, out int64
	pending        int // admitted, not ended
	active         int // … that were begun
}

// passage is a call that has been admitted, or refused.
type passage struct {
	HostCall
	ctx      CallContext
	cap      *capability
	taped    taped
	begun    bool
	recorded bool // its record is made, and it is still at work
	at       int  // in run.passages
}

// capabilities sorts out what the options say of capabilities.
func (s *Sandbox) capabilities() error {
	var errs []error
	byName := map[string]*capability{}
	get := func(name string) *capability {
		c := byName[name]
		if c == nil {
			c = &capability{name: name, declared: s.opt.Requires == nil, index: len(byName)}
			byName[name] = c
		}
		return c
	}
	for _, h := range s.functions { //meter: the host's functions
		if h.capability == "" {
			continue
		}
		h.cap = get(h.capability)
		h.cap.granted = h.cap.granted || !h.refused
		h.cap.declared = h.cap.declared || h.free
		h.cap.free = h.free
		h.cap.quota = defaultQuotas[h.capability]
	}
	known := s.opt.Grants.names()
	for name := range byName { //meter: the host's functions
		known = append(known, name)
	}
	sort.Strings(known)
	known = slices.Compact(known)
	for _, q := range s.opt.Requires { //meter: the options of a sandbox
		if !slices.Contains(known, q.Capability) {
			errs = append(errs, fmt.Errorf("Requires: there is no capability %q: there are %s", q.Capability, strings.Join(known, ", ")))
			continue
		}
		if c := byName[q.Capability]; c != nil {
			c.declared = true
		}
	}
	for name, q := range s.opt.Quotas { //meter: the options of a sandbox
		if q.Calls < 0 || q.Concurrent < 0 || q.BytesIn < 0 || q.BytesOut < 0 {
			errs = append(errs, fmt.Errorf("Quotas: that of %q has a negative bound: 0 is none", name))
		}
		switch c := byName[name]; {
		case c != nil:
			c.quota = q
		case !slices.Contains(known, name):
			errs = append(errs, fmt.Errorf("Quotas: there is no capability %q: there are %s", name, strings.Join(known, ", ")))
		}
	}
	s.numCaps = len(byName)
	for _, h := range s.functions { //meter: the host's functions
		h.watched = h.cap != nil || s.opt.Audit != nil || s.opt.KeepCalls > 0 || s.opt.Progress != nil || h.timeout > 0
		if h.watched && !h.deferred {
			h.call = h.reflectCall
		}
	}
	return errors.Join(errs...)
}

// effective returns the capabilities that a run can use, sorted.
func (r *run) effective() []string {
	out := []string{}
	caller := callerOf(r.ctx)
	for _, h := range r.sb.functions { //meter: the host's functions
		if c := h.cap; c != nil && !c.free && c.declared && c.granted && caller.has(c.name) {
			out = append(out, c.name)
		}
	}
	sort.Strings(out)
	return slices.Compact(out)
}

func (c *Caller) has(name string) bool {
	return c.Capabilities == nil || slices.Contains(c.Capabilities, name)
}

// admitCall is the one way into a host function that is watched: of a call by a
// program in this process, in a worker, and in a run that waits. It looks
// whether the capability was declared, granted, is the caller's, and at its
// quota; that the run is open has been looked at. The error is the exception that
// the program gets.
func (r *run) admitCall(h *hostFunc) (*passage, error) {
	t := &passage{cap: h.cap}
	t.ID, t.Name, t.Start, t.Rule = r.hostCalls, h.name, time.Now(), "function"
	if r.waiting != nil {
		t.ID = r.calls + 1 // which the journal gives it, too
	}
	t.ctx.ID, t.ctx.Name, t.ctx.progress, t.ctx.locals = t.ID, t.Name, r.sb.opt.Progress, &r.locals
	c := h.cap
	if c == nil {
		r.open(t)
		return t, nil
	}
	if r.uses == nil {
		r.uses = make([]use, r.sb.numCaps) //meter: the capabilities that the host configured
	}
	u := &r.uses[c.index]
	t.Capability, t.ctx.Capability = c.name, c.name
	refuse := func(rule, code, format string, args ...any) (*passage, error) {
		if r.waiting != nil {
			r.calls++
		}
		t.Rule = rule
		e := r.worded(code, fmt.Sprintf(format, args...))
		err := r.throwCode(vm.ErrorPrototype, e.Code, e.Message)
		r.closed(t, CallRefused, e.Code)
		return nil, err
	}
	switch q := &c.quota; {
	case !c.declared:
		return refuse("declared", CodeNotDeclared, "%s needs '%s' in the %s requires list", h.name, c.name, r.whose())
	case !c.granted:
		return refuse("granted", CodeNotGranted, "%s is not available: %s was not granted", h.name, c.name)
	case !c.free && !callerOf(r.ctx).has(c.name):
		return refuse("caller", CodeNotGranted, "%s is not available: the caller was not granted %s", h.name, c.name)
	case q.Calls > 0 && u.calls >= q.Calls:
		return refuse("quota.calls", CodeQuota, "%s: too many requests (limit %d)", h.name, q.Calls)
	case q.Refuse && q.Concurrent > 0 && u.pending >= q.Concurrent:
		return refuse("quota.concurrent", CodeQuota, "%s: too many requests at once (limit %d): await some of them first", h.name, q.Concurrent)
	}
	u.calls++
	u.pending++
	t.Rule = "grant " + c.name
	r.open(t)
	return t, nil
}

// worded is an error of the library in the words that the host wants.
func (r *run) worded(code, message string) *Error {
	e := &Error{Code: code, Message: message}
	if r.sb.opt.Refused != nil {
		r.sb.opt.Refused(e)
	}
	return e
}

// whose names the program for a message about its requires list.
func (r *run) whose() string {
	if callerOf(r.ctx).Tool != "" {
		return "tool's"
	}
	return "program's"
}

// open keeps a passage until its call has ended.
func (r *run) open(t *passage) {
	t.at = len(r.passages)
	r.passages = append(r.passages, t)
}

// begin notes that the function is called; there is room under the quota.
func (r *run) beginCall(t *passage) {
	if t == nil || t.begun {
		return
	}
	t.begun = true
	if t.cap != nil {
		r.uses[t.cap.index].active++
	}
}

// roomFor reports whether a call may begin now.
func (r *run) roomFor(t *passage) bool {
	if t == nil || t.cap == nil || t.cap.quota.Concurrent == 0 {
		return true
	}
	return r.uses[t.cap.index].active < t.cap.quota.Concurrent
}

// took counts the bytes of a call's arguments.
func (r *run) took(t *passage, n int64) error {
	t.BytesIn = n
	if t.cap == nil {
		return nil
	}
	u := &r.uses[t.cap.index]
	if q := t.cap.quota.BytesIn; q > 0 && u.in+n > q {
		return r.overBytes(t, "sent", "quota.bytesIn", q-u.in, q)
	}
	u.in += n
	return nil
}

// gives counts the bytes of a call's result, before they enter the program.
func (r *run) gives(t *passage, n int64) error {
	t.BytesOut = n
	if t.cap == nil {
		return nil
	}
	u := &r.uses[t.cap.index]
	if q := t.cap.quota.BytesOut; q > 0 && u.out+n > q {
		return r.overBytes(t, "received", "quota.bytesOut", q-u.out, q)
	}
	u.out += n
	return nil
}

func (r *run) overBytes(t *passage, what, rule string, left, limit int64) error {
	t.ctx.Decided(rule)
	e := r.worded(CodeQuota, fmt.Sprintf("%s: too many bytes %s (%d of %d are left)", t.Name, what, left, limit))
	t.Code = e.Code
	return r.throwCode(vm.ErrorPrototype, e.Code, e.Message)
}

// passed ends an admitted call; err is what the program gets. It returns err.
func (r *run) passed(t *passage, err error) error {
	if t == nil {
		return err
	}
	end, code := CallOK, ""
	if err != nil {
		end, code = CallFailed, t.Code
		if exc, ok := r.m.Caught(err); ok {
			if code == "" {
				code = r.codeOf(exc)
			}
			err = r.m.Throw(exc)
		}
	}
	r.closed(t, end, code)
	if !t.recorded {
		r.leavePassage(t)
	}
	return err
}

// codeOf reads the code of an exception that a host call has just made.
func (r *run) codeOf(exc vm.Value) string {
	if !exc.IsObject() {
		return ""
	}
	for _, p := range r.m.H.Named(exc.AsObj(), nil) { //meter: the few properties that errors of host calls have
		if r.m.H.GoString(p.Name) == "code" {
			if v := r.m.H.Slot(r.m.H.Obj(exc.AsObj()), p.Slot); v.IsString() {
				return r.m.H.GoString(v.AsStr())
			}
		}
	}
	return ""
}

// leavePassage gives back what a call has of its quota.
func (r *run) leavePassage(t *passage) {
	if t == nil {
		return
	}
	last := len(r.passages) - 1
	r.passages[t.at] = r.passages[last]
	r.passages[t.at].at = t.at
	r.passages[last] = nil
	r.passages = r.passages[:last]
	if t.cap != nil {
		u := &r.uses[t.cap.index]
		u.pending--
		if t.begun {
			u.active--
		}
	}
}

// closed tells the host of a call that has ended, and keeps its record.
func (r *run) closed(t *passage, end CallEnd, code string) {
	t.End, t.Code = end, code
	if rule := t.ctx.rule.Load(); rule != nil {
		t.Rule = *rule
	}
	t.Duration = time.Since(t.Start)
	if r.replay != nil {
		return
	}
	if len(r.records) < r.sb.opt.KeepCalls {
		r.records = append(r.records, t.HostCall)
	}
	if r.sb.opt.Audit != nil {
		r.sb.opt.Audit(t.HostCall)
	}
}

// usesBody writes what the run has used of its quotas, and when it began.
func (r *run) usesBody(w *heap.SnapWriter) {
	w.Uint(math.Float64bits(r.zero))
	w.Uint(uint64(len(r.uses)))
	for _, u := range r.uses { //meter: the host's capabilities
		w.Int(u.calls)
		w.Int(u.in)
		w.Int(u.out)
	}
}

// readUses reads what usesBody wrote.
func (r *run) readUses(l *heap.SnapReader) {
	r.zero = math.Float64frombits(l.Uint())
	n := l.Len(3)
	if n != 0 && n != r.sb.numCaps {
		l.Fail("its capabilities are others")
		return
	}
	for range n { //meter: the host's capabilities
		u := use{calls: l.Int(), in: l.Int(), out: l.Int()}
		if u.calls < 0 || u.in < 0 || u.out < 0 {
			l.Fail("its quotas are wrong")
		}
		r.uses = append(r.uses, u)
	}
}

// resumed admits a call again that waits for its answer in a run that was
// resumed: it was looked at when it was made.
func (r *run) resumed(d *deferredCall) {
	h := d.fn
	if !h.watched {
		return
	}
	t := &passage{cap: h.cap}
	t.ID, t.Name, t.Capability, t.Rule, t.Start = d.id, h.name, h.capability, "resumed", time.Now()
	if h.cap != nil {
		if r.uses == nil {
			r.uses = make([]use, r.sb.numCaps) //meter: the capabilities that the host configured
		}
		r.uses[h.cap.index].pending++
	}
	r.open(t)
	r.beginCall(t)
	d.passage = t
}

// closeCalls ends the calls that are left when the run is closed.
func (r *run) closeCalls() {
	for len(r.passages) > 0 { //meter: calls at work or waiting: their number is limited
		t := r.passages[0]
		switch {
		case t.recorded:
		case t.End != "":
			r.closed(t, t.End, t.Code)
		case t.begun:
			r.closed(t, CallUnknown, "")
		default:
			r.closed(t, CallCancelled, "")
		}
		r.leavePassage(t)
	}
}

// sizeOf is about how many bytes a host function's result has: texts and bytes
// by their length, anything else eight. It looks at no more than a bounded number
// of parts, since the membrane bounds the whole.
func sizeOf(v reflect.Value) int64 {
	left := 10_000
	return sizeOfPart(v, &left, 0)
}

func sizeOfPart(v reflect.Value, left *int, depth int) (n int64) { //meter: counted down by left, and by the depth
	if *left--; *left < 0 || depth > 64 || !v.IsValid() {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return int64(v.Len())
		}
		for i := 0; i < v.Len() && *left > 0; i++ { //meter: counted down by left
			n += sizeOfPart(v.Index(i), left, depth+1)
		}
		return n
	case reflect.Map:
		for it := v.MapRange(); *left > 0 && it.Next(); { //meter: counted down by left
			n += sizeOfPart(it.Key(), left, depth+1) + sizeOfPart(it.Value(), left, depth+1)
		}
		return n
	case reflect.Pointer, reflect.Interface:
		if o, ok := v.Interface().(*membrane.Object); ok && o != nil {
			for i := 0; i < o.Len() && *left > 0; i++ { //meter: counted down by left
				k, x := o.At(i)
				n += int64(len(k)) + sizeOfPart(reflect.ValueOf(x), left, depth+1)
			}
			return n
		}
		return sizeOfPart(v.Elem(), left, depth+1)
	case reflect.Struct:
		if v.CanInterface() {
			switch x := v.Interface().(type) {
			case Value:
				return int64(len(x.JSON()))
			case membrane.Bytes:
				return int64(len(x.Data))
			case time.Time:
				return 8
			}
		}
		for i := range v.NumField() { //meter: the fields of a Go struct
			if f := v.Type().Field(i); f.IsExported() {
				n += sizeOfPart(v.Field(i), left, depth+1)
			}
		}
		return n
	}
	return 8
}
