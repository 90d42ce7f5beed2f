package hostile

// webPrograms attack the globals of web standards (W).
var webPrograms = []Case{
	{ID: "W1", Script: true, Source: "for (const n of [1e3, 1e5, 1e6, 4e6]) try { new URL('http://' + 'é'.repeat(n)) } catch {}", Want: anyLimit + "|value"},
	{ID: "W1b", Script: true, Source: "let s = ''; for (let i = 0x4E00; i < 0x9000; i++) s += String.fromCharCode(i); for (;;) URL.canParse('http://' + s.slice(0, 1300))", Want: anyLimit},
	{ID: "W1c", Script: true, Source: "for (;;) URL.canParse('http://' + 'xn--4ca.'.repeat(500) + 'é')", Want: anyLimit},
	{ID: "W2", Script: true, Source: "for (let n = 1e4;; n *= 2) URL.canParse('http://' + 'a@'.repeat(n) + 'h')", Want: anyLimit},
	{ID: "W3", Script: true, Source: "for (let n = 1e4;; n *= 2) URL.canParse('http://h/' + 'a/../'.repeat(n) + './'.repeat(n))", Want: anyLimit},
	{ID: "W3b", Script: true, Source: "for (let n = 1e4;; n *= 2) URL.canParse('/'.repeat(n), 'http://h/' + '/a'.repeat(n))", Want: anyLimit},
	{ID: "W4", Script: true, Source: "for (let n = 1e4;; n *= 2) URL.canParse('http://h?' + '\\u{1f600}'.repeat(n))", Want: anyLimit},
	{ID: "W5", Script: true, Source: "for (let n = 1e4;; n *= 2) { URL.canParse('http://' + '1.'.repeat(n)); URL.canParse('http://0x' + 'f'.repeat(n)); URL.canParse('http://h:' + '0'.repeat(n)); URL.canParse('http://[' + ':'.repeat(n)) }", Want: anyLimit},
	{ID: "W6", Script: true, Source: "const u = new URL('http://h'); for (;;) u.searchParams.append('a', 'b')", Want: anyLimit},
	{ID: "W6b", Script: true, Source: "const p = new URLSearchParams(); for (let i = 0;; i++) { p.append('k' + i, i); p.get('none'); p.delete('none') }", Want: anyLimit},
	{ID: "W6c", Script: true, Source: "const p = new URLSearchParams('a&'.repeat(1e5)); for (;;) { p.sort(); String(p); p.getAll('a') }", Want: anyLimit},
	{ID: "W6d", Script: true, Source: "const p = new URLSearchParams('a=1'); p.forEach(() => p.append('a', 1))", Want: anyLimit},
	{ID: "W6e", Script: true, Source: "new URLSearchParams((function* () { for (;;) yield ['a', 'b'] })())", Want: anyLimit},
	{ID: "W6f", Script: true, Source: "new URLSearchParams([(function* () { for (;;) yield 'a' })()])", Want: anyLimit},
	{ID: "W6g", Script: true, Source: "const u = new URL('http://h/?' + 'a=%F0%9F%98%80&'.repeat(1e4)); for (;;) { u.search = u.search; u.searchParams.set('b', 1) }", Want: anyLimit},
	{ID: "W7", Script: true, Source: "const e = new TextEncoder(), d = new TextDecoder(); let s = 'é\\u{1f600}a'; for (;;) s += d.decode(e.encode(s))", Want: bounded},
	{ID: "W7b", Script: true, Source: "const b = new Uint8Array(4e6).fill(0xE2), ds = ['utf-8', 'utf-16le', 'koi8-r'].map(x => new TextDecoder(x)); for (;;) ds.forEach(d => d.decode(b))", Want: anyLimit},
	{ID: "W7c", Script: true, Source: "const d = new TextDecoder(), b = new Uint8Array([0xF0]); for (;;) d.decode(b, {stream: true})", Want: anyLimit},
	{ID: "W7d", Script: true, Source: "const e = new TextEncoder(), s = '\\ud800'.repeat(1e6), b = new Uint8Array(1e6); for (;;) e.encodeInto(s, b)", Want: anyLimit},
	{ID: "W8", Script: true, Source: "let s = 'abc'; for (;;) s = btoa(s)", Want: bounded},
	{ID: "W8b", Script: true, Source: "const s = ' '.repeat(3e6) + 'YQ=='; for (;;) atob(s)", Want: anyLimit},
	{ID: "W9", Script: true, Source: "const b = new Uint8Array(65536); for (;;) crypto.getRandomValues(b)", Want: anyLimit},
	{ID: "W9b", Script: true, Source: "const a = []; for (;;) a.push(crypto.randomUUID())", Want: anyLimit},
	{ID: "W10", Script: true, Source: "class U extends URL { get href() { return new U(this).href } } new U('http://h').href; URL.prototype.toString = function () { return String(this) }; String(new URL('http://h'))", Want: deep},
}
