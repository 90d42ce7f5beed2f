package regexp

import "unicode/utf8"

// A Meter is charged for work (fuel units) and memory (bytes). *meter.Meter is
// one. Its errors are passed up unchanged.
type Meter interface {
	Charge(n int64) error
	Grow(n int64) error
	Shrink(n int64)
}

// A SyntaxError says why a pattern is not one.
type SyntaxError struct {
	Message string // V8's message in full, WTF-8: "Invalid regular expression: /(/: Unterminated group"
	Reason  string // its last part: "Unterminated group"
	Offset  int    // where in the pattern: code units for Compile, bytes for CheckSyntax
}

func (e *SyntaxError) Error() string { return e.Message }

// The reasons, as V8 words them.
const (
	errTooLarge         = "Regular expression too large"
	errUnterminated     = "Unterminated group"
	errUnmatchedParen   = "Unmatched ')'"
	errEscapeAtEnd      = "\\ at end of pattern"
	errPropertyName     = "Invalid property name"
	errPropertyInClass  = "Invalid property name in character class"
	errEscape           = "Invalid escape"
	errDecimalEscape    = "Invalid decimal escape"
	errUnicodeEscape    = "Invalid Unicode escape"
	errNothingToRepeat  = "Nothing to repeat"
	errLoneBrackets     = "Lone quantifier brackets"
	errQuantifierOrder  = "numbers out of order in {} quantifier"
	errIncomplete       = "Incomplete quantifier"
	errQuantifier       = "Invalid quantifier"
	errGroup            = "Invalid group"
	errManyDashes       = "Multiple dashes in flag group"
	errRepeatedFlag     = "Repeated flag in flag group"
	errFlagGroup        = "Invalid flag group"
	errTooManyCaptures  = "Too many captures"
	errGroupName        = "Invalid capture group name"
	errDuplicateName    = "Duplicate capture group name"
	errNamedReference   = "Invalid named reference"
	errNameReferenced   = "Invalid named capture referenced"
	errClassEscape      = "Invalid class escape"
	errClass            = "Invalid character class"
	errUnterminatedSet  = "Unterminated character class"
	errClassOrder       = "Range out of order in character class"
	errSetOperation     = "Invalid set operation in character class"
	errSetCharacter     = "Invalid character in character class"
	errNegatedStrings   = "Negated character class may contain strings"
	errInvalidFlagsText = "Invalid regular expression flags"
)

// syntaxError builds the message for a pattern.
func syntaxError(src []uint16, flags Flags, reason string, offset int) *SyntaxError {
	const head = "Invalid regular expression: /"
	b := make([]byte, 0, len(head)+len(src)+len(reason)+12)
	b = append(b, head...)
	b = appendWTF8(b, src)
	b = append(b, '/')
	b = append(b, flags.String()...)
	b = append(b, ": "...)
	b = append(b, reason...)
	return &SyntaxError{Message: string(b), Reason: reason, Offset: offset}
}

// appendWTF8 appends UTF-16 code units as UTF-8, lone surrogates as the three
// bytes their number would have.
func appendWTF8(b []byte, src []uint16) []byte {
	for i := 0; i < len(src); i++ { //meter: a part of the pattern, whose length was charged
		r := rune(src[i])
		if isLead(src[i]) && i+1 < len(src) && isTrail(src[i+1]) {
			r = combine(src[i], src[i+1])
			i++
		}
		if r >= 0xD800 && r <= 0xDFFF {
			b = append(b, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return b
}

// fromWTF8 is the inverse. offsets[i] is the byte offset of unit i, with one
// entry more for the end. A byte that is no part of WTF-8 becomes U+FFFD.
func fromWTF8(s string) (units []uint16, offsets []int32) {
	units = make([]uint16, 0, len(s))
	offsets = make([]int32, 0, len(s)+1)
	for i := 0; i < len(s); { //meter: a part of the source text, whose length the parser charges
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 && i+2 < len(s) && s[i] == 0xED && s[i+1]&0xE0 == 0xA0 && s[i+2]&0xC0 == 0x80 {
			r, n = 0xD000|rune(s[i+1]&0x3F)<<6|rune(s[i+2]&0x3F), 3
		}
		if r > 0xFFFF {
			units = append(units, uint16(0xD800+(r-0x10000)>>10), uint16(0xDC00+(r-0x10000)&0x3FF))
			offsets = append(offsets, int32(i), int32(i))
		} else {
			units = append(units, uint16(r))
			offsets = append(offsets, int32(i))
		}
		i += n
	}
	return units, append(offsets, int32(len(s)))
}

func isLead[T byte | uint16](u T) bool  { return uint16(u)&0xFC00 == 0xD800 }
func isTrail[T byte | uint16](u T) bool { return uint16(u)&0xFC00 == 0xDC00 }

func combine[T byte | uint16](lead, trail T) rune {
	return (rune(lead)-0xD800)<<10 + rune(trail) - 0xDC00 + 0x10000
}
