// No node has Math.sumPrecise; the expectations follow ECMA-262's Math.sumPrecise.
const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r(Math.sumPrecise([1, 2, 3]), Math.sumPrecise([0.1, 0.2, 0.3]), Math.sumPrecise([1e20, 0.1, -1e20]), Math.sumPrecise([]), Math.sumPrecise([-0]), Math.sumPrecise([0, -0]), Math.sumPrecise([Infinity, -Infinity]), Math.sumPrecise([Infinity, 1]), Math.sumPrecise([NaN]), Math.sumPrecise([1e308, 1e308, -1e308]), t(() => Math.sumPrecise(['1'])), t(() => Math.sumPrecise([1n])), t(() => Math.sumPrecise(5)), t(() => Math.sumPrecise()), Math.sumPrecise(new Set([1, 2])), Math.sumPrecise.length);
