// Package typescript compares what TypeScript programs print here with what they
// print after TypeScript's own compiler has made JavaScript of them.
//
// In: the snippets of the files in snippets, each under a line `//// name`, and
// expected.json, which record.mjs writes; for TestSources what sources.mjs makes
// of checkouts of TypeScript projects. Out: one test for each snippet, and for
// each project how many files compile to the same code.
package typescript
