// Package compiler turns a syntax tree into bytecode.
//
// In: a *syntax.Program, and for a direct eval the scopes that the text is
// compiled into. Out: a *bytecode.Program, or a *syntax.SyntaxError for what
// can only be found here: declarations of eval code that conflict with the
// scopes around it, TypeScript that needs code and is refused, functions that are
// too large.
//
// Enums, namespaces with values, parameter properties and decorators are first
// rewritten in the tree (lower*.go), where the options ask for it.
//
// There are two passes. The first (analyze*.go) walks the tree once, makes the
// scopes, resolves every name and learns what the second needs to know of a
// variable: whether a closure captures it (then it lives in an environment,
// else in a register), where it is assigned, and whether a reference may meet
// it in its temporal dead zone. The second pass (the other files) emits code,
// one function at a time; functions found on the way are queued, so that
// nesting of functions costs no Go stack.
//
// With Options.Trace the code carries Trace operations, and tables that say
// which source an operand has and which variable a register holds (trace.go).
//
// meter: every loop goes over the parts of one node, one scope or one function, and step counts the nodes as work; what is gone over again for many nodes calls step itself
// meter: depth: every recursion goes down the tree, whose height the parser bounds
package compiler
