package main

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"time"

	pf "github.com/pinfold-js/pinfold"
)

// waitingSource is a run that waits with some data at hand; idleSource one that
// has none.
const (
	waitingSource = "const rows = Array.from({length: 1000}, (_, i) => ({id: i, name: 'item', next: null})); const r = await Promise.all([ask(1), ask({q: 'two'}), ask([3])]); return rows.length"
	idleSource    = "return ask(1)"
)

// waitingRuns is how many runs a batch has.
const waitingRuns = 64

// measureWaiting measures what is done with runs that wait for the host: the
// times for one run, and what it takes.
func measureWaiting(batches int) []row {
	rows := []row{
		{name: "suspend a run: 1000 objects, 3 calls"}, {name: "resume it"}, {name: "fork it"}, {name: "replay it from its journal"},
		{name: "… suspended, bytes"}, {name: "… in memory, bytes"}, {name: "an idle run that waits, suspended, bytes"}, {name: "… in memory, bytes"},
	}
	s := make([]sample, len(rows))
	err := waiting(batches, s)
	for i := range rows {
		s[i].err = err
		s[i].size = i >= 4
		rows[i].micro, rows[i].samples = true, []sample{s[i]}
	}
	return rows
}

func waiting(batches int, s []sample) error {
	sb, err := pf.New(pf.Options{SnapshotKey: []byte("key"), Functions: []pf.Function{{Name: "ask", Deferred: true}}})
	if err != nil {
		return err
	}
	for k, source := range []string{waitingSource, idleSource} {
		p, err := sb.Compile("waiting.js", source)
		if err != nil {
			return err
		}
		x := sb.Start(context.Background(), p, nil)
		if o := x.Outcome(); o != nil {
			return errors.Join(errors.New("the run doesn't wait"), o.Err())
		}
		var journal, snapshot bytes.Buffer
		if err := errors.Join(x.Journal(&journal), x.Suspend(&snapshot)); err != nil {
			return err
		}
		add := func(i int, n int64) { s[i].times = append(s[i].times, time.Duration(n)) }
		for range batches {
			add(4+2*k, int64(snapshot.Len()))
			runs := make([]*pf.Run, waitingRuns)
			// timed does something with each run.
			timed := func(row int, f func(i int) error) error {
				start := time.Now()
				for i := range runs {
					if err := f(i); err != nil {
						return err
					}
				}
				if k == 0 && row >= 0 {
					add(row, int64(time.Since(start))/waitingRuns)
				}
				return nil
			}
			before := liveBytes()
			err := timed(1, func(i int) (err error) {
				runs[i], err = sb.Resume(context.Background(), p, bytes.NewReader(snapshot.Bytes()))
				return err
			})
			if err != nil {
				return err
			}
			add(5+2*k, (liveBytes()-before)/waitingRuns)
			forks := make([]*pf.Run, waitingRuns)
			var out bytes.Buffer
			err = errors.Join(
				timed(2, func(i int) (err error) { forks[i], err = runs[i].Fork(); return err }),
				timed(0, func(i int) error { out.Reset(); return runs[i].Suspend(&out) }),
				timed(3, func(i int) (err error) {
					runs[i], err = sb.Replay(context.Background(), p, bytes.NewReader(journal.Bytes()), pf.ReplayOptions{})
					return err
				}),
			)
			if err != nil {
				return err
			}
			for i := range runs {
				runs[i].Cancel()
				forks[i].Cancel()
			}
		}
	}
	return nil
}

// liveBytes is what Go's heap holds.
func liveBytes() int64 {
	runtime.GC()
	runtime.GC() // what pools hold goes with the second one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
