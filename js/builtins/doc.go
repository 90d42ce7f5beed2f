// Package builtins makes the realm: every constructor, prototype and function
// that ECMA-262 gives a fresh program, and the globals of other standards that
// need no authority, such as URL and TextEncoder.
//
// In: nothing but the builder of package vm. Out: the Realm template that every
// run starts from (NewRealm). Nothing here has authority: clocks, randomness
// and output come from the machine's options.
//
// There is one file per ECMAScript global; its setup function creates the
// intrinsics in the order of the specification. What the classes of the web's
// standards have in common is in web.go.
package builtins
