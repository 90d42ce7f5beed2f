package js_test

import (
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// TestImportPhases runs modules that are evaluated late or not at all, after
// the TC39 proposals "Deferred Imports Evaluation" and "Source Phase Imports".
func TestImportPhases(t *testing.T) {
	modules := map[string]string{
		"a":     "log('a'); export const x = 1; export const then = 2;",
		"b":     "import 'a'; log('b'); export const y = 2;",
		"bad":   "log('bad'); throw new RangeError('no');",
		"tla":   "log('tla 1'); await null; log('tla 2'); export const z = 3;",
		"deep":  "import 'tla'; log('deep'); export const d = 4;",
		"cycle": "import defer * as self from 'cycle'; export const v = 1; try { self.v } catch (e) { log(e.name) } log('cycle');",
		"again": "import defer * as ns from 'a'; export { ns };",
	}
	tests := []struct{ src, want string }{
		{"import defer * as ns from 'b'; log('main'); log(ns.y); log(ns.y)", "main|a|b|2|2"},
		{"import defer * as ns from 'a'; import defer * as ms from 'a'; import * as now from 'a'; log(ns === ms, ns === now, ns.x)", "a|true false 1"},
		{"import defer * as ns from 'a'; log(ns[Symbol.toStringTag], ns.then, Object.isExtensible(ns)); log('x' in ns)", "Deferred Module undefined false|a|true"},
		{"import defer * as ns from 'a'; log(Object.keys(ns).join())", "a|x"},
		{"import defer * as ns from 'bad'; for (const k of 'xy') try { ns[k] } catch (e) { log(e.message) }", "bad|no|no"},
		{"import defer * as ns from 'deep'; log('main'); log(ns.d)", "tla 1|tla 2|main|deep|4"},
		{"const ns = await import.defer('b'); log('got'); log(ns.y)", "got|a|b|2"},
		{"const ns = await import.defer('deep'); log('got'); log(ns.d)", "tla 1|tla 2|got|deep|4"},
		{"import 'cycle'", "TypeError|cycle"},
		{"import { ns } from 'again'; log('main'); log(ns.x)", "main|a|1"},
		{"import defer * as ns from 'a'; try { ns.x = 1 } catch (e) { log(e.message) }", "Cannot assign to read only property 'x' of object '[object Deferred Module]'"},
		{"try { await import.source('a') } catch (e) { log(e.name, e.message) }", "SyntaxError Source phase import object is not defined for module 'a'"},
		{"import source s from 'wasm'; log(Object.prototype.toString.call(s)); log(s === await import.source('wasm'))", "[object WebAssembly.Module]|true"},
	}
	for _, stress := range []bool{false, true} {
		for _, tt := range tests {
			var lines []string
			load := func(_, s string, _ [][2]string) (vm.ModuleSource, error) {
				if s == "wasm" {
					return vm.ModuleSource{Key: s, Source: func(m *vm.Machine) (vm.Obj, error) { return m.NewModuleSource("WebAssembly.Module") }}, nil
				}
				p, err := js.Compile(s, modules[s], js.CompileOptions{Goal: js.Module})
				return vm.ModuleSource{Key: s, Program: p}, err
			}
			e := run(job{src: tt.src, goal: js.Module, opt: vm.Options{LoadModule: load, Stress: stress}, limits: meter.Limits{Depth: 1000, NativeDepth: 200}, setup: func(m *vm.Machine) {
				host(m, "log", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
					var words []string
					for _, a := range c.Args {
						words = append(words, plain(m, a))
					}
					lines = append(lines, strings.Join(words, " "))
					return heap.Undefined, nil
				})
			}})
			if got := strings.Join(lines, "|"); e.kind != "value" || got != tt.want {
				t.Errorf("%s\ngot %s (%s %s), want %s", tt.src, got, e, e.text, tt.want)
			}
		}
	}
}

// TestProposals: built-ins of proposals that are no part of node 20; what they
// give is from the proposals' texts.
func TestProposals(t *testing.T) {
	tests := []struct{ src, want string }{
		{"Promise.allKeyed({ a: 1, b: Promise.resolve(2), [Symbol.iterator]: 3 }).then(o => Object.getPrototypeOf(o) + JSON.stringify(o) + o[Symbol.iterator])", `null{"a":1,"b":2}3`},
		{"Promise.allKeyed({ a: 1, b: Promise.reject(new RangeError('x')) }).catch(e => e.name)", "RangeError"},
		{"Promise.allSettledKeyed({ a: 1, b: Promise.reject(2) }).then(JSON.stringify)", `{"a":{"status":"fulfilled","value":1},"b":{"status":"rejected","reason":2}}`},
		{"Promise.allKeyed(1).catch(e => e.name)", "TypeError"},
		{"[1, null, 'x'].values().join('-') + [].values().join() + [1, 2].values().join()", "1--x1,2"},
		{"const b = new Uint8Array([1, 2, 3]).buffer.transferToImmutable(); const u = new Uint8Array(b); u[0] = 9; let e = ''; try { u.fill(1) } catch (x) { e = x.name } [b.immutable, u.join(), e, Object.isFrozen(Object.freeze(u))].join()", "true,1,2,3,TypeError,true"},
		{"'use strict'; const u = new Uint8Array(new ArrayBuffer(4).sliceToImmutable(1)); try { u[0] = 1 } catch (e) { e.name + u.length }", "TypeError3"},
		{"const v = new DataView(new ArrayBuffer(4).transferToImmutable()); try { v.setInt8(0, 1) } catch (e) { e.name + v.getInt8(0) }", "TypeError0"},
		{"structuredClone(new ArrayBuffer(2).transferToImmutable()).immutable", "true"},
		{"class A { constructor(o) { return o } } class B extends A { #x = 1 } try { new B(Object.freeze({})) } catch (e) { e.message }", "Cannot define property #x, object is not extensible"},
	}
	for _, stress := range []bool{false, true} {
		for _, tt := range tests {
			if e := run(job{src: tt.src, opt: vm.Options{Stress: stress}, limits: meter.Limits{Depth: 1000, NativeDepth: 200}}); e.kind != "value" || e.what != tt.want {
				t.Errorf("%s\ngot %s %s %s, want %s", tt.src, e.kind, e.what, e.text, tt.want)
			}
		}
	}
}
