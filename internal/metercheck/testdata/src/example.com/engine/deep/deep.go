// Package deep has a reason for its recursion, and none for its loops.
//
// meter: depth: it goes down a tree whose height was counted
package deep

func down(n int) {
	for range n { // want `loop doesn't charge the meter`
	}
	down(n - 1)
}
