// Package bytecode defines what the compiler produces and the interpreter
// runs: instructions, functions, programs.
//
// In: nothing; the compiler fills these structs. Out: an immutable Program
// that goroutines share. Everything that depends on a run (inline caches,
// materialised constants) lives with the run and is found by the indices kept
// here.
//
// # Registers
//
// A function runs in a window of registers of the run's value stack:
//
//	r0          the function object being called
//	r1          this (Empty in a derived constructor before super() returns)
//	r2 …        the first NumParams arguments, padded with undefined
//	then        locals and temporaries, up to NumRegs
//
// Every register from r2+argc on is undefined on entry. A caller lays callee,
// this and arguments in consecutive registers at the top of its own window,
// and the callee's window begins there, so arguments are never copied.
// Arguments beyond NumParams are lost unless FlagArgsArray is set: then the
// interpreter puts an Array of all arguments into register ArgsReg on entry.
//
// # Environments
//
// A variable that no closure captures lives in a register. Captured ones live
// in environments: heap records of a parent and some slots. The register that
// holds an environment is chosen by the compiler; a closure is created with
// the register of the innermost environment around it. Inside the callee that
// environment is "closure environment", depth 0; its parent is depth 1 and so
// on. A slot that holds Empty is in its temporal dead zone.
//
// # Fuel
//
// Instr.F is the fuel of the basic block's work since the last instruction
// that charged. Only instructions for which Op.Charges holds look at it: all
// jumps, calls, iterator steps, Yield, Await, Return and Throw. The compiler
// counts one unit for each instruction and adds what has gathered to the next
// charging one (255 at most; Fuel carries larger sums).
//
// meter: its loops go over one program that was compiled, and paid for, before
package bytecode
