package a

import "strings"

func (m *machine) goodAllocs(list []int, n int) (string, error) { // want goodAllocs:"charges"
	_ = make([]int, 10)
	_ = make([]int, 0, len(list)+1)
	_ = make(map[int]int, 2*len(list))
	_ = make([]int, min(n, 100))
	_ = make([]int, n) //meter: n is at most 5
	if err := m.mt.Grow(int64(n)); err != nil {
		return "", err
	}
	_ = make([]int, n)
	return strings.Repeat("x", n), nil
}

func badAllocs(list []int, n int) string {
	_ = make([]int, n)             // want `make of a size that isn't known to be bounded`
	_ = make([]int, len(list)*n)   // want `make of a size that isn't known to be bounded`
	_ = make([]int, 0, max(n, 10)) // want `make of a size that isn't known to be bounded`
	var b strings.Builder
	b.Grow(n)                     // want `Grow of a size that isn't known to be bounded`
	return strings.Repeat("x", n) // want `strings.Repeat of a size that isn't known to be bounded`
}
