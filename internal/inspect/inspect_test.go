package inspect_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/internal/inspect"
	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// format evaluates a list of arguments and formats them.
func format(t *testing.T, src string, opt inspect.Options) (string, error) {
	t.Helper()
	m, err := js.NewMachine(meter.New(nil, meter.Limits{Fuel: 1 << 26, LiveBytes: 64 << 20, Depth: 1000, NativeDepth: 500}), vm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := js.Compile("test.js", "["+src+"]", js.CompileOptions{Completion: true})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	v, err := m.RunScript(p)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	m.Root(v)
	if err := m.RunJobs(); err != nil {
		t.Fatal(err)
	}
	var args []vm.Value
	for i := range m.H.Obj(v.AsObj()).Length {
		x, _, ok := m.H.GetElem(v.AsObj(), i)
		if !ok {
			x = vm.Undefined
		}
		args = append(args, x)
	}
	live := m.Meter().Live()
	s, err := inspect.Args(m, args, opt)
	if now := m.Meter().Live(); now > live+8192 {
		t.Errorf("%s: %d bytes stay charged", src, now-live)
	}
	return s, err
}

// The expected texts are what console.log of node 20 prints.
func TestWeb(t *testing.T) {
	tests := []struct{ src, want string }{
		{`new URL('http://u:p@h:81/p?q=1#f')`, "URL {\n  href: 'http://u:p@h:81/p?q=1#f',\n  origin: 'http://h:81',\n  protocol: 'http:',\n  username: 'u',\n  password: 'p',\n  host: 'h:81',\n  hostname: 'h',\n  port: '81',\n  pathname: '/p',\n  search: '?q=1',\n  searchParams: URLSearchParams { 'q' => '1' },\n  hash: '#f'\n}"},
		{`({u: new URL('file:///x'), n: 1})`, "{\n  u: URL {\n    href: 'file:///x',\n    origin: 'null',\n    protocol: 'file:',\n    username: '',\n    password: '',\n    host: '',\n    hostname: '',\n    port: '',\n    pathname: '/x',\n    search: '',\n    searchParams: URLSearchParams {},\n    hash: ''\n  },\n  n: 1\n}"},
		{`[new URLSearchParams('a=1&b=%27'), new URLSearchParams()]`, "[ URLSearchParams { 'a' => '1', 'b' => \"'\" }, URLSearchParams {} ]"},
		{`new URLSearchParams([['a', 'x'.repeat(60)], ['b', 'y']])`, "URLSearchParams {\n  'a' => 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n  'b' => 'y' }"},
		{`new URLSearchParams([['a', 'x'.repeat(62)], ['b', 'y']])`, "URLSearchParams {\n  'a' => 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n  'b' => 'y' }"},
		{`({a: {p: new URLSearchParams([['a', 'x'.repeat(70)], ['b', 'y']])}})`, "{\n  a: {\n    p: URLSearchParams {\n      'a' => 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n      'b' => 'y' }\n  }\n}"},
		{`new TextEncoder(), new TextDecoder('latin1', {fatal: true})`, "{ encoding: 'utf-8' } TextDecoder { encoding: 'windows-1252', fatal: true, ignoreBOM: false }"},
		{`[new TextDecoder(), crypto.getRandomValues(new Uint8Array(0))]`, "[\n  TextDecoder { encoding: 'utf-8', fatal: false, ignoreBOM: false },\n  Uint8Array(0) []\n]"},
		{`new (class X extends URL { z = 1 })('http://a'), new (class Y extends URLSearchParams {})('a=b')`, "X {\n  href: 'http://a/',\n  origin: 'http://a',\n  protocol: 'http:',\n  username: '',\n  password: '',\n  host: 'a',\n  hostname: 'a',\n  port: '',\n  pathname: '/',\n  search: '',\n  searchParams: URLSearchParams {},\n  hash: ''\n} Y { 'a' => 'b' }"},
		{`Object.assign(new URLSearchParams('a=1'), {z: 1}), Object.assign(new TextDecoder(), {z: 1})`, "URLSearchParams { 'a' => '1' } TextDecoder { encoding: 'utf-8', fatal: false, ignoreBOM: false }"},
		{`[URLSearchParams, TextEncoder, DOMException.name]`, "[ [class URLSearchParams], [class TextEncoder], 'DOMException' ]"},
		{`[function f() { try { atob('a') } catch (e) { return e } }()].map(String)`, "[\n  'InvalidCharacterError: The string to be decoded is not correctly encoded.'\n]"},
	}
	for _, tt := range tests {
		got, err := format(t, tt.src, inspect.Options{})
		if err != nil || got != tt.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tt.src, got, err, tt.want)
		}
	}
	for src, want := range map[string]string{
		`(() => { try { new URL('x') } catch (e) { return e } })()`: "TypeError: Invalid URL\n    at <stack> {\n  code: 'ERR_INVALID_URL',\n  input: 'x'\n}",
		`(() => { try { new URL() } catch (e) { return e } })()`:    "TypeError [ERR_MISSING_ARGS]: The \"url\" argument must be specified\n    at <stack> {\n  code: 'ERR_MISSING_ARGS'\n}",
		`(() => { try { atob('a') } catch (e) { return e } })()`:    "DOMException [InvalidCharacterError]: The string to be decoded is not correctly encoded.\n    at <stack>",
		`new DOMException('m', 'AbortError')`:                       "DOMException [AbortError]: m\n    at <stack>",
	} {
		got, err := format(t, src, inspect.Options{})
		if got = stackLines.ReplaceAllString(got, "\n    at <stack>"); err != nil || got != want {
			t.Errorf("%s\n got %s, %v\nwant %s", src, got, err, want)
		}
	}
}

var stackLines = regexp.MustCompile(`(\n +at [^\n{]*[^\n {])+`)

// The expected texts are what console.log of node 20 prints.
func TestArgs(t *testing.T) {
	tests := []struct{ src, want string }{
		{`'a', 'b c', 1`, "a b c 1"},
		{``, ""},
		{`undefined, null, true, -0, 1.5, NaN, 10n`, "undefined null true -0 1.5 NaN 10n"},
		{`[1, 2, 3], {a: 1}`, "[ 1, 2, 3 ] { a: 1 }"},
		{`[], {}, [[]], {a: {}}`, "[] {} [ [] ] { a: {} }"},
		{`['x', "it's", 'a"b\'c', '\n\t\x01']`, "[ 'x', \"it's\", `a\"b'c`, '\\n\\t\\x01' ]"},
		{`{'a-b': 1, 2: 3, [Symbol('k')]: 4, ok_1: 5}`, "{ '2': 3, 'a-b': 1, ok_1: 5, [Symbol(k)]: 4 }"},
		{`[, 1, , , 2], [undefined]`, "[ <1 empty item>, 1, <2 empty items>, 2 ] [ undefined ]"},
		{`Object.assign([1, 2], {k: 1})`, "[ 1, 2, k: 1 ]"},
		{`new Map([[1, {a: 2}], ['k', [3]]]), new Set([1, 'x']), new Map, new Set`, "Map(2) { 1 => { a: 2 }, 'k' => [ 3 ] } Set(2) { 1, 'x' } Map(0) {} Set(0) {}"},
		{`(class Foo { x = 1 }, new (class Foo { x = 1 })), new (class Foo {})`, "Foo { x: 1 } Foo {}"},
		{`class A {}, class extends Array {}, class B extends Array {}`, "[class A] [class (anonymous) extends Array] [class B extends Array]"},
		{`[() => 1], function f() {}, async () => {}, function* g() {}, async function* h() {}`, "[ [Function (anonymous)] ] [Function: f] [AsyncFunction (anonymous)] [GeneratorFunction: g] [AsyncGeneratorFunction: h]"},
		{`Object.assign(function f() {}, {a: 1})`, "[Function: f] { a: 1 }"},
		{`{get a() { throw 1 }, set b(v) {}, get c() { return 1 }, set c(v) {}}`, "{ a: [Getter], b: [Setter], c: [Getter/Setter] }"},
		{`Object.create(null), Object.assign(Object.create(null), {a: 1})`, "[Object: null prototype] {} [Object: null prototype] { a: 1 }"},
		{`new Date(0), [new Date(0)], new Date(NaN)`, "1970-01-01T00:00:00.000Z [ 1970-01-01T00:00:00.000Z ] Invalid Date"},
		{`/x+/gi, [/a/]`, "/x+/gi [ /a/ ]"},
		{`Symbol('s'), [Symbol()]`, "Symbol(s) [ Symbol() ]"},
		{`new String('abc'), new Number(3), Object(1n), Object(true), Object(Symbol('q'))`, "[String: 'abc'] [Number: 3] [BigInt: 1n] [Boolean: true] [Symbol: Symbol(q)]"},
		{`new Uint8Array([1, 2, 3]), new Float64Array(0)`, "Uint8Array(3) [ 1, 2, 3 ] Float64Array(0) []"},
		{`new ArrayBuffer(3)`, "ArrayBuffer { [Uint8Contents]: <00 00 00>, byteLength: 3 }"},
		{`Promise.resolve(1), new Promise(() => {}), (p => (p.catch(() => {}), p))(Promise.reject('x'))`, "Promise { 1 } Promise { <pending> } Promise { <rejected> 'x' }"},
		{`new WeakMap, new WeakSet`, "WeakMap { <items unknown> } WeakSet { <items unknown> }"},
		{`new Proxy({a: 1}, {get() { throw 1 }, ownKeys() { throw 1 }})`, "{ a: 1 }"},
		{`Math, JSON, Reflect`, "Object [Math] {} Object [JSON] {} Object [Reflect] {}"},
		{`(function* () {})(), [].values()`, "Object [Generator] {} Object [Array Iterator] {}"},
		{`(o => (o.self = o, o))({}), (a => (a.push(a), a))([1])`, "<ref *1> { self: [Circular *1] } <ref *1> [ 1, [Circular *1] ]"},
		{`(o => ({o, p: [o]}))({a: 1})`, "{ o: { a: 1 }, p: [ { a: 1 } ] }"},
		{`'%s is %d and %i %f %o', 'a', 4.5, 4.9, '1.5', 'x'`, "a is 4.5 and 4 1.5 'x'"},
		{`'%s %s', 'a'`, "a %s"},
		{`'100%', 'a', '%s'`, "100% a %s"},
		{`'%j %c|', {a: [1]}, 'css', 'rest'`, `{"a":[1]} | rest`},
		{`'%% %s', 1`, "% 1"},
		{`'%d %i %f', 'x', 10n, {}`, "NaN 10n NaN"},
		{`1, '%s', 2`, "1 %s 2"},
		{`{a: {b: {c: {}}}}`, "{\n  a: { b: { c: {} } }\n}"},
		{`[['a', 1], ['b', 2]]`, "[ [ 'a', 1 ], [ 'b', 2 ] ]"},
		{`{aaaaaaaaaaaaaaaaaaaa: 1, bbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2, ccccccccccccccccccccccc: 3, ddd: 4}`,
			"{\n  aaaaaaaaaaaaaaaaaaaa: 1,\n  bbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2,\n  ccccccccccccccccccccccc: 3,\n  ddd: 4\n}"},
		{`[['x'.repeat(60), 'y'.repeat(30)]]`, "[\n  [\n    '" + strings.Repeat("x", 60) + "',\n    '" + strings.Repeat("y", 30) + "'\n  ]\n]"},
		{`{a: Array.from({length: 8}, (_, i) => i)}`, "{\n  a: [\n    0, 1, 2, 3,\n    4, 5, 6, 7\n  ]\n}"},
		{`Array.from({length: 27}, (_, i) => i * 1000)`, `[
      0,  1000,  2000,  3000,  4000,
   5000,  6000,  7000,  8000,  9000,
  10000, 11000, 12000, 13000, 14000,
  15000, 16000, 17000, 18000, 19000,
  20000, 21000, 22000, 23000, 24000,
  25000, 26000
]`},
		{`Array.from({length: 30}, (_, i) => 'item' + i * i)`, `[
  'item0',   'item1',   'item4',
  'item9',   'item16',  'item25',
  'item36',  'item49',  'item64',
  'item81',  'item100', 'item121',
  'item144', 'item169', 'item196',
  'item225', 'item256', 'item289',
  'item324', 'item361', 'item400',
  'item441', 'item484', 'item529',
  'item576', 'item625', 'item676',
  'item729', 'item784', 'item841'
]`},
		{`Array.from({length: 10}, (_, i) => 'a'.repeat(i))`, `[
  '',         'a',
  'aa',       'aaa',
  'aaaa',     'aaaaa',
  'aaaaaa',   'aaaaaaa',
  'aaaaaaaa', 'aaaaaaaaa'
]`},
		{`Array.from({length: 120}, (_, i) => i)`, `[
   0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11,
  12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
  24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
  36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
  48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
  60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,
  72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,
  84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
  96, 97, 98, 99,
  ... 20 more items
]`},
		{`[{id: 1, name: 'Ada', tags: ['x', 'y'], address: {city: 'London', zip: '12345'}}, {id: 2, name: 'Bob', tags: [], address: null}]`, `[
  {
    id: 1,
    name: 'Ada',
    tags: [ 'x', 'y' ],
    address: { city: 'London', zip: '12345' }
  },
  { id: 2, name: 'Bob', tags: [], address: null }
]`},
		{`new Map([['key one', {list: [1, 2, 3], text: 'some longer text here'}], ['key two', {list: [], text: 'more of it'}]])`, `Map(2) {
  'key one' => { list: [ 1, 2, 3 ], text: 'some longer text here' },
  'key two' => { list: [], text: 'more of it' }
}`},
		{`{s: 'line one is here\nline two is there\nline three is somewhere else, far away from the others'}`, `{
  s: 'line one is here\n' +
    'line two is there\n' +
    'line three is somewhere else, far away from the others'
}`},
	}
	for _, tt := range tests {
		got, err := format(t, tt.src, inspect.Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
		} else if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestDepthAndErrors(t *testing.T) {
	tests := []struct{ src, want string }{
		{`{a: {b: {c: {d: {e: {f: 1}}}}}}`, "{\n  a: {\n    b: { c: { d: { e: [Object] } } }\n  }\n}"},
		{`[[[[[[1]]]]]]`, "[\n  [\n    [ [ [ [Array] ] ] ]\n  ]\n]"},
		{`new RangeError('bad')`, "RangeError: bad\n    at test.js:1:2"},
		{`{e: new TypeError('t')}`, "{\n  e: TypeError: t\n      at test.js:1:6\n}"},
		{`Object.assign(new Error('x'), {code: 'E'})`, "Error: x\n    at test.js:1:16 {\n  code: 'E'\n}"},
		{`new Error('x', {cause: 'why'})`, "Error: x\n    at test.js:1:2 {\n  [cause]: 'why'\n}"},
	}
	for _, tt := range tests {
		got, err := format(t, tt.src, inspect.Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
		} else if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestTooLong(t *testing.T) {
	for _, src := range []string{
		"'x'.repeat(2000)", "['x'.repeat(2000)]", "Array(100).fill('x'.repeat(100))", "'%s', 'x'.repeat(2000)",
		"{['k'.repeat(2000)]: 1}", "Array(60).fill(Array(60).fill(Array(60).fill(1)))", "Object.fromEntries(Array.from({length: 900}, (_, i) => ['k' + i, i]))",
	} {
		if _, err := format(t, src, inspect.Options{MaxBytes: 1000}); !errors.Is(err, inspect.ErrTooLong) {
			t.Errorf("%s: %v", src, err)
		}
	}
}
