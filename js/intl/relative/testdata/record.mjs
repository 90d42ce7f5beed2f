// Records what node's Intl.RelativeTimeFormat writes: node record.mjs > cases.json
// (v20.20.2, ICU 78.2, CLDR 48).
const values = [0, -0, 1, -1, 2, -2, 3, -5, 1.5, -0.5, 0.999, 1.0005, 1.0015, 21, -1234.5, 1e6, 12345.6789]
const lines = []
for (const locale of ['en-US', 'en-GB', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh'])
  for (const style of ['long', 'short', 'narrow']) for (const numeric of ['always', 'auto']) {
    const f = new Intl.RelativeTimeFormat(locale, { style, numeric })
    for (const unit of ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']) {
      const list = unit === 'day' || unit === 'hour' ? values : values.slice(0, 8)
      lines.push([locale, style, numeric, unit, ...list.map(v => (Object.is(v, -0) ? '-0' : v) + '=' + f.format(v, unit))])
    }
  }
const packed = []
for (let i = 0; i < lines.length; i += 2) packed.push(lines.slice(i, i + 2).map(l => JSON.stringify(l)).join(','))
console.log('[\n' + packed.join(',\n') + '\n]')
