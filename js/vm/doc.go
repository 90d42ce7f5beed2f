// Package vm runs bytecode: the interpreter, the object model of ECMA-262
// (internal methods, abstract operations, exotic objects), functions,
// generators, promises and jobs, modules.
//
// In: a Realm (the template with every intrinsic, made once by package
// builtins), a meter, compiled Programs, native functions. Out: a Machine, one
// run's engine: it evaluates programs and hands values back.
//
// # Native functions
//
// A built-in is a NativeFunc. It reads its arguments from the Call, and
// returns a value or an error. An error is one of three things:
//
//   - a JavaScript exception: made by m.TypeError and its like, or m.Throw;
//   - a *meter.LimitError, which ends the run and is passed up unchanged;
//   - a Go error of a lower package that stands for an exception, such as
//     heap.ErrStringLength; the interpreter turns it into one.
//
// # Roots
//
// The collector runs only at safepoints of the interpreter. A native function
// that never calls back into script can keep values in Go variables as it
// likes. One that does (m.Call, a getter, a conversion of an object) delays
// collection until it returns, unless it calls through m.CallRooted, with
// which it promises that every heap value it still needs is in its arguments,
// on the root stack (m.Root), or reachable from there.
//
// # Tracing
//
// A machine made with Options.Trace runs programs compiled with
// compiler.Options.Trace. They are the same code with an operation Trace before
// each instruction that makes or uses a value which may be missing; what it
// does (trace*.go) is to note where every undefined, null and NaN in a
// register, an environment or a property came from. When an exception is thrown
// at the place that TraceOptions wants, the notes behind the operand that failed
// are put in words, with the variables of the frames. Other machines and
// programs have no part of it.
package vm
