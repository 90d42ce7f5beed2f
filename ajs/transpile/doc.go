// Package transpile turns AJS source into the program form of package ast,
// with the program's signature.
//
// In: source text, and the atoms that the program may call beside the core
// ones. Out: a *Result, or an *Error with a code, a place and a worked line of
// what to write instead. The same source is always the same program, byte for
// byte.
//
// The language is a subset of JavaScript; the parser is that of js/syntax.
// What the program form has no place for is either lifted (a call inside an
// expression becomes a step before it, a chain of callbacks a row of steps) or
// refused here: nothing is dropped, and what can only fail when it runs fails
// now. Programs that need no lifting come out as the original tool writes them.
//
// Source is untrusted: parsing and lowering are linear in it, and nesting is
// bounded by the parser and once more here.
//
// meter: every loop goes over the tree of a source text whose size Options.MaxSourceBytes bounds and whose parse Options.Check is told of, or over a table
// meter: depth: recursion goes down the parser's tree, which is at most maxDepth high, and the lowered program is checked by ast.Program.Check
package transpile
