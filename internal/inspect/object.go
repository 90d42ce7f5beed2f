package inspect

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// value renders v. level is how many objects are around it; top says that it is
// an argument itself.
func (p *printer) value(v vm.Value, level int, top bool) (string, error) {
	if err := p.spend(8); err != nil {
		return "", err
	}
	if !v.IsObject() {
		return p.primitive(v, top)
	}
	o, err := p.unproxied(v.AsObj())
	if err != nil {
		return "", err
	}
	if o == 0 {
		return "<Revoked Proxy>", nil
	}
	for _, q := range p.open { //meter: at most Depth
		if q == o {
			if p.refs == nil {
				p.refs = map[vm.Obj]int{}
			}
			if p.refs[o] == 0 {
				p.refs[o] = len(p.refs) + 1
			}
			return fmt.Sprintf("[Circular *%d]", p.refs[o]), nil
		}
	}
	s := shown{p: p, o: o, rec: *p.m.H.Obj(o), level: level}
	s.identify()
	if level > p.opt.Depth {
		if s.rec.Class == heap.ClassWeb {
			return s.webTooDeep(), nil
		}
		return "[" + s.label("") + "]", nil
	}
	p.open = append(p.open, o)
	out, err := s.render()
	p.open = p.open[:len(p.open)-1]
	if err != nil {
		return "", err
	}
	if n := p.refs[o]; n > 0 {
		out = fmt.Sprintf("<ref *%d> %s", n, out)
	}
	return out, nil
}

// unproxied follows proxies to their targets; 0 behind a revoked one.
func (p *printer) unproxied(o vm.Obj) (vm.Obj, error) {
	for p.m.H.Obj(o).Class == heap.ClassProxy {
		if err := p.m.Charge(1); err != nil {
			return 0, err
		}
		t := p.m.H.Word(p.m.H.Obj(o).Data.AsBlock(), 0)
		if !t.IsObject() {
			return 0, nil
		}
		o = t.AsObj()
	}
	return o, nil
}

// shown is an object that is being rendered.
type shown struct {
	p     *printer
	o     vm.Obj
	rec   heap.Object
	level int
	ctor  string // name of its constructor
	bare  bool   // no constructor was found
	tag   string // Symbol.toStringTag, where it says more than the constructor
}

// identify finds constructor and tag from data properties.
func (s *shown) identify() {
	h := s.p.m.H
	s.bare = true
	for o, n := s.o, 0; o != 0 && n < 100; n++ {
		rec := h.Obj(o)
		if rec.Class == heap.ClassProxy {
			break
		}
		if s.bare && rec.Flags&heap.LazyProps == 0 {
			if v, a, ok := h.GetNamed(o, s.p.m.N.Constructor.Name()); ok && a&heap.Accessor == 0 && v.IsObject() && h.Obj(v.AsObj()).Flags&heap.Callable != 0 {
				if name := s.p.m.FunctionName(v.AsObj()); name != "" {
					s.ctor, s.bare = name, false
				}
			}
		}
		if s.tag == "" && rec.Flags&heap.LazyProps == 0 {
			if v, a, ok := h.GetNamed(o, s.p.m.N.SymToStringTag.Name()); ok && a&heap.Accessor == 0 && v.IsString() && h.Len(v.AsStr()) < 200 {
				s.tag = h.GoString(v.AsStr())
			}
		}
		o = h.Proto(o)
	}
	if s.tag == s.ctor {
		s.tag = ""
	}
}

// label names the object: "Foo", "Foo [tag]", "[Object: null prototype]".
func (s *shown) label(size string) string {
	fallback := "Object"
	switch s.rec.Class {
	case heap.ClassArray:
		fallback = "Array"
	case heap.ClassMap:
		fallback = "Map"
	case heap.ClassSet:
		fallback = "Set"
	case heap.ClassError:
		fallback = "Error"
	case heap.ClassPromise:
		fallback = "Promise"
	case heap.ClassRegExp:
		fallback = "RegExp"
	case heap.ClassDate:
		fallback = "Date"
	case heap.ClassTypedArray:
		fallback = s.p.m.TypedElem(s.o).String() + "Array"
	case heap.ClassNamespace:
		return "[Module: null prototype]"
	}
	l := s.ctor + size
	if s.bare {
		l = "[" + fallback + size + ": null prototype]"
	}
	if s.tag != "" {
		l += " [" + s.tag + "]"
	}
	return l
}

// prefix is the label in front of a brace, with a space; "" for what is
// plainly an object or an array.
func (s *shown) prefix(plain, size string) string {
	if s.ctor == plain && s.tag == "" && !s.bare {
		return ""
	}
	return s.label(size) + " "
}

// render renders the object with its properties.
func (s *shown) render() (string, error) {
	p, h := s.p, s.p.m.H
	p.current = s.level
	base, open, end := "", "{", "}"
	list, more := false, false
	var parts []string
	var err error
	skipIndices := false
	switch s.rec.Class {
	case heap.ClassArray:
		open, end, list, skipIndices = s.prefix("Array", fmt.Sprintf("(%d)", s.rec.Length))+"[", "]", true, true
		parts, more, err = s.elements()
	case heap.ClassTypedArray:
		n, _ := p.m.TypedLength(s.o)
		open, end, list, skipIndices = s.label(fmt.Sprintf("(%d)", n))+" [", "]", true, true
		parts, more, err = s.typed(n)
	case heap.ClassMap, heap.ClassSet:
		open = s.label(fmt.Sprintf("(%d)", h.TableLen(s.rec.Data.AsBlock()))) + " {"
		parts, err = s.entries(s.rec.Class == heap.ClassMap)
	case heap.ClassDate:
		if iso, ok := date.ToISOString(nil, s.rec.Data.AsFloat()); ok {
			base = string(iso)
		} else {
			base = "Invalid Date"
		}
		base = s.prefix("Date", "") + base
	case heap.ClassRegExp:
		src, flags := p.m.RegExpSource(s.o)
		var a, b string
		if a, err = p.text(src, p.opt.MaxBytes); err == nil {
			b, err = p.text(flags, 100)
		}
		base = s.prefix("RegExp", "") + "/" + strings.ReplaceAll(a, "\n", `\n`) + "/" + b
	case heap.ClassError:
		base, err = s.errorText()
	case heap.ClassNumber, heap.ClassString, heap.ClassBoolean, heap.ClassSymbol, heap.ClassBigInt:
		base, err = s.boxed()
		skipIndices = true
	case heap.ClassPromise:
		open = s.label("") + " {"
		parts, err = s.promise()
	case heap.ClassWeakMap, heap.ClassWeakSet:
		open, parts = s.label("")+" {", []string{"<items unknown>"}
	case heap.ClassWeakRef:
		open, parts = s.label("")+" {", []string{"<ref>"}
	case heap.ClassArrayBuffer:
		open = s.label("") + " {"
		parts = s.bytes()
	case heap.ClassDataView:
		open = s.label("") + " {"
		n, _ := p.m.DataViewLength(s.o)
		parts = []string{"byteLength: " + strconv.Itoa(n), "byteOffset: " + strconv.Itoa(p.m.ViewOffset(s.o))}
	case heap.ClassArguments:
		open = "[Arguments] ["
		end, list, skipIndices = "]", true, true
		parts, more, err = s.elements()
	case heap.ClassNamespace:
		open = s.label("") + " {"
	case heap.ClassWeb:
		return s.web()
	case heap.ClassGlobal:
		return "Object [global] {}", nil
	default:
		if s.rec.Flags&heap.Callable != 0 {
			base = s.function()
		} else {
			open = s.prefix("Object", "") + "{"
		}
	}
	if err != nil {
		return "", err
	}
	props, err := s.properties(skipIndices)
	if err != nil {
		return "", err
	}
	parts = append(parts, props...)
	if len(parts) == 0 {
		if base != "" {
			return base, nil
		}
		return open + end, nil
	}
	p.alignRight = list && s.numbersOnly()
	return p.join(parts, base, open, end, s.level, list, more)
}

// nested renders a value inside the object.
func (s *shown) nested(v vm.Value, indent int) (string, error) {
	s.p.indent += indent
	t, err := s.p.value(v, s.level+1, false)
	s.p.indent -= indent
	return t, err
}

func plural(n int, what string) string {
	if n == 1 {
		return strconv.Itoa(n) + " " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// elements renders the elements of an array, holes counted together.
func (s *shown) elements() (parts []string, more bool, err error) {
	h := s.p.m.H
	n := int(h.Obj(s.o).Length)
	if s.rec.Class == heap.ClassArguments {
		n = h.NumElems(s.o)
	}
	i := 0
	for i < n && len(parts) < s.p.opt.Items {
		v, a, ok := h.GetElem(s.o, uint32(i))
		if !ok {
			next := s.nextElement(i, n)
			parts = append(parts, "<"+plural(next-i, "empty item")+">")
			i = next
			continue
		}
		var t string
		if a&heap.Accessor != 0 {
			t = s.accessor(v)
		} else if t, err = s.nested(v, 2); err != nil {
			return nil, false, err
		}
		parts = append(parts, t)
		i++
	}
	if i < n {
		parts = append(parts, "... "+plural(n-i, "more item"))
		more = true
	}
	return parts, more, nil
}

// nextElement finds the first element from i on; n if there is none.
func (s *shown) nextElement(i, n int) int {
	h := s.p.m.H
	if h.Obj(s.o).Flags&heap.Sparse != 0 {
		if s.p.m.Charge(h.NumElems(s.o)) != nil {
			return n // sticky
		}
		for _, k := range h.ElemKeys(s.o, nil) { //meter: charged above
			if int(k) >= i {
				return min(int(k), n)
			}
		}
		return n
	}
	for stop := len(h.Elems(s.o)); i < stop; i++ { //meter: initialised elements, which were paid for
		if _, _, ok := h.GetElem(s.o, uint32(i)); ok {
			return i
		}
	}
	return n
}

// numbersOnly reports whether all elements are numbers, which are aligned to the
// right.
func (s *shown) numbersOnly() bool {
	if s.rec.Class == heap.ClassTypedArray {
		return true
	}
	e := s.p.m.H.Elems(s.o)
	if len(e) != int(s.rec.Length) {
		return false
	}
	for _, v := range e[:min(len(e), s.p.opt.Items+1)] { //meter: at most Options.Items
		if !v.IsNumber() && !v.IsBigInt() {
			return false
		}
	}
	return len(e) > 0
}

func (s *shown) typed(n int) (parts []string, more bool, err error) {
	for i := range min(n, s.p.opt.Items) {
		v, ok := s.p.m.TypedGet(s.o, float64(i))
		if !ok {
			break
		}
		t, err := s.nested(v, 2)
		if err != nil {
			return nil, false, err
		}
		parts = append(parts, t)
	}
	if n > s.p.opt.Items {
		parts = append(parts, "... "+plural(n-s.p.opt.Items, "more item"))
		more = true
	}
	return parts, more, nil
}

func (s *shown) entries(isMap bool) ([]string, error) {
	var parts []string
	b := s.rec.Data.AsBlock()
	seq := 0.0
	for {
		k, v, next, ok, err := s.p.m.H.TableNext(b, seq)
		if err != nil {
			return nil, err
		}
		if !ok {
			return parts, nil
		}
		if len(parts) == s.p.opt.Items {
			return append(parts, "... "+plural(s.p.m.H.TableLen(b)-len(parts), "more item")), nil
		}
		seq = next
		t, err := s.nested(k, 2)
		if err != nil {
			return nil, err
		}
		if isMap {
			u, err := s.nested(v, 2)
			if err != nil {
				return nil, err
			}
			t += " => " + u
		}
		parts = append(parts, t)
	}
}

func (s *shown) promise() ([]string, error) {
	state, result := s.p.m.PromiseStateOf(s.o)
	if state == vm.PromisePending {
		return []string{"<pending>"}, nil
	}
	t, err := s.nested(result, 2)
	if state == vm.PromiseRejected {
		t = "<rejected> " + t
	}
	return []string{t}, err
}

func (s *shown) bytes() []string {
	b := s.p.m.BufferBytes(s.o)
	const shownBytes = 50
	var hexes []string
	for _, c := range b[:min(len(b), shownBytes)] { //meter: at most fifty
		hexes = append(hexes, hex.EncodeToString([]byte{c}))
	}
	text := strings.Join(hexes, " ")
	if len(b) > shownBytes {
		text += " ... " + plural(len(b)-shownBytes, "more byte")
	}
	return []string{"[Uint8Contents]: <" + text + ">", "byteLength: " + strconv.Itoa(len(b))}
}

func (s *shown) boxed() (string, error) {
	name := map[heap.Class]string{
		heap.ClassNumber: "Number", heap.ClassString: "String", heap.ClassBoolean: "Boolean",
		heap.ClassSymbol: "Symbol", heap.ClassBigInt: "BigInt",
	}[s.rec.Class]
	t, err := s.p.primitive(s.rec.Data, false)
	if s.ctor != name && !s.bare {
		name += " (" + s.ctor + ")"
	}
	return "[" + name + ": " + t + "]", err
}

// function describes a function or class.
func (s *shown) function() string {
	m := s.p.m
	name := m.FunctionName(s.o)
	if s.rec.Flags&heap.ClassCtor != 0 {
		out := "[class " + name
		if name == "" {
			out = "[class (anonymous)"
		}
		if proto := m.H.Proto(s.o); proto == 0 {
			out += " extends null"
		} else if m.H.Obj(proto).Flags&heap.Callable != 0 && m.H.Obj(proto).Class != heap.ClassProxy {
			if super := m.FunctionName(proto); super != "" {
				out += " extends " + super
			}
		}
		return out + "]"
	}
	kind := "Function"
	switch m.H.Proto(s.o) {
	case m.Intrinsic(vm.AsyncFunctionPrototype):
		kind = "AsyncFunction"
	case m.Intrinsic(vm.GeneratorFunctionPrototype):
		kind = "GeneratorFunction"
	case m.Intrinsic(vm.AsyncGeneratorFunctionPrototype):
		kind = "AsyncGeneratorFunction"
	case 0:
		kind = "Function (null prototype)"
	}
	if name == "" {
		return "[" + kind + " (anonymous)]"
	}
	return "[" + kind + ": " + name + "]"
}

// errorText is the headline of an error and where it was made.
func (s *shown) errorText() (string, error) {
	p, m := s.p, s.p.m
	var text string
	if v, a, ok := m.H.GetNamed(s.o, m.N.Stack.Name()); ok && a&heap.Accessor == 0 && v.IsString() {
		t, err := s.p.text(v.AsStr(), s.p.opt.MaxBytes)
		if err != nil {
			return "", err
		}
		text = t
	} else {
		head, err := m.Headline(heap.ObjectValue(s.o))
		if err != nil {
			return "", err
		}
		if text, err = s.p.text(head, s.p.opt.MaxBytes); err != nil {
			return "", err
		}
		text += m.FormatStack(heap.ObjectValue(s.o))
	}
	if m.H.Proto(s.o) == m.Intrinsic(vm.DOMExceptionPrototype) {
		if v, _, ok := m.H.GetNamed(s.o, m.N.Name.Name()); ok && v.IsString() {
			if name, err := p.text(v.AsStr(), p.opt.MaxBytes); err == nil && strings.HasPrefix(text, name) {
				text = "DOMException [" + name + "]" + text[len(name):]
			}
		}
	}
	if !strings.Contains(text, "\n    at ") {
		return "[" + text + "]", nil
	}
	if s.p.indent > 0 {
		text = strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", s.p.indent)) //meter: the indentation is a few columns a level, and levels are limited
	}
	return text, s.p.spend(len(text))
}

func (s *shown) accessor(pair vm.Value) string {
	get, set := s.p.m.H.Pair(pair)
	switch {
	case get != vm.Undefined && set != vm.Undefined:
		return "[Getter/Setter]"
	case get != vm.Undefined:
		return "[Getter]"
	}
	return "[Setter]"
}

// maxProps is how many properties of one object are looked at, in terms of
// Options.Items: records have more properties than lists have elements worth
// showing.
const maxProps = 10

// properties renders the enumerable own properties.
func (s *shown) properties(skipIndices bool) ([]string, error) {
	p, m := s.p, s.p.m
	var parts []string
	keys, err := m.OwnKeys(s.o) // no proxy: runs no script
	if err != nil {
		return nil, err
	}
	if len(keys) > 0 {
		if err := p.spend(8 * len(keys)); err != nil {
			return nil, err
		}
	}
	hidden := map[vm.Key]string{}
	if s.rec.Class == heap.ClassError {
		hidden[m.N.Cause] = "[cause]"
		hidden[m.N.Errors] = "[errors]"
	}
	for i, k := range keys { //meter: OwnKeys and spend charged
		if skipIndices && k.IsIndex() {
			continue
		}
		d, ok, err := m.GetOwnProperty(s.o, k)
		if err != nil {
			if _, thrown := m.Caught(err); !thrown {
				return nil, err
			}
			continue // an export that isn't initialised
		}
		name, special := hidden[k]
		if !ok || d.Attrs&heap.Enumerable == 0 && !special {
			continue
		}
		if s.rec.Class == heap.ClassError && (k == m.N.Message || k == m.N.Stack || k == m.N.Name) {
			continue
		}
		if len(parts) == maxProps*p.opt.Items {
			parts = append(parts, "... "+plural(len(keys)-i, "more key"))
			break
		}
		if !special || d.Attrs&heap.Enumerable != 0 {
			if name, err = p.key(k); err != nil {
				return nil, err
			}
		}
		var t string
		if d.IsAccessor() {
			t = s.accessorOf(d)
		} else {
			if t, err = s.nested(d.Value, 2); err != nil {
				return nil, err
			}
		}
		parts = append(parts, name+": "+t)
	}
	return parts, nil
}

func (s *shown) accessorOf(d vm.Desc) string {
	get := d.Get != vm.Empty && d.Get != vm.Undefined
	set := d.Set != vm.Empty && d.Set != vm.Undefined
	switch {
	case get && set:
		return "[Getter/Setter]"
	case get:
		return "[Getter]"
	}
	return "[Setter]"
}
