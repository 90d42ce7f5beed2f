package regex

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// The caps of a pattern.
const (
	MaxProgram  = 20_000    // instructions
	MaxCount    = 10_000    // in {n,m}
	MaxNesting  = 200       // groups in groups
	MaxWork     = 1_000_000 // steps of compiling
	MaxCaptures = 256       // groups: 512 capture slots
	MaxStates   = 1 << 20   // instructions times capture slots: what matching may have to remember
)

// Flags of a pattern.
type Flags uint8

// The flags that AJS has.
const (
	Global Flags = 1 << iota
	IgnoreCase
	Multiline
	DotAll
	Unicode
	Sticky
)

// An Error says why a pattern can't be used.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

// A Name is a named group.
type Name struct {
	Name  string
	Group int
}

// A Program is a compiled pattern.
type Program struct {
	Flags  Flags
	Groups int // the whole match as number 0 among them
	Names  []Name

	code  []inst
	sets  []*set
	cases *ucd.Cases
	work  int
}

// Work is how many steps compiling took.
func (p *Program) Work() int { return p.work }

// Size is how many instructions the program has.
func (p *Program) Size() int { return len(p.code) }

type opcode uint8

const (
	opChar  opcode = iota // x: the character
	opSet                 // x: index in sets
	opSplit               // x first, then y
	opJump                // x
	opSave                // x: slot
	opClear               // the slots from x to y are unset
	opBegin
	opEnd
	opWord
	opNotWord
	opMatch
)

type inst struct {
	op   opcode
	x, y int32
}

// ParseFlags reads a flags string.
func ParseFlags(s string) (Flags, error) {
	var f Flags
	for _, c := range s {
		i := strings.IndexRune("gimsuy", c)
		if i < 0 {
			if c == 'd' || c == 'v' {
				return 0, &Error{fmt.Sprintf("The regex flag '%c' is not supported in AsyncJS (supported: g i m s u y)", c)}
			}
			return 0, &Error{fmt.Sprintf("Invalid regular expression flags: '%s'", clip(s))}
		}
		if f&(1<<i) != 0 {
			return 0, &Error{fmt.Sprintf("Invalid regular expression flags: '%s'", clip(s))}
		}
		f |= 1 << i
	}
	return f, nil
}

// CompileString is Compile for a pattern in UTF-8.
func CompileString(pattern, flags string) (*Program, error) {
	return Compile(utf16.Encode([]rune(pattern)), flags)
}

// A budget counts the steps of checking a pattern's syntax.
type budget struct{ left int64 }

var errWork = &Error{"The regex is too large to compile"}

func (b *budget) Charge(n int64) error {
	if b.left -= n; b.left < 0 {
		return errWork
	}
	return nil
}
func (b *budget) Grow(n int64) error { return b.Charge(n / 64) }
func (b *budget) Shrink(int64)       {}

// Compile compiles a pattern. The error is an *Error.
func Compile(pattern []uint16, flags string) (*Program, error) {
	f, err := ParseFlags(flags)
	if err != nil {
		return nil, err
	}
	b := &budget{MaxWork}
	if len(pattern) > MaxWork/4 {
		return nil, errWork
	}
	var ef regexp.Flags
	if f&Unicode != 0 {
		ef |= regexp.Unicode
	}
	if f&IgnoreCase != 0 {
		ef |= regexp.IgnoreCase
	}
	// The engine of the language proper knows every early error, in the words
	// that models have read a thousand times.
	if _, err := regexp.Compile(pattern, ef, b); err != nil {
		if e, ok := err.(*regexp.SyntaxError); ok {
			return nil, &Error{e.Message}
		}
		return nil, errWork
	}
	p := &parser{src: pattern, flags: f, prog: &Program{Flags: f, Groups: 1}}
	p.prog.work = int(MaxWork - b.left)
	if f&IgnoreCase != 0 {
		p.prog.cases = ucd.UpperCases()
		if f&Unicode != 0 {
			p.prog.cases = ucd.FoldedCases()
		}
	}
	p.scanGroups()
	n, err := p.alternatives(0)
	if err != nil {
		return nil, err
	}
	p.emit(inst{op: opSave, x: 0})
	if err := p.gen(n); err != nil {
		return nil, err
	}
	p.emit(inst{op: opSave, x: 1})
	p.emit(inst{op: opMatch})
	if len(p.prog.code) > MaxProgram || len(p.prog.code)*2*p.prog.Groups > MaxStates {
		return nil, errWork
	}
	return p.prog, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// A node of the pattern.
type node struct {
	kind     nodeKind
	char     int32
	set      int32
	kids     []*node
	min, max int // max -1: no end
	lazy     bool
	group    int // capturing group's number
	lo, hi   int // the groups inside: [lo, hi)
}

type nodeKind uint8

const (
	nEmpty nodeKind = iota
	nChar
	nSet
	nCat
	nAlt
	nGroup
	nRepeat
	nBegin
	nEnd
	nWord
	nNotWord
)

func (p *parser) emit(i inst) int {
	p.prog.code = append(p.prog.code, i)
	p.prog.work++
	return len(p.prog.code) - 1
}

// gen emits the code of n. The depth of nodes is bounded by the parser.
func (p *parser) gen(n *node) error {
	// Repeating what is empty emits nothing, so work is counted too.
	if p.prog.work++; len(p.prog.code) > MaxProgram || p.prog.work > MaxWork {
		return errWork
	}
	switch n.kind {
	case nChar:
		p.emit(inst{op: opChar, x: n.char})
	case nSet:
		p.emit(inst{op: opSet, x: n.set})
	case nBegin:
		p.emit(inst{op: opBegin})
	case nEnd:
		p.emit(inst{op: opEnd})
	case nWord:
		p.emit(inst{op: opWord})
	case nNotWord:
		p.emit(inst{op: opNotWord})
	case nCat:
		for _, k := range n.kids {
			if err := p.gen(k); err != nil {
				return err
			}
		}
	case nAlt:
		var ends []int
		for i, k := range n.kids {
			if i == len(n.kids)-1 {
				if err := p.gen(k); err != nil {
					return err
				}
				break
			}
			split := p.emit(inst{op: opSplit})
			if err := p.gen(k); err != nil {
				return err
			}
			ends = append(ends, p.emit(inst{op: opJump}))
			p.prog.code[split].x = int32(split + 1)
			p.prog.code[split].y = int32(len(p.prog.code))
		}
		for _, e := range ends {
			p.prog.code[e].x = int32(len(p.prog.code))
		}
	case nGroup:
		if n.group > 0 {
			p.emit(inst{op: opSave, x: int32(2 * n.group)})
		}
		if err := p.gen(n.kids[0]); err != nil {
			return err
		}
		if n.group > 0 {
			p.emit(inst{op: opSave, x: int32(2*n.group + 1)})
		}
	case nRepeat:
		return p.repeat(n)
	}
	return nil
}

func (p *parser) repeat(n *node) error {
	body := func() error {
		// RepeatMatcher, ECMA-262 §22.2.2.3.1: the captures inside are unset
		// before each round.
		if n.hi > n.lo {
			p.emit(inst{op: opClear, x: int32(2 * n.lo), y: int32(2 * n.hi)})
		}
		return p.gen(n.kids[0])
	}
	fork := func(at, in, out int) {
		i := inst{op: opSplit, x: int32(in), y: int32(out)}
		if n.lazy {
			i.x, i.y = i.y, i.x
		}
		p.prog.code[at] = i
	}
	for range n.min {
		if err := body(); err != nil {
			return err
		}
	}
	if n.max < 0 {
		split := p.emit(inst{op: opSplit})
		if err := body(); err != nil {
			return err
		}
		p.emit(inst{op: opJump, x: int32(split)})
		fork(split, split+1, len(p.prog.code))
		return nil
	}
	var splits []int
	for range n.max - n.min {
		splits = append(splits, p.emit(inst{op: opSplit}))
		if err := body(); err != nil {
			return err
		}
	}
	for _, s := range splits {
		fork(s, s+1, len(p.prog.code))
	}
	return nil
}
