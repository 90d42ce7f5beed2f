package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/config"
)

// size is a flag of bytes: 65536, 64KiB, 1.5MB.
type size int64

func (s *size) Set(text string) error {
	n, err := config.ParseSize(text)
	if err == nil {
		*s = size(n)
	}
	return err
}

func (s *size) String() string { return config.Size(*s).String() }

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
