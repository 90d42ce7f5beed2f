// Package worker keeps processes of the program's own binary that work for it
// behind two pipes, and takes from them what the operating system lets a process
// give up.
//
// In: a Config, and frames for a worker. Out: its frames, how a worker ended,
// and what each one gave up (Report). What the frames mean is the caller's
// business. A worker is told from an ordinary process by its argument and by the
// nonce that comes through the pipe it inherited: see Open.
//
// The parent trusts nothing that comes from a worker: frames are bounded in
// length, carry the tag of the run that they belong to, and a worker that breaks
// a rule is killed.
package worker
