package meter

// Budget is a store of bytes that the meters of several runs share. Take is
// asked before bytes are used; its error ends the run. Both are called on the
// run's goroutine, for many bytes at a time.
type Budget interface {
	Take(n int64) error
	Give(n int64)
}

// budgetStep is the least that is taken from a budget at once.
const budgetStep = 256 << 10

// spare is how much more than its live bytes a run may keep of the budget: so
// much that a run that goes up and down doesn't ask each time.
func spare(live int64) int64 { return max(4*budgetStep, live/2) }

// take gets what n more live bytes need from the budget, and somewhat more if
// there is more.
func (m *Meter) take(n int64) error {
	need := m.live + n - m.granted
	ask := min(max(need, budgetStep, m.live/8), m.ceiling-m.granted)
	err := m.limits.Budget.Take(ask)
	if err != nil && ask > need {
		ask = need
		err = m.limits.Budget.Take(ask)
	}
	if err != nil {
		return m.Fail(&LimitError{Kind: Busy, What: "the memory of all runs", Used: n, Cause: err})
	}
	m.granted += ask
	m.liveLimit = min(m.ceiling, m.granted)
	return nil
}

// giveSpare gives back what a run no longer needs after a collection.
func (m *Meter) giveSpare() {
	if m.limits.Budget == nil || m.err != nil {
		return
	}
	n := m.granted - m.live - spare(m.live)/2
	m.limits.Budget.Give(n)
	m.granted -= n
	m.liveLimit = min(m.ceiling, m.granted)
}

// giveBack gives back everything. The meter takes no more afterwards.
func (m *Meter) giveBack() {
	if m.limits.Budget == nil {
		return
	}
	m.limits.Budget.Give(m.granted)
	m.granted, m.liveLimit, m.limits.Budget = 0, 0, nil
}
