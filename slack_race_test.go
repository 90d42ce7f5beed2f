//go:build race

package pinfold_test

import "time"

// slack under the race detector, which makes everything many times slower.
const slack = 3 * time.Second

const raceDetector = true
