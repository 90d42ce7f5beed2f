//// fetch-users
const users = [{ name: 'Ann', address: { city: 'X' } }, { name: 'Bob' }];
function cities(list) {
  return list.map(u => u.address.city.toUpperCase());
}
cities(users);
//// event-emitter
class Emitter {
  constructor() { this.handlers = {}; }
  on(name, fn) { (this.handlers[name] ||= []).push(fn); return this; }
  emit(name, ...args) { for (const h of this.handlers[name]) h.apply(this, args); }
}
const e = new Emitter();
e.on('data', function onData(x) { x.items.forEach(i => this.process(i)); });
e.emit('data', { items: [1] });
//// emitter-missing
class Emitter {
  constructor() { this.handlers = {}; }
  emit(name) { for (const h of this.handlers[name]) h(); }
}
new Emitter().emit('x');
//// reducer
const reducer = (state, action) => {
  switch (action.type) {
    case 'add': return { ...state, items: [...state.items, action.item] };
    default: throw new Error(`unknown action ${action.type}`);
  }
};
[{ type: 'add', item: 1 }, { type: 'zap' }].reduce(reducer, { items: [] });
//// reducer-state
const reducer = (state, action) => ({ ...state, items: [...state.items, action.item] });
[{ item: 1 }].reduce(reducer, {});
//// recursive-walk
function walk(node, visit) {
  visit(node);
  for (const child of node.children) walk(child, visit);
}
walk({ children: [{ children: [{}] }] }, () => {});
//// linked-list
class Node { constructor(v, next) { this.v = v; this.next = next; } }
function last(list) { let n = list; while (n.next.next !== null) n = n.next; return n; }
last(new Node(1, new Node(2, undefined)));
//// matrix
const m = [[1, 2], [3, 4]];
let sum = 0;
for (let i = 0; i <= 2; i++) for (let j = 0; j < 2; j++) sum += m[i][j];
//// memo
const memo = fn => { const cache = new Map(); return n => cache.get(n) ?? cache.set(n, fn(n)).get(n); };
const f = memo(n => n < 2 ? n : g(n - 1));
f(5);
//// curry
const curry = f => a => b => c => f(a, b, c);
curry((a, b, c) => a.x + b.y + c.z.w)({})({})({});
//// compose
const compose = (...fns) => x => fns.reduceRight((v, f) => f(v), x);
compose(x => x.value.deep, x => ({ other: x }))(1);
//// builder
class Query { where(c) { this.c = c; return this; } limit(n) { this.n = n; } all() { return []; } }
new Query().where('a').limit(1).all();
//// validator
function validate(schema, value) {
  for (const [key, rule] of Object.entries(schema)) {
    if (typeof value[key] !== rule.type) throw new TypeError(`${key} must be ${rule.type}`);
  }
}
validate({ age: { type: 'number' } }, { age: 'x' });
//// validator-null
function validate(schema, value) {
  return Object.keys(schema).every(key => typeof value[key] === schema[key].type);
}
validate({ age: { type: 'number' } }, null);
//// parse-config
function load(text) { try { return JSON.parse(text); } catch (e) { throw new Error('bad config: ' + e.name, { cause: e }); } }
load('{nope');
//// parse-number
function parse(s) { const [, num] = s.match(/(\d+)px/); return Number(num); }
parse('10em');
//// csv
const rows = 'a,b\n1,2\n3'.split('\n').map(r => r.split(','));
rows.map(r => r[1].trim());
//// sort-dates
const items = [{ d: new Date(0) }, { d: '2020' }, { d: new Date(1) }];
items.sort((a, b) => a.d.getTime() - b.d.getTime());
//// group
const groups = {};
for (const x of [{ k: 'a' }, { k: 'b' }]) { groups[x.k].push(x); }
//// state-machine
const machine = { idle: { start: 'running' }, running: { stop: 'idle' } };
function next(state, ev) { return machine[state][ev].toUpperCase(); }
next('idle', 'stop');
//// prototype-chain
function Animal(name) { this.name = name; }
Animal.prototype.speak = function () { return this.sound.toUpperCase(); };
function Dog(name) { Animal.call(this, name); }
Dog.prototype = Object.create(Animal.prototype);
new Dog('rex').speak();
//// mixin
const Serializable = Base => class extends Base { serialize() { return JSON.stringify(this.data()); } };
class Model {}
class User extends Serializable(Model) {}
new User().serialize();
//// mixin-throws
const Base = C => class extends C { run() { throw new Error('mixin'); } };
class A extends Base(Object) {}
new A().run();
//// private-counter
class Counter { #n = 0; static inc(c) { c.#n++; } }
Counter.inc(new Counter());
Counter.inc(null);
//// iterator-class
class Range { constructor(a, b) { this.a = a; this.b = b; } *[Symbol.iterator]() { for (let i = this.a; i < this.b; i++) yield check(i); } }
function check(i) { if (i > 1) throw new RangeError('too big: ' + i); return i; }
const list = [...new Range(0, 5)];
//// generator-pipeline
function* map(it, f) { for (const x of it) yield f(x); }
function* filter(it, f) { for (const x of it) if (f(x)) yield x; }
Array.from(map(filter([1, 2, null], x => true), x => x.toFixed(2)));
//// async-retry
async function retry(fn, n) {
  for (let i = 0; i < n; i++) {
    try { return await fn(i); } catch (e) { if (i === n - 1) throw e; }
  }
}
async function flaky(i) { await null; throw new Error(`try ${i}`); }
async function main() { await retry(flaky, 3); }
main();
//// async-pipeline
const steps = [async x => x + 1, async x => { await null; return x.foo.bar; }];
async function run(x) { for (const s of steps) x = await s(x); return x; }
run(1).then(v => v);
//// async-map-error
async function fetchUser(id) { await null; if (id === 2) throw new Error('no user ' + id); return { id }; }
async function loadAll(ids) { return Promise.all(ids.map(fetchUser)); }
(async () => { const users = await loadAll([1, 2]); })();
//// async-forgot-await
async function getUser() { return { profile: { name: 'x' } }; }
async function main() { const u = getUser(); return u.profile.name; }
main();
//// async-class-chain
class Repo { async find(id) { await 0; return null; } }
class Service { constructor(r) { this.repo = r; } async get(id) { const row = await this.repo.find(id); return row.name; } }
class Controller { constructor(s) { this.s = s; } handle = async req => { return await this.s.get(req.id); }; }
new Controller(new Service(new Repo())).handle({ id: 1 });
//// async-event
const later = () => new Promise(r => r());
later().then(() => later()).then(function second() { throw new Error('second'); }).finally(() => 1);
//// async-generator-pipeline
async function* source() { yield 1; yield null; }
async function* mapped(it) { for await (const x of it) yield x.toFixed(); }
async function main() { const out = []; for await (const s of mapped(source())) out.push(s); }
main();
//// promise-constructor-late
function wait(v) { return new Promise((res, rej) => Promise.resolve().then(() => rej(new Error('late ' + v)))); }
async function main() { await wait(1); }
main();
//// getter-chain
const cfg = { get db() { return this._db; }, get url() { return this.db.host + ':' + this.db.port; } };
`url is ${cfg.url}`;
//// destructure-config
function connect({ host, port, auth: { user, pass } }) { return `${user}@${host}`; }
connect({ host: 'h', port: 1 });
//// destructure-loop
for (const { id, tags: [first] } of [{ id: 1, tags: ['a'] }, { id: 2 }]) first;
//// destructure-map-entries
const m = new Map([['a', { v: 1 }], ['b', null]]);
for (const [k, { v }] of m) v;
//// default-param-chain
function area({ w, h } = {}, scale = w.value * h) { return scale; }
area();
//// spread-args
function total(...xs) { return xs.reduce((a, b) => a + b.amount, 0); }
total(...[{ amount: 1 }, undefined]);
//// optional-then-plain
const data = { user: null };
const city = data.user?.address.city.length + data.user.name;
//// computed-dispatch
const ops = { add: (a, b) => a + b };
function calc(op, a, b) { return ops[op](a, b); }
calc('sub', 1, 2);
//// computed-dispatch-class
class Calc { run(op) { return this[op](1); } }
new Calc().run('sub');
//// this-lost
class Timer { constructor() { this.n = 0; } tick() { this.n++; } }
const { tick } = new Timer();
tick();
//// this-lost-callback
class List { constructor() { this.items = []; } add(x) { this.items.push(x); } }
[1, 2].forEach(new List().add);
//// arguments-use
function f() { return arguments[0].map(x => x.y.z); }
f([{}]);
//// shadowed-function
function run() { const parse = JSON.parse('{"parse":1}').parse; return parse('1'); }
run();
//// number-method
function fmt(n) { return n.toFixed(2); }
fmt('12');
//// string-method
function up(s) { return s.trim().toUpperCase(); }
up(12);
//// date-method
function year(d) { return d.getFullYear(); }
year('2020-01-01');
//// array-method-on-object
const o = { 0: 'a', length: 1 };
o.map(x => x);
//// set-method
const s = new Set([1]);
s.map(x => x);
//// map-get-chain
const reg = new Map();
function lookup(k) { return reg.get(k).handler(); }
lookup('a');
//// weird-iterable
function* ids() { yield* { length: 2 }; }
[...ids()];
//// class-static-chain
class Registry { static #items = new Map(); static get(k) { return Registry.#items.get(k).create(); } }
Registry.get('x');
//// class-accessor-throws
class Temp { #c = 0; set celsius(v) { if (typeof v !== 'number') throw new TypeError('not a number'); this.#c = v; } }
const t = new Temp();
t.celsius = 'hot';
//// symbol-key-method
const kRun = Symbol('run');
class Job { [kRun]() { return this.task.exec(); } }
new Job()[kRun]();
//// nested-try
function a() { try { b(); } finally { cleanup.done = true; } }
function b() { throw new Error('b'); }
const cleanup = {};
a();
//// error-subclass-chain
class AppError extends Error { constructor(msg, opts) { super(msg, opts); this.name = new.target.name; } }
class DbError extends AppError {}
function query() { throw new DbError('no table', { cause: 1 }); }
query();
//// error-factory
const makeError = (code, msg) => Object.assign(new Error(msg), { code });
function check(v) { if (!v) throw makeError('E_EMPTY', 'empty'); }
check('');
//// assert-function
function assert(cond, msg) { if (!cond) { const e = new Error(msg); if (Error.captureStackTrace) Error.captureStackTrace(e, assert); throw e; } }
function main() { assert(1 === 2, 'not equal'); }
main();
//// deep-clone
function clone(o) { if (Array.isArray(o)) return o.map(clone); return Object.fromEntries(Object.entries(o).map(([k, v]) => [k, clone(v)])); }
clone({ a: [{ b: null }] });
//// tree-map
const tree = { value: 1, left: { value: 2 } };
const mapTree = (t, f) => ({ value: f(t.value), left: mapTree(t.left, f), right: mapTree(t.right, f) });
mapTree(tree, x => x + 1);
//// string-builder
const sb = { parts: [], add(s) { this.parts.push(s); return this; }, toString() { return this.parts.join('').foo(); } };
const text = 'x' + sb.add('a');
//// regexp-exec-loop
const re = /(\w)=(\d)/g;
const out = [];
for (const part of ['a=1', 'b']) { const mm = re.exec(part); out.push(mm[1]); re.lastIndex = 0; }
//// template-nested
const items = [{ n: 'a' }, {}];
const html = `<ul>${items.map(i => `<li>${i.n.toUpperCase()}</li>`).join('')}</ul>`;
//// ternary-call
const a = { on: false };
const r = a.on ? a.yes() : a.no();
//// and-call
const api = {};
api.ready !== true && api.start();
//// nullish-call
const opts = null;
(opts ?? defaults).run();
//// comma-chain
let i = 0, j;
i++, j.x;
//// void-call
void (() => { undefinedFn(1); })();
//// if-condition
const obj = {};
if (obj.list.length > 0) { obj.a = 1; }
//// while-condition
let node = { next: null };
while (node.next.value) node = node.next;
//// for-init
const xs = undefined;
for (let i = 0, n = xs.length; i < n; i++) {}
//// for-condition
let xs;
for (let i = 0; i < xs.length; i++) {}
//// switch-subject
let ev;
switch (ev.type) { case 1: break; }
//// return-object
function f(u) { return { id: u.id, name: u.profile.name }; }
f({ id: 1 });
//// return-array
function f(u) { return [u.id, u.list[0].x]; }
f({ id: 1, list: [] });
//// return-arithmetic
function f(u) { return u.a + u.b.c * 2; }
f({ a: 1 });
//// return-local-undefined
function f() { let r; return r.x; }
f();
//// return-global-undefined
var gg;
function f() { return gg.x; }
f();
//// return-captured-undefined
function outer() { let r; return () => r.x; }
outer()();
//// expression-local-member
function f(o) { o.a.b; }
f({});
//// expression-local-call
function f(o) { o.a(); }
f({});
//// assign-local-member
function f(o) { const x = o.a.b; return x; }
f({});
//// assign-member-from-undefined
function f(o) { o.x = o.y.z; }
f({});
//// assign-deep
function f(o) { o.a.b.c = 1; }
f({ a: {} });
//// compound-deep
function f(o) { o.a.b.c += 1; }
f({ a: {} });
//// increment-deep
function f(o) { o.a.n++; }
f({});
//// prefix-increment-deep
function f(o) { return ++o.a.n; }
f({});
//// delete-deep
function f(o) { delete o.a.b; }
f({});
//// in-deep
function f(o) { return 'x' in o.a; }
f({});
//// instanceof-local
function f(o, C) { return o instanceof C; }
f({}, 5);
//// not-local
function f(o) { return !o.a.b; }
f({});
//// typeof-local
function f(o) { return typeof o.a.b; }
f({});
//// negate-symbol
function f(s) { return -s; }
f(Symbol('q'));
//// compare-symbol
function f(s) { return s < 1; }
f(Symbol('q'));
//// plus-symbol-local
function f(s) { return s + 'x'; }
f(Symbol('q'));
//// bigint-local
function f(a, b) { return a * b; }
f(1n, 2);
//// bigint-compound
function f(a) { let t = 0; t += a; t -= 1; return t; }
f(5n);
//// bigint-increment-math
function f(a) { a++; return Math.floor(a); }
f(5n);
//// shift-mixed
function f(a) { return 1 << a; }
f(2n);
//// exponent-mixed
function f(a) { return a ** 2; }
f(2n);
