const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r('5'.padStart(3, '0'), 'abc'.padStart(2), 'x'.padStart(5, 'ab'), 'x'.padStart(3), 'x'.padStart(5, ''), 'x'.padStart(NaN, 'y'), 'x'.padStart(4, undefined), 'x'.padStart(3.9, 1), 'é'.padStart(3, '😀'));
r('5'.padEnd(3, '0'), 'abc'.padEnd(6, '12'), 'abc'.padEnd(-1), 'abc'.padEnd(6, '12345'), 'abc'.padEnd('5', null), ''.padEnd(2, 'ab'));
r('ab'.repeat(3), 'ab'.repeat(0), ''.repeat(1e6).length, 'x'.repeat(2.9), 'x'.repeat('2'), 'x'.repeat(), t(() => 'x'.repeat(-1)), t(() => 'x'.repeat(Infinity)), 'x'.repeat(-0), 'x'.repeat(NaN), t(() => 'x'.repeat(2 ** 40)));
r('  a b '.trim(), '\t\n\v\f\r \u00a0\ufeff\u2028\u2029\u3000\u1680\u2000\u200a\u202f\u205fx'.trim(), '\u200b\u180ex\u0085'.trim().length, ' a '.trimStart(), ' a '.trimEnd(), ''.trim(), '   '.trim());
r(String.prototype.trimLeft === String.prototype.trimStart, String.prototype.trimRight.name, String.prototype.trimLeft.name, t(() => String.prototype.trim.call(undefined)), String.prototype.trim.call(5));
r('a'.concat('b', 1, null, undefined, [2, 3], {}), ''.concat(), 'x'.concat(...'yz'), 'a'.concat(Symbol.iterator.description));
