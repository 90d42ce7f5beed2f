package check

import (
	"regexp"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// kind is what is known of a value. What isn't known for sure is unknown.
type kind uint8

const (
	unknown  kind = iota
	group         // an object of the host's functions, such as ctx
	hostFunc      // a host function
	builtin       // a global of ECMAScript, or a member of one
	asyncFn       // a function of the program that gives a promise
	promise
	promises // an array of promises
	reply    // what ctx.fetch's promise is of
	replyFn  // a method of it that gives a promise
	thenFn   // then, catch, finally of a promise
)

// value is what is known of an expression.
type value struct {
	kind  kind
	name  string                // of a group, a function, a builtin; of a promise: what gave it
	fn    *pinfold.FunctionInfo // of a host function
	of    *value                // what a promise is of; nil is unknown
	body  *syntax.Function      // of an asyncFn
	weak  bool                  // the name says that it is ctx, and nothing more
	local bool                  // the promise is that of a function of the program
	start int32                 // where the promise was made
	end   int32
}

// maxLook is how far a value is followed through names.
const maxLook = 12

// of returns what is known of a name.
func (a *analysis) of(b *binding, look int) value {
	if b.state == 2 {
		return b.v
	}
	if b.state == 1 || look <= 0 {
		return value{}
	}
	b.state = 1
	v := a.known(b, look)
	if look >= maxLook/2 { // what was cut short isn't for ever
		b.state, b.v = 2, v
	} else {
		b.state = 0
	}
	return v
}

func (a *analysis) known(b *binding, look int) value {
	switch {
	case b.writes > 0:
		return value{}
	case b.fn != nil:
		return a.function(b.fn, look)
	case b.param:
		return a.parameter(b)
	case b.init == nil:
		return value{}
	}
	v := a.peek(b.init, look-1)
	for _, name := range b.path {
		if v.kind == promise || v.kind == promises {
			return value{}
		}
		v = a.member(v, name)
	}
	return v
}

// parameter returns what is known of a parameter: the second one of what a
// module exports to be called is ctx.
func (a *analysis) parameter(b *binding) value {
	if !a.ctx {
		return value{}
	}
	ctx := value{kind: group, name: "ctx"}
	switch {
	case a.entries[b.in] && b.index == 1:
	case b.name == "ctx" && b.path == nil:
		ctx.weak = true
	default:
		return value{}
	}
	for _, name := range b.path {
		ctx = a.member(ctx, name)
	}
	return ctx
}

// function returns what is known of a function of the program.
func (a *analysis) function(f *syntax.Function, look int) value {
	if f == nil || f.Generator {
		return value{}
	}
	v := value{kind: asyncFn, body: f}
	if f.ExprBody != nil && f.Kind == syntax.FuncArrow {
		of := a.peek(f.ExprBody, look-1)
		switch {
		case of.kind == promise:
			v.of = of.of
			return v
		case f.Async && of.kind != unknown:
			v.of = &of
		}
	}
	if !f.Async {
		return value{}
	}
	return v
}

// peek returns what is known of an expression, without looking at what is wrong
// with it.
func (a *analysis) peek(e syntax.Expr, look int) value {
	if look <= 0 {
		return value{}
	}
	switch e := unwrap(e).(type) {
	case *syntax.Identifier:
		return a.name(e, look)
	case *syntax.MemberExpression:
		if name, ok := keyName(e.Property, e.Computed); ok {
			return a.member(a.peek(e.Object, look-1), name)
		}
	case *syntax.CallExpression:
		return a.call(a.peek(e.Callee, look-1), e, look)
	case *syntax.ChainExpression:
		return a.peek(e.Expression, look-1)
	case *syntax.AwaitExpression:
		return a.awaited(a.peek(e.Argument, look-1))
	case *syntax.FunctionExpression:
		return a.function(e.Func, look)
	case *syntax.ArrowFunctionExpression:
		return a.function(e.Func, look)
	case *syntax.NewExpression:
		return a.made(a.peek(e.Callee, look-1), e)
	case *syntax.ImportExpression:
		return value{kind: promise, name: "import(…)", start: e.Start, end: e.End}
	}
	return value{}
}

// name returns what is known of a reference.
func (a *analysis) name(id *syntax.Identifier, look int) value {
	if b := a.refs[id]; b != nil {
		return a.of(b, look)
	}
	switch f := a.functions[id.Name]; {
	case a.owned[id.Name]:
	case a.groups[id.Name]:
		return value{kind: group, name: id.Name}
	case f != nil:
		return value{kind: hostFunc, name: f.Name, fn: f}
	case id.Name == "fetch" && a.around.Fetch:
		if f := a.functions["ctx.fetch"]; f != nil {
			return value{kind: hostFunc, name: "fetch", fn: f}
		}
	case a.builtin[id.Name]:
		return value{kind: builtin, name: id.Name}
	}
	return value{}
}

// member returns what is known of a property.
func (a *analysis) member(v value, name string) value {
	switch v.kind {
	case group:
		path := v.name + "." + name
		if a.groups[path] {
			return value{kind: group, name: path, weak: v.weak}
		}
		if f := a.functions[path]; f != nil {
			return value{kind: hostFunc, name: path, fn: f, weak: v.weak}
		}
	case builtin:
		return value{kind: builtin, name: v.name + "." + name}
	case reply:
		if v.name == "FetchResponse" && bodyMethods[name] {
			return value{kind: replyFn, name: name}
		}
	case promise:
		switch name {
		case "then", "catch", "finally":
			return value{kind: thenFn, name: v.name, local: v.local, fn: v.fn, body: v.body}
		}
	}
	return value{}
}

// shapes are the members of what functions of ctx give, sorted.
var shapes = map[string][]string{
	"FetchResponse": {"arrayBuffer", "bytes", "headers", "json", "ok", "redirected", "status", "statusText", "text", "url"},
	"FileList":      {"cut", "entries"},
	"LlmResponse":   {"content", "model", "stop_reason", "tool_calls", "usage"},
}

// reResult finds the one of them that a function's promise is of.
var reResult = regexp.MustCompile(`Promise<(FetchResponse|FileList|LlmResponse)>$`)

var bodyMethods = map[string]bool{"text": true, "json": true, "bytes": true, "arrayBuffer": true}

// members of every object, which aren't reported.
var objectMembers = map[string]bool{"toString": true, "hasOwnProperty": true, "valueOf": true, "constructor": true, "toJSON": true, "then": true}

// meant says how to get at what a member would be elsewhere.
var meant = map[string]string{
	"FetchResponse.data": "read the body: await r.json(), or await r.text()", "FetchResponse.body": "read the body: await r.json(), or await r.text()",
	"FetchResponse.blob": "use await r.bytes()", "FetchResponse.buffer": "use await r.bytes()", "FetchResponse.clone": "the body can be read more than once",
	"LlmResponse.text": "use content", "LlmResponse.message": "use content", "LlmResponse.choices": "use content", "LlmResponse.output": "use content",
}

// called makes the promise that a call gives.
func called(e syntax.Node, v value, name string) value {
	s := e.Range()
	return value{kind: promise, name: name, of: v.of, fn: v.fn, body: v.body, start: s.Start, end: s.End}
}

// call returns what a call gives.
func (a *analysis) call(callee value, e *syntax.CallExpression, look int) value {
	switch callee.kind {
	case hostFunc:
		if !callee.fn.Async {
			return value{}
		}
		v := called(e, callee, callee.name+"(…)")
		if m := reResult.FindStringSubmatch(callee.fn.Declaration); m != nil {
			v.of = &value{kind: reply, name: m[1]}
		}
		return v
	case replyFn:
		return called(e, callee, "."+callee.name+"()")
	case thenFn:
		v := called(e, callee, callee.name)
		v.local = callee.local
		return v
	case asyncFn:
		name := "the async function"
		if id, ok := unwrap(e.Callee).(*syntax.Identifier); ok {
			name = id.Name + "(…)"
		}
		v := called(e, callee, name)
		v.local = true
		return v
	case builtin:
		switch callee.name {
		case "Promise.all", "Promise.allSettled", "Promise.any", "Promise.race", "Promise.resolve", "Promise.reject":
			v := called(e, value{}, callee.name+"(…)")
			v.local = true
			return v
		}
	}
	if a.gathers(e, look) {
		s := e.Range()
		return value{kind: promises, start: s.Start, end: s.End}
	}
	return value{}
}

// gathers reports whether a call maps an array to promises.
func (a *analysis) gathers(e *syntax.CallExpression, look int) bool {
	m, ok := unwrap(e.Callee).(*syntax.MemberExpression)
	if !ok || m.Computed || len(e.Arguments) == 0 {
		return false
	}
	name, _ := keyName(m.Property, false)
	return (name == "map" || name == "flatMap") && a.gives(e.Arguments[0], look)
}

// gives reports whether an expression is a function that gives a promise.
func (a *analysis) gives(e syntax.Expr, look int) bool {
	v := a.peek(e, look-1)
	return v.kind == asyncFn || v.kind == hostFunc && v.fn.Async
}

// made returns what new gives.
func (a *analysis) made(callee value, e *syntax.NewExpression) value {
	if callee.kind == builtin && callee.name == "Promise" {
		v := called(e, value{}, "new Promise(…)")
		v.local = true
		return v
	}
	return value{}
}

// awaited returns what an await gives.
func (a *analysis) awaited(v value) value {
	if v.kind == promise {
		if v.of != nil {
			return *v.of
		}
		return value{}
	}
	if v.kind == promises {
		return value{}
	}
	return v
}

// lastName is the part of a function's name behind the last dot.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
