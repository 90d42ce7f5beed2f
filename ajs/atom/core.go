package atom

import (
	"strings"
	"sync"
	"time"
)

// Core returns the table of the core atoms.
func Core() *Table { return core() }

var core = sync.OnceValue(func() *Table {
	var atoms []Atom
	for _, r := range coreRows {
		a := Atom{Name: r.name, Returns: r.returns, Cost: r.cost, Timeout: r.timeout, Docs: r.docs}
		a.Inputs = inputs(r.inputs)
		a.Effects, a.OwnInputs, a.Flow, a.Open = r.kind.effects(), r.kind == ioOwn, r.kind == flow, r.name == "varsLet"
		atoms = append(atoms, a)
	}
	return NewTable(atoms...)
})

// inputs reads a list such as "url:string method?:string body?".
func inputs(list string) []Input {
	var out []Input
	for _, f := range strings.Fields(list) {
		name, typ, _ := strings.Cut(f, ":")
		name, optional := strings.CutSuffix(name, "?")
		out = append(out, Input{name, !optional, typ})
	}
	return out
}

type kind uint8

const (
	flow  kind = iota // pure, of the language
	pure              // pure
	ioVM              // io, inputs resolved by the VM
	ioOwn             // io, inputs resolved by the atom
)

func (k kind) effects() Effects {
	if k == ioVM || k == ioOwn {
		return IO
	}
	return Pure
}

const second = time.Second

// coreRows are the core atoms. Those that run programs (agentRun, runCode,
// memoize, cache) have no timeout of their own: the run's bounds them.
var coreRows = []struct {
	name    string
	inputs  string
	returns string
	cost    float64
	timeout time.Duration
	kind    kind
	docs    string
}{
	{"seq", "steps:array", "none", 0.1, 0, flow, "runs steps in order"},
	{"if", "condition then:array else?:array", "none", 0.1, 0, flow, "runs one of two blocks"},
	{"while", "condition body:array", "none", 0.1, 0, flow, "runs a block while a condition holds"},
	{"return", "value", "none", 0.1, second, flow, "ends the program, a helper or a callback with a value"},
	{"try", "try:array catch?:array catchParam?:string", "none", 0.1, 0, flow, "runs a block and another one if it fails"},
	{"Error", "args?:array", "none", 0.1, second, flow, "fails with a message"},
	{"evaluate", "value", "none", 0.1, second, flow, "evaluates an expression for its effects"},
	{"varSet", "key:string value", "none", 0.1, second, flow, "declares a variable"},
	{"varAssign", "key:string value", "none", 0.1, second, flow, "writes a variable where it is declared"},
	{"constSet", "key:string value", "none", 0.1, second, flow, "declares a constant"},
	{"varGet", "key:string", "", 0.1, second, flow, "reads a variable"},
	{"varsImport", "keys", "none", 0.2, second, flow, "makes run arguments variables"},
	{"varsLet", "", "none", 0.1, second, flow, "declares several variables"},
	{"varsExport", "keys", "object", 0.2, second, flow, "gathers variables into an object"},
	{"scope", "steps:array", "none", 0.1, 0, flow, "runs steps in a scope of their own"},
	{"callLocal", "name:string args:array", "", 0.1, 0, flow, "calls a helper"},
	{"map", "items as:string steps:array loop?:boolean", "array", 1, 0, flow, "runs steps for each item"},
	{"filter", "items as:string condition", "array", 1, 0, flow, "keeps the items a condition holds for"},
	{"find", "items as:string condition", "", 1, 0, flow, "finds the first item a condition holds for"},
	{"reduce", "items as:string accumulator:string initial steps:array", "", 1, 0, flow, "folds items into one value"},

	{"push", "list item", "array", 1, second, pure, "appends an item to a list"},
	{"len", "list", "number", 1, second, pure, "the length of a list or a text"},
	{"split", "str sep", "array", 1, second, pure, "splits a text"},
	{"join", "list sep", "string", 1, second, pure, "joins a list to a text"},
	{"template", "tmpl vars", "string", 1, second, pure, "fills {{name}} in a text"},
	{"regexMatch", "pattern value", "boolean", 2, second, pure, "tests a text with a regular expression"},
	{"pick", "obj keys", "object", 1, second, pure, "keeps some members of an object"},
	{"omit", "obj keys", "object", 1, second, pure, "leaves out some members of an object"},
	{"merge", "a b", "object", 1, second, pure, "merges two objects"},
	{"keys", "obj", "array", 1, second, pure, "the keys of an object"},
	{"jsonParse", "str", "", 1, second, pure, "reads JSON"},
	{"jsonStringify", "value", "string", 1, second, pure, "writes JSON"},
	{"hash", "value algorithm?", "string", 1, second, pure, "the digest of a value, in hex"},

	{"httpFetch", "url:string method?:string headers?:object body? responseType?:string", "", 5, 30 * second, ioVM, "fetches a URL"},
	{"storeGet", "key:string", "", 5, second, ioVM, "reads a stored value"},
	{"storeSet", "key:string value", "none", 5, second, ioVM, "stores a value"},
	{"storeQuery", "query", "array", 5, second, ioVM, "queries the store"},
	{"storeQueryWhere", "predicate collection?:string limit?:number", "array", 5, second, ioVM, "queries a collection by a predicate"},
	{"storeVectorSearch", "vector:array collection?:string k?:number", "array", 5, second, ioVM, "searches a collection by a vector"},
	{"llmPredict", "prompt:string options?:object", "string", 100, 120 * second, ioVM, "asks the model"},
	{"agentRun", "agentId input", "", 1, 0, ioOwn, "runs another agent"},
	{"transpileCode", "code:string", "object", 1, second, ioVM, "turns source into an AST"},
	{"runCode", "code:string args?:object", "", 1, 0, ioOwn, "runs source in a scope of its own"},
	{"xmlParse", "str:string", "", 1, second, ioVM, "reads XML"},
	{"memoize", "key steps:array", "", 1, 0, ioOwn, "runs steps once for a key in this run"},
	{"cache", "key steps:array ttlMs?:number", "", 5, 0, ioOwn, "runs steps once for a key and stores the value"},
	{"random", "min? max? format? length?", "", 1, second, ioOwn, "a random number or text"},
	{"uuid", "", "string", 1, second, ioOwn, "a random UUID"},
	{"consoleLog", "message", "none", 0.1, second, ioVM, "adds a line to the trace"},
	{"consoleWarn", "message", "none", 0.1, second, ioVM, "adds a warning to the result"},
	{"consoleError", "message", "none", 0.1, second, ioVM, "fails with a message"},
	{"storeProcedure", "ast:object ttl?:number maxSize?:number", "string", 1, second, ioVM, "keeps a program and returns its token"},
	{"releaseProcedure", "token:string", "boolean", 0.1, second, ioVM, "gives a token up"},
	{"clearExpiredProcedures", "", "number", 0.5, second, ioOwn, "removes expired programs"},
}
