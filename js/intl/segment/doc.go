// Package segment finds grapheme clusters, words and sentences (UAX #29,
// Unicode 17, with what CLDR 48 changes for all languages). In go strings as
// Latin-1 bytes or UTF-16 units, with a meter that pays for the work; out come
// boundaries. There are no dictionaries: Thai, Lao, Khmer and Burmese text is not
// divided between spaces, and each ideograph and hiragana is a word.
package segment
