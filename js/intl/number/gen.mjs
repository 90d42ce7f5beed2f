// Writes the embedded data of js/intl/number, js/intl/plural and
// js/intl/relative from the JSON packages of CLDR 48 (Unicode licence, see
// ../NOTICE):
//
//   npm install cldr-core@48 cldr-numbers-full@48 cldr-units-full@48 cldr-dates-full@48
//   node gen.mjs FOLDER/node_modules
//
// Each data file is lines of key, tab, value; a locale's file has only what
// differs from its parent's. A value with forms is "other~form=…~form=…".
import fs from 'node:fs'
import path from 'node:path'

const from = process.argv[2]
if (!from) throw new Error('usage: node gen.mjs FOLDER/node_modules')
const here = path.dirname(new URL(import.meta.url).pathname)
const json = p => JSON.parse(fs.readFileSync(path.join(from, p)))

// The data locales and their parents. Those of js/intl/locale come first; the
// others have only the names of currencies in use.
const parents = {
  en: '', 'en-001': 'en', 'en-GB': 'en-001', de: '', es: '', fr: '', ja: '', pt: '', zh: '',
  'en-AU': 'en-001', 'en-CA': 'en-001', 'en-IN': 'en-001', 'en-ZA': 'en-001', 'de-AT': 'de', 'de-CH': 'de', 'fr-CA': 'fr',
  'es-419': 'es', 'es-AR': 'es-419', 'es-CL': 'es-419', 'es-CO': 'es-419', 'es-MX': 'es-419', 'es-US': 'es-419', 'pt-PT': 'pt', 'zh-Hant': '',
  da: '', hi: '', id: '', it: '', ko: '', nb: '', nl: '', pl: '', ru: '', sv: '', tr: '', vi: '',
}
const whole = new Set(Object.keys(parents).slice(0, 9))

// Locales with a region that are available besides the data locales and those
// of js/intl/locale, with the data they use.
const regions = {
  'en-001': 'IE NZ SG', de: 'LU', fr: 'BE LU', 'es-419': 'PE VE', 'zh-Hant': 'TW HK MO',
  da: 'DK', hi: 'IN', id: 'ID', it: 'IT', ko: 'KR', nb: 'NO', nl: 'NL', pl: 'PL', ru: 'RU', sv: 'SE', tr: 'TR', vi: 'VN',
}

const forms = ['zero', 'one', 'two', 'few', 'many']

// withForms packs an object {other, one, …}.
function withForms(o) {
  const other = o.other ?? o.one
  if (other === undefined) return undefined
  let s = other
  for (const f of [...forms, '0', '1', 'per']) if (o[f] !== undefined && o[f] !== other) s += `~${f}=${o[f]}`
  if (/[|\t\n]/.test(s)) throw new Error('separator inside ' + s)
  return s
}

function counts(o, prefix) {
  const r = {}
  for (const f of ['other', ...forms, '0', '1']) if (o?.[prefix + f] !== undefined) r[f] = o[prefix + f]
  return r
}

function compact(o) {
  if (!o) return undefined
  const out = []
  for (let m = 3; ; m++) {
    const c = counts(o, '1' + '0'.repeat(m) + '-count-')
    if (c.other === undefined) break
    out.push(withForms(c))
  }
  return out.join('|')
}

const fractions = json('cldr-core/supplemental/currencyData.json').supplemental.currencyData.fractions

// The currencies that are legal tender somewhere.
const inUse = new Set()
for (const list of Object.values(json('cldr-core/supplemental/currencyData.json').supplemental.currencyData.region))
  for (const entry of list) for (const [code, c] of Object.entries(entry)) if (!c._to && c._tender !== 'false') inUse.add(code)

// The simple units that ECMA-402 sanctions, and the compounds with an entry
// of their own in CLDR.
const units = ('angle-degree area-acre area-hectare concentr-percent digital-bit digital-byte digital-gigabit digital-gigabyte digital-kilobit digital-kilobyte ' +
  'digital-megabit digital-megabyte digital-petabyte digital-terabit digital-terabyte duration-day duration-hour duration-microsecond ' +
  'duration-millisecond duration-minute duration-month duration-nanosecond duration-second duration-week duration-year length-centimeter length-foot length-inch ' +
  'length-kilometer length-meter length-mile length-mile-scandinavian length-millimeter length-yard mass-gram mass-kilogram mass-ounce mass-pound mass-stone ' +
  'temperature-celsius temperature-fahrenheit volume-fluid-ounce volume-gallon volume-liter volume-milliliter ' +
  'speed-kilometer-per-hour speed-meter-per-second speed-mile-per-hour consumption-liter-per-kilometer consumption-mile-per-gallon').split(' ')

function numberData(loc) {
  const d = {}
  const n = json(`cldr-numbers-full/main/${loc}/numbers.json`).main[loc].numbers
  const sym = n['symbols-numberSystem-latn']
  for (const [k, v] of Object.entries({ decimal: sym.decimal, group: sym.group, percent: sym.percentSign, plus: sym.plusSign, minus: sym.minusSign,
    approx: sym.approximatelySign, exp: sym.exponential, inf: sym.infinity, nan: sym.nan, curdecimal: sym.currencyDecimal, curgroup: sym.currencyGroup }))
    if (v !== undefined) d['s.' + k] = v
  d.mingroup = n.minimumGroupingDigits
  d.nu = n.defaultNumberingSystem
  const cf = n['currencyFormats-numberSystem-latn'], df = n['decimalFormats-numberSystem-latn']
  d['p.decimal'] = df.standard
  d['p.percent'] = n['percentFormats-numberSystem-latn'].standard
  d['p.currency'] = cf.standard
  d['p.accounting'] = cf.accounting
  d['p.range'] = n['miscPatterns-numberSystem-latn'].range
  d['p.name'] = withForms(counts(cf, 'unitPattern-count-'))
  d['c.short'] = compact(df.short?.decimalFormat)
  d['c.long'] = compact(df.long?.decimalFormat)
  d['c.currency'] = compact(cf.short?.standard)
  const cur = json(`cldr-numbers-full/main/${loc}/currencies.json`).main[loc].numbers.currencies
  for (const [code, c] of Object.entries(cur)) {
    if (!whole.has(loc) && !inUse.has(code)) continue
    const names = counts(c, 'displayName-count-')
    names.other ??= c.displayName
    let name = withForms(names)
    let symbol = c.symbol ?? code, narrow = c['symbol-alt-narrow'] ?? symbol
    if (name === undefined && symbol === code && narrow === code) continue
    if (symbol === code) symbol = ''
    if (narrow === (symbol || code)) narrow = ''
    d['$' + code] = [symbol, narrow, name ?? ''].join('|')
  }
  const u = json(`cldr-units-full/main/${loc}/units.json`).main[loc].units
  for (const style of ['long', 'short', 'narrow']) {
    d[`per.${style}`] = u[style].per.compoundUnitPattern
    for (const name of units) {
      const e = u[style][name]
      if (!e) continue
      const f = counts(e, 'unitPattern-count-')
      if (e.perUnitPattern) f.per = e.perUnitPattern
      const packed = withForms(f)
      if (packed !== undefined) d[`u.${style}.${name.slice(name.indexOf('-') + 1)}`] = packed
    }
  }
  return d
}

function relativeData(loc) {
  const d = {}
  const fields = json(`cldr-dates-full/main/${loc}/dateFields.json`).main[loc].dates.fields
  for (const unit of ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])
    for (const style of ['', '-short', '-narrow']) {
      const e = fields[unit + style]
      const names = []
      for (const [k, v] of Object.entries(e)) if (k.startsWith('relative-type-')) names.push(k.slice(14) + '=' + v)
      d[unit + style] = [withForms(counts(e['relativeTime-type-past'], 'relativeTimePattern-count-')),
        withForms(counts(e['relativeTime-type-future'], 'relativeTimePattern-count-')), ...names].join('|')
    }
  return d
}

// write makes one file for each locale out of what differs from the parent.
function write(dir, read) {
  const all = {}
  for (const loc of Object.keys(parents)) all[loc] = read(loc)
  for (const [loc, parent] of Object.entries(parents)) {
    let s = ''
    for (const [k, v] of Object.entries(all[loc])) if (v !== undefined && all[parent]?.[k] !== v) s += `${k}\t${v}\n`
    for (const k of Object.keys(all[parent] ?? {})) if (all[loc][k] === undefined && all[parent][k] !== undefined) {
      if (k.startsWith('$')) { if (whole.has(loc)) s += `${k}\t||\n` }
      else if (k.startsWith('s.cur') || k.startsWith('c.')) s += `${k}\t\n`
      else throw new Error(`${loc} lacks ${k}`)
    }
    if (s) fs.writeFileSync(path.join(here, dir, loc + '.txt'), s)
  }
}
write('data', numberData)
write('../relative/data', relativeData)

{
  let s = ''
  for (const [loc, parent] of Object.entries(parents)) s += `${loc}\t${loc}\t${parent}\n`
  for (const [data, list] of Object.entries(regions)) for (const r of list.split(' ')) {
    s += `${data.replace(/-.*/, '')}-${r}\t${data}\t\n`
    if (data === 'zh-Hant') s += `${data}-${r}\t${data}\t\n`
  }
  fs.writeFileSync(path.join(here, 'data', 'locales.txt'), s)
}

// What is the same in all locales: currency fraction digits and the digits of
// the numbering systems.
{
  let s = 'fractions\t' + Object.entries(fractions).filter(([k, v]) => k !== 'DEFAULT' && v._digits !== '2').map(([k, v]) => k + '=' + v._digits).join(' ') + '\n'
  const ns = json('cldr-core/supplemental/numberingSystems.json').supplemental.numberingSystems
  for (const [k, v] of Object.entries(ns)) if (v._type === 'numeric') s += `nu.${k}\t${v._digits}\n`
  fs.writeFileSync(path.join(here, 'data', 'common.txt'), s)
}

// Plural rules of all languages: cardinal, ordinal, ranges.
{
  const strip = r => r.replace(/@.*/s, '').trim()
  let s = ''
  for (const [type, file] of [['cardinal', 'plurals'], ['ordinal', 'ordinals']]) {
    const rules = json(`cldr-core/supplemental/${file}.json`).supplemental['plurals-type-' + type]
    const by = new Map()
    for (const [lang, r] of Object.entries(rules)) {
      const text = Object.entries(r).filter(([k]) => !k.endsWith('-other')).map(([k, v]) => `${k.replace('pluralRule-count-', '')}: ${strip(v)}`).join('; ')
      if (lang === 'und') continue
      by.set(text, [...(by.get(text) ?? []), lang])
    }
    for (const [text, langs] of by) s += `${type}\t${langs.join(' ')}\t${text}\n`
  }
  const ranges = json('cldr-core/supplemental/pluralRanges.json').supplemental.plurals
  const by = new Map()
  for (const [lang, r] of Object.entries(ranges)) {
    const text = Object.entries(r).map(([k, v]) => `${k.match(/start-(\w+)/)[1]}+${k.match(/end-(\w+)/)[1]}=${v}`).join(' ')
    by.set(text, [...(by.get(text) ?? []), lang])
  }
  for (const [text, langs] of by) s += `range\t${langs.join(' ')}\t${text}\n`
  fs.writeFileSync(path.join(here, '../plural/data/plurals.txt'), s)
}
