package pinfold

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/membrane"
)

type fetchInit struct {
	Method    string            `json:"method,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Body      any               `json:"body,omitempty"`
	TimeoutMs float64           `json:"timeoutMs,omitempty"`
	Redirect  string            `json:"redirect,omitempty"`
	MaxBytes  int64             `json:"maxBytes,omitempty"`
}

// fetchFunctions are those of Network.
func fetchFunctions(g *Grants, scope []string) ([]Function, error) {
	client := g.Network
	if client != nil && scope != nil {
		var err error
		if client, err = client.Narrow(scope); err != nil {
			return nil, err
		}
	}
	fetch := func(ctx context.Context, url string, init *fetchInit) (any, error) {
		const name = "ctx.fetch"
		req := egress.Request{URL: url, AgentDepth: callerOf(ctx).AgentDepth}
		if init != nil {
			req.Method, req.Header, req.MaxBytes, req.Redirect = init.Method, init.Headers, init.MaxBytes, egress.Redirect(init.Redirect)
			if init.TimeoutMs < 0 || init.TimeoutMs != init.TimeoutMs {
				return nil, badArgument(name, "timeoutMs", "use a positive number of milliseconds")
			}
			req.Timeout = time.Duration(min(init.TimeoutMs, 1e9) * float64(time.Millisecond))
			if err := fetchBody(&req, init.Body); err != nil {
				return nil, err
			}
		}
		resp, err := client.Do(ctx, req)
		if err != nil {
			return nil, fetchError(name, err, CallFrom(ctx))
		}
		if n := len(resp.Hops); n > 0 {
			CallFrom(ctx).Decided(resp.Hops[n-1].Rule)
		}
		headers := membrane.NewObject()
		for _, k := range slices.Sorted(maps.Keys(resp.Header)) { //meter: the headers of a response, whose bytes are limited
			headers.Set(k, resp.Header[k])
		}
		return membrane.NewObject(
			"ok", resp.Status >= 200 && resp.Status <= 299, "status", resp.Status, "statusText", resp.StatusText,
			"url", resp.URL, "redirected", resp.Redirected, "headers", headers, "body", resp.Body,
		), nil
	}
	return []Function{{
		Name: "ctx.fetch", Func: fetch, Async: true, Cancel: Cooperative, shape: response,
		Doc:         "Makes an HTTP request to a granted host. An object as body is sent as JSON. A status that isn't 2xx is no error: look at ok.",
		Declaration: `(url: string, init?: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array | object; timeoutMs?: number; maxBytes?: number; redirect?: "follow" | "manual" | "error" }) => Promise<FetchResponse>`,
	}}, nil
}

// fetchBody sets the body: texts and bytes as they are, anything else as JSON.
func fetchBody(req *egress.Request, body any) error {
	contentType := ""
	switch x := body.(type) {
	case nil, Undefined:
		return nil
	case string:
		req.Body, contentType = []byte(x), "text/plain;charset=UTF-8" //meter: a copy of an argument, which was charged
	case []byte:
		req.Body = x
	default:
		if bad := notJSON(x, "body"); bad != "" {
			return badArgument("ctx.fetch", "body", bad)
		}
		v, err := membrane.FromTree(x)
		var b []byte
		if err == nil {
			b, err = v.Plain()
		}
		if err != nil {
			return badArgument("ctx.fetch", "body", "pass a string, a Uint8Array, or an object that JSON can hold")
		}
		req.Body, contentType = b, "application/json"
	}
	if req.Method == "" {
		req.Method = "POST"
	}
	for k := range req.Header { //meter: the headers of a request, which were charged as an argument
		if strings.EqualFold(k, "content-type") {
			return nil
		}
	}
	if contentType != "" {
		h := maps.Clone(req.Header)
		if h == nil {
			h = map[string]string{}
		}
		h["content-type"] = contentType
		req.Header = h
	}
	return nil
}

// fetchError makes the script's form of an error of package egress.
func fetchError(function string, err error, call *CallContext) error {
	var e *egress.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Rule != "" {
		call.Decided(e.Rule)
	}
	data := membrane.NewObject()
	if e.Host != "" {
		data.Set("host", e.Host)
	}
	if e.Hint != "" {
		data.Set("hint", e.Hint)
	}
	retry := e.Code == egress.TimedOut || e.Code == egress.ConnectionFailed || e.Code == egress.HostNotFound
	return &Error{Code: "E_FETCH_" + strings.ToUpper(string(e.Code)), Message: function + ": " + e.Error(), Retryable: retry, Data: data}
}
