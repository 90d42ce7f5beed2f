// Package inspect renders script values as text for console output, in the
// form that node's console has.
//
// In: the arguments of a console method. Out: one text. No script code runs: no
// getter, no proxy trap, no toString, no inspect method; what would need it is
// shown by its kind ("[Getter]"). Every node is charged to the run's meter, and
// the text has a limit of its own.
package inspect
