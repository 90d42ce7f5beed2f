// Writes data/*.txt from CLDR 48: node gen.mjs FOLDER, where FOLDER is a
// node_modules with cldr-core, cldr-bcp47 and cldr-numbers-full, all @48, and node
// is one with ICU 78. See ../NOTICE.
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

// regions.txt: "region first-minimal-weekend hour-cycle calendars zones", "-" for
// what is as in the world (001); then "[hours]": hour cycles of locales;
// "[digits]": default numbering systems of locales that are not latn;
// "[collations]" of languages, from Intl.Locale itself.
const cal = json('cldr-core/supplemental/calendarPreferenceData.json').supplemental.calendarPreferenceData;
const week = json('cldr-core/supplemental/weekData.json').supplemental.weekData;
const time = json('cldr-core/supplemental/timeData.json').supplemental.timeData;
const zoneIds = json('cldr-bcp47/bcp47/timezone.json').keyword.u.tz;
const regions = Object.keys(json('cldr-core/supplemental/territoryInfo.json').supplemental.territoryInfo).filter((r) => /^[A-Z]{2}$/.test(r));
const zones = {};
for (const [id, v] of Object.entries(zoneIds)) {
  if (id[0] === '_' || v._deprecated || id === 'gmt') continue;
  (zones[v._region ?? id.slice(0, 2).toUpperCase()] ??= []).push(v._alias.split(' ')[0]);
}
const days = { mon: 1, tue: 2, wed: 3, thu: 4, fri: 5, sat: 6, sun: 7 };
const cycles = { h: 'h12', H: 'h23', k: 'h24', K: 'h11' };
const weekOf = (r) => ['firstDay', 'minDays', 'weekendStart', 'weekendEnd'].map((k) => days[week[k][r] ?? week[k]['001']] ?? week[k][r] ?? week[k]['001']).join('');
const calendarsOf = (r) => (cal[r] ?? cal['001']).map((c) => (c === 'gregorian' ? 'gregory' : c)).join(',');
const lines2 = ['[regions]'];
for (const r of ['001', ...regions]) {
  const w = weekOf(r), h = cycles[(time[r] ?? time['001'])._preferred], c = calendarsOf(r), z = (zones[r] ?? []).sort().join(',') || '-';
  const same = r !== '001';
  const line = [r, same && w === weekOf('001') ? '-' : w, same && h === 'h23' ? '-' : h, same && c === 'gregory' ? '-' : c, z];
  if (line.slice(1).some((x) => x !== '-')) lines2.push(line.join(' '));
}
lines2.push('[hours]');
for (const [k, v] of Object.entries(time)) if (/^[a-z]/.test(k)) lines2.push(`${k.replace('_', '-')} ${cycles[v._preferred]}`);
lines2.push('[digits]');
for (const l of readdirSync(`${dir}/cldr-numbers-full/main`)) {
  const d = json(`cldr-numbers-full/main/${l}/numbers.json`).main[l].numbers.defaultNumberingSystem;
  if (d !== 'latn') lines2.push(`${l} ${d}`);
}
lines2.push('[collations]');
for (const l of new Set(json('cldr-core/availableLocales.json').availableLocales.full.map((l) => l.split('-')[0]))) {
  const c = new Intl.Locale(l).collations.join(',');
  if (c !== 'emoji,eor') lines2.push(`${l} ${c}`);
}
out('regions.txt', lines2);

// locales.txt: the locales that node, with ICU, takes for its own, but for root.
const known = json('cldr-core/availableLocales.json').availableLocales.full;
const withDefaults = new Set([...known, ...json('cldr-core/defaultContent.json').defaultContent]);
const own = [...withDefaults].filter((l) => l !== 'und' && new Intl.Segmenter(l).resolvedOptions().locale === l).sort();
out('locales.txt', own.join(' ').match(/.{1,99}(?: |$)/g).map((l) => l.trim()));
