console.log(typeof hoisted, typeof fn, String(v));
var v = 1; function fn() { return 'first' } function fn() { return 'second' } if (false) { var hoisted = 1 }
console.log(fn(), typeof hoisted);
var fn; console.log(typeof fn); var fn = 1; console.log(typeof fn);
console.log((function () { return typeof inner; var inner = 1; function inner() {} })());
console.log((function (a) { var a; return a })('param'), (function (a) { var a = 'var'; return a })('param'), (function (a) { function a() {} return typeof a })('param'));
console.log((function () { x = 1; var x; return x })() + ' ' + typeof x);
console.log((function (arguments) { return arguments })('shadow'), (function () { var arguments; return typeof arguments })(), (function () { var arguments = 1; return typeof arguments })(), (function () { function arguments() {} return typeof arguments })());
{ console.log(typeof block); function block() {} } console.log(typeof block);
console.log((function () { if (true) { function b() { return 'b' } } return b() })());
console.log((function () { 'use strict'; { function b() { return 1 } } return typeof b })());
console.log((function () { try { t; let t } catch (e) { return e.name } })(), (function () { try { typeof t; let t } catch (e) { return e.name } })());
console.log((function () { let r = []; for (var i = 0; i < 2; i++) { var q; r.push(q); q = i } return String(r) })());
console.log((function () { try { throw 1 } catch (e) { var e = 2 } return String(e) })());
console.log((function (a, b = () => a) { var a = 2; return a + ' ' + b() })(1), (function (a, b = () => a) { a = 2; return a + ' ' + b() })(1));
const named = function self() { try { self = 1 } catch (e) { return 'threw' } return typeof self }; console.log(named());
switch (0) { case 1: function sw() { return 'sw' } } console.log(typeof sw);
