// Package tape records what a run saw of the world, and runs it again without the
// world.
//
// In: the calls of a run's host functions with their results, what its clock said,
// its seed and its input; or a recording of them. Out: a recording, as lines of
// JSON (docs/recordings.md); or a Player that answers the calls of another run as
// they were answered then, in the order in which they were, and an error that
// names both calls where that run takes another course. A Player calls nothing
// of the host.
package tape
