const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
let a = 4; const b = 2, g = 1, x = { a: 8 }; r(a / b / g, a / b, x.a / b / g, (a) / b, [a][0] / b, a++ / b, a);
r(/b/g.test('b'), 'a/b'.split(/\//), /[/]/.test('/'), /=/.test('='), [/a/].length, (() => /x/.source)(), typeof /r/, !/a/.test('b'), void /a/, /a/ instanceof RegExp, { r: /q/ }.r.source, a / /2/.source, `${/t/.source}`, /\/\*/.source, 10 / 2 / /1/.exec('1')[0]); if (1) /in if/.test(''); { } /block/.test(''); function f() { return /ret/.source } r(f()); for (const m of [/a/, /b/g]) r(m.source); let y = a
/b/g
r(y); switch (/s/.source) { case /s/.source: r('switch') } r(a ? /t/.source : /f/.source, /(?:)/.source, x => /arrow/, [1, 2].map(n => n / 2), ((a, b) => a / b)(6, 3)); const div = a /* c */ / b // comment /
r(div);
