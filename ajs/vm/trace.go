package vm

import (
	"github.com/pinfold-js/pinfold/ajs/ast"
)

// An Event is one step of a traced run. It is recorded when the step ends, so a
// block comes after its steps.
type Event struct {
	Op         string
	Input      ast.Object // the step's fields as the program has them
	Inputs     any        // of an atom: the values it got
	StateDiff  ast.Object // variables of the step's own scope that changed
	Result     any        // what the step gave, Undefined if nothing
	Error      string     // of a step that failed
	FuelBefore float64
	FuelAfter  float64
	Timestamp  int64 // epoch ms
	Path       string
	Pos        ast.Pos
	Depth      int  // scopes around the step
	Cut        bool // parts were left out: the trace has its own bound of bytes
}

// Data returns the event as JSON data.
func (e *Event) Data() ast.Object {
	o := ast.Object{{Key: "op", Value: e.Op}, {Key: "input", Value: orNull(e.Input)}}
	if e.Inputs != nil {
		o = append(o, ast.Entry{Key: "inputs", Value: JSONData(e.Inputs)})
	}
	o = append(o, ast.Entry{Key: "stateDiff", Value: JSONData(orNull(e.StateDiff))})
	if e.Result != Undefined {
		o = append(o, ast.Entry{Key: "result", Value: JSONData(e.Result)})
	}
	if e.Error != "" {
		o = append(o, ast.Entry{Key: "error", Value: e.Error})
	}
	o = append(o, ast.Entry{Key: "fuelBefore", Value: e.FuelBefore}, ast.Entry{Key: "fuelAfter", Value: e.FuelAfter},
		ast.Entry{Key: "timestamp", Value: float64(e.Timestamp)}, ast.Entry{Key: "path", Value: e.Path}, ast.Entry{Key: "depth", Value: float64(e.Depth)})
	if e.Pos.Line > 0 {
		o = append(o, ast.Entry{Key: "line", Value: float64(e.Pos.Line)}, ast.Entry{Key: "column", Value: float64(e.Pos.Column)})
	}
	if e.Cut {
		o = append(o, ast.Entry{Key: "cut", Value: true})
	}
	return o
}

func orNull(o ast.Object) any {
	if o == nil {
		return ast.Object{}
	}
	return o
}

// MarshalJSON writes the event.
func (e *Event) MarshalJSON() ([]byte, error) { return ast.AppendData(nil, e.Data()) }

// The bounds of one event's parts, in bytes as the membrane counts them.
const (
	maxProgramInput = 16 << 10
	maxEventPart    = 64 << 10
)

type tracer struct {
	events []Event
	left   float64
}

func newTracer(o *options) *tracer { return &tracer{left: float64(o.traceBytes), events: []Event{}} }

// part copies a value for an event, or leaves it out.
func (r *run) part(e *Event, v value) any {
	lim := min(r.trace.left, maxEventPart)
	ex := exportLimits{bytes: lim, depth: 256, undefined: true}
	d, bytes, err := r.exportCounted(v, ex)
	if err != nil {
		e.Cut = true
		return nil
	}
	r.trace.left -= bytes + 64
	return d
}

// before is what a step's scope held when it began.
type before struct {
	fuel  float64
	slots []value
	at    scopeRange
}

type scopeRange struct{ lo, hi int }

func (r *run) before(s *scope) before {
	b := before{fuel: r.fuel}
	if r.trace == nil {
		return b
	}
	if s != nil {
		b.at = scopeRange{s.lo, s.hi}
		if r.trace.left > 0 && r.poll(s.hi-s.lo) {
			b.slots = append([]value(nil), r.slots[s.lo:s.hi]...)
		}
	}
	return b
}

// record adds the event of a step.
func (r *run) record(st *step, b before, input func() ast.Object, failed *AgentError) {
	t := r.trace
	if t == nil {
		return
	}
	e := Event{Op: st.atom.Name, FuelBefore: rounded(b.fuel), FuelAfter: rounded(max(r.fuel, 0)), Timestamp: r.now().UnixMilli(), Path: st.path,
		Pos: st.ast.Pos, Depth: r.scopes, Result: Undefined}
	if t.left <= 0 {
		// Only that there was a step.
		if len(t.events) < 100_000 {
			e.Cut = true
			t.events = append(t.events, e)
		}
		return
	}
	t.left -= 128
	in := input()
	size := dataBytes(in, 1<<20)
	if size > maxEventPart || float64(size) > t.left || r.scopes <= 1 && st.path == "steps" && size > maxProgramInput {
		e.Cut = true
	} else {
		e.Input = in
		t.left -= float64(size)
	}
	if r.inputs != nil {
		e.Inputs = r.part(&e, objectOf(r.inputs))
	}
	if r.hasLast {
		e.Result = r.part(&e, r.last)
	}
	e.StateDiff = ast.Object{}
	if b.slots != nil {
		for i, old := range b.slots {
			now := r.slots[b.at.lo+i]
			if now.kind == unset || now.same(old) {
				continue
			}
			now.fixed = false
			e.StateDiff = append(e.StateDiff, ast.Entry{Key: r.act.body.names[b.at.lo+i], Value: r.part(&e, now)})
		}
	}
	if failed != nil {
		e.Error = failed.Message
	}
	t.events = append(t.events, e)
}

// dataBytes is about how much data takes, up to a bound.
func dataBytes(d any, bound int) int {
	n := 8
	switch d := d.(type) {
	case string:
		n += len(d)
	case []any:
		for _, e := range d {
			if n > bound {
				break
			}
			n += dataBytes(e, bound-n)
		}
	case ast.Object:
		for _, e := range d {
			if n > bound {
				break
			}
			n += len(e.Key) + dataBytes(e.Value, bound-n)
		}
	}
	return n
}

// execSlowly runs a step of a run with quotas or a trace.
func (r *run) execSlowly(st *step) {
	if st.unknown != "" {
		st.exec(r)
		return
	}
	b := r.before(st.scope)
	r.hasLast, r.inputs, r.last = false, nil, value{}
	r.step = st
	counted := r.quotas == nil || r.quota(st.atom)
	if counted {
		st.exec(r)
	}
	if r.trace != nil {
		// What an atom threw, not what set the error slot by itself.
		var failed *AgentError
		if e := r.err; e != nil && counted && e.Path == st.path && e.Kind != KindFuel && e.Kind != KindUser {
			failed = e
		}
		r.step = st
		r.record(st, b, func() ast.Object {
			d, err := st.ast.Data()
			if err != nil {
				return nil
			}
			return withoutControl(d)
		}, failed)
		r.hasLast, r.inputs, r.last = false, nil, value{}
	}
}

// withoutControl leaves out op and result.
func withoutControl(d ast.Object) ast.Object {
	out := make(ast.Object, 0, len(d))
	for _, e := range d {
		if e.Key != "op" && e.Key != "result" {
			out = append(out, e)
		}
	}
	return out
}

// runBlockSlowly is runBlock of a run with quotas or a trace.
func (r *run) runBlockSlowly(b *block) {
	r.step = b.self
	before := r.before(b.self.scope)
	if r.quotas != nil && !r.quota(b.self.atom) {
		return
	}
	if r.fuel -= r.costs[b.self.num]; r.fuel <= 0 {
		r.outOfFuel("")
		return
	}
	open := *b
	open.scoped = false
	if b.scoped {
		r.scopes++
	}
	r.steps(&open)
	if r.trace != nil {
		r.hasLast, r.inputs = false, nil
		step := r.step
		r.step = b.self
		r.record(b.self, before, func() ast.Object {
			if b == r.program.root.block {
				d, err := r.program.ast.Data()
				if err == nil {
					return withoutControl(d)
				}
			}
			d, err := b.self.ast.Data()
			if err != nil {
				return nil
			}
			return withoutControl(d)
		}, nil)
		r.step = step
	}
	if b.scoped {
		r.scopes--
		clear(r.slots[b.lo:b.hi])
	}
}
