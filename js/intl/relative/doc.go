// Package relative writes times relative to now as ECMA-402's
// Intl.RelativeTimeFormat does: "in 3 days", "yesterday".
//
// In: resolved options, a finite number and a unit. Out: text or parts.
// data/*.txt are facts of CLDR 48, written by ../number/gen.mjs.
package relative
