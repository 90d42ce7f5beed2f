package compiler

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// Decorators are the standard ones (the proposal's state of November 2023). A
// decorated class becomes
//
//	(() => { const s = decoration(); s.d[0] = [class decorators]; var C = class {…}; return C = s.t; })()
//
// where the class has additional static blocks and initialisers. Their code is
// parsed from text whose names begin with $: $s and $n are renamed to names that
// the program can't spell, or to the class's own, $h1 is a hole for a piece of
// the program, and #u_x is the program's #x.

// decoration makes what one class needs: d are the lists of decorators, k the
// computed keys, i the initialisers, e the extra initialisers and p the
// descriptors of private methods and accessors by element; s and m are the extra
// initialisers of static and instance methods, c those of the class, and t is
// the class.
const decoration = `(() => {
	const callable = f => {
		if (f !== undefined && typeof f !== "function") throw new TypeError("Function expected");
		return f;
	};
	const accessOf = (kind, name) => {
		const access = { has: o => name in o };
		if (kind !== "setter") access.get = o => o[name];
		if (kind === "field" || kind === "accessor" || kind === "setter") access.set = (o, v) => { o[name] = v; };
		return access;
	};
	let metadata;
	const decorate = (list, extra, about, value, take) => {
		let open = true;
		for (let j = list.length - 1; j >= 0; j--) {
			const context = { ...about };
			if (about.access) context.access = { ...about.access };
			context.addInitializer = f => {
				if (!open) throw new TypeError("Cannot add initializers after decoration has completed");
				if (typeof f !== "function") throw new TypeError("Function expected");
				extra.push(f);
			};
			context.metadata = metadata;
			const decorator = list[j];
			if (typeof decorator !== "function") throw new TypeError("A decorator must be a function");
			take(decorator(value(), context));
		}
		open = false;
	};
	return {
		d: [], k: [], i: [], e: [], p: [], s: [], m: [], c: [], t: undefined,
		key: k => typeof k === "symbol" ? k : String(k),
		begin(target) {
			this.t = target;
			const parent = Object.getPrototypeOf(target);
			if (Symbol.metadata) metadata = Object.create(parent?.[Symbol.metadata] ?? null);
		},
		apply(n, home, kind, name, isStatic, access) {
			const first = this.i[n] = [];
			const field = kind === "field", accessor = kind === "accessor";
			const extra = field || accessor ? this.e[n] = [] : isStatic ? this.s : this.m;
			const slot = kind === "getter" ? "get" : kind === "setter" ? "set" : "value";
			const descriptor = field ? undefined : access ? this.p[n] : Object.getOwnPropertyDescriptor(home, name);
			const about = { kind, name, static: isStatic, private: access !== undefined, access: access ?? accessOf(kind, name) };
			if (access) about.name = access.name, delete access.name;
			decorate(this.d[n], extra, about,
				() => field ? undefined : accessor ? { get: descriptor.get, set: descriptor.set } : descriptor[slot],
				result => {
					if (accessor) {
						if (result === undefined) return;
						if (result === null || typeof result !== "object") throw new TypeError("Object expected");
						descriptor.get = callable(result.get) ?? descriptor.get;
						descriptor.set = callable(result.set) ?? descriptor.set;
						const init = callable(result.init);
						if (init) first.unshift(init);
					} else if (callable(result)) {
						if (field) first.unshift(result);
						else descriptor[slot] = result;
					}
				});
			if (descriptor && !access) Object.defineProperty(home, name, descriptor);
		},
		finish() {
			decorate(this.d[0], this.c, { kind: "class", name: this.t.name }, () => this.t, result => {
				if (callable(result)) this.t = result;
			});
		},
		end() {
			if (metadata) Object.defineProperty(this.t, Symbol.metadata, { value: metadata, writable: true, enumerable: true, configurable: true });
			return this.t;
		},
		init(self, n, value) {
			const list = this.i[n];
			for (let j = 0; j < list.length; j++) value = list[j].call(self, value);
			return value;
		},
		run(self, list) {
			for (let j = 0; j < list.length; j++) list[j].call(self);
		},
	};
})()`

// decorated reports whether a class or a member of it has decorators.
func decorated(c *syntax.Class) bool {
	if len(c.Decorators) > 0 {
		return true
	}
	for _, m := range c.Members {
		if len(decoratorsOf(m)) > 0 {
			return true
		}
	}
	return false
}

// decoratorsOf returns the decorators of a member that isn't erased.
func decoratorsOf(m syntax.ClassMember) []*syntax.Decorator {
	switch m := m.(type) {
	case *syntax.MethodDefinition:
		if m.Func != nil {
			return m.Decorators
		}
	case *syntax.PropertyDefinition:
		if !erasedField(m) {
			return m.Decorators
		}
	}
	return nil
}

// glue collects the text that a decorated class is completed with.
type glue struct {
	l     *lowerer
	holes map[string]syntax.Expr
	names map[string]string
	// stores are the elements of the private accessors by member.
	stores map[int]int
}

func storeName(n int) string { return "store" + strconv.Itoa(n) }

// private writes what a decorated private method or accessor becomes: its
// descriptor, which the decorators change, and accessors that use it. It returns
// how many members stand in its place.
func (g *glue) private(apply, text *strings.Builder, m syntax.ClassMember, kind string, n int, home, name, id string, static bool) int {
	word := ""
	if static {
		word = "static "
	}
	if kind == "accessor" {
		own := fmt.Sprintf("Object.getOwnPropertyDescriptor({ get [%s]() { return this.#%s; }, set [%s](v) { this.#%s = v; } }, %s)", name, storeName(n), name, storeName(n), name)
		fmt.Fprintf(apply, "$s.p[%d] = %s;\n", n, own)
		fmt.Fprintf(text, "%sget #u_%s() { return $s.p[%d].get.call(this); }\n", word, id, n)
		fmt.Fprintf(text, "%sset #u_%s(v) { $s.p[%d].set.call(this, v); }\n", word, id, n)
		return 2
	}
	// The function is one of an object with the prototype that its super needs.
	d := m.(*syntax.MethodDefinition)
	s := at(d.Start)
	q := &syntax.Property{Span: d.Span, Kind: syntax.PropMethod, Computed: true, Key: &syntax.StringLiteral{Span: s, Value: "#" + id},
		Value: &syntax.FunctionExpression{Span: d.Func.Span, Func: d.Func}}
	switch kind {
	case "getter":
		q.Kind = syntax.PropGet
		fmt.Fprintf(text, "%sget #u_%s() { return $s.p[%d].get.call(this); }\n", word, id, n)
	case "setter":
		q.Kind = syntax.PropSet
		fmt.Fprintf(text, "%sset #u_%s(v) { $s.p[%d].set.call(this, v); }\n", word, id, n)
	default:
		fmt.Fprintf(text, "%sget #u_%s() { return $s.p[%d].value; }\n", word, id, n)
	}
	o := g.hole(&syntax.ObjectExpression{Span: s, Properties: []*syntax.Property{q}})
	fmt.Fprintf(apply, "$s.p[%d] = Object.getOwnPropertyDescriptor(Object.setPrototypeOf(%s, Object.getPrototypeOf(%s)), %s);\n", n, o, home, name)
	return 1
}

// hole returns the text that stands for an expression.
func (g *glue) hole(e syntax.Expr) string {
	name := "$h" + strconv.Itoa(len(g.holes))
	g.holes[name] = e
	return name
}

// list returns the text of an assignment of decorators to element n.
func (g *glue) list(n int, decorators []*syntax.Decorator) string {
	var holes []string
	for _, d := range decorators {
		holes = append(holes, g.hole(d.Expression))
	}
	return fmt.Sprintf("$s.d[%d] = [%s]", n, strings.Join(holes, ", "))
}

// elementText returns what a member is called in the text: its key as an
// expression.
func (g *glue) keyText(key syntax.Expr) string {
	return g.hole(&syntax.StringLiteral{Span: key.Range(), Value: keyName(key)})
}

// decoratedClass returns the expression that makes a decorated class. Where the
// class has no name, hint names it.
func (l *lowerer) decoratedClass(c *syntax.Class, hint string) syntax.Expr { //meter: as deep as the tree, which the parser bounds
	g := &glue{l: l, holes: map[string]syntax.Expr{}, stores: map[int]int{}}
	l.fresh++
	g.names = map[string]string{"$s": "%s" + strconv.Itoa(l.fresh), "$n": "%n" + strconv.Itoa(l.fresh)}
	named := c.ID != nil || hint != ""
	switch {
	case c.ID != nil:
		g.names["$n"] = c.ID.Name
	case named:
		g.names["$n"] = hint
	}
	c.ID = nil
	l.parameterProperties(c)
	head := "const $s = " + decoration + ";\n"
	if len(c.Decorators) > 0 {
		head += g.list(0, c.Decorators) + ";\n"
	}

	var pending []string           // lists of decorators that wait for a computed key
	var applied [4]strings.Builder // static and instance methods, static and instance fields
	private := map[string]bool{}   // to be declared in the text
	text := &strings.Builder{}     // further members
	type piece struct {
		member, i int // member of the class, member of the text
	}
	var keys, inits, after, replace []piece
	count, n := 0, 0
	methods := [2]bool{}
	for i, m := range c.Members {
		l.cp.step()
		decorators := decoratorsOf(m)
		var key *syntax.Expr
		computed, static, kind := false, false, "method"
		group := 0
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			if m.Func == nil {
				continue
			}
			key, computed, static = &m.Key, m.Computed, m.Static
			switch m.Kind {
			case syntax.MethodGet:
				kind = "getter"
			case syntax.MethodSet:
				kind = "setter"
			case syntax.MethodConstructor:
				if len(decorators) > 0 {
					l.fail(decorators[0].Span, "Classes may not have a decorated constructor")
					return &syntax.ClassExpression{Span: c.Span, Class: c}
				}
			}
			m.Decorators = nil
		case *syntax.PropertyDefinition:
			if erasedField(m) {
				continue
			}
			key, computed, static, kind = &m.Key, m.Computed, m.Static, "field"
			if m.Accessor {
				kind = "accessor"
			} else {
				group = 2
			}
			m.Decorators = nil
		default:
			continue
		}
		n++
		if len(decorators) > 0 {
			pending = append(pending, g.list(n, decorators))
			if !static {
				group++
			}
			home, name, access := "this", "", "undefined"
			if !static {
				home = "this.prototype"
			}
			if p, ok := (*key).(*syntax.PrivateIdentifier); ok && !computed {
				name = g.hole(&syntax.StringLiteral{Span: p.Span, Value: "#" + p.Name})
				access = fmt.Sprintf("{ name: %s, has: o => #u_%s in o", name, p.Name)
				if kind != "setter" {
					access += fmt.Sprintf(", get: o => o.#u_%s", p.Name)
				}
				if kind != "method" && kind != "getter" {
					access += fmt.Sprintf(", set: (o, v) => { o.#u_%s = v; }", p.Name)
				}
				access += " }"
				if kind == "field" {
					private[p.Name] = true
				} else {
					more := g.private(&applied[group], text, m, kind, n, home, name, p.Name, static)
					if kind == "accessor" {
						g.stores[i] = n
					}
					for range more {
						replace = append(replace, piece{i, count})
						count++
					}
				}
			} else if computed {
				name = fmt.Sprintf("$s.k[%d]", n)
			} else {
				name = g.keyText(*key)
			}
			fmt.Fprintf(&applied[group], "$s.apply(%d, %s, %q, %s, %v, %s);\n", n, home, kind, name, static, access)
			if kind == "field" || kind == "accessor" {
				d := m.(*syntax.PropertyDefinition)
				var value syntax.Expr = &syntax.UnaryExpression{Span: at(d.Start), Operator: syntax.OpVoid, Argument: &syntax.NumericLiteral{Span: at(d.Start)}}
				if d.Init != nil {
					value = l.fieldValue(d)
				}
				fmt.Fprintf(text, "x = $s.init(this, %d, %s);\n", n, g.hole(value))
				inits = append(inits, piece{i, count})
				count++
				if static {
					fmt.Fprintf(text, "static { $s.run(this, $s.e[%d]); }\n", n)
				} else {
					fmt.Fprintf(text, "#after%d = $s.run(this, $s.e[%d]);\n", n, n)
				}
				after = append(after, piece{i, count})
				count++
			}
			if kind != "field" && kind != "accessor" {
				methods[group&1] = true
			}
		}
		if computed && (len(pending) > 0 || len(decorators) > 0) {
			k := g.hole(*key)
			if len(decorators) > 0 {
				k = fmt.Sprintf("$s.k[%d] = $s.key(%s)", n, k)
			}
			fmt.Fprintf(text, "x = (%s);\n", strings.Join(append(pending, k), ", "))
			pending = nil
			keys = append(keys, piece{i, count})
			count++
		}
	}

	var front strings.Builder
	front.WriteString("static {\n$s.begin(this);\n")
	for _, p := range pending {
		front.WriteString(p + ";\n")
	}
	for i := range applied {
		front.WriteString(applied[i].String())
	}
	if len(c.Decorators) > 0 {
		front.WriteString("$s.finish();\n")
	}
	front.WriteString("$n = $s.end();\n$s.run($s.t, $s.s);\n}\n")
	fronts := 1
	if methods[1] {
		front.WriteString("#before = $s.run(this, $s.m);\n")
		fronts++
	}
	var declared strings.Builder
	privates := 0
	for i, m := range c.Members {
		if p := privateKey(m); private[p] && p != "" {
			private[p] = false
			declared.WriteString("#u_" + p + ";\n")
			privates++
		}
		if n, ok := g.stores[i]; ok {
			declared.WriteString("#" + storeName(n) + ";\n")
			privates++
		}
	}
	value := "$h" + strconv.Itoa(len(g.holes))
	g.holes[value] = &syntax.ClassExpression{Span: c.Span, Class: c}
	if !named {
		value = "(0, " + value + ")"
	}
	src := "(() => {\n" + head + "var $n = " + value + ";\nreturn $n = $s.t;\n})();\nclass G {\n" +
		declared.String() + front.String() + text.String() + "static { $s.run($s.t, $s.c); }\n}\n"
	tree, err := syntax.Parse(l.cp.p.Name, src, syntax.Options{Goal: syntax.Module, Check: l.cp.parsed})
	if err != nil || len(tree.Body) != 2 {
		l.fail(c.Span, "the decorators of the class are too complex")
		return &syntax.ClassExpression{Span: c.Span, Class: c}
	}
	g.place(tree, c.Start)
	members := tree.Body[1].(*syntax.ClassDeclaration).Class.Members[privates:]
	extra := members[fronts:]
	for _, k := range keys {
		e := extra[k.i].(*syntax.PropertyDefinition).Init.ExprBody
		switch m := c.Members[k.member].(type) {
		case *syntax.MethodDefinition:
			m.Key = e
		case *syntax.PropertyDefinition:
			m.Key = e
		}
	}
	for _, p := range inits {
		d := c.Members[p.member].(*syntax.PropertyDefinition)
		fn := extra[p.i].(*syntax.PropertyDefinition).Init
		if d.Init != nil {
			fn.Span, fn.BodySpan = d.Init.Span, d.Init.BodySpan
		}
		d.Init = fn
	}
	before := map[int][]syntax.ClassMember{}
	for _, p := range replace {
		before[p.member] = append(before[p.member], extra[p.i])
	}
	behind := map[int]syntax.ClassMember{}
	for _, p := range after {
		behind[p.member] = extra[p.i]
	}
	l.made[members[0].(*syntax.StaticBlock).Func] = true
	list := append([]syntax.ClassMember{}, members[:fronts]...)
	for i, m := range c.Members {
		list = append(list, before[i]...)
		d, ok := m.(*syntax.PropertyDefinition)
		switch {
		case len(before[i]) == 0:
			list = append(list, m)
		case ok:
			// The field behind a private accessor.
			d.Accessor = false
			d.Key = &syntax.PrivateIdentifier{Span: d.Key.Range(), Name: "%" + storeName(g.stores[i])}
			list = append(list, d)
		}
		if b := behind[i]; b != nil {
			list = append(list, b)
		}
	}
	c.Members = append(list, extra[count])
	c.Decorators = nil
	c.HasPrivate, c.HasInstanceFields, c.HasStaticElements = true, true, true

	call := tree.Body[0].(*syntax.ExpressionStatement).Expression
	fn := call.(*syntax.CallExpression).Callee.(*syntax.ArrowFunctionExpression).Func
	saved := l.holes
	l.holes = map[string]syntax.Expr{}
	for name, e := range g.holes {
		l.holes["%"+g.names["$s"]+name] = e
	}
	l.made[fn] = true
	e := l.expr(call)
	l.holes = saved
	return e
}

// fieldValue returns a field's initialiser; a function without a name gets the
// field's.
func (l *lowerer) fieldValue(d *syntax.PropertyDefinition) syntax.Expr {
	e := d.Init.ExprBody
	if d.Computed || !anonymous(e) {
		return e
	}
	// An object literal's property gives the name: ({ name: value }).name
	key := func() syntax.Expr { return &syntax.StringLiteral{Span: at(d.Start), Value: keyName(d.Key)} }
	if p, ok := d.Key.(*syntax.PrivateIdentifier); ok {
		key = func() syntax.Expr { return &syntax.StringLiteral{Span: at(d.Start), Value: "#" + p.Name} }
	}
	o := &syntax.ObjectExpression{Span: e.Range(), Properties: []*syntax.Property{{
		Span: e.Range(), Computed: true, Key: key(), Value: e,
	}}}
	return index(e.Range(), o, key())
}

// place moves all of a tree to one offset and renames what begins with $.
func (g *glue) place(tree *syntax.Program, off int32) {
	span := at(off)
	spanType := reflect.TypeFor[syntax.Span]()
	syntax.Walk(tree, func(n syntax.Node) bool {
		g.l.cp.step()
		g.l.cp.step()
		v := reflect.ValueOf(n).Elem()
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Type == spanType:
				v.Field(i).Set(reflect.ValueOf(span))
			case f.Name == "OpPos" || f.Name == "ArgsStart":
				v.Field(i).SetInt(int64(off))
			}
		}
		switch n := n.(type) {
		case *syntax.Identifier:
			if name, ok := g.names[n.Name]; ok {
				n.Name = name
			} else if strings.HasPrefix(n.Name, "$h") {
				n.Name = "%" + g.names["$s"] + n.Name
			}
		case *syntax.PrivateIdentifier:
			if own, ok := strings.CutPrefix(n.Name, "u_"); ok {
				n.Name = own
			} else {
				n.Name = "%" + n.Name
			}
		}
		return true
	})
}
