package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/hostile"
	"github.com/spf13/cobra"
)

// caseCommand is the hidden command that a child process of doctor runs.
const caseCommand = "doctor-case"

type doctor struct {
	filter  string
	jobs    int
	timeout time.Duration
	json    bool
	write   string
	tier    string
}

func newDoctor() *cobra.Command {
	d := &doctor{jobs: max(runtime.NumCPU()/2, 1), timeout: 250 * time.Millisecond}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Run the attack table on this machine",
		Long: `Run the attack table: more than a thousand hostile programs, each in a process of
its own, with a memory limit of 64 MiB. Each must end as the table says, kill no
process, hang nowhere, and do nothing after a limit. How late it ends after a time
limit and by how much the process grows is measured (growth on Linux only).

Exit codes: 0 every case ended as it must, 1 some did not, 2 wrong usage, 3 Ctrl-C.
A case that passed but was later than 10 ms, or grew the process by more than 1.25
times the limit and 16 MiB, is listed as having missed a bar; on a busy machine
that may be the machine's doing, and it doesn't change the exit code.`,
		Example: `  pinfold doctor
  pinfold doctor --filter B,C7*,E14a --timeout 1s
  pinfold doctor --json > results.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return d.run(cmd) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&d.filter, "filter", "", "run only these `CASES`: ids, beginnings of ids with *, letters of groups, divided by commas")
	fs.IntVar(&d.jobs, "jobs", d.jobs, "processes side by side")
	fs.DurationVar(&d.timeout, "timeout", d.timeout, "time limit of the programs that may end by time")
	fs.StringVar(&d.tier, "isolation", pinfold.InProcess.String(), "where the programs run: in-process, or process for worker processes")
	fs.BoolVar(&d.json, "json", false, "print one JSON object with the results of all cases and the totals")
	fs.StringVar(&d.write, "write", "", "write the results to a `FILE` in Markdown as well")
	_ = cmd.RegisterFlagCompletionFunc("filter", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var ids []string
		for _, g := range hostile.Groups {
			ids = append(ids, before+g.Letter+"\t"+g.About)
		}
		for _, c := range hostile.Cases() {
			if strings.HasPrefix(c.ID, typed[len(before):]) && len(typed) > len(before) {
				ids = append(ids, before+c.ID)
			}
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

// newDoctorCase is what doctor runs in each child process.
func newDoctorCase() *cobra.Command {
	return &cobra.Command{
		Use: caseCommand + " ID TIMEOUT", Hidden: true, Args: cobra.ExactArgs(2),
		Short: "Run one case of the attack table, for doctor",
		RunE: func(cmd *cobra.Command, args []string) error {
			timeout, err := time.ParseDuration(args[1])
			if err != nil {
				return err
			}
			return hostile.RunChild(cmd.OutOrStdout(), args[0], timeout)
		},
	}
}

// doctorJSON is the object of --json: see docs/cli-json.md.
type doctorJSON struct {
	OK      bool             `json:"ok"`
	Version string           `json:"version"`
	Totals  hostile.Total    `json:"totals"`
	Groups  []hostile.Total  `json:"groups"`
	Cases   []hostile.Result `json:"cases"`
}

func (d *doctor) run(cmd *cobra.Command) error {
	switch {
	case d.jobs < 1:
		return fmt.Errorf("--jobs: %d processes can't run anything", d.jobs)
	case d.timeout < time.Millisecond:
		return fmt.Errorf("--timeout: %v is not a time to run: give one like 250ms or 1s", d.timeout)
	}
	cases := hostile.Select(d.filter)
	if len(cases) == 0 {
		return fmt.Errorf("--filter: no case is %q; the groups are %s", d.filter, groupLetters())
	}
	tier, err := pinfold.ParseIsolation(d.tier)
	if err != nil {
		return fmt.Errorf("--isolation: %w", err)
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	r := hostile.Runner{
		Command: func(ctx context.Context, id string, timeout time.Duration) *exec.Cmd {
			c := exec.CommandContext(ctx, exe, caseCommand, id, timeout.String())
			c.Args[0] = os.Args[0] // by which a program may know what it is to be
			return c
		},
		Timeout: d.timeout, Jobs: d.jobs, Tier: tier, Late: hostile.LateBar, Growth: hostile.GrowthBar,
	}
	bar := newBar(cmd.ErrOrStderr(), len(cases))
	results := r.Run(cmd.Context(), cases, func(res hostile.Result) { bar.step(res.ID, res.Passed) })
	bar.clear()
	if len(results) < len(cases) {
		fmt.Fprintf(cmd.ErrOrStderr(), "pinfold: stopped after %d of %d cases\n", len(results), len(cases))
		return exitError(exitLimit)
	}
	groups, all := hostile.Summarize(results)
	if d.write != "" {
		f, err := os.Create(d.write)
		if err != nil {
			return err
		}
		err = hostile.WriteDocument(f, results, hostile.How{
			Command: "pinfold doctor --timeout " + d.timeout.String() + " --write docs/ATTACKS.md",
			Machine: fmt.Sprintf("%s/%s with %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()),
			Runner:  r,
		})
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if d.json {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		err = e.Encode(doctorJSON{OK: all.Passed == all.Cases, Version: version(), Totals: all, Groups: groups, Cases: results})
	} else {
		err = d.text(out, results, all)
	}
	if err != nil {
		return err
	}
	if all.Passed < all.Cases {
		return exitError(exitFailed)
	}
	return nil
}

func (d *doctor) text(out io.Writer, results []hostile.Result, all hostile.Total) error {
	if err := hostile.WriteTable(out, results); err != nil {
		return err
	}
	if all.Passed < all.Cases || all.Missed > 0 {
		fmt.Fprintln(out)
		if err := hostile.WriteFailures(out, results); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "\n%d of %d cases end as they must\n", all.Passed, all.Cases)
	return err
}

func groupLetters() string {
	var s []string
	for _, g := range hostile.Groups {
		s = append(s, g.Letter)
	}
	return strings.Join(s, ", ")
}

// bar shows progress on a terminal, and nothing elsewhere.
type bar struct {
	w           io.Writer // nil if there is no terminal
	n, of, bad  int
	last        time.Time
	lastWritten int
}

func newBar(w io.Writer, of int) *bar {
	b := &bar{of: of}
	if f, ok := w.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode()&os.ModeCharDevice != 0 {
			b.w = w
		}
	}
	return b
}

const barWidth = 30

func (b *bar) step(id string, passed bool) {
	b.n++
	if !passed {
		b.bad++
	}
	if b.w == nil || time.Since(b.last) < 50*time.Millisecond && b.n < b.of {
		return
	}
	b.last = time.Now()
	full := barWidth * b.n / b.of
	line := fmt.Sprintf("[%s%s] %d/%d", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), b.n, b.of)
	if b.bad > 0 {
		line += fmt.Sprintf(", %d failed", b.bad)
	}
	line += "  " + id
	fmt.Fprintf(b.w, "\r%-*s", b.lastWritten, line)
	b.lastWritten = len(line)
}

func (b *bar) clear() {
	if b.w != nil {
		fmt.Fprintf(b.w, "\r%*s\r", b.lastWritten, "")
	}
}
