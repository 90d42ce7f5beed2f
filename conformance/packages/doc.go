// Command packages runs well-known npm packages in the engine: it loads the
// single file that a package ships for browsers or CommonJS, runs a driver of
// our own that uses it, and compares what the driver prints with what it prints
// in node.
//
// In: a directory that fetch.sh filled (--dir DIR), table.json, the drivers and
// what record.mjs recorded in testdata. Out: a line for each package on standard
// output, what they and node took when asked (--save), and exit status 1 when one
// differs.
//
//	conformance/packages/fetch.sh DIR
//	go run ./conformance/packages --dir DIR lodash zod
//
// The packages themselves are not part of this repository.
package main
