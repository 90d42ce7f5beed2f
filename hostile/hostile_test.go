package hostile_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/hostile"
)

var (
	long = flag.Bool("long", os.Getenv("PINFOLD_LONG") != "", "give each run its full second")
	tier = flag.String("tier", pinfold.InProcess.String(), "the `TIER` to run the table in: in-process or process")
	only = flag.String("only", "", "the `CASES` to run: ids, beginnings of ids with *, letters of groups, divided by commas")
)

// childArg is the first argument of a child process.
const childArg = "hostile-case"

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	if len(os.Args) == 4 && os.Args[1] == childArg {
		timeout, err := time.ParseDuration(os.Args[3])
		if err == nil {
			err = hostile.RunChild(os.Stdout, os.Args[2], timeout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 4 && os.Args[1] == workerArg {
		first, _ := strconv.ParseUint(os.Args[2], 10, 64)
		last, _ := strconv.ParseUint(os.Args[3], 10, 64)
		work(first, last)
		return
	}
	os.Exit(m.Run())
}

// Every case ends as it must, without death or hang, and no script acts after a
// limit. Lateness and growth have generous bars here, so that a busy machine
// doesn't fail the test: pinfold doctor and docs/ATTACKS.md have the numbers.
func TestAttackTable(t *testing.T) {
	if testing.Short() {
		t.Skip("a process for each of a thousand cases")
	}
	if raceEnabled {
		t.Skip("each program runs in a process of its own: there is no race to find, and it would take ten minutes")
	}
	r := hostile.Runner{
		Command: child,
		Timeout: 40 * time.Millisecond, Jobs: runtime.NumCPU(), Late: 2 * time.Second, Growth: 2 * 64 << 20,
	}
	var err error
	if r.Tier, err = pinfold.ParseIsolation(*tier); err != nil {
		t.Fatal(err)
	}
	if *long {
		r.Timeout = time.Second
	}
	cases := hostile.Select(*only)
	if len(cases) == 0 {
		t.Fatalf("no case is %q", *only)
	}
	runTable(t, &r, cases)
}

// Cases from all over the table end the same way in worker processes. The whole
// table is run there with -tier process.
func TestAttackTableInWorkers(t *testing.T) {
	if testing.Short() || raceEnabled || runtime.GOOS != "linux" {
		t.Skip("it takes a worker process for each of many cases, as TestAttackTable does")
	}
	r := hostile.Runner{
		Command: child, Tier: pinfold.Process, Timeout: 40 * time.Millisecond, Jobs: runtime.NumCPU(), Late: time.Second,
	}
	var cases []hostile.Case
	for i, c := range hostile.Cases() {
		if i%24 == 5 || strings.Contains("MHIJ", c.Group()) || c.Group() == "K" && !strings.HasPrefix(c.ID, "K16-") {
			cases = append(cases, c)
		}
	}
	runTable(t, &r, cases)
}

func child(ctx context.Context, id string, timeout time.Duration) *exec.Cmd {
	return exec.CommandContext(ctx, os.Args[0], childArg, id, timeout.String())
}

func runTable(t *testing.T, r *hostile.Runner, cases []hostile.Case) {
	t.Helper()
	r.Run(context.Background(), cases, func(res hostile.Result) {
		if testing.Verbose() {
			t.Logf("%-28s %-16s %8.1f ms, late %6.1f ms, grew %6.1f MiB, charged %6.1f MiB", res.ID, res.Outcome, res.WallMs, res.LateMs, float64(res.Growth)/(1<<20), float64(res.Charged)/(1<<20))
		}
		for _, p := range res.Problems {
			t.Errorf("%s: %s", res.ID, p)
		}
		for _, p := range res.Missed {
			t.Errorf("%s: %s", res.ID, p)
		}
	})
}
