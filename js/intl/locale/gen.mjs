// Writes data/*.txt from CLDR 48: node gen.mjs FOLDER, where FOLDER is a
// node_modules with cldr-core@48 and cldr-bcp47@48. See ../NOTICE.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

const dir = process.argv[2];
const json = (p) => JSON.parse(readFileSync(`${dir}/${p}`, 'utf8'));
const out = (name, lines) => writeFileSync(new URL(`data/${name}`, import.meta.url), lines.join('\n') + '\n');

// aliases.txt: "[kind]", then "from to…" a line.
const alias = json('cldr-core/supplemental/aliases.json').supplemental.metadata.alias;
const lines = [];
for (const kind of ['language', 'script', 'territory', 'variant', 'subdivision']) {
  lines.push(`[${kind}]`);
  for (const [from, { _replacement: to }] of Object.entries(alias[kind + 'Alias'])) {
    // Tags that are no Unicode locale identifiers can't be asked for.
    if (kind === 'language' && (from[1] === '-' || to.includes('-x-') || /^zh-[a-z]{3}(-|$)/.test(from))) continue;
    lines.push(`${from} ${to}`);
  }
}
// Types of keywords and of fields of the transform extension: "key from to".
for (const ext of ['u', 't']) {
  lines.push(`[${ext}]`);
  for (const file of readdirSync(`${dir}/cldr-bcp47/bcp47`).sort()) {
    const keys = json(`cldr-bcp47/bcp47/${file}`).keyword?.[ext] ?? {};
    for (const [key, types] of Object.entries(keys)) {
      for (const [type, data] of Object.entries(types)) {
        if (type[0] === '_') continue;
        if (data._preferred) lines.push(`${key} ${type} ${data._preferred}`);
        for (const a of (data._alias ?? '').toLowerCase().split(' ')) {
          if (/^[a-z0-9]{3,8}(-[a-z0-9]{3,8})*$/.test(a) && a !== type && !data._preferred) lines.push(`${key} ${a} ${type}`);
        }
      }
    }
  }
}
out('aliases.txt', lines);

// likely.txt: "script region languages…"; other keys as "key tag".
const likely = json('cldr-core/supplemental/likelySubtags.json').supplemental.likelySubtags;
const groups = new Map(), rest = [];
for (const [from, to] of Object.entries(likely)) {
  const [l, s, r] = to.split('-');
  if (from !== l) {
    rest.push(`${from} ${to}`);
    continue;
  }
  const k = `${s} ${r}`;
  groups.set(k, [...(groups.get(k) ?? []), from]);
}
out('likely.txt', ['[languages]', ...[...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => `${k} ${v.join(' ')}`), '[others]', ...rest]);
