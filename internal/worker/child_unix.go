//go:build unix

package worker

import "golang.org/x/sys/unix"

// inherited reports whether a descriptor is a pipe.
func inherited(fd int) bool {
	var s unix.Stat_t
	return unix.Fstat(fd, &s) == nil && s.Mode&unix.S_IFMT == unix.S_IFIFO
}

// pollable lets a goroutine that reads wait without a thread of its own, so that
// what it read is worked on by the thread that waited.
func pollable(fd int) { _ = unix.SetNonblock(fd, true) } // else it reads all the same

func setLimit(what int, n uint64) error {
	l := unix.Rlimit{Cur: n, Max: n}
	return unix.Setrlimit(what, &l)
}

// commonLimits are the ceilings that every Unix has.
func commonLimits(r *Report, c Ceilings) {
	r.note("core 0", setLimit(unix.RLIMIT_CORE, 0))
	r.note("file size 0", setLimit(unix.RLIMIT_FSIZE, 0))
	r.note("descriptors 16", setLimit(unix.RLIMIT_NOFILE, 16))
	if c.CPU > 0 {
		r.note("processor time", setLimit(unix.RLIMIT_CPU, uint64(c.CPU)))
	}
	if c.Data > 0 {
		r.note("memory", setLimit(unix.RLIMIT_DATA, uint64(c.Data)))
	}
}
