// Writes locale.json: what node with ICU 78 gives for expressions on locales,
// collation, lists, names and segments. node record-locale.mjs
import { writeFileSync } from 'node:fs';

const cases = [];
const add = (...sources) => cases.push(...sources);
const tags = ['en', 'EN-us', 'zh-hans-cn', 'iw', 'sgn-br', 'sh', 'hy-SU', 'cnr', 'art-lojban', 'en-840', 'ja-latn-hepburn-heploc', 'de-u-kn-true', 'en-u-ca-islamicc',
  'en-u-nu-latn-ca-gregory', 'en-u-rg-cn11', 'en-t-iw', 'en-b-foo-a-bar', 'x-foo', 'e', 'en_US', 'de-1996-1996', 'root', 'zh-min', 'en-GB', 'und-saaho', 'pt-br', 'sr-Cyrl-YU'];
for (const t of tags) add(`Intl.getCanonicalLocales(${JSON.stringify(t)})`);
add(`Intl.getCanonicalLocales()`, `Intl.getCanonicalLocales(null)`, `Intl.getCanonicalLocales(1)`, `Intl.getCanonicalLocales([1])`, `Intl.getCanonicalLocales(['de', 'DE', 'en'])`,
  `Intl.getCanonicalLocales(new Intl.Locale('de'))`, `Intl.getCanonicalLocales({length: 2, 1: 'fr'})`, `Intl.supportedValuesOf('unit')`, `Intl.supportedValuesOf('x')`,
  `String(Intl)`, `Object.getOwnPropertyNames(Intl)`, `Object.keys(Intl)`);

for (const t of ['en', 'und', 'zh-TW', 'sr-ME', 'zz', 'aaa', 'en-Shaw', 'zh-Hant', 'und-Cyrl', 'pt-PT', 'en-u-ca-buddhist', 'es-419', 'und-US', 'yue', 'en-Latn-GB']) {
  add(`new Intl.Locale('${t}').maximize()`, `new Intl.Locale('${t}').minimize()`);
}
for (const t of ['en', 'en-GB', 'de', 'fr', 'es', 'pt-BR', 'ja-JP', 'zh-CN', 'ar-EG', 'he', 'th-TH', 'fa-IR', 'hi-IN', 'und', 'en-u-ca-buddhist-hc-h23-nu-thai-co-emoji']) {
  for (const g of ['calendars', 'collations', 'hourCycles', 'numberingSystems', 'textInfo', 'timeZones', 'weekInfo']) add(`new Intl.Locale('${t}').${g}`);
}
for (const g of ['baseName', 'calendar', 'caseFirst', 'collation', 'hourCycle', 'language', 'numberingSystem', 'numeric', 'region', 'script']) {
  add(`new Intl.Locale('en-Latn-US', {calendar: 'gregory', caseFirst: 'upper', collation: 'emoji', hourCycle: 'h23', language: 'de', numberingSystem: 'latn', numeric: true, region: 'AT', script: 'Latn'}).${g}`,
    `new Intl.Locale('en').${g}`, `new Intl.Locale('en-u-kf-kn-false').${g}`);
}
add(`new Intl.Locale`, `new Intl.Locale(5)`, `new Intl.Locale('x')`, `Intl.Locale('en')`, `new Intl.Locale('en', {calendar: 'x'})`, `new Intl.Locale('en', {caseFirst: 'x'})`,
  `new Intl.Locale('en', {hourCycle: 'x'})`, `new Intl.Locale('en', null)`, `new Intl.Locale('en', {language: 'x'})`, `new Intl.Locale('en', {region: 'xxxx'})`,
  `new Intl.Locale('en', {calendar: 'islamicc'})`, `Intl.Locale.prototype.toString.call(1)`, `new Intl.Locale('und-Armn-SU', {language: 'ru'})`);

for (const [l, o] of [['en'], ['de-u-co-phonebk-kn-kf-upper'], ['es-u-co-trad'], ['en-u-kn-false-ks-level1'], ['fr-u-kf-false'], ['de', {collation: 'phonebk'}], ['de', {usage: 'search'}],
  ['de', {collation: 'xx'}], ['en', {usage: 'x'}], ['en', {sensitivity: 'x'}], ['en', {numeric: 1, caseFirst: 'lower', sensitivity: 'base', ignorePunctuation: true}], ['en', null], ['x']]) {
  add(`new Intl.Collator(${JSON.stringify(l)}, ${JSON.stringify(o)}).resolvedOptions()`);
}
add(`Intl.Collator('en').compare('a', 'b')`, `Intl.Collator('en').compare === Intl.Collator('en').compare`, `(c => c.compare === c.compare)(new Intl.Collator())`, `Intl.Collator.supportedLocalesOf(['en', 'de-DE', 'zz'])`,
  `Intl.Collator.prototype.compare`, `new Intl.Collator().compare.name + new Intl.Collator().compare.length`, `new Intl.Collator('en', {numeric: true}).compare()`,
  `['z', 'a', 'Z', 'ä', 'é', 'e', 'ß', 'ss', 'Ä', '1', '_', ' ', '-', 'ñ', 'n', 'o'].sort(new Intl.Collator('en').compare)`,
  `['z', 'a', 'Z', 'ä', 'ad', 'af', 'ae'].sort(new Intl.Collator('de-u-co-phonebk').compare)`, `['ñ', 'nz', 'o', 'n'].sort(new Intl.Collator('es').compare)`,
  `['中', '文', '啊', 'a', '1', '北', '京'].sort(new Intl.Collator('zh').compare)`, `['東', '京', 'あ', 'ア', 'か', 'が', 'a', 'コーヒー', 'コオヒイ'].sort(new Intl.Collator('ja').compare)`,
  `['file10', 'file9', 'file1', 'File2'].sort(new Intl.Collator(undefined, {numeric: true}).compare)`, `['a', 'A', 'b', 'B'].sort(new Intl.Collator(undefined, {caseFirst: 'upper'}).compare)`,
  ...['da', 'nb', 'pl', 'sv', 'tr', 'ru', 'el', 'it'].flatMap((l) => [`new Intl.Collator('${l}').resolvedOptions()`,
    `['z', 'ø', 'å', 'aa', 'ä', 'Å', 'o', 'ö', 'ł', 'l', 'm', 'ż', 'ź', 'ı', 'i', 'I', 'ж', 'ω'].sort(new Intl.Collator('${l}').compare)`]), `'a'.localeCompare('b')`, `'a'.localeCompare('A')`, `'a'.localeCompare('á', 'en', {sensitivity: 'base'})`, `'a'.localeCompare('b', 'e')`, `'résumé'.localeCompare('resume')`, `'a'.localeCompare()`,
  `'a-b'.localeCompare('ab', 'en', {ignorePunctuation: true})`, `'ä'.localeCompare('z', 'de')`, `'a'.localeCompare('b', [])`, `'a'.localeCompare('b', null)`, `'x'.localeCompare('y', 'de', {sensitivity: 'q'})`,
  `'I'.toLocaleLowerCase('tr')`, `'iIıİ'.toLocaleLowerCase('tr')`, `'i'.toLocaleUpperCase('tr')`, `'i'.toLocaleUpperCase('az')`, `'Ì'.toLocaleLowerCase('lt')`, `'I'.toLocaleLowerCase('en')`, `'a'.toLocaleUpperCase('e')`,
  `'i\\u0307'.toLocaleUpperCase('lt')`, `'straße'.toLocaleUpperCase('de')`, `'I\\u0307'.toLocaleLowerCase('tr')`, `'İ'.toLocaleLowerCase('tr')`,
  `[1234.5, 2].toLocaleString('de')`, `[1, 'a', null, undefined].toLocaleString('en', {style: 'percent'})`);

for (const l of ['en', 'en-GB', 'de', 'fr', 'es', 'pt', 'ja', 'zh']) {
  for (const type of ['conjunction', 'disjunction', 'unit']) for (const style of ['long', 'short', 'narrow']) {
    add(`[[], ['A'], ['A', 'B'], ['A', 'B', 'C'], ['A', 'B', 'C', 'D']].map(x => new Intl.ListFormat('${l}', {type: '${type}', style: '${style}'}).format(x))`);
  }
}
add(`new Intl.ListFormat('es').format(['a', 'Ivan'])`, `new Intl.ListFormat('es').format(['a', 'hielo'])`, `new Intl.ListFormat('es', {type: 'disjunction'}).format(['a', 'ocho', '8'])`,
  `new Intl.ListFormat().formatToParts(['a', 'b', 'c'])`, `new Intl.ListFormat().format('abc')`, `new Intl.ListFormat().format()`, `new Intl.ListFormat().format([1])`, `new Intl.ListFormat('en', {type: 'x'})`,
  `new Intl.ListFormat('en', 5)`, `Intl.ListFormat('en')`, `new Intl.ListFormat('en', {type: 'unit', style: 'narrow'}).resolvedOptions()`, `Intl.ListFormat.prototype.format.call({}, [])`,
  `new Intl.ListFormat().format(new Set(['x', 'y']))`);

const names = { language: ['en', 'en-US', 'en-GB', 'zh-Hans', 'zh-Hant-TW', 'de-AT', 'fr-CA', 'xx', 'sr-Latn-RS', 'pt-BR', 'es-419', 'de-1996', 'nl-BE', 'fa-AF', 'xx-US', 'en-XX', 'hi-Latn'],
  region: ['US', 'GB', '001', '419', 'ZZ', 'XX', 'HK', 'BA', 'xxxxx'], script: ['Latn', 'Hans', 'Zzzz', 'Xxxx', 'Arab'], currency: ['USD', 'eur', 'XXX', 'ZZZ', 'JPY', 'EU'],
  calendar: ['gregory', 'buddhist', 'iso8601', 'roc', 'foobar', 'islamic-civil'], dateTimeField: ['era', 'year', 'quarter', 'month', 'weekOfYear', 'weekday', 'day', 'dayPeriod', 'hour', 'minute', 'second', 'timeZoneName', 'x'] };
for (const l of ['en', 'en-GB', 'de', 'fr', 'es', 'pt', 'ja', 'zh']) for (const [type, codes] of Object.entries(names)) {
  for (const code of codes) add(`new Intl.DisplayNames('${l}', {type: '${type}'}).of('${code}')`);
  if (l === 'en' || l === 'de') for (const code of codes) add(`new Intl.DisplayNames('${l}', {type: '${type}', style: 'short', fallback: 'none', languageDisplay: 'standard'}).of('${code}')`);
}
add(`new Intl.DisplayNames('en', {type: 'language'}).resolvedOptions()`, `new Intl.DisplayNames('en', {type: 'region', style: 'short'}).resolvedOptions()`, `new Intl.DisplayNames('en')`,
  `new Intl.DisplayNames('en', {})`, `new Intl.DisplayNames('en', {type: 'x'})`, `Intl.DisplayNames('en', {type: 'region'})`);

const texts = ['Hello, wörld! 👩‍🚀🇩🇪', "Mr. Smith can't pay $3.14 (e.g. now). Right? \\\"Yes!\\\" he said.", 'a\\r\\nb', '한국어 텍스트', 'नमस्ते', '', 'x_y foo:bar 1,000.5', 'カタカナ'];
for (const t of texts) for (const g of ['grapheme', 'word', 'sentence']) {
  add(`[...new Intl.Segmenter('en', {granularity: '${g}'}).segment("${t}")].map(x => [x.segment, x.index, x.isWordLike])`, `new Intl.Segmenter('en', {granularity: '${g}'}).segment("${t}").containing(7)`);
}
add(`new Intl.Segmenter('en', {granularity: 'x'})`, `new Intl.Segmenter('en').resolvedOptions()`, `Intl.Segmenter('en')`, `new Intl.Segmenter('en').segment('ab')[Symbol.iterator]().next()`,
  `String(new Intl.Segmenter('en').segment('ab')[Symbol.iterator]())`, `new Intl.Segmenter().segment('abc').containing(-1)`, `new Intl.Segmenter().segment('abc').containing(NaN)`, `new Intl.Segmenter().segment()`);

const show = (v) => (v === undefined ? 'undefined' : typeof v === 'object' && v && Object.getPrototypeOf(v) === Intl.Locale.prototype ? String(v) : JSON.stringify(v));
const out = cases.map((source) => {
  let got;
  try {
    got = show((0, eval)(source));
  } catch (e) {
    got = `${e.name}: ${e.message}`;
  }
  return [source, got];
});
writeFileSync(new URL('locale.json', import.meta.url), '[\n' + out.map((c) => JSON.stringify(c)).join(',\n') + '\n]\n');
