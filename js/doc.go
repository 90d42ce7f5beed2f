// Package js is the JavaScript engine: parse, compile, run under a meter.
//
// In: source text, a meter, a machine's options. Out: immutable Programs and
// Machines that run them. It knows nothing of limits' defaults, capabilities or
// the values a host exchanges with a script; packages pinfold and membrane do.
//
// The parts are packages of their own: syntax (tree), compiler (bytecode), heap
// (memory), vm (interpreter and object model), builtins (the realm), regexp,
// conv, date and text (algorithms).
package js
