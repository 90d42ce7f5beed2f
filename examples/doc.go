// Package examples holds programs as a language model writes them, each with
// its input and the output that node recorded. The package has no code: its
// tests run every program through the engine and compare.
//
// A folder is one example: a program (.ts or .js), at most one input (.json),
// perhaps hosts.json (the host functions it calls), and expected.txt.
// README.md says how each is read.
package examples
