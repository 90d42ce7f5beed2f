package heap

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// Records are looked at as words: see unsafe.go.
func TestRecordWords(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[Object](), reflect.TypeFor[Cell](), reflect.TypeFor[Shape]()} {
		if typ.Align() != 8 || typ.Size()%8 != 0 || typ.Size() > 8*recordWordsMax {
			t.Errorf("%v has %d bytes, aligned to %d", typ, typ.Size(), typ.Align())
		}
	}
	if recordWords[Object]() != 8 || recordWords[Cell]() != 4 || recordWords[Shape]() != 4 {
		t.Error("records are of another length")
	}
}

// Whatever was written is read: records that come as expected and others, values
// of all kinds, runs of them and what only looks like one.
func TestSnapCodec(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := []Value{0, Undefined, Null, Empty, Int(0), Int(-1), Int(1 << 30), Float(0.5), Float(-1e300), NaN, ObjectValue(7), StringValue(1 << 31), SymbolValue(5), BigIntValue(9), EnvValue(3), NumberValue(1<<32 - 1), PairValue(2)}
	word := func(last Value) Value {
		switch rng.IntN(6) {
		case 0:
			return some[rng.IntN(len(some))]
		case 1:
			return Float(rng.NormFloat64())
		case 2:
			return last.plus(int32(rng.IntN(9) - 4))
		case 3:
			return last.plus(3)
		}
		return last
	}
	for range 2000 {
		size := []int{2, 4, 6, 8}[rng.IntN(4)]
		kind := []Value{0, kindOfObjects, kindOfCells, 0xFFFF << tagShift}[rng.IntN(4)]
		n := rng.IntN(60)
		recs := make([]Value, n*size)
		for i := range recs {
			switch {
			case i >= 2*size && rng.IntN(20) > 0:
				recs[i] = 2*recs[i-size] - recs[i-2*size] // as far as the last time
			case i >= size:
				recs[i] = word(recs[i-size])
			default:
				recs[i] = word(0)
			}
		}
		c := recordCodec{kind: kind}
		var b []byte
		for at := 0; at < len(recs); at += size {
			b = c.put(b, recs[at:at+size])
		}
		b = c.end(b)
		r, d := &SnapReader{B: b}, recordCodec{kind: kind}
		d.begin(r)
		got := make([]Value, len(recs))
		for at := 0; at < len(got); at += size {
			d.get(r, got[at:at+size])
		}
		if r.Err != nil || r.Left() != 0 || !slices.Equal(got, recs) {
			t.Fatalf("%v, %d bytes left: %x, want %x", r.Err, r.Left(), got, recs)
		}

		vs := make([]Value, rng.IntN(40))
		for i := range vs {
			last := Value(0)
			if i > 0 {
				last = vs[i-1]
			}
			if last.tag() == tagSpecial || last.tag() == tagInternal || i == 0 {
				vs[i] = some[rng.IntN(len(some))]
			} else if vs[i] = word(last); vs[i].tag() == tagSpecial && vs[i] > Empty {
				vs[i] = Empty
			}
		}
		w := &snapWriter{}
		w.values(vs)
		w.values(vs)
		r = &SnapReader{B: w.b}
		for range 2 {
			got = make([]Value, len(vs))
			if r.Values(got); !slices.Equal(got, vs) {
				t.Fatalf("%v: %x, want %x", r.Err, got, vs)
			}
		}
		if r.Left() != 0 {
			t.Fatalf("%d bytes left", r.Left())
		}
	}
}
