package hostile

import (
	"context"
	"os"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/internal/worker"
)

// Tiers returns the tiers of isolation that this system has.
func Tiers() []pinfold.Isolation {
	if worker.Supported() != nil {
		return []pinfold.Isolation{pinfold.InProcess}
	}
	return []pinfold.Isolation{pinfold.InProcess, pinfold.Process}
}

// tierVariable tells a child in which tier its case runs.
const tierVariable = "PINFOLD_HOSTILE_TIER"

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

// workerOf is the process that a sandbox's programs run in; 0 for this one. It
// makes that process ready.
func workerOf(s *pinfold.Sandbox) int {
	if !Outside() {
		return 0
	}
	if o := s.Eval(context.Background(), "warm-up.js", "return 1", nil); o.Worker != nil {
		return o.Worker.PID
	}
	return 0
}
