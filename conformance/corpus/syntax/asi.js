// Automatic semicolon insertion.
let a = 1
let b = 2
let c = a
++b
console.log(String([a, b, c]))
function f() {
  return
  1
}
console.log(String(f()))
let i = 0
for (;;) { if (i++ > 3) break }
console.log(String(i))
do i--; while (i > 0) console.log('after do ' + i)
var x = 5
;[1, 2].forEach(n => x += n)
console.log(String(x))
let y = x
/2
console.log(String(y))
if (a) ; else b = 9
{ 1 } a
var async
async
function g() { return 'not async' }
console.log(String(g()))
let z = function (n) { return n }
(2)
console.log(String(z))
var of = 2, get = 3, set = 4, static_ = 5
console.log(String(of + get + set + static_))
var outer = 1
outer: for (const k of [1, 2]) { for (;;) { break
outer } console.log('k' + k) }
