// Package regexp compiles ECMAScript regular expressions (ECMA-262 §22.2 with
// Annex B §B.1.2) and matches them by backtracking, under a meter.
//
// In: a pattern as UTF-16 code units and its flags; then an input as Latin-1
// or UTF-16 code units and the index of an attempt. Out: a *Program, which is
// immutable and may be shared by goroutines, or a *SyntaxError in V8's words;
// then whether the pattern matched, and the captures as pairs of indices.
//
// Every instruction and every backtracking step costs one unit of fuel, tight
// loops over characters and scans for a starting point cost less a character.
// The backtracking stack's growth is charged and given back at the end of the
// match, so a pattern that backtracks exponentially runs until its meter ends
// it. Neither matching nor anything else recurses without a counted depth.
//
// The object model (RegExp objects, lastIndex, the Symbol.* protocols) is not
// here.
package regexp
