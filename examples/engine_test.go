package examples

// run evaluates one example with the engine: the program, its input and its
// host functions go in, the console lines and the returned value come out; an
// uncaught exception or a limit is the error. The tests skip while it is nil.
var run func(p program) (output, error)
