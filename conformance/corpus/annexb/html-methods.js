const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
r('x'.anchor('n'), 'x'.big(), 'x'.blink(), 'x'.bold(), 'x'.fixed(), 'x'.fontcolor('r"d'), 'x'.fontsize(7), 'x'.italics(), 'x'.link('u&v'), 'x'.small(), 'x'.strike(), 'x'.sub(), 'x'.sup(), ''.anchor(), 'x'.link(undefined), t(() => String.prototype.bold.call(null)), String.prototype.big.call(5), String.prototype.anchor.length, 'a"b'.anchor('"q"'), '<b>'.bold(), t(() => 'x'.anchor(Symbol()))); r('abc'.substr(-2, 1), 'abc'.substr(1), 'abc'.substr(-5, 2), 'abc'.substr(0, -1), 'abc'.substr(NaN, 2), 'abc'.substr(3), String.prototype.substr.length, 'abc'.trimLeft === ''.trimStart);
