package pinfold

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/meter"
)

// Program is compiled source. It is immutable: any number of runs, in any
// number of goroutines, of any Sandbox, may use it at the same time.
type Program struct {
	name       string
	source     string
	hash       [32]byte
	code       *js.Program // nil if it was compiled in a worker process
	module     bool
	typed      bool
	legacy     bool  // its decorators are the experimental ones
	completion bool  // it has the value of its last expression statement
	size       int64 // about what it takes in memory
}

// Name returns the name that the program was compiled under.
func (p *Program) Name() string { return p.name }

// Source returns the source text.
func (p *Program) Source() string { return p.source }

// Hash identifies source, name and the way of compiling, as hexadecimal
// SHA-256.
func (p *Program) Hash() string { return hex.EncodeToString(p.hash[:]) }

// IsModule reports whether the source is a module rather than the body of a
// function.
func (p *Program) IsModule() bool { return p.module }

// IsTypeScript reports whether the source was read as TypeScript.
func (p *Program) IsTypeScript() bool { return p.typed }

// Compile compiles source text, or finds it in the cache. The name is what
// reports call it, and its ending tells the language: .ts or .js. The error is
// a *Failure of kind syntax or source.
//
// Compiling is bounded too: by Limits.SourceBytes (its time and memory grow in
// proportion to the length of the source, whatever the source is), by Timeout
// and by MemoryBytes.
//
// With Options.Limiter, compiling what is not in the cache takes a slot, as
// Options.Admission says.
func (s *Sandbox) Compile(name, source string) (*Program, error) {
	return s.CompileContext(context.Background(), name, source)
}

// CompileContext is Compile with a context, which ends it, and which may say for
// whom the program is loaded: see limiter.With.
func (s *Sandbox) CompileContext(ctx context.Context, name, source string) (*Program, error) {
	key := programKey(name, source)
	if p := s.cache.get(key); p != nil {
		return p, nil
	}
	ctx, slot, f := s.admit(ctx, true)
	if f != nil {
		f.File = name
		return nil, f
	}
	if slot != nil {
		defer slot.Release()
	}
	return s.compileKeyed(ctx, key, name, source)
}

func programKey(name, source string) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "pinfold program 1\x00%s\x00%s", name, source))
}

func (s *Sandbox) compileCached(ctx context.Context, name, source string) (*Program, error) {
	key := programKey(name, source)
	if p := s.cache.get(key); p != nil {
		return p, nil
	}
	return s.compileKeyed(ctx, key, name, source)
}

func (s *Sandbox) compileKeyed(ctx context.Context, key [32]byte, name, source string) (*Program, error) {
	var p *Program
	var err error
	if s.pool != nil {
		p, err = s.compileOutside(ctx, name, source)
	} else {
		p, err = s.compile(&guard{ctx: ctx, start: time.Now(), limits: &s.limits, refuse: s.opt.RefuseNonErasable, legacy: s.opt.LegacyDecorators, completion: s.opt.Completion}, name, source)
	}
	if err != nil {
		return nil, err
	}
	p.hash, p.legacy, p.completion = key, s.opt.LegacyDecorators, s.opt.Completion
	s.cache.put(p)
	return p, nil
}

// guard bounds a compilation.
type guard struct {
	trace      bool // the program is for a replay
	ctx        context.Context
	start      time.Time
	limits     *Limits
	bytes      int64
	refuse     bool // TypeScript that needs code is an error
	legacy     bool // decorators are the experimental ones
	completion bool // as Options.Completion
}

// charge is called every few thousand steps of the parser and the compiler.
func (g *guard) charge(int64) error {
	if err := g.ctx.Err(); err != nil {
		return &meter.LimitError{Kind: meter.Cancelled, Cause: err}
	}
	if d := time.Since(g.start); d > g.limits.Timeout {
		return &meter.LimitError{Kind: meter.Time, What: "compiling", Limit: int64(g.limits.Timeout), Used: int64(d)}
	}
	return nil
}

// grow is told of the memory that tree and code take.
func (g *guard) grow(n int64) error {
	if g.bytes += n; g.bytes > g.limits.MemoryBytes {
		return &meter.LimitError{Kind: meter.Memory, What: "compiling", Limit: g.limits.MemoryBytes, Used: g.bytes}
	}
	return nil
}

// compileModule compiles a module that programs import, or finds it in the
// cache. The error is a *syntax.SyntaxError or a limit.
func (s *Sandbox) compileModule(ctx context.Context, name, source string) (*Program, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "pinfold module 1\x00%s\x00%s", name, source))
	if p := s.cache.get(key); p != nil {
		return p, nil
	}
	if n := int64(len(source)); n > s.limits.SourceBytes {
		return nil, &meter.LimitError{Kind: meter.Source, What: "the source of " + name, Limit: s.limits.SourceBytes, Used: n}
	}
	g := &guard{ctx: ctx, start: time.Now(), limits: &s.limits, refuse: s.opt.RefuseNonErasable, legacy: s.opt.LegacyDecorators}
	p, err := compileAs(g, name, source, language{module: true, typed: tsName.MatchString(name)})
	if err != nil {
		return nil, err
	}
	p.hash = key
	s.cache.put(p)
	return p, nil
}

// language is how a source is read.
type language struct{ module, typed bool }

func (s *Sandbox) compile(g *guard, name, source string) (*Program, error) {
	if n := int64(len(source)); n > s.limits.SourceBytes {
		e := &meter.LimitError{Kind: meter.Source, What: "the source", Limit: s.limits.SourceBytes, Used: n}
		f := limitFailure(e)
		f.Message = fmt.Sprintf("source limit: the source has %d bytes, %d are allowed", n, s.limits.SourceBytes)
		f.Hint = "pass data as input instead of writing it into the program; the host can raise Limits.SourceBytes"
		f.File = name
		return nil, f
	}
	module := strings.HasSuffix(name, ".mjs") || strings.HasSuffix(name, ".mts")
	var tries []language
	switch {
	case tsName.MatchString(name):
		tries = []language{{module, true}}
	case jsName.MatchString(name):
		tries = []language{{module, false}}
	default:
		tries = []language{{module, false}, {module, true}}
	}
	var first *syntax.SyntaxError
	for _, t := range tries { //meter: at most two
		p, err := compileAs(g, name, source, t)
		if err == nil {
			return p, nil
		}
		var limit *meter.LimitError
		if errors.As(err, &limit) {
			f := limitFailure(limit)
			f.File = name
			return nil, f
		}
		var se *syntax.SyntaxError
		if !errors.As(err, &se) {
			return nil, &Failure{Kind: ErrInternal, Message: "the program could not be compiled: " + err.Error(), File: name, cause: err}
		}
		// A text that isn't JavaScript may be TypeScript; if it is neither, the
		// reading that gets further knows better what is wrong.
		if first == nil || se.Start > first.Start || se.Start == first.Start && first.Hint == "" {
			first = se
		}
	}
	if first.Hint == "" && jsName.MatchString(name) && len(source) <= maxSecondReading {
		if _, err := compileAs(g, name, source, language{module, true}); err == nil {
			first.Hint = "this is TypeScript; a program in it has a name that ends in .ts"
		}
	}
	return nil, syntaxFailure(first, source)
}

// maxSecondReading bounds the JavaScript that is read as TypeScript once more to
// tell what is wrong with it.
const maxSecondReading = 256 << 10

// compileAs reads a source in one language, as a function body first unless it
// must be a module.
func compileAs(g *guard, name, source string, l language) (*Program, error) {
	g.bytes = int64(len(source))
	opt := js.CompileOptions{
		Goal: js.FunctionBody, TypeScript: l.typed, Strict: true, MaxBytes: int(min(g.limits.SourceBytes, 1<<30)),
		Charge: g.charge, Grow: g.grow, NonErasable: js.CompileNonErasable, LegacyDecorators: g.legacy,
	}
	if g.refuse {
		opt.NonErasable = js.RefuseNonErasable
	}
	opt.Trace = g.trace
	if !l.module {
		opt.Completion = g.completion
		code, err := js.Compile(name, source, opt)
		if err == nil {
			return newProgram(name, source, code, language{false, l.typed}), nil
		}
		var se *syntax.SyntaxError
		if !errors.As(err, &se) || !startsModuleItem(source, int(se.Start)) {
			return nil, err
		}
	}
	opt.Goal, opt.Completion = js.Module, false
	code, err := js.Compile(name, source, opt)
	if err != nil {
		return nil, err
	}
	return newProgram(name, source, code, language{true, l.typed}), nil
}

func newProgram(name, source string, code *js.Program, l language) *Program {
	return &Program{
		name: name, source: source, code: code, module: l.module, typed: l.typed,
		size: int64(1024+len(name)+len(source)) + code.Size(),
	}
}

// startsModuleItem reports whether an import or export stands at an offset: what
// a function body can't hold, and the parser stumbles over.
func startsModuleItem(source string, at int) bool {
	if at < 0 || at > len(source) {
		return false
	}
	rest := source[at:]
	for _, w := range []string{"import", "export"} {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	// The error may lie at the word after import: `import x from`.
	before := strings.TrimRight(source[:at], " \t\r\n")
	return strings.HasSuffix(before, "import") || strings.HasSuffix(before, "export")
}

// programCache keeps programs by hash; the ones not used lately go first.
type programCache struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	byKey map[[32]byte]*list.Element
	order list.List // of *Program, the latest first
}

func (c *programCache) get(key [32]byte) *Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*Program)
}

func (c *programCache) put(p *Program) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[[32]byte]*list.Element{}
	}
	if c.byKey[p.hash] != nil || p.size > c.limit {
		return
	}
	c.byKey[p.hash] = c.order.PushFront(p)
	for c.bytes += p.size; c.bytes > c.limit; { //meter: programs, each put in once
		e := c.order.Back()
		old := c.order.Remove(e).(*Program)
		delete(c.byKey, old.hash)
		c.bytes -= old.size
	}
}
