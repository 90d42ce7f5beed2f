package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

//go:embed node.mjs
var nodeScript []byte

// nodeEngine runs tests in node, in vm contexts of a few child processes. It
// says how V8 does on the same tests, and whether the runner is right.
type nodeEngine struct {
	name string
	dir  string // of the suite
	file string // the script

	mu   sync.Mutex
	idle []*nodeProcess
}

type nodeProcess struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan []byte
	used  int // realms made
}

// nodeRealms is how many realms one process makes before it is replaced: node
// is slow to give up contexts.
const nodeRealms = 400

type nodeCommand struct {
	Op     string `json:"op"`
	Name   string `json:"name,omitempty"`
	Source string `json:"source,omitempty"`
	Dir    string `json:"dir,omitempty"`
}

type nodeReply struct {
	Thrown      bool
	Phase       Phase
	Constructor string
	Text        string
	Stack       string
	Printed     []string
}

type nodeProgram struct{ name, source string }

func openNode(dir string) (*nodeEngine, error) {
	version, err := exec.Command("node", "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("node is not installed: %w", err)
	}
	f, err := os.CreateTemp("", "conformance-*.mjs")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Write(nodeScript); err != nil {
		return nil, err
	}
	return &nodeEngine{name: "node " + string(version[:len(version)-1]), dir: dir, file: f.Name()}, nil
}

func (e *nodeEngine) Name() string          { return e.name }
func (e *nodeEngine) Can(c Capability) bool { return c == CanCreateRealm }

// Close ends the child processes.
func (e *nodeEngine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range e.idle {
		p.kill()
	}
	e.idle = nil
	os.Remove(e.file)
}

func (e *nodeEngine) lease() (*nodeProcess, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.idle); n > 0 {
		p := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return p, nil
	}
	cmd := exec.Command("node", "--experimental-vm-modules", "--expose-gc", "--no-warnings", e.file)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &nodeProcess{cmd: cmd, in: in, lines: make(chan []byte, 1)}
	go func() {
		defer close(p.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			p.lines <- line
		}
	}()
	return p, nil
}

func (e *nodeEngine) release(p *nodeProcess) {
	if p.cmd == nil {
		return
	}
	if p.used >= nodeRealms {
		p.kill()
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle = append(e.idle, p)
}

func (p *nodeProcess) kill() {
	_ = p.cmd.Process.Kill()
	for range p.lines {
	}
	_ = p.cmd.Wait()
	p.cmd = nil
}

func (p *nodeProcess) do(c nodeCommand, timeout time.Duration, print func(string)) error {
	if p.cmd == nil {
		return fmt.Errorf("node has ended")
	}
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := p.in.Write(append(b, '\n')); err != nil {
		p.kill()
		return err
	}
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.kill()
			return fmt.Errorf("node died")
		}
		var r nodeReply
		if err := json.Unmarshal(line, &r); err != nil {
			p.kill()
			return err
		}
		for _, s := range r.Printed {
			if print != nil {
				print(s)
			}
		}
		if r.Thrown {
			return &Thrown{Phase: r.Phase, Constructor: r.Constructor, Text: r.Text, Stack: r.Stack}
		}
		return nil
	case <-time.After(timeout):
		p.kill()
		return fmt.Errorf("node took longer than %v", timeout)
	}
}

func (e *nodeEngine) Compile(name, source string) (Program, error) {
	p, err := e.lease()
	if err != nil {
		return nil, err
	}
	defer e.release(p)
	if err := p.do(nodeCommand{Op: "compile", Name: name, Source: source}, 10*time.Second, nil); err != nil {
		return nil, err
	}
	return nodeProgram{name, source}, nil
}

func (e *nodeEngine) NewRealm(o RealmOptions) (Realm, error) {
	p, err := e.lease()
	if err != nil {
		return nil, err
	}
	p.used++
	r := &nodeRealm{engine: e, process: p, options: o}
	if err := r.do(nodeCommand{Op: "realm", Dir: e.dir}); err != nil {
		return nil, err
	}
	return r, nil
}

type nodeRealm struct {
	engine  *nodeEngine
	process *nodeProcess
	options RealmOptions
}

func (r *nodeRealm) do(c nodeCommand) error {
	return r.process.do(c, r.options.Timeout, r.options.Print)
}

func (r *nodeRealm) Script(p Program) error {
	s := p.(nodeProgram)
	return r.do(nodeCommand{Op: "script", Name: s.name, Source: s.source})
}

func (r *nodeRealm) Module(name, source string) error {
	return r.do(nodeCommand{Op: "module", Name: name, Source: source})
}

func (r *nodeRealm) Jobs() error { return r.do(nodeCommand{Op: "jobs"}) }

func (r *nodeRealm) Close() { r.engine.release(r.process) }
