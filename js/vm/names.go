package vm

import "github.com/pinfold-js/pinfold/js/heap"

// Names are the property keys the engine itself uses, interned once in the
// template.
type Names struct {
	Length, Prototype, Constructor, Name, Message, Stack, Cause, Errors, Error, Suppressed Key
	Value, Done, Next, Return, Throw, Then, Get, Set, Has, Add, Size, Keys                 Key
	Writable, Enumerable, Configurable                                                     Key
	ToString, ValueOf, ToJSON, Join                                                        Key
	Index, Input, Groups, Indices, LastIndex, Flags, Source, Exec, Raw                     Key
	HasIndices, Global, IgnoreCase, Multiline, DotAll, Unicode, UnicodeSets, Sticky        Key
	Callee, Caller, Arguments, Default, Proto, Resolve, Promise, Reject, Proxy, Revoke     Key
	Status, Reason, Eval, Empty, With, StackTraceLimit                                     Key

	SymIterator, SymAsyncIterator, SymHasInstance, SymToPrimitive, SymToStringTag       Key
	SymSpecies, SymIsConcatSpreadable, SymUnscopables                                   Key
	SymMatch, SymMatchAll, SymReplace, SymSearch, SymSplit, SymDispose, SymAsyncDispose Key

	// Proxy traps, in the order of ECMA-262 table 6.
	TrapGetPrototypeOf, TrapSetPrototypeOf, TrapIsExtensible, TrapPreventExtensions Key
	TrapGetOwnPropertyDescriptor, TrapDefineProperty, TrapHas, TrapGet, TrapSet     Key
	TrapDeleteProperty, TrapOwnKeys, TrapApply, TrapConstruct                       Key

	// Strings that are values rather than keys.
	StrUndefined, StrNull, StrTrue, StrFalse, StrObject, StrFunction, StrNumber      Str
	StrString, StrSymbol, StrBigInt, StrBoolean, StrNaN, StrInfinity, StrNegInfinity Str
	StrDefault, StrEmpty, StrZero                                                    Str
}

func (n *Names) intern(h *heap.Heap) {
	key := func(s string) Key {
		a, _ := h.Atom(s)  //meter: once for a realm, before any script: its heap has no meter
		k, _ := h.KeyOf(a) //meter: once for a realm, before any script: its heap has no meter
		return k
	}
	for _, e := range []struct {
		s string
		p *Key
	}{
		{"length", &n.Length}, {"prototype", &n.Prototype}, {"constructor", &n.Constructor}, {"name", &n.Name},
		{"message", &n.Message}, {"stack", &n.Stack}, {"cause", &n.Cause}, {"errors", &n.Errors},
		{"error", &n.Error}, {"suppressed", &n.Suppressed}, {"value", &n.Value}, {"done", &n.Done},
		{"next", &n.Next}, {"return", &n.Return}, {"throw", &n.Throw}, {"then", &n.Then}, {"get", &n.Get},
		{"set", &n.Set}, {"has", &n.Has}, {"add", &n.Add}, {"size", &n.Size}, {"keys", &n.Keys},
		{"writable", &n.Writable}, {"enumerable", &n.Enumerable}, {"configurable", &n.Configurable},
		{"toString", &n.ToString}, {"valueOf", &n.ValueOf}, {"toJSON", &n.ToJSON}, {"join", &n.Join},
		{"index", &n.Index}, {"input", &n.Input}, {"groups", &n.Groups}, {"indices", &n.Indices},
		{"lastIndex", &n.LastIndex}, {"flags", &n.Flags}, {"source", &n.Source}, {"exec", &n.Exec},
		{"raw", &n.Raw}, {"hasIndices", &n.HasIndices}, {"global", &n.Global}, {"ignoreCase", &n.IgnoreCase},
		{"multiline", &n.Multiline}, {"dotAll", &n.DotAll}, {"unicode", &n.Unicode},
		{"unicodeSets", &n.UnicodeSets}, {"sticky", &n.Sticky}, {"callee", &n.Callee}, {"caller", &n.Caller},
		{"arguments", &n.Arguments}, {"default", &n.Default}, {"__proto__", &n.Proto}, {"resolve", &n.Resolve},
		{"promise", &n.Promise}, {"reject", &n.Reject}, {"proxy", &n.Proxy}, {"revoke", &n.Revoke},
		{"status", &n.Status}, {"reason", &n.Reason}, {"eval", &n.Eval}, {"", &n.Empty}, {"with", &n.With},
		{"stackTraceLimit", &n.StackTraceLimit},
		{"getPrototypeOf", &n.TrapGetPrototypeOf}, {"setPrototypeOf", &n.TrapSetPrototypeOf},
		{"isExtensible", &n.TrapIsExtensible}, {"preventExtensions", &n.TrapPreventExtensions},
		{"getOwnPropertyDescriptor", &n.TrapGetOwnPropertyDescriptor}, {"defineProperty", &n.TrapDefineProperty},
		{"deleteProperty", &n.TrapDeleteProperty}, {"ownKeys", &n.TrapOwnKeys}, {"apply", &n.TrapApply},
		{"construct", &n.TrapConstruct},
	} {
		*e.p = key(e.s)
	}
	n.TrapHas, n.TrapGet, n.TrapSet = n.Has, n.Get, n.Set
	for _, e := range []struct {
		s string
		p *Key
	}{
		{"Symbol.iterator", &n.SymIterator}, {"Symbol.asyncIterator", &n.SymAsyncIterator},
		{"Symbol.hasInstance", &n.SymHasInstance}, {"Symbol.toPrimitive", &n.SymToPrimitive},
		{"Symbol.toStringTag", &n.SymToStringTag}, {"Symbol.species", &n.SymSpecies},
		{"Symbol.isConcatSpreadable", &n.SymIsConcatSpreadable}, {"Symbol.unscopables", &n.SymUnscopables},
		{"Symbol.match", &n.SymMatch}, {"Symbol.matchAll", &n.SymMatchAll}, {"Symbol.replace", &n.SymReplace},
		{"Symbol.search", &n.SymSearch}, {"Symbol.split", &n.SymSplit}, {"Symbol.dispose", &n.SymDispose},
		{"Symbol.asyncDispose", &n.SymAsyncDispose},
	} {
		a, _ := h.Atom(e.s) //meter: once for a realm, before any script: its heap has no meter
		*e.p = heap.SymbolKey(h.NewSymbol(a))
	}
	for _, e := range []struct {
		s string
		p *Str
	}{
		{"undefined", &n.StrUndefined}, {"null", &n.StrNull}, {"true", &n.StrTrue}, {"false", &n.StrFalse},
		{"object", &n.StrObject}, {"function", &n.StrFunction}, {"number", &n.StrNumber}, {"string", &n.StrString},
		{"symbol", &n.StrSymbol}, {"bigint", &n.StrBigInt}, {"boolean", &n.StrBoolean}, {"NaN", &n.StrNaN},
		{"Infinity", &n.StrInfinity}, {"-Infinity", &n.StrNegInfinity}, {"default", &n.StrDefault},
		{"", &n.StrEmpty}, {"0", &n.StrZero},
	} {
		*e.p, _ = h.Atom(e.s) //meter: once for a realm, before any script: its heap has no meter
	}
}
