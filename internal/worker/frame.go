package worker

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// Frame is a message.
type Frame struct {
	Kind byte
	Tag  uint64 // of the run that it belongs to
	Data []byte
}

// headBytes is the length of a frame's head: the length of its data, its kind,
// its tag.
const headBytes = 4 + 1 + 8

// chunk is how many bytes are taken for a frame before they have come.
const chunk = 1 << 20

// readFrame reads a frame whose data has at most limit bytes.
func readFrame(r *bufio.Reader, limit int64) (Frame, error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Frame{}, err
	}
	n := int64(binary.LittleEndian.Uint32(head[:]))
	f := Frame{Kind: head[4], Tag: binary.LittleEndian.Uint64(head[5:])}
	if n > limit {
		return f, fmt.Errorf("a frame of %d bytes, at most %d are allowed", n, limit)
	}
	for int64(len(f.Data)) < n { //meter: n is at most the limit of frames, and what has come doubles with each turn
		at := len(f.Data)
		next := make([]byte, min(int(n), max(2*at, chunk))) //meter: twice what has come, or a chunk
		copy(next, f.Data)
		if _, err := io.ReadFull(r, next[at:]); err != nil {
			return f, err
		}
		f.Data = next
	}
	return f, nil
}

// writer writes whole frames. It is safe for use by many goroutines.
type writer struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
}

// keepBuffer is how large the buffer of a writer stays.
const keepBuffer = 256 << 10

func (w *writer) send(kind byte, tag uint64, data ...[]byte) error {
	n := 0
	for _, d := range data { //meter: the parts of one frame, of which its sender has two
		n += len(d)
	}
	if uint64(n) > 1<<32-1 {
		return fmt.Errorf("a frame of %d bytes is too long", n)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b := append(w.buf[:0], 0, 0, 0, 0, kind)
	binary.LittleEndian.PutUint32(b, uint32(n))
	b = binary.LittleEndian.AppendUint64(b, tag)
	for _, d := range data { //meter: as above; what they hold was charged, or is the host's
		b = append(b, d...)
	}
	_, err := w.w.Write(b)
	if w.buf = b[:0]; cap(b) > keepBuffer {
		w.buf = nil
	}
	return err
}
