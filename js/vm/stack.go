package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// Headline is the first line of an error's stack: what Error.prototype.toString
// gives (§20.5.3.4), from data properties only, running no script.
func (m *Machine) Headline(v Value) (Str, error) {
	if !v.IsObject() {
		return m.H.NewString(m.plainText(v))
	}
	o := v.AsObj()
	name, err := m.headlinePart(o, m.N.Name)
	if err != nil {
		return 0, err
	}
	if name == 0 {
		if name, err = m.H.NewString("Error"); err != nil {
			return 0, err
		}
	}
	msg, err := m.headlinePart(o, m.N.Message)
	if err != nil || msg == 0 || m.H.Len(msg) == 0 {
		return name, err
	}
	if m.H.Len(name) == 0 {
		return msg, nil
	}
	sep, err := m.H.NewString(": ")
	if err != nil {
		return 0, err
	}
	if name, err = m.H.Concat(name, sep); err != nil {
		return 0, err
	}
	return m.H.Concat(name, msg)
}

// headlinePart finds name or message of an error; 0 if it is undefined. A name
// that only a getter knows is guessed from the constructor.
func (m *Machine) headlinePart(o Obj, key Key) (Str, error) {
	for p, n := o, 0; p != 0 && n < 1000; n++ {
		if m.H.Obj(p).Class == heap.ClassProxy {
			break
		}
		v, a, ok, err := m.ownRaw(p, key)
		if err != nil {
			return 0, err
		}
		if ok {
			switch {
			case a&heap.Accessor != 0:
				if key == m.N.Name {
					return m.H.NewString(m.ConstructorName(o))
				}
				return 0, nil
			case v == Undefined:
				return 0, nil
			case v.IsString():
				return v.AsStr(), nil
			}
			return m.H.NewString(m.Describe(v))
		}
		p = m.H.Proto(p)
	}
	return 0, nil
}

// What an error object's Data holds: a block of values with the text of stack,
// once somebody has read it, the number of frames and, for each, innermost
// first, three words: the function (a closure, a native function or the number
// of a function), its receiver, and the place: pc<<8 | traceFlags.
const (
	traceText = iota
	traceCount
	traceFrames
	traceWords = 3
)

// traceFlags say what kind of frame it is.
type traceFlags uint32

const (
	traceNative    traceFlags = 1 << iota // a built-in or host function
	traceConstruct                        // called by new
	traceAsync                            // awaits the frame above
	traceAll                              // the receiver's place is an index: Promise.all and its like
	traceSettled
	traceAny
)

// callRec is a call that doesn't come from an instruction of the frame below
// it: from native code, or with arguments from an array.
type callRec struct {
	base      int // of the callee, the receiver and the arguments in Machine.stack
	depth     int // how many frames there were
	construct bool
}

// stackTraceLimit reads Error.stackTraceLimit; ok is false when it is no
// number, and errors have no stack.
func (m *Machine) stackTraceLimit() (limit int, ok bool) {
	v, a, found := m.H.GetNamed(m.intrinsics[ErrorConstructor], m.N.StackTraceLimit.Name())
	if !found || a&heap.Accessor != 0 || !v.IsNumber() {
		return 0, false
	}
	f := v.AsFloat()
	if !(f > 0) {
		return 0, true
	}
	return int(min(f, maxTraceFrames)), true
}

// maxTraceFrames is how many frames an error remembers at most.
const maxTraceFrames = 1000

// capture collects the frames of a stack.
type capture struct {
	m     *Machine
	buf   []Value
	limit int
	above Value // when not undefined: frames up to and with this function's are left out
	seen  bool
	at    int // how many frames are below the one that is looked at
}

func (c *capture) full() bool { return len(c.buf) >= c.limit*traceWords }

func (c *capture) add(f, this Value, pc int, flags traceFlags) {
	if c.above != Undefined && !c.seen {
		c.seen = f == c.above
		return
	}
	if !c.full() {
		c.buf = append(c.buf, f, this, heap.NumberValue(uint32(pc)<<8|uint32(flags)))
	}
}

// captureStack records the frames that are on the stack, innermost first, and
// then those that wait for the job that is running.
func (m *Machine) captureStack(o Obj, limit int, above Value) {
	c := capture{m: m, buf: m.traceBuf[:0], limit: limit, above: above}
	if limit > 10 {
		if m.Charge(min(limit, len(m.frames)+len(m.calls))) != nil {
			return // sticky
		}
	}
	if limit > 0 {
		c.running()
		if n := len(m.frames) - c.at; n > 16 {
			_ = m.Charge(n / 8) //meter: sticky
		}
		if m.jobs.current.v[0] != 0 && !c.full() {
			c.waiting(&m.jobs.current)
		}
	}
	b, err := m.H.NewValues(traceFrames + len(c.buf))
	if err != nil {
		return // sticky
	}
	w := m.H.ValuesW(b)
	w[traceText], w[traceCount] = Undefined, heap.NumberValue(uint32(len(c.buf)/traceWords))
	copy(w[traceFrames:], c.buf)
	if cap(c.buf) <= 64*traceWords {
		m.traceBuf = c.buf[:0]
	}
	m.H.ObjW(o).Data = heap.ValuesValue(b)
}

// running adds the frames on the stack.
func (c *capture) running() {
	m := c.m
	k := len(m.calls)
	for d := len(m.frames); ; d-- { //meter: ends with the limit; the frames that are left out are charged
		c.at = d
		for k > 0 && m.calls[k-1].depth >= d { //meter: built-ins on the stack, one or two a frame; full ends it
			k--
			r := &m.calls[k]
			c.native(r.base, r.construct)
		}
		if d == 0 || c.full() {
			return
		}
		fr := &m.frames[d-1]
		if fr.pc > 0 {
			switch in := fr.fn.code[fr.pc-1]; in.Op {
			case bytecode.Call:
				c.native(fr.base+int(in.B), false)
			case bytecode.New, bytecode.SuperCall:
				c.native(fr.base+int(in.B), true)
			}
		}
		c.frame(fr)
	}
}

// native adds the native function that is called with the window at base, if
// it is one.
func (c *capture) native(base int, construct bool) {
	f := c.m.stack[base]
	if !f.IsObject() {
		return
	}
	rec := c.m.H.Obj(f.AsObj())
	switch {
	case rec.Class != heap.ClassNative && rec.Class != heap.ClassHostFunction:
		return
	case rec.Class == heap.ClassNative && c.m.realm.natives[rec.Length].hidden:
		return
	}
	flags := traceNative
	if construct {
		if rec.Flags&heap.Constructor == 0 {
			return // the call failed before it began
		}
		flags |= traceConstruct
	}
	c.add(f, c.m.stack[base+1], 0, flags)
}

func (c *capture) frame(fr *frame) {
	m := c.m
	f, this := m.stack[fr.base], m.stack[fr.base+1]
	if !f.IsObject() {
		f = heap.NumberValue(uint32(fr.fn.index))
	}
	flags := traceFlags(0)
	if fr.flags&frameConstruct != 0 {
		flags = traceConstruct
	}
	fr.fn.prog.pinned = true
	c.add(f, this, fr.pc, flags)
	if fr.flags&(frameResumed|frameGenerator) == frameResumed|frameGenerator && fr.dst >= 0 && fr.gen != 0 {
		// The generator's next, which pushed the frame itself.
		c.add(heap.ObjectValue(m.intrinsics[GeneratorNext]), heap.ObjectValue(fr.gen), 0, traceNative)
	}
}

// CaptureFrames makes an object of class Error, without properties, that holds
// the frames now on the stack. When above is a function, the frames up to and
// with its innermost call are left out; all are when it isn't running.
// Otherwise those of native functions above the innermost script frame are. ok
// is false when Error.stackTraceLimit is no number.
func (m *Machine) CaptureFrames(above Value) (o Obj, ok bool) {
	o = m.H.NewObject(m.H.RootShape(0), heap.ClassError)
	limit, ok := m.stackTraceLimit()
	if !m.IsCallable(above) {
		above = Undefined
	}
	m.captureStack(o, limit, above)
	return o, ok
}

// DropFrames takes the frames away that an error object has captured.
func (m *Machine) DropFrames(v Value) {
	if w := m.trace(v); len(w) > 0 {
		m.H.SetWord(m.H.Obj(v.AsObj()).Data.AsBlock(), traceCount, heap.NumberValue(0))
	}
}

// trace returns the words of an error's frames; nil if it has captured none.
func (m *Machine) trace(v Value) []Value {
	if !v.IsObject() {
		return nil
	}
	rec := m.H.Obj(v.AsObj())
	if rec.Class != heap.ClassError || !rec.Data.IsInternal() {
		return nil
	}
	w := m.H.Values(rec.Data.AsBlock())
	return w[traceFrames : traceFrames+traceWords*int(w[traceCount].AsNumber())]
}

// traceFn is the function of a script frame of a trace.
func (m *Machine) traceFn(f Value) *fnState {
	if f.IsObject() {
		return m.fnOf(m.H.Obj(f.AsObj()))
	}
	return m.funcs[f.AsNumber()]
}

// Frames returns the script frames an error object captured, innermost first.
func (m *Machine) Frames(v Value) []Frame {
	var out []Frame
	w := m.trace(v)
	for i := 0; i < len(w); i += traceWords { //meter: at most maxTraceFrames, charged when captured
		place := w[i+2].AsNumber()
		flags := traceFlags(place & 0xFF)
		if flags&(traceNative|traceAll|traceSettled|traceAny) != 0 {
			continue
		}
		fr := m.frameAt(m.traceFn(w[i]), int(place>>8))
		fr.Async = flags&traceAsync != 0
		out = append(out, fr)
	}
	return out
}
