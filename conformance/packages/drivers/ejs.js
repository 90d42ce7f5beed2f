print(lib.render("<% for (const u of users) { %>\n- <%= u.n %> <%- u.h %>\n<% } %><%# c %><%% lit %>", { users: [{ n: "<a>", h: "<b>" }, { n: "x", h: 1 }] }));
print(lib.render("<%_ if (a) { _%>\n  yes <%= a -%>\nend\n<%_ } _%>", { a: 1 }), lib.compile("<?= it.x ?>", { delimiter: "?", localsName: "it", _with: false })({ x: "&'\"" }), lib.escapeXML("<&>'\""));
try { lib.render("a\n<%= nope.x %>\n", {}, {}) } catch (e) { print(e.message) } try { lib.compile("<% if ( %>") } catch (e) { print(e.name) }
print(lib.render("<%= include('p', { v: 2 }) %>", {}, { includer: () => ({ template: "P<%= v %>" }) }), await lib.render("<%= await f() %>", { f: async () => 5 }, { async: true }), lib.compile("x<%= a %>", { client: true }).toString().length > 100);
