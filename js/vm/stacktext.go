package vm

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// StackOf returns the text of stack of an error, or of the object that an error
// inherits from or that Error.captureStackTrace was given; frames is what
// captured them. The text is made when it is first asked for. No script runs.
func (m *Machine) StackOf(v Value, frames Obj) (Value, error) {
	data := m.H.Obj(frames).Data
	if data.IsInternal() {
		if t := m.H.Word(data.AsBlock(), traceText); t.IsString() {
			return t, nil
		}
	}
	head, err := m.Headline(v)
	if err != nil {
		return Undefined, err
	}
	text := m.FormatStack(heap.ObjectValue(frames))
	if err := m.Charge(len(text)/16 + 1); err != nil {
		return Undefined, err
	}
	tail, err := m.H.NewString(text)
	if err != nil {
		return Undefined, err
	}
	s, err := m.H.Concat(head, tail)
	if err != nil {
		return Undefined, err
	}
	if data.IsInternal() {
		m.H.SetWord(data.AsBlock(), traceText, heap.StringValue(s))
	}
	return heap.StringValue(s), nil
}

// FormatStack renders the frames in V8's form, without the headline.
func (m *Machine) FormatStack(v Value) string {
	var b strings.Builder
	w := m.trace(v)
	for i := 0; i < len(w); i += traceWords {
		if m.Charge(4) != nil {
			break // sticky
		}
		b.WriteString("\n    at ")
		m.formatFrame(&b, w[i], w[i+1], w[i+2].AsNumber())
	}
	return b.String()
}

func (m *Machine) formatFrame(b *strings.Builder, f, this Value, place uint32) {
	flags := traceFlags(place & 0xFF)
	if flags&traceAsync != 0 {
		b.WriteString("async ")
	}
	if flags&(traceAll|traceSettled|traceAny) != 0 {
		name := "all"
		switch {
		case flags&traceSettled != 0:
			name = "allSettled"
		case flags&traceAny != 0:
			name = "any"
		}
		b.WriteString("Promise." + name + " (index " + strconv.Itoa(int(this.AsInt())) + ")")
		return
	}
	at := "<anonymous>"
	var fn *fnState
	name := ""
	if flags&traceNative != 0 {
		name = m.nativeFrameName(f.AsObj())
	} else {
		fn = m.traceFn(f)
		at = m.placeText(fn, int(place>>8), 0)
		name = m.frameName(fn, f)
	}
	switch {
	case flags&traceConstruct != 0:
		if name == "" {
			name = "<anonymous>"
		}
		b.WriteString("new " + name)
	case m.isTopLevel(this):
		if name == "" {
			b.WriteString(at)
			return
		}
		b.WriteString(name)
	default:
		m.methodCall(b, name, f, fn, this)
	}
	b.WriteString(" (" + at + ")")
}

// isTopLevel says that a receiver doesn't make a call a method call.
func (m *Machine) isTopLevel(this Value) bool {
	return this.IsNullish() || this == Empty || this.IsInternal() || this == heap.ObjectValue(m.intrinsics[GlobalObject])
}

// methodCall renders "Type.name [as method]".
func (m *Machine) methodCall(b *strings.Builder, name string, f Value, fn *fnState, this Value) {
	if this.IsObject() {
		n := 0
		for p := this.AsObj(); p != 0 && n < 1000; n++ { //meter: charged behind
			if m.H.Obj(p).Class == heap.ClassProxy {
				break
			}
			p = m.H.Proto(p)
		}
		if m.Charge(n/2) != nil {
			return // sticky
		}
	}
	typ := m.receiverType(this)
	method := m.methodName(this, f, fn)
	if name == "" {
		if typ != "" {
			b.WriteString(typ + ".")
		}
		if method == "" {
			method = "<anonymous>"
		}
		b.WriteString(method)
		return
	}
	if typ != "" && isIdentifier(name) {
		b.WriteString(typ + ".")
	}
	b.WriteString(name)
	if method != "" && name != method && !strings.HasSuffix(name, "."+method) {
		b.WriteString(" [as " + method + "]")
	}
}

// frameName is the name a function has in a stack: its property name if that
// is a string of its own, else its name in the source, else what its
// surroundings suggest.
func (m *Machine) frameName(fn *fnState, f Value) string {
	if fn.prog.dynamic && fn.fn.Name == "anonymous" {
		return "eval"
	}
	if f.IsObject() {
		if s := m.FunctionName(f.AsObj()); s != "" {
			return s
		}
	}
	switch {
	case fn.fn.Name != "":
		return fn.fn.Name
	case fn.fn.Inferred != "":
		return fn.fn.Inferred
	case fn.prog.evalAt.fn != nil:
		return "eval"
	}
	return ""
}

// nativeFrameName is the name of a built-in function in a stack.
func (m *Machine) nativeFrameName(f Obj) string {
	rec := m.H.Obj(f)
	if rec.Class == heap.ClassHostFunction {
		return m.hosts[rec.Length].name
	}
	return m.FunctionName(f)
}

// receiverType names what a method was called on.
func (m *Machine) receiverType(this Value) string {
	if !this.IsObject() {
		p := m.protoOfPrimitive(this)
		if p == 0 {
			return ""
		}
		return m.ConstructorName(p)
	}
	o := this.AsObj()
	rec := m.H.Obj(o)
	switch rec.Class {
	case heap.ClassProxy:
		return "Proxy"
	case heap.ClassFunction:
		if f := m.fnOf(rec); f.flags&bytecode.FlagClassConstructor != 0 {
			if name := m.frameName(f, this); name != "" {
				return name
			}
		}
		return "Function"
	case heap.ClassNative, heap.ClassBound, heap.ClassHostFunction:
		return "Function"
	case heap.ClassGenerator, heap.ClassAsyncGenerator:
		if rec.Data.IsInternal() {
			// Its registers are gone when it is done.
			fn := m.funcs[m.H.Word(rec.Data.AsBlock(), coFn).AsNumber()]
			if name := m.frameName(fn, Undefined); name != "" {
				return name
			}
		}
	}
	if rec.Class == heap.ClassObject && m.inheritedData(m.H.Proto(o), m.N.Constructor) == heap.ObjectValue(m.intrinsics[ObjectConstructor]) {
		if t := m.inheritedData(o, m.N.SymToStringTag); t.IsString() {
			return m.short(t.AsStr())
		}
		return "Object"
	}
	if c := m.inheritedData(m.H.Proto(o), m.N.Constructor); c.IsObject() {
		crec := m.H.Obj(c.AsObj())
		name := ""
		if crec.Class == heap.ClassFunction {
			name = m.frameName(m.fnOf(crec), c)
		} else {
			name = m.FunctionName(c.AsObj())
		}
		if name != "" {
			return name
		}
	}
	if t := m.inheritedData(o, m.N.SymToStringTag); t.IsString() {
		return m.short(t.AsStr())
	}
	return classTags[rec.Class]
}

// maxLookedAt bounds the search for the name of a method.
const maxLookedAt = 2000

// methodName finds the property of the receiver that holds the function, ""
// if there is none or more than one.
func (m *Machine) methodName(this, f Value, fn *fnState) string {
	if !f.IsObject() {
		return ""
	}
	o := Obj(0)
	if this.IsObject() {
		o = this.AsObj()
	} else {
		o = m.protoOfPrimitive(this)
	}
	name := ""
	if fn != nil {
		name = fn.fn.Name
	} else {
		name = m.FunctionName(f.AsObj())
	}
	if name == "<static_initializer>" {
		return name
	}
	if strings.HasPrefix(name, "get ") || strings.HasPrefix(name, "set ") {
		name = name[4:]
	}
	holds := func(v Value, a heap.Attrs) bool {
		if a&heap.Accessor != 0 {
			g, s := m.H.Pair(v)
			return g == f || s == f
		}
		return v == f
	}
	if name != "" {
		if k, err := m.H.KeyOfName(name); err == nil && !k.IsIndex() {
			for p, n := o, 0; p != 0 && n < 1000 && m.H.Obj(p).Class != heap.ClassProxy; n++ {
				if v, a, ok := m.H.GetNamed(p, k.Name()); ok {
					if holds(v, a) {
						return name
					}
					break
				}
				p = m.H.Proto(p)
			}
		}
	}
	found := ""
	looked := 0
	for p := o; p != 0 && looked < maxLookedAt && m.H.Obj(p).Class != heap.ClassProxy; p = m.H.Proto(p) { //meter: at most maxLookedAt
		var buf [16]heap.Prop
		if n := m.H.NumNamed(p); n > maxLookedAt || m.Charge(n/4) != nil {
			break
		}
		for _, e := range m.H.Named(p, buf[:0]) { //meter: at most maxLookedAt
			looked++
			if e.Attrs&heap.Enumerable == 0 || m.H.IsSymbolCell(e.Name) || !holds(m.H.Slot(m.H.Obj(p), e.Slot), e.Attrs) {
				continue
			}
			if found != "" {
				return ""
			}
			found = m.short(e.Name)
		}
		looked++
	}
	return found
}

// placeText is "file:line:column"; for code from eval and the Function
// constructor also where that was called.
func (m *Machine) placeText(fn *fnState, pc, depth int) string {
	at := ""
	if lines := fn.prog.p.Lines; lines != nil {
		pos := lines.Position(int32(fn.fn.StackPositionOf(pc - 1)))
		at = ":" + strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.UTF16Column)
	}
	s := fn.prog
	if s.evalAt.fn == nil {
		return fn.prog.p.Name + at
	}
	if depth > 0 {
		at = ""
	} else {
		at = ", <anonymous>" + at
	}
	name := s.evalIn
	if name == "" {
		name = "<anonymous>"
	}
	if depth > 8 {
		return "eval at " + name + at
	}
	outer := m.placeText(s.evalAt.fn, s.evalAt.pc, depth+1)
	return "eval at " + name + " (" + outer + ")" + at
}

// isIdentifier reports whether a name could be written as one.
func isIdentifier(s string) bool {
	for i, r := range s { //meter: a name that the text holds, which is charged for
		if r != '$' && r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)) {
			return false
		}
	}
	return s != ""
}
