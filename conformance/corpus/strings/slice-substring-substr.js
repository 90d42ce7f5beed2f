const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
const s = '0123456789';
r(s.slice(2, 5), s.slice(-3), s.slice(-5, -2), s.slice(5, 2), s.slice(), s.slice(20), s.slice(NaN, 2), s.slice(1.9, 3.9), s.slice(undefined, -8), s.slice(null, 1), s.slice(2, undefined), s.slice('2', '4'));
r(s.substring(2, 5), s.substring(5, 2), s.substring(-3, 2), s.substring(NaN), s.substring(8, 99), s.substring(), s.substring(4, undefined), s.substring(undefined, 2), s.substring(3, NaN));
r(s.substr(2, 3), s.substr(-3), s.substr(-3, 2), s.substr(5, -1), s.substr(20), s.substr(0, Infinity), s.substr(-99, 2), s.substr(3, undefined), s.substr());
r('😀x'.slice(0, 1) === '\ud83d', '😀x'.slice(1), '😀x'.slice(2), ''.slice(0, 1), String.prototype.slice.call([1, 2, 3], 1, 4));
for (const [a, b] of [[0, 0], [-1, -1], [10, 10], [9, 99], [-99, 99], [Infinity, -Infinity], [-0, 1]]) r(s.slice(a, b), s.substring(a, b), s.substr(a, b));
