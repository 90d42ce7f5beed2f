//go:build !linux

package hostile

import "time"

// The growth of the process and its processor time are measured on Linux.

func cpuTime() time.Duration  { return 0 }
func cpuOf(int) time.Duration { return 0 }
func resetPeak()              {}
func resident() int64         { return 0 }
func peak() int64             { return 0 }

func status(int, string) int64 { return 0 }
