// Package ast is the program form of AJS: typed steps and expression nodes,
// their JSON form both ways, the rules of its versions, and the types and
// schemas of a program's signature.
//
// In: JSON bytes or decoded JSON data from anywhere, trusted by nobody. Out: a
// *Program, or an *Error that names the place; and back again, byte-stable:
// the same program is always the same bytes.
//
// The package knows no source text. Whoever runs programs imports this and no
// parser. A version above Current is refused before anything else of a program
// is looked at; decoding is bounded in bytes, in nodes and in depth.
//
// meter: depth: values and steps are as deep as Limits.MaxDepth lets them be, types as deep as the examples they were read from, which the transpiler bounds
//
// meter: every loop goes over what Limits has bounded: the bytes of the text, the nodes read from it, or the members of one of them
package ast
