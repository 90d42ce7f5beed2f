package pinfold

import (
	"errors"
	"os/exec"
	"reflect"
	"syscall"

	"golang.org/x/sys/windows"
)

// processGroup is a process with those that it has started.
type processGroup struct{ cmd *exec.Cmd }

func newProcessGroup(cmd *exec.Cmd) *processGroup {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	return &processGroup{cmd}
}

var errNotStarted = errors.New("the command was not started")

func (p *processGroup) Stop() error {
	if p.cmd.Process == nil {
		return errNotStarted
	}
	return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.cmd.Process.Pid))
}

// Kill ends the process and its descendants. The process is ended first: it
// starts no more then.
func (p *processGroup) Kill() error {
	if p.cmd.Process == nil {
		return errNotStarted
	}
	err := p.cmd.Process.Kill()
	list, e := processes()
	if e != nil {
		return errors.Join(err, e)
	}
	tree := map[uint32]bool{uint32(p.cmd.Process.Pid): true}
	for grew := true; grew; { //meter: the levels of a tree of processes that the host's command has started
		grew = false
		for _, x := range list { //meter: the processes of the system, on the host's time
			if !tree[x.ProcessID] && tree[x.ParentProcessID] {
				tree[x.ProcessID], grew = true, true
				if h, e := windows.OpenProcess(windows.PROCESS_TERMINATE, false, x.ProcessID); e == nil {
					err = errors.Join(err, windows.TerminateProcess(h, 1), windows.CloseHandle(h))
				}
			}
		}
	}
	return err
}

// processes lists the processes of the system.
func processes() (list []windows.ProcessEntry32, err error) {
	h, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, windows.CloseHandle(h)) }()
	e := windows.ProcessEntry32{Size: uint32(reflect.TypeFor[windows.ProcessEntry32]().Size())}
	for err = windows.Process32First(h, &e); err == nil; err = windows.Process32Next(h, &e) { //meter: the processes of the system, on the host's time
		list = append(list, e)
	}
	if errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		err = nil
	}
	return list, err
}
