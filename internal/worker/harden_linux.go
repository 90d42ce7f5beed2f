package worker

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// closeOthers closes every descriptor but those of the worker and those that
// Go's runtime has made for itself.
func closeOthers() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		_ = unix.CloseRange(fdOut+1, ^uint(0)>>1, 0) // as good as it gets
		return
	}
	for _, e := range entries { //meter: the descriptors of a process that has just begun
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd <= fdOut {
			continue
		}
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && (strings.HasSuffix(to, "[eventpoll]") || strings.HasSuffix(to, "[eventfd]")) {
			continue
		}
		_ = unix.Close(fd) // that of the directory is closed already
	}
}

// harden gives up what the kernel lets a process give up. The order matters: each
// step may need what the next one takes.
func harden(c Ceilings) Report {
	var r Report
	// What the runtime and the packages open once, they open now.
	time.Sleep(time.Microsecond)     // the network poller, which timers need
	_, _ = time.Now().Local().Zone() // the time zone of the system

	commonLimits(&r, c)
	r.note("not dumpable", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))

	// Threads made from here on inherit what this one has given up; those that
	// exist are told by the kernel (seccomp) or by the runtime (the others).
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r.note("no new privileges", onAllThreads(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0))
	r.note("landlock", landlock())
	r.note("seccomp", seccomp())
	return r
}

// onAllThreads makes a system call on every thread of the process.
func onAllThreads(trap, a1, a2, a3 uintptr) error {
	_, _, errno := syscall.AllThreadsSyscall6(trap, a1, a2, a3, 0, 0, 0)
	if errno == syscall.ENOTSUP { // the binary has C code in it
		if _, _, errno = syscall.RawSyscall6(trap, a1, a2, a3, 0, 0, 0); errno == 0 {
			if trap == unix.SYS_PRCTL {
				return nil // seccomp passes it on to the other threads
			}
			return errors.New("the binary uses cgo, so only new threads have it")
		}
	}
	if errno != 0 {
		return errno
	}
	return nil
}

// address returns where a value lies that p points to, for the kernel to read
// while the call lasts. The value is on Go's heap, since reflect takes it there,
// and Go's heap doesn't move; the caller keeps it alive.
func address(p any) uintptr { return reflect.ValueOf(p).Pointer() }

// landlock takes all of the file system, TCP, and signals and abstract sockets of
// other processes.
func landlock() error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Errorf("the kernel has it not, or not switched on (%w)", errno)
	}
	// What each version of the interface added.
	attr := &unix.LandlockRulesetAttr{Handled_access_fs: 0x1FFF}
	size := uintptr(8)
	if version >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size = 16
	}
	if version >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size = 24
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, address(attr), size, 0)
	runtime.KeepAlive(attr)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	return onAllThreads(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0)
}

// seccomp leaves the process the system calls that a computing Go program makes.
func seccomp() error {
	code, err := filter(uint32(os.Getpid()))
	if err != nil {
		return err
	}
	prog := &unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, address(prog))
	runtime.KeepAlive(prog)
	runtime.KeepAlive(code)
	switch {
	case errno != 0:
		return errno
	case thread != 0:
		return fmt.Errorf("thread %d has another filter", thread)
	}
	return nil
}
