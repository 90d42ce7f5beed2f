const g = "{{ const pow = (a, b) => a ** b; }}\nStart = _ e:Sum _ { return e; }\nSum 'sum' = h:Mul t:(_ @('+' / '-') _ @Mul)* { return t.reduce((a, [o, b]) => o === '+' ? a + b : a - b, h); }\nMul = h:Pow t:(_ ('*' / '/') _ Pow)* { return t.reduce((a, x) => x[1] === '*' ? a * x[3] : a / x[3], h); }\nPow = b:Atom _ '^' _ e:Pow { return pow(b, e); } / Atom\nAtom = '(' _ @Sum _ ')' / n:$([0-9]+ ('.' [0-9]+)?) { return +n; } / '-' @a:Atom { }\n_ = [ \\t\\n]*\n";
const p = lib.generate(g.replace("'-' @a:Atom { }", "'-' a:Atom { return -a; }"));
print(p.parse("1 + 2 * (3 - 4) ^ 2 / 8"), p.parse("2 ^ 3 ^ 2"), p.parse("-(1.5)*4"));
for (const bad of ["1 +", "(2", "x", "1 2"]) try { p.parse(bad) } catch (e) { print(e.name, e.message, e.location.start, e.expected.length) }
print(e => 0, lib.generate("s = a:'x'i|2..3, ','| !. { return [a, text(), location().end.offset, options.q]; }").parse("x,X", { q: 5 }));
try { lib.generate("a = b") } catch (e) { print(e.name, e.message) } try { lib.generate("a = 'x' a / a 'y'") } catch (e) { print(e.message) } print(lib.generate("a = &{ return true; } [^\\n\\u{61}-c]+ / 'é'", { output: "source" }).length > 1000);
