package pinfold

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	reUndefined   = regexp.MustCompile(`^(\S+) is not defined$`)
	reReading     = regexp.MustCompile(`^Cannot (?:read|set) propert(?:y|ies) of (undefined|null) \((?:reading|setting) '(.*)'\)$`)
	reNotFunction = regexp.MustCompile(`^(.*?)([A-Za-z_$][\w$]*) is not a function`)
	reNotIterable = regexp.MustCompile(`is not iterable`)
	reIdentifier  = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
	identifier    = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
)

// maxHint is how long a hint gets, in characters, unless names make it longer.
const maxHint = 400

// teach adds what helps to mend the program to an uncaught error: a hint and
// names that may have been meant. It looks at the message, the source and the
// explanation; no script code runs.
func (r *run) teach(f *Failure) {
	if f.Kind != ErrScript || len(f.Message) > 500 {
		return
	}
	hint := r.nameHint(f)
	if hint == "" {
		hint = f.methodHint()
	}
	if hint == "" {
		hint = f.originHint()
	}
	if hint == "" {
		hint = f.messageHint()
	}
	if f.Hint == "" {
		f.Hint = cutTo(hint, maxHint)
	}
}

// nameHint is about a name that isn't defined.
func (r *run) nameHint(f *Failure) string {
	m := reUndefined.FindStringSubmatch(f.Message)
	if m == nil || f.Name != "ReferenceError" {
		return ""
	}
	name := m[1]
	for _, h := range r.sb.functions { //meter: the host's functions
		if h.path[len(h.path)-1] == name && len(h.path) > 1 {
			f.Suggestions = []string{h.name}
			return "did you mean " + h.name + "?"
		}
	}
	if s, ok := foreignName(name); ok {
		return s
	}
	if rest := strings.TrimLeft(f.source[min(f.offset+len(name), len(f.source)):], " \t"); strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
		return fmt.Sprintf("declare it first: let %s = …", name)
	}
	if f.Suggestions = closest(name, r.visibleNames(f, name)); len(f.Suggestions) > 0 {
		return "did you mean " + strings.Join(f.Suggestions, " or ") + "?"
	}
	if len(r.sb.functions) == 0 {
		return ""
	}
	var names []string
	for _, h := range r.sb.functions { //meter: the host's functions
		if len(names) == 12 {
			names = append(names, "…")
			break
		}
		names = append(names, h.name)
	}
	return "the host offers " + strings.Join(names, ", ")
}

// visibleNames are the names that can be meant where the failure was, nearest
// first: those that the explanation knows, those that the source uses, the
// host's, the language's.
func (r *run) visibleNames(f *Failure, except string) []string {
	var names []string
	seen := map[string]bool{except: true}
	add := func(n string) {
		if !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
	if f.Explanation != nil {
		for _, n := range f.Explanation.Names { //meter: the names of an explanation: a bounded number
			add(n)
		}
	}
	for _, h := range r.sb.functions { //meter: the host's functions
		add(h.path[0])
	}
	src := f.source
	if len(src) > 64<<10 {
		src = src[:64<<10]
	}
	for _, id := range reIdentifier.FindAllString(src, 5000) { //meter: at most 5000
		if !reservedWords[id] {
			add(id)
		}
	}
	globals := make([]string, 0, len(globalNames)+len(webNames))
	for _, set := range []map[string]bool{globalNames, webNames} {
		for n := range set { //meter: at most 5000 and the host's functions; sorted below
			globals = append(globals, n)
		}
	}
	slices.Sort(globals)
	for _, n := range globals { //meter: the global names
		add(n)
	}
	return names
}

// methodHint is about a call of what isn't a function.
func (f *Failure) methodHint() string {
	m := reNotFunction.FindStringSubmatch(f.Message)
	if m == nil {
		return ""
	}
	name, method := m[2], strings.HasSuffix(m[1], ".")
	if !method {
		return ""
	}
	receiver := strings.TrimSuffix(m[1], ".")
	if e := f.Explanation; e != nil && len(e.Keys) > 0 {
		if isPromise(e.Keys) && name != "then" {
			return fmt.Sprintf("%s is a promise: write (await %s).%s(…)", receiver, receiver, name)
		}
		if s, ok := foreignMethods[name]; ok && slices.Contains(e.Keys, firstName(s)) {
			f.Suggestions = []string{firstName(s)}
			return fmt.Sprintf("there is no %s on this value; use %s", name, s)
		}
		if f.Suggestions = closest(name, e.Keys); len(f.Suggestions) > 0 {
			return fmt.Sprintf("%s has no %s; did you mean %s?", receiver, name, strings.Join(f.Suggestions, " or "))
		}
	}
	if s, ok := foreignMethods[name]; ok {
		return fmt.Sprintf("there is no %s on this value; use %s", name, s)
	}
	return ""
}

// isPromise tells a promise by what it has.
func isPromise(keys []string) bool {
	return slices.Contains(keys, "then") && slices.Contains(keys, "catch") && slices.Contains(keys, "finally")
}

// firstName is the method that a hint begins with.
func firstName(hint string) string { return reIdentifier.FindString(hint) }

// originHint tells where the wrong value came from.
func (f *Failure) originHint() string {
	if f.Name == "" { // what was thrown is no error, and wrong by itself
		return "throw an Error: throw new Error(…); only errors have a message and a stack"
	}
	e := f.Explanation
	if e == nil || len(e.Origins) == 0 {
		return ""
	}
	if e.Subject == "this" && e.Value == "undefined" {
		return "the method was called without its object: call it as object.method(…), or hand over () => object.method(…)"
	}
	o := e.Origins[len(e.Origins)-1] // where it all began
	for _, x := range e.Origins {    //meter: the origins of an explanation: a few
		if x.Key != "" { // the step that says most
			o = x
			break
		}
	}
	if o.Key != "" {
		owner := "the object"
		if s, ok := strings.CutSuffix(e.Subject, "."+o.Key); ok {
			owner = s
		}
		switch {
		case o.Of == "Promise":
			return fmt.Sprintf("%s is a promise: write (await %s).%s", owner, owner, o.Key)
		case o.Of == "Function" && o.Key != "prototype":
			return fmt.Sprintf("%s is a function: call it, %s(…).%s", owner, owner, o.Key)
		}
		f.Suggestions = closest(o.Key, o.Keys)
	}
	s := o.Text
	if e.Subject != "" {
		s = fmt.Sprintf("%s is %s: %s", e.Subject, e.Value, o.Text)
	}
	if o.Line != f.Line || o.File != f.File {
		s += at(o.File, o.Line, o.Column)
	}
	if len(f.Suggestions) > 0 {
		s += "; did you mean " + strings.Join(f.Suggestions, " or ") + "?"
	}
	return s
}

// messageHint is what the message alone tells.
func (f *Failure) messageHint() string {
	if m := reReading.FindStringSubmatch(f.Message); m != nil {
		what := receiver(f.SourceLine, m[2])
		if what == "" || what == m[1] {
			return fmt.Sprintf("check for %s before using .%s, or write ?.%s", m[1], m[2], m[2])
		}
		return fmt.Sprintf("%s is %s here; check it first, or write %s?.%s", what, m[1], what, m[2])
	}
	if reNotIterable.MatchString(f.Message) {
		return "only arrays, strings, Map, Set and iterators can be spread or looped over; for an object use Object.entries()"
	}
	for _, h := range messageHints {
		if strings.Contains(f.Message, h.part) {
			return h.hint
		}
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
scan:
	for start > 0 { //meter: a line of the source text, in a report
		switch c := line[start-1]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.' || c == '#':
			start--
		case c == '?' && start < len(line) && line[start] == '.':
			start--
		case c == ')' || c == ']':
			open := opening(line[:start])
			if open < 0 {
				return ""
			}
			start = open
		default:
			break scan
		}
	}
	s := strings.TrimLeft(line[start:i], ".")
	if s == "" || s[0] >= '0' && s[0] <= '9' || s[0] == '(' || s[0] == '[' || len(s) > 60 {
		return ""
	}
	return s
}

// opening finds the bracket that the one at the end of s closes; -1 if it is on
// another line. Brackets in strings are taken for brackets.
func opening(s string) int {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- { //meter: a line of the source text, in a report
		switch s[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
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
	for start > 0 && len(before)-start < 16 && identifier.MatchString(before[start-1:]) { //meter: a line of the source text, in a report
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
