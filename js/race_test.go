//go:build race

package js_test

// raceEnabled: the race detector's own memory makes process growth
// meaningless.
const raceEnabled = true
