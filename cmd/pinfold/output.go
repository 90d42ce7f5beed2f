package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/spf13/cobra"
)

// The JSON object of --json: see docs/cli-json.md. Fields are never renamed or
// taken away; new ones may appear.
type jsonOutcome struct {
	OK      bool                  `json:"ok"`
	Value   json.RawMessage       `json:"value"`
	Console []pinfold.ConsoleLine `json:"console"`
	Failure *pinfold.Failure      `json:"failure"`
	Usage   jsonUsage             `json:"usage"`
	Tier    string                `json:"tier"`
	Logs    []log.Record          `json:"logs,omitempty"`
	CostUSD string                `json:"costUsd,omitempty"`
	Replay  *jsonReplay           `json:"replay,omitempty"`
}

type jsonReplay struct {
	Calls int `json:"calls"` // that were answered from the recording, or are in it
}

type jsonUsage struct {
	Fuel           int64   `json:"fuel"`
	PeakBytes      int64   `json:"peakBytes"`
	AllocatedBytes int64   `json:"allocatedBytes"`
	WallMs         float64 `json:"wallMs"`
	HostCalls      int64   `json:"hostCalls"`
	OutputBytes    int64   `json:"outputBytes"`
}

// outcomeJSON makes the object of an outcome. s may be nil.
func outcomeJSON(o *pinfold.Outcome, s *session) jsonOutcome {
	u := o.Usage
	j := jsonOutcome{
		OK: o.Failure == nil, Value: json.RawMessage("null"), Console: o.Console, Failure: o.Failure,
		Usage: jsonUsage{
			Fuel: u.Fuel, PeakBytes: u.PeakBytes, AllocatedBytes: u.AllocatedBytes, WallMs: float64(u.Wall) / float64(time.Millisecond),
			HostCalls: u.HostCalls, OutputBytes: u.OutputBytes,
		},
		Tier: o.Tier.String(),
	}
	if j.Console == nil {
		j.Console = []pinfold.ConsoleLine{}
	}
	if j.Failure == nil {
		j.Value = o.Value.JSON()
	}
	if s != nil {
		j.Logs = s.records.list
		if s.cfg.Cost != nil && s.world.Grants.Cost != nil {
			j.CostUSD = s.world.Grants.Cost.Total().String()
		}
		if s.recording != nil {
			j.Replay = &jsonReplay{s.recording.Calls()}
		}
	}
	return j
}

func printJSON(w io.Writer, o *pinfold.Outcome, s *session) error {
	return writeJSON(w, outcomeJSON(o, s))
}

// maxCompact is how long a value may be to be printed on one line.
const maxCompact = 120

func printText(out, errs io.Writer, o *pinfold.Outcome, explain bool) error {
	if o.Failure != nil {
		report := o.Failure.Report()
		if explain {
			report = o.Failure.FullReport()
		}
		_, err := io.WriteString(errs, paintReport(errs, report))
		return err
	}
	text, err := o.Value.Plain()
	if err != nil || text == nil {
		return err
	}
	if utf8.RuneCount(text) > maxCompact {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "  "); err != nil {
			return err
		}
		text = b.Bytes()
	}
	_, err = fmt.Fprintf(out, "=> %s\n", text)
	return err
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]string{"version": version()})
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// version describes this build.
func version() string {
	v, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 && v == "(devel)" {
				revision = " " + s.Value[:12]
			}
		}
	}
	return fmt.Sprintf("pinfold %s%s %s %s/%s", v, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
