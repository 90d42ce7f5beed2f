package a

// Meter is what a package may ask of its callers.
type Meter interface{ Charge(n int64) error }

func (m *machine) lengths(list []int, s string, n int) error { // want lengths:"charges"
	if err := m.charge(len(list) / 16); err != nil {
		return err
	}
	for range list {
	}
	for i := 0; i < len(list); i++ {
	}
	for i := len(list) - 1; i >= 0; i-- {
	}
	for range list[:3] {
	}
	for range s { // want `loop doesn't charge the meter`
	}
	if err := m.charge(n); err != nil {
		return err
	}
	for range n {
	}
	for i := 0; i < n; i += 2 {
	}
	n *= 2
	for range n { // want `loop doesn't charge the meter`
	}
	for { // want `loop doesn't charge the meter`
		for range list { // want `loop doesn't charge the meter`
		}
	}
}

func few(list []int, table [8]int, b byte, n, k int) {
	for range min(n, 100) {
	}
	for range n % 64 {
	}
	for range n & 15 {
	}
	for range b {
	}
	for range table[:n] {
	}
	for range list[:10] {
	}
	for range list[:n] { // want `loop doesn't charge the meter`
	}
	for i := 0; i < 10 && k > 0; i += 2 {
	}
	for i := 100; i > 0; i-- {
	}
	for i := n; i > 0; i-- { // want `loop doesn't charge the meter`
	}
	for i := 0; i < 10; i++ {
	}
	for i := 0; i < 10; n++ { // want `loop doesn't charge the meter`
	}
	for ; n > 0; n /= 10 {
	}
	for n != 0 {
		n >>= 3
	}
	for n != 0 {
		n &= n - 1
	}
	for n != 0 { // want `loop doesn't charge the meter`
		if k > 0 {
			continue
		}
		n >>= 3
	}
	for n > 0 { // want `loop doesn't charge the meter`
		n -= k
	}
}

func asked(m Meter, list []int) error {
	for range list {
		if err := m.Charge(1); err != nil {
			return err
		}
	}
	return nil
}

func above(list []int) {
	k := 0           //meter: a reason for another line
	for range list { // want `loop doesn't charge the meter`
		k++
	}
	//meter: charged by the caller
	for range list {
	}
}
