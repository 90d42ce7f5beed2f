'use strict';
const t = f => { try { return JSON.stringify(f()) } catch (e) { return `${e.name} ${e.code} ${e.message} ${e instanceof DOMException} ${e instanceof Error}` } };
for (const s of ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar', '\x00\xff', 'é']) console.log(t(() => btoa(s)), t(() => atob(btoa(s)) === s));
for (const s of ['Zg==', 'Zg', ' Z\tg\n=\f= ', 'Zg=', 'Z', 'Zm9v====', 'Zm9vYg=', '-_', 'Zm9\u3000', '=', 'Zh==']) console.log(JSON.stringify(s), t(() => atob(s)));
console.log(t(() => btoa('€')), t(() => btoa()), t(() => btoa(null)), t(() => btoa({ toString: () => 'x' })));
// UTF-8 through base64 and back, the usual way.
const toBase64 = s => btoa(String.fromCharCode(...new TextEncoder().encode(s)));
const fromBase64 = s => new TextDecoder().decode(Uint8Array.from(atob(s), c => c.charCodeAt(0)));
for (const s of ['héllo', '日本語', '\u{1f600}']) console.log(toBase64(s), String(fromBase64(toBase64(s)) === s));
// The claims of a token.
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0IiwibmFtZSI6IkrDvHJnZW4ifQ.x';
console.log(fromBase64(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
