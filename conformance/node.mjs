// The other side of node.go: one realm after the other, each a vm context, in
// one process. Reads one JSON command a line, writes one JSON reply a line.
import vm from 'node:vm';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

let context, printed, modules, dir;

const tick = () => new Promise((resolve) => setImmediate(resolve));

function describe(error, phase) {
  let constructor = '', text = 'a value that cannot be converted', stack = '';
  try { constructor = String(error?.constructor?.name ?? ''); } catch { }
  try { text = String(error); } catch { }
  try { stack = String(error?.stack ?? ''); } catch { }
  return { thrown: true, phase, constructor, text, stack };
}

function load(referrer, specifier, attributes) {
  const name = path.posix.join(path.posix.dirname(referrer), specifier);
  const type = attributes?.type;
  const key = `${name}|${type ?? ''}`;
  let module = modules.get(key);
  if (module) return module;
  const text = fs.readFileSync(path.join(dir, 'test', name), 'utf8');
  if (type === 'json') {
    const value = vm.runInContext(`(${JSON.stringify(text)})`, context);
    const parsed = vm.runInContext('JSON.parse', context)(value);
    module = new vm.SyntheticModule(['default'], function () { this.setExport('default', parsed); }, { context, identifier: name });
  } else {
    module = make(name, text);
  }
  modules.set(key, module);
  return module;
}

function make(name, source) {
  return new vm.SourceTextModule(source, {
    context, identifier: name,
    importModuleDynamically: (specifier, _, attributes) => dynamic(name, specifier, attributes),
    initializeImportMeta() { },
  });
}

async function dynamic(referrer, specifier, attributes) {
  const module = load(referrer, specifier, attributes);
  await link(module);
  await module.evaluate();
  return module;
}

async function link(module) {
  if (module.status === 'unlinked') {
    await module.link((specifier, from, extra) => load(from.identifier, specifier, extra.attributes ?? extra.assert));
  }
}

function host(target) {
  const define = (name, value) => Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
  const here = vm.isContext(target) ? target : context;
  define('print', (text) => { printed.push(String(text)); });
  const realm = vm.runInContext('({})', here);
  realm.global = vm.runInContext('globalThis', here);
  realm.evalScript = (source) => vm.runInContext(source, here);
  realm.detachArrayBuffer = (buffer) => structuredClone(buffer, { transfer: [buffer] });
  realm.gc = () => globalThis.gc?.();
  realm.createRealm = () => host(vm.createContext({}));
  define('$262', realm);
  return realm;
}

const commands = {
  compile({ name, source }) {
    try {
      new vm.Script(source, { filename: name });
      return {};
    } catch (error) {
      return describe(error, 'parse');
    }
  },
  realm(command) {
    dir = command.dir;
    printed = [];
    modules = new Map();
    context = vm.createContext({}, { microtaskMode: undefined });
    host(context);
    return {};
  },
  async script({ name, source }) {
    try {
      const script = new vm.Script(source, {
        filename: name, importModuleDynamically: (specifier, _, attributes) => dynamic(name, specifier, attributes),
      });
      script.runInContext(context);
      return {};
    } catch (error) {
      return describe(error, 'runtime');
    }
  },
  async module({ name, source }) {
    let phase = 'parse';
    try {
      const module = make(name, source);
      modules.set(`${name}|`, module);
      phase = 'resolution';
      await link(module);
      phase = 'runtime';
      await module.evaluate();
      return {};
    } catch (error) {
      return describe(error, phase);
    }
  },
  async jobs() {
    for (let i = 0; i < 20; i++) await tick();
    return {};
  },
};

process.on('uncaughtException', () => { });
process.on('unhandledRejection', () => { });

for await (const line of readline.createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  const reply = await commands[command.op](command);
  reply.printed = printed?.splice(0);
  process.stdout.write(JSON.stringify(reply) + '\n');
}
