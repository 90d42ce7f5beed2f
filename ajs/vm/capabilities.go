package vm

import (
	"context"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// Capabilities are what a host grants to a run. A nil one is not granted.
//
// What they return is plain data: nil, bool, numbers, strings, []any,
// ast.Object, map[string]any (its keys are sorted), slices and maps of these,
// time.Time, json.RawMessage. They get the context of the call: it ends with the
// atom's time and with the run, and nobody waits for what comes after.
type Capabilities struct {
	Fetch Fetcher
	Store Store
	LLM   LLM
	Agent AgentRunner
	Code  Coder
	XML   XMLParser
	// Client is the VM's own way to the network, for a run that has an allowlist
	// or an open policy but no Fetch. Package ajs/atoms makes one.
	Client Fetcher
}

// Only returns the capabilities of those names, which are the fields' in lower
// case: fetch, store, llm, agent, code, xml, client. It is for handing fewer to
// an agent than one has.
func (c Capabilities) Only(names ...string) Capabilities {
	var out Capabilities
	for _, n := range names {
		switch n {
		case "fetch":
			out.Fetch = c.Fetch
		case "store":
			out.Store = c.Store
		case "llm":
			out.LLM = c.LLM
		case "agent":
			out.Agent = c.Agent
		case "code":
			out.Code = c.Code
		case "xml":
			out.XML = c.XML
		case "client":
			out.Client = c.Client
		}
	}
	return out
}

// A Request is what httpFetch asks for, admitted by the policy of the run.
type Request struct {
	URL          string
	Method       string
	Headers      ast.Object // strings, in the order they were written
	Body         any        // Undefined if there is none
	ResponseType string
	// MaxBytes bounds the body that may be read.
	MaxBytes int64
}

// A Fetcher sends a request and returns the body as plain data.
type Fetcher interface {
	Fetch(ctx context.Context, r *Request) (any, error)
}

// A Store keeps values under keys.
type Store interface {
	Get(ctx context.Context, key string) (any, error)
	Set(ctx context.Context, key string, value any) error
}

// A Querier is a Store that answers queries.
type Querier interface {
	Query(ctx context.Context, query any) (any, error)
}

// A PredicateQuerier is a Store that evaluates predicates.
type PredicateQuerier interface {
	QueryPredicate(ctx context.Context, q PredicateQuery) (any, error)
}

// A PredicateQuery is the inputs of storeQueryWhere. Limit is negative if there
// is none.
type PredicateQuery struct {
	Collection string
	Predicate  any
	Limit      float64
}

// A VectorSearcher is a Store that searches by vectors.
type VectorSearcher interface {
	VectorSearch(ctx context.Context, collection string, vector []float64, k int) (any, error)
}

// An LLM answers a prompt, with a text or an Answer that holds one. Options are those
// an agent may give: model, temperature, maxTokens, max_tokens, topP, top_p,
// stop, seed, responseFormat, tools.
type LLM interface {
	Predict(ctx context.Context, prompt string, options ast.Object) (any, error)
}

// An AgentRunner runs another agent by name. It returns a *Result, or the
// result's data.
type AgentRunner interface {
	RunAgent(ctx context.Context, name string, input any) (any, error)
}

// A Coder turns source into a program. It must bound its own work.
type Coder interface {
	Transpile(source string) (*ast.Program, error)
}

// An XMLParser reads XML into plain data.
type XMLParser interface {
	ParseXML(ctx context.Context, xml string) (any, error)
}

// FetchFunc, LLMFunc, AgentFunc and CodeFunc make capabilities of functions.
type (
	FetchFunc func(ctx context.Context, r *Request) (any, error)
	LLMFunc   func(ctx context.Context, prompt string, options ast.Object) (any, error)
	AgentFunc func(ctx context.Context, name string, input any) (any, error)
	CodeFunc  func(source string) (*ast.Program, error)
)

// Fetch calls f.
func (f FetchFunc) Fetch(ctx context.Context, r *Request) (any, error) { return f(ctx, r) }

// Predict calls f.
func (f LLMFunc) Predict(ctx context.Context, prompt string, o ast.Object) (any, error) {
	return f(ctx, prompt, o)
}

// RunAgent calls f.
func (f AgentFunc) RunAgent(ctx context.Context, name string, input any) (any, error) {
	return f(ctx, name, input)
}

// Transpile calls f.
func (f CodeFunc) Transpile(source string) (*ast.Program, error) { return f(source) }

// memoryStore is the store of a run whose host grants none.
type memoryStore map[string]any

func (m memoryStore) Get(_ context.Context, key string) (any, error)     { return m[key], nil }
func (m memoryStore) Set(_ context.Context, key string, value any) error { m[key] = value; return nil }

func (r *run) storeOf() Store {
	if r.opts.caps.Store != nil {
		return r.opts.caps.Store
	}
	if r.store == nil {
		r.warn("Using default in-memory store (not suitable for production)")
		r.store = memoryStore{}
	}
	return r.store
}
