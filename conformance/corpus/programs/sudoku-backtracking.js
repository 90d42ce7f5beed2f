const puzzle = '530070000600195000098000060800060003400803001700020006060000280000419005000080079';
const solve = s => { const i = s.indexOf('0'); if (i < 0) return s; const r = i / 9 | 0, c = i % 9, used = new Set; for (let k = 0; k < 9; k++) { used.add(s[r * 9 + k]); used.add(s[k * 9 + c]); used.add(s[((r / 3 | 0) * 3 + (k / 3 | 0)) * 9 + (c / 3 | 0) * 3 + k % 3]) } for (let v = 1; v <= 9; v++) if (!used.has(String(v))) { const x = solve(s.slice(0, i) + v + s.slice(i + 1)); if (x) return x } return null };
console.log(solve(puzzle).match(/.{9}/g).join('\n'));
