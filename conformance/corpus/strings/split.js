const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r('a,b,c'.split(','), 'a,b,c'.split(',', 2), 'abc'.split(''), 'abc'.split(), ''.split(''), ''.split(','), 'abc'.split('abc'), ',a,'.split(','), 'abc'.split('', 2), 'a,b'.split(',', 0), 'a,b'.split(',', -1), 'a,b'.split(',', 2 ** 32 + 1), 'a,b'.split(undefined, 0), 'a1b2'.split(1));
r('a1b2c3'.split(/\d/), 'a1b2c3'.split(/(\d)/), 'abc'.split(/(?:)/), 'a b  c'.split(/\s+/), ' a b '.split(/\s/), ''.split(/x/), ''.split(/(?:)/), 'aXbxc'.split(/x/i), 'a,b;c'.split(/[,;]/), 'ab'.split(/(x)?/), 'abc'.split(/b/, 1), 'test'.split(/t/), 'A<B>bold</B>and'.split(/<(\/)?([^<>]+)>/));
r('😀a'.split(''), '😀a'.split(/(?:)/u), [...'😀a'], 'aaa'.split('a'), 'aaa'.split('aa'), 'a||b'.split('|'), 'one  two'.split(' '), 'a\nb\r\nc'.split(/\r?\n/), 'k=v=w'.split('=', 2), 'x'.split('xy'), 'null1null'.split(null));
r('2024-01-02T03:04'.split(/[-T:]/).map(Number), 'camelCaseString'.split(/(?=[A-Z])/), 'a.b.c'.split('.').reverse().join('.'), 'abc'.split(/(?<=b)/), 'aBc'.split(/(b)/i), 'ab'.split(/a|b/), 'ab'.split(/(a)|b/));
const custom = { [Symbol.split](s, l) { return [s, l] } }; r('x'.split(custom, 3), 'x,y'.split({ toString: () => ',' }), t(() => String.prototype.split.call(null, '')), /,/[Symbol.split]('a,b,c', 2), RegExp.prototype[Symbol.split].length);
class Re extends RegExp { static log = []; exec(s) { Re.log.push(this.lastIndex); return super.exec(s) } } r('a-b'.split(new Re('-')), Re.log); const sticky = /b/y; sticky.lastIndex = 1; r('abcb'.split(sticky), sticky.lastIndex);
