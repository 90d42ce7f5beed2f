const rows = Array.from({ length: 20000 }, (_, i) => ({ id: i, name: "n" + i * 7 % 1000, q: i % 5 ? "plain" : 'a "q", ' + i, v: i / 8 }));
const csv = lib.unparse(rows); print(digest(csv)); const back = lib.parse(csv, { header: true, dynamicTyping: true }); print(back.data.length, digest(JSON.stringify(back.data)), back.errors.length);
const by = new Map(); for (const r of back.data) { const k = r.name.slice(0, 2); by.set(k, (by.get(k) || 0) + r.v); } print([...by].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5));
print(digest(back.data.sort((a, b) => a.name.localeCompare(b.name) || b.id - a.id).map(r => r.id).join())); let s = ""; for (const r of rows) s += r.name + ";"; print(digest(s.split(";").reverse().join("|").replace(/n(\d)(\d*)/g, (m, a, b) => b + a)));
