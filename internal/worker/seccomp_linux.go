package worker

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// Offsets in what a filter looks at: struct seccomp_data, little endian.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

const (
	retAllow = unix.SECCOMP_RET_ALLOW
	retKill  = unix.SECCOMP_RET_KILL_PROCESS
	retNone  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// allowed are the system calls that Go's runtime makes in a program that
// computes, waits, reads its pipe and writes to the other, and those of the C
// library where a binary has C code in it. No call in the list opens, connects,
// starts or maps code.
var allowed = append([]uintptr{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_CLOSE,
	unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_RESTART_SYSCALL,
	unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_MREMAP, unix.SYS_BRK,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRUSAGE, unix.SYS_GETRANDOM,
	unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_EPOLL_CTL,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}, allowedHere...)

// newThread are the flags of clone that make no process, and may be there; the
// first of them must be.
const (
	mustClone = unix.CLONE_THREAD
	mayClone  = unix.CLONE_THREAD | unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_SYSVSEM |
		unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID | unix.CLONE_CHILD_SETTID | unix.CLONE_DETACHED
)

// nameMemory is the operation of prctl with which the runtime names its memory.
const nameMemory = unix.PR_SET_VMA

// filter is the program that the kernel runs before each system call. What is
// not allowed ends the process.
func filter(pid uint32) ([]unix.SockFilter, error) {
	arch, ok := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !ok {
		return nil, errors.New("no filter is written for this processor")
	}
	load := func(off uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: off}
	}
	ret := func(what uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
	}
	// jump goes on by yes or no instructions.
	jump := func(op uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	code := []unix.SockFilter{
		load(offArch),
		jump(unix.BPF_JEQ, arch, 1, 0),
		ret(retKill),
		load(offNumber),
	}
	for _, n := range allowed {
		code = append(code, jump(unix.BPF_JEQ, uint32(n), 0, 1), ret(retAllow))
	}
	// on runs what follows for one call only. It must end in returns.
	on := func(n uintptr, body ...unix.SockFilter) {
		code = append(code, jump(unix.BPF_JEQ, uint32(n), 0, uint8(len(body))))
		code = append(code, body...)
	}
	arg := func(i uint32) unix.SockFilter { return load(offArgs + 8*i) }
	noExec := []unix.SockFilter{arg(2), jump(unix.BPF_JSET, unix.PROT_EXEC, 0, 1), ret(retKill), ret(retAllow)}
	on(unix.SYS_MMAP, noExec...)
	on(unix.SYS_MPROTECT, noExec...)
	on(unix.SYS_CLONE, arg(0),
		jump(unix.BPF_JSET, mustClone, 1, 0), ret(retKill),
		jump(unix.BPF_JSET, ^uint32(mayClone), 0, 1), ret(retKill), ret(retAllow))
	on(unix.SYS_CLONE3, ret(retNone)) // its flags lie in memory; the C library then uses clone
	on(unix.SYS_TGKILL, arg(0), jump(unix.BPF_JEQ, pid, 1, 0), ret(retKill), ret(retAllow))
	on(unix.SYS_PRCTL, arg(0), jump(unix.BPF_JEQ, nameMemory, 1, 0), ret(retKill), ret(retAllow))
	return append(code, ret(retKill)), nil
}
