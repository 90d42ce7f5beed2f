package main

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a flag of bytes: 65536, 64KiB, 1.5MB.
type size int64

var units = []struct {
	name  string
	bytes int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"B", 1},
}

func (s *size) Set(text string) error {
	number, unit := strings.TrimSpace(text), int64(1)
	for _, u := range units {
		if rest, ok := cutSuffixFold(number, u.name); ok {
			number, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || !(f*float64(unit) >= 1) || f*float64(unit) > 1<<60 {
		return fmt.Errorf("%q is not a size: write one like 64MiB, 256KiB or 65536", text)
	}
	*s = size(f * float64(unit))
	return nil
}

func cutSuffixFold(s, suffix string) (string, bool) {
	if n := len(s) - len(suffix); n >= 0 && strings.EqualFold(s[n:], suffix) {
		return s[:n], true
	}
	return s, false
}

func (s *size) String() string {
	for _, u := range []struct {
		name  string
		bytes int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n := int64(*s); n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type names the flag's value in help texts.
func (s *size) Type() string { return "SIZE" }

// count is a flag of a whole number above zero.
type count int64

func (c *count) Set(text string) error {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	if err != nil || n <= 0 {
		return fmt.Errorf("%q is not a whole number above 0", text)
	}
	*c = count(n)
	return nil
}

func (c *count) String() string { return strconv.FormatInt(int64(*c), 10) }

// Type names the flag's value in help texts.
func (c *count) Type() string { return "N" }
