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
}

type jsonUsage struct {
	Fuel           int64   `json:"fuel"`
	PeakBytes      int64   `json:"peakBytes"`
	AllocatedBytes int64   `json:"allocatedBytes"`
	WallMs         float64 `json:"wallMs"`
	HostCalls      int64   `json:"hostCalls"`
	OutputBytes    int64   `json:"outputBytes"`
}

func printJSON(w io.Writer, o *pinfold.Outcome) error {
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
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(j)
}

// maxCompact is how long a value may be to be printed on one line.
const maxCompact = 120

func printText(out, errs io.Writer, o *pinfold.Outcome, explain bool) error {
	if o.Failure != nil {
		report := o.Failure.Report()
		if explain {
			report = o.Failure.FullReport()
		}
		_, err := io.WriteString(errs, report)
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
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version())
			return err
		},
	}
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
