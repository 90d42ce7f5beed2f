package pinfold

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/js/vm"
)

// foreign are names of other languages and of other environments, and what to
// write here.
var foreign = map[string]string{
	"len": "use .length", "append": "use push", "print": "use console.log", "println": "use console.log",
	"None": "use null", "nil": "use null", "NULL": "use null", "True": "use true", "False": "use false",
	"elif": "use else if", "str": "use String()", "int": "use Math.trunc(Number())", "range": "use a for loop or Array.from",
	"require":        "there is no module system with require here; what the host offers are plain functions and import",
	"module":         "write export default instead of module.exports",
	"exports":        "write export instead of exports",
	"process":        "there is no process, environment or command line here; use input",
	"Buffer":         "use Uint8Array",
	"fetch":          "there is no network here but the host's functions",
	"XMLHttpRequest": "there is no network here but the host's functions",
	"fs":             "there are no files here but the host's functions",
	"window":         "there is no browser here; use globalThis", "document": "there is no browser here",
	"setTimeout": "there are no timers here; await a promise instead", "setInterval": "there are no timers here; use a loop",
	"setImmediate": "there are no timers here", "localStorage": "there is no browser here; state doesn't outlive a run",
	"Intl":        "there is no Intl here; numbers and dates have toLocaleString",
	"URL":         "there is no URL class here; take the text apart with a regular expression",
	"TextEncoder": "there is no TextEncoder here; use Uint8Array and String methods", "alert": "use console.log", "prompt": "use input",
}

var foreignMethods = map[string]string{
	"append": "push", "add": "push (arrays) or add (Set)", "contains": "includes", "len": "length (a property)", "size": "length (arrays and strings)",
	"length": "length (a property, not a method)", "remove": "splice or filter", "removeAt": "splice", "insert": "splice", "extend": "push(...items)", "has": "includes (arrays) or in (objects)",
	"trimLeft": "trimStart", "trimRight": "trimEnd", "strip": "trim", "upper": "toUpperCase", "lower": "toLowerCase",
	"startswith": "startsWith", "endswith": "endsWith", "isEmpty": "length === 0", "first": "at(0)", "last": "at(-1)", "sum": "reduce((a, b) => a + b, 0)",
	"items": "Object.entries()", "forEach": "for…of over Object.entries(), or an array", "map": "an array: Object.values() or Object.entries() give one, [...iterable] too",
	"filter": "an array: Object.values() or Object.entries() give one, [...iterable] too",
	"each":   "forEach", "select": "filter", "collect": "map", "count": "filter(…).length", "format": "a template literal", "equals": "===", "charCodeat": "charCodeAt",
}

var (
	reUndefined   = regexp.MustCompile(`^(\S+) is not defined$`)
	reReading     = regexp.MustCompile(`^Cannot (?:read|set) propert(?:y|ies) of (undefined|null) \((?:reading|setting) '(.*)'\)$`)
	reNotFunction = regexp.MustCompile(`^(.*?)([A-Za-z_$][\w$]*) is not a function`)
	reNotIterable = regexp.MustCompile(`is not iterable`)
	reIdentifier  = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
)

// hint finds the most useful thing to say about an uncaught error, from its
// message and the source.
func (r *run) hint(f *Failure, at vm.Frame) string {
	msg := f.Message
	if len(msg) > 500 {
		return ""
	}
	if m := reUndefined.FindStringSubmatch(msg); m != nil && f.Name == "ReferenceError" {
		return r.undefinedHint(m[1], at)
	}
	if m := reReading.FindStringSubmatch(msg); m != nil {
		what := receiver(f.SourceLine, m[2])
		if what == "" || what == m[1] {
			return fmt.Sprintf("check for %s before using .%s, or write ?.%s", m[1], m[2], m[2])
		}
		return fmt.Sprintf("%s is %s here; check it first, or write %s?.%s", what, m[1], what, m[2])
	}
	if m := reNotFunction.FindStringSubmatch(msg); m != nil && strings.HasSuffix(m[1], ".") {
		if s, ok := foreignMethods[m[2]]; ok {
			return fmt.Sprintf("there is no %s on this value; use %s", m[2], s)
		}
	}
	if reNotIterable.MatchString(msg) {
		return "only arrays, strings, Map, Set and iterators can be spread or looped over; for an object use Object.entries()"
	}
	return ""
}

// receiver finds the expression in front of .name in a line.
func receiver(line, name string) string {
	if !identifier.MatchString(name) {
		return ""
	}
	i := strings.Index(line, "."+name)
	if i <= 0 {
		return ""
	}
	start := i
	for start > 0 {
		c := line[start-1]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.' {
			start--
			continue
		}
		break
	}
	s := strings.Trim(line[start:i], ".")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return ""
	}
	return s
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

func (r *run) undefinedHint(name string, at vm.Frame) string {
	if s, ok := foreign[name]; ok {
		return s
	}
	var candidates []string
	seen := map[string]bool{name: true}
	add := func(n string) {
		if !seen[n] {
			seen[n] = true
			candidates = append(candidates, n)
		}
	}
	for _, h := range r.sb.functions {
		if h.path[len(h.path)-1] == name && len(h.path) > 1 {
			return "did you mean " + h.name + "?"
		}
		add(h.path[0])
	}
	src := at.Source
	if len(src) > 64<<10 {
		src = src[:64<<10]
	}
	for _, id := range reIdentifier.FindAllString(src, 5000) {
		if !reservedWords[id] {
			add(id)
		}
	}
	globals := make([]string, 0, len(globalNames))
	for n := range globalNames {
		globals = append(globals, n)
	}
	slices.Sort(globals)
	for _, n := range globals {
		add(n)
	}
	if rest := strings.TrimLeft(at.Source[min(at.Offset+len(name), len(at.Source)):], " \t"); at.Offset >= 0 && strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
		return fmt.Sprintf("declare it first: let %s = …", name)
	}
	if best := closest(name, candidates); len(best) > 0 {
		return "did you mean " + strings.Join(best, " or ") + "?"
	}
	if len(r.sb.functions) > 0 {
		var names []string
		for _, h := range r.sb.functions {
			if len(names) == 12 {
				names = append(names, "…")
				break
			}
			names = append(names, h.name)
		}
		return "the host offers " + strings.Join(names, ", ")
	}
	return ""
}

// closest returns up to three names that are likely meant.
func closest(name string, names []string) []string {
	allowed := 3
	switch {
	case len(name) <= 4:
		allowed = 1
	case len(name) <= 8:
		allowed = 2
	}
	type match struct {
		name string
		dist int
	}
	var found []match
	for _, n := range names {
		d := 0
		if !strings.EqualFold(n, name) {
			d = distance(name, n, allowed)
		}
		if d <= allowed {
			found = append(found, match{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.dist - b.dist })
	var out []string
	for _, m := range found[:min(len(found), 3)] {
		if m.dist == found[0].dist {
			out = append(out, m.name)
		}
	}
	return out
}

// distance is the number of edits (insert, delete, replace, swap neighbours)
// between two names; limit+1 when it is more than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(a) > 100 {
		return limit + 1
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

// keywords are the words that begin a statement, and are misspelled.
var keywords = []string{"return", "const", "let", "var", "function", "class", "export", "import", "async", "await", "while", "switch", "throw", "else"}

// syntaxHint looks for a misspelled keyword in front of where the parser
// stumbled.
func syntaxHint(source string, at int) string {
	if at <= 0 || at > len(source) {
		return ""
	}
	before := strings.TrimRight(source[:at], " \t")
	start := len(before)
	for start > 0 && len(before)-start < 16 && identifier.MatchString(before[start-1:]) {
		start--
	}
	word := before[start:]
	if len(word) < 3 || len(word) > 12 || reservedWords[word] {
		return ""
	}
	if best := closest(word, keywords); len(best) > 0 {
		return "did you mean " + best[0] + "?"
	}
	return ""
}
