package syntax

// Early errors about declared names (14.2.1, 14.12.1, 14.15.1, 15.2.1, 16.1.1
// and B.3.2) need to know, at each declaration, which lexical names are visible
// and which vars have passed through the current block. All of it is kept by
// name, so that each check takes constant time however deep blocks nest:
// time counts declarations and scopes, and since scopes nest, "a var of this
// name was declared inside of scope S" is "its last declaration in this
// function is younger than S".

type lexKind uint8

const (
	lexNormal      lexKind = iota // let, const, class, using, import
	lexFunction                   // sloppy plain function in a block
	lexCatchSimple                // catch (e)
	lexCatch                      // a name of a catch pattern
	lexMerge                      // TypeScript's enum and namespace
)

// nameRec is what is known about one name.
type nameRec struct {
	lex   int32 // index of the innermost lexical declaration in scopeState.decls, -1
	v     varRec
	cands []candidate
}

// varRec is the last var-like declaration of a name in a function.
type varRec struct {
	fn    int32
	time  int32
	param bool
	fun   bool // a function declaration, with which TypeScript may merge
}

// candidate is a function in a block that may make a var binding (B.3.2).
type candidate struct {
	decl  *FunctionDeclaration
	fn    int32
	scope int32 // start of its own scope
	time  int32
}

type lexDecl struct {
	rec     *nameRec
	prev    int32 // the declaration of the name that this one hides
	scope   int32 // index in scopeState.stack
	kind    lexKind
	blocked bool // a var of this name conflicts even if this one is ignored
}

type scope struct {
	start int32 // time
	decls int32 // length of decls at its start
	fn    bool  // a function's outermost scope (parameters and body)
	body  bool  // the block of a catch clause
}

type varUndo struct {
	rec *nameRec
	old varRec
}

type scopeState struct {
	names  map[string]*nameRec
	stack  []scope
	decls  []lexDecl
	undo   []varUndo
	cands  []*nameRec
	time   int32
	fn     int32 // id of the current function
	lastFn int32
	fnBase int32 // index of the current function's scope
}

// fnScope is what leaving a function has to restore.
type fnScope struct {
	fn, fnBase  int32
	undo, cands int
}

func (s *scopeState) rec(name string) *nameRec {
	r := s.names[name]
	if r == nil {
		r = &nameRec{lex: -1}
		if s.names == nil {
			s.names = make(map[string]*nameRec)
		}
		s.names[name] = r
	}
	return r
}

func (p *parser) openScope() {
	s := &p.scopes
	s.time++
	s.stack = append(s.stack, scope{start: s.time, decls: int32(len(s.decls))})
}

func (p *parser) closeScope() {
	s := &p.scopes
	top := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	for i := len(s.decls) - 1; i >= int(top.decls); i-- {
		d := &s.decls[i]
		d.rec.lex = d.prev
	}
	s.decls = s.decls[:top.decls]
}

func (p *parser) openFunctionScope() fnScope {
	s := &p.scopes
	saved := fnScope{s.fn, s.fnBase, len(s.undo), len(s.cands)}
	p.openScope()
	s.lastFn++
	s.fn = s.lastFn
	s.fnBase = int32(len(s.stack) - 1)
	s.stack[s.fnBase].fn = true
	return saved
}

func (p *parser) closeFunctionScope(saved fnScope) {
	s := &p.scopes
	p.closeScope()
	for i := len(s.cands) - 1; i >= saved.cands; i-- {
		rec := s.cands[i]
		for k := len(rec.cands); k > 0 && rec.cands[k-1].fn == s.fn; k = len(rec.cands) {
			rec.cands = rec.cands[:k-1]
		}
	}
	s.cands = s.cands[:saved.cands]
	for i := len(s.undo) - 1; i >= saved.undo; i-- {
		s.undo[i].rec.v = s.undo[i].old
	}
	s.undo = s.undo[:saved.undo]
	s.fn, s.fnBase = saved.fn, saved.fnBase
}

func (p *parser) redeclared(name string, at Span) {
	p.failf(at, "Identifier '%s' has already been declared", name)
}

// noteVar records a var-like declaration in the current function.
func (s *scopeState) noteVar(rec *nameRec, param, fun bool) {
	s.time++
	if rec.v.fn != s.fn {
		s.undo = append(s.undo, varUndo{rec, rec.v})
		rec.v = varRec{fn: s.fn}
	}
	rec.v.time = s.time
	rec.v.param = rec.v.param || param
	rec.v.fun = fun
}

// declareParam records a parameter; it reports whether the function has one of
// that name already.
func (p *parser) declareParam(name string) bool {
	s := &p.scopes
	rec := s.rec(name)
	dup := rec.v.fn == s.fn && rec.v.param
	s.noteVar(rec, true, false)
	return dup
}

// declareVar records a var, or a function at the top of a function or script.
func (p *parser) declareVar(name string, at Span, fun bool) {
	s := &p.scopes
	rec := s.rec(name)
	if rec.lex >= 0 {
		d := &s.decls[rec.lex]
		if d.scope >= s.fnBase && (d.kind != lexCatchSimple || d.blocked) && !(d.kind == lexMerge && fun) {
			p.redeclared(name, at)
		}
	}
	s.noteVar(rec, false, fun)
}

// declareLex records a lexical declaration in the current scope. decl is the
// declaration for lexFunction.
func (p *parser) declareLex(name string, at Span, kind lexKind, decl *FunctionDeclaration) {
	s := &p.scopes
	rec := s.rec(name)
	top := int32(len(s.stack) - 1)
	sc := &s.stack[top]
	again := false
	if rec.lex >= 0 {
		d := &s.decls[rec.lex]
		switch {
		case d.scope == top:
			again = d.kind == lexFunction && kind == lexFunction || p.ts && (d.kind == lexMerge || kind == lexMerge)
			if !again {
				p.redeclared(name, at)
			}
		case sc.body && d.scope == top-1:
			p.redeclared(name, at)
		}
	}
	if rec.v.fn == s.fn && rec.v.time > sc.start && !(kind == lexMerge && rec.v.fun) {
		p.redeclared(name, at)
	}
	s.time++
	if !again {
		// Functions in blocks inside of this scope can't be hoisted past it.
		for k := len(rec.cands); k > 0; k = len(rec.cands) {
			c := &rec.cands[k-1]
			if c.fn != s.fn || c.time < sc.start || c.scope == sc.start {
				break
			}
			c.decl.AnnexBHoist = false
			rec.cands = rec.cands[:k-1]
		}
	}
	blocked := false
	if rec.lex >= 0 {
		if d := &s.decls[rec.lex]; d.scope >= s.fnBase {
			blocked = d.kind != lexCatchSimple || d.blocked
			if d.scope == top {
				blocked = d.blocked
			}
		}
	}
	if !again {
		s.decls = append(s.decls, lexDecl{rec: rec, prev: rec.lex, scope: top, kind: kind, blocked: blocked})
		rec.lex = int32(len(s.decls) - 1)
	}
	if kind == lexFunction && decl != nil && !blocked && !(rec.v.fn == s.fn && rec.v.param) {
		decl.AnnexBHoist = true
		rec.cands = append(rec.cands, candidate{decl, s.fn, sc.start, s.time})
		s.cands = append(s.cands, rec)
	}
}

// atTop: the current scope is that of a function, script or module.
func (p *parser) atTop() bool { return p.scopes.stack[len(p.scopes.stack)-1].fn }

// declaredAtTop reports whether a name is declared by the script or module
// itself; only to be asked at its end.
func (p *parser) declaredAtTop(name string) bool {
	rec := p.scopes.names[name]
	return rec != nil && (rec.lex >= 0 || rec.v.fn == p.scopes.fn)
}

// declarePattern records the names of a binding pattern. Each pattern is walked
// once, when its declaration is complete.
func (p *parser) declarePattern(t Pattern, kind DeclKind) { //meter: as deep as the tree, which the parser bounds
	switch t := t.(type) {
	case *Identifier:
		if kind == DeclVar {
			p.declareVar(t.Name, t.Span, false)
			return
		}
		if t.Name == "let" {
			p.failAt(t, "let is disallowed as a lexically bound name")
		}
		p.declareLex(t.Name, t.Span, lexNormal, nil)
	case *ObjectPattern:
		for _, q := range t.Properties {
			p.declarePattern(q.Value, kind)
		}
		if t.Rest != nil {
			p.declarePattern(t.Rest.Argument, kind)
		}
	case *ArrayPattern:
		for _, q := range t.Elements {
			if q != nil {
				p.declarePattern(q, kind)
			}
		}
	case *AssignmentPattern:
		p.declarePattern(t.Left, kind)
	case *RestElement:
		p.declarePattern(t.Argument, kind)
	}
}

// boundNames calls f for each name of a binding pattern (8.2.1).
func boundNames(t Pattern, f func(*Identifier)) { //meter: as deep as the tree, which the parser bounds
	switch t := t.(type) {
	case *Identifier:
		f(t)
	case *ObjectPattern:
		for _, q := range t.Properties {
			boundNames(q.Value, f)
		}
		if t.Rest != nil {
			boundNames(t.Rest.Argument, f)
		}
	case *ArrayPattern:
		for _, q := range t.Elements {
			if q != nil {
				boundNames(q, f)
			}
		}
	case *AssignmentPattern:
		boundNames(t.Left, f)
	case *RestElement:
		boundNames(t.Argument, f)
	}
}

// Private names (15.7.1 AllPrivateIdentifiersValid). References wait, by name,
// until a class around them declares the name or the outermost class ends.

type privateKind uint8

const (
	privField privateKind = iota + 1
	privGet
	privSet
	privStaticGet
	privStaticSet
	privBoth
)

type privateRec struct {
	name    string
	pending []int32 // offsets of references
	class   int     // the class (by id) that declares it now
	kind    privateKind
}

type privateUndo struct {
	rec   *privateRec
	class int
	kind  privateKind
}

type privateState struct {
	names  map[string]*privateRec
	order  []*privateRec
	undo   []privateUndo
	class  int // id of the current class body
	lastID int
	outer  map[string]struct{}
}

func (s *privateState) rec(name string) *privateRec {
	r := s.names[name]
	if r == nil {
		if s.names == nil {
			s.names = make(map[string]*privateRec)
		}
		r = &privateRec{name: name}
		s.names[name] = r
		s.order = append(s.order, r)
	}
	return r
}

func (p *parser) usePrivate(name string, at Span) {
	s := &p.private
	if _, ok := s.outer[name]; ok {
		return
	}
	if p.classes == 0 {
		p.failf(at, "Private field '#%s' must be declared in an enclosing class", name)
	}
	rec := s.rec(name)
	rec.pending = append(rec.pending, at.Start)
}

// declarePrivate records a private name of the current class.
func (p *parser) declarePrivate(name string, at Span, kind privateKind) {
	s := &p.private
	if name == "constructor" {
		p.fail(at.Start, at.End, "Classes may not have a private field named '#constructor'")
	}
	rec := s.rec(name)
	if rec.class == s.class {
		a, b := min(rec.kind, kind), max(rec.kind, kind)
		if !(a == privGet && b == privSet || a == privStaticGet && b == privStaticSet) {
			p.failf(at, "Identifier '#%s' has already been declared", name)
		}
		rec.kind = privBoth
		return
	}
	s.undo = append(s.undo, privateUndo{rec, rec.class, rec.kind})
	rec.class, rec.kind = s.class, kind
}

// privateClass is what leaving a class body has to restore.
type privateClass struct {
	class, undo int
}

func (p *parser) openPrivate() privateClass {
	s := &p.private
	saved := privateClass{s.class, len(s.undo)}
	s.lastID++
	s.class = s.lastID
	p.classes++
	return saved
}

// closePrivate resolves the references since the body's start.
func (p *parser) closePrivate(saved privateClass, start int32) {
	s := &p.private
	for i := len(s.undo) - 1; i >= saved.undo; i-- {
		u := s.undo[i]
		for k := len(u.rec.pending); k > 0 && u.rec.pending[k-1] >= start; k = len(u.rec.pending) {
			u.rec.pending = u.rec.pending[:k-1]
		}
		u.rec.class, u.rec.kind = u.class, u.kind
	}
	s.undo = s.undo[:saved.undo]
	s.class = saved.class
	p.classes--
	if p.classes > 0 {
		return
	}
	first, name := int32(-1), ""
	for _, rec := range s.order {
		if len(rec.pending) > 0 && (first < 0 || rec.pending[0] < first) {
			first, name = rec.pending[0], rec.name
		}
	}
	if first >= 0 {
		p.failf(Span{first, first + int32(len(name)) + 1}, "Private field '#%s' must be declared in an enclosing class", name)
	}
	s.names, s.order = nil, nil
}
