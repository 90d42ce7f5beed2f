package membrane

import (
	"encoding/base64"
	"math/big"
	"time"

	"github.com/pinfold-js/pinfold/js/date"
)

// A graph is what the tagged form describes: the values with their shared
// references. Its nodes are nil, bool, float64, string (WTF-8), Undefined,
// *big.Int, and *node.
type node struct {
	kind  what
	date  string   // of whatDate: ISO, "" for an invalid one
	bytes *Bytes   // of whatBytes
	keys  []string // of whatObject; of an error's props
	items []any    // of objects, arrays, sets; an error's props; a map's keys and values in turn
	err   *nodeError
	open  bool // being expanded: a reference to it is cyclic

	index map[string]int // of the first indexed keys, once there are many
	done  int            // how many are in index
}

type nodeError struct {
	name, message, stack string
	cause, errors        any
	hasCause             bool
}

// graphReader parses the tagged form.
type graphReader struct {
	scanner
	root  any
	depth int
	poll  func() error // whether to go on; nil is always
	seen  int          // values
}

// pollEvery is how many values are read between two questions whether to go on.
const pollEvery = 512

// graphDepth bounds the nesting of texts that are read back. Tags nest twice.
const graphDepth = 10_000

// readGraph parses the tagged form. plain reads "$js" as an ordinary key.
func readGraph(text string) (any, error) { return readGraphPolling(text, nil) }

// readGraphPolling is readGraph that asks poll now and then whether to go on. Its
// error is returned unchanged.
func readGraphPolling(text string, poll func() error) (any, error) {
	r := graphReader{scanner: scanner{src: text}, poll: poll}
	if err := r.value(&r.root); err != nil {
		return nil, err
	}
	if r.peek() != 0 || r.pos < len(r.src) {
		return nil, r.unexpected()
	}
	return r.root, nil
}

// value reads one value into *dst. Containers are put there before they are
// filled, so that references into them resolve.
func (r *graphReader) value(dst *any) error {
	if r.depth++; r.depth > graphDepth {
		return r.fail("more than %d levels", graphDepth)
	}
	defer func() { r.depth-- }()
	if r.seen++; r.seen%pollEvery == 0 && r.poll != nil {
		if err := r.poll(); err != nil {
			return err
		}
	}
	switch c := r.peek(); {
	case c == '{':
		return r.object(dst)
	case c == '[':
		n := &node{kind: whatArray}
		*dst = n
		return r.list(n)
	case c == '"':
		s, err := r.string()
		*dst = s
		return err
	case c == 't':
		*dst = true
		return r.word("true")
	case c == 'f':
		*dst = false
		return r.word("false")
	case c == 'n':
		*dst = nil
		return r.word("null")
	case c == '-', c >= '0' && c <= '9':
		f, err := r.number()
		*dst = f
		return err
	}
	return r.unexpected()
}

// list reads an array into a node.
func (r *graphReader) list(n *node) error {
	if err := r.expect('['); err != nil {
		return err
	}
	if r.peek() == ']' {
		r.pos++
		return nil
	}
	for { //meter: goes on in the text, whose length its reader charged or the host pays
		n.items = append(n.items, nil)
		var v any
		if err := r.child(n, len(n.items)-1, &v); err != nil {
			return err
		}
		if r.peek() == ',' {
			r.pos++
			continue
		}
		return r.expect(']')
	}
}

// child reads a value that becomes item i of n.
func (r *graphReader) child(n *node, i int, v *any) error {
	// The item is set twice: a container when it begins, since references may
	// lead through it, and the value when it is complete.
	return r.into(func(x any) { n.items[i] = x }, v)
}

func (r *graphReader) into(set func(any), v *any) error {
	switch r.peek() {
	case '[':
		n := &node{kind: whatArray}
		set(n)
		*v = n
		if r.depth++; r.depth > graphDepth {
			return r.fail("more than %d levels", graphDepth)
		}
		err := r.list(n)
		r.depth--
		return err
	case '{':
		return r.tagged(set, v)
	}
	err := r.value(v)
	set(*v)
	return err
}

func (r *graphReader) object(dst *any) error {
	return r.tagged(func(x any) { *dst = x }, dst)
}

// tagged reads an object: a plain one, or one of the forms with a tag.
func (r *graphReader) tagged(set func(any), v *any) error {
	if r.depth++; r.depth > graphDepth {
		return r.fail("more than %d levels", graphDepth)
	}
	defer func() { r.depth-- }()
	n := &node{kind: whatObject}
	start := r.pos
	if err := r.expect('{'); err != nil {
		return err
	}
	if r.peek() == '"' {
		key, err := r.string()
		if err != nil {
			return err
		}
		if key == tagKey {
			if err := r.expect(':'); err != nil {
				return err
			}
			r.space()
			tag, err := r.string()
			if err != nil {
				return err
			}
			return r.tag(tag, set, v)
		}
		r.pos = start
		r.space()
	} else {
		r.pos = start
		r.space()
	}
	set(n)
	*v = n
	return r.members(n)
}

// members reads an object's members; all keys are ordinary.
func (r *graphReader) members(n *node) error {
	if err := r.expect('{'); err != nil {
		return err
	}
	if r.peek() == '}' {
		r.pos++
		return nil
	}
	for { //meter: goes on in the text, whose length its reader charged or the host pays
		if r.peek() != '"' {
			return r.unexpected()
		}
		key, err := r.string()
		if err != nil {
			return err
		}
		if err := r.expect(':'); err != nil {
			return err
		}
		n.keys = append(n.keys, key)
		n.items = append(n.items, nil)
		var v any
		if err := r.child(n, len(n.items)-1, &v); err != nil {
			return err
		}
		if r.peek() == ',' {
			r.pos++
			continue
		}
		return r.expect('}')
	}
}

// tag reads the rest of a tagged object, after the tag's name.
func (r *graphReader) tag(tag string, set func(any), v *any) error {
	put := func(x any) {
		set(x)
		*v = x
	}
	switch tag {
	case "undefined":
		put(Undefined{})
	case "number":
		s, err := r.stringMember("v")
		if err != nil {
			return err
		}
		f, ok := parseSpecial(s)
		if !ok {
			return r.fail("an unknown number %q", s)
		}
		put(f)
	case "bigint":
		s, err := r.stringMember("v")
		if err != nil {
			return err
		}
		x, ok := new(big.Int).SetString(s, 10)
		if !ok {
			return r.fail("%q is not an integer", s)
		}
		put(x)
	case "date":
		if err := r.member("v"); err != nil {
			return err
		}
		if r.peek() == 'n' {
			if err := r.word("null"); err != nil {
				return err
			}
			put(&node{kind: whatDate})
			break
		}
		s, err := r.string()
		if err != nil {
			return err
		}
		if s == "" {
			return r.fail("an empty date")
		}
		put(&node{kind: whatDate, date: s})
	case "bytes":
		s, err := r.stringMember("v")
		if err != nil {
			return err
		}
		data, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return r.fail("bytes that aren't base64")
		}
		typ, err := r.stringMember("type")
		if err != nil {
			return err
		}
		put(&node{kind: whatBytes, bytes: &Bytes{Type: typ, Data: data}})
	case "object":
		n := &node{kind: whatObject}
		put(n)
		if err := r.member("v"); err != nil {
			return err
		}
		if err := r.members(n); err != nil {
			return err
		}
	case "set":
		n := &node{kind: whatSet}
		put(n)
		if err := r.member("v"); err != nil {
			return err
		}
		if err := r.list(n); err != nil {
			return err
		}
	case "map":
		n := &node{kind: whatMap}
		put(n)
		if err := r.member("v"); err != nil {
			return err
		}
		if err := r.entries(n); err != nil {
			return err
		}
	case "opaque":
		p := &Placeholder{}
		put(p)
		var err error
		if p.Type, err = r.stringMember("type"); err != nil {
			return err
		}
		if r.peek() == ',' {
			if p.Name, err = r.stringMember("name"); err != nil {
				return err
			}
		}
	case "cut":
		s, err := r.stringMember("reason")
		if err != nil {
			return err
		}
		put(&Placeholder{Reason: s})
	case "ref":
		if err := r.member("path"); err != nil {
			return err
		}
		x, err := r.ref()
		if err != nil {
			return err
		}
		put(x)
	case "error":
		n := &node{kind: whatError, err: &nodeError{}}
		put(n)
		return r.error(n)
	default:
		return r.fail("an unknown tag %q", tag)
	}
	return r.expect('}')
}

// member reads `,"name":`.
func (r *graphReader) member(name string) error {
	if err := r.expect(','); err != nil {
		return err
	}
	r.space()
	got, err := r.string()
	if err != nil {
		return err
	}
	if got != name {
		return r.fail("a tag without %q", name)
	}
	if err := r.expect(':'); err != nil {
		return err
	}
	r.space()
	return nil
}

func (r *graphReader) stringMember(name string) (string, error) {
	if err := r.member(name); err != nil {
		return "", err
	}
	return r.string()
}

func (r *graphReader) entries(n *node) error {
	if err := r.expect('['); err != nil {
		return err
	}
	if r.peek() == ']' {
		r.pos++
		return nil
	}
	for { //meter: goes on in the text, whose length its reader charged or the host pays
		if err := r.expect('['); err != nil {
			return err
		}
		var k, v any
		n.items = append(n.items, nil, nil)
		i := len(n.items) - 2
		if err := r.child(n, i, &k); err != nil {
			return err
		}
		if err := r.expect(','); err != nil {
			return err
		}
		if err := r.child(n, i+1, &v); err != nil {
			return err
		}
		if err := r.expect(']'); err != nil {
			return err
		}
		if r.peek() == ',' {
			r.pos++
			continue
		}
		return r.expect(']')
	}
}

func (r *graphReader) error(n *node) error {
	for { //meter: goes on in the text, whose length its reader charged or the host pays
		if r.peek() == '}' {
			r.pos++
			return nil
		}
		if err := r.expect(','); err != nil {
			return err
		}
		r.space()
		key, err := r.string()
		if err != nil {
			return err
		}
		if err := r.expect(':'); err != nil {
			return err
		}
		r.space()
		e := n.err
		switch key {
		case "name":
			e.name, err = r.string()
		case "message":
			e.message, err = r.string()
		case "stack":
			e.stack, err = r.string()
		case "cause":
			e.hasCause = true
			var v any
			err = r.into(func(x any) { e.cause = x }, &v)
		case "errors":
			var v any
			err = r.into(func(x any) { e.errors = x }, &v)
		case "props":
			err = r.members(n)
		default:
			err = r.fail("an unknown part %q of an error", key)
		}
		if err != nil {
			return err
		}
	}
}

// ref reads a path and finds what it leads to.
func (r *graphReader) ref() (any, error) {
	if err := r.expect('['); err != nil {
		return nil, err
	}
	at := r.root
	pair := -1            // of a map whose entry was chosen
	for r.peek() != ']' { //meter: goes on in the text, whose length its reader charged or the host pays
		n, _ := at.(*node)
		if n == nil {
			return nil, r.fail("a reference that leads nowhere")
		}
		var next any
		found := false
		if r.peek() == '"' {
			key, err := r.string()
			if err != nil {
				return nil, err
			}
			next, found = n.property(key)
		} else {
			f, err := r.number()
			if err != nil {
				return nil, err
			}
			i := int(f)
			switch {
			case n.kind == whatMap && pair < 0:
				if i >= 0 && i < len(n.items)/2 {
					pair, next, found = i, n, true
				}
			case n.kind == whatMap:
				if i == 0 || i == 1 {
					next, found = n.items[2*pair+i], true
				}
				pair = -1
			case n.kind == whatArray || n.kind == whatSet:
				if i >= 0 && i < len(n.items) {
					next, found = n.items[i], true
				}
			default:
				next, found = n.property(formatIndex(i))
			}
		}
		if !found {
			return nil, r.fail("a reference that leads nowhere")
		}
		at = next
		if r.peek() == ',' {
			r.pos++
			r.space()
			continue
		}
		break
	}
	if _, ok := at.(*node); !ok || pair >= 0 {
		return nil, r.fail("a reference to something that isn't an object")
	}
	return at, r.expect(']')
}

func (n *node) property(key string) (any, bool) {
	if n.kind == whatError {
		switch {
		case key == "cause" && n.err.hasCause:
			return n.err.cause, true
		case key == "errors" && n.err.errors != nil:
			return n.err.errors, true
		}
	}
	if len(n.keys) > largeObject {
		if n.index == nil {
			n.index = map[string]int{}
		}
		for ; n.done < len(n.keys); n.done++ { //meter: each key once
			n.index[n.keys[n.done]] = n.done
		}
		if i, ok := n.index[key]; ok {
			return n.items[i], true
		}
		return nil, false
	}
	for i := len(n.keys) - 1; i >= 0; i-- { //meter: at most largeObject
		if n.keys[i] == key {
			return n.items[i], true
		}
	}
	return nil, false
}

// expander makes a tree without sharing of a graph. Its depth is bounded: shared
// objects can nest deeper than the text that they were read from.
type expander struct {
	nodes int
	limit int
	depth int
}

func (x *expander) expand(g any) (any, error) {
	if x.nodes++; x.nodes > x.limit {
		return nil, over("the number of values, with shared ones counted each time,", int64(x.limit), int64(x.nodes))
	}
	switch g := g.(type) {
	case string:
		return goString(g), nil
	case *node:
		if g.open {
			return nil, refuse("a cyclic reference can't be expanded")
		}
		if x.depth++; x.depth > graphDepth {
			return nil, over("the depth, with shared values nested in each other,", graphDepth, int64(x.depth))
		}
		g.open = true
		defer func() { x.depth--; g.open = false }()
		return x.node(g)
	}
	return g, nil
}

func goString(s string) string { return valid(s) }

// ValidString makes a Go string of a script's text: U+FFFD for lone surrogates
// and for what isn't UTF-8.
func ValidString(s string) string { return valid(s) }

// dateTree returns a time.Time or an InvalidDate for a time value.
func dateTree(ms float64) any {
	if ms != ms {
		return InvalidDate{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// bytesTree returns what a Go program gets for bytes.
func bytesTree(b *Bytes) any {
	if b.Type == "Uint8Array" || b.Type == "ArrayBuffer" {
		return b.Data
	}
	return b
}

func (x *expander) node(n *node) (any, error) {
	switch n.kind {
	case whatArray:
		return x.items(n)
	case whatDate:
		return dateTree(date.Parse([]byte(n.date), time.UTC)), nil
	case whatBytes:
		return bytesTree(n.bytes), nil
	case whatSet:
		items, err := x.items(n)
		return &Set{Items: items}, err
	case whatMap:
		m := &Map{Entries: make([][2]any, len(n.items)/2)}
		for i := range m.Entries { //meter: counted in nodes
			for k := range 2 { //meter: two
				v, err := x.expand(n.items[2*i+k])
				if err != nil {
					return nil, underIndex(underIndex(err, k), i)
				}
				m.Entries[i][k] = v
			}
		}
		return m, nil
	case whatError:
		e := &ErrorValue{Name: goString(n.err.name), Message: goString(n.err.message), Stack: goString(n.err.stack), HasCause: n.err.hasCause}
		var err error
		if n.err.hasCause {
			if e.Cause, err = x.expand(n.err.cause); err != nil {
				return nil, under(err, ".cause")
			}
		}
		if n.err.errors != nil {
			v, err := x.expand(n.err.errors)
			if err != nil {
				return nil, under(err, ".errors")
			}
			e.Errors, _ = v.([]any)
		}
		if len(n.keys) > 0 {
			e.Props, err = x.object(n)
		}
		return e, err
	}
	return x.object(n)
}

func (x *expander) items(n *node) ([]any, error) {
	out := make([]any, len(n.items))
	for i, it := range n.items { //meter: counted in nodes
		v, err := x.expand(it)
		if err != nil {
			return nil, underIndex(err, i)
		}
		out[i] = v
	}
	return out, nil
}

func (x *expander) object(n *node) (*Object, error) {
	o := &Object{}
	for i, k := range n.keys { //meter: counted in nodes
		v, err := x.expand(n.items[i])
		if err != nil {
			return nil, underKey(err, k)
		}
		o.Set(goString(k), v)
	}
	return o, nil
}
