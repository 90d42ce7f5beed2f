package main

import (
	"context"
	"fmt"
	"time"
)

// An Engine is what the suite runs against. Its methods may be called from
// several goroutines at once.
type Engine interface {
	Name() string

	// Can reports whether the engine's host object offers a capability.
	Can(Capability) bool

	// Compile parses and compiles source text as a Script. What it returns may
	// be shared by realms in different goroutines. A syntax or early error is a
	// *Thrown of phase PhaseParse.
	Compile(name, source string) (Program, error)

	// NewRealm makes a fresh realm whose global object has the host-defined
	// functions of test262: print and $262.
	NewRealm(RealmOptions) (Realm, error)
}

// A Program is a compiled script.
type Program any

// A Realm runs the scripts of one test. It belongs to one goroutine.
//
// Errors of its methods are a *Thrown for a JavaScript exception, a
// *meter.LimitError for a limit, a *Crash for a Go panic that the engine
// recovered itself, and anything else for a failure of the engine.
type Realm interface {
	// Script evaluates a script. It runs no jobs.
	Script(Program) error

	// Module loads, links and evaluates a module with everything it imports and
	// runs jobs until its evaluation has settled. Errors of loading and parsing
	// the module itself are of PhaseParse, those of the modules it imports and
	// of linking are of PhaseResolution, later ones of PhaseRuntime.
	Module(name, source string) error

	// Jobs runs jobs until none is left.
	Jobs() error

	Close()
}

// RealmOptions are the conditions of one test.
type RealmOptions struct {
	Context context.Context
	Fuel    int64
	Memory  int64 // bytes alive
	Timeout time.Duration
	Stress  bool // collect at every safepoint and poison what is freed
	Every   int  // … or at every so many

	// CanBlock is [[CanBlock]] of the agent.
	CanBlock bool

	// Print is the host-defined function print.
	Print func(text string)

	// Load is HostLoadImportedModule for static and dynamic imports. referrer is
	// the name given to Compile, Module or an earlier Load. Its error becomes a
	// TypeError of the importing code, an attributeError a SyntaxError.
	Load func(referrer, specifier string, attributes []Attribute) (Source, error)
}

// Attribute is one import attribute.
type Attribute struct{ Key, Value string }

// Source is the text of a module.
type Source struct {
	Name string // identifies the module together with Type
	Text string

	// Type is the import attribute type: json, text or bytes for a synthetic
	// module, "" for a Source Text Module.
	Type string
}

// Phase says when an error was thrown, in the words of test262.
type Phase string

// The phases.
const (
	PhaseParse      Phase = "parse"
	PhaseResolution Phase = "resolution"
	PhaseRuntime    Phase = "runtime"
)

// Thrown is a JavaScript exception that nothing caught.
type Thrown struct {
	Phase Phase

	// Constructor is the name of the thrown value's constructor
	// (value.constructor.name), "" if it has none.
	Constructor string

	// Text is the value converted to a string, such as "TypeError: x is not a
	// function".
	Text string

	// Stack is the script's stack, may be empty.
	Stack string
}

func (e *Thrown) Error() string { return e.Text }

// Crash is a Go panic inside the engine.
type Crash struct {
	Value string
	Stack string
}

func (e *Crash) Error() string { return fmt.Sprintf("panic: %s", e.Value) }

// Capability is a part of $262 that an engine may lack.
type Capability string

// The capabilities.
const (
	CanCreateRealm Capability = "createRealm"
	CanCollect     Capability = "gc that clears weak references"
	CanHTMLDDA     Capability = "IsHTMLDDA"
	CanAgents      Capability = "agent"
	CanModuleSrc   Capability = "AbstractModuleSource"
)
