//go:build !linux

package worker

import "errors"

// closeOthers does nothing: descriptors of Go programs are not inherited unless
// they ask for it.
func closeOthers() {}

func harden(c Ceilings) Report {
	var r Report
	limitProcess(&r, c)
	no := errors.New("this system has none")
	for _, what := range []string{"no new privileges", "landlock", "seccomp"} {
		r.note(what, no)
	}
	return r
}
