// Package syntax turns source text into a syntax tree.
//
// In: source text in WTF-8 (UTF-8 that may also carry lone surrogates), a goal
// (script, module, function body, eval) and the context the text appears in.
// Out: a *Program whose nodes carry byte offsets, with every early error of
// ECMA-262 already reported, or a *SyntaxError with V8's wording and a place.
//
// The grammar is ECMAScript 2025 with Annex B, explicit resource management,
// decorators, and, when asked for, the syntax of TypeScript. The
// tree follows ESTree's names. Type annotations stay in the tree beside the
// program, where a compiler that only runs code never meets them;
// Program.Erased lists the ranges that are types only, Program.NonErasable the
// constructs that can't be erased.
//
// Parsing takes time linear in the source, never overflows the Go stack and
// reports the work it does through Options.Check.
//
// meter: every loop goes on in the source text, or over what was just read of it, and next counts the tokens as work; hints are looked for once
package syntax
