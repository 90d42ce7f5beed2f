// Writes data/patterns.txt from CLDR 48: node gen.mjs FOLDER, where FOLDER is a
// node_modules with cldr-misc-full@48. See ../NOTICE.
import { readFileSync, writeFileSync } from 'node:fs';

const dir = process.argv[2];
const types = { conjunction: 'standard', disjunction: 'or', unit: 'unit' };
const styles = { long: '', short: '-short', narrow: '-narrow' };
const lines = [];
// "locale type style", then the patterns 2, start, middle and end, by tabs.
for (const l of ['de', 'en', 'en-001', 'en-GB', 'es', 'fr', 'ja', 'pt', 'zh']) {
  const { main } = JSON.parse(readFileSync(`${dir}/cldr-misc-full/main/${l}/listPatterns.json`, 'utf8'));
  for (const [type, t] of Object.entries(types)) {
    for (const [style, s] of Object.entries(styles)) {
      const p = main[l].listPatterns[`listPattern-type-${t}${s}`];
      lines.push([`${l} ${type} ${style}`, p[2], p.start, p.middle, p.end].join('\t'));
    }
  }
}
writeFileSync(new URL('data/patterns.txt', import.meta.url), lines.join('\n') + '\n');
