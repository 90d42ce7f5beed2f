package hostile

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpuOf returns the processor time of a worker; 0 for none. It is that of the
// threads that there are, and where the system doesn't count these exactly that
// of the process, in steps of 10 ms.
func cpuOf(pid int) time.Duration {
	dir := "/proc/" + strconv.Itoa(pid)
	threads, err := os.ReadDir(dir + "/task")
	if err != nil {
		return 0
	}
	var sum int64
	for _, t := range threads {
		if b, err := os.ReadFile(dir + "/task/" + t.Name() + "/schedstat"); err == nil {
			first, _, _ := strings.Cut(string(b), " ")
			n, _ := strconv.ParseInt(first, 10, 64)
			sum += n
		}
	}
	if sum > 0 {
		return time.Duration(sum)
	}
	b, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return 0
	}
	// The second field is the name, which may hold anything but ends with ")".
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// resetPeak makes peak start anew.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// resident returns the size of the process in memory, peak the greatest one, in
// kB; 0 where it isn't known.
func resident() int64 { return status(os.Getpid(), "VmRSS") }
func peak() int64     { return status(os.Getpid(), "VmHWM") }

func status(pid int, name string) int64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if s, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(s, "kB")), 10, 64)
			return n
		}
	}
	return 0
}
