package tool_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/tool"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	goleak.VerifyTestMain(m)
}

var tiers = []pinfold.Isolation{pinfold.InProcess, pinfold.Process}

// onTiers runs a test on both tiers.
func onTiers(t *testing.T, test func(t *testing.T, opt pinfold.Options)) {
	t.Helper()
	for _, tier := range tiers {
		t.Run(tier.String(), func(t *testing.T) { test(t, pinfold.Options{Isolation: tier}) })
	}
}

// load loads a tool from texts.
func load(t testing.TB, s tool.Source, cfg tool.Config) *tool.File {
	t.Helper()
	if s.File == "" {
		s.File = "t.js"
	}
	f, err := s.Load(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
