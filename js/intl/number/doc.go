// Package number writes numbers as ECMA-402's Intl.NumberFormat does: decimal,
// percent, currency and unit, in standard, scientific, engineering and compact
// notation, single numbers and ranges, as text or as parts.
//
// In: Options, all resolved, and exact decimal numbers. Out: strings and parts.
// The order in which the pieces of a number are put together is that of CLDR's
// number patterns (Unicode TR 35, part 3); data/*.txt are facts of CLDR 48,
// written by gen.mjs.
//
// A Formatter is made once for some options and never changes. The work and the
// memory of a call are proportional to the digits of its numbers and the digits
// that the options ask for: the caller charges for them.
package number
