const out = [];
outer: for (let i = 0; i < 4; i++) { for (let j = 0; j < 4; j++) { if (j === 2) continue outer; if (i === 2) break outer; out.push(i + '' + j) } }
console.log(out.join(' ')); out.length = 0;
a: b: c: for (const x of [1, 2, 3]) { if (x === 2) continue b; out.push(x); if (x === 3) break a } console.log(out.join());
block: { out.push('in'); if (out.length) break block; out.push('never') } console.log(out.join());
let n = 0; w: while (true) { do { if (++n > 3) break w; continue w } while (true) } console.log(String(n));
l1: if (true) { for (;;) { break l1 } } console.log('after if');
t: try { break t } finally { console.log('finally runs on break') }
f: for (const k in { a: 1, b: 2 }) { try { continue f } finally { console.log('finally ' + k) } }
g: for (const x of { *[Symbol.iterator]() { try { yield 1; yield 2 } finally { console.log('closed') } } }) { for (;;) { console.log('got ' + x); continue g } }
h: for (const x of { *[Symbol.iterator]() { try { yield 1; yield 2 } finally { console.log('closed early') } } }) { switch (x) { case 1: break h } }
const fn = () => { ret: { try { return 'returned' } finally { break ret } } return 'overridden' }; console.log(fn());
console.log(String(eval('x: { 1; break x; 2 }')), String(eval('y: for (;;) { 3; break y }')));
same: { } same: { break same } dup: for (;;) { inner: for (;;) break dup }
fun: function labelled() { return 'ok' } console.log(labelled());
await: for (;;) { break await } yield: { break yield } let_: { break let_ } console.log('odd labels');
