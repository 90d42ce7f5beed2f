// Records what node answers for number and BigInt conversions:
//   node golden.mjs > golden.json
let seed = 20240229n;
function rnd64() { // xorshift64*
  seed ^= seed >> 12n; seed ^= (seed << 25n) & 0xffffffffffffffffn; seed ^= seed >> 27n;
  return (seed * 2685821657736338717n) & 0xffffffffffffffffn;
}
const dv = new DataView(new ArrayBuffer(8));
function rndBits() { for (;;) { dv.setBigUint64(0, rnd64()); const x = dv.getFloat64(0); if (Number.isFinite(x)) return x; } }
function rndInt(n) { return Number(rnd64() % BigInt(n)); }
function rndSmall() { return (rndInt(2) ? 1 : -1) * rndInt(1e9) / 10 ** rndInt(12); }
const num = x => Object.is(x, -0) ? '-0' : String(x);
const out = {};

const special = [0, -0, NaN, Infinity, -Infinity, 1, -1, 0.1, 0.5, 1e21, 1e20, 123456789012345680000, 999999999999999900000,
  1e-6, 1e-7, 1.5e-7, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 2 ** 64,
  0.1 + 0.2, 4.35, 1.005, 123.456, 1e15, 1e16, 1e17, 100, 1e100, 1 / 3, 255, 0.00001, 1.25, 2.5, 3.5, 1e-10, 4294967296.5];

out.format = [...special, ...Array.from({ length: 150 }, rndBits), ...Array.from({ length: 100 }, rndSmall)].map(x => [num(x), String(x)]);

out.radix = [];
for (const x of [...special, ...Array.from({ length: 60 }, rndSmall), ...Array.from({ length: 40 }, rndBits)])
  for (const r of [2, 3, 7, 16, 36, 2 + rndInt(35)])
    out.radix.push([num(x), r, x.toString(r)]);

out.fixed = []; out.exponential = []; out.precision = [];
const ties = [2.5, 0.5, 1.5, 1.45, 1.25, 1.005, 0.125, 0.375, 0.25, 0.75, 5e-324, 25, 250, 35, 45, 15, 1000.5, 8.5, 9.5, 99.5, 0.000001,
  9.995, 1e21, 123456789.987654321, 1e20 + 0.5, 2 ** 60, 12345, 1.15e20, 2 ** -30, 3 * 2 ** -20, 2 ** 52 + 0.5, 72057594037927945, 0.045, -2.5, -0.5, -1.25, -1e-10, 1e-7];
const sample = [...special, ...ties, ...Array.from({ length: 40 }, rndSmall), ...Array.from({ length: 15 }, rndBits),
  ...Array.from({ length: 25 }, () => rndInt(4096) / 2 ** rndInt(12))];
for (const x of sample) {
  for (const d of [0, 1, 2, 3, 20, 21, rndInt(101), 100]) out.fixed.push([num(x), d, x.toFixed(d)]);
  out.exponential.push([num(x), -1, x.toExponential()]);
  for (const d of [0, 1, 2, 5, rndInt(101), 100]) out.exponential.push([num(x), d, x.toExponential(d)]);
  for (const d of [1, 2, 3, 5, 17, 21, 1 + rndInt(100), 100]) out.precision.push([num(x), d, x.toPrecision(d)]);
}

const strings = ['', ' ', '\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff', '\u0085', '\u200b', '\u180e', '0', '-0', '+0', '00', '007', '1_000', ' 12 ', '\ufeff12\ufeff', '1 2', '.5', '5.', '.', '-.5', '+5.',
  '1e3', '1E3', '1e+3', '1e-3', '1e', '1e+', 'e1', '.e1', '1.e2', '1..2', '1.2.3', '0x', '0x1', '0X1f', '0xg', '-0x1', '+0x1', '0b101', '0b2', '0o17', '0o8', '0B1', '0O7', '0b', '0o',
  'Infinity', '-Infinity', '+Infinity', 'infinity', 'Infinity1', ' Infinity ', 'INFINITY', 'NaN', 'null', '12px', '12.5.5', '--1', '+-1', '1,000', '1n',
  '9007199254740993', '9007199254740992.5', '9007199254740993.00000000000000000000000000001', '0x20000000000001', '0x20000000000003', '0x200000000000008000000001', '0x' + 'f'.repeat(300), '0b' + '1'.repeat(60),
  '1e400', '1e-400', '-1e-400', '4.9e-324', '2.4703282292062327e-324', '2.4703282292062328e-324', '1.7976931348623158e308', '1.7976931348623159e308', '179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880',
  '0.1e1000000000000', '1e99999999999999999999', '0e99999999999999999999', '1' + '0'.repeat(400), '1' + '0'.repeat(400) + 'e-400', '0.' + '0'.repeat(400) + '1e401', '0.' + '0'.repeat(400) + '1e400',
  '2.22507385850720113605740979670913197593481954635164564802342610972482222202107694551652952390813508791414915891303962110687008643869459464552765720740782062174337998814106326732925355228688137214901298112245145188984905722230728525513315575501591439747639798341180199932396254826310719e-308',
  '0.500000000000000166533453693773481063544750213623046875', '1.00000000000000011102230246251565404236316680908203125', '1.00000000000000011102230246251565404236316680908203124', '1.00000000000000011102230246251565404236316680908203126',
  '-', '+', '0x 1', '1 e3', '0.0000001', '123456789012345678901234567890', '1\u00002', '１'];
out.number = strings.map(s => [s, num(Number(s))]);
out.parseFloat = [...strings, '3.14abc', '  -2.5e3xyz', '1e5e5', '.5.5', '1_000', '-Infinityx', 'Infinit', '0x10', '1e+x', '-.e', '5.x'].map(s => [s, num(parseFloat(s))]);
out.parseInt = [];
for (const s of [...strings, 'z', 'Zz', '123abc', '-ff', '0x1g', '  0x10', '-0x10', '0b11', '08', '1'.repeat(25), '12'.repeat(30), 'zyx'.repeat(200), '1e3', '-0', '9'.repeat(400), '7'.repeat(22), '\u0660'])
  for (const r of [0, 10, 16, 2, 36, 8, 1, 37, -5]) out.parseInt.push([s, r, num(parseInt(s, r))]);

const lit = ['0', '1', '1.5', '.5', '5.', '1e3', '0x1F', '0b11', '0o17', '010', '0777', '089', '09.5', '08', '00', '0xffffffffffffffffffff', '9007199254740993', '0777777777777777777777777', '1e309', '0.1', '5e-324'];
out.literal = lit.map(s => [s, num((0, eval)(s))]);

out.int32 = [...special, 2 ** 31, 2 ** 32, -(2 ** 31), 2 ** 32 + 1.9, -2.9, 1e300, 2 ** 84, -(2 ** 53) - 2, 4294967295, 1e10, -1e10, 2 ** 63, 2 ** 64 + 4096, ...Array.from({ length: 60 }, () => rndSmall() * 1e9)].map(x => {
  const c = new Uint8ClampedArray([x])[0];
  return [num(x), x | 0, x >>> 0, new Int16Array([x])[0], new Uint16Array([x])[0], new Int8Array([x])[0], new Uint8Array([x])[0], c];
});
for (const x of [0.5, 1.5, 2.5, 254.5, 254.4999, 255.5, 300, -1]) out.int32.push([num(x), x | 0, x >>> 0, new Int16Array([x])[0], new Uint16Array([x])[0], new Int8Array([x])[0], new Uint8Array([x])[0], new Uint8ClampedArray([x])[0]]);

out.round = [...special, 0.49999999999999994, -0.5, -0.2, -1.5, 2.5, 4503599627370495.5, 4503599627370497, -0.50001, -4503599627370495.5].map(x => [num(x), num(Math.round(x)), num(Math.sign(x)), num(Math.fround(x)), Math.clz32(x), num(Math.expm1(x / 1e3))]);
out.pow = [];
const pw = [NaN, 0, -0, 1, -1, Infinity, -Infinity, 2, -2, 0.5, -0.5, 3, 4, 10, 1024, -1074, -1075, 2 ** 53, 2 ** 53 - 1, 1e308, 5e-324];
for (const x of pw) for (const y of pw) out.pow.push([num(x), num(y), num(x ** y)]);
for (let i = -323; i <= 308; i += 7) out.pow.push(['10', num(i), num(Number('1e' + i))]);
out.hypot = [[], [3, 4], [NaN, Infinity], [NaN, 1], [-0], [-3], [1e308, 1e308], [1e-320, 1e-320], [1, 1], [1, 2, 3], [0.1, 0.2, 0.3, 0.4], [5, 12], [1e-200, 1]].map(a => [a.map(num), num(Math.hypot(...a))]);

// BigInt
function rndBig(bits) { let x = 0n; for (let i = 0; i < bits; i += 64) x = x << 64n | rnd64(); x >>= BigInt((64 - bits % 64) % 64); return rndInt(2) ? -x : x; }
const bigs = [0n, 1n, -1n, 2n, -2n, 255n, -256n, 2n ** 63n, -(2n ** 63n), 2n ** 64n - 1n, 2n ** 64n, -(2n ** 64n), 2n ** 128n, rndBig(65), rndBig(200), rndBig(30), rndBig(640), rndBig(64)];
const tryit = f => { try { return String(f()); } catch (e) { return e.message; } };
out.bigBinary = [];
const ops = { '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, '%': (a, b) => a % b, '&': (a, b) => a & b, '|': (a, b) => a | b, '^': (a, b) => a ^ b };
for (const a of bigs) for (const b of bigs) for (const o of Object.keys(ops)) if (rndInt(3) == 0) out.bigBinary.push([String(a), o, String(b), tryit(() => ops[o](a, b))]);
for (const a of [0n, 1n, -1n, 3n, -3n, 10n, 12n, 1n << 70n]) for (const b of [0n, 1n, 2n, 7n, 40n, 2n ** 31n, 2n ** 65n, -1n]) {
  if (b > 2n ** 30n && b < 2n ** 64n && (a > 1n || a < -1n)) continue;
  out.bigBinary.push([String(a), '**', String(b), tryit(() => a ** b)]);
}
for (const a of bigs) for (const b of [0n, 1n, 63n, 64n, 65n, 200n, -1n, -64n, -200n, 2n ** 65n, -(2n ** 65n)]) {
  out.bigBinary.push([String(a), '<<', String(b), tryit(() => a << b)]);
  out.bigBinary.push([String(a), '>>', String(b), tryit(() => a >> b)]);
}
out.bigUnary = bigs.map(a => [String(a), String(-a), String(~a), num(Number(a)), a.toString(2), a.toString(7), a.toString(36), a.toString(16)]);
out.bigN = [];
for (const a of bigs) for (const n of [0, 1, 3, 8, 63, 64, 65, 128, 700]) out.bigN.push([String(a), n, String(BigInt.asIntN(n, a)), String(BigInt.asUintN(n, a))]);
out.bigParse = ['', ' ', '0', '-0', '12', ' -12 ', '+12', '0x1F', '-0x1', '0b101', '0o17', '0x', '1.5', '1e3', '1n', '1_0', '--1', '-', '+', 'abc', '0xg', '\ufeff7', '00012', '123456789012345678901234567890', '0X' + 'aB'.repeat(20), '9'.repeat(100), '1 2']
  .map(s => { try { return [s, String(BigInt(s))]; } catch (e) { return [s, null]; } });
out.bigCmp = [];
for (const a of [...bigs, 10n ** 400n, -(10n ** 400n), 9007199254740993n]) for (const f of [0, -0, 0.5, -0.5, 1, -1, 1.5, Infinity, -Infinity, 2 ** 63, 2 ** 64, 2 ** 64 + 4096, 9007199254740992, 1e308, -1e308, 5e-324])
  out.bigCmp.push([String(a), num(f), a < f ? -1 : a > f ? 1 : 0]);
for (const e of [53, 54, 60, 100, 1023]) for (const d of [0n, 1n, -1n, 2n, 3n]) for (const s of [0n, 1n, 2n, 3n]) {
  const a = (1n << BigInt(e)) + (d << BigInt(Math.max(0, e - 54))) + s;
  out.bigUnary.push([String(a), String(-a), String(~a), num(Number(a)), a.toString(2), a.toString(7), a.toString(36), a.toString(16)]);
}
process.stdout.write('{\n' + Object.keys(out).map(k => JSON.stringify(k) + ': [\n' + out[k].map(r => JSON.stringify(r)).join(',\n') + '\n]').join(',\n') + '\n}\n');
