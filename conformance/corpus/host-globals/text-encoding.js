'use strict';
const hex = b => Array.from(b, x => x.toString(16).padStart(2, '0')).join(' ');
const code = s => Array.from({ length: s.length }, (_, i) => s.charCodeAt(i).toString(16)).join(' ');
const t = f => { try { return String(f()) } catch (e) { return `${e.name} ${e.code ?? ''} ${e.message}` } };
const enc = new TextEncoder(), dec = new TextDecoder();
for (const s of ['', 'plain', 'héllo', '日本', '\u{1f600}', '\ud800', 'a\udc00b']) console.log(hex(enc.encode(s)), code(dec.decode(enc.encode(s))));
const buf = new Uint8Array(6), r = enc.encodeInto('aé\u{1f600}b', buf);
console.log(JSON.stringify(r), hex(buf));
for (const b of [[0xef, 0xbb, 0xbf, 0x61], [0xc3], [0xe2, 0x82], [0x61, 0xff, 0x62], [0xf0, 0x9f, 0x98, 0x80], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) console.log(hex(b), code(dec.decode(new Uint8Array(b))), t(() => code(new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(b)))));
console.log(code(new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf]))));
console.log(new TextDecoder('utf-16le').decode(new Uint8Array([0x3d, 0xd8, 0, 0xde])), new TextDecoder('utf-16be').decode(new Uint8Array([0, 65, 0, 66])), new TextDecoder('windows-1251').decode(new Uint8Array([0xcf, 0xf0, 0xe8])), new TextDecoder('iso-8859-2').decode(new Uint8Array([0xb1, 0xe6])));
// A message that arrives in pieces.
const stream = new TextDecoder(); let text = '';
for (const byte of enc.encode('streaming ✓ works \u{1f680}')) text += stream.decode(new Uint8Array([byte]), { stream: true });
console.log(text + stream.decode());
for (const l of ['utf8', 'UTF-8', ' utf-16 ', 'latin1', 'ascii', 'cp1251', 'nope', '']) console.log(t(() => new TextDecoder(l).encoding));
console.log(t(() => dec.decode(5)), t(() => enc.encodeInto(5, buf)), t(() => TextDecoder()), String(new TextDecoder('utf-8', { fatal: true }).fatal));
console.log(dec.decode(new Uint8Array([1, 65, 66, 2]).subarray(1, 3)), dec.decode(new Uint8Array([67]).buffer), dec.decode(new DataView(new Uint8Array([68, 69]).buffer, 1)));
