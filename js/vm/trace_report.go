package vm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// What a look at a throw, and an explanation, cost.
const (
	lookFuel    = 4
	explainFuel = 1000
)

// thrown is called when an exception begins to look for a handler. If it may be
// the one to explain, everything that will be told of it is put in words now,
// while the frames and the objects are there.
func (t *tracer) thrown() {
	fr := &t.m.frames[len(t.m.frames)-1]
	t.look(t.m.exc, t.m.frameAt(fr.fn, fr.pc))
}

// rejected is called when a promise is rejected: the reason need not have been
// thrown.
func (t *tracer) rejected(v Value) {
	if len(t.m.frames) > 0 {
		fr := &t.m.frames[len(t.m.frames)-1]
		t.look(v, t.m.frameAt(fr.fn, fr.pc))
	}
}

func (t *tracer) look(exc Value, at Frame) {
	m := t.m
	if m.Charge(lookFuel) != nil {
		return
	}
	for i := range t.found { //meter: at most maxExplained
		if t.found[i].exc == exc && exc.IsObject() {
			return // thrown on: where it came from first counts
		}
	}
	frames := m.Frames(exc)
	if len(frames) == 0 {
		frames = []Frame{at}
	}
	if m.Charge(len(frames)) != nil {
		return
	}
	if !slices.ContainsFunc(frames, t.opt.Wanted) || m.Charge(explainFuel) != nil {
		return
	}
	if len(t.found) == maxExplained {
		t.found = slices.Delete(t.found, 0, 1)
	}
	t.found = append(t.found, explained{exc, t.explain(exc)})
}

// culprit is the value that an instruction failed for.
type culprit struct {
	subject string
	val     Value
	org     origin
	keysOf  Value // the object that lacks a method, or Empty
}

func (t *tracer) explain(exc Value) *Explained {
	m := t.m
	x := &Explained{}
	n := len(m.frames)
	fr := &m.frames[n-1]
	if len(t.live) >= n {
		f := &t.live[n-1]
		if f.fn == fr.fn && f.base == fr.base {
			if c, ok := t.culprit(f, fr, exc); ok {
				x.Subject = c.subject
				x.Value = t.opt.Show(m, c.val)
				if x.Subject != x.Value { // a literal explains itself
					x.Steps = t.steps(c.org)
				}
				if c.keysOf != Empty {
					x.Keys = t.allKeys(c.keysOf)
				}
			}
		}
	}
	if len(x.Steps) == 0 && exc.IsObject() {
		if name, ok := t.hostErrs[exc.AsObj()]; ok {
			x.Steps = []TraceStep{{Text: "thrown by the host call " + name, At: m.frameAt(fr.fn, fr.pc)}}
		}
	}
	if x.Keys == nil {
		for _, s := range x.Steps { //meter: at most maxSteps
			if s.Key != "" {
				x.Keys = s.Keys
				break
			}
		}
	}
	x.Names = t.names(fr)
	for i := n - 1; i >= 0 && len(x.Locals) < maxShownFrames; i-- { //meter: at most maxShownFrames
		x.Locals = append(x.Locals, t.locals(&m.frames[i], fr))
	}
	return x
}

// culprit finds the operand that the top frame's instruction failed for.
func (t *tracer) culprit(f *traceFrame, fr *frame, exc Value) (culprit, bool) {
	m := t.m
	pc := fr.pc - 1
	if f.pc != pc {
		return culprit{}, false
	}
	pick := func(i int, operand int32) (culprit, bool) {
		c := culprit{subject: t.texts[t.exprText(f.fn, pc, operand)], val: f.val[i], org: f.org[i], keysOf: Empty}
		if c.subject == "" && operand == bytecode.OperandObject && f.in.Op != bytecode.GetPrivate && f.in.Op != bytecode.SetPrivate {
			c.subject = m.calleeText(f.fn, fr.pc)
		}
		if c.org == 0 && c.val.IsObject() {
			c.org = t.made[c.val.AsObj()]
		}
		return c, true
	}
	nullish := func(i int) bool { return f.val[i].IsNullish() }
	in := f.in
	switch in.Op {
	case bytecode.GetProp, bytecode.GetMethod, bytecode.GetLength, bytecode.GetElem, bytecode.GetMethodElem, bytecode.GetPrivate,
		bytecode.DeleteProp, bytecode.SetProp, bytecode.SetElem, bytecode.SetPrivate:
		if nullish(0) || in.Op == bytecode.GetPrivate || in.Op == bytecode.SetPrivate {
			return pick(0, bytecode.OperandObject)
		}
	case bytecode.CheckObjectCoercible, bytecode.GetIter, bytecode.GetAsyncIter, bytecode.ArraySpread:
		if missing(f.val[0]) {
			return pick(0, bytecode.OperandObject)
		}
	case bytecode.In, bytecode.InstanceOf:
		if !f.val[1].IsObject() {
			return pick(1, bytecode.OperandRight)
		}
	case bytecode.Call, bytecode.CallSpread, bytecode.CallEval, bytecode.New, bytecode.NewSpread:
		if !m.IsCallable(f.val[0]) || (in.Op == bytecode.New || in.Op == bytecode.NewSpread) && !m.IsConstructor(f.val[0]) {
			c := culprit{subject: m.calleeText(f.fn, fr.pc), val: f.val[0], org: f.org[0], keysOf: Empty}
			if c.org != 0 && t.notes[c.org].kind == noteMissing && in.Op != bytecode.New && in.Op != bytecode.NewSpread && !f.val[1].IsNullish() {
				c.keysOf = f.val[1]
			}
			return c, missing(c.val)
		}
		if in.Op == bytecode.Call || in.Op == bytecode.New {
			return t.argument(f, fr, pc)
		}
	case bytecode.Throw:
		if exc.IsObject() && m.H.Obj(exc.AsObj()).Class == heap.ClassError {
			return t.reason(f, fr, pc)
		}
		return pick(0, bytecode.OperandObject)
	case bytecode.Add, bytecode.Sub, bytecode.Mul, bytecode.Div, bytecode.Mod, bytecode.Exp:
		for i, operand := range []int32{bytecode.OperandLeft, bytecode.OperandRight} { //meter: two
			if missing(f.val[i]) {
				return pick(i, operand)
			}
		}
	}
	return culprit{}, false
}

// argument looks for what a built-in or host function refused: an argument, or
// what its method was called on.
func (t *tracer) argument(f *traceFrame, fr *frame, pc int) (culprit, bool) {
	m := t.m
	w := int(f.in.B)
	for i := range int(f.in.C) { //meter: the arguments of a call in the source
		at := w + 2 + i
		if at >= len(f.regs) {
			break
		}
		if v := m.stack[fr.base+at]; missing(v) {
			return culprit{subject: t.texts[t.exprText(f.fn, pc, int32(i))], val: v, org: f.regs[at], keysOf: Empty}, true
		}
	}
	this := f.val[1]
	if f.in.Op == bytecode.Call && this.IsObject() {
		if rec := m.H.Obj(this.AsObj()); rec.Class == heap.ClassDate && missing(rec.Data) {
			return culprit{subject: t.texts[t.exprText(f.fn, pc, bytecode.OperandObject)], val: this, org: t.made[this.AsObj()], keysOf: Empty}, true
		}
	}
	return culprit{}, false
}

// near is how far, in bytes of the source, a test stands before what it decides
// at most.
const near = 400

// reason looks for the value that made a program throw an error of its own: the
// one tested just before, or a variable that is NaN.
func (t *tracer) reason(f *traceFrame, fr *frame, pc int) (culprit, bool) {
	here := f.fn.fn.PositionOf(pc)
	if c := &f.cond; c.pc > 0 && missing(c.val) {
		if at := f.fn.fn.PositionOf(c.pc); at <= here && here-at <= near {
			return culprit{subject: t.texts[t.exprText(f.fn, c.pc, c.operand)], val: c.val, org: c.org, keysOf: Empty}, true
		}
	}
	var found culprit
	t.variables(fr, func(dv *bytecode.DebugVar, v Value, org origin) bool {
		if missing(v) && !v.IsNullish() && org != 0 {
			found = culprit{subject: dv.Name, val: v, org: org, keysOf: Empty}
			return false
		}
		return true
	})
	return found, found.org != 0
}

// exprText returns the source of an operand, as the number of a text.
func (t *tracer) exprText(fn *fnState, pc int, operand int32) int32 {
	if pc < 0 {
		return 0
	}
	e, ok := fn.fn.Debug.Expr(pc, operand)
	src := fn.prog.p.Source
	if !ok || e.Start < 0 || int(e.End) > len(src) || e.Start >= e.End {
		return 0
	}
	s := strings.Join(strings.Fields(strings.ToValidUTF8(src[e.Start:min(int(e.End), int(e.Start)+4*maxQuoted)], "")), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:59]) + "…"
	}
	return t.text(s)
}

// variables lists the variables of a frame that have values, innermost scope
// first, until f returns false.
func (t *tracer) variables(fr *frame, f func(dv *bytecode.DebugVar, v Value, org origin) bool) {
	m := t.m
	fn := fr.fn
	p := fn.prog.p
	here := int32(fn.fn.PositionOf(fr.pc - 1))
	live := (*traceFrame)(nil)
	for i := range m.frames { //meter: the frames, which were charged
		if &m.frames[i] == fr && i < len(t.live) {
			live = &t.live[i]
		}
	}
	seen := map[string]bool{}
	for s := fn.fn.Debug.ScopeAt(fr.pc - 1); s >= 0; s = p.DebugScopes[s].Parent { //meter: nesting of the source text
		d := &p.DebugScopes[s]
		if int(d.Func) != fn.fn.Index {
			break
		}
		if m.Charge(1+len(d.Vars)/4) != nil {
			return
		}
		env := fr.env
		if !d.Closed && d.EnvReg != bytecode.None {
			env = m.stack[fr.base+int(d.EnvReg)]
		}
		for i := range d.Vars { //meter: charged above
			dv := &d.Vars[i]
			if seen[dv.Name] || dv.Name == "arguments" || dv.From > here || dv.Name == "" || dv.Name[0] == '%' || dv.Name[0] == '#' {
				continue
			}
			v, org := Empty, origin(0)
			switch {
			case dv.Captured:
				if !env.IsEnv() || int(dv.At)+1 >= len(m.H.Values(env.AsBlock())) {
					continue
				}
				v = m.H.Word(env.AsBlock(), int(dv.At)+1)
				org = t.envs[slotKey{env.AsBlock(), int(dv.At)}]
			case int(dv.At) < int(fn.nregs):
				v = m.stack[fr.base+int(dv.At)]
				if live != nil && live.fn == fn && int(dv.At) < len(live.regs) {
					org = live.regs[dv.At]
				}
			}
			if v == Empty || v.IsInternal() {
				continue
			}
			seen[dv.Name] = true
			if !f(dv, v, org) {
				return
			}
		}
	}
}

// lineReach is how far a line counts around a place, in bytes: some are whole
// programs.
const lineReach = 1000

// locals shows the variables of a frame: those that its line names first, then
// those declared nearest before it.
func (t *tracer) locals(fr *frame, top *frame) TraceFrame {
	m := t.m
	out := TraceFrame{At: m.frameAt(fr.fn, fr.pc)}
	type variable struct {
		name string
		v    Value
		rank int64
	}
	line := ""
	if src := out.At.Source; out.At.Offset <= len(src) {
		from, to := max(0, out.At.Offset-lineReach), min(len(src), out.At.Offset+lineReach)
		start := from + strings.LastIndexByte(src[from:out.At.Offset], '\n') + 1
		line = src[start:to]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
	}
	var all []variable
	t.variables(fr, func(dv *bytecode.DebugVar, v Value, _ origin) bool {
		rank := int64(1<<31 + math.MaxInt32 - int64(dv.From))
		if i := wordIndex(line, dv.Name); i >= 0 {
			rank = int64(i)
		} else if v.IsObject() && m.H.Obj(v.AsObj()).Flags&heap.Callable != 0 {
			return true
		}
		all = append(all, variable{dv.Name, v, rank})
		return len(all) < 200
	})
	slices.SortStableFunc(all, func(a, b variable) int { return cmp.Compare(a.rank, b.rank) })
	for _, x := range all[:min(len(all), maxShownVars)] { //meter: at most maxShownVars
		out.Vars = append(out.Vars, TraceVar{x.name, t.opt.Show(m, x.v)})
	}
	return out
}

// wordIndex finds a name in a line of source.
func wordIndex(line, name string) int {
	for from := 0; from < len(line); { //meter: a line of the source, once for each variable shown
		i := strings.Index(line[from:], name)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(name)
		if (i == 0 || !isNameByte(line[i-1]) && line[i-1] != '.') && (end == len(line) || !isNameByte(line[end])) {
			return i
		}
		from = i + 1
	}
	return -1
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// names lists the names visible in a frame, innermost first.
func (t *tracer) names(fr *frame) []string {
	p := fr.fn.prog.p
	var out []string
	seen := map[string]bool{}
	for s := fr.fn.fn.Debug.ScopeAt(fr.pc - 1); s >= 0; s = p.DebugScopes[s].Parent { //meter: nesting of the source text
		for i := range p.DebugScopes[s].Vars { //meter: names of the source text
			n := p.DebugScopes[s].Vars[i].Name
			if n == "" || n[0] == '%' || n[0] == '#' || seen[n] {
				continue
			}
			if seen[n] = true; len(out) == maxShownNames {
				return out
			}
			out = append(out, n)
		}
	}
	return out
}

// allKeys lists the own and inherited keys of a value.
func (t *tracer) allKeys(v Value) []string {
	var out []string
	for o, n := t.base(v), 0; o != 0 && n < 20; n++ { //meter: at most 20
		if t.m.H.Obj(o).Class == heap.ClassProxy {
			break
		}
		out = t.ownNames(o, out, maxShownNames)
		o = t.m.H.Proto(o)
	}
	if v.IsString() {
		out = append(out, "length")
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(s string) bool {
		dup := seen[s]
		seen[s] = true
		return dup
	})
}

// steps puts the notes that lead to a value in words.
func (t *tracer) steps(o origin) []TraceStep {
	var out []TraceStep
	awaited := int32(-1)                // where a step was waited for that has no place itself
	for o != 0 && len(out) < maxSteps { //meter: at most maxChain
		n := &t.notes[o]
		o = n.prev
		if n.kind == noteAwaited {
			awaited = n.site
			continue
		}
		site := n.site
		if site < 0 {
			site = awaited
		}
		awaited = -1
		s := TraceStep{Text: t.words(n)}
		if o != 0 {
			// What says nothing that the next step doesn't say is left out.
			p := &t.notes[o]
			same := t.sameLine(n.site, p.site)
			switch {
			case n.kind == noteAssigned && (same || p.kind == noteLiteral && (p.n == bytecode.UndefDeclared || p.n == bytecode.UndefHoisted)):
				continue
			case n.kind == noteStored && p.kind == noteLiteral && p.n == bytecode.UndefDeclared:
				continue
			case n.kind == noteStored && p.kind == noteLiteral && p.n == bytecode.UndefLiteral && same:
				s.Text = t.literal(p) + " stored in key " + quoteKey(t.texts[n.text])
				o = p.prev
			}
		}
		if site >= 0 {
			s.At = t.place(site)
		}
		if n.kind == noteMissing {
			s.Key, s.Of, s.Keys = t.texts[n.text], t.texts[n.of], t.lists[n.list].keys
		}
		out = append(out, s)
	}
	return out
}

// literal is the value that a note of one says was written.
func (t *tracer) literal(n *note) string {
	if s := t.texts[n.text]; s == "null" || s == "NaN" {
		return s
	}
	return "undefined"
}

func (t *tracer) sameLine(a, b int32) bool {
	if a < 0 || b < 0 {
		return false
	}
	if t.sites[a].fn.prog != t.sites[b].fn.prog {
		return false
	}
	return t.place(a).Line == t.place(b).Line
}

// place is where an instruction is in the source; for those that make a value,
// where the value's expression begins.
func (t *tracer) place(site int32) Frame {
	at := t.sites[site]
	f := t.m.frameAt(at.fn, at.pc+1)
	operand := int32(bytecode.OperandResult)
	if op := at.fn.code[at.pc].Op; op >= bytecode.JumpTrue && op <= bytecode.JumpNotNullish {
		operand = bytecode.OperandObject
	}
	if e, ok := at.fn.fn.Debug.Expr(at.pc, operand); ok && at.fn.prog.p.Lines != nil {
		pos := at.fn.prog.p.Lines.Position(e.Start)
		f.Offset, f.Line, f.Column = int(e.Start), pos.Line, pos.UTF16Column
	}
	return f
}

// words says a note.
func (t *tracer) words(n *note) string {
	text := t.texts[n.text]
	switch n.kind {
	case noteLiteral:
		switch n.n {
		case bytecode.UndefEnd:
			return text + " ended without return"
		case bytecode.UndefReturn:
			return text + " returned without a value"
		case bytecode.UndefThis:
			return "no object stands in front of the call, so there is no this"
		case bytecode.UndefModule:
			return "a module has no this"
		case bytecode.UndefHoisted:
			return "declared by var, and not assigned yet"
		case bytecode.UndefDeclared:
			return "declared without a value"
		case bytecode.UndefChain:
			if text != "" {
				return "the optional chain stopped at " + text
			}
			return "the optional chain stopped"
		case bytecode.UndefElement:
			return "the iterable had no element for it"
		}
		return t.literal(n) + " written here"
	case noteMissing:
		s := fmt.Sprintf("missing key %s", quoteKey(text))
		if owner := t.ownerWords(n.owner); owner != "" {
			s += " of " + owner
		}
		if list := &t.lists[n.list]; t.texts[n.of] != "Array" && t.texts[n.of] != "Function" {
			switch own := list.keys[:list.own]; {
			case len(own) > 8:
				s += ", which has the keys " + strings.Join(own[:8], ", ") + ", …"
			case len(own) > 1:
				s += ", which has the keys " + strings.Join(own, ", ")
			case len(own) == 1:
				s += ", which has the key " + own[0]
			case t.texts[n.of] == "Object" && len(list.keys) == 0:
				s += ", which is empty"
			}
		}
		return s
	case notePastEnd:
		owner := t.ownerWords(n.owner)
		if strings.HasPrefix(owner, "an array") || strings.HasPrefix(owner, "the array") || owner == "" {
			s := fmt.Sprintf("element %d of an array of length %d", n.n, n.m)
			if rest, ok := strings.CutPrefix(owner, "the array"); ok {
				s += rest
			}
			return s
		}
		return fmt.Sprintf("element %d of %s, an array of length %d", n.n, owner, n.m)
	case noteHolds:
		owner := t.ownerWords(n.owner)
		if digits(text) && (strings.HasPrefix(owner, "an array") || strings.HasPrefix(owner, "the array")) {
			return fmt.Sprintf("element %s of %s is %s", text, owner, missingNames[n.n])
		}
		if o := &t.notes[n.owner]; n.owner != 0 && o.kind == notePath {
			return owner + pathStep(text) + " is " + missingNames[n.n]
		}
		return fmt.Sprintf("key %s of %s is %s", quoteKey(text), owner, missingNames[n.n])
	case noteReturned:
		return "returned by " + text
	case noteArgument:
		return fmt.Sprintf("argument %d of the call of %s", n.n+1, text)
	case noteNoArgument:
		return fmt.Sprintf("%s was called without argument %d", text, n.n+1)
	case notePassed:
		return fmt.Sprintf("argument %d that %s passed", n.n+1, text)
	case noteElement:
		return fmt.Sprintf("element %d of %s, passed by %s", n.n, t.ownerWords(n.owner), text)
	case noteAssigned:
		return "assigned to " + text
	case noteStored:
		return "stored in key " + quoteKey(text)
	case noteNaN:
		return "NaN from " + text
	case noteCreated:
		if n.n == 1 {
			return "the " + text
		}
		return lowerKind(text) + " created here"
	case notePath:
		return text
	}
	return text
}

// ownerWords says what an object is.
func (t *tracer) ownerWords(o origin) string {
	if o == 0 {
		return ""
	}
	n := &t.notes[o]
	text := t.texts[n.text]
	if n.kind != noteCreated {
		return text
	}
	f := t.place(n.site)
	if n.n == 1 {
		return fmt.Sprintf("the %s at %s:%d:%d", text, f.File, f.Line, f.Column)
	}
	return fmt.Sprintf("the %s created at %s:%d:%d", lowerKind(text), f.File, f.Line, f.Column)
}

func quoteKey(k string) string {
	if strings.HasPrefix(k, "Symbol(") {
		return k
	}
	return "'" + k + "'"
}

// pathStep is a key as it is written behind an object.
func pathStep(key string) string {
	if key == "" {
		return `[""]`
	}
	if digits(key) {
		return "[" + key + "]"
	}
	for i := range len(key) { //meter: a key that a message quotes
		if !isNameByte(key[i]) || i == 0 && key[i] >= '0' && key[i] <= '9' {
			return fmt.Sprintf("[%q]", key)
		}
	}
	return "." + key
}

func digits(s string) bool {
	for i := range len(s) { //meter: a key that a message quotes
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
