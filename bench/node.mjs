// Measures one program in node: loads it, calls main once and then as often as
// asked, and prints the checksum and the times in milliseconds.
import fs from 'node:fs';
import vm from 'node:vm';

const [file, runs] = process.argv.slice(2);
vm.runInThisContext(fs.readFileSync(file, 'utf8'), { filename: file });
const result = String(main());
const times = [];
for (let i = 0; i < Number(runs); i++) {
  const start = performance.now();
  const again = String(main());
  times.push(performance.now() - start);
  if (again !== result) throw new Error(`main() gave ${again} after ${result}`);
}
console.log(JSON.stringify({ result, times }));
