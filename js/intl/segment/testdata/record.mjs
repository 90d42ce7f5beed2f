// Writes segments.json: what Intl.Segmenter of node with ICU 78 makes of random
// strings. node record.mjs [COUNT] [OUT]
import { writeFileSync } from 'node:fs';

let seed = 4711;
const rnd = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * n);
};
const pieces = ['a', 'b', 'Z', 'É', 'е', 'Ω', 'א', 'ב', '1', '2', '٣', '.', ',', "'", '’', '"', ':', ';', '!', '?', '-', '_', '_', ' ', ' ', '  ', '\n', '\r\n', '\r',
  '\t', '\u0301', '\u0308', '\u200d', '\u00ad', '\u2060', '👍', '🏽', '👩', '🇩', '🇪', '🇺', '한', 'ᄀ', 'ᅡ', 'ᆨ', 'カ', 'ー', 'नि', 'क', '्', 'ष', 'য', '্',
  'ஃ', '​', '(', ')', '“', '”', '«', '$', '%', '@', '/', '·', '…', '。', 'e.g.', 'Mr. X', 'U.S.A.', '3.14', "can't", 'foo_bar', 'end. Next', 'end! "Next"', 'x.y', '½', '©', '⌚', '\u0903', '\u0600', '\u2028', 'Ａ', '①', '𝐀', '🧑‍🚀', '❤️', '#️⃣'];
const out = [];
for (let i = 0; i < Number(process.argv[2] ?? 250); i++) {
  let s = '';
  for (let n = 1 + rnd(9); n > 0; n--) s += pieces[rnd(pieces.length)];
  const row = [s];
  for (const granularity of ['grapheme', 'word', 'sentence']) {
    row.push([...new Intl.Segmenter('en', { granularity }).segment(s)].map((x) => (x.isWordLike ? -1 : 1) * (x.index + x.segment.length)));
  }
  out.push(row);
}
writeFileSync(process.argv[3] ?? new URL('segments.json', import.meta.url), '[\n' + out.map((r) => JSON.stringify(r)).join(',\n') + '\n]\n');
