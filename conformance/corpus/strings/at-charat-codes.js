const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r('abc'.at(0), 'abc'.at(-1), 'abc'.at(3), 'abc'.at(-4), 'abc'.at(NaN), 'abc'.at('1'), 'abc'.at(1.9), 'abc'.at(-0.5));
r('abc'.charAt(), 'abc'.charAt(1), 'abc'.charAt(5), 'abc'.charAt(-1), 'abc'.charAt(true), 'abc'.charAt(2 ** 32));
r('aé😀'.charCodeAt(1), 'aé😀'.charCodeAt(2), 'aé😀'.charCodeAt(3), 'a'.charCodeAt(9), 'a'.charCodeAt(), 'a'.charCodeAt('x'));
r('😀'.codePointAt(0), '😀'.codePointAt(1), 'a'.codePointAt(1), '\ud800'.codePointAt(0), '\udc00\ud800'.codePointAt(0));
r(String.fromCharCode(72, 105), String.fromCharCode(0x1F600), String.fromCharCode(65.9, '66', -1, NaN), String.fromCharCode(), String.fromCharCode(55357, 56832) === '😀');
r(String.fromCodePoint(128512, 97), String.fromCodePoint(), t(() => String.fromCodePoint(-1)), t(() => String.fromCodePoint(1.5)), t(() => String.fromCodePoint(0x110000)), t(() => String.fromCodePoint(NaN)), String.fromCodePoint('65', null));
r('abc'[0], 'abc'[-1], 'abc'['1'], 'abc'[1.5], 'abc'['01'], '01'[1], 'x'.length, '😀'.length, [...'😀'].length, ''.at(0));
r(String.prototype.at.call(123, 0), t(() => String.prototype.at.call(null, 0)), t(() => String.prototype.charAt.call(undefined)), String.prototype.charAt.call({ toString: () => 'obj' }, 1), String.prototype.codePointAt.call(true, 0));
