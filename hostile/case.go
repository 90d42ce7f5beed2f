package hostile

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
)

// memory is the memory limit of the cases that choose no other.
const memory = 64 << 20

// Case is a row of the table.
type Case struct {
	ID string
	// Source is a program for the library: the body of an async function, in
	// strict mode. Script says that it is a sloppy script instead, which reaches
	// the engine through eval.
	Source string
	// Make makes the source where it is too long to be kept.
	Make   func() string
	Script bool
	// TypeScript says that the source is TypeScript.
	TypeScript bool
	Input      any
	// Limits are those of the run where they are set; the others are 64 MiB, the
	// runner's timeout, and no fuel limit.
	Limits pinfold.Limits
	// Options changes the other options.
	Options func(*pinfold.Options)
	// Want are the outcomes that it may have: see Result.Outcome, divided by
	// "|". One that ends in ":" stands for all that begin so, "value=…" for that
	// value.
	Want string
	// Scenario takes the program's place where a case needs Go: several runs, host
	// functions, threads. Its outcome is "held" unless it calls Errorf.
	Scenario func(*Scene)
	// Wall is the greatest wall time of a case that doesn't end by a time limit;
	// zero is DefaultWall.
	Wall time.Duration
	// Growth is the greatest growth of the process that the case may have where it
	// uses more than one run's memory on purpose; zero is the runner's bar.
	Growth int64
}

// DefaultWall is how long a case may take that ends by something else than a
// time limit.
const DefaultWall = 20 * time.Second

// Text returns the source.
func (c *Case) Text() string {
	if c.Make != nil {
		return c.Make()
	}
	return c.Source
}

// Group returns the letter that the case's id begins with.
func (c *Case) Group() string { return c.ID[:1] }

// timed reports whether the case may end by its time limit.
func (c *Case) timed() bool { return c.Scenario == nil && strings.Contains(c.Want, timeLimit) }

// What the programs may end as.
const (
	timeLimit = "limit:time"
	memLimit  = "limit:memory"
	anyLimit  = "limit:time|limit:memory"
	bounded   = "limit:time|limit:memory|throw:RangeError"
	deep      = "limit:stack|throw:RangeError|limit:time|limit:memory|value"
	nested    = "limit:stack|throw:RangeError|throw:SyntaxError|limit:source|limit:time|limit:memory|value"
)

// Group describes the cases of a letter.
type Group struct{ Letter, About string }

// Groups are the table's groups in order.
var Groups = []Group{
	{"S", "what other engines were measured with first"},
	{"M", "the baseline of 25 on which other Go engines fail 10 and 13"},
	{"A", "escapes: host objects, prototypes, errors, reflection"},
	{"B", "memory bombs"},
	{"C", "endless work, in the script and in built-ins"},
	{"D", "promises, microtasks, host calls that outlive"},
	{"E", "recursion, stack, nesting"},
	{"F", "values that cross the boundary"},
	{"G", "parsing, TypeScript, error reports"},
	{"H", "requests, through fetch"},
	{"I", "files and paths, through ctx"},
	{"J", "output"},
	{"K", "tools, replay, state of one run in the next"},
	{"L", "what other engines crashed on"},
	{"X", "this engine's tables, shapes, caches, compiler"},
	{"W", "URL, TextEncoder, atob, crypto"},
	{"N", "Intl"},
	{"T", "timers"},
	{"P", "explanations: the second run of a failed program"},
	{"U", "handlers that might catch a limit, each with every limit"},
	{"R", "routes into recursion"},
}

// Cases returns the table. It is the same slice each time, not to be changed.
var Cases = sync.OnceValue(func() []Case {
	cases := slices.Concat(
		baselinePrograms, escapeCases, memoryPrograms, memoryCases, timePrograms, timeCases, methodCases(), asyncCases, nestingPrograms, shapeCases(), valueCases, sourceCases, outputCases, frontCases, networkCases, fileCases, toolCases,
		stateCases(), enginePrograms, webPrograms, intlCases(), timerCases, explainCases, handlerCases(), recursionCases(),
	)
	order := map[string]int{}
	for i, g := range Groups {
		order[g.Letter] = i
	}
	seen := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if _, ok := order[c.Group()]; !ok || seen[c.ID] || c.Scenario == nil && (c.Source == "" && c.Make == nil || c.Want == "") {
			panic("hostile: the case " + c.ID + " is there twice, belongs to no group, or says too little")
		}
		seen[c.ID] = true
	}
	slices.SortStableFunc(cases, func(a, b Case) int { return order[a.Group()] - order[b.Group()] })
	return cases
})

// Find returns the case of an id.
func Find(id string) (*Case, error) {
	cases := Cases()
	for i := range cases {
		if cases[i].ID == id {
			return &cases[i], nil
		}
	}
	return nil, fmt.Errorf("there is no case %q", id)
}

// matches reports whether an outcome is one of those in want.
func matches(outcome, value, want string) bool {
	for w := range strings.SplitSeq(want, "|") {
		v, isValue := strings.CutPrefix(w, "value=")
		switch {
		case w == outcome, strings.HasSuffix(w, ":") && strings.HasPrefix(outcome, w), isValue && outcome == "value" && v == value:
			return true
		}
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
