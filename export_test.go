package pinfold

// Stress makes the runs of a sandbox collect garbage at every safepoint and
// poison what they free.
func (s *Sandbox) Stress() { s.stress = true }
