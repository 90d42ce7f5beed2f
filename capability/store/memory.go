package store

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// NewMemory makes a Backend that keeps everything in memory, for tests and for
// conversations that end with the process.
func NewMemory(l Limits) Backend {
	return &memory{limits: l.WithDefaults(), spaces: map[string]*space{}}
}

type memory struct {
	limits Limits

	mu     sync.Mutex
	closed bool
	spaces map[string]*space // those that hold something
}

type space struct {
	values map[string]json.RawMessage
	bytes  int64
}

func (m *memory) Namespace(name string) (Store, error) {
	if err := CheckNamespace(name); err != nil {
		return nil, err
	}
	return &memoryStore{m, name}, nil
}

func (m *memory) Namespaces(ctx context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(m.spaces))
	for n := range m.spaces {
		names = append(names, n)
	}
	slices.Sort(names)
	return names, nil
}

func (m *memory) Drop(ctx context.Context, name string) error {
	if err := CheckNamespace(name); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	delete(m.spaces, name)
	return nil
}

func (m *memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.spaces = true, nil
	return nil
}

// usable says why a call can't be made. The lock is held.
func (m *memory) usable(ctx context.Context) error {
	if m.closed {
		return ErrClosed()
	}
	return ContextError(ctx.Err())
}

type memoryStore struct {
	m    *memory
	name string
}

func (s *memoryStore) Get(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if err := s.m.limits.CheckKey(key); err != nil {
		return nil, false, err
	}
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if err := s.m.usable(ctx); err != nil {
		return nil, false, err
	}
	v, ok := s.m.spaces[s.name].get(key)
	return bytes.Clone(v), ok, nil
}

func (sp *space) get(key string) (json.RawMessage, bool) {
	if sp == nil {
		return nil, false
	}
	v, ok := sp.values[key]
	return v, ok
}

// change sets a value if allowed says so; nil deletes.
func (s *memoryStore) change(ctx context.Context, key string, value json.RawMessage, allowed func(json.RawMessage) bool) (changed, was bool, err error) {
	if err := s.m.limits.CheckKey(key); err != nil {
		return false, false, err
	}
	if value != nil {
		if value, err = s.m.limits.CheckValue(value); err != nil {
			return false, false, err
		}
	}
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if err := s.m.usable(ctx); err != nil {
		return false, false, err
	}
	sp := s.m.spaces[s.name]
	old, was := sp.get(key)
	if !allowed(old) {
		return false, was, nil
	}
	before := sp.usage()
	after := before
	if was {
		after.Keys--
		after.Bytes -= int64(len(key) + len(old))
	}
	if value != nil {
		after.Keys++
		after.Bytes += int64(len(key) + len(value))
	}
	if err := s.m.limits.CheckUsage(before, after); err != nil {
		return false, was, err
	}
	if sp == nil {
		sp = &space{values: map[string]json.RawMessage{}}
		s.m.spaces[s.name] = sp
	}
	if value != nil {
		sp.values[key] = value
	} else {
		delete(sp.values, key)
	}
	if sp.bytes = after.Bytes; after.Keys == 0 {
		delete(s.m.spaces, s.name)
	}
	return true, was, nil
}

func (sp *space) usage() Usage {
	if sp == nil {
		return Usage{}
	}
	return Usage{len(sp.values), sp.bytes}
}

func always(json.RawMessage) bool { return true }

func (s *memoryStore) Set(ctx context.Context, key string, value json.RawMessage) error {
	if value == nil {
		value = json.RawMessage{} // no JSON, and not a wish to delete
	}
	_, _, err := s.change(ctx, key, value, always)
	return err
}

func (s *memoryStore) Swap(ctx context.Context, key string, old, value json.RawMessage) (bool, error) {
	changed, _, err := s.change(ctx, key, value, func(present json.RawMessage) bool {
		return (present == nil) == (old == nil) && bytes.Equal(present, old)
	})
	return changed, err
}

func (s *memoryStore) Delete(ctx context.Context, key string) (bool, error) {
	_, was, err := s.change(ctx, key, nil, always)
	return was, err
}

func (s *memoryStore) Keys(ctx context.Context, prefix, after string, limit int) ([]string, error) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if err := s.m.usable(ctx); err != nil {
		return nil, err
	}
	keys := []string{}
	if sp := s.m.spaces[s.name]; sp != nil {
		for k := range sp.values {
			if strings.HasPrefix(k, prefix) && k > after {
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	return keys[:min(len(keys), PageSize(limit))], nil
}

func (s *memoryStore) Usage(ctx context.Context) (Usage, error) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if err := s.m.usable(ctx); err != nil {
		return Usage{}, err
	}
	return s.m.spaces[s.name].usage(), nil
}
