package evaluate

import (
	"encoding/json"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/membrane"
)

// Encodings of values that crossed.
const (
	Encoder = "encoder" // decoding gives an equal value
	Part    = "partial" // something has a placeholder
)

// Outcome is what a guest came to.
type Outcome struct {
	OK bool `json:"ok"`
	// Result is what the guest gave, in JSON with tags for what JSON can't hold:
	// {"$js":"bigint","v":"123"} and so on, as package membrane describes. It is
	// there when OK.
	Result   json.RawMessage `json:"result,omitempty"`
	Encoding string          `json:"encoding,omitempty"`
	// PartialPaths are where Result has placeholders, at most 20.
	PartialPaths []string `json:"partialPaths,omitempty"`
	// Thrown is there when not OK.
	Thrown     *Thrown    `json:"thrown,omitempty"`
	DurationMs float64    `json:"durationMs"`
	Logs       []LogEvent `json:"logs"`
	// LogsCapped says that the guest logged more than MaxLogEvents.
	LogsCapped   bool `json:"logsCapped"`
	LogsComplete bool `json:"logsComplete"`
	// LogsThrough is the last event that arrived, when not all did.
	LogsThrough *int `json:"logsThrough,omitempty"`
	// Hostcalls are records of the calls of injected functions.
	Hostcalls []Hostcall `json:"hostcalls,omitempty"`

	value pinfold.Value
	run   *pinfold.Outcome
}

// Run returns the run's own outcome: its usage, and which tier it ran on.
func (o *Outcome) Run() *pinfold.Outcome { return o.run }

// Value returns what the guest gave.
func (o *Outcome) Value() pinfold.Value { return o.value }

// Kinds of what is thrown.
const (
	ThrownError  = "error"
	ThrownValue  = "value"  // something else than an error: Encoded
	ThrownOpaque = "opaque" // … that can't cross
	ThrownSyntax = "syntax" // the source doesn't parse
)

// Thrown is what a guest threw.
type Thrown struct {
	Kind             string          `json:"kind"`
	Name             string          `json:"name,omitempty"`
	Message          string          `json:"message,omitempty"`
	MessageTruncated bool            `json:"messageTruncated,omitempty"`
	Code             string          `json:"code,omitempty"` // the error's property code
	Stack            string          `json:"stack,omitempty"`
	StackTruncated   bool            `json:"stackTruncated,omitempty"`
	Encoded          json.RawMessage `json:"encoded,omitempty"`
	Encoding         string          `json:"encoding,omitempty"`
	Line             int             `json:"line,omitempty"` // from 1, in the source
	Column           int             `json:"column,omitempty"`
	SourceLine       string          `json:"sourceLine,omitempty"`
	Hint             string          `json:"hint,omitempty"`
}

// LogEvent is a line that the guest logged.
type LogEvent struct {
	Seq       int    `json:"seq"` // from 1
	Level     string `json:"level"`
	Text      string `json:"text"`
	Truncated bool   `json:"truncated"`
}

// Hostcall is the record of a call of an injected function.
type Hostcall struct {
	ID       int64   `json:"id"`
	Name     string  `json:"name"`
	Result   string  `json:"result"` // ok, failed, refused, cancelled, dropped, unknown
	Code     string  `json:"code,omitempty"`
	BytesIn  int64   `json:"bytesIn"`
	BytesOut int64   `json:"bytesOut"`
	Ms       float64 `json:"ms"`
}

// logCut ends a line that the guest cut.
const logCut = "… [cut]"

func (o *Outcome) logs(run *pinfold.Outcome) {
	o.Logs = make([]LogEvent, 0, len(run.Console))
	for i, l := range run.Console {
		o.Logs = append(o.Logs, LogEvent{Seq: i + 1, Level: l.Level, Text: l.Text, Truncated: strings.HasSuffix(l.Text, logCut)})
	}
	o.LogsCapped = run.Dropped
	// Lines come in order and before the outcome; a lost worker may have had more.
	o.LogsComplete = run.Failure == nil || run.Failure.Kind != pinfold.ErrInternal
	if !o.LogsComplete {
		n := len(o.Logs)
		o.LogsThrough = &n
	}
}

func (o *Outcome) hostcalls(run *pinfold.Outcome) {
	for _, c := range run.Calls {
		o.Hostcalls = append(o.Hostcalls, Hostcall{
			ID: c.ID, Name: c.Name, Result: string(c.End), Code: c.Code, BytesIn: c.BytesIn, BytesOut: c.BytesOut,
			Ms: float64(c.Duration.Microseconds()) / 1000,
		})
	}
}

func (o *Outcome) succeeded(run *pinfold.Outcome) {
	o.OK, o.value, o.Result, o.Encoding = true, run.Value, run.Value.JSON(), Encoder
	if run.Partial != nil {
		o.Encoding, o.PartialPaths = Part, run.Partial.Paths
	}
}

func (o *Outcome) threw(run *pinfold.Outcome, available string) {
	f := run.Failure
	t := &Thrown{
		Kind: ThrownError, Name: f.Name, Message: f.Message, Code: f.Code, Line: f.Line, Column: f.Column, SourceLine: f.SourceLine, Hint: f.Hint,
		MessageTruncated: strings.HasSuffix(f.Message, "more characters left out]"),
	}
	o.Thrown = t
	switch {
	case f.Kind != pinfold.ErrScript:
		t.Kind = ThrownSyntax
		return
	case f.Name == "" && strings.HasPrefix(f.Message, "uncaught "):
		t.Kind, t.Message, t.Encoded, t.Encoding = ThrownValue, "", f.Thrown.JSON(), Encoder
		if p := run.Partial; p != nil {
			t.Encoding = Part
			if len(p.Paths) > 0 && p.Paths[0] == "thrown" {
				*t = Thrown{Kind: ThrownOpaque, Line: t.Line, Column: t.Column, SourceLine: t.SourceLine}
			}
		}
		return
	case f.Name == "":
		t.Name = "Error"
	case f.Name == "ReferenceError" && t.Hint == "":
		t.Hint = available
	}
	if x, err := f.Thrown.Any(); err == nil {
		if e, ok := x.(*membrane.ErrorValue); ok {
			t.Stack = e.Stack
		}
	}
}

// bound keeps the outcome within a number of bytes: the value gives way, the logs
// stay.
func (o *Outcome) bound(most int) {
	text, err := json.Marshal(o)
	if err != nil || len(text) <= most {
		return
	}
	const cut = `{"$js":"cut","reason":"bytes"}`
	switch {
	case o.OK:
		o.Result, o.Encoding, o.PartialPaths = json.RawMessage(cut), Part, []string{"result"}
	case o.Thrown.Encoded != nil:
		o.Thrown.Encoded, o.Thrown.Encoding = json.RawMessage(cut), Part
	default:
		o.Thrown.Stack, o.Thrown.StackTruncated = "", true
	}
}
