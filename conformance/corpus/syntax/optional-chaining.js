const o = { a: { b: { c: 1, f() { return this === o.a.b } } }, nil: null, arr: [[5]], 'x y': { z: 2 } };
const r = (...xs) => console.log(xs.map(String).join(' '));
r(o?.a?.b?.c, o?.q?.b.c.d.e, o.nil?.x, o.nil?.[0], o.nil?.(), o.none?.(), o.a?.b.f(), o.a.b.f?.(), o['x y']?.['z'], o.arr?.[0]?.[0]);
let n = 0; const inc = () => n++; o.nil?.[inc()]; o.nil?.f(inc()); undefined?.[inc()]; r(n);
r(delete o?.a?.zzz, delete o.nil?.x, delete undefined?.x);
try { o.nil?.x.y.z(); r('short circuit') } catch (e) { r(e.name) } try { (o.nil?.x).y } catch (e) { r(e.name) } try { o.a?.nope() } catch (e) { r(e.name) } try { o.a.b.c?.() } catch (e) { r(e.name) }
r((o?.a).b.c, typeof o?.q?.w, o.nil?.x === undefined, 0?.toFixed(1), ''?.length, false?.toString(), (() => 1)?.());
r(true ?.5 : 1, false?.5:1); const f = null; r(f?.name ?? 'default', f?.(inc()), n); r((o.a?.b.f)(), (o.a?.b)?.f());
class P { #x = 1; static get(p) { return p?.#x } static call(p) { return p?.#m() } #m() { return 'm' } } r(P.get(new P), P.get(null), P.call(undefined), P.call(new P));
const t = { f(x) { return this.v + x[0] }, v: 'v' }; r(t?.f(['s'])); r(eval?.('1 + 1'), (() => { var local = 1; return typeof eval?.('typeof local') })()); r([1, 2]?.length, new Date(0)?.getTime?.(), /a/?.test?.('a'), `t`?.length);
for (const k of [null, undefined, 0, '', NaN, false]) r(k?.constructor?.name);
