print(lib.render("Hi {{name}} {{{raw}}} {{&raw}} {{#list}}<{{n}}{{^last}}, {{/last}}>{{/list}}{{^none}}none{{/none}}", { name: "<b>", raw: "<i>", list: [{ n: 1 }, { n: 2, last: true }], none: [] }));
print(lib.render("{{#wrap}}x {{v}}{{/wrap}} {{a.b.c}} {{#o}}{{k}}{{v}}{{/o}}{{! comment }}|{{> part}}", { v: 3, wrap() { return (t, r) => "<" + r(t) + ">" }, a: { b: { c: "deep" } }, o: { k: "K" } }, { part: "P{{v}}\n" }));
print(lib.render("{{=<% %>=}}<% v %> {{v}}", { v: "d" }), lib.parse("a{{b}}{{#c}}d{{/c}}"), lib.render("  {{#x}}\n  {{.}}\n  {{/x}}\n", { x: [1, 2] }));
try { lib.render("{{#a}}x", {}) } catch (e) { print(e.message) } try { lib.render("{{a", {}) } catch (e) { print(e.message) }
