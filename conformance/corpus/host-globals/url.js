'use strict';
const say = (...x) => console.log(x.map(String).join(' '));
const show = u => ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'].map(k => `${k}=${u[k]}`).join(' ');
const t = f => { try { return String(f()) } catch (e) { return `${e.name} ${e.code ?? ''} ${e.message}` } };

for (const s of ['https://user:pa%20ss@Example.COM:443/a/./b/../c%7e?q=1&r=é#frag ment', 'http://h', 'file:///c:/x/../y', 'mailto:a@b.c?subject=x', 'data:text/plain,hi there', 'http://127.1:080/', 'http://[2001:db8:0:0::1]:8080/p', 'ftp://f/a;b', 'blob:https://h.example/uuid'])
  say(show(new URL(s)));

// Relative references against a base: the table of RFC 3986, section 5.4.
const base = 'http://a/b/c/d;p?q';
const refs = ['g:h', 'g', './g', 'g/', '/g', '//g', '?y', 'g?y', '#s', 'g#s', 'g?y#s', ';x', 'g;x', 'g;x?y#s', '', '.', './', '..', '../', '../g', '../..', '../../', '../../g', '../../../g', '/./g', '/../g', 'g.', '.g', 'g..', '..g', './../g', './g/.', 'g/./h', 'g/../h', 'g;x=1/./y', 'g;x=1/../y', 'g?y/./x', 'g#s/../x', 'http:g'];
say(refs.map(r => new URL(r, base).href).join('\n'));

for (const bad of ['', 'foo', '//x', 'http://', 'http://a b', 'http://[::1', 'http://h:99999', 'https://1.2.3.4.5', 'http://%']) say(bad, t(() => new URL(bad)));
say(URL.canParse('x'), URL.canParse('x', 'http://h'), typeof URL.parse);

const u = new URL('https://example.com/old?x=1');
const steps = { protocol: 'http', username: 'me', password: 'p:w', hostname: 'other.example', port: '8080', pathname: '/new path', search: 'a=b c', hash: 'top' };
for (const [k, v] of Object.entries(steps)) { u[k] = v; say(k, u.href) }
u.port = ''; u.search = ''; u.hash = ''; u.username = ''; u.password = '';
say(u.href, JSON.stringify({ u }), `${u}`, u.toString() === u.toJSON());
say(t(() => { u.href = 'nope' }), u.href);

u.searchParams.append('tag', 'a&b'); u.searchParams.append('tag', 'c d');
say(u.href, u.searchParams.getAll('tag').join('|'), u.searchParams === u.searchParams);
u.search = '?z=1&a=2'; u.searchParams.sort();
say(u.href, [...u.searchParams].join(';'));

// Normalising links, as a crawler would.
const seen = new Set();
for (const link of ['/a', 'http://EXAMPLE.com/a', 'https://example.com:443/a#x', 'b/../a', 'https://example.com/a?', 'https://example.com/%61']) {
  const x = new URL(link, 'https://example.com/'); x.hash = '';
  seen.add(x.href);
}
say([...seen].join('\n'));
