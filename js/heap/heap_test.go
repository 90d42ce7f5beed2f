package heap

import (
	"fmt"
	"testing"

	"github.com/pinfold-js/pinfold/meter"
)

func TestObjectsSurviveCollection(t *testing.T) {
	base := New(nil)
	proto := base.NewObject(base.RootShape(0), ClassObject)
	tm := base.Freeze()
	m := meter.New(nil, meter.Limits{LiveBytes: 64 << 20})
	h := tm.NewHeap(m)
	root := h.NewObject(h.RootShape(proto), ClassArray)
	for i := range 10000 {
		o := h.NewObject(h.RootShape(proto), ClassObject)
		for k := range 6 {
			name, err := h.Atom(fmt.Sprintf("property%d", k))
			if err != nil {
				t.Fatal(err)
			}
			h.AddNamed(o, name, Int(int32(i*10+k)), DefaultAttrs)
		}
		if i%2 == 0 {
			if err := h.Push(root, ObjectValue(o)); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.SetStress(1)
	before := h.Usage()
	if err := h.Collect(func() { h.MarkObj(root) }, nil); err != nil {
		t.Fatal(err)
	}
	after := h.Usage()
	if after.LiveBytes >= before.LiveBytes*6/10 {
		t.Errorf("live bytes %d before, %d after", before.LiveBytes, after.LiveBytes)
	}
	for i, v := range h.Elems(root) {
		for k := range 6 {
			name, _ := h.Atom(fmt.Sprintf("property%d", k))
			got, attrs, ok := h.GetNamed(v.AsObj(), name)
			if !ok || attrs != DefaultAttrs || got != Int(int32(i*20+k)) {
				t.Fatalf("object %d property %d: %x %v %v", i, k, got, attrs, ok)
			}
		}
	}
	if err := h.Collect(func() {}, nil); err != nil {
		t.Fatal(err)
	}
	if u := h.Usage(); u.LiveBytes != 0 {
		t.Errorf("live bytes %d with no roots", u.LiveBytes)
	}
}

func TestRopeIsLinear(t *testing.T) {
	m := meter.New(nil, meter.Limits{LiveBytes: 256 << 20})
	h := New(m)
	s, _ := h.NewString("start")
	x, _ := h.NewString("ab")
	for range 1_000_000 {
		var err error
		if s, err = h.Concat(s, x); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Flatten(s); err != nil {
		t.Fatal(err)
	}
	if n := h.Len(s); n != 2_000_005 {
		t.Error(n)
	}
	if c, _ := h.At(s, 2_000_004); c != 'b' {
		t.Error(c)
	}
}

func TestDictionaryAndDelete(t *testing.T) {
	h := New(meter.New(nil, meter.Limits{}))
	o := h.NewObject(h.RootShape(0), ClassObject)
	for i := range 2000 {
		n, _ := h.Atom(fmt.Sprint("k", i))
		h.AddNamed(o, n, Int(int32(i)), DefaultAttrs)
	}
	for i := range 1500 {
		n, _ := h.Atom(fmt.Sprint("k", i))
		h.DeleteNamed(o, n)
	}
	if n := h.NumNamed(o); n != 500 {
		t.Fatal(n)
	}
	for i, p := range h.Named(o, nil) {
		if got := h.Slot(h.Obj(o), p.Slot); got != Int(int32(1500+i)) || h.GoString(p.Name) != fmt.Sprint("k", 1500+i) {
			t.Fatalf("%d: %x %s", i, got, h.GoString(p.Name))
		}
	}
}

func TestSparseElements(t *testing.T) {
	h := New(meter.New(nil, meter.Limits{}))
	o := h.NewObject(h.RootShape(0), ClassObject)
	for i := range uint32(100) {
		if err := h.AddElem(o, i*100003, Int(int32(i)), DefaultAttrs); err != nil {
			t.Fatal(err)
		}
	}
	keys := h.ElemKeys(o, nil)
	if len(keys) != 100 || keys[99] != 99*100003 {
		t.Fatal(len(keys))
	}
	h.DeleteElem(o, 100003)
	if _, _, ok := h.GetElem(o, 100003); ok {
		t.Error("still there")
	}
	if v, _, ok := h.GetElem(o, 200006); !ok || v != Int(2) {
		t.Error(v, ok)
	}
}

func TestTableKeepsOrder(t *testing.T) {
	h := New(meter.New(nil, meter.Limits{}))
	b, _ := h.NewTable(0)
	var err error
	for i := range 1000 {
		if b, err = h.TableAdd(b, Int(int32(i)), Int(int32(-i))); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < 1000; i += 3 {
		p, _ := h.TableFind(b, Int(int32(i)))
		if p < 0 {
			t.Fatal(i)
		}
		if err := h.TableDelete(b, p); err != nil {
			t.Fatal(err)
		}
	}
	seq, n := 0.0, 0
	for {
		k, v, next, ok, _ := h.TableNext(b, seq)
		if !ok {
			break
		}
		if k.AsInt() != -v.AsInt() || k.AsInt()%3 == 0 {
			t.Fatal(k.AsInt())
		}
		seq = next
		n++
		if n == 300 { // growth in the middle of an iteration
			for i := range 5000 {
				if b, err = h.TableAdd(b, Int(int32(10000+3*i+1)), Int(int32(-(10000 + 3*i + 1)))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if n != 666+5000 {
		t.Error(n)
	}
}
