// Package snippet is the tool run_javascript: a model's own code, run under
// limits with what the caller grants.
//
// In: a Config, and for each call the code and an input. Out: a text for the
// model: what the code printed, then what it returned, or the error with its
// place and a hint.
package snippet
