const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
let a = 5; const o = { toString: () => 'TS', valueOf: () => 1 }; r(`${a}`, `a${a}b${a + 1}c`, `${o}`, `${[1, 2]}`, `${{}}`, `${null}${undefined}${true}`, `line1
line2`, `\${not}`, `\``, `$`, `$a`, `${'${nested}'}`, `${`inner ${a}`}`, `${a > 3 ? `yes ${a}` : 'no'}`, ``.length, `\u0041\x42`, `a\
b`, `tab\t|`);
r(`${(() => { return 'iife' })()}`, `${function () { }}`, `${class A { }}`, `${-0}`, `${1e21}`, `${10n}`, t(() => `${Symbol()}`), `a${''}b`, `${1}${2}${3}`, `${a}`.length, typeof `${1}`, `x` + `y`, `x` === 'x', `\r\n`.length, `${[].concat`x`}`, `${new Date(NaN)}`, `${(1, 2)}`, `${a++ || 'never'}`.length === 1 ? 'unreached' : '');
