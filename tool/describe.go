package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/schema"
)

// keys are those of a description.
var keys = []string{"name", "description", "inputSchema", "outputSchema", "requires", "endsLoop", "requiresApproval", "costHint", "parallelSafe", "timeout"}

// MaxDescriptionChars is how long a description may be.
const MaxDescriptionChars = 4000

// maxTimeout bounds the key timeout, in seconds: an hour.
const maxTimeout = 3600

var validName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)

// noArguments is the schema of a tool that has none.
const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

// capabilities are those that can be required, and whether a list can narrow
// them.
var capabilities = []struct {
	name   string
	scoped bool
}{
	{pinfold.FileRead, true}, {pinfold.FileWrite, true}, {pinfold.Network, true}, {pinfold.Store, false},
	{pinfold.LLM, true}, {pinfold.Tools, true}, {pinfold.Cost, false}, {pinfold.Log, false}, {pinfold.Delay, false},
}

// description reads a description.
type description struct {
	*tree
	lenient  bool
	own      []string // capabilities of the host's functions
	def      Definition
	input    *schema.Schema
	output   *schema.Schema
	problems []error
	warnings []Warning
}

func (d *description) problem(code Code, ptr, hint, format string, args ...any) {
	at := d.at(ptr)
	d.problems = append(d.problems, &LoadError{Code: code, File: d.file, Line: at.line, Column: at.column, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// read reads all keys.
func (d *description) read(file string) error {
	o, ok := d.value.(*membrane.Object)
	if !ok {
		d.problem(BadValue, "", "write the keys "+strings.Join(keys[:3], ", ")+", …", "the description must be an object, not %s", kindOf(d.value))
		return d.problems[0]
	}
	d.def = Definition{Name: stem(path.Base(file)), ParallelSafe: true, Requires: []pinfold.Requirement{}}
	for i := range o.Len() {
		key, v := o.At(i)
		if _, undefined := v.(membrane.Undefined); undefined {
			continue
		}
		d.key(key, v)
	}
	if v, ok := o.Get("name"); !ok || isUndefined(v) {
		if !validName.MatchString(d.def.Name) {
			d.problem(BadValue, "", "rename the file, or give the key name", "the file's name %s can't be the name of a tool: it must have 1 to 64 letters, digits, _ and -, and begin with a letter", quote(d.def.Name))
		}
	}
	if v, ok := o.Get("description"); !ok || isUndefined(v) {
		d.problem(BadValue, "", "say in a sentence or two what it does and when to use it", "the key description is missing")
	}
	if d.input == nil {
		d.input = schema.MustCompile(noArguments)
	}
	d.def.InputSchema = d.input.JSON()
	if d.output != nil {
		d.def.OutputSchema = d.output.JSON()
	}
	for _, q := range d.def.Requires {
		switch q.Capability {
		case pinfold.FileRead, pinfold.Network, pinfold.LLM, pinfold.Tools:
			d.def.Untrusted = true
		}
	}
	return errors.Join(d.problems...)
}

func isUndefined(v any) bool { _, is := v.(membrane.Undefined); return is }

// kindOf names the kind of a value for messages.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case string:
		return "the string " + quote(v)
	case json.Number:
		return "the number " + v.String()
	case float64:
		return fmt.Sprintf("the number %v", v)
	case []any:
		return "a list"
	case *membrane.Object:
		return "an object"
	}
	return "a value that JSON doesn't have"
}

// key reads one key.
func (d *description) key(key string, v any) {
	ptr := pointer("", key)
	switch key {
	case "name":
		s, ok := v.(string)
		if !ok || !validName.MatchString(s) {
			d.problem(BadValue, ptr, "", "name must have 1 to 64 letters, digits, _ and -, and begin with a letter; it is %s", kindOf(v))
			return
		}
		d.def.Name = s
	case "description":
		d.text(ptr, v)
	case "inputSchema":
		if d.input = d.schema(ptr, key, v); d.input != nil && !d.input.IsObject() {
			d.problem(BadSchema, ptr, "write type: object, and the arguments as its properties", "inputSchema must describe an object")
		}
	case "outputSchema":
		d.output = d.schema(ptr, key, v)
	case "requires":
		d.requires(ptr, v)
	case "endsLoop":
		d.bool(ptr, key, v, &d.def.EndsLoop)
	case "requiresApproval":
		d.bool(ptr, key, v, &d.def.RequiresApproval)
	case "parallelSafe":
		d.bool(ptr, key, v, &d.def.ParallelSafe)
	case "costHint":
		var amount any = v
		if n, ok := v.(json.Number); ok {
			amount = n.String()
		}
		a, err := cost.Of(amount)
		if err != nil {
			d.problem(BadValue, ptr, "", `costHint must be US dollars, as a number or as a decimal in a string such as "0.0025", not negative and with 12 decimals at most; it is %s`, kindOf(v))
			return
		}
		d.def.CostHint = a.String()
	case "timeout":
		var f float64
		switch n := v.(type) {
		case float64:
			f = n
		case json.Number:
			f, _ = n.Float64()
		}
		if !(f >= 0.001 && f <= maxTimeout) || math.IsInf(f, 0) {
			d.problem(BadValue, ptr, "", "timeout must be a number of seconds, more than 0 and at most %d; it is %s", maxTimeout, kindOf(v))
			return
		}
		d.def.Timeout = time.Duration(f * float64(time.Second))
	default:
		if d.lenient {
			at := d.at(ptr)
			d.warnings = append(d.warnings, Warning{UnknownKey, d.file, at.line, at.column, fmt.Sprintf("unknown key %s; %s", quote(key), meant(key, keys))})
			return
		}
		d.problem(UnknownKey, ptr, meant(key, keys), "unknown key %s", quote(key))
	}
}

func (d *description) bool(ptr, key string, v any, into *bool) {
	b, ok := v.(bool)
	if !ok {
		d.problem(BadValue, ptr, "", "%s must be true or false; it is %s", key, kindOf(v))
		return
	}
	*into = b
}

// text reads the description, which a model reads: what a person who reviews it
// wouldn't see is refused.
func (d *description) text(ptr string, v any) {
	s, ok := v.(string)
	s = strings.TrimSpace(s)
	switch n := utf8.RuneCountInString(s); {
	case !ok:
		d.problem(BadValue, ptr, "", "description must be a text; it is %s", kindOf(v))
	case n == 0:
		d.problem(BadValue, ptr, "say in a sentence or two what it does and when to use it", "description is empty")
	case n > MaxDescriptionChars:
		d.problem(BadValue, ptr, "", "description has %d characters, %d are allowed", n, MaxDescriptionChars)
	}
	for _, r := range s {
		if hidden(r) {
			d.problem(BadValue, ptr, "leave it out", "description has the character U+%04X, which a reader can't see", r)
			return
		}
	}
	d.def.Description = s
}

// hidden reports whether a character is a control, changes the direction of
// text, or is invisible.
func hidden(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == '\r':
		return false
	case r < 0x20, r >= 0x7F && r < 0xA0, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	case r == 0x200B, r == 0x2060, r == 0xFEFF, r == 0x00AD, r == 0xFFFD:
		return true
	}
	return false
}

func (d *description) schema(ptr, key string, v any) *schema.Schema {
	s, err := schema.Compile(v)
	var bad *schema.CompileError
	switch {
	case errors.As(err, &bad):
		d.problem(BadSchema, ptr+bad.Pointer, "", "%s isn't a JSON Schema: %s", key+bad.Pointer, bad.Reason)
		return nil
	case err != nil:
		d.problem(BadSchema, ptr, "", "%s isn't a JSON Schema: %v", key, err)
		return nil
	}
	return s
}

// requires reads what a tool requires: a list of capabilities, each by its name
// or as an object of the name and a list that narrows it; or one object of them.
func (d *description) requires(ptr string, v any) {
	const hint = "write [fileRead, network], or network: [api.example.com]"
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			p := pointerAt(ptr, i)
			switch e := e.(type) {
			case string:
				d.require(p, e, nil)
			case *membrane.Object:
				if e.Len() == 0 {
					d.problem(BadRequirement, p, hint, "an empty object requires nothing")
				}
				for j := range e.Len() {
					k, scope := e.At(j)
					d.require(pointer(p, k), k, scope)
				}
			default:
				d.problem(BadRequirement, p, hint, "a requirement must be a capability's name, or an object of it and a list; it is %s", kindOf(e))
			}
		}
	case *membrane.Object:
		for i := range v.Len() {
			k, scope := v.At(i)
			d.require(pointer(ptr, k), k, scope)
		}
	case nil:
	default:
		d.problem(BadRequirement, ptr, hint, "requires must be a list; it is %s", kindOf(v))
	}
}

// require adds one requirement. A scope of nil or true is all of the capability.
func (d *description) require(ptr, name string, scope any) {
	var known []string
	scoped, found := false, slices.Contains(d.own, name)
	for _, c := range capabilities {
		known = append(known, c.name)
		if c.name == name {
			scoped, found = c.scoped, true
		}
	}
	if !found {
		known = append(known, d.own...)
		d.problem(BadRequirement, ptr, meant(name, known), "there is no capability %s", quote(name))
		return
	}
	if slices.ContainsFunc(d.def.Requires, func(q pinfold.Requirement) bool { return q.Capability == name }) {
		d.problem(BadRequirement, ptr, "write it once", "requires has %s twice", name)
		return
	}
	q := pinfold.Requirement{Capability: name}
	switch s := scope.(type) {
	case nil:
	case bool:
		if !s {
			return
		}
	case []any:
		if !scoped {
			d.problem(BadRequirement, ptr, "write "+name+" alone", "%s can't be narrowed by a list", name)
			return
		}
		if len(s) == 0 {
			d.problem(BadRequirement, ptr, "leave it out, or say what is needed of it", "the list of %s is empty", name)
			return
		}
		for i, e := range s {
			t, ok := e.(string)
			if !ok || strings.TrimSpace(t) == "" {
				d.problem(BadRequirement, pointerAt(ptr, i), "", "the list of %s must have texts; this is %s", name, kindOf(e))
				return
			}
			if !slices.Contains(q.Scope, t) {
				q.Scope = append(q.Scope, t)
			}
		}
	default:
		d.problem(BadRequirement, ptr, "", "what is needed of %s must be a list; it is %s", name, kindOf(scope))
		return
	}
	d.def.Requires = append(d.def.Requires, q)
}

func cloneRequires(list []pinfold.Requirement) []pinfold.Requirement {
	out := make([]pinfold.Requirement, len(list))
	for i, q := range list {
		out[i] = pinfold.Requirement{Capability: q.Capability, Scope: slices.Clone(q.Scope)}
	}
	return out
}
