package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/tool"
)

func memory(t testing.TB) store.Store {
	t.Helper()
	s, err := store.NewMemory(store.Limits{}).Namespace("test")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCall has the results that the specification of tool files gives.
func TestCall(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits.Timeout = 20 * time.Second
		const source = `export const tool = { description: 'x', inputSchema: { type: 'object', properties: { code: { type: 'string' }, n: { type: 'integer' } }, required: ['code'], additionalProperties: false } };
export const invoke = (inputs, ctx) => new (async () => {}).constructor('inputs', 'ctx', inputs.code)(inputs, ctx);`
		f := load(t, tool.Source{Text: source}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		for _, tt := range []struct {
			arguments string
			want      string // how the text begins
			fails     bool
		}{
			{`{"code": "return 'a text'"}`, "a text", false},
			{`{"code": "return undefined"}`, "", false},
			{`{"code": "return null"}`, "null", false},
			{`{"code": "return {b: 1, a: [undefined, NaN, new Date(0)], c: undefined}"}`, `{"b":1,"a":[null,null,"1970-01-01T00:00:00.000Z"]}`, false},
			{`{"code": "return 'a \"$js\" in a text'"}`, `a "$js" in a text`, false},
			{`{"code": "return {$js: 1}"}`, `{"$js":1}`, false},
			{`{"code": "return inputs.n + 1", "n": 1}`, "2", false},
			{`{"code": "throw new Error('no')"}`, "Error: no\n", true},
			{`{"code": "throw new TypeError('no')"}`, "Error: TypeError: no\n", true},
			{`{"code": "throw 'no'"}`, "Error: ", true},
			{`{"code": "return 1n"}`, "Error: ", true},
			{`{"code": "return {a: [new Map()]}"}`, "Error: ", true},
			{`{"code": "return () => 1"}`, "Error: ", true},
			{`{"code": "while (true) {}"}`, "Error: ", true},
			{`{"code": "return ctx.toolName"}`, "t", false},
			{`{"code": "return ctx.readFile('x').catch(e => e.message)"}`, "ctx.readFile needs 'fileRead' in the tool's requires list", false},
			{``, "Error: the arguments of t don't fit its inputSchema:\n- ", true},
			{`[1]`, "Error: the arguments of t must be a JSON object", true},
			{`"text"`, "Error: the arguments of t must be a JSON object", true},
			{`{"code"`, "Error: the arguments of t", true},
			{`{"code": 1}`, "Error: the arguments of t don't fit its inputSchema:\n- code: expected string, got number 1", true},
			{`{"code": "1", "code": "return 2"}`, "Error: the arguments of t", true},
			{`{"code": "", "m": 1}`, "Error: the arguments of t don't fit its inputSchema:\n- ", true},
		} {
			if strings.Contains(tt.arguments, "while") {
				continue // in TestAcceptance2Endless
			}
			r := f.Call(t.Context(), json.RawMessage(tt.arguments))
			if !strings.HasPrefix(r.Text, tt.want) || r.IsError != tt.fails || (tt.want == "" && r.Text != "") {
				t.Errorf("%s\ngives %q (error: %v)\nwant  %q", tt.arguments, r.Text, r.IsError, tt.want)
			}
		}
		if r := f.Call(t.Context(), json.RawMessage(`{"code": "return {a: [1, {b: 1n}]}"}`)); !errors.Is(r.Outcome.Err(), pinfold.ErrResult) || !strings.Contains(r.Text, "result.a[1].b: a BigInt can't be returned") {
			t.Errorf("%q %v", r.Text, r.Outcome.Err())
		}
		if r := f.Call(t.Context(), json.RawMessage(`{"code": "let a = []; a.push(a); return a"}`)); !errors.Is(r.Outcome.Err(), pinfold.ErrResult) {
			t.Errorf("%q %v", r.Text, r.Outcome.Err())
		}
	})
}

func TestNoArguments(t *testing.T) {
	f := load(t, tool.Source{Text: "export const invoke = inputs => inputs; export const tool = {description: 'x'}"}, tool.Config{LoadTimeout: 20 * time.Second})
	for arguments, want := range map[string]string{"": "{}", "null": "{}", " {} ": "{}", `{"a":1}`: "Error: the arguments of t don't fit its inputSchema:\n"} {
		if r := f.Call(t.Context(), json.RawMessage(arguments)); !strings.HasPrefix(r.Text, want) {
			t.Errorf("%q gives %q, want %q", arguments, r.Text, want)
		}
	}
	if r := f.Call(nil, json.RawMessage(`{"a":"`+strings.Repeat("x", 5<<20)+`"}`)); !strings.HasPrefix(r.Text, "Error: the arguments of t have 5242888 bytes, 4194304 are allowed") { //nolint:staticcheck // a nil context is allowed
		t.Errorf("%.100q", r.Text)
	}
}

// TestPlainArguments looks that arguments are JSON and nothing else: what is a tag
// elsewhere is data here.
func TestPlainArguments(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		f := load(t, tool.Source{Text: "export const invoke = inputs => JSON.stringify([Object.keys(inputs), typeof inputs.a, inputs]); export const tool = {description: 'x', inputSchema: {type: 'object'}}"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		for arguments, want := range map[string]string{
			`{"a": {"$js": "bigint", "v": "1"}}`:        `[["a"],"object",{"a":{"$js":"bigint","v":"1"}}]`,
			`{"__proto__": {"x": 1}, "constructor": 2}`: `[["__proto__","constructor"],"undefined",{"__proto__":{"x":1},"constructor":2}]`,
			`{"a": 1e400}`:      "Error: the arguments of t",
			`{"a": "\ud800"}`:   "[[\"a\"],\"string\",{\"a\":\"\\ud800\"}]",
			"{\"a\": \"\xff\"}": "",
		} {
			if r := f.Call(t.Context(), json.RawMessage(arguments)); !strings.HasPrefix(r.Text, want) {
				t.Errorf("%s gives %s, want %s", arguments, r.Text, want)
			}
		}
	})
}

func TestOutputSchema(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		f := load(t, tool.Source{Text: `export const invoke = ({ v }) => v; export const tool = { description: 'x', endsLoop: true,
 inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] } }`}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		r := f.Call(t.Context(), json.RawMessage(`{"v": {"total": 1}}`))
		if r.IsError || r.Text != `{"total":1}` || r.Value.String() != `{"total":1}` || !r.EndsLoop {
			t.Errorf("%+v", r)
		}
		for arguments, want := range map[string]string{
			`{"v": {"total": "1"}}`: "- total: expected number, got string \"1\"",
			`{"v": {}}`:             "- ", `{}`: "- ", `{"v": "text"}`: "- ",
		} {
			r := f.Call(t.Context(), json.RawMessage(arguments))
			if !r.IsError || r.EndsLoop || !errors.Is(r.Outcome.Err(), pinfold.ErrResult) || !strings.Contains(r.Text, "the result of t doesn't fit its outputSchema:\n"+want) || !strings.HasPrefix(r.Text, "Error: ") || !r.Value.IsUndefined() {
				t.Errorf("%s gives %q", arguments, r.Text)
			}
		}
	})
}

func TestEndsLoop(t *testing.T) {
	f := load(t, tool.Source{Text: `export const invoke = ({ bad }) => { if (bad) throw new Error('bad'); return {done: true} }; export const tool = { description: 'x', endsLoop: true, inputSchema: {type: 'object'} }`}, tool.Config{LoadTimeout: 20 * time.Second})
	if r := f.Call(t.Context(), nil); !r.EndsLoop || r.Value.String() != `{"done":true}` {
		t.Errorf("%+v", r)
	}
	if r := f.Call(t.Context(), json.RawMessage(`{"bad": true}`)); r.EndsLoop || !r.IsError {
		t.Errorf("%+v", r)
	}
}

// TestApproval looks that no call is made without a yes.
func TestApproval(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		var calls atomic.Int64
		opt.Functions = []pinfold.Function{{Name: "act", Func: func() { calls.Add(1) }}}
		source := tool.Source{Text: "export const invoke = () => { act(); return 'done' }; export const tool = {description: 'acts', requiresApproval: true, costHint: '0.5', inputSchema: {type: 'object', properties: {n: {type: 'number'}}}}"}
		var asked []tool.Question
		for _, tt := range []struct {
			name     string
			approver tool.Approver
			want     string
			acts     int64
		}{
			{"nobody", nil, "Error: t needs approval for each call, and there is nobody here to give it; the call was not made", 0},
			{"yes", answer(tool.Answer{Approved: true}, nil), "done", 1},
			{"no", answer(tool.Answer{}, nil), "Error: the call of t was not approved; it was not made", 0},
			{"no, because", answer(tool.Answer{Reason: "too dear"}, nil), "Error: the call of t was not approved: too dear", 0},
			{"an error", answer(tool.Answer{Approved: true}, errors.New("secret")), "Error: t needs approval, and asking for it failed; the call was not made", 0},
			{"a panic", tool.ApproverFunc(func(context.Context, tool.Question) (tool.Answer, error) { panic("x") }), "Error: a bug in the host", 0},
			{"asked about", tool.ApproverFunc(func(_ context.Context, q tool.Question) (tool.Answer, error) {
				asked = append(asked, q)
				q.Arguments[1] = 'X'
				return tool.Answer{Approved: true}, nil
			}), "done", 1},
		} {
			t.Run(tt.name, func(t *testing.T) {
				f := load(t, source, tool.Config{Options: opt, Approver: tt.approver, LoadTimeout: 20 * time.Second})
				calls.Store(0)
				asked = nil
				ctx := pinfold.WithCaller(t.Context(), pinfold.Caller{CallID: "c1", InstanceID: "i1"})
				r := f.Call(ctx, json.RawMessage(`{"n": 1}`))
				if !strings.HasPrefix(r.Text, tt.want) || calls.Load() != tt.acts {
					t.Errorf("%q after %d calls, want %q", r.Text, calls.Load(), tt.want)
				}
				if tt.name == "asked about" && (len(asked) != 1 || asked[0].Tool != "t" || asked[0].CallID != "c1" || asked[0].InstanceID != "i1" || asked[0].CostHint != "0.5" || asked[0].Hash != f.Hash() || asked[0].Description != "acts") {
					t.Errorf("%+v", asked)
				}
				if r := f.Call(ctx, json.RawMessage(`{"n": "1"}`)); !strings.Contains(r.Text, "inputSchema") || len(asked) > 1 {
					t.Errorf("approval was asked for arguments that don't fit: %q", r.Text)
				}
			})
		}
		t.Run("cancelled", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			f := load(t, source, tool.Config{Options: opt, LoadTimeout: 20 * time.Second, Approver: tool.ApproverFunc(func(ctx context.Context, _ tool.Question) (tool.Answer, error) {
				cancel()
				return tool.Answer{Approved: true}, nil
			})})
			calls.Store(0)
			if r := f.Call(ctx, nil); !strings.Contains(r.Text, "cancelled while it waited for approval") || calls.Load() != 0 {
				t.Errorf("%q", r.Text)
			}
		})
	})
}

func answer(a tool.Answer, err error) tool.Approver {
	return tool.ApproverFunc(func(context.Context, tool.Question) (tool.Answer, error) { return a, err })
}

// TestParallelSafe counts the calls that are at work at once.
func TestParallelSafe(t *testing.T) {
	for _, safe := range []bool{true, false} {
		var now, most atomic.Int64
		arrived := make(chan struct{}, 100)
		opt := pinfold.Options{Functions: []pinfold.Function{{Name: "work", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) {
			n := now.Add(1)
			for {
				m := most.Load()
				if n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			arrived <- struct{}{}
			time.Sleep(2 * time.Millisecond)
			now.Add(-1)
		}}}}
		opt.Limits.Timeout = 30 * time.Second
		f := load(t, tool.Source{Text: "export const invoke = () => work(); export const tool = {description: 'x', parallelSafe: " + map[bool]string{true: "true", false: "false"}[safe] + "}"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		if f.Definition().ParallelSafe != safe {
			t.Fatal(f.Definition())
		}
		call := func(instances ...string) int64 {
			most.Store(0)
			var wg sync.WaitGroup
			for i := range 12 {
				wg.Go(func() {
					ctx := pinfold.WithCaller(t.Context(), pinfold.Caller{InstanceID: instances[i%len(instances)]})
					if r := f.Call(ctx, nil); r.IsError && !strings.Contains(r.Text, "busy") {
						t.Error(r.Text)
					}
				})
			}
			wg.Wait()
			return most.Load()
		}
		one, two := call("a"), call("a", "b")
		if !safe && (one != 1 || two > 2) {
			t.Errorf("%d calls of one instance at once, %d of two", one, two)
		}
	}
}

// TestParallelSafeCancel leaves the queue, and the turn of another instance alone.
func TestParallelSafeCancel(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	opt := pinfold.Options{Functions: []pinfold.Function{{Name: "hold", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) {
		begun <- struct{}{}
		select {
		case <-release:
		case <-ctx.Done():
		}
	}}}}
	opt.Limits.Timeout = 30 * time.Second
	f := load(t, tool.Source{Text: "export const invoke = ({hold: h}) => h && hold(); export const tool = {description: 'x', parallelSafe: false, inputSchema: {type: 'object'}}"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
	done := make(chan *tool.Result)
	go func() { done <- f.Call(context.Background(), json.RawMessage(`{"hold": true}`)) }()
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if r := f.Call(ctx, nil); !strings.Contains(r.Text, "cancelled while another one was at work") {
		t.Errorf("%q", r.Text)
	}
	if r := f.Call(pinfold.WithCaller(t.Context(), pinfold.Caller{InstanceID: "other"}), nil); r.IsError {
		t.Errorf("%q", r.Text)
	}
	close(release)
	if r := <-done; r.IsError {
		t.Errorf("%q", r.Text)
	}
	if r := f.Call(t.Context(), nil); r.IsError {
		t.Errorf("%q", r.Text)
	}
}

// TestParallelSafeRecursion calls a tool from within itself.
func TestParallelSafeRecursion(t *testing.T) {
	var f *tool.File
	opt := pinfold.Options{Functions: []pinfold.Function{{Name: "again", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) string { return f.Call(ctx, nil).Text }}}}
	opt.Limits.Timeout = 30 * time.Second
	f = load(t, tool.Source{Text: "export const invoke = () => again(); export const tool = {description: 'x', parallelSafe: false}"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
	if r := f.Call(t.Context(), nil); r.Text != "Error: t was called by itself; only one call of it may be at work at a time" {
		t.Errorf("%q", r.Text)
	}
}

// TestTimeout looks that a tool narrows the time of its calls, and can't widen
// it.
func TestTimeout(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits.Timeout = 300 * time.Millisecond
		for timeout, want := range map[string]int64{"0.05": 50, "3600": 300} {
			f := load(t, tool.Source{Text: "export const invoke = () => { while (true) {} }; export const tool = {description: 'x', timeout: " + timeout + "}"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
			r := f.Call(t.Context(), nil)
			if !errors.Is(r.Outcome.Err(), pinfold.ErrTime) || r.Outcome.Failure.Limit != want {
				t.Errorf("timeout %s: %q, %+v", timeout, r.Text, r.Outcome.Failure)
			}
		}
	})
}

// TestCaller looks that what the caller has bounds what its tools have, and that
// cancelling ends a call.
func TestCaller(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Grants = &pinfold.Grants{Store: memory(t)}
		f := load(t, tool.Source{Text: "export const invoke = async (_, ctx) => [await ctx.store.keys().catch(e => e.message), ctx.toolName, ctx.callId, ctx.instanceId, ctx.capabilities].join('|'); export const tool = {description: 'x', requires: ['store']}"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		for _, tt := range []struct {
			caller pinfold.Caller
			want   string
		}{
			{pinfold.Caller{Tool: "other", CallID: "c", InstanceID: "i"}, "|t|c|i|store"},
			{pinfold.Caller{Capabilities: []string{}}, "ctx.store.keys is not available: the caller was not granted store|t|||"},
		} {
			if r := f.Call(pinfold.WithCaller(t.Context(), tt.caller), nil); r.Text != tt.want {
				t.Errorf("%q\nwant %q", r.Text, tt.want)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if r := f.Call(ctx, nil); !r.IsError || !errors.Is(r.Outcome.Err(), context.Canceled) {
			t.Errorf("%q", r.Text)
		}
	})
}
