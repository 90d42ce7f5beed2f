package transpile

import (
	"sort"
	"strings"
	"sync"
)

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// tables are the names of the language.
type tables struct {
	functions  map[string]bool            // global functions that are called in expressions
	namespaces map[string]map[string]bool // methods of the namespaces
	constants  map[string]map[string]bool // their constants
	methods    map[string]bool            // methods of values
	values     map[string]bool            // global values
	operators  map[string]bool            // binary
}

var names = sync.OnceValue(func() *tables {
	t := &tables{
		functions: setOf("parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent Set Date filter"),
		values:    setOf("undefined NaN Infinity"),
		operators: setOf("+ - * / % ** < > <= >= == != === !=="),
		namespaces: map[string]map[string]bool{
			"Math":    setOf("abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt tan tanh trunc"),
			"JSON":    setOf("parse stringify"),
			"Array":   setOf("from of isArray"),
			"Object":  setOf("keys values entries assign fromEntries hasOwn"),
			"String":  setOf("fromCharCode fromCodePoint"),
			"Number":  setOf("isNaN isFinite isInteger isSafeInteger parseFloat parseInt"),
			"console": setOf("log info warn error debug"),
			"Date":    setOf("now parse"),
			"Schema":  setOf("object array record union tuple enum const fromExample infer response isValid"),
		},
		constants: map[string]map[string]bool{
			"Math":   setOf("PI E LN2 LN10 LOG2E LOG10E SQRT2 SQRT1_2"),
			"Number": setOf("MAX_VALUE MIN_VALUE MAX_SAFE_INTEGER MIN_SAFE_INTEGER POSITIVE_INFINITY NEGATIVE_INFINITY NaN EPSILON"),
			"Schema": setOf("string number integer boolean null any undefined email uuid ipv4 url datetime date emoji"),
		},
		methods: setOf(`at charAt charCodeAt codePointAt concat startsWith endsWith includes indexOf lastIndexOf
localeCompare normalize padStart padEnd repeat slice substring substr split replace replaceAll match search
toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase trim trimStart trimEnd trimLeft trimRight toWellFormed isWellFormed
toString valueOf toFixed toExponential toPrecision toLocaleString
copyWithin fill pop shift reverse push unshift join sort toSorted toReversed splice toSpliced with flat
hasOwnProperty propertyIsEnumerable
add remove has clear toArray toJSON union intersection diff
isBefore isAfter format
getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset
getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds
setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime
setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds
toISOString toDateString toTimeString toUTCString toLocaleDateString toLocaleTimeString`),
	}
	return t
})

// forbidden are names that no variable may have.
func forbidden(name string) bool {
	return name == "__proto__" || name == "constructor" || name == "prototype"
}

// A global is one that JavaScript has and AJS has not: what the message says,
// and what to write.
type global struct{ message, fix string }

var unsupportedGlobals = sync.OnceValue(func() map[string]global {
	m := map[string]global{
		"RegExp":      {"RegExp is not available. Use string methods or the regexMatch atom.", "const ok = regexMatch({ pattern: '^a+$', value: text })"},
		"Promise":     {"Promise is not needed. All operations are implicitly async.", "const a = httpFetch({ url: urlA })\nconst b = httpFetch({ url: urlB })"},
		"Map":         {"Map is not available. Use plain objects instead.", "let counts = { a: 1 }\ncounts = { ...counts, b: 2 }"},
		"Function":    {"Function constructor is not available. Define functions normally.", "function double(x) { return x * 2 }"},
		"eval":        {"eval is not available. Code is compiled, not evaluated.", "const r = runCode({ code: source, args: {} })"},
		"setTimeout":  {"setTimeout is not available. Use the delay atom.", "delay({ ms: 1000 })"},
		"setInterval": {"setInterval is not available. Use while loops with delay.", "while (tries < 5) {\n  delay({ ms: 1000 })\n  tries = tries + 1\n}"},
		"fetch":       {"fetch is not available. Use the httpFetch atom.", "const data = httpFetch({ url: 'https://example.com/data.json' })"},
		"require":     {"require is not available. Atoms must be registered with the VM.", "const data = httpFetch({ url: 'https://example.com/data.json' })"},
		"globalThis":  {"globalThis is not available. Use builtins directly.", "const n = parseInt(text, 10)"},
	}
	for n, fix := range map[string]string{"WeakSet": "const seen = Set([])", "WeakMap": "let cache = { key: 'value' }", "Symbol": "const id = uuid()", "Proxy": "const view = { ...source, extra: 1 }", "Reflect": "const keys = Object.keys(source)"} {
		m[n] = global{n + " is not available.", fix}
	}
	for n, fix := range map[string]string{"process": "function main({ apiKey: '' }) {\n  return { apiKey }\n}", "window": "const n = parseInt(text, 10)", "document": "const page = httpFetch({ url: 'https://example.com/', responseType: 'text' })", "global": "const n = parseInt(text, 10)"} {
		m[n] = global{n + " is not available. AsyncJS runs in a sandboxed environment.", fix}
	}
	return m
})

// newAdvice is what the message about `new X` ends with, and the code.
var newAdvice = map[string]global{
	"Date":    {" Use Date() or Date('2024-01-15') instead - no 'new' needed.", "const d = Date('2024-01-15')"},
	"Set":     {" Use Set([items]) instead - no 'new' needed.", "const seen = Set(['a', 'b'])"},
	"Map":     {" Use plain objects instead of Map.", "let counts = { a: 1 }\ncounts = { ...counts, b: 2 }"},
	"Array":   {" Use array literals like [1, 2, 3] instead.", "const xs = [1, 2, 3]"},
	"Object":  {" Use object literals like { key: value } instead.", "const o = { key: 'value' }"},
	"Error":   {" Return an error object like { error: 'message' } instead.", "return { error: 'message' }"},
	"RegExp":  {" Use string methods or the regexMatch atom.", "const ok = regexMatch({ pattern: '^a+$', value: text })"},
	"Promise": {" Not needed - all operations are implicitly async.", "const data = httpFetch({ url: 'https://example.com/' })"},
}

// methodAdvice is code for methods that JavaScript has and AJS has not.
var methodAdvice = map[string]string{
	"matchAll":      "const parts = text.match(/[a-z]+/g)",
	"reduceRight":   "const total = xs.toReversed().reduce((acc, x) => acc + x, 0)",
	"findLast":      "const last = xs.toReversed().find(x => x > 1)",
	"findLastIndex": "const i = xs.lastIndexOf(value)",
	"keys":          "const keys = Object.keys(o)",
	"values":        "const values = Object.values(o)",
	"entries":       "const pairs = Object.entries(o)",
	"then":          "const data = httpFetch({ url })\nconst n = data.length",
	"catch":         "try {\n  const data = httpFetch({ url })\n  return { data }\n} catch (e) {\n  return { error: e }\n}",
	"finally":       "let data = null\ntry {\n  data = httpFetch({ url })\n} catch (e) {\n  data = null\n}",
	"call":          "const r = helper(a, b)",
	"apply":         "const r = helper(a, b)",
	"bind":          "const r = helper(a, b)",
	"delete":        "const seen = Set(['a'])\nseen.remove('a')",
	"get":           "const v = o[key]",
	"set":           "o = { ...o, [key]: value }",
	"json":          "const data = httpFetch({ url, responseType: 'json' })",
	"text":          "const page = httpFetch({ url, responseType: 'text' })",
	"test":          "const ok = regexMatch({ pattern: '^a+$', value: text })",
	"exec":          "const m = text.match(/(a+)b/)",
}

// sorted lists the members of a set in order.
func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// nearest returns the name that word was probably meant to be, or "".
func nearest(word string, among []string) string {
	best, score := "", 3
	switch {
	case len(word) < 3:
		return ""
	case len(word) < 4:
		score = 2
	}
	for _, n := range among {
		if d := distance(word, n, score); d < score {
			best, score = n, d
		}
	}
	return best
}

// distance is the edit distance of two words, or most if it is at least that.
func distance(a, b string, most int) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > 64 || len(b) > 64 || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := prev
			if a[i-1] != b[j-1] {
				cost++
			}
			prev = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return min(row[len(b)], most)
}
