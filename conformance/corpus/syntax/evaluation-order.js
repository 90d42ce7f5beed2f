const order = [];
const t = (n, v = n) => (order.push(n), v);
t(1) + t(2) * t(3);
({ [t('k1')]: t('v1'), [t('k2')]: t('v2') });
[t('a'), ...[t('b')], t('c')];
(t('f', (...a) => a.length))(t('x'), t('y'));
t('obj', {})[t('key')] = t('value');
t('l', 0) || t('r'); t('l', 1) || t('never'); t('n', null) ?? t('m');
console.log(order.join(' '));
order.length = 0;
const obj = { get a() { order.push('get a'); return { set b(v) { order.push('set b ' + v) } } } };
obj.a.b = t('rhs');
let i = 0; const arr = [10, 20]; arr[i] = i = 1; console.log(String(arr), String(i));
let j = 1; j += (j = 5, 10); console.log(String(j));
console.log(order.join(' '));
try { null[t('prop')] } catch (e) { console.log(e.name) }
try { undefined[t('p2')] = t('v2') } catch (e) { console.log(e.name) }
console.log(order.slice(-3).join(' '));
try { (void 0)(t('arg')) } catch (e) { console.log(e.name + ' ' + order.at(-1)) }
const str = { valueOf() { order.push('valueOf'); return 2 }, toString() { order.push('toString'); return 's' } };
console.log(String(str + 1), `${str}`, String(str * 2), String([str] + ''), String(str == 2), order.slice(-5).join());
