// Package pinfold runs JavaScript and TypeScript that a language model wrote,
// inside a Go program, with nothing in reach but what the host grants, and
// never past its limits.
//
// In: source text, an input value, host functions, limits. Out: an Outcome: the
// value or a Failure, the console lines, what was used.
//
//	sandbox, err := pinfold.New(pinfold.Options{
//		Functions: []pinfold.Function{{Name: "price", Func: lookup}},
//	})
//	program, err := sandbox.Compile("quote.ts", source)
//	outcome := sandbox.Run(ctx, program, order)
//
// A Sandbox is a configured factory of runs, a Program is compiled source. Both
// are immutable and safe for use by many goroutines. A run has an engine of its
// own, made fresh: nothing a program does can be seen by another run.
//
// # What a program sees
//
// ECMAScript, console, the host functions by name, input: nothing else. There
// are no files, no network, no environment, and no timers unless Options.Timers
// gives them.
//
// # Two forms of program
//
// Source without import and export is the body of an async function with input
// in scope: what it returns is the value; a text that is one expression has the
// expression's value. Source with import or export is a module: its default
// export is the value, or, if that is a function, what it returns when it is
// called with the input. Both may use await at the top level. Both are strict.
//
// TypeScript is compiled by leaving its types out; nothing is type-checked. What is
// more than types (enums, namespaces, parameter properties, decorators) is compiled
// as TypeScript does, or refused: see Options.RefuseNonErasable. Files
// named .ts and .mts are TypeScript; a text without a telling name is tried as
// JavaScript first.
//
// # Values
//
// Values cross as data, both ways, by copying: see package membrane for what
// crosses and how.
//
// # Ends of a run
//
// A run ends with a value, an uncaught error, a limit, or the end of its
// context. Limits can't be caught by the program. When Run returns, the run is
// closed: nothing acts for it any more. Its host functions have returned; those
// of asynchronous functions that would not, as their Cancellation says, are
// counted (Usage.Stragglers) and named (Outcome.Notes).
//
// # Many runs
//
// Any number of runs may work at once. Options.Limiter, which sandboxes share,
// bounds them: see package limiter.
package pinfold
