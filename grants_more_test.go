package pinfold_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/clock"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/capability/llm"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/toolcall"
)

func TestCtxCapabilities(t *testing.T) {
	var ledger *cost.Ledger
	var records *log.Memory
	for _, tt := range []struct {
		name     string
		requires []pinfold.Requirement
		source   string
		want     string
	}{
		{"store", nil, `await ctx.store.set('a', {n: [1]}); return [await ctx.store.get('a'), await ctx.store.get('b'), await ctx.store.keys(), await ctx.store.delete('a'), await ctx.store.keys('')]`, `[{"n":[1]},{"$js":"undefined"},["a"],true,[]]`},
		{"store, what JSON can't hold", nil, `return ctx.store.set('a', new Map([[1, 2]])).catch(e => [e.message, e.code, e.data.hint])`, `["ctx.store.set: bad argument: value","E_ARGUMENT","value is a Map: use Object.fromEntries(x)"]`},
		{"store, undefined", nil, `return ctx.store.set('a').catch(e => e.data.hint)`, `"undefined can't be kept: use null, or ctx.store.delete(key)"`},
		{"store, a bad key", nil, `return ctx.store.get('').catch(e => [e.message.split(':')[0], e.code])`, `["ctx.store.get","E_STORE_BAD_KEY"]`},
		{"cost", nil, `ctx.addCost('0.10', 'a note'); ctx.addCost(0.2); return 1`, `1`},
		{"cost, negative", nil, `try { ctx.addCost(-1) } catch (e) { return [e.message, e.code] }`, `["ctx.addCost: the amount is negative","E_COST_NEGATIVE_AMOUNT"]`},
		{"log", nil, `ctx.log('hello', {a: 1}); ctx.log('again'); return 1`, `1`},
		{"log, what is no object", nil, `try { ctx.log('hello', [1]) } catch (e) { return e.code }`, `"E_LOG_BAD_ARGUMENT"`},
		{"log need not be declared", []pinfold.Requirement{}, `ctx.log('hello'); return ctx.capabilities`, `[]`},
		{"delay", nil, `let t = ctx.remainingMs(); await ctx.delay(5); return ctx.remainingMs() <= t`, `true`},
		{"delay, too long", nil, `return ctx.delay(1e9).catch(e => e.code)`, `"E_DELAY_TOO_LONG"`},
		{"llm", nil, `let r = await ctx.llm('say hi'); return [r.content, r.stop_reason, typeof r.usage.output_tokens]`, `["echo: say hi","end","number"]`},
		{"llm, messages", nil, `return (await ctx.llm({messages: [{role: 'user', content: 'x'}], max_tokens: 5})).content`, `"echo: x"`},
		{"llm, nonsense", nil, `return ctx.llm(5).catch(e => [e.message, e.code])`, `["ctx.llm: bad argument: request","E_ARGUMENT"]`},
		{"llm, models", []pinfold.Requirement{{Capability: "llm", Scope: []string{"small"}}}, `return [await ctx.llm('x').catch(e => e.code), (await ctx.llm({model: 'small', messages: [{role: 'user', content: 'y'}]})).content]`, `["E_LLM_UNKNOWN_MODEL","echo: y"]`},
		{"llm, in pieces", nil, `let text = '', done; for await (const c of await ctx.llmStream('a longer text')) { text += c.text ?? ''; done = c.done ?? done } return [text, done.content]`, `["echo: a longer text","echo: a longer text"]`},
		{"tool", nil, `return ctx.callTool('add', {a: 1, b: 2})`, `3`},
		{"tool, failing", nil, `return ctx.callTool('fail').catch(e => [e.message, e.code, e.data])`, `["fail: it broke","E_TOOL",{"tool":"fail"}]`},
		{"tool, unknown", nil, `return ctx.callTool('nothing').catch(e => e.code)`, `"E_TOOL_UNKNOWN_TOOL"`},
		{"tools, some", []pinfold.Requirement{{Capability: "tool", Scope: []string{"add"}}}, `return [(await ctx.listTools()).map(t => t.name), await ctx.callTool('fail').catch(e => e.code)]`, `[["add"],"E_TOOL_UNKNOWN_TOOL"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onTiers(t, func(t *testing.T) pinfold.Options {
				backend := store.NewMemory(store.Limits{})
				t.Cleanup(func() { _ = backend.Close() })
				s, err := backend.Namespace("c1")
				if err != nil {
					t.Fatal(err)
				}
				ledger, records = cost.NewLedger(cost.Options{}), &log.Memory{}
				return pinfold.Options{Requires: tt.requires, Grants: &pinfold.Grants{
					Store: s, Cost: ledger, Log: records, Clock: clock.System(), MaxDelay: time.Second,
					LLM: &llm.Canned{Answer: func(req *llm.Request) (*llm.Response, error) {
						return &llm.Response{Content: "echo: " + req.Messages[0].Content, StopReason: llm.StopEnd}, nil
					}},
					Tools: &toolcall.Canned{Answers: map[string]func(toolcall.Call) (*toolcall.Result, error){
						"add": func(c toolcall.Call) (*toolcall.Result, error) {
							var in struct{ A, B int }
							if err := json.Unmarshal(c.Input, &in); err != nil {
								return nil, err
							}
							return toolcall.JSONResult(json.RawMessage(fmt.Sprint(in.A + in.B))), nil
						},
						"fail": func(toolcall.Call) (*toolcall.Result, error) {
							r := toolcall.TextResult("it broke")
							r.IsError = true
							return r, nil
						},
					}},
				}}
			}, func(t *testing.T, s *pinfold.Sandbox) {
				ctx := pinfold.WithCaller(context.Background(), pinfold.Caller{Tool: "sum", CallID: "c7"})
				if got, _ := run(t, s, ctx, tt.source); got != tt.want {
					t.Errorf("%s\nwant %s", got, tt.want)
				}
				switch tt.name {
				case "cost":
					if got := fmt.Sprint(ledger.Total(), ledger.Lines()); got != "0.3 [{0.10 sum c7 a note} {0.2 sum c7 }]" && !strings.HasPrefix(got, "0.3") {
						t.Error(got)
					}
				case "log":
					if got := fmt.Sprint(records.Records()); got != "[{1 info hello [123 34 97 34 58 49 125] sum c7} {2 info again [] sum c7}]" {
						t.Error(got)
					}
				}
			})
		})
	}
}
