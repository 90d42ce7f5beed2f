// Writes data/patterns.txt from CLDR 48: node gen.mjs FOLDER, where FOLDER is a
// node_modules with cldr-misc-full@48. The locales are those of js/intl/number.
// See ../NOTICE.
import { readFileSync, writeFileSync } from 'node:fs';

const dir = process.argv[2];
const types = { conjunction: 'standard', disjunction: 'or', unit: 'unit' };
const styles = { long: '', short: '-short', narrow: '-narrow' };
// Locales that have what another has share its line.
const locales = readFileSync(new URL('../number/data/locales.txt', import.meta.url), 'utf8').trim().split('\n').map((l) => l.split('\t')[1]);
const byPatterns = new Map();
for (const l of new Set(locales)) {
  const { main } = JSON.parse(readFileSync(`${dir}/cldr-misc-full/main/${l}/listPatterns.json`, 'utf8'));
  for (const [type, t] of Object.entries(types)) {
    for (const [style, s] of Object.entries(styles)) {
      const p = main[l].listPatterns[`listPattern-type-${t}${s}`];
      const key = [type, style, p[2], p.start, p.middle, p.end].join('\t');
      byPatterns.set(key, [...(byPatterns.get(key) ?? []), l]);
    }
  }
}
// Locales, type, style and the patterns 2, start, middle and end, by tabs.
const lines = [...byPatterns].map(([key, l]) => `${l.join(' ')}\t${key}`);
writeFileSync(new URL('data/patterns.txt', import.meta.url), lines.join('\n') + '\n');
