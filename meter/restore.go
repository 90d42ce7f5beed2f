package meter

import "time"

// Restore makes the meter count on from what a run had used when it was written
// out. What the live bytes are now stays: they were charged as the run was read
// in again, and what that took of everything else is forgotten.
func (m *Meter) Restore(u Usage) {
	if m.err != nil {
		return
	}
	m.left, m.slice = orUnlimited(m.limits.Fuel)-u.Fuel, 0
	m.peak = max(m.live, u.PeakBytes)
	m.requested = max(m.live, u.Requested)
	m.start = time.Now().Add(-u.Wall)
	if m.limits.Timeout > 0 {
		m.deadline = m.start.Add(m.limits.Timeout)
	}
	if !m.kicked {
		m.nextSlice()
	}
}

// Skip says that the run did nothing for so long and nothing was done for it:
// the time counts neither as used nor towards the deadline.
func (m *Meter) Skip(d time.Duration) {
	m.start = m.start.Add(d)
	if !m.deadline.IsZero() {
		m.deadline = m.deadline.Add(d)
	}
}
