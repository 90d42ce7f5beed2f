package toolcall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
)

// Caller calls tools. It must be safe for use by many goroutines and end when
// its context does.
type Caller interface {
	// Tools lists the tools that can be called, in a stable order.
	Tools(ctx context.Context) ([]Tool, error)
	// Call calls one. A tool that failed is a Result with IsError; a call that
	// didn't come about is an error, an *Error where possible.
	Call(ctx context.Context, c Call) (*Result, error)
}

// Streamer is a Caller that can tell how a call goes on. The sequence ends after
// the event that has the Result, or after an error. A consumer that stops early
// ends the call.
type Streamer interface {
	Caller
	Stream(ctx context.Context, c Call) iter.Seq2[Event, error]
}

// Tool describes a tool.
type Tool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
}

// Call is one call.
type Call struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input,omitempty"` // an object; nil is {}
	ID    string          `json:"id,omitempty"`
	// IdempotencyKey is the same when a call is made again, so that a tool with
	// effects can tell.
	IdempotencyKey string `json:"idempotencyKey,omitempty"`
}

// PartType says what a part holds.
type PartType string

// The types of parts.
const (
	Text PartType = "text"
	JSON PartType = "json"
	Blob PartType = "blob" // bytes of a media type, such as an image
)

// Part is a part of a result.
type Part struct {
	Type PartType        `json:"type"`
	Text string          `json:"text,omitempty"`
	JSON json.RawMessage `json:"json,omitempty"`
	Data []byte          `json:"data,omitempty"`
	MIME string          `json:"mimeType,omitempty"`
}

// Result is what a tool gave.
type Result struct {
	Parts   []Part `json:"parts,omitempty"`
	IsError bool   `json:"isError,omitempty"`
}

// TextResult is a Result of one text.
func TextResult(s string) *Result { return &Result{Parts: []Part{{Type: Text, Text: s}}} }

// JSONResult is a Result of one value.
func JSONResult(v json.RawMessage) *Result { return &Result{Parts: []Part{{Type: JSON, JSON: v}}} }

// Value returns the one value that a script gets of a result, as JSON: null for
// no parts; of one part its value, or its text (parsed when the text is a JSON
// object or array); of several an array of them. A blob is an object of
// mimeType and data in base64.
func (r *Result) Value() json.RawMessage {
	switch len(r.Parts) {
	case 0:
		return json.RawMessage("null")
	case 1:
		return r.Parts[0].value()
	}
	out := []byte{'['}
	for i, p := range r.Parts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, p.value()...)
	}
	return append(out, ']')
}

func (p Part) value() json.RawMessage {
	var v any = p.Text
	switch p.Type {
	case JSON:
		if json.Valid(p.JSON) {
			return p.JSON
		}
		return json.RawMessage("null")
	case Blob:
		v = struct {
			MIME string `json:"mimeType"`
			Data []byte `json:"data"`
		}{p.MIME, p.Data}
	default:
		if t := bytes.TrimSpace([]byte(p.Text)); len(t) > 0 && (t[0] == '{' || t[0] == '[') && json.Valid(t) {
			return t
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(b.Bytes())
}

// Message returns the text of a result that is an error.
func (r *Result) Message() string {
	for _, p := range r.Parts {
		if p.Type == Text && p.Text != "" {
			return p.Text
		}
	}
	return "the tool failed"
}

// Event is a step of a call: progress, a part as soon as it is there, or the
// result, which holds all parts again.
type Event struct {
	Progress *Progress `json:"progress,omitempty"`
	Part     *Part     `json:"part,omitempty"`
	Result   *Result   `json:"result,omitempty"`
}

// Progress is how far a call has come. Total is 0 when it isn't known.
type Progress struct {
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"`
	Message string  `json:"message,omitempty"`
}

// Check looks whether a call can be made at all. The error is an *Error of code
// BadArgument or TooLarge.
func (c Call) Check(maxBytes int) error {
	if maxBytes <= 0 {
		maxBytes = 1 << 20
	}
	switch in := bytes.TrimSpace(c.Input); {
	case c.Name == "":
		return &Error{Code: BadArgument, Reason: "bad argument: name"}
	case len(in) > maxBytes:
		return &Error{Code: TooLarge, Reason: fmt.Sprintf("too large (limit %d bytes)", maxBytes)}
	case len(in) > 0 && (in[0] != '{' || !json.Valid(in)):
		return &Error{Code: BadArgument, Reason: "bad argument: input, which must be an object"}
	}
	return nil
}

// Stream gives the steps of a call. Of a caller that can't stream it gives the
// result alone.
func Stream(ctx context.Context, c Caller, call Call) iter.Seq2[Event, error] {
	if s, ok := c.(Streamer); ok {
		return s.Stream(ctx, call)
	}
	return func(yield func(Event, error) bool) {
		r, err := c.Call(ctx, call)
		if err != nil {
			yield(Event{}, err)
			return
		}
		yield(Event{Result: r}, nil)
	}
}

// Collect takes a stream to its end and returns the result. A stream that ends
// without one is an error of code Incomplete.
func Collect(seq iter.Seq2[Event, error]) (*Result, error) {
	for e, err := range seq {
		if err != nil {
			return nil, err
		}
		if e.Result != nil {
			return e.Result, nil
		}
	}
	return nil, &Error{Code: Incomplete, Reason: "the call broke off", Retryable: true}
}

// Narrow returns a Caller that has those tools of c only that are named: a name
// that c doesn't have adds nothing. There are no wildcards.
func Narrow(c Caller, names ...string) Caller {
	return &narrowed{c, slices.Clone(names)}
}

type narrowed struct {
	of    Caller
	names []string
}

func (n *narrowed) Tools(ctx context.Context) ([]Tool, error) {
	all, err := n.of.Tools(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(t Tool) bool { return !slices.Contains(n.names, t.Name) }), nil
}

func (n *narrowed) refuse(c Call) error {
	if slices.Contains(n.names, c.Name) {
		return nil
	}
	return unknown(c.Name, n.names)
}

func (n *narrowed) Call(ctx context.Context, c Call) (*Result, error) {
	if err := n.refuse(c); err != nil {
		return nil, err
	}
	return n.of.Call(ctx, c)
}

func (n *narrowed) Stream(ctx context.Context, c Call) iter.Seq2[Event, error] {
	if err := n.refuse(c); err != nil {
		return func(yield func(Event, error) bool) { yield(Event{}, err) }
	}
	return Stream(ctx, n.of, c)
}

// unknown is the error for a tool that isn't there.
func unknown(name string, names []string) *Error {
	if len(name) > 100 {
		name = name[:100] + "…"
	}
	reason := "there is no tool " + strconv.Quote(name)
	if len(names) > 0 {
		reason += "; there are "
		for i, n := range names[:min(len(names), 20)] {
			if i > 0 {
				reason += ", "
			}
			reason += n
		}
		if len(names) > 20 {
			reason += ", …"
		}
	}
	return &Error{Code: UnknownTool, Reason: reason}
}
