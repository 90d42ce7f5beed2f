const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
const v = [0, -0, 1, NaN, Infinity, '', '0', '1', 'a', null, undefined, true, false, 1n, 0n, [], [0], [1], {}, 'NaN', ' 1 ', '0x1']; const row = f => v.map(a => v.map(b => { try { return f(a, b) ? 1 : 0 } catch { return 'E' } }).join('')).join('\n'); for (const [n, f] of [['==', (a, b) => a == b], ['===', (a, b) => a === b], ['<', (a, b) => a < b], ['<=', (a, b) => a <= b], ['is', Object.is]]) console.log(n + '\n' + row(f));
