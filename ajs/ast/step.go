package ast

// Pos is a place in the source: Line from 1, Column from 0 in UTF-16 units. The
// zero Pos is unknown.
type Pos struct{ Line, Column int32 }

// Program is the root of an AST.
type Program struct {
	Version      int
	Steps        []*Step
	InputSchema  any // JSON data; HasInput says whether there is one
	OutputSchema any
	HasInput     bool
	HasOutput    bool
	Helpers      []Helper
	Extra        Object // members of the root that this code doesn't know
}

// Helper is a local function. Its parameters are positional. Input, if there
// is one, is the contract of its arguments: a schema of an object by parameter
// name. Output is the contract of what it returns.
type Helper struct {
	Name      string
	Params    []string
	Steps     []*Step
	Input     any
	HasInput  bool
	Output    any
	HasOutput bool
}

// Helper returns the helper of a name, or nil.
func (p *Program) Helper(name string) *Helper {
	for i := range p.Helpers {
		if p.Helpers[i].Name == name {
			return &p.Helpers[i]
		}
	}
	return nil
}

// Step is one call of an operation. Result is the variable that gets its value,
// "" for none; ResultConst declares it const, ResultAssign writes the variable
// where it is declared.
type Step struct {
	Op           string
	Result       string
	ResultConst  bool
	ResultAssign bool
	Body         Body
	Extra        Object // fields the operation doesn't define, kept as data
	Pos          Pos
}

// Body holds the fields of a step by operation. Blocks that may be absent are
// nil then; an absent value is nil.
type Body interface{ body() }

// Key is one entry of VarsImport or VarsExport: the argument or variable Name
// under the name Alias.
type Key struct{ Alias, Name string }

type (
	// Block is the fields of seq and scope.
	Block struct{ Steps []*Step }
	// Vars is the fields of varsImport and varsExport. Renamed: the keys were
	// written as an object.
	Vars struct {
		Keys    []Key
		Renamed bool
	}
	// Assign is the fields of varSet, constSet and varAssign.
	Assign struct {
		Key   string
		Value Value
	}
	// VarGet is the fields of varGet.
	VarGet struct{ Key string }
	// If is the fields of if. Condition is a node position.
	If struct {
		Condition  Value
		Then, Else []*Step
	}
	// While is the fields of while.
	While struct {
		Condition Value
		Body      []*Step
	}
	// Map is the fields of map; Loop marks a for…of body.
	Map struct {
		Items Value
		As    string
		Steps []*Step
		Loop  bool
	}
	// Filter is the fields of filter and find.
	Filter struct {
		Items     Value
		As        string
		Condition Value
	}
	// Reduce is the fields of reduce.
	Reduce struct {
		Items       Value
		As          string
		Accumulator string
		Initial     Value
		Steps       []*Step
	}
	// Try is the fields of try. Catch is nil without a catch block.
	Try struct {
		Try, Catch []*Step
		CatchParam string
	}
	// Return is the fields of return. Version 1 may carry Schema instead of a
	// value.
	Return struct {
		Value     Value
		Schema    any
		HasSchema bool
	}
	// Evaluate is the fields of evaluate.
	Evaluate struct{ Value Value }
	// CallLocal is the fields of callLocal.
	CallLocal struct {
		Name string
		Args []Value
	}
	// ErrorCall is the fields of Error. Args is nil if absent.
	ErrorCall struct{ Args []Value }
	// Keyed is the fields of memoize and cache.
	Keyed struct {
		Key   Value
		Steps []*Step
		TTL   Value // ttlMs, of cache
	}
	// Atom is the fields of every other operation: its inputs by name.
	Atom struct{ Inputs []Field }
)

func (*Block) body()     {}
func (*Vars) body()      {}
func (*Assign) body()    {}
func (*VarGet) body()    {}
func (*If) body()        {}
func (*While) body()     {}
func (*Map) body()       {}
func (*Filter) body()    {}
func (*Reduce) body()    {}
func (*Try) body()       {}
func (*Return) body()    {}
func (*Evaluate) body()  {}
func (*CallLocal) body() {}
func (*ErrorCall) body() {}
func (*Keyed) body()     {}
func (*Atom) body()      {}

// Input returns an input of an atom, nil if absent.
func (a *Atom) Input(name string) Value {
	for i := range a.Inputs {
		if a.Inputs[i].Name == name {
			return a.Inputs[i].Value
		}
	}
	return nil
}

// Blocks calls f for each block of steps directly in a step, in order.
func (s *Step) Blocks(f func([]*Step)) {
	switch b := s.Body.(type) {
	case *Block:
		f(b.Steps)
	case *If:
		f(b.Then)
		f(b.Else)
	case *While:
		f(b.Body)
	case *Map:
		f(b.Steps)
	case *Reduce:
		f(b.Steps)
	case *Try:
		f(b.Try)
		f(b.Catch)
	case *Keyed:
		f(b.Steps)
	}
}

// Walk calls f for every step of the program, outer before inner: the entry's
// first, then the helpers' in order.
func (p *Program) Walk(f func(*Step)) {
	walkSteps(p.Steps, f, 0)
	for i := range p.Helpers {
		walkSteps(p.Helpers[i].Steps, f, 0)
	}
}

func walkSteps(steps []*Step, f func(*Step), depth int) {
	if depth > DefaultMaxDepth {
		return
	}
	for _, s := range steps {
		f(s)
		s.Blocks(func(b []*Step) { walkSteps(b, f, depth+1) })
	}
}
