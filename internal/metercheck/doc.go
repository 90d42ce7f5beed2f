// Package metercheck is the analyzer that holds the engine to its meter: what a
// script makes the engine do is charged, wherever that happens.
//
// In comes a package of Go code; out come the places where it
//
//   - loops without charging the meter,
//   - allocates memory of a size that isn't known to be bounded,
//   - calls itself, directly or not, without counting the depth,
//   - loses an error that may be a limit.
//
// A comment //meter: with a reason, on the line or alone on the one above, says
// why one of these is right as it is: it is read by reviewers, and must be
// true. On the line that a function begins on it speaks for the recursion. In
// the doc comment of a function (where gofmt writes // meter:) it holds for the
// whole function, in the package clause's for the whole package but its
// recursion, for which a line of its own begins with "meter: depth:". A function
// that charges, or counts the depth, in a way the analyzer can't see says so
// with //meter:charges or //meter:guards in its doc comment.
package metercheck
