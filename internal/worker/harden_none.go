//go:build !unix

package worker

import "errors"

func limitProcess(r *Report, _ Ceilings) { r.note("ceilings", errors.New("this system has none")) }
