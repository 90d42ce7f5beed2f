package segment

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/breaks.txt
var breakText string

// class is a value of one of the three properties; what is not listed is other.
type class uint8

const other class = 0

// Values of the properties, by the names in the data.
const (
	cr class = iota + 1
	lf
	control // Newline of words, Sep of sentences
	extend
	zwj
	regional
	prepend
	spacingMark
	hangulL
	hangulV
	hangulT
	hangulLV
	hangulLVT
	format
	aLetter
	hebrew
	katakana
	midLetter
	midNum
	midNumLet
	singleQuote
	doubleQuote
	numeric
	extendNumLet
	wSegSpace
	aTerm
	sTerm
	closeMark
	sContinue
	sp
	upper
	lower
	oLetter
)

var classNames = map[string]class{
	"CR": cr, "LF": lf, "Control": control, "Newline": control, "Sep": control, "Extend": extend, "ZWJ": zwj, "Regional_Indicator": regional,
	"Prepend": prepend, "SpacingMark": spacingMark, "L": hangulL, "V": hangulV, "T": hangulT, "Format": format, "ALetter": aLetter,
	"Hebrew_Letter": hebrew, "Katakana": katakana, "MidLetter": midLetter, "MidNum": midNum, "MidNumLet": midNumLet,
	"Single_Quote": singleQuote, "Double_Quote": doubleQuote, "Numeric": numeric, "ExtendNumLet": extendNumLet, "WSegSpace": wSegSpace,
	"ATerm": aTerm, "STerm": sTerm, "Close": closeMark, "SContinue": sContinue, "Sp": sp, "Upper": upper, "Lower": lower, "OLetter": oLetter,
}

// Bits that are added to the class of graphemes.
const (
	classMask    class = 0x3F
	pictographic class = 0x40 // Extended_Pictographic, in grapheme and word
)

// Values of Indic_Conjunct_Break.
const (
	conjunctConsonant class = iota + 1
	conjunctExtend
	conjunctLinker
)

const pageBits = 7

// property maps characters to classes.
type property struct {
	index [0x110000 >> pageBits]uint16
	pages [][1 << pageBits]class
}

func (p *property) of(r uint32) class { return p.pages[p.index[r>>pageBits]][r&(1<<pageBits-1)] }

func (p *property) or(r uint32, c class) {
	i := &p.index[r>>pageBits]
	if *i == 0 {
		*i = uint16(len(p.pages))
		p.pages = append(p.pages, [1 << pageBits]class{})
	}
	p.pages[*i][r&(1<<pageBits-1)] |= c
}

type tables struct {
	grapheme, word, sentence, conjunct, complex property
}

// load is the parsed data.
var load = sync.OnceValue(func() *tables {
	t := &tables{}
	all := []*property{&t.grapheme, &t.word, &t.sentence, &t.conjunct, &t.complex}
	for _, p := range all { //meter: fixed
		p.pages = make([][1 << pageBits]class, 1)
	}
	var to []*property
	section := ""
	for line := range strings.Lines(breakText) { //meter: embedded data, once
		f := strings.Fields(line)
		if f[0][0] == '[' {
			section = f[0]
			switch section {
			case "[grapheme]":
				to = all[:1]
			case "[word]":
				to = all[1:2]
			case "[sentence]":
				to = all[2:3]
			case "[conjunct]":
				to = all[3:4]
			case "[pictographic]":
				to = all[:2]
			case "[complex]":
				to = all[4:5]
			}
			continue
		}
		c := classNames[f[0]]
		switch section {
		case "[pictographic]":
			c = pictographic
		case "[complex]":
			c = 1
		case "[conjunct]":
			c = map[string]class{"Consonant": conjunctConsonant, "Extend": conjunctExtend, "Linker": conjunctLinker}[f[0]]
		}
		end := uint32(0)
		for _, tok := range f[1:] { //meter: embedded data, once
			gap, more, _ := strings.Cut(tok, "+")
			g, _ := strconv.ParseUint(gap, 36, 32)
			n, _ := strconv.ParseUint(more, 36, 32)
			r := end + uint32(g)
			end = r + uint32(n) + 1
			for ; r < end; r++ { //meter: embedded data, once
				for _, p := range to { //meter: at most two
					p.or(r, c)
				}
			}
		}
	}
	return t
})

func graphemeClass(t *tables, r uint32) class {
	if r-0xAC00 < 11172 {
		if (r-0xAC00)%28 == 0 {
			return hangulLV
		}
		return hangulLVT
	}
	return t.grapheme.of(r)
}

// wordClass is the class of words. Syllables of Hangul are apart from other
// letters, as in CLDR.
func wordClass(t *tables, r uint32) class {
	if r-0xAC00 < 11172 {
		return hangulLVT
	}
	return t.word.of(r)
}
