// Records expected.txt of every example from node, and type-checks the
// TypeScript ones (strict, erasable syntax only).
//
//   NODE_PATH=/where/npm/lives/node_modules node examples/record.mjs [--check] [name…]
//
// `typescript` is looked up through NODE_PATH; it isn't part of the repository.
// A folder is an example when it holds one program (.ts or .js). Its input is
// the one .json file beside it that isn't hosts.json; hosts.json describes its
// host functions (see README.md). A program with `import` or `export` is a
// module whose default export is called with the input; any other program is
// the body of an async function with `input` and `console` in scope.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

process.env.TZ = 'UTC';
const root = path.dirname(fileURLToPath(import.meta.url));
const self = fileURLToPath(import.meta.url);
const require = createRequire(process.env.NODE_PATH ? path.join(process.env.NODE_PATH, 'x.js') : import.meta.url);
const ts = require('typescript');

// What node 20 lacks and the examples use.
Object.groupBy ??= function groupBy(items, callback) {
  const out = Object.create(null);
  let i = 0;
  for (const item of items) {
    const key = callback(item, i++);
    (out[key] ??= []).push(item);
  }
  return out;
};
Map.groupBy ??= function groupBy(items, callback) {
  const out = new Map();
  let i = 0;
  for (const item of items) {
    const key = callback(item, i++);
    if (!out.has(key)) out.set(key, []);
    out.get(key).push(item);
  }
  return out;
};

const isModule = (source) => /^\s*(import|export)\b/m.test(source);

// typeCheck reports what tsc --strict finds, with the lines of the program.
function typeCheck(file, source, hosts) {
  const declared = ['declare const console: { log(...a: unknown[]): void; info(...a: unknown[]): void };'];
  for (const name of Object.keys(hosts)) declared.push(`declare function ${name}(...args: any[]): Promise<any>;`);
  const text = isModule(source) ? source : `async function main(input: any) { ${source}\n}`;
  const virtual = new Map([
    [file, text],
    ['/declared.d.ts', declared.join('\n')],
  ]);
  const options = {
    strict: true, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
    moduleDetection: isModule(source) ? ts.ModuleDetectionKind.Force : ts.ModuleDetectionKind.Legacy, lib: ['lib.esnext.d.ts'], types: [],
    erasableSyntaxOnly: true, noUncheckedIndexedAccess: false,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, v) => virtual.has(name) ? ts.createSourceFile(name, virtual.get(name), v) : getSourceFile.call(host, name, v);
  host.fileExists = (name) => virtual.has(name) || fileExists.call(host, name);
  host.readFile = (name) => virtual.get(name) ?? readFile.call(host, name);
  const program = ts.createProgram([...virtual.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map((d) => {
    const at = d.file ? d.file.getLineAndCharacterOfPosition(d.start) : { line: 0 };
    return `${path.relative(root, file)}:${at.line + 1}: ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`;
  });
}

// hostFunction makes one function of hosts.json.
function hostFunction(name, spec) {
  const answer = (r) => {
    if (r.error !== undefined) throw new Error(r.error);
    return structuredClone(r.value);
  };
  let calls = 0;
  switch (spec.kind) {
    case 'echo':
      return async (first) => structuredClone(first);
    case 'sum':
      return async (...args) => args.reduce((a, b) => a + b, 0);
    case 'list':
      return async () => answer(spec.responses[Math.min(calls++, spec.responses.length - 1)]);
    case 'table':
      return async (first) => {
        const key = typeof first === 'string' ? first : JSON.stringify(first);
        const r = spec.responses[key] ?? spec.otherwise;
        if (!r) throw new Error(`${name}: nothing for ${key}`);
        return answer(r);
      };
  }
  throw new Error(`hosts.json: ${name}: unknown kind ${spec.kind}`);
}

function findProgram(dir) {
  const names = fs.readdirSync(dir).sort();
  const programs = names.filter((n) => /\.(ts|js)$/.test(n));
  const inputs = names.filter((n) => n.endsWith('.json') && n !== 'hosts.json');
  if (programs.length !== 1 || inputs.length > 1) return null;
  return { program: path.join(dir, programs[0]), input: inputs[0] && path.join(dir, inputs[0]) };
}

// runOne runs an example in this process and prints what expected.txt holds.
async function runOne(dir) {
  const { program, input } = findProgram(dir);
  const source = fs.readFileSync(program, 'utf8');
  const hostsFile = path.join(dir, 'hosts.json');
  const hosts = fs.existsSync(hostsFile) ? JSON.parse(fs.readFileSync(hostsFile, 'utf8')) : {};
  if (program.endsWith('.ts')) {
    const found = typeCheck(program, source, hosts);
    if (found.length) throw new Error(found.join('\n'));
  }
  const module = isModule(source);
  const wrapped = module ? source : `export default async function (input) { ${source}\n}`;
  const js = program.endsWith('.ts')
    ? ts.transpileModule(wrapped, { compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true } }).outputText
    : wrapped;
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'example-'));
  const out = [];
  const write = process.stdout.write.bind(process.stdout);
  try {
    fs.writeFileSync(path.join(temp, 'program.mjs'), js);
    for (const [name, spec] of Object.entries(hosts)) globalThis[name] = hostFunction(name, spec);
    process.stdout.write = (s) => { out.push(String(s)); return true; };
    const run = (await import(pathToFileURL(path.join(temp, 'program.mjs')).href)).default;
    const value = await run(input === undefined ? undefined : JSON.parse(fs.readFileSync(input, 'utf8')));
    if (value !== undefined) out.push('=> ' + JSON.stringify(value, null, 2) + '\n');
  } finally {
    process.stdout.write = write;
    fs.rmSync(temp, { recursive: true });
  }
  write(out.join(''));
}

async function main(args) {
  const check = args.includes('--check');
  const words = args.filter((a) => !a.startsWith('--'));
  const { spawnSync } = await import('node:child_process');
  let bad = 0;
  let count = 0;
  for (const e of fs.readdirSync(root, { withFileTypes: true })) {
    const dir = path.join(root, e.name);
    if (!e.isDirectory() || (words.length && !words.includes(e.name)) || !findProgram(dir)) continue;
    count++;
    const r = spawnSync(process.execPath, [self, '--one', dir], { env: process.env, encoding: 'utf8' });
    const target = path.join(dir, 'expected.txt');
    if (r.status !== 0) {
      bad++;
      console.error(`FAIL ${e.name}\n${r.stderr}`);
    } else if (check) {
      if (!fs.existsSync(target) || fs.readFileSync(target, 'utf8') !== r.stdout) {
        bad++;
        console.error(`DIFFERS ${e.name}`);
      }
    } else {
      fs.writeFileSync(target, r.stdout);
    }
  }
  console.error(`${count} examples, ${bad} bad, node ${process.version}`);
  process.exitCode = bad ? 1 : 0;
}

if (process.argv[2] === '--one') await runOne(process.argv[3]);
else await main(process.argv.slice(2));
