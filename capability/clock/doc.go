// Package clock is the time that a run sees, and waiting in it.
//
// In: a context and how long to wait. Out: the time; an error when the wait is
// longer than allowed or the context ends first. Besides the system's clock
// there are one that stands still, for runs that are to repeat, one that goes on
// by a step with each look, and one that a test sets.
//
// meter: its one loop goes over those who wait, each of which is a call of the host
package clock
