package main

import "strings"

// skipRule leaves tests out. Exactly one of feature, flag and text is set.
type skipRule struct {
	feature string // a feature of the frontmatter; a final * matches any ending
	flag    string // a flag of the frontmatter
	text    string // a text in the source

	reason string

	// outside says that the tests are out of scope. The others are in scope:
	// counted strictly, each of them is a failure.
	outside bool

	// intl says that the tests are those of ECMA-402, which --intl runs.
	intl bool

	// unless, if set, keeps the tests for an engine that has the capability.
	unless Capability
}

// skipRules is everything that is left out, with the reason; the first rule
// that matches a test counts. The features' stages are those of August 2026.
var skipRules = []skipRule{
	{feature: "Temporal", reason: "a later release", outside: true},
	{feature: "Intl.DurationFormat", reason: "not in the V8 that output is compared with", outside: true},
	{feature: "Intl.Era-monthcode", reason: "calendars of Temporal: a later release", outside: true},
	{feature: "Intl*", reason: "ECMA-402 is measured on its own", outside: true, intl: true},
	{feature: "intl-normative-optional", reason: "ECMA-402 is measured on its own", outside: true, intl: true},
	{feature: "canonical-tz", reason: "ECMA-402 is measured on its own", outside: true, intl: true},
	{feature: "ShadowRealm", reason: "stage 2.7", outside: true},

	{feature: "SharedArrayBuffer", reason: "shared memory: a run is one agent, so nobody could share it", outside: true},
	{feature: "Atomics.waitAsync", reason: "shared memory: a run is one agent, so nobody could wake it", outside: true},
	{text: "$262.agent", reason: "shared memory: a run is one agent", outside: true, unless: CanAgents},
	{flag: "CanBlockIsTrue", reason: "shared memory: the agent of a run never blocks", outside: true},

	{feature: "cross-realm", reason: "the host offers no second realm", unless: CanCreateRealm},
	{text: "$262.createRealm", reason: "the host offers no second realm", unless: CanCreateRealm},
	{feature: "IsHTMLDDA", reason: "document.all has no place outside a browser", unless: CanHTMLDDA},
	{feature: "host-gc-required", reason: "the host's gc() promises nothing about weak references", unless: CanCollect},
	{feature: "tail-call-optimization", reason: "in the standard, in no engine but JavaScriptCore; the call depth is a limit"},
	{feature: "FinalizationRegistry.prototype.cleanupSome", reason: "stage 2"},
	{feature: "error-stack-accessor", reason: "stage 2.7: stack is an own property, as in V8's version that errors are compared with"},
	{feature: "source-phase-imports-module-source", reason: "the host has no module with a source", unless: CanModuleSrc},
	{text: "$262.AbstractModuleSource", reason: "the host has no module with a source", unless: CanModuleSrc},
}

// skip returns the rule that leaves a test out, and what it was about; nil for a
// test that is run. intl runs the tests of ECMA-402.
func skip(e Engine, t *Test, intl bool) (r *skipRule, what string) {
	for i := range skipRules {
		r := &skipRules[i]
		if r.unless != "" && e.Can(r.unless) || r.intl && intl {
			continue
		}
		switch {
		case r.flag != "":
			if t.Meta.Has(r.flag) {
				return r, "flag " + r.flag
			}
		case r.text != "":
			if strings.Contains(t.Source, r.text) {
				return r, r.text
			}
		default:
			prefix, wild := strings.CutSuffix(r.feature, "*")
			for _, f := range t.Meta.Features {
				if f == r.feature || wild && strings.HasPrefix(f, prefix) {
					return r, r.feature
				}
			}
		}
	}
	return nil, ""
}
