package main

import "testing"

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "65536": 65536, "64MiB": 64 << 20, "64 MiB": 64 << 20, "64mib": 64 << 20, "256K": 256 << 10, "1.5MB": 1_500_000,
		"1GiB": 1 << 30, "2G": 2 << 30, "10kB": 10_000, "5B": 5, "0.5KiB": 512,
	} {
		var s size
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%s: %d, %v, want %d", text, int64(s), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "MiB", "1TiB", "1e400", "NaN", "0.1", "64 M i B"} {
		var s size
		if s.Set(text) == nil {
			t.Errorf("%q was taken as %d", text, int64(s))
		}
	}
	for n, want := range map[size]string{64 << 20: "64MiB", 1 << 30: "1GiB", 1500: "1500", 3 << 10: "3KiB"} {
		if got := n.String(); got != want {
			t.Errorf("%d: %s, want %s", int64(n), got, want)
		}
	}
}
