package hostile_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold"
)

// A chooser makes the choices of a generator. Its numbers come from a seed, or
// from a fuzzer's bytes, and then the simplest when those are used up.
type chooser struct {
	rand *rand.Rand
	data []byte
}

func seeded(seed uint64) *chooser { return &chooser{rand: rand.New(rand.NewPCG(seed, 3))} }

func (c *chooser) n(n int) int {
	switch {
	case c.rand != nil:
		return c.rand.IntN(n)
	case len(c.data) == 0:
		return 0
	case n <= 256 || len(c.data) == 1:
		x := int(c.data[0])
		c.data = c.data[1:]
		return x % n
	}
	x := int(binary.LittleEndian.Uint16(c.data))
	c.data = c.data[2:]
	return x % n
}

func (c *chooser) of(s ...string) string { return s[c.n(len(s))] }

// builtins are the functions of the realm, found by walking the global object:
// the path of each, and the class whose instances it is a method of, if any.
type builtin struct{ path, class string }

var builtins = sync.OnceValue(func() []builtin {
	s, err := pinfold.New(pinfold.Options{Timers: true})
	if err != nil {
		panic(err)
	}
	o := s.Eval(context.Background(), "walk.js", `
		const seen = new Set([globalThis]), out = [];
		const member = (path, k) => typeof k === 'symbol' ? path + '[' + k.description + ']' : /^[a-zA-Z_]\w*$/.test(k) ? path + '.' + k : path + '[' + JSON.stringify(k) + ']';
		const walk = (o, path, owner, depth) => {
			if (Object(o) !== o || seen.has(o) || depth > 5) return;
			seen.add(o);
			if (typeof o === 'function') out.push([path, owner]);
			for (const k of Reflect.ownKeys(o)) {
				if (typeof k === 'symbol' && !/^Symbol\.\w+$/.test(k.description)) continue;
				const d = Object.getOwnPropertyDescriptor(o, k), key = typeof k === 'symbol' ? k.description : JSON.stringify(k);
				const at = path.endsWith('.prototype') ? path.slice(0, -10) : /^Object\.getPrototypeOf/.test(path) ? path : '';
				for (const part of ['get', 'set'])
					if (d[part] && !seen.has(d[part])) { seen.add(d[part]); out.push(['Object.getOwnPropertyDescriptor(' + path + ',' + key + ').' + part, at]) }
				if (!d.get && !d.set) walk(d.value, member(path, k), at, depth + 1);
			}
		};
		for (const k of Object.getOwnPropertyNames(globalThis)) if (!/^set(Timeout|Interval)|^clear|^console$/.test(k)) walk(globalThis[k], k, '', 0);
		for (const n of ['Int8Array', 'function*(){}', 'async function*(){}', 'async function(){}']) walk(Object.getPrototypeOf(eval('(' + n + ')')), 'Object.getPrototypeOf(' + n + ')', '', 0);
		for (const n of ['[].values()', 'new Map().values()', 'new Set().values()', "''[Symbol.iterator]()", "'x'.matchAll(/x/g)", '[].values().map(x=>x)', 'Iterator.from({next(){}})', "new Intl.Segmenter().segment('x')", "new Intl.Segmenter().segment('x')[Symbol.iterator]()", 'new URLSearchParams().entries()'])
			walk(Object.getPrototypeOf(eval('(' + n + ')')), 'Object.getPrototypeOf(' + n + ')', '', 0);
		return out.map(x => x.join('\t')).join('\n')`, nil)
	var text string
	if o.Failure != nil {
		panic(o.Failure)
	}
	if err := o.Value.Decode(&text); err != nil {
		panic(err)
	}
	var list []builtin
	for line := range strings.SplitSeq(text, "\n") {
		path, class, _ := strings.Cut(line, "\t")
		list = append(list, builtin{path, class})
	}
	return list
})

// instances are expressions for receivers of a class's methods. A class that
// isn't here is constructed with odd arguments.
var instances = map[string][]string{
	"Array":           {"[1,2,3]", "[]", "[,1,,2]", "new Array(1e5)", "new Array(2**32-1)", "Array.from({length:300},(_, i)=>i*7%31)", "Object.freeze([1,2])", "S([3,1,2])", "G([1,2,3,4])", "P([1,2,3])", "(a=>(a[70000]=1,a))([])", "[[1,[2]],[3]]", "Object.defineProperty([1,2,3],'length',{writable:false})"},
	"String":          {"'abc'", "''", "'x'.repeat(1e5)", "'\\ud800a'", "'aXbXc'", "String(I)", "'\\u00e9\\u0301'.repeat(300)", "'a'.repeat(50)+'b'", "C"},
	"Object":          {"{}", "{a:1,get b(){return E()}}", "V[1]", "P({a:1})", "null", "Object.create(null)"},
	"Function":        {"()=>1", "function(a){return a}", "class{}", "Math.max", "P(()=>1)", "F", "async()=>1", "function*(){yield 1}"},
	"Number":          {"1.5", "NaN", "2**53", "1e21", "5e-324", "-0"},
	"BigInt":          {"5n", "-(2n**64n)", "1n<<20000n", "0n"},
	"RegExp":          {"/a(b)?/g", "/(a*)*b/", "/^(?:a|ab)+$/y", "/x/dgu", "/[\\p{L}--[a-z]]/v", "R", "/(?<n>.)(?<!x)/gs", "/(?:)/g"},
	"Map":             {"new Map([[1,2],['a',I]])", "new Map(Array.from({length:200},(_, i)=>[i,i]))", "new Map"},
	"Set":             {"new Set([1,2,3])", "new Set(Array.from({length:200},(_, i)=>i))", "new Set"},
	"Date":            {"new Date(0)", "new Date(NaN)", "new Date(8.64e15)", "new Date(-1e14)"},
	"Promise":         {"Promise.resolve(1)", "Promise.reject(1)", "new Promise(F)", "Promise"},
	"ArrayBuffer":     {"new ArrayBuffer(16)", "B", "D", "new ArrayBuffer(0,{maxByteLength:1e6})", "new ArrayBuffer(8).transferToImmutable?.()"},
	"DataView":        {"new DataView(B)", "new DataView(new ArrayBuffer(16),3)", "new DataView(B,1)"},
	"Iterator":        {"[1,2,3].values()", "I[Symbol.iterator]()", "L", "Iterator.from(I)", "new Map([[1,2]]).entries()"},
	"URL":             {"new URL('http://u:p@h:1/a/b?c=d#e')", "new URL('data:x')", "new URL('file:///c|/x/..')"},
	"TextDecoder":     {"new TextDecoder", "new TextDecoder('utf-16le',{fatal:true})", "new TextDecoder('koi8-r')"},
	"Symbol":          {"Symbol('x')", "Symbol.iterator", "Symbol.for('y')"},
	"WeakMap":         {"new WeakMap([[V,1]])"},
	"WeakRef":         {"new WeakRef(V)"},
	"Generator":       {"(function*(){try{yield 1}finally{E()}})()"},
	"SuppressedError": {"new SuppressedError(1,2,'x')"},
}

// typedArray are receivers of the methods of typed arrays.
var typedArray = []string{"new Uint8Array(100)", "new Uint8Array(B)", "new Float64Array(B,0,1)", "U", "new BigInt64Array(4)", "new Uint16Array(D0)", "new Int32Array(B)", "new Float16Array([1,NaN,-0])", "new Uint8ClampedArray(5e4)"}

// apt are arguments that a method, by its name, or a constructor, by its path,
// does real work with.
var apt = map[string][]string{
	"parse": {"'[1,{\"a\":[2,\"x\\u0041\"]},null,-1.5e3]',F", "'{\"a\":{\"b\":[]},\"__proto__\":1}'", "'['.repeat(90)+']'.repeat(90),(k,v)=>[v,v]", "'2026-01-31T09:00Z'"}, "stringify": {"V,F,2", "{a:[1,{b:'\\u2028\\ud800'}],toJSON:F},null,'ab'", "V,['a','b',1],10"},
	"zip": {"[[1,2],I,[3]]", "[[1],[2,3]],{mode:'longest',padding:I}", "[I,L],{mode:'strict'}"}, "zipKeyed": {"{a:[1],b:I},{mode:'strict'}", "{a:[1,2],b:[3]},{mode:'longest',padding:{a:1}}"}, "chunks": {"2", "3"}, "windows": {"2", "3,'allow-partial'"},
	"flatMap": {"x=>[x,[x]]", "F", "x=>I"}, "flat": {"Infinity", "2"}, "map": {"F", "x=>x"}, "filter": {"F"}, "take": {"3"}, "drop": {"1"}, "reduce": {"F", "F,0"}, "reduceRight": {"F,0"}, "forEach": {"F"}, "find": {"F"}, "findLast": {"F"}, "some": {"F"}, "every": {"F"}, "toSpliced": {"1,1,2,3"}, "splice": {"1,1,2,3", "0,2,...V"}, "copyWithin": {"0,1,3"}, "fill": {"1,0,9"}, "with": {"0,F"},
	"replace": {"/(a)(?<n>b)?/g,'$1$<n>$&$`'", "R,F", "'a',F"}, "replaceAll": {"/(?<x>.)/gsu,'[$<x>$2]'", "'',F", "'a','$&$&'"}, "split": {"/(a)|b/,5", "''", "/(?:)/u", "'a'"}, "match": {"/(?<x>a)b?/dg", "/a/y"}, "matchAll": {"/(?<x>a)b?/dg"}, "search": {"/b$/"}, "exec": {"'aabxaab'.repeat(50)", "C"}, "test": {"'aabxaab'.repeat(50)", "C"}, "compile": {"'(a|b)+','g'"},
	"padStart": {"50,'ab'"}, "padEnd": {"5000,'ab'"}, "normalize": {"'NFKD'", "'NFC'"}, "localeCompare": {"'\\u00e9','de',{numeric:true}", "C"}, "toLocaleString": {"'de',{style:'currency',currency:'EUR'}", "'ar',{dateStyle:'full'}"}, "toLocaleUpperCase": {"'tr'", "'lt'"}, "toLocaleLowerCase": {"'az'", "'lt'"}, "toString": {"2", "36"}, "toFixed": {"100"}, "toPrecision": {"100"},
	"of": {"'US'", "'en-Latn-GB'", "'zh'", "1,2,3"}, "format": {"1234.5", "new Date(0)", "['a','b','c']", "10n**50n", "-1,'day'"}, "formatToParts": {"1234.5", "new Date(0)", "['a','b']", "3,'month'"}, "formatRange": {"1,2", "0,1e12"}, "formatRangeToParts": {"1,'3e5'", "0,1e12"}, "select": {"3", "1.5"}, "selectRange": {"1,3"}, "segment": {"C", "'a b. C d\\u{1F468}\\u200d\\u{1F469}'"}, "containing": {"3"}, "compare": {"'a','\\u00e1'", "C,C"}, "supportedValuesOf": {"'timeZone'", "'unit'"},
	"sort": {"(a,b)=>a<b?1:-1", "F", "(a,b)=>(E(),a-b)"}, "toSorted": {"F", "(a,b)=>b-a"}, "set": {"[1,2,3],1", "U", "U,1", "1,I"}, "get": {"1", "'a'"}, "groupBy": {"V,F", "I,x=>x%3"}, "fromAsync": {"I,F", "[1,Promise.resolve(2)]", "L"}, "from": {"I,F", "{length:5,0:1},F", "'a\\u{1F600}'", "new Set([1,2])"}, "fromEntries": {"new Map([[1,2]])", "[[I,1]]"}, "assign": {"V[0],P({a:1,b:2}),'xy'"}, "defineProperties": {"{},P({a:{value:1}})"}, "defineProperty": {"V,'length',{value:2}", "[],'0',{get:F}"},
	"use": {"{[Symbol.dispose]:F,[Symbol.asyncDispose]:F}"}, "adopt": {"V,F"}, "defer": {"F"}, "then": {"F,F"}, "finally": {"F"}, "all": {"[1,Promise.resolve(2),{then:F}]", "I"}, "allSettled": {"[Promise.reject(1),I]"}, "any": {"[Promise.reject(1),Promise.reject(2)]"}, "race": {"I"}, "allKeyed": {"{a:1,b:Promise.reject(2)}"}, "allSettledKeyed": {"P({a:1,b:I})"}, "withResolvers": {""}, "structuredClone": {"new Map([[V,I.length],[/a/,new Date]])", "{a:new Error('x'),b:[U,B]}", "B,{transfer:[D0]}"},
	"union": {"N", "M", "{size:3,has:F,keys:()=>[1,2].values()}"}, "intersection": {"{size:1,has:F,keys:()=>[1].values()}", "N"}, "isSupersetOf": {"{size:1,has:F,keys:()=>[1].values()}"}, "difference": {"{size:1,has:F,keys:()=>L}", "M"}, "getOrInsertComputed": {"5,F", "'k',()=>{M.clear();return 1}"}, "setFromBase64": {"'AQIDBAUG'"}, "setFromHex": {"'01020304'"}, "fromBase64": {"'AQID\\n BAUG',{lastChunkHandling:'loose'}"}, "fromHex": {"'0102'"}, "getRandomValues": {"new Uint8Array(100)", "U.subarray?.(0)"}, "resize": {"16", "1<<16", "0"}, "transfer": {"100"}, "setFloat64": {"0,E()"}, "subarray": {"1,3"}, "slice": {"1,-1"}, "decode": {"new Uint8Array([0xf0,0x9f,0x98,0x80,0xff])", "U,{stream:true}"}, "encodeInto": {"C,new Uint8Array(50)"}, "append": {"'a','b'"},
	"Intl.DisplayNames": {"'en',{type:'region'}", "'ja',{type:'language'}"}, "Intl.NumberFormat": {"'de',{style:'currency',currency:'EUR'}", "'en',{notation:'compact'}", "'hi',{style:'unit',unit:'liter-per-kilometer'}"}, "Intl.DateTimeFormat": {"'en',{dateStyle:'full',timeZone:'Asia/Tokyo'}", "'ar-u-nu-arab',{hour:'numeric',weekday:'long'}"}, "Intl.Segmenter": {"'en',{granularity:'word'}", "'en',{granularity:'sentence'}"}, "Intl.ListFormat": {"'es',{type:'unit'}"}, "Intl.Collator": {"'zh-u-co-pinyin'", "'de',{numeric:true,ignorePunctuation:true}"}, "Intl.Locale": {"'en-u-nu-arab-hc-h12'", "'zh-Hant-TW',{numeric:true}"}, "Intl.PluralRules": {"'ar',{type:'ordinal'}"}, "Intl.RelativeTimeFormat": {"'pl',{numeric:'auto'}"},
	"Proxy": {"{},O", "V,{get:F,ownKeys:()=>V}"}, "Map": {"[[1,2],['a',I]]"}, "Set": {"I"}, "RegExp": {"'(a+)+b','gu'", "'(?<=a)(?<n>b|c){2,5}','v'", "R,'y'"}, "Function": {"'a','return a'", "'...a','return a.length'"}, "Promise": {"F", "(r,j)=>r({then:F})"}, "ArrayBuffer": {"64,{maxByteLength:1<<16}"}, "URL": {"'../x?y#z','http://u@h:8/p/q'", "'http://\\u00e9.com'"}, "URLSearchParams": {"'a=1&b=%20'", "[['a','b']]", "{a:1}"}, "AggregateError": {"I,'m',{cause:V}"}, "eval": {"'var q=1;V[q]'", "'(class{static x=E()}).x'", "'/(?<a>x)/.exec(C)'"},
}

// odd are argument expressions.
var odd = []string{
	"0", "-0", "1", "2", "-1", "0.5", "NaN", "Infinity", "-Infinity", "2**31", "2**32-1", "2**32", "2**53-1", "2**53", "-(2**53)", "1e21", "1e9", "3e5", "65536", "100",
	"''", "'a'", "'x'.repeat(1e5)", "'\\ud800'", "'1'.repeat(1000)", "'-0'", "'length'", "'__proto__'", "'constructor'", "'2026-01-01'", "'en'", "'de-u-co-phonebk-kn'", "'ar-u-nu-mathsans'", "'Asia/Tokyo'", "'currency'", "'USD'", "'$<n>$&$`'", "'a,b'.repeat(500)", "'utf-16be'", "'http://h/?a=b'", "'%41%zz'", "'(a+)+'", "'('", "'gimsuyd'", "'v'", "'[1,{\"a\":2}]'", "'return 1'", "'NFKD'",
	"0n", "1n", "-(2n**63n)", "1n<<50000n", "10n**400n", "undefined", "null", "true", "false",
	"Symbol('s')", "Symbol.iterator", "Symbol.toPrimitive", "Symbol.species",
	"{length:2**53-1}", "{length:2**32-1,0:1,5:2}", "{length:-1}", "{length:4,0:1,1:'b',2:{},3:null}", "{get length(){E();return 5}}", "{length:{valueOf(){E();return 1e6}}}", "{length:2**53-1,2:1,get 3(){E()}}",
	"{valueOf(){E();return 3}}", "{toString(){E();return 'k'}}", "{[Symbol.toPrimitive](){return 2**53-1}}", "{valueOf:null,toString:null}", "{then:F}", "{get then(){E();return F}}", "{next:F,return:F}", "{size:2**53-1,has:F,keys:()=>L}", "{size:3,has:F,keys:F}",
	"F", "()=>1", "()=>true", "()=>false", "x=>x", "(a,b)=>a<b?1:-1", "(a,b)=>{E();return 1}", "class extends Array{}", "class{constructor(){E()}}", "function*(){yield 1}", "async()=>{await 1;E()}", "Array", "Promise", "Object", "Uint8Array", "RegExp", "F.bind(null,1)", "P(()=>1)",
	"[]", "[1,2,3]", "[[1,2],[3,4]]", "[,1]", "new Array(1e5)", "new Array(2**32-1)", "S([1,2,3])", "G([1,2,3])", "[Infinity,NaN,'x',1n]", "Array.from({length:1000},(_, i)=>i)",
	"{}", "{a:1,b:{c:[1]}}", "Object.create(null)", "O", "P({})", "P([1,2])", "Q", "globalThis", "V", "I", "L", "C", "new Map([[1,2]])", "new Set([1,'a'])", "new Date(0)", "/a/g", "R", "new Error('m',{cause:V[0]})", "Promise.resolve(1)", "arguments",
	"B", "D", "U", "new Uint8Array(B)", "new Float32Array([1,2])", "new DataView(B)", "new ArrayBuffer(8)", "{maxByteLength:1<<20}", "{maxByteLength:2**53}",
	"V[0]", "V[1]", "V[2]", "V[3]", "V[4]", "V[5]", "V[6]", "V[7]",
}

// prelude defines what programs are made of. E() is the effect: it changes what
// others are walking over.
const prelude = `
let budget = 40;
const T = f => { try { return f() } catch (e) { return e } };
const B = new ArrayBuffer(64, {maxByteLength: 1 << 16}), U = new Float64Array(B), D0 = new ArrayBuffer(32), D = new ArrayBuffer(8);
D.transfer();
const V = [];
const effects = [
	() => V.length = 3, () => V.push(1, 2), () => B.resize(8), () => B.resize(1 << 16), () => B.resize(0), () => B.resize(64), () => D0.transfer(), () => { throw new Error('effect') },
	() => V.fill([]), () => Array.prototype[3] = 9, () => delete Array.prototype[3], () => Object.setPrototypeOf(V[0], null), () => { for (let i = 0; i < 300; i++) V[i % 9] = {i} },
	() => Object.freeze(V[1]), () => delete V[2], () => V.reverse(), () => W.exec = F, () => delete W.exec, () => M.clear(), () => M.set({}, 1), () => N.add(M.size), () => N.clear(),
	() => Array.prototype[Symbol.iterator] = function* () { yield* 'ab' }, () => Object.prototype.then = 1, () => delete Object.prototype.then, () => V.length = 100, () => V.sort(), () => V.splice(0, 2),
];
let turn = 0;
const E = () => { if (budget-- > 0) { const e = effects[turn = (turn * 7 + 3 + SALT) % effects.length]; e() } return budget % 5 };
const F = function (...a) { E(); return a[0] };
const P = x => new Proxy(x, {get(t, k, r) { E(); return Reflect.get(t, k, r) }, has(t, k) { E(); return Reflect.has(t, k) }, ownKeys(t) { E(); return Reflect.ownKeys(t) }, set(t, k, v) { E(); return Reflect.set(t, k, v) }, getOwnPropertyDescriptor(t, k) { E(); return Reflect.getOwnPropertyDescriptor(t, k) }});
const Q = (() => { const r = Proxy.revocable([], {}); r.revoke(); return r.proxy })();
const S = a => { a.constructor = {[Symbol.species]: function (n) { E(); return SPECIES }}; return a };
const G = a => { Object.defineProperty(a, 1, {get() { E(); return a }, set(v) { E() }, configurable: true, enumerable: true}); return a };
const M = new Map([[1, 2], [3, 4], ['k', {}]]), N = new Set([1, 2, 3]), W = /(a)|(b)?/g, R = /(?<n>a+)+b|x/g;
const I = {[Symbol.iterator]() { let n = 0; return {next() { E(); return {value: n++, done: n > LENGTH} }, return() { E(); return {} }} }, get length() { E(); return 3 }};
const L = (function* () { for (;;) { yield E(); } })();
const C = ('ab' + 'c'.repeat(2000)) + ('d' + 'é'.repeat(2000)).slice(1);
const O = new Proxy({}, {get(t, k) { E(); return OPTION }, has: () => true});
V.push({a: 1}, [1, 2, 3], 'text', M, N, U, W, 10n);
(function () {
`

// generator makes a program.
type generator struct {
	*chooser
	b     strings.Builder
	depth int
}

func generate(c *chooser) string {
	g := &generator{chooser: c}
	p := strings.NewReplacer(
		"SALT", fmt.Sprint(g.n(28)), "SPECIES", g.of("new Array(n)", "V", "P([])", "new Uint8Array(4)", "{}", "{length:2**53-1}", "a"), "LENGTH", g.of("3", "0", "1000", "Infinity", "50"),
		"OPTION", g.of("k", "undefined", "V[0]", "'long'", "2**53", "F", "2", "'x'.repeat(1e4)", "I", "'en'", "typeof k === 'symbol' ? undefined : 'numeric'"),
	).Replace(prelude)
	g.b.WriteString(p)
	for range 4 + g.n(24) {
		g.statement()
		g.b.WriteByte('\n')
	}
	fmt.Fprintf(&g.b, "}).call({}, 1, [2], 'three')\n%s", g.of("typeof V[1]", "throw V[2]", "V[0].a.b.c", "V.length", "null[V[2]]", "V[3]()", "Promise.reject(V[1])"))
	return g.b.String()
}

func (g *generator) put(s ...string) {
	for _, x := range s {
		g.b.WriteString(x)
	}
}

func (g *generator) value() string {
	if g.n(12) == 0 && g.depth < 3 {
		g.depth++
		defer func() { g.depth-- }()
		return g.call()
	}
	return odd[g.n(len(odd))]
}

// operand is a value where an expression stands among others.
func (g *generator) operand() string { return "(" + g.value() + ")" }

func (g *generator) args() string {
	n := g.of("1", "2", "3", "0", "1", "2", "4")
	var a []string
	for range int(n[0] - '0') {
		v := g.value()
		if g.n(25) == 0 {
			v = "...(" + v + ")"
		}
		a = append(a, v)
	}
	return strings.Join(a, ",")
}

// argsFor returns arguments for a call of a path, apt ones more often than not.
func (g *generator) argsFor(path string) string {
	list := apt[path]
	if list == nil {
		list = apt[path[strings.LastIndexByte(path, '.')+1:]]
	}
	if list == nil || g.n(5) < 2 {
		return g.args()
	}
	return list[g.n(len(list))]
}

func (g *generator) instance(class string) string {
	if strings.HasPrefix(class, "Object.getPrototypeOf(") && strings.HasSuffix(class, ")") && g.n(5) > 0 {
		expr := class[len("Object.getPrototypeOf(") : len(class)-1]
		switch {
		case expr == "Int8Array" || expr == "Uint8Array":
			return typedArray[g.n(len(typedArray))]
		case strings.Contains(expr, "function"):
			return "(" + expr + ")"
		}
		return "(" + expr + ")"
	}
	if strings.Contains(class, "Array") && class != "Array" && g.n(5) > 0 {
		return typedArray[g.n(len(typedArray))]
	}
	switch list := instances[class]; {
	case g.n(6) == 0, class == "":
		return g.value()
	case list != nil:
		return list[g.n(len(list))]
	}
	return "new " + class + "(" + g.argsFor(class) + ")"
}

func (g *generator) call() string {
	all := builtins()
	f := all[g.n(len(all))]
	if strings.HasPrefix(f.path, "Object.getPrototypeOf(Int8Array)") && f.class == "" {
		f.class = "Uint8Array"
	}
	switch k := g.n(12); {
	case f.class != "" && k > 0:
		sep := ","
		a := g.argsFor(f.path)
		if a == "" {
			sep = ""
		}
		return fmt.Sprintf("%s.call(%s%s%s)", f.path, g.instance(f.class), sep, a)
	case k == 1 && !strings.HasPrefix(f.path, "Object.getOwn"), k < 7 && f.path[0] >= 'A' && f.path[0] <= 'Z' && !strings.ContainsAny(f.path, "."), k < 7 && strings.HasPrefix(f.path, "Intl.") && strings.Count(f.path, ".") == 1:
		return "new " + parens(f.path) + "(" + g.argsFor(f.path) + ")"
	case k == 2:
		return fmt.Sprintf("Reflect.apply(%s,%s,%s)", f.path, g.value(), g.value())
	case k == 3:
		return fmt.Sprintf("Reflect.construct(%s,[%s],%s)", f.path, g.args(), g.of("Array", "Object", "class{}", "F", "Map", "P(class{})"))
	}
	return f.path + "(" + g.argsFor(f.path) + ")"
}

func parens(path string) string {
	if strings.Contains(path, "(") {
		return "(" + path + ")"
	}
	return path
}

func (g *generator) slot() string { return fmt.Sprint("V[", g.n(9), "]") }

func (g *generator) statement() {
	v, w := g.slot(), g.slot()
	switch g.n(30) {
	case 0:
		g.put("T(()=>{for(const x of ", g.operand(), "){if(budget--<0)break;", v, "=x;E()}});")
	case 1:
		g.put("T(()=>{for(const k in ", g.operand(), "){if(budget--<0)break;delete ", v, "[k];", w, "=k}});")
	case 2:
		g.put(v, "=T(()=>[...", g.operand(), "]);")
	case 3:
		g.put("T(()=>{[", v, ",", w, "=E(),...V[8]]=", g.operand(), "});")
	case 4:
		g.put(v, "=T(()=>({...", g.operand(), ",[", g.operand(), "]:1}));")
	case 5:
		g.put(v, "=T(()=>", g.operand(), g.of("+", "-", "*", "/", "%", "**", "<<", ">>>", "&", "<", "==", "===", " in ", " instanceof "), g.operand(), ");")
	case 6:
		g.put("T(()=>", v, "[", g.operand(), "]=", g.operand(), ");")
	case 7:
		g.put(w, "=T(()=>`${", g.operand(), "}|${", v, "}`);")
	case 8:
		g.put("T(()=>Object.defineProperty(", v, ",", g.operand(), ",{", g.of("get:F", "value:1", "set:F,get:E", "writable:false"), ",configurable:", g.of("true", "false"), "}));")
	case 9:
		g.put(v, "=T(()=>JSON.stringify(", g.operand(), ",", g.operand(), ",", g.operand(), "));")
	case 10:
		g.put(v, "=T(()=>structuredClone(", g.operand(), "));")
	case 11:
		g.put("T(()=>{for(let i=0;i<", g.of("3", "50", "700"), ";i++)", v, "=", g.call(), "});")
	case 12:
		g.put("T(()=>{class A extends ", g.of("Array", "Map", "Promise", "Uint8Array", "RegExp", "URL", "Object", "Intl.NumberFormat", "F"), "{constructor(...a){super(...a);E()} static get [Symbol.species](){return F}} ", v, "=new A(", g.args(), ")});")
	case 13:
		g.put(v, "=(async()=>{for await(const x of ", g.operand(), "){if(budget--<0)break;E()} return ", g.operand(), "})().catch(F);")
	case 14:
		g.put("T(()=>{label:try{", v, "=", g.call(), ";break label}finally{E()}});")
	case 15:
		g.put("T(()=>{using x={[Symbol.dispose]:F};", v, "=", g.call(), "});")
	case 16:
		g.put(v, "=T(()=>", w, ".", g.of("length", "constructor", "a?.b", "map?.(F)", "sort?.(F)", "next?.()", "replace?.(R,F)", "concat?.(V)", "splice?.(1,1)", "at?.(-1)", "toString?.()", "toLocaleString?.()", "forEach?.(F)", "then?.(F)"), ");")
	default:
		g.put(v, "=T(()=>", g.call(), ");")
	}
}
