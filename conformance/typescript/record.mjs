// Writes expected.json: what each snippet prints when TypeScript's compiler has
// made an ES2022 module of it and node has run that.
//
//   cd <a folder where npm has installed typescript> && node <this file>
import { createRequire } from 'node:module';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ts = createRequire(join(process.cwd(), 'x.js'))('typescript');
const here = dirname(fileURLToPath(import.meta.url));
const only = process.argv[2];

let lines = [];
const show = v => { try { return String(v); } catch (e) { return 'no string: ' + e; } };
const say = console.log;
console.log = (...a) => { lines.push(a.map(show).join(' ')); };

async function run(name, text) {
  lines = [];
  const out = ts.transpileModule(text, {
    fileName: 'snippet.ts', reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, useDefineForClassFields: true,
    },
  });
  if (only) say(out.outputText);
  if (out.diagnostics.length) say(name, ts.flattenDiagnosticMessageText(out.diagnostics[0].messageText, '\n'));
  try {
    const m = await import('data:text/javascript;charset=utf-8,' + encodeURIComponent(out.outputText + '\n//' + name));
    await new Promise(r => setImmediate(r));
    const names = Object.keys(m).sort();
    if (names.length) lines.push('exports: ' + names.join(' '));
  } catch (e) {
    await new Promise(r => setImmediate(r));
    lines.push('Uncaught ' + show(e));
    if (!/throws/.test(name)) say(name, show(e));
  }
  return lines;
}

const all = {};
let n = 0;
for (const file of readdirSync(join(here, 'snippets')).sort()) {
  const parts = readFileSync(join(here, 'snippets', file), 'utf8').split(/^\/\/\/\/ (.*)\n/m);
  for (let i = 1; i < parts.length; i += 2) {
    const name = file.replace(/\.ts$/, '') + ': ' + parts[i];
    if (only && name !== only) continue;
    if (all[name]) throw new Error('twice: ' + name);
    all[name] = await run(name, parts[i + 1]);
    if (all[name].length === 0) say('prints nothing:', name);
    n++;
  }
}
if (only) say(all[only].join('\n'));
else {
  writeFileSync(join(here, 'expected.json'), JSON.stringify(all, null, 1) + '\n');
  say(n + ' snippets');
}
