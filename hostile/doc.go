// Package hostile is the attack table: programs and scenarios that have broken
// JavaScript sandboxes, each with the outcome it must have here, and the runner
// that executes each in a process of its own and measures it.
//
// In: the table (Cases), the command that starts a child process, bars. Out: a
// Result for each case: outcome, milliseconds past the time limit, growth of
// the process, what went wrong; and the document made of them.
//
// A case is named by the row of the public field cases that it restates, such as
// B13; letters and words after it are variants. S is what other engines were
// measured with first; X attacks what this engine is made of, W the globals of
// web standards, N Intl, P explanations of failures, T timers, U handlers that
// might catch a limit, R routes into recursion.
package hostile
