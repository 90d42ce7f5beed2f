package cost_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/pinfold-js/pinfold/capability/cost"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOf(t *testing.T) {
	tests := []struct {
		in   any
		want string
	}{
		{"0", "0"}, {0.0, "0"}, {math.Copysign(0, -1), "0"}, {"0.0125", "0.0125"}, {0.1, "0.1"}, {"1.50", "1.5"}, {7, "7"},
		{int64(12), "12"}, {json.Number("2.5"), "2.5"}, {1e-7, "0.0000001"}, {"1e-12", "0.000000000001"}, {"100", "100"},
		{"0.1000000000000000000", "0.1"}, {"000001", "1"}, {".5", "0.5"}, {"5.", "5"}, {1e12, "1000000000000"}, {"1E3", "1000"},
		{123456.789, "123456.789"},
	}
	for _, test := range tests {
		if a, err := cost.Of(test.in); err != nil || a.String() != test.want {
			t.Errorf("Of(%v) = %s, %v; want %s", test.in, a, err, test.want)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		in   any
		code cost.Code
	}{
		{-1.0, cost.Negative}, {"-0.1", cost.Negative}, {-1e-300, cost.Negative}, {math.Inf(-1), cost.BadAmount},
		{math.NaN(), cost.BadAmount}, {math.Inf(1), cost.BadAmount}, {"NaN", cost.BadAmount}, {"Infinity", cost.BadAmount},
		{"", cost.BadAmount}, {" 1", cost.BadAmount}, {"1,5", cost.BadAmount}, {"$1", cost.BadAmount}, {"0x10", cost.BadAmount},
		{"1_000", cost.BadAmount}, {"1e", cost.BadAmount}, {"--1", cost.BadAmount}, {"+1", cost.BadAmount}, {true, cost.BadAmount},
		{nil, cost.BadAmount}, {0.1 + math.SmallestNonzeroFloat64, ""}, {"0.0000000000001", cost.TooPrecise}, {1e-13, cost.TooPrecise},
		{0.30000000000000004, cost.TooPrecise}, {"1e999", cost.TooLarge}, {"1e-999", cost.TooPrecise}, {math.MaxFloat64, cost.TooLarge},
		{"1000000000000.000000000001", cost.TooLarge}, {strings.Repeat("9", 101), cost.BadAmount}, {"1e1000000000", cost.BadAmount},
	}
	for _, test := range tests {
		a, err := cost.Of(test.in)
		var e *cost.Error
		switch {
		case test.code == "":
			if err != nil {
				t.Errorf("Of(%v): %v", test.in, err)
			}
		case !errors.Is(err, test.code) || !errors.As(err, &e) || e.Reason == "":
			t.Errorf("Of(%v) = %s, %v; want code %s", test.in, a, err, string(test.code))
		}
	}
}

func line(usd string) cost.Line {
	return cost.Line{USD: cost.Must(usd), Source: "search", CallID: "c1"}
}

func TestLedger(t *testing.T) {
	budget := cost.Must("0.3")
	l := cost.NewLedger(cost.Options{Budget: &budget})
	for range 3 {
		// As floats these come to 0.30000000000000004.
		if err := l.Add(line("0.1")); err != nil {
			t.Fatal(err)
		}
	}
	if l.Total().String() != "0.3" || len(l.Lines()) != 3 {
		t.Errorf("total %s of %d lines", l.Total(), len(l.Lines()))
	}
	err := l.Add(line("0.000000000001"))
	if !errors.Is(err, cost.OverBudget) || err.Error() != "over the budget of 0.3 USD: 0.3 spent, 0.000000000001 more asked for" {
		t.Errorf("over the budget: %v", err)
	}
	if err := l.Add(line("0")); err != nil {
		t.Error(err)
	}
	if left, limited := l.Left(); !limited || !left.IsZero() {
		t.Errorf("left %s, %t", left, limited)
	}
	if _, limited := cost.NewLedger(cost.Options{}).Left(); limited {
		t.Error("no budget is one")
	}
}

func TestNotesAndLines(t *testing.T) {
	l := cost.NewLedger(cost.Options{MaxLines: 2})
	ok, long := line("1"), line("1")
	ok.Note, long.Note = strings.Repeat("é", 200), strings.Repeat("é", 201)
	if err := l.Add(long); !errors.Is(err, cost.NoteTooLong) {
		t.Errorf("a long note: %v", err)
	}
	for i, want := range []error{nil, nil, cost.TooManyLines} {
		if err := l.Add(ok); !errors.Is(err, want) {
			t.Errorf("line %d: %v", i, err)
		}
	}
	if l.Total().String() != "2" {
		t.Errorf("total %s", l.Total())
	}
}

// A line that a parent refuses is in no ledger.
func TestParents(t *testing.T) {
	ten := cost.Must("10")
	root := cost.NewLedger(cost.Options{Budget: &ten})
	var wg sync.WaitGroup
	children := make([]*cost.Ledger, 4)
	for i := range children {
		children[i] = cost.NewLedger(cost.Options{Parent: root})
		wg.Go(func() {
			for range 500 {
				_ = children[i].Add(line("0.01"))
			}
		})
	}
	wg.Wait()
	sum := cost.Amount{}
	for _, c := range children {
		sum = sum.Add(c.Total())
	}
	if sum.Cmp(ten) != 0 || root.Total().Cmp(ten) != 0 || len(root.Lines()) != 1000 {
		t.Errorf("children %s, root %s in %d lines", sum, root.Total(), len(root.Lines()))
	}
	if left, limited := children[0].Left(); !limited || !left.IsZero() {
		t.Errorf("left %s, %t", left, limited)
	}
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal(line("0.10"))
	if err != nil || string(text) != `{"usd":"0.1","source":"search","callId":"c1"}` {
		t.Fatalf("%s, %v", text, err)
	}
	var back cost.Line
	if err := json.Unmarshal(text, &back); err != nil || back.USD.String() != "0.1" {
		t.Errorf("%v, %v", back, err)
	}
	var a cost.Amount
	for _, s := range []string{`0.25`, `"0.25"`} {
		if err := json.Unmarshal([]byte(s), &a); err != nil || a.String() != "0.25" {
			t.Errorf("%s is %s, %v", s, a, err)
		}
	}
	for _, s := range []string{`-1`, `"x"`, `null`, `"1e99999999999"`} {
		if err := json.Unmarshal([]byte(s), &a); err == nil {
			t.Errorf("%s is %s", s, a)
		}
	}
	// A total may be larger than one amount.
	total := cost.Must("1e12").Add(cost.Must("0.5"))
	text, _ = json.Marshal(total)
	if err := json.Unmarshal(text, &a); err != nil || a.Cmp(total) != 0 {
		t.Errorf("%s is %s, %v", text, a, err)
	}
}

// The total is the sum, exactly, whatever the amounts.
func TestSumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amounts := rapid.SliceOfN(rapid.StringMatching(`[0-9]{1,11}(\.[0-9]{1,12})?`), 0, 50).Draw(t, "amounts")
		l := cost.NewLedger(cost.Options{})
		want := new(big.Rat)
		for _, s := range amounts {
			if err := l.Add(line(s)); err != nil {
				t.Fatal(err)
			}
			r, _ := new(big.Rat).SetString(s)
			want.Add(want, r)
		}
		got, ok := new(big.Rat).SetString(l.Total().String())
		if !ok || got.Cmp(want) != 0 {
			t.Fatalf("total %s, want %s", l.Total(), want.FloatString(12))
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0.1", "1e5", "-1", "NaN", "1e-12", ".", "1.e1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := cost.Parse(s)
		if err != nil {
			return
		}
		r, ok := new(big.Rat).SetString(s)
		got, _ := new(big.Rat).SetString(a.String())
		if !ok || r.Sign() < 0 || got.Cmp(r) != 0 {
			t.Fatalf("Parse(%q) = %s", s, a)
		}
	})
}

func Example() {
	budget := cost.Must("0.05")
	ledger := cost.NewLedger(cost.Options{Budget: &budget})
	for _, usd := range []any{0.02, "0.0125", 0.02} {
		amount, err := cost.Of(usd)
		if err == nil {
			err = ledger.Add(cost.Line{USD: amount, Source: "search"})
		}
		fmt.Println(ledger.Total(), err)
	}
	// Output:
	// 0.02 <nil>
	// 0.0325 <nil>
	// 0.0325 over the budget of 0.05 USD: 0.0325 spent, 0.02 more asked for
}
