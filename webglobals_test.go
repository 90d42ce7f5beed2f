package pinfold_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
)

func mustNew(t *testing.T, opt pinfold.Options) *pinfold.Sandbox {
	t.Helper()
	s, err := pinfold.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCryptoIsSeeded(t *testing.T) {
	const src = `return [crypto.randomUUID(), Array.from(crypto.getRandomValues(new Uint32Array(5))), Math.random()]`
	run := func(opt pinfold.Options) string {
		o := mustNew(t, opt).Eval(context.Background(), "test", src, nil)
		if o.Failure != nil {
			t.Fatal(o.Failure)
		}
		return string(o.Value.JSON())
	}
	one := run(pinfold.Options{Seed: 1})
	if again := run(pinfold.Options{Seed: 1}); again != one {
		t.Errorf("seed 1 gave %s and %s", one, again)
	}
	if two := run(pinfold.Options{Seed: 2}); two == one {
		t.Errorf("seeds 1 and 2 both gave %s", one)
	}
	if a, b := run(pinfold.Options{}), run(pinfold.Options{}); a == b {
		t.Errorf("two runs without a seed both gave %s", a)
	}
	if a, b := run(pinfold.Options{Deterministic: true}), run(pinfold.Options{Deterministic: true}); a != b {
		t.Errorf("deterministic runs gave %s and %s", a, b)
	}
}

func TestWebObjectsCross(t *testing.T) {
	s := mustNew(t, pinfold.Options{Functions: []pinfold.Function{{Name: "take", Func: func(any) {}}}})
	for src, want := range map[string]string{
		`return new URL('b?q', 'http://h/a')`:                              `"http://h/b?q"`,
		`return {link: new URL('http://h')}`:                               `{"link":"http://h/"}`,
		`return Object.fromEntries(new URLSearchParams('a=1'))`:            `{"a":"1"}`,
		`return new TextDecoder()`:                                         "result: a TextDecoder can't be returned",
		`return new URLSearchParams('a=1')`:                                "result: a URLSearchParams can't be returned",
		`try { take(new URL('http://h')) } catch (e) { return e.message }`: "a URL can't be",
	} {
		o := s.Eval(context.Background(), "test", src, nil)
		got := string(o.Value.JSON())
		if o.Failure != nil {
			got = o.Failure.Message
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", src, got, want)
		}
	}
}

// A host function may have the name of a web global.
func TestHostTakesWebNames(t *testing.T) {
	s := mustNew(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "atob", Func: func(string) string { return "host" }},
		{Name: "crypto.sha256", Func: func(string) string { return "hash" }},
	}})
	o := s.Eval(context.Background(), "test", `return [atob('x'), crypto.sha256('x'), typeof crypto.randomUUID, btoa('x')]`, nil)
	if got := string(o.Value.JSON()); got != `["host","hash","undefined","eA=="]` {
		t.Errorf("got %s, %v", got, o.Failure)
	}
}

func TestWebHints(t *testing.T) {
	s := mustNew(t, pinfold.Options{})
	for src, want := range map[string]string{
		`new UrlSearchParams('x')`: "URLSearchParams",
		`new Url('http://h')`:      "URL",
		`new TextDecodr()`:         "TextDecoder",
	} {
		if o := s.Eval(context.Background(), "test", src, nil); o.Failure == nil || !strings.Contains(o.Failure.Hint, want) {
			t.Errorf("%s: got %+v, want a hint with %s", src, o.Failure, want)
		}
	}
}
