package regexp

import "github.com/pinfold-js/pinfold/js/regexp/ucd"

// A GroupName is a name with the groups that bear it, more than one when they
// are in different alternatives.
type GroupName struct {
	Name   string
	Groups []int32
}

// A Program is a compiled pattern. It is immutable.
type Program struct {
	Flags       Flags
	NumCaptures int         // groups, the whole match as number 0 among them
	Names       []GroupName // in the order of their first groups

	code    []inst
	sets    []*set
	filters []filter
	units   []uint16 // literals
	bytes   []byte   // the same, where they are Latin-1
	refs    []int32  // groups of back references
	regs    int      // registers after the captures
	cases   *ucd.Cases
	size    int64

	start startHint
}

// Size is about how many bytes the program takes: what a holder should charge
// for as long as it holds it.
func (p *Program) Size() int64 { return p.size }

// A startHint tells a search where an attempt can succeed.
type startHint struct {
	anchored bool     // only at 0
	lines    bool     // only at 0 and after a line terminator
	prefix   []uint16 // every match starts with these
	prefix8  []byte   // the same
	latin1   bool     // prefix has no unit above 0xFF
	filter   *filter  // every match starts with one of these
	run      *set     // see leadingRun
}

// An inst is one instruction. What its fields mean is said at the opcodes.
type inst struct {
	op         opcode
	flag       bool
	end        bool
	a, b, c, d int32
}

const instBytes = 20

type opcode uint8

// The opcodes. "next" is the instruction that follows.
const (
	opMatch opcode = iota
	opFail
	opJmp         // to a
	opChar        // unit a
	opChar2       // unit a or b
	opStr         // literal of b units at a; flag: one is above 0xFF
	opStr2        // literal of b pairs of units at a, either of each; flag: not in Latin-1 input
	opSet         // set a, one unit
	opSetU        // set a, one code point
	opLoop        // greedy run of set a, from b to c times; filter d; flag: by code points
	opLoopAll     // the same, never given back
	opLoopLazy    // the same, as few as possible
	opSplit       // next, else a
	opSplitNext   // next if filter b passes, else a if filter c passes
	opSplitJump   // a if filter c passes, else next if filter b passes
	opSave        // register a = position
	opReset       // captures a ≤ i < b undefined
	opSetReg      // register a = b
	opCount       // register a += 1, register b = position unless b < 0
	opMark        // register a = position
	opNonEmpty    // fails at the position in register a
	opNonEmptyMin // the same, once register b has passed c
	opLoopTop     // register b below c: next; at d: a; else both, next first or with flag a first
	opBOL
	opEOL
	opBOLMulti
	opEOLMulti
	opWord      // flag: the other way round; end: with i
	opLookBegin // registers a, a+1
	opLookEnd   // the same
	opNegBegin  // register a; b is where to go on
	opNegEnd    // the same
	opBackref   // groups refs[a:a+b]; flag: with i
	opBackrefBehind
	opBack  // a units back
	opBackU // one code point back
)

// A filter is what a way of going on needs of the unit at the position.
type filter struct {
	bits [4]uint64
	high bool // any unit above 0xFF
	end  bool // the end of the input
}

type unit interface{ byte | uint16 }

// pass reports whether f allows what is at pos.
func pass[T unit](f *filter, in []T, pos int) bool {
	if pos >= len(in) {
		return f.end
	}
	c := in[pos]
	if uint16(c) > 0xFF {
		return f.high
	}
	return f.bits[uint8(c)>>6]>>(uint8(c)&63)&1 != 0
}
