package membrane

import (
	"math/big"
	"time"

	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// jsonReader builds script values straight from JSON text; all keys, "$js" and
// __proto__ too, are ordinary.
type jsonReader struct {
	scanner
	im *importer
}

// json imports JSON text.
func (im *importer) json(text []byte, depth int) (vm.Value, error) {
	if err := im.size(len(text)); err != nil {
		return vm.Undefined, err
	}
	r := jsonReader{scanner{src: string(text)}, im}
	v, err := r.value(depth)
	if err == nil && (r.peek() != 0 || r.pos < len(r.src)) {
		err = r.unexpected()
	}
	return v, err
}

func (r *jsonReader) value(depth int) (vm.Value, error) {
	m := r.im.m
	if err := r.im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	switch c := r.peek(); {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '"':
		s, err := r.string()
		if err != nil {
			return vm.Undefined, err
		}
		return m.NewString(s)
	case c == 't':
		return vm.True, r.word("true")
	case c == 'f':
		return vm.False, r.word("false")
	case c == 'n':
		return vm.Null, r.word("null")
	case c == '-', c >= '0' && c <= '9':
		f, err := r.number()
		return heap.Number(f), err
	}
	return vm.Undefined, r.unexpected()
}

func (r *jsonReader) object(depth int) (vm.Value, error) {
	m := r.im.m
	o := m.NewPlain()
	r.pos++
	if r.peek() == '}' {
		r.pos++
		return heap.ObjectValue(o), nil
	}
	for {
		if r.peek() != '"' {
			return vm.Undefined, r.unexpected()
		}
		name, err := r.string()
		if err != nil {
			return vm.Undefined, err
		}
		if err := r.expect(':'); err != nil {
			return vm.Undefined, err
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return vm.Undefined, underKey(err, name)
		}
		k, err := m.H.KeyOfName(name)
		if err == nil {
			err = defineKey(m, o, k, v, heap.DefaultAttrs)
		}
		if err != nil {
			return vm.Undefined, err
		}
		if r.peek() == ',' {
			r.pos++
			continue
		}
		return heap.ObjectValue(o), r.expect('}')
	}
}

func (r *jsonReader) array(depth int) (vm.Value, error) {
	m := r.im.m
	o := m.NewArrayLen(0)
	r.pos++
	if r.peek() == ']' {
		r.pos++
		return heap.ObjectValue(o), nil
	}
	for i := 0; ; i++ {
		v, err := r.value(depth + 1)
		if err == nil {
			err = m.H.Push(o, v)
		}
		if err != nil {
			return vm.Undefined, underIndex(err, i)
		}
		if r.peek() == ',' {
			r.pos++
			continue
		}
		return heap.ObjectValue(o), r.expect(']')
	}
}

// value imports a Value: its shared references are shared again.
func (im *importer) value(v Value, depth int) (vm.Value, error) {
	if v.text == nil {
		return vm.Undefined, nil
	}
	if !v.hasTags() {
		return im.json(v.text, depth)
	}
	if err := im.size(len(v.text)); err != nil {
		return vm.Undefined, err
	}
	g, err := readGraphPolling(string(v.text), im.m.Meter().Poll)
	if err != nil {
		return vm.Undefined, err
	}
	im.nodeOf = map[*node]vm.Obj{}
	return im.graph(g, depth)
}

func (im *importer) graph(g any, depth int) (vm.Value, error) {
	if err := im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	switch g := g.(type) {
	case nil:
		return vm.Null, nil
	case Undefined:
		return vm.Undefined, nil
	case bool:
		return heap.Bool(g), nil
	case float64:
		return heap.Number(g), nil
	case string:
		return im.m.NewString(g) // charged with the text
	case *big.Int:
		return im.m.NewBig(g)
	case *node:
		if o, ok := im.nodeOf[g]; ok {
			return heap.ObjectValue(o), nil
		}
		return im.node(g, depth)
	case *Placeholder:
		return vm.Undefined, refuse("a part of the value could not be copied")
	}
	return vm.Undefined, refuse("an unknown value")
}

func (im *importer) node(n *node, depth int) (vm.Value, error) {
	m := im.m
	var o vm.Obj
	var err error
	switch n.kind {
	case whatArray:
		o = m.NewArrayLen(0)
	case whatMap, whatSet:
		o, err = im.newTable(n.kind == whatMap)
	case whatDate, whatBytes:
		v, err := im.leaf(n, depth)
		if err == nil {
			im.nodeOf[n] = v.AsObj()
		}
		return v, err
	case whatError:
		o, err = im.newError(n.err.name, n.err.message, n.err.stack)
	default:
		o = m.NewPlain()
	}
	if err != nil {
		return vm.Undefined, err
	}
	im.nodeOf[n] = o
	v := heap.ObjectValue(o)
	switch n.kind {
	case whatArray:
		for i, it := range n.items { //meter: each item charges
			x, err := im.graph(it, depth+1)
			if err == nil {
				err = m.H.Push(o, x)
			}
			if err != nil {
				return vm.Undefined, underIndex(err, i)
			}
		}
		return v, nil
	case whatSet:
		for i, it := range n.items { //meter: each item charges
			x, err := im.graph(it, depth+1)
			if err == nil {
				err = tablePut(m, o, x, vm.Undefined)
			}
			if err != nil {
				return vm.Undefined, underIndex(err, i)
			}
		}
		return v, nil
	case whatMap:
		for i := 0; i+1 < len(n.items); i += 2 { //meter: each item charges
			k, err := im.graph(n.items[i], depth+1)
			if err != nil {
				return vm.Undefined, underIndex(underIndex(err, 0), i/2)
			}
			x, err := im.graph(n.items[i+1], depth+1)
			if err == nil {
				err = tablePut(m, o, k, x)
			}
			if err != nil {
				return vm.Undefined, underIndex(underIndex(err, 1), i/2)
			}
		}
		return v, nil
	case whatError:
		if n.err.hasCause {
			x, err := im.graph(n.err.cause, depth+1)
			if err != nil {
				return vm.Undefined, under(err, ".cause")
			}
			m.H.AddNamed(o, m.N.Cause.Name(), x, heap.HiddenAttrs)
		}
		if n.err.errors != nil {
			x, err := im.graph(n.err.errors, depth+1)
			if err != nil {
				return vm.Undefined, under(err, ".errors")
			}
			m.H.AddNamed(o, m.N.Errors.Name(), x, heap.HiddenAttrs)
		}
	}
	for i, k := range n.keys { //meter: each item charges
		x, err := im.graph(n.items[i], depth+1)
		if err == nil {
			err = im.define(o, k, x)
		}
		if err != nil {
			return vm.Undefined, underKey(err, k)
		}
	}
	return v, nil
}

func (im *importer) leaf(n *node, depth int) (vm.Value, error) {
	if n.kind == whatBytes {
		return im.view(n.bytes, depth)
	}
	ms := heap.NaN.AsDouble()
	if n.date != "" {
		ms = date.Parse([]byte(n.date), time.UTC)
	}
	return im.date(ms, depth)
}
