// Makes data/*.txt of the CLDR 48.0 JSON packages (Unicode licence, see
// ../NOTICE). Run it with the folder that holds the packages cldr-core,
// cldr-dates-full, cldr-localenames-full and cldr-numbers-full in version
// 48.0.0, which is what ICU 78 has, and cldr-bcp47:
//
//   node gen.mjs path/to/node_modules
//
// Lines are a key and tab-separated values. A locale with a parent has only
// what differs from it. data/zones.txt comes from genzones.go.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2]
const here = dirname(fileURLToPath(import.meta.url))
const read = (...p) => JSON.parse(readFileSync(join(root, ...p), 'utf8'))
const core = name => read('cldr-core', 'supplemental', name + '.json').supplemental
const none = '∅∅∅' // CLDR's mark for a name that is not inherited
const styles = ['full', 'long', 'medium', 'short']
const widths = { w: 'wide', a: 'abbreviated', n: 'narrow' }
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const letters = /[WwYQqULDFgAeC]/ // fields that Intl never asks for

const zones = read('cldr-bcp47', 'bcp47', 'timezone.json').keyword.u.tz
const canonical = new Map() // every alias of a zone to its CLDR name
const regions = new Map()
for (const [id, z] of Object.entries(zones)) {
  if (id[0] === '_' || !z._alias || id === 'unk') continue
  const names = z._alias.split(' ')
  for (const n of names) canonical.set(n, names[0])
  regions.set(names[0], z._region ?? (/^utc|^gmt/.test(id) ? '001' : id.slice(0, 2).toUpperCase()))
}
// Names of three letters that are in no database but that V8 takes.
const legacy = {
  ACT: 'Australia/Darwin', AET: 'Australia/Sydney', AGT: 'America/Buenos_Aires', ART: 'Africa/Cairo', AST: 'America/Anchorage',
  BET: 'America/Sao_Paulo', BST: 'Asia/Dhaka', CAT: 'Africa/Maputo', CNT: 'America/St_Johns', CST: 'America/Chicago',
  CTT: 'Asia/Shanghai', EAT: 'Africa/Nairobi', ECT: 'Europe/Paris', IET: 'America/Indianapolis', IST: 'Asia/Calcutta',
  JST: 'Asia/Tokyo', MIT: 'Pacific/Apia', NET: 'Asia/Yerevan', NST: 'Pacific/Auckland', PLT: 'Asia/Karachi', PNT: 'America/Phoenix',
  PRT: 'America/Puerto_Rico', PST: 'America/Los_Angeles', SST: 'Pacific/Guadalcanal', VST: 'Asia/Saigon',
}
for (const [a, z] of Object.entries(legacy)) canonical.set(a, z)
const primary = core('primaryZones').primaryZones
const count = {}
for (const r of regions.values()) count[r] = (count[r] ?? 0) + 1

function common() {
  const out = ['# CLDR 48: zones, their region (* if it is named by its region) and other names']
  const aliases = new Map()
  for (const [a, c] of canonical) if (a !== c) aliases.set(c, [...aliases.get(c) ?? [], a])
  for (const [z, r] of [...regions].sort((a, b) => a[0] < b[0] ? -1 : 1)) {
    const star = r !== '001' && (count[r] === 1 || primary[r] === z) ? '*' : ''
    out.push(['zone', z, r + star, ...aliases.get(z) ?? []].join('\t'))
  }
  const minutes = s => s ? Date.parse(s.replace(' ', 'T') + 'Z') / 6e4 : ''
  out.push('# metazones of a zone, with the minutes since 1970 they are used from and to')
  const info = core('metaZones').metaZones
  const walk = (o, path) => {
    if (Array.isArray(o)) {
      const uses = o.map(u => u.usesMetazone).map(u => [u._mzone, minutes(u._from), minutes(u._to)].join(':').replace(/:+$/, ''))
      out.push(['mz', path, ...uses].join('\t'))
    } else for (const k of Object.keys(o)) walk(o[k], path ? path + '/' + k : k)
  }
  walk(info.metazoneInfo.timezone, '')
  out.push('# the zone that stands for a metazone in a region')
  const maps = new Map()
  for (const { mapZone: m } of info.metazones) maps.set(m._other, [...maps.get(m._other) ?? [], m._territory + '=' + m._type])
  for (const [m, list] of maps) out.push(['map', m, ...list].join('\t'))
  out.push('# digits of numbering systems')
  for (const [n, s] of Object.entries(core('numberingSystems').numberingSystems)) {
    if (s._type === 'numeric') out.push(['nu', n, s._digits].join('\t'))
  }
  writeFileSync(join(here, 'data', 'common.txt'), out.join('\n') + '\n')
}

function locale(loc) {
  const at = (name, key) => read('cldr-dates-full', 'main', loc, name + '.json').main[loc].dates[key]
  const g = at('ca-gregorian', 'calendars').gregorian
  const out = new Map()
  const put = (key, ...values) => out.set(key, values.join('\t'))
  const tag = { en: 'US', 'en-001': '001', 'en-GB': 'GB', de: 'DE', fr: 'FR', es: 'ES', pt: 'BR', ja: 'JP', zh: 'CN' }[loc]
  const time = core('timeData').timeData
  put('region', tag)
  put('hours', (time[loc + '_' + tag] ?? time[tag])._preferred)
  const numbers = read('cldr-numbers-full', 'main', loc, 'numbers.json').main[loc].numbers
  put('decimal', numbers['symbols-numberSystem-latn'].decimal)
  for (const [w, width] of Object.entries(widths)) {
    for (const [c, context] of [['f', 'format'], ['s', 'stand-alone']]) {
      put(`month.${c}.${w}`, ...Object.values(g.months[context][width]))
      put(`day.${c}.${w}`, ...days.map(d => g.days[context][width][d]))
    }
    const p = g.dayPeriods.format[width]
    put('period.' + w, ...Object.keys(p).filter(k => !k.includes('-')).map(k => k + '=' + p[k]))
  }
  for (const [w, e] of [['w', 'eraNames'], ['a', 'eraAbbr'], ['n', 'eraNarrow']]) put('era.' + w, g.eras[e][0], g.eras[e][1])
  put('date', ...styles.map(s => g.dateFormats[s]))
  put('time', ...styles.map(s => g.timeFormats[s]))
  put('glue', ...styles.map(s => g.dateTimeFormats[s]))
  put('atTime', ...styles.map(s => g['dateTimeFormats-atTime'].standard[s]))
  const rules = core('dayPeriods').dayPeriodRuleSet
  const set = rules[loc] ?? rules[loc.slice(0, 2)]
  const hour = s => +s.slice(0, 2)
  put('rules', ...Object.entries(set).map(([k, r]) => r._at ? `${k}=${hour(r._at)}` : `${k}=${hour(r._from)}-${hour(r._before)}`))
  for (const k of Object.keys(g.dateTimeFormats.availableFormats).sort()) {
    if (!k.includes('-') && !letters.test(k)) put('available ' + k, g.dateTimeFormats.availableFormats[k])
  }
  for (const [k, v] of Object.entries(g.dateTimeFormats.appendItems)) put('append ' + k, v)
  const fields = at('dateFields', 'fields')
  for (const f of ['era', 'year', 'month', 'weekday', 'day', 'dayperiod', 'hour', 'minute', 'second', 'zone']) put('field ' + f, fields[f].displayName)
  for (const [k, v] of Object.entries(g.dateTimeFormats.intervalFormats)) {
    if (k === 'intervalFormatFallback') put('fallback', v)
    else if (!letters.test(k)) for (const [f, p] of Object.entries(v)) if (!f.includes('-')) put(`interval ${k} ${f}`, p)
  }
  const tz = at('timeZoneNames', 'timeZoneNames')
  put('gmt', tz.gmtFormat, ...tz.hourFormat.split(';'))
  put('location', tz.regionFormat, tz.fallbackFormat)
  const names = o => {
    const v = ['long', 'short'].flatMap(w => ['generic', 'standard', 'daylight'].map(t => o[w]?.[t] ?? '')).map(s => s === none ? '' : s)
    while (v.length && !v.at(-1)) v.pop()
    return v
  }
  for (const [k, v] of Object.entries(tz.metazone)) put('mz ' + k, ...names(v))
  const walk = (o, path) => {
    if (o._type) {
      const n = names(o)
      if (n.length) put('zn ' + path, ...n)
      if (o.exemplarCity) put('city ' + path, o.exemplarCity)
    } else for (const k of Object.keys(o)) walk(o[k], path ? path + '/' + k : k)
  }
  walk(tz.zone, '')
  const terr = read('cldr-localenames-full', 'main', loc, 'territories.json').main[loc].localeDisplayNames.territories
  for (const r of [...new Set(regions.values())].sort()) if (r !== '001' && terr[r]) put('region ' + r, terr[r])
  return out
}

common()
const parents = { 'en-001': 'en', 'en-GB': 'en-001' }
const all = {}
for (const loc of ['en', 'en-001', 'en-GB', 'de', 'fr', 'es', 'pt', 'ja', 'zh']) {
  all[loc] = locale(loc)
  const parent = all[parents[loc]]
  const lines = [...all[loc]].filter(([k, v]) => parent?.get(k) !== v).map(([k, v]) => k + '\t' + v)
  if (parent) for (const k of parent.keys()) if (!all[loc].has(k)) lines.push(k + '\t')
  writeFileSync(join(here, 'data', loc + '.txt'), ['# CLDR 48: ' + loc + (parent ? ', over ' + parents[loc] : ''), ...lines].join('\n') + '\n')
}
