package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/membrane"
)

// found is a problem before it is told.
type found struct {
	at      path
	keyword string
	msg     string
	// What was expected instead and what could be written, for forms of which
	// none matches.
	want []string
	hint string
}

// collector keeps the first problems.
type collector struct {
	found []found
	more  int
}

// add keeps a problem. Two subschemas often find the same.
func (c *collector) add(f found) {
	if len(c.found) >= MaxProblems {
		c.more++
		return
	}
	for _, g := range c.found {
		if g.msg == f.msg && slices.Equal(g.at, f.at) {
			return
		}
	}
	f.at = slices.Clone(f.at)
	c.found = append(c.found, f)
}

// room makes ready for a problem to be told, which costs more than to find it,
// and reports whether it is needed: beyond the first ones only their number is.
func (c *checker) room() bool {
	c.charge(50)
	if len(c.found) >= MaxProblems {
		c.more++
		return false
	}
	return true
}

// err makes the error of what was found.
func (c *collector) err() error {
	e := &Error{More: c.more}
	bytes := 0
	for _, f := range c.found {
		p := Problem{
			Pointer: clip(f.at.pointer(), 400), Path: clip(f.at.String(), 400),
			Keyword: f.keyword, Message: clip(f.msg, 1000),
		}
		if bytes += len(p.Path) + len(p.Message) + 3; bytes > MaxErrorBytes && len(e.Problems) > 0 {
			e.More++
			continue
		}
		e.Problems = append(e.Problems, p)
	}
	if len(e.Problems) == 0 {
		e.Problems = []Problem{{Keyword: "value", Message: "it isn't as the schema wants it"}}
	}
	return e
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// String writes a bound as short as it can be.
func (b *bound) String() string {
	if b.exact.IsInt() {
		if s := b.exact.Num().String(); len(s) <= 20 {
			return s
		}
	}
	return formatFloat(b.near)
}

// list joins alternatives: a, b or c. Of many only the first are written.
func list(items []string, last string) string {
	const most = 21
	if len(items) > most {
		items = append(slices.Clone(items[:most-1]), fmt.Sprintf("%d more", len(items)-most+1))
	}
	switch {
	case len(items) < 2:
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " " + last + " " + items[len(items)-1]
}

// names returns the types of a set.
func (t typeSet) names() []string {
	var out []string
	for _, it := range typeNames {
		if t&it.t == 0 || it.t == typeInteger && t&typeNumber != 0 {
			continue
		}
		out = append(out, it.name)
	}
	return out
}

// expectation says in a few words what a subschema wants.
func expectation(n *node) string {
	for range 8 {
		if n.ref == nil || n.types != 0 || n.enum != nil {
			break
		}
		n = n.ref
	}
	switch {
	case n.enum != nil:
		return list(literals(n.enum), "or")
	case n.title != "":
		return clip(n.title, 80)
	case n.types != 0:
		return list(n.types.names(), "or")
	case len(n.props) > 0:
		return "object"
	}
	return "as the schema says"
}

// literals writes the values of an enum; of many only the first and how many
// there are more.
func literals(values []any) []string {
	const most = 20
	out := make([]string, 0, min(len(values), most+1))
	for i, v := range values {
		if i == most && len(values) > most+1 {
			return append(out, fmt.Sprintf("%d more", len(values)-i))
		}
		out = append(out, short(v, 60))
	}
	return out
}

// wrongType notes a value of another type.
func (c *checker) wrongType(n *node, v any, missingOK bool) {
	if !c.room() {
		return
	}
	c.charge(len(n.props))
	hint := c.hint(n, v)
	if hint == "" && v == nil && missingOK {
		hint = leaveOut
	}
	want := n.types.names()
	f := found{at: c.at, keyword: "type", want: want, hint: hint}
	f.msg = "expected " + list(want, "or") + ", got " + describe(v)
	if len(want) == 1 && want[0] == "object" && len(n.props) > 0 && hint == "" {
		f.msg += "; write {" + outline(n) + "}"
	} else if hint != "" {
		f.msg += "; " + hint
	}
	c.add(f)
}

// numeral is a number as programs write it.
var numeral = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,3})?$`)

// hint says how to write a value of the type that was wanted.
func (c *checker) hint(n *node, v any) string {
	wants := func(t typeSet) bool { return n.types&t != 0 }
	switch v := v.(type) {
	case string:
		s := strings.TrimSpace(v)
		if wants(typeNumber|typeInteger) && numeral.MatchString(s) && goodNumber(s) {
			if wants(typeNumber) || isWhole(simplest(json.Number(s))) {
				return "write " + s
			}
		}
		if wants(typeBoolean) {
			switch strings.ToLower(s) {
			case "true", "yes", "1", "on":
				return "write true"
			case "false", "no", "0", "off":
				return "write false"
			}
		}
		if wants(typeNull) && (s == "" || s == "null") {
			return "write null"
		}
		if wants(typeObject) && strings.HasPrefix(s, "{") && json.Valid([]byte(s)) ||
			wants(typeArray) && strings.HasPrefix(s, "[") && json.Valid([]byte(s)) {
			return "pass the value itself, not its JSON text"
		}
	case float64:
		if wants(typeString) {
			return "write " + quote(formatFloat(v))
		}
		if wants(typeBoolean) && (v == 0 || v == 1) {
			return fmt.Sprintf("write %t", v == 1)
		}
		if wants(typeInteger) && v != math.Trunc(v) {
			return "it must be whole, such as " + formatFloat(math.Round(v))
		}
	case json.Number:
		if wants(typeString) {
			return "write " + quote(clip(string(v), 60))
		}
	case bool:
		if wants(typeString) {
			return fmt.Sprintf("write %q", fmt.Sprint(v))
		}
		if wants(typeNumber | typeInteger) {
			if v {
				return "write 1"
			}
			return "write 0"
		}
	case []any:
		if wants(typeArray) || len(v) != 1 || n.types&typeOf(v[0]) == 0 {
			break
		}
		return "write " + short(v[0], 60) + " without the array"
	}
	if wants(typeArray) && v != nil && (n.items == nil || c.asked(n.items, v, nil)) {
		return "write [" + short(v, 60) + "]"
	}
	return ""
}

// outline is the shape of an object: the keys that are required, or some.
func outline(n *node) string {
	var out []string
	left := false
	for _, p := range n.props {
		if p.required || len(n.required) == 0 {
			if left = len(out) == 6; left {
				break
			}
			out = append(out, label(clip(p.name, 40))+": "+expectation(p.node))
		}
	}
	if left || len(n.required) > 0 && len(out) < len(n.props) {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// wrongValue notes a value that an enum or const doesn't have.
func (c *checker) wrongValue(n *node, v any, missingOK bool) {
	if !c.room() {
		return
	}
	want := literals(n.enum)
	f := found{at: c.at, keyword: "enum", want: want}
	if n.isConst {
		f.keyword = "const"
	}
	switch len(n.enum) {
	case 0:
		f.msg = "nothing is allowed here, got " + describe(v)
	case 1:
		f.msg = "must be " + want[0] + ", got " + describe(v)
	default:
		f.msg = "must be one of " + list(want, "or") + ", got " + describe(v)
	}
	if s, ok := v.(string); ok {
		var names []string
		for _, it := range n.enum[:min(len(n.enum), 500)] {
			if t, ok := it.(string); ok {
				names = append(names, t)
			}
		}
		if near := closest(s, names); len(near) > 0 && len(n.enum) > 1 {
			f.hint = "did you mean " + quote(clip(near[0], 60)) + "?"
		}
	}
	if f.hint == "" {
		// The same value of another type: "5" for 5.
		for _, it := range n.enum[:min(len(n.enum), 100)] {
			if typeOf(it) != typeOf(v) && strings.Trim(short(it, 60), `"`) == strings.Trim(short(v, 60), `"`) {
				f.hint = "write " + short(it, 60)
				break
			}
		}
	}
	if f.hint == "" && v == nil && missingOK {
		f.hint = leaveOut
	}
	if f.hint != "" {
		f.msg += "; " + f.hint
	}
	c.add(f)
}

// leaveOut is the advice for null where a key isn't required.
const leaveOut = "leave the key out if there is no value"

// formatSamples are what a format looks like.
var formatSamples = map[string]string{
	"date-time": `a date and time with its zone such as "2026-01-31T12:00:00Z"`, "date": `a date such as "2026-01-31"`,
	"time": `a time with its zone such as "12:00:00Z"`, "duration": `a duration such as "P1DT12H"`,
	"email": `an email address such as "name@example.com"`, "hostname": `a host name such as "example.com"`,
	"ipv4": `an IPv4 address such as "192.0.2.1"`, "ipv6": `an IPv6 address such as "2001:db8::1"`,
	"uri": `a URL with its scheme such as "https://example.com/page"`, "iri": `a URL with its scheme such as "https://example.com/page"`,
	"uri-reference": `a URL or a part of one such as "/page?a=1"`, "iri-reference": `a URL or a part of one such as "/page?a=1"`,
	"uuid":         `a UUID such as "123e4567-e89b-12d3-a456-426614174000"`,
	"json-pointer": `a JSON pointer such as "/items/0"`,
	"regex":        "a regular expression (without looking around and back references)",
	"semver":       `a version such as "1.2.3"`,
}

func wrongFormat(name string, v any) string {
	sample := formatSamples[name]
	if sample == "" {
		sample = "of the format " + clip(name, 60)
	}
	return "must be " + sample + ", got " + describe(v)
}

// missingKey notes a key that is required.
func (c *checker) missingKey(n *node, k string) {
	if !c.room() {
		return
	}
	msg := "the key " + label(clip(k, 80)) + " is missing"
	if i, ok := n.index[k]; ok {
		sub := n.props[i].node
		msg += " (" + clip(expectation(sub), 200)
		if sub.description != "" {
			msg += ": " + clip(oneLine(sub.description), 100)
		}
		msg += ")"
	}
	if len(n.required) > 1 {
		keys := make([]string, len(n.required))
		for i, r := range n.required[:min(len(n.required), 20)] {
			keys[i] = label(clip(r, 40))
		}
		msg += "; required are " + list(keys, "and")
	}
	c.add(found{at: c.at, keyword: "required", msg: msg})
}

// unknownKey notes a key that isn't allowed.
func (c *checker) unknownKey(n *node, o *membrane.Object, k string) {
	if !c.room() {
		return
	}
	msg := "there is no key " + label(clip(k, 80))
	var free, all []string
	c.keys(n, 0, func(name string) {
		all = append(all, name)
		if _, used := o.Get(name); !used {
			free = append(free, name)
		}
	})
	if near := closest(k, free); len(near) > 0 {
		msg += "; did you mean " + label(clip(near[0], 80)) + "?"
	} else if len(all) > 0 {
		for i, name := range all[:min(len(all), 20)] {
			all[i] = label(clip(name, 40))
		}
		msg += "; there are " + list(all, "and")
	} else {
		msg += "; leave it out"
	}
	c.add(found{at: c.at, keyword: "additionalProperties", msg: msg})
}

// keys calls f for the names of properties that a subschema and those beside it
// know.
func (c *checker) keys(n *node, depth int, f func(string)) {
	if depth > 4 || c.over() {
		return
	}
	c.charge(1 + len(n.props))
	for _, p := range n.props {
		f(p.name)
	}
	if n.unevalProps == nil && depth == 0 {
		return
	}
	n.inPlace(func(s *node) {
		if s != n.not {
			c.keys(s, depth+1, f)
		}
	})
}

// wrongName notes a key whose name isn't allowed.
func (c *checker) wrongName(n *node, k string) {
	if !c.room() {
		return
	}
	msg := "the name of the key " + quote(clip(k, 80)) + " isn't allowed"
	sub := checker{work: 10_000}
	sub.check(n, k, nil)
	if len(sub.found) > 0 {
		msg += ": " + sub.found[0].msg
	}
	c.add(found{at: c.at, keyword: "propertyNames", msg: msg})
}

// formName names one of several forms.
func formName(forms []*node, i int) string {
	n := forms[i]
	for range 8 {
		if n.title != "" || n.ref == nil {
			break
		}
		n = n.ref
	}
	if n.title != "" {
		return fmt.Sprintf("%d (%s)", i+1, clip(oneLine(n.title), 60))
	}
	return fmt.Sprint(i + 1)
}

// noForm notes that a value has none of several forms: what is wrong with the
// one that was likely meant.
func (c *checker) noForm(forms []*node, wrong [][]found, v any) {
	depth := len(c.at)
	// Forms for values of another kind aren't meant.
	top := func(f found) bool {
		return len(f.at) == depth && (f.keyword == "type" || f.keyword == "enum" || f.keyword == "const")
	}
	tag := func(f found) bool {
		return len(f.at) == depth+1 && (f.keyword == "enum" || f.keyword == "const")
	}
	var near, meant []int
	for i, w := range wrong {
		if !slices.ContainsFunc(w, top) {
			near = append(near, i)
		}
	}
	if len(near) == 0 {
		c.mergeWants(wrong, top, v, depth)
		return
	}
	for _, i := range near {
		if !slices.ContainsFunc(wrong[i], tag) {
			meant = append(meant, i)
		}
	}
	if len(meant) == 0 && len(near) > 1 {
		if c.mergeTags(near, wrong, tag, v) {
			return
		}
	}
	if len(meant) == 0 {
		meant = near
	}
	best := meant[0]
	for _, i := range meant {
		if len(wrong[i]) < len(wrong[best]) {
			best = i
		}
	}
	if len(meant) > 1 {
		c.problem("anyOf", fmt.Sprintf("matches none of the %d allowed forms; the closest is form %s", len(forms), formName(forms, best)))
	}
	for _, f := range wrong[best] {
		c.add(f)
	}
}

// mergeWants notes all that a value could have been.
func (c *checker) mergeWants(wrong [][]found, which func(found) bool, v any, depth int) {
	var want []string
	hint := ""
	for _, w := range wrong {
		for _, f := range w {
			if !which(f) {
				continue
			}
			for _, s := range f.want {
				if !slices.Contains(want, s) {
					want = append(want, s)
				}
			}
			if hint == "" {
				hint = f.hint
			}
		}
		if len(want) > 1000 {
			break
		}
	}
	msg := "expected " + list(want, "or") + ", got " + describe(v)
	if hint != "" {
		msg += "; " + hint
	}
	c.add(found{at: c.at, keyword: "type", want: want, hint: hint, msg: msg})
}

// mergeTags notes the values of the key that tells forms apart, if there is one.
func (c *checker) mergeTags(near []int, wrong [][]found, tag func(found) bool, v any) bool {
	first := wrong[near[0]][slices.IndexFunc(wrong[near[0]], tag)]
	key := first.at[len(first.at)-1]
	var want []string
	for _, i := range near {
		j := slices.IndexFunc(wrong[i], func(f found) bool { return tag(f) && f.at[len(f.at)-1] == key })
		if j < 0 {
			return false
		}
		want = append(want, wrong[i][j].want...)
	}
	o, ok := v.(*membrane.Object)
	if !ok || key.isIndex {
		return false
	}
	it, _ := o.Get(key.key)
	hint := ""
	if s, ok := it.(string); ok {
		names := make([]string, 0, len(want))
		for _, w := range want {
			var name string
			if json.Unmarshal([]byte(w), &name) == nil {
				names = append(names, name)
			}
		}
		if near := closest(s, names); len(near) > 0 {
			hint = "did you mean " + quote(near[0]) + "?"
		}
	}
	msg := "must be one of " + list(want, "or") + ", got " + describe(it)
	if hint != "" {
		msg += "; " + hint
	}
	c.add(found{at: first.at, keyword: "enum", want: want, hint: hint, msg: msg})
	return true
}

// oneLine makes one line of a text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
