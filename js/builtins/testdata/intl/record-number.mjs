// Records node's values of the expressions below: node record-number.mjs > number.json
// (v20.20.2, ICU 78.2, CLDR 48). Each is evaluated as a script; what it throws
// counts as its value.
const sources = []
const add = (...list) => sources.push(...list)
const nf = "new Intl.NumberFormat"
const options = o => `JSON.stringify(${nf}('en-US', ${o}).resolvedOptions())`
const thrown = e => `try { ${e} } catch (e) { e.name + ': ' + e.message }`

// Resolved options, and what is refused.
for (const o of ['{}', 'undefined', '5', "{style: 'percent'}", "{style: 'currency', currency: 'usd'}", "{style: 'currency', currency: 'JPY', currencyDisplay: 'name', currencySign: 'accounting'}",
  "{style: 'unit', unit: 'kilometer-per-hour', unitDisplay: 'long'}", "{notation: 'compact'}", "{notation: 'compact', compactDisplay: 'long', style: 'currency', currency: 'USD'}",
  "{notation: 'scientific', style: 'currency', currency: 'KWD'}", "{notation: 'engineering'}", '{maximumSignificantDigits: 3}', '{minimumSignificantDigits: 2}', '{maximumFractionDigits: 1}', '{minimumFractionDigits: 5}',
  "{maximumFractionDigits: 2, maximumSignificantDigits: 3, roundingPriority: 'lessPrecision'}", "{roundingPriority: 'morePrecision'}", '{roundingIncrement: 5}', '{roundingIncrement: 25, minimumFractionDigits: 2}',
  "{roundingMode: 'ceil', trailingZeroDisplay: 'stripIfInteger'}", '{useGrouping: true}', '{useGrouping: false}', "{useGrouping: 'min2'}", "{useGrouping: 'true'}", "{useGrouping: ''}", '{useGrouping: null}', '{minimumIntegerDigits: 3.7}',
  "{numberingSystem: 'arab'}", "{numberingSystem: 'abcdef'}", "{numberingSystem: 'LATN'}", "{signDisplay: 'negative'}", "{style: 'currency', currency: 'USD', maximumFractionDigits: 0}", "{compactDisplay: 'long'}"]) add(options(o))
for (const o of ["{style: 'x'}", "{style: 'currency'}", "{style: 'currency', currency: 'US'}", "{currency: 'ab1'}", "{style: 'unit'}", "{unit: 'parsec'}", "{unit: 'hour-per-hour-per-hour'}", '{maximumFractionDigits: 101}', '{minimumFractionDigits: -1}',
  '{minimumFractionDigits: 5, maximumFractionDigits: 2}', '{minimumIntegerDigits: 0}', '{minimumSignificantDigits: 5, maximumSignificantDigits: 2}', '{maximumSignificantDigits: NaN}', '{roundingIncrement: 3}', '{roundingIncrement: 5, maximumFractionDigits: 2}',
  '{roundingIncrement: 5, maximumSignificantDigits: 2}', "{roundingPriority: 'x'}", "{roundingMode: 'x'}", "{useGrouping: 'x'}", '{useGrouping: 1}', "{numberingSystem: 'x'}", "{numberingSystem: ''}", "{localeMatcher: 'x'}", "{notation: 'x'}", "{signDisplay: 'x'}",
  "{trailingZeroDisplay: 'x'}", "{currencyDisplay: 'x'}", "{get style() { throw new TypeError('mine') }}", 'null']) add(thrown(`${nf}('en', ${o})`))
add(thrown(`${nf}('x_y')`), thrown(`${nf}(null)`), thrown(`${nf}([5])`), `Intl.NumberFormat.supportedLocalesOf(['en', 'de-DE', 'fr-u-nu-latn']) + ''`)
add(`${nf}('en-US-u-nu-thai').resolvedOptions().locale`, `${nf}('de-u-nu-abcd-co-phonebk').resolvedOptions().locale`, `${nf}('en-u-nu-arab', {numberingSystem: 'deva'}).resolvedOptions().locale`, `${nf}(['xx', 'de']).resolvedOptions().locale`, `${nf}('xx').resolvedOptions().locale`)

// Shapes.
add("Object.getOwnPropertyNames(Intl.NumberFormat.prototype) + ''", "Object.getOwnPropertyNames(Intl.PluralRules.prototype) + ''", "Object.getOwnPropertyNames(Intl.RelativeTimeFormat.prototype) + ''",
  "Intl.NumberFormat.prototype[Symbol.toStringTag] + Intl.PluralRules.prototype[Symbol.toStringTag] + Intl.RelativeTimeFormat.prototype[Symbol.toStringTag]",
  "Intl.NumberFormat.length + Intl.NumberFormat.name + Intl.NumberFormat.prototype.formatRange.length", `var f = ${nf}(); f.format === f.format && f.format.name + f.format.length`, "Intl.NumberFormat('de').format(1.5)",
  `[1, 2.5].map(${nf}('de').format) + ''`, "var o = Object.create(Intl.NumberFormat.prototype); Intl.NumberFormat.call(o) === o && o.format(3)",
  thrown('Intl.NumberFormat.prototype.formatToParts.call({})'), thrown('Intl.NumberFormat.prototype.formatRange.call(5, 1, 2)'), thrown('Intl.PluralRules()'), thrown('Intl.RelativeTimeFormat()'), thrown('Intl.PluralRules.prototype.select.call({})'))

// Values.
for (const v of ['undefined', 'null', 'true', "''", "' 12 '", "'1_0'", "'0x1F'", "'0b11'", "'-0x1F'", "'1e5'", "'.5'", "'5.'", "'-0'", '-0', "'Infinity'", "'-Infinity'", "'abc'", "'123456789012345678901234567890.123456'", "'1e400'", "'1e-400'", '10n ** 40n', '-(10n ** 20n)',
  '{valueOf() { return 5n }}', "{toString() { return '98765432109876543210' }}", "'0xffffffffffffffffffffffff'", "'\\u300012\\ufeff'", '1e21', '0.1 + 0.2', '5e-324', '1.7976931348623157e308', '123456.789'])
  add(`${nf}('en-US', {maximumFractionDigits: 20}).format(${v})`)
add(thrown(`${nf}().format(Symbol())`))
add(`JSON.stringify(${nf}('en-US', {style: 'currency', currency: 'USD'}).formatToParts(-1234.5))`, `JSON.stringify(${nf}('de-DE', {style: 'unit', unit: 'kilometer', unitDisplay: 'long'}).formatToParts(1234.5))`, `JSON.stringify(${nf}('en-US', {notation: 'scientific'}).formatToParts('1e-7'))`,
  `JSON.stringify(${nf}('en-US', {notation: 'compact', compactDisplay: 'long'}).formatToParts(12345678))`, `JSON.stringify(${nf}('en-US').formatToParts(NaN))`)

// Ranges.
for (const a of ['3, 5', '5, 3', '3, 3', '-5, -3', '1n, 10n ** 20n', "'1', '2'", 'Infinity, -Infinity', '1.5, 1.5004']) add(`${nf}('en-US', {style: 'currency', currency: 'USD'}).formatRange(${a})`, `JSON.stringify(${nf}('en-US').formatRangeToParts(${a}))`)
for (const a of ['1', 'undefined, 1', 'NaN, 1', "1, 'abc'", '1, {}', 'Symbol(), 1']) add(thrown(`${nf}('en').formatRange(${a})`), thrown(`${nf}('en').formatRangeToParts(${a})`))

// toLocaleString.
for (const e of ['(1234567.891).toLocaleString()', "(1234.5).toLocaleString('de')", "(1234.5).toLocaleString('de-DE', {style: 'currency', currency: 'EUR'})", "(0.256).toLocaleString('fr-FR', {style: 'percent'})", "(1e6).toLocaleString(['es-ES'])", "(5).toLocaleString('xx')", "(5).toLocaleString([])",
  "(1234.5).toLocaleString(undefined, {minimumFractionDigits: 2})", '(123456789012345678901234567890n).toLocaleString()', "(1234n).toLocaleString('de-DE')", "(12n).toLocaleString('en', {style: 'currency', currency: 'USD'})", "(12345n).toLocaleString('en', {notation: 'compact'})",
  "[1234.5, 10n ** 6n].toLocaleString()", "new Float64Array([1234.5]).toLocaleString()", '(-0).toLocaleString()', "(1234.5).toLocaleString('pt-BR', {style: 'currency', currency: 'BRL'})", "(1234.5).toLocaleString('ja-JP', {style: 'currency', currency: 'JPY'})", "(1234.5).toLocaleString('en-GB', {style: 'currency', currency: 'GBP'})",
  "(123456789).toLocaleString('zh-CN', {notation: 'compact'})"]) add(e)
for (const e of ["(5).toLocaleString('i')", '(5).toLocaleString(null)', "(5).toLocaleString('en', null)", "Number.prototype.toLocaleString.call('5')", 'BigInt.prototype.toLocaleString.call(5)', "(5n).toLocaleString('en', null)"]) add(thrown(e))

// Plural rules.
const pr = 'new Intl.PluralRules'
for (const l of ['en-US', 'de', 'fr', 'ja', 'ar-EG', 'pl', 'ru', 'cy', 'pt-PT']) {
  add(`[0, 1, 2, 3, 5, 11, 21, 1.5, -1, 1e6].map(n => ${pr}('${l}').select(n)) + ''`, `[0, 1, 2, 3, 4, 11, 22, 103].map(n => ${pr}('${l}', {type: 'ordinal'}).select(n)) + ''`)
  add(`JSON.stringify(${pr}('${l}').resolvedOptions())`, `${pr}('${l}').selectRange(0, 1) + ${pr}('${l}').selectRange(1, 2) + ${pr}('${l}').selectRange(102, 201)`)
}
add(`${pr}('en', {minimumFractionDigits: 1}).select(1)`, `${pr}('en', {maximumSignificantDigits: 1}).select(1.04)`, `${pr}('en').select('1') + ${pr}('en').select() + ${pr}('en').select(Infinity)`, `JSON.stringify(${pr}('en', {type: 'ordinal', maximumSignificantDigits: 3}).resolvedOptions())`,
  `Intl.PluralRules.supportedLocalesOf(['en', 'ar', 'xx', 'pl-PL']) + ''`)
for (const a of ['select(1n)', 'select(Symbol())', 'selectRange(1)', 'selectRange(NaN, 1)', 'selectRange(1n, 2)']) add(thrown(`${pr}('en').${a}`))
add(thrown(`${pr}('en', {type: 'x'})`), thrown(`${pr}('en', null)`))

// Relative times.
const rt = 'new Intl.RelativeTimeFormat'
for (const l of ['en-US', 'de', 'es']) add(`[-2, -1, -0, 0, 1, 2, 1234.5].map(n => ${rt}('${l}', {numeric: 'auto'}).format(n, 'day')).join(';')`, `[-2, -0, 1, 3].map(n => ${rt}('${l}', {style: 'short'}).format(n, 'months')).join(';')`, `JSON.stringify(${rt}('${l}').formatToParts(-1234.5, 'hours'))`)
add(`JSON.stringify(${rt}('en-US-u-nu-arab', {style: 'narrow', numeric: 'auto'}).resolvedOptions())`, `${rt}('en', {numberingSystem: 'arab'}).format(-5, 'quarters')`, `JSON.stringify(${rt}('en', {numeric: 'auto'}).formatToParts(1, 'day'))`, `${rt}('en').format('5', 'day')`)
for (const a of ["format(1, 'foo')", 'format(1)', "format(Infinity, 'day')", "format(5n, 'day')", "formatToParts(NaN, 'day')", "formatToParts(1, 'dayss')"]) add(thrown(`${rt}('en').${a}`))
add(thrown(`${rt}('en', {style: 'x'})`), thrown(`${rt}('en', {numeric: 'x'})`), thrown(`${rt}('en', null)`))

const lines = sources.map(src => {
  let value
  try { value = (0, eval)(src) } catch (e) { value = e }
  return JSON.stringify([src, String(value)])
})
console.log('[\n' + lines.join(',\n') + '\n]')
