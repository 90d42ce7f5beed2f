// Package locale takes Unicode locale identifiers (UTS #35) apart, brings them
// into canonical form, adds and removes likely subtags, and says which locales
// Intl has data for and where a locale's data comes from. In go strings that a
// script wrote, of bounded length; out come canonical identifiers.
package locale
