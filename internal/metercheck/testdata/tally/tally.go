// Package tally counts the turns of loops, and the calls of functions, of
// packages that were built with a call of it in each.
package tally

// At are the counts, by the number that each place has got.
var At [1 << 13]int
