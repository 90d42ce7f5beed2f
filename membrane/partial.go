package membrane

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Placeholder stands in a Value for what could not be copied: see EncodePartial.
type Placeholder struct {
	// Type is the type of an opaque value ("function", "symbol", "promise",
	// "accessor", …), "" for a part that was cut off.
	Type string
	Name string // of a function or a symbol, if it has one
	// Reason says which limit cut a part off: "depth", "nodes" or "bytes"; "" for
	// an opaque value.
	Reason string
}

// write appends the tagged form.
func (p *Placeholder) write(out *[]byte, quote func(string)) {
	if p.Reason != "" {
		*out = append(*out, `{"$js":"cut","reason":`...)
		quote(p.Reason)
	} else {
		*out = append(*out, `{"$js":"opaque","type":`...)
		quote(p.Type)
		if p.Name != "" {
			*out = append(*out, `,"name":`...)
			quote(p.Name)
		}
	}
	*out = append(*out, '}')
}

// Partial says what a partial copy lacks.
type Partial struct {
	Paths []string // of placeholders, at most MaxPartialPaths
	More  int      // how many more there are
}

// MaxPartialPaths is how many paths a Partial has.
const MaxPartialPaths = 20

// EncodePartial is Encode that copies what it can: what can't cross, and what
// passes a limit, has a placeholder:
//
//	{"$js":"opaque","type":"function","name":"f"}
//	{"$js":"cut","reason":"depth"}              or "nodes", or "bytes"
//
// After the first cut by nodes or bytes nothing more is copied. Partial is nil
// if the copy is whole. The error is a limit of the meter.
func EncodePartial(m *vm.Machine, v vm.Value, root string, lim Limits) (Value, *Partial, error) {
	if v.IsUndefined() {
		return Value{}, nil, nil
	}
	lim = lim.withDefaults()
	// Room for what closes the containers and for the last placeholder.
	reserve := min(int64(partialRoom+8*lim.Depth), lim.Bytes/2)
	e := encoder{m: m, lim: lim, partial: &Partial{}, root: root, reserve: reserve}
	e.lim.Bytes -= reserve
	err := e.value(v, -1, m.N.Empty, 0)
	m.Meter().Shrink(e.charged)
	if err != nil {
		return Value{}, nil, rooted(err, root)
	}
	p := e.partial
	if len(p.Paths) == 0 {
		p = nil
	}
	if string(e.out) == undefinedText {
		return Value{}, p, nil
	}
	return Value{text: e.out}, p, nil
}

const partialRoom = 128

// tolerant is value for a partial copy.
func (e *encoder) tolerant(v vm.Value, parent int32, key vm.Key, depth int) error {
	mark, places := len(e.out), len(e.places)
	err := e.node(v, parent, key, depth)
	var x *Error
	if err == nil || !errors.As(err, &x) {
		return err
	}
	e.out = e.out[:mark]
	for _, p := range e.places[places:] { //meter: what was met since, each charged when it was, and gone then
		delete(e.seen, p.obj)
	}
	e.places = e.places[:places]
	if x.Limit == nil {
		return e.opaque(v, parent, key, strings.TrimSuffix(x.Reason, " can't be returned"))
	}
	reason := "bytes"
	switch x.Limit.What {
	case whatDepth:
		reason = "depth"
	case whatNodes:
		reason = "nodes"
	}
	return e.cut(parent, key, reason)
}

// What over calls the limits.
const (
	whatDepth = "the depth"
	whatNodes = "the number of values"
)

// cut writes the placeholder of a part that is left out.
func (e *encoder) cut(parent int32, key vm.Key, reason string) error {
	if reason != "depth" && !e.full {
		e.full = true
		e.lim.Bytes += e.reserve
	}
	if err := e.note(parent, key); err != nil {
		return err
	}
	return e.raw(`{"$js":"cut","reason":"` + reason + `"}`)
}

// opaque writes the placeholder of a value that can't cross. what is "a
// function", "a promise (await it first)", …
func (e *encoder) opaque(v vm.Value, parent int32, key vm.Key, what string) error {
	kind, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(what, "an "), "a "), " (")
	name := ""
	if v.IsObject() && e.m.H.Obj(v.AsObj()).Flags&heap.Callable != 0 {
		kind, name = "function", e.m.FunctionName(v.AsObj())
	}
	if int64(len(e.out)+len(kind)+6*len(name)+64) > e.lim.Bytes {
		return e.cut(parent, key, "bytes")
	}
	if err := e.note(parent, key); err != nil {
		return err
	}
	if err := e.raw(`{"$js":"opaque","type":`); err != nil {
		return err
	}
	if err := e.quoteGo(kind); err != nil {
		return err
	}
	if name != "" {
		if err := e.raw(`,"name":`); err != nil {
			return err
		}
		if err := e.quoteGo(ValidString(name)); err != nil {
			return err
		}
	}
	return e.raw("}")
}

// note keeps the path of a placeholder.
func (e *encoder) note(parent int32, key vm.Key) error {
	if err := e.m.Charge(4); err != nil {
		return err
	}
	p := e.partial
	if len(p.Paths) >= MaxPartialPaths {
		p.More++
		return nil
	}
	steps := []vm.Key{}
	if parent >= 0 {
		steps = append(steps, key)
		for at := parent; e.places[at].parent >= 0; at = e.places[at].parent { //meter: at most Depth
			steps = append(steps, e.places[at].key)
		}
	}
	var b strings.Builder
	b.WriteString(e.root)
	for i := len(steps) - 1; i >= 0 && b.Len() < maxPathBytes; i-- { //meter: at most Depth
		if k := steps[i]; k.IsIndex() {
			b.WriteString("[" + strconv.FormatUint(uint64(k.Index()), 10) + "]")
		} else {
			s, err := keyString(e.m, k)
			if err != nil {
				return err
			}
			b.WriteString("." + s)
		}
	}
	s := b.String()
	if len(s) > maxPathBytes {
		s = ValidString(s[:maxPathBytes]) + "…"
	}
	p.Paths = append(p.Paths, s)
	return nil
}

// maxPathBytes bounds a path.
const maxPathBytes = 400

// tight reports whether a partial copy has no room left for a property of this
// name and a placeholder.
func (e *encoder) tight(k vm.Key) bool {
	if e.partial == nil || e.full {
		return false
	}
	n := 16
	if !k.IsIndex() {
		n = 6 * e.m.H.Len(k.Name())
	}
	return int64(len(e.out)+n+partialRoom) > e.lim.Bytes
}
