// Package vm runs AJS programs: trees of steps and expression nodes, under fuel,
// a heap ceiling, quotas and time. It has no parser of source: a program comes
// in as an ast.Program.
//
// In: a program, its arguments as plain data, and options; beside them the
// capabilities that atoms call. Out: a Result with the returned data or an
// *AgentError, the fuel used, warnings and a trace. What an agent does never
// makes a Go error or a panic; Go errors are for a host that hands over what is
// no program.
//
// # How it works
//
// A program is compiled once into closures. All variables of one function
// activation are slots of one array: which block may declare which name is
// known before the run, and whether it has is a mark in the slot. A run is one
// goroutine; capabilities are called in goroutines of their own, so that one
// that hangs can't hold the run.
//
// Every charge of fuel, every allocation and every crossing of data goes through
// the run (run.go): the formulas are those of the AJS specification. Values of
// the host never enter: the membrane (membrane.go) copies plain data both ways.
//
// # Ends
//
// A failure sets the run's error slot; the steps that follow are skipped until
// a try clears it. A halt (timeout, the caller's context, a refused crossing)
// is a state of the run that nothing clears.
//
// meter: loops over what a program made are bounded by fuel: each value, unit
// and step they go over was charged (charge, allocate, walk, poll); other loops
// go over the text of the program, which its decoder bounds
// meter: depth: what goes into a program or its data is as deep as its decoder let it be (4096); schemas have 64 levels; values that cross, are joined, flattened or written count their depth up to 10 000
package vm
