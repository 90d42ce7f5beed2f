// Regular expressions: fields out of a log of 20 000 lines.
const methods = ['GET', 'POST', 'PUT', 'DELETE'];
const lines = [];
for (let i = 0; i < 20000; i++) {
  const two = (n) => String(n).padStart(2, '0');
  lines.push(
    `10.0.${i % 256}.${(i * 7) % 256} - - [${two(i % 28 + 1)}/Mar/2026:${two(i % 24)}:${two(i % 60)}:${two((i * 13) % 60)} +0000] ` +
    `"${methods[i % 4]} /api/v1/users/${i % 997}?page=${i % 9} HTTP/1.1" ${i % 11 === 0 ? 500 : 200} ${(i * 31) % 5000}`);
}
const log = lines.join('\n');

function main() {
  const entry = /^(\d+\.\d+\.\d+\.\d+) - - \[([^\]]+)\] "(?<method>[A-Z]+) (?<path>[^ ?]+)(?:\?([^ ]*))? HTTP\/[\d.]+" (?<status>\d{3}) (?<size>\d+)$/gm;
  const byMethod = {};
  let bytes = 0, errors = 0, n = 0;
  for (const m of log.matchAll(entry)) {
    const { method, status, size } = m.groups;
    byMethod[method] = (byMethod[method] || 0) + 1;
    bytes += Number(size);
    if (status === '500') errors++;
    n++;
  }
  const hidden = log.replace(/\b(\d+)\.(\d+)\.\d+\.\d+\b/g, '$1.$2.x.x');
  const users = new Set(log.match(/users\/\d+/g)).size;
  return [n, bytes, errors, byMethod.GET, hidden.length, users].join(' ');
}
