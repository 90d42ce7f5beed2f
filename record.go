package pinfold

import (
	"encoding/binary"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// recording is what a run saw of the world outside: enough to run it again
// without the world. What host functions returned is copied as it enters the
// script, since both sides may change theirs later.
type recording struct {
	seed    uint64
	clock   []reading
	calls   []byte // outcomes of synchronous calls and beginnings of asynchronous ones, in order
	settled []byte // what was waited for, in order: 1 + number and outcome of an asynchronous call, or 0 and a timer
	started int    // asynchronous calls begun
	why     string // why the run can't be replayed, if it can't
	buf     [128]byte
}

// reading is an answer of the clock, and how often in a row it was given.
type reading struct {
	ms float64
	n  int
}

// maxRecording bounds what is kept of host calls, and of the clock.
const maxRecording = 1 << 20

// Why a run can't be replayed.
const (
	whyTooLarge = "what the host functions returned is larger than 1 MiB"
	whyTimers   = "too many timers fired"
	whyClock    = "the clock was read too often"
	whyUnknown  = "a host function returned a value that can't be kept"
)

func (r *recording) give(why string) {
	if r.why == "" {
		r.why = why
		r.calls, r.settled, r.clock = r.calls[:0], nil, nil
	}
}

// read notes an answer of the clock.
func (r *recording) read(ms float64) float64 {
	if n := len(r.clock); n > 0 && r.clock[n-1].ms == ms {
		r.clock[n-1].n++
	} else if r.why == "" {
		if n >= maxRecording/16 {
			r.give(whyClock)
			return ms
		}
		r.clock = append(r.clock, reading{ms, 1})
	}
	return ms
}

// Outcomes of calls and kinds of values, as bytes of a recording.
const (
	recUndefined = iota
	recNull
	recTrue
	recFalse
	recNumber  // 8 bytes, the bits of the heap's value
	recString  // length, WTF-8
	recArray   // length, elements
	recObject  // number of properties; names and values
	recEncoded // length, text of a membrane.Value
	recThrown  // an exception: what follows is recError or a value
	recError   // 0 Error, 1 TypeError, 2 RangeError; message; number of properties; names and values
	recPending // an asynchronous call has begun
)

// maxSnapshotDepth is how deeply a value may be nested to be kept.
const maxSnapshotDepth = 200

// recordCall notes what a synchronous call, or the beginning of an asynchronous one,
// gave the script. It returns its arguments.
func (r *run) recordCall(v vm.Value, err error) (vm.Value, error) {
	rec := r.rec
	n := len(rec.calls)
	if n+9 > cap(rec.calls) {
		rec.room()
	}
	switch {
	case err == nil && v.IsNumber():
		b := rec.calls[:n+9]
		b[n] = recNumber
		binary.LittleEndian.PutUint64(b[n+1:], uint64(v))
		rec.calls = b
	case rec.why != "":
	case err == nil:
		rec.calls = r.snapshot(rec.calls, v, 0)
	default:
		if exc, ok := r.m.Caught(err); ok {
			rec.calls = r.snapshotThrown(rec.calls, exc)
			err = r.m.Throw(exc)
		}
	}
	if len(rec.calls) > maxRecording {
		rec.give(whyTooLarge)
	}
	return v, err
}

// room makes room for more calls, twice as much as there was. A recording that
// was given up begins anew each time: what comes is dropped.
func (r *recording) room() {
	switch {
	case r.calls == nil:
		r.calls = r.buf[:0]
	case r.why != "":
		r.calls = r.calls[:0]
	default:
		r.calls = append(make([]byte, 0, max(2*cap(r.calls), 4096)), r.calls...)
	}
}

// recordStart notes that an asynchronous call has begun, and numbers it.
func (r *run) recordStart() int {
	rec := r.rec
	if rec == nil || rec.why != "" {
		return 0
	}
	if rec.calls = append(rec.calls, recPending); len(rec.calls) > maxRecording {
		rec.give(whyTooLarge)
	}
	rec.started++
	return rec.started - 1
}

// recordSettled notes how an asynchronous call ended.
func (r *run) recordSettled(call int, v vm.Value, threw bool) {
	rec := r.rec
	if rec == nil || rec.why != "" {
		return
	}
	rec.settled = binary.AppendUvarint(rec.settled, uint64(call)+1)
	if threw {
		rec.settled = r.snapshotThrown(rec.settled, v)
	} else {
		rec.settled = r.snapshot(rec.settled, v, 0)
	}
	if len(rec.settled) > maxRecording {
		rec.give(whyTooLarge)
	}
}

// recordFire notes that a timer is fired.
func (r *run) recordFire(id int32) {
	rec := r.rec
	if rec == nil || rec.why != "" {
		return
	}
	rec.settled = binary.AppendUvarint(append(rec.settled, 0), uint64(id))
	if len(rec.settled) > maxRecording {
		rec.give(whyTimers)
	}
}

// snapshot appends a copy of a value that has just been made from Go data.
func (r *run) snapshot(b []byte, v vm.Value, depth int) []byte {
	switch {
	case v == vm.Undefined:
		return append(b, recUndefined)
	case v == vm.Null:
		return append(b, recNull)
	case v == vm.True:
		return append(b, recTrue)
	case v == vm.False:
		return append(b, recFalse)
	case v.IsNumber():
		return binary.LittleEndian.AppendUint64(append(b, recNumber), uint64(v))
	case v.IsString():
		return r.snapshotString(append(b, recString), v.AsStr())
	case v.IsObject() && depth < maxSnapshotDepth && len(b) <= maxRecording:
		if r.rec.why != "" {
			return b
		}
		h := r.m.H
		o := v.AsObj()
		switch rec := h.Obj(o); {
		case rec.Class == heap.ClassArray && rec.Flags&(heap.Sparse|heap.Exotic) == 0 && rec.ElemLen == rec.Length && h.NumNamed(o) == 0:
			n := int(rec.ElemLen)
			b = binary.AppendUvarint(append(b, recArray), uint64(n))
			for i := 0; i < n && len(b) <= maxRecording; i++ { //meter: the import of the value was charged for each element
				x := h.Word(h.Obj(o).Elems, i)
				if x == vm.Empty {
					return r.snapshotEncoded(b, v)
				}
				b = r.snapshot(b, x, depth+1)
			}
			return b
		case rec.Class == heap.ClassObject && rec.Flags&heap.Exotic == 0 && rec.ElemLen == 0 && h.NumElems(o) == 0 && h.Proto(o) == r.m.Intrinsic(vm.ObjectPrototype):
			var few [16]heap.Prop
			props := h.Named(o, few[:0])
			b = binary.AppendUvarint(append(b, recObject), uint64(len(props)))
			for _, p := range props { //meter: the import of the value was charged for each property
				b = r.snapshotString(b, p.Name)
				b = r.snapshot(b, h.Slot(h.Obj(o), p.Slot), depth+1)
				if len(b) > maxRecording {
					return b
				}
			}
			return b
		}
	}
	return r.snapshotEncoded(b, v)
}

// snapshotEncoded is snapshot for values of other kinds.
func (r *run) snapshotEncoded(b []byte, v vm.Value) []byte {
	if len(b) > maxRecording {
		return b
	}
	x, err := membrane.Encode(r.m, v, "", membrane.Limits{Bytes: maxRecording, Depth: maxSnapshotDepth})
	if err != nil { //meter: the recording is given up; a limit is sticky
		r.rec.give(whyUnknown)
		return b
	}
	text, _ := x.MarshalJSON() //meter: a value that is text already
	return append(binary.AppendUvarint(append(b, recEncoded), uint64(len(text))), text...)
}

func (r *run) snapshotString(b []byte, s vm.Str) []byte {
	n := r.m.H.Len(s)
	if n > maxRecording {
		r.rec.give(whyTooLarge)
		return b
	}
	if n < 0x80 {
		// The length is that of the bytes, which is known afterwards.
		at := len(b)
		out, err := r.m.H.AppendString(append(b, 0), s)
		if err != nil { //meter: the recording is given up; a limit is sticky
			r.rec.give(whyUnknown)
			return b
		}
		if k := len(out) - at - 1; k < 0x80 {
			out[at] = byte(k)
			return out
		}
		b = out[:at]
	}
	t := r.m.H.GoString(s)
	return append(binary.AppendUvarint(b, uint64(len(t))), t...)
}

// errorPrototypes are the prototypes of the errors that host calls throw.
var errorPrototypes = [...]vm.Intrinsic{vm.ErrorPrototype, vm.TypeErrorPrototype, vm.RangeErrorPrototype}

// snapshotThrown appends an exception that a host call has just made.
func (r *run) snapshotThrown(b []byte, exc vm.Value) []byte {
	b = append(b, recThrown)
	h := r.m.H
	if !exc.IsObject() || h.Obj(exc.AsObj()).Class != heap.ClassError {
		return r.snapshot(b, exc, 0)
	}
	o := exc.AsObj()
	kind := 0
	for i, p := range errorPrototypes { //meter: a fixed number
		if h.Proto(o) == r.m.Intrinsic(p) {
			kind = i
		}
	}
	_, message, more, _ := membrane.ErrorHead(r.m, exc)
	if more > 0 {
		r.rec.give(whyTooLarge)
		return b
	}
	b = append(b, recError, byte(kind))
	b = append(binary.AppendUvarint(b, uint64(len(message))), message...)
	at, n := len(b), 0
	b = append(b, 0)
	for _, p := range h.Named(o, nil) { //meter: the few properties that errors of host calls have
		if name := h.GoString(p.Name); p.Attrs&heap.Accessor == 0 && name != "message" && n < 100 {
			b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
			b = r.snapshot(b, h.Slot(h.Obj(o), p.Slot), 1)
			n++
		}
	}
	if len(b) > at {
		b[at] = byte(n)
	}
	return b
}
