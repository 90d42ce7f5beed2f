package main

import "errors"

// openPinfold returns the engine of this repository.
func openPinfold() (Engine, error) {
	return nil, errors.New("no engine is built into this runner")
}
