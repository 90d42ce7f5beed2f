// Package names knows what languages, regions, scripts, currencies, calendars and
// the fields of dates are called, by CLDR 48. In go canonical codes; out come
// names, or nothing where there is none.
package names
