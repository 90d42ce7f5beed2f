// Records what node's Intl.DateTimeFormat makes of options, times and zones at
// random:
//
//   node record.mjs [seed] > cases.jsonl    # node v20.20.2: ICU 78.2, CLDR 48, tz 2025c
let seed = +process.argv[2] || 1
const random = n => { // mulberry32
  seed = seed + 0x6d2b79f5 | 0
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed)
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t
  return Math.floor(((t ^ t >>> 14) >>> 0) / 4294967296 * n)
}
const pick = a => a[random(a.length)]
const zones = Intl.supportedValuesOf('timeZone')
const some = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'America/Phoenix', 'Australia/Sydney', 'Asia/Tokyo', 'Europe/London', 'Europe/Dublin']
const names = ['narrow', 'short', 'long'], numbers = ['numeric', '2-digit']
const hidden = ['locale', 'calendar', 'numberingSystem', 'timeZone', 'dateStyle', 'timeStyle', 'hour12']

function options() {
  const o = {}
  const maybe = (one, key, values) => { if (!random(one)) o[key] = pick(values) }
  maybe(2, 'timeZone', some)
  if (!random(5)) {
    const styles = ['full', 'long', 'medium', 'short']
    maybe(2, 'dateStyle', styles)
    if (!o.dateStyle || random(2)) o.timeStyle = pick(styles)
  } else {
    const p = 2 + random(2)
    maybe(p, 'weekday', names)
    maybe(2 * p, 'era', names)
    maybe(p, 'year', numbers)
    maybe(p, 'month', [...numbers, ...names])
    maybe(p, 'day', numbers)
    maybe(2 * p, 'dayPeriod', names)
    maybe(p, 'hour', numbers)
    maybe(p, 'minute', numbers)
    maybe(p, 'second', numbers)
    maybe(3 * p, 'fractionalSecondDigits', [1, 2, 3])
    maybe(2 * p, 'timeZoneName', ['long', 'short', 'longOffset', 'shortOffset', 'longGeneric', 'shortGeneric'])
  }
  maybe(4, 'hourCycle', ['h11', 'h12', 'h23', 'h24'])
  maybe(5, 'hour12', [true, false])
  return o
}

const times = () => pick([
  1709647689123, 0, -1e12, 1720000000000, 1735689599999, 1e12 + random(1e9) * 1000, Date.UTC(2024, 6, 4, 12), Date.UTC(2024, 6, 4),
  -6e13 - random(1e9) * 1000, 8.64e15 - 5e8, -8.64e15 + 1e9,
])
const spans = [0, 5, 900, 61000, 36e5, 18e6, 936e5, 20 * 864e5, 400 * 864e5]
const show = parts => parts.map(p => p.type + '=' + p.value + (p.source ? '@' + p.source : '')).join('|')
const record = (locale, o, t, u) => {
  const f = new Intl.DateTimeFormat(locale, o)
  const resolved = Object.entries(f.resolvedOptions()).filter(([k]) => !hidden.includes(k)).map(e => e.join('=')).join('|')
  console.log(JSON.stringify({ locale, options: o, from: t, to: u, text: f.format(t), parts: show(f.formatToParts(t)), range: f.formatRange(t, u), rangeParts: show(f.formatRangeToParts(t, u)), resolved }))
}
for (const [locale, n] of [['en', 220], ['en-GB', 40], ['de', 40], ['fr', 40], ['es', 40], ['pt', 40], ['ja', 40], ['zh', 40]]) {
  for (let i = 0; i < n; i++) {
    const t = times()
    record(locale, options(), t, Math.min(t + pick(spans), 8.64e15))
  }
}
for (const timeZone of zones) {
  const t = pick([Date.UTC(2024, 0, 5, 3), Date.UTC(2024, 6, 5, 3), Date.UTC(1995, 6, 5), Date.UTC(1979, 6, 6), Date.UTC(1950, 6, 1), Date.UTC(1890, 1, 1), Date.UTC(2050, 6, 1), Date.UTC(2090, 2, 1)])
  const locale = pick(['en', 'en', 'de', 'ja'])
  const o = { timeZone, hour: '2-digit', minute: '2-digit', timeZoneName: pick(['long', 'short', 'longGeneric', 'shortGeneric', 'longOffset']) }
  console.log(JSON.stringify({ locale, options: o, from: t, text: new Intl.DateTimeFormat(locale, o).format(t) }))
}
