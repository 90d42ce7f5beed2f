// Writes ../ucd.bin: the Unicode property sets, case-equivalence classes and
// emoji sequences that ECMA-262 regular expressions need, read off the engine
// that runs this script (its Unicode version is process.versions.unicode).
//
//   node dump.mjs
import { writeFileSync } from "node:fs";

const MAX = 0x10ffff;
const out = [];
const uv = (n) => {
  while (n >= 0x80) { out.push((n % 128) | 0x80); n = Math.floor(n / 128); }
  out.push(n);
};
const str = (s) => { uv(s.length); for (const c of s) out.push(c.charCodeAt(0)); };

// --- sets of code points -------------------------------------------------

const binary = `ASCII_Hex_Digit|AHex Alphabetic|Alpha Bidi_Control|Bidi_C Bidi_Mirrored|Bidi_M Case_Ignorable|CI Cased
Changes_When_Casefolded|CWCF Changes_When_Casemapped|CWCM Changes_When_Lowercased|CWL
Changes_When_NFKC_Casefolded|CWKCF Changes_When_Titlecased|CWT Changes_When_Uppercased|CWU Dash
Default_Ignorable_Code_Point|DI Deprecated|Dep Diacritic|Dia Emoji Emoji_Component|EComp
Emoji_Modifier|EMod Emoji_Modifier_Base|EBase Emoji_Presentation|EPres Extended_Pictographic|ExtPict
Extender|Ext Grapheme_Base|Gr_Base Grapheme_Extend|Gr_Ext Hex_Digit|Hex IDS_Binary_Operator|IDSB
IDS_Trinary_Operator|IDST ID_Continue|IDC ID_Start|IDS Ideographic|Ideo Join_Control|Join_C
Logical_Order_Exception|LOE Lowercase|Lower Math Noncharacter_Code_Point|NChar Pattern_Syntax|Pat_Syn
Pattern_White_Space|Pat_WS Quotation_Mark|QMark Radical Regional_Indicator|RI Sentence_Terminal|STerm
Soft_Dotted|SD Terminal_Punctuation|Term Unified_Ideograph|UIdeo Uppercase|Upper Variation_Selector|VS
White_Space|space XID_Continue|XIDC XID_Start|XIDS`.split(/\s+/);

// Leaf categories only: the groupings are unions of these.
const categories = `Close_Punctuation|Pe Connector_Punctuation|Pc Control|Cc|cntrl Currency_Symbol|Sc Dash_Punctuation|Pd
Decimal_Number|Nd|digit Enclosing_Mark|Me Final_Punctuation|Pf Format|Cf Initial_Punctuation|Pi Letter_Number|Nl
Line_Separator|Zl Lowercase_Letter|Ll Math_Symbol|Sm Modifier_Letter|Lm Modifier_Symbol|Sk Nonspacing_Mark|Mn
Open_Punctuation|Ps Other_Letter|Lo Other_Number|No Other_Punctuation|Po Other_Symbol|So Paragraph_Separator|Zp
Private_Use|Co Space_Separator|Zs Spacing_Mark|Mc Surrogate|Cs Titlecase_Letter|Lt Unassigned|Cn Uppercase_Letter|Lu`.split(/\s+/);

const scripts = `Adlam|Adlm Ahom Anatolian_Hieroglyphs|Hluw Arabic|Arab Armenian|Armn Avestan|Avst Balinese|Bali Bamum|Bamu
Bassa_Vah|Bass Batak|Batk Bengali|Beng Beria_Erfe|Berf Bhaiksuki|Bhks Bopomofo|Bopo Brahmi|Brah Braille|Brai
Buginese|Bugi Buhid|Buhd Canadian_Aboriginal|Cans Carian|Cari Caucasian_Albanian|Aghb Chakma|Cakm Cham
Cherokee|Cher Chorasmian|Chrs Common|Zyyy Coptic|Copt|Qaac Cuneiform|Xsux Cypriot|Cprt Cypro_Minoan|Cpmn
Cyrillic|Cyrl Deseret|Dsrt Devanagari|Deva Dives_Akuru|Diak Dogra|Dogr Duployan|Dupl
Egyptian_Hieroglyphs|Egyp Elbasan|Elba Elymaic|Elym Ethiopic|Ethi Garay|Gara Georgian|Geor Glagolitic|Glag
Gothic|Goth Grantha|Gran Greek|Grek Gujarati|Gujr Gunjala_Gondi|Gong Gurmukhi|Guru Gurung_Khema|Gukh
Hangul|Hang Hanifi_Rohingya|Rohg Hanunoo|Hano Han|Hani Hatran|Hatr Hebrew|Hebr Hiragana|Hira
Imperial_Aramaic|Armi Inherited|Zinh|Qaai Inscriptional_Pahlavi|Phli Inscriptional_Parthian|Prti
Javanese|Java Kaithi|Kthi Kannada|Knda Katakana|Kana Kawi Kayah_Li|Kali Kharoshthi|Khar
Khitan_Small_Script|Kits Khmer|Khmr Khojki|Khoj Khudawadi|Sind Kirat_Rai|Krai Lao|Laoo Latin|Latn Lepcha|Lepc
Limbu|Limb Linear_A|Lina Linear_B|Linb Lisu Lycian|Lyci Lydian|Lydi Mahajani|Mahj Makasar|Maka Malayalam|Mlym
Mandaic|Mand Manichaean|Mani Marchen|Marc Masaram_Gondi|Gonm Medefaidrin|Medf Meetei_Mayek|Mtei
Mende_Kikakui|Mend Meroitic_Cursive|Merc Meroitic_Hieroglyphs|Mero Miao|Plrd Modi Mongolian|Mong Mro|Mroo
Multani|Mult Myanmar|Mymr Nabataean|Nbat Nag_Mundari|Nagm Nandinagari|Nand New_Tai_Lue|Talu Newa Nko|Nkoo
Nushu|Nshu Nyiakeng_Puachue_Hmong|Hmnp Ogham|Ogam Ol_Chiki|Olck Ol_Onal|Onao Old_Hungarian|Hung
Old_Italic|Ital Old_North_Arabian|Narb Old_Permic|Perm Old_Persian|Xpeo Old_Sogdian|Sogo
Old_South_Arabian|Sarb Old_Turkic|Orkh Old_Uyghur|Ougr Oriya|Orya Osage|Osge Osmanya|Osma Pahawh_Hmong|Hmng
Palmyrene|Palm Pau_Cin_Hau|Pauc Phags_Pa|Phag Phoenician|Phnx Psalter_Pahlavi|Phlp Rejang|Rjng Runic|Runr
Samaritan|Samr Saurashtra|Saur Sharada|Shrd Shavian|Shaw Siddham|Sidd Sidetic|Sidt SignWriting|Sgnw
Sinhala|Sinh Sogdian|Sogd Sora_Sompeng|Sora Soyombo|Soyo Sundanese|Sund Sunuwar|Sunu Syloti_Nagri|Sylo
Syriac|Syrc Tagalog|Tglg Tagbanwa|Tagb Tai_Le|Tale Tai_Tham|Lana Tai_Viet|Tavt Tai_Yo|Tayo Takri|Takr
Tamil|Taml Tangsa|Tnsa Tangut|Tang Telugu|Telu Thaana|Thaa Thai Tibetan|Tibt Tifinagh|Tfng Tirhuta|Tirh
Todhri|Todr Tolong_Siki|Tols Toto Tulu_Tigalari|Tutg Ugaritic|Ugar Unknown|Zzzz Vai|Vaii Vithkuqi|Vith
Wancho|Wcho Warang_Citi|Wara Yezidi|Yezi Yi|Yiii Zanabazar_Square|Zanb`.split(/\s+/);

const all = [];
for (let c = 0; c <= MAX; c++) all.push(String.fromCodePoint(c));

function rangesOf(source) {
  const re = new RegExp(`^${source}$`, "u");
  const ranges = [];
  let lo = -1;
  for (let c = 0; c <= MAX + 1; c++) {
    const is = c <= MAX && re.test(all[c]);
    if (is && lo < 0) lo = c;
    if (!is && lo >= 0) { ranges.push([lo, c - 1]); lo = -1; }
  }
  return ranges;
}

const sets = [];
for (const p of binary) sets.push(["b", p, `\\p{${p.split("|")[0]}}`]);
for (const p of categories) sets.push(["g", p, `\\p{gc=${p.split("|")[0]}}`]);
for (const p of scripts) sets.push(["s", p, `\\p{sc=${p.split("|")[0]}}`]);
for (const p of scripts) sets.push(["x", p, `\\p{scx=${p.split("|")[0]}}`]);

uv(sets.length);
const seen = new Map();
sets.forEach(([kind, names, source], i) => {
  const ranges = rangesOf(source);
  for (const alias of names.split("|").slice(1)) {
    const prefix = { b: "", g: "gc=", s: "sc=", x: "scx=" }[kind];
    const other = new RegExp(`^\\p{${prefix}${alias}}$`, "u");
    for (const [lo, hi] of ranges) if (!other.test(all[lo]) || !other.test(all[hi])) throw Error(`${alias} is not ${names}`);
  }
  out.push(kind.charCodeAt(0));
  str(names);
  const key = ranges.join(";");
  if (seen.has(key)) { uv(seen.get(key) * 2 + 1); return; }
  seen.set(key, i);
  uv(ranges.length * 2);
  let at = 0;
  for (const [lo, hi] of ranges) { uv(lo - at); uv(hi - lo); at = hi + 1; }
});

// --- classes of code points that are equal when case is ignored ----------

function writeClasses(classes) {
  classes = classes.filter((c) => c.length > 1).map((c) => c.sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
  uv(classes.length);
  for (const c of classes) { uv(c.length); let at = 0; for (const m of c) { uv(m - at); at = m; } }
}

// With u or v: Canonicalize is simple case folding. Candidates for a class are
// found through the full case mappings, then tested one against the other.
{
  const groups = new Map();
  const parent = new Map();
  const find = (c) => { while (parent.has(c) && parent.get(c) !== c) c = parent.get(c); return c; };
  const join = (a, b) => { a = find(a); b = find(b); parent.set(a, a); parent.set(b, a); };
  for (let c = 0; c <= MAX; c++) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    const s = all[c];
    for (const t of new Set([s.toUpperCase(), s.toLowerCase(), s.toUpperCase().toLowerCase(), s.toLowerCase().toUpperCase()])) {
      if (t === s) continue;
      if (groups.has(t)) join(groups.get(t), c); else groups.set(t, c);
      if ([...t].length === 1) join(c, t.codePointAt(0));
    }
  }
  const byRoot = new Map();
  for (const c of parent.keys()) { const r = find(c); byRoot.set(r, [...(byRoot.get(r) ?? []), c]); }
  const classes = [];
  for (const members of byRoot.values()) {
    const left = new Set(members);
    for (const m of members) {
      if (!left.has(m)) continue;
      const re = new RegExp(`^\\u{${m.toString(16)}}$`, "iu");
      const same = [...left].filter((o) => o === m || re.test(all[o]));
      same.forEach((o) => left.delete(o));
      classes.push(same);
    }
  }
  writeClasses(classes);
}

// Without: ECMA-262 Canonicalize steps 3 to 9, on code units.
{
  const by = new Map();
  for (let c = 0; c <= 0xffff; c++) {
    let u = String.fromCharCode(c).toUpperCase();
    let k = c;
    if (u.length === 1 && !(c >= 128 && u.charCodeAt(0) < 128)) k = u.charCodeAt(0);
    if (by.has(k)) by.get(k).push(c); else by.set(k, [c]);
  }
  writeClasses([...by.values()]);
}

// --- properties of strings -----------------------------------------------

const cps = (source) => all.filter((s) => new RegExp(`^${source}$`, "u").test(s));
const emoji = cps("\\p{Emoji}").filter((s) => s.codePointAt(0) > 0x7f);
const bases = cps("\\p{Emoji_Modifier_Base}");
const mods = cps("\\p{Emoji_Modifier}");
const VS = "\ufe0f", ZWJ = "\u200d";

function keep(property, candidates) {
  const re = new RegExp(`^\\p{${property}}$`, "v");
  return [...new Set(candidates)].filter((s) => re.test(s));
}

function* pairs(a, b, f = (x, y) => x + y) { for (const x of a) for (const y of b) yield f(x, y); }

const basic = keep("Basic_Emoji", [...all, ...emoji.map((e) => e + VS)]);
const keycap = keep("Emoji_Keycap_Sequence", pairs([..."0123456789#*"], [VS + "\u20e3"]));
const modSeq = keep("RGI_Emoji_Modifier_Sequence", pairs(bases, mods));
const ri = cps("\\p{Regional_Indicator}");
const flags = keep("RGI_Emoji_Flag_Sequence", pairs(ri, ri));
const tag = (s) => [...s].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("");
const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const tags = keep("RGI_Emoji_Tag_Sequence", (function* () {
  for (const cc of ["gb", "us", "ca", "au", "fr", "es", "de"])
    for (const a of letters) for (const b of letters) {
      yield "\u{1f3f4}" + tag(cc + a + b) + "\u{e007f}";
      for (const c of letters) yield "\u{1f3f4}" + tag(cc + a + b + c) + "\u{e007f}";
    }
})());

// ZWJ sequences: search by number of elements, with what the shorter and the
// lighter ones have shown to occur.
const zwjRe = /^\p{RGI_Emoji_ZWJ_Sequence}$/v;
const zwj = new Set();
const vs = emoji.map((e) => e + VS);
const element = [...emoji, ...vs, ...modSeq];
const seconds = new Set();
for (const b of element) for (const a of element) {
  const s = a + ZWJ + b;
  if (zwjRe.test(s)) { zwj.add(s); seconds.add(b); }
}
const strip = (s) => s.replace(/\p{Emoji_Modifier}/gu, "");
const people = [..."\u{1f466}\u{1f467}\u{1f468}\u{1f469}\u{1f9d1}\u{1f9d2}"];
const light = [...bases, ...bases.map((b) => b + mods[0])];
const ends = [...people, ...people.map((p) => p + mods[0]), ...people.map((p) => p + mods[1]), "\u27a1" + VS];
const mids = new Set();
for (const a of light) for (const m of [...emoji, ...vs]) for (const e of ends) {
  if (zwjRe.test(a + ZWJ + m + ZWJ + e)) mids.add(m);
}
const fullEnds = [...people, ...[...pairs(people, mods)], "\u27a1" + VS];
for (const a of [...bases, ...modSeq]) for (const m of mids) for (const e of fullEnds) {
  const s = a + ZWJ + m + ZWJ + e;
  if (zwjRe.test(s)) zwj.add(s);
}
const who = [...people, ...[...pairs(people, mods)]];
for (const a of who) for (const m of mids) for (const n of ["\u{1f48b}", ...people]) for (const e of who) {
  const s = [a, m, n, e].join(ZWJ);
  if (zwjRe.test(s)) zwj.add(s);
}

function writeStrings(name, strings) {
  const list = strings.map((s) => [...s].map((c) => c.codePointAt(0)));
  list.sort((a, b) => { for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i]; return a.length - b.length; });
  str(name);
  uv(list.length);
  let prev = [];
  for (const s of list) {
    let n = 0;
    while (n < s.length && n < prev.length && s[n] === prev[n]) n++;
    uv(n); uv(s.length - n);
    for (const c of s.slice(n)) uv(c);
    prev = s;
  }
}

uv(6);
writeStrings("Basic_Emoji", basic);
writeStrings("Emoji_Keycap_Sequence", keycap);
writeStrings("RGI_Emoji_Modifier_Sequence", modSeq);
writeStrings("RGI_Emoji_Flag_Sequence", flags);
writeStrings("RGI_Emoji_Tag_Sequence", tags);
writeStrings("RGI_Emoji_ZWJ_Sequence", [...zwj]);

writeFileSync(new URL("../ucd.bin", import.meta.url), Uint8Array.from(out));
console.log(process.versions.unicode, out.length, "bytes", { basic: basic.length, keycap: keycap.length, modSeq: modSeq.length, flags: flags.length, tags: tags.length, zwj: zwj.size });
