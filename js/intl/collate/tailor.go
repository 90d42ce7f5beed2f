package collate

import (
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold/js/text"
	"golang.org/x/text/unicode/norm"
)

// tailoring is what a language changes in the root collation.
type tailoring struct {
	chars    map[uint32][]element
	pairs    map[[2]uint32][]element // contractions
	firsts   map[uint32]bool         // first characters of pairs
	han      func() []uint32         // rank of ideographs by that of the root
	hanFirst bool                    // ideographs before letters
	kana     bool                    // Japanese: Latin letters, kana, ideographs, the rest
	ascii    bool                    // contractions of ASCII
	first    [2]rune                 // the first letters of the script that comes before others, and of the next script
}

// place moves ideographs, and scripts before others.
func (tr *tailoring) place(t *table, p uint32) uint32 {
	if p < t.firstLetter {
		return p
	}
	han := p >= hanBase && p < unknownBase
	if han && tr.han != nil {
		p = hanBase + tr.han()[p-hanBase]
	}
	switch {
	case tr.first[0] != 0:
		if p < t.letter(tr.first[0]) || p >= t.letter(tr.first[1]) {
			return p + raised
		}
	case tr.hanFirst:
		if !han {
			return p + raised
		}
	case tr.kana:
		if !(han || p < t.firstGreek || p >= t.firstKana && p < t.afterKana) {
			return p + raised
		}
	}
	return p
}

// letter returns the primary weight of a plain letter.
func (t *table) letter(r rune) uint32 { return t.entry(uint32(r)) & entryMask }

// tailored finds the elements of r, which has been read, and perhaps the next
// character.
func tailored[C text.Char](w *source[C], tr *tailoring, r uint32) (elems []element, used int) {
	if len(tr.pairs) > 0 && w.i < len(w.s) {
		next, n := w.char(w.i)
		if e := tr.pairs[[2]uint32{r, next}]; e != nil {
			return e, n
		}
		if next >= 0x300 && w.skip == 0 && tr.firsts[r] {
			if e := w.discontiguous(r); e != nil {
				return e, 0
			}
		}
	}
	if e := tr.chars[r]; e != nil {
		return e, 0
	}
	if len(tr.pairs) > 0 && r >= 0xC0 && r < 0x2200 {
		return tr.decomposed(w.t, r), 0
	}
	return nil, 0
}

// decomposed returns the elements of a character with several marks that is
// made of a tailored one.
func (tr *tailoring) decomposed(t *table, r uint32) []element {
	d := []rune(string(properties(r).Decomposition()))
	if len(d) == 0 {
		return nil
	}
	var out []element
	taken := 0 // the mark that the letter has taken
	last := uint8(0)
	for i := 1; i < len(d) && out == nil; i++ { //meter: at most three
		class := combiningClass(uint32(d[i]))
		if class <= last {
			continue // blocked
		}
		last = class
		if e := tr.pairs[[2]uint32{uint32(d[0]), uint32(d[i])}]; e != nil {
			out, taken = append(out, e...), i
		}
	}
	if out == nil {
		e := tr.chars[uint32(d[0])]
		if e == nil {
			return nil
		}
		out = append(out, e...)
	}
	for i := 1; i < len(d); i++ { //meter: at most three
		if i != taken {
			out = append(out, t.elements(t.entry(uint32(d[i]))&^secondFlag, new([4]element))...)
		}
	}
	return out
}

// rules are tailorings in the notation of UTS #35, with these parts only: "&x"
// goes to a letter, "&^x" to the place before it; "<" makes a letter after it,
// "<<" one that differs in the accent, "<<<" one that differs in case; "x/y"
// adds y to the weights of x.
var rules = map[string]string{
	"es":      "&n <ñ <<<Ñ",
	"es-trad": "&n <ñ <<<Ñ &c <ch <<<Ch <<<CH &l <ll <<<Ll <<<LL",
	"pl":      "&a <ą <<<Ą &c <ć <<<Ć &e <ę <<<Ę &l <ł <<<Ł &n <ń <<<Ń &o <ó <<<Ó &s <ś <<<Ś &z <ź <<<Ź <ż <<<Ż",
	"tr":      "&c <ç <<<Ç &g <ğ <<<Ğ &^i <ı <<<I &i <<<İ &o <ö <<<Ö &s <ş <<<Ş &u <ü <<<Ü",
	"sv": "&d <<đ <<<Đ <<ð <<<Ð &t <<<þ/h &T <<<Þ/h &y <<ü <<<Ü <<ű <<<Ű " +
		"&^ǀ <å <<<Å <ä <<<Ä <<æ <<<Æ <<ę <<<Ę <ö <<<Ö <<ø <<<Ø <<ő <<<Ő <<œ <<<Œ <<ô <<<Ô",
	"da": "&d <<đ <<<Đ <<ð <<<Ð &t <<<þ/h &T <<<Þ/h &y <<ü <<<Ü <<ű <<<Ű " +
		"&^ǀ <æ <<<Æ <<ä <<<Ä <ø <<<Ø <<ö <<<Ö <<ő <<<Ő <å <<<Å <<<aa <<<Aa <<<AA",
}

// ruled is the tailoring of rules.
func ruled(text string) *tailoring {
	tr := newTailoring()
	t := root()
	var primary uint32
	var secondary uint16
	var level, letterCase uint8
	for rule := range strings.FieldsSeq(text) { //meter: fixed data
		if at, ok := strings.CutPrefix(rule, "&"); ok {
			at, before := strings.CutPrefix(at, "^")
			e := t.elements(t.entry(uint32([]rune(at)[0]))&^secondFlag, new([4]element))[0]
			primary, secondary = e.primary(), plainSecondary
			level, letterCase = uint8(e.tertiary()), uint8(e.letterCase())
			if before {
				primary -= rankStep
			}
			continue
		}
		form := strings.TrimLeft(rule, "<")
		switch len(rule) - len(form) {
		case 1:
			primary++
			secondary, level, letterCase = plainSecondary, plainTertiary, lowerCase
		case 2:
			secondary++
			level, letterCase = plainTertiary, lowerCase
		default:
			level++
			if letterCase = upperCase; len(form) == 2 && form[1] >= 'a' {
				letterCase = mixedCase
			}
			if form == "aa" || form[0] == 0xC3 && []rune(form)[0] == 'þ' {
				letterCase = lowerCase
			}
		}
		form, extra, more := strings.Cut(form, "/")
		elems := []element{makeElement(primary, secondary, level, letterCase)}
		if more {
			elems = append(elems, makeElement(t.letter([]rune(extra)[0]), plainSecondary, level, letterCase))
		}
		r := []rune(form)
		if len(r) == 1 {
			tr.chars[uint32(r[0])] = elems
			r = []rune(norm.NFD.String(form))
			tr.ascii = tr.ascii || form[0] < 0x80
		}
		if len(r) == 2 {
			tr.pair(uint32(r[0]), uint32(r[1]), elems)
			tr.ascii = tr.ascii || r[1] < 0x80
		}
	}
	return tr
}

func newTailoring() *tailoring {
	return &tailoring{chars: map[uint32][]element{}, pairs: map[[2]uint32][]element{}, firsts: map[uint32]bool{}}
}

func (tr *tailoring) pair(a, b uint32, elems []element) {
	tr.pairs[[2]uint32{a, b}] = elems
	tr.firsts[a] = true
}

// phonebook orders the umlauts of German like the vowel and an e.
var phonebook = sync.OnceValue(func() *tailoring {
	tr := newTailoring()
	t := root()
	for _, chars := range [...]string{"äÄaA", "öÖoO", "üÜuU"} { //meter: fixed
		r := []rune(chars)
		for i := range 2 { //meter: fixed
			level, letterCase := uint8(4), uint8(lowerCase)
			if i == 1 {
				level, letterCase = 10, upperCase
			}
			elems := []element{
				makeElement(t.entry(uint32(r[2]))&entryMask, plainSecondary, level, letterCase),
				makeElement(0, beyondSecondary, plainTertiary, lowerCase),
				makeElement(t.entry('e')&entryMask, plainSecondary, level, letterCase),
			}
			tr.chars[uint32(r[i])] = elems
			tr.pair(uint32(r[2+i]), 0x308, elems)
		}
	}
	return tr
})

// chinese orders ideographs by pinyin and before letters. Letters with the marks
// of tones come before those without.
var chinese = sync.OnceValue(func() *tailoring {
	tr := newTailoring()
	tr.han, tr.hanFirst = zhHan, true
	t := root()
	for _, base := range [...]string{"aA", "eE", "iI", "mM", "nN", "oO", "uU"} { //meter: fixed
		for i, c := range base { //meter: fixed
			plain := t.elements(t.entry(uint32(c))&^secondFlag, new([4]element))[0]
			for tone, mark := range [...]uint32{0x304, 0x301, 0x30C, 0x300} { //meter: fixed
				e := []element{makeElement(plain.primary(), uint16(1+tone), uint8(plain.tertiary()), uint8(plain.letterCase()))}
				tr.pair(uint32(c), mark, e)
				if r := []rune(norm.NFC.String(string([]rune{c, rune(mark)}))); len(r) == 1 {
					tr.chars[uint32(r[0])] = e
				}
			}
			if base != "uU" {
				continue
			}
			for tone, r := range [...][2]rune{{'ǖ', 'Ǖ'}, {'ǘ', 'Ǘ'}, {'ǚ', 'Ǚ'}, {'ǜ', 'Ǜ'}, {'ü', 'Ü'}} { //meter: fixed
				e := []element{makeElement(plain.primary(), uint16(plainSecondary+1+tone), uint8(plain.tertiary()), uint8(plain.letterCase()))}
				tr.chars[uint32(r[i])] = e
				if tone == 4 {
					tr.pair(uint32(c), 0x308, e)
				}
			}
		}
	}
	return tr
})

// japanese orders ideographs as in JIS X 0208, after kana. Full-width and
// half-width forms, and hiragana and katakana, are equal.
var japanese = sync.OnceValue(func() *tailoring {
	tr := newTailoring()
	tr.han, tr.kana = jaHan, true
	t := root()
	fold := func(c uint32, s string, level func(uint32) uint32) {
		var elems []element
		for _, r := range s { //meter: at most two
			for _, e := range t.elements(t.entry(uint32(r))&^secondFlag, new([4]element)) { //meter: at most two
				elems = append(elems, e&^0xFF|element(level(e.tertiary())))
			}
		}
		tr.chars[c] = elems
	}
	hiragana := func(l uint32) uint32 {
		switch l {
		case katakanaSmall:
			return hiraganaSmall
		case katakana:
			return hiraganaPlain
		}
		return l
	}
	for _, r := range [...][2]uint32{{0x3000, 0x3000}, {0x3131, 0x3164}, {0xFF01, 0xFFEE}, {0x30A1, 0x30FA}, {0x31F0, 0x31FF}} { //meter: fixed
		for c := r[0]; c <= r[1]; c++ { //meter: fixed
			if c == 0xFF5F || c == 0xFF60 || c == 0xFFE3 {
				continue
			}
			if t.entry(c)&^secondFlag != 0 {
				fold(c, norm.NFKD.String(string(rune(c))), hiragana)
			}
		}
	}
	return tr
})

// Tertiary weights of kana, and one before them all.
const (
	repeated      = 0xC
	hiraganaSmall = 0xD
	hiraganaPlain = 0xE
	katakanaSmall = 0xF
	katakana      = 0x11
)

// kanaVowels are the vowels of U+3041 to U+3096.
const kanaVowels = "aaiiuueeoo" + "aaiiuueeoo" + "aaiiuueeoo" + "aaiiuuueeoo" + "aiueo" + "aaaiiiuuueeeooo" + "aiueo" + "aauuoo" + "aiueo" + "aa" + "ieo-uae"

// japaneseMark finds the elements of the marks of a long vowel and of
// repetition after kana.
func japaneseMark[C text.Char](w *source[C], r uint32) bool {
	if r < 0x309D || r > 0x30FE || w.i < 2 {
		return false
	}
	prev := uint32(w.s[w.i-2])
	voiced := uint32(0)
	if (prev == 0x3099 || prev == 0x309A) && w.i > 2 {
		voiced, prev = prev, uint32(w.s[w.i-3])
	}
	if prev >= 0x30A1 && prev <= 0x30F6 {
		prev -= 0x60
	}
	if prev < 0x3041 || prev > 0x3096 {
		return false
	}
	like := prev
	switch r {
	case 0x30FC:
		i := strings.IndexByte("aiueo", kanaVowels[prev-0x3041])
		if i < 0 {
			return false
		}
		like, voiced = 0x3042+2*uint32(i), 0
	case 0x309D, 0x30FD:
		if d := properties(prev).Decomposition(); d != nil && voiced == 0 {
			voiced = uint32([]rune(string(d))[1])
		}
	case 0x309E, 0x30FE:
		voiced = 0x3099
	default:
		return false
	}
	var buf [4]element
	e := w.t.elements(w.t.entry(like)&^secondFlag, &buf)[0]
	w.buf[0] = makeElement(e.primary(), plainSecondary, repeated, lowerCase)
	w.at, w.end = 0, 1
	if voiced != 0 {
		w.buf[1] = w.t.elements(w.t.entry(voiced)&^secondFlag, &buf)[0]
		w.end = 2
	}
	return true
}

var ruledTailorings = func() map[string]func() *tailoring {
	m := map[string]func() *tailoring{}
	for name, text := range rules { //meter: fixed data; the order does not matter
		m[name] = sync.OnceValue(func() *tailoring { return ruled(text) })
	}
	return m
}()

func tailoringOf(name string) *tailoring {
	if load := ruledTailorings[name]; load != nil {
		return load()
	}
	switch name {
	case "de-phonebk":
		return phonebook()
	case "zh":
		return chinese()
	case "ja":
		return japanese()
	case "ru": // and other languages in Cyrillic
		return &tailoring{first: [2]rune{'а', 'ⰰ'}}
	case "el":
		return &tailoring{first: [2]rune{'α', 'ⲁ'}}
	case "zh-unihan":
		return &tailoring{hanFirst: true}
	case "ja-unihan":
		tr := *japanese()
		tr.han = nil
		return &tr
	}
	return nil
}
