package tape

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
)

// maxLine bounds a line of a recording.
const maxLine = 256 << 20

// entry is a call of the recording.
type entry struct {
	name  string
	args  []pinfold.Value
	ended bool
	value pinfold.Value
	err   *callError
}

func (e *entry) String() string {
	var b strings.Builder
	b.WriteString(e.name + "(")
	for i, a := range e.args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(clip(a.String()))
	}
	b.WriteString(")")
	return b.String()
}

// clip bounds a text that stands in a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

// Recording is a recording that was read. It is immutable.
type Recording struct {
	Head  Head
	calls []*entry
	order []int // of the ends: indices of calls
	clock []int64
	done  done
}

// Calls returns how many calls it has.
func (r *Recording) Calls() int { return len(r.calls) }

// Read reads a recording. The error is a *FormatError, or the reader's.
func Read(in io.Reader) (*Recording, error) {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), maxLine)
	r := &Recording{}
	n := 0
	bad := func(format string, args ...any) (*Recording, error) {
		return nil, &FormatError{Line: max(n, 1), Reason: fmt.Sprintf(format, args...)}
	}
	over := false
	for s.Scan() {
		n++
		text := s.Bytes()
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if n == 1 {
			var h headLine
			switch err := json.Unmarshal(text, &h); {
			case err != nil || h.Pinfold != magic:
				var loose struct{ Pinfold string }
				if json.Unmarshal(text, &loose) == nil && loose.Pinfold == magic {
					return bad("%v", err)
				}
				return bad("this is no recording: it begins with {\"pinfold\":\"recording\",…}")
			case h.Version != Version:
				return nil, &versionError{FormatError{1, fmt.Sprintf("it is of version %d, and this pinfold reads version %d: record it anew, or use the pinfold that wrote it", h.Version, Version)}}
			}
			r.Head = h.Head
			continue
		}
		var l line
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			return bad("it isn't a line of a recording: %v", err)
		}
		switch {
		case over:
			return bad("there is more behind the end")
		case l.Call != 0:
			if l.Call != int64(len(r.calls))+1 || l.Name == "" {
				return bad("call %d is out of order", l.Call)
			}
			r.calls = append(r.calls, &entry{name: l.Name, args: l.Args})
		case l.End != 0:
			if l.End < 0 || l.End > int64(len(r.calls)) || r.calls[l.End-1].ended || (l.Value == nil) == (l.Error == nil) {
				return bad("the end of call %d is out of place", l.End)
			}
			e := r.calls[l.End-1]
			if e.ended, e.err = true, l.Error; l.Value != nil {
				e.value = *l.Value
			}
			r.order = append(r.order, int(l.End-1))
		case len(l.Clock) > 0:
			if len(l.Clock)%2 != 0 {
				return bad("what the clock said is incomplete")
			}
			for i := 1; i < len(l.Clock); i += 2 {
				if l.Clock[i] <= 0 {
					return bad("what the clock said is wrong")
				}
			}
			r.clock = append(r.clock, l.Clock...)
		case l.Done != nil:
			if r.done, over = *l.Done, true; l.Done.Calls != int64(len(r.calls)) {
				return bad("it says that it has %d calls, and has %d", l.Done.Calls, len(r.calls))
			}
		default:
			return bad("it isn't a line of a recording")
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		n++
		return bad("the line is longer than %d bytes", maxLine)
	case err != nil:
		return nil, err
	case n == 0:
		return bad("the file is empty")
	case !over:
		n++
		return bad("the end is missing: the run that wrote it was killed, or is still going on")
	}
	return r, nil
}

type versionError struct{ FormatError }

func (e *versionError) Is(target error) bool { return target == ErrVersion }
func (e *versionError) Unwrap() error        { return &e.FormatError }

// DivergedError says where a run took another course than the recording.
type DivergedError struct {
	Call     int    // its number; 0: it is about the clock
	Recorded string // the call, "" if there is none
	Made     string // the call, "" if there is none
	// Changed says that the program's text isn't what was recorded.
	Changed bool
}

// Error names both calls.
func (e *DivergedError) Error() string {
	var s string
	switch {
	case e.Call == 0:
		s = "the replay takes another course: the program reads the clock more often than the recording has it"
	case e.Recorded == "":
		s = fmt.Sprintf("the replay takes another course at call %d: the recording ends before it, the program calls %s", e.Call, e.Made)
	case e.Made == "":
		s = fmt.Sprintf("the replay takes another course: the recording goes on with call %d, %s, and the program has ended without it", e.Call, e.Recorded)
	default:
		s = fmt.Sprintf("the replay takes another course at call %d: the recording has %s, the program calls %s", e.Call, e.Recorded, e.Made)
	}
	if e.Changed {
		s += "; the program's text has changed since"
	}
	return s
}

// CodeDiverged is the code of the error that a program gets in a replay that has
// taken another course.
const CodeDiverged = "E_REPLAY"

// Player answers the calls of one run as a recording has them. It is a
// pinfold.Tape.
type Player struct {
	r    *Recording
	stop context.CancelCauseFunc

	mu      sync.Mutex
	next    int // the next call
	turn    int // the next end, in r.order
	ended   map[int]bool
	wake    chan struct{} // closed when turn goes on
	clock   int           // in r.clock
	read    int64         // how often this answer was given
	changed bool
	err     *DivergedError
}

// Player makes one, for a run with the context that is returned, which ends when
// the run takes another course. source is the text of the program. Options.Tape
// must be the Player, and Options.Clock its Clock if the recording has no time.
func (r *Recording) Player(ctx context.Context, source string) (*Player, context.Context) {
	ctx, stop := context.WithCancelCause(ctx)
	return &Player{r: r, stop: stop, ended: map[int]bool{}, wake: make(chan struct{}), changed: Hash(source) != r.Head.Hash}, ctx
}

// stray notes that the run takes another course, and stops it.
func (p *Player) stray(e DivergedError) error {
	if p.err == nil {
		e.Changed = p.changed
		p.err = &e
		p.stop(p.err)
	}
	return &pinfold.Error{Code: CodeDiverged, Message: p.err.Error()}
}

// Call implements pinfold.Tape.
func (p *Player) Call(name string, args []pinfold.Value, async bool) (int64, func(context.Context) (pinfold.Value, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.next
	p.next++
	made := &entry{name: name, args: args}
	var e *entry
	if n < len(p.r.calls) {
		e = p.r.calls[n]
	}
	if p.err != nil || e == nil || !e.equal(made) {
		d := DivergedError{Call: n + 1, Made: made.String()}
		if e != nil {
			d.Recorded = e.String()
		}
		err := p.stray(d)
		return int64(n + 1), func(context.Context) (pinfold.Value, error) { return pinfold.Value{}, err }
	}
	return int64(n + 1), func(ctx context.Context) (pinfold.Value, error) { return p.answer(ctx, n, e, async) }
}

func (e *entry) equal(made *entry) bool {
	if e.name != made.name || len(e.args) != len(made.args) {
		return false
	}
	for i := range e.args {
		if !bytes.Equal(e.args[i].JSON(), made.args[i].JSON()) {
			return false
		}
	}
	return true
}

// answer waits, if the call is asynchronous, until those that ended before have
// ended.
func (p *Player) answer(ctx context.Context, n int, e *entry, async bool) (pinfold.Value, error) {
	for e.ended && async {
		p.mu.Lock()
		mine := p.turn >= len(p.r.order) || p.r.order[p.turn] == n
		wake := p.wake
		p.mu.Unlock()
		if mine {
			break
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return pinfold.Value{}, ctx.Err()
		}
	}
	switch {
	case !e.ended: // the recorded run had ended before the call
		<-ctx.Done()
		return pinfold.Value{}, ctx.Err()
	case e.err == nil:
		return e.value, nil
	}
	err := &pinfold.Error{Code: e.err.Code, Message: e.err.Message, Retryable: e.err.Retryable}
	if e.err.Data != nil {
		err.Data = *e.err.Data
	}
	return pinfold.Value{}, err
}

// Ended implements pinfold.Tape.
func (p *Player) Ended(id int64, _ pinfold.Value, _ *pinfold.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended[int(id-1)] = true
	from := p.turn
	for p.turn < len(p.r.order) && p.ended[p.r.order[p.turn]] {
		p.turn++
	}
	if p.turn > from {
		close(p.wake)
		p.wake = make(chan struct{})
	}
}

// Clock is a clock that says what the recording's said.
func (p *Player) Clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.r.clock
	if p.clock >= len(c) {
		_ = p.stray(DivergedError{})
		if len(c) == 0 {
			return p.r.Head.Started
		}
		return time.UnixMilli(c[len(c)-2])
	}
	t := time.UnixMilli(c[p.clock])
	if p.read++; p.read == c[p.clock+1] {
		p.clock, p.read = p.clock+2, 0
	}
	return t
}

// Close says whether the run that has ended took the recording's course: the
// error is nil, or a *DivergedError. A run that failed needn't have made all the
// calls.
func (p *Player) Close(o *pinfold.Outcome) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.stop(nil)
	if p.err == nil && o.Failure == nil && p.next < len(p.r.calls) {
		_ = p.stray(DivergedError{Call: p.next + 1, Recorded: p.r.calls[p.next].String()})
	}
	if p.err == nil {
		return nil
	}
	return p.err
}
