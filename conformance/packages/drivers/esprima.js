print(lib.parseScript("var a = function f(x, y = 2, ...z) { return x ? /re/g : [y, ...z]; }; switch (a) { case 1: default: throw new E }", { range: true, comment: true })); print(lib.tokenize("answer = 42 /* c */ + 'q'", { comment: true, loc: true }));
print(lib.parseModule("import {a as b} from 'c'; export default class { static m() {} }").body.map(n => n.type), lib.parseScript("a => ({[b]: c, d() {}, get e() { return 1 }})").body[0].expression.body.properties.length);
for (const bad of ["var = 1", "a b", "'use strict'; var eval", "x = 'unterminated", "if (", "{a:1, b:2}"]) try { lib.parseScript(bad) } catch (e) { print(e.message, e.index, e.lineNumber, e.column) }
print(lib.parseScript("'use strict'; with (a) b; var eval = 01", { tolerant: true, loc: false }).errors);
