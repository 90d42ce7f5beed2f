package js_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// FuzzProgram runs whole programs under small limits: raw source, and programs
// that a generator makes of the fuzzer's bytes, which call every built-in there
// is with odd arguments. Whatever the program, nothing panics, the run ends
// within its limits, the heap's invariants hold afterwards, and the same program
// ends the same way with the same fuel, also when the collector runs at every
// safepoint.
func FuzzProgram(f *testing.F) {
	for i := range 40 {
		f.Add(seedBytes(uint64(i), 300))
	}
	for _, src := range corpusSample(f) {
		f.Add(append([]byte{0}, src...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 8000 {
			return
		}
		checkProgram(t, programOf(data))
	})
}

// The generator's programs without a fuzzer.
func TestRandomPrograms(t *testing.T) {
	first, n := 1000, 400
	if quick() {
		n = 60
	}
	if s := os.Getenv("PINFOLD_SEEDS"); s != "" {
		if _, err := fmt.Sscanf(s, "%d-%d", &first, &n); err != nil {
			t.Fatal("PINFOLD_SEEDS is FIRST-LAST:", err)
		}
		n -= first
	}
	for i := range n {
		checkProgram(t, programOf(seedBytes(uint64(first+i), 400)))
		if t.Failed() {
			t.Fatalf("seed %d", first+i)
		}
	}
}

func seedBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	b[0] |= 1
	return b
}

func corpusSample(t testing.TB) []string {
	programs := corpus(t)
	var out []string
	for i, path := range sortedKeys(programs) {
		if src := programs[path]; i%8 == 0 && len(src) < 4000 {
			out = append(out, src)
		}
	}
	return out
}

// programOf makes a program of the fuzzer's bytes.
func programOf(data []byte) string {
	if data[0]&1 == 0 {
		return string(data[1:])
	}
	g := &generator{data: data[1:], names: builtinNames()}
	return g.program()
}

func fuzzLimits() meter.Limits {
	return meter.Limits{Fuel: 200_000, LiveBytes: 16 << 20, RequestedBytes: 256 << 20, Depth: 200, NativeDepth: 100, Timeout: 20 * time.Second}
}

func checkProgram(t testing.TB, src string) {
	goal := js.Script
	if strings.Contains(src, "await") {
		goal = js.FunctionBody
	}
	// Rejections that nobody handles are told about in order.
	once := func(lim meter.Limits, stress bool) (ending, string) {
		var log strings.Builder
		opt := vm.Options{
			Stress: stress, Seed: 7, Now: func() float64 { return 1.7e12 },
			UnhandledRejection: func(p vm.Obj, _ vm.Value, handled bool) { fmt.Fprint(&log, handled, " ") },
		}
		return run(job{src: src, goal: goal, limits: lim, opt: opt}), log.String()
	}
	lim := fuzzLimits()
	a, logA := once(lim, false)
	switch {
	case a.kind == "fault":
		t.Errorf("%v\n%s", a, src)
		return
	case a.what == "time":
		t.Errorf("still running after %v, fuel %d\n%s", lim.Timeout, a.usage.Fuel, src)
		return
	}
	if a.m != nil {
		if err := a.m.Verify(); err != nil {
			t.Errorf("%v: %v\n%s", a, err, src)
			return
		}
		if a.kind != "limit" {
			if err := a.m.CollectGarbage(); err != nil {
				t.Errorf("%v: %v\n%s", a, err, src)
			}
			if err := a.m.Verify(); err != nil {
				t.Errorf("%v: after a collection: %v\n%s", a, err, src)
				return
			}
		}
	}
	b, logB := once(lim, false)
	same(t, src, a, b, logA, logB)
	if a.usage.PeakBytes != b.usage.PeakBytes || a.usage.Requested != b.usage.Requested {
		t.Errorf("used %+v, then %+v\n%s", a.usage, b.usage, src)
	}
	// When a value is collected shows in weak references; how much memory is in
	// use at once shows in the memory limit.
	if a.usage.Fuel > 20_000 || a.what == "memory" || strings.Contains(src, "Weak") || strings.Contains(src, "Finalization") {
		return
	}
	c, logC := once(lim, true)
	same(t, src, a, c, logA, logC)
	if c.m != nil {
		if err := c.m.Verify(); err != nil {
			t.Errorf("%v, collecting at every safepoint: %v\n%s", c, err, src)
		}
	}
}

func same(t testing.TB, src string, a, b ending, logA, logB string) {
	if a.String() != b.String() || a.what != b.what || a.text != b.text || a.usage.Fuel != b.usage.Fuel || logA != logB {
		t.Errorf("%v %q %q with fuel %d, %q, then %v %q %q with fuel %d, %q\n%s", a, a.what, a.text, a.usage.Fuel, logA, b, b.what, b.text, b.usage.Fuel, logB, src)
	}
}

// builtinNames are the paths of every function and object of the realm:
// Array.prototype.map, Math.PI, Map.prototype[Symbol.iterator] and the like.
var builtinNames = sync.OnceValue(func() []string {
	e := run(job{src: `
		const seen = new Set(), names = [];
		const walk = (o, path, depth) => {
			if (Object(o) !== o || seen.has(o) || depth > 4) return;
			seen.add(o);
			names.push(path);
			for (const k of Reflect.ownKeys(o)) {
				const p = typeof k === 'symbol' ? path + '[' + k.description + ']' : /^[a-zA-Z_]\w*$/.test(k) ? path + '.' + k : path + '[' + JSON.stringify(k) + ']';
				if (typeof k === 'symbol' && !/^Symbol\.\w+$/.test(k.description)) continue;
				const d = Object.getOwnPropertyDescriptor(o, k);
				if (d.get) { seen.add(d.get); names.push('Object.getOwnPropertyDescriptor(' + path + ',' + (typeof k === 'symbol' ? k.description : JSON.stringify(k)) + ').get') }
				else walk(d.value, p, depth + 1);
			}
		};
		for (const k of Object.getOwnPropertyNames(globalThis)) if (k !== 'globalThis') walk(globalThis[k], k, 0);
		walk(Object.getPrototypeOf(function*(){}), 'Object.getPrototypeOf(function*(){})', 0);
		walk(Object.getPrototypeOf(async function*(){}), 'Object.getPrototypeOf(async function*(){})', 0);
		walk(Object.getPrototypeOf(async function(){}), 'Object.getPrototypeOf(async function(){})', 0);
		for (const [e, n] of [[[].values(), '[].values()'], [new Map().values(), 'new Map().values()'], [new Set().values(), 'new Set().values()'], [''[Symbol.iterator](), "''[Symbol.iterator]()"], ['x'.matchAll(/x/g), "'x'.matchAll(/x/g)"], [[].values().map(x => x), '[].values().map(x=>x)'], [Iterator.from({next(){}}), 'Iterator.from({next(){}})']])
			walk(Object.getPrototypeOf(e), 'Object.getPrototypeOf(' + n + ')', 0);
		names.join('\n')`})
	if e.kind != "value" {
		panic(e.String() + e.text)
	}
	return strings.Split(e.what, "\n")
})

func TestBuiltinNames(t *testing.T) {
	names := builtinNames()
	if len(names) < 550 {
		t.Errorf("only %d built-ins", len(names))
	}
	for _, n := range names {
		if e := run(job{src: "typeof " + n}); e.what != "function" && e.what != "object" {
			t.Errorf("%s: %v %q", n, e, e.text)
		}
	}
}

// generator makes a program of bytes: each choice takes one. When the bytes are
// used up the simplest is chosen, so that every program ends.
type generator struct {
	data  []byte
	names []string
	b     strings.Builder
	depth int
	fn    int // nesting of functions with statements
}

const vars = 8 // variables v0 to v7 that everything shares

func (g *generator) choose(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	x := int(g.data[0])
	g.data = g.data[1:]
	if n > 256 && len(g.data) > 0 {
		x = int(binary.LittleEndian.Uint16([]byte{byte(x), g.data[0]}))
		g.data = g.data[1:]
	}
	return x % n
}

func (g *generator) put(s ...string) {
	for _, x := range s {
		g.b.WriteString(x)
	}
}

func (g *generator) v() string { return fmt.Sprint("v", g.choose(vars)) }

func (g *generator) program() string {
	g.put("const T=f=>{try{return f()}catch(e){return e}};\n")
	g.put("var v0={a:1,b:[1,2,3]},v1=[3,1,2,,5],v2='text\\u1234',v3=x=>x,v4=new Map([[1,2],['k',{}]]),v5=/(a)|b/g,v6=10n,v7=new Uint8Array(8);\n")
	for n := 0; len(g.data) > 0 && n < 60 && g.b.Len() < 20_000; n++ {
		g.statement()
		g.put("\n")
	}
	g.put("typeof v0+typeof v1+String(typeof v2)+(Array.isArray(v1)&&v1.length)")
	return g.b.String()
}

func (g *generator) statement() {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 6 {
		g.put(g.v(), "++;")
		return
	}
	switch g.choose(24) {
	case 0, 1, 2, 3, 4, 5:
		g.put("try{", g.v(), "=")
		g.expr()
		g.put("}catch(e){", g.v(), "=e}")
	case 6, 7, 8:
		g.put("try{")
		g.expr()
		g.put(";}catch(e){}")
	case 9:
		g.put("for(let i=0;i<", fmt.Sprint(g.choose(5)), ";i++){")
		g.statement()
		g.put("}")
	case 10:
		g.put("try{let n=0;for(const x of ")
		g.expr()
		g.put("){if(n++>", fmt.Sprint(g.choose(6)), ")break;", g.v(), "=x;")
		g.statement()
		g.put("}}catch(e){", g.v(), "=e}")
	case 11:
		g.put("try{let n=0;for(const k in ")
		g.expr()
		g.put("){if(n++>", fmt.Sprint(g.choose(6)), ")break;", g.v(), "=k}}catch{}")
	case 12:
		g.put("if(")
		g.expr()
		g.put("){")
		g.statement()
		g.put("}else{")
		g.statement()
		g.put("}")
	case 13:
		g.put("try{")
		g.statement()
		g.put("}catch(e){", g.v(), "=e;")
		g.statement()
		g.put("}finally{")
		g.statement()
		g.put("}")
	case 14:
		g.put("try{({a:", g.v(), ",b:[", g.v(), "=")
		g.expr()
		g.put(",...", g.v(), "],...", g.v(), "}=")
		g.expr()
		g.put(")}catch{}")
	case 15:
		g.put("class C", fmt.Sprint(g.b.Len()), " extends (")
		if g.choose(2) == 0 {
			g.put("Object")
		} else {
			g.put("[Array,Map,Error,RegExp,Promise,Uint8Array,Date,Function][", fmt.Sprint(g.choose(8)), "]")
		}
		g.put("){#p=")
		g.expr()
		g.put(";static s=1;get g(){return this.#p}set g(x){this.#p=x}static #q(){return 1}static{try{", g.v(), "=new this(")
		g.args()
		g.put(")}catch{}}m(){return super.toString()}}")
	case 16:
		g.put("try{with(")
		g.expr()
		g.put("){")
		g.statement()
		g.put("}}catch{}")
	case 17:
		g.put("switch(")
		g.expr()
		g.put("){case ")
		g.expr()
		g.put(":")
		g.statement()
		g.put("default:")
		g.statement()
		g.put("}")
	case 18:
		g.put("try{delete ", g.v(), "[")
		g.expr()
		g.put("]}catch{}")
	case 19:
		g.put("try{", g.v(), "[")
		g.expr()
		g.put("]", []string{"=", "+=", "??=", "||=", "**=", ">>>="}[g.choose(6)])
		g.expr()
		g.put("}catch{}")
	case 20:
		g.put("try{eval(", quote("var e"+fmt.Sprint(g.choose(4))+"=1;"))
		if g.choose(2) == 0 {
			g.put("+")
			g.expr()
		}
		g.put(")}catch{}")
	case 21:
		g.put("try{using u={[Symbol.dispose]:")
		g.callback()
		g.put("};")
		g.statement()
		g.put("}catch{}")
	case 22:
		l := fmt.Sprint("l", g.b.Len())
		g.put(l, ":for(let i=0;i<3;i++){for(;;){try{")
		g.statement()
		g.put([]string{"break " + l, "continue " + l, "break"}[g.choose(3)], "}finally{", g.v(), "=i}}}")
	default:
		g.put("(async()=>{try{", g.v(), "=await ")
		g.expr()
		g.put(";for await(const x of ")
		g.expr()
		g.put("){", g.v(), "=x;break}}catch(e){", g.v(), "=e}})();")
	}
}

func quote(s string) string { return "'" + s + "'" }

var oddValues = []string{
	"0", "1", "-1", "-0", "NaN", "Infinity", "-Infinity", "0.5", "2**31", "2**31-1", "-(2**31)", "2**32-1", "2**32", "2**53-1", "2**53", "1e308", "5e-324", "1e21",
	"''", "'a'", "'abc'", "'0'", "'-1'", "'4294967295'", "'length'", "'__proto__'", "'constructor'", "'\\ud800'", "'\\ud83d\\ude00x'", "'\\u0130\\u00df'", "'x'.repeat(100)", "'ab'.repeat(40)+v2", "'a\\nb'", "'[1,{\"a\":2}]'", "'2020-01-01T00:00:00Z'", "'$1$&$<n>'", "'(a+)+'",
	"undefined", "null", "true", "false", "0n", "1n", "-1n", "2n**64n", "2n**200n-1n",
	"Symbol()", "Symbol.iterator", "Symbol.for('x')", "Symbol.species", "Symbol.toPrimitive",
	"[]", "[1,2,3]", "[,1,,2]", "[[1,2],[3,4]]", "[NaN,-0,'x',null]", "Object.freeze([1,2])", "Object.assign([1],{5000:2})", "Array(50)", "Array.from({length:30},(_, i)=>i)", "new Array(2**32-1)",
	"{}", "{a:1,b:2}", "{length:3,0:'a',1:'b'}", "{length:2**53-1}", "{length:-1}", "{__proto__:null}", "{get a(){throw 1}}", "{get length(){return 2},get 0(){return v0}}", "Object.freeze({a:1})", "{valueOf(){return 7}}", "{toString(){return 'k'}}", "{[Symbol.toPrimitive](h){return h}}", "{toJSON(){return v0}}", "{then(r){r(1)}}", "{next(){return{value:1,done:Math.random()<.3}},[Symbol.iterator](){return this}}",
	"{*[Symbol.iterator](){yield 1;yield 2}}", "{async*[Symbol.asyncIterator](){yield 1}}", "{size:2,has(){return true},keys(){return[1,2].values()}}", "{exec(){return null},flags:'g',lastIndex:0}", "{raw:['a','b']}", "{value:1,writable:true,configurable:true}", "{get(){return 1},enumerable:true}", "{ignore:1,cause:v0,maxByteLength:64}",
	"function(){return arguments}", "function*(){yield 1;yield* v1}", "class{}", "class extends Array{}", "async()=>1", "async function*(){yield 1}", "()=>{throw new Error('x')}", "Math.max.bind(null,1)",
	"new Map([[v0,v1],[NaN,1]])", "new Set([1,2,v0])", "new WeakMap([[v3,1]])", "new Date(0)", "new Date(NaN)", "/a|b/", "/(?<n>.)x?/gdu", "/^$/my", "/[[a-z]&&[aeiou]]/v", "new Error('e',{cause:1})", "new AggregateError([1])", "Promise.resolve(1)", "Promise.reject(1)", "new Promise(()=>{})",
	"new Uint8Array(4)", "new Float64Array([1.5,NaN,-0])", "new BigInt64Array(2)", "new Uint8ClampedArray([300,-5])", "new ArrayBuffer(8)", "new ArrayBuffer(8,{maxByteLength:16})", "new DataView(new ArrayBuffer(8),1)", "(b=>(b.transfer(),new Uint8Array(b)))(new ArrayBuffer(4,{maxByteLength:8}))", "new Uint8Array(new ArrayBuffer(8,{maxByteLength:16}))",
	"new Proxy({},{})", "new Proxy([1,2],{get(t,k,r){return Reflect.get(t,k)}})", "new Proxy(function(){},{})", "new Proxy({},{ownKeys(){return['a','b']},getOwnPropertyDescriptor(){return{value:1,enumerable:true,configurable:true}}})", "new Proxy({},{has(){throw 1},get(){throw 2}})", "Proxy.revocable({},{}).proxy", "(r=>(r.revoke(),r.proxy))(Proxy.revocable([],{}))",
	"new String('boxed')", "new Number(5)", "Object(1n)", "Object(Symbol())", "new Boolean(false)", "[].values()", "new Map([[1,2]]).entries()", "'abc'[Symbol.iterator]()", "[1,2].values().map(x=>x)", "'aXbX'.matchAll(/X/g)", "(function*(){try{yield 1}finally{v0=1}})()", "new DisposableStack()", "globalThis", "new WeakRef({})", "Object.create(v0)",
}

func (g *generator) expr() {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 6 {
		g.put(g.v())
		return
	}
	switch g.choose(32) {
	case 0, 1, 2, 3:
		g.put(g.v())
	case 4, 5, 6, 7:
		g.put("(", oddValues[g.choose(len(oddValues))], ")")
	case 8, 9, 10, 11, 12, 13, 14:
		g.call(g.names[g.choose(len(g.names))])
	case 15, 16:
		g.put("new (", g.names[g.choose(len(g.names))], ")(")
		g.args()
		g.put(")")
	case 17, 18, 19:
		g.put("T(()=>")
		g.method()
		g.put(")")
	case 20:
		g.callback()
	case 21:
		g.put("(")
		g.expr()
		g.put([]string{"+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^", "==", "===", "!=", "<", ">", "<=", ">=", "&&", "||", "??", " in ", " instanceof ", ","}[g.choose(25)])
		g.expr()
		g.put(")")
	case 22:
		g.put([]string{"-", "+", "!", "~", "typeof ", "void "}[g.choose(6)], "(")
		g.expr()
		g.put(")")
	case 23:
		g.put("[")
		g.expr()
		g.put(",...", g.v(), ",")
		g.expr()
		g.put("]")
	case 24:
		g.put("({a:")
		g.expr()
		g.put(",[")
		g.expr()
		g.put("]:1,...", g.v(), ",get z(){")
		g.put("return ", g.v(), "}})")
	case 25:
		g.put("`${")
		g.expr()
		g.put("}x${", g.v(), "}`")
	case 26:
		g.put("(", g.v(), "?.[")
		g.expr()
		g.put("])")
	case 27:
		g.put("(")
		g.expr()
		g.put("?")
		g.expr()
		g.put(":")
		g.expr()
		g.put(")")
	case 28:
		g.put("((", g.v(), "),")
		g.callback()
		g.put(")(")
		g.args()
		g.put(")")
	case 29:
		g.put("(", g.v(), "=")
		g.expr()
		g.put(")")
	case 30:
		g.put("[...(function*(){")
		g.put("const r=yield ")
		g.expr()
		g.put(";return r})()]")
	default:
		g.put("new Proxy(")
		g.expr()
		g.put(",{", []string{"get", "set", "has", "deleteProperty", "ownKeys", "getPrototypeOf", "apply", "construct", "defineProperty", "getOwnPropertyDescriptor", "isExtensible", "preventExtensions", "setPrototypeOf"}[g.choose(13)], ":")
		g.callback()
		g.put("})")
	}
}

// receivers are values that the methods of a prototype are meant for.
var receivers = map[string][]string{
	"Array":  {"[3,1,2]", "[,1,,2,5]", "v1", "Array.from({length:40},(_, i)=>i*7%11)", "Object.assign([1],{900:2,1000000:3})", "{length:5,1:'x'}", "[[1],[2,[3]]]", "new (class extends Array{})(3)"},
	"String": {"'hello world'", "v2", "'\\u00e9\\u0301\\ud83d'", "('x'+v2).repeat(9)", "''", "'a,b,,c'"}, "Number": {"1.5", "-0", "1e21", "255", "0.000001"}, "BigInt": {"10n", "-(2n**70n)"},
	"Boolean": {"true"}, "Symbol": {"Symbol('d')", "Symbol.iterator"}, "Function": {"v3", "function f(a,b){return this}", "class{}", "Math.max", "v3.bind(1)"}, "Object": {"v0", "{a:1,get b(){return 2}}", "v1", "Object.freeze({x:1})"},
	"RegExp": {"v5", "/(?<y>a)|b+/gy", "/./su", "/x*/d"}, "Date": {"new Date(0)", "new Date(8.64e15)", "new Date(2020,1,30)", "new Date(NaN)"}, "Map": {"v4", "new Map([[1,2],[NaN,3]])"}, "Set": {"new Set([1,2,3])", "new Set(v1)"},
	"WeakMap": {"new WeakMap([[v3,1]])"}, "WeakSet": {"new WeakSet([v3])"}, "WeakRef": {"new WeakRef(v3)"}, "FinalizationRegistry": {"new FinalizationRegistry(v3)"}, "Promise": {"Promise.resolve(v0)", "Promise.reject(1)", "new Promise(()=>{})"},
	"ArrayBuffer": {"new ArrayBuffer(8)", "new ArrayBuffer(4,{maxByteLength:32})", "v7.buffer"}, "DataView": {"new DataView(new ArrayBuffer(16),2)", "new DataView(new ArrayBuffer(4,{maxByteLength:8}))"},
	"Iterator": {"[1,2,3].values()", "v4.keys()", "(function*(){yield 1;yield 2})()"}, "DisposableStack": {"new DisposableStack()"}, "AsyncDisposableStack": {"new AsyncDisposableStack()"}, "Error": {"new Error('m',{cause:1})", "new RangeError"}, "AggregateError": {"new AggregateError([1])"},
	"URL": {"new URL('http://u:p@h:8/a/../b?c=d#e')", "new URL('file:///C|/x')", "new URL('foo:bar ?q')"}, "URLSearchParams": {"new URLSearchParams('a=1&b=%20&a')", "new URL('http://h/?x=y').searchParams"}, "DOMException": {"new DOMException('m','AbortError')"},
	"TextEncoder": {"new TextEncoder()"}, "TextDecoder": {"new TextDecoder()", "new TextDecoder('utf-16le',{fatal:true})", "new TextDecoder('koi8-r')"}, "Crypto": {"crypto"},
}

var typedReceivers = []string{"new Uint8Array([3,1,2])", "new Float64Array([NaN,-0,1.5])", "new BigInt64Array([1n,-1n])", "v7", "new Int16Array(new ArrayBuffer(8,{maxByteLength:16}))", "new Uint8ClampedArray(5)", "new Float32Array(40)"}

// call calls a built-in: a method mostly on what it is meant for.
func (g *generator) call(name string) {
	owner, _, method := strings.Cut(name, ".prototype")
	owner = owner[strings.LastIndexByte(owner, '(')+1:]
	candidates := receivers[owner]
	switch {
	case strings.HasSuffix(owner, "Array") && owner != "Array", strings.Contains(name, "getPrototypeOf(Int8Array)"):
		candidates = typedReceivers
	case strings.Contains(name, "getPrototypeOf(") && !strings.Contains(name, "function"):
		// A built-in iterator's: one of those.
		expr, _, _ := strings.Cut(name[strings.Index(name, "getPrototypeOf(")+len("getPrototypeOf("):], ").")
		candidates, method = []string{expr}, true
	case strings.Contains(name, "async function*"):
		candidates, method = []string{"(async function*(){yield 1;yield 2})()"}, true
	case strings.Contains(name, "function*"):
		candidates, method = []string{"(function*(){try{yield 1;yield 2}finally{v0=9}})()"}, true
	}
	if !method && candidates == nil || !strings.Contains(name, "rototype") {
		g.put("T(()=>", name, "(")
		g.args()
		g.put("))")
		return
	}
	g.put("T(()=>", name, ".call(")
	if len(candidates) > 0 && g.choose(8) > 0 {
		g.put(candidates[g.choose(len(candidates))])
	} else {
		g.expr()
	}
	for range g.choose(4) {
		g.put(",")
		g.arg()
	}
	g.put("))")
}

// method calls a method by name on a variable that may have it.
func (g *generator) method() {
	m := []string{
		"push", "pop", "shift", "unshift", "splice", "slice", "concat", "sort", "reverse", "map", "filter", "reduce", "forEach", "flat", "flatMap", "join", "indexOf", "includes", "fill", "copyWithin", "with", "toSorted", "at", "find", "keys", "entries", "values",
		"get", "set", "has", "delete", "clear", "add", "next", "return", "throw", "then", "catch", "finally", "call", "apply", "bind", "toString", "valueOf", "toJSON", "toLocaleString", "replace", "replaceAll", "match", "matchAll", "split", "padStart", "repeat", "substring", "normalize", "localeCompare", "charCodeAt", "codePointAt", "exec", "test",
		"subarray", "resize", "transfer", "union", "isSubsetOf", "take", "drop", "toArray", "getTime", "setFullYear", "toISOString", "hasOwnProperty", "isPrototypeOf", "__defineGetter__", "__lookupSetter__", "m", "g",
	}
	g.put("(", g.v(), ".", m[g.choose(len(m))], "(")
	g.args()
	g.put("))")
}

func (g *generator) args() {
	for i := range g.choose(5) {
		if i > 0 {
			g.put(",")
		}
		g.arg()
	}
}

func (g *generator) arg() {
	switch g.choose(12) {
	case 0:
		g.put("...", g.v())
	case 1, 2, 3:
		g.callback()
	case 4, 5, 6, 7, 8:
		g.put(oddValues[g.choose(len(oddValues))])
	default:
		g.expr()
	}
}

// callback is a function that does something unexpected to what is shared.
func (g *generator) callback() {
	bodies := []string{
		"(...a)=>a[0]", "()=>1", "(a,b)=>a-b", "(a,b)=>b<a?1:-1", "()=>{throw 1}", "x=>[x,x]", "()=>({value:1,done:true})", "(k,v)=>v", "x=>x%2==0", "()=>{}", "function(){return this}", "()=>globalThis",
	}
	switch k := g.choose(len(bodies) + 10); {
	case k < len(bodies):
		g.put("(", bodies[k], ")")
	case k < len(bodies)+3:
		g.put("((...a)=>{", g.v(), ".length=", fmt.Sprint(g.choose(9)), ";return a[", fmt.Sprint(g.choose(3)), "]})")
	case k == len(bodies)+3:
		g.put("(()=>{", g.v(), "=null;return ", g.v(), "})")
	case k == len(bodies)+4:
		g.put("(a=>{delete ", g.v(), "[a];", g.v(), "=a;return a})")
	case k == len(bodies)+5 && g.fn < 3:
		g.fn++
		g.put("((x,y)=>{")
		g.statement()
		g.put("return ")
		g.expr()
		g.put("})")
		g.fn--
	case k == len(bodies)+6:
		g.put("(async x=>{await x;", g.v(), "=x})")
	case k == len(bodies)+7:
		g.put("(function*(x){", g.v(), "=yield x})")
	case k == len(bodies)+8:
		g.put("(x=>{for(let i=0;i<20;i++)v1[i]={i};return x})")
	default:
		g.put("(class{constructor(){", g.v(), "=this}})")
	}
}
