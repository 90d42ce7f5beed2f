const o = { if: 1, class: 2, new: 3, typeof: 4, null: 5, true: 6, default: 7, let: 8, await: 9, yield: 10, async: 11, get: 12, set: 13, static: 14, of: 15, enum: 16 };
console.log(String(o.if + o.class + o.new + o.typeof + o.null + o.true + o.default + o.enum));
const { if: iff, class: klass, default: def } = o;
console.log(String([iff, klass, def]));
var await = 1, async = 2, of = 3, get = 4, set = 5, from = 6, as = 7, let_ = 8, type = 9, target = 10, meta = 11;
console.log(String([await, async, of, get, set, from, as, type, target, meta]));
const m = { get() { return 'get' }, set() { return 'set' }, async() { return 'async' }, static() { return 'static' }, await() { return 'await' }, new() { return 'new' } };
console.log([m.get(), m.set(), m.async(), m.static(), m.await(), m.new()].join());
class C { static static() { return 's' } get get() { return 'g' } set set(v) { this.v = v } static async async() {} static get() { return 'sg' } 'quoted name'() { return 'q' } 123() { return 'n' } static = 1; async = 2; set2 = 3 }
const c = new C; c.set = 4;
console.log(C.static(), C.get(), String(c.v), c['quoted name'](), c[123](), Object.keys(c).join());
var let = 5; console.log(String(let));
var yield = 6; console.log(String(yield * 2));
async function af() { return typeof async } af();
label: { break label }
for (of of [1]) console.log(String(of));
for (var async2 of [1]) ;
async = x => x; console.log(String(async(3)));
var arrow = async => async + 1; console.log(String(arrow(1)));
var arrow2 = (async, of) => async * of; console.log(String(arrow2(2, 3)));
