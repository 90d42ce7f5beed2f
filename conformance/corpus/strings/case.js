const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r('Hello'.toUpperCase(), 'HeLLo'.toLowerCase(), 'straße'.toUpperCase(), 'ǆ'.toUpperCase(), 'ﬁ'.toUpperCase(), 'ŉ'.toUpperCase(), 'ΐ'.toUpperCase(), 'İ'.toLowerCase(), 'İ'.toLowerCase().length, 'ı'.toUpperCase(), 'I'.toLowerCase());
r('ΑΣ'.toLowerCase(), 'ΑΣ Β'.toLowerCase(), 'ΑΣΒ'.toLowerCase(), 'Σ'.toLowerCase(), 'ΑΣ.'.toLowerCase(), 'Α.Σ'.toLowerCase(), 'ß'.toUpperCase().toLowerCase(), 'ÿ'.toUpperCase(), 'µ'.toUpperCase(), 'ſ'.toUpperCase(), 'K'.toLowerCase(), 'Å'.toLowerCase());
r('𐐀'.toLowerCase(), '𐐨'.toUpperCase(), 'ქართული'.toUpperCase(), 'Ꭰ'.toLowerCase(), '\ud800A'.toLowerCase(), '😀a'.toUpperCase(), 'ᾳ'.toUpperCase(), 'ᾼ'.toLowerCase(), 'DŽ'.toLowerCase(), 'ẞ'.toLowerCase());
r('abc'.toLocaleUpperCase(), 'ABC'.toLocaleLowerCase(), 'éàü'.toLocaleUpperCase(), ''.toUpperCase(), '123!'.toUpperCase(), t(() => String.prototype.toUpperCase.call(null)), String.prototype.toUpperCase.call(true));
const all = []; for (let i = 0; i < 0x250; i++) { const c = String.fromCharCode(i); if (c.toUpperCase().toLowerCase() !== c && c.toLowerCase() === c) all.push(i.toString(16)) } r(all.join());
let sum = 0; for (let i = 0; i < 0xd800; i++) { const c = String.fromCharCode(i), u = c.toUpperCase(), l = c.toLowerCase(); sum = (sum * 31 + u.charCodeAt(0) * 3 + l.charCodeAt(0) + u.length + l.length) % 1000000007 } r(sum);
