package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

// tiers are the tiers that a test of host calls runs on.
var tiers = []pinfold.Isolation{pinfold.InProcess, pinfold.Process}

// onTiers runs a test on both tiers, with a sandbox that options make.
func onTiers(t *testing.T, opt func(t *testing.T) pinfold.Options, test func(t *testing.T, s *pinfold.Sandbox)) {
	for _, tier := range tiers {
		t.Run(tier.String(), func(t *testing.T) {
			o := opt(t)
			o.Isolation = tier
			s, err := pinfold.New(o)
			if err != nil {
				if tier == pinfold.Process && strings.Contains(err.Error(), "Isolation Process") {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			test(t, s)
		})
	}
}

func run(t *testing.T, s *pinfold.Sandbox, ctx context.Context, source string) (string, *pinfold.Outcome) {
	t.Helper()
	o := s.Eval(ctx, "test.js", source, nil)
	if o.Failure != nil {
		return o.Failure.Error(), o
	}
	return o.Value.String(), o
}

func TestAdmission(t *testing.T) {
	var acted atomic.Int64
	act := func(s string) string { acted.Add(1); return s }
	slow := func(ctx context.Context, s string) (string, error) {
		acted.Add(1)
		if s == "wait" { // so that other calls come while it works
			time.Sleep(50 * time.Millisecond)
		}
		return s, nil
	}
	for _, tt := range []struct {
		name     string
		requires []pinfold.Requirement
		quota    map[string]pinfold.Quota
		caller   []string
		source   string
		want     string
		acts     int64
		ends     string // end, rule and code of each call
	}{
		{"all is declared without Requires", nil, nil, nil, `return bill('a')`, `"a"`, 1, "ok grant billing "},
		{"declared", []pinfold.Requirement{{Capability: "billing"}}, nil, nil, `return bill('a')`, `"a"`, 1, "ok grant billing "},
		{"not declared", []pinfold.Requirement{}, nil, nil, `try { bill('a') } catch (e) { return e.code + ': ' + e.message }`, `"E_NOT_DECLARED: bill needs 'billing' in the program's requires list"`, 0, "refused declared E_NOT_DECLARED"},
		{"not the caller's", nil, nil, []string{"other"}, `try { bill('a') } catch (e) { return e.code + ': ' + e.message }`, `"E_NOT_GRANTED: bill is not available: the caller was not granted billing"`, 0, "refused caller E_NOT_GRANTED"},
		{"the caller's", nil, nil, []string{"billing"}, `return bill('a')`, `"a"`, 1, "ok grant billing "},
		{"without a capability", []pinfold.Requirement{}, nil, []string{}, `return free('a')`, `"a"`, 1, "ok function "},
		{"asynchronous, refused", []pinfold.Requirement{}, nil, nil, `let p = billLater('a'); return p.catch(e => e.code)`, `"E_NOT_DECLARED"`, 0, "refused declared E_NOT_DECLARED"},
		{"quota of calls", nil, map[string]pinfold.Quota{"billing": {Calls: 2}}, nil, `bill('a'); await billLater('b'); try { bill('c') } catch (e) { return e.code + ': ' + e.message }`, `"E_QUOTA: bill: too many requests (limit 2)"`, 2, "ok grant billing |ok grant billing |refused quota.calls E_QUOTA"},
		{"quota of bytes in", nil, map[string]pinfold.Quota{"billing": {BytesIn: 10}}, nil, `bill('12345'); try { bill('123456') } catch (e) { return e.message + ' ' + bill('1234') }`, `"bill: too many bytes sent (5 of 10 are left) 1234"`, 2, "ok grant billing |failed quota.bytesIn E_QUOTA|ok grant billing "},
		{"quota of bytes out", nil, map[string]pinfold.Quota{"billing": {BytesOut: 10}}, nil, `bill('12345'); try { bill('123456') } catch (e) { return e.message }`, `"bill: too many bytes received (5 of 10 are left)"`, 2, "ok grant billing |failed quota.bytesOut E_QUOTA"},
		{"quota of calls at once, refusing", nil, map[string]pinfold.Quota{"billing": {Concurrent: 1, Refuse: true}}, nil, `let r = await Promise.allSettled([billLater('wait'), billLater('b')]); await billLater('c'); return r.map(x => x.value ?? x.reason.message)`, `["wait","billLater: too many requests at once (limit 1): await some of them first"]`, 2, "refused quota.concurrent E_QUOTA|ok grant billing |ok grant billing "},
		{"quota of calls at once, waiting", nil, map[string]pinfold.Quota{"billing": {Concurrent: 1}}, nil, `return Promise.all([billLater('a'), billLater('b'), freeLater('c')])`, `["a","b","c"]`, 3, ""},
		{"an argument of the wrong type", nil, nil, nil, `try { bill(1) } catch (e) { return e.code }`, `"E_ARGUMENT"`, 0, "failed grant billing E_ARGUMENT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onTiers(t, func(*testing.T) pinfold.Options {
				return pinfold.Options{KeepCalls: 10, Requires: tt.requires, Quotas: tt.quota, Functions: []pinfold.Function{
					{Name: "bill", Capability: "billing", Func: act},
					{Name: "billLater", Capability: "billing", Func: slow, Async: true, Cancel: pinfold.Cooperative},
					{Name: "free", Func: act},
					{Name: "freeLater", Func: slow, Async: true, Cancel: pinfold.Cooperative},
				}}
			}, func(t *testing.T, s *pinfold.Sandbox) {
				acted.Store(0)
				ctx := context.Background()
				if tt.caller != nil {
					ctx = pinfold.WithCaller(ctx, pinfold.Caller{Capabilities: tt.caller})
				}
				got, o := run(t, s, ctx, tt.source)
				if got != tt.want {
					t.Errorf("%s\nwant %s", got, tt.want)
				}
				if n := acted.Load(); n != tt.acts {
					t.Errorf("the functions acted %d times, not %d", n, tt.acts)
				}
				var ends []string
				for _, c := range o.Calls {
					ends = append(ends, fmt.Sprintf("%s %s %s", c.End, c.Rule, c.Code))
				}
				if e := strings.Join(ends, "|"); tt.ends != "" && e != tt.ends {
					t.Errorf("calls: %s\nwant   %s", e, tt.ends)
				}
			})
		})
	}
}

// TestAudit looks at one record for each call, on each way out.
func TestAudit(t *testing.T) {
	var release atomic.Value // of the tier at hand
	var calls []pinfold.HostCall
	onTiers(t, func(*testing.T) pinfold.Options {
		calls = nil
		return pinfold.Options{
			Limits: pinfold.Limits{Timeout: 5 * time.Second, ConcurrentHostCalls: 3},
			Audit:  func(c pinfold.HostCall) { calls = append(calls, c) },
			Functions: []pinfold.Function{
				{Name: "fail", Func: func() error { return &pinfold.Error{Code: "E_NO", Message: "no"} }},
				{Name: "rule", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) string {
					pinfold.CallFrom(ctx).Decided("a rule of its own")
					return pinfold.CallFrom(ctx).Name
				}},
				{Name: "obedient", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
				{Name: "finishing", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) { <-ctx.Done() }},
				{Name: "stubborn", Async: true, Cancel: pinfold.Cooperative, Func: func() { <-release.Load().(chan struct{}) }},
			},
		}
	}, func(t *testing.T, s *pinfold.Sandbox) {
		ch := make(chan struct{})
		release.Store(ch)
		defer close(ch)
		got, _ := run(t, s, context.Background(), `try { fail() } catch {} await rule(); obedient(); finishing(); stubborn(); rule(); return 1`)
		if got != "1" {
			t.Fatal(got)
		}
		ends := map[int64]string{}
		for _, c := range calls {
			if ends[c.ID] != "" {
				t.Errorf("two records for call %d", c.ID)
			}
			ends[c.ID] = fmt.Sprintf("%s %s %s %s", c.Name, c.End, c.Rule, c.Code)
		}
		want := map[int64]string{
			1: "fail failed function E_NO", 2: "rule ok a rule of its own ", 3: "obedient cancelled function ",
			4: "finishing dropped function ", 5: "stubborn unknown function ", 6: "rule cancelled function ",
		}
		if !reflect.DeepEqual(ends, want) {
			t.Errorf("%v\nwant %v", ends, want)
		}
	})
}

// TestFunctionTimeout looks at calls that run out of their own time.
func TestFunctionTimeout(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	onTiers(t, func(*testing.T) pinfold.Options {
		return pinfold.Options{
			Quotas: map[string]pinfold.Quota{"x": {Concurrent: 1, Refuse: true}}, KeepCalls: 9,
			Functions: []pinfold.Function{
				{Name: "obedient", Async: true, Cancel: pinfold.Cooperative, Timeout: 20 * time.Millisecond, Func: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
				{Name: "stubborn", Capability: "x", Async: true, Cancel: pinfold.Cooperative, Timeout: 20 * time.Millisecond, Func: func() { <-release }},
				{Name: "quick", Async: true, Cancel: pinfold.Cooperative, Timeout: time.Minute, Func: func() int { return 7 }},
			},
		}
	}, func(t *testing.T, s *pinfold.Sandbox) {
		got, o := run(t, s, context.Background(), `
			let out = [await quick()]
			for (let f of [obedient, stubborn, stubborn]) await f().catch(e => out.push(e.message, e.code))
			return out`)
		// The call that goes on keeps its place, so the next one is refused.
		want := `[7,"obedient timed out","E_TIMEOUT","stubborn timed out","E_TIMEOUT","stubborn: too many requests at once (limit 1): await some of them first","E_QUOTA"]`
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		if o.Usage.Stragglers != 1 || len(o.Calls) != 4 {
			t.Errorf("%d stragglers, %d records", o.Usage.Stragglers, len(o.Calls))
		}
	})
}

func TestProgress(t *testing.T) {
	var got []pinfold.Progress
	onTiers(t, func(*testing.T) pinfold.Options {
		got = nil
		return pinfold.Options{Progress: func(p pinfold.Progress) { got = append(got, p) }, Functions: []pinfold.Function{
			{Name: "work", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) { pinfold.CallFrom(ctx).Progress(1, 2, "half") }},
		}}
	}, func(t *testing.T, s *pinfold.Sandbox) {
		run(t, s, context.Background(), `await work()`)
		if want := []pinfold.Progress{{Call: 1, Name: "work", Done: 1, Total: 2, Message: "half"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

func TestIdempotencyKeys(t *testing.T) {
	onTiers(t, func(*testing.T) pinfold.Options {
		return pinfold.Options{Functions: []pinfold.Function{
			{Name: "key", Capability: "keys", Func: func(ctx context.Context) string { return pinfold.CallFrom(ctx).IdempotencyKey() }},
		}}
	}, func(t *testing.T, s *pinfold.Sandbox) {
		if got, _ := run(t, s, context.Background(), `let [a, b] = [key(), key()]; return a !== b && a.split('-')[0] === b.split('-')[0] && b.endsWith('-2')`); got != "true" {
			t.Error(got)
		}
	})
}

func TestStreams(t *testing.T) {
	var stopped atomic.Int64
	counter := func(ctx context.Context, n int) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			defer stopped.Add(1)
			for i := range n {
				if !yield(i, nil) {
					return
				}
			}
		}
	}
	for _, tt := range []struct{ source, want string }{
		{`let out = []; for await (const x of await count(3)) out.push(x); return out`, `[0,1,2]`},
		{`let n = 0; for await (const x of await count(5000)) n += x; return n`, `12497500`},
		{`for await (const x of await count(10)) if (x === 2) return x`, `2`},
		{`let s = await count(2); return [await s.next(), await s.return(), await s.next()]`, `[{"value":0,"done":false},{"value":{"$js":"undefined"},"done":true},{"value":{"$js":"undefined"},"done":true}]`},
		{`await count(1); return 'left open'`, `"left open"`},
		{`let out = []; try { for await (const x of await broken()) out.push(x) } catch (e) { out.push(e.message) } return out`, `["a","it broke"]`},
		{`let out = []; for await (const x of await words()) out.push(x); return out`, `["a","b"]`},
		{`let s = await count(4); return (await Promise.all([s.next(), s.next(), s.next()])).map(x => x.value)`, `[0,1,2]`},
		{`return (await none()) === undefined`, `true`},
		{`return [typeof stream, Object.keys(await count(1)).length, Symbol.asyncIterator in await count(1)]`, `["undefined",0,true]`},
	} {
		t.Run(tt.source[:min(40, len(tt.source))], func(t *testing.T) {
			onTiers(t, func(*testing.T) pinfold.Options {
				return pinfold.Options{Functions: []pinfold.Function{
					{Name: "count", Async: true, Cancel: pinfold.Cooperative, Func: counter},
					{Name: "none", Async: true, Cancel: pinfold.Cooperative, Func: func() iter.Seq[int] { return nil }},
					{Name: "words", Async: true, Cancel: pinfold.Cooperative, Func: func() iter.Seq[string] {
						return func(yield func(string) bool) { _ = yield("a") && yield("b") }
					}},
					{Name: "broken", Async: true, Cancel: pinfold.Cooperative, Func: func() iter.Seq2[string, error] {
						return func(yield func(string, error) bool) { _ = yield("a", nil) && yield("", errors.New("it broke")) }
					}},
				}}
			}, func(t *testing.T, s *pinfold.Sandbox) {
				stopped.Store(0)
				if got, _ := run(t, s, context.Background(), tt.source); got != tt.want {
					t.Errorf("%s\nwant %s", got, tt.want)
				}
				if strings.Contains(tt.source, "left open") && stopped.Load() != 0 {
					t.Error("a stream that was never begun has run")
				}
			})
		})
	}
	// A stream that is left open is stopped when the run ends.
	s, err := pinfold.New(pinfold.Options{Functions: []pinfold.Function{{Name: "count", Async: true, Cancel: pinfold.Cooperative, Func: counter}}})
	if err != nil {
		t.Fatal(err)
	}
	stopped.Store(0)
	if got, _ := run(t, s, context.Background(), `let s = await count(9); await s.next(); return 1`); got != "1" || stopped.Load() != 1 {
		t.Errorf("%s, stopped %d times", got, stopped.Load())
	}
}

func TestInvoke(t *testing.T) {
	const source = `
		export const tool = { name: 'double', tags: ['a'] }
		export const big = 12n
		export class Helper {}
		export async function invoke(inputs, ctx) { return [inputs.n * 2, typeof ctx] }
		export default 5
		export function fail() { throw new Error('no') }`
	onTiers(t, func(*testing.T) pinfold.Options { return pinfold.Options{} }, func(t *testing.T, s *pinfold.Sandbox) {
		p, err := s.Compile("double.js", source)
		if err != nil {
			t.Fatal(err)
		}
		input := map[string]int{"n": 21}
		for _, tt := range []struct{ export, want string }{
			{"invoke", `[42,"undefined"]`},
			{"tool", "double.js: the export tool is no function"},
			{"nothing", `double.js: the module doesn't export "nothing"`},
			{"fail", "Error: no"},
		} {
			o := s.Invoke(context.Background(), p, tt.export, input)
			got := o.Value.String()
			if o.Failure != nil {
				got = o.Failure.Error()
			}
			if !strings.Contains(got, tt.want) && !(o.Failure != nil && strings.Contains(tt.want, o.Failure.Message)) {
				t.Errorf("%s: %s, want %s", tt.export, got, tt.want)
			}
		}
		x, o := s.Load(context.Background(), p, "tool", "big", "invoke", "nothing")
		if o.Failure != nil {
			t.Fatal(o.Failure)
		}
		if got := fmt.Sprint(x.Functions); got != "[Helper fail invoke]" {
			t.Error(got)
		}
		if got := fmt.Sprint(x.Values["tool"], x.Values["big"], len(x.Values)); got != `{"name":"double","tags":["a"]} {"$js":"bigint","v":"12"} 2` {
			t.Error(got)
		}
		body, err := s.Compile("body.js", "return 1")
		if err != nil {
			t.Fatal(err)
		}
		if o := s.Invoke(context.Background(), body, "invoke", nil); o.Failure == nil || o.Failure.Message != "the program exports nothing" {
			t.Errorf("%v", o.Failure)
		}
		loop, err := s.Compile("loop.js", "export const a = 1; while (true) {}")
		if err != nil {
			t.Fatal(err)
		}
		if _, o := s.Load(context.Background(), loop); !errors.Is(o.Err(), pinfold.ErrFuel) && !errors.Is(o.Err(), pinfold.ErrTime) {
			t.Errorf("%v", o.Err())
		}
	})
}
