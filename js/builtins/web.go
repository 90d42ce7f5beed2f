package builtins

import (
	"fmt"
	"strconv"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Objects of the web's standards that have no authority (URL, Encoding, Web
// Crypto's randomness) are of heap.ClassWeb. Length is one of the kinds below;
// Data is a block that the file of the class describes.
const (
	webURL uint32 = iota
	webSearchParams
	webEncoder
	webDecoder
	webCrypto
)

var webNames = [...]string{"URL", "URLSearchParams", "TextEncoder", "TextDecoder", "Crypto"}

// newWeb makes the object of a class: what new.target asks for, with a block
// of n words.
func newWeb(m *vm.Machine, c *vm.Call, kind uint32, proto vm.Intrinsic, n int) (vm.Obj, error) {
	if c.NewTarget == vm.Undefined {
		return 0, m.TypeError("Class constructor %s cannot be invoked without 'new'", webNames[kind])
	}
	p, err := m.PrototypeFromConstructor(c.NewTarget, proto)
	if err != nil {
		return 0, err
	}
	return webObject(m, p, kind, n), nil
}

func webObject(m *vm.Machine, proto vm.Obj, kind uint32, n int) vm.Obj {
	b := m.H.NewSmallValues(n)
	o := m.H.NewObject(m.H.RootShape(proto), heap.ClassWeb)
	w := m.H.ObjW(o)
	w.Length, w.Data = kind, heap.ValuesValue(b)
	return o
}

// isWeb reports whether v is an object of that kind.
func isWeb(m *vm.Machine, v vm.Value, kind uint32) bool {
	if !v.IsObject() {
		return false
	}
	rec := m.H.Obj(v.AsObj())
	return rec.Class == heap.ClassWeb && rec.Length == kind
}

// thisWeb checks this of a method.
func thisWeb(m *vm.Machine, c *vm.Call, kind uint32) (vm.Obj, error) {
	if isWeb(m, c.This, kind) {
		return c.This.AsObj(), nil
	}
	return 0, invalidThis(m, webNames[kind])
}

func invalidThis(m *vm.Machine, class string) error {
	return nodeError(m, vm.TypeErrorPrototype, "ERR_INVALID_THIS", "Value of \"this\" must be of type "+class)
}

func webWord(m *vm.Machine, o vm.Obj, i int) vm.Value {
	return m.H.Word(m.H.Obj(o).Data.AsBlock(), i)
}

func setWebWord(m *vm.Machine, o vm.Obj, i int, v vm.Value) {
	m.H.SetWord(m.H.Obj(o).Data.AsBlock(), i, v)
}

// webCtor makes a constructor that is a class, as node's are.
func webCtor(b *vm.Builder, name string, length int, fn vm.NativeFunc, proto, parent vm.Obj) vm.Obj {
	c := b.Ctor(name, length, fn, proto, parent)
	b.H.ObjW(c).Flags |= heap.ClassCtor
	return c
}

// webMethod defines a method as Web IDL has them: enumerable.
func webMethod(b *vm.Builder, on vm.Obj, name string, length int, fn vm.NativeFunc) vm.Obj {
	f := b.Func(name, length, fn)
	b.Prop(on, name, heap.ObjectValue(f), heap.DefaultAttrs)
	return f
}

// webGetter defines an attribute; set may be nil.
func webGetter(b *vm.Builder, on vm.Obj, name string, get, set vm.NativeFunc) {
	s := vm.Undefined
	if set != nil {
		s = heap.ObjectValue(b.Func("set "+name, 1, set))
	}
	pair := b.H.NewPair(heap.ObjectValue(b.Func("get "+name, 0, get)), s)
	b.H.AddNamed(on, b.Key(name).Name(), pair, heap.Configurable|heap.Enumerable|heap.Accessor)
}

// nodeError throws an error with a code, in the form of node's own errors: the
// code is a property, and part of the headline.
func nodeError(m *vm.Machine, proto vm.Intrinsic, code, message string) error {
	v, err := newNodeError(m, proto, code, message, true)
	if err != nil {
		return err
	}
	return m.Throw(v)
}

func newNodeError(m *vm.Machine, proto vm.Intrinsic, code, message string, headline bool) (vm.Value, error) {
	v, err := m.NewError(proto, message)
	if err != nil {
		return v, err
	}
	s, err := m.NewString(code)
	if err != nil {
		return v, err
	}
	k, err := m.H.KeyOfName("code")
	if err != nil {
		return v, err
	}
	m.H.AddNamed(v.AsObj(), k.Name(), s, heap.DefaultAttrs)
	if headline {
		err = showCode(m, v.AsObj(), code)
	}
	return v, err
}

// showCode puts the code of a fresh error behind the name, in its stack and in
// what toString gives.
func showCode(m *vm.Machine, o vm.Obj, code string) error {
	m.H.AddNamed(o, m.N.ToString.Name(), heap.ObjectValue(m.Intrinsic(vm.CodeErrorToString)), heap.HiddenAttrs)
	v, err := m.Get(o, m.N.Stack)
	if err != nil || !v.IsString() {
		return err
	}
	name, err := errorText(m, o, m.N.Name, "Error")
	if err != nil {
		return err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	n := m.H.Len(name)
	if err := sb.str(name); err != nil {
		return err
	}
	if err := sb.ascii(" [" + code + "]"); err != nil {
		return err
	}
	if err := sb.substr(v.AsStr(), min(n, m.H.Len(v.AsStr())), m.H.Len(v.AsStr())); err != nil {
		return err
	}
	text, err := sb.value()
	if err != nil {
		return err
	}
	return m.DefineOrThrow(o, m.N.Stack, vm.DataDesc(text, heap.HiddenAttrs))
}

// codeErrorToString is the method toString of such an error.
func codeErrorToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("Cannot read properties of %s", m.Describe(c.This))
	}
	code, err := m.H.KeyOfName("code")
	if err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	for _, p := range []struct {
		key    vm.Key
		before string
	}{{m.N.Name, ""}, {code, " ["}, {m.N.Message, "]: "}} { //meter: three
		s, err := errorText(m, c.This.AsObj(), p.key, "undefined")
		if err == nil {
			err = sb.ascii(p.before)
		}
		if err == nil {
			err = sb.str(s)
		}
		if err != nil {
			return vm.Undefined, err
		}
	}
	return sb.value()
}

// missingArgs is the error for a call with too few arguments.
func missingArgs(m *vm.Machine, names string) error {
	return nodeError(m, vm.TypeErrorPrototype, "ERR_MISSING_ARGS", "The "+names+" must be specified")
}

// ArgumentTypeError is node's error for an argument of the wrong type, such as
// must is "of type string".
func ArgumentTypeError(m *vm.Machine, name, must string, v vm.Value) error {
	return nodeError(m, vm.TypeErrorPrototype, "ERR_INVALID_ARG_TYPE", fmt.Sprintf("The %q argument must be %s. Received %s", name, must, received(m, v)))
}

// received describes a value in node's words.
func received(m *vm.Machine, v vm.Value) string {
	const shown, cut = 28, 25
	switch {
	case v.IsNullish():
		return m.Describe(v)
	case v.IsString():
		s := m.Describe(v)
		if m.H.Len(v.AsStr()) > shown {
			if sub, err := m.H.Substring(v.AsStr(), 0, cut); err == nil {
				s = m.H.GoString(sub) + "..."
			}
		}
		return "type string ('" + s + "')"
	case v.IsBigInt():
		return "type bigint (" + m.Describe(v) + "n)"
	case !v.IsObject():
		return "type " + m.H.GoString(m.TypeOf(v)) + " (" + m.Describe(v) + ")"
	case m.IsCallable(v):
		return "function " + m.FunctionName(v.AsObj())
	}
	return "an instance of " + m.ConstructorName(v.AsObj())
}

// usvString is the conversion to USVString: lone surrogates become U+FFFD.
func usvString(m *vm.Machine, v vm.Value) (vm.Str, error) {
	s, err := m.ToString(v)
	if err != nil || !m.H.IsWide(s) {
		return s, err
	}
	_, u, err := m.H.Units16(s)
	if err != nil || u == nil {
		return s, err
	}
	ok, err := text.IsWellFormed(m.Meter(), u)
	if err != nil || ok {
		return s, err
	}
	r, err := text.ToWellFormed(m.Meter(), nil, u)
	if err != nil {
		return s, err
	}
	return m.H.NewUTF16(r)
}

// utf8Text gives a USVString as UTF-8, and charges the Go memory for it and for
// times as much again.
func utf8Text(m *vm.Machine, s vm.Str, times int) (string, error) {
	l, u, err := m.H.Units16(s)
	if err != nil {
		return "", err
	}
	n := len(l)
	if u != nil {
		n = 3 * len(u)
	}
	if err := m.Hold(int64(n) * int64(times+2)); err != nil {
		return "", err
	}
	var b []byte
	if u != nil {
		b, err = text.AppendWTF8(m.Meter(), nil, u)
	} else {
		b, err = text.AppendUTF8Latin1(m.Meter(), nil, l)
	}
	return string(b), err
}

// usvText is usvString and utf8Text in one.
func usvText(m *vm.Machine, v vm.Value, times int) (string, error) {
	s, err := usvString(m, v)
	if err != nil {
		return "", err
	}
	return utf8Text(m, s, times)
}

// WebProperty is what console output shows of an object of heap.ClassWeb.
type WebProperty struct {
	Name  string
	Value vm.Value
}

// WebProperties lists what is shown of such an object beside its own
// properties; a URLSearchParams' pairs are in pairs, name after value.
func WebProperties(m *vm.Machine, o vm.Obj) (props []WebProperty, pairs []vm.Value, err error) {
	add := func(name string, v vm.Value) { props = append(props, WebProperty{name, v}) }
	switch m.H.Obj(o).Length {
	case webURL:
		for _, a := range urlAttributes { //meter: a fixed number
			v, err := a.get(m, o)
			if err != nil {
				return nil, nil, err
			}
			add(a.name, v)
		}
	case webSearchParams:
		pairs = m.H.Elems(searchList(m, o))
	case webEncoder:
		v, err := m.NewString("utf-8")
		if err != nil {
			return nil, nil, err
		}
		add("encoding", v)
	case webDecoder:
		d := decoderOf(m, o)
		v, err := m.NewString(d.name())
		if err != nil {
			return nil, nil, err
		}
		add("encoding", v)
		add("fatal", heap.Bool(d.fatal))
		add("ignoreBOM", heap.Bool(d.ignoreBOM))
	}
	return props, pairs, nil
}

// WebName names an object of heap.ClassWeb for a message: "a URL".
func WebName(rec *heap.Object) string { return "a " + webNames[rec.Length] }

// domCodes are the codes of the names that DOMException knows (Web IDL §2.8.1).
var domCodes = []struct {
	constant, name string
	code           int32
}{
	{"INDEX_SIZE_ERR", "IndexSizeError", 1}, {"DOMSTRING_SIZE_ERR", "", 2}, {"HIERARCHY_REQUEST_ERR", "HierarchyRequestError", 3},
	{"WRONG_DOCUMENT_ERR", "WrongDocumentError", 4}, {"INVALID_CHARACTER_ERR", "InvalidCharacterError", 5}, {"NO_DATA_ALLOWED_ERR", "", 6},
	{"NO_MODIFICATION_ALLOWED_ERR", "NoModificationAllowedError", 7}, {"NOT_FOUND_ERR", "NotFoundError", 8},
	{"NOT_SUPPORTED_ERR", "NotSupportedError", 9}, {"INUSE_ATTRIBUTE_ERR", "InUseAttributeError", 10},
	{"INVALID_STATE_ERR", "InvalidStateError", 11}, {"SYNTAX_ERR", "SyntaxError", 12},
	{"INVALID_MODIFICATION_ERR", "InvalidModificationError", 13}, {"NAMESPACE_ERR", "NamespaceError", 14},
	{"INVALID_ACCESS_ERR", "InvalidAccessError", 15}, {"VALIDATION_ERR", "", 16}, {"TYPE_MISMATCH_ERR", "TypeMismatchError", 17},
	{"SECURITY_ERR", "SecurityError", 18}, {"NETWORK_ERR", "NetworkError", 19}, {"ABORT_ERR", "AbortError", 20},
	{"URL_MISMATCH_ERR", "URLMismatchError", 21}, {"QUOTA_EXCEEDED_ERR", "QuotaExceededError", 22}, {"TIMEOUT_ERR", "TimeoutError", 23},
	{"INVALID_NODE_TYPE_ERR", "InvalidNodeTypeError", 24}, {"DATA_CLONE_ERR", "DataCloneError", 25},
}

// setupDOMException makes DOMException (Web IDL §2.8). The name, message and
// code of one are hidden properties of its own.
func setupDOMException(b *vm.Builder) {
	proto := b.Set(vm.DOMExceptionPrototype, b.Object(b.Intrinsic(vm.ErrorPrototype)))
	ctor := webCtor(b, "DOMException", 0, domExceptionConstructor, proto, 0)
	b.Tag(proto, "DOMException")
	b.Set(vm.CodeErrorToString, b.Func("toString", 0, codeErrorToString))
	for _, c := range domCodes { //meter: a table
		b.Prop(ctor, c.constant, heap.Int(c.code), heap.Enumerable)
		b.Prop(proto, c.constant, heap.Int(c.code), heap.Enumerable)
	}
	b.GlobalObj("DOMException", ctor)
}

// domExceptionConstructor is DOMException(message, name), whose second argument
// may be {name, cause}.
func domExceptionConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Class constructor DOMException cannot be invoked without 'new'")
	}
	p, err := m.PrototypeFromConstructor(c.NewTarget, vm.DOMExceptionPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	message, name := m.N.StrEmpty, vm.Undefined
	if c.Arg(0) != vm.Undefined {
		if message, err = m.ToString(c.Arg(0)); err != nil {
			return vm.Undefined, err
		}
	}
	options := c.Arg(1)
	if options.IsObject() {
		if name, err = m.Get(options.AsObj(), m.N.Name); err != nil {
			return vm.Undefined, err
		}
	} else if name = options; name == vm.Null {
		name = vm.Undefined
	}
	n := "Error"
	if name != vm.Undefined {
		s, err := m.ToString(name)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.Charge(m.H.Len(s) / 8); err != nil {
			return vm.Undefined, err
		}
		n = m.H.GoString(s)
	}
	o, err := newDOMException(m, p, message, n)
	if err == nil {
		err = installCause(m, o, options)
	}
	return heap.ObjectValue(o), err
}

func newDOMException(m *vm.Machine, proto vm.Obj, message vm.Str, name string) (vm.Obj, error) {
	o := m.AllocError(proto)
	m.H.AddNamed(o, m.N.Message.Name(), heap.StringValue(message), heap.HiddenAttrs)
	n, err := m.NewString(name)
	if err != nil {
		return 0, err
	}
	k, err := m.H.KeyOfName("code")
	if err != nil {
		return 0, err
	}
	code := int32(0)
	for _, c := range domCodes { //meter: a table
		if c.name == name {
			code = c.code
		}
	}
	m.H.AddNamed(o, m.N.Name.Name(), n, heap.HiddenAttrs)
	m.H.AddNamed(o, k.Name(), heap.Int(code), heap.HiddenAttrs)
	return o, nil
}

// domException throws a DOMException of that name.
func domException(m *vm.Machine, name, message string) error {
	s, err := m.H.NewString(message)
	if err != nil {
		return err
	}
	o, err := newDOMException(m, m.Intrinsic(vm.DOMExceptionPrototype), s, name)
	if err != nil {
		return err
	}
	return m.Throw(heap.ObjectValue(o))
}

// quoted is a number with its thousands apart, as messages have it.
func quoted(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 { //meter: a number's digits
		s = s[:i] + "," + s[i:]
	}
	return s
}

// IsSearchParams reports whether an object of heap.ClassWeb is a
// URLSearchParams.
func IsSearchParams(rec *heap.Object) bool { return rec.Length == webSearchParams }
