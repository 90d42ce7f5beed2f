package builtins_test

import "testing"

// The expected values are node's (v20); positions in JSON errors have the line
// and column that later versions of V8 add.
func TestJSON(t *testing.T) {
	message := func(text string) string { return "try { JSON.parse(" + text + ") } catch (e) { e.message }" }
	tests := []struct{ src, want string }{
		{message(`''`), "Unexpected end of JSON input"},
		{message(`'{'`), "Expected property name or '}' in JSON at position 1 (line 1 column 2)"},
		{message(`'{"a":1,\n b:2}'`), "Expected double-quoted property name in JSON at position 9 (line 2 column 2)"},
		{message(`'[1,]'`), "Unexpected token ']', \"[1,]\" is not valid JSON"},
		{message(`'[1 2]'`), "Expected ',' or ']' after array element in JSON at position 3 (line 1 column 4)"},
		{message(`'{"a":1 "b"}'`), "Expected ',' or '}' after property value in JSON at position 7 (line 1 column 8)"},
		{message(`'{"a" 1}'`), "Expected ':' after property name in JSON at position 5 (line 1 column 6)"},
		{message(`'{"a":1,"b" 1}'`), "Unexpected number in JSON at position 11 (line 1 column 12)"},
		{message(`'{} x'`), "Unexpected non-whitespace character after JSON at position 3 (line 1 column 4)"},
		{message(`'<html><body>hello world this is long</body></html>'`), "Unexpected token '<', \"<html><bod\"... is not valid JSON"},
		{message(`'{"aaaaaaaaaaaaaaaa": x, "bbbbbbbbbbbbbbbbbbbb": 1}'`), "Unexpected token 'x', ...\"aaaaaaa\": x, \"bbbbbb\"... is not valid JSON"},
		{message(`{}`), "\"[object Object]\" is not valid JSON"},
		{message(`undefined`), "\"undefined\" is not valid JSON"},
		{message(`'"\\x"'`), "Bad escaped character in JSON at position 2 (line 1 column 3)"},
		{message(`'-x'`), "No number after minus sign in JSON at position 1 (line 1 column 2)"},
		{`JSON.stringify(JSON.parse('{"a":1,"b":[-0,1e3,"\\u00e9\\n"],"a":2,"__proto__":null,"1":3}'))`, `{"1":3,"a":2,"b":[0,1000,"é\n"],"__proto__":null}`},
		{`JSON.stringify(JSON.parse('[1,{"a":"x"}]', function (k, v) { return k === 'a' ? v + k : v }))`, `[1,{"a":"xa"}]`},
		{`JSON.parse('[1.50, "a"]', (k, v, c) => c.source ?? v).join('|')`, `1.50|"a"`},
		{`JSON.stringify({a: [1, undefined, () => 1, NaN], b: undefined, c: new Date(0), d: Object('s'), [Symbol()]: 1})`, `{"a":[1,null,null,null],"c":"1970-01-01T00:00:00.000Z","d":"s"}`},
		{`JSON.stringify({a: [], b: {}, c: [1, {d: 2}]}, null, 2)`, "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": 2\n    }\n  ]\n}"},
		{`JSON.stringify({a: 1, b: {a: 2, c: 3}}, ['b', 'c'])`, `{"b":{"c":3}}`},
		{`JSON.stringify('\ud800\ud83d\ude00\u2028')`, `"\ud800😀` + "\u2028" + `"`},
		{`JSON.stringify({n: JSON.rawJSON('1e1000')})`, `{"n":1e1000}`},
		{`var a = {}; a.b = {c: {d: {e: {f: a}}}}; try { JSON.stringify({x: a}) } catch (e) { e.message }`,
			"Converting circular structure to JSON\n    --> starting at object with constructor 'Object'\n    |     property 'b' -> object with constructor 'Object'\n" +
				"    |     property 'c' -> object with constructor 'Object'\n    |     ...\n    |     property 'e' -> object with constructor 'Object'\n    --- property 'f' closes the circle"},
		{`var a = []; a[0] = {c: a}; try { JSON.stringify(a) } catch (e) { e.message }`,
			"Converting circular structure to JSON\n    --> starting at object with constructor 'Array'\n    |     index 0 -> object with constructor 'Object'\n    --- property 'c' closes the circle"},
		{`JSON.stringify(JSON.parse('['.repeat(5000) + ']'.repeat(5000))).length`, "10000"},
		{`var n = 0; class P { toJSON(k) { n++; return {k, x: [this === p]} } } var p = new P; JSON.stringify({p, q: [p]}) + n`, `{"p":{"k":"p","x":[true]},"q":[{"k":"0","x":[true]}]}2`},
		{`var o = {a: 1, get b() { delete o.c; return 2 }, c: 3, d: 4}; JSON.stringify(o)`, `{"a":1,"b":2,"d":4}`},
	}
	for _, stress := range []bool{false, true} {
		for _, x := range tests {
			if got := runArray(t, x.src, stress); got != x.want {
				t.Errorf("%s (stress %t)\n got %s\nwant %s", x.src, stress, got, x.want)
			}
		}
	}
}

func TestBinaryData(t *testing.T) {
	tests := []struct{ src, want string }{
		{"var u = new Uint8Array([1, 2, 3]); u[1] = 300; u[5] = 1; [...u, u.length] + ''", "1,44,3,3"},
		{"new Uint8ClampedArray([-1, 1.5, 2.5, 300, NaN]) + ''", "0,2,2,255,0"},
		{"var b = new ArrayBuffer(4, {maxByteLength: 16}); var u = new Uint16Array(b), v = new Uint16Array(b, 2, 1); b.resize(8); var r = [u.length]; b.resize(2); r.push(u.length, v.length, v[0]); r + ''", "4,1,0,"},
		{"var b = new ArrayBuffer(8), u = new Uint8Array(b); u[3] = 7; var c = b.transfer(16); [b.detached, u.length, u[3], new Uint8Array(c)[3], c.byteLength] + ''", "true,0,,7,16"},
		{"new Float64Array([3, NaN, -0, 0, -Infinity, 1]).sort().map(x => Object.is(x, -0) ? 9 : x) + ''", "-Infinity,9,0,1,3,NaN"},
		{"var a = new Int32Array(1000); for (let i = 0; i < 1000; i++) a[i] = i * 7919 % 1009 - 500; a.sort((x, y) => y - x); a.every((x, i) => !i || a[i - 1] >= x)", "true"},
		{"new BigInt64Array([2n ** 63n, -1n]).join()", "-9223372036854775808,-1"},
		{"var d = new DataView(new ArrayBuffer(8)); d.setFloat32(0, 1.1); d.setInt16(4, -2, true); [d.getUint8(0), d.getFloat32(0), d.getUint16(4), d.getInt16(4, true)] + ''", "63,1.100000023841858,65279,-2"},
		{"Uint8Array.fromBase64('aGk=').toHex() + new Uint8Array([104, 105]).toBase64()", "6869aGk="},
		{"var a = {x: [1, , 3]}; a.self = a; a.m = new Map([[a, new Set([1])]]); a.d = new Date(5); a.e = new RangeError('r'); var c = structuredClone(a); [c !== a, c.self === c, c.m.has(c), 1 in c.x, c.d.getTime(), c.e instanceof RangeError, c.e.message] + ''", "true,true,true,false,5,true,r"},
		{"var b = new ArrayBuffer(8), u = new Uint8Array(b, 4); u[0] = 9; var c = structuredClone({u, b}, {transfer: [b]}); [b.detached, c.u[0], c.b === c.u.buffer, u.length] + ''", "true,9,true,0"},
		{"try { structuredClone({f() {}}) } catch (e) { e.name + ': ' + e.message }", "DataCloneError: f() {} could not be cloned."},
		{"Atomics.add(new Int16Array([5]), 0, 70000) + Atomics.compareExchange(new Uint8Array([255]), 0, -1, 3)", "260"},
	}
	for _, stress := range []bool{false, true} {
		for _, x := range tests {
			if got := runArray(t, x.src, stress); got != x.want {
				t.Errorf("%s (stress %t)\n got %s\nwant %s", x.src, stress, got, x.want)
			}
		}
	}
}

func TestNumbersAndDates(t *testing.T) {
	tests := []struct{ src, want string }{
		{"(1234567.891).toLocaleString()", "1,234,567.891"},
		{"(1.005).toLocaleString('en-US', {maximumFractionDigits: 2}) + ' ' + (0.256).toLocaleString('en-US', {style: 'percent'})", "1.01 26%"},
		{"(-1234.5).toLocaleString('en-US', {style: 'currency', currency: 'USD'})", "-$1,234.50"},
		{"123456789012345678901234567890n.toLocaleString()", "123,456,789,012,345,678,901,234,567,890"},
		{"var d = new Date(Date.UTC(2022, 2, 1, 9, 5, 7)); [d.toLocaleDateString('en-US', {weekday: 'short', month: 'short', day: 'numeric'}), d.toLocaleTimeString('en-US', {hour: '2-digit', minute: '2-digit', hour12: false}), d.toLocaleString('en-US', {dateStyle: 'long', timeStyle: 'short'})].join(' | ')",
			"Tue, Mar 1 | 09:05 | March 1, 2022 at 9:05 AM"},
		{"var d = new Date(2020, 0, 31); d.setMonth(1); d.toISOString() + d.setFullYear(NaN)", "2020-03-02T00:00:00.000ZNaN"},
		{"[Math.max(), Math.min(0, -0), Math.round(-0.5), Math.hypot(3, 4), Math.sign(-3), Math.atan2(1, -1), Math.log10(1000), Math.cbrt(27)].map(x => Object.is(x, -0) ? '-0' : x).join()",
			"-Infinity,-0,-0,5,-1,2.356194490192345,3,3"},
		{"Math.sumPrecise([1e20, 0.1, -1e20])", "0.1"},
		{"[BigInt.asIntN(8, 255n), BigInt.asUintN(8, -1n), BigInt(1e21), (255n).toString(16)].join()", "-1,255,1000000000000000000000,ff"},
	}
	for _, x := range tests {
		if got := runArray(t, x.src, false); got != x.want {
			t.Errorf("%s\n got %s\nwant %s", x.src, got, x.want)
		}
	}
}

// TestDataLimits has programs that must end by fuel or memory.
func TestDataLimits(t *testing.T) {
	for _, src := range []string{
		"JSON.stringify(new Array(2 ** 32 - 1))",
		"JSON.stringify({toJSON() { return {a: this} }})",
		"JSON.parse('[' + '1,'.repeat(1e7) + '1]')",
		"new Uint8Array(1e9)",
		"new ArrayBuffer(10, {maxByteLength: 2e9}).resize(1e9)",
		"Float64Array.from({length: 1e8})",
		"var u = new Uint8Array(3e7); for (;;) u.fill(1)",
		"var u = new Uint8Array(1e6); for (;;) u.sort()",
		"var a = [[]]; for (;;) a = [a, structuredClone(a)]",
		"new Uint8Array(6e7).join()",
		"var s = '1'; while (s.length < 2 ** 25) s += s; for (;;) JSON.parse(s)",
	} {
		if got := runArray(t, src, false); got != "limit" {
			t.Errorf("%s: %.80s, want a limit", src, got)
		}
	}
}
