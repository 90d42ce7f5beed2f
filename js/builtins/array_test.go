package builtins_test

import (
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// runArray evaluates a script with some fuel and memory and returns its
// completion value as a string, or "limit: " and which.
func runArray(t *testing.T, src string, stress bool) string {
	t.Helper()
	p, err := js.Compile("test.js", src, js.CompileOptions{Completion: true})
	if err != nil {
		t.Fatal(err)
	}
	mt := meter.New(nil, meter.Limits{Fuel: 2_000_000, LiveBytes: 64 << 20, Depth: 2000, NativeDepth: 500})
	m, err := js.NewMachine(mt, vm.Options{Stress: stress})
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.RunScript(p)
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

// The expected values are node's (v20 and, for iterator helpers, v26).
func TestArrays(t *testing.T) {
	tests := []struct{ src, want string }{
		{"[3, 1, 2].sort((a, b) => a - b) + ''", "1,2,3"},
		{"[3, , 1, undefined, 2].sort((a, b) => b - a).length", "5"},
		{"[['a', 3], ['b', 1], ['c', 2]].sort((a, b) => b[1] - a[1]).join(';')", "a,3;c,2;b,1"},
		{"['bb', 'a', 'ccc'].sort((a, b) => a.length - b.length) + ''", "a,bb,ccc"},
		{"[3, '1', 2].sort((a, b) => a - b) + ''", "1,2,3"},
		{"[10, 9, 1, 100, -1, -10, 0, 2147483647, -2147483648].sort() + ''", "-1,-10,-2147483648,0,1,10,100,2147483647,9"},
		{"[1.5, 10, 2, 1e21, 'b', 'a', true, null].sort() + ''", "1.5,10,1e+21,2,a,b,,true"},
		{"var r = []; for (var i = 0; i < 200; i++) r.push({k: i * 7919 % 10, i}); r.sort((a, b) => a.k - b.k).every((o, j, a) => !j || a[j - 1].k < o.k || a[j - 1].k == o.k && a[j - 1].i < o.i)", "true"},
		{"var a = [5, 4, 3]; a.sort((x, y) => { a.length = 0; return x < y ? -1 : 1 }); a.join()", "3,4,5"},
		{"var a = [1, [2, [3, [4]]]]; a.flat(Infinity) + ''", "1,2,3,4"},
		{"var a = []; a[0] = a; a.join() + a.toLocaleString() + '.'", "."},
		{"var a = [1]; a.push(a, 2); String(a)", "1,,2"},
		{"[1, 2, 3, 4, 5].copyWithin(0, 3).join()", "4,5,3,4,5"},
		{"var a = [1, 2, 3, 4, 5]; a.splice(1, 2, 'x', 'y', 'z') + '|' + a", "2,3|1,x,y,z,4,5"},
		{"Object.keys([0, , 2].concat([3, , 5])).join()", "0,2,3,5"},
		{"[, 1].toReversed().hasOwnProperty(1) + [, 1].with(1, 2).join()", "true,2"},
		{"[NaN].includes(NaN) + ',' + [NaN].indexOf(NaN) + ',' + [,].includes(undefined) + ',' + [,].indexOf(undefined)", "true,-1,true,-1"},
		{"class X extends Array {} new X(1, 2, 3).map(x => x * 2) instanceof X", "true"},
		{"Array.from({length: 3}, (_, i) => i * i) + ''", "0,1,4"},
		{"Array.from(new Set([1, 2, 2, 3])).length", "3"},
		{"var s = ''; for (var [i, v] of ['a', 'b'].entries()) s += i + v; s", "0a1b"},
		{"[1, 2, 3].values().map(x => x * 2).filter(x => x > 2).toArray() + ''", "4,6"},
		{"Iterator.from({next() { return {value: 1, done: false} }}).take(3).toArray() + ''", "1,1,1"},
		{"[1, 2].values().flatMap(x => [x, x]).drop(1).reduce((a, b) => a + b)", "5"},
		{"var i = [1].values().map(() => i.next()); i.next()", "TypeError: Generator is already running"},
		{"[].reduce((a, b) => a)", "TypeError: Reduce of empty array with no initial value"},
		{"Object.freeze([1]).push(2)", "TypeError: Cannot add property 1, object is not extensible"},
		{"new Array(-1)", "RangeError: Invalid array length"},
		{"var m = new Map([[1, 'a'], [NaN, 'b'], [-0, 'c']]); m.get(NaN) + m.get(0) + Object.is([...m.keys()][2], 0)", "bctrue"},
		{"var m = new Map([[1, 1], [2, 2]]), s = ''; for (var [k] of m) { s += k; m.delete(k); if (k < 5) m.set(k + 2, 0) } s", "123456"},
		{"var s = new Set([1, 2, 3]); s.forEach(x => { if (x < 3) { s.delete(x); s.add(x + 10) } }); [...s] + ''", "3,11,12"},
		{"[...new Set([1, 2, 3]).symmetricDifference(new Set([3, 4]))] + ''", "1,2,4"},
		{"Map.groupBy([1, 2, 3], x => x % 2).get(1) + ''", "1,3"},
		{"var w = new WeakMap, k = {}; w.set(k, 1); w.get(k) + '' + w.has({})", "1false"},
		{"new WeakRef({a: 1}).deref().a", "1"},
	}
	for _, tt := range tests {
		for _, stress := range []bool{false, true} {
			if got := runArray(t, tt.src, stress); got != tt.want {
				t.Errorf("stress %v: %s\n got %s\nwant %s", stress, tt.src, got, tt.want)
			}
		}
	}
}

// Array-likes may claim any length and callbacks may do anything: the run ends
// by its limits, soon.
func TestArrayLimits(t *testing.T) {
	tests := []struct{ src, want string }{
		{"Array.prototype.indexOf.call({length: 2**53 - 1}, 1)", "limit"},
		{"Array.prototype.lastIndexOf.call({length: 2**53 - 1}, 1)", "limit"},
		{"Array.prototype.includes.call({length: 2**53 - 1}, 1)", "limit"},
		{"Array.prototype.reverse.call({length: 2**53 - 1})", "limit"},
		{"Array.prototype.fill.call({length: 2**53 - 1}, 0)", "limit"},
		{"Array.prototype.sort.call({length: 2**53 - 1})", "limit"},
		{"Array.prototype.join.call({length: 2**53 - 1}, '')", "limit"},
		{"Array.prototype.forEach.call({length: 2**53 - 1}, () => {})", "limit"},
		{"Array.prototype.reduceRight.call({length: 2**53 - 1}, () => {})", "limit"},
		{"Array.prototype.copyWithin.call({length: 2**53 - 1}, 1)", "limit"},
		{"Array.prototype.unshift.call({length: 2**52}, 1)", "limit"},
		{"Array.prototype.slice.call({length: 2**32 - 1})", "limit"},
		{"Array.from({length: 2**32 - 1})", "limit"},
		{"new Array(2**32 - 1).indexOf(1)", "-1"},
		{"new Array(2**32 - 1).fill(0)", "limit"},
		{"new Array(2**32 - 1).toSorted()", "limit"},
		{"new Array(2**32 - 1).map(x => x)", "limit"},
		{"new Array(2**28).join('xx').length", "RangeError: Invalid string length"},
		{"new Array(2**32 - 1).join('x').length", "RangeError: Invalid string length"},
		{"var a = []; a[0] = a; a.flat(Infinity)", "RangeError: Maximum call stack size exceeded"},
		{"var a = []; for (var i = 0; i < 100000; i++) a = [a]; a.toString()", "limit"},
		{"var a = [1]; for (;;) a = a.concat(a)", "limit"},
		{"var a = [1, 2]; for (var i of a) a.push(i)", "limit"},
		{"var s = new Set([1]); for (var x of s) { s.delete(x); s.add(x + 1) }", "limit"},
		{"var m = new Map([[1, 1]]); m.forEach((v, k) => m.set(k + 1, 1))", "limit"},
		{"var i = {next() { return {} }, __proto__: Iterator.prototype}; i.filter(x => false).next()", "limit"},
		{"var i = {next() { return {} }, __proto__: Iterator.prototype}; i.drop(Infinity).next()", "limit"},
		{"var i = {next() { return {} }, __proto__: Iterator.prototype}; i.toArray()", "limit"},
		{"var i = [].values(); for (var k = 0; k < 100000; k++) i = i.map(x => x); i.next()", "limit"},
		{"var i = [].values(); for (;;) i = i.take(1)", "limit"},
	}
	for _, tt := range tests {
		start := time.Now()
		if got := runArray(t, tt.src, false); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s: took %v", tt.src, d)
		}
	}
}
