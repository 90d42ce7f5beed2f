package heap

import "runtime"

// heapBytes returns the bytes alive in Go's heap.
func heapBytes() int64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
