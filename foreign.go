package pinfold

import "strings"

// foreign are names of other languages and of other environments, and what to
// write here. Names of one meaning share a line.
var foreign = func() map[string]string {
	table := map[string]string{}
	for _, row := range []struct{ names, hint string }{
		// Other languages.
		{"len sizeof", "use .length"},
		{"append", "use push: list.push(item)"},
		{"print println puts printf echo say write puts! var_dump print_r pp", "use console.log"},
		{"None nil NULL nullptr Nil NIL", "use null"},
		{"True TRUE", "use true"},
		{"False FALSE", "use false"},
		{"elif elsif elseif", "use else if"},
		{"unless", "use if (!…)"},
		{"def fn func fun sub lambda proc", "use function, or an arrow: (x) => …"},
		{"pass", "an empty block { } does nothing"},
		{"raise", "use throw new Error(…)"},
		{"except rescue", "use catch"},
		{"begin end", "blocks are written with { }"},
		{"foreach", "use for (const x of list)"},
		{"self Self", "use this"},
		{"and", "use &&"}, {"or", "use ||"}, {"not", "use !"}, {"is", "use ==="},
		{"str repr", "use String(x)"},
		{"int float double intval floatval", "use Number(x), and Math.trunc for a whole number"},
		{"bool", "use Boolean(x)"},
		{"list tuple vector Vec", "use an array: [ ] or Array.from(…)"},
		{"dict hash HashMap", "use an object { } or new Map()"},
		{"set HashSet", "use new Set()"},
		{"range xrange", "use a for loop, or Array.from({ length: n }, (_, i) => i)"},
		{"enumerate", "use list.entries(), or the second parameter of forEach and map"},
		{"zip", "use a.map((x, i) => [x, b[i]])"},
		{"sorted", "use list.toSorted(compare)"},
		{"reversed", "use list.toReversed()"},
		{"sum", "use list.reduce((a, b) => a + b, 0)"},
		{"min max abs round floor ceil sqrt pow sin cos tan log exp random pi PI", "it is in Math: Math.…"},
		{"isinstance type", "use typeof x, or x instanceof C"},
		{"map filter reduce", "it is a method of arrays: list.…(…)"},
		{"any", "use list.some(…)"}, {"all", "use list.every(…)"},
		{"ord", "use s.codePointAt(0)"}, {"chr", "use String.fromCodePoint(n)"},
		{"hex", "use n.toString(16)"}, {"bin", "use n.toString(2)"},
		{"json", "use JSON.parse and JSON.stringify"}, {"datetime", "use Date"}, {"math", "use Math"}, {"re", "use a regular expression: /…/"},
		{"exit quit die", "use return to end the program"},
		{"raw_input gets readline prompt", "use input: the data that the program was given"},
		{"sleep delay", "there is no waiting here unless the host gives timers"},
		{"strlen count", "use .length"}, {"isset empty", "compare with undefined, or use ?? and ?."},
		{"array_map array_filter", "use list.map, list.filter"}, {"implode join", "use list.join(separator)"}, {"explode split", "use text.split(separator)"},

		// Node and Deno and Bun.
		{"require", "there is no require here; what the host offers are plain functions and import"},
		{"module", "write export default instead of module.exports"},
		{"exports", "write export instead of exports"},
		{"process", "there is no process, environment or command line here; use input"},
		{"__dirname __filename fs path os child_process http https net Deno Bun", "there are no files, processes or servers here but what the host's functions give"},
		{"Buffer", "use Uint8Array, TextEncoder and TextDecoder"},
		{"global", "use globalThis"},
		{"setImmediate", "use queueMicrotask, or await null"},
		{"util", "console.log shows values in depth; there is no module util here"},
		{"axios", "there is no network here but what the host's functions give"},
		{"_ lodash", "there is no lodash here; arrays and Object have most of it: groupBy, toSorted, structuredClone"},
		{"moment dayjs luxon", "there is no such library here; use Date and Intl.DateTimeFormat"},
		{"$ jQuery", "there is no jQuery and no document here"},
		{"React", "there is no React here"},

		// Browsers.
		{"fetch XMLHttpRequest WebSocket EventSource", "there is no network here but what the host's functions give"},
		{"window frames parent", "there is no browser here; use globalThis"},
		{"document navigator location history screen HTMLElement Element Node Event customElements DOMParser", "there is no browser here"},
		{"localStorage sessionStorage indexedDB caches", "there is no browser here; nothing outlives a run but its result"},
		{"alert confirm", "use console.log"},
		{"requestAnimationFrame", "there is no browser here"},
		{"Worker SharedWorker MessageChannel BroadcastChannel", "a program has one thread here; use promises"},
		{"performance", "use Date.now()"},
		{"Blob File FormData FileReader", "use Uint8Array and strings"},
		{"WebAssembly", "there is no WebAssembly here"},
		{"SharedArrayBuffer", "there is no shared memory here; use ArrayBuffer"},
		{"Temporal", "there is no Temporal here; use Date and Intl.DateTimeFormat"},
		{"AbortController AbortSignal", "there is nothing to abort here; host functions end with the run"},
		{"setTimeout setInterval clearTimeout clearInterval", "there are no timers here unless the host switches them on (Options.Timers); await a promise, or use a loop"},
	} {
		for _, n := range strings.Fields(row.names) { //meter: a constant
			table[n] = row.hint
		}
	}
	return table
}()

// foreignName finds what to write instead of a name.
func foreignName(name string) (string, bool) {
	s, ok := foreign[name]
	if ok && strings.HasSuffix(s, "Math.…") {
		s = "it is in Math: Math." + name
		if name == "pi" {
			s = "it is in Math: Math.PI"
		}
	}
	return s, ok
}

// foreignMethods are methods of other languages, and the method here. The first
// word of a hint is a method, if there is one.
var foreignMethods = map[string]string{
	"append": "push", "add": "push (arrays) or add (Set)", "contains": "includes", "len": "length (a property)", "size": "length (arrays and strings)",
	"length": "length (a property, not a method)", "remove": "splice or filter", "removeAt": "splice", "insert": "splice", "extend": "push(...items)",
	"has": "includes (arrays) or in (objects)", "has_key": "in, or Object.hasOwn()", "hasKey": "in, or Object.hasOwn()", "containsKey": "has (Map) or in (objects)",
	"trimLeft": "trimStart", "trimRight": "trimEnd", "strip": "trim", "lstrip": "trimStart", "rstrip": "trimEnd",
	"upper": "toUpperCase", "lower": "toLowerCase", "upcase": "toUpperCase", "downcase": "toLowerCase", "toUpper": "toUpperCase", "toLower": "toLowerCase",
	"capitalize": "s[0].toUpperCase() + s.slice(1)", "title": "toUpperCase on the first letter of each word",
	"startswith": "startsWith", "endswith": "endsWith", "starts_with": "startsWith", "ends_with": "endsWith",
	"isEmpty": "length === 0", "empty": "length === 0", "first": "at(0)", "last": "at(-1)", "get": "at (arrays), or [key] (objects)",
	"sum": "reduce((a, b) => a + b, 0)", "items": "Object.entries()", "keys": "Object.keys()", "values": "Object.values()", "entries": "Object.entries()",
	"forEach": "for…of over Object.entries(), or an array",
	"map":     "an array: Object.values() or Object.entries() give one, [...iterable] too",
	"filter":  "an array: Object.values() or Object.entries() give one, [...iterable] too",
	"reduce":  "an array: Object.values() or Object.entries() give one, [...iterable] too",
	"each":    "forEach", "select": "filter", "where": "filter", "collect": "map", "detect": "find", "inject": "reduce", "fold": "reduce",
	"count": "filter(…).length", "unique": "[...new Set(list)]", "uniq": "[...new Set(list)]", "distinct": "[...new Set(list)]",
	"format": "a template literal", "equals": "===", "charCodeat": "charCodeAt", "sub": "replace", "gsub": "replaceAll", "replace_all": "replaceAll",
	"substr_count": "split(…).length - 1", "push_back": "push", "pop_front": "shift", "index": "indexOf", "find_index": "findIndex", "toStr": "toString", "to_s": "toString",
	"to_string": "toString", "toInt": "Math.trunc(Number(…))", "toJson": "JSON.stringify", "groupBy": "Object.groupBy(list, fn)", "flatten": "flat", "clone": "structuredClone",
	"copy": "slice (arrays) or structuredClone", "sort_by": "sort((a, b) => …)", "sortBy": "toSorted((a, b) => …)", "then": "await on a promise; this value is none",
	"json": "JSON.parse(…), if this is text", "addAll": "push(...items)", "putAll": "Object.assign", "put": "set (Map)", "isdigit": "a test: /^\\d+$/.test(s)", "zfill": "padStart(n, '0')",
	"ljust": "padEnd", "rjust": "padStart", "reversed": "toReversed", "toArray": "[...iterable] or Array.from()", "toList": "[...iterable] or Array.from()",
}

// messageHints are for messages that are about one thing only.
var messageHints = []struct{ part, hint string }{
	{"Assignment to constant variable", "declare it with let if it changes"},
	{"before initialization", "move the declaration above its first use; let, const and class don't exist before their line"},
	{"Converting circular structure to JSON", "leave the property that leads back out, or give JSON.stringify a replacer"},
	{"Do not know how to serialize a BigInt", "turn it into text first: String(n), or give JSON.stringify a replacer"},
	{"Cannot mix BigInt and other types", "make both sides the same: BigInt(n) or Number(b)"},
	{"Class constructor", "write new in front of it"},
	{"is not a constructor", "only classes and functions written with function can be called with new"},
	{"Reduce of empty array with no initial value", "give reduce a second argument, the start value"},
	{"Invalid array length", "a length is a whole number from 0 to 4294967295; look at where it is computed"},
	{"Invalid time value", "the date is invalid: look at the text or numbers that it was made from, with isNaN(date)"},
	{"toFixed() digits", "give 0 to 100 digits"},
	{"Cannot assign to read only property", "the object is frozen or the property is read-only: make a copy, { ...object }, and change that"},
	{"object is not extensible", "the object is frozen or sealed: make a copy, { ...object }, and change that"},
	{"Cannot delete property", "the object is frozen or sealed: make a copy without the property"},
	{"Cannot convert undefined or null to object", "check the value first, or use ?? {}"},
	{"in JSON at position", "look at the text that is parsed: JSON needs double quotes, no trailing commas, no comments"},
	{"is not valid JSON", "look at the text that is parsed: JSON needs double quotes, no trailing commas, no comments"},
	{"Unexpected end of JSON input", "the text that is parsed ends too early, or is empty"},
	{"Invalid regular expression", "a special character may need a backslash"},
	{"Must call super constructor", "call super(…) before this in the constructor of a class that extends another"},
	{"Cannot convert a Symbol value", "use symbol.toString() or symbol.description"},
	{"Private field", "only methods written inside the class body can use its # names"},
	{"Invalid Date", "look at the text or numbers that the date was made from"},
}
