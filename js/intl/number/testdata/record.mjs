// Records what node's Intl.NumberFormat writes: node record.mjs > cases.json
// (v20.20.2, ICU 78.2, CLDR 48). With "full" it tries every option in every
// locale, which is too much to keep.
const full = process.argv[2] === 'full'
const locales = ['en-US', 'en-GB', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh']
const values = ['0', '-0', '1', '-1', '2', '0.5', '-0.256', '1.005', '12', '123.456', '999.9', '1000', '-1234.5', '1049', '12345', '99999', '999999', '1e6', '1.5e6', '2e6', '-3456789.12', '1e9', '1.5e10', '1e12', '1e15', '1.23e21', '0.00012345', '-1e-7', 'NaN', 'Infinity', '-Infinity']
const few = ['0', '1', '-1', '1234.5', '-1234567.891', '1e6', '0.015', 'NaN']
const ranges = [['1', '5'], ['-3', '5'], ['3', '-5'], ['-5', '-3'], ['2', '2'], ['0.1', '0.12'], ['1000', '3000'], ['1000', '2500000'], ['1', '1.001'], ['-0', '0'], ['1', 'Infinity']]
const options = [{}, { maximumFractionDigits: 0 }, { minimumFractionDigits: 2 }, { maximumSignificantDigits: 3 }, { minimumSignificantDigits: 4 }, { minimumIntegerDigits: 4 },
  { useGrouping: false }, { useGrouping: 'always' }, { useGrouping: 'min2' }, { maximumFractionDigits: 20 }]
for (const roundingMode of ['ceil', 'floor', 'expand', 'trunc', 'halfCeil', 'halfFloor', 'halfExpand', 'halfTrunc', 'halfEven']) options.push({ roundingMode, maximumFractionDigits: 1 }, { roundingMode, maximumSignificantDigits: 2 })
for (const roundingIncrement of [2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000]) options.push({ roundingIncrement, maximumFractionDigits: 2, minimumFractionDigits: 2, roundingMode: roundingIncrement % 3 ? 'halfEven' : 'ceil' })
for (const roundingPriority of ['morePrecision', 'lessPrecision']) options.push({ roundingPriority, maximumFractionDigits: 2, maximumSignificantDigits: 3 }, { roundingPriority, minimumFractionDigits: 1, minimumSignificantDigits: 3 }, { roundingPriority, minimumFractionDigits: 2, maximumFractionDigits: 2, minimumSignificantDigits: 2, maximumSignificantDigits: 5 })
options.push({ trailingZeroDisplay: 'stripIfInteger', minimumFractionDigits: 2 })
const signs = ['auto', 'always', 'never', 'exceptZero', 'negative']
for (const signDisplay of signs) for (const o of [{}, { style: 'percent' }, { style: 'currency', currency: 'USD' }, { style: 'currency', currency: 'USD', currencySign: 'accounting' }, { notation: 'compact' }]) options.push({ ...o, signDisplay })
for (const o of [{ style: 'percent', maximumFractionDigits: 1 }, { style: 'percent', notation: 'compact' }, { style: 'percent', notation: 'scientific' }]) options.push(o)
for (const currency of ['USD', 'EUR', 'JPY', 'GBP', 'CHF', 'INR', 'BRL', 'KWD', 'CLF', 'XYZ', 'BTC', 'CNY', 'MXN', 'ADP'])
  for (const currencyDisplay of ['symbol', 'narrowSymbol', 'code', 'name']) options.push({ style: 'currency', currency, currencyDisplay })
for (const notation of ['compact', 'scientific', 'engineering']) for (const currencyDisplay of ['symbol', 'code', 'name']) for (const currencySign of ['standard', 'accounting']) options.push({ style: 'currency', currency: 'EUR', notation, currencyDisplay, currencySign })
options.push({ style: 'currency', currency: 'CHF', currencySign: 'accounting' }, { style: 'currency', currency: 'USD', notation: 'compact', compactDisplay: 'long' }, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }, { style: 'currency', currency: 'CHF', notation: 'compact' })
for (const notation of ['compact', 'scientific', 'engineering']) for (const o of [{}, { compactDisplay: 'long' }, { maximumSignificantDigits: 2 }, { maximumFractionDigits: 2 }, { minimumFractionDigits: 1 }, { minimumIntegerDigits: 3 }, { useGrouping: false }, { useGrouping: 'always' }, { roundingMode: 'floor' }]) options.push({ notation, ...o })
const sanctioned = Intl.supportedValuesOf('unit')
for (const unitDisplay of ['short', 'narrow', 'long']) {
  for (const unit of [...sanctioned, 'kilometer-per-hour', 'mile-per-hour', 'meter-per-second', 'mile-per-gallon', 'liter-per-kilometer', 'liter-per-day', 'byte-per-second', 'gigabyte-per-percent', 'percent-per-hour', 'celsius-per-hour', 'foot-per-stone', 'gram-per-milliliter', 'hour-per-hour', 'bit-per-mile-scandinavian']) options.push({ style: 'unit', unit, unitDisplay })
  options.push({ style: 'unit', unit: 'kilometer', unitDisplay, notation: 'compact' }, { style: 'unit', unit: 'liter', unitDisplay, notation: 'compact', compactDisplay: 'long' }, { style: 'unit', unit: 'day', unitDisplay, notation: 'scientific' }, { style: 'unit', unit: 'week', unitDisplay, signDisplay: 'always' })
}
for (const numberingSystem of ['arab', 'arabext', 'deva', 'fullwide', 'hanidec', 'mathsans', 'thai']) options.push({ numberingSystem }, { numberingSystem, style: 'percent' }, { numberingSystem, notation: 'scientific', signDisplay: 'always' })
// Ranges of percent-per-hour and exponents in digits of two code units are left
// out: node writes the former with a unit that it leaves out of single numbers,
// and cuts the latter apart.
const defaults = { numberingSystem: 'latn', style: 'decimal', minimumIntegerDigits: 1, minimumFractionDigits: 0, useGrouping: 'auto', notation: 'standard', signDisplay: 'auto',
  roundingMode: 'halfExpand', roundingIncrement: 1, trailingZeroDisplay: 'auto', roundingPriority: 'auto' }
const out = []
for (const locale of locales) for (const [i, o] of options.entries()) {
  const english = locale === 'en-US'
  if (!full && !english && (o.roundingMode || o.roundingIncrement || o.numberingSystem || i % 2 && o.signDisplay || i % 3 && o.unit || i % 2 && o.currency)) continue
  const f = new Intl.NumberFormat(locale, o)
  const plain = o.style === 'unit' || o.currencyDisplay || !english
  const list = full ? values : english ? (plain || o.roundingMode && i % 2 ? few : values) : few.slice(1, o.unit ? 4 : 6)
  const parts = p => p.map(x => [x.type, x.value, ...(x.source ? [x.source[0]] : [])].join('=')).join('|')
  const resolved = f.resolvedOptions()
  for (const [k, v] of Object.entries(defaults)) if (resolved[k] === v) delete resolved[k]
  delete resolved.locale
  const c = { locale, options: resolved, values: list.filter(v => o.numberingSystem !== 'mathsans' || !/e1|e2/.test(v)).map(v => [v, f.format(v)]) }
  if (full || english && i % 6 === 0 || i % 20 === 0) c.parts = (full ? list : ['-1234567.891', '1']).map(v => [v, parts(f.formatToParts(v))])
  if ((full || english && (i % 8 === 0 || o.notation) || i % 14 === 0) && !/^percent-per/.test(o.unit)) c.ranges = (full ? ranges : ranges.slice(0, english && !plain ? 9 : 2)).map(r => [...r, f.formatRange(...r), parts(f.formatRangeToParts(...r))])
  out.push(c)
}
const lines = []
for (let i = 0; i < out.length; i += 4) lines.push(out.slice(i, i + 4).map(c => JSON.stringify(c)).join(','))
console.log('[\n' + lines.join(',\n') + '\n]')
