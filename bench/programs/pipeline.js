// Objects: 100 000 records through filter, map and reduce.
const cities = ['Oslo', 'Lima', 'Pune', 'Kyiv', 'Accra'];

function main() {
  const rows = [];
  for (let i = 0; i < 100000; i++) {
    rows.push({ id: i, city: cities[i % 5], amount: (i * 7919) % 1000, paid: i % 3 !== 0 });
  }
  const totals = rows
    .filter((r) => r.paid && r.amount > 100)
    .map((r) => ({ ...r, net: r.amount - r.amount / 5 }))
    .reduce((acc, { city, net }) => {
      acc[city] = (acc[city] ?? 0) + net;
      return acc;
    }, {});
  return cities.map((c) => c + ':' + totals[c].toFixed(1)).join(' ');
}
