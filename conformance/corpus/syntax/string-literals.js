const show = s => console.log(JSON.stringify(s));
show('\x41\u0042\u{43}\u{1F600}\0\b\t\n\v\f\r\'\"\\\q');
show('line \
continued');
show("\101\60\0a\377\400\8\9");
show('\u2028 and   raw'.length);
show(`a
b\
c\u{41}${1 + 1}\``);
show('\ud83d\ude00' === '😀');
show('\ud800' + '\udc00' === '\u{10000}');
show(['\ud800', '\udfff', 'a\ud800b']);
show('\u{000041}');
for (const bad of ["'\\x4'", "'\\u{110000}'", "'\\u12'", "'a\nb'", "`${`", "'\\u{}'", "'unterminated", "`\\01`", "`\\u{`"]) {
  try { eval(bad); show('ok') } catch (e) { show(e.name) }
}
show('abc'[1] + 'abc'['length'] + 'abc'.at(-1));
var ünïcode = 'ident', \u0061bc = 'escaped', $ = 1, _ = 2, 变量 = 3, a\u{62}d = 4;
show([ünïcode, abc, $, _, 变量, abd]);
