// Writes expected.json: what each snippet prints when TypeScript's compiler has
// made an ES2022 module of it and node has run that. The snippets of legacy.ts
// are compiled with experimentalDecorators.
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

// A snippet with further modules, each under a line `//-- name`, is made of
// CommonJS modules, which is where import = require and export = are at home.
function runParts(name, parts) {
  lines = [];
  const done = {};
  const load = key => {
    if (done[key]) return done[key].exports;
    const module = (done[key] = { exports: {} });
    if (key.endsWith('.json')) return (module.exports = JSON.parse(parts[key]));
    const out = ts.transpileModule(parts[key], {
      fileName: 'snippet.ts',
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, useDefineForClassFields: true, esModuleInterop: true },
    }).outputText;
    if (only) say(out);
    new Function('require', 'module', 'exports', out)(load, module, module.exports);
    return module.exports;
  };
  try {
    load('');
  } catch (e) {
    lines.push('Uncaught ' + show(e));
    if (!/throws/.test(name)) say(name, show(e));
  }
  return lines;
}

async function run(name, text) {
  const parts = text.split(/^\/\/-- (.*)\n/m);
  if (parts.length > 1) {
    const all = { '': parts[0] };
    for (let i = 1; i < parts.length; i += 2) all[parts[i]] = parts[i + 1];
    return runParts(name, all);
  }
  lines = [];
  const out = ts.transpileModule(text, {
    fileName: 'snippet.ts', reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, useDefineForClassFields: true,
      experimentalDecorators: name.startsWith('legacy'),
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
    delete Reflect.decorate;
    delete Symbol.metadata;
    if (all[name].length === 0) say('prints nothing:', name);
    n++;
  }
}
if (only) say(all[only].join('\n'));
else {
  writeFileSync(join(here, 'expected.json'), JSON.stringify(all, null, 1) + '\n');
  say(n + ' snippets');
}
