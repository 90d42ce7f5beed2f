package builtins_test

import (
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// evalText runs a script under limits and returns its value, or what it threw,
// as a string.
func evalText(t testing.TB, src string, lim meter.Limits, stress bool) (string, meter.Usage) {
	t.Helper()
	p, err := js.Compile("test.js", src, js.CompileOptions{Completion: true})
	if err != nil {
		return err.Error(), meter.Usage{}
	}
	lim.Depth, lim.NativeDepth = 1000, 500
	mt := meter.New(nil, lim)
	m, err := js.NewMachine(mt, vm.Options{Stress: stress})
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.RunScript(p)
	if exc, ok := m.Caught(err); ok {
		s, err := m.GoString(exc)
		if err != nil {
			return "uncaught " + m.Describe(exc), mt.Usage()
		}
		return "throws " + s, mt.Usage()
	}
	if err != nil {
		return err.Error(), mt.Usage()
	}
	s, err := m.GoString(v)
	if err != nil {
		return err.Error(), mt.Usage()
	}
	return s, mt.Usage()
}

type textTest struct{ src, want string }

func runTextTests(t *testing.T, tests []textTest) {
	t.Helper()
	for _, tt := range tests {
		for _, stress := range []bool{false, true} {
			got, _ := evalText(t, tt.src, meter.Limits{Fuel: 1 << 28, LiveBytes: 256 << 20}, stress)
			if got != tt.want {
				t.Errorf("stress %v: %s\n got %q\nwant %q", stress, tt.src, got, tt.want)
			}
		}
	}
}

// TestString has its values from Node 20, but for the length limit, which is
// the engine's own.
func TestString(t *testing.T) {
	runTextTests(t, []textTest{
		{`'abc'.at(-1) + 'abc'.at(3)`, "cundefined"},
		{`[...'a\ud83d\ude00b'].length + ',' + 'a\ud83d\ude00b'.codePointAt(1)`, "3,128512"},
		{`'abc'.padStart(10, '12345') + 'abc'.padEnd(6, '') + 'abc'.padEnd(5, '\u2603')`, "1234512abcabcabc☃☃"},
		{`'ab'.repeat(3) + 'x'.repeat(10000).length + '\u2603ab'.repeat(5000).slice(14990)`, "ababab10000b☃ab☃ab☃ab"},
		{`'x'.repeat(-1)`, "throws RangeError: Invalid count value: -1"},
		{`'x'.repeat(Infinity)`, "throws RangeError: Invalid count value: Infinity"},
		{`'x'.repeat(2 ** 28).length`, "268435456"},
		{`'x'.repeat(2 ** 28) + 'y'`, "throws RangeError: Invalid string length"},
		{`''.repeat(2 ** 50).length`, "0"},
		{`'abc'.padStart(2 ** 40)`, "throws RangeError: Invalid string length"},
		{`String('aXbXc'.split('X')) + 'aXbXc'.split('X', 2).length + ''.split('').length + ''.split(',').length + 'abc'.split().length`, "a,b,c2011"},
		{`'abc'.replace('b', '[$&]') + 'abc'.replace('b', '[$` + "`" + `|$\']') + 'abc'.replace('b', '$$$1$')`, "a[b]ca[a|c]ca$$1$c"},
		{`'abcabc'.replaceAll('b', (m, i, s) => m + i + s.length)`, "ab16cab46c"},
		{`'abc'.replaceAll('', '-') + 'aaa'.replaceAll('a', '$&$&') + 'aaaaa'.replaceAll('aa', 'b')`, "-a-b-c-aaaaaabba"},
		{`'abc'.replaceAll(/b/, 'x')`, "throws TypeError: String.prototype.replaceAll called with a non-global RegExp argument"},
		{`'abc'.includes(/a/)`, "throws TypeError: First argument to String.prototype.includes must not be a regular expression"},
		{`String.prototype.trim.call(null)`, "throws TypeError: String.prototype.trim called on null or undefined"},
		{`String.prototype.toString.call(1)`, "throws TypeError: String.prototype.toString requires that 'this' be a String"},
		{`['b','a','B','A','á','ab','Ab','z','ä','_','1','-',' '].sort((x, y) => x.localeCompare(y)).join()`, " ,_,-,1,a,A,á,ä,ab,Ab,b,B,z"},
		{`['résumé','resume','Résumé','Resume','resumes'].sort((x, y) => x.localeCompare(y)).join()`, "resume,Resume,résumé,Résumé,resumes"},
		{`['æ'.localeCompare('ae'), 'æ'.localeCompare('af'), 'ß'.localeCompare('ss'), 'a\u030a'.localeCompare('å'), 'a'.localeCompare('A'), 'A'.localeCompare('b'), 'a'.localeCompare('ab')].join()`, "1,-1,1,0,-1,-1,-1"},
		{`'ΑΣ'.toLowerCase() + 'ß'.toUpperCase() + 'ÀÉ'.toLowerCase() + 'ÿµ'.toUpperCase() + 'aé'.toUpperCase()`, "αςSSàéŸΜAÉ"},
		{`'abc'.normalize('NFX')`, "throws RangeError: The normalization form should be one of NFC, NFD, NFKC, NFKD."},
		{`('A\u030a'.normalize() === '\u00c5') + '\ufb01'.normalize('NFKD')`, "truefi"},
		{`'a\ud800b'.isWellFormed() + '' + 'a\ud800b'.toWellFormed()`, "falsea\ufffdb"},
		{`'abc'.anchor('"x"') + 'a'.big()`, `<a name="&quot;x&quot;">abc</a><big>a</big>`},
		{`'abc'.substr(-2, 1) + 'abc'.substring(2, 0) + 'abc'.slice(-2, -1) + 'abcdef'.slice(NaN, Infinity)`, "babbabcdef"},
		{`['abc'.indexOf('', 5), 'abc'.lastIndexOf('', -1), 'abcabc'.lastIndexOf('c', 4), 'aXbX'.lastIndexOf('X', NaN)].join()`, "3,0,2,3"},
		{`String.fromCodePoint(0x1F600, 65) + String.fromCharCode(65, 0x10041, 66.9, '67')`, "😀AAABC"},
		{`String.fromCodePoint(1.5)`, "throws RangeError: Invalid code point 1.5"},
		{"String.raw`a${1}\\n${2}b` + String.raw({raw: 'xyz'}, 1, 2, 3)", `a1\n2bx1y2z`},
		{`String(Symbol('x')) + new String('abc').length + Object.keys(new String('ab'))`, "Symbol(x)30,1"},
		{`'  \ufeff\u3000a \n'.trim().length + 'x '.trimEnd() + ' x'.trimStart() + String.prototype.trimLeft.name`, "1xxtrimStart"},
		{`'abc'.charAt(1.9) + 'abc'.charAt(-1) + 'abc'.charCodeAt(9) + 'abc'.concat(1, null, [2])`, "bNaNabc1null2"},
		{`let s = ''; for (let i = 0; i < 1000; i++) s = s.replace('x', 'yx') || 'x'; s.length`, "1000"},
	})
}

// TestRegExp has its values from Node 20; those of duplicate group names and
// RegExp.escape from the specification.
func TestRegExp(t *testing.T) {
	runTextTests(t, []textTest{
		{`'a1b2c3'.split(/(\d)/).join('|')`, "a|1|b|2|c|3|"},
		{`['abc'.split(/(?:)/u), '\ud83d\ude00x'.split(/(?:)/u).length, '\ud83d\ude00x'.split(/(?:)/).length].join()`, "a,b,c,2,3"},
		{`'A<B>bold</B>and<CODE>coded</CODE>'.split(/<(\/)?([^<>]+)>/).join('|')`, "A||B|bold|/|B|and||CODE|coded|/|CODE|"},
		{`[''.split(/a/).length, ''.split(/a?/).length, 'ab'.split(/a*?/), 'ab'.split(/a*/), 'aab'.split(/(?=b)/), 'aaba'.split(/a/y)].join('|')`, "1|0|a,b|,b|aa,b|,,b,"},
		{`'John Smith'.replace(/(\w+)\s(\w+)/, '$2, $1')`, "Smith, John"},
		{`'2020-01-02'.replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, '$<d>.$<m>.$<y>$<x>')`, "02.01.2020"},
		{`'abc'.replace(/(?<x>b)/, '$<x') + 'abc'.replace(/(b)/, '$01$10$11$2$00')`, "a$<xcabb0b1$2$00c"},
		{`'abcdefghijk'.replace(/(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)/, '$11-$10-$1')`, "k-j-a"},
		{`'abc'.replace(/(?<n>b)/, (...a) => a.length + a[4].n)`, "a5bc"},
		{`'xxx'.replace(/x*/g, 'y') + 'abc'.replace(/x*/g, '-') + 'abc'.replace(/$/g, '!') + 'a\nb'.replace(/^/gm, '> ')`, "yy-a-b-c-abc!> a\n> b"},
		{`'abcabc'.replace(/(a)|(b)/g, (m, a, b, i) => ` + "`${a}${b}${i}`" + `)`, "aundefined0undefinedb1caundefined3undefinedb4c"},
		{`'aBc'.replace(/b/i, m => m.toLowerCase()) + 'x'.replace(/x/, () => '$&') + 'x'.replace(/x/, '$0$1$')`, "abc$&$0$1$"},
		{`Object.keys('abc'.match(/(b)/d)).join() + 'abc'.match(/x/) + 'abcabc'.match(/b/g) + 'abc'.match(/x/g)`, "0,1,index,input,groups,indicesnullb,bnull"},
		{`String(/a(?<Z>b)?c/d.exec('xac').indices) + /a(?<Z>b)?c/d.exec('xabc').indices.groups.Z`, "1,3,2,3"},
		{`[...'a1b22'.matchAll(/[a-z](\d+)/g)].map(m => m.index + m[1]).join() + [...'\ud83d\ude00'.matchAll(/(?:)/gu)].length + [...'\ud83d\ude00'.matchAll(/(?:)/g)].length`, "01,22223"},
		{`'abc'.matchAll(/b/)`, "throws TypeError: String.prototype.matchAll called with a non-global RegExp argument"},
		{`(r => { r.lastIndex = 2; return 'abcab'.search(r) + ',' + r.lastIndex })(/a/g)`, "0,2"},
		{`(r => [r.test('aab'), r.lastIndex, r.test('aab'), r.lastIndex, r.test('aab'), r.lastIndex])(/a/g).join()`, "true,1,true,2,false,0"},
		{`(r => { r.lastIndex = 1; return [r.test('baa'), r.lastIndex, 'baaa'.replace(r, 'x'), r.lastIndex] })(/a/y).join()`, "true,2,baxa,3"},
		{`'aaba'.replace(/a/gy, 'x') + 'aaba'.match(/a/gy)`, "xxbaa,a"},
		{`[String(/[/]\/\n/), new RegExp('/').source, new RegExp('\n').source, new RegExp('\\\n').source, new RegExp('').source, new RegExp('\u2028').source].join(' ')`, `/[/]\/\n/ \/ \n \n (?:) \u2028`},
		{`RegExp.prototype.toString() + RegExp.prototype.flags + RegExp.prototype.global + /a/dgimsuy.flags`, "/(?:)/undefineddgimsuy"},
		{`new RegExp(/a/g).flags + new RegExp(/a/g, 'i').flags + (RegExp(/a/) === RegExp(/a/)) + (r => RegExp(r) === r)(/a/)`, "gifalsetrue"},
		{`new RegExp('(')`, "throws SyntaxError: Invalid regular expression: /(/: Unterminated group"},
		{`new RegExp('a', 'gg')`, "throws SyntaxError: Invalid flags supplied to RegExp constructor 'gg'"},
		{`/a/.exec.call({})`, "throws TypeError: Method RegExp.prototype.exec called on incompatible receiver #<Object>"},
		{`Object.getOwnPropertyDescriptor(RegExp.prototype, 'global').get.call({})`, "throws TypeError: RegExp.prototype.global getter called on non-RegExp object"},
		{`Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags').get.call({global: 1, sticky: true})`, "gy"},
		{`/(?<a>x)|(?<a>y)/.exec('y').groups.a + 'y'.replace(/(?<a>x)|(?<a>y)/, '[$<a>]') + Object.getPrototypeOf(/(?<a>x)/.exec('x').groups)`, "y[y]null"},
		{`new (class R extends RegExp { get flags() { return 'g' } })('a').flags`, "g"},
		{`'aba'.replace(new (class extends RegExp { exec(s) { const r = super.exec(s); if (r) r[0] = r[0].toUpperCase(); return r } })('a', 'g'), '<$&>')`, "<A>b<A>"},
		{`(r => { r.exec = () => ({ index: 1, length: 2, 0: 'XX', 1: 'q', groups: { z: 'Z' } }); return 'abcdef'.replace(r, '$1$<z>$&$\'') })(/a/)`, "aqZXXdefdef"},
		{`RegExp.prototype.exec = () => null; 'abc'.replace(/b/, 'x') + 'abc'.match(/b/) + /b/.test('b')`, "abcnullfalse"},
		{`Object.defineProperty(RegExp.prototype, 'flags', { get() { return '' } }); String('aa'.match(/a/g))`, "a"},
		{`/a/.compile('b', 'g').flags + /a/.compile(/c/i)`, "g/c/i"},
		{`RegExp.escape('a.b*c-1 \n\u2028\ud800/x')`, `\x61\.b\*c\x2d1\x20\n\u2028\ud800\/x`},
		{`/(\d)(\d)?/.exec('a1b'); [RegExp.$1, RegExp.$2, RegExp.lastMatch, RegExp.leftContext, RegExp["$'"], RegExp.lastParen, RegExp.input].join()`, "1,,1,a,b,,a1b"},
		{`'1234567.891'.replace(/\B(?=(\d{3})+(?!\d))/g, ',')`, "1,234,567.891"},
		{`'<a>&"'.replace(/[<>&"]/g, c => ({'<':'&lt;','>':'&gt;','&':'&amp;','"':'&quot;'})[c])`, "&lt;a&gt;&amp;&quot;"},
		{`let n = 0; for (let i = 0; i < 300; i++) { const r = /x(\d+)/g; r.lastIndex = 1; n += r.lastIndex + (r.exec('x1 x' + i)[1] - 0) } n`, "45150"},
		{`let g = 'a b c'.replace(/\w/g, c => { for (let i = 0; i < 50; i++) /b/.exec('abc' + i); return c + c }); g`, "aa bb cc"},
	})
}

// TestTextLinear checks that work over many matches is charged, and done, in
// proportion to the string.
func TestTextLinear(t *testing.T) {
	for _, src := range []string{
		`let s = 'lorem ips '.repeat(N), n = 0; for (const m of s.matchAll(/(\w)\w+/g)) n += m[1].length; n`,
		`('lorem ☃ps '.repeat(N)).replace(/\w+/g, x => x + 'é').length`,
		`('lorem ips '.repeat(N)).replaceAll('ips', '$&$&').length`,
		`('lorem ips '.repeat(N)).split(/\s/).length + ('lorem ips '.repeat(N)).split(' ').length`,
	} {
		var fuel [2]int64
		for i, n := range []string{"2000", "20000"} {
			got, u := evalText(t, strings.ReplaceAll(src, "N", n), meter.Limits{Fuel: 1 << 28, LiveBytes: 64 << 20}, false)
			if strings.Contains(got, "limit") {
				t.Errorf("%s: %s", src, got)
			}
			fuel[i] = u.Fuel
		}
		if fuel[1] > 12*fuel[0] {
			t.Errorf("%s: ten times the string took %d times the fuel", src, fuel[1]/fuel[0])
		}
	}
}

// TestTextLimits checks that built-ins that could run or grow without end are
// stopped.
func TestTextLimits(t *testing.T) {
	for _, src := range []string{
		`String.raw({raw: {length: 2 ** 53 - 1}})`,
		`'x'.repeat(2 ** 28).split('')`,
		`'x'.repeat(2 ** 20).replaceAll('x', 'y'.repeat(2 ** 20))`,
		`'x'.repeat(2 ** 28).toUpperCase()`,
		`'x'.repeat(2 ** 27).replace(/x/g, '$&$&$&')`,
		`const r = /a/g; r.exec = () => ({0: 'a', index: 0}); 'a'.replace(r, '')`,
		`const r = /a/g; r.exec = () => ({0: '', index: 0, length: 2 ** 53 - 1}); 'a'.match(r)`,
		`/a/[Symbol.replace].call({exec: () => ({0: '', index: 0, length: 2 ** 53 - 1}), flags: ''}, 'a', '')`,
		`/(a+)+$/.test('a'.repeat(40) + 'b')`,
		`for (let i = 0; ; i++) new RegExp('a' + i)`,
		`const a = '\0'.repeat(2 ** 22); for (;;) a.localeCompare(a + 'x')`,
		`for (;;) 'a'.repeat(2 ** 22).replace(/(?:)/gu, '')`,
	} {
		got, u := evalText(t, src, meter.Limits{Fuel: 20_000_000, LiveBytes: 32 << 20}, false)
		if !strings.Contains(got, "limit") && !strings.Contains(got, "Invalid string length") {
			t.Errorf("%s: %q", src, got)
		}
		if u.PeakBytes > 40<<20 {
			t.Errorf("%s: peak %d bytes", src, u.PeakBytes)
		}
	}
}
