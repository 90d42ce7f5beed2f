package ucd

import (
	"slices"
	"sort"
)

// Cases are the classes of characters that ECMA-262's Canonicalize maps to the
// same character.
type Cases struct {
	Members []Member // sorted by Rune; only characters that have an equal
	latin1  [256]rune
}

// A Member is one character of a class of at least two.
type Member struct {
	Rune  rune
	Class []rune // sorted, Rune among them
}

// FoldedCases are the classes of Canonicalize with the flag u or v (simple
// case folding).
func FoldedCases() *Cases { return load().folded }

// UpperCases are the classes of Canonicalize without u and v (upper case, one
// code unit to one code unit, nothing beyond ASCII to ASCII).
func UpperCases() *Cases { return load().upper }

func (r *reader) cases() *Cases {
	c := &Cases{}
	for i := range c.latin1 {
		c.latin1[i] = rune(i)
	}
	for range r.uint() { //meter: embedded data, once
		class := make([]rune, r.uint()) //meter: embedded data, once
		at := rune(0)
		for i := range class { //meter: embedded data, once
			at += rune(r.uint())
			class[i] = at
		}
		for _, m := range class { //meter: embedded data, once
			c.Members = append(c.Members, Member{m, class})
			if m < 256 {
				c.latin1[m] = class[0]
			}
		}
	}
	slices.SortFunc(c.Members, func(a, b Member) int { return int(a.Rune - b.Rune) })
	return c
}

// From returns the index of the first member that is r or greater.
func (c *Cases) From(r rune) int {
	return sort.Search(len(c.Members), func(i int) bool { return c.Members[i].Rune >= r })
}

// Class returns the characters equal to r, r among them, or nil when r has no
// equal but itself.
func (c *Cases) Class(r rune) []rune {
	if i := c.From(r); i < len(c.Members) && c.Members[i].Rune == r {
		return c.Members[i].Class
	}
	return nil
}

// Canonical returns the representative of r's class: two characters are equal
// when case is ignored exactly if their representatives are.
func (c *Cases) Canonical(r rune) rune {
	if r < 256 {
		return c.latin1[r]
	}
	if class := c.Class(r); class != nil {
		return class[0]
	}
	return r
}
