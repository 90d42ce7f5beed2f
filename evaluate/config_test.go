package evaluate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/evaluate"
)

// TestConfig has the messages that the specification gives.
func TestConfig(t *testing.T) {
	minus := -1
	fn := func(context.Context, []any) (any, error) { return nil, nil }
	for _, tt := range []struct {
		cfg  evaluate.Config
		code evaluate.Code
		want string
	}{
		{evaluate.Config{}, evaluate.GateRequired, "evaluate_javascript requires a gate"},
		{evaluate.Config{Gate: evaluate.AllowAll, Limits: evaluate.Limits{MaxLogEventBytes: 31}}, evaluate.InvalidConfig, "limits.maxLogEventBytes=31 must be a finite integer >= 32"},
		{evaluate.Config{Gate: evaluate.AllowAll, Limits: evaluate.Limits{MaxLogEvents: -1}}, evaluate.InvalidConfig, "limits.maxLogEvents=-1 must be a finite integer >= 1"},
		{evaluate.Config{Gate: evaluate.AllowAll, Limits: evaluate.Limits{LogDrainMs: &minus}}, evaluate.InvalidConfig, "limits.logDrainMs=-1 must be a finite integer >= 0"},
		{evaluate.Config{Gate: evaluate.AllowAll, Limits: evaluate.Limits{CodecMaxDepth: 3}}, evaluate.InvalidConfig, "limits.codecMaxDepth=3 must be a finite integer >= 4"},
		{evaluate.Config{Gate: evaluate.AllowAll, Limits: evaluate.Limits{CodecMaxNodes: 15}}, evaluate.InvalidConfig, "limits.codecMaxNodes=15 must be a finite integer >= 16"},
		{evaluate.Config{Gate: evaluate.AllowAll, Limits: evaluate.Limits{MaxHostcallBytes: 4095}}, evaluate.InvalidConfig, "limits.maxHostcallBytes=4095 must be a finite integer >= 4096"},
		{evaluate.Config{Gate: evaluate.AllowAll, Limits: evaluate.Limits{MaxTerminalPayloadBytes: 1}}, evaluate.InvalidConfig, "limits.maxTerminalPayloadBytes=1 must be a finite integer >= 4096"},
		{evaluate.Config{Gate: evaluate.AllowAll, Quotas: evaluate.Quotas{HostcallTimeoutMs: -5}}, evaluate.InvalidConfig, "hostcallQuotas.hostcallTimeoutMs=-5 must be a finite integer >= 1"},
		{evaluate.Config{Gate: evaluate.AllowAll, Quotas: evaluate.Quotas{MaxHostcallsPerEvaluation: -1}}, evaluate.InvalidConfig, "hostcallQuotas.maxHostcallsPerEvaluation=-1 must be a finite integer >= 1"},
		{evaluate.Config{Gate: evaluate.AllowAll, Quotas: evaluate.Quotas{MaxConcurrentHostcalls: -1}}, evaluate.InvalidConfig, "hostcallQuotas.maxConcurrentHostcalls=-1 must be a finite integer >= 1"},
		{evaluate.Config{Gate: evaluate.AllowAll, Globals: map[string]evaluate.Global{"f": {Func: fn}}}, evaluate.InvalidConfig, "globals.f says nothing about cancellation"},
		{evaluate.Config{Gate: evaluate.AllowAll, Globals: map[string]evaluate.Global{"f": {Cancellation: pinfold.Atomic}}}, evaluate.InvalidConfig, "globals.f has no function"},
		{evaluate.Config{Gate: evaluate.AllowAll, Globals: map[string]evaluate.Global{"Array": {Func: fn, Cancellation: pinfold.Atomic}}}, evaluate.InvalidConfig, "would hide JavaScript's own Array"},
		{evaluate.Config{Gate: evaluate.AllowAll, Modules: map[string]evaluate.Module{"m": {}}}, evaluate.InvalidConfig, "modules.m must have either data or source"},
		{evaluate.Config{Gate: evaluate.AllowAll, Modules: map[string]evaluate.Module{"m": {Data: json.RawMessage("{")}}}, evaluate.InvalidConfig, "modules.m: its data is not JSON"},
		{evaluate.Config{Gate: evaluate.AllowAll, Sandbox: pinfold.Options{NoEval: true, Hardened: true}}, evaluate.InvalidConfig, "Sandbox.Hardened is set"},
		{evaluate.Config{Gate: evaluate.AllowAll, GateTimeout: -1}, evaluate.InvalidConfig, "GateTimeout"},
	} {
		_, err := evaluate.New(tt.cfg)
		var x *evaluate.Error
		if !errors.As(err, &x) || x.Code != tt.code || !strings.Contains(x.Message, tt.want) {
			t.Errorf("%v, want %s: %s", err, tt.code, tt.want)
		}
	}
}

func TestGate(t *testing.T) {
	turn, endTurn := context.WithCancel(context.Background())
	endTurn()
	for _, tt := range []struct {
		name      string
		gate      evaluate.Gate
		ctx       context.Context
		code      evaluate.Code
		narration evaluate.Narration
		message   string
	}{
		{"declined", evaluate.DenyAll, nil, evaluate.Refused, evaluate.GateDeclined, "Approval was declined: nobody can approve evaluations here; request approval and try again."},
		{"declined without a note", func(context.Context, evaluate.GateCall) (evaluate.Decision, error) { return evaluate.Decision{}, nil }, nil, evaluate.Refused, evaluate.GateDeclined, "Approval was declined; request approval and try again."},
		{"aborted", func(context.Context, evaluate.GateCall) (evaluate.Decision, error) {
			return evaluate.Decision{}, fmt.Errorf("closed: %w", evaluate.ErrGateAborted)
		}, nil, evaluate.GateAborted, evaluate.Aborted, "aborted"},
		{"timed out", func(ctx context.Context, _ evaluate.GateCall) (evaluate.Decision, error) {
			<-ctx.Done()
			return evaluate.Decision{}, ctx.Err()
		}, nil, evaluate.GateTimeout, evaluate.GateUnavailable, "Sandbox gate timeout; retry when available."},
		{"ignores its context", func(context.Context, evaluate.GateCall) (evaluate.Decision, error) {
			time.Sleep(200 * time.Millisecond)
			return evaluate.Decision{Approved: true}, nil
		}, nil, evaluate.GateTimeout, evaluate.GateUnavailable, "Sandbox gate timeout"},
		{"fails", func(context.Context, evaluate.GateCall) (evaluate.Decision, error) {
			return evaluate.Decision{}, errors.New("the database is down")
		}, nil, evaluate.Refused, evaluate.GateUnavailable, "Sandbox gate error; retry when available."},
		{"panics", func(context.Context, evaluate.GateCall) (evaluate.Decision, error) { panic("no") }, nil, evaluate.Refused, evaluate.GateUnavailable, "Sandbox gate error"},
		{"the turn has ended", func(ctx context.Context, _ evaluate.GateCall) (evaluate.Decision, error) {
			return evaluate.Decision{}, evaluate.ErrGateAborted
		}, turn, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			acted := false
			e, err := evaluate.New(evaluate.Config{Gate: tt.gate, GateTimeout: 50 * time.Millisecond, Globals: map[string]evaluate.Global{
				"act": {Cancellation: pinfold.Cooperative, Func: func(context.Context, []any) (any, error) { acted = true; return nil, nil }},
			}})
			if err != nil {
				t.Fatal(err)
			}
			o, err := e.Evaluate(tt.ctx, `await act()`, time.Second)
			if acted || o != nil {
				t.Error("the guest ran")
			}
			if tt.code == "" {
				if err == nil || errors.As(err, new(*evaluate.Error)) {
					t.Errorf("%v is not the raw error", err)
				}
				return
			}
			wantCode(t, err, tt.code, tt.narration, tt.message)
			if strings.Contains(err.Error(), "database") {
				t.Error("the gate's own words reach the model")
			}
		})
	}
	time.Sleep(200 * time.Millisecond) // the gate that ignores its context
}

func TestGateCall(t *testing.T) {
	var seen []evaluate.GateCall
	e, err := evaluate.New(evaluate.Config{MaxTimeout: 10 * time.Second, Gate: func(_ context.Context, c evaluate.GateCall) (evaluate.Decision, error) {
		seen = append(seen, c)
		return evaluate.Decision{Approved: true}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{`{"source": "1"}`, `{"source": "1", "timeout_seconds": 3}`, `{"source": "2", "timeout_seconds": 1e9}`} {
		if r := e.Call(context.Background(), json.RawMessage(args)); r.IsError {
			t.Error(r.Text)
		}
	}
	if len(seen) != 3 || seen[0].Timeout != 10*time.Second || seen[1].Timeout != 3*time.Second || seen[2].Timeout != 10*time.Second || seen[0].Hash != seen[1].Hash || seen[1].Hash == seen[2].Hash || seen[0].Tool != "evaluate_javascript" {
		t.Errorf("%+v", seen)
	}
	for _, tt := range []struct{ args, want string }{
		{`{}`, "Error: the argument source is missing"}, {`[]`, "Error: the arguments must be an object"}, {`{"source": "1", "x": 2}`, "Error: the arguments must be an object"},
		{`{"source": "1", "timeout_seconds": 0}`, "Error: timeout_seconds must be 1 or more"}, {`{"source": "while (1) {}", "timeout_seconds": 1}`, "Error: E_SANDBOX_FAILED: Evaluation timed out after 1 seconds (kind: timed-out)."},
		{`{"source": "throw 1"}`, `{"ok":false,"thrown":{"kind":"value","encoded":1`},
	} {
		if r := e.Call(context.Background(), json.RawMessage(tt.args)); !r.IsError || !strings.HasPrefix(r.Text, tt.want) {
			t.Errorf("%s gives %s", tt.args, r.Text)
		}
	}
}

func TestDescription(t *testing.T) {
	cfg := evaluate.Config{Gate: evaluate.AllowAll, Globals: globals(nil, nil)}
	a, err := evaluate.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b, err := evaluate.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := json.Marshal(a.Definition())
	y, _ := json.Marshal(b.Definition())
	if string(x) != string(y) || !a.Definition().Untrusted || a.Definition().Name != "evaluate_javascript" {
		t.Errorf("%s\n%s", x, y)
	}
	for _, want := range []string{"hardened", "no ambient fetch, process, require, Date.now or Math.random", "- echo: (x: unknown) => Promise<unknown> – Gives back what it gets.", "asynchronous"} {
		if !strings.Contains(a.Definition().Description, want) {
			t.Errorf("%q is missing in %s", want, a.Definition().Description)
		}
	}
}

func ExampleEvaluator() {
	e, err := evaluate.New(evaluate.Config{
		Gate: evaluate.AllowAll,
		Globals: map[string]evaluate.Global{
			"price": {Cancellation: pinfold.Cooperative, Func: func(_ context.Context, args []any) (any, error) { return 3.5, nil }},
		},
	})
	if err != nil {
		panic(err)
	}
	o, err := e.Evaluate(context.Background(), `const p = await price('tea'); ({total: p * 2, exact: 7n})`, time.Second)
	if err != nil {
		panic(err)
	}
	fmt.Println(o.Encoding, string(o.Result))
	// Output: encoder {"total":7,"exact":{"$js":"bigint","v":"7"}}
}
