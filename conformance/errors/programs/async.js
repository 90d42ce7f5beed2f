//// await-chain
async function a() { await b(); }
async function b() { await c(); }
async function c() { await null; throw new Error('deep'); }
a();
//// sync-part
async function a() { await b(); }
async function b() { throw new Error('before await'); }
a();
//// return-await
async function a() { return await b(); }
async function b() { await 1; null.x; }
a();
//// return-without-await
async function a() { return b(); }
async function b() { await 1; null.x; }
a();
//// promise-all
async function load(n) { await n; throw new Error('load ' + n); }
async function main() { await Promise.all([load(1), load(2)]); }
main();
//// promise-all-second
async function ok() { await 1; }
async function bad() { await 1; await 2; throw new Error('second'); }
async function main() { return await Promise.all([ok(), bad()]); }
main();
//// promise-any
async function bad() { await 1; throw new Error('any'); }
async function main() { await Promise.any([bad()]); }
main();
//// promise-allsettled
async function bad() { await 1; undefinedName; }
async function main() { const [r] = await Promise.allSettled([bad()]); throw r.reason; }
main();
//// promise-race
async function bad() { await 1; throw new Error('race'); }
async function main() { await Promise.race([bad()]); }
main();
//// then-callback
Promise.resolve(1).then(v => { throw new Error('then'); });
//// then-named
function handler(v) { return v.a.b; }
Promise.resolve({}).then(handler);
//// then-awaited
async function main() { await Promise.resolve(1).then(v => { throw new Error('then'); }); }
main();
//// then-chain-awaited
function step() { return Promise.resolve(1).then(() => 2).then(function third() { throw new Error('3'); }); }
async function main() { await step(); }
main();
//// catch-rethrow
async function f() { await 1; throw new Error('inner'); }
async function main() { try { await f(); } catch (e) { throw new Error('outer', { cause: e }); } }
main();
//// finally-throws
Promise.resolve().finally(() => { throw new Error('finally'); });
//// arrow-async
const load = async () => { await null; throw new Error('arrow'); };
const main = async () => { await load(); };
main();
//// method-async
class Api { async get() { await null; throw new Error('api'); } async list() { return await this.get(); } }
new Api().list();
//// object-async
const api = { async get() { await null; throw new Error('api'); }, async run() { await this.get(); } };
api.run();
//// static-async
class Api { static async get() { await null; throw new Error('api'); } static async run() { await Api.get(); } }
Api.run();
//// anonymous-async
(async function () { await (async () => { await 0; throw new Error('x'); })(); })();
//// iife-async
(async () => { await null; throw new Error('x'); })();
//// async-generator
async function* gen() { yield 1; await null; throw new Error('gen'); }
async function main() { for await (const x of gen()) {} }
main();
//// async-generator-sync
async function* gen() { throw new Error('gen'); }
async function main() { for await (const x of gen()) {} }
main();
//// async-generator-next
async function* gen() { await null; throw new Error('gen'); }
async function main() { await gen().next(); }
main();
//// async-generator-nested
async function* inner() { await null; throw new Error('inner'); }
async function* outer() { for await (const x of inner()) yield x; }
async function main() { for await (const x of outer()) {} }
main();
//// async-for-of-sync-iterator
async function main() { for await (const x of [Promise.reject(new Error('rejected'))]) {} }
main();
//// await-in-loop
async function step(i) { await null; if (i === 2) throw new Error('step'); }
async function main() { for (let i = 0; i < 3; i++) { await step(i); } }
main();
//// await-callback
async function each(list, f) { for (const x of list) await f(x); }
async function main() { await each([1], async x => { await null; x.y.z; }); }
main();
//// map-async
async function main() { await Promise.all([1, 2].map(async x => { await null; throw new Error('m' + x); })); }
main();
//// rejected-value
async function main() { await Promise.reject('just a string'); }
main();
//// rejected-error
async function main() { await Promise.reject(new Error('made here')); }
main();
//// reject-call
function wait() { return new Promise((resolve, reject) => { reject(new Error('rejected')); }); }
async function main() { await wait(); }
main();
//// executor-throws
function wait() { return new Promise(() => { null.x; }); }
async function main() { await wait(); }
main();
//// thenable
async function main() { await { then() { throw new Error('thenable'); } }; }
main();
//// thenable-method
class Query { then(resolve) { this.run(); } run() { throw new Error('query'); } }
async function main() { return await new Query(); }
main();
//// async-custom-error
class HttpError extends Error { constructor(m, status) { super(m); this.name = 'HttpError'; this.status = status; } }
async function get() { await null; throw new HttpError('not found', 404); }
async function main() { await get(); }
main();
//// async-destructure
async function get() { return null; }
async function main() { const { a } = await get(); }
main();
//// async-not-iterable
async function main() { const r = await 5; for (const x of r) {} }
main();
//// async-default-parameter
async function f(a = missing) {}
async function main() { await f(); }
main();
//// top-level-await module
const load = async () => { await null; throw new Error('tla'); };
await load();
//// module-top module
const o = {};
o.a.b;
//// module-function module
function f() { this.x; }
export function main() { f(); }
main();
//// module-class module
export default class A { constructor() { this.go(); } go() { throw new Error('m'); } }
new A();
//// module-await-all module
const f = async n => { await n; throw new Error('n' + n); };
await Promise.all([f(1)]);
//// module-const module
const a = 1;
a = 2;
//// module-undeclared module
counter = 1;
//// module-this module
this.x;
//// module-default-function module
export default function () { throw new Error('default'); }
const f = (await Promise.resolve(1)) && (() => g());
function g() { undefinedThing.x; }
f();
//// async-sync-mix
function sync() { return helper(); }
function helper() { throw new Error('mix'); }
async function main() { await null; sync(); }
async function top() { await main(); }
top();
//// async-after-callback
async function main() { await null; [1].forEach(x => { x.y.z; }); }
async function top() { await main(); }
top();
//// async-getter
const o = { get p() { return (async () => { await 1; throw new Error('g'); })(); } };
async function main() { await o.p; }
main();
//// await-parenthesized
async function g() { await 1; throw new Error('x'); }
async function f() { const v = 1 + (await g()).x; }
f();
//// await-argument
async function g() { await 1; throw new Error('x'); }
async function f() { Math.max(1, await g()); }
f();
//// return-await-all
async function g() { await 1; throw new Error('x'); }
async function f() { return Promise.all([g()]); }
async function main() { await f(); }
main();
//// async-deep
async function f(n) { if (n === 0) { await null; throw new Error('deep'); } await f(n - 1); }
f(12);
//// async-two-awaiters
async function g() { await null; throw new Error('shared'); }
async function main() { const p = g(); p.catch(() => {}); await p; }
main();
//// queue-microtask
queueMicrotask(function task() { throw new Error('micro'); });
