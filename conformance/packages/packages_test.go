package main

import (
	"os"
	"testing"
)

// TestPackages runs every package when PINFOLD_NPM_DIR says where they are.
func TestPackages(t *testing.T) {
	dir := os.Getenv("PINFOLD_NPM_DIR")
	if dir == "" {
		t.Skip("PINFOLD_NPM_DIR is not set: fill a directory with fetch.sh and set it to run npm packages")
	}
	if _, err := runAll(dir, false, nil, func(r Result) {
		t.Log(r.line())
		if !r.OK {
			t.Errorf("%s: %s", r.Name, r.Difference)
		}
	}); err != nil {
		t.Fatal(err)
	}
}
