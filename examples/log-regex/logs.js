// Reads access-log lines with named groups, then counts, masks and ranks.
const LINE = /^(?<ip>\d{1,3}(?:\.\d{1,3}){3}) \S+ (?<user>\S+) \[(?<when>[^\]]+)\] "(?<method>[A-Z]+) (?<target>\S+) HTTP\/[\d.]+" (?<status>\d{3}) (?<bytes>\d+) "(?<referer>[^"]*)" "(?<agent>[^"]*)" (?<ms>\d+)ms$/;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function when(text) {
  const [, d, mon, y, time, sign, hh, mm] = text.match(/^(\d\d)\/(\w{3})\/(\d{4}):(\S+) ([+-])(\d\d)(\d\d)$/);
  const month = String(MONTHS.indexOf(mon) + 1).padStart(2, '0');
  return new Date(`${y}-${month}-${d}T${time}${sign}${hh}:${mm}`);
}

const rejected = [];
const hits = [];
for (const [i, line] of input.lines.entries()) {
  const m = LINE.exec(line);
  if (!m) {
    rejected.push(i);
    continue;
  }
  const { ip, user, when: at, method, target, status, bytes, agent, ms } = m.groups;
  const [path, query = ''] = target.split('?');
  hits.push({
    ip, user: user === '-' ? null : user, at: when(at).toISOString(), method, path,
    route: path.replace(/\/\d+(?=\/|$)/g, '/:id'),
    query: Object.fromEntries([...query.matchAll(/([^=&]+)(?:=([^&]*))?/g)].map(([, k, v]) => [k, v ?? true])),
    status: +status, bytes: Number(bytes), agent: agent.split(/[\/ ]/, 1)[0], ms: +ms,
  });
}

const mask = (ip) => ip.replace(/(\d+)\.(\d+)$/, 'x.x');
for (const h of hits) console.log(`${h.at} ${mask(h.ip)} ${h.method} ${h.route} ${h.status}`);

const byRoute = {};
for (const h of hits) {
  const r = (byRoute[h.route] ??= { count: 0, errors: 0, slowest: 0 });
  r.count++;
  if (h.status >= 500) r.errors++;
  r.slowest = Math.max(r.slowest, h.ms);
}

return {
  rejected,
  byRoute,
  agents: [...new Set(hits.map((h) => h.agent))],
  query: hits[0].query,
  span: (Date.parse(hits.at(-1).at) - Date.parse(hits[0].at)) / 1000,
  users: hits.map((h) => h.user).filter(Boolean),
};
