package text

// x/text knows Unicode 15. This is what Unicode 16 and 17 added to
// normalization: combining classes, canonical decompositions with their
// compositions, and compatibility decompositions.

type classRange struct {
	lo, hi uint32
	ccc    uint8
}

var newerClasses = [...]classRange{
	{0x897, 0x897, 230},
	{0x1ACF, 0x1ADC, 230},
	{0x1ADD, 0x1ADD, 220},
	{0x1AE0, 0x1AE5, 230},
	{0x1AE6, 0x1AE6, 220},
	{0x1AE7, 0x1AEA, 230},
	{0x1AEB, 0x1AEB, 234},
	{0x10D69, 0x10D6D, 230},
	{0x10EFA, 0x10EFB, 220},
	{0x113CE, 0x113D0, 9},
	{0x1612F, 0x1612F, 9},
	{0x1E5EE, 0x1E5EE, 230},
	{0x1E5EF, 0x1E5EF, 220},
	{0x1E6E3, 0x1E6E3, 230},
	{0x1E6E6, 0x1E6E6, 230},
	{0x1E6EE, 0x1E6EF, 230},
	{0x1E6F5, 0x1E6F5, 230},
}

// newerCompositions are sorted by what they compose to.
var newerCompositions = [...]composition{
	{0x105D2, 0x307, 0x105C9},
	{0x105DA, 0x307, 0x105E4},
	{0x11382, 0x113C9, 0x11383},
	{0x11384, 0x113BB, 0x11385},
	{0x1138B, 0x113C2, 0x1138E},
	{0x11390, 0x113C9, 0x11391},
	{0x113C2, 0x113C2, 0x113C5},
	{0x113C2, 0x113B8, 0x113C7},
	{0x113C2, 0x113C9, 0x113C8},
	{0x1611E, 0x1611E, 0x16121},
	{0x1611E, 0x16129, 0x16122},
	{0x1611E, 0x1611F, 0x16123},
	{0x16129, 0x1611F, 0x16124},
	{0x1611E, 0x16120, 0x16125},
	{0x16121, 0x1611F, 0x16126},
	{0x16122, 0x1611F, 0x16127},
	{0x16121, 0x16120, 0x16128},
	{0x16D67, 0x16D67, 0x16D68},
	{0x16D63, 0x16D67, 0x16D69},
	{0x16D69, 0x16D67, 0x16D6A},
}

// mayBeNewer is false for most characters.
func mayBeNewer(r uint32) bool {
	return r >= 0x105C9 && r <= 0x1E6F5 || r-0x1ACF <= 0x1AEB-0x1ACF || r == 0x897 || r == 0xA7F1
}

// newerClass returns the combining class of a character that Unicode 15 does
// not have.
func newerClass(r uint32) uint8 {
	for i := range newerClasses { //meter: fixed
		if c := &newerClasses[i]; r <= c.hi {
			if r < c.lo {
				break
			}
			return c.ccc
		}
	}
	return 0
}

// newerDecomposition returns one step of the decomposition of a character that
// Unicode 15 does not have; b is 0 if it is one character.
func newerDecomposition(r uint32, compatibility bool) (a, b uint32, ok bool) {
	for i := range newerCompositions { //meter: fixed
		if c := &newerCompositions[i]; c.c == r {
			return c.a, c.b, true
		}
	}
	if compatibility {
		switch {
		case r == 0xA7F1: // modifier letter capital S
			return 'S', 0, true
		case r-0x1CCD6 < 26: // outlined letters and digits
			return 'A' + r - 0x1CCD6, 0, true
		case r-0x1CCF0 < 10:
			return '0' + r - 0x1CCF0, 0, true
		}
	}
	return 0, 0, false
}

// newerComposite is compose for characters that Unicode 15 does not have.
func newerComposite(a, b uint32) uint32 {
	for i := range newerCompositions { //meter: fixed
		if c := &newerCompositions[i]; c.a == a && c.b == b {
			return c.c
		}
	}
	return 0
}

// addNewer is add for them. depth counts the steps of the decomposition.
func (n *normalizer) addNewer(r uint32, depth int) error {
	a, b, ok := newerDecomposition(r, n.compat)
	if !ok || depth > 3 {
		return n.put(r, newerClass(r))
	}
	if err := n.addNewer(a, depth+1); err != nil || b == 0 {
		return err
	}
	if b < 0x10000 {
		return n.add(b)
	}
	return n.addNewer(b, depth+1)
}
