const show = v => Array.isArray(v) ? '[' + Array.from({ length: v.length }, (_, i) => i in v ? show(v[i]) : '').join() + ']'
  : typeof v === 'string' ? JSON.stringify(v) : typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0'
  : v && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v)) ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
const r = (...x) => console.log(x.map(show).join(' '));
const t = (f, ...a) => { try { return f(...a) } catch (e) { return e.name } };
const d = new Date(Date.UTC(2005, 5, 15)); r(d.getYear(), d.setYear(99) === +d, d.getFullYear(), d.setYear(2010) > 0, d.getFullYear(), d.setYear(NaN), d.getTime(), d.setYear(70), new Date(NaN).setYear(80) > 0, Date.prototype.toGMTString === Date.prototype.toUTCString, Date.prototype.toGMTString.name, new Date(0).getYear(), new Date(Date.UTC(1899, 0)).getYear(), Date.prototype.getYear.length, Date.prototype.setYear.length, t(() => Date.prototype.getYear.call({})), new Date(0).setYear('x'));
