// Writes data/LOCALE.txt from CLDR 48: node gen.mjs FOLDER, where FOLDER is a
// node_modules with cldr-localenames-full, cldr-numbers-full and
// cldr-dates-full, all @48. See ../NOTICE.
import { readFileSync, writeFileSync } from 'node:fs';

const dir = process.argv[2];
const json = (p) => JSON.parse(readFileSync(`${dir}/${p}`, 'utf8'));
const parents = { 'en-001': 'en', 'en-GB': 'en-001' };
const calendars = { gregorian: 'gregory', 'ethiopic-amete-alem': 'ethioaa' };
const fields = { era: 'era', year: 'year', quarter: 'quarter', month: 'month', week: 'weekOfYear', weekday: 'weekday', day: 'day',
  dayperiod: 'dayPeriod', hour: 'hour', minute: 'minute', second: 'second', zone: 'timeZoneName' };
const all = {};
// Sections of "key name" lines; a key with "/s" is the short form, with "/n" the
// narrow one. What a locale has from its parent is left out.
for (const l of ['de', 'en', 'en-001', 'en-GB', 'es', 'fr', 'ja', 'pt', 'zh']) {
  const names = (file, key) => json(`cldr-localenames-full/main/${l}/${file}.json`).main[l].localeDisplayNames[key];
  const short = (o, keep) => Object.fromEntries(Object.entries(o).map(([k, v]) => [k.replace(/-alt-short$/, '/s'), v]).filter(([k]) => !k.includes('-alt-') && keep(k)));
  const display = json(`cldr-localenames-full/main/${l}/localeDisplayNames.json`).main[l].localeDisplayNames;
  const currencies = json(`cldr-numbers-full/main/${l}/currencies.json`).main[l].numbers.currencies;
  const dates = json(`cldr-dates-full/main/${l}/dateFields.json`).main[l].dates.fields;
  const s = all[l] = {
    pattern: { locale: display.localeDisplayPattern.localePattern, separator: display.localeDisplayPattern.localeSeparator },
    language: short(names('languages', 'languages'), (k) => k !== 'und' && k !== 'root'),
    region: short(names('territories', 'territories'), () => true),
    script: short(names('scripts', 'scripts'), () => true),
    variant: Object.fromEntries(Object.entries(names('variants', 'variants')).filter(([k]) => !k.includes('-alt-')).map(([k, v]) => [k.toLowerCase(), v])),
    currency: Object.fromEntries(Object.entries(currencies).filter(([, v]) => v.displayName).map(([k, v]) => [k, v.displayName])),
    calendar: Object.fromEntries(Object.entries(display.types.calendar).map(([k, v]) => [calendars[k] ?? k, v])),
    field: {},
  };
  for (const [k, name] of Object.entries(fields)) {
    const of = (suffix) => dates[k + suffix]?.displayName ?? dates[k].displayName;
    s.field[name] = of('');
    s.field[`${name}/s`] = of('-short');
    s.field[`${name}/n`] = of('-narrow');
  }
}
for (const [l, sections] of Object.entries(all)) {
  const lines = [];
  for (const [section, entries] of Object.entries(sections)) {
    const parent = all[parents[l]]?.[section];
    const own = Object.entries(entries).filter(([k, v]) => (parent ? parent[k] !== v : true) && v !== k);
    if (own.length) lines.push(`[${section}]`, ...own.map(([k, v]) => `${k} ${v}`));
  }
  writeFileSync(new URL(`data/${l}.txt`, import.meta.url), lines.join('\n') + '\n');
}
