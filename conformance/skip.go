package main

import "strings"

// skipRule takes tests out of scope. Exactly one of feature, flag and text is
// set.
type skipRule struct {
	feature string // a feature of the frontmatter; a final * matches any ending
	flag    string // a flag of the frontmatter
	text    string // a text in the source

	reason string

	// unless, if set, keeps the tests in scope for an engine that has the
	// capability.
	unless Capability
}

// skipRules is everything that is out of scope, with the reason. The features'
// stages are those of August 2026.
var skipRules = []skipRule{
	{feature: "Temporal", reason: "not part of the engine yet"},
	{feature: "Intl*", reason: "ECMA-402 is measured on its own"},
	{feature: "intl-normative-optional", reason: "ECMA-402 is measured on its own"},
	{feature: "canonical-tz", reason: "ECMA-402 is measured on its own"},

	{feature: "SharedArrayBuffer", reason: "no memory is shared between agents: a run has one thread"},
	{feature: "Atomics.waitAsync", reason: "no memory is shared between agents: a run has one thread"},
	{text: "$262.agent", reason: "a run has one agent", unless: CanAgents},
	{flag: "CanBlockIsTrue", reason: "the agent of a run never blocks"},

	{feature: "cross-realm", reason: "the host offers no second realm", unless: CanCreateRealm},
	{text: "$262.createRealm", reason: "the host offers no second realm", unless: CanCreateRealm},
	{feature: "IsHTMLDDA", reason: "document.all has no place outside a browser", unless: CanHTMLDDA},
	{feature: "host-gc-required", reason: "the host's gc() promises nothing about weak references", unless: CanCollect},

	{feature: "tail-call-optimization", reason: "in the standard, in no engine but JavaScriptCore; the call depth is a limit"},
	{feature: "FinalizationRegistry.prototype.cleanupSome", reason: "stage 2"},
	{feature: "ShadowRealm", reason: "stage 2.7"},
	{feature: "decorators", reason: "stage 3, not in V8"},
	{feature: "error-stack-accessor", reason: "stage 2.7: stack is an own property, as in V8"},
}

// skip returns why a test is out of scope, "" if it is not.
func skip(e Engine, t *Test) (what, reason string) {
	for i := range skipRules {
		r := &skipRules[i]
		if r.unless != "" && e.Can(r.unless) {
			continue
		}
		switch {
		case r.flag != "":
			if t.Meta.Has(r.flag) {
				return "flag " + r.flag, r.reason
			}
		case r.text != "":
			if strings.Contains(t.Source, r.text) {
				return r.text, r.reason
			}
		default:
			prefix, wild := strings.CutSuffix(r.feature, "*")
			for _, f := range t.Meta.Features {
				if f == r.feature || wild && strings.HasPrefix(f, prefix) {
					return r.feature, r.reason
				}
			}
		}
	}
	return "", ""
}
