package schema

import (
	"fmt"
	"math/bits"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/membrane"
)

// The bounds on one check: schemas can be written so that a small value needs
// any number of steps.
const (
	maxWork   = 10_000_000
	maxNested = 4000 // checks inside of each other
)

// checker checks one value.
type checker struct {
	collector
	at     path
	work   int
	nested int
	quiet  bool // whether is all that is asked
	// missingOK is set for the next check: the value is of a key that isn't
	// required.
	missingOK bool
}

func (s *Schema) validate(v any) error {
	z := normaliser{bad: &collector{}}
	v, _ = z.value(v)
	if len(z.bad.found) > 0 {
		return z.bad.err()
	}
	// Most values are as they should be: what is wrong is looked for when
	// something is.
	c := checker{work: maxWork, quiet: true}
	if c.check(s.root, v, nil) && !c.over() {
		return nil
	}
	if !c.over() {
		c = checker{work: maxWork}
		c.check(s.root, v, nil)
	}
	if c.over() {
		return &Error{Problems: []Problem{{Keyword: "limit", Message: "checking it takes too many steps: the value is too large for this schema"}}}
	}
	return c.err()
}

// over reports whether the work is used up.
func (c *checker) over() bool { return c.work < 0 }

func (c *checker) charge(n int) { c.work -= n }

// problem notes what is wrong at the place that is being looked at.
func (c *checker) problem(keyword string, msg string) {
	c.charge(50)
	c.add(found{at: c.at, keyword: keyword, msg: msg})
}

// evaluated are the properties and items that subschemas have looked at, for
// unevaluatedProperties and unevaluatedItems.
type evaluated struct {
	allProps, allItems bool
	props              map[string]bool
	items              map[int]bool
	itemsTo            int // all before it
}

func (e *evaluated) prop(k string) {
	if e == nil || e.allProps {
		return
	}
	if e.props == nil {
		e.props = map[string]bool{}
	}
	e.props[k] = true
}

func (e *evaluated) item(i int) {
	if e == nil || e.allItems || i < e.itemsTo {
		return
	}
	if e.items == nil {
		e.items = map[int]bool{}
	}
	e.items[i] = true
}

// merge adds what another subschema looked at and returns the cost.
func (e *evaluated) merge(o *evaluated) int {
	if e == nil {
		return 0
	}
	e.allProps = e.allProps || o.allProps
	e.allItems = e.allItems || o.allItems
	e.itemsTo = max(e.itemsTo, o.itemsTo)
	for k := range o.props {
		e.prop(k)
	}
	for i := range o.items {
		e.item(i)
	}
	return 4 * (len(o.props) + len(o.items))
}

// typeOf returns the types that a value has.
func typeOf(v any) typeSet {
	switch v.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case string:
		return typeString
	case []any:
		return typeArray
	case *membrane.Object:
		return typeObject
	}
	if isWhole(v) {
		return typeNumber | typeInteger
	}
	return typeNumber
}

// check reports whether a value is as a subschema wants it, and adds to ev what
// was looked at.
func (c *checker) check(n *node, v any, ev *evaluated) bool {
	missingOK := c.missingOK
	c.missingOK = false
	if c.charge(1); c.over() {
		return false
	}
	if n.always > 0 {
		return true
	}
	if n.always < 0 {
		if !c.quiet {
			c.problem("false", "nothing is allowed here, got "+describe(v))
		}
		return false
	}
	if c.nested++; c.nested > maxNested {
		c.work = -1
		return false
	}
	defer func() { c.nested-- }()

	if n.types != 0 && n.types&typeOf(v) == 0 {
		if !c.quiet {
			c.wrongType(n, v, missingOK)
		}
		return false
	}
	if n.enum != nil && !c.inEnum(n, v) {
		if !c.quiet {
			c.wrongValue(n, v, missingOK)
		}
		return false
	}
	var own *evaluated
	if ev != nil || n.unevalProps != nil || n.unevalItems != nil {
		own = &evaluated{}
		c.charge(3)
	}
	ok := c.inside(n, v, own)
	if !ok && c.quiet {
		return false
	}
	if !n.onlyRef {
		if ok = c.sameValue(n, v, own) && ok; !ok && c.quiet {
			return false
		}
		ok = c.unevaluated(n, v, own) && ok
	} else {
		ok = c.sub(n.ref, v, own) && ok
	}
	if ok && ev != nil {
		c.charge(ev.merge(own))
	}
	return ok && !c.over()
}

// sub checks the same value with a subschema, which may be missing.
func (c *checker) sub(n *node, v any, ev *evaluated) bool {
	return n == nil || c.check(n, v, ev)
}

// asked reports whether the value is as a subschema wants it, without noting
// what is wrong.
func (c *checker) asked(n *node, v any, ev *evaluated) bool {
	quiet := c.quiet
	c.quiet = true
	ok := c.check(n, v, ev)
	c.quiet = quiet
	return ok
}

func (c *checker) inEnum(n *node, v any) bool {
	if n.enumTypes&typeOf(v) == 0 {
		return false
	}
	if n.enumKeys != nil {
		key := appendKey(nil, v)
		c.charge(1 + len(key)/16)
		return n.enumKeys[string(key)]
	}
	for _, it := range n.enum {
		if equal(it, v, c.charge) {
			return true
		}
		if c.over() {
			break
		}
	}
	return false
}

// inside checks what depends on the value's type.
func (c *checker) inside(n *node, v any, ev *evaluated) bool {
	if n.onlyRef {
		return true
	}
	ok := true
	if n.format != nil {
		if s, isText := v.(string); isText {
			c.charge(len(s) / 16)
		}
		if err := n.format.Validate(v); err != nil {
			ok = false
			if !c.quiet {
				c.problem("format", wrongFormat(n.format.Name, v))
			}
		}
	}
	switch v := v.(type) {
	case *membrane.Object:
		return c.object(n, v, ev) && ok
	case []any:
		return c.array(n, v, ev) && ok
	case string:
		return c.text(n, v) && ok
	case nil, bool:
		return ok
	}
	return c.number(n, v) && ok
}

func (c *checker) text(n *node, s string) bool {
	ok := true
	if n.minLength != nil || n.maxLength != nil {
		c.charge(len(s) / 64)
		length := utf8.RuneCountInString(s)
		if n.minLength != nil && length < *n.minLength {
			ok = false
			if !c.quiet {
				if length == 0 && *n.minLength == 1 {
					c.problem("minLength", "must not be empty")
				} else {
					c.problem("minLength", fmt.Sprintf("must have at least %s, has %d", count(*n.minLength, "character"), length))
				}
			}
		}
		if n.maxLength != nil && length > *n.maxLength {
			ok = false
			if !c.quiet {
				c.problem("maxLength", fmt.Sprintf("must have at most %s, has %d", count(*n.maxLength, "character"), length))
			}
		}
	}
	if n.pattern != nil {
		c.charge(matchCost(n.pattern, s))
		if c.over() {
			return false
		}
		if !n.pattern.MatchString(s) {
			ok = false
			if !c.quiet {
				c.problem("pattern", "must match the pattern "+clip(n.pattern.source, 120)+", got "+describe(s))
			}
		}
	}
	return ok
}

// matchCost is what matching a string may take.
func matchCost(p *pattern, s string) int {
	hi, lo := bits.Mul64(uint64(len(s)), uint64(p.size))
	if hi != 0 || lo > maxWork*32 {
		return maxWork
	}
	return 1 + int(lo/32)
}

func (c *checker) number(n *node, v any) bool {
	ok := true
	fail := func(keyword, format string, b *bound) {
		ok = false
		if !c.quiet {
			c.problem(keyword, fmt.Sprintf(format, b.String())+", got "+short(v, 40))
		}
	}
	if b := n.minimum; b != nil && compare(v, b) < 0 {
		fail("minimum", "must be at least %s", b)
	}
	if b := n.maximum; b != nil && compare(v, b) > 0 {
		fail("maximum", "must be at most %s", b)
	}
	if b := n.moreThan; b != nil && compare(v, b) <= 0 {
		fail("exclusiveMinimum", "must be more than %s", b)
	}
	if b := n.lessThan; b != nil && compare(v, b) >= 0 {
		fail("exclusiveMaximum", "must be less than %s", b)
	}
	if b := n.multipleOf; b != nil && !isMultiple(v, b) {
		fail("multipleOf", "must be a multiple of %s", b)
	}
	return ok
}

func (c *checker) object(n *node, o *membrane.Object, ev *evaluated) bool {
	ok := true
	if n.minProps != nil && o.Len() < *n.minProps {
		ok = false
		if !c.quiet {
			c.problem("minProperties", fmt.Sprintf("must have at least %s, has %d", count(*n.minProps, "key"), o.Len()))
		}
	}
	if n.maxProps != nil && o.Len() > *n.maxProps {
		ok = false
		if !c.quiet {
			c.problem("maxProperties", fmt.Sprintf("must have at most %s, has %d", count(*n.maxProps, "key"), o.Len()))
		}
	}
	c.charge(len(n.required) + len(n.dependReq))
	for _, k := range n.required {
		if _, has := o.Get(k); !has {
			if ok = false; c.quiet {
				return false
			}
			c.missingKey(n, k)
		}
	}
	for _, d := range n.dependReq {
		if _, has := o.Get(d.name); !has {
			continue
		}
		c.charge(len(d.needs))
		for _, k := range d.needs {
			if _, has := o.Get(k); !has {
				if ok = false; c.quiet {
					return false
				}
				c.problem("dependentRequired", "the key "+label(clip(k, 80))+" is missing; it is required with "+label(clip(d.name, 80)))
			}
		}
	}
	if n.props == nil && n.patterns == nil && n.additional == nil && n.propertyNames == nil {
		return ok
	}
	for i := range o.Len() {
		if c.over() {
			return false
		}
		k, v := o.At(i)
		if n.propertyNames != nil {
			if !c.asked(n.propertyNames, k, nil) {
				if ok = false; c.quiet {
					return false
				}
				c.wrongName(n.propertyNames, k)
			}
		}
		if !c.property(n, o, k, v, ev) {
			if ok = false; c.quiet {
				return false
			}
		}
	}
	return ok
}

// property checks one property.
func (c *checker) property(n *node, o *membrane.Object, k string, v any, ev *evaluated) bool {
	ok, known := true, false
	c.at = append(c.at, step{key: k})
	if i, has := n.index[k]; has {
		known = true
		c.missingOK = !n.props[i].required
		ok = c.check(n.props[i].node, v, nil)
	}
	for _, p := range n.patterns {
		c.charge(matchCost(p.re, k))
		if c.over() {
			break
		}
		if p.re.MatchString(k) {
			known = true
			ok = c.check(p.node, v, nil) && ok
		}
	}
	c.charge(1)
	unknown := false
	if !known && n.additional != nil {
		known = true
		if n.additional.always < 0 {
			ok, unknown = false, true
		} else {
			ok = c.check(n.additional, v, nil) && ok
		}
	}
	c.at = c.at[:len(c.at)-1]
	if unknown && !c.quiet {
		c.unknownKey(n, o, k)
	}
	if known {
		ev.prop(k)
	}
	return ok
}

func (c *checker) array(n *node, list []any, ev *evaluated) bool {
	ok := true
	if n.minItems != nil && len(list) < *n.minItems {
		ok = false
		if !c.quiet {
			c.problem("minItems", fmt.Sprintf("must have at least %s, has %d", count(*n.minItems, "item"), len(list)))
		}
	}
	if n.maxItems != nil && len(list) > *n.maxItems {
		ok = false
		if !c.quiet {
			c.problem("maxItems", fmt.Sprintf("must have at most %s, has %d", count(*n.maxItems, "item"), len(list)))
		}
	}
	if n.unique && len(list) > 1 {
		if i, j := c.duplicate(list); j > 0 {
			ok = false
			if !c.quiet {
				c.problem("uniqueItems", fmt.Sprintf("items must differ: [%d] and [%d] are both %s", i, j, short(list[i], 40)))
			}
		}
	}
	for i, v := range list {
		if c.over() || !ok && c.quiet {
			return false
		}
		sub := n.items
		if i < len(n.prefix) {
			sub = n.prefix[i]
		}
		if sub == nil {
			break
		}
		if sub.always < 0 && i >= len(n.prefix) {
			if ok = false; !c.quiet {
				c.problem("items", fmt.Sprintf("the array must have at most %s", count(len(n.prefix), "item")))
			}
			break
		}
		c.at = append(c.at, step{index: i, isIndex: true})
		ok = c.check(sub, v, nil) && ok
		c.at = c.at[:len(c.at)-1]
	}
	if ev != nil {
		ev.itemsTo = max(ev.itemsTo, min(len(list), len(n.prefix)))
		ev.allItems = ev.allItems || n.items != nil
	}
	if n.contains != nil {
		ok = c.containing(n, list, ev) && ok
	}
	return ok
}

func (c *checker) containing(n *node, list []any, ev *evaluated) bool {
	matched := 0
	for i, v := range list {
		if c.over() {
			return false
		}
		if c.asked(n.contains, v, nil) {
			matched++
			ev.item(i)
		}
	}
	least := 1
	if n.minContains != nil {
		least = *n.minContains
	}
	if matched < least {
		if !c.quiet {
			c.problem("contains", fmt.Sprintf("must have at least %s matching %s, has %d", count(least, "item"), expectation(n.contains), matched))
		}
		return false
	}
	if n.maxContains != nil && matched > *n.maxContains {
		if !c.quiet {
			c.problem("maxContains", fmt.Sprintf("must have at most %s matching %s, has %d", count(*n.maxContains, "item"), expectation(n.contains), matched))
		}
		return false
	}
	return true
}

// duplicate returns the positions of the first two items that are equal.
func (c *checker) duplicate(list []any) (int, int) {
	seen := make(map[string]int, len(list))
	var key []byte
	for j, v := range list {
		key = appendKey(key[:0], v)
		if c.charge(6 + len(key)/16); c.over() {
			return 0, 0
		}
		if i, has := seen[string(key)]; has {
			return i, j
		}
		seen[string(key)] = j
	}
	return 0, 0
}

// sameValue checks with the subschemas that see the same value.
func (c *checker) sameValue(n *node, v any, ev *evaluated) bool {
	ok := c.sub(n.ref, v, ev)
	for _, s := range n.allOf {
		if !ok && c.quiet {
			return false
		}
		ok = c.check(s, v, ev) && ok
	}
	if n.not != nil && c.asked(n.not, v, nil) {
		ok = false
		if !c.quiet {
			c.problem("not", "must not be "+expectation(n.not)+", got "+describe(v))
		}
	}
	if len(n.anyOf) > 0 {
		ok = c.oneOrMore(n.anyOf, v, ev) && ok
	}
	if len(n.oneOf) > 0 {
		ok = c.exactlyOne(n.oneOf, v, ev) && ok
	}
	if n.cond != nil {
		if c.asked(n.cond, v, ev) {
			ok = c.sub(n.then, v, ev) && ok
		} else {
			ok = c.sub(n.orElse, v, ev) && ok
		}
	}
	if o, isObject := v.(*membrane.Object); isObject {
		for _, d := range n.dependSchemas {
			if _, has := o.Get(d.name); has {
				ok = c.check(d.node, v, ev) && ok
			}
		}
	}
	return ok
}

// attempt checks with one of several forms and returns what is wrong with it.
func (c *checker) attempt(n *node, v any, ev *evaluated) (bool, []found) {
	if c.quiet {
		return c.check(n, v, ev), nil
	}
	outer := c.collector
	c.collector = collector{}
	ok := c.check(n, v, ev)
	wrong := c.found
	c.collector = outer
	return ok, wrong
}

func (c *checker) oneOrMore(forms []*node, v any, ev *evaluated) bool {
	matched := false
	var wrong [][]found
	for _, f := range forms {
		ok, w := c.attempt(f, v, ev)
		if c.over() {
			return false
		}
		if ok {
			// The others have a say in what was looked at.
			if matched = true; ev == nil {
				return true
			}
		}
		wrong = append(wrong, w)
	}
	if !matched && !c.quiet {
		c.noForm(forms, wrong, v)
	}
	return matched
}

func (c *checker) exactlyOne(forms []*node, v any, ev *evaluated) bool {
	matched := -1
	var wrong [][]found
	for i, f := range forms {
		var ok bool
		var w []found
		if matched >= 0 {
			ok = c.asked(f, v, nil)
		} else {
			ok, w = c.attempt(f, v, ev)
		}
		if c.over() {
			return false
		}
		if ok && matched >= 0 {
			if !c.quiet {
				c.problem("oneOf", fmt.Sprintf("matches more than one of the allowed forms: %s and %s", formName(forms, matched), formName(forms, i)))
			}
			return false
		}
		if ok {
			matched = i
		}
		wrong = append(wrong, w)
	}
	if matched < 0 && !c.quiet {
		c.noForm(forms, wrong, v)
	}
	return matched >= 0
}

// unevaluated checks what no subschema has looked at.
func (c *checker) unevaluated(n *node, v any, ev *evaluated) bool {
	ok := true
	switch v := v.(type) {
	case *membrane.Object:
		if n.unevalProps == nil {
			break
		}
		for i := range v.Len() {
			if c.charge(1); c.over() || !ok && c.quiet {
				return false
			}
			k, it := v.At(i)
			if ev.allProps || ev.props[k] {
				continue
			}
			if n.unevalProps.always < 0 {
				if ok = false; !c.quiet {
					c.unknownKey(n, v, k)
				}
				continue
			}
			c.at = append(c.at, step{key: k})
			ok = c.check(n.unevalProps, it, nil) && ok
			c.at = c.at[:len(c.at)-1]
		}
		ev.allProps = true
	case []any:
		if n.unevalItems == nil {
			break
		}
		for i, it := range v {
			if c.charge(1); c.over() || !ok && c.quiet {
				return false
			}
			if ev.allItems || i < ev.itemsTo || ev.items[i] {
				continue
			}
			c.at = append(c.at, step{index: i, isIndex: true})
			ok = c.check(n.unevalItems, it, nil) && ok
			c.at = c.at[:len(c.at)-1]
		}
		ev.allItems = true
	}
	return ok
}
