package pinfold

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// journalSink is what Options.Journal gave for a run. Each record is one Write.
type journalSink struct {
	w     io.Writer
	clock []reading // readings that have not been written yet
	err   error     // of a Write: nothing is written any more
}

// errNoJournal is what a run ends with whose journal can't be written.
var errNoJournal = errors.New("pinfold: the journal can't be written")

// openSink opens the run's sink and writes the journal so far. clock is what it
// has of the clock.
func (r *run) openSink(clock []reading) error {
	if r.sb.opt.Journal == nil || r.replay != nil {
		return nil
	}
	w, err := r.sb.opt.Journal(r.id)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoJournal, err)
	}
	if w == nil {
		return nil
	}
	b, err := r.journalSoFar(clock)
	if err != nil {
		return err
	}
	s := &journalSink{w: w}
	r.journal.sink = s
	return s.write(append([]byte{'\n'}, b...)) // what it is appended to may end within a line
}

// journalSoFar returns a whole journal.
func (r *run) journalSoFar(clock []reading) ([]byte, error) {
	j := &r.journal
	lines := len(clock)
	for _, c := range j.lines { //meter: on the host's time, what was charged when it was noted
		if c == '\n' {
			lines++
		}
	}
	decl := r.sb.declared()
	b, err := jsonLine(journalHead{
		Pinfold: "journal", Version: journalVersion, Run: r.id, Forks: r.forks, Program: r.p.Hash(), Functions: hex.EncodeToString(decl[:]),
		Seed: strconv.FormatUint(j.seed, 10), Input: j.input, Given: j.any, Lines: lines,
	})
	if err != nil {
		return nil, err
	}
	if b, err = appendClock(b, clock); err != nil {
		return nil, err
	}
	return append(b, j.lines...), nil
}

func appendClock(b []byte, clock []reading) ([]byte, error) {
	for _, c := range clock { //meter: on the host's time, what was charged when it was noted
		line, err := jsonLine(journalLine{Clock: []float64{c.ms, float64(c.n)}})
		if err != nil {
			return nil, err
		}
		b = append(b, line...)
	}
	return b, nil
}

// write writes what belongs together in one Write. A failure ends the run: what
// it would do next is not to be done without a record.
func (s *journalSink) write(b []byte) error {
	if s.err == nil {
		if n, err := s.w.Write(b); err != nil {
			s.err = fmt.Errorf("%w: %w", errNoJournal, err)
		} else if n < len(b) {
			s.err = fmt.Errorf("%w: %w", errNoJournal, io.ErrShortWrite)
		}
	}
	return s.err
}

// note writes a line, and before it what the clock has said since the last one.
func (s *journalSink) note(line []byte) error {
	if s == nil {
		return nil
	}
	b, err := appendClock(nil, s.clock)
	if err != nil {
		return err
	}
	s.clock = s.clock[:0]
	return s.write(append(b, line...))
}

// read notes an answer of the clock. It is written with the next line: until
// then nothing has happened that depends on it.
func (s *journalSink) read(ms float64) {
	if s == nil {
		return
	}
	if n := len(s.clock); n > 0 && s.clock[n-1].ms == ms {
		s.clock[n-1].n++
		return
	}
	s.clock = append(s.clock, reading{ms, 1})
}

// closeSink closes what the host opened.
func (r *run) closeSink() {
	if r.waiting == nil || r.journal.sink == nil {
		return
	}
	if c, ok := r.journal.sink.w.(io.Closer); ok {
		_ = c.Close() //meter: the host's own error: every record has been written
	}
	r.journal.sink = nil
}
