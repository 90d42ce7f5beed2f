package pinfold

import (
	"fmt"
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

func nameSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, n := range strings.Fields(names) { //meter: a constant
		set[n] = true
	}
	return set
}

// globalNames are the names that ECMAScript gives to the global object.
var globalNames = nameSet(`
	globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI
	encodeURIComponent escape unescape AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean
	DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Int8Array Int16Array
	Int32Array Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
	SharedArrayBuffer String SuppressedError DisposableStack AsyncDisposableStack Symbol SyntaxError TypeError Uint8Array
	Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet structuredClone queueMicrotask console Intl`)

// webNames are the names that other standards give to it. A host function may
// have one of them, and takes its place.
var webNames = nameSet("URL URLSearchParams TextEncoder TextDecoder atob btoa crypto Crypto DOMException")

// reservedWords can't name a host function.
var reservedWords = nameSet(`
	break case catch class const continue debugger default delete do else enum export extends false finally for function if
	implements import in instanceof interface let new null package private protected public return static super switch this
	throw true try typeof var void while with yield await async of get set`)

// defineGlobals puts the host functions into the machine.
func (r *run) defineGlobals() error {
	if r.sb.async {
		r.promises = r.m.NewArrayLen(0)
		r.m.Root(heap.ObjectValue(r.promises))
	}
	if r.sb.opt.Timers {
		if err := r.defineTimers(); err != nil {
			return err
		}
	}
	global := heap.ObjectValue(r.m.Global())
	var groups map[string]vm.Value
	if r.sb.hasCtx() {
		r.zero = r.m.Now()
	}
	switch {
	case r.sb.ctxOwn:
		g := heap.ObjectValue(r.m.NewWithProto(0))
		if err := r.define(global, "ctx", g, heap.HiddenAttrs); err != nil {
			return err
		}
		groups = map[string]vm.Value{"ctx": g}
		r.ctxAt = r.m.Root(g) + 1
	case r.sb.hasCtx():
		t, err := r.sb.realm()
		if err != nil {
			return err
		}
		if err := r.define(global, "ctx", heap.ObjectValue(t.ctx), heap.HiddenAttrs); err != nil {
			return err
		}
		if r.sb.fetchNamed {
			if err := r.define(global, "fetch", heap.ObjectValue(t.fetch), heap.HiddenAttrs); err != nil {
				return err
			}
		}
	}
	for _, h := range r.sb.functions { //meter: the host's functions and their paths
		if h.hidden || h.inCtx && !r.sb.ctxOwn {
			continue
		}
		f, err := r.m.NewHostFunction(h.name, h.length, h.native(r))
		if err != nil {
			return err
		}
		on, attrs := global, heap.HiddenAttrs
		for i := 1; i < len(h.path); i++ { //meter: the host's functions and their paths
			p := strings.Join(h.path[:i], ".")
			g, ok := groups[p]
			if !ok {
				g = heap.ObjectValue(r.m.NewWithProto(0))
				if err := r.define(on, h.path[i-1], g, attrs); err != nil {
					return err
				}
				if groups == nil {
					groups = map[string]vm.Value{}
				}
				groups[p] = g
			}
			on, attrs = g, heap.Enumerable
		}
		if err := r.define(on, h.path[len(h.path)-1], heap.ObjectValue(f), attrs); err != nil {
			return err
		}
		if h.shape == response && r.sb.fetchNamed {
			// The name that the web gives it.
			if err := r.define(global, "fetch", heap.ObjectValue(f), heap.HiddenAttrs); err != nil {
				return err
			}
		}
	}
	if r.ctxAt != 0 {
		if err := r.defineCtx(r.m.RootAt(r.ctxAt - 1)); err != nil {
			return err
		}
	}
	for _, g := range groups { //meter: the groups of the host's functions
		r.m.H.ObjW(g.AsObj()).Flags |= heap.NonExtensible
	}
	return nil
}

func (r *run) define(on vm.Value, name string, v vm.Value, attrs heap.Attrs) error {
	k, err := r.m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	if ok, err := r.m.DefineOwnProperty(on.AsObj(), k, vm.DataDesc(v, attrs)); err != nil || !ok {
		if err == nil {
			err = fmt.Errorf("the name %s is taken", name)
		}
		return err
	}
	return nil
}
