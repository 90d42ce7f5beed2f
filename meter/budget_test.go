package meter_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/meter"
	"pgregory.net/rapid"
)

// store is a Budget.
type store struct{ left, out int64 }

var errEmpty = errors.New("the store is empty")

func (s *store) Take(n int64) error {
	if n < 0 || n > s.left {
		return errEmpty
	}
	s.left -= n
	s.out += n
	return nil
}

func (s *store) Give(n int64) {
	s.left += n
	s.out -= n
}

// A meter never has more live bytes than it has taken, fails when there are no
// more and not before, and gives everything back.
func TestBudgetProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const total = 8 << 20
		s := &store{left: total}
		var meters [3]*meter.Meter
		for i := range meters {
			meters[i] = meter.New(nil, meter.Limits{LiveBytes: 4 << 20, Fuel: 1 << 50, Budget: s})
		}
		var live [3]int64
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			i := rapid.IntRange(0, 2).Draw(t, "meter")
			m := meters[i]
			n := rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(0, 3<<20)).Draw(t, "n")
			failed := m.Err() != nil
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				left := s.left
				err := m.Grow(n)
				var l *meter.LimitError
				switch {
				case failed:
					if err == nil {
						t.Fatal("a meter that has failed grows")
					}
				case err == nil:
					live[i] += n
				case !errors.As(err, &l):
					t.Fatal(err)
				case l.Kind == meter.Busy:
					if !errors.Is(err, errEmpty) || n <= left {
						t.Fatalf("%v: %d of %d left", err, n, left)
					}
				case l.Kind != meter.Memory || live[i]+n <= 4<<20:
					t.Fatal(err)
				}
			case 2:
				n = min(n, live[i])
				m.Shrink(n)
				live[i] -= n
			default:
				_ = m.Poll()
			}
			sum := int64(0)
			for k, m := range meters {
				if m.Live() != live[k] || m.Err() == nil && m.Headroom() != 4<<20-live[k] {
					t.Fatalf("live %d, headroom %d, want %d live", m.Live(), m.Headroom(), live[k])
				}
				sum += live[k]
			}
			if sum > s.out || s.out > total || s.left < 0 || s.left+s.out != total {
				t.Fatalf("%d live, %d taken, %d left", sum, s.out, s.left)
			}
		}
		for _, m := range meters {
			m.Close()
			m.Close()
		}
		if s.out != 0 {
			t.Fatalf("%d bytes were not given back", s.out)
		}
	})
}

func TestBudget(t *testing.T) {
	s := &store{left: 1 << 20}
	m := meter.New(nil, meter.Limits{Budget: s})
	if err := m.Grow(100); err != nil || s.out < 100 {
		t.Fatalf("%v, %d taken", err, s.out)
	}
	// The last bytes can be had, however they are asked for.
	if err := m.Grow(1<<20 - 200); err != nil {
		t.Fatal(err)
	}
	if err := m.Grow(100); err != nil || s.left != 0 {
		t.Fatalf("%v, %d left", err, s.left)
	}
	err := m.Grow(1)
	var l *meter.LimitError
	if !errors.As(err, &l) || l.Kind != meter.Busy || !errors.Is(err, errEmpty) || !strings.Contains(err.Error(), "busy: the store is empty") || !meter.IsLimit(err) {
		t.Fatal(err)
	}
	if m.Grow(0) != err || m.Charge(1<<30) != err || m.Live() != 1<<20 {
		t.Error("the error doesn't stick")
	}
	m.Close()
	if s.out != 0 {
		t.Errorf("%d bytes are taken yet", s.out)
	}
	// What a collection has freed goes back when the clock is looked at.
	s = &store{left: 64 << 20}
	m = meter.New(nil, meter.Limits{Budget: s})
	if err := m.Grow(40 << 20); err != nil {
		t.Fatal(err)
	}
	m.Shrink(39 << 20)
	if err := m.Poll(); err != nil || s.out < 1<<20 || s.out > 4<<20 {
		t.Errorf("%v, %d taken for %d", err, s.out, m.Live())
	}
	if err := m.Grow(50 << 20); err != nil {
		t.Error(err)
	}
	m.Reset(nil, meter.Limits{})
	if s.out != 0 {
		t.Errorf("%d bytes are taken yet", s.out)
	}
}
