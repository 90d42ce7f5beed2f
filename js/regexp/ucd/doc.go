// Package ucd holds the part of the Unicode Character Database that
// ECMA-262 patterns and identifiers need, at one fixed version: property sets,
// classes of characters that are equal when case is ignored, and the emoji
// sequences behind the properties of strings.
//
// In: the names ECMA-262 allows in \p{…}, and single code points. Out: sorted
// range lists, equivalence classes and sequences, all shared and immutable: a
// caller must not write to what it gets.
//
// The data is the file ucd.bin, embedded in the program and decoded once, at
// first use. gen/dump.mjs writes it.
package ucd
