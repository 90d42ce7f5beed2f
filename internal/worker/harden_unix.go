//go:build unix && !linux

package worker

func limitProcess(r *Report, c Ceilings) { commonLimits(r, c) }
