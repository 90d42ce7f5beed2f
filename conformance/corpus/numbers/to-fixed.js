const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r((1.005).toFixed(2), (1.45).toFixed(1), (8.345).toFixed(2), (0).toFixed(2), (-1.5).toFixed(0), (1.5).toFixed(0), (2.5).toFixed(0), (0.5).toFixed(0), (-0.5).toFixed(0), (1e21).toFixed(2), (123.456).toFixed(), (123.456).toFixed(10), (0.000001).toFixed(7), (1.23e-10).toFixed(2), (10.235).toFixed(2), (1.335).toFixed(2), (1234567.891).toFixed(1), NaN.toFixed(2), Infinity.toFixed(1), (-0).toFixed(1), (0.1).toFixed(20), (5e-324).toFixed(3), (99.995).toFixed(2), (-1.005).toFixed(2));
r(t(() => (1).toFixed(-1)), t(() => (1).toFixed(101)), (1).toFixed(100).length, (1).toFixed('2'), (1).toFixed(2.9), (1).toFixed(NaN), t(() => Number.prototype.toFixed.call('1', 1)), (123456789012345680000).toFixed(2), (1e20).toFixed(1), (0.3).toFixed(17), (2 ** 70).toFixed(1), (1.45).toFixed(20), (1000000000000000128).toFixed(0));
