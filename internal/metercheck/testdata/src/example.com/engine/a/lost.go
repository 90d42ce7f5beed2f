package a

import (
	"fmt"
	"strconv"

	"example.com/engine/wire"
)

func (m *machine) value() (int, error)   { return 0, m.charge(1) } // want value:"charges"
func (m *machine) caught(err error) bool { return err == nil }

func (m *machine) lose() int { // want lose:"charges"
	m.charge(1)                         // want `an error that may be a limit is lost`
	_ = m.charge(1)                     // want `an error that may be a limit is lost`
	v, _ := m.value()                   // want `an error that may be a limit is lost`
	_ = m.check(1)                      // want `an error that may be a limit is lost`
	if err := m.charge(1); err != nil { // want `an error that may be a limit is lost`
		return 1
	}
	w, err := m.value()
	if err != nil { // want `an error that may be a limit is lost`
		return 2
	}
	return v + w
}

func (m *machine) keep() (int, error) { // want keep:"charges"
	if err := m.charge(1); err != nil {
		return 0, err
	}
	if err := m.charge(1); err != nil {
		return 0, fmt.Errorf("wrapped: %w", err)
	}
	if err := m.charge(1); err != nil {
		if !m.caught(err) {
			panic(err)
		}
	}
	_ = m.charge(1) //meter: an error is kept by the meter itself
	n, err := strconv.Atoi("1")
	if err != nil {
		return 0, nil
	}
	fmt.Println(n)
	return n, nil
}

func foreign() {
	_ = wire.Send() // no limit can come from there
}
