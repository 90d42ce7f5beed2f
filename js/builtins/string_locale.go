package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/intl/collate"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
	"golang.org/x/text/unicode/norm"
)

// The methods of strings that ECMA-402 §19.1 defines.

// stringLocaleCompare is String.prototype.localeCompare (ECMA-402 §19.1.1).
func stringLocaleCompare(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "localeCompare")
	if err != nil {
		return vm.Undefined, err
	}
	t, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	col, err := collatorFor(m, c.Arg(1), c.Arg(2))
	if err != nil {
		return vm.Undefined, err
	}
	return compareStrings(m, col, s, t)
}

// collatorFor makes the collator of locales and options, or finds the one of
// the same arguments from before.
func collatorFor(m *vm.Machine, locales, options vm.Value) (*collate.Collator, error) {
	resolve := func(string) (*collate.Collator, error) {
		text, err := resolveCollator(m, "String.prototype.localeCompare", locales, options)
		if err != nil {
			return nil, err
		}
		return newCollator(text)
	}
	if options == vm.Undefined {
		if locales == vm.Undefined {
			return intlCachedText(m, intlCollator, "", resolve)
		}
		if locales.IsString() && m.H.Len(locales.AsStr()) <= 32 {
			b, u, err := m.H.Units16(locales.AsStr())
			if err != nil {
				return nil, err
			}
			if u == nil {
				return intlCachedText(m, intlCollator, b, resolve)
			}
		}
	}
	text, err := resolveCollator(m, "String.prototype.localeCompare", locales, options)
	if err != nil {
		return nil, err
	}
	return intlCachedText(m, intlCollator, text, newCollator)
}

// caseLanguage is the first half of TransformCase (ECMA-402 §19.1.2.1): the
// language whose case mappings differ from those of Unicode, or "".
func caseLanguage(m *vm.Machine, locales vm.Value) (string, error) {
	if locales == vm.Undefined {
		return "", nil
	}
	requested, err := canonicalizeLocaleList(m, locales)
	if err != nil || len(requested) == 0 {
		return "", err
	}
	switch lang, _, _ := strings.Cut(requested[0], "-"); lang {
	case "az", "tr", "lt":
		return lang, nil
	}
	return "", nil
}

func stringToLocaleLowerCase(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return localeCase(m, &c, "toLocaleLowerCase", lowerSpecial, lowerCase)
}

func stringToLocaleUpperCase(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return localeCase(m, &c, "toLocaleUpperCase", upperSpecial, upperCase)
}

// localeCase is toLocaleLowerCase and toLocaleUpperCase (ECMA-402 §19.1.2): what
// the language does first, then the mappings of all.
func localeCase(m *vm.Machine, c *vm.Call, method string, special func(lang string, s []rune) []rune,
	rest func(*vm.Machine, vm.Str) (vm.Value, error)) (vm.Value, error) {
	s, err := thisString(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	lang, err := caseLanguage(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if lang == "" {
		return rest(m, s)
	}
	n := m.H.Len(s)
	if err := m.Charge(n); err != nil {
		return vm.Undefined, err
	}
	if err := m.Hold(int64(n) * 16); err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	runes := make([]rune, 0, n+n/4)
	if u == nil {
		for _, ch := range b { //meter: charged above
			runes = append(runes, rune(ch))
		}
	} else {
		// Lone surrogates stay what they are.
		for i := 0; i < len(u); i++ { //meter: charged above
			r := uint32(u[i])
			if r&0xFC00 == 0xD800 && i+1 < len(u) && u[i+1]&0xFC00 == 0xDC00 {
				r = text.Pair(u[i], u[i+1])
				i++
			}
			runes = append(runes, rune(r))
		}
	}
	runes = special(lang, runes)
	sb := stringBuilder{m: m}
	defer sb.release()
	for _, r := range runes { //meter: charged above
		if r >= 0x10000 {
			if err := sb.unit(uint16(0xD800 + (r-0x10000)>>10)); err != nil {
				return vm.Undefined, err
			}
			r = 0xDC00 + r&0x3FF
		}
		if err := sb.unit(uint16(r)); err != nil {
			return vm.Undefined, err
		}
	}
	mapped, err := sb.finish()
	if err != nil {
		return vm.Undefined, err
	}
	return rest(m, mapped)
}

const (
	dotAbove      = 0x307
	dotlessI      = 0x131
	capitalIDot   = 0x130
	classAbove    = 230
	iOgonek       = 0x12F
	capitalIOgo   = 0x12E
	combiningGr   = 0x300
	combiningAc   = 0x301
	combiningTil  = 0x303
	capitalIGrave = 0xCC
	capitalIAcute = 0xCD
	capitalITilde = 0x128
)

func combiningClassOf(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	return norm.NFD.PropertiesString(string(r)).CCC()
}

// moreAbove, beforeDot are the conditions of that name in SpecialCasing
// (The Unicode Standard, §3.13), of the character at i.
func moreAbove(s []rune, i int) bool {
	for _, r := range s[i+1:] { //meter: stops at the next base character; charged by the caller
		switch combiningClassOf(r) {
		case 0:
			return false
		case classAbove:
			return true
		}
	}
	return false
}

// beforeDot returns the place of the combining dot above that follows, or -1.
func beforeDot(s []rune, i int) int {
	for k, r := range s[i+1:] { //meter: stops at the next base character; charged by the caller
		if r == dotAbove {
			return i + 1 + k
		}
		if c := combiningClassOf(r); c == 0 || c == classAbove {
			return -1
		}
	}
	return -1
}

// lowerSpecial are the mappings to lower case of Turkish, Azeri and Lithuanian.
func lowerSpecial(lang string, s []rune) []rune {
	out := make([]rune, 0, len(s))
	dropped := -1
	for i, r := range s { //meter: charged by the caller
		switch {
		case lang == "lt":
			switch r {
			case 'I', 'J', capitalIOgo:
				if moreAbove(s, i) {
					low := map[rune]rune{'I': 'i', 'J': 'j', capitalIOgo: iOgonek}[r]
					out = append(out, low, dotAbove)
					continue
				}
			case capitalIGrave:
				out = append(out, 'i', dotAbove, combiningGr)
				continue
			case capitalIAcute:
				out = append(out, 'i', dotAbove, combiningAc)
				continue
			case capitalITilde:
				out = append(out, 'i', dotAbove, combiningTil)
				continue
			}
		case r == capitalIDot:
			r = 'i'
		case r == 'I':
			if dot := beforeDot(s, i); dot >= 0 {
				r, dropped = 'i', dot
			} else {
				r = dotlessI
			}
		case i == dropped:
			continue
		}
		out = append(out, r)
	}
	return out
}

// upperSpecial are the mappings to upper case of Turkish, Azeri and Lithuanian.
func upperSpecial(lang string, s []rune) []rune {
	out := make([]rune, 0, len(s))
	soft := false         // after a letter with a soft dot, and no mark above since
	for _, r := range s { //meter: charged by the caller
		if lang != "lt" {
			if r == 'i' {
				r = capitalIDot
			}
			out = append(out, r)
			continue
		}
		if r == dotAbove && soft {
			soft = false
			continue
		}
		switch combiningClassOf(r) {
		case 0:
			soft = softDotted(r)
		case classAbove:
			soft = false
		}
		out = append(out, r)
	}
	return out
}

// softDotted is the property of that name.
func softDotted(r rune) bool {
	switch r {
	case 'i', 'j', iOgonek, 0x249, 0x268, 0x29D, 0x2B2, 0x3F3, 0x456, 0x458, 0x1D62, 0x1D96, 0x1DA4, 0x1DA8, 0x1E2D, 0x1ECB,
		0x2071, 0x2148, 0x2149, 0x2C7C, 0x1DF1A, 0x1E04C, 0x1E04D, 0x1E068:
		return true
	}
	return r >= 0x1D422 && r <= 0x1D6A3 && (r-0x1D422)%52 < 2
}
