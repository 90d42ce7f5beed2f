package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// capsBuffer holds the captures of patterns with few groups.
type capsBuffer [40]int32

// captures returns room for the captures of prog.
func (b *capsBuffer) captures(m *vm.Machine, prog *regexp.Program) ([]int32, error) {
	n := 2 * prog.NumCaptures
	if n <= len(b) {
		return b[:n], nil
	}
	if err := m.ChargeKeys(n); err != nil {
		return nil, err
	}
	return make([]int32, n), nil
}

// matchOnce is the matching of RegExpBuiltinExec (§22.2.7.2): it reads and
// writes lastIndex. ok is false when there is no match.
func matchOnce(m *vm.Machine, rx vm.Obj, s vm.Str, buf *capsBuffer) (prog *regexp.Program, caps []int32, ok bool, err error) {
	last := int64(0)
	if v := m.H.Obj(rx).Inline[0]; v.IsInt() {
		last = max(int64(v.AsInt()), 0)
	} else if last, err = m.ToLength(v); err != nil {
		return nil, nil, false, err
	}
	if prog, err = m.RegExpProgram(rx); err != nil {
		return nil, nil, false, err
	}
	moves := prog.Flags&(regexp.Global|regexp.Sticky) != 0
	if !moves {
		last = 0
	}
	if last <= int64(m.H.Len(s)) {
		if caps, err = buf.captures(m, prog); err != nil {
			return nil, nil, false, err
		}
		if ok, err = m.MatchRegExp(prog, s, int(last), prog.Flags&regexp.Sticky == 0, caps); err != nil {
			return nil, nil, false, err
		}
	}
	if !ok {
		if moves {
			err = m.SetLastIndex(rx, 0)
		}
		return prog, nil, false, err
	}
	if moves {
		if err = m.SetLastIndex(rx, int(caps[1])); err != nil {
			return nil, nil, false, err
		}
	}
	noteMatch(m, rx, prog, s, caps)
	return prog, caps, true, nil
}

// regExpBuiltinExec is RegExpBuiltinExec (§22.2.7.2): an array or null.
func regExpBuiltinExec(m *vm.Machine, rx vm.Obj, s vm.Str) (vm.Value, error) {
	var buf capsBuffer
	prog, caps, ok, err := matchOnce(m, rx, s, &buf)
	if err != nil {
		return vm.Undefined, err
	}
	if !ok {
		return vm.Null, nil
	}
	return matchResult(m, prog, s, caps)
}

// matchResult makes the array that describes a match.
func matchResult(m *vm.Machine, prog *regexp.Program, s vm.Str, caps []int32) (vm.Value, error) {
	var buf [16]vm.Value
	vals, err := capturedStrings(m, buf[:0], s, caps)
	if err != nil {
		return vm.Undefined, err
	}
	groups := vm.Undefined
	if len(prog.Names) > 0 {
		if groups, err = groupsObject(m, prog, caps, vals); err != nil {
			return vm.Undefined, err
		}
	}
	a, err := m.NewMatchResult(vals, int(caps[0]), s, groups)
	if err != nil {
		return vm.Undefined, err
	}
	if prog.Flags&regexp.HasIndices != 0 {
		indices, err := matchIndices(m, prog, caps)
		if err != nil {
			return vm.Undefined, err
		}
		m.H.AddNamed(a, m.N.Indices.Name(), heap.ObjectValue(indices), heap.DefaultAttrs)
	}
	return heap.ObjectValue(a), nil
}

// capturedStrings appends the strings of the captures to dst.
func capturedStrings(m *vm.Machine, dst []vm.Value, s vm.Str, caps []int32) ([]vm.Value, error) {
	n := len(caps) / 2
	if n > cap(dst)-len(dst) {
		if err := m.ChargeKeys(n); err != nil {
			return nil, err
		}
		dst = append(make([]vm.Value, 0, len(dst)+n+3), dst...)
	}
	for i := 0; i < len(caps); i += 2 { //meter: the groups of a pattern, charged above when they are many
		v := vm.Undefined
		if caps[i] >= 0 {
			var err error
			if v, err = substring(m, s, int(caps[i]), int(caps[i+1])); err != nil {
				return nil, err
			}
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// groupsObject makes an object without prototype that has a property for each
// group name: the one of vals that belongs to the group that took part.
func groupsObject(m *vm.Machine, prog *regexp.Program, caps []int32, vals []vm.Value) (vm.Value, error) {
	if err := m.Charge(len(prog.Names) + len(caps)/32); err != nil {
		return vm.Undefined, err
	}
	o := m.NewWithProto(0)
	for i := range prog.Names { //meter: charged above
		g := &prog.Names[i]
		k, err := m.H.KeyOfName(g.Name)
		if err != nil {
			return vm.Undefined, err
		}
		v := vm.Undefined
		if at := groupOf(g, caps); at >= 0 {
			v = vals[at]
		}
		m.H.AddNamed(o, k.Name(), v, heap.DefaultAttrs)
	}
	return heap.ObjectValue(o), nil
}

// groupOf returns which of the groups with a name took part in the match, or
// -1.
func groupOf(g *regexp.GroupName, caps []int32) int {
	for _, i := range g.Groups { //meter: its callers charge for the groups
		if caps[2*i] >= 0 {
			return int(i)
		}
	}
	return -1
}

// matchIndices is MakeMatchIndicesIndexPairArray (§22.2.7.8).
func matchIndices(m *vm.Machine, prog *regexp.Program, caps []int32) (vm.Obj, error) {
	n := len(caps) / 2
	if err := m.ChargeKeys(n); err != nil {
		return 0, err
	}
	vals := make([]vm.Value, n)
	for i := range n { //meter: charged above
		vals[i] = vm.Undefined
		if caps[2*i] >= 0 {
			a, err := m.NewArray([]vm.Value{heap.Int(caps[2*i]), heap.Int(caps[2*i+1])})
			if err != nil {
				return 0, err
			}
			vals[i] = heap.ObjectValue(a)
		}
	}
	groups := vm.Undefined
	if len(prog.Names) > 0 {
		var err error
		if groups, err = groupsObject(m, prog, caps, vals); err != nil {
			return 0, err
		}
	}
	a, err := m.NewArray(vals)
	if err != nil {
		return 0, err
	}
	m.H.AddNamed(a, m.N.Groups.Name(), groups, heap.DefaultAttrs)
	return a, nil
}

// regExpExec is RegExpExec (§22.2.7.1): an object or null.
func regExpExec(m *vm.Machine, rx vm.Obj, s vm.Str) (vm.Value, error) {
	if m.RegExpPristine(rx) {
		return regExpBuiltinExec(m, rx, s)
	}
	exec, err := m.Get(rx, m.N.Exec)
	if err != nil {
		return vm.Undefined, err
	}
	is := isRegExpObject(m, heap.ObjectValue(rx))
	if m.IsCallable(exec) && (!is || exec != heap.ObjectValue(m.Intrinsic(vm.RegExpProtoExec))) {
		r, err := m.Call(exec, heap.ObjectValue(rx), heap.StringValue(s))
		if err == nil && !r.IsObject() && r != vm.Null {
			err = m.TypeError("%s is not an object or null", plainText(m, r))
		}
		return r, err
	}
	if !is {
		return vm.Undefined, incompatible(m, "RegExp.prototype.exec", heap.ObjectValue(rx))
	}
	return regExpBuiltinExec(m, rx, s)
}

// regExpExecMethod is RegExp.prototype.exec (§22.2.6.2).
func regExpExecMethod(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !isRegExpObject(m, c.This) {
		return vm.Undefined, incompatible(m, "RegExp.prototype.exec", c.This)
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	return regExpBuiltinExec(m, c.This.AsObj(), s)
}

// regExpTest is RegExp.prototype.test (§22.2.6.16).
func regExpTest(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, incompatible(m, "RegExp.prototype.test", c.This)
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	rx := c.This.AsObj()
	if m.RegExpPristine(rx) {
		var buf capsBuffer
		_, _, ok, err := matchOnce(m, rx, s, &buf)
		return heap.Bool(ok), err
	}
	r, err := regExpExec(m, rx, s)
	return heap.Bool(r != vm.Null), err
}

// advanceIndex is AdvanceStringIndex (§22.2.7.3).
func advanceIndex(m *vm.Machine, s vm.Str, i int, unicode bool) (int, error) {
	if !unicode || i+1 >= m.H.Len(s) {
		return i + 1, nil
	}
	_, u, err := m.H.Units16(s)
	if err != nil {
		return 0, err
	}
	if u != nil && text.IsLead(u[i]) && text.IsTrail(u[i+1]) {
		return i + 2, nil
	}
	return i + 1, nil
}

// advanceLastIndex moves lastIndex after an empty match.
func advanceLastIndex(m *vm.Machine, rx vm.Obj, s vm.Str, unicode bool) error {
	v, err := m.Get(rx, m.N.LastIndex)
	if err != nil {
		return err
	}
	i, err := m.ToLength(v)
	if err != nil {
		return err
	}
	next := i + 1
	if i < int64(m.H.Len(s)) {
		n, err := advanceIndex(m, s, int(i), unicode)
		if err != nil {
			return err
		}
		next = int64(n)
	}
	return m.Put(rx, m.N.LastIndex, heap.Int64(next))
}

// matches goes through the matches of a pattern from an index on without
// making anything of them.
type matches struct {
	m       *vm.Machine
	prog    *regexp.Program
	s       vm.Str
	pos     int // of the next attempt
	search  bool
	unicode bool
	caps    []int32
	buf     capsBuffer
}

// start prepares for a string; sticky says that the next match begins where
// the last one ends.
func (x *matches) start(m *vm.Machine, prog *regexp.Program, s vm.Str) error {
	x.m, x.prog, x.s = m, prog, s
	x.search = prog.Flags&regexp.Sticky == 0
	x.unicode = prog.Flags.FullUnicode()
	var err error
	x.caps, err = x.buf.captures(m, prog)
	return err
}

// next finds the next match. An empty one makes the attempt after it begin
// further on.
func (x *matches) next() (bool, error) {
	if x.pos > x.m.H.Len(x.s) {
		return false, nil
	}
	if err := x.m.Charge(1); err != nil {
		return false, err
	}
	ok, err := x.m.MatchRegExp(x.prog, x.s, x.pos, x.search, x.caps)
	if !ok || err != nil {
		return false, err
	}
	x.pos = int(x.caps[1])
	if x.caps[0] == x.caps[1] {
		x.pos, err = advanceIndex(x.m, x.s, x.pos, x.unicode)
	}
	return true, err
}
