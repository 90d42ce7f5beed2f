package declare

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// helper is a type that the functions of ctx name.
type helper struct{ name, text string }

//go:embed helpers.d.ts
var helpersText string

//go:embed globals.d.ts
var globals string

const timers = `
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function setInterval(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id?: number): void;
declare function clearInterval(id?: number): void;
`

// helpers are the types of helpers.d.ts, in their order.
var helpers = sync.OnceValue(func() []helper {
	var list []helper
	for _, text := range strings.Split(strings.TrimSpace(helpersText), "\n\n") {
		list = append(list, helper{reTypeName.FindStringSubmatch(text)[1], text + "\n"})
	}
	return list
})

// line is a helper on one line.
func (h helper) line() string { return oneLine(h.text) }

var reWord = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

// helpersOf returns the helpers that a text needs, and those that they need.
func helpersOf(text string) []helper {
	need := map[string]bool{}
	for _, w := range reWord.FindAllString(text, -1) {
		need[w] = true
	}
	all := helpers()
	for changed := true; changed; { // each turn finds one more
		changed = false
		for _, h := range all {
			if !need[h.name] {
				continue
			}
			for _, w := range reWord.FindAllString(h.text, -1) {
				if !need[w] && slices.ContainsFunc(all, func(x helper) bool { return x.name == w }) {
					need[w], changed = true, true
				}
			}
		}
	}
	var out []helper
	for _, h := range all {
		if need[h.name] {
			out = append(out, h)
		}
	}
	return out
}

// libTypes are the types of TypeScript's library that declarations may name.
var libTypes = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`Array ReadonlyArray Promise PromiseLike Awaited Record Partial Required Readonly Pick Omit Exclude Extract NonNullable
		ReturnType Parameters Iterable Iterator IterableIterator Generator AsyncIterable AsyncIterator AsyncIterableIterator AsyncGenerator Map Set WeakMap
		WeakSet ReadonlyMap ReadonlySet Date RegExp Error TypeError RangeError SyntaxError AggregateError Function Object String Number Boolean Symbol BigInt
		ArrayBuffer ArrayBufferView ArrayBufferLike DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
		Float32Array Float64Array BigInt64Array BigUint64Array Uppercase Lowercase Capitalize Uncapitalize Intl JSON Math
		Context Tools URL URLSearchParams TextEncoder TextDecoder DOMException`) {
		m[n] = true
	}
	return m
}()

// unknownTypes returns the types that some function types name and nothing
// declares, sorted.
func unknownTypes(text string, known map[string]bool) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		tree, err := syntax.Parse("t.d.ts", "type T = ["+strings.TrimSpace(line)+"];", syntax.Options{TypeScript: true, Goal: syntax.Script})
		if err != nil || len(tree.Body) != 1 {
			continue
		}
		a, ok := tree.Body[0].(*syntax.TSTypeAliasDeclaration)
		if !ok {
			continue
		}
		var walk func(t syntax.TSType)
		walk = func(t syntax.TSType) { // as deep as the type, which the parser bounds
			n, ok := t.(*syntax.TSTypeNode)
			if !ok || n == nil {
				return
			}
			if n.Kind == syntax.TSReference {
				if name, _, dotted := strings.Cut(n.Name, "."); !dotted && !libTypes[name] && !known[name] && reName.MatchString(name) && !strings.Contains(line, "<"+name) {
					out = append(out, name)
				}
			}
			for _, x := range n.Types {
				walk(x)
			}
		}
		walk(a.Type)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
