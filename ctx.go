package pinfold

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// hostRealm is the template of the runs' machines: ECMAScript, console, and the
// built-in functions that what ctx gives has.
type hostRealm struct {
	*js.Realm
	parse                         vm.Value // JSON.parse
	text, json, bytes, buffer     vm.Obj
	get, has                      vm.Obj
	next, stop, itself, remaining vm.Obj

	ctx, fetch vm.Obj
}

// realm and hardenedRealm are built on first use and immutable.
var (
	realm         = sync.OnceValues(func() (*hostRealm, error) { return newRealm(false) })
	hardenedRealm = sync.OnceValues(func() (*hostRealm, error) { return newRealm(true) })
)

func newRealm(hardened bool) (*hostRealm, error) {
	t := &hostRealm{}
	var err error
	t.Realm, err = js.NewRealm(func(b *vm.Builder) {
		setupConsole(b)
		t.setup(b)
		if hardened {
			harden(b)
		}
	})
	return t, err
}

// realm is the template of the sandbox's runs.
func (s *Sandbox) realm() (*hostRealm, error) {
	if s.opt.Hardened {
		return hardenedRealm()
	}
	return realm()
}

// setup makes the built-in functions. Each is found in no object of the
// template: those that a program gets are made of them, with data of their own.
func (t *hostRealm) setup(b *vm.Builder) {
	global := b.Intrinsic(vm.GlobalObject)
	j, err := b.Get(global, b.Key("JSON"))
	if err == nil {
		t.parse, err = b.Get(j.AsObj(), b.Key("parse"))
	}
	b.Fail(err)
	promise := func(f func(m *vm.Machine, body vm.Obj) (vm.Value, error)) vm.NativeFunc {
		return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			p := m.NewPromise()
			v := heap.ObjectValue(p)
			at := m.Root(v)
			defer m.PopRoots(at)
			x, err := f(m, m.NativeData(c.Callee).AsObj())
			if err == nil {
				return v, m.ResolvePromise(p, x)
			}
			exc, ok := m.Caught(err)
			if !ok {
				return vm.Undefined, err
			}
			m.RejectPromise(p, exc)
			return v, nil
		}
	}
	t.text = b.Func("text", 0, promise(bodyText))
	t.json = b.Func("json", 0, promise(func(m *vm.Machine, body vm.Obj) (vm.Value, error) {
		s, err := bodyText(m, body)
		if err != nil {
			return s, err
		}
		return m.Call(t.parse, vm.Undefined, s)
	}))
	t.bytes = b.Func("bytes", 0, promise(bodyCopy))
	t.buffer = b.Func("arrayBuffer", 0, promise(func(m *vm.Machine, body vm.Obj) (vm.Value, error) {
		v, err := bodyCopy(m, body)
		if err != nil {
			return v, err
		}
		return heap.ObjectValue(m.ViewBuffer(v.AsObj())), nil
	}))
	lookup := func(found func(v vm.Value, ok bool) vm.Value) vm.NativeFunc {
		return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			s, err := m.ToString(c.Arg(0))
			if err != nil {
				return vm.Undefined, err
			}
			if err := m.Charge(m.H.Len(s) / 16); err != nil {
				return vm.Undefined, err
			}
			headers := m.NativeData(c.Callee).AsObj()
			k, err := m.H.KeyOfName(lowerASCII(m.H.GoString(s)))
			if err != nil || !k.IsString() {
				return found(vm.Undefined, false), err
			}
			slot, attrs, ok := m.H.GetNamed(headers, k.Name())
			if !ok || attrs&heap.Accessor != 0 || attrs&heap.Enumerable == 0 {
				return found(vm.Undefined, false), nil
			}
			return found(slot, true), nil
		}
	}
	t.get = b.Func("get", 1, lookup(func(v vm.Value, ok bool) vm.Value {
		if !ok {
			return vm.Null
		}
		return v
	}))
	t.has = b.Func("has", 1, lookup(func(_ vm.Value, ok bool) vm.Value { return heap.Bool(ok) }))
	t.next = b.Func("next", 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) { return streamStep(m, c, false) })
	t.stop = b.Func("return", 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) { return streamStep(m, c, true) })
	t.itself = b.Func("[Symbol.asyncIterator]", 0, func(_ *vm.Machine, c vm.Call) (vm.Value, error) { return c.This, nil })
	t.remaining = b.Func("remainingMs", 0, func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
		return m.Options().Host.(*run).remainingMs(), nil
	})
	t.setupCtx(b)
}

// ctxNames are the functions of ctx, in the order of Sandbox.ctxFuncs.
var ctxNames = sync.OnceValues(func() ([]*hostFunc, error) {
	list, err := (&Grants{}).functions(nil)
	if err != nil {
		return nil, err
	}
	return prepareAll(list)
})

// setupCtx makes the object ctx that runs have whose sandbox adds nothing to it: it
// is in the template, so that a run pays nothing for it. Its functions are those
// of the run's sandbox, and its fields say what the run's caller is.
func (t *hostRealm) setupCtx(b *vm.Builder) {
	names, err := ctxNames()
	if err != nil {
		b.Fail(err)
		return
	}
	t.ctx = b.Object(0)
	groups := map[string]vm.Obj{"ctx": t.ctx}
	for i, h := range names { //meter: a table of the source
		f := b.Func(h.name, h.length, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			r := m.Options().Host.(*run)
			return r.sb.ctxFuncs[i].called(r, &c)
		})
		if h.shape == response {
			t.fetch = f
		}
		on := t.ctx
		for k := 2; k < len(h.path); k++ { //meter: a table of the source
			p := strings.Join(h.path[:k], ".")
			if groups[p] == 0 {
				groups[p] = b.Object(0)
				b.Prop(on, h.path[k-1], heap.ObjectValue(groups[p]), heap.Enumerable)
			}
			on = groups[p]
		}
		b.Prop(on, h.path[len(h.path)-1], heap.ObjectValue(f), heap.Enumerable)
	}
	for _, f := range []struct {
		name string
		text func(*ctxInfo) string
	}{
		{"toolName", func(i *ctxInfo) string { return i.Tool }}, {"callId", func(i *ctxInfo) string { return i.CallID }},
		{"instanceId", func(i *ctxInfo) string { return i.InstanceID }},
	} { //meter: a fixed number
		get := b.Func("get "+f.name, 0, func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
			s := f.text(m.Options().Host.(*run).about())
			if s == "" {
				return vm.Undefined, nil
			}
			return m.NewString(membrane.ValidString(s))
		})
		b.H.AddNamed(t.ctx, b.Key(f.name).Name(), b.H.NewPair(heap.ObjectValue(get), vm.Undefined), heap.Enumerable|heap.Accessor)
	}
	get := b.Func("get capabilities", 0, func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
		return m.Options().Host.(*run).capabilityList()
	})
	b.H.AddNamed(t.ctx, b.Key("capabilities").Name(), b.H.NewPair(heap.ObjectValue(get), vm.Undefined), heap.Enumerable|heap.Accessor)
	b.Prop(t.ctx, "remainingMs", heap.ObjectValue(t.remaining), heap.Enumerable)
	for _, o := range groups { //meter: a table of the source
		b.H.ObjW(o).Flags |= heap.NonExtensible
	}
}

// capabilityList makes the frozen array of what the run can use.
func (r *run) capabilityList() (vm.Value, error) {
	m := r.m
	list, err := m.NewArray(nil)
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(heap.ObjectValue(list))
	defer m.PopRoots(at)
	for _, c := range r.about().Capabilities { //meter: the host's capabilities
		v, err := m.NewString(c)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.H.Push(list, v); err != nil {
			return vm.Undefined, err
		}
	}
	_, err = m.SetIntegrityLevel(list, vm.Frozen)
	return heap.ObjectValue(list), err
}

// findCtx finds the functions of ctx among those of the sandbox. If there are
// others in ctx it is made for each run.
func (s *Sandbox) findCtx() error {
	if !s.hasCtx() {
		return nil
	}
	names, err := ctxNames()
	if err != nil {
		return err
	}
	places := map[string]int{}
	for i, h := range names { //meter: a table of the source
		places[h.name] = i
	}
	s.ctxFuncs = make([]*hostFunc, len(names)) //meter: a table of the source
	for _, h := range s.functions {            //meter: the host's functions
		i, ok := places[h.name]
		switch {
		case ok:
			s.ctxFuncs[i], h.inCtx = h, true
		case h.path[0] == "ctx" && !h.hidden:
			s.ctxOwn = true
		}
	}
	return nil
}

// bodyCopy makes a new Uint8Array of the bytes of a response.
func bodyCopy(m *vm.Machine, body vm.Obj) (vm.Value, error) {
	n := len(m.TypedBytes(body))
	buf, err := m.NewArrayBuffer(m.Intrinsic(vm.ArrayBufferPrototype), n, -1)
	if err != nil {
		return vm.Undefined, err
	}
	v := m.NewTypedArray(m.Intrinsic(vm.Uint8ArrayPrototype), vm.ElemUint8, buf, 0, n)
	copy(m.TypedBytesW(v), m.TypedBytes(body)) //meter: as many bytes as the new buffer was charged for
	return heap.ObjectValue(v), nil
}

// bodyText decodes the bytes of a response, as TextDecoder does: ill-formed parts
// become U+FFFD, and a byte order mark is left out.
func bodyText(m *vm.Machine, body vm.Obj) (vm.Value, error) {
	b := m.TypedBytes(body)
	if err := m.Charge(len(b) / 16); err != nil {
		return vm.Undefined, err
	}
	if len(b) >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF {
		b = b[3:]
	}
	if err := m.ChargeKeys(len(b) / 8); err != nil {
		return vm.Undefined, err
	}
	s := string(b) //meter: charged above
	if !utf8.ValidString(s) {
		s = membrane.ValidString(s)
	}
	return m.NewString(s)
}

func lowerASCII(s string) string {
	b := []byte(s)        //meter: the caller charged for it
	for i, c := range b { //meter: the caller charged for it
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

// shape says what the result of a host function becomes in the program.
type shape uint8

const (
	plain    shape = iota // what crosses
	response              // of ctx.fetch
	stream                // an async iterable
)

// deliver fulfils the promise of a call.
func (r *run) deliver(h *hostFunc, p vm.Obj, v vm.Value) error {
	if h.shape != plain && v.IsObject() {
		at := r.m.Root(v)
		defer r.m.PopRoots(at)
		var err error
		if h.shape == response {
			err = r.shapeResponse(v.AsObj())
		} else {
			v, err = r.shapeStream(h, v.AsObj())
		}
		if err != nil {
			return err
		}
	}
	return r.m.ResolvePromise(p, v)
}

// method gives an object a method that is not enumerable.
func (r *run) method(on vm.Obj, key vm.Key, template vm.Obj, data vm.Value, length int) error {
	m := r.m
	name := vm.Str(0)
	if key.IsString() {
		name = key.Name()
	}
	f := m.NewNative(template, data, length, name)
	return m.DefineOrThrow(on, key, vm.DataDesc(heap.ObjectValue(f), heap.HiddenAttrs))
}

// shapeResponse makes a Response of what came across: the body becomes what its
// methods give.
func (r *run) shapeResponse(o vm.Obj) error {
	m := r.m
	t, err := r.sb.realm()
	if err != nil {
		return err
	}
	key := func(name string) vm.Key {
		k, e := m.H.KeyOfName(name)
		if err == nil {
			err = e
		}
		return k
	}
	bodyKey, headersKey := key("body"), key("headers")
	text, json, bytes, buffer, get, has := key("text"), key("json"), key("bytes"), key("arrayBuffer"), key("get"), key("has")
	if err != nil {
		return err
	}
	body, err := m.Get(o, bodyKey)
	if err != nil {
		return err
	}
	headers, err := m.Get(o, headersKey)
	if err != nil || !body.IsObject() || !headers.IsObject() {
		return err
	}
	if err := m.DeleteOrThrow(o, bodyKey); err != nil {
		return err
	}
	for _, x := range []struct {
		on   vm.Obj
		key  vm.Key
		t    vm.Obj
		data vm.Value
		n    int
	}{
		{o, text, t.text, body, 0}, {o, json, t.json, body, 0}, {o, bytes, t.bytes, body, 0}, {o, buffer, t.buffer, body, 0},
		{headers.AsObj(), get, t.get, headers, 1}, {headers.AsObj(), has, t.has, headers, 1},
	} { //meter: a fixed number
		if err := r.method(x.on, x.key, x.t, x.data, x.n); err != nil {
			return err
		}
	}
	return nil
}

// ctxInfo is what ctx says beside its functions.
type ctxInfo struct {
	Tool, CallID, InstanceID string
	Capabilities             []string
}

// about returns it.
func (r *run) about() *ctxInfo {
	if r.info == nil {
		c := callerOf(r.ctx)
		r.info = &ctxInfo{c.Tool, c.CallID, c.InstanceID, r.effective()}
	}
	return r.info
}

// namesFetch reports whether programs have ctx.fetch by the name fetch, too, as
// they do unless another function has it. When it isn't granted it says so.
func (s *Sandbox) namesFetch() bool {
	return !slices.ContainsFunc(s.functions, func(h *hostFunc) bool { return h.path[0] == "fetch" })
}

// hasCtx reports whether programs have the object ctx.
func (s *Sandbox) hasCtx() bool { return s.opt.Grants != nil || s.opt.ctxIn }

// defineCtx gives ctx what is no host function.
func (r *run) defineCtx(ctx vm.Value) error {
	m := r.m
	t, err := r.sb.realm()
	if err != nil {
		return err
	}
	info := r.about()
	for _, f := range []struct{ name, text string }{{"toolName", info.Tool}, {"callId", info.CallID}, {"instanceId", info.InstanceID}} { //meter: a fixed number
		v := vm.Undefined
		if f.text != "" {
			if v, err = m.NewString(membrane.ValidString(f.text)); err != nil {
				return err
			}
		}
		if err := r.define(ctx, f.name, v, heap.Enumerable); err != nil {
			return err
		}
	}
	list, err := r.capabilityList()
	if err != nil {
		return err
	}
	if err := r.define(ctx, "capabilities", list, heap.Enumerable); err != nil {
		return err
	}
	k, err := m.H.KeyOfName("remainingMs")
	if err != nil {
		return err
	}
	f := m.NewNative(t.remaining, vm.Undefined, 0, k.Name())
	return r.define(ctx, "remainingMs", heap.ObjectValue(f), heap.Enumerable)
}

// ctxObject returns ctx, undefined if there is none.
func (r *run) ctxObject() (vm.Value, error) {
	switch {
	case r.ctxAt != 0:
		return r.m.RootAt(r.ctxAt - 1), nil
	case !r.sb.hasCtx():
		return vm.Undefined, nil
	}
	t, err := r.sb.realm()
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(t.ctx), nil
}

// remainingMs is how long the run may go on by its own clock: one that stands
// says the same always.
func (r *run) remainingMs() vm.Value {
	if r.zero == 0 || math.IsNaN(r.zero) {
		return heap.Number(float64(r.sb.limits.Timeout.Milliseconds()))
	}
	left := float64(r.sb.limits.Timeout.Milliseconds()) - (r.m.Now() - r.zero)
	return heap.Number(max(0, left))
}

// FunctionInfo describes a host function of a sandbox: what its Function says,
// and whether its calls are admitted.
type FunctionInfo struct {
	Name        string
	Capability  string
	Available   bool // declared and granted
	Declared    bool // the capability is among those that the program requires, or need not be
	Granted     bool
	Stream      bool // the result is an async iterable
	Async       bool
	Declaration string // types in TypeScript, one a line for overloads; may be empty
	Doc         string
	Parameters  int
	// Type is the type of the Go function; nil if it has none.
	Type reflect.Type
}

// Functions describes the host functions that programs of the sandbox find, those
// of ctx among them, in the order of their definition.
func (s *Sandbox) Functions() []FunctionInfo {
	var list []FunctionInfo
	for _, h := range s.functions { //meter: the host's functions
		if h.hidden {
			continue
		}
		list = append(list, FunctionInfo{
			Name: h.name, Capability: h.capability, Available: h.cap == nil || h.cap.declared && h.cap.granted,
			Async: h.async, Declaration: h.decl, Doc: h.doc, Parameters: h.length, Stream: h.shape == stream,
			Declared: h.cap == nil || h.cap.declared, Granted: h.cap == nil || h.cap.granted,
		})
		if h.fn.IsValid() {
			list[len(list)-1].Type = h.fn.Type()
		}
	}
	return list
}

// Modules returns the specifiers of the modules that programs may import, sorted.
func (s *Sandbox) Modules() []string { return slices.Clone(s.modules) }
