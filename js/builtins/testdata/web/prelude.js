var show = v => Array.isArray(v) || ArrayBuffer.isView(v) ? '[' + Array.from(v, show).join() + ']'
  : typeof v === 'string' ? JSON.stringify(v)
  : v instanceof Error ? [v.name, v.message, v.code, Object.keys(v).map(k => k + '=' + show(v[k])), v instanceof DOMException, String(v)].join('|')
  : v && typeof v === 'object' && Object.getPrototypeOf(v) === Object.prototype ? '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join() + '}' : String(v);
var attempt = f => { try { return show(f()) } catch (e) { return 'threw ' + show(e) } };
var url = (...a) => { const u = new URL(...a); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash].join(' ') };
