package hostile

import (
	"context"
	"fmt"
	"os"

	"github.com/pinfold-js/pinfold"
)

// tierVariable tells a child in which tier its case runs.
const tierVariable = "PINFOLD_HOSTILE_TIER"

// Tiers are the tiers that a Runner can run cases in, by name.
var Tiers = []pinfold.Isolation{pinfold.InProcess, pinfold.Process}

// Tier finds a tier by its name.
func Tier(name string) (pinfold.Isolation, error) {
	for _, t := range Tiers {
		if t.String() == name {
			return t, nil
		}
	}
	return 0, fmt.Errorf("there is no tier %q: there are %v", name, Tiers)
}

// environment is what the child of a case in a tier sees.
func environment(t pinfold.Isolation) []string {
	if t == pinfold.InProcess {
		return nil // the parent's own
	}
	return append(os.Environ(), tierVariable+"="+t.String())
}

// Outside reports whether this process's case runs its programs in workers.
func Outside() bool { return os.Getenv(tierVariable) == pinfold.Process.String() }

// inTier makes options those of the tier that this process's case is to run in.
func inTier(opt *pinfold.Options) {
	if Outside() {
		opt.Isolation = pinfold.Process
	}
}

// worker is the process that a sandbox's programs run in; 0 for this one. It
// makes that process ready.
func worker(s *pinfold.Sandbox) int {
	if !Outside() {
		return 0
	}
	if o := s.Eval(context.Background(), "warm-up.js", "return 1", nil); o.Worker != nil {
		return o.Worker.PID
	}
	return 0
}
