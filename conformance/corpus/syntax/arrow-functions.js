const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
const id = x => x, two = (a, b) => a + b, obj = () => ({ a: 1 }), blk = () => { return 'b' }, none = () => { }, nested = a => b => c => a + b + c, def = (a = 1, { b = 2 } = {}, [c = 3] = []) => a + b + c, rest = (...r) => r.length, asy = async x => x, paren = (a) => (a, a * 2);
r(id(1), two(1, 2), obj(), blk(), none(), nested(1)(2)(3), def(), def(5, { b: 6 }, [7]), rest(1, 2, 3), paren(4), (() => { })() === undefined, (() => ({}).toString())(), (a => { a })(1));
r(typeof id.prototype, id.hasOwnProperty('prototype'), (() => this === globalThis)(), t(() => new id), (function () { return (() => arguments[0])('x') })('outer'), [1, 2, 3].map(x => x * 2), [3, 1].sort((a, b) => a - b), (x => x ? 'y' : 'n')(0), ((a, b) => a ?? b)(null, 2), (async () => { }) instanceof Function);
const chain = x =>
  x
    .map(y => y + 1)
    .filter(y => y > 2);
r(chain([1, 2, 3]), (x => { if (x) return 'early'; return 'late' })(1), (({ a }, [b]) => [a, b])({ a: 1 }, [2]), (x => y => { x++; return x + y })(1)(2), (_ => _)(9), ((a, b,) => a + b)(1, 2), (async => async)(3), (of => of)(4));
