package main

import (
	"testing"
	"time"
)

// TestEnginesAgree runs every program once in every engine. Programs that goja
// needs minutes for are stopped and say nothing.
func TestEnginesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all programs")
	}
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(all, hostPrograms...) {
		want, from := "", ""
		for _, e := range engines() {
			i, err := e.Load(p.name+".js", p.source)
			if err != nil {
				t.Errorf("%s: %s: %v", p.name, e.Name(), err)
				continue
			}
			got, err := i.Main(3 * time.Second)
			i.Close()
			switch {
			case err == errTimeout:
				t.Logf("%s: %s: %v", p.name, e.Name(), err)
			case err != nil:
				t.Errorf("%s: %s: %v", p.name, e.Name(), err)
			case from == "":
				want, from = got, e.Name()
			case got != want:
				t.Errorf("%s: %s gives %s, %s gives %s", p.name, e.Name(), got, from, want)
			}
		}
	}
}

func TestSnippetsAgree(t *testing.T) {
	if n := len(snippetSource); n < 195 || n > 205 {
		t.Errorf("the snippet has %d characters", n)
	}
	for _, e := range engines() {
		if got, err := e.Snippet(snippetSource); err != nil || got != "total: 20.00" {
			t.Errorf("%s: snippet: %q, %v", e.Name(), got, err)
		}
		fresh, err := e.Prepare(trivialSource)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := fresh(); err != nil || got != "3" {
				t.Errorf("%s: fresh: %q, %v", e.Name(), got, err)
			}
		}
	}
}

func BenchmarkProgram(b *testing.B) {
	all, err := programs()
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range all {
		for _, e := range engines() {
			b.Run(p.name+"/"+e.Name(), func(b *testing.B) { benchmarkMain(b, e, p) })
		}
	}
}

func benchmarkMain(b *testing.B, e engine, p program) {
	i, err := e.Load(p.name+".js", p.source)
	if err != nil {
		b.Fatal(err)
	}
	defer i.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := i.Main(10 * time.Second); err == errTimeout {
			b.Skip(err)
		} else if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFresh(b *testing.B) {
	for _, e := range engines() {
		b.Run(e.Name(), func(b *testing.B) {
			fresh, err := e.Prepare(trivialSource)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := fresh(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSnippet(b *testing.B) {
	for _, e := range engines() {
		b.Run(e.Name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Snippet(snippetSource); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHost reports the time of hostCalls calls.
func BenchmarkHost(b *testing.B) {
	for _, p := range hostPrograms {
		for _, e := range engines() {
			b.Run(p.name+"/"+e.Name(), func(b *testing.B) {
				benchmarkMain(b, e, p)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/hostCalls, "ns/call")
			})
		}
	}
}

// The figures of runs that wait are there, each of them.
func TestWaiting(t *testing.T) {
	for _, r := range measureWaiting(1) {
		if s := r.samples[0]; s.err != nil || len(s.times) != 1 || s.times[0] <= 0 {
			t.Errorf("%s: %v, %v", r.name, s.times, s.err)
		}
	}
}
