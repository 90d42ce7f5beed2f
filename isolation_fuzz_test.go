package pinfold

import (
	"context"
	"errors"
	"reflect"
	"testing"
)

// FuzzOutcomeFrame reads what a worker might say for an outcome: nothing may
// break, and what is taken can be told again.
func FuzzOutcomeFrame(f *testing.F) {
	s, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	for _, source := range []string{"return {a: [1, 10n, new Date(0)]}", "console.log('a'); null.x", "for (;;) console.log(1)", "return () => 1", "1 +", "throw {a: 1}"} {
		f.Add(appendOutcome(nil, s.Eval(context.Background(), "a.js", source, nil), source))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := fields{b: b}
		o, err := r.outcome(context.Canceled, "source", 10_000)
		if err != nil {
			return
		}
		if o.Failure != nil {
			_ = o.Failure.FullReport()
			_, _ = o.Failure.MarshalJSON()
		}
		again := fields{b: appendOutcome(nil, o, "source")}
		p, err := again.outcome(context.Canceled, "source", 10_000)
		if err != nil {
			t.Fatalf("the outcome %+v, told again: %v", o, err)
		}
		if !reflect.DeepEqual(o.Console, p.Console) || o.Usage != p.Usage || o.Value.String() != p.Value.String() || (o.Failure == nil) != (p.Failure == nil) {
			t.Fatalf("%+v became %+v", o, p)
		}
	})
}

// What breaks the form of an outcome is refused.
func TestBadOutcomes(t *testing.T) {
	for _, c := range []struct {
		name string
		b    []byte
	}{
		{"empty", nil},
		{"lines that never come", []byte{1, 1, 1, 1, 1, 1, 255, 255, 255, 255, 255, 1}},
		{"too many lines", []byte{1, 1, 1, 1, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"a value that is none", append([]byte{1, 1, 1, 1, 1, 1, 0, 0, 0}, "\x03{1}\x00"...)},
		{"more after it", []byte{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 9}},
		{"a failure of no kind", append([]byte{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, appendBytes(nil, `{"F":{"Kind":"odd"}}`)...)},
		{"busy", append([]byte{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, appendBytes(nil, `{"F":{"Kind":"busy"}}`)...)},
		{"cancelled by nobody", append([]byte{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, appendBytes(nil, `{"F":{"Kind":"cancelled"}}`)...)},
	} {
		r := fields{b: c.b}
		if o, err := r.outcome(nil, "", 3); err == nil {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
	r := fields{b: append([]byte{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, appendBytes(nil, `{"F":{"Kind":"time"},"Offset":99}`)...)}
	if o, err := r.outcome(nil, "abc", 3); err != nil || !errors.Is(o.Failure, context.DeadlineExceeded) || o.Failure.offset != 0 {
		t.Errorf("an offset past the text: %+v, %v", o, err)
	}
}
