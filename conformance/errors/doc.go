// Package errors holds programs that end with an uncaught error, and what node
// says of each: the headline, the frames of its stack, and for an early
// SyntaxError the place. The package has no code: its test runs every program
// through the engine and compares.
//
// A file in programs/ holds the programs of one theme. A line
//
//	//// name
//
// begins a program, which the engine sees as the file name.js; with the word
// module after the name it is the module name.mjs. What node 20 says is beside
// it in a file of JSON, one program a line, which record.mjs writes: frames that
// belong to node itself are left out. The place that newer versions of V8 add to
// the messages of JSON.parse is not compared.
// failing.txt lists the programs that are known to differ, each with its
// reason.
package errors
