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
	d := &doctor{jobs: max(runtime.NumCPU()/2, 1), timeout: 250 * time.Millisecond, tier: bothTiers}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Run the attack table on this machine",
		Long: `Run the attack table: more than a thousand hostile programs, each in a process of
its own, with a memory limit of 64 MiB. Each must end as the table says, kill no
process, hang nowhere, and do nothing after a limit. How late it ends after a time
limit and by how much the process grows is measured (growth on Linux only).
The table runs twice where the system has both tiers: in the process itself, and
with the programs in worker processes.

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
	fs.StringVar(&d.tier, "isolation", d.tier, "where the programs run: in-process, process for worker processes, or both")
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

// bothTiers is the value of --isolation that stands for all tiers there are.
const bothTiers = "both"

// doctorJSON is the object of --json: see docs/cli-json.md.
type doctorJSON struct {
	OK      bool                  `json:"ok"`
	Version string                `json:"version"`
	Totals  hostile.Total         `json:"totals"`
	Tiers   map[string]tierTotals `json:"tiers"`
	Cases   []hostile.Result      `json:"cases"`
}

type tierTotals struct {
	Totals hostile.Total   `json:"totals"`
	Groups []hostile.Total `json:"groups"`
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
	tiers := hostile.Tiers()
	if d.tier != bothTiers {
		tier, err := pinfold.ParseIsolation(d.tier)
		if err != nil {
			return fmt.Errorf("--isolation: %w, and %s", err, bothTiers)
		}
		tiers = []pinfold.Isolation{tier}
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
		Timeout: d.timeout, Jobs: d.jobs, Late: hostile.LateBar, Growth: hostile.GrowthBar,
	}
	bar := newBar(cmd.ErrOrStderr(), len(cases)*len(tiers))
	var all []hostile.Result
	var byTier []hostile.TierResults
	for _, tier := range tiers {
		r.Tier = tier
		results := r.Run(cmd.Context(), cases, func(res hostile.Result) { bar.step(res.ID, res.Passed) })
		all = append(all, results...)
		if len(results) < len(cases) {
			bar.clear()
			fmt.Fprintf(cmd.ErrOrStderr(), "pinfold: stopped after %d of %d cases\n", len(all), len(cases)*len(tiers))
			return exitError(exitLimit)
		}
		byTier = append(byTier, hostile.TierResults{Tier: tier, Results: results})
	}
	bar.clear()
	if d.write != "" {
		if err := d.document(byTier, r); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	_, total := hostile.Summarize(all)
	if d.json {
		j := doctorJSON{OK: total.Passed == total.Cases, Version: version(), Totals: total, Tiers: map[string]tierTotals{}, Cases: all}
		for _, t := range byTier {
			groups, sum := hostile.Summarize(t.Results)
			j.Tiers[t.Tier.String()] = tierTotals{sum, groups}
		}
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		err = e.Encode(j)
	} else {
		err = d.text(out, byTier)
	}
	if err != nil {
		return err
	}
	if total.Passed < total.Cases {
		return exitError(exitFailed)
	}
	return nil
}

// document writes the results in Markdown.
func (d *doctor) document(tiers []hostile.TierResults, r hostile.Runner) error {
	f, err := os.Create(d.write)
	if err != nil {
		return err
	}
	command := "pinfold doctor"
	if d.filter != "" {
		command += " --filter '" + d.filter + "'"
	}
	if d.tier != bothTiers {
		command += " --isolation " + d.tier
	}
	err = hostile.WriteDocument(f, tiers, hostile.How{
		Command: command + " --timeout " + d.timeout.String() + " --write docs/ATTACKS.md",
		Machine: fmt.Sprintf("%s/%s with %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()),
		Runner:  r,
	})
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func (d *doctor) text(out io.Writer, tiers []hostile.TierResults) error {
	for i, t := range tiers {
		where := "in process"
		if t.Tier == pinfold.Process {
			where = "in worker processes"
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := hostile.WriteTable(out, t.Results); err != nil {
			return err
		}
		_, all := hostile.Summarize(t.Results)
		if all.Passed < all.Cases || all.Missed > 0 {
			fmt.Fprintln(out)
			if err := hostile.WriteFailures(out, t.Results); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(out, "\n%d of %d cases end as they must %s\n", all.Passed, all.Cases, where); err != nil {
			return err
		}
	}
	return nil
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
