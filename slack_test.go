//go:build !race

package pinfold_test

import "time"

// slack is how long past its timeout a run may take here, on a machine that may be
// busy. The goal on a quiet one
// is 50 ms; pinfold doctor measures it.
const slack = 2 * time.Second

const raceDetector = false
