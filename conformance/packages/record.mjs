// Runs the drivers of table.json in node and writes what they print to
// testdata: node record.mjs DIR [NAME...]. DIR is what fetch.sh filled. With
// --times before DIR it writes nothing, and prints what one package took.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const times = args[0] === "--times" && args.shift();
const [dir, ...names] = args;
process.env.TZ = "UTC";
const read = (...p) => fs.readFileSync(path.join(...p), "utf8");

for (const p of JSON.parse(read(here, "table.json"))) {
  if (names.length && !names.includes(p.name)) continue;
  const out = [];
  const start = process.hrtime.bigint();
  let loaded;
  // A fresh context has the globals of ECMAScript, and V8's console and Intl.
  const context = vm.createContext(Object.create(null), { microtaskMode: "afterEvaluate" });
  const run = (source, filename) => vm.runInContext(source, context, { filename });
  try {
    context.__print = s => { out.push(s); };
    run("delete globalThis.console;" + read(here, "prelude.js"), "prelude.js");
    if (p.shim) run(p.shim, "shim");
    for (const f of p.files) {
      const source = read(dir, "node_modules", p.package, f);
      if (p.script) {
        run(source, f);
        run(`__keep(${JSON.stringify(f)}, globalThis[${JSON.stringify(p.global)}])`, "keep");
      } else {
        run(`__load(${JSON.stringify(f)}, ${JSON.stringify(p.global ?? "")}, function (exports, require, module) {${source}\n})`, f);
      }
    }
    for (const f of p.inputs ?? []) run(`__inputs.push(${JSON.stringify(read(dir, "node_modules", f))})`, "input");
    const driver = read(here, "drivers", p.name + ".js");
    loaded = process.hrtime.bigint();
    run(`__drive(async function (lib, libs, inputs) {${driver}\n})`, p.name);
    while (run("__tick()", "tick"));
  } catch (e) {
    out.push("uncaught " + e?.stack);
  }
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (times) {
    console.log(JSON.stringify({ load: Number(loaded - start) / 1e6, run: ms - Number(loaded - start) / 1e6 }));
    continue;
  }
  // A driver that ends with an exception is wrong: its output is not recorded.
  const wrong = out.find(l => /^(uncaught|rejected)/.test(l));
  if (wrong) process.exitCode = 1;
  else fs.writeFileSync(path.join(here, "testdata", p.name + ".out"), out.join("\n") + "\n");
  console.log(p.name.padEnd(18), ms.toFixed(0).padStart(7) + " ms", out.length + " lines", wrong ?? "");
}
