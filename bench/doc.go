// Command bench measures JavaScript engines side by side: pinfold's, goja and
// modernc.org/quickjs in this process, node and node --jitless as child
// processes where they are installed.
//
// In: the programs in programs/, each with a function main that returns a
// checksum. Out: a table of median times with their spread, the ratios to the
// first engine, and the geometric means. Checksums are compared: an engine that
// computes something else is reported and the exit status is 1.
//
//	go run . [--only fib,json] [--engines pinfold,goja] [--runs 7] [--markdown FILE]
//
// A program's top level prepares its data and isn't measured. Each engine calls
// main once to warm up and then --runs times; the engines of this process take
// turns, so that a slow moment of the machine meets all of them. The small
// measurements below the programs are a fresh run of a prepared trivial program
// with every limit on that the engine has, compiling and running a snippet of
// 200 characters in a fresh realm, one call of a host function;
// pinfold beside goja with the same bindings, whole calls of the tools
// run_javascript and evaluate_javascript; of pinfold alone, runs in worker processes, and suspending, resuming, forking and
// replaying runs that wait for the host, with what such runs take on disk and in
// memory.
//
// The same measurements are ordinary Go benchmarks for benchstat: go test -bench .
package main
