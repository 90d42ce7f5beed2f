// Package ajs measures programs of AJS beside the same programs as JavaScript
// in goja.
//
// In: nothing. Out: benchmarks: go test -bench . ./ajs
package ajs
