'use strict';
const t = f => { try { return String(f()) } catch (e) { return `${e.name} ${e.code} ${e.message}` } };
const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
console.log(String(ids.every(x => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(x))), String(new Set(ids).size));
const a = new Uint8Array(1000), same = crypto.getRandomValues(a) === a;
console.log(String(same), String(new Set(a).size > 100), String(crypto.getRandomValues(new BigUint64Array(4)).length), String(crypto.getRandomValues(new Int16Array(0)).length));
for (const x of [new Uint8Array(65537), new Float64Array(1), [], 5]) console.log(t(() => crypto.getRandomValues(x)));
console.log(Object.prototype.toString.call(crypto), String(crypto.getRandomValues.length), t(() => new crypto.constructor()), t(() => crypto.randomUUID.call({})));
