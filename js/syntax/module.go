package syntax

import "strings"

// exportCheck is a local name that has to be declared by the end.
type exportCheck struct {
	name string
	at   Span
	spec *ExportSpecifier
}

// start0 sets up the context of the goal and reads the first token.
func (p *parser) start0() {
	c := ctx(0)
	o := &p.opt
	if o.Strict {
		c |= cStrict
	}
	if o.AllowNewTarget {
		c |= cNewTarget
	}
	if o.AllowSuperProperty {
		c |= cSuperProp
	}
	if o.AllowSuperCall {
		c |= cSuperCall
	}
	if o.InClassFieldInit {
		c |= cNoArguments
	}
	switch o.Goal {
	case Module:
		c |= cStrict | cModule | cAsync | cUsingAllowed
	case FunctionBody:
		c |= cAsync | cReturn | cUsingAllowed
	}
	p.ctx = c
	if len(o.PrivateNames) > 0 {
		p.private.outer = make(map[string]struct{}, len(o.PrivateNames))
		for _, n := range o.PrivateNames {
			p.private.outer[n] = struct{}{}
		}
	}
	// What reads a file takes its byte order mark away; a program that reaches
	// us with one may have a hashbang behind it all the same.
	hash := 0
	if o.Goal == FunctionBody || o.Goal == Module {
		hash = len(p.src) - len(strings.TrimPrefix(p.src, "\ufeff"))
	}
	if strings.HasPrefix(p.src[hash:], "#!") {
		end := p.lineComment(hash + 2)
		p.prog.Hashbang = Span{int32(hash), int32(end)}
		p.pos = int32(end)
		p.begin = -1
	}
	p.prog.Func = &Function{SimpleParams: true, Async: o.Goal == FunctionBody || o.Goal == Module, Span: p.prog.Span, BodySpan: p.prog.Span}
	p.openFunctionScope()
	p.next()
}

// program parses the whole text.
func (p *parser) program() {
	p.start0()
	p.programBody()
}

func (p *parser) programBody() {
	prog := p.prog
	fn := prog.Func
	body, dirs := p.directives(fn)
	pl := inList
	if p.opt.Goal == Module {
		pl = inModule
	}
	for p.tok != tEOF {
		body = append(body, p.statement(pl))
	}
	prog.Body, prog.Directives = body, dirs
	p.endProgram()
}

// endProgram checks what can only be checked at the end and fills in the
// program's function.
func (p *parser) endProgram() {
	prog := p.prog
	fn := prog.Func
	for _, e := range p.exportLocal {
		if p.declaredAtTop(e.name) {
			continue
		}
		if p.ts {
			if _, ok := p.typ.names[e.name]; ok {
				// A type: the specifier goes away with it.
				if e.spec != nil {
					e.spec.TypeOnly = true
				}
				continue
			}
		}
		p.failf(e.at, "Export '%s' is not defined in module", e.name)
	}
	prog.Strict = p.strict()
	fn.Strict = prog.Strict
	fn.Body, fn.Directives = prog.Body, prog.Directives
	fn.setUses(p.use)
	if p.opt.Goal == Module {
		p.moduleRecords()
	}
}

// loneExpression parses a text that is one expression.
func (p *parser) loneExpression() {
	start := p.start
	e := p.expression()
	p.eat(tSemi)
	if p.tok != tEOF {
		p.unexpected()
	}
	p.prog.Body = []Stmt{&ExpressionStatement{Span: p.span(start), Expression: e}}
	p.prog.LoneExpression = e
	p.endProgram()
}

// ---- Imports ----

func (p *parser) importDeclaration(start int32) Stmt {
	d := &ImportDeclaration{}
	p.next()
	if p.tok == tString {
		d.Source = p.moduleSpecifier()
		d.Attributes = p.attributes()
		p.semicolon()
		d.Span = p.span(start)
		return d
	}
	if p.ts && p.tok == tType && !p.esc {
		ahead := p.peek()
		if ahead.tok == tLBrace || ahead.tok == tStar || ahead.tok >= tIdent && (ahead.tok != tFrom || p.typeNamedFrom()) {
			d.TypeOnly = true
			p.next()
		}
	}
	if p.tok == tIdent && !p.esc {
		switch p.val {
		case "defer":
			if p.peek().tok == tStar {
				d.Phase = PhaseDefer
				p.next()
			}
		case "source":
			if ahead := p.peek(); ahead.tok >= tIdent && (ahead.tok != tFrom || p.typeNamedFrom()) {
				d.Phase = PhaseSource
				p.next()
			}
		}
	}
	if p.tok >= tIdent {
		d.Default = p.bindingIdent()
		if p.ts && p.tok == tAssign {
			return p.tsImportEquals(start, d.Default, d.TypeOnly, false)
		}
		p.declareImport(d.Default, d.TypeOnly)
		if d.Phase == PhaseSource || !p.eat(tComma) {
			p.importFrom(d, start)
			return d
		}
	}
	switch p.tok {
	case tStar:
		p.next()
		if p.tok != tAs || p.esc {
			p.unexpected()
		}
		p.next()
		d.Namespace = p.bindingIdent()
		p.declareImport(d.Namespace, d.TypeOnly)
	case tLBrace:
		if d.Phase != PhaseEvaluation {
			p.unexpected()
		}
		d.HasNamed = true
		p.next()
		for p.tok != tRBrace {
			d.Named = append(d.Named, p.importSpecifier(d))
			if p.tok != tComma {
				break
			}
			p.next()
		}
		p.expect(tRBrace)
	default:
		if d.Default != nil && !p.ts {
			p.fail(p.prevEnd-1, p.prevEnd, "Unexpected token ','")
		}
		p.unexpected()
	}
	p.importFrom(d, start)
	return d
}

// typeNamedFrom: the current word is followed by `from from`, so that the first
// `from` is a name.
func (p *parser) typeNamedFrom() bool {
	lex := p.lexer
	p.next()
	ahead := p.peek()
	p.lexer = lex
	return ahead.tok == tFrom || ahead.tok == tAssign
}

func (p *parser) declareImport(id *Identifier, typeOnly bool) {
	if typeOnly {
		p.tsName(id.Name)
		return
	}
	p.declareLex(id.Name, id.Span, lexNormal, nil)
}

func (p *parser) importFrom(d *ImportDeclaration, start int32) {
	if p.tok != tFrom || p.esc {
		p.unexpected()
	}
	p.next()
	if p.tok != tString {
		p.unexpected()
	}
	d.Source = p.moduleSpecifier()
	d.Attributes = p.attributes()
	p.semicolon()
	d.Span = p.span(start)
	if d.TypeOnly {
		p.tsEraseStatement(d.Span)
	}
}

func (p *parser) moduleSpecifier() *StringLiteral {
	p.checkOctal()
	s := &StringLiteral{Span{p.start, p.pos}, p.val}
	p.next()
	return s
}

func (p *parser) importSpecifier(d *ImportDeclaration) *ImportSpecifier {
	s := &ImportSpecifier{}
	start := p.start
	if p.ts && p.tok == tType && !p.esc {
		s.TypeOnly = p.inlineType()
	}
	tok := p.lexer
	s.Imported = p.moduleName()
	if p.tok == tAs && !p.esc {
		p.next()
		s.Local = p.bindingIdent()
	} else {
		if s.Imported.String || tok.tok < tIdent {
			p.fail(tok.start, tok.pos, "Unexpected reserved word")
		}
		after := p.lexer
		p.lexer = tok
		s.Local = p.bindingIdent()
		p.lexer = after
	}
	s.Span = p.span(start)
	p.declareImport(s.Local, d.TypeOnly || s.TypeOnly)
	if s.TypeOnly {
		p.eraseSpecifier(s.Span)
	}
	return s
}

// eraseSpecifier erases a specifier with the comma behind it.
func (p *parser) eraseSpecifier(s Span) {
	if p.tok == tComma {
		s.End = p.pos
	}
	p.tsErase(s)
}

// inlineType reads the modifier `type` of a specifier, if it is one (TypeScript
// 4.5): {type}, {type as}, {type as as} and {type as x} name something called
// type.
func (p *parser) inlineType() bool {
	lex := p.lexer
	p.next()
	switch {
	case p.tok == tComma || p.tok == tRBrace:
	case p.tok == tAs && !p.esc:
		ahead := p.peek()
		if ahead.tok == tComma || ahead.tok == tRBrace {
			return true // {type as}: the type called as
		}
		if ahead.tok == tAs {
			as := p.lexer
			p.next()
			third := p.peek()
			p.lexer = as
			if third.tok.isName() || third.tok == tString {
				return true // {type as as x}
			}
		}
	default:
		return true
	}
	p.lexer = lex
	return false
}

// moduleName parses ModuleExportName.
func (p *parser) moduleName() ModuleName {
	m := ModuleName{Span: Span{p.start, p.pos}, Name: p.val}
	switch {
	case p.tok == tString:
		m.String = true
		for i := 0; i < len(m.Name); i++ {
			if m.Name[i] == 0xED && i+1 < len(m.Name) && m.Name[i+1] >= 0xA0 {
				p.fail(p.start, p.pos, "Invalid module export name: contains unpaired surrogate character")
			}
		}
		p.work += len(m.Name) >> 6
	case p.tok < tBreak:
		p.unexpected()
	}
	p.next()
	return m
}

// attributes parses an optional WithClause.
func (p *parser) attributes() []*ImportAttribute {
	if p.tok != tWith {
		return nil
	}
	p.next()
	p.expect(tLBrace)
	list := []*ImportAttribute{}
	var seen map[string]struct{}
	for p.tok != tRBrace {
		a := &ImportAttribute{}
		start := p.start
		if p.tok != tString && p.tok < tBreak {
			p.unexpected()
		}
		a.Key = p.val
		if _, dup := seen[a.Key]; dup {
			p.fail(p.start, p.pos, "Import attributes has a duplicate key '"+a.Key+"'")
		}
		if seen == nil {
			seen = make(map[string]struct{})
		}
		seen[a.Key] = struct{}{}
		p.next()
		p.expect(tColon)
		if p.tok != tString {
			p.unexpected()
		}
		a.Value = p.val
		p.next()
		a.Span = p.span(start)
		list = append(list, a)
		if p.tok != tComma {
			break
		}
		p.next()
	}
	p.expect(tRBrace)
	return list
}

// ---- Exports ----

func (p *parser) exportDeclaration(start int32, decos []*Decorator) Stmt { //meter: once: decorators stand on one side of export, and declarations that nest enter
	p.next()
	switch p.tok {
	case tStar:
		return p.exportAll(start, false)
	case tLBrace:
		return p.exportNamed(start, false)
	case tDefault:
		return p.exportDefault(start, decos)
	}
	if p.ts {
		if s := p.tsExport(start); s != nil {
			return s
		}
	}
	d := &ExportNamedDeclaration{}
	at := p.start
	switch {
	case p.tok == tVar || p.tok == tConst || p.tok == tLet || p.tok == tFunction || p.tok == tClass || p.tok == tAt || p.tok == tAsync && p.peek().tok == tFunction:
		if p.tok == tClass || p.tok == tAt {
			if p.tok == tClass {
				d.Declaration = p.classDeclaration(at, false, decos)
			} else {
				d.Declaration = p.classStatement(at, inList)
			}
		} else {
			d.Declaration = p.statement(inList)
		}
	case p.ts:
		s := p.tsStatement(at, inList, true)
		if s == nil {
			p.unexpected()
		}
		d.Declaration = s
	default:
		p.fail(start, start+int32(len("export")), "Unexpected token 'export'")
	}
	d.Span = p.span(start)
	p.exportDeclared(d)
	return d
}

// exportDeclared records the names that an exported declaration exports.
func (p *parser) exportDeclared(d *ExportNamedDeclaration) {
	name := func(id *Identifier) { p.exportName(id.Name, id.Span) }
	switch s := d.Declaration.(type) {
	case *VariableDeclaration:
		if s.Declare {
			p.tsEraseStatement(d.Span)
			return
		}
		for _, v := range s.Declarations {
			boundNames(v.ID, name)
		}
	case *FunctionDeclaration:
		name(s.Func.ID)
	case *ClassDeclaration:
		if s.Declare {
			p.tsEraseStatement(d.Span)
			return
		}
		name(s.Class.ID)
	case *TSEnumDeclaration:
		if s.Declare {
			p.tsEraseStatement(d.Span)
		}
	case *TSModuleDeclaration:
		if s.TypeOnly {
			p.tsEraseStatement(d.Span)
		}
	case *TSImportEqualsDeclaration:
		s.Export = true
	case *TSInterfaceDeclaration, *TSTypeAliasDeclaration, *TSDeclareFunction:
		p.tsEraseStatement(d.Span)
	}
}

// exportName records an exported name; twice is an error.
func (p *parser) exportName(name string, at Span) {
	if p.typ.namespaces > 0 {
		return
	}
	if p.exportNames == nil {
		p.exportNames = make(map[string]struct{})
	}
	if _, dup := p.exportNames[name]; dup {
		p.failf(at, "Duplicate export of '%s'", name)
	}
	p.exportNames[name] = struct{}{}
}

func (p *parser) exportAll(start int32, typeOnly bool) Stmt {
	d := &ExportAllDeclaration{TypeOnly: typeOnly}
	p.next()
	if p.tok == tAs && !p.esc {
		p.next()
		m := p.moduleName()
		d.Exported = &m
		if !typeOnly {
			p.exportName(m.Name, m.Span)
		}
	}
	if p.tok != tFrom || p.esc {
		p.unexpected()
	}
	p.next()
	if p.tok != tString {
		p.unexpected()
	}
	d.Source = p.moduleSpecifier()
	d.Attributes = p.attributes()
	p.semicolon()
	d.Span = p.span(start)
	if typeOnly {
		p.tsEraseStatement(d.Span)
	}
	return d
}

func (p *parser) exportNamed(start int32, typeOnly bool) Stmt {
	d := &ExportNamedDeclaration{TypeOnly: typeOnly}
	// Local names may not be reserved words or strings, but that is only known
	// when no `from` follows.
	var bad lexer
	p.next()
	for p.tok != tRBrace {
		s := &ExportSpecifier{}
		at := p.start
		if p.ts && p.tok == tType && !p.esc {
			s.TypeOnly = p.inlineType()
		}
		if bad.tok == tEOF && (p.tok < tIdent || p.strict() && isStrictReserved(p.val) || p.tok == tAwait || p.esc && p.val == "await") {
			bad = p.lexer
		}
		s.Local = p.moduleName()
		s.Exported = s.Local
		if p.tok == tAs && !p.esc {
			p.next()
			s.Exported = p.moduleName()
		}
		s.Span = p.span(at)
		d.Specifiers = append(d.Specifiers, s)
		if s.TypeOnly {
			p.eraseSpecifier(s.Span)
		} else if !typeOnly {
			p.exportName(s.Exported.Name, s.Exported.Span)
		}
		if p.tok != tComma {
			break
		}
		p.next()
	}
	p.expect(tRBrace)
	if p.tok == tFrom && !p.esc {
		p.next()
		if p.tok != tString {
			p.unexpected()
		}
		d.Source = p.moduleSpecifier()
		d.Attributes = p.attributes()
	} else {
		if bad.tok != tEOF {
			p.lexer = bad
			p.unexpected()
		}
		if !typeOnly && p.typ.namespaces == 0 {
			for _, s := range d.Specifiers {
				if !s.TypeOnly {
					p.refer(s.Local.Name)
					p.exportLocal = append(p.exportLocal, exportCheck{s.Local.Name, s.Local.Span, s})
				}
			}
		}
	}
	p.semicolon()
	d.Span = p.span(start)
	if typeOnly {
		p.tsEraseStatement(d.Span)
	}
	return d
}

func (p *parser) exportDefault(start int32, decos []*Decorator) Stmt {
	d := &ExportDefaultDeclaration{}
	p.exportName("default", Span{p.start, p.pos})
	p.next()
	at := p.start
	switch {
	case p.tok == tFunction || p.tok == tAsync && !p.esc && p.isAsyncFunction():
		d.Declaration = p.functionDeclaration(at, true)
		if _, ok := d.Declaration.(*TSDeclareFunction); ok {
			delete(p.exportNames, "default")
			p.tsEraseStatement(p.span(start))
		}
	case p.tok == tClass:
		d.Declaration = p.classDeclaration(at, true, decos)
	case p.tok == tAt:
		decos = p.decorators()
		if p.tok != tClass {
			p.unexpected()
		}
		d.Declaration = p.classDeclaration(at, true, decos)
	case p.ts && p.tok == tAbstract && p.peek().tok == tClass:
		p.tsErase(Span{p.start, p.pos})
		p.next()
		d.Declaration = p.classDeclaration(at, true, decos)
	case p.ts && p.tok == tInterface:
		d.Declaration = p.tsStatement(at, inList, true)
		if d.Declaration == nil {
			p.unexpected()
		}
		delete(p.exportNames, "default")
		p.tsEraseStatement(p.span(start))
	default:
		d.Expression = p.assign()
		p.semicolon()
	}
	d.Span = p.span(start)
	return d
}

func (p *parser) isAsyncFunction() bool {
	ahead := p.peek()
	return ahead.tok == tFunction && !ahead.nl
}

// ---- Records ----

// moduleRecords fills in the import and export entries (16.2.1.7.1).
func (p *parser) moduleRecords() {
	prog := p.prog
	requests := make(map[string]int)
	request := func(src *StringLiteral, phase ImportPhase, attrs []*ImportAttribute) int {
		key := string(rune('0'+phase)) + src.Value
		for _, a := range attrs {
			key += "\x00" + a.Key + "\x00" + a.Value
		}
		i, ok := requests[key]
		if !ok {
			i = len(prog.Requests)
			requests[key] = i
			prog.Requests = append(prog.Requests, ModuleRequest{src.Value, phase, attrs, src.Span})
		}
		return i
	}
	if p.ts {
		p.dropImports()
	}
	// Requests are numbered in source order.
	for _, s := range prog.Body {
		switch d := s.(type) {
		case *ImportDeclaration:
			if !d.TypeOnly {
				request(d.Source, d.Phase, d.Attributes)
			}
		case *ExportAllDeclaration:
			if !d.TypeOnly {
				request(d.Source, PhaseEvaluation, d.Attributes)
			}
		case *ExportNamedDeclaration:
			if !d.TypeOnly && d.Source != nil {
				request(d.Source, PhaseEvaluation, d.Attributes)
			}
		}
	}
	imported := make(map[string]int)
	for _, s := range prog.Body {
		d, ok := s.(*ImportDeclaration)
		if !ok || d.TypeOnly {
			continue
		}
		r := request(d.Source, d.Phase, d.Attributes)
		add := func(e ImportEntry) {
			e.Request = r
			imported[e.LocalName] = len(prog.Imports)
			prog.Imports = append(prog.Imports, e)
		}
		if d.Default != nil && p.kept(d.Default.Name) {
			add(ImportEntry{ImportName: "default", Source: d.Phase == PhaseSource, LocalName: d.Default.Name, Span: d.Default.Span})
		}
		if d.Namespace != nil && p.kept(d.Namespace.Name) {
			add(ImportEntry{Namespace: true, LocalName: d.Namespace.Name, Span: d.Namespace.Span})
		}
		for _, sp := range d.Named {
			if !sp.TypeOnly {
				add(ImportEntry{ImportName: sp.Imported.Name, LocalName: sp.Local.Name, Span: sp.Span})
			}
		}
	}
	local := func(name, exported string, at Span) {
		if i, ok := imported[name]; ok {
			if e := prog.Imports[i]; !e.Namespace && !e.Source {
				prog.IndirectExports = append(prog.IndirectExports, ExportEntry{Request: e.Request, ImportName: e.ImportName, ExportName: exported, Span: at})
				return
			}
		}
		prog.LocalExports = append(prog.LocalExports, ExportEntry{Request: -1, LocalName: name, ExportName: exported, Span: at})
	}
	for _, s := range prog.Body {
		switch d := s.(type) {
		case *ExportAllDeclaration:
			if d.TypeOnly {
				continue
			}
			r := request(d.Source, PhaseEvaluation, d.Attributes)
			if d.Exported == nil {
				prog.StarExports = append(prog.StarExports, ExportEntry{Request: r, Span: d.Span})
			} else {
				prog.IndirectExports = append(prog.IndirectExports, ExportEntry{Request: r, Namespace: true, ExportName: d.Exported.Name, Span: d.Span})
			}
		case *ExportDefaultDeclaration:
			name := "*default*"
			switch f := d.Declaration.(type) {
			case *FunctionDeclaration:
				if f.Func.ID != nil {
					name = f.Func.ID.Name
				}
			case *ClassDeclaration:
				if f.Class.ID != nil {
					name = f.Class.ID.Name
				}
			case *TSInterfaceDeclaration, *TSDeclareFunction:
				continue
			}
			local(name, "default", d.Span)
		case *ExportNamedDeclaration:
			if d.TypeOnly {
				continue
			}
			p.namedExports(d, request, local)
		}
	}
}

func (p *parser) namedExports(d *ExportNamedDeclaration, request func(*StringLiteral, ImportPhase, []*ImportAttribute) int, local func(string, string, Span)) {
	prog := p.prog
	if d.Source != nil {
		r := request(d.Source, PhaseEvaluation, d.Attributes)
		for _, s := range d.Specifiers {
			if !s.TypeOnly {
				prog.IndirectExports = append(prog.IndirectExports, ExportEntry{Request: r, ImportName: s.Local.Name, ExportName: s.Exported.Name, Span: s.Span})
			}
		}
		return
	}
	for _, s := range d.Specifiers {
		if !s.TypeOnly {
			local(s.Local.Name, s.Exported.Name, s.Span)
		}
	}
	name := func(id *Identifier) { local(id.Name, id.Name, id.Span) }
	switch s := d.Declaration.(type) {
	case *VariableDeclaration:
		if !s.Declare {
			for _, v := range s.Declarations {
				boundNames(v.ID, name)
			}
		}
	case *FunctionDeclaration:
		name(s.Func.ID)
	case *ClassDeclaration:
		if !s.Declare {
			name(s.Class.ID)
		}
	case *TSEnumDeclaration:
		if !s.Declare {
			name(s.ID)
		}
	case *TSModuleDeclaration:
		if !s.TypeOnly && len(s.Path) > 0 {
			name(s.Path[0])
		}
	}
}
