package hostile

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold"
)

// Total sums up the results of a group, or of all.
type Total struct {
	Group     string  `json:"group"`
	About     string  `json:"about"`
	Cases     int     `json:"cases"`
	Passed    int     `json:"passed"`
	Missed    int     `json:"missed"` // cases that passed but missed a bar
	MaxLateMs float64 `json:"maxLateMs"`
	MaxGrowth int64   `json:"maxGrowth"` // bytes; -1 where it isn't measured
}

// Summarize returns the totals of the groups that have results, and of all.
func Summarize(results []Result) (groups []Total, all Total) {
	all = Total{Group: "all", About: "all", MaxGrowth: -1}
	for _, g := range Groups {
		t := Total{Group: g.Letter, About: g.About, MaxGrowth: -1}
		for _, r := range results {
			if r.Group != g.Letter {
				continue
			}
			for _, t := range []*Total{&t, &all} {
				t.Cases++
				if r.Passed {
					t.Passed++
					if len(r.Missed) > 0 {
						t.Missed++
					}
				}
				t.MaxLateMs = max(t.MaxLateMs, r.LateMs)
				if !r.grown() {
					t.MaxGrowth = max(t.MaxGrowth, r.Growth)
				}
			}
		}
		if t.Cases > 0 {
			groups = append(groups, t)
		}
	}
	return groups, all
}

// grown reports whether the case may grow the process by more than others do.
func (r *Result) grown() bool {
	c, err := Find(r.ID)
	return err == nil && c.Growth > 0
}

func growthText(n int64) string {
	if n < 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", mib(n))
}

// WriteTable writes the totals as a table of text.
func WriteTable(w io.Writer, results []Result) error {
	groups, all := Summarize(results)
	var b strings.Builder
	fmt.Fprintf(&b, "%-5s %6s %7s %7s %9s %12s  %s\n", "group", "cases", "passed", "missed", "late ms", "growth MiB", "about")
	for _, t := range append(groups, all) {
		about := t.About
		if t.Group == "all" {
			about = ""
		}
		fmt.Fprintf(&b, "%-5s %6d %7d %7d %9.1f %12s  %s\n", t.Group, t.Cases, t.Passed, t.Missed, t.MaxLateMs, growthText(t.MaxGrowth), about)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteFailures writes what is wrong with the results, in full.
func WriteFailures(w io.Writer, results []Result) error {
	var b strings.Builder
	for _, r := range results {
		where := ""
		if r.Tier == pinfold.Process.String() {
			where = " in a worker process"
		}
		for _, p := range r.Problems {
			fmt.Fprintf(&b, "FAILED %s%s: %s\n", r.ID, where, p)
		}
		for _, p := range r.Missed {
			fmt.Fprintf(&b, "missed %s%s: %s\n", r.ID, where, p)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// notYet are the rows of the field cases that have no case, and why.
var notYet = []struct{ rows, why string }{
	{"A32, A33", "there is no gateway and no second channel yet; a host function is the only way out, and it has one path (A31)"},
	{"B24, B29, C4", "there is no V8 and no Wasm below: the engine is Go"},
	{"B28", "the process-wide budget is the limiter's (its own tests)"},
	{"B30", "in part (B30, B30b, B30c): host programs that print without end come with tools"},
	{"C20", "a timeout that the model chooses comes with the tool schema"},
	{"E2, E3", "in part: corpora of large programs run in conformance/packages"},
	{"E15, E16", "tool results are plain data (F12, F13); the YAML of descriptions has tests in package tool"},
	{"F11", "in part: results of tools as hosts give them; there is no MCP client yet"},
	{"H16", "there is no inspector and no MCP server yet"},
	{"I15", "in part: snippets, tools and their imports; there are no hooks, skills and downloads yet"},
	{"K4, K12, K13", "there are no approvals that wait, no elicitation and no OpenAPI yet"},
	{"K6", "in part: results are whole in a journal; they are not stored by reference"},
	{"L11", "with the nesting cases (L11, E14e)"},
}

// How says how the results of a document were made.
type How struct {
	Command string // that makes it
	Machine string
	Runner  Runner
}

// TierResults are the results of the table in a tier.
type TierResults struct {
	Tier    pinfold.Isolation
	Results []Result
}

// tierNames are the headings of a document.
var tierNames = map[pinfold.Isolation]string{pinfold.InProcess: "in process", pinfold.Process: "in worker processes"}

// WriteDocument writes docs/ATTACKS.md: for the tiers side by side totals, bars,
// and each case.
func WriteDocument(w io.Writer, tiers []TierResults, how How) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# The attack table\n\n")
	fmt.Fprintf(&b, "Made by `%s`, on %s. Don't edit it.\n\n", how.Command, how.Machine)
	fmt.Fprintf(&b, `Each case runs in a process of its own, with a memory limit of %d MiB, no fuel limit, and %v for those that may end by
time, %s. *Late* is how many milliseconds past its time limit a run ended: the less of wall time and of
the processor time used after the limit, since other processes run on the machine. *Growth* is the greatest growth of the process's
resident memory, in MiB. The bars are %v late and %.0f MiB growth (1.25 times the limit and 16 MiB).

`, memory>>20, how.Runner.Timeout, sideBySide(how.Runner.Jobs), how.Runner.Late, mib(how.Runner.Growth))
	if len(tiers) > 1 {
		b.WriteString(`The table runs in two tiers: *in process*, where the programs share the process with the host, and *in worker processes*, where
late counts both processes and growth is the worker's (of a scenario the greatest of its own process and its workers).

`)
	}
	for _, t := range tiers {
		_, all := Summarize(t.Results)
		fmt.Fprintf(&b, "**%d of %d cases end as they must %s**, without death, hang, or script that acts after a limit; %d of these miss a bar.\n\n", all.Passed, all.Cases, tierNames[t.Tier], all.Missed)
	}
	b.WriteString("The ids are those of the public field cases that the cases restate, such as B13; what follows is a variant. `pinfold doctor` runs the\ntable on another machine, `pinfold doctor --filter B13` one row.\n\n")
	for _, t := range tiers {
		groups, all := Summarize(t.Results)
		fmt.Fprintf(&b, "| %s | about | cases | passed | miss a bar | latest, ms | greatest growth, MiB |\n|---|---|---|---|---|---|---|\n", tierNames[t.Tier])
		for _, t := range groups {
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %.1f | %s |\n", t.Group, t.About, t.Cases, t.Passed, t.Missed, t.MaxLateMs, growthText(t.MaxGrowth))
		}
		fmt.Fprintf(&b, "| | **all** | %d | %d | %d | %.1f | %s |\n\n", all.Cases, all.Passed, all.Missed, all.MaxLateMs, growthText(all.MaxGrowth))
	}
	writeBad(&b, tiers)
	b.WriteString("## Not yet applicable\n\n| rows | why |\n|---|---|\n")
	for _, n := range notYet {
		fmt.Fprintf(&b, "| %s | %s |\n", n.rows, n.why)
	}
	writeCases(&b, tiers)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeBad lists what fails and what misses a bar.
func writeBad(b *strings.Builder, tiers []TierResults) {
	head := "## What fails, and what misses a bar\n\n| case | where | what |\n|---|---|---|\n"
	for _, t := range tiers {
		for _, r := range t.Results {
			for _, p := range append(slices.Clone(r.Problems), r.Missed...) {
				fmt.Fprintf(b, "%s| %s | %s | %s |\n", head, r.ID, tierNames[t.Tier], cell(p))
				head = ""
			}
		}
	}
	if head == "" {
		b.WriteString("\n")
	}
}

// writeCases lists all cases, by group, each with its results in every tier.
func writeCases(b *strings.Builder, tiers []TierResults) {
	if len(tiers) == 0 {
		return
	}
	others := make([]map[string]*Result, len(tiers))
	for i, t := range tiers {
		others[i] = map[string]*Result{}
		for k := range t.Results {
			others[i][t.Results[k].ID] = &t.Results[k]
		}
	}
	groups, _ := Summarize(tiers[0].Results)
	for _, g := range groups {
		fmt.Fprintf(b, "\n## %s: %s\n\n| case |", g.Group, g.About)
		for _, t := range tiers {
			if len(tiers) > 1 {
				fmt.Fprintf(b, " %s:", tierNames[t.Tier])
			}
			b.WriteString(" outcome | ms | late | growth |")
		}
		b.WriteString(" input |\n|---|" + strings.Repeat("---|---|---|---|", len(tiers)) + "---|\n")
		for _, r := range tiers[0].Results {
			if r.Group != g.Group {
				continue
			}
			fmt.Fprintf(b, "| %s |", r.ID)
			for _, of := range others {
				r := of[r.ID]
				if r == nil {
					b.WriteString(" | | | |")
					continue
				}
				mark := ""
				if !r.Passed {
					mark = "**FAILED** "
				}
				fmt.Fprintf(b, " %s%s | %.0f | %.1f | %s |", mark, r.Outcome, r.WallMs, r.LateMs, growthText(r.Growth))
			}
			fmt.Fprintf(b, " %s |\n", input(r.ID))
		}
	}
}

func sideBySide(jobs int) string {
	if jobs <= 1 {
		return "one process at a time"
	}
	return fmt.Sprintf("%d processes side by side", jobs)
}

// input shows the beginning of a case's program.
func input(id string) string {
	c, err := Find(id)
	switch {
	case err != nil:
		return ""
	case c.Scenario != nil:
		return "scenario"
	}
	return "`` " + strings.ReplaceAll(cell(clip(strings.Join(strings.Fields(clip(c.Text(), 200)), " "), 70)), "`", "´") + " ``"
}

func cell(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return ' '
		}
		return r
	}, clip(s, 400))
	return strings.ReplaceAll(s, "|", "\\|")
}
