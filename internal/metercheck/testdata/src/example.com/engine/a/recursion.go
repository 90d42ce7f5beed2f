package a

type node struct{ kids []node }

func bad(n node) int { // want `recursion without a guard \(bad\)`
	return bad(n.kids[0])
}

func ping(n int) int { return pong(n) } // want `recursion without a guard \(ping, pong\)`
func pong(n int) int { return ping(n) }

type walker interface{ walk() int }

type leaf struct{ next walker }

func (l *leaf) walk() int { return l.next.walk() } // want `recursion without a guard \(walk\)`

func (m *machine) guarded(n node) error { // want guarded:"guards"
	if len(n.kids) == 0 {
		return nil
	}
	if err := m.mt.EnterNative(); err != nil {
		return err
	}
	defer m.mt.LeaveNative()
	return m.guarded(n.kids[0])
}

// A cycle that passes a guarded function is guarded.
func (m *machine) outer(n node) error { return m.inner(n) } // want outer:"charges" outer:"guards"
func (m *machine) inner(n node) error { // want inner:"charges" inner:"guards"
	if err := m.mt.EnterNative(); err != nil {
		return err
	}
	defer m.mt.LeaveNative()
	return m.outer(n)
}

func counted(n node, depth int) int {
	if depth > 100 {
		return 0
	}
	return counted(n.kids[0], depth+1)
}

// bounded halves its work.
//
// meter: the depth is the logarithm of n
func bounded(n int) int {
	if n == 0 {
		return 0
	}
	return bounded(n / 2)
}

func halved(n int) int { //meter: the depth is the logarithm of n
	for range n { // want `loop doesn't charge the meter`
	}
	if n == 0 {
		return 0
	}
	return halved(n / 2)
}
