package hostile

import (
	"fmt"

	"github.com/pinfold-js/pinfold/limiter"
)

// newLimiter makes a limiter that refuses nothing: every run of the table takes
// a slot and its bytes there, to see that they come back.
func newLimiter() *limiter.Limiter {
	l, err := limiter.New(limiter.Config{MaxConcurrentRuns: 1 << 20, ReservedForInterceptors: 1, MaxRunsPerCaller: 1 << 20, MaxTotalBytes: noLimit})
	if err != nil {
		panic(err)
	}
	return l
}

// leftBehind says what ended runs have left in a limiter: no slot, no byte, no
// run that was abandoned. It is "" where all is well.
func leftBehind(l *limiter.Limiter) string {
	s := l.Stats()
	s.AdmittedRuns = 0
	if s == (limiter.Stats{}) {
		return ""
	}
	return fmt.Sprintf("runs that have ended left in the limiter %+v", s)
}
