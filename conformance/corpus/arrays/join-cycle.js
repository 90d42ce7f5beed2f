// A cycle joins as the empty string. ECMA-262 doesn't ask for it; every browser does it.
const cyc = [1]; cyc.push(cyc, [cyc]); console.log(cyc.join(), String(cyc), cyc.toLocaleString());
const two = [[1], [2]]; two[0].push(two); console.log(two.join('|'));
const a = [], b = [a]; a.push(b, 'x'); console.log(JSON.stringify(String(a)), JSON.stringify(String(b)));
const same = [1]; console.log([same, same].join(';'));
