// Package declare writes down in TypeScript what programs find.
//
// In: a sandbox, and the tools that its programs may call. Out: a declaration
// file (.d.ts) of ctx, of every host function, of the console and of the web's
// globals, and of the tools' arguments and results; or a compact form for
// prompts, with one line for each function and type. Equal input gives equal
// bytes.
//
// The file stands on TypeScript's library of ECMAScript alone (lib es2024 or
// esnext, without dom).
package declare
