package metercheck_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/pinfold-js/pinfold/internal/metercheck"
)

func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), metercheck.Analyzer, "example.com/engine/a", "example.com/engine/whole", "example.com/engine/deep")
}
