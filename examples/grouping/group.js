// Groups with Object.groupBy and Map.groupBy, sets for overlap, Map as index.
const people = input;
const byCentury = Object.groupBy(people, (p) => `${Math.floor(p.born / 100) + 1}th`);
for (const [century, group] of Object.entries(byCentury)) console.log(`${century}: ${group.map((p) => p.name).join(', ')}`);

const old = { label: 'before 1900' };
const young = { label: '1900 and after' };
const byEra = Map.groupBy(people, (p) => (p.born < 1900 ? old : young));

const fields = new Map();
for (const { name, fields: list } of people) {
  for (const f of list) fields.get(f)?.add(name) ?? fields.set(f, new Set([name]));
}

const both = (a, b) => [...fields.get(a)].filter((n) => fields.get(b).has(n));
const matrix = [...fields.keys()].sort().map((a, _, all) => ({ field: a, shares: Object.fromEntries(all.filter((b) => b !== a).map((b) => [b, both(a, b).length]).filter(([, n]) => n)) }));

const index = new Map(people.map((p) => [p.name, p]));
const counts = people.reduce((acc, { city }) => acc.set(city, (acc.get(city) || 0) + 1), new Map());
const ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));

console.log(`${byEra.get(old).length} ${old.label}, ${byEra.get(young).length} ${young.label}`);
return {
  proto: Object.getPrototypeOf(byCentury) === null,
  byCentury: Object.fromEntries(Object.entries(byCentury).map(([k, v]) => [k, v.length])),
  fields: Object.fromEntries([...fields].map(([k, v]) => [k, [...v]])),
  matrix,
  ranked,
  lookup: [index.get('Emmy').city, index.get('Nobody')?.city ?? 'unknown'],
  mapJson: JSON.stringify(index),
  unique: [...new Set(people.flatMap((p) => p.fields))],
};
