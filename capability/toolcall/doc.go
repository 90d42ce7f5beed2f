// Package toolcall is what a host implements to let runs call its tools.
//
// In: the name of a tool and its input as JSON. Out: the parts of a result,
// whole or with progress on the way, and the one value that a script gets of
// them; errors with a code and whether to try again. Narrow takes tools away;
// nothing here adds one.
//
// meter: it has no meter: loops go over the host's tools, or the parts of one result, which the host made
// meter: depth: what calls itself calls the host's tools through an interface
package toolcall
