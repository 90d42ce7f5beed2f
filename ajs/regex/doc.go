// Package regex is the regular expression engine of AJS: the patterns of
// ECMA-262 that can be matched in time linear in the input.
//
// In: a pattern as UTF-16 code units and its flags; then an input and the index
// to start at. Out: a *Program, which is immutable, or an *Error; then whether
// there is a match, and the captures as pairs of indices.
//
// Matching simulates all ways through the pattern at once (Pike's algorithm), so
// what would make a backtracking engine take exponential time takes at most
// length of input times length of program steps, and each step is charged.
// What can't be done that way, back references and looking around, is refused,
// as are \p{…}, inline flags and the flags d and v.
//
// Both sides use the package: the transpiler to refuse a literal, the VM to run
// it. It knows nothing of either.
//
// meter: matching is charged by the step; compiling counts its work up to MaxWork
// meter: depth: patterns nest at most MaxNesting groups
package regex
