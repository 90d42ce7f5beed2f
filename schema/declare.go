package schema

import (
	"strconv"
	"strings"
)

// The bounds on declarations. What is beyond them is written as unknown.
const (
	maxDeclaration = 64 << 10 // bytes
	maxInline      = 40       // nesting
	maxLiterals    = 60       // values of an enum
)

// Declaration writes the schema as TypeScript: an interface, or a type, of the
// given name, and before it one for each definition that it refers to, with the
// name as prefix. Descriptions, defaults and bounds become doc comments. The
// bytes depend on the schema and the name alone.
//
// What TypeScript's types can't say (not, if, dependencies, patterns) is left
// out: a value of the type may still be refused by Validate.
func (s *Schema) Declaration(name string) string {
	w := newWriter(identifier(name), maxDeclaration)
	return w.declaration(s.root)
}

// Type writes the schema as one TypeScript type, for the place of a parameter or
// a result. Definitions that contain themselves are unknown where they do;
// Declaration gives them names.
func (s *Schema) Type() string {
	w := newWriter("", maxDeclaration)
	return w.typ(s.root, 0)
}

// Compact writes the schema as a TypeScript type on one line, for prompts:
// descriptions are cut to 80 characters, and what doesn't fit into about max
// bytes (0: 2 KiB) is unknown.
func (s *Schema) Compact(max int) string {
	if max <= 0 {
		max = 2 << 10
	}
	w := newWriter("", min(max, maxDeclaration))
	w.compact = true
	return w.typ(s.root, 0)
}

// writer writes types.
type writer struct {
	prefix  string // of the names of definitions; "" writes all in place
	compact bool
	left    int // bytes
	names   map[*node]string
	taken   map[string]bool
	todo    []*node
	open    map[*node]bool // being written in place
	nested  int
}

func newWriter(prefix string, left int) *writer {
	return &writer{
		prefix: prefix, left: left,
		names: map[*node]string{}, taken: map[string]bool{prefix: true}, open: map[*node]bool{},
	}
}

func (w *writer) declaration(root *node) string {
	w.names[root] = w.prefix
	w.todo = []*node{root}
	var parts []string
	for i := 0; i < len(w.todo); i++ {
		n := w.todo[i]
		if w.left <= 0 && i > 0 {
			parts = append(parts, "type "+w.names[n]+" = unknown;\n")
			continue
		}
		parts = append(parts, w.declare(n))
	}
	// What is referred to stands before what refers to it, for readers.
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
		if i > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// declare writes one interface or type.
func (w *writer) declare(n *node) string {
	doc := w.doc(n, 0)
	if w.isInterface(n) {
		return doc + "interface " + w.names[n] + " " + w.object(n, 0) + "\n"
	}
	return doc + "type " + w.names[n] + " = " + w.typ(n, 0) + ";\n"
}

// isInterface reports whether a subschema is an object with properties and
// nothing more.
func (w *writer) isInterface(n *node) bool {
	return n.always == 0 && n.types == typeObject && n.enum == nil && len(n.props) > 0 &&
		n.ref == nil && n.allOf == nil && n.anyOf == nil && n.oneOf == nil
}

// typ writes a subschema where it stands, in lines that are indented by depth.
func (w *writer) typ(n *node, depth int) string {
	w.left -= 4
	switch {
	case n.always < 0:
		return "never"
	case n.always > 0, w.left <= 0, w.nested > maxInline, w.open[n]:
		return "unknown"
	}
	w.nested++
	w.open[n] = true
	defer func() { w.nested--; delete(w.open, n) }()
	if n.onlyRef {
		return w.refer(n.ref, depth)
	}
	if n.enum != nil {
		return w.literals(n.enum)
	}
	var all []string
	if own := w.own(n, depth); own != "" {
		all = append(all, own)
	}
	if n.ref != nil {
		all = append(all, w.refer(n.ref, depth))
	}
	for _, s := range n.allOf {
		all = append(all, w.typ(s, depth))
	}
	for _, forms := range [][]*node{n.anyOf, n.oneOf} {
		if len(forms) == 0 {
			continue
		}
		var alt []string
		for _, s := range forms {
			alt = append(alt, w.typ(s, depth))
		}
		all = append(all, union(alt))
	}
	return intersection(all)
}

// refer writes what a reference leads to: its name, where there are names.
func (w *writer) refer(n *node, depth int) string {
	if w.prefix == "" || n.always != 0 {
		return w.typ(n, depth)
	}
	name, ok := w.names[n]
	if !ok {
		if w.left <= 0 {
			return "unknown"
		}
		name = w.free(n)
		w.names[n] = name
		w.todo = append(w.todo, n)
	}
	w.left -= len(name)
	return name
}

// free returns a name for a definition.
func (w *writer) free(n *node) string {
	last := unescape(n.pointer[strings.LastIndexByte(n.pointer, '/')+1:])
	if last == "" {
		last = "Type"
	}
	name := w.prefix + pascal(clipName(last))
	out := name
	for i := 2; w.taken[out]; i++ {
		out = name + strconv.Itoa(i)
	}
	w.taken[out] = true
	return out
}

// own writes what a subschema says about types itself, "" if nothing.
func (w *writer) own(n *node, depth int) string {
	if n.types == 0 {
		switch {
		case len(n.props) > 0 || len(n.patterns) > 0 || n.additional != nil && n.additional.always == 0:
			return w.object(n, depth)
		case n.items != nil && n.items.always == 0 || len(n.prefix) > 0:
			return w.array(n, depth)
		}
		return ""
	}
	var alt []string
	for _, t := range typeNames {
		if n.types&t.t == 0 {
			continue
		}
		switch t.t {
		case typeInteger:
			if n.types&typeNumber == 0 {
				alt = append(alt, "number")
			}
		case typeObject:
			alt = append(alt, w.object(n, depth))
		case typeArray:
			alt = append(alt, w.array(n, depth))
		default:
			alt = append(alt, t.name)
		}
	}
	return union(alt)
}

func (w *writer) array(n *node, depth int) string {
	rest := ""
	if n.items != nil && n.items.always >= 0 {
		rest = w.typ(n.items, depth)
	}
	if len(n.prefix) == 0 {
		switch {
		case n.items != nil && n.items.always < 0:
			return "[]"
		case rest == "":
			return "unknown[]"
		case simple(rest):
			return rest + "[]"
		}
		return "Array<" + rest + ">"
	}
	var b strings.Builder
	b.WriteByte('[')
	least := 0
	if n.minItems != nil {
		least = *n.minItems
	}
	for i, s := range n.prefix {
		if i > 0 {
			b.WriteString(", ")
		}
		t := w.typ(s, depth)
		if i >= least {
			if !simple(t) {
				t = "(" + t + ")"
			}
			t += "?"
		}
		b.WriteString(t)
	}
	if n.items == nil {
		rest = "unknown"
	}
	if rest != "" {
		if !simple(rest) {
			rest = "(" + rest + ")"
		}
		b.WriteString(", ..." + rest + "[]")
	}
	b.WriteByte(']')
	return b.String()
}

// simple reports whether a type can be followed by [] or ? as it is.
func simple(t string) bool {
	if strings.HasPrefix(t, "{") {
		// An object, unless it goes on behind its end.
		depth := 0
		for i := range len(t) {
			switch t[i] {
			case '"', '/':
				return false
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 && i < len(t)-1 {
					return false
				}
			}
		}
		return true
	}
	return !strings.ContainsAny(t, "|& ")
}

func (w *writer) object(n *node, depth int) string {
	index := w.index(n, depth)
	if len(n.props) == 0 {
		switch {
		case index != "":
			return "Record<string, " + index + ">"
		case n.closed():
			return "Record<string, never>"
		}
		return "Record<string, unknown>"
	}
	sep, end := "\n"+strings.Repeat("  ", depth+1), "\n"+strings.Repeat("  ", depth)
	if w.compact {
		sep, end = " ", " "
	}
	var b strings.Builder
	b.WriteByte('{')
	for _, p := range n.props {
		if w.left <= 0 {
			b.WriteString(sep)
			b.WriteString("[key: string]: unknown;")
			b.WriteString(end)
			b.WriteByte('}')
			return b.String()
		}
		b.WriteString(sep)
		b.WriteString(w.doc(p.node, depth+1))
		key := p.name
		if !isIdentifier(key) {
			key = quote(key)
		}
		w.left -= len(key) + 4 + len(sep)
		b.WriteString(key)
		if !p.required {
			b.WriteByte('?')
		}
		b.WriteString(": ")
		b.WriteString(w.typ(p.node, depth+1))
		b.WriteByte(';')
	}
	if index != "" {
		// Beside properties of other types an index can only be unknown.
		b.WriteString(sep + "[key: string]: unknown;")
	}
	b.WriteString(end)
	b.WriteByte('}')
	out := b.String()
	if w.compact {
		out = strings.TrimSuffix(out, "; }") + " }"
	}
	return out
}

// index writes the type of the properties that have no name, "" if there are
// none or anything goes.
func (w *writer) index(n *node, depth int) string {
	var alt []string
	for _, p := range n.patterns {
		alt = append(alt, w.typ(p.node, depth))
	}
	switch {
	case n.additional != nil && n.additional.always == 0:
		alt = append(alt, w.typ(n.additional, depth))
	case n.additional != nil && n.additional.always > 0:
		return "unknown"
	}
	return union(alt)
}

// literals writes the values of an enum.
func (w *writer) literals(values []any) string {
	if len(values) == 0 {
		return "never"
	}
	var out []string
	for i, v := range values {
		if i >= maxLiterals || w.left <= 0 {
			out = append(out, w.widest(values[i:]))
			break
		}
		s := w.literal(v, 0)
		w.left -= len(s) + 3
		out = append(out, s)
	}
	return union(out)
}

// widest is the type of values that aren't written out.
func (w *writer) widest(values []any) string {
	var alt []string
	var t typeSet
	for _, v := range values {
		t |= typeOf(v)
	}
	if t&(typeArray|typeObject) != 0 {
		return "unknown"
	}
	for _, name := range t.names() {
		if name == "integer" {
			name = "number"
		}
		alt = append(alt, name)
	}
	return union(alt)
}

// union joins alternatives, each once.
func union(alt []string) string {
	var out []string
	seen := map[string]bool{}
	for _, t := range alt {
		if t == "unknown" {
			return t
		}
		if t == "never" || seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, t)
	}
	switch len(out) {
	case 0:
		if len(alt) > 0 {
			return "never"
		}
		return ""
	case 1:
		return out[0]
	}
	return strings.Join(out, " | ")
}

// intersection joins what must all hold.
func intersection(all []string) string {
	var out []string
	seen := map[string]bool{}
	for _, t := range all {
		if t == "never" {
			return t
		}
		if t == "unknown" || t == "" || seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, t)
	}
	switch len(out) {
	case 0:
		return "unknown"
	case 1:
		return out[0]
	}
	for i, t := range out {
		if strings.Contains(t, "|") && !simple(t) {
			out[i] = "(" + t + ")"
		}
	}
	return strings.Join(out, " & ")
}
