// Package plural decides which plural category a number has in a language
// (Unicode TR 35, Language Plural Rules), of one number or of a range.
//
// In: a language and the operands of a formatted number. Out: a category. The
// rules are those of CLDR 48 for all languages it has, in data/plurals.txt,
// written by ../number/gen.mjs; a language's rules are compiled when they are
// asked for.
package plural
