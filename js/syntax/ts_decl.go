package syntax

import "strings"

// What to write instead of the constructs that can't be erased.
func rewriteHint(construct string) string {
	switch construct {
	case "enum":
		return "const E = {A: 0, B: 1} as const"
	case "namespace":
		return "const N = {x: 1}"
	case "parameter property":
		return "declare x: T as a field and write this.x = x"
	case "import =":
		return "use an import declaration, or remove it"
	case "export =":
		return "export default f, or a named export"
	case "type assertion":
		return "x as T"
	case "decorator", "parameter decorator":
		return "call the wrapper function by hand"
	}
	return ""
}

// nonErasable notes a construct that needs code.
func (p *parser) nonErasable(s Span, construct string) {
	if p.ctx&cAmbient != 0 {
		return
	}
	p.prog.NonErasable = append(p.prog.NonErasable, NonErasable{s, construct, rewriteHint(construct)})
}

// tsStatement parses a statement that begins with one of TypeScript's words,
// or returns nil if it doesn't.
func (p *parser) tsStatement(start int32, pl place, exported bool) Stmt { //meter: once: a declaration behind declare is no other declare
	if p.tok == tEnum {
		return p.tsEnum(start, false, false)
	}
	if p.esc {
		return nil
	}
	ahead := p.peek()
	if ahead.nl && p.tok != tGlobal {
		return nil
	}
	switch p.tok {
	case tType:
		if ahead.tok >= tIdent {
			return p.tsTypeAlias(start)
		}
	case tInterface:
		if ahead.tok >= tIdent {
			return p.tsInterface(start)
		}
	case tAbstract:
		if ahead.tok == tClass {
			return p.classStatement(start, inList)
		}
	case tNamespace, tModule:
		if ahead.tok >= tIdent || ahead.tok == tString && p.tok == tModule {
			return p.tsModule(start)
		}
	case tGlobal:
		if ahead.tok == tLBrace && p.ctx&cAmbient != 0 {
			return p.tsModule(start)
		}
	case tDeclare:
		switch ahead.tok {
		case tVar, tLet, tConst, tFunction, tClass, tEnum, tGlobal, tAsync, tImport:
			return p.tsDeclare(start, pl)
		case tAbstract, tNamespace, tModule, tInterface, tType:
			// What they declare stands in the same line.
			lex := p.lexer
			p.next()
			third := p.peek()
			p.lexer = lex
			if !third.nl {
				return p.tsDeclare(start, pl)
			}
		}
	}
	return nil
}

func (p *parser) tsTypeAlias(start int32) Stmt {
	d := &TSTypeAliasDeclaration{}
	p.next()
	d.ID = &Identifier{Span{p.start, p.pos}, p.val}
	p.tsName(p.val)
	p.next()
	if p.tok == tLT {
		d.TypeParams = p.tsTypeParams()
	}
	p.expect(tAssign)
	d.Type = p.tsType()
	p.semicolon()
	d.Span = p.span(start)
	p.tsEraseStatement(d.Span)
	return d
}

func (p *parser) tsInterface(start int32) Stmt {
	d := &TSInterfaceDeclaration{}
	p.next()
	d.ID = &Identifier{Span{p.start, p.pos}, p.val}
	p.tsName(p.val)
	p.next()
	if p.tok == tLT {
		d.TypeParams = p.tsTypeParams()
	}
	if p.eat(tExtends) {
		d.Extends = append(d.Extends, p.tsType())
		for p.eat(tComma) {
			d.Extends = append(d.Extends, p.tsType())
		}
	}
	if p.tok != tLBrace {
		p.unexpected()
	}
	d.Body = p.tsObjectType()
	d.Span = p.span(start)
	p.tsEraseStatement(d.Span)
	return d
}

// tsDeclare parses `declare …`, all of which is erased.
func (p *parser) tsDeclare(start int32, pl place) Stmt {
	c := p.ctx
	p.ctx |= cAmbient
	p.next()
	at := p.start
	var s Stmt
	switch p.tok {
	case tVar, tLet, tConst:
		kind := DeclVar
		switch p.tok {
		case tLet:
			kind = DeclLet
		case tConst:
			kind = DeclConst
			if p.peek().tok == tEnum {
				p.next()
				s = p.tsEnum(start, true, true)
			}
		}
		if s == nil {
			d := p.varDeclaration(kind, start)
			p.semicolon()
			d.Span = p.span(start)
			for _, v := range d.Declarations {
				boundNames(v.ID, func(id *Identifier) { p.tsName(id.Name) })
			}
			s = d
		}
	case tFunction, tAsync:
		s = p.functionDeclaration(at, false)
		f, ok := s.(*TSDeclareFunction)
		if !ok {
			p.fail(at, p.prevEnd, "An implementation cannot be declared in ambient contexts.")
		}
		f.Span = p.span(start)
		if f.ID != nil {
			p.tsName(f.ID.Name)
		}
	case tClass, tAbstract:
		s = p.classStatement(start, inList)
		p.tsName(s.(*ClassDeclaration).Class.ID.Name)
	case tEnum:
		s = p.tsEnum(start, false, true)
	case tImport:
		p.next()
		if p.tok == tType && p.peek().tok >= tIdent {
			p.next()
		}
		s = p.tsImportEquals(start, p.bindingIdent(), true, false)
	default:
		if s = p.tsStatement(start, pl, false); s == nil {
			p.unexpected()
		}
	}
	p.ctx = c
	p.tsEraseStatement(p.span(start))
	return s
}

// tsEnum parses an enum from `enum` on.
func (p *parser) tsEnum(start int32, isConst, declare bool) Stmt {
	d := &TSEnumDeclaration{Const: isConst, Declare: declare || p.ctx&cAmbient != 0}
	p.next()
	d.ID = p.bindingIdent()
	if d.Declare {
		p.tsName(d.ID.Name)
	} else {
		p.declareLex(d.ID.Name, d.ID.Span, lexMerge, nil)
	}
	p.expect(tLBrace)
	for p.tok != tRBrace {
		m := &TSEnumMember{}
		at := p.start
		key, _ := p.propertyName()
		switch k := key.(type) {
		case *Identifier:
			m.Name = k.Name
		case *StringLiteral:
			m.Name = k.Value
		case *TemplateLiteral:
			if len(k.Expressions) > 0 {
				p.failAt(key, "Computed property names are not allowed in enums.")
			}
			m.Name = k.Quasis[0].Cooked
		default:
			p.failAt(key, "An enum member cannot have a numeric name.")
		}
		if p.eat(tAssign) {
			m.Init = p.assign()
		}
		m.Span = p.span(at)
		d.Members = append(d.Members, m)
		if p.tok != tComma {
			break
		}
		p.next()
	}
	p.expect(tRBrace)
	d.Span = p.span(start)
	p.nonErasable(d.Span, "enum")
	return d
}

// tsModule parses namespace A.B { … }, module "m" { … } and global { … }.
func (p *parser) tsModule(start int32) Stmt {
	d := &TSModuleDeclaration{Declare: p.ctx&cAmbient != 0}
	if p.tok == tGlobal {
		d.Global = true
		p.next()
	} else {
		p.next()
		if p.tok == tString {
			d.Name = &StringLiteral{Span{p.start, p.pos}, p.val}
			p.next()
		} else {
			d.Path = append(d.Path, p.bindingIdent())
			for p.eat(tDot) {
				d.Path = append(d.Path, p.bindingIdent())
			}
		}
	}
	if p.tok != tLBrace {
		if d.Name != nil && d.Declare {
			p.semicolon()
			d.TypeOnly, d.valueless = true, true
			d.Span = p.span(start)
			p.tsEraseStatement(d.Span)
			return d
		}
		p.unexpected()
	}
	body := p.start
	var fn Function
	refused := len(p.prog.NonErasable)
	saved := p.enterFunction(p.ctx & (cStrict | cModule | cAmbient))
	p.typ.namespaces++
	p.next()
	fn.SimpleParams = true
	d.Body, _ = p.directives(&fn)
	d.UseStrict = fn.UseStrict
	typeOnly := len(d.Body) == 0
	for p.tok != tRBrace {
		s := p.statement(inList)
		typeOnly = typeOnly && isTypeOnly(s)
		d.Body = append(d.Body, s)
	}
	p.typ.namespaces--
	p.next()
	p.leaveFunction(saved, &fn, usePastFunction)
	d.BodySpan = p.span(body)
	d.Span = p.span(start)
	d.valueless = typeOnly
	d.TypeOnly = d.Declare || typeOnly
	if d.TypeOnly {
		p.prog.NonErasable = p.prog.NonErasable[:refused]
		p.tsEraseStatement(d.Span)
		if len(d.Path) > 0 {
			p.tsName(d.Path[0].Name)
		}
		return d
	}
	p.prog.NonErasable = p.prog.NonErasable[:refused]
	p.nonErasable(d.Span, "namespace")
	if len(d.Path) > 0 {
		id := d.Path[0]
		p.declareLex(id.Name, id.Span, lexMerge, nil)
	}
	return d
}

// isTypeOnly: a statement makes no object of the namespace it stands in.
func isTypeOnly(s Stmt) bool { //meter: once: what is exported is no export
	switch s := s.(type) {
	case *TSInterfaceDeclaration, *TSTypeAliasDeclaration:
		return true
	case *TSModuleDeclaration:
		return s.valueless
	case *TSImportEqualsDeclaration:
		return s.TypeOnly || !s.Export
	case *ImportDeclaration, *TSNamespaceExport:
		return true
	case *ExportAllDeclaration:
		return s.TypeOnly
	case *ExportNamedDeclaration:
		return s.TypeOnly || s.Declaration != nil && isTypeOnly(s.Declaration)
	}
	return false
}

// ---- Modules ----

// tsExport parses the export forms that only TypeScript has; nil if it is none
// of them. The current token is the one behind `export`.
func (p *parser) tsExport(start int32) Stmt {
	switch p.tok {
	case tAssign:
		d := &TSExportAssignment{}
		p.next()
		if p.ctx&cAmbient == 0 {
			p.exportName("default", Span{start, p.prevEnd})
		}
		d.Expression = p.assign()
		p.semicolon()
		d.Span = p.span(start)
		p.nonErasable(d.Span, "export =")
		return d
	case tAs:
		p.next()
		if p.tok != tNamespace {
			p.unexpected()
		}
		p.next()
		d := &TSNamespaceExport{ID: p.bindingIdent()}
		p.semicolon()
		d.Span = p.span(start)
		p.tsEraseStatement(d.Span)
		return d
	case tImport:
		p.next()
		typeOnly := false
		if p.tok == tType && p.peek().tok >= tIdent {
			typeOnly = true
			p.next()
		}
		return p.tsImportEquals(start, p.bindingIdent(), typeOnly, true)
	case tType:
		switch p.peek().tok {
		case tLBrace:
			p.next()
			return p.exportNamed(start, true)
		case tStar:
			p.next()
			return p.exportAll(start, true)
		}
	case tConst:
		if p.peek().tok == tEnum {
			at := p.start
			p.next()
			d := &ExportNamedDeclaration{Declaration: p.tsEnum(at, true, false)}
			d.Span = p.span(start)
			return d
		}
	}
	return nil
}

// importsAlias: what begins with `import` is import x = A.B, which may stand in
// scripts too.
func (p *parser) importsAlias() bool {
	lex := p.lexer
	p.next()
	p.next()
	if p.tok >= tIdent { // import type x =
		p.next()
	}
	ok := p.tok == tAssign
	if p.next(); p.val == "require" {
		ok = false
	}
	p.lexer = lex
	return ok
}

// tsImportEquals parses from `=` on in import a = require("m") or a = B.c.
func (p *parser) tsImportEquals(start int32, id *Identifier, typeOnly, export bool) Stmt {
	d := &TSImportEqualsDeclaration{ID: id, TypeOnly: typeOnly, Export: export}
	p.expect(tAssign)
	if p.tok == tIdent && p.val == "require" && p.peek().tok == tLParen {
		p.next()
		p.next()
		if p.tok != tString {
			p.unexpected()
		}
		d.Require = p.moduleSpecifier()
		p.expect(tRParen)
	} else {
		if !typeOnly {
			p.typ.aliases = append(p.typ.aliases, typeAlias{id.Name, p.val, export})
		}
		d.Path = append(d.Path, p.bindingIdent())
		for p.eat(tDot) {
			if !p.tok.isName() {
				p.unexpected()
			}
			d.Path = append(d.Path, &Identifier{Span{p.start, p.pos}, p.val})
			p.next()
		}
	}
	p.semicolon()
	d.Span = p.span(start)
	if typeOnly {
		p.tsName(id.Name)
		p.tsEraseStatement(d.Span)
		return d
	}
	p.declareLex(id.Name, id.Span, lexMerge, nil)
	p.nonErasable(d.Span, "import =")
	return d
}

// kept reports whether an imported name stays: in TypeScript, one that is used
// as a type only or not at all is dropped.
func (p *parser) kept(name string) bool {
	if !p.ts || p.prog.Func.InnerEval {
		return true
	}
	_, ok := p.typ.used[name]
	return ok
}

// referAliases notes what the aliases that are used refer to.
func (p *parser) referAliases() {
	todo := make(map[string][]string)
	var used []string
	for _, a := range p.typ.aliases {
		if _, ok := p.typ.used[a.name]; ok || a.export {
			used = append(used, a.target)
		} else {
			todo[a.name] = append(todo[a.name], a.target)
		}
	}
	for len(used) > 0 {
		name := used[len(used)-1]
		p.refer(name)
		used = append(used[:len(used)-1], todo[name]...)
		delete(todo, name)
	}
}

// dropImports marks the imported names that are used as types only, and the
// imports and exports of nothing else.
func (p *parser) dropImports() {
	p.referAliases()
	for i, s := range p.prog.Body {
		switch d := s.(type) {
		case *ImportDeclaration:
			if d.TypeOnly || d.Phase == PhaseSource {
				continue
			}
			keep := d.Default != nil && p.kept(d.Default.Name) || d.Namespace != nil && p.kept(d.Namespace.Name)
			for _, sp := range d.Named {
				sp.TypeOnly = sp.TypeOnly || !p.kept(sp.Local.Name)
				keep = keep || !sp.TypeOnly
			}
			if !keep && (d.Default != nil || d.Namespace != nil || d.HasNamed) {
				d.TypeOnly = true
				p.tsEraseStatement(d.Span)
			}
		case *ExportNamedDeclaration:
			if d.TypeOnly || d.Source == nil {
				continue
			}
			keep := false
			for _, sp := range d.Specifiers {
				keep = keep || !sp.TypeOnly
			}
			if !keep {
				d.TypeOnly = true
				p.tsEraseStatement(d.Span)
			}
		case *ExportDefaultDeclaration:
			if id, ok := d.Expression.(*Identifier); ok && p.typeAlone(id) {
				p.prog.Body[i] = &EmptyStatement{d.Span}
				p.tsEraseStatement(d.Span)
			}
		case *TSExportAssignment:
			if id, ok := d.Expression.(*Identifier); ok && p.typeAlone(id) {
				d.TypeOnly = true
				p.tsEraseStatement(d.Span)
			}
		case *TSImportEqualsDeclaration:
			if !d.Export && !d.TypeOnly && !p.kept(d.ID.Name) {
				d.TypeOnly = true
				p.tsEraseStatement(d.Span)
			}
		}
	}
}

// typeAlone reports whether a name is declared as a type and as nothing else.
func (p *parser) typeAlone(id *Identifier) bool {
	_, ok := p.typ.names[id.Name]
	return ok && !p.declaredAtTop(id.Name)
}

// ModuleExports is the name under which a module exports the value of its
// `export =`, which is what `import x = require()` gives; ECMAScript modules
// that mean to be required use the same one.
const ModuleExports = "module.exports"

// RequireName is the name of the import behind import name = require().
func RequireName(name string) string { return "%require " + name }

// tsModuleRecords adds the entries of import x = require() and export =.
func (p *parser) tsModuleRecords() {
	prog := p.prog
	for _, s := range prog.Body {
		switch d := s.(type) {
		case *TSImportEqualsDeclaration:
			if d.Require == nil || d.TypeOnly {
				continue
			}
			r := len(prog.Requests)
			for i, q := range prog.Requests {
				if q.Specifier == d.Require.Value && q.Phase == PhaseEvaluation && len(q.Attributes) == 0 {
					r = i
				}
			}
			if r == len(prog.Requests) {
				prog.Requests = append(prog.Requests, ModuleRequest{d.Require.Value, PhaseEvaluation, nil, d.Require.Span})
			}
			e := ImportEntry{Request: r, Namespace: true, LocalName: RequireName(d.ID.Name), Span: d.ID.Span}
			if strings.HasSuffix(d.Require.Value, ".json") {
				e.Namespace, e.ImportName = false, "default"
			}
			prog.Imports = append(prog.Imports, e)
		case *TSExportAssignment:
			if d.TypeOnly {
				continue
			}
			for _, name := range []string{"default", ModuleExports} {
				prog.LocalExports = append(prog.LocalExports, ExportEntry{Request: -1, LocalName: "*default*", ExportName: name, Span: d.Span})
			}
		}
	}
}
