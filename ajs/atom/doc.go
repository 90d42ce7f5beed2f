// Package atom describes the operations a program may call: their inputs,
// costs, timeouts and effects. The table of the core atoms is here, so that a
// transpiler can check calls and a VM can run them from the same facts.
//
// In: nothing, or the descriptions of a host's own atoms. Out: a Table that
// answers by name.
//
// meter: every loop goes over the atoms of a table or the inputs of one of them
package atom
