lib.registerHelper("up", s => String(s).toUpperCase()); lib.registerHelper("wrap", function (o) { return new lib.SafeString("<" + o.hash.t + ">" + o.fn(this) + "</" + o.hash.t + ">"); });
lib.registerPartial("row", "<td>{{n}}{{#if @root.q}}!{{/if}}</td>");
print(lib.compile("{{#each rows as |r i|}}{{i}}:{{r.n}}{{#unless @last}}, {{/unless}}{{else}}empty{{/each}} {{up title}} {{{title}}} {{title}}")({ rows: [{ n: 1 }, { n: 2 }], title: "<t&>" }));
print(lib.compile("{{#wrap t='b'}}{{x}}{{/wrap}} {{#with o}}{{a}}{{../x}}{{/with}} {{#each o}}{{@key}}={{this}};{{/each}} {{lookup arr 1}} {{> row n=5}} {{~x~}} \n z {{! c }}{{!-- d --}}")({ x: 7, o: { a: 1, b: 2 }, arr: ["p", "q"], q: 1 }));
print(lib.compile("{{#if a}}A{{else if b}}B{{else}}C{{/if}}{{#*inline 'p'}}[{{v}}]{{/inline}}{{> p v=3}}{{#> none}}fallback{{/none}}")({ b: 1 }));
print(lib.precompile("{{a}} {{#if b}}c{{/if}}").length > 200, lib.parse("{{foo.bar 1 'x' k=true}}").body[0].type, lib.escapeExpression("<\"'`=>"));
try { lib.compile("{{#if}}x")({}) } catch (e) { print(e.message) } try { lib.compile("{{missing 1}}")({}) } catch (e) { print(e.message) } print(lib.compile("{{constructor}}{{a.b}}", { strict: false })({}));
