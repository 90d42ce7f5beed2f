package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemory(t *testing.T) {
	storetest.Run(t, func(_ *testing.T, l store.Limits) store.Backend { return store.NewMemory(l) })
}

func TestPrefixEnd(t *testing.T) {
	for prefix, want := range map[string]string{"": "", "a": "b", "az": "a{", "a\xff": "b", "\xff\xff": ""} {
		if got := store.PrefixEnd(prefix); got != want {
			t.Errorf("PrefixEnd(%q) = %q, want %q", prefix, got, want)
		}
	}
}

func TestValueDepth(t *testing.T) {
	deep := func(n int) json.RawMessage {
		var b []byte
		for range n {
			b = append(b, '[')
		}
		for range n {
			b = append(b, ']')
		}
		return b
	}
	l := store.Limits{}.WithDefaults()
	if _, err := l.CheckValue(deep(100)); err != nil {
		t.Error(err)
	}
	if _, err := l.CheckValue(deep(101)); err == nil || err.Error() != "bad argument: value, which is nested deeper than 100" {
		t.Errorf("101 deep: %v", err)
	}
	// Brackets in a text don't count.
	if _, err := l.CheckValue(json.RawMessage(`"\"` + string(deep(200)) + `"`)); err != nil {
		t.Error(err)
	}
}

func Example() {
	backend := store.NewMemory(store.Limits{Keys: 100})
	defer backend.Close()
	ctx := context.Background()
	notes, err := backend.Namespace("conversation-42")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := notes.Set(ctx, "city", json.RawMessage(`"Oslo"`)); err != nil {
		fmt.Println(err)
		return
	}
	city, ok, err := notes.Get(ctx, "city")
	fmt.Println(string(city), ok, err)
	fmt.Println(notes.Set(ctx, "", json.RawMessage(`1`)))
	// Output:
	// "Oslo" true <nil>
	// bad argument: key, which must not be empty
}
