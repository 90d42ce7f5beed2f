package main

import (
	"os"
	"testing"
)

// TestDocument says that docs/CONFORMANCE.md is what the committed results
// make it.
func TestDocument(t *testing.T) {
	want, err := document("..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../docs/CONFORMANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/CONFORMANCE.md is not what its results make it: go run ./conformance --write docs/CONFORMANCE.md")
	}
}

// TestCounts holds the rates of the results against their parts.
func TestCounts(t *testing.T) {
	for _, name := range []string{resultsFile, stressFile} {
		r, err := readReport("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		var sum Count
		for _, c := range r.Areas {
			sum.Passed += c.Passed
			sum.Failed += c.Failed
			sum.Skipped += c.Skipped
			sum.Outside += c.Outside
		}
		skipped, outside := 0, 0
		for _, s := range r.Skips {
			skipped += s.Tests
			if s.Outside {
				outside += s.Tests
			}
		}
		if sum.Passed != r.Passed || sum.Failed != r.Failed || sum.Skipped != r.Skipped || sum.Outside != r.Outside ||
			skipped != r.Skipped || outside != r.Outside || len(r.Failures) != r.Failed {
			t.Errorf("%s: the areas, skips and failures do not add up to %+v", name, r.Count)
		}
	}
}
