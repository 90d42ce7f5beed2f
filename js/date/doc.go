// Package date holds the algorithms of ECMA-262 §21.4: day and time arithmetic
// on time values, local time in a given zone, parsing and formatting.
//
// In: time values (float64 milliseconds since the epoch, NaN for an invalid
// date), a *time.Location, and strings as Latin-1 bytes or UTF-16 code units.
// Out: time values and text appended to a caller's buffer. The package never
// looks at the clock or at the machine's zone; a nil location means UTC.
package date
