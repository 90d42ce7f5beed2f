package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func request() *llm.Request {
	return &llm.Request{Model: "fast", Messages: []llm.Message{{Role: llm.User, Content: "Hello"}}}
}

func TestCheck(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tests := []struct {
		change func(r *llm.Request)
		want   string
	}{
		{func(*llm.Request) {}, ""},
		{func(r *llm.Request) { r.Model = "" }, "model is required"},
		{func(r *llm.Request) { r.Messages = nil }, "messages is required"},
		{func(r *llm.Request) { r.Messages = make([]llm.Message, 1001) }, "too many messages (limit 1000)"},
		{func(r *llm.Request) { r.Messages[0].Role = "robot" }, "messages[0].role must be system, user, assistant or tool"},
		{func(r *llm.Request) { r.Messages[0].Role = llm.ToolRole }, "messages[0].tool_call_id is required with the role tool"},
		{func(r *llm.Request) { r.Messages[0].ToolCalls = make([]llm.ToolCall, 1) }, "messages[0].tool_calls belongs to the role assistant"},
		{func(r *llm.Request) {
			r.Messages[0] = llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "1", Name: "a", Arguments: raw("{")}}}
		}, "messages[0].tool_calls[0] needs id, name and arguments"},
		{func(r *llm.Request) { r.MaxTokens = -1 }, "max_tokens must not be negative"},
		{func(r *llm.Request) { r.Temperature = f(2.5) }, "temperature must be from 0 to 2"},
		{func(r *llm.Request) { r.TopP = f(-1) }, "top_p must be from 0 to 1"},
		{func(r *llm.Request) { r.Output = raw("x") }, "output_schema must be JSON"},
		{func(r *llm.Request) { r.Tools = []llm.Tool{{}} }, "tools[0].name is required"},
		{func(r *llm.Request) { r.Tools = []llm.Tool{{Name: "a"}, {Name: "a"}} }, "tools[1].name is there twice"},
		{func(r *llm.Request) { r.Tools = []llm.Tool{{Name: "a", InputSchema: raw("{")}} }, "tools[0].input_schema must be JSON"},
		{func(r *llm.Request) { r.Tools = make([]llm.Tool, 129) }, "too many tools (limit 128)"},
		{func(r *llm.Request) { r.System = strings.Repeat("x", 1<<20) }, "too large (limit 1048576 bytes)"},
	}
	for _, test := range tests {
		r := request()
		test.change(r)
		err := r.Check(llm.Limits{})
		var e *llm.Error
		if test.want == "" && err != nil || test.want != "" && (!errors.As(err, &e) || e.Reason != test.want || e.Retryable) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

func TestCanned(t *testing.T) {
	limited := &llm.Error{Code: llm.RateLimited, Reason: "too many requests", Retryable: true}
	m := &llm.Canned{Replies: []llm.Reply{llm.Text("Hello there, you"), {Err: limited}}}
	res, err := m.Complete(t.Context(), request())
	if err != nil || res.Content != "Hello there, you" || res.Model != "fast" || res.StopReason != llm.StopEnd || res.Usage.OutputTokens != 16 {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := m.Complete(t.Context(), request()); !errors.Is(err, llm.RateLimited) {
		t.Error(err)
	}
	if _, err := m.Complete(t.Context(), request()); !errors.Is(err, llm.NotAvailable) {
		t.Error(err)
	}
	if _, err := m.Complete(t.Context(), &llm.Request{}); !errors.Is(err, llm.BadArgument) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Complete(ctx, request()); !errors.Is(err, llm.Cancelled) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := len(m.Requests()); n != 3 {
		t.Errorf("%d requests came", n)
	}
	answer := &llm.Canned{Answer: func(r *llm.Request) (*llm.Response, error) {
		return &llm.Response{Content: strings.ToUpper(r.Messages[0].Content)}, nil
	}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if res, err := answer.Complete(t.Context(), request()); err != nil || res.Content != "HELLO" {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
	wg.Wait()
}

// whole is a Model that can't stream.
type whole struct{ m llm.Model }

func (w whole) Complete(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	return w.m.Complete(ctx, r)
}

func TestStream(t *testing.T) {
	call := llm.ToolCall{ID: "1", Name: "search", Arguments: json.RawMessage(`{"q":"x"}`)}
	reply := llm.Reply{Response: &llm.Response{Content: "häßlich", ToolCalls: []llm.ToolCall{call}, StopReason: llm.StopToolUse}}
	canned := func() *llm.Canned { return &llm.Canned{Replies: []llm.Reply{reply}, PieceSize: 3} }
	for name, test := range map[string]struct {
		m    llm.Model
		want string
	}{
		"streaming": {canned(), "häß|lic|h|search|done"},
		"whole":     {whole{canned()}, "häßlich|search|done"},
	} {
		var got []string
		seq := llm.Stream(t.Context(), test.m, request())
		res, err := llm.Collect(func(yield func(llm.Chunk, error) bool) {
			for c, err := range seq {
				switch {
				case c.Text != "":
					got = append(got, c.Text)
				case c.ToolCall != nil:
					got = append(got, c.ToolCall.Name)
				case c.Done != nil:
					got = append(got, "done")
				}
				if !yield(c, err) {
					return
				}
			}
		})
		if err != nil || res.Content != "häßlich" || strings.Join(got, "|") != test.want {
			t.Errorf("%s: %q, %+v, %v", name, got, res, err)
		}
	}
	// A consumer may stop.
	for range llm.Stream(t.Context(), canned(), request()) {
		break
	}
	if _, err := llm.Collect(llm.Stream(t.Context(), &llm.Canned{}, request())); !errors.Is(err, llm.NotAvailable) {
		t.Error(err)
	}
	var none iter.Seq2[llm.Chunk, error] = func(func(llm.Chunk, error) bool) {}
	if _, err := llm.Collect(none); !errors.Is(err, llm.Incomplete) {
		t.Error(err)
	}
}

func TestStreamEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range llm.Stream(ctx, &llm.Canned{Replies: []llm.Reply{llm.Text(strings.Repeat("x", 100))}}, request()) {
		if n++; n == 2 {
			cancel()
		}
		if n == 3 && !errors.Is(err, llm.Cancelled) || n < 3 && err != nil || n > 3 {
			t.Errorf("piece %d: %v", n, err)
		}
	}
	if n != 3 {
		t.Errorf("%d pieces came", n)
	}
}

func TestAsError(t *testing.T) {
	known := &llm.Error{Code: llm.Overloaded, Reason: "x"}
	for _, test := range []struct {
		err    error
		code   llm.Code
		reason string
	}{
		{fmt.Errorf("wrapped: %w", known), llm.Overloaded, "x"},
		{context.DeadlineExceeded, llm.TimedOut, "timed out"},
		{context.Canceled, llm.Cancelled, "cancelled"},
		{errors.New("dial tcp 10.0.0.1:443: secret"), llm.Failed, "the model failed"},
	} {
		if e := llm.AsError(test.err); e.Code != test.code || e.Reason != test.reason || !errors.Is(e, test.code) {
			t.Errorf("%v is %+v", test.err, e)
		}
	}
	if llm.AsError(nil) != nil {
		t.Error("nil is an error")
	}
}

func TestJSONNames(t *testing.T) {
	text, err := json.Marshal(llm.Response{Model: "m", Content: "c", StopReason: llm.StopEnd, Usage: llm.Usage{InputTokens: 1}.Add(llm.Usage{InputTokens: 2, OutputTokens: 3, CacheReadTokens: 4})})
	want := `{"model":"m","content":"c","stop_reason":"end","usage":{"input_tokens":3,"output_tokens":3,"cache_read_tokens":4}}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

func Example() {
	model := &llm.Canned{Replies: []llm.Reply{llm.Text("It is sunny in Oslo.")}}
	req := &llm.Request{Model: "fast", Messages: []llm.Message{{Role: llm.User, Content: "What is the weather?"}}}
	for piece, err := range llm.Stream(context.Background(), model, req) {
		switch {
		case err != nil:
			fmt.Println(err)
		case piece.Done != nil:
			fmt.Println(piece.Done.StopReason, piece.Done.Usage.OutputTokens)
		default:
			fmt.Printf("%q\n", piece.Text)
		}
	}
	// Output:
	// "It is su"
	// "nny in O"
	// "slo."
	// end 20
}
