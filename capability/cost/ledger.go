package cost

import (
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"
)

// The bounds on a ledger.
const (
	MaxNote         = 200    // characters of a note
	DefaultMaxLines = 10_000 // lines of a ledger
)

// Line is one cost.
type Line struct {
	USD    Amount `json:"usd"`
	Source string `json:"source,omitempty"` // the tool that adds it
	CallID string `json:"callId,omitempty"`
	Note   string `json:"note,omitempty"` // at most MaxNote characters
}

// Options are what a ledger is made of. The zero Options have no budget.
type Options struct {
	// Budget is what the total may come to; nil for any.
	Budget *Amount
	// MaxLines is how many lines are kept; 0 is DefaultMaxLines.
	MaxLines int
	// Parent gets every line too, and can refuse it: the ledger of an instance
	// above those of its tools.
	Parent *Ledger
}

// Ledger keeps lines and their exact total. It is safe for use by many
// goroutines.
type Ledger struct {
	opts Options

	mu    sync.Mutex
	lines []Line
	total Amount
}

// NewLedger makes an empty ledger.
func NewLedger(o Options) *Ledger {
	if o.MaxLines <= 0 {
		o.MaxLines = DefaultMaxLines
	}
	return &Ledger{opts: o}
}

// Add adds a line, here and in the parents, or in none of them. The error is an
// *Error.
func (l *Ledger) Add(line Line) error {
	if utf8.RuneCountInString(line.Note) > MaxNote {
		return fail(NoteTooLong, fmt.Sprintf("the note is longer than %d characters", MaxNote))
	}
	return l.add(line)
}

func (l *Ledger) add(line Line) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) >= l.opts.MaxLines {
		return fail(TooManyLines, fmt.Sprintf("too many cost lines (limit %d)", l.opts.MaxLines))
	}
	total := l.total.Add(line.USD)
	if b := l.opts.Budget; b != nil && total.Cmp(*b) > 0 {
		return fail(OverBudget, fmt.Sprintf("over the budget of %s USD: %s spent, %s more asked for", b, l.total, line.USD))
	}
	// Locks are taken from the child to the parent only.
	if p := l.opts.Parent; p != nil {
		if err := p.add(line); err != nil {
			return err
		}
	}
	l.lines = append(l.lines, line)
	l.total = total
	return nil
}

// Total returns the sum of all lines.
func (l *Ledger) Total() Amount {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Lines returns a copy of the lines in the order in which they were added.
func (l *Ledger) Lines() []Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// Left returns what the budgets, this one and the parents', leave, and whether
// there is any budget.
func (l *Ledger) Left() (Amount, bool) {
	var left Amount
	limited := false
	for ; l != nil; l = l.opts.Parent {
		if l.opts.Budget == nil {
			continue
		}
		here := l.opts.Budget.Sub(l.Total())
		if !limited || here.Cmp(left) < 0 {
			left, limited = here, true
		}
	}
	return left, limited
}
