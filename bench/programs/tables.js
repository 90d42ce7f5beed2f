// Dictionaries: objects with computed keys, nested groups, Set algebra by hand,
// string methods as reports use them.
const names = ['ada', 'grace', 'alan', 'edsger', 'barbara', 'donald', 'john', 'frances'];

function main() {
  const groups = {};
  for (let i = 0; i < 40000; i++) {
    const name = names[(i * 5) % names.length];
    const month = `2026-${String((i % 12) + 1).padStart(2, '0')}`;
    const group = (groups[name] ??= {});
    const cell = (group[month] ??= { count: 0, total: 0, ids: [] });
    cell.count++;
    cell.total += (i * 17) % 250;
    if (cell.ids.length < 5) cell.ids.push(i);
  }
  const lines = [];
  for (const name of Object.keys(groups).sort()) {
    for (const month of Object.keys(groups[name]).sort()) {
      const { count, total, ids } = groups[name][month];
      const title = name[0].toUpperCase() + name.slice(1);
      lines.push(`${title.padEnd(10)}|${month}|${String(count).padStart(6)}|${(total / count).toFixed(2).padStart(9)}|${ids.join(',')}`);
    }
  }
  const report = lines.join('\n');
  const cache = {};
  let hits = 0;
  for (let i = 0; i < 60000; i++) {
    const key = 'k' + ((i * 31) % 2000);
    if (cache[key] === undefined) cache[key] = i;
    else hits++;
    if (i % 50 === 0) delete cache[key];
  }
  const seen = new Set();
  for (const part of report.split(/[|\n,]/)) seen.add(part.trim());
  const cells = report.split('\n').map((l) => l.split('|')).filter((c) => c[0].trim() !== 'Ada' && c[1].includes('-0'));
  return [report.length, hits, Object.keys(cache).length, seen.size, cells.length].join(' ');
}
