const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
const sort = a => [...a].sort((x, y) => x.localeCompare(y)); r(sort(['b', 'a', 'C', 'A', 'c', 'B']), sort(['z', 'ä', 'a', 'é', 'e']), sort(['item10', 'item2', 'Item1']), ['a10', 'a9', 'a1'].sort((x, y) => x.localeCompare(y, undefined, { numeric: true })), 'a'.localeCompare('A'), 'a'.localeCompare('á', undefined, { sensitivity: 'base' }), 'A'.localeCompare('a', undefined, { sensitivity: 'accent' }), 'résumé'.localeCompare('resume') > 0, ''.localeCompare('a'), 'a b'.localeCompare('ab'), '1'.localeCompare('a'), '_'.localeCompare('a'), 'co-op'.localeCompare('coop') !== 0, sort(['résumé', 'resume', 'Résumé']), sort(['-1', '1', '_a', ' x', 'Z', 'é']));
