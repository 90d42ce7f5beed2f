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
	Failure *jsonFailure          `json:"failure"`
	Usage   jsonUsage             `json:"usage"`
}

type jsonFailure struct {
	Kind       pinfold.Kind `json:"kind"`
	Name       string       `json:"name"`
	Message    string       `json:"message"`
	Code       string       `json:"code"`
	File       string       `json:"file"`
	Line       int          `json:"line"`
	Column     int          `json:"column"`
	EndColumn  int          `json:"endColumn"`
	SourceLine string       `json:"sourceLine"`
	Hint       string       `json:"hint"`
	Limit      int64        `json:"limit"`
	Used       int64        `json:"used"`
	Frames     []jsonFrame  `json:"frames"`
}

type jsonFrame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
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
		OK: o.Failure == nil, Value: json.RawMessage("null"), Console: o.Console,
		Usage: jsonUsage{
			Fuel: u.Fuel, PeakBytes: u.PeakBytes, AllocatedBytes: u.AllocatedBytes, WallMs: float64(u.Wall) / float64(time.Millisecond),
			HostCalls: u.HostCalls, OutputBytes: u.OutputBytes,
		},
	}
	if j.Console == nil {
		j.Console = []pinfold.ConsoleLine{}
	}
	if f := o.Failure; f != nil {
		j.Failure = &jsonFailure{
			Kind: f.Kind, Name: f.Name, Message: f.Message, Code: f.Code, File: f.File, Line: f.Line, Column: f.Column, EndColumn: f.EndColumn,
			SourceLine: f.SourceLine, Hint: f.Hint, Limit: f.Limit, Used: f.Used, Frames: []jsonFrame{},
		}
		for _, fr := range f.Frames {
			j.Failure.Frames = append(j.Failure.Frames, jsonFrame(fr))
		}
	} else {
		j.Value = o.Value.JSON()
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(j)
}

// maxCompact is how long a value may be to be printed on one line.
const maxCompact = 120

func printText(out, errs io.Writer, o *pinfold.Outcome) error {
	if o.Failure != nil {
		_, err := io.WriteString(errs, o.Failure.Report())
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
