package pinfold

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/capability/clock"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/capability/llm"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/toolcall"
)

// The capabilities that Grants can give, by the names that programs declare.
const (
	FileRead  = "fileRead"  // ctx.readFile, ctx.listFiles, ctx.findFiles
	FileWrite = "fileWrite" // ctx.writeFile
	Network   = "network"   // ctx.fetch, fetch
	Store     = "store"     // ctx.store.get, set, delete, keys
	LLM       = "llm"       // ctx.llm, ctx.llmStream
	Tools     = "tool"      // ctx.callTool, ctx.listTools
	Cost      = "cost"      // ctx.addCost; need not be declared
	Log       = "log"       // ctx.log; need not be declared
	Delay     = "delay"     // ctx.delay; need not be declared
)

// Grants are the capabilities that a host gives, as values that act for it. The
// zero value gives none. A grant can be narrowed by what a program declares
// (Options.Requires) and by what its caller has (Caller.Capabilities), never
// widened.
type Grants struct {
	// Files are what ctx.readFile, ctx.listFiles, ctx.findFiles and ctx.writeFile
	// work with. Its byte quotas are those of each run.
	Files *files.FS
	// Network is what ctx.fetch works with. The name fetch is the same function.
	Network *egress.Client
	// Store is what ctx.store works with: the store of one conversation.
	Store store.Store
	// LLM answers ctx.llm and ctx.llmStream. A scope names models.
	LLM llm.Model
	// Tools are what ctx.callTool calls. A scope names tools.
	Tools toolcall.Caller
	// Cost takes what ctx.addCost adds, with the Tool and CallID of the Caller.
	Cost *cost.Ledger
	// Log takes what ctx.log writes, within LogLimits for each run.
	Log       log.Sink
	LogLimits log.Limits
	// Clock is what ctx.delay waits by, at most MaxDelay (0: 1 min) in one call.
	Clock    clock.Clock
	MaxDelay time.Duration
}

// defaultQuotas are those of capabilities that Options.Quotas doesn't name.
var defaultQuotas = map[string]Quota{
	Network: {Calls: 20, Concurrent: 4, BytesOut: 32 << 20},
}

// grant is what is known of one capability.
type grant struct {
	name string
	// functions returns those that the capability gives. With a nil scope they may do
	// all that is granted.
	functions func(g *Grants, scope []string) ([]Function, error)
	// granted reports whether the host gives it.
	granted func(g *Grants) bool
	// missing returns what of a scope isn't granted.
	missing func(g *Grants, scope []string) []string
	// free capabilities need not be declared.
	free bool
}

var grants = []grant{
	{
		name: FileRead, functions: readFunctions, granted: func(g *Grants) bool { return g.Files != nil && g.Files.Grants(files.OpRead) },
		missing: func(g *Grants, scope []string) []string { return g.Files.Uncovered(files.OpRead, scope) },
	},
	{
		name: FileWrite, functions: writeFunctions, granted: func(g *Grants) bool { return g.Files != nil && g.Files.Grants(files.OpWrite) },
		missing: func(g *Grants, scope []string) []string { return g.Files.Uncovered(files.OpWrite, scope) },
	},
	{
		name: Network, functions: fetchFunctions, granted: func(g *Grants) bool { return g.Network != nil },
		missing: func(g *Grants, scope []string) []string { return g.Network.Missing(scope) },
	},
	{name: Store, functions: storeFunctions, granted: func(g *Grants) bool { return g.Store != nil }},
	{name: LLM, functions: llmFunctions, granted: func(g *Grants) bool { return g.LLM != nil }},
	{name: Tools, functions: toolFunctions, granted: func(g *Grants) bool { return g.Tools != nil }},
	{name: Cost, functions: costFunctions, granted: func(g *Grants) bool { return g.Cost != nil }, free: true},
	{name: Log, functions: logFunctions, granted: func(g *Grants) bool { return g.Log != nil }, free: true},
	{name: Delay, functions: clockFunctions, granted: func(g *Grants) bool { return g.Clock != nil }, free: true},
}

func (g *Grants) names() []string {
	var names []string
	for _, x := range grants { //meter: a table of the source
		names = append(names, x.name)
	}
	return names
}

// functions returns those of ctx. A capability that isn't granted has its
// functions all the same: they say what is missing.
func (g *Grants) functions(requires []Requirement) ([]Function, error) {
	if g == nil {
		return nil, nil
	}
	var all []Function
	var errs []error
	for _, x := range grants { //meter: a table of the source
		var scope []string
		if i := slices.IndexFunc(requires, func(q Requirement) bool { return q.Capability == x.name }); i >= 0 {
			scope = requires[i].Scope
		}
		granted := x.granted(g)
		if !granted {
			scope = nil
		}
		list, err := x.functions(g, scope)
		if err != nil {
			errs = append(errs, fmt.Errorf("Requires: %s: %w", x.name, err))
		}
		for _, f := range list { //meter: the host's functions
			f.Capability, f.refused, f.free = x.name, !granted, x.free
			all = append(all, f)
		}
	}
	return all, errors.Join(errs...)
}

// Missing returns what of some requirements isn't granted: capabilities, and
// parts of their scopes. It is for refusing a definition when it is loaded.
func (g *Grants) Missing(requires []Requirement) []Requirement {
	var missing []Requirement
	for _, q := range requires { //meter: what a definition declares, whose length its loader bounds
		i := slices.IndexFunc(grants, func(x grant) bool { return x.name == q.Capability })
		switch {
		case i < 0 || g == nil || !grants[i].granted(g):
			missing = append(missing, q)
		case q.Scope != nil && grants[i].missing != nil:
			if m := grants[i].missing(g, q.Scope); len(m) > 0 {
				missing = append(missing, Requirement{q.Capability, m})
			}
		}
	}
	return missing
}

// Capabilities returns the names of what is granted, in the order of the
// documentation.
func (g *Grants) Capabilities() []string {
	var names []string
	for _, x := range grants { //meter: a table of the source
		if g != nil && x.granted(g) {
			names = append(names, x.name)
		}
	}
	return names
}

// String writes a requirement as definitions do: "network" or "network:
// [api.example.com]".
func (q Requirement) String() string {
	if q.Scope == nil {
		return q.Capability
	}
	return q.Capability + ": [" + strings.Join(q.Scope, ", ") + "]"
}

// locals are values that the capabilities of one run keep for it.
type locals struct {
	mu  sync.Mutex
	all map[any]any
}

// local returns the run's own value of a key, which init makes the first time.
func local[T any](ctx context.Context, key any, init func() T) T {
	l := CallFrom(ctx).locals
	if l == nil {
		return init()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if v, ok := l.all[key]; ok {
		return v.(T)
	}
	if l.all == nil {
		l.all = map[any]any{}
	}
	v := init()
	l.all[key] = v
	return v
}
