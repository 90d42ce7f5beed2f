// Records what node gives for expressions with Intl.DateTimeFormat and Date's
// locale methods:
//
//   TZ=UTC node record-datetime.mjs > datetime.json    # node v20.20.2: ICU 78.2, CLDR 48, tz 2025c
const list = `
new F('en', null)
new F('en', {calendar: '!'})
new F('en', {calendar: ''})
new F('en', {numberingSystem: '!'})
new F('en', {numberingSystem: 'x'.repeat(9)})
new F('en', {timeZone: 'Foo'})
new F('en', {timeZone: ''})
new F('en', {timeZone: null})
new F('en', {dateStyle: 'x'})
new F('en', {hourCycle: 'h13'})
new F('en', {weekday: 'numeric'})
new F('en', {formatMatcher: 'x'})
new F('en', {localeMatcher: 'x'})
new F('en', {dateStyle: 'full', day: 'numeric'})
new F('en', {timeStyle: 'full', timeZoneName: 'short'})
new F('en', {dateStyle: 'full', fractionalSecondDigits: 1})
new F('en', {fractionalSecondDigits: 4})
new F('x_y')
new F(['en', 1])
new F(null)
d.toLocaleDateString('en', {timeStyle: 'short'})
d.toLocaleTimeString('en', {dateStyle: 'short'})
d.toLocaleString('en', {dateStyle: 'x'})
d.toLocaleString('en', null)
d.toLocaleString('en', {fractionalSecondDigits: 9})
d.toLocaleString('x_y')
new F('en').format(NaN)
new F('en').format(1e20)
new F('en').formatToParts(NaN)
new F('en').formatRange(1)
new F('en').formatRange(1, NaN)
new F('en').formatRangeToParts(1, undefined)
new F('en').format(Symbol())
new F('en').format(1n)
new F('en').format('2024')
new F('en').format('x')
F.prototype.formatToParts.call({})
F.prototype.formatRange.call({})
F.prototype.formatRangeToParts.call(1)
F.prototype.resolvedOptions.call({})
F.prototype.format
Object.getOwnPropertyDescriptor(F.prototype, 'format').get.call([])
F.supportedLocalesOf('en', null)
F.supportedLocalesOf(['de', 'fr-FR', 'zh-u-nu-latn'])
F.supportedLocalesOf('de', {localeMatcher: 'x'})
Object.getOwnPropertyNames(F.prototype)
[F.length, F.name, F.prototype.formatRange.length, F.prototype.formatRangeToParts.length, F.prototype.formatToParts.length, F.prototype.resolvedOptions.length]
[new F().format.name, new F().format.length, Object.getOwnPropertyDescriptor(F.prototype, 'format').get.name]
(f => f.format === f.format)(new F())
Object.prototype.toString.call(new F())
F('en') instanceof F
(x => [x === F.call(x, 'en'), Object.getOwnPropertySymbols(x).length, Object.getOwnPropertySymbols(x)[0].description, x.format(d)])(Object.create(F.prototype))
[d, new Date(+d + 864e6)].map(new F('en', {month: 'short', day: 'numeric'}).format)
class { static { this.x = new (class extends F {})('de').format(d) } }.x
d.toLocaleString.call({})
Date.prototype.toLocaleDateString.call(1)
d.toLocaleDateString(undefined, 'x')
new Date(NaN).toLocaleString('x_y')
[d.toLocaleString(), d.toLocaleDateString(), d.toLocaleTimeString()]
[d.toString(), d.toTimeString(), d.toDateString()]
[Date.prototype.toLocaleString.length, Date.prototype.toLocaleString.name]
d.toLocaleDateString('en', {hour: 'numeric'})
d.toLocaleTimeString('en', {day: 'numeric'})
d.toLocaleString('en', {era: 'short'})
d.toLocaleString('en', {timeZoneName: 'short'})
d.toLocaleTimeString('en', {timeZoneName: 'longGeneric', timeZone: 'America/Denver'})
d.toLocaleTimeString('en', {hourCycle: 'h24'})
d.toLocaleTimeString('de', {hourCycle: 'h24'})
d.toLocaleTimeString('de', {hourCycle: 'h11'})
d.toLocaleTimeString('en-u-hc-h24')
d.toLocaleTimeString('en-u-hc-h23', {timeStyle: 'full'})
d.toLocaleTimeString('de-u-hc-h12', {timeStyle: 'medium'})
d.toLocaleString('ja-u-hc-h11', {timeStyle: 'short', dateStyle: 'long'})
d.toLocaleDateString('en-u-nu-arab')
d.toLocaleDateString('de-u-nu-deva', {numberingSystem: 'thai'})
d.toLocaleDateString('en', {numberingSystem: 'zzzz'})
JSON.stringify(new F('en', {fractionalSecondDigits: 2}).resolvedOptions())
JSON.stringify(F().resolvedOptions())
JSON.stringify(new F('en-u-hc-h23-nu-arab', {hour: 'numeric'}).resolvedOptions())
JSON.stringify(new F('en-u-hc-h24', {hour: 'numeric', hourCycle: 'h23'}).resolvedOptions())
JSON.stringify(new F('de-DE', {dateStyle: 'full', timeStyle: 'short', timeZone: 'asia/kolkata'}).resolvedOptions())
JSON.stringify(new F('xx').resolvedOptions())
JSON.stringify(new F('en-AU-u-nu-thai', {dateStyle: 'full'}).resolvedOptions().numberingSystem)
(log => { new F('en', new Proxy({}, {get: (_, k) => { log.push(k) }})); return log })([])
(log => { d.toLocaleDateString('en', new Proxy({}, {get: (_, k) => { log.push(k) }})); return log.length })([])
`.trim().split('\n')

const F = Intl.DateTimeFormat, d = new Date(Date.UTC(2024, 2, 5, 0, 8, 9, 123))
let seed = 3
const random = n => { // mulberry32
  seed = seed + 0x6d2b79f5 | 0
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed)
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t
  return Math.floor(((t ^ t >>> 14) >>> 0) / 4294967296 * n)
}
const pick = a => a[random(a.length)]
for (let i = 0; i < 300; i++) {
  const o = {}
  const maybe = (one, key, values) => { if (!random(one)) o[key] = pick(values) }
  maybe(3, 'timeZone', ['Europe/Berlin', 'america/new_york', 'Asia/Kolkata', 'UTC', 'GMT'])
  if (random(4)) {
    maybe(3, 'weekday', ['short', 'long', 'narrow'])
    maybe(2, 'year', ['numeric', '2-digit'])
    maybe(2, 'month', ['numeric', '2-digit', 'short', 'long', 'narrow'])
    maybe(2, 'day', ['numeric', '2-digit'])
    maybe(3, 'hour', ['numeric', '2-digit'])
    maybe(3, 'minute', ['numeric', '2-digit'])
    maybe(4, 'timeZoneName', ['short', 'long', 'shortOffset'])
  } else o[pick(['dateStyle', 'timeStyle'])] = pick(['full', 'long', 'medium', 'short'])
  maybe(4, 'hour12', [true, false])
  maybe(5, 'hourCycle', ['h11', 'h12', 'h23', 'h24'])
  maybe(8, 'numberingSystem', ['arab', 'latn', 'thai'])
  const locale = pick(['en-US', 'en-US', 'en-US', 'en-GB', 'de-DE', 'fr', 'es-ES', 'pt-BR', 'ja-JP', 'zh-CN']) + pick(['', '', '', '', '-u-hc-h11', '-u-hc-h12', '-u-hc-h23', '-u-hc-h24', '-u-nu-arab'])
  if (/-hc-/.test(locale)) delete o.hour12 // V8 lets the locale's hours decide which 12 or 24 they are
  const args = `${JSON.stringify(locale)}, ${JSON.stringify(o)}`
  list.push(pick([
    `new F(${args}).format(d)`, `new F(${args}).format(d)`, `JSON.stringify(new F(${args}).formatToParts(d))`, `new F(${args}).formatRange(d, ${pick(['+d + 1', '+d + 36e5', '+d + 864e5', '+d + 864e7', '+d - 864e5'])})`,
    `JSON.stringify(new F(${args}).formatRangeToParts(d, +d + 864e7))`, `d.toLocaleString(${args})`, `d.toLocaleDateString(${args})`, `d.toLocaleTimeString(${args})`,
  ]))
}
const attempt = f => { try { return String(f()) } catch (e) { return e.name + ': ' + e.message } }
console.log(JSON.stringify(list.map(src => [src, attempt(() => eval('(' + src + ')'))]), null, 1))
