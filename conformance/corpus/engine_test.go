package corpus

// run executes source as a script in a fresh realm that has ECMAScript's
// globals and `console.log`, nothing else; then it runs the promise jobs until
// none is left. An exception of the script is part of the result; an error is
// a limit or a failure of the engine. The tests skip while run is nil.
var run func(name, source string) (result, error)

// hostGlobals says whether the realm also has structuredClone.
const hostGlobals = false
