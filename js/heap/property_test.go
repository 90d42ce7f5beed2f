package heap

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/meter"
	"pgregory.net/rapid"
)

// model is what the heap should hold, in Go's own data structures.
type model struct {
	h       *Heap
	tmpl    *Template
	m       *meter.Meter
	objects []*modelObject
	strings []*modelString
	tables  []*modelTable
	symbols []Str
	proto   Obj
}

type modelProp struct {
	name  string
	val   Value
	attrs Attrs
}

type modelObject struct {
	o     Obj
	props []modelProp
	elems map[uint32]modelProp
	array bool
}

type modelString struct {
	s Str
	u []uint16
}

type modelTable struct {
	b    Block
	keys []Value
	vals []Value
	seqs []int
	next int
}

func newModel(stress bool) *model {
	base := New(nil)
	root := base.RootShape(0)
	proto := base.NewObject(root, ClassObject)
	for i := range 20 {
		a, _ := base.Atom(fmt.Sprint("t", i))
		base.AddNamed(proto, a, Int(int32(i)), HiddenAttrs)
	}
	o := base.NewObject(base.RootShape(proto), ClassObject)
	for i := range 12 {
		a, _ := base.Atom(fmt.Sprint("p", i))
		base.AddNamed(o, a, Int(int32(i)), DefaultAttrs)
	}
	tm := base.Freeze()
	m := meter.New(nil, meter.Limits{LiveBytes: 256 << 20})
	h := tm.NewHeap(m)
	x := &model{h: h, tmpl: tm, m: m, proto: proto}
	if stress {
		h.SetStress(1)
	}
	mo := &modelObject{o: o, elems: map[uint32]modelProp{}}
	for i := range 12 {
		mo.props = append(mo.props, modelProp{fmt.Sprint("p", i), Int(int32(i)), DefaultAttrs})
	}
	x.objects = append(x.objects, mo)
	return x
}

func (x *model) roots() {
	for _, o := range x.objects {
		x.h.MarkObj(o.o)
	}
	for _, s := range x.strings {
		x.h.MarkStr(s.s)
	}
	for _, t := range x.tables {
		x.h.Mark(ValuesValue(t.b))
	}
	for _, s := range x.symbols {
		x.h.MarkStr(s)
	}
}

func (x *model) collect(t *rapid.T) {
	if err := x.h.Collect(x.roots, nil); err != nil {
		t.Fatal(err)
	}
}

// value draws a value that stays valid: a number, or something the model keeps.
func (x *model) value(t *rapid.T) Value {
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return Int(rapid.Int32().Draw(t, "int"))
	case 1:
		return CanonicalFloat(rapid.Float64().Draw(t, "float"))
	case 2:
		return []Value{Undefined, Null, True, False, NaN, Float(math.Copysign(0, -1))}[rapid.IntRange(0, 5).Draw(t, "special")]
	case 3:
		if len(x.strings) > 0 {
			return StringValue(rapid.SampledFrom(x.strings).Draw(t, "string").s)
		}
	case 4:
		if len(x.symbols) > 0 {
			return SymbolValue(rapid.SampledFrom(x.symbols).Draw(t, "symbol"))
		}
	}
	return ObjectValue(rapid.SampledFrom(x.objects).Draw(t, "object").o)
}

func (x *model) object(t *rapid.T) *modelObject {
	return rapid.SampledFrom(x.objects).Draw(t, "object")
}

// atom finds the interned string of a name and sometimes goes there through a
// string that isn't.
func (x *model) atom(t *rapid.T, name string) Str {
	a, err := x.h.Atom(name)
	if err == nil && rapid.Bool().Draw(t, "through a string") {
		var s Str
		if s, err = x.h.NewString(name); err == nil {
			var b Str
			if b, err = x.h.Intern(s); b != a {
				t.Fatalf("%q is interned as %d and %d", name, a, b)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (x *model) newObject(t *rapid.T) {
	o := &modelObject{elems: map[uint32]modelProp{}, array: rapid.Bool().Draw(t, "array")}
	class := ClassObject
	if o.array {
		class = ClassArray
	}
	proto := x.proto
	if rapid.Bool().Draw(t, "other prototype") {
		proto = x.object(t).o
	}
	o.o = x.h.NewObject(x.h.RootShape(proto), class)
	x.objects = append(x.objects, o)
}

func (x *model) dropSome(t *rapid.T) {
	if n := len(x.objects); n > 10 {
		// Objects that others refer to stay: the model would have to follow.
		x.objects = x.objects[:n]
		for i := len(x.objects) - 1; i > 0; i-- {
			if o := x.objects[i]; !x.referred(ObjectValue(o.o)) {
				x.objects = slices.Delete(x.objects, i, i+1)
				break
			}
		}
	}
	for i := len(x.strings) - 1; i >= 0; i-- {
		if !x.referred(StringValue(x.strings[i].s)) {
			x.strings = slices.Delete(x.strings, i, i+1)
			break
		}
	}
	x.collect(t)
}

func (x *model) referred(v Value) bool {
	for _, o := range x.objects {
		for _, p := range o.props {
			if p.val == v {
				return true
			}
		}
		for _, p := range o.elems {
			if p.val == v {
				return true
			}
		}
	}
	for _, tb := range x.tables {
		if slices.Contains(tb.keys, v) || slices.Contains(tb.vals, v) {
			return true
		}
	}
	return false
}

func (x *model) addNamed(t *rapid.T) {
	o := x.object(t)
	n := 1
	if rapid.IntRange(0, 9).Draw(t, "many") == 0 {
		n = rapid.IntRange(1, 700).Draw(t, "n")
	}
	start := rapid.IntRange(0, 40).Draw(t, "name")
	for i := range n {
		name := fmt.Sprint("p", start+i)
		v := Int(int32(i))
		if n == 1 {
			v = x.value(t)
		}
		a := x.atom(t, name)
		at := slices.IndexFunc(o.props, func(p modelProp) bool { return p.name == name })
		if at >= 0 {
			slot, _, ok := x.h.Lookup(x.h.Obj(o.o).Shape, a)
			if !ok {
				t.Fatalf("no %s", name)
			}
			x.h.SetSlot(o.o, slot, v)
			o.props[at].val = v
			continue
		}
		attrs := rapid.SampledFrom([]Attrs{DefaultAttrs, HiddenAttrs, 0, Enumerable}).Draw(t, "attrs")
		x.h.AddNamed(o.o, a, v, attrs)
		o.props = append(o.props, modelProp{name, v, attrs})
	}
}

func (x *model) deleteNamed(t *rapid.T) {
	o := x.object(t)
	if len(o.props) == 0 {
		return
	}
	n := 1
	if rapid.IntRange(0, 5).Draw(t, "many") == 0 {
		n = len(o.props) * 2 / 3
	}
	for range n {
		at := rapid.IntRange(0, len(o.props)-1).Draw(t, "at")
		x.h.DeleteNamed(o.o, x.atom(t, o.props[at].name))
		o.props = slices.Delete(o.props, at, at+1)
	}
}

func (x *model) setAttrs(t *rapid.T) {
	o := x.object(t)
	if len(o.props) == 0 {
		return
	}
	p := &o.props[rapid.IntRange(0, len(o.props)-1).Draw(t, "at")]
	p.attrs = rapid.SampledFrom([]Attrs{DefaultAttrs, HiddenAttrs, 0, Writable}).Draw(t, "attrs")
	x.h.SetAttrs(o.o, x.atom(t, p.name), p.attrs)
}

func (x *model) setProto(t *rapid.T) {
	x.h.SetProto(x.object(t).o, rapid.SampledFrom([]Obj{0, x.proto, x.object(t).o}).Draw(t, "proto"))
}

func (x *model) addElem(t *rapid.T) {
	o := x.object(t)
	i := rapid.OneOf(rapid.Uint32Range(0, 40), rapid.Uint32Range(0, 3000), rapid.Uint32Range(0, math.MaxUint32-2)).Draw(t, "index")
	attrs := DefaultAttrs
	if rapid.IntRange(0, 15).Draw(t, "odd") == 0 {
		attrs = Enumerable
	}
	v := x.value(t)
	if err := x.h.AddElem(o.o, i, v, attrs); err != nil {
		t.Fatal(err)
	}
	o.elems[i] = modelProp{val: v, attrs: attrs}
	if w := x.h.ObjW(o.o); o.array && i >= w.Length {
		w.Length = i + 1
	}
}

func (x *model) pushMany(t *rapid.T) {
	o := x.object(t)
	rec := x.h.Obj(o.o)
	if !o.array || rec.Flags&Sparse != 0 || rec.ElemLen != rec.Length {
		return
	}
	for range rapid.IntRange(1, 300).Draw(t, "n") {
		n := x.h.Obj(o.o).Length
		if err := x.h.Push(o.o, Int(int32(n))); err != nil {
			t.Fatal(err)
		}
		o.elems[n] = modelProp{val: Int(int32(n)), attrs: DefaultAttrs}
	}
}

func (x *model) deleteElem(t *rapid.T) {
	o := x.object(t)
	keys := sortedElems(o)
	if len(keys) == 0 {
		return
	}
	i := rapid.SampledFrom(keys).Draw(t, "index")
	x.h.DeleteElem(o.o, i)
	delete(o.elems, i)
}

func sortedElems(o *modelObject) []uint32 {
	keys := make([]uint32, 0, len(o.elems))
	for i := range o.elems {
		keys = append(keys, i)
	}
	slices.Sort(keys)
	return keys
}

func (x *model) truncate(t *rapid.T) {
	o := x.object(t)
	if !o.array {
		return
	}
	n := rapid.Uint32Range(0, x.h.Obj(o.o).Length).Draw(t, "length")
	want := n
	keys := sortedElems(o)
	for k := len(keys) - 1; k >= 0 && keys[k] >= n; k-- {
		if o.elems[keys[k]].attrs&Configurable == 0 {
			want = keys[k] + 1
			break
		}
		delete(o.elems, keys[k])
	}
	if got := x.h.Truncate(o.o, n); got != want {
		t.Fatalf("truncated to %d, not %d", got, want)
	}
	x.h.ObjW(o.o).Length = want
}

func (x *model) newString(t *rapid.T) {
	s := rapid.OneOf(
		rapid.StringMatching(`[a-c]{0,14}`), rapid.String(), rapid.StringMatching(`[éa]{0,30}`), rapid.StringN(200, 400, -1),
	).Draw(t, "text")
	h, err := x.h.NewString(s)
	if err != nil {
		t.Fatal(err)
	}
	x.strings = append(x.strings, &modelString{h, utf16.Encode([]rune(s))})
}

func (x *model) concat(t *rapid.T) {
	if len(x.strings) == 0 {
		return
	}
	a, b := rapid.SampledFrom(x.strings).Draw(t, "a"), rapid.SampledFrom(x.strings).Draw(t, "b")
	if len(a.u)+len(b.u) > 1<<16 {
		return
	}
	s, err := x.h.Concat(a.s, b.s)
	if err != nil {
		t.Fatal(err)
	}
	x.strings = append(x.strings, &modelString{s, slices.Concat(a.u, b.u)})
}

func (x *model) substring(t *rapid.T) {
	if len(x.strings) == 0 {
		return
	}
	a := rapid.SampledFrom(x.strings).Draw(t, "string")
	i := rapid.IntRange(0, len(a.u)).Draw(t, "from")
	j := rapid.IntRange(i, len(a.u)).Draw(t, "to")
	s, err := x.h.Substring(a.s, i, j)
	if err != nil {
		t.Fatal(err)
	}
	x.strings = append(x.strings, &modelString{s, slices.Clone(a.u[i:j])})
}

func (x *model) compareStrings(t *rapid.T) {
	if len(x.strings) == 0 {
		return
	}
	a, b := rapid.SampledFrom(x.strings).Draw(t, "a"), rapid.SampledFrom(x.strings).Draw(t, "b")
	eq, err := x.h.StringEqual(a.s, b.s)
	if err != nil || eq != slices.Equal(a.u, b.u) {
		t.Fatalf("%q = %q: %v %v", string(utf16.Decode(a.u)), string(utf16.Decode(b.u)), eq, err)
	}
	c, err := x.h.StringCompare(a.s, b.s)
	if err != nil || c != slices.Compare(a.u, b.u) {
		t.Fatalf("%v against %v: %v %v", a.u, b.u, c, err)
	}
	if eq {
		p, _ := x.h.Hash(a.s)
		q, _ := x.h.Hash(b.s)
		k, _ := x.h.KeyOf(a.s)
		l, _ := x.h.KeyOf(b.s)
		if p != q || k != l {
			t.Fatalf("equal strings %v with hashes %d, %d and keys %d, %d", a.u, p, q, k, l)
		}
	}
}

func (x *model) newSymbol(*rapid.T) {
	x.symbols = append(x.symbols, x.h.NewSymbol(0))
}

func (x *model) newTable(t *rapid.T) {
	b, err := x.h.NewTable(rapid.IntRange(0, 20).Draw(t, "n"))
	if err != nil {
		t.Fatal(err)
	}
	x.tables = append(x.tables, &modelTable{b: b})
}

// find returns where the model's table has a key, by SameValueZero.
func (x *model) find(tb *modelTable, key Value) int {
	return slices.IndexFunc(tb.keys, func(k Value) bool {
		if k.IsString() && key.IsString() {
			return slices.Equal(x.units(k.AsStr()), x.units(key.AsStr()))
		}
		return k == key
	})
}

func (x *model) units(s Str) []uint16 {
	for _, m := range x.strings {
		if m.s == s {
			return m.u
		}
	}
	b, u, _ := x.h.Units16(s)
	for _, c := range b {
		u = append(u, uint16(c))
	}
	return u
}

func (x *model) setInTable(t *rapid.T) {
	if len(x.tables) == 0 {
		return
	}
	tb := rapid.SampledFrom(x.tables).Draw(t, "table")
	n := 1
	if rapid.IntRange(0, 9).Draw(t, "many") == 0 {
		n = rapid.IntRange(1, 400).Draw(t, "n")
	}
	for i := range n {
		key := NormalizeKey(Float(float64(i)))
		if n == 1 {
			key = NormalizeKey(x.value(t))
		}
		val := Int(int32(i))
		at := x.find(tb, key)
		pos, err := x.h.TableFind(tb.b, key)
		if err != nil || pos >= 0 != (at >= 0) {
			t.Fatalf("key %x is at %d, in the model at %d, %v", uint64(key), pos, at, err)
		}
		if pos >= 0 {
			x.h.SetTableValue(tb.b, pos, val)
			tb.vals[at] = val
			continue
		}
		if tb.b, err = x.h.TableAdd(tb.b, key, val); err != nil {
			t.Fatal(err)
		}
		tb.keys, tb.vals, tb.seqs = append(tb.keys, key), append(tb.vals, val), append(tb.seqs, tb.next)
		tb.next++
	}
}

func (x *model) deleteFromTable(t *rapid.T) {
	if len(x.tables) == 0 {
		return
	}
	tb := rapid.SampledFrom(x.tables).Draw(t, "table")
	if len(tb.keys) == 0 {
		return
	}
	n := 1
	if rapid.IntRange(0, 5).Draw(t, "many") == 0 {
		n = len(tb.keys) * 3 / 4
	}
	for range n {
		at := rapid.IntRange(0, len(tb.keys)-1).Draw(t, "at")
		pos, err := x.h.TableFind(tb.b, tb.keys[at])
		if err != nil || pos < 0 {
			t.Fatal(pos, err)
		}
		if err := x.h.TableDelete(tb.b, pos); err != nil {
			t.Fatal(err)
		}
		tb.keys, tb.vals, tb.seqs = slices.Delete(tb.keys, at, at+1), slices.Delete(tb.vals, at, at+1), slices.Delete(tb.seqs, at, at+1)
	}
}

func (x *model) clearTable(t *rapid.T) {
	if len(x.tables) == 0 {
		return
	}
	tb := rapid.SampledFrom(x.tables).Draw(t, "table")
	var err error
	if tb.b, err = x.h.ClearTable(tb.b); err != nil {
		t.Fatal(err)
	}
	tb.keys, tb.vals, tb.seqs = nil, nil, nil
}

// check compares the heap with the model.
func (x *model) check(t *rapid.T) {
	h := x.h
	if err := h.Verify(x.roots); err != nil {
		t.Fatal(err)
	}
	for _, o := range x.objects {
		props := h.Named(o.o, nil)
		if len(props) != len(o.props) || h.NumNamed(o.o) != len(o.props) {
			t.Fatalf("%d properties, says %d, not %d", len(props), h.NumNamed(o.o), len(o.props))
		}
		for i, p := range o.props {
			name := h.GoString(props[i].Name)
			v, a, ok := h.GetNamed(o.o, props[i].Name)
			if name != p.name || !ok || v != p.val || a != p.attrs || h.Slot(h.Obj(o.o), props[i].Slot) != p.val {
				t.Fatalf("property %d: %s = %x, %b, %v, not %s = %x, %b", i, name, uint64(v), a, ok, p.name, uint64(p.val), p.attrs)
			}
		}
		keys := h.ElemKeys(o.o, nil)
		want := sortedElems(o)
		if !slices.Equal(keys, want) {
			t.Fatalf("elements %v, not %v", keys, want)
		}
		if n := h.NumElems(o.o); n < len(want) {
			t.Fatalf("at most %d elements, not %d", n, len(want))
		}
		for i, p := range o.elems {
			if v, a, ok := h.GetElem(o.o, i); !ok || v != p.val || a != p.attrs {
				t.Fatalf("element %d: %x %b %v, not %x %b", i, uint64(v), a, ok, uint64(p.val), p.attrs)
			}
		}
	}
	for _, s := range x.strings {
		if n := h.Len(s.s); n != len(s.u) {
			t.Fatalf("a string of length %d, not %d", n, len(s.u))
		}
	}
	for _, tb := range x.tables {
		if n := h.TableLen(tb.b); n != len(tb.keys) {
			t.Fatalf("%d entries, not %d", n, len(tb.keys))
		}
		seq, i := 0.0, 0
		for ; ; i++ {
			k, v, next, ok, err := h.TableNext(tb.b, seq)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if i >= len(tb.keys) || k != tb.keys[i] || v != tb.vals[i] || next != float64(tb.seqs[i])+1 {
				t.Fatalf("entry %d: %x = %x", i, uint64(k), uint64(v))
			}
			seq = next
		}
		if i != len(tb.keys) {
			t.Fatalf("%d entries of %d", i, len(tb.keys))
		}
	}
}

// flat checks the units of a string, which flattens it.
func (x *model) flat(t *rapid.T) {
	if len(x.strings) == 0 {
		return
	}
	s := rapid.SampledFrom(x.strings).Draw(t, "string")
	b, u, err := x.h.Units16(s.s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range b {
		u = append(u, uint16(c))
	}
	if !slices.Equal(u, s.u) {
		t.Fatalf("%v, not %v", u, s.u)
	}
}

func TestHeapAgainstModel(t *testing.T) {
	for _, stress := range []bool{false, true} {
		t.Run(fmt.Sprint("stress ", stress), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x := newModel(stress)
				t.Repeat(map[string]func(*rapid.T){
					"object": x.newObject, "add": x.addNamed, "set": x.addNamed, "delete": x.deleteNamed, "attributes": x.setAttrs, "prototype": x.setProto,
					"element": x.addElem, "element again": x.addElem, "push": x.pushMany, "delete element": x.deleteElem, "truncate": x.truncate,
					"string": x.newString, "concat": x.concat, "concat again": x.concat, "substring": x.substring, "compare": x.compareStrings, "flatten": x.flat,
					"symbol": x.newSymbol, "table": x.newTable, "table set": x.setInTable, "table delete": x.deleteFromTable, "table clear": x.clearTable,
					"drop": x.dropSome, "collect": x.collect, "": x.check,
				})
				// Nothing of this has reached the template.
				y := &model{h: x.tmpl.NewHeap(nil), objects: nil}
				for i, p := range y.h.Named(x.objects[0].o, nil) {
					if v, a, ok := y.h.GetNamed(x.objects[0].o, p.Name); !ok || v != Int(int32(i)) || a != DefaultAttrs || y.h.GoString(p.Name) != fmt.Sprint("p", i) {
						t.Fatalf("the template's property %d is %s = %x", i, y.h.GoString(p.Name), uint64(v))
					}
				}
				if n := y.h.NumElems(x.objects[0].o); n != 0 {
					t.Fatalf("the template's object has %d elements", n)
				}
				if err := y.h.Verify(func() {}); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// Ropes of every shape flatten to the same text, without recursion.
func TestRopeShapes(t *testing.T) {
	const n = 1_000_000
	shapes := map[string]func(h *Heap, x Str) (Str, error){
		"left": func(h *Heap, x Str) (s Str, err error) {
			s = x
			for range n {
				if s, err = h.Concat(s, x); err != nil {
					return
				}
			}
			return
		},
		"right": func(h *Heap, x Str) (s Str, err error) {
			s = x
			for range n {
				if s, err = h.Concat(x, s); err != nil {
					return
				}
			}
			return
		},
		"zigzag": func(h *Heap, x Str) (s Str, err error) {
			s = x
			for i := range n {
				if i%2 == 0 {
					s, err = h.Concat(x, s)
				} else {
					s, err = h.Concat(s, x)
				}
				if err != nil {
					return
				}
			}
			return
		},
		"balanced": func(h *Heap, x Str) (Str, error) {
			level := make([]Str, n+1)
			for i := range level {
				level[i] = x
			}
			for len(level) > 1 {
				var next []Str
				for i := 0; i+1 < len(level); i += 2 {
					s, err := h.Concat(level[i], level[i+1])
					if err != nil {
						return 0, err
					}
					next = append(next, s)
				}
				if len(level)%2 == 1 {
					next = append(next, level[len(level)-1])
				}
				level = next
			}
			return level[0], nil
		},
		"doubled": func(h *Heap, x Str) (s Str, err error) {
			s = x
			for range 20 {
				if s, err = h.Concat(s, s); err != nil {
					return
				}
			}
			return h.Substring(s, 0, 2*(n+1))
		},
	}
	for name, make := range shapes {
		for _, text := range []string{"ab", "é→"} {
			m := meter.New(nil, meter.Limits{LiveBytes: 512 << 20})
			h := New(m)
			x, _ := h.NewString(text)
			s, err := make(h, x)
			if err != nil {
				t.Fatal(name, err)
			}
			if err := h.Collect(func() { h.MarkStr(s) }, nil); err != nil {
				t.Fatal(name, err)
			}
			if err := h.Verify(func() { h.MarkStr(s) }); err != nil {
				t.Fatal(name, err)
			}
			fuel := m.Usage().Fuel
			if err := h.Flatten(s); err != nil {
				t.Fatal(name, err)
			}
			if used := m.Usage().Fuel - fuel; used > 4*n {
				t.Errorf("%s: flattening used %d fuel", name, used)
			}
			if got := h.GoString(s); got != strings.Repeat(text, n+1) {
				t.Errorf("%s: another text, of %d bytes", name, len(got))
			}
			if err := h.Collect(func() { h.MarkStr(s) }, nil); err != nil {
				t.Fatal(err)
			}
			if u := h.Usage(); u.LiveBytes > 5*n {
				t.Errorf("%s: %d bytes after flattening", name, u.LiveBytes)
			}
		}
	}
}

// Two heaps of one template don't see each other's writes, and neither do two
// goroutines.
func TestHeapsShareNoWrites(t *testing.T) {
	base := New(nil)
	shape := base.RootShape(0)
	var objs []Obj
	for i := range 1000 {
		o := base.NewObject(shape, ClassArray)
		for k := range 10 {
			a, _ := base.Atom(fmt.Sprint("k", k))
			base.AddNamed(o, a, Int(int32(i)), DefaultAttrs)
		}
		for k := range 20 {
			if err := base.Push(o, Int(int32(k))); err != nil {
				t.Fatal(err)
			}
		}
		objs = append(objs, o)
	}
	tm := base.Freeze()
	done := make(chan error)
	const goroutines = 8
	for g := range goroutines {
		go func() {
			done <- func() error {
				m := meter.New(nil, meter.Limits{LiveBytes: 64 << 20})
				h := tm.NewHeap(m)
				roots := func() {}
				for round := range 5 {
					mine := Int(int32(1000*g + round))
					for i := g; i < len(objs); i += 1 + g {
						o := objs[i]
						a, err := h.Atom(fmt.Sprint("k", i%10))
						if err != nil {
							return err
						}
						slot, _, ok := h.Lookup(h.Obj(o).Shape, a)
						if !ok {
							return fmt.Errorf("no property")
						}
						h.SetSlot(o, slot, mine)
						h.SetElem(o, uint32(i%20), mine)
						b, err := h.Atom(fmt.Sprint("own", g, i%3))
						if err != nil {
							return err
						}
						if _, _, ok := h.GetNamed(o, b); !ok {
							h.AddNamed(o, b, ObjectValue(h.NewObject(h.RootShape(o), ClassObject)), DefaultAttrs)
						}
						if i%7 == 0 {
							h.DeleteNamed(o, b)
						}
					}
					if err := h.Collect(roots, nil); err != nil {
						return err
					}
					if err := h.Verify(roots); err != nil {
						return err
					}
					for i, o := range objs {
						want, changed := Int(int32(i)), i >= g && (i-g)%(1+g) == 0
						if changed {
							want = mine
						}
						a, _ := h.Atom(fmt.Sprint("k", i%10))
						if v, _, _ := h.GetNamed(o, a); v != want {
							return fmt.Errorf("goroutine %d: object %d has %x, not %x", g, i, uint64(v), uint64(want))
						}
						if want = Int(int32(i % 20)); changed {
							want = mine
						}
						if v, _, _ := h.GetElem(o, uint32(i%20)); v != want {
							return fmt.Errorf("goroutine %d: element of object %d is %x, not %x", g, i, uint64(v), uint64(want))
						}
					}
				}
				return nil
			}()
		}()
	}
	for range goroutines {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	h := tm.NewHeap(nil)
	for i, o := range objs {
		if n := h.NumNamed(o); n != 10 {
			t.Fatalf("object %d of the template has %d properties", i, n)
		}
		for k, v := range h.Elems(o) {
			if v != Int(int32(k)) {
				t.Fatalf("element %d of object %d of the template is %x", k, i, uint64(v))
			}
		}
	}
}

// A changed cell of the template may refer to the run's own: a collection keeps
// what it refers to.
func TestTemplateCells(t *testing.T) {
	base := New(nil)
	a, _ := base.NewString("left, longer than a cell")
	b, _ := base.NewString("right, longer than a cell")
	rope, err := base.Concat(a, b)
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := base.NewString("a name that is not interned")
	tm := base.Freeze()
	h := tm.NewHeap(meter.New(nil, meter.Limits{}))
	h.SetStress(1)
	if _, err := h.KeyOf(plain); err != nil {
		t.Fatal(err)
	}
	if err := h.Flatten(rope); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := h.Collect(func() {}, nil); err != nil {
			t.Fatal(err)
		}
		if err := h.Verify(func() {}); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if _, err := h.NewString("something else that takes the place of what was freed"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := h.GoString(rope); got != "left, longer than a cellright, longer than a cell" {
		t.Errorf("%q", got)
	}
	if k, err := h.KeyOf(plain); err != nil || h.GoString(k.Name()) != "a name that is not interned" {
		t.Error(k, err)
	}
}

// Weak collections whose entries depend on each other are marked in linear
// time, in whatever order they were made.
func TestEphemeronChains(t *testing.T) {
	const n = 200_000
	for _, order := range []string{"forward", "backward", "scattered", "one table each"} {
		m := meter.New(nil, meter.Limits{})
		h := New(m)
		shape := h.RootShape(0)
		keys := make([]Obj, n+1)
		for i := range keys {
			keys[i] = h.NewObject(shape, ClassObject)
		}
		weak := h.NewObject(shape, ClassWeakMap)
		tb, err := h.NewTable(0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			k := i
			switch order {
			case "backward":
				k = n - 1 - i
			case "scattered":
				k = i * 7919 % n
			case "one table each":
				if i >= n/10 {
					continue
				}
				each := h.NewObject(shape, ClassWeakMap)
				b, err := h.NewTable(0)
				if err != nil {
					t.Fatal(err)
				}
				// The value of each key is the next weak map, which holds the next
				// key.
				if b, err = h.TableAdd(b, ObjectValue(keys[n/10-i]), ObjectValue(weak)); err != nil {
					t.Fatal(err)
				}
				h.ObjW(each).Data = ValuesValue(b)
				if i == 0 {
					h.ObjW(weak).Data = ValuesValue(tb)
				}
				h.AddNamed(keys[n/10-i], h.chars['k'], ObjectValue(keys[n/10-i-1]), DefaultAttrs)
				weak = each
				continue
			}
			if tb, err = h.TableAdd(tb, ObjectValue(keys[k]), ObjectValue(keys[k+1])); err != nil {
				t.Fatal(err)
			}
		}
		roots := []Obj{weak, keys[0]}
		want := n + 2
		if order == "one table each" {
			roots = []Obj{weak, keys[n/10]}
			want = 2 + n/10*2
		} else {
			h.ObjW(weak).Data = ValuesValue(tb)
		}
		if err := h.Collect(func() {
			for _, o := range roots {
				h.MarkObj(o)
			}
		}, nil); err != nil {
			t.Fatal(err)
		}
		live := 0
		for i := range h.objs.mark {
			for k := range recordsPerPage {
				if h.objs.mark[i]>>k&1 == 1 {
					live++
				}
			}
		}
		if live < want-1 || live > want+2 {
			t.Errorf("%s: %d live objects, want %d", order, live, want)
		}
		if err := h.Verify(func() {
			for _, o := range roots {
				h.MarkObj(o)
			}
		}); err != nil {
			t.Errorf("%s: %v", order, err)
		}
		// Without the first key everything goes.
		if err := h.Collect(func() { h.MarkObj(weak) }, nil); err != nil {
			t.Fatal(err)
		}
		if b := h.Obj(weak).Data.AsBlock(); order != "one table each" && h.TableLen(b) != 0 {
			t.Errorf("%s: %d entries without keys", order, h.TableLen(b))
		}
	}
}

// The collector ends with the run, and leaves a heap that can still be read.
func TestCollectionIsStopped(t *testing.T) {
	m := meter.New(nil, meter.Limits{})
	h := New(m)
	root := h.NewObject(h.RootShape(0), ClassArray)
	for range 100_000 {
		if err := h.Push(root, ObjectValue(h.NewObject(h.RootShape(0), ClassObject))); err != nil {
			t.Fatal(err)
		}
	}
	m.Stop(&meter.LimitError{Kind: meter.Cancelled})
	if err := h.Collect(func() { h.MarkObj(root) }, nil); !meter.IsLimit(err) {
		t.Error(err)
	}
	if err := h.Verify(func() { h.MarkObj(root) }); err != nil {
		t.Error(err)
	}
	if n := len(h.Elems(root)); n != 100_000 {
		t.Error(n)
	}
}

// A broken heap doesn't verify.
func TestVerifySeesDamage(t *testing.T) {
	damage := map[string]func(h *Heap, o Obj){
		"free object":     func(h *Heap, o Obj) { h.ObjW(o).Inline[0] = ObjectValue(o + 1) },
		"no object":       func(h *Heap, o Obj) { h.ObjW(o).Inline[0] = ObjectValue(1 << 20) },
		"wrong type":      func(h *Heap, o Obj) { h.ObjW(o).Inline[0] = SymbolValue(h.chars['a']) },
		"poison":          func(h *Heap, o Obj) { h.ObjW(o).Inline[0] = poison },
		"special":         func(h *Heap, o Obj) { h.ObjW(o).Inline[0] = Empty + 1 },
		"shape":           func(h *Heap, o Obj) { h.ObjW(o).Shape = 1 << 20 },
		"elements":        func(h *Heap, o Obj) { h.ObjW(o).ElemLen = 1 << 20 },
		"inside a block":  func(h *Heap, o Obj) { h.ObjW(o).Elems += 2 },
		"raw elements":    func(h *Heap, o Obj) { h.ObjW(o).Elems = h.NewSmallRaw(8) },
		"committed bytes": func(h *Heap, _ Obj) { h.committed += 8 },
		"atoms":           func(h *Heap, _ Obj) { h.atoms.count++ },
		"free bitmap":     func(h *Heap, o Obj) { h.objs.curFree |= 1 << (o & recordMask) },
		"released page":   func(h *Heap, _ Obj) { h.cells.dead = append(h.cells.dead, 0) },
		"length":          func(h *Heap, o Obj) { h.ObjW(o).Length = 0 },
	}
	for name, f := range damage {
		h := New(nil)
		o := h.NewObject(h.RootShape(0), ClassArray)
		a, _ := h.Atom("a")
		h.AddNamed(o, a, Int(1), DefaultAttrs)
		for range 5 {
			if err := h.Push(o, Null); err != nil {
				t.Fatal(err)
			}
		}
		roots := func() { h.MarkObj(o) }
		if err := h.Verify(roots); err != nil {
			t.Fatalf("%s: before: %v", name, err)
		}
		f(h, o)
		if err := h.Verify(roots); err == nil {
			t.Errorf("%s: not seen", name)
		}
	}
}

// What the heap says it has committed is what the process grows by, about.
func TestCommittedIsReal(t *testing.T) {
	if testing.Short() {
		t.Skip("allocates 256 MiB")
	}
	m := meter.New(nil, meter.Limits{LiveBytes: 256 << 20})
	before := heapBytes()
	h := New(m)
	root := h.NewObject(h.RootShape(0), ClassArray)
	a, _ := h.Atom("a")
	for i := 0; m.Headroom() > 32<<20; i++ {
		o := h.NewObject(h.RootShape(0), ClassObject)
		s, err := h.NewString(fmt.Sprint("a string of some length, number ", i))
		if err != nil {
			t.Fatal(err)
		}
		h.AddNamed(o, a, StringValue(s), DefaultAttrs)
		if err := h.Push(root, ObjectValue(o)); err != nil {
			t.Fatal(err)
		}
	}
	grown := heapBytes() - before
	if c := h.Committed(); grown < c*9/10 || grown > c*11/10 {
		t.Errorf("%d bytes committed, Go's heap grew by %d", c, grown)
	}
	if u := h.Usage(); u.LiveBytes < h.Committed()*7/10 || u.LiveBytes > h.Committed() {
		t.Errorf("%+v", u)
	}
	if n := len(h.Elems(root)); n == 0 {
		t.Error("nothing")
	}
}
