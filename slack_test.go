//go:build !race

package pinfold_test

import "time"

// slack is how long past its timeout a run may take. The goal on a quiet machine
// is 50 ms.
const slack = 200 * time.Millisecond

const raceDetector = false
