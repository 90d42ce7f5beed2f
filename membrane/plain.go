package membrane

import (
	"bytes"
	"strconv"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// PlainText gives the text that Encode would give for a value that is plain
// data: null, booleans, numbers, strings in one piece, arrays and objects. It
// only looks, so that it costs the run nothing and changes nothing. ok is false
// for other values, for a text longer than max, and, if want isn't nil, for
// another text.
func PlainText(m *vm.Machine, v vm.Value, want []byte, max int) (text []byte, ok bool) {
	p := plainReader{h: m.H, want: want, max: max}
	if want != nil {
		p.max = len(want)
	}
	ok = p.value(v, 0) && (want == nil || bytes.Equal(p.out, want))
	return p.out, ok
}

// plainDepth is how deeply plain data may be nested.
const plainDepth = 1000

type plainReader struct {
	h    *heap.Heap
	out  []byte
	want []byte
	max  int
	same int // of out and want, what was compared
}

// fits reports whether the text so far may be the beginning of the whole.
func (p *plainReader) fits() bool {
	if len(p.out) > p.max {
		return false
	}
	from := p.same
	p.same = len(p.out)
	return p.want == nil || bytes.Equal(p.out[from:], p.want[from:len(p.out)])
}

func (p *plainReader) value(v vm.Value, depth int) bool { //meter: depth is counted
	switch {
	case v == vm.Null:
		p.out = append(p.out, "null"...)
	case v == vm.True:
		p.out = append(p.out, "true"...)
	case v == vm.False:
		p.out = append(p.out, "false"...)
	case v.IsInt():
		p.out = strconv.AppendInt(p.out, int64(v.AsInt()), 10)
	case v.IsNumber():
		if _, special := specialNumber(v.AsFloat()); special {
			return false
		}
		p.out = conv.FormatNumber(p.out, v.AsFloat())
	case v.IsString():
		return p.quote(v.AsStr())
	case v.IsObject() && depth < plainDepth:
		o := v.AsObj()
		switch r := p.h.Obj(o); {
		case r.Flags&(heap.Exotic|heap.LazyProps|heap.Sparse) != 0:
			return false
		case r.Class == heap.ClassArray:
			return r.ElemLen == r.Length && p.h.NumNamed(o) == 0 && p.array(o, depth)
		case r.Class == heap.ClassObject:
			return p.h.NumElems(o) == 0 && p.object(o, depth)
		}
		return false
	default:
		return false
	}
	return p.fits()
}

func (p *plainReader) array(o vm.Obj, depth int) bool { //meter: depth is counted
	p.out = append(p.out, '[')
	for i := range p.h.Obj(o).ElemLen { //meter: as long as the text, whose length is limited
		if i > 0 {
			p.out = append(p.out, ',')
		}
		if !p.value(p.h.Word(p.h.Obj(o).Elems, int(i)), depth+1) {
			return false
		}
	}
	p.out = append(p.out, ']')
	return p.fits()
}

func (p *plainReader) object(o vm.Obj, depth int) bool { //meter: depth is counted
	var buf [16]heap.Prop
	p.out = append(p.out, '{')
	for i, x := range p.h.Named(o, buf[:0]) { //meter: as long as the text, whose length is limited
		if x.Attrs != heap.DefaultAttrs || p.h.IsSymbolCell(x.Name) {
			return false
		}
		if i > 0 {
			p.out = append(p.out, ',')
		}
		at := len(p.out)
		if !p.quote(x.Name) || string(p.out[at:]) == `"`+tagKey+`"` {
			return false
		}
		p.out = append(p.out, ':')
		if !p.value(p.h.Slot(p.h.Obj(o), x.Slot), depth+1) {
			return false
		}
	}
	p.out = append(p.out, '}')
	return p.fits()
}

func (p *plainReader) quote(s vm.Str) bool {
	if p.h.Len(s) > p.max-len(p.out) {
		return false
	}
	b, u, ok := p.h.FlatText(s)
	if !ok {
		return false
	}
	p.out = appendQuoted(p.out, b, u)
	return p.fits()
}
