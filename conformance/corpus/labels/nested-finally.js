const log = []; const step = (n, v) => { log.push(n); return v };
function f() { outer: for (let i = 0; i < 3; i++) { try { try { if (i === 0) continue outer; if (i === 1) throw new Error('x'); return step('ret') } finally { step('f' + i); if (i === 1) continue outer } } catch (e) { step('caught') } finally { step('o' + i) } } return 'end' }
console.log(String(f()), log.join()); log.length = 0;
const g = () => { for (;;) { try { return 1 } finally { break } } return 2 }; console.log(String(g()));
const h = () => { a: try { return 'try' } finally { break a } return 'after' }; console.log(h());
const i = () => { for (const x of [1, 2, 3]) { try { throw x } catch (e) { if (e < 3) continue; return 'c' + e } finally { step('fin' + x) } } }; console.log(i(), log.join()); log.length = 0;
const j = () => { try { try { throw 1 } finally { throw 2 } } catch (e) { return e } }; console.log(String(j()));
const k = () => { while (true) { try { try { break } finally { step('inner') } } finally { step('outer') } } return log.join() }; console.log(k()); log.length = 0;
const l = () => { let x = 1; try { return x } finally { x = 2 } }; console.log(String(l())); const m = () => { const o = { v: 1 }; try { return o } finally { o.v = 2 } }; console.log(String(m().v));
function* gen() { try { try { yield 1 } finally { yield 2 } } finally { yield 3; step('done') } } const it = gen(); console.log([it.next(), it.return('r'), it.next(), it.next(), it.next()].map(x => JSON.stringify(x)).join(' '), log.join());
const deep = n => { try { return n ? deep(n - 1) + n : 0 } finally { step(n) } }; log.length = 0; console.log(String(deep(3)), log.join());
