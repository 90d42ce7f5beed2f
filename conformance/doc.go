// Command conformance runs test262, the conformance suite of ECMA-262, against
// the engine.
//
// In: a checkout of test262 (--test262 DIR) and what to run of it. Out: passed,
// failed and skipped tests by area on standard output, as JSON when asked
// (--json), and an exit status: 1 when a test crashed the engine or hung, or
// when fewer tests pass than --min asks for, else 0.
//
//	go run ./conformance --test262 DIR --area language/expressions --by-message
//
// What docs/CONFORMANCE.md says is saved in results (--save) by runs of the whole
// suite; --write makes the document of them, and a test holds it against them.
//
// In scope are test/language, test/built-ins and test/annexB, without what the
// table in skip.go lists. A test passes when it passes in every mode that its
// flags ask for. The suite itself is not part of this repository.
//
// The runner knows the engine only through the interface in engine.go.
package main
