const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r(escape('abc ABC 123 @*_+-./'), escape('äöü€😀'), escape(''), escape(), escape(null), escape('%'), unescape('%u0061%62'), unescape('%u00e4%E4'), unescape('%'), unescape('%u12'), unescape('%zz'), unescape('%%41'), unescape('%u'), unescape('%uD83D%uDE00'), unescape(), unescape('%4'), unescape('a%20b%u'), escape.length, unescape.name); const all = []; for (let i = 0; i < 256; i++) { const c = String.fromCharCode(i); if (escape(c) === c) all.push(c) } r(all.join('')); let ok = true; for (let i = 0; i < 0x10000; i += 7) { const c = String.fromCharCode(i); if (unescape(escape(c)) !== c) ok = false } r(ok);
