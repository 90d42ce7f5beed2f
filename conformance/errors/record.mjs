// Records the headline and the stack of every program in programs/, from node.
//
//   node conformance/errors/record.mjs            write programs/*.json
//   node conformance/errors/record.mjs calls/     record those whose names contain a word, and print them
//
// Each program gets a process of its own.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const root = path.dirname(self);

export function programs() {
  const found = [];
  for (const file of fs.readdirSync(path.join(root, 'programs')).filter((f) => f.endsWith('.js')).sort()) {
    const theme = file.replace(/\.js$/, '');
    for (const part of fs.readFileSync(path.join(root, 'programs', file), 'utf8').split(/^\/\/\/\/ /m).slice(1)) {
      const end = part.indexOf('\n');
      const [name, kind] = part.slice(0, end).trim().split(/\s+/);
      found.push({ key: `${theme}/${name}`, name, module: kind === 'module', source: part.slice(end + 1) });
    }
  }
  return found;
}

// describe takes an error's stack apart.
function describe(e, early) {
  const isObject = e !== null && (typeof e === 'object' || typeof e === 'function');
  const stack = isObject ? e.stack : undefined;
  if (typeof stack !== 'string') {
    let text;
    try { text = String(e); } catch { text = '(no string)'; }
    return { headline: `thrown ${typeof e}: ${text}` };
  }
  let text = stack;
  let place;
  if (early) {
    // name:line, the source line, carets, an empty line.
    const m = /^[^\n]*:(\d+)\n[^\n]*\n( *)\^*\n\n?/.exec(text);
    if (m) {
      place = `${m[1]}:${m[2].length + 1}`;
      text = text.slice(m[0].length);
    }
  }
  const lines = text.split('\n');
  let first = lines.findIndex((l) => /^    at /.test(l));
  if (first < 0) first = lines.length;
  const frames = lines.slice(first).map((l) => l.trim())
    .filter((l) => !/node:|record\.mjs|processTicksAndRejections/.test(l));
  const r = { headline: lines.slice(0, first).join('\n') };
  if (early) r.place = place; else r.stack = frames;
  return r;
}

async function runOne(key) {
  const p = programs().find((p) => p.key === key);
  const filename = p.name + (p.module ? '.mjs' : '.js');
  const done = (e, early) => {
    fs.writeSync(1, JSON.stringify(describe(e, early)));
    process.exit(0);
  };
  process.on('unhandledRejection', (e) => done(e, false));
  process.on('uncaughtException', (e) => done(e, false));
  globalThis.console = undefined;
  let code;
  try {
    code = p.module ? new vm.SourceTextModule(p.source, { identifier: filename }) : new vm.Script(p.source, { filename });
  } catch (e) {
    return done(e, true);
  }
  if (p.module) {
    const link = (specifier) => { throw new Error(`no module ${specifier}`); };
    try {
      await code.link(link);
    } catch (e) {
      return done(e, true);
    }
    code.evaluate({}).catch((e) => done(e, false));
  } else {
    try {
      code.runInThisContext({ displayErrors: false });
    } catch (e) {
      return done(e, false);
    }
  }
  setTimeout(() => { fs.writeSync(1, '{"headline":"nothing was thrown"}'); process.exit(0); }, 100);
}

async function main(words) {
  const all = programs().filter((p) => !words.length || words.some((w) => p.key.includes(w)));
  const out = {};
  const worker = async (todo) => {
    for (let p; (p = todo.next().value);) {
      const text = await new Promise((resolve) => {
        execFile(process.execPath, ['--no-warnings', '--experimental-vm-modules', self, '--one', p.key], { timeout: 10000 }, (err, stdout, stderr) => {
          if (stderr) console.error(p.key, stderr);
          resolve(stdout);
        });
      });
      try { out[p.key] = JSON.parse(text); } catch { console.error(`${p.key}: no result: ${text}`); }
    }
  };
  const todo = all[Symbol.iterator]();
  await Promise.all([worker(todo), worker(todo), worker(todo)]);
  const sorted = Object.fromEntries(all.map((p) => [p.key, out[p.key]]));
  for (const [k, r] of Object.entries(sorted)) {
    if (!r || r.headline === 'nothing was thrown') console.error(`${k}: nothing was thrown`);
  }
  for (const theme of new Set(all.map((p) => p.key.split('/')[0]))) {
    const target = path.join(root, 'programs', theme + '.json');
    const old = fs.existsSync(target) ? JSON.parse(fs.readFileSync(target, 'utf8')) : {};
    const lines = programs().filter((p) => p.key.startsWith(theme + '/'))
      .map((p) => `${JSON.stringify(p.key)}: ${JSON.stringify(sorted[p.key] ?? old[p.key])}`);
    fs.writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`);
  }
  if (words.length) {
    for (const [k, r] of Object.entries(sorted)) console.log(k, r.place ?? '', '\n ', r.headline, '\n   ', (r.stack ?? []).join('\n    '));
  }
  console.error(`${all.length} programs`);
}

if (process.argv[2] === '--one') await runOne(process.argv[3]);
else await main(process.argv.slice(2));
