package membrane

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strconv"
	"time"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/date"
)

// FromTree makes a Value of Go data as Value.Any returns it.
func FromTree(x any) (Value, error) {
	if _, ok := x.(Undefined); ok {
		return Value{}, nil
	}
	text, err := treeJSON(x)
	return Value{text: text}, err
}

// treeJSON writes a tree in the tagged form.
func treeJSON(x any) (json.RawMessage, error) {
	w := treeWriter{}
	if err := w.value(x, 0); err != nil {
		return nil, err
	}
	return w.p.out, nil
}

type treeWriter struct{ p plainWriter }

func (w *treeWriter) raw(s string) { w.p.out = append(w.p.out, s...) }

func (w *treeWriter) value(x any, depth int) error {
	if depth > graphDepth/2 {
		return over("the depth", graphDepth/2, int64(depth))
	}
	switch x := x.(type) {
	case nil:
		w.raw("null")
	case Undefined:
		w.raw(undefinedText)
	case bool:
		w.raw(strconv.FormatBool(x))
	case float64:
		if s, special := specialNumber(x); special {
			w.raw(`{"$js":"number","v":"` + s + `"}`)
			break
		}
		w.p.out = conv.FormatNumber(w.p.out, x)
	case string:
		w.p.quote(x)
	case *big.Int:
		w.raw(`{"$js":"bigint","v":"` + x.String() + `"}`)
	case time.Time:
		s, ok := date.ToISOString(nil, float64(x.UnixMilli()))
		if !ok {
			return refuse("the time is out of a Date's range")
		}
		w.raw(`{"$js":"date","v":"` + string(s) + `"}`)
	case InvalidDate:
		w.raw(`{"$js":"date","v":null}`)
	case []byte:
		w.bytes(x, "Uint8Array")
	case *Bytes:
		w.bytes(x.Data, x.Type)
	case []any:
		return w.list(x, depth)
	case *Set:
		w.raw(`{"$js":"set","v":`)
		if err := w.list(x.Items, depth); err != nil {
			return err
		}
		w.raw("}")
	case *Map:
		w.raw(`{"$js":"map","v":[`)
		for i := range x.Entries { //meter: a tree of the host, on the host's time
			if i > 0 {
				w.raw(",")
			}
			if err := w.list(x.Entries[i][:], depth+1); err != nil {
				return underIndex(err, i)
			}
		}
		w.raw("]}")
	case *Placeholder:
		x.write(&w.p.out, w.p.quote)
	case *ErrorValue:
		return w.error(x, depth)
	case *Object:
		_, escape := x.Get(tagKey)
		if escape {
			w.raw(`{"$js":"object","v":`)
		}
		if err := w.object(x, depth); err != nil {
			return err
		}
		if escape {
			w.raw("}")
		}
	default:
		return refuse("it is not data that came from a script")
	}
	return nil
}

func (w *treeWriter) bytes(b []byte, typ string) {
	w.raw(`{"$js":"bytes","v":"` + base64.StdEncoding.EncodeToString(b) + `","type":`)
	w.p.quote(typ)
	w.raw("}")
}

func (w *treeWriter) list(items []any, depth int) error {
	w.raw("[")
	for i, it := range items { //meter: a tree of the host, on the host's time
		if i > 0 {
			w.raw(",")
		}
		if err := w.value(it, depth+1); err != nil {
			return underIndex(err, i)
		}
	}
	w.raw("]")
	return nil
}

func (w *treeWriter) object(o *Object, depth int) error {
	w.raw("{")
	for i, k := range o.keys { //meter: a tree of the host, on the host's time
		if i > 0 {
			w.raw(",")
		}
		w.p.quote(k)
		w.raw(":")
		if err := w.value(o.vals[i], depth+1); err != nil {
			return underKey(err, k)
		}
	}
	w.raw("}")
	return nil
}

func (w *treeWriter) error(e *ErrorValue, depth int) error {
	w.raw(`{"$js":"error","name":`)
	w.p.quote(e.Name)
	w.raw(`,"message":`)
	w.p.quote(e.Message)
	if e.Stack != "" {
		w.raw(`,"stack":`)
		w.p.quote(e.Stack)
	}
	if e.HasCause || e.Cause != nil {
		w.raw(`,"cause":`)
		if err := w.value(e.Cause, depth+1); err != nil {
			return under(err, ".cause")
		}
	}
	if e.Errors != nil {
		w.raw(`,"errors":`)
		if err := w.list(e.Errors, depth+1); err != nil {
			return under(err, ".errors")
		}
	}
	if e.Props != nil && e.Props.Len() > 0 {
		w.raw(`,"props":`)
		if err := w.object(e.Props, depth); err != nil {
			return err
		}
	}
	w.raw("}")
	return nil
}
