// Package log takes the records that scripts write for their host.
//
// In: a level, a message and fields as JSON, which nobody has looked at. Out:
// records in the host's sink (a slog.Logger, a slice in memory), within caps on
// the size of each and on their number; a refusal beyond. What a script logs is
// for the host alone: nothing here returns it to a model.
//
// meter: its loop goes back in a text, whose bytes are limited, to the beginning of a character
package log
