// Package deptest holds the test of what this module may import.
//
// In: what the go command says about the packages of the module. Out: test
// failures for a third-party module that isn't on the list of a reason each,
// for an import that points upwards, for one that a package of the engine must
// not have, and for a change of the modules linked into the command. It exports
// nothing.
package deptest
