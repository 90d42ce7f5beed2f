const { produce, enablePatches, enableMapSet, produceWithPatches, applyPatches, original, current, isDraft, freeze, createDraft, finishDraft, nothing } = lib;
if (enablePatches) enablePatches(); if (enableMapSet) enableMapSet();
const base = { users: [{ n: "a", tags: new Set(["x"]) }, { n: "b" }], m: new Map([["k", { v: 1 }]]), deep: { a: { b: 1 } } };
const next = produce(base, d => { d.users[0].n = "z"; d.users.push({ n: "c" }); d.m.get("k").v++; d.users[0].tags.add("y"); delete d.deep.a.b; });
print(base.users.length, base.users[0].n, next.users, next.m, next.users[0].tags, next.deep, next.users[1] === base.users[1]);
const [s, patches, inverse] = produceWithPatches({ a: [1, 2, 3], o: {} }, d => { d.a.splice(1, 1); d.o.x = 1; d.a.unshift(0); });
print(s, patches, inverse, applyPatches(s, inverse));
try { "use strict"; next.users.push(1); } catch (e) { print(e.constructor.name); }
print(Object.isFrozen(next.users[0]), produce(base, () => {}) === base, produce(d => { d.push(4); })([1]), produce({ a: 1 }, d => nothing) === undefined);
const draft = createDraft({ list: [3, 1, 2] }); draft.list.sort(); print(isDraft(draft), current(draft), original(draft), finishDraft(draft));
class P { constructor() { this.v = 1 } get d() { return this.v * 2 } } P.prototype[lib.immerable] = true;
const p = produce(new P(), d => { d.v = 5 }); print(p instanceof P, p.d, p);
try { produce({ a: 1 }, d => { d.a = 2; return { b: 1 } }) } catch (e) { print(e instanceof Error) }
