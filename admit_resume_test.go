package pinfold_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/pinfold-js/pinfold"
)

// TestQuotaIsResumed suspends a run between calls of a capability: what it had
// used of its quota stays used, and each call has one record.
func TestQuotaIsResumed(t *testing.T) {
	var calls []pinfold.HostCall
	options := pinfold.Options{
		Quotas: map[string]pinfold.Quota{"ask": {Calls: 3, Concurrent: 2, Refuse: true, BytesOut: 40}},
		Audit:  func(c pinfold.HostCall) { calls = append(calls, c) },
		Functions: []pinfold.Function{
			{Name: "ask", Deferred: true, Capability: "ask"},
		},
	}
	s, err := pinfold.New(options)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Compile("ask.js", `
		let out = [await ask('one')]
		let [a, b, c] = await Promise.allSettled([ask('two'), ask('three'), ask('four')])
		return [...out, a.value ?? a.reason.message, b.value, c.reason.message]`)
	if err != nil {
		t.Fatal(err)
	}
	x := s.Start(context.Background(), p, nil)
	again := func() {
		t.Helper()
		var b bytes.Buffer
		if err := x.Suspend(&b); err != nil {
			t.Fatal(err)
		}
		if s, err = pinfold.New(options); err != nil {
			t.Fatal(err)
		}
		if p, err = s.Compile(p.Name(), p.Source()); err != nil {
			t.Fatal(err)
		}
		if x, err = s.Resume(context.Background(), p, &b); err != nil {
			t.Fatal(err)
		}
	}
	again()
	for i := 0; x.Outcome() == nil; i++ {
		c := x.Pending()[0]
		answer := "answer to " + c.Arguments[0].String()
		if i == 1 {
			answer += " which is far too long"
		}
		if err := x.Answer(c.ID, answer, nil); err != nil {
			t.Fatal(err)
		}
		if x.Outcome() == nil {
			again()
		}
	}
	o := x.Outcome()
	const want = `["answer to \"one\"","ask: too many bytes received (25 of 40 are left)","answer to \"three\"","ask: too many requests (limit 3)"]`
	if got := fmt.Sprint(o.Value); o.Failure != nil || got != want {
		t.Errorf("%s %v\nwant %s", got, o.Failure, want)
	}
	var ends []string
	for _, c := range calls {
		ends = append(ends, fmt.Sprintf("%d %s %s", c.ID, c.End, c.Rule))
	}
	if got := fmt.Sprint(ends); got != "[1 ok resumed 4 refused quota.calls 2 failed quota.bytesOut 3 ok resumed]" {
		t.Error(got)
	}
}
