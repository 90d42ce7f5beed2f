package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/vm"
)

// substitution is what a replacement template refers to. The captures are
// either indices into str, as the matcher left them, or values.
type substitution struct {
	str      vm.Str
	pos, end int             // of the match
	matched  vm.Str          // 0: units [pos, end) of str
	caps     []int32         // the whole match included
	vals     []vm.Value      // without the whole match
	prog     *regexp.Program // says the group names of caps
	named    vm.Value        // namedCaptures of vals
}

// groups returns how many captures there are.
func (x *substitution) groups() int {
	if x.caps != nil {
		return len(x.caps)/2 - 1
	}
	return len(x.vals)
}

// appendGroup appends capture i, from 1.
func (x *substitution) appendGroup(m *vm.Machine, sb *stringBuilder, i int) error {
	if x.caps != nil {
		if x.caps[2*i] < 0 {
			return nil
		}
		return sb.substr(x.str, int(x.caps[2*i]), int(x.caps[2*i+1]))
	}
	if v := x.vals[i-1]; v != vm.Undefined {
		return sb.str(v.AsStr())
	}
	return nil
}

func (x *substitution) hasNames() bool {
	if x.caps != nil {
		return len(x.prog.Names) > 0
	}
	return x.named != vm.Undefined
}

// appendNamed appends the capture whose name is units [i, j) of the template.
func (x *substitution) appendNamed(m *vm.Machine, sb *stringBuilder, tmpl vm.Str, i, j int) error {
	name, err := m.H.Substring(tmpl, i, j)
	if err != nil {
		return err
	}
	if x.caps == nil {
		k, err := m.ToKey(heap.StringValue(name))
		if err != nil {
			return err
		}
		v, err := m.Get(x.named.AsObj(), k)
		if err != nil || v == vm.Undefined {
			return err
		}
		return appendToString(m, sb, v)
	}
	if err := m.Charge(len(x.prog.Names)/4 + (j-i)/16); err != nil {
		return err
	}
	s := m.H.GoString(name)       // no longer than the template, charged above
	for k := range x.prog.Names { //meter: charged above
		if g := &x.prog.Names[k]; g.Name == s {
			if err := m.Charge(len(g.Groups) / 16); err != nil {
				return err
			}
			if at := groupOf(g, x.caps); at >= 0 {
				return x.appendGroup(m, sb, at)
			}
		}
	}
	return nil
}

// appendSubstitution appends what GetSubstitution (§22.1.3.19.1) returns.
func appendSubstitution(m *vm.Machine, sb *stringBuilder, tmpl vm.Str, x *substitution) error {
	n := m.H.Len(tmpl)
	from := 0            // of what is not appended yet
	for i := 0; i < n; { //meter: stringIndex charges
		at, err := stringIndex(m, tmpl, m.H.Char('$'), i) // charges
		if err != nil {
			return err
		}
		if at < 0 || at+1 >= n {
			break
		}
		next, err := m.H.At(tmpl, at+1)
		if err != nil {
			return err
		}
		i = at + 1
		end := at + 2 // of the reference
		group, gt := 0, -1
		switch {
		case next == '$' || next == '&' || next == '`' || next == '\'':
		case next >= '0' && next <= '9':
			if group, end, err = templateGroup(m, tmpl, at+1, x.groups()); err != nil {
				return err
			}
			if group == 0 {
				continue
			}
		case next == '<' && x.hasNames():
			if gt, err = stringIndex(m, tmpl, m.H.Char('>'), at+2); err != nil {
				return err
			}
			if gt < 0 {
				continue
			}
			end = gt + 1
		default:
			continue
		}
		if err := sb.substr(tmpl, from, at); err != nil {
			return err
		}
		switch {
		case next == '$':
			err = sb.unit('$')
		case next == '&' && x.matched != 0:
			err = sb.str(x.matched)
		case next == '&':
			err = sb.substr(x.str, x.pos, x.end)
		case next == '`':
			err = sb.substr(x.str, 0, x.pos)
		case next == '\'':
			l := m.H.Len(x.str)
			err = sb.substr(x.str, min(x.end, l), l)
		case gt >= 0:
			err = x.appendNamed(m, sb, tmpl, at+2, gt)
		default:
			err = x.appendGroup(m, sb, group)
		}
		if err != nil {
			return err
		}
		i, from = end, end
	}
	return sb.substr(tmpl, from, n)
}

// templateGroup reads the number at index i of a template: one digit or two,
// two only if there are so many groups. It returns 0 for a number that is no
// group's.
func templateGroup(m *vm.Machine, tmpl vm.Str, i, groups int) (group, end int, err error) {
	c, err := m.H.At(tmpl, i)
	if err != nil {
		return 0, 0, err
	}
	one := int(c - '0')
	if i+1 < m.H.Len(tmpl) {
		d, err := m.H.At(tmpl, i+1)
		if err != nil {
			return 0, 0, err
		}
		if d >= '0' && d <= '9' {
			if two := one*10 + int(d-'0'); two >= 1 && two <= groups {
				return two, i + 2, nil
			}
		}
	}
	if one > groups {
		one = 0
	}
	return one, i + 1, nil
}

// regExpReplace is RegExp.prototype [ @@replace ] (§22.2.6.11).
func regExpReplace(m *vm.Machine, c vm.Call) (vm.Value, error) {
	rx, s, err := regExpThis(m, &c, "[Symbol.replace]")
	if err != nil {
		return vm.Undefined, err
	}
	return regExpReplaceString(m, rx, s, c.Arg(1))
}

// regExpReplaceString is @@replace with the string converted.
func regExpReplaceString(m *vm.Machine, rx vm.Obj, s vm.Str, with vm.Value) (vm.Value, error) {
	fn := m.IsCallable(with)
	if !fn {
		t, err := m.ToString(with)
		if err != nil {
			return vm.Undefined, err
		}
		with = heap.StringValue(t)
	}
	root := m.Root(heap.StringValue(s))
	m.Root(heap.ObjectValue(rx))
	m.Root(with)
	defer m.PopRoots(root)
	if m.RegExpPristine(rx) {
		return replacePattern(m, rx, s, with, fn)
	}
	return replaceGeneric(m, rx, s, with, fn)
}

// replacePattern is @@replace of an untouched regular expression.
func replacePattern(m *vm.Machine, rx vm.Obj, s vm.Str, with vm.Value, fn bool) (vm.Value, error) {
	prog, err := m.RegExpProgram(rx)
	if err != nil {
		return vm.Undefined, err
	}
	r := replacer{m: m, rx: rx, s: s, with: with, fn: fn, sb: stringBuilder{m: m}}
	defer r.sb.release()
	if !fn {
		i, err := stringIndex(m, with.AsStr(), m.H.Char('$'), 0)
		if err != nil {
			return vm.Undefined, err
		}
		r.plain = i < 0
	}
	if prog.Flags&regexp.Global == 0 {
		var buf capsBuffer
		prog, caps, ok, err := matchOnce(m, rx, s, &buf)
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			return heap.StringValue(s), nil
		}
		if r.plain {
			return replaceOnce(m, s, with.AsStr(), int(caps[0]), int(caps[1]))
		}
		if err := r.replace(prog, caps); err != nil {
			return vm.Undefined, err
		}
		return r.rest()
	}
	if err := m.SetLastIndex(rx, 0); err != nil {
		return vm.Undefined, err
	}
	var x matches
	if err := x.start(m, prog, s); err != nil {
		return vm.Undefined, err
	}
	found := false
	for { //meter: matching charges
		ok, err := x.next()
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			break
		}
		found = true
		if fn {
			// What a callback can see is that all the matching is over.
			noteMatch(m, rx, prog, s, x.caps)
		}
		if err := r.replace(prog, x.caps); err != nil {
			return vm.Undefined, err
		}
	}
	if !found {
		return heap.StringValue(s), nil
	}
	if !fn {
		noteMatch(m, rx, prog, s, x.caps)
	}
	return r.rest()
}

// replacer builds the result of a replacement.
type replacer struct {
	m     *vm.Machine
	rx    vm.Obj
	s     vm.Str
	with  vm.Value // a function or a template
	fn    bool
	plain bool // a template that refers to nothing
	end   int  // of what is in sb, in s
	sb    stringBuilder
	args  []vm.Value
}

// replace appends what is before a match and what replaces it.
func (r *replacer) replace(prog *regexp.Program, caps []int32) error {
	from, end := int(caps[0]), int(caps[1])
	if err := r.sb.substr(r.s, r.end, from); err != nil {
		return err
	}
	r.end = end
	switch {
	case r.plain:
		return r.sb.str(r.with.AsStr())
	case !r.fn:
		x := substitution{str: r.s, pos: from, end: end, caps: caps, prog: prog}
		return appendSubstitution(r.m, &r.sb, r.with.AsStr(), &x)
	}
	var err error
	if r.args, err = capturedStrings(r.m, r.args[:0], r.s, caps); err != nil {
		return err
	}
	groups := vm.Undefined
	if len(prog.Names) > 0 {
		if groups, err = groupsObject(r.m, prog, caps, r.args); err != nil {
			return err
		}
	}
	r.args = append(r.args, heap.Int(int32(from)), heap.StringValue(r.s))
	if groups != vm.Undefined {
		r.args = append(r.args, groups)
	}
	v, err := r.m.CallRooted(r.with, vm.Undefined, r.args...)
	if err != nil {
		return err
	}
	return appendToString(r.m, &r.sb, v)
}

// rest appends what follows the last match and makes the string.
func (r *replacer) rest() (vm.Value, error) {
	if err := r.sb.substr(r.s, r.end, r.m.H.Len(r.s)); err != nil {
		return vm.Undefined, err
	}
	return r.sb.value()
}

// replaceGeneric is @@replace of any object.
func replaceGeneric(m *vm.Machine, rx vm.Obj, s vm.Str, with vm.Value, fn bool) (vm.Value, error) {
	_, global, _, unicode, err := flagsOf(m, rx)
	if err != nil {
		return vm.Undefined, err
	}
	if global {
		if err := m.Put(rx, m.N.LastIndex, heap.Int(0)); err != nil {
			return vm.Undefined, err
		}
	}
	results := m.NewArrayLen(0)
	m.Root(heap.ObjectValue(results)) // the caller pops it
	for {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		r, err := regExpExec(m, rx, s)
		if err != nil {
			return vm.Undefined, err
		}
		if r == vm.Null {
			break
		}
		if err := m.H.Push(results, r); err != nil {
			return vm.Undefined, err
		}
		if !global {
			break
		}
		t, err := matchedString(m, r)
		if err != nil {
			return vm.Undefined, err
		}
		if m.H.Len(t) == 0 {
			if err := advanceLastIndex(m, rx, s, unicode); err != nil {
				return vm.Undefined, err
			}
		}
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	end := 0
	for i := uint32(0); i < m.H.Obj(results).Length; i++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		r := m.H.Elem(m.H.Obj(results), i).AsObj()
		if end, err = replaceResult(m, &sb, r, s, end, with, fn); err != nil {
			return vm.Undefined, err
		}
	}
	if end < m.H.Len(s) {
		if err := sb.substr(s, end, m.H.Len(s)); err != nil {
			return vm.Undefined, err
		}
	}
	return sb.value()
}

// replaceResult appends the replacement for one result of exec. end is how far
// s has been used; the new value is returned.
func replaceResult(m *vm.Machine, sb *stringBuilder, r vm.Obj, s vm.Str, end int, with vm.Value, fn bool) (int, error) {
	n, err := m.LengthOf(r)
	if err != nil {
		return end, err
	}
	matched, err := matchedString(m, heap.ObjectValue(r))
	if err != nil {
		return end, err
	}
	v, err := m.Get(r, m.N.Index)
	if err != nil {
		return end, err
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return end, err
	}
	pos := int(max(min(f, float64(m.H.Len(s))), 0))
	// The captures are kept in an array of the heap, which is charged as it
	// grows.
	captures := m.NewArrayLen(0)
	for i := int64(1); i < n; i++ {
		if err := m.Charge(1); err != nil {
			return end, err
		}
		k, err := m.KeyOfInt64(i)
		if err != nil {
			return end, err
		}
		v, err := m.Get(r, k)
		if err != nil {
			return end, err
		}
		if v != vm.Undefined {
			t, err := m.ToString(v)
			if err != nil {
				return end, err
			}
			v = heap.StringValue(t)
		}
		if err := m.H.Push(captures, v); err != nil {
			return end, err
		}
	}
	named, err := m.Get(r, m.N.Groups)
	if err != nil {
		return end, err
	}
	count := int(m.H.Obj(captures).Length)
	if err := m.ChargeKeys(count + 4); err != nil {
		return end, err
	}
	rs := stringBuilder{m: m}
	defer rs.release()
	if fn {
		args := make([]vm.Value, 0, count+4)
		args = append(args, heap.StringValue(matched))
		args = append(args, m.H.Elems(captures)...)
		args = append(args, heap.Int(int32(pos)), heap.StringValue(s))
		if named != vm.Undefined {
			args = append(args, named)
		}
		v, err := m.Call(with, vm.Undefined, args...)
		if err != nil {
			return end, err
		}
		if err := appendToString(m, &rs, v); err != nil {
			return end, err
		}
	} else {
		if named != vm.Undefined {
			o, err := m.ToObject(named)
			if err != nil {
				return end, err
			}
			named = heap.ObjectValue(o)
		}
		vals := append([]vm.Value(nil), m.H.Elems(captures)...)
		x := substitution{str: s, pos: pos, end: pos + m.H.Len(matched), matched: matched, vals: vals, named: named}
		if err := appendSubstitution(m, &rs, with.AsStr(), &x); err != nil {
			return end, err
		}
	}
	if pos < end {
		return end, nil
	}
	if err := sb.substr(s, end, pos); err != nil {
		return end, err
	}
	t, err := rs.finish()
	if err != nil {
		return end, err
	}
	return pos + m.H.Len(matched), sb.str(t)
}
