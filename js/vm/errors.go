package vm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/meter"
)

// errThrown is the error of a JavaScript exception on its way; the value is in
// Machine.exc.
var errThrown = errors.New("uncaught JavaScript exception")

// Throw makes v the current exception and returns the error to pass up.
func (m *Machine) Throw(v Value) error {
	m.exc = v
	m.thrown = ThrowSite{}
	return errThrown
}

// Caught takes the value of an exception that a native function wants to
// handle. ok is false when err is no exception but ends the run.
func (m *Machine) Caught(err error) (v Value, ok bool) {
	if err == nil {
		return Undefined, false
	}
	if err != errThrown {
		if meter.IsLimit(err) {
			return Undefined, false
		}
		if !m.toException(err) {
			return Undefined, false
		}
	}
	v = m.exc
	m.exc = Undefined
	return v, true
}

// toException turns a Go error of a lower package into a JavaScript exception.
// It reports false for an error that is none: a bug, which ends the run.
func (m *Machine) toException(err error) bool {
	var se *syntax.SyntaxError
	var re *regexp.SyntaxError
	switch {
	case err == errThrown:
	case errors.Is(err, heap.ErrStringLength):
		_ = m.RangeError("Invalid string length") //meter: it throws; a limit on the way is sticky
	case errors.Is(err, conv.ErrTooBig):
		_ = m.RangeError("Maximum BigInt size exceeded") //meter: it throws; a limit on the way is sticky
	case errors.Is(err, conv.ErrDivZero):
		_ = m.RangeError("Division by zero") //meter: it throws; a limit on the way is sticky
	case errors.Is(err, conv.ErrNegExponent):
		_ = m.RangeError("Exponent must be non-negative") //meter: it throws; a limit on the way is sticky
	case errors.As(err, &se):
		_ = m.SyntaxError("%s", se.Message) //meter: it throws; a limit on the way is sticky
	case errors.As(err, &re):
		_ = m.SyntaxError("%s", re.Message) //meter: it throws; a limit on the way is sticky
	default:
		return false
	}
	return true
}

// TypeError and its like make an error object, throw it, and return the error
// to pass up.
func (m *Machine) TypeError(format string, args ...any) error {
	return m.throwNew(TypeErrorPrototype, format, args)
}

func (m *Machine) RangeError(format string, args ...any) error {
	return m.throwNew(RangeErrorPrototype, format, args)
}

func (m *Machine) ReferenceError(format string, args ...any) error {
	return m.throwNew(ReferenceErrorPrototype, format, args)
}

func (m *Machine) SyntaxError(format string, args ...any) error {
	return m.throwNew(SyntaxErrorPrototype, format, args)
}

func (m *Machine) EvalError(format string, args ...any) error {
	return m.throwNew(EvalErrorPrototype, format, args)
}

func (m *Machine) URIError(format string, args ...any) error {
	return m.throwNew(URIErrorPrototype, format, args)
}

func (m *Machine) PlainError(format string, args ...any) error {
	return m.throwNew(ErrorPrototype, format, args)
}

func (m *Machine) throwNew(proto Intrinsic, format string, args []any) error {
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	v, err := m.NewError(proto, msg)
	if err != nil {
		return err
	}
	return m.Throw(v)
}

// NewError makes an error object with the given prototype and message.
func (m *Machine) NewError(proto Intrinsic, msg string) (Value, error) {
	if n := len(msg); n > 256 { // a name of the source text, which may be of any length
		if err := m.Charge(n / 8); err != nil {
			return Undefined, err
		}
	}
	s, err := m.H.NewString(msg)
	if err != nil {
		return Undefined, err
	}
	o := m.AllocError(m.intrinsics[proto])
	m.H.AddNamed(o, m.N.Message.Name(), heap.StringValue(s), heap.HiddenAttrs)
	return heap.ObjectValue(o), nil
}

// AllocError makes an error object that has captured where it was made. Its
// own property stack is an accessor that formats the capture.
func (m *Machine) AllocError(proto Obj) Obj { return m.AllocErrorAbove(proto, Undefined) }

// AllocErrorAbove is AllocError for an error constructor: the frames up to and
// with the innermost call of above are left out.
func (m *Machine) AllocErrorAbove(proto Obj, above Value) Obj {
	o := m.H.NewObject(m.H.RootShape(proto), heap.ClassError)
	if m.intrinsics[ErrorStackGetter] == 0 {
		return o // the realm is being built
	}
	if limit, ok := m.stackTraceLimit(); ok {
		m.H.AddNamed(o, m.N.Stack.Name(), m.stackPair(), heap.Configurable|heap.Accessor)
		m.captureStack(o, limit, above)
	}
	return o
}

func (m *Machine) stackPair() Value {
	return m.H.NewPair(heap.ObjectValue(m.intrinsics[ErrorStackGetter]), heap.ObjectValue(m.intrinsics[ErrorStackSetter]))
}

// Frame is a script frame of a stack trace.
type Frame struct {
	Function string // "" at top level
	Async    bool   // it awaits what is above it
	File     string
	Offset   int // byte offset in the source
	Line     int // from 1
	Column   int // from 1, in UTF-16 units
	Source   string
}

// maxStackFrames is how many frames a limit's report has.
const maxStackFrames = 10

// ThrowSite is where an exception that is no error object was thrown.
type ThrowSite struct {
	fn *fnState
	pc int
}

// ThrownAt returns where the last uncaught exception was thrown.
func (m *Machine) ThrownAt() (Frame, bool) {
	if m.thrown.fn == nil {
		return Frame{}, false
	}
	return m.frameAt(m.thrown.fn, m.thrown.pc), true
}

func (m *Machine) frameAt(fn *fnState, pc int) Frame {
	p := fn.prog.p
	off := fn.fn.PositionOf(pc - 1)
	f := Frame{Function: fn.fn.Name, File: p.Name, Offset: off, Source: p.Source}
	if p.Lines != nil {
		pos := p.Lines.Position(int32(off))
		f.Line, f.Column = pos.Line, pos.UTF16Column
	}
	return f
}

// KeyString renders a key for a message.
func (m *Machine) KeyString(k Key) string {
	switch {
	case k.IsIndex():
		return fmt.Sprint(k.Index())
	case k.IsSymbol():
		if m.H.IsPrivateName(k.Name()) {
			return m.short(m.H.Description(k.Name()))
		}
		return "Symbol(" + m.short(m.H.Description(k.Name())) + ")"
	}
	return m.short(k.Name())
}

// maxQuoted is how much of a string a message quotes.
const maxQuoted = 200

func (m *Machine) short(s Str) string {
	if s == 0 {
		return ""
	}
	n := m.H.Len(s)
	if n <= maxQuoted {
		return m.H.GoString(s)
	}
	sub, err := m.H.Substring(s, 0, maxQuoted)
	if err != nil { //meter: for a message; a limit is sticky
		return "…"
	}
	return m.H.GoString(sub) + "…"
}

// typeName names undefined and null, and the type of anything else.
func (m *Machine) typeName(v Value) string {
	switch v {
	case Undefined:
		return "undefined"
	case Null:
		return "null"
	}
	return m.H.GoString(m.TypeOf(v))
}

// Describe renders a value for a message without running any script, in the
// way V8's messages do.
func (m *Machine) Describe(v Value) string {
	switch {
	case v.IsString():
		return m.short(v.AsStr())
	case v.IsSymbol():
		return "Symbol(" + m.short(m.H.Description(v.AsStr())) + ")"
	case v.IsObject():
		return m.objectTag(v)
	case v.IsBigInt():
		if _, limbs := m.H.BigInt(v.AsStr()); len(limbs) > 8 {
			return "a large BigInt"
		}
	}
	s, err := m.ToString(v)
	if err != nil { //meter: for a message; a limit is sticky
		return "a value"
	}
	return m.H.GoString(s)
}

// objectTag renders an object as V8 does in messages: functions by their text,
// errors by their headline, objects that inherit Object.prototype.toString by
// their constructor's name, #<Object>, and others by their tag.
func (m *Machine) objectTag(v Value) string {
	if !v.IsObject() {
		return m.Describe(v)
	}
	o := v.AsObj()
	rec := m.H.Obj(o)
	switch rec.Class {
	case heap.ClassFunction:
		f := m.fnOf(rec)
		src := f.prog.p.Source
		if int(f.fn.End) <= len(src) && f.fn.Start <= f.fn.End {
			t := src[f.fn.Start:f.fn.End]
			if len(t) > maxQuoted {
				t = strings.ToValidUTF8(t[:maxQuoted], "") + "…"
			}
			return t
		}
	case heap.ClassNative, heap.ClassBound, heap.ClassHostFunction:
		return "function " + m.FunctionName(o) + "() { [native code] }"
	case heap.ClassError:
		// An error's name and message may be errors, the error itself too.
		if m.headlineDepth < maxHeadlines {
			m.headlineDepth++
			h, err := m.Headline(v)
			m.headlineDepth--
			if err == nil {
				return m.short(h)
			}
		}
	case heap.ClassProxy:
		return "#<" + m.ConstructorName(o) + ">"
	}
	if m.inheritedData(o, m.N.ToString) == heap.ObjectValue(m.intrinsics[ObjectProtoToString]) {
		if c := m.inheritedData(o, m.N.Constructor); c.IsObject() {
			if name := m.FunctionName(c.AsObj()); name != "" {
				return "#<" + name + ">"
			}
		}
	}
	if t := m.inheritedData(o, m.N.SymToStringTag); t.IsString() {
		return "[object " + m.short(t.AsStr()) + "]"
	}
	return "[object " + classTags[rec.Class] + "]"
}

// maxHeadlines is how deep headlines of errors are shown in each other.
const maxHeadlines = 4

// classTags are the builtinTag of Object.prototype.toString (§20.1.3.6).
var classTags = func() (t [heap.NumClasses]string) {
	for i := range t {
		t[i] = "Object"
	}
	t[heap.ClassArray], t[heap.ClassDate], t[heap.ClassRegExp] = "Array", "Date", "RegExp"
	t[heap.ClassBoolean], t[heap.ClassNumber], t[heap.ClassString] = "Boolean", "Number", "String"
	t[heap.ClassArguments], t[heap.ClassFunction] = "Arguments", "Function"
	return t
}()

// spendHop charges for the prototypes that messages look at. The charge is sticky.
func (m *Machine) spendHop(n int) {
	if n%chainStep == chainStep-1 {
		_ = m.Charge(chainFuel) //meter: sticky: the next charge ends the run
	}
}

// inheritedData finds a data property along the prototypes, running no script.
func (m *Machine) inheritedData(o Obj, key Key) Value {
	for n := 0; o != 0 && n < 1000 && m.H.Obj(o).Class != heap.ClassProxy; n++ {
		if v, a, ok := m.H.GetNamed(o, key.Name()); ok {
			if a&heap.Accessor != 0 {
				return Undefined
			}
			return v
		}
		o = m.H.Proto(o)
		m.spendHop(n)
	}
	return Undefined
}

func (m *Machine) objectDescription(v Value) string {
	if !v.IsObject() {
		return fmt.Sprintf("%s '%s'", m.typeName(v), m.Describe(v))
	}
	if m.H.Obj(v.AsObj()).Flags&heap.Callable != 0 {
		return "function '" + m.objectTag(v) + "'"
	}
	return "object '" + m.objectTag(v) + "'"
}

// ConstructorName finds the name of an object's constructor from data
// properties only, running no script.
func (m *Machine) ConstructorName(o Obj) string {
	for n := 0; o != 0 && n < 100; n++ {
		if m.H.Obj(o).Class == heap.ClassProxy {
			break
		}
		if v, a, ok := m.H.GetNamed(o, m.N.Constructor.Name()); ok {
			if a&heap.Accessor == 0 && v.IsObject() {
				if name := m.FunctionName(v.AsObj()); name != "" {
					return name
				}
			}
			break
		}
		o = m.H.Proto(o)
	}
	return "Object"
}

// FunctionName returns the name of a function from its own data property,
// running no script.
func (m *Machine) FunctionName(f Obj) string {
	if m.H.Obj(f).Flags&heap.LazyProps != 0 {
		return m.fnOf(m.H.Obj(f)).fn.Name
	}
	if v, a, ok := m.H.GetNamed(f, m.N.Name.Name()); ok && a&heap.Accessor == 0 && v.IsString() {
		return m.short(v.AsStr())
	}
	return ""
}
