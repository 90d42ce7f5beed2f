package a

import "example.com/engine/meter"

type machine struct {
	mt    *meter.Meter
	check func(n int) error
}

var table = []int{1, 2, 3}

// charge always charges: calls of it count.
func (m *machine) charge(n int) error { return m.mt.Charge(int64(n)) } // want charge:"charges"

// maybe charges on one way only: calls of it don't count.
func (m *machine) maybe(n int) error {
	if n > 3 {
		return m.mt.Charge(int64(n))
	}
	return nil
}

// early returns before it charges.
func (m *machine) early(n int) error {
	if n > 3 {
		return nil
	}
	return m.mt.Charge(int64(n))
}

//meter:charges
func opaque(n int) error { return hidden(n) } // want opaque:"charges"

var hidden func(n int) error

func (m *machine) good(list []int, n int) error {
	for range list {
		if err := m.charge(1); err != nil {
			return err
		}
	}
	for i := 0; i < n; i++ {
		if i%16 == 0 {
			if err := m.mt.Charge(16); err != nil {
				return err
			}
		}
	}
	for range list {
		if err := m.check(1); err != nil {
			return err
		}
	}
	for range list {
		if err := opaque(1); err != nil {
			return err
		}
	}
	for range list { //meter: charged above
	}
	//meter: charged above
	for range list {
	}
	for range 10 {
	}
	for i := 0; i < 10; i++ {
	}
	for range table {
	}
	for range []int{1, n} {
	}
	for range [4]int{} {
	}
	for range "text" {
	}
	return nil
}

// documented has a reason for all its loops.
//
// meter: the caller charges
func documented(list []int) {
	for range list {
	}
}

func (m *machine) bad(list []int, s string, n int) {
	for range list { // want `loop doesn't charge the meter`
	}
	for range s { // want `loop doesn't charge the meter`
	}
	for range n { // want `loop doesn't charge the meter`
	}
	for i := 0; i < n; i++ { // want `loop doesn't charge the meter`
	}
	for i := n; i < 10; i++ { // want `loop doesn't charge the meter`
	}
	for { // want `loop doesn't charge the meter`
	}
	for range 1 << 20 { // want `loop doesn't charge the meter`
	}
	for range list { // want `loop doesn't charge the meter`
		if err := m.maybe(1); err != nil {
			return
		}
	}
	for range list { // want `loop doesn't charge the meter`
		if err := m.early(1); err != nil {
			return
		}
	}
	for range list { // want `loop doesn't charge the meter`
		_ = func() error { return m.charge(1) }
	}
}
