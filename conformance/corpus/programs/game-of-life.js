const step = g => g.map((r, y) => r.map((c, x) => { let n = 0; for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) if (dy || dx) n += g[y + dy]?.[x + dx] ?? 0; return +(n === 3 || c && n === 2) }));
const parse = s => s.split('/').map(r => [...r].map(c => +(c === '#'))), show = g => g.map(r => r.map(c => '.#'[c]).join('')).join('/');
let g = parse('...../.###./...../...../.....'); for (let i = 0; i < 3; i++) { console.log(show(g)); g = step(g) }
let glider = parse('.#..../..#.../###.../....../....../......'); for (let i = 0; i < 4; i++) glider = step(glider); console.log(show(glider));
