// Writes what TypeScript's compiler makes of each .ts file below some folders,
// for TestSources: one JSON object a line, with the file's path, its text, the
// JavaScript and whether it is a module.
//
//   cd <a folder where npm has installed typescript> && node <this file> OUT DIR...
import { createRequire } from 'node:module';
import { closeSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ts = createRequire(join(process.cwd(), 'x.js'))('typescript');
const [out, ...dirs] = process.argv.slice(2);
const fd = openSync(out, 'w');

function* files(dir) {
  for (const e of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(dir, e.name);
    if (e.isDirectory()) {
      if (e.name !== '.git' && e.name !== '_error_') yield* files(path);
    } else if (/\.[mc]?ts$/.test(e.name) && !/\.d\.[mc]?ts$/.test(e.name)) yield path;
  }
}

let n = 0;
for (const dir of dirs) {
  for (const path of files(dir)) {
    const text = readFileSync(path, 'utf8');
    const compilerOptions = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, useDefineForClassFields: true };
    let js = '', errors = [];
    try {
      const r = ts.transpileModule(text, { fileName: 'a.ts', reportDiagnostics: true, compilerOptions });
      js = r.outputText;
      errors = r.diagnostics.map(d => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
    } catch (e) {
      errors = [String(e)];
    }
    const module = !!ts.createSourceFile('a.ts', text, ts.ScriptTarget.ESNext).externalModuleIndicator;
    const project = basename(dir);
    writeSync(fd, JSON.stringify({ project, file: path.slice(dirname(dir).length + 1), text, module, js, errors }) + '\n');
    n++;
  }
}
closeSync(fd);
console.log(`${n} files, typescript ${ts.version}`);
