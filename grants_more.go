package pinfold

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/capability/clock"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/capability/llm"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/toolcall"
	"github.com/pinfold-js/pinfold/membrane"
)

// capabilityError makes the script's form of an error of a package of
// capabilities: prefix begins its code.
func capabilityError(function, prefix string, err error) error {
	out := &Error{}
	var code, reason string
	var s *store.Error
	var c *cost.Error
	var l *log.Error
	var k *clock.Error
	var m *llm.Error
	var t *toolcall.Error
	switch {
	case errors.As(err, &s):
		code, reason, out.Retryable = string(s.Code), s.Reason, s.Retryable
	case errors.As(err, &c):
		code, reason = string(c.Code), c.Reason
	case errors.As(err, &l):
		code, reason = string(l.Code), l.Reason
	case errors.As(err, &k):
		code, reason = string(k.Code), k.Reason
	case errors.As(err, &m):
		code, reason, out.Retryable = string(m.Code), m.Reason, m.Retryable
		if m.RetryAfter > 0 {
			out.Data = membrane.NewObject("retryAfterMs", m.RetryAfter.Milliseconds())
		}
	case errors.As(err, &t):
		code, reason, out.Retryable = string(t.Code), t.Reason, t.Retryable
	default:
		return err
	}
	out.Code, out.Message = prefix+strings.ToUpper(code), function+": "+reason
	return out
}

// plainJSON is an argument as JSON. Values that JSON doesn't have are refused.
func plainJSON(function, name string, v Value) (json.RawMessage, error) {
	if v.IsUndefined() {
		return nil, nil
	}
	x, err := v.Any()
	if err != nil {
		return nil, badArgument(function, name, "use what JSON can hold: "+err.Error())
	}
	if bad := notJSON(x, name); bad != "" {
		return nil, badArgument(function, name, bad)
	}
	return v.Plain()
}

// notJSON says what in a tree JSON can't hold, and where; "" if there is
// nothing.
func notJSON(x any, path string) string { //meter: as deep as an argument may be, which Limits.ResultDepth bounds
	kind := ""
	switch x := x.(type) {
	case []any:
		for i, e := range x { //meter: the elements of an argument, which was charged
			if bad := notJSON(e, fmt.Sprintf("%s[%d]", path, i)); bad != "" {
				return bad
			}
		}
	case *Object:
		for i := range x.Len() { //meter: the properties of an argument, which was charged
			k, e := x.At(i)
			if bad := notJSON(e, path+"."+k); bad != "" {
				return bad
			}
		}
	case *big.Int:
		kind = "a BigInt: use String(x)"
	case *Map:
		kind = "a Map: use Object.fromEntries(x)"
	case *Set:
		kind = "a Set: use [...x]"
	case []byte, *Bytes:
		kind = "binary data: use base64"
	case *ErrorValue:
		kind = "an Error: use String(x)"
	}
	if kind == "" {
		return ""
	}
	return path + " is " + kind
}

// storeFunctions are those of Store.
func storeFunctions(g *Grants, _ []string) ([]Function, error) {
	s := g.Store
	get := func(ctx context.Context, key string) (any, error) {
		v, ok, err := s.Get(ctx, key)
		if err != nil {
			return nil, capabilityError("ctx.store.get", "E_STORE_", err)
		}
		if !ok {
			return Undefined{}, nil
		}
		return v, nil
	}
	set := func(ctx context.Context, key string, value Value) error {
		const name = "ctx.store.set"
		text, err := plainJSON(name, "value", value)
		if err != nil {
			return err
		}
		if text == nil {
			return badArgument(name, "value", "undefined can't be kept: use null, or ctx.store.delete(key)")
		}
		return capabilityErrorOrNil(name, "E_STORE_", s.Set(ctx, key, text))
	}
	remove := func(ctx context.Context, key string) (bool, error) {
		was, err := s.Delete(ctx, key)
		return was, capabilityErrorOrNil("ctx.store.delete", "E_STORE_", err)
	}
	keys := func(ctx context.Context, prefix, after *string) ([]string, error) {
		text := func(s *string) string {
			if s == nil {
				return ""
			}
			return *s
		}
		list, err := s.Keys(ctx, text(prefix), text(after), 0)
		return list, capabilityErrorOrNil("ctx.store.keys", "E_STORE_", err)
	}
	return []Function{
		{Name: "ctx.store.get", Func: get, Async: true, Cancel: Cooperative, Doc: "Returns what is kept under a key, undefined if nothing is.", Declaration: "(key: string) => Promise<unknown>"},
		{Name: "ctx.store.set", Func: set, Async: true, Cancel: Cooperative, Doc: "Keeps a JSON value under a key, for later runs too.", Declaration: "(key: string, value: unknown) => Promise<void>"},
		{Name: "ctx.store.delete", Func: remove, Async: true, Cancel: Cooperative, Doc: "Forgets a key; says whether there was something.", Declaration: "(key: string) => Promise<boolean>"},
		{Name: "ctx.store.keys", Func: keys, Async: true, Cancel: Cooperative, Doc: "Lists the keys with a prefix, those after a key, at most 1000.", Declaration: "(prefix?: string, after?: string) => Promise<string[]>"},
	}, nil
}

func capabilityErrorOrNil(function, prefix string, err error) error {
	if err == nil {
		return nil
	}
	return capabilityError(function, prefix, err)
}

// costFunctions are those of Cost.
func costFunctions(g *Grants, _ []string) ([]Function, error) {
	ledger := g.Cost
	add := func(ctx context.Context, usd any, note *string) error {
		const name = "ctx.addCost"
		amount, err := cost.Of(usd)
		if err == nil {
			c := callerOf(ctx)
			line := cost.Line{USD: amount, Source: c.Tool, CallID: c.CallID}
			if note != nil {
				line.Note = *note
			}
			err = ledger.Add(line)
		}
		return capabilityErrorOrNil(name, "E_COST_", err)
	}
	return []Function{{Name: "ctx.addCost", Func: add, Doc: "Adds a cost in US dollars: a number, or a decimal as text.", Declaration: "(usd: number | string, note?: string) => void"}}, nil
}

// logFunctions are those of Log.
func logFunctions(g *Grants, _ []string) ([]Function, error) {
	sink := g.Log
	write := func(ctx context.Context, message string, fields Value) error {
		const name = "ctx.log"
		text, err := plainJSON(name, "fields", fields)
		if err != nil {
			return err
		}
		logger := local(ctx, logFunctionsKey{}, func() *log.Logger {
			c := callerOf(ctx)
			return log.New(sink, g.LogLimits, c.Tool, c.CallID)
		})
		return capabilityErrorOrNil(name, "E_LOG_", logger.Log(ctx, log.LevelInfo, message, text))
	}
	return []Function{{Name: "ctx.log", Func: write, Doc: "Writes a record for the host; the model doesn't see it.", Declaration: "(message: string, fields?: object) => void"}}, nil
}

type logFunctionsKey struct{}

// clockFunctions are those of Clock.
func clockFunctions(g *Grants, _ []string) ([]Function, error) {
	c, longest := g.Clock, g.MaxDelay
	if longest <= 0 {
		longest = defaultMaxDelay
	}
	delay := func(ctx context.Context, ms float64) error {
		return capabilityErrorOrNil("ctx.delay", "E_DELAY_", clock.Sleep(ctx, c, ms, longest))
	}
	return []Function{{Name: "ctx.delay", Func: delay, Async: true, Cancel: Cooperative, Doc: "Waits for some milliseconds.", Declaration: "(ms: number) => Promise<void>"}}, nil
}

// DefaultModel is the model of a request by ctx.llm that names none.
const DefaultModel = "default"

// llmRequest reads a request: a text is a prompt.
func llmRequest(function string, v Value) (*llm.Request, error) {
	text, err := plainJSON(function, "request", v)
	if err != nil {
		return nil, err
	}
	req := &llm.Request{}
	var prompt string
	if json.Unmarshal(text, &prompt) == nil {
		req.Messages = []llm.Message{{Role: llm.User, Content: prompt}}
	} else if err := json.Unmarshal(text, req); err != nil {
		return nil, badArgument(function, "request", `pass a prompt as a string, or an object such as {messages: [{role: "user", content: "…"}]}`)
	}
	if req.Model == "" {
		req.Model = DefaultModel
	}
	if err := req.Check(llm.Limits{}); err != nil {
		return nil, capabilityError(function, "E_LLM_", err)
	}
	return req, nil
}

// llmFunctions are those of LLM.
func llmFunctions(g *Grants, scope []string) ([]Function, error) {
	model := g.LLM
	allowed := func(function string, req *llm.Request) error {
		if scope != nil && !slices.Contains(scope, req.Model) {
			return &Error{Code: "E_LLM_UNKNOWN_MODEL", Message: function + ": the model is not among those that were declared", Data: membrane.NewObject("models", anys(scope))}
		}
		return nil
	}
	complete := func(ctx context.Context, request Value) (*llm.Response, error) {
		const name = "ctx.llm"
		req, err := llmRequest(name, request)
		if err == nil {
			err = allowed(name, req)
		}
		if err != nil {
			return nil, err
		}
		resp, err := model.Complete(ctx, req)
		if err != nil {
			return nil, capabilityError(name, "E_LLM_", llm.AsError(err))
		}
		return resp, nil
	}
	stream := func(ctx context.Context, request Value) (iter.Seq2[llm.Chunk, error], error) {
		const name = "ctx.llmStream"
		req, err := llmRequest(name, request)
		if err == nil {
			err = allowed(name, req)
		}
		if err != nil {
			return nil, err
		}
		return func(yield func(llm.Chunk, error) bool) {
			for c, err := range llm.Stream(ctx, model, req) { //meter: a step of the stream each, which the program asks for
				if err != nil {
					yield(c, capabilityError(name, "E_LLM_", llm.AsError(err)))
					return
				}
				if !yield(c, nil) {
					return
				}
			}
		}, nil
	}
	return []Function{
		{Name: "ctx.llm", Func: complete, Async: true, Cancel: Cooperative, Doc: "Asks a language model: a prompt, or a request with messages.", Declaration: "(request: string | LlmRequest) => Promise<LlmResponse>"},
		{Name: "ctx.llmStream", Func: stream, Async: true, Cancel: Cooperative, Doc: "Asks a language model and gives the answer in pieces.", Declaration: "(request: string | LlmRequest) => Promise<AsyncIterable<LlmChunk>>"},
	}, nil
}

func anys(list []string) []any {
	out := make([]any, len(list)) //meter: what the host configured
	for i, s := range list {      //meter: what the host configured
		out[i] = s
	}
	return out
}

// toolFunctions are those of Tools.
func toolFunctions(g *Grants, scope []string) ([]Function, error) {
	tools := g.Tools
	if tools != nil && scope != nil {
		tools = toolcall.Narrow(tools, scope...)
	}
	call := func(ctx context.Context, name string, input Value) (any, error) {
		const function = "ctx.callTool"
		text, err := plainJSON(function, "input", input)
		if err != nil {
			return nil, err
		}
		c := toolcall.Call{Name: name, Input: text, IdempotencyKey: CallFrom(ctx).IdempotencyKey()}
		if err := c.Check(0); err != nil {
			return nil, capabilityError(function, "E_TOOL_", err)
		}
		r, err := tools.Call(ctx, c)
		switch {
		case err != nil:
			return nil, capabilityError(function, "E_TOOL_", toolcall.AsError(err))
		case r == nil:
			return nil, capabilityError(function, "E_TOOL_", &toolcall.Error{Code: toolcall.Failed, Reason: "it gave no result"})
		case r.IsError:
			return nil, &Error{Code: "E_TOOL", Message: name + ": " + r.Message(), Data: membrane.NewObject("tool", name)}
		}
		return r.Value(), nil
	}
	list := func(ctx context.Context) (any, error) {
		all, err := tools.Tools(ctx)
		if err != nil {
			return nil, capabilityError("ctx.listTools", "E_TOOL_", toolcall.AsError(err))
		}
		out := make([]any, 0, len(all)) //meter: the host's tools
		for _, t := range all {         //meter: the host's tools
			o := membrane.NewObject("name", t.Name, "description", t.Description)
			if len(t.InputSchema) > 0 {
				o.Set("inputSchema", t.InputSchema)
			}
			out = append(out, o)
		}
		return out, nil
	}
	return []Function{
		{Name: "ctx.callTool", Func: call, Async: true, Cancel: Cooperative, Doc: "Calls a tool of the host and returns its result.", Declaration: "(name: string, input?: object) => Promise<unknown>"},
		{Name: "ctx.listTools", Func: list, Async: true, Cancel: Cooperative, Doc: "Lists the tools that can be called.", Declaration: "() => Promise<{ name: string; description: string; inputSchema?: object }[]>"},
	}, nil
}

// defaultMaxDelay bounds one ctx.delay.
const defaultMaxDelay = time.Minute
