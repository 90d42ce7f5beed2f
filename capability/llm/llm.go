package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
)

// Model answers requests. It must be safe for use by many goroutines and end
// when its context does.
type Model interface {
	Complete(ctx context.Context, req *Request) (*Response, error)
}

// Streamer is a Model that can give the pieces of an answer as they come. The
// sequence ends after the piece that is Done, or after an error. A consumer that
// stops early ends the request.
type Streamer interface {
	Model
	Stream(ctx context.Context, req *Request) iter.Seq2[Chunk, error]
}

// Role says who speaks.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Request asks a model.
type Request struct {
	Model       string    `json:"model"` // a name that the host maps
	System      string    `json:"system,omitempty"`
	Messages    []Message `json:"messages"`
	Tools       []Tool    `json:"tools,omitempty"`
	Temperature *float64  `json:"temperature,omitempty"`
	TopP        *float64  `json:"top_p,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"` // 0: the host's choice
	Stop        []string  `json:"stop_sequences,omitempty"`
	// Output is a JSON Schema that the answer's text is to follow as JSON; nil
	// for text.
	Output json.RawMessage `json:"output_schema,omitempty"`
}

// Message is one turn.
type Message struct {
	Role       Role       `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // of the assistant
	ToolCallID string     `json:"tool_call_id,omitempty"` // which call a tool answers
	Name       string     `json:"name,omitempty"`
}

// Tool is a tool that the model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
}

// ToolCall is a call that the model wants. Arguments are JSON as the model wrote
// it, unchecked.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// StopReason says why an answer ended.
type StopReason string

// The reasons.
const (
	StopEnd       StopReason = "end"
	StopMaxTokens StopReason = "max_tokens"
	StopToolUse   StopReason = "tool_use"
	StopSequence  StopReason = "stop_sequence"
	StopRefusal   StopReason = "refusal"
)

// Response is an answer.
type Response struct {
	Model      string     `json:"model"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	StopReason StopReason `json:"stop_reason"`
	Usage      Usage      `json:"usage"`
}

// Usage is how many tokens an answer took.
type Usage struct {
	InputTokens      int64 `json:"input_tokens"`
	OutputTokens     int64 `json:"output_tokens"`
	CacheReadTokens  int64 `json:"cache_read_tokens,omitempty"`
	CacheWriteTokens int64 `json:"cache_write_tokens,omitempty"`
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens: u.InputTokens + v.InputTokens, OutputTokens: u.OutputTokens + v.OutputTokens,
		CacheReadTokens: u.CacheReadTokens + v.CacheReadTokens, CacheWriteTokens: u.CacheWriteTokens + v.CacheWriteTokens,
	}
}

// Chunk is a piece of an answer: text to append, a call of a tool that is
// complete, or the end.
type Chunk struct {
	Text     string    `json:"text,omitempty"`
	ToolCall *ToolCall `json:"tool_call,omitempty"`
	// Done holds the end: the whole answer, with its usage.
	Done *Response `json:"done,omitempty"`
}

// Limits bound requests. A zero field means its default.
type Limits struct {
	Bytes    int // of all texts, arguments and schemas; 1 MiB
	Messages int // 1000
	Tools    int // 128
}

// Check looks whether a request can be sent to a model at all. The error is an
// *Error of code BadArgument or TooLarge.
func (r *Request) Check(l Limits) error {
	def := func(v, d int) int {
		if v <= 0 {
			return d
		}
		return v
	}
	l = Limits{def(l.Bytes, 1<<20), def(l.Messages, 1000), def(l.Tools, 128)}
	bad := func(format string, args ...any) error {
		return &Error{Code: BadArgument, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case r.Model == "":
		return bad("model is required")
	case len(r.Messages) == 0:
		return bad("messages is required")
	case len(r.Messages) > l.Messages:
		return &Error{Code: TooLarge, Reason: fmt.Sprintf("too many messages (limit %d)", l.Messages)}
	case len(r.Tools) > l.Tools:
		return &Error{Code: TooLarge, Reason: fmt.Sprintf("too many tools (limit %d)", l.Tools)}
	case r.MaxTokens < 0:
		return bad("max_tokens must not be negative")
	case r.Temperature != nil && !(*r.Temperature >= 0 && *r.Temperature <= 2):
		return bad("temperature must be from 0 to 2")
	case r.TopP != nil && !(*r.TopP >= 0 && *r.TopP <= 1):
		return bad("top_p must be from 0 to 1")
	}
	size := len(r.Model) + len(r.System) + len(r.Output)
	for _, s := range r.Stop {
		size += len(s)
	}
	if r.Output != nil && !json.Valid(r.Output) {
		return bad("output_schema must be JSON")
	}
	for i, m := range r.Messages {
		switch m.Role {
		case User, Assistant, System:
		case ToolRole:
			if m.ToolCallID == "" {
				return bad("messages[%d].tool_call_id is required with the role tool", i)
			}
		default:
			return bad("messages[%d].role must be system, user, assistant or tool", i)
		}
		if len(m.ToolCalls) > 0 && m.Role != Assistant {
			return bad("messages[%d].tool_calls belongs to the role assistant", i)
		}
		size += len(m.Content) + len(m.Name) + len(m.ToolCallID)
		for j, c := range m.ToolCalls {
			if c.ID == "" || c.Name == "" || !json.Valid(c.Arguments) {
				return bad("messages[%d].tool_calls[%d] needs id, name and arguments", i, j)
			}
			size += len(c.ID) + len(c.Name) + len(c.Arguments)
		}
	}
	names := map[string]bool{}
	for i, t := range r.Tools {
		switch {
		case t.Name == "":
			return bad("tools[%d].name is required", i)
		case names[t.Name]:
			return bad("tools[%d].name is there twice", i)
		case t.InputSchema != nil && !json.Valid(t.InputSchema):
			return bad("tools[%d].input_schema must be JSON", i)
		}
		names[t.Name] = true
		size += len(t.Name) + len(t.Description) + len(t.InputSchema)
	}
	if size > l.Bytes {
		return &Error{Code: TooLarge, Reason: fmt.Sprintf("too large (limit %d bytes)", l.Bytes)}
	}
	return nil
}

// Stream gives the pieces of an answer. Of a model that can't stream it gives
// the text in one piece, the calls of tools, and the end.
func Stream(ctx context.Context, m Model, req *Request) iter.Seq2[Chunk, error] {
	if s, ok := m.(Streamer); ok {
		return s.Stream(ctx, req)
	}
	return func(yield func(Chunk, error) bool) {
		res, err := m.Complete(ctx, req)
		if err != nil {
			yield(Chunk{}, err)
			return
		}
		for c := range pieces(res, math.MaxInt) {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// pieces cuts an answer into chunks with texts of at most n characters.
func pieces(res *Response, n int) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for text := []rune(res.Content); len(text) > 0; {
			k := min(n, len(text))
			if !yield(Chunk{Text: string(text[:k])}) {
				return
			}
			text = text[k:]
		}
		for i := range res.ToolCalls {
			if !yield(Chunk{ToolCall: &res.ToolCalls[i]}) {
				return
			}
		}
		yield(Chunk{Done: res})
	}
}

// Collect takes a stream to its end and returns the answer. A stream that ends
// without its last piece is an error of code Incomplete.
func Collect(seq iter.Seq2[Chunk, error]) (*Response, error) {
	for c, err := range seq {
		if err != nil {
			return nil, err
		}
		if c.Done != nil {
			return c.Done, nil
		}
	}
	return nil, &Error{Code: Incomplete, Reason: "the answer broke off", Retryable: true}
}
