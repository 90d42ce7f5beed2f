package vm

import "time"

// What the tests look at from outside.

// DateOf is a date of the host.
func DateOf(ms int64) time.Time { return time.UnixMilli(ms) }

// MembraneBytes counts a value that comes in.
func MembraneBytes(v any) float64 {
	_, n, err := bring(v, "value", 1<<40, func(int) bool { return true })
	if err != nil {
		return -1
	}
	return n
}

// SchemaNodes counts the nodes of a schema.
func SchemaNodes(d any) int {
	s, err := admit(d)
	if err != nil {
		return -1
	}
	return s.nodes
}
