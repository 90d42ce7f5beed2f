const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
const s = 'hello world hello';
r(s.indexOf('hello'), s.indexOf('hello', 1), s.indexOf('x'), s.indexOf(''), s.indexOf('', 5), s.indexOf('', 99), s.indexOf('o', -5), s.indexOf('h', Infinity), s.indexOf());
r(s.lastIndexOf('hello'), s.lastIndexOf('hello', 11), s.lastIndexOf('hello', -1), s.lastIndexOf(''), s.lastIndexOf('', 3), s.lastIndexOf('l', NaN), s.lastIndexOf('h', 0), s.lastIndexOf('o', '4'));
r(s.includes('world'), s.includes('World'), s.includes(''), s.includes('hello', 13), s.includes('hello', 12), s.includes('h', -1), 'undefined'.includes(), t(() => s.includes(/h/)));
r(s.startsWith('hello'), s.startsWith('world', 6), s.startsWith(''), s.startsWith('', 99), s.startsWith('h', -3), t(() => s.startsWith(/h/)), 'null'.startsWith(null));
r(s.endsWith('hello'), s.endsWith('world', 11), s.endsWith(''), s.endsWith('h', 1), s.endsWith('o', Infinity), s.endsWith('hello', undefined), t(() => s.endsWith(/o/)), 'x'.endsWith('xx'));
r('aaa'.indexOf('aa', 1), 'abcabc'.lastIndexOf('abc', 2), 'abcabc'.lastIndexOf('abc', 3), '😀a'.indexOf('a'), '\ud83d\ude00'.indexOf('\ude00'), 'ab'.indexOf('abc'), 'aXbX'.indexOf('X', 2));
r('canal'.lastIndexOf('a'), 'canal'.lastIndexOf('c', -5), 'canal'.lastIndexOf(''), 'canal'.lastIndexOf('a', 2), t(() => String.prototype.includes.call(null, 'n')), String.prototype.indexOf.call(12321, 3));
r('x'.search('x'), 'abc'.search(/c/), 'abc'.search('z'), 'a.c'.search('.'), 'abc'.search(), 'aXb'.search(/[A-Z]/g));
