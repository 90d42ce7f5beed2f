// Package membrane carries values across the border between a script and its
// host, as data only, both ways.
//
// In: values of a machine (Encode, Export) or of Go (Import, a Converter of a
// Go type). Out: copies on the other side. Nothing on one side ever refers to
// memory of the other, no script code runs on the way (no getter, no proxy
// trap, no valueOf; only EncodeResult calls methods toJSON), and every node and
// byte is charged to the run's meter and to the Limits of the crossing.
//
// # What crosses
//
// Null, booleans, numbers, strings, arrays, and the own enumerable data
// properties with string keys of objects, in their order; __proto__ is an
// ordinary key. Beyond JSON: undefined, NaN, the infinities, -0, BigInt, Date,
// Map, Set, errors, and the bytes of buffers and typed arrays. Boxed primitives
// cross as what they hold, holes of arrays as undefined, instances of classes
// as plain objects without their private members.
//
// Own data properties are all that is looked at. Everything else (functions, symbols, accessors, promises, proxies, weak
// collections, iterators, regular expressions) is an *Error that names the
// path, such as "result.items[3].fn: a function can't be returned".
//
// # The tagged form
//
// A Value is JSON text. What JSON can't hold is an object with the key "$js":
//
//	{"$js":"undefined"}
//	{"$js":"number","v":"NaN"}            NaN, Infinity, -Infinity, -0
//	{"$js":"bigint","v":"123"}
//	{"$js":"date","v":"2026-01-31T00:00:00.000Z"}   null for an invalid date
//	{"$js":"map","v":[[key,value],…]}
//	{"$js":"set","v":[item,…]}
//	{"$js":"bytes","v":"base64","type":"Uint8Array"}
//	{"$js":"error","name":…,"message":…,"stack":…,"cause":…,"errors":[…],"props":{…}}
//	{"$js":"ref","path":["items",0]}      the same object as the one at that path
//	{"$js":"object","v":{…}}              a plain object that has a key "$js"
//
// A path leads from the root by property names, array indices, positions in a
// Set, and position and 0 or 1 (key or value) in a Map.
//
// # Strings
//
// Scripts' strings are UTF-16 and may hold lone surrogates. The tagged form
// keeps them as \ud800 escapes; a Go string gets U+FFFD in their place.
package membrane
