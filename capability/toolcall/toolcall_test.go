package toolcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/toolcall"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func raw(s string) json.RawMessage { return json.RawMessage(s) }

func TestValue(t *testing.T) {
	text := func(s string) toolcall.Part { return toolcall.Part{Type: toolcall.Text, Text: s} }
	tests := []struct {
		parts []toolcall.Part
		want  string
	}{
		{nil, `null`},
		{[]toolcall.Part{text("a <b>\n")}, `"a <b>\n"`},
		{[]toolcall.Part{text("5")}, `"5"`},
		{[]toolcall.Part{text(` {"a":[1]} `)}, `{"a":[1]}`},
		{[]toolcall.Part{text(`[1`)}, `"[1"`},
		{[]toolcall.Part{{Type: toolcall.JSON, JSON: raw(`5`)}}, `5`},
		{[]toolcall.Part{{Type: toolcall.JSON}}, `null`},
		{[]toolcall.Part{{Type: toolcall.Blob, MIME: "image/png", Data: []byte{1, 2}}}, `{"mimeType":"image/png","data":"AQI="}`},
		{[]toolcall.Part{text("a"), {Type: toolcall.JSON, JSON: raw(`{}`)}}, `["a",{}]`},
	}
	for _, test := range tests {
		if got := (&toolcall.Result{Parts: test.parts}).Value(); string(got) != test.want {
			t.Errorf("%+v: %s, want %s", test.parts, got, test.want)
		}
	}
	if got := toolcall.TextResult("bad thing").Message(); got != "bad thing" {
		t.Error(got)
	}
	if got := toolcall.JSONResult(raw("1")).Message(); got != "the tool failed" {
		t.Error(got)
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		call toolcall.Call
		want string
	}{
		{toolcall.Call{Name: "a"}, ""},
		{toolcall.Call{Name: "a", Input: raw(` {"x":1} `)}, ""},
		{toolcall.Call{}, "bad argument: name"},
		{toolcall.Call{Name: "a", Input: raw(`[1]`)}, "bad argument: input, which must be an object"},
		{toolcall.Call{Name: "a", Input: raw(`{`)}, "bad argument: input, which must be an object"},
		{toolcall.Call{Name: "a", Input: raw(`{"a":"` + strings.Repeat("x", 100) + `"}`)}, "too large (limit 100 bytes)"},
	} {
		err := test.call.Check(100)
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%+v: %v, want %q", test.call, err, test.want)
		}
	}
}

func canned() *toolcall.Canned {
	return &toolcall.Canned{
		List: []toolcall.Tool{{Name: "search", Description: "finds things"}},
		Answers: map[string]func(toolcall.Call) (*toolcall.Result, error){
			"echo": func(c toolcall.Call) (*toolcall.Result, error) { return toolcall.JSONResult(c.Input), nil },
			"busy": func(toolcall.Call) (*toolcall.Result, error) {
				return nil, &toolcall.Error{Code: toolcall.Busy, Reason: "busy", Retryable: true}
			},
		},
		Progress: []toolcall.Progress{{Done: 1, Total: 2}, {Done: 2, Total: 2, Message: "nearly"}},
	}
}

func TestCanned(t *testing.T) {
	c := canned()
	tools, err := c.Tools(t.Context())
	if err != nil || fmt.Sprint(tools) != "[{search finds things [] []} {busy  [] []} {echo  [] []}]" {
		t.Errorf("%v, %v", tools, err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			in := raw(fmt.Sprintf(`{"i":%d}`, i))
			if r, err := c.Call(t.Context(), toolcall.Call{Name: "echo", Input: in}); err != nil || string(r.Value()) != string(in) {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
	wg.Wait()
	if n := len(c.Calls()); n != 8 {
		t.Errorf("%d calls", n)
	}
	_, err = c.Call(t.Context(), toolcall.Call{Name: "serch"})
	if !errors.Is(err, toolcall.UnknownTool) || err.Error() != `there is no tool "serch"; there are search, busy, echo` {
		t.Error(err)
	}
	if _, err := c.Call(t.Context(), toolcall.Call{Name: "busy"}); !errors.Is(err, toolcall.Busy) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Call(ctx, toolcall.Call{Name: "echo"}); !errors.Is(err, toolcall.Cancelled) {
		t.Error(err)
	}
}

// plain is a Caller that can't stream.
type plain struct{ toolcall.Caller }

func TestStream(t *testing.T) {
	steps := func(c toolcall.Caller, name string) string {
		var out []string
		for e, err := range toolcall.Stream(t.Context(), c, toolcall.Call{Name: name, Input: raw(`{}`)}) {
			switch {
			case err != nil:
				out = append(out, err.Error())
			case e.Progress != nil:
				out = append(out, fmt.Sprint(e.Progress.Done))
			case e.Part != nil:
				out = append(out, "part")
			case e.Result != nil:
				out = append(out, string(e.Result.Value()))
			}
		}
		return strings.Join(out, " ")
	}
	for _, test := range []struct {
		c    toolcall.Caller
		name string
		want string
	}{
		{canned(), "echo", "1 2 part {}"},
		{plain{canned()}, "echo", "{}"},
		{canned(), "busy", "busy"},
		{plain{canned()}, "busy", "busy"},
		{toolcall.Narrow(canned(), "echo"), "echo", "1 2 part {}"},
		{toolcall.Narrow(canned(), "echo"), "search", `there is no tool "search"; there are echo`},
	} {
		if got := steps(test.c, test.name); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	if _, err := toolcall.Collect(func(func(toolcall.Event, error) bool) {}); !errors.Is(err, toolcall.Incomplete) {
		t.Error(err)
	}
	if r, err := toolcall.Collect(toolcall.Stream(t.Context(), canned(), toolcall.Call{Name: "echo", Input: raw(`{"a":1}`)})); err != nil || string(r.Value()) != `{"a":1}` {
		t.Errorf("%v, %v", r, err)
	}
}

func TestNarrow(t *testing.T) {
	c := canned()
	n := toolcall.Narrow(toolcall.Narrow(c, "echo", "missing", "*"), "echo", "search", "missing")
	tools, err := n.Tools(t.Context())
	if err != nil || len(tools) != 1 || tools[0].Name != "echo" {
		t.Errorf("%v, %v", tools, err)
	}
	for name, code := range map[string]error{"echo": nil, "search": toolcall.UnknownTool, "missing": toolcall.UnknownTool, "*": toolcall.UnknownTool} {
		if _, err := n.Call(t.Context(), toolcall.Call{Name: name}); !errors.Is(err, code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(c.Calls()) != 1 {
		t.Errorf("%d calls went through", len(c.Calls()))
	}
}

func TestAsError(t *testing.T) {
	for _, test := range []struct {
		err  error
		code toolcall.Code
	}{
		{fmt.Errorf("w: %w", &toolcall.Error{Code: toolcall.NotApproved}), toolcall.NotApproved},
		{context.DeadlineExceeded, toolcall.TimedOut}, {context.Canceled, toolcall.Cancelled}, {errors.New("x"), toolcall.Failed},
	} {
		if e := toolcall.AsError(test.err); e.Code != test.code {
			t.Errorf("%v is %v", test.err, e.Code)
		}
	}
	if toolcall.AsError(nil) != nil {
		t.Error("nil is an error")
	}
}

func Example() {
	tools := &toolcall.Canned{Answers: map[string]func(toolcall.Call) (*toolcall.Result, error){
		"weather": func(toolcall.Call) (*toolcall.Result, error) { return toolcall.TextResult("sunny"), nil },
		"delete":  func(toolcall.Call) (*toolcall.Result, error) { return toolcall.TextResult("gone"), nil },
	}}
	granted := toolcall.Narrow(tools, "weather")
	ctx := context.Background()
	result, err := granted.Call(ctx, toolcall.Call{Name: "weather", Input: json.RawMessage(`{"city":"Oslo"}`)})
	fmt.Println(string(result.Value()), err)
	_, err = granted.Call(ctx, toolcall.Call{Name: "delete"})
	fmt.Println(err)
	// Output:
	// "sunny" <nil>
	// there is no tool "delete"; there are weather
}
