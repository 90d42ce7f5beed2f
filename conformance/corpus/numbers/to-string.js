const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r([0, -0, 1, -1, 0.1, 1e21, 1e20, 123456789012345680000, 1e-6, 1e-7, 1.5e-10, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3, 100, 1e2, 123.456, 2 ** 53, 2 ** 53 + 2, -1.5e300, 4.35, 0.000001234, 1e5, 12345.678e10, NaN, Infinity, -Infinity].map(String));
r([255, -255, 0.5, 255.5, 2 ** 40, 2 ** 52, 0, NaN, Infinity].map(x => [2, 8, 16, 36].map(b => x.toString(b)).join('|')));
r((35).toString(36), (-0).toString(2), (0.1).toString(2), (0.1).toString(3), (1 / 3).toString(3), (123.456).toString(16), (1e-7).toString(16), (0.5).toString(36), Math.PI.toString(36), t(() => (1).toString(1)), t(() => (1).toString(37)), (10).toString(undefined), t(() => (10).toString(null)), (255).toString('16'), (10).toString(2.9), t(() => Number.prototype.toString.call('1')));
