const out = [];
for (var i = 0, j = 10; i < j; i += 3, j -= 2) out.push(i + ':' + j);
for (let i = 0; i < 2; i++) { const i = 'inner'; out.push(i) }
out.push(i);
let w = 3; while (w --> 0) { if (w === 1) continue; out.push('w' + w) }
let d = 0; do { d++; if (d === 2) continue; if (d > 4) break } while (d < 10); out.push('d' + d);
for (const k in { a: 1, b: 2 }) out.push(k);
for (const k in 'hi') out.push(k + typeof k);
for (const k in [7, , 8]) out.push(k);
for (const k in null) out.push('never'); for (const k in undefined) out.push('never'); for (const k in 5) out.push('never');
for (var [a, b] of Object.entries({ x: 1, y: 2 })) out.push(a + b);
for (const { length } of ['a', 'bcd']) out.push(length);
const box = {}; for (box.v of [1, 2]) ; out.push(box.v); for (box['k'] in { q: 1 }) ; out.push(box.k);
for (;;) break; for (let i = 5; ;) { if (--i < 3) { out.push('i' + i); break } }
const fs = []; for (let i = 0; i < 3; i++) { fs.push(() => i); i += 0 } out.push(fs.map(f => f()).join());
const gs = []; for (let i = 0, inc = () => i++; i < 3; inc(), i++) { gs.push(() => i); if (gs.length > 3) break } out.push(gs.map(f => f()).join());
const hs = []; for (var v = 0; v < 3; v++) hs.push(() => v); out.push(hs.map(f => f()).join());
const ks = []; for (const k of [1, 2]) ks.push(() => k); for (const k in { p: 0, q: 0 }) ks.push(() => k); out.push(ks.map(f => f()).join());
console.log(out.join(' '));
console.log(String([eval('for (var q = 0; q < 3; q++) q * 2'), eval('1; while (false) 2'), eval('do { 7; break } while (1)'), eval('3; for (;;) { 4; break; }')]));
try { for (const k = 0; k < 2; k++) ; } catch (e) { console.log(e.name) }
try { for (let z of (() => { z; })()) ; } catch (e) { console.log(e.name) }
