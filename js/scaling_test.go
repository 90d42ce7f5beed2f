package js_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/hostile"
	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// work returns the units that compiling a text is charged, and whether it was
// refused for its nesting. An error of another kind stops the measurement.
func work(src string, ts bool) (units int64, refused bool, err error) {
	_, err = js.Compile("test.js", src, js.CompileOptions{TypeScript: ts, Completion: true, Charge: func(n int64) error {
		units += n
		return nil
	}})
	var se *syntax.SyntaxError
	if errors.As(err, &se) && strings.Contains(se.Message, "too deeply") {
		return units, true, nil
	}
	if errors.As(err, &se) {
		err = nil // refused for what it is: the work until then counts
	}
	return units, false, err
}

// Ten times the text costs at most thirteen times the work, or is refused. (For
// texts that are only long a step is allowed: from some size on jumps are long, and the function is compiled again.)
func TestCompileScales(t *testing.T) {
	check := func(t *testing.T, name string, ts bool, text func(n int) string, limit int64, sizes ...int) {
		for _, n := range sizes {
			if quick() && n > 1000 {
				continue
			}
			a, refusedA, err := work(text(n), ts)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			b, refusedB, err := work(text(10*n), ts)
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case refusedA && !refusedB:
				t.Errorf("%s: %d are nested too deeply, %d not", name, n, 10*n)
			case !refusedB && b > limit*(a+1000):
				t.Errorf("%s: %d units for %d, %d for %d: %.1f times", name, a, n, b, 10*n, float64(b)/float64(a))
			}
			if !ts && b > int64(100*len(text(10*n))+10_000) {
				t.Errorf("%s: %d units for %d bytes", name, b, len(text(10*n)))
			}
		}
	}
	for _, s := range hostile.Shapes {
		check(t, "nested "+s.Name, s.TypeScript, s.Make, 13, 10, 40, 100, 1000, 20_000)
	}
	for _, s := range hostile.Long {
		check(t, "long "+s.Name, s.TypeScript, s.Repeat, 20, 100, 10_000)
	}
	for _, s := range hostile.Named {
		check(t, "distinct "+s.Name, false, s.Repeat, 20, 100, 5000)
	}
}

// The same in time, which only a quiet machine can measure.
func TestCompileTimeScales(t *testing.T) {
	if os.Getenv("PINFOLD_TIMING") == "" {
		t.Skip("measures time: set PINFOLD_TIMING=1 on a machine that does nothing else")
	}
	best := func(src string, ts bool) time.Duration {
		d := time.Hour
		for range 3 {
			runtime.GC()
			start := time.Now()
			if _, _, err := work(src, ts); err != nil {
				t.Fatal(err)
			}
			d = min(d, time.Since(start))
		}
		return d
	}
	check := func(name string, ts bool, text func(n int) string, n int) {
		a := best(text(n), ts)
		b := best(text(10*n), ts)
		ratio := float64(b) / float64(max(a, 200*time.Microsecond))
		if ratio > 13 {
			t.Logf("%s: %v for %d, %v for %d: %.1f times", name, a, n, b, 10*n, ratio)
		}
		if ratio > 40 {
			t.Errorf("%s: %v for %d, %v for %d: %.1f times", name, a, n, b, 10*n, ratio)
		}
	}
	for _, s := range hostile.Shapes {
		for _, n := range []int{50, 10_000} {
			check("nested "+s.Name, s.TypeScript, s.Make, n)
		}
	}
	for _, s := range hostile.Long {
		check("long "+s.Name, s.TypeScript, s.Repeat, 5000)
	}
	for _, s := range hostile.Named {
		check("distinct "+s.Name, false, s.Repeat, 5000)
	}
}

func BenchmarkCompileNested(b *testing.B) {
	for _, s := range hostile.Shapes {
		for _, n := range []int{50, 500} {
			src := s.Make(n)
			b.Run(fmt.Sprint(s.Name, "/", n), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					_, _, _ = work(src, s.TypeScript)
				}
			})
		}
	}
}
