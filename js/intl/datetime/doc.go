// Package datetime formats dates and times for people: the part of ECMA-402
// §11 that needs no objects. In come a data locale, resolved options and time
// values; out come strings, or parts with their types. Options become a
// skeleton, the skeleton the pattern that fits the locale best (UTS #35 part 4),
// the pattern the text. Names come from CLDR 48, time zones from the IANA
// database; both are in the package, so that no output depends on the machine.
package datetime
