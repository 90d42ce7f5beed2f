// Package corpus holds small JavaScript programs, each beside what node prints
// for it. The package has no code: its test runs every program through the
// engine and compares line by line.
//
// `x.js` is a program, `x.out` its recorded output. README.md says how they are
// written and recorded, and where the recordings follow something other than
// ECMA-262.
package corpus
