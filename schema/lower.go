package schema

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pinfold-js/pinfold/membrane"
)

// typeSet is a set of JSON's types.
type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject
)

// typeNames are the types in the order in which they are written.
var typeNames = []struct {
	t    typeSet
	name string
}{
	{typeString, "string"}, {typeNumber, "number"}, {typeInteger, "integer"}, {typeBoolean, "boolean"},
	{typeObject, "object"}, {typeArray, "array"}, {typeNull, "null"},
}

// node is a subschema, made ready for checking values and for writing types.
type node struct {
	pointer string // where it is in the schema
	always  int8   // 1: true, -1: false

	types     typeSet // 0: any
	enum      []any   // of the document; a const is an enum of one
	isConst   bool
	enumKeys  map[string]bool // of a long enum: see appendKey
	enumTypes typeSet
	format    *jsonschema.Format
	ref       *node
	allOf     []*node
	anyOf     []*node
	oneOf     []*node
	not       *node
	cond      *node
	then      *node
	orElse    *node
	onlyRef   bool // before 2019-09, what stands beside a $ref counts for nothing

	props         []property
	index         map[string]int
	required      []string
	patterns      []patternProperty
	additional    *node
	propertyNames *node
	dependReq     []dependRequired
	dependSchemas []property
	unevalProps   *node
	minProps      *int
	maxProps      *int

	prefix      []*node
	items       *node
	contains    *node
	minContains *int
	maxContains *int
	unevalItems *node
	unique      bool
	minItems    *int
	maxItems    *int

	minLength *int
	maxLength *int
	pattern   *pattern

	minimum, maximum, moreThan, lessThan, multipleOf *bound

	title, description string
	defaultValue       any
	hasDefault         bool
	deprecated         bool
	formatName         string
	encoding           string // contentEncoding
}

type property struct {
	name     string
	node     *node
	required bool
}

type patternProperty struct {
	re   *pattern
	node *node
}

type dependRequired struct {
	name  string
	needs []string
}

// closed reports whether an object may have no other properties than those
// that are named.
func (n *node) closed() bool {
	return n.additional != nil && n.additional.always < 0 || n.unevalProps != nil && n.unevalProps.always < 0
}

// base is where the compiler believes the schema to be.
const base = "https://schema.invalid/schema"

// refuse loads nothing.
type refuse struct{}

type refusedReference struct{ url string }

func (e *refusedReference) Error() string { return "refused" }

func (refuse) Load(url string) (any, error) { return nil, &refusedReference{url} }

// survey is what is looked for in a document before it is compiled.
type survey struct {
	at       path
	objects  int
	patterns int
	bytes    int // of pointers to arrays and objects
	ids      int
	refs     map[string]bool // to places where no schema is looked for
	dynamic  string          // the pointer of a $dynamicRef or $recursiveRef
}

func (s *survey) look(doc any) error {
	if s.objects++; s.objects > 4*MaxSubschemas {
		return &CompileError{Reason: fmt.Sprintf("it has more than %d arrays and objects", 4*MaxSubschemas)}
	}
	for _, st := range s.at {
		s.bytes += len(st.key) + 1
	}
	if s.bytes > 4<<20 {
		return &CompileError{Reason: "its keys are too long for its nesting"}
	}
	visit := func(v any, st step) error {
		switch v.(type) {
		case *membrane.Object, []any:
		default:
			return nil
		}
		s.at = append(s.at, st)
		err := s.look(v)
		s.at = s.at[:len(s.at)-1]
		return err
	}
	switch d := doc.(type) {
	case []any:
		for i, v := range d {
			if err := visit(v, step{index: i, isIndex: true}); err != nil {
				return err
			}
		}
	case *membrane.Object:
		for i := range d.Len() {
			k, v := d.At(i)
			text, isText := v.(string)
			switch {
			case k == "$id" && isText:
				s.ids++
			case k == "$ref" && isText && oddPlace(text):
				if s.refs == nil {
					s.refs = map[string]bool{}
				}
				s.refs[text] = true
			case (k == "$dynamicRef" || k == "$recursiveRef") && isText:
				s.dynamic = s.at.pointer()
			case k == "pattern" && isText:
				s.patterns++
			case k == "$schema" && isText:
				if !knownDraft(text) {
					return &CompileError{Pointer: s.at.pointer() + "/$schema", Reason: quote(clip(text, 100)) +
						" isn't known; write " + quote("https://json-schema.org/draft/2020-12/schema") + " or leave it out"}
				}
			case k == "patternProperties":
				if o, ok := v.(*membrane.Object); ok {
					s.patterns += o.Len()
				}
			}
			if err := visit(v, step{key: k}); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxIDs bounds how many subschemas have an $id.
const maxIDs = 200

// oddPlace reports whether a reference leads to a place where no schema is
// looked for otherwise, such as #/components/schemas/name.
func oddPlace(ref string) bool {
	i := strings.IndexByte(ref, '#')
	if i < 0 || !strings.HasPrefix(ref[i:], "#/") {
		return false
	}
	tokens := strings.Split(ref[i+2:], "/")
	if len(tokens) < 2 {
		return true
	}
	switch tokens[len(tokens)-2] {
	case "$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "allOf", "anyOf", "oneOf", "prefixItems":
		return false
	}
	return true
}

// knownDraft reports whether $schema names a version that is followed.
func knownDraft(s string) bool {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://"), "#")
	return slices.Contains([]string{
		"json-schema.org/schema", "json-schema.org/draft/2020-12/schema", "json-schema.org/draft/2019-09/schema",
		"json-schema.org/draft-07/schema", "json-schema.org/draft-06/schema",
	}, s)
}

// lower compiles a document and makes its nodes.
func lower(doc any) (*node, error) {
	var s survey
	if err := s.look(doc); err != nil {
		return nil, err
	}
	if s.patterns > MaxPatterns {
		return nil, &CompileError{Reason: fmt.Sprintf("it has more than %d regular expressions", MaxPatterns)}
	}
	if s.ids > maxIDs {
		return nil, &CompileError{Reason: fmt.Sprintf("it has more than %d $id", maxIDs)}
	}
	// Each makes the compiler look at the whole schema again.
	if len(s.refs)*s.objects > 500_000 {
		return nil, &CompileError{Reason: "too many references lead to places that aren't schemas; move what they lead to into $defs"}
	}
	if s.dynamic != "" && s.ids > 1 {
		return nil, &CompileError{Pointer: s.dynamic, Reason: "a dynamic reference in a schema with several $id isn't supported; use $ref"}
	}
	if _, ok := doc.(*membrane.Object); !ok {
		if _, ok := doc.(bool); !ok {
			return nil, &CompileError{Reason: "a schema is an object, or true or false"}
		}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.AssertFormat()
	c.UseLoader(refuse{})
	c.UseRegexpEngine(compilePattern)
	if err := c.AddResource(base, plain(doc)); err != nil {
		return nil, &CompileError{Reason: "it can't be read"}
	}
	top, err := c.Compile(base)
	if err != nil {
		return nil, explainCompile(doc, err)
	}
	l := lowerer{doc: doc, nodes: map[*jsonschema.Schema]*node{}}
	root := l.node(top)
	for i := 0; i < len(l.queue); i++ {
		if i > MaxSubschemas {
			return nil, &CompileError{Reason: fmt.Sprintf("it has more than %d subschemas", MaxSubschemas)}
		}
		if err := l.fill(l.queue[i]); err != nil {
			return nil, err
		}
	}
	if err := l.loops(); err != nil {
		return nil, err
	}
	return root, nil
}

// lowerer makes nodes of compiled schemas.
type lowerer struct {
	doc   any
	nodes map[*jsonschema.Schema]*node
	queue []*jsonschema.Schema
}

// node returns the node of a schema, to be filled in its turn.
func (l *lowerer) node(s *jsonschema.Schema) *node {
	if s == nil {
		return nil
	}
	n := l.nodes[s]
	if n == nil {
		n = &node{}
		l.nodes[s] = n
		l.queue = append(l.queue, s)
	}
	return n
}

func (l *lowerer) list(ss []*jsonschema.Schema) []*node {
	var out []*node
	for _, s := range ss {
		out = append(out, l.node(s))
	}
	return out
}

// either makes a node of what may be a boolean.
func (l *lowerer) either(x any) *node {
	switch x := x.(type) {
	case bool:
		if x {
			return &node{always: 1}
		}
		return &node{always: -1}
	case *jsonschema.Schema:
		return l.node(x)
	}
	return nil
}

func (l *lowerer) fill(s *jsonschema.Schema) error {
	n := l.nodes[s]
	where, frag, _ := strings.Cut(s.Location, "#")
	pointer, err := url.PathUnescape(frag)
	if err != nil || where != base {
		return &CompileError{Reason: "it refers to " + quote(clip(s.Location, 100)) + ": references must lead to places inside the schema, such as \"#/$defs/name\""}
	}
	n.pointer = pointer
	if s.Bool != nil {
		n.always = -1
		if *s.Bool {
			n.always = 1
		}
	}
	raw, _ := at(l.doc, pointer)
	src, _ := raw.(*membrane.Object)
	if src == nil {
		src = membrane.NewObject()
	}
	n.title, n.description, n.deprecated = s.Title, s.Description, s.Deprecated
	n.formatName, _ = textOf(src, "format")
	n.encoding, _ = textOf(src, "contentEncoding")
	if v, ok := src.Get("default"); ok && s.Default != nil {
		n.defaultValue, n.hasDefault = simplified(v), true
	}
	if s.Types != nil {
		for _, name := range s.Types.ToStrings() {
			for _, t := range typeNames {
				if t.name == name {
					n.types |= t.t
				}
			}
		}
	}
	if s.Enum != nil {
		v, _ := src.Get("enum")
		n.enum = []any{}
		if values, ok := v.([]any); ok {
			for _, it := range values {
				n.enum = append(n.enum, simplified(it))
			}
		}
	}
	if s.Const != nil {
		v, _ := src.Get("const")
		v = simplified(v)
		if n.enum == nil || contains(n.enum, v) {
			n.enum, n.isConst = []any{v}, true
		} else {
			n.enum = []any{}
		}
	}
	for _, it := range n.enum {
		n.enumTypes |= typeOf(it)
	}
	if len(n.enum) > 8 {
		n.enumKeys = make(map[string]bool, len(n.enum))
		for _, it := range n.enum {
			n.enumKeys[string(appendKey(nil, it))] = true
		}
	}
	n.format = s.Format
	n.ref = l.node(s.Ref)
	n.onlyRef = s.DraftVersion < 2019 && s.Ref != nil
	// With one $id at most, dynamic references lead where plain ones would.
	dynamic := s.RecursiveRef
	if s.DynamicRef != nil {
		dynamic = s.DynamicRef.Ref
	}
	switch {
	case dynamic == nil:
	case n.ref == nil:
		n.ref = l.node(dynamic)
	default:
		n.allOf = append(n.allOf, &node{pointer: pointer, ref: l.node(dynamic)})
	}
	n.allOf = append(n.allOf, l.list(s.AllOf)...)
	n.anyOf, n.oneOf = l.list(s.AnyOf), l.list(s.OneOf)
	n.not, n.cond, n.then, n.orElse = l.node(s.Not), l.node(s.If), l.node(s.Then), l.node(s.Else)
	l.object(n, s, src)
	l.array(n, s)
	n.minLength, n.maxLength = s.MinLength, s.MaxLength
	if p, ok := s.Pattern.(*pattern); ok {
		n.pattern = p
	}
	n.minimum, n.maximum = newBound(s.Minimum), newBound(s.Maximum)
	n.moreThan, n.lessThan = newBound(s.ExclusiveMinimum), newBound(s.ExclusiveMaximum)
	n.multipleOf = newBound(s.MultipleOf)
	return nil
}

func (l *lowerer) object(n *node, s *jsonschema.Schema, src *membrane.Object) {
	n.required = s.Required
	need := map[string]bool{}
	for _, r := range s.Required {
		need[r] = true
	}
	for _, name := range keysOf(src, "properties") {
		if sub := s.Properties[name]; sub != nil {
			if n.index == nil {
				n.index = map[string]int{}
			}
			n.index[name] = len(n.props)
			n.props = append(n.props, property{name, l.node(sub), need[name]})
		}
	}
	byText := map[string]*jsonschema.Schema{}
	compiled := map[string]*pattern{}
	for re, sub := range s.PatternProperties {
		if p, ok := re.(*pattern); ok {
			byText[p.source], compiled[p.source] = sub, p
		}
	}
	for _, text := range keysOf(src, "patternProperties") {
		if p := compiled[text]; p != nil {
			n.patterns = append(n.patterns, patternProperty{p, l.node(byText[text])})
		}
	}
	n.additional = l.either(s.AdditionalProperties)
	n.propertyNames = l.node(s.PropertyNames)
	for _, name := range keysOf(src, "dependencies") {
		switch d := s.Dependencies[name].(type) {
		case []string:
			n.dependReq = append(n.dependReq, dependRequired{name, d})
		case *jsonschema.Schema:
			n.dependSchemas = append(n.dependSchemas, property{name: name, node: l.node(d)})
		}
	}
	for _, name := range keysOf(src, "dependentRequired") {
		if needs, ok := s.DependentRequired[name]; ok {
			n.dependReq = append(n.dependReq, dependRequired{name, needs})
		}
	}
	for _, name := range keysOf(src, "dependentSchemas") {
		if sub := s.DependentSchemas[name]; sub != nil {
			n.dependSchemas = append(n.dependSchemas, property{name: name, node: l.node(sub)})
		}
	}
	n.unevalProps = l.node(s.UnevaluatedProperties)
	n.minProps, n.maxProps = s.MinProperties, s.MaxProperties
}

func (l *lowerer) array(n *node, s *jsonschema.Schema) {
	if s.DraftVersion >= 2020 {
		n.prefix, n.items = l.list(s.PrefixItems), l.node(s.Items2020)
	} else {
		switch items := s.Items.(type) {
		case *jsonschema.Schema:
			n.items = l.node(items)
		case []*jsonschema.Schema:
			n.prefix, n.items = l.list(items), l.either(s.AdditionalItems)
		}
	}
	n.contains, n.minContains, n.maxContains = l.node(s.Contains), s.MinContains, s.MaxContains
	n.unevalItems, n.unique = l.node(s.UnevaluatedItems), s.UniqueItems
	n.minItems, n.maxItems = s.MinItems, s.MaxItems
}

// inPlace calls f for the subschemas that see the same value as n does.
func (n *node) inPlace(f func(*node)) {
	one := func(s *node) {
		if s != nil {
			f(s)
		}
	}
	one(n.ref)
	for _, list := range [][]*node{n.allOf, n.anyOf, n.oneOf} {
		for _, s := range list {
			one(s)
		}
	}
	one(n.not)
	one(n.cond)
	one(n.then)
	one(n.orElse)
	for _, d := range n.dependSchemas {
		one(d.node)
	}
}

// loops refuses schemas that come back to themselves at the same value, which
// would never end.
func (l *lowerer) loops() error {
	const open, done = 1, 2
	state := map[*node]int{}
	type frame struct {
		n    *node
		subs []*node
	}
	for _, s := range l.queue {
		start := l.nodes[s]
		if state[start] != 0 {
			continue
		}
		enter := func(n *node) frame {
			state[n] = open
			f := frame{n: n}
			n.inPlace(func(s *node) { f.subs = append(f.subs, s) })
			return f
		}
		stack := []frame{enter(start)}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.subs) == 0 {
				state[top.n] = done
				stack = stack[:len(stack)-1]
				continue
			}
			next := top.subs[0]
			top.subs = top.subs[1:]
			switch state[next] {
			case open:
				return &CompileError{Pointer: top.n.pointer, Reason: "it leads back to itself for the same value, so it says nothing; refer to it from properties or items"}
			case 0:
				stack = append(stack, enter(next))
			}
		}
	}
	return nil
}

func textOf(o *membrane.Object, key string) (string, bool) {
	v, _ := o.Get(key)
	s, ok := v.(string)
	return s, ok
}

func keysOf(o *membrane.Object, key string) []string {
	v, _ := o.Get(key)
	if sub, ok := v.(*membrane.Object); ok {
		return sub.Keys()
	}
	return nil
}

func contains(list []any, v any) bool {
	for _, it := range list {
		if equal(it, v, nil) {
			return true
		}
	}
	return false
}

// pointerOf is the pointer of a location, "" when it is another's.
func pointerOf(location string) string {
	_, frag, _ := strings.Cut(location, "#")
	p, err := url.PathUnescape(frag)
	if err != nil || p != "" && p[0] != '/' {
		return ""
	}
	return p
}

// explainCompile says what the compiler's error means.
func explainCompile(doc any, err error) error {
	var (
		invalid  *jsonschema.SchemaValidationError
		regex    *jsonschema.InvalidRegexError
		load     *jsonschema.LoadURLError
		missing  *jsonschema.JSONPointerNotFoundError
		anchor   *jsonschema.AnchorNotFoundError
		twice    *jsonschema.DuplicateIDError
		anchors  *jsonschema.DuplicateAnchorError
		refused  *refusedReference
		parseURL *jsonschema.ParseURLError
	)
	switch {
	case errors.As(err, &invalid):
		return explainInvalid(doc, invalid)
	case errors.As(err, &regex):
		return &CompileError{Pointer: pointerOf(regex.URL), Reason: "the regular expression " + quote(clip(regex.Regex, 80)) + " can't be used: " + clip(regex.Err.Error(), 200)}
	case errors.As(err, &refused), errors.As(err, &load):
		u := ""
		if refused != nil {
			u = refused.url
		} else {
			u = load.URL
		}
		u = strings.TrimPrefix(u, "https://schema.invalid/")
		return &CompileError{Pointer: findReference(doc, u), Reason: "it refers to " + quote(clip(u, 100)) + ", which isn't loaded: references must lead to places inside the schema, such as \"#/$defs/name\""}
	case errors.As(err, &missing):
		p := pointerOf(missing.URL)
		return &CompileError{Pointer: findReference(doc, "#"+p), Reason: "there is nothing at #" + clip(p, 100) + nearestDefinition(doc, p)}
	case errors.As(err, &anchor):
		_, frag, _ := strings.Cut(anchor.Reference, "#")
		return &CompileError{Pointer: findReference(doc, "#"+frag), Reason: "there is no anchor " + quote(clip(frag, 100)) + "; write \"#/$defs/name\" for a definition"}
	case errors.As(err, &twice):
		return &CompileError{Pointer: twice.Ptr2, Reason: "the $id " + quote(clip(twice.ID, 100)) + " is there twice"}
	case errors.As(err, &anchors):
		return &CompileError{Pointer: anchors.Ptr2, Reason: "the anchor " + quote(clip(anchors.Anchor, 100)) + " is there twice"}
	case errors.As(err, &parseURL):
		return &CompileError{Pointer: findReference(doc, parseURL.URL), Reason: quote(clip(parseURL.URL, 100)) + " isn't a reference"}
	}
	return &CompileError{Reason: "it can't be compiled"}
}

// findReference returns the pointer of the first $ref whose text ends in u.
func findReference(doc any, u string) string {
	var at path
	var found string
	var look func(any) bool
	look = func(doc any) bool {
		switch d := doc.(type) {
		case []any:
			for i, v := range d {
				at = append(at, step{index: i, isIndex: true})
				if look(v) {
					return true
				}
				at = at[:len(at)-1]
			}
		case *membrane.Object:
			for i := range d.Len() {
				k, v := d.At(i)
				at = append(at, step{key: k})
				if s, ok := v.(string); ok && strings.HasSuffix(k, "ef") && strings.HasPrefix(k, "$") {
					if un, err := url.PathUnescape(s); err == nil && (strings.HasSuffix(s, u) || strings.HasSuffix(un, u)) {
						found = at.pointer()
						return true
					}
				}
				if look(v) {
					return true
				}
				at = at[:len(at)-1]
			}
		}
		return false
	}
	look(doc)
	return found
}

// nearestDefinition suggests what a reference may have meant.
func nearestDefinition(doc any, pointer string) string {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return ""
	}
	parent, ok := at(doc, pointer[:i])
	if o, isObject := parent.(*membrane.Object); ok && isObject {
		if near := closest(unescape(pointer[i+1:]), o.Keys()); len(near) > 0 {
			return "; did you mean #" + clip(pointer[:i+1]+escape(near[0]), 100) + "?"
		}
	}
	return ""
}

// bound is a number of a schema.
type bound struct {
	exact *big.Rat
	near  float64
	whole int64 // for multiples
	small bool  // it is whole and fits
}

func newBound(r *big.Rat) *bound {
	if r == nil {
		return nil
	}
	b := &bound{exact: r}
	b.near, _ = r.Float64()
	if r.IsInt() && r.Num().IsInt64() {
		b.whole = r.Num().Int64()
		b.small = b.whole > -1<<53 && b.whole < 1<<53
	}
	return b
}

// simplified is a part of a document with its numbers as values have them.
func simplified(doc any) any {
	z := normaliser{bad: &collector{}}
	v, _ := z.value(doc)
	return v
}
