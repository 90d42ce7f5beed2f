// Package whole has a reason for everything.
//
// meter: its input is a source text whose length was charged
package whole

func loop(n int) {
	for range n {
	}
	_ = make([]int, n)
}

func around(n int) { // want `recursion without a guard \(around\)`
	around(n - 1)
}
