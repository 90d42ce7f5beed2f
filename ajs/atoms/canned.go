package atoms

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// A MemoryStore keeps values in memory. Its zero value is ready.
type MemoryStore struct {
	mu sync.Mutex
	m  map[string]any
}

// Get returns a value, nil if there is none.
func (s *MemoryStore) Get(_ context.Context, key string) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[key], nil
}

// Set keeps a value.
func (s *MemoryStore) Set(_ context.Context, key string, value any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = map[string]any{}
	}
	s.m[key] = value
	return nil
}

// Canned makes capabilities of answers written down as JSON data:
//
//	{
//	  "llm":   { "returns": "text" },
//	  "fetch": { "throws": "no network" },
//	  "agent": { "hangs": true },
//	  "store": { "get": { "returns": { "n": 1 } } }
//	}
//
// An answer is returns, throws, hangs, or returnsKind: "Map" (something of the
// host that is no data). { "$undefined": true } and { "$number": "NaN" } stand
// for what JSON can't hold. A store is a working one in memory; get and set may
// have an answer.
func Canned(d ast.Object) (vm.Capabilities, error) {
	var c vm.Capabilities
	for _, e := range d {
		o, ok := e.Value.(ast.Object)
		if !ok {
			return c, fmt.Errorf("capability %q: expected an object with an answer, such as { \"returns\": … }", e.Key)
		}
		if e.Key == "store" {
			s := &cannedStore{}
			for _, f := range o {
				a, ok := f.Value.(ast.Object)
				if !ok || f.Key != "get" && f.Key != "set" {
					return c, fmt.Errorf("capability store: %q is no answer: write get or set with { \"returns\": … }", f.Key)
				}
				answer, err := answerOf(e.Key+"."+f.Key, a)
				if err != nil {
					return c, err
				}
				if f.Key == "get" {
					s.get = answer
				} else {
					s.set = answer
				}
			}
			c.Store = s
			continue
		}
		answer, err := answerOf(e.Key, o)
		if err != nil {
			return c, err
		}
		switch e.Key {
		case "llm":
			c.LLM = vm.LLMFunc(func(ctx context.Context, _ string, _ ast.Object) (any, error) { return answer(ctx) })
		case "fetch":
			c.Fetch = vm.FetchFunc(func(ctx context.Context, _ *vm.Request) (any, error) { return answer(ctx) })
		case "agent":
			c.Agent = vm.AgentFunc(func(ctx context.Context, _ string, _ any) (any, error) { return answer(ctx) })
		case "xml":
			c.XML = xmlFunc(answer)
		default:
			return c, fmt.Errorf("unknown capability %q (known: llm, fetch, agent, store, xml)", e.Key)
		}
	}
	return c, nil
}

type answer func(ctx context.Context) (any, error)

type xmlFunc answer

func (f xmlFunc) ParseXML(ctx context.Context, _ string) (any, error) { return f(ctx) }

type cannedStore struct {
	MemoryStore
	get, set answer
}

func (s *cannedStore) Get(ctx context.Context, key string) (any, error) {
	if s.get != nil {
		return s.get(ctx)
	}
	return s.MemoryStore.Get(ctx, key)
}

func (s *cannedStore) Set(ctx context.Context, key string, value any) error {
	if s.set != nil {
		_, err := s.set(ctx)
		return err
	}
	return s.MemoryStore.Set(ctx, key, value)
}

func answerOf(name string, o ast.Object) (answer, error) {
	if v, ok := o.Get("returns"); ok {
		v = plain(v)
		return func(context.Context) (any, error) { return v, nil }, nil
	}
	if m, ok := o.Get("throws"); ok {
		s, ok := m.(string)
		if !ok {
			return nil, fmt.Errorf("capability %s: throws is a message, a string", name)
		}
		return func(context.Context) (any, error) { return nil, errors.New(s) }, nil
	}
	if h, _ := o.Get("hangs"); h == true {
		return func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, nil
	}
	if k, ok := o.Get("returnsKind"); ok {
		if k != "Map" {
			return nil, fmt.Errorf("capability %s: unknown returnsKind %v (known: Map)", name, k)
		}
		return func(context.Context) (any, error) { return map[int]string{1: "one"}, nil }, nil
	}
	return nil, fmt.Errorf("capability %s: no answer: write returns, throws, hangs or returnsKind", name)
}

// plain turns the way of writing what JSON can't hold into values.
func plain(v any) any {
	switch v := v.(type) {
	case ast.Object:
		if u, _ := v.Get("$undefined"); u == true && len(v) == 1 {
			return vm.Undefined
		}
		if n, ok := v.Get("$number"); ok && len(v) == 1 {
			switch n {
			case "NaN":
				return math.NaN()
			case "Infinity":
				return math.Inf(1)
			case "-Infinity":
				return math.Inf(-1)
			}
		}
		out := make(ast.Object, len(v))
		for i, e := range v {
			out[i] = ast.Entry{Key: e.Key, Value: plain(e.Value)}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	}
	return v
}
