const env = new lib.Environment(null, { autoescape: true, trimBlocks: true });
env.addFilter("shout", (s, n) => s.toUpperCase() + "!".repeat(n || 1)); env.addGlobal("g", x => x * 2);
print(env.renderString("{% for k, v in o %}{{ loop.index }}/{{ loop.length }} {{ k }}={{ v }};{% endfor %} {{ name | shout(2) }} {{ '<' + html }} {{ html | safe }} {{ g(4) }}", { o: { a: 1, b: 2 }, name: "bo", html: "<i>" }));
print(env.renderString("{% macro m(a, b='d') %}[{{ a }}{{ b }}]{% endmacro %}{{ m(1) }}{{ m(1, b=2) }}{% set x = [3,1,2] | sort %}{{ x | join('-') }} {{ x | length }} {{ 'a b' | title }} {{ 3.14159 | round(2) }} {% if x[0] is odd and not false %}odd{% elif 1 %}e{% endif %}", {}));
print(env.renderString("{{ [{g:1,n:'a'},{g:2,n:'b'},{g:1,n:'c'}] | groupby('g') | dump }} {{ 'x' if y else 'z' }} {{ 7 // 2 }} {{ 2 ** 5 }} {{ 'abc'[1] }} {{ 'a,b' | replace(',', ';') }} {% raw %}{{ r }}{% endraw %} {{- ' t ' | trim -}} .", {}));
print(env.renderString("{% set t %}block {{ q }}{% endset %}{{ t }}{% call(z) w(1) %}c{{ z }}{% endcall %}", { q: 1, w(n, kw) { return kw.caller(n + 1) } }));
try { env.renderString("{% for %}", {}) } catch (e) { print(e.message.split("\n").pop()) } print(lib.renderString("{{ a.b.c }}|{{ u | default('def') }}|{{ l | sum }}|{{ l | batch(2) | dump }}", { l: [1, 2, 3] }));
