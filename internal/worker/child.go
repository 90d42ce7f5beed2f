package worker

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
)

// argPrefix begins the only argument of a worker. The rest of it is the hash of
// the nonce that the first frame must bring.
const argPrefix = "pinfold-worker:"

// The descriptors that a worker inherits beside standard error.
const (
	fdIn  = 3
	fdOut = 4
)

// The frames of the beginning.
const (
	kindHello byte = 0xF0 // nonce, ceilings, configuration
	kindReady byte = 0xF1 // a Report
	kindFail  byte = 0xF2 // why the worker can't work
)

const nonceBytes = 32

// Started reports whether the process was started to be a worker, by its
// argument alone.
func Started() bool { return len(os.Args) == 2 && strings.HasPrefix(os.Args[1], argPrefix) }

// Child is a worker's own end.
type Child struct {
	Config   []byte // the parent's
	ceilings Ceilings
	in       *bufio.Reader
	out      writer
}

// Open returns the worker's end if this process is a worker: if it was started
// as one and has inherited two pipes. A process that has both, and whose parent
// doesn't know the nonce, is not let go on.
func Open() (*Child, bool) {
	if !Started() || !inherited(fdIn) || !inherited(fdOut) {
		return nil, false
	}
	// One run at a time, and the collector beside it where there is room for it: a
	// second processor costs each run some time to wake. Setting it keeps the
	// runtime from looking at files for it.
	procs := 1
	if runtime.NumCPU() >= 4 {
		procs = 2
	}
	runtime.GOMAXPROCS(procs)
	os.Clearenv() // what was in it was for the C library
	closeOthers()
	pollable(fdIn)
	c := &Child{in: bufio.NewReaderSize(os.NewFile(fdIn, "in"), 64<<10)}
	c.out.w = os.NewFile(fdOut, "out")
	f, err := readFrame(c.in, math.MaxUint32)
	if err != nil || f.Kind != kindHello || len(f.Data) < nonceBytes {
		os.Exit(2)
	}
	hash := sha256.Sum256(f.Data[:nonceBytes])
	if os.Args[1] != argPrefix+hex.EncodeToString(hash[:]) {
		fmt.Fprintln(os.Stderr, "this process was not started by who writes to it")
		os.Exit(2)
	}
	d := json.NewDecoder(strings.NewReader(string(f.Data[nonceBytes:])))
	var m hello
	if err := d.Decode(&m); err != nil {
		os.Exit(2)
	}
	c.Config, c.ceilings = m.Config, m.Ceilings
	return c, true
}

type hello struct {
	Ceilings Ceilings
	Config   []byte
}

// Ready gives up what the process doesn't need from here on, and says so.
func (c *Child) Ready() error {
	r := harden(c.ceilings)
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return c.Send(kindReady, 0, b)
}

// Refuse says why the worker can't work.
func (c *Child) Refuse(why string) error { return c.Send(kindFail, 0, []byte(why)) }

// Read reads the next frame. Only one goroutine may.
func (c *Child) Read() (Frame, error) { return readFrame(c.in, math.MaxUint32) }

// Send writes a frame.
func (c *Child) Send(kind byte, tag uint64, data ...[]byte) error {
	return c.out.send(kind, tag, data...)
}
