// What the drivers and the packages find beside ECMAScript: a loader of
// CommonJS files, timers on a clock of their own, and what else a package asks
// for when it loads. It runs first, in the engine and in node alike.
var __libs = {}, __lib, __inputs = [];
var __out = [];
var __timers = [], __clock = 0, __nextTimer = 1;

function __load(name, global, body) {
  var module = { exports: {} };
  body.call(module.exports, module.exports, function (id) {
    if (Object.prototype.hasOwnProperty.call(__libs, id)) return __libs[id];
    throw new Error("no module " + id);
  }, module);
  __keep(name, global ? globalThis[global] : module.exports);
}

function __keep(name, lib) {
  __libs[name] = lib;
  __lib = lib;
}

function __show(v) {
  if (typeof v === "string") return v;
  if (typeof v === "function") return "function " + v.name;
  if (typeof v === "bigint") return v + "n";
  if (v instanceof Error) return v.name + ": " + v.message;
  if (v instanceof Map) return "Map" + __show([...v]);
  if (v instanceof Set) return "Set" + __show([...v]);
  if (v !== null && typeof v === "object") return JSON.stringify(v, function (k, x) { return typeof x === "bigint" ? x + "n" : x; });
  return String(v);
}

function print() {
  __print(Array.prototype.map.call(arguments, __show).join(" "));
}

// digest stands for a long text in a recording: its length, and a hash (FNV-1a
// over code units) of each of 16 parts, so that one sees where two differ.
function digest(s) {
  var parts = [], size = Math.ceil(s.length / 16) || 1;
  for (var at = 0; at < s.length; at += size) {
    var h = 0x811c9dc5, end = Math.min(s.length, at + size);
    for (var i = at; i < end; i++) h = Math.imul(h ^ s.charCodeAt(i), 0x01000193);
    parts.push((h >>> 0).toString(16));
  }
  return s.length + ":" + parts.join(" ");
}

function __drive(body) {
  body(__lib, __libs, __inputs).catch(function (e) { print("rejected", e instanceof Error ? e.stack : e); });
}

// __tick runs the timer that is due first and says whether there was one.
function __tick() {
  if (!__timers.length) return false;
  var first = 0;
  for (var i = 1; i < __timers.length; i++) if (__timers[i].at < __timers[first].at) first = i;
  var t = __timers.splice(first, 1)[0];
  __clock = t.at;
  if (t.every !== undefined) { t.at += t.every; __timers.push(t); }
  t.f.apply(undefined, t.args);
  return true;
}

// The timers' clock is the only one: a package that compares Date.now with the
// time of a timer must not depend on how fast the machine is.
Date.now = function now() { return 1709211845678 + __clock; };

(function (g) {
  function define(name, v) {
    if (g[name] === undefined) Object.defineProperty(g, name, { value: v, writable: true, configurable: true });
  }
  function timer(f, ms, args, every) {
    var t = { id: __nextTimer++, at: __clock + Math.max(1, ms | 0), f: f, args: args, every: every };
    __timers.push(t);
    return t.id;
  }
  function clear(id) { __timers = __timers.filter(function (t) { return t.id !== id; }); }
  define("setTimeout", function (f, ms) { return timer(f, ms, Array.prototype.slice.call(arguments, 2)); });
  define("setInterval", function (f, ms) { return timer(f, ms, Array.prototype.slice.call(arguments, 2), Math.max(1, ms | 0)); });
  define("setImmediate", function (f) { return timer(f, 0, Array.prototype.slice.call(arguments, 1)); });
  define("clearTimeout", clear);
  define("clearInterval", clear);
  define("clearImmediate", clear);
  define("queueMicrotask", function (f) { Promise.resolve().then(f); });
  define("performance", { now: function () { return __clock; }, mark: function () {}, measure: function () {} });
  define("console", {});
  ["log", "warn", "error", "info", "debug"].forEach(function (k) { g.console[k] = function () { print("console." + k, ...arguments); }; });
})(globalThis);
