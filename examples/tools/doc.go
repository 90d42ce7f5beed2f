// Package tools holds tools for models, written as files: see README.md. The
// package has no code: its test loads the folder and runs each tool's tests.
package tools
