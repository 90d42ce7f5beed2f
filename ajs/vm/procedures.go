package vm

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// procedures keeps programs under tokens: handles inside of one VM, no storage.
// It is bounded, and what has expired goes first.
type procedures struct {
	mu sync.Mutex
	m  map[string]procedure
}

type procedure struct {
	p       *Program
	expires time.Time
}

// The bounds of procedures.
const (
	DefaultProcedureTTL  = time.Hour
	DefaultProcedureSize = 102_400 // characters of JSON
	maxProcedures        = 10_000
	maxProcedureTTL      = 30 * 24 * time.Hour
)

func isToken(s string) bool { return strings.HasPrefix(s, "proc_") }

// A TokenError is a token that stands for no program, or not any more.
type TokenError struct {
	Token   string
	Expired bool
}

// Error names the token.
func (e *TokenError) Error() string {
	if e.Expired {
		return "Procedure expired: " + clip(e.Token, 100)
	}
	return "Procedure not found: " + clip(e.Token, 100)
}

func (t *procedures) get(token string, now time.Time) (*Program, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.m[token]
	if !ok {
		return nil, &TokenError{Token: token}
	}
	if !now.Before(e.expires) {
		delete(t.m, token)
		return nil, &TokenError{Token: token, Expired: true}
	}
	return e.p, nil
}

func (t *procedures) put(token string, p *Program, now time.Time, ttl time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.m) >= maxProcedures {
		t.clean(now)
	}
	if len(t.m) >= maxProcedures {
		return fmt.Errorf("Too many procedures are stored (max %d): release some, or give them a shorter ttl", maxProcedures)
	}
	set(&t.m, token, procedure{p, now.Add(ttl)})
	return nil
}

func (t *procedures) clean(now time.Time) (n int) {
	for k, e := range t.m {
		if !now.Before(e.expires) {
			delete(t.m, k)
			n++
		}
	}
	return n
}

// StoreProcedure keeps a program under a new token.
func (vm *VM) StoreProcedure(p *ast.Program, ttl time.Duration) (string, error) {
	prog, err := vm.Load(p)
	if err != nil {
		return "", err
	}
	if ttl <= 0 {
		ttl = DefaultProcedureTTL
	}
	token := "proc_" + newOptions(vm).uuid()
	return token, vm.procedures.put(token, prog, time.Now(), min(ttl, maxProcedureTTL))
}

// ReleaseProcedure gives a token up and reports whether there was one.
func (vm *VM) ReleaseProcedure(token string) bool {
	vm.procedures.mu.Lock()
	defer vm.procedures.mu.Unlock()
	_, ok := vm.procedures.m[token]
	delete(vm.procedures.m, token)
	return ok
}

// ClearExpiredProcedures removes programs whose time is over.
func (vm *VM) ClearExpiredProcedures() int {
	vm.procedures.mu.Lock()
	defer vm.procedures.mu.Unlock()
	return vm.procedures.clean(time.Now())
}

func atomStoreProcedure(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	v, _ := d.Get("ast")
	o, isObject := v.(ast.Object)
	op, _ := o.Get("op")
	if _, isText := op.(string); !isObject || !isText {
		return value{}, r.fail(KindRefused, "", `Invalid AST: must be an object with an "op" property`)
	}
	if _, err := ast.VersionOf(o, "storeProcedure"); err != nil {
		return value{}, r.fail(KindRefused, "", err.Error())
	}
	size := float64(DefaultProcedureSize)
	if n := in.get("maxSize"); n.kind == numberKind && n.n >= 0 {
		size = min(n.n, 4<<20)
	}
	js, err := ast.AppendData(nil, JSONData(o))
	if err != nil {
		return value{}, r.fail(KindRefused, "", err.Error())
	}
	if n := len16(string(js)); float64(n) > size {
		return value{}, r.failf(KindRefused, "", "AST too large: %d bytes exceeds limit of %s bytes. Consider reducing AST size or using a shorter TTL.", n, formatNumber(size))
	}
	p, ok := r.load(JSONData(o), "storeProcedure")
	if !ok {
		return value{}, false
	}
	ttl := DefaultProcedureTTL
	if n := in.get("ttl"); n.kind == numberKind && n.n == n.n {
		ttl = time.Duration(min(max(n.n, 0), float64(maxProcedureTTL/time.Millisecond)) * float64(time.Millisecond))
	}
	token := "proc_" + r.opts.uuid()
	if err := r.vm.procedures.put(token, p, r.now(), ttl); err != nil {
		return value{}, r.fail(KindRefused, "", err.Error())
	}
	return r.accept(st.atom, token, st.ast.Result != "")
}

func atomReleaseProcedure(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	return boolean(r.vm.ReleaseProcedure(str1(d, "token"))), true
}

func atomClearExpired(r *run, _ *step, _ inputs) (value, bool) {
	r.vm.procedures.mu.Lock()
	defer r.vm.procedures.mu.Unlock()
	return number(float64(r.vm.procedures.clean(r.now()))), true
}
