const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
const v = [1, '2', true, null, undefined, [3], [], {}, 4n, () => 5, new Date(0).getTime(), Symbol('s'), { valueOf: () => 6 }, { toString: () => '7' }, NaN, '', [[8]], -0]; for (const a of v) r(...v.map(b => t(() => a + b)).map(x => typeof x === 'string' && x.includes('=>') ? 'fn' : x)); r(1 + 2 + '3', '1' + 2 + 3, 1 + +'2', 'a' - 1, '3' - 1, '3' * '4', [] + [], [] + {}, null + null, undefined + null, true + true, [1] + [2], '5' / 2, '5' % 2, 2 ** '3', -'3', +true, - -'1', '1' - - '1', 1 - -1, [] * 2, [7] * 2, [1, 2] * 2, null * 5, undefined * 5, 'a' * 1);
