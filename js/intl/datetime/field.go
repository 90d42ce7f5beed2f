package datetime

import (
	"maps"
	"slices"
)

// field numbers the parts of a date and time, in the order that UTS #35 gives
// them in a skeleton.
type field int

const (
	fieldEra field = iota
	fieldYear
	fieldMonth
	fieldWeekday
	fieldDay
	fieldPeriod
	fieldHour
	fieldMinute
	fieldSecond
	fieldFraction
	fieldZone
	numFields
)

const (
	allFields  = 1<<numFields - 1
	dateFields = 1<<fieldPeriod - 1
	timeFields = allFields &^ dateFields
)

// appendFields and namedFields are the names that CLDR has for fields where it
// says how to append one and what it is called.
var (
	appendFields = map[string]field{
		"Era": fieldEra, "Year": fieldYear, "Month": fieldMonth, "Day-Of-Week": fieldWeekday, "Day": fieldDay,
		"Hour": fieldHour, "Minute": fieldMinute, "Second": fieldSecond, "Timezone": fieldZone,
	}
	namedFields = map[string]field{
		"era": fieldEra, "year": fieldYear, "month": fieldMonth, "weekday": fieldWeekday, "day": fieldDay, "dayperiod": fieldPeriod,
		"hour": fieldHour, "minute": fieldMinute, "second": fieldSecond, "zone": fieldZone,
	}
)

// symbol is a pattern letter from some length on: its field and its kind. How
// far apart two kinds are says how well one stands in for the other; those of
// numbers are positive and grow with their length.
type symbol struct {
	letter byte
	field  field
	kind   int
	min    int
}

const (
	kindNumber = 0x100
	kindNarrow = -0x101
	kindShort  = -0x103
	kindLong   = -0x104
	kindStep   = 0x10 // between letters of one field
)

var symbols = [...]symbol{
	{'G', fieldEra, kindShort, 1},
	{'G', fieldEra, kindLong, 4},
	{'G', fieldEra, kindNarrow, 5},
	{'y', fieldYear, kindNumber, 1},
	{'M', fieldMonth, kindNumber, 1},
	{'M', fieldMonth, kindShort, 3},
	{'M', fieldMonth, kindLong, 4},
	{'M', fieldMonth, kindNarrow, 5},
	{'L', fieldMonth, kindNumber + kindStep, 1},
	{'L', fieldMonth, kindShort - kindStep, 3},
	{'L', fieldMonth, kindLong - kindStep, 4},
	{'L', fieldMonth, kindNarrow - kindStep, 5},
	{'E', fieldWeekday, kindShort, 1},
	{'E', fieldWeekday, kindLong, 4},
	{'E', fieldWeekday, kindNarrow, 5},
	{'c', fieldWeekday, kindNumber + 2*kindStep, 1},
	{'c', fieldWeekday, kindShort - 2*kindStep, 3},
	{'c', fieldWeekday, kindLong - 2*kindStep, 4},
	{'c', fieldWeekday, kindNarrow - 2*kindStep, 5},
	{'d', fieldDay, kindNumber, 1},
	{'a', fieldPeriod, kindShort, 1},
	{'a', fieldPeriod, kindLong, 4},
	{'a', fieldPeriod, kindNarrow, 5},
	{'b', fieldPeriod, kindShort - kindStep, 1},
	{'b', fieldPeriod, kindLong - kindStep, 4},
	{'b', fieldPeriod, kindNarrow - kindStep, 5},
	{'B', fieldPeriod, kindShort - 3*kindStep, 1},
	{'B', fieldPeriod, kindLong - 3*kindStep, 4},
	{'B', fieldPeriod, kindNarrow - 3*kindStep, 5},
	{'H', fieldHour, kindNumber + 10*kindStep, 1},
	{'k', fieldHour, kindNumber + 11*kindStep, 1},
	{'h', fieldHour, kindNumber, 1},
	{'K', fieldHour, kindNumber + kindStep, 1},
	{'m', fieldMinute, kindNumber, 1},
	{'s', fieldSecond, kindNumber, 1},
	{'S', fieldFraction, kindNumber, 1},
	{'v', fieldZone, kindShort - 2*kindStep, 1},
	{'v', fieldZone, kindLong - 2*kindStep, 4},
	{'z', fieldZone, kindShort, 1},
	{'z', fieldZone, kindLong, 4},
	{'O', fieldZone, kindShort - kindStep, 1},
	{'O', fieldZone, kindLong - kindStep, 4},
}

// symbolOf finds the symbol of a letter repeated n times, nil for a letter that
// is none.
func symbolOf(letter byte, n int) *symbol {
	var best *symbol
	for i := range symbols {
		if s := &symbols[i]; s.letter == letter && (best == nil || s.min <= n) {
			best = s
		}
	}
	return best
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// tokens cuts a pattern into fields, which are a letter repeated, and the text
// between them with its quotes.
func tokens(pattern string, f func(text string, isField bool)) {
	for i := 0; i < len(pattern); { //meter: a pattern of bounded length
		c, j := pattern[i], i+1
		switch {
		case isLetter(c):
			for j < len(pattern) && pattern[j] == c { //meter: the pattern
				j++
			}
			f(pattern[i:j], true)
		default:
			quoted := c == '\''
			for j < len(pattern) && (quoted || !isLetter(pattern[j])) { //meter: the pattern
				if pattern[j] == '\'' {
					quoted = !quoted
				}
				j++
			}
			f(pattern[i:j], false)
		}
		i = j
	}
}

// skeleton says which fields a pattern has, each with its letter, length and
// kind (0 for none).
type skeleton struct {
	kind        [numFields]int
	letter      [numFields]byte
	length      [numFields]int
	base        [numFields]int // length that stands for all of the same kind
	addedPeriod bool           // the period is there because the hour needs one
}

func (s *skeleton) set(f field, letter byte, length int) {
	sym := symbolOf(letter, length)
	s.letter[f], s.length[f], s.base[f], s.kind[f] = letter, length, sym.min, sym.kind
	if sym.kind > 0 {
		s.kind[f] += length
	}
}

func (s *skeleton) clear(f field) { s.letter[f], s.length[f], s.base[f], s.kind[f] = 0, 0, 0, 0 }

// skeletonOf reads a skeleton, or a pattern as one.
func skeletonOf(pattern string) *skeleton {
	s := &skeleton{}
	tokens(pattern, func(text string, isField bool) {
		if !isField {
			return
		}
		if sym := symbolOf(text[0], len(text)); sym != nil {
			s.set(sym.field, text[0], len(text))
		}
	})
	if s.kind[fieldMinute] != 0 && s.kind[fieldFraction] != 0 && s.kind[fieldSecond] == 0 {
		s.set(fieldSecond, 's', 1)
	}
	switch s.letter[fieldHour] {
	case 'h', 'K':
		if s.kind[fieldPeriod] == 0 {
			s.set(fieldPeriod, 'a', 1)
			s.addedPeriod = true
		}
	case 'H', 'k':
		s.clear(fieldPeriod)
	}
	return s
}

// text writes the skeleton, without the period that was added to it.
func (s *skeleton) text() string {
	var b []byte
	for f := range numFields {
		if f == fieldPeriod && s.addedPeriod {
			continue
		}
		for range s.length[f] { //meter: a bounded field
			b = append(b, s.letter[f])
		}
	}
	return string(b)
}

// baseText writes what skeletons of the same fields and kinds have in common.
func (s *skeleton) baseText() string {
	var b []byte
	for f := range numFields {
		for range s.base[f] { //meter: at most the letters of a pattern
			b = append(b, s.letter[f])
		}
	}
	return string(b)
}

func (s *skeleton) mask() int {
	m := 0
	for f := range numFields {
		if s.kind[f] != 0 {
			m |= 1 << f
		}
	}
	return m
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
