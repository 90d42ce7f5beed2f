// Package tool is about tools that models call: what one is, and those that are
// written as files.
//
// In: a file, or a folder of files, of JavaScript or TypeScript, with a
// description in it or beside it as YAML; what the host grants; the arguments of
// a call. Out: a Tool with its definition for the model, and for each call a
// Result: text or JSON, or an error that the model can act on.
package tool
