package main

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"runtime/debug"
	"strings"
	"time"
)

// An engine runs programs in this process.
type engine interface {
	Name() string

	// Load evaluates a program's top level in a fresh realm that has the host
	// functions hostScalar and hostObject (see hostScalar, hostRecord).
	Load(name, source string) (instance, error)

	// Prepare compiles a script once. Each call of fresh runs it in a fresh
	// realm, with the engine's limits on, and returns its completion value as a
	// string.
	Prepare(source string) (fresh func() (string, error), err error)

	// Snippet compiles a script and runs it in a fresh realm, with the engine's
	// limits on. Nothing may be kept between calls.
	Snippet(source string) (string, error)
}

// An instance is a realm that a program has been loaded into.
type instance interface {
	// Main calls main() and returns its result as a string, or errTimeout.
	Main(timeout time.Duration) (string, error)
	Close()
}

// errTimeout is what a call of main ends with that was stopped for its time.
var errTimeout = errors.New("stopped for its time")

// The limits of fresh runs, where an engine has them.
const (
	limitFuel   = 50_000_000
	limitMemory = 64 << 20
	limitTime   = 2 * time.Second
)

// engines returns all engines of this process, ours first.
func engines() []engine {
	all := []engine{gojaEngine{}, quickjsEngine{}}
	if e := pinfold(); e != nil {
		all = append([]engine{e}, all...)
	}
	return all
}

// hostScalar is the host function hostScalar(n).
func hostScalar(n int64) int64 { return n + 1 }

// hostRecord is what hostObject takes and returns: {id, name, ok}.
type hostRecord struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	OK   bool   `json:"ok"`
}

func hostObject(r hostRecord) hostRecord {
	return hostRecord{ID: r.ID + 1, Name: r.Name, OK: !r.OK}
}

// program is one of programs/.
type program struct {
	name   string
	source string
}

//go:embed programs/*.js
var programFiles embed.FS

// programs returns the programs in the order of their names.
func programs() ([]program, error) {
	entries, err := fs.ReadDir(programFiles, "programs")
	if err != nil {
		return nil, err
	}
	var out []program
	for _, e := range entries {
		src, err := programFiles.ReadFile(path.Join("programs", e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, program{strings.TrimSuffix(e.Name(), ".js"), string(src)})
	}
	return out, nil
}

// hostPrograms call a host function hostCalls times in main.
var hostPrograms = []program{
	{"host call, scalar", `function main() { let s = 0; for (let i = 0; i < 20000; i++) s += hostScalar(i); return s; }`},
	{"host call, small object", `function main() { let s = 0; for (let i = 0; i < 20000; i++) s += hostObject({ id: i, name: 'abc', ok: true }).id; return s; }`},
}

const hostCalls = 20000

// trivialSource is the program of the fresh runs.
const trivialSource = `1 + 2`

// snippetSource has 200 characters.
const snippetSource = `const xs = [3, 1, 2, 4];
const total = xs.map((x) => x * 2).reduce((a, b) => a + b, 0);
function show(n) { return 'total: ' + n.toFixed(2); }
const out = { sum: show(total), count: xs.length }; out.sum`

// moduleVersion returns the version of a module linked into this binary.
func moduleVersion(modulePath string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == modulePath {
			return m.Version
		}
	}
	return ""
}
