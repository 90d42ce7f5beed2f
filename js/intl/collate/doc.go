// Package collate compares strings in the order of the root collation of CLDR 48
// and of a few tailorings of it (es, de phonebook, zh pinyin, ja), as ECMA-402's
// Intl.Collator does. In go strings as Latin-1 bytes or UTF-16 units, a meter
// that pays for the work, and options; out comes a sign.
package collate
