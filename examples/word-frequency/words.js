// Words in Unicode text: counting, normalizing, n-grams, a bar chart.
const stop = new Set(['the', 'a', 'on', 'it', 'no']);
const fold = (w) => w.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/ς$/, 'σ').replaceAll('ς', 'σ');
const words = input.text.match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu);
const folded = words.map(fold);

const counts = folded.reduce((m, w) => m.set(w, (m.get(w) ?? 0) + 1), new Map());
const top = [...counts]
  .filter(([w]) => !stop.has(w))
  .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : a > b ? 1 : 0))
  .slice(0, 6);

const width = Math.max(...top.map(([w]) => w.length));
for (const [w, n] of top) console.log(`${w.padEnd(width)} ${'*'.repeat(n)} ${n}`);

const bigrams = folded.slice(1).map((w, i) => `${folded[i]} ${w}`);
const repeated = [...new Set(bigrams.filter((b, i) => bigrams.indexOf(b) !== i))];
const title = (s) => s.replace(/(^|\s)(\p{L})/gu, (_, gap, c) => gap + c.toUpperCase());
const initials = Object.entries(Object.fromEntries(folded.map((w) => [w[0], w]))).length;

return {
  words: words.length,
  distinct: counts.size,
  repeated,
  title: title('élan vital, über alles'),
  longest: folded.reduce((a, b) => (b.length > a.length ? b : a)),
  initials,
  emoji: { units: '👩‍👩‍👧'.length, points: [...'👩‍👩‍👧'].length, escaped: encodeURIComponent('👍🏽') },
  palindromes: ['Anna', 'Noël', 'A man, a plan, a canal: Panama'].map((s) => {
    const t = fold(s).replace(/[^a-z]/g, '');
    return t === [...t].reverse().join('');
  }),
};
