// Package ajs runs agents: programs in a small language shaped like JavaScript
// that call named atoms and nothing else.
//
// In: source, options and capabilities of the host. Out: agents that answer
// with plain data, tool definitions for a model, one-off evaluations.
//
// It puts three packages together that a host may use on their own: transpile
// turns source into a program (ast), where parsing is safe; the program is JSON
// that can be stored and sent; vm runs it, and has no parser inside. A host that
// only runs programs imports ajs/ast and ajs/vm.
//
// meter: loops go over names and parameters of the host
package ajs
