package builtins_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// runObject runs a script and its jobs, and returns the value of the global
// variable out, or of the script, as a string; "limit" when a ceiling was
// passed.
func runObject(t *testing.T, src string, stress bool) string {
	t.Helper()
	p, err := js.Compile("test.js", src, js.CompileOptions{Completion: true})
	if err != nil {
		t.Fatal(err)
	}
	mt := meter.New(nil, meter.Limits{Fuel: 3_000_000, LiveBytes: 32 << 20, Depth: 1000, NativeDepth: 300})
	m, err := js.NewMachine(mt, vm.Options{Stress: stress})
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.RunScript(p)
	if err == nil {
		at := m.Root(v)
		err = m.RunJobs()
		m.PopRoots(at)
	}
	if err == nil {
		var key vm.Key
		if key, err = m.H.KeyOfName("out"); err == nil {
			var ok bool
			if ok, err = m.HasOwn(m.Global(), key); ok && err == nil {
				v, err = m.Get(m.Global(), key)
			}
		}
	}
	if err == nil {
		var s string
		if s, err = m.GoString(v); err == nil {
			return s
		}
	}
	if meter.IsLimit(err) {
		return "limit"
	}
	exc, ok := m.Caught(err)
	if !ok {
		t.Fatal(err)
	}
	s, err := m.GoString(exc)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The expected values are node's (v20); those of disposable stacks,
// Object.groupBy and Error.isError follow the specification.
func TestObjects(t *testing.T) {
	tests := []struct{ src, want string }{
		{"Object.entries({b: 1, a: 2, 1: 3, 0: 4}).join('|')", "0,4|1,3|b,1|a,2"},
		{"Object.keys(Object.assign({}, 'ab', null, [9])) + ''", "0,1"},
		{"Object.values('abc') + ''", "a,b,c"},
		{"Object.keys([4, 5, , 6]) + ''", "0,1,3"},
		{"var g = Object.groupBy([1, 2, 3, 4, 5], x => x % 2 ? 'odd' : 'even'); g.odd + '|' + g.even + '|' + Object.getPrototypeOf(g)", "1,3,5|2,4|null"},
		{"var c = 0; try { Object.groupBy({[Symbol.iterator]: () => ({next: () => ({done: false}), return: () => (c++, {})})}, () => { throw 1 }) } catch {} c", "1"},
		{"Object.fromEntries(new Map([['a', 1], ['b', [2]]])).b[0]", "2"},
		{"Object.fromEntries([1])", "TypeError: Iterator value 1 is not an entry object"},
		{"var d = Object.getOwnPropertyDescriptors({get a() { return 1 }, b: 2}); typeof d.a.get + d.a.set + d.b.value + d.b.writable", "functionundefined2true"},
		{"Object.isFrozen(Object.freeze([1, {}])) + '' + Object.isSealed(Object.seal({a: 1})) + Object.isFrozen({})", "truetruefalse"},
		{"'use strict'; Object.freeze({a: 1}).a = 2", "TypeError: Cannot assign to read only property 'a' of object '#<Object>'"},
		{"Object.setPrototypeOf(Object.prototype, {})", "TypeError: Immutable prototype object 'Object.prototype' cannot have their prototype set"},
		{"var a = {}, b = {__proto__: a}; a.__proto__ = b", "TypeError: Cyclic __proto__ value"},
		{"Object.defineProperty({}, 'a', {get() {}, value: 1})", "TypeError: Invalid property descriptor. Cannot both specify accessors and a value or writable attribute, #<Object>"},
		{"Object.defineProperty(Object.freeze({a: 1}), 'a', {value: 2})", "TypeError: Cannot redefine property: a"},
		{"[null, undefined, [], () => 1, new Error, 1, 'a', true, new Date(0), /a/, Symbol(), 1n].map(x => Object.prototype.toString.call(x).slice(8, -1)) + ''", "Null,Undefined,Array,Function,Error,Number,String,Boolean,Date,RegExp,Symbol,BigInt"},
		{"({__defineGetter__: 0}, Object.prototype.__lookupGetter__.call({get x() { return 1 }}, 'x').name)", "get x"},

		{"var f = function a(x, y, z) {}.bind(null, 1); f.name + f.length", "bound a2"},
		{"new (function A(x, y) { this.s = x + y }.bind(null, 5))(6).s", "11"},
		{"Math.max.apply(null, {length: 3, 0: 1, 1: 7, 2: 2})", "7"},
		{"Function('a,b', 'c', '/*').length", "SyntaxError: Invalid or unexpected token"},
		{"Function('a', 'b', 'return a + b').toString()", "function anonymous(a,b\n) {\nreturn a + b\n}"},
		{"Object.getOwnPropertyDescriptor(Map.prototype, 'size').get + ''", "function get size() { [native code] }"},
		{"RegExp.prototype[Symbol.match] + '' + function() {}.bind()", "function [Symbol.match]() { [native code] }function () { [native code] }"},
		{"Object.getOwnPropertyDescriptor({get  a ( ) {return 1}}, 'a').get + '' + {[1 + 1](){}}[2]", "get  a ( ) {return 1}[1 + 1](){}"},
		{"(function f() { return f.caller }())", "undefined"}, // test262 allows it; node has null
		{"(() => {}).caller", "TypeError: 'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them"},
		{"var GF = function*() {}.constructor; [...GF('n', 'for (let i = 0; i < n; i++) yield i')(3)] + ''", "0,1,2"},
		{"(async () => {}).constructor('await 1; out = 7')()", "7"},

		{"Symbol.keyFor(Symbol.for('k')) + Symbol.keyFor(Symbol('k')) + (Symbol.for('k') === Symbol.for('k'))", "kundefinedtrue"},
		{"Symbol('d').description + Symbol().description + String(Symbol('x'))", "dundefinedSymbol(x)"},
		{"Symbol.prototype.toString.call(1)", "TypeError: Symbol.prototype.toString requires that 'this' be a Symbol"},

		{"class X extends Error { constructor(m) { super(m); this.name = 'X' } } var e = new X('q', {cause: 1}); e + '|' + e.stack.split('\\n')[0] + '|' + ('cause' in e)", "X: q|X: q|false"},
		{"var e = new TypeError('a', {cause: 5}); Object.getOwnPropertyNames(e) + e.cause", "stack,message,cause5"},
		{"function f() { throw new Error('deep') }\ntry { f() } catch (e) { e.stack }", "Error: deep\n    at f (test.js:1:22)\n    at test.js:2:7"},
		{"function E(m) { Error.captureStackTrace(this, E); this.message = m }\nE.prototype = Object.create(Error.prototype);\nfunction make() { return new E('m') }\nmake().stack", "Error: m\n    at make (test.js:3:26)\n    at test.js:4:1"},
		{"var e = new Error('x'); e.stack = 'mine'; e.stack + Object.keys(e)", "mine"},
		{"new AggregateError(new Set([1, 2]), 'm').errors + ''", "1,2"},
		{"var e = new SuppressedError(1, 2, 'm'); [e.error, e.suppressed, e.message, 'cause' in e] + ''", "1,2,m,false"},
		{"Error.isError(new RangeError) + '' + Error.isError(Object.create(Error.prototype))", "truefalse"},

		{"parseInt('0x1f') + parseInt('12px', 10) + parseFloat('.5e1abc') + '' + parseInt('z', 36) + (Number.parseInt === parseInt)", "4835true"},
		{"encodeURIComponent('a b&ü€😀') + decodeURI('%41%2f') + escape('ü€') + unescape('%u20AC%fc')", "a%20b%26%C3%BC%E2%82%AC%F0%9F%98%80A%2f%FC%u20AC€ü"},
		{"decodeURIComponent('%')", "URIError: URI malformed"},
		{"var x = 1; (0, eval)('var y = x + 1'); y", "2"},
		{"var out = ''; Promise.resolve().then(() => out += 'p'); queueMicrotask(() => out += 'm'); out += 's'", "spm"},
	}
	for _, tt := range tests {
		for _, stress := range []bool{false, true} {
			if got := runObject(t, tt.src, stress); got != tt.want {
				t.Errorf("%s (stress %t)\n got  %s\n want %s", tt.src, stress, got, tt.want)
			}
		}
	}
}

func TestProxies(t *testing.T) {
	tests := []struct{ src, want string }{
		{"var log = []; var p = new Proxy({a: 1, b: 2}, new Proxy({}, {get(_, k) { return (...a) => (log.push(k), Reflect[k](...a)) }})); Object.entries(p); ({...p}); delete p.a; p.c = 1; 'b' in p; log + ''",
			"ownKeys,getOwnPropertyDescriptor,get,getOwnPropertyDescriptor,get,ownKeys,getOwnPropertyDescriptor,get,getOwnPropertyDescriptor,get,deleteProperty,set,getOwnPropertyDescriptor,defineProperty,has"},
		{"new Proxy({}, {get: (t, k) => k + '!'}).abc", "abc!"},
		{"new Proxy(function() {}, {apply: (t, th, a) => a.length, construct: (t, a) => ({n: a.length})})(1, 2)", "2"},
		{"new (new Proxy(class {}, {construct: () => 1}))", "TypeError: 'construct' on proxy: trap returned non-object ('1')"},
		{"var r = Proxy.revocable({}, {}); r.revoke(); r.revoke(); r.proxy.x", "TypeError: Cannot perform 'get' on a proxy that has been revoked"},
		{"new Proxy({}, {get: 5}).x", "TypeError: '5' returned for property 'get' of object '#<Object>' is not a function"},
		{"'use strict'; new Proxy({}, {set: () => false}).a = 1", "TypeError: 'set' on proxy: trap returned falsish for property 'a'"},
		{"'use strict'; delete new Proxy({}, {deleteProperty() {}}).a", "TypeError: 'deleteProperty' on proxy: trap returned falsish for property 'a'"},
		{"Object.keys(new Proxy({}, {ownKeys: () => ['a', 'a']}))", "TypeError: 'ownKeys' on proxy: trap returned duplicate entries"},
		{"Object.keys(new Proxy(Object.freeze({a: 1}), {ownKeys: () => []}))", "TypeError: 'ownKeys' on proxy: trap result did not include 'a'"},
		{"new Proxy(Object.freeze({a: 1}), {get: () => 2}).a", "TypeError: 'get' on proxy: property 'a' is a read-only and non-configurable data property on the proxy target but the proxy did not return its actual value (expected '1' but got '2')"},
		{"Object.isExtensible(new Proxy({}, {isExtensible: () => false}))", "TypeError: 'isExtensible' on proxy: trap result does not reflect extensibility of proxy target (which is 'true')"},
		{"Array.isArray(new Proxy([], {})) + Object.prototype.toString.call(new Proxy([], {}))", "true[object Array]"},
		{"function put(o) { o.x = 1; return o.x } put(Object.create(null)); put(Object.create(null)); put(new Proxy({}, {get: () => 'trap'}))", "trap"},
		{"var p = {}; for (var i = 0; i < 200; i++) p = new Proxy(p, {}); p.x + Object.keys(p)", "undefined"},
		// Nesting without end meets the limit, not the Go stack.
		{"var p = {}; for (var i = 0; i < 5000; i++) p = new Proxy(p, {}); p.x", "limit"},
		{"var p = new Proxy({}, {}); Object.setPrototypeOf(p, p); p.x", "limit"},
		{"new Proxy({}, {ownKeys: () => ({length: 2 ** 31})}) && Reflect.ownKeys(new Proxy({}, {ownKeys: () => ({length: 2 ** 31})}))", "RangeError: Maximum call stack size exceeded: too many arguments (limit 1048576)"},
	}
	for _, tt := range tests {
		if got := runObject(t, tt.src, false); got != tt.want {
			t.Errorf("%s\n got  %s\n want %s", tt.src, got, tt.want)
		}
	}
}

func TestDisposableStacks(t *testing.T) {
	tests := []struct{ src, want string }{
		{"var log = [], s = new DisposableStack(); s.use({[Symbol.dispose]() { log.push('use') }}); s.adopt(5, v => log.push(v)); s.defer(() => log.push('defer')); s.use(null); s.dispose(); s.dispose(); log + '' + s.disposed", "defer,5,usetrue"},
		{"var s = new DisposableStack(); s.defer(() => { throw 1 }); s.defer(() => { throw 2 }); s.defer(() => { throw 3 }); try { s.dispose() } catch (e) { [e.error, e.suppressed.error, e.suppressed.suppressed, e instanceof SuppressedError] + '' }", "1,2,3,true"},
		{"var s = new DisposableStack(), log = []; s.defer(() => log.push(1)); var t = s.move(); s.dispose(); log.push(2); t[Symbol.dispose](); log + ''", "2,1"},
		{"var s = new DisposableStack(); s.dispose(); s.defer(() => 1)", "ReferenceError: Cannot call DisposableStack.prototype.defer on an already-disposed DisposableStack"},
		{"new DisposableStack().use({})", "TypeError: Symbol(Symbol.dispose) is not a function"},
		{"var out; (async () => { let log = [], s = new AsyncDisposableStack(); s.use({async [Symbol.asyncDispose]() { log.push('a'); throw 1 }}); s.use({[Symbol.dispose]() { log.push('s'); throw 2 }}); s.adopt(5, async v => { await 0; log.push(v) }); s.use(null); try { await s.disposeAsync() } catch (e) { log.push(e.error, e.suppressed) } out = log + '' })()", "5,s,a,1,2"},
		{"var out; AsyncDisposableStack.prototype.disposeAsync.call(1).catch(e => out = e.name)", "TypeError"},
	}
	for _, tt := range tests {
		for _, stress := range []bool{false, true} {
			if got := runObject(t, tt.src, stress); got != tt.want {
				t.Errorf("%s (stress %t)\n got  %s\n want %s", tt.src, stress, got, tt.want)
			}
		}
	}
}

// Every loop that a script controls ends by fuel, and no list outgrows memory.
func TestObjectLimits(t *testing.T) {
	for _, src := range []string{
		"Object.groupBy({[Symbol.iterator]: () => ({next: () => ({value: 1, done: false})})}, x => x)",
		"Object.fromEntries({[Symbol.iterator]: () => ({next: () => ({value: [1, 1], done: false})})})",
		"var s = 'x'.repeat(1 << 24); Object.keys(s)",
		"var s = 'x'.repeat(1 << 24); Object.entries(s)",
		"var s = 'ü'.repeat(1 << 24); for (;;) encodeURIComponent(s)",
		"var s = '%41'.repeat(1 << 22); for (;;) decodeURIComponent(s)",
		"function f() { queueMicrotask(f) } f()",
		"var f = () => 1; for (;;) f = f.bind()",
		"new AggregateError({[Symbol.iterator]: () => ({next: () => ({value: 1, done: false})})})",
		"var s = new DisposableStack(); for (;;) s.defer(() => 1)",
		"var i = 0; for (;;) Symbol.for('k' + i++)",
	} {
		if got := runObject(t, src, false); got != "limit" {
			t.Errorf("%s\n got  %s\n want a limit", src, got)
		}
	}
}
