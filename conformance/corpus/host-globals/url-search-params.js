'use strict';
const say = (...x) => console.log(x.map(String).join(' '));
const t = f => { try { return String(f()) } catch (e) { return `${e.name} ${e.code ?? ''} ${e.message}` } };
const p = new URLSearchParams('?q=a+b&lang=en&q=%C3%A9&empty=&flag');
say(p.get('q'), p.getAll('q').join('|'), p.get('none'), p.has('flag'), p.has('q', 'a b'), p.size);
for (const [k, v] of p) say(k, v);
say([...p.keys()].join(), [...p.values()].join(), String(p));
p.set('q', 'only'); p.append('n', 5); p.delete('empty'); p.delete('lang', 'de');
say(p.toString());
p.sort(); say(p + '');
say(new URLSearchParams({ a: 1, b: [1, 2], c: null }) + '', new URLSearchParams([['x', 'y'], ['x', 'z']]) + '', new URLSearchParams(new Map([['m', '&=?#']])) + '', new URLSearchParams(p) + '');
say(Object.entries(Object.fromEntries(new URLSearchParams('a=1&b=2&a=3'))).join(';'));
p.forEach(function (v, k, o) { say(k, v, String(o === p), String(this.x)) }, { x: 1 });
say(t(() => new URLSearchParams([['a']])), t(() => p.append('a')), t(() => p.get()), t(() => URLSearchParams()), t(() => URLSearchParams.prototype.get.call({}, 'a')));
const built = Object.entries({ page: 2, filter: 'a/b', 'key with space': '100%' }).reduce((acc, [k, v]) => (acc.append(k, v), acc), new URLSearchParams());
say(String(built), decodeURIComponent(String(built)));
// Pairs that come and go while they are walked.
const live = new URLSearchParams('a=1&b=2&c=3'), log = [];
for (const [k] of live) { log.push(k); if (k === 'a') live.delete('b'); if (k === 'c') live.append('d', 4) }
say(log.join(), String(live));
say(Object.prototype.toString.call(live), Object.prototype.toString.call(live.keys()), String(live.entries === live[Symbol.iterator]));
