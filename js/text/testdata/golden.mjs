// Records what node answers for string algorithms:
//   node golden.mjs > golden.json
// Strings are written as four hex digits a unit.
let seed = 99; const rnd = n => { seed = (seed * 48271) % 2147483647; return seed % n; };
const u = s => s === null ? null : [...Array(s.length).keys()].map(i => s.charCodeAt(i).toString(16).padStart(4, '0')).join('');
const tryit = f => { try { return u(f()); } catch { return null; } };
const pool = ['a', 'Z', 'ß', 'ÿ', 'µ', 'É', 'é', 'Σ', 'σ', 'ς', "'", '.', ' ', 'İ', 'ı', 'ŉ', 'ǰ', 'ΐ', 'ﬃ', 'ﬓ', 'ẞ', 'ᾳ', 'ᾼ', 'Ω', 'Å', 'K', '𐐀', '𐐨', '\ud800', '\udc00', '×', '÷', 'Æ', '\u0345', '\u0307', '\u00ad', '1', 'Ǆ', 'ǅ', 'Ⓐ', 'Ა', 'ა', '\ua7ae', '\u{1e900}', '^', '·'];
const out = { case: [], normalize: [], uri: [], json: [], trim: [], wellFormed: [], compare: [], index: [], space: [], id: [] };
const pick = (p, n) => Array.from({ length: n }, () => p[rnd(p.length)]).join('');
const words = ['', 'abc', 'Straße', 'ΑΣ', 'ΑΣ.', "ΑΣ'Α", 'Σ', 'ΣΑ', 'ΑΣΣ', 'Α\u00adΣ\u00ad', 'ΑΣ\ud835\udc00', 'Σ𐐀', '𐐀Σ', 'ÀÿµßÞ×', 'ab1Σ', '1Σ', '\u0345Σ', 'Α\u0345Σ', 'ΑΣ\u0345Α', 'ÇA·Σ', 'IÌİ', ...pool];
for (const s of [...words, ...Array.from({ length: 150 }, () => pick(pool, 1 + rnd(8)))]) out.case.push([u(s), u(s.toUpperCase()), u(s.toLowerCase())]);
const np = ['a', 'e', 'é', 'ñ', 'Å', '\u212b', '\u0301', '\u0323', '\u0327', '\u0300', '\u0344', '\u0345', '가', '각', 'ᄀ', 'ᅡ', 'ᆨ', '\u0958', '\u0928\u093c', '\u0b47\u0b3e', '\u1100', '\uac01', 'ﬁ', '½', '①', '㎏', '\ufdfa', '\u1e9b\u0323', '\ud800', '\udfff', '\ud834\udd5e', '\u{1d15f}', '\u{2f800}', '\u0f73', '\u0f71\u0f72', '\u05b0', '\u05bf', '\u3099', 'か', '\u00a0', '\u2126', '\u{11099}\u{110ba}', '\u0315', '\u1dce', '\u0344', 'ǖ', 'ṩ', 'q\u0307\u0323', 'ệ'];
const ns = [...np, 'a' + '\u0301\u0323\u0327'.repeat(40), 'e' + '\u0323\u0301'.repeat(50) + 'x', '\u0301'.repeat(70), ...Array.from({ length: 200 }, () => pick(np, 1 + rnd(9)))];
for (const s of ns) out.normalize.push([u(s), ...['NFC', 'NFD', 'NFKC', 'NFKD'].map(f => u(s.normalize(f)))]);
const up = ['a', 'Z', '0', '-', '_', '.', '!', '~', '*', "'", '(', ')', ';', '/', '?', ':', '@', '&', '=', '+', '$', ',', '#', ' ', '%', '"', '<', '[', 'é', 'ÿ', '\u0080', '€', '\u07ff', '\u0800', '\uffff', '😀', '\ud800', '\udc00', '%41', '%2F', '%2f', '%23', '%C3%A9', '%E2%82%AC', '%F0%9F%98%80', '%C0%80', '%ED%A0%80', '%80', '%C3', '%C3%', '%zz', '%u20AC', '%u', '%uD83D', '%u12', '%E2%82', '%E0%80%80', '%F4%90%80%80', '%f8', '%00', '%7F', '%C2%80'];
for (const s of [...up, '', ...Array.from({ length: 200 }, () => pick(up, 1 + rnd(5)))])
  out.uri.push([u(s), tryit(() => encodeURI(s)), tryit(() => encodeURIComponent(s)), tryit(() => decodeURI(s)), tryit(() => decodeURIComponent(s)), u(escape(s)), u(unescape(s))]);
const jp = ['a', '"', '\\', '\n', '\r', '\t', '\b', '\f', '\0', '\x1f', '\x7f', '\u0080', 'é', '€', '\u2028', '\u2029', '😀', '\ud800', '\udbff', '\udc00', '\udfff', '/', "'"];
for (const s of ['', ...jp, ...Array.from({ length: 100 }, () => pick(jp, 1 + rnd(10)))]) out.json.push([u(s), u(JSON.stringify(s))]);
for (const s of ['', ' ', 'a', ' a ', '\t\n\v\f\r\u00a0\ufeffx y\u2028\u2029\u3000', '\u0085x\u180e', '\u200bx', '\u1680\u2000\u200a\u202f\u205fx']) out.trim.push([u(s), u(s.trimStart()), u(s.trimEnd())]);
for (const s of ['', 'a', '😀', '\ud800', '\udc00', '\udc00\ud800', 'a\ud800b', '\ud800\ud800\udc00', '\ud83d\ude00\ude00', ...Array.from({ length: 30 }, () => pick(['\ud800', '\udc00', 'x', '😀'], 1 + rnd(6)))]) out.wellFormed.push([u(s), s.isWellFormed(), u(s.toWellFormed())]);
for (let i = 0; i < 60; i++) { const a = pick(['a', 'b', '\uffff', '\ud800', 'é'], rnd(5)), b = pick(['a', 'b', '\uffff', '\ud800', 'é'], rnd(5)); out.compare.push([u(a), u(b), a < b ? -1 : a > b ? 1 : 0]); }
for (let i = 0; i < 300; i++) {
  const p = ['a', 'b', i % 3 ? 'c' : '\u0161', 'a', 'a'].slice(0, 2 + rnd(4));
  const h = pick(p, rnd(120)), n = rnd(2) && h.length > 30 ? h.substr(rnd(h.length), rnd(40)) : pick(p, rnd(i % 2 ? 4 : 24)), f = rnd(h.length + 1);
  out.index.push([u(h), u(n), f, h.indexOf(n, f), h.lastIndexOf(n, f)]);
}
for (let i = 0; i < 40; i++) { // periodic needles
  const w = pick(['a', 'b'], 1 + rnd(6)), n = w.repeat(1 + rnd(12)), h = pick([w, w, w, w, 'a', 'b'], 30), f = rnd(h.length + 1);
  out.index.push([u(h), u(n), f, h.indexOf(n, f), h.lastIndexOf(n, f)]);
}
const runs = f => { const r = []; let on = false; for (let c = 0; c < 0x110000; c++) { if ((c < 0xd800 || c > 0xdfff) && f(String.fromCodePoint(c)) !== on) { r.push(c); on = !on; } } return r; };
out.space.push(runs(s => s.trim() === ''));
const ok = s => { try { new Function('var ' + s); return true; } catch { return false; } };
out.id.push(runs(s => /^[$_\p{ID_Start}]$/u.test(s)), runs(s => /^[$_\u200c\u200d\p{ID_Continue}]$/u.test(s)));
process.stdout.write('{\n' + Object.keys(out).map(k => JSON.stringify(k) + ': [\n' + out[k].map(r => JSON.stringify(r)).join(',\n') + '\n]').join(',\n') + '\n}\n');
