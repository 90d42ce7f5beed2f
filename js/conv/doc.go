// Package conv holds the number and BigInt algorithms of ECMA-262 §6.1.6,
// §7.1, §21.1 and §21.2 as pure functions.
//
// In: float64 and *big.Int values, and strings as Latin-1 bytes or UTF-16 code
// units. Out: values of the same kinds, and text appended to a caller's
// buffer. Nothing here knows of the heap or the interpreter.
//
// Functions whose work can be long take a *meter.Meter, which may be nil. They
// charge it while they work and pass its error up unchanged. The bytes of a
// large temporary are checked against the meter before it is made and given
// back before the function returns: who keeps a result accounts for it.
//
// Results never depend on the machine: products that feed a sum are rounded
// explicitly, so that no compiler may fuse them.
package conv
