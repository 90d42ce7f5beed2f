package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sort"
	"time"
)

// sample is what was measured of one program in one engine.
type sample struct {
	result  string
	times   []time.Duration
	stopped bool // the one time is that of a call that was stopped
	size    bool // the times are bytes
	err     error
}

func (s sample) ok() bool { return s.err == nil && len(s.times) > 0 }

func (s sample) median() time.Duration {
	if len(s.times) == 0 {
		return 0
	}
	t := append([]time.Duration(nil), s.times...)
	sort.Slice(t, func(i, j int) bool { return t[i] < t[j] })
	if n := len(t); n%2 == 0 {
		return (t[n/2-1] + t[n/2]) / 2
	}
	return t[len(t)/2]
}

// spread is the distance between the slowest and the fastest time, as a part of
// the median.
func (s sample) spread() float64 {
	if len(s.times) < 2 {
		return 0
	}
	lo, hi := s.times[0], s.times[0]
	for _, t := range s.times {
		lo, hi = min(lo, t), max(hi, t)
	}
	return float64(hi-lo) / float64(s.median())
}

// measureProgram runs a program in all engines, which take turns. A call of
// main that takes longer than limit is stopped, and limit counts as its time.
func measureProgram(engines []engine, p program, runs int, limit time.Duration) []sample {
	samples := make([]sample, len(engines))
	instances := make([]instance, len(engines))
	for i, e := range engines {
		s := &samples[i]
		if instances[i], s.err = load(e, p); s.err != nil {
			continue
		}
		defer instances[i].Close()
		runtime.GC()
		start := time.Now()
		s.result, s.err = callMain(instances[i], limit)
		if errors.Is(s.err, errTimeout) {
			s.err, s.stopped, s.times = nil, true, []time.Duration{time.Since(start)}
		}
	}
	for range runs {
		for i := range engines {
			s := &samples[i]
			if s.err != nil || s.stopped {
				continue
			}
			runtime.GC()
			start := time.Now()
			result, err := callMain(instances[i], limit)
			took := time.Since(start)
			switch {
			case errors.Is(err, errTimeout):
				s.stopped, s.times = true, []time.Duration{took}
			case err != nil:
				s.err = err
			case result != s.result:
				s.err = fmt.Errorf("main() gave %s after %s", result, s.result)
			default:
				s.times = append(s.times, took)
			}
		}
	}
	return samples
}

// load and callMain turn a Go panic of an engine into an error, so that it
// costs one measurement and not all of them.
func load(e engine, p program) (i instance, err error) {
	defer recovered(&err)
	return e.Load(p.name+".js", p.source)
}

func callMain(i instance, limit time.Duration) (result string, err error) {
	defer recovered(&err)
	return i.Main(limit)
}

func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v", p)
	}
}

// measureCalls measures a short operation: the time of one call, from batches
// that each take long enough to be timed.
func measureCalls(f func() (string, error), batches int) sample {
	var s sample
	if s.result, s.err = f(); s.err != nil {
		return s
	}
	n := 1
	for {
		start := time.Now()
		for range n {
			if _, s.err = f(); s.err != nil {
				return s
			}
		}
		if took := time.Since(start); took > 20*time.Millisecond || n >= 1<<20 {
			break
		}
		n *= 2
	}
	runtime.GC()
	for range batches {
		start := time.Now()
		for range n {
			if _, s.err = f(); s.err != nil {
				return s
			}
		}
		s.times = append(s.times, time.Since(start)/time.Duration(n))
	}
	return s
}

// perCall divides the times of a program that makes many calls.
func (s sample) perCall(calls int) sample {
	for i := range s.times {
		s.times[i] /= time.Duration(calls)
	}
	return s
}

func geomean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}
