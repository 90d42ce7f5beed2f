package tape

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/membrane"
)

// Version is that of the form of recordings.
const Version = 1

// magic is the value of the key pinfold in the first line.
const magic = "recording"

// Head is what a recording says of its run beside what happened.
type Head struct {
	// Program is the name of the program's file, and Hash that of its text: see
	// Hash.
	Program string `json:"program"`
	Hash    string `json:"hash"`
	// Export is the function of the module that was called; "" is the default.
	Export string `json:"export,omitempty"`
	// Input is what the program was given, as JSON; nil if it had none.
	Input json.RawMessage `json:"input,omitempty"`
	// Granted are the capabilities that the run had, and Hosts what it could ask over
	// the network.
	Granted []string `json:"granted,omitempty"`
	Hosts   []string `json:"hosts,omitempty"`
	// Seed and those after it are the options of pinfold of these names. A time is
	// that of a clock which stood.
	Seed          Seed       `json:"seed"`
	Deterministic bool       `json:"deterministic,omitempty"`
	Time          *time.Time `json:"time,omitempty"`
	Timers        bool       `json:"timers,omitempty"`
	// Started says when it was recorded.
	Started time.Time `json:"started"`
}

// Seed is a seed; in JSON it is a string, since readers that take numbers for
// floats would round it.
type Seed uint64

// MarshalJSON writes the seed.
func (s Seed) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatUint(uint64(s), 10)), nil
}

// UnmarshalJSON reads it.
func (s *Seed) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	*s = Seed(n)
	return err
}

// NewSeed makes a seed that isn't 0.
func NewSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return max(1, binary.LittleEndian.Uint64(b[:]))
}

// Hash is that of a program's text.
func Hash(source string) string {
	h := sha256.Sum256([]byte(source))
	return hex.EncodeToString(h[:])
}

// headLine is the first line.
type headLine struct {
	Pinfold string `json:"pinfold"`
	Version int    `json:"version"`
	Head
}

// line is each further one. It holds one of: a call, an end, what the clock said, and
// at last how the run ended.
type line struct {
	Call int64           `json:"call,omitempty"`
	Name string          `json:"name,omitempty"`
	Args []pinfold.Value `json:"args,omitempty"`

	End   int64          `json:"end,omitempty"`
	Value *pinfold.Value `json:"value,omitempty"`
	Error *callError     `json:"error,omitempty"`

	Clock []int64 `json:"clock,omitempty"` // milliseconds, and how often in a row

	Done *done `json:"done,omitempty"`
}

type callError struct {
	Code      string         `json:"code,omitempty"`
	Message   string         `json:"message"`
	Retryable bool           `json:"retryable,omitempty"`
	Data      *pinfold.Value `json:"data,omitempty"`
}

type done struct {
	OK    bool   `json:"ok"`
	Kind  string `json:"kind,omitempty"` // of the failure
	Calls int64  `json:"calls"`
}

// Recorder writes the recording of one run. It is a pinfold.Tape.
type Recorder struct {
	mu    sync.Mutex
	w     io.Writer
	err   error
	calls int64
	clock []int64 // not written yet
}

// maxClock is how many answers of the clock are kept before they are written.
const maxClock = 1024

// NewRecorder begins a recording. Options.Tape must be the Recorder, and
// Options.Clock its Clock unless the clock stands.
func NewRecorder(w io.Writer, h Head) (*Recorder, error) {
	r := &Recorder{w: w}
	r.write(headLine{Pinfold: magic, Version: Version, Head: h})
	return r, r.err
}

func (r *Recorder) write(x any) {
	if r.err != nil {
		return
	}
	e := json.NewEncoder(r.w)
	e.SetEscapeHTML(false)
	r.err = e.Encode(x)
}

// Call implements pinfold.Tape.
func (r *Recorder) Call(name string, args []pinfold.Value, _ bool) (int64, func(context.Context) (pinfold.Value, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
	r.calls++
	r.write(line{Call: r.calls, Name: name, Args: args})
	return r.calls, nil
}

// Ended implements pinfold.Tape.
func (r *Recorder) Ended(id int64, v pinfold.Value, e *pinfold.Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
	l := line{End: id}
	if e == nil {
		l.Value = &v
	} else {
		l.Error = &callError{Code: e.Code, Message: e.Message, Retryable: e.Retryable}
		if e.Data != nil {
			if d, err := membrane.FromTree(e.Data); err == nil {
				l.Error.Data = &d
			}
		}
	}
	r.write(l)
}

// Clock is a clock whose answers are recorded.
func (r *Recorder) Clock() time.Time {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	ms := now.UnixMilli()
	if n := len(r.clock); n > 0 && r.clock[n-2] == ms {
		r.clock[n-1]++
		return now
	}
	if len(r.clock) >= 2*maxClock {
		r.flush()
	}
	r.clock = append(r.clock, ms, 1)
	return now
}

func (r *Recorder) flush() {
	if len(r.clock) > 0 {
		r.write(line{Clock: r.clock})
		r.clock = r.clock[:0]
	}
}

// Close ends the recording; a recording without this end is refused later. The
// error is the first of the writer.
func (r *Recorder) Close(o *pinfold.Outcome) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
	d := &done{OK: o.Failure == nil, Calls: r.calls}
	if o.Failure != nil {
		d.Kind = string(o.Failure.Kind)
	}
	r.write(line{Done: d})
	if r.err != nil {
		return fmt.Errorf("tape: the recording can't be written: %w", r.err)
	}
	return nil
}

// FormatError says what is wrong with a recording.
type FormatError struct {
	Line   int // from 1 on
	Reason string
}

// Error returns the line and the reason.
func (e *FormatError) Error() string {
	return fmt.Sprintf("the recording can't be used: line %d: %s", e.Line, e.Reason)
}

// ErrVersion is what a FormatError for another version matches.
var ErrVersion = errors.New("tape: the recording is of another version")
