package tool

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold"
)

// Change is one difference between two versions of a tool.
type Change struct {
	// Widens says that the new version may do more than the old one, or do it with
	// fewer questions: a reason to ask again whether it is wanted.
	Widens bool
	Text   string // a sentence without a subject: "asks for network now: api.example.com"
}

// String returns the text.
func (c Change) String() string { return c.Text }

// Diff says what changed between two versions of a tool: what it asks for first,
// then how it may be called, then what the model is told.
func Diff(old, new Definition) []Change {
	var out []Change
	add := func(widens bool, format string, args ...any) {
		out = append(out, Change{widens, fmt.Sprintf(format, args...)})
	}
	find := func(list []pinfold.Requirement, name string) (scope []string, ok bool) {
		for _, q := range list {
			if q.Capability == name {
				return q.Scope, true
			}
		}
		return nil, false
	}
	for _, q := range new.Requires {
		was, had := find(old.Requires, q.Capability)
		switch {
		case !had && q.Scope == nil:
			add(true, "asks for %s now", q.Capability)
		case !had:
			add(true, "asks for %s now: %s", q.Capability, strings.Join(q.Scope, ", "))
		case was != nil && q.Scope == nil:
			add(true, "asks for all of %s now, not only %s", q.Capability, strings.Join(was, ", "))
		case was == nil && q.Scope != nil:
			add(false, "asks for less of %s now: only %s", q.Capability, strings.Join(q.Scope, ", "))
		default:
			if more := without(q.Scope, was); len(more) > 0 {
				add(true, "asks for %s now: %s", q.Capability, strings.Join(more, ", "))
			}
			if less := without(was, q.Scope); len(less) > 0 {
				add(false, "asks for %s no longer: %s", q.Capability, strings.Join(less, ", "))
			}
		}
	}
	for _, q := range old.Requires {
		if _, has := find(new.Requires, q.Capability); !has {
			add(false, "asks for %s no longer", q.Capability)
		}
	}
	flag := func(was, is, widens bool, yes, no string) {
		switch {
		case is && !was:
			add(widens, "%s", yes)
		case was && !is:
			add(!widens, "%s", no)
		}
	}
	flag(old.RequiresApproval, new.RequiresApproval, false, "needs approval now", "needs no approval any more")
	flag(old.EndsLoop, new.EndsLoop, true, "ends the loop now", "doesn't end the loop any more")
	if old.ParallelSafe != new.ParallelSafe {
		if new.ParallelSafe {
			add(false, "may be called in parallel now")
		} else {
			add(false, "may be called once at a time only now")
		}
	}
	if old.Timeout != new.Timeout {
		say := func(d Definition) string {
			if d.Timeout == 0 {
				return "the host's limit"
			}
			return d.Timeout.String()
		}
		add(new.Timeout == 0 || old.Timeout != 0 && new.Timeout > old.Timeout, "may take %s now instead of %s", say(new), say(old))
	}
	if old.CostHint != new.CostHint {
		say := func(s string) string {
			if s == "" {
				return "an unknown cost"
			}
			return "about $" + s
		}
		add(false, "says that a call costs %s now instead of %s", say(new.CostHint), say(old.CostHint))
	}
	if old.Name != new.Name {
		add(false, "is called %s now instead of %s", new.Name, old.Name)
	}
	if old.Description != new.Description {
		add(false, "is described in other words now")
	}
	if !bytes.Equal(old.InputSchema, new.InputSchema) {
		add(false, "takes other arguments now")
	}
	if !bytes.Equal(old.OutputSchema, new.OutputSchema) {
		add(false, "returns something else now")
	}
	return out
}

// without returns what of a list isn't in another one.
func without(list, other []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(other, s) {
			out = append(out, s)
		}
	}
	return out
}
