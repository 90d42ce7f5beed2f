const doc = lib.load("a: 1\nb: [x, 'y z', \"t\\n\\u00e9\"]\nc: &anc\n  d: 2.5e3\n  e: ~\nf:\n  <<: *anc\n  g: 0x1F\nh: |\n  line1\n   line2\ni: >-\n  folded\n  text\n\n  para\nj: 2001-12-14t21:59:43.10-05:00\nk: !!set {p, q}\nl: !!binary aGVsbG8=\n? [complex]\n: val\nm: .inf\nn: yes\n");
print(doc); print(lib.dump({ a: [1, { b: "x: y", c: null }], s: "multi\nline\n", d: new Date(0), e: "", n: "123", t: true, u: "é😀", long: "word ".repeat(30), f: [] , o: {} }));
const o = { x: 1 }; print(lib.dump({ p: o, q: o }), lib.dump({ b: 1, a: 2 }, { sortKeys: true, flowLevel: 0 }), lib.loadAll("--- 1\n--- [2]\n...\n"));
for (const bad of ["a: b: c", "x: [1, 2", "a: 1\na: 2", "\tq: 1", "k: *none"]) try { lib.load(bad) } catch (e) { print(e.name, e.message) }
const T = new lib.Type("!pt", { kind: "sequence", construct: ([x, y]) => ({ x, y }), instanceOf: Map, represent: m => [...m.keys()] });
print(lib.load("- !pt [1, 2]", { schema: lib.DEFAULT_SCHEMA.extend([T]) }), lib.load("{a: 1, b: {c: [d, e]}}", { schema: lib.FAILSAFE_SCHEMA }), lib.load("- - a\n  - b\n- - c\n"), lib.dump(new Map([["k", 1]]), { schema: lib.DEFAULT_SCHEMA.extend([T]) }));
