// Package check looks at a program before it runs.
//
// In: source text, and a sandbox, which says what programs find: host functions,
// ctx, modules, globals. Out: problems in the order of the source, at most 20,
// each with a code, a place, a message, a hint, and, where one is safe, a fix as
// text edits: source that doesn't parse, names that nobody defines, capabilities
// that aren't declared or granted, members that ctx doesn't have, promises that
// are used as if they were values, imports of what isn't there, results that
// nobody returns, code that nothing reaches.
//
// It runs nothing. Its work grows in proportion to the source, whose length the
// sandbox limits. What it says is meant to be right: where it can't know, it is
// silent.
package check
