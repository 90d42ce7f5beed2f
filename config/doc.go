// Package config reads pinfold.yaml: what an operator grants to programs and tools,
// and the limits that hold for them.
//
// In: the text of a file, whose form docs/configuration.md describes; grants that
// are added to it. Out: the problems that it has, each with a stable code and the
// line and column; the options and grants of a sandbox; its JSON Schema. A file
// gives nothing by being there: whoever runs something has to name it. Secrets
// stand in it by reference only, and no function of the package returns them.
package config
