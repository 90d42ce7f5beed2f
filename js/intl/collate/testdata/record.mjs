// Writes pairs.json: comparisons by Intl.Collator of node with ICU 78.
// node record.mjs [COUNT] [OUT]
import { writeFileSync } from 'node:fs';

let seed = 12345;
const rnd = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * n);
};
const ranges = [
  [0x20, 0x7e], [0x61, 0x7a], [0x41, 0x5a], [0x30, 0x39], [0xa0, 0xff], [0x100, 0x24f], [0x250, 0x2ff], [0x300, 0x36f], [0x370, 0x3ff],
  [0x400, 0x52f], [0x1e00, 0x1fff], [0x2000, 0x206f], [0x2070, 0x214f], [0x2150, 0x23ff], [0x2460, 0x27bf], [0x3000, 0x30ff],
  [0x3041, 0x30fe], [0x3130, 0x318e], [0x3200, 0x33ff], [0xac00, 0xd7a3], [0x4e00, 0x9fff], [0x3400, 0x4dbf], [0xff00, 0xffef],
  [0x5d0, 0x5ea], [0x620, 0x655], [0xe01, 0xe4f], [0x904, 0x94d], [0x531, 0x58f], [0x10d0, 0x10ff], [0x1f300, 0x1f6ff], [0x1d400, 0x1d7ff],
  [0xfb00, 0xfb06], [0x20000, 0x2a6d6], [0xf900, 0xfad9], [0xe00, 0xeff],
];
const words = ['resume', 'résumé', 'Résumé', 'RESUME', 'cote', 'côte', 'coté', 'côté', 'naïve', 'naive', 'straße', 'strasse', 'Straße', 'Äpfel', 'Apfel',
  'Zebra', 'zebra', 'ñandú', 'nandu', 'nz', 'öl', 'oel', 'ol', 'œuvre', 'oeuvre', 'æther', 'aether', 'file10', 'file2', 'file02', 'a b', 'a-b', 'ab', 'a_b',
  "l'an", 'lan', 'がき', 'かき', 'カキ', 'ガギ', 'はは', 'ハハ', 'ぱぱ', '東京', '中文', '한국', '강', 'йод', 'иод', 'ёлка', 'елка', 'Ελλάδα', 'ελλας', 'llama', 'lana', 'luz', 'chico', 'cuco', 'co-op', 'coop', 'CO-OP', 'łan', 'lan', 'Żuk', 'Ilgaz', 'ılık', 'iyi', 'İzmir', 'åben', 'Aalborg', 'ære', 'øre', 'ägg', 'öga', 'þing', 'Müller', 'Mydal', 'ñu', 'chu'];
const char = (depth) => {
  const [lo, hi] = ranges[rnd(ranges.length)];
  const c = String.fromCodePoint(lo + rnd(hi - lo + 1));
  return /\p{Assigned}/u.test(c) ? c : depth > 5 ? 'x' : char(depth + 1);
};
const text = () => {
  let s = '';
  for (let n = 1 + rnd(3); n > 0; n--) s += rnd(4) === 0 ? words[rnd(words.length)] : char(0);
  return s;
};
// A string like s, so that lower levels decide.
const like = (s) => {
  switch (rnd(8)) {
    case 0: return s.toUpperCase();
    case 1: return s.toLowerCase();
    case 2: return s.normalize('NFKD');
    case 3: return s.normalize('NFD');
    case 4: return s + String.fromCodePoint(0x300 + rnd(0x70));
    case 5: return s.normalize('NFD').replace(/\p{M}/gu, '');
    case 6: return [...s].reverse().join('');
    default: return text();
  }
};
const collators = [
  ['en', {}], ['en', { sensitivity: 'base' }], ['en', { sensitivity: 'accent' }], ['en', { sensitivity: 'case' }], ['en', { ignorePunctuation: true }],
  ['en', { numeric: true }], ['en', { caseFirst: 'upper' }], ['en', { caseFirst: 'lower' }], ['es', {}], ['es-u-co-trad', {}], ['de', {}],
  ['de-u-co-phonebk', {}], ['de', { usage: 'search' }], ['zh', {}], ['ja', {}], ['fr', {}],
  ['pl', {}], ['tr', {}], ['sv', {}], ['da', {}], ['nb', {}], ['ru', {}], ['el', {}], ['it', {}],
].map(([l, o]) => [l, o, new Intl.Collator(l, o).compare]);
const out = collators.map(([locale, options]) => ({ locale, options, pairs: [] }));
for (let i = 0; i < Number(process.argv[2] ?? 250); i++) {
  const a = text(), b = like(a);
  collators.forEach(([, , compare], k) => out[k].pairs.push([a, b, Math.sign(compare(a, b))]));
}
writeFileSync(process.argv[3] ?? new URL('pairs.json', import.meta.url), JSON.stringify(out).replaceAll('],[', '],\n[').replaceAll('{"locale"', '\n{"locale"') + '\n');
