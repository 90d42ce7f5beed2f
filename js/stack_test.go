package js_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/hostile"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// stackPerLevel is the most Go stack, in bytes, that one level of native
// nesting may take: 3010 were measured for a comparator that sorts, 1200 to 1800
// for most other ways. The default of 1000 levels needs less than 4 MiB, the
// largest that package pinfold accepts (10 000) less than 40; Go ends a process
// whose goroutine needs a gigabyte.
const stackPerLevel = 4000

// goStack returns the stack, a power of two, that the goroutine of a run has
// grown to.
func goStack(j job) (e ending, bytes int64) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e = run(j)
		runtime.ReadMemStats(&after)
		bytes = int64(after.StackInuse) - int64(before.StackInuse)
	}()
	<-done
	return e, bytes
}

// No way into recursion takes more Go stack than the limit on native nesting
// was chosen for.
func TestGoStackPerLevel(t *testing.T) {
	if quick() {
		t.Skip("needs every way into recursion, without the race detector's larger frames")
	}
	// One level more than fits half of what is asked for would show: stacks
	// double.
	const levels = 4 << 20 / stackPerLevel
	for _, name := range sortedKeys(hostile.Recursions) {
		runtime.GC()
		e, bytes := goStack(job{src: hostile.Recursions[name], limits: meter.Limits{Depth: 1 << 20, NativeDepth: levels, Timeout: 5 * time.Minute, LiveBytes: 1 << 30},
			setup: func(m *vm.Machine) {
				host(m, "callback", func(m *vm.Machine, c vm.Call) (vm.Value, error) { return m.Call(c.Arg(0), heap.Undefined) })
			}})
		if e.kind != "limit" || e.what == "time" {
			t.Errorf("%s: %v", name, e)
		}
		if bytes > 5<<20 {
			t.Errorf("%s: a stack of %d bytes for %d levels", name, bytes, levels)
		}
	}
}

// What nests without calling back (source text, patterns, values) has limits
// of its own, and needs no more.
func TestGoStackOfNesting(t *testing.T) {
	if quick() {
		t.Skip("as TestGoStackPerLevel")
	}
	lim := meter.Limits{Depth: 2000, NativeDepth: testNativeDepth, Timeout: 5 * time.Minute, LiveBytes: 1 << 30}
	jobs := map[string]job{}
	for _, s := range hostile.Shapes {
		for _, n := range []int{100, 500, 1000, 3000, 100_000} {
			jobs[fmt.Sprint(s.Name, " ", n)] = job{src: s.Make(n), ts: s.TypeScript}
		}
	}
	for name, src := range map[string]string{
		"JSON.parse":       "JSON.parse('['.repeat(100000)+']'.repeat(100000))",
		"JSON.parse rev":   "JSON.parse('['.repeat(5000)+']'.repeat(5000),(k,v)=>v)",
		"JSON.stringify":   "let o=1; for(let i=0;i<100000;i++) o=[o]; JSON.stringify(o)",
		"structuredClone":  "let o=1; for(let i=0;i<100000;i++) o=[o]; structuredClone(o)",
		"flat":             "let o=1; for(let i=0;i<100000;i++) o=[o]; o.flat(Infinity)",
		"join":             "let o=1; for(let i=0;i<100000;i++) o=[o]; o.join()",
		"regexp groups":    "for(let i=100;i<1e5;i*=2) try { new RegExp('('.repeat(i)+'a'+')'.repeat(i)).test('a') } catch {}",
		"regexp lookahead": "for(let i=100;i<1e5;i*=2) try { new RegExp('(?='.repeat(i)+'a'+')'.repeat(i)).test('a') } catch {}",
		"regexp classes":   "for(let i=100;i<1e5;i*=2) try { new RegExp('['.repeat(i)+'a'+']'.repeat(i),'v').test('a') } catch {}",
		"regexp stars":     "for(let i=100;i<1e5;i*=2) try { new RegExp('(?:'.repeat(i)+'a'+')*'.repeat(i)).test('a'.repeat(100)) } catch {}",
		"regexp matching":  "/^(?:a|b)*$/.test('ab'.repeat(200000)); /^(a|b)*?$/.test('ab'.repeat(200000)); /^(?:(a)|b)*\\1$/.test('ab'.repeat(20000))",
	} {
		jobs[name] = job{src: src}
	}
	for _, name := range sortedKeys(jobs) {
		j := jobs[name]
		j.limits = lim
		runtime.GC()
		e, bytes := goStack(j)
		if e.kind == "fault" {
			t.Errorf("%s: %v", name, e)
		}
		if bytes > 17<<20 {
			t.Errorf("%s: a stack of %d bytes (%v)", name, bytes, e)
		}
	}
}
