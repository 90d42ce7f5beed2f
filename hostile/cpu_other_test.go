//go:build !linux

package hostile_test

import "time"

// cpuTime is 0 where it isn't measured.
func cpuTime() time.Duration { return 0 }
