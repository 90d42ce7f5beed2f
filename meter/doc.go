// Package meter counts what a run uses and is the one package that may end a
// run.
//
// In: a Limits value, a context, and calls that say how much work or memory is
// about to be used. Out: nil, or a *LimitError that ends the run. A LimitError
// is sticky: once a meter has failed, every later charge fails with the same
// error, so code that swallows it by mistake cannot go on for long. The
// interpreter never offers a LimitError to a script's handler.
//
// The rule that the engine lives by: every Go loop whose length a script
// controls charges before it works, and every allocation on a script's behalf
// is charged before it is made.
package meter
