//// import = require of a module with exports
import m = require("m");
console.log(m.a, m.f(2), typeof m);
//-- m
export const a = 1;
export function f(x: number) { return x + a; }
//// import = require of export =
import make = require("m");
console.log(make(3), make.extra);
//-- m
function make(n: number) { return "made " + n; }
namespace make { export const extra = "x"; }
export = make;
//// export = of an object and default import
import o from "m";
import * as n from "m";
import r = require("m");
console.log(o.a, r.a, o === r, typeof n);
//-- m
const a = 1;
export = { a, b: { c: 2 } };
//// export = of a class
import Point = require("m");
class P3 extends Point { z = 3; }
console.log(new Point(1).x, new P3(2).z, new P3(2).x);
//-- m
class Point { constructor(public x: number) {} }
export = Point;
//// import = require of JSON
import data = require("./data.json");
console.log(data.a.length, data.b);
//-- ./data.json
{"a": [1, 2], "b": "c"}
//// chain of export =
import z = require("b");
console.log(z.two, z.one());
//-- b
import a = require("a");
export = { two: 2, one: () => a(0) };
//-- a
export = (n: number) => n + 1;
//// export import = require
import { q } from "b";
console.log(q.v);
//-- b
export import q = require("a");
//-- a
export const v = 7;
//// type imports load nothing
import type T = require("never");
import U = require("never too");
let t: T | undefined; let u: U.X | null = null;
console.log(t, u);
//// unused require loads nothing
import x = require("side");
console.log("main");
//-- side
console.log("side");
export {};
//// alias of a member of a required module
import m = require("m");
import deep = m.ns.deep;
console.log(deep, m.ns.E.B);
//-- m
export namespace ns { export const deep = "d"; export enum E { A, B } }
//// export = runs after the statements
import v = require("m");
console.log(v);
//-- m
let s = "first";
export = s + "!";
s = "second";
