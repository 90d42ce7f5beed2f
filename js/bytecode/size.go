package bytecode

// What the parts of a program take, in bytes, on a 64-bit machine.
const (
	programBytes  = 400
	functionBytes = 512
	instrBytes    = 8
	constBytes    = 32
	handlerBytes  = 16
	positionBytes = 12
	pairBytes     = 8 // names of variables
	spanBytes     = 20
	scopeBytes    = 96
	bindingBytes  = 40
	exprBytes     = 16
	nameBytes     = 24
	varBytes      = 32
)

// Size returns about how many bytes of memory a program takes, its source
// text included.
func (p *Program) Size() int64 {
	n := programBytes + len(p.Source) + len(p.Consts)*constBytes
	for _, f := range p.Funcs {
		n += f.size()
	}
	for _, s := range p.DebugScopes {
		n += scopeBytes + len(s.Vars)*varBytes
	}
	return int64(n)
}

func (f *Function) size() int {
	n := functionBytes + len(f.Code)*instrBytes + (len(f.Funcs)+len(f.ICs))*4 + len(f.Handlers)*handlerBytes
	n += len(f.Positions)*positionBytes + len(f.TDZNames)*pairBytes + len(f.Spans)*spanBytes + len(f.Texts)*16
	if d := f.Debug; d != nil {
		n += scopeBytes + len(d.Exprs)*exprBytes + len(d.Names)*nameBytes + len(d.Scopes)*pairBytes
	}
	for _, t := range f.Templates {
		n += 48 + (len(t.Cooked)+len(t.Raw))*8
	}
	for _, s := range f.Switches {
		n += 24 + len(s)*4
	}
	for _, s := range f.EvalScopes {
		n += scopeBytes + len(s.Bindings)*bindingBytes
	}
	return n
}
