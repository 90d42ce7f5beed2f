console.log([0, -0, .5, 5., 0x1F, 0XaB, 0o17, 0O7, 0b101, 0B1, 1e3, 1E-3, 1e+2, 1_000_000, 0xF_F, 1_0.2_5, 1e1_0].map(String).join(" "));
console.log([010, 017, 08, 09.5, 0777].join(' '));
console.log([9007199254740993, 0.1 + 0.2, 1e21, 1e-7, 123456789012345680000, 1.7976931348623157e308, 5e-324].join(' '));
console.log([1..toString(), 1.0.toFixed(1), 1 .toString(), 0.1.toFixed(20), 2e308, -2e308].join(' '));
console.log([10n, 0xFFn, 0b11n, 0o7n, 1_000n].map(String).join(' '));
for (const bad of ['1_', '1__0', '0_1', '1._1', '0x', '0b2', '0o8', '1e', '01n', '1.5n', '3in []', '0xg', '1_e1', '08_1', '0b', '1n.5']) {
  try { eval(bad); console.log(bad + ' ok') } catch (e) { console.log(bad + ' ' + e.name) }
}
for (const strict of ['010', '08', '09.1', '"\\01"', '"\\8"']) {
  try { (0, eval)('"use strict"; ' + strict); console.log(strict + ' ok') } catch (e) { console.log(strict + ' ' + e.name) }
}
