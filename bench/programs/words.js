// Maps: counting the words of a text of about 400 000 characters.
const syllables = ['ba', 'ko', 'ri', 'mu', 'ten', 'la', 'so', 'vi', 'ner', 'da'];
const parts = [];
let seed = 7;
for (let i = 0; i < 60000; i++) {
  seed = (Math.imul(seed, 48271) >>> 0) % 2147483647;
  const k = seed % 1000;
  const n = k < 600 ? k % 40 : k;
  parts.push(syllables[n % 10] + syllables[(n / 10 | 0) % 10] + syllables[(n / 100 | 0) % 10]);
}
const text = parts.join(' ');

function main() {
  const counts = new Map();
  for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  const top = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
  return counts.size + ' ' + top.map(([w, n]) => w + n).join(' ');
}
