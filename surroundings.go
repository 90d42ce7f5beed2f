package pinfold

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// Surroundings are what the programs of a sandbox find beside their own names.
type Surroundings struct {
	// Globals are the names of the global object, sorted: ECMAScript's, the web's,
	// and the first names of the host's functions.
	Globals []string
	// Ctx says that there is the object ctx, and Fetch that the name fetch is the
	// function ctx.fetch.
	Ctx, Fetch bool
	// CtxFields are the members of ctx that are no host functions.
	CtxFields []string
	// Completion is as in Options.
	Completion bool
}

// ctxFields are the members of ctx that are no host functions.
var ctxFields = []string{"callId", "capabilities", "instanceId", "remainingMs", "toolName"}

// Surroundings describes what programs find. Functions and Modules say more.
func (s *Sandbox) Surroundings() Surroundings {
	a := Surroundings{Ctx: s.hasCtx(), Completion: s.opt.Completion}
	a.Fetch = a.Ctx && s.fetchNamed
	if a.Ctx {
		a.CtxFields = slices.Clone(ctxFields)
		a.Globals = append(a.Globals, "ctx")
	}
	if a.Fetch {
		a.Globals = append(a.Globals, "fetch")
	}
	sets := []map[string]bool{globalNames, webNames}
	if s.opt.Timers {
		sets = append(sets, timerNames)
	}
	for _, set := range sets { //meter: tables of the source
		for n := range set { //meter: tables of the source; sorted below
			if n != "SharedArrayBuffer" { // reserved, and not there
				a.Globals = append(a.Globals, n)
			}
		}
	}
	for _, h := range s.functions { //meter: the host's functions
		if !h.hidden {
			a.Globals = append(a.Globals, h.path[0])
		}
	}
	slices.Sort(a.Globals)
	a.Globals = slices.Compact(a.Globals)
	return a
}

// ModuleSource returns the source text of a module that programs may import.
func (s *Sandbox) ModuleSource(specifier string) (string, bool) {
	text, ok := s.opt.Modules[specifier]
	return text, ok
}

// Closest returns up to three of the names that are likely meant by one that
// isn't among them, likeliest first.
func Closest(name string, names []string) []string { return closest(name, names) }

// HintName says what may be meant by a name that no program of the sandbox finds:
// a hint, which may be empty, and names. near are names that can be meant beside
// parts of the host's functions, nearest first.
func (s *Sandbox) HintName(name string, near []string) (hint string, suggestions []string) {
	for _, h := range s.functions { //meter: the host's functions
		if !h.hidden && len(h.path) > 1 && h.path[len(h.path)-1] == name {
			return "did you mean " + h.name + "?", []string{h.name}
		}
	}
	if hint, ok := foreignName(name); ok {
		return hint, nil
	}
	if suggestions = closest(name, near); len(suggestions) > 0 {
		hint = "did you mean " + strings.Join(suggestions, " or ") + "?"
	}
	return hint, suggestions
}

// Tree reads a source text as Compile does and gives its syntax tree, for tools
// that look at programs. The error is a *Failure. It works in this process also
// where programs run in others, is bounded as Compile is, and doesn't ask
// Options.Limiter.
func (s *Sandbox) Tree(ctx context.Context, name, source string) (*syntax.Program, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	g := &guard{ctx: ctx, start: time.Now(), limits: &s.limits, refuse: s.opt.RefuseNonErasable, legacy: s.opt.LegacyDecorators, completion: s.opt.Completion}
	key := programKey(name, source)
	p := s.cache.get(key)
	if p == nil {
		var err error
		if p, err = s.compile(g, name, source); err != nil {
			return nil, err
		}
		if s.pool == nil {
			p.hash, p.legacy, p.completion = key, s.opt.LegacyDecorators, s.opt.Completion
			s.cache.put(p)
		}
	}
	opt := syntax.Options{Goal: syntax.Module, Strict: true, TypeScript: p.typed, Check: func(n int) error { return g.charge(int64(n)) }}
	var tree *syntax.Program
	var err error
	if p.module {
		tree, err = syntax.Parse(name, source, opt)
	} else {
		tree, err = syntax.ParseExpressionOrBody(name, source, opt)
	}
	if err == nil {
		return tree, nil
	}
	var se *syntax.SyntaxError
	if errors.As(err, &se) {
		return nil, syntaxFailure(se, source)
	}
	return nil, &Failure{Kind: ErrCancelled, Message: err.Error(), File: name, cause: err}
}
