package collate

import (
	"strconv"
	"strings"
	"sync"
)

// hanBlocks are the first and last code points of the blocks of ideographs;
// han.txt calls them A, B, ….
var hanBlocks = [...][2]uint32{
	{0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B820, 0x2CEAF},
	{0x2CEB0, 0x2EBEF}, {0x2EBF0, 0x2EE5F}, {0x30000, 0x3134F}, {0x31350, 0x323AF}, {0x323B0, 0x3347F},
}

// hanOrder has the rank of each ideograph, 0 for none, by block.
type hanOrder struct {
	ranks [len(hanBlocks)][]uint32
	extra map[uint32]uint32 // ideographs among the compatibility ideographs
	count uint32
}

func (h *hanOrder) set(c, rank uint32) {
	for i, b := range hanBlocks { //meter: fixed
		if c >= b[0] && c <= b[1] {
			if h.ranks[i] == nil {
				h.ranks[i] = make([]uint32, b[1]-b[0]+1) //meter: embedded data, once
			}
			h.ranks[i][c-b[0]] = rank
			return
		}
	}
	h.extra[c] = rank
}

func (h *hanOrder) rank(c uint32) uint32 {
	for i, b := range hanBlocks { //meter: fixed
		if c < b[0] {
			break
		}
		if c <= b[1] {
			return h.ranks[i][c-b[0]]
		}
	}
	return h.extra[c]
}

// rootHan is the order of the root collation: by radical and stroke.
var rootHan = sync.OnceValue(func() *hanOrder {
	h := &hanOrder{extra: map[uint32]uint32{}}
	text := strings.ReplaceAll(hanText, "\n", "")
	var at [len(hanBlocks)]uint32
	for i := range at { //meter: fixed
		at[i] = hanBlocks[i][0]
	}
	rank := uint32(0)
	for i := 0; i < len(text); { //meter: embedded data, once
		c, explicit := uint32(0), text[i] == ':'
		if explicit {
			i++
			from := i
			for text[i] < 'A' || text[i] > 'Z' { //meter: embedded data, once
				i++
			}
			c = hexNumber(text[from:i])
		}
		block := text[i] - 'A'
		i++
		from := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' { //meter: embedded data, once
			i++
		}
		n := 1
		if i > from {
			n, _ = strconv.Atoi(text[from:i])
		}
		if !explicit {
			c = at[block]
		}
		for range n { //meter: embedded data, once
			rank++
			h.set(c, rank)
			c++
		}
		h.count = rank
		if int(block) < len(at) {
			at[block] = c
		}
	}
	return h
})

// tailoredHan puts the ideographs of a list before the others. The result has
// the new rank by that of the root.
func tailoredHan(list string) []uint32 {
	r := rootHan()
	ranks := make([]uint32, r.count+1) //meter: embedded data, once
	n := uint32(0)
	for _, c := range list { //meter: embedded data, once
		if c != '\n' {
			n++
			ranks[r.rank(uint32(c))] = n
		}
	}
	for i := range ranks[1:] { //meter: embedded data, once
		if ranks[i+1] == 0 {
			n++
			ranks[i+1] = n
		}
	}
	return ranks
}

var (
	zhHan = sync.OnceValue(func() []uint32 { return tailoredHan(zhText) })
	jaHan = sync.OnceValue(func() []uint32 { return tailoredHan(jaText) })
)

// implicit returns the primary weight of a character without an entry: an
// ideograph or one that is not assigned (UTS #10 §10.1.3).
func implicit(c uint32) uint32 {
	switch {
	case c >= 0x3400 && c <= 0x9FFF, c >= 0xFA0E && c <= 0xFA29, c >= 0x20000 && c <= 0x3347F:
		if r := rootHan().rank(c); r != 0 {
			return hanBase + r
		}
	case c >= 0x17000 && c <= 0x187FF, c >= 0x18D00 && c <= 0x18D7F:
		return tangutBase + c
	case c >= 0x18800 && c <= 0x18AFF, c >= 0x18D80 && c <= 0x18DFF: // components
		return tangutBase + 0x100000 + c
	case c >= 0x1B170 && c <= 0x1B2FF:
		return nushuBase + c
	case c >= 0x18B00 && c <= 0x18CFF:
		return khitanBase + c
	}
	return unknownBase + c
}
