// Package storetest is the test that every store.Backend has to pass.
//
// In: a function that opens a fresh Backend. Out: failures of the test that is
// given.
//
// meter: tests only
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pinfold-js/pinfold/capability/store"
)

// Run tests the backends that open makes with these limits.
func Run(t *testing.T, open func(t *testing.T, l store.Limits) store.Backend) {
	tests := []struct {
		name   string
		limits store.Limits
		run    func(t *testing.T, b store.Backend)
	}{
		{"values", store.Limits{}, values},
		{"refusals", store.Limits{KeyBytes: 8, ValueBytes: 20}, refusals},
		{"namespaces", store.Limits{}, namespaces},
		{"keys", store.Limits{Keys: 5000}, keys},
		{"quotas", store.Limits{Keys: 3, TotalBytes: 30}, quotas},
		{"swap", store.Limits{}, swap},
		{"concurrent", store.Limits{}, concurrent},
		{"contexts", store.Limits{}, contexts},
		{"closed", store.Limits{}, closed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, test.limits)
			defer b.Close()
			test.run(t, b)
		})
	}
}

func space(t *testing.T, b store.Backend, name string) store.Store {
	t.Helper()
	s, err := b.Namespace(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func set(t *testing.T, s store.Store, key, value string) {
	t.Helper()
	if err := s.Set(t.Context(), key, json.RawMessage(value)); err != nil {
		t.Fatalf("Set(%q, %s): %v", key, value, err)
	}
}

// want checks a value, "" for none.
func want(t *testing.T, s store.Store, key, value string) {
	t.Helper()
	got, ok, err := s.Get(t.Context(), key)
	if err != nil || string(got) != value || ok != (value != "") {
		t.Errorf("Get(%q) = %q, %t, %v; want %q", key, got, ok, err, value)
	}
}

func wantCode(t *testing.T, what string, err error, code store.Code) {
	t.Helper()
	var e *store.Error
	if !errors.Is(err, code) || !errors.As(err, &e) {
		t.Errorf("%s: %v, want an *Error of code %q", what, err, string(code))
	}
}

func values(t *testing.T, b store.Backend) {
	s := space(t, b, "chat")
	want(t, s, "a", "")
	for _, v := range []string{`1`, `null`, `""`, `{"b":1,"a":[true,null]}`, `"\ud83d\ude00 é \ud800"`, `12345678901234567890`, `1.0`} {
		set(t, s, "a", v)
		want(t, s, "a", v)
	}
	set(t, s, "a", " { \"x\" : [ 1 , 2 ] }\n")
	want(t, s, "a", `{"x":[1,2]}`)
	set(t, s, "ключ 🔑", `1`)
	want(t, s, "ключ 🔑", `1`)
	if u, err := s.Usage(t.Context()); err != nil || u != (store.Usage{Keys: 2, Bytes: int64(1 + 11 + len("ключ 🔑") + 1)}) {
		t.Errorf("Usage = %+v, %v", u, err)
	}
	// What was returned is the caller's.
	v, _, _ := s.Get(t.Context(), "a")
	clear(v)
	want(t, s, "a", `{"x":[1,2]}`)
	for _, there := range []bool{true, false} {
		if was, err := s.Delete(t.Context(), "a"); was != there || err != nil {
			t.Errorf("Delete = %t, %v; want %t", was, err, there)
		}
		want(t, s, "a", "")
	}
}

func refusals(t *testing.T, b store.Backend) {
	s := space(t, b, "chat")
	ctx := t.Context()
	for _, key := range []string{"", "123456789", "a\x00", "a\nb", "\xff"} {
		_, _, err := s.Get(ctx, key)
		wantCode(t, fmt.Sprintf("Get(%q)", key), err, store.BadKey)
		wantCode(t, fmt.Sprintf("Set(%q)", key), s.Set(ctx, key, json.RawMessage(`1`)), store.BadKey)
		_, err = s.Delete(ctx, key)
		wantCode(t, fmt.Sprintf("Delete(%q)", key), err, store.BadKey)
	}
	for _, v := range []string{"", "{", "1 2", "undefined", "NaN", `{"a":1,}`, "\"\xff\""} {
		wantCode(t, fmt.Sprintf("Set(%q)", v), s.Set(ctx, "a", json.RawMessage(v)), store.BadValue)
	}
	wantCode(t, "Set(nil)", s.Set(ctx, "a", nil), store.BadValue)
	wantCode(t, "a large value", s.Set(ctx, "a", json.RawMessage(`"1234567890123456789"`)), store.TooLarge)
	wantCode(t, "a large value of spaces", s.Set(ctx, "a", json.RawMessage(strings.Repeat(" ", 1000)+"1")), store.TooLarge)
	set(t, s, "a", `"123456789012345678"`)
	for _, name := range []string{"", strings.Repeat("x", 257), "a\nb", "\xff"} {
		_, err := b.Namespace(name)
		wantCode(t, fmt.Sprintf("Namespace(%q)", name), err, store.BadNamespace)
		wantCode(t, fmt.Sprintf("Drop(%q)", name), b.Drop(ctx, name), store.BadNamespace)
	}
}

func namespaces(t *testing.T, b store.Backend) {
	one, two := space(t, b, "b"), space(t, b, "a/1 '%_")
	set(t, one, "k", `1`)
	set(t, two, "k", `2`)
	want(t, one, "k", `1`)
	want(t, two, "k", `2`)
	list := func(want ...string) {
		t.Helper()
		if got, err := b.Namespaces(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("Namespaces = %q, %v; want %q", got, err, want)
		}
	}
	list("a/1 '%_", "b")
	if err := b.Drop(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	want(t, one, "k", "")
	want(t, two, "k", `2`)
	list("a/1 '%_")
	set(t, one, "k", `3`)
	want(t, one, "k", `3`)
	for _, s := range []store.Store{one, two} {
		if _, err := s.Delete(t.Context(), "k"); err != nil {
			t.Fatal(err)
		}
	}
	list()
}

func keys(t *testing.T, b store.Backend) {
	s := space(t, b, "chat")
	for _, k := range []string{"b", "a", "a%", "a_b", "aa", "B", "é", "a\uffff", "a\U0001F600", "A*"} {
		set(t, s, k, `0`)
	}
	check := func(prefix, after string, limit int, want ...string) {
		t.Helper()
		got, err := s.Keys(t.Context(), prefix, after, limit)
		if err != nil || got == nil || !slices.Equal(got, want) {
			t.Errorf("Keys(%q, %q, %d) = %q, %v; want %q", prefix, after, limit, got, err, want)
		}
	}
	check("", "", 0, "A*", "B", "a", "a%", "a_b", "aa", "a\uffff", "a\U0001F600", "b", "é")
	check("a", "", 0, "a", "a%", "a_b", "aa", "a\uffff", "a\U0001F600")
	check("a", "", 2, "a", "a%")
	check("a", "a%", 2, "a_b", "aa")
	check("a%", "", 0, "a%")
	check("a_", "", 0, "a_b")
	check("A*", "", 0, "A*")
	check("", "é", 0)
	check("x", "", 0)
	check("\xff", "", 0)
	for i := range 1200 {
		set(t, s, fmt.Sprintf("n%04d", i), `0`)
	}
	for _, limit := range []int{0, -1, 5000} {
		if got, err := s.Keys(t.Context(), "n", "", limit); err != nil || len(got) != store.MaxKeys || got[999] != "n0999" {
			t.Errorf("Keys of a long list: %d, %v", len(got), err)
		}
	}
}

func quotas(t *testing.T, b store.Backend) {
	s := space(t, b, "chat")
	for _, k := range []string{"a", "b", "c"} {
		set(t, s, k, `0`)
	}
	wantCode(t, "a fourth key", s.Set(t.Context(), "d", json.RawMessage(`0`)), store.TooManyKeys)
	want(t, s, "d", "")
	set(t, s, "a", `1`)
	// 6 bytes are used; a has 2 of them.
	set(t, s, "a", `"12345678901234567890123"`)
	wantCode(t, "31 bytes", s.Set(t.Context(), "a", json.RawMessage(`"123456789012345678901234"`)), store.Full)
	want(t, s, "a", `"12345678901234567890123"`)
	wantCode(t, "31 bytes", s.Set(t.Context(), "b", json.RawMessage(`22`)), store.Full)
	if _, err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	set(t, s, "d", `22`)
	// Each namespace has quotas of its own.
	set(t, space(t, b, "other"), "a", `0`)
	if u, err := s.Usage(t.Context()); err != nil || u != (store.Usage{Keys: 3, Bytes: 7}) {
		t.Errorf("Usage = %+v, %v", u, err)
	}
}

func swap(t *testing.T, b store.Backend) {
	s := space(t, b, "chat")
	steps := []struct {
		old, value string
		ok         bool
		now        string
	}{
		{"0", "1", false, ""},
		{"", "1", true, "1"},
		{"", "2", false, "1"},
		{"2", "3", false, "1"},
		{"1", " 2 ", true, "2"},
		{"2", "", true, ""},
		{"2", "", false, ""},
	}
	raw := func(s string) json.RawMessage {
		if s == "" {
			return nil
		}
		return json.RawMessage(s)
	}
	for _, st := range steps {
		ok, err := s.Swap(t.Context(), "n", raw(st.old), raw(st.value))
		if ok != st.ok || err != nil {
			t.Errorf("Swap(%q, %q) = %t, %v; want %t", st.old, st.value, ok, err, st.ok)
		}
		want(t, s, "n", st.now)
	}
}

func concurrent(t *testing.T, b store.Backend) {
	const workers, each = 4, 25
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			s, err := b.Namespace("chat")
			if err != nil {
				t.Error(err)
				return
			}
			for i := 0; i < each; {
				old, _, err := s.Get(t.Context(), "n")
				if err != nil {
					t.Error(err)
					return
				}
				n := 0
				if old != nil {
					if err := json.Unmarshal(old, &n); err != nil {
						t.Error(err)
						return
					}
				}
				ok, err := s.Swap(t.Context(), "n", old, json.RawMessage(fmt.Sprint(n+1)))
				if err != nil {
					t.Error(err)
					return
				}
				if ok {
					i++
				}
				if err := s.Set(t.Context(), fmt.Sprintf("w%d", w), json.RawMessage(fmt.Sprint(i))); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	want(t, space(t, b, "chat"), "n", fmt.Sprint(workers*each))
}

func contexts(t *testing.T, b store.Backend) {
	s := space(t, b, "chat")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := s.Get(ctx, "a")
	wantCode(t, "Get", err, store.Cancelled)
	wantCode(t, "Set", s.Set(ctx, "a", json.RawMessage(`1`)), store.Cancelled)
	if !errors.Is(s.Set(ctx, "a", json.RawMessage(`1`)), context.Canceled) {
		t.Error("the error isn't the context's")
	}
	late, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	_, err = s.Keys(late, "", "", 0)
	wantCode(t, "Keys", err, store.TimedOut)
	want(t, s, "a", "")
}

func closed(t *testing.T, b store.Backend) {
	s := space(t, b, "chat")
	set(t, s, "a", `1`)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.Get(t.Context(), "a")
	wantCode(t, "Get", err, store.Closed)
	wantCode(t, "Set", s.Set(t.Context(), "a", json.RawMessage(`1`)), store.Closed)
	_, err = b.Namespaces(t.Context())
	wantCode(t, "Namespaces", err, store.Closed)
	if err := b.Close(); err != nil {
		t.Errorf("Close again: %v", err)
	}
}
