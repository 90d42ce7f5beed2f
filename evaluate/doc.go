// Package evaluate is the tool evaluate_javascript: a model's code in a hardened
// guest that has what the host injects, and nothing else.
//
// In: a Config with a gate, injected functions and modules, limits and quotas;
// for each evaluation a source and a timeout. Out: an Outcome that is honest about
// what crossed: the value with tags for what JSON can't hold, or what was thrown,
// and the log; or an *Error with a stable code when there is no outcome: the gate
// said no, a limit ended the guest, the host is busy.
//
// The source is one expression, whose value is the result, or the body of an
// async function: what it returns, or else the value of its last expression
// statement. It is read as a whole, by the engine's own parser. With import and
// export it is a module, whose default export is the result.
//
// Where the guest runs is for Config.Sandbox to say: in this process, under the
// engine's limits, or in worker processes, which can be killed and have given up
// files and network. Both pass the same tests.
package evaluate
