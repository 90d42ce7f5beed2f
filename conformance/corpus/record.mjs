// Records what every program of the corpus prints, from node.
//
//   node conformance/corpus/record.mjs               record everything but newer/
//   node conformance/corpus/record.mjs --check       compare, write nothing
//   node conformance/corpus/record.mjs maps-sets     only paths that contain the word
//   node conformance/corpus/record.mjs newer         newer/ is recorded only when asked for by name
//
// Each program runs as a script (sloppy unless it says otherwise) in a process
// of its own whose global object holds ECMAScript's names and `console.log`,
// nothing else of the host. TZ=UTC. Output: one line per console.log; an
// uncaught exception ends it with `Uncaught <name>: <message>`.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

const root = path.dirname(fileURLToPath(import.meta.url));
const self = fileURLToPath(import.meta.url);

// The names of the global object that belong to ECMAScript. What a later
// edition added is kept when the engine has it.
const standard = new Set(`Object Function Array Number parseFloat parseInt Infinity NaN undefined
Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError
SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer SharedArrayBuffer Atomics
Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array
Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet
WeakRef Proxy Reflect FinalizationRegistry decodeURI decodeURIComponent encodeURI encodeURIComponent
escape unescape eval isFinite isNaN Iterator SuppressedError DisposableStack
AsyncDisposableStack`.split(/\s+/));

// Programs under these folders need more than ECMAScript.
const extras = { 'host-globals': ['structuredClone', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'crypto', 'DOMException'] };

function runOne(file) {
  const source = fs.readFileSync(file, 'utf8');
  const folder = path.relative(root, file).split(path.sep)[0];
  const keep = new Set(extras[folder] ?? []);
  const proc = process;
  const later = setImmediate;
  const lines = [];
  const strict = [];
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!standard.has(name) && !keep.has(name)) delete globalThis[name];
  }
  delete globalThis[Symbol.toStringTag];
  const log = (...args) => {
    for (const a of args) if (typeof a !== 'string') strict.push(typeof a);
    lines.push(args.join(' '));
  };
  Object.defineProperty(globalThis, 'console', { value: { log }, writable: true, configurable: true });
  proc.on('unhandledRejection', () => {});
  const done = () => {
    if (strict.length) {
      proc.stderr.write(`${file}: console.log got a ${strict[0]}; pass strings only\n`);
      proc.exitCode = 3;
    }
    fs.writeSync(1, lines.map((l) => l + '\n').join(''));
  };
  try {
    new vm.Script(source, { filename: path.basename(file) }).runInThisContext();
  } catch (e) {
    const isError = e !== null && typeof e === 'object' && 'message' in e;
    lines.push('Uncaught ' + (isError ? `${e.name}: ${e.message}` : String(e)));
    done();
    return;
  }
  later(() => later(done));
}

function spawnOne(file) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [self, '--one', file], {
      env: { TZ: 'UTC', LANG: 'en_US.UTF-8', PATH: process.env.PATH },
    });
    const out = [];
    const err = [];
    const timer = setTimeout(() => child.kill(), 20000);
    child.stdout.on('data', (d) => out.push(d));
    child.stderr.on('data', (d) => err.push(d));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') });
    });
  });
}

function walk(dir) {
  const found = [];
  for (const e of fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(dir, e.name);
    if (e.isDirectory()) found.push(...walk(full));
    else if (e.name.endsWith('.js')) found.push(full);
  }
  return found;
}

async function main(args) {
  const check = args.includes('--check');
  const words = args.filter((a) => !a.startsWith('--'));
  const files = walk(root).filter((f) => {
    const rel = path.relative(root, f);
    if (words.length === 0) return !rel.startsWith('newer' + path.sep);
    return words.some((w) => rel.includes(w));
  });
  let bad = 0;
  let next = 0;
  const worker = async () => {
    while (next < files.length) {
      const file = files[next++];
      const rel = path.relative(root, file);
      const r = await spawnOne(file);
      if (r.code !== 0 || r.err !== '') {
        bad++;
        console.error(`FAIL ${rel} (exit ${r.code})\n${r.err}`);
        continue;
      }
      const target = file.replace(/\.js$/, '.out');
      const old = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : null;
      if (check) {
        if (old !== r.out) {
          bad++;
          console.error(`DIFFERS ${rel}`);
          const a = (old ?? '').split('\n');
          const b = r.out.split('\n');
          for (let i = 0; i < Math.max(a.length, b.length); i++) {
            if (a[i] !== b[i]) console.error(`  ${i + 1} recorded: ${a[i]}\n  ${i + 1} now:      ${b[i]}`);
          }
        }
      } else if (old !== r.out) {
        fs.writeFileSync(target, r.out);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, os.cpus().length) }, worker));
  console.error(`${files.length} programs, ${bad} bad, node ${process.version}`);
  process.exitCode = bad ? 1 : 0;
}

if (process.argv[2] === '--one') runOne(process.argv[3]);
else await main(process.argv.slice(2));
