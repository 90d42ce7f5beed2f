package regexp

// Flags are a pattern's flags.
type Flags uint16

// The flags of ES2025.
const (
	HasIndices  Flags = 1 << iota // d
	Global                        // g
	IgnoreCase                    // i
	Multiline                     // m
	DotAll                        // s
	Unicode                       // u
	UnicodeSets                   // v
	Sticky                        // y
)

// flagLetters are in the order of the bits, which is the order in which
// RegExp.prototype.flags lists them.
const flagLetters = "dgimsuvy"

// ParseFlags reads a flags string. It fails on an unknown letter, a repeated
// letter, and u together with v.
func ParseFlags(s string) (Flags, bool) {
	var f Flags
	for i := 0; i < len(s); i++ { //meter: at most nine: a letter that repeats ends it
		bit := Flags(0)
		for j := 0; j < len(flagLetters); j++ {
			if s[i] == flagLetters[j] {
				bit = 1 << j
			}
		}
		if bit == 0 || f&bit != 0 {
			return 0, false
		}
		f |= bit
	}
	if f&Unicode != 0 && f&UnicodeSets != 0 {
		return 0, false
	}
	return f, true
}

// String returns the letters in the order of RegExp.prototype.flags.
func (f Flags) String() string {
	var b [len(flagLetters)]byte
	n := 0
	for i := 0; i < len(flagLetters); i++ {
		if f&(1<<i) != 0 {
			b[n] = flagLetters[i]
			n++
		}
	}
	return string(b[:n])
}

// FullUnicode reports whether the pattern works on code points (u or v).
func (f Flags) FullUnicode() bool { return f&(Unicode|UnicodeSets) != 0 }
