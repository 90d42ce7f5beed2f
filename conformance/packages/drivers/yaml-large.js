const docs = inputs.map(t => JSON.parse(t)); const big = { list: Array.from({ length: 2000 }, (_, i) => ({ id: i, text: "line " + i + (i % 3 ? "" : "\nnext: #x"), nested: { a: [i, -i, i / 7], b: i % 2 === 0, c: null } })) };
for (const d of [...docs, big]) { const y = lib.dump(d); print(digest(y), JSON.stringify(lib.load(y)) === JSON.stringify(d)); }
