package js_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/meter"
)

// The hostile programs run one to a child process of the test binary, with 64
// MiB of memory and a time limit, as fast as they like: nothing but the clock,
// the memory and the stack limits end them. The parent checks how the run
// ended, by how much it passed the time limit, and how much the process grew.
// The time limit is one second for the programs that were measured on other
// engines and a tenth of that for the others; PINFOLD_LONG=1 gives all of them
// the second.
const (
	hostileMemory = 64 << 20
	hostileLate   = 250 * time.Millisecond // of processor time, or a second of wall time where that is not measured; see -v for the real numbers
	hostileGrowth = 2 * hostileMemory      // of the resident set
)

// hostileEnv names the case that a child process is to run.
const hostileEnv = "PINFOLD_HOSTILE_CASE"

// A hostile program is named by the row of the public cases it restates.
type hostile struct {
	id   string
	src  string
	want string // endings it may have, as within reads them
	goal js.Goal
	ts   bool
}

func (c hostile) timeout() time.Duration {
	switch {
	case !strings.Contains(c.want, timeLimit):
		return 20 * time.Second // it ends by itself, on any machine
	case c.id[0] == 'S' || c.id[0] == 'M' || os.Getenv("PINFOLD_LONG") != "":
		return time.Second
	}
	return 100 * time.Millisecond
}

// report is what a child tells its parent.
type report struct {
	Ending  string
	Text    string
	WallMs  float64
	LateMs  float64 // processor time used after the time limit
	StartKB int64
	PeakKB  int64
	Peak    int64 // bytes charged at once
	Fuel    int64
}

func TestHostile(t *testing.T) {
	cases := hostileCases()
	if id := os.Getenv(hostileEnv); id != "" {
		i := slices.IndexFunc(cases, func(c hostile) bool { return c.id == id })
		hostileChild(cases[i])
		return
	}
	if testing.Short() {
		t.Skip("a tenth of a second for each of many programs")
	}
	if raceEnabled {
		t.Skip("each program runs in a process of its own: there is no race to find, and it would take ten minutes")
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.id] {
			t.Fatalf("two cases named %s", c.id)
		}
		seen[c.id] = true
		if raceEnabled && c.id[0] != 'S' && c.id[0] != 'M' {
			continue // the detector makes children slow, and has nothing to find in them
		}
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			r, out, err := spawnHostile(c.id)
			if err != nil {
				t.Fatalf("%s\nthe child failed: %v\n%s", clip(c.src, 300), err, clip(out, 4000))
			}
			late := r.WallMs - float64(c.timeout().Milliseconds())
			growth := (r.PeakKB - r.StartKB) << 10
			if status("VmHWM") == 0 {
				r.LateMs = max(late-950, 0)
			}
			t.Logf("%-14s %7.1f ms, late %6.1f ms (wall %.1f ms), process grew %6.1f MiB, charged %6.1f MiB, fuel %d", r.Ending, r.WallMs, r.LateMs, max(late, 0), float64(growth)/(1<<20), float64(r.Peak)/(1<<20), r.Fuel)
			if !within(ending{kind: strings.SplitN(r.Ending, ":", 2)[0], what: endingWhat(r)}, c.want) {
				t.Errorf("%s\nended as %s %q, want %s", clip(c.src, 300), r.Ending, r.Text, c.want)
			}
			if r.LateMs > float64(hostileLate.Milliseconds()) && !raceEnabled {
				t.Errorf("%s\nended %.0f ms after its time limit", clip(c.src, 300), r.LateMs)
			}
			if r.PeakKB > 0 && growth > hostileGrowth && !raceEnabled {
				t.Errorf("%s\nthe process grew by %d bytes under a limit of %d", clip(c.src, 300), growth, hostileMemory)
			}
		})
	}
}

func endingWhat(r report) string {
	if r.Ending == "value" {
		return r.Text
	}
	_, what, _ := strings.Cut(r.Ending, ":")
	return what
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

func spawnHostile(id string) (r report, out string, err error) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestHostile$", "-test.count=1")
	cmd.Env = append(os.Environ(), hostileEnv+"="+id)
	var buf bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buf, &buf
	if err := cmd.Start(); err != nil {
		return r, "", err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-time.After(30 * time.Second):
		_ = cmd.Process.Kill()
		<-done
		err = fmt.Errorf("still running after 30 s")
	}
	out = buf.String()
	for line := range strings.SplitSeq(out, "\n") {
		if s, ok := strings.CutPrefix(line, "REPORT "); ok {
			return r, out, json.Unmarshal([]byte(s), &r)
		}
	}
	if err == nil {
		err = fmt.Errorf("no report")
	}
	return r, out, err
}

// hostileChild runs one case and prints its report.
func hostileChild(c hostile) {
	// The realm is built once in a process, before any limit counts.
	if e := run(job{src: "1"}); e.kind != "value" {
		panic(e.what)
	}
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // forget the peak
	r := report{StartKB: status("VmRSS")}
	var cpu atomic.Int64 // at the time limit
	start := time.Now()
	time.AfterFunc(c.timeout(), func() { cpu.Store(int64(cpuTime())) })
	e := run(job{src: c.src, goal: c.goal, ts: c.ts, limits: meter.Limits{
		Timeout: c.timeout(), LiveBytes: hostileMemory, Depth: 2000, NativeDepth: testNativeDepth,
	}})
	r.WallMs = float64(time.Since(start).Microseconds()) / 1000
	if at := time.Duration(cpu.Load()); at > 0 {
		r.LateMs = float64((cpuTime() - at).Microseconds()) / 1000
	}
	r.PeakKB = status("VmHWM")
	r.Ending, r.Text = e.String(), e.text
	if e.kind == "value" {
		r.Text = e.what
	}
	r.Peak, r.Fuel = e.usage.PeakBytes, e.usage.Fuel
	b, _ := json.Marshal(r)
	fmt.Printf("REPORT %s\n", b)
}

// status reads a line of /proc/self/status, in kB; 0 where there is none.
func status(name string) int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if s, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(s, "kB")), 10, 64)
			return n
		}
	}
	return 0
}

func TestProcessGrowthIsMeasured(t *testing.T) {
	if status("VmHWM") == 0 {
		t.Skip("no /proc/self/status here: the hostile programs are run, but the growth of the process is not measured")
	}
}
