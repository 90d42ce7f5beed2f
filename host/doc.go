// Package host makes host functions of Go functions with structs: programs call
// them with one object, which is checked against a JSON Schema that comes from
// the struct's tags, with messages that a model can act on.
//
// In: a name, a sentence, a Go function. Out: a pinfold.Function with its
// capability, its declaration in TypeScript and its schemas.
package host
