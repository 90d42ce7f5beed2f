const f = v => { const out = []; switch (v) { case 1: out.push('one'); case 2: out.push('two'); break; default: out.push('default'); case 3: out.push('three'); } return out.join() };
console.log([1, 2, 3, 4, '1', NaN].map(f).join(' | '));
const log = []; const c = n => (log.push(n), n);
switch (3) { case c(1): case c(3): log.push('hit'); case c(5): log.push('fell'); break; default: log.push('no') }
console.log(log.join(' '));
switch (1) { case 0: let x; break; case 1: try { x } catch (e) { console.log(e.name) } try { x = 1 } catch (e) { console.log(e.name) } }
switch (0) { case -0: console.log('zeros are equal') }
switch (NaN) { case NaN: console.log('never'); break; default: console.log('NaN is not NaN') }
switch ('a') { default: console.log('d'); case 'b': console.log('b'); break; case 'c': console.log('c') }
function g(v) { switch (true) { case v < 0: return 'negative'; case v === 0: return 'zero'; case v > 100: return 'large'; } return 'some' }
console.log([-1, 0, 1, 101].map(g).join());
for (const i of [0, 1, 2]) { switch (i) { case 1: continue } console.log('i' + i) }
out: switch (1) { case 1: switch (2) { case 2: break out } console.log('skipped') }
switch (1) {} switch (2) { default: }
let n = 0; switch (n++) { case n: console.log('n ' + n); break; default: console.log('default ' + n) }
console.log(String(eval('switch (1) { case 1: "value"; break; }')), String(eval('1; switch (2) { case 1: 5 }')));
switch (1) { case 1: function inner() { return 'hoisted' } } console.log(inner());
