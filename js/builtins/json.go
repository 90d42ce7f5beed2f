package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupJSON makes the JSON object (§25.5).
func setupJSON(b *vm.Builder) {
	o := b.Set(vm.JSONObject, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	b.GlobalObj("JSON", o)
	b.Method(o, "isRawJSON", 1, jsonIsRaw)
	b.Method(o, "parse", 2, jsonParse)
	b.Method(o, "rawJSON", 1, jsonRaw)
	b.Method(o, "stringify", 3, jsonStringify)
	b.Tag(o, "JSON")
}

// jsonParse is JSON.parse (§25.5.2).
func jsonParse(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsCallable(c.Arg(1)) {
		return jsonRevive(m, s, c.Arg(1))
	}
	return parseJSON(m, s, nil)
}

func parseJSON(m *vm.Machine, s vm.Str, notes *jsonNotes) (vm.Value, error) {
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	if u != nil {
		return runJSON(m, u, notes)
	}
	return runJSON(m, b, notes)
}

func runJSON[C text.Char](m *vm.Machine, s []C, notes *jsonNotes) (vm.Value, error) {
	p := jsonParser[C]{m: m, h: m.H, s: s, notes: notes}
	defer p.release()
	v, err := p.parse()
	if err == nil && notes != nil {
		notes.root = p.nodes[0]
	}
	return v, err
}

// jsonNode is a JSON Parse Record: what a reviver is told about the source of
// a value as long as the value is still the one that was parsed.
type jsonNode struct {
	value      vm.Value
	start, end int // of a primitive's text
	elems      []*jsonNode
	props      map[vm.Key]*jsonNode
}

func (n *jsonNode) set(k vm.Key, x *jsonNode) {
	if n.props == nil {
		n.props = make(map[vm.Key]*jsonNode)
	}
	n.props[k] = x
}

// jsonNotes collects the records of one text. The values are kept alive by an
// array, so that no other value can take the place of one.
type jsonNotes struct {
	m       *vm.Machine
	keep    vm.Obj
	root    *jsonNode
	charged int64
}

const jsonNodeBytes = 160

func (n *jsonNotes) node(v vm.Value, start, end int) (*jsonNode, error) {
	if err := n.m.Meter().Grow(jsonNodeBytes); err != nil {
		return nil, err
	}
	n.charged += jsonNodeBytes
	if err := n.m.Charge(2); err != nil {
		return nil, err
	}
	return &jsonNode{value: v, start: start, end: end}, n.m.H.Push(n.keep, v)
}

// jsonReviver walks the values bottom up: InternalizeJSONProperty (§25.5.2.1).
type jsonReviver struct {
	m      *vm.Machine
	fn     vm.Value
	text   vm.Str
	source vm.Key
}

func jsonRevive(m *vm.Machine, s vm.Str, fn vm.Value) (vm.Value, error) {
	notes := &jsonNotes{m: m, keep: m.NewArrayLen(0)}
	at := m.Root(heap.ObjectValue(notes.keep))
	defer m.PopRoots(at)
	defer func() { m.Meter().Shrink(notes.charged) }()
	m.Root(heap.StringValue(s))
	v, err := parseJSON(m, s, notes)
	if err != nil {
		return vm.Undefined, err
	}
	holder := m.NewPlain()
	m.Root(heap.ObjectValue(holder))
	if err := m.CreateDataOrThrow(holder, m.N.Empty, v); err != nil {
		return vm.Undefined, err
	}
	k, err := m.H.KeyOfName("source")
	if err != nil {
		return vm.Undefined, err
	}
	r := jsonReviver{m: m, fn: fn, text: s, source: k}
	return r.internalize(holder, m.N.Empty, notes.root)
}

func (r *jsonReviver) internalize(holder vm.Obj, key vm.Key, n *jsonNode) (vm.Value, error) {
	m := r.m
	if err := m.Meter().EnterNative(); err != nil {
		return vm.Undefined, err
	}
	defer m.Meter().LeaveNative()
	if err := m.Charge(1); err != nil {
		return vm.Undefined, err
	}
	val, err := m.Get(holder, key)
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(val)
	defer m.PopRoots(at)
	context := m.NewPlain()
	m.Root(heap.ObjectValue(context))
	if n != nil {
		same, err := m.SameValue(n.value, val)
		if err != nil {
			return vm.Undefined, err
		}
		if !same {
			n = nil
		} else if !val.IsObject() {
			s, err := m.H.Substring(r.text, n.start, n.end)
			if err != nil {
				return vm.Undefined, err
			}
			if err := m.CreateDataOrThrow(context, r.source, heap.StringValue(s)); err != nil {
				return vm.Undefined, err
			}
		}
	}
	if val.IsObject() {
		if err := r.members(val.AsObj(), n); err != nil {
			return vm.Undefined, err
		}
	}
	kv, err := m.KeyValue(key)
	if err != nil {
		return vm.Undefined, err
	}
	return m.CallRooted(r.fn, heap.ObjectValue(holder), kv, val, heap.ObjectValue(context))
}

func (r *jsonReviver) members(o vm.Obj, n *jsonNode) error {
	m := r.m
	isArray, err := m.IsArray(heap.ObjectValue(o))
	if err != nil {
		return err
	}
	if isArray {
		length, err := m.LengthOf(o)
		if err != nil {
			return err
		}
		for i := int64(0); i < length; i++ {
			if err := m.Charge(1); err != nil {
				return err
			}
			k, err := m.KeyOfInt64(i)
			if err != nil {
				return err
			}
			var e *jsonNode
			if n != nil && i < int64(len(n.elems)) {
				e = n.elems[i]
			}
			if err := r.member(o, k, e); err != nil {
				return err
			}
		}
		return nil
	}
	keys, err := m.OwnKeys(o)
	if err != nil {
		return err
	}
	if err := m.ChargeKeys(len(keys)); err != nil {
		return err
	}
	names := keys[:0]
	for _, k := range keys { //meter: charged above
		if k.IsSymbol() {
			continue
		}
		d, ok, err := m.GetOwnProperty(o, k)
		if err != nil {
			return err
		}
		if !ok || d.Attrs&heap.Enumerable == 0 {
			continue
		}
		names = append(names, k)
		if !k.IsIndex() {
			m.Root(heap.StringValue(k.Name())) // the object may lose it meanwhile
		}
	}
	for _, k := range names { //meter: charged above
		var e *jsonNode
		if n != nil {
			e = n.props[k]
		}
		if err := r.member(o, k, e); err != nil {
			return err
		}
	}
	return nil
}

func (r *jsonReviver) member(o vm.Obj, k vm.Key, e *jsonNode) error {
	m := r.m
	v, err := r.internalize(o, k, e)
	if err != nil {
		return err
	}
	if v == vm.Undefined {
		_, err = m.Delete(o, k)
		return err
	}
	_, err = m.CreateDataProperty(o, k, v)
	return err
}

// A raw JSON object is of ClassHost with its text in Data, and frozen.

// jsonRaw is JSON.rawJSON (§25.5.3).
func jsonRaw(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	n := m.H.Len(s)
	if n == 0 {
		return vm.Undefined, m.SyntaxError("Invalid value for JSON.rawJSON")
	}
	first, err := m.H.At(s, 0)
	if err != nil {
		return vm.Undefined, err
	}
	last, err := m.H.At(s, n-1)
	if err != nil {
		return vm.Undefined, err
	}
	for _, u := range [2]uint16{first, last} { //meter: two
		if u == '\t' || u == '\n' || u == '\r' || u == ' ' {
			return vm.Undefined, m.SyntaxError("Invalid value for JSON.rawJSON")
		}
	}
	if first == '{' || first == '[' {
		return vm.Undefined, m.SyntaxError("Invalid value for JSON.rawJSON")
	}
	if _, err := parseJSON(m, s, nil); err != nil {
		return vm.Undefined, err
	}
	o := m.H.NewObject(m.H.RootShape(0), heap.ClassHost)
	m.H.ObjW(o).Data = heap.StringValue(s)
	k, err := m.H.KeyOfName("rawJSON")
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.CreateDataOrThrow(o, k, heap.StringValue(s)); err != nil {
		return vm.Undefined, err
	}
	_, err = m.SetIntegrityLevel(o, vm.Frozen)
	return heap.ObjectValue(o), err
}

// rawJSONText returns the text of a raw JSON object.
func rawJSONText(m *vm.Machine, v vm.Value) (vm.Str, bool) {
	if !v.IsObject() {
		return 0, false
	}
	rec := m.H.Obj(v.AsObj())
	if rec.Class != heap.ClassHost || !rec.Data.IsString() {
		return 0, false
	}
	return rec.Data.AsStr(), true
}

func jsonIsRaw(m *vm.Machine, c vm.Call) (vm.Value, error) {
	_, ok := rawJSONText(m, c.Arg(0))
	return heap.Bool(ok), nil
}
