package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/vm"
)

// regExpThis is the beginning of the symbol methods: this value as an object
// and the argument as a string.
func regExpThis(m *vm.Machine, c *vm.Call, method string) (vm.Obj, vm.Str, error) {
	if !c.This.IsObject() {
		return 0, 0, incompatible(m, "RegExp.prototype."+method, c.This)
	}
	s, err := m.ToString(c.Arg(0))
	return c.This.AsObj(), s, err
}

// flagsOf is ToString(Get(rx, "flags")) and which of g, y and u or v are in it.
func flagsOf(m *vm.Machine, rx vm.Obj) (flags vm.Str, global, sticky, unicode bool, err error) {
	v, err := m.Get(rx, m.N.Flags)
	if err != nil {
		return 0, false, false, false, err
	}
	if flags, err = m.ToString(v); err != nil {
		return 0, false, false, false, err
	}
	has := func(c uint16) bool {
		if err != nil {
			return false
		}
		var i int
		i, err = stringIndex(m, flags, m.H.Char(c), 0)
		return i >= 0
	}
	global, sticky, unicode = has('g'), has('y'), has('u') || has('v')
	return flags, global, sticky, unicode, err
}

// regExpMatch is RegExp.prototype [ @@match ] (§22.2.6.8).
func regExpMatch(m *vm.Machine, c vm.Call) (vm.Value, error) {
	rx, s, err := regExpThis(m, &c, "[Symbol.match]")
	if err != nil {
		return vm.Undefined, err
	}
	return regExpMatchString(m, rx, s)
}

func regExpMatchString(m *vm.Machine, rx vm.Obj, s vm.Str) (vm.Value, error) {
	if m.RegExpPristine(rx) {
		prog, err := m.RegExpProgram(rx)
		if err != nil {
			return vm.Undefined, err
		}
		if prog.Flags&regexp.Global == 0 {
			return regExpBuiltinExec(m, rx, s)
		}
		return allMatches(m, rx, prog, s)
	}
	_, global, _, unicode, err := flagsOf(m, rx)
	if err != nil {
		return vm.Undefined, err
	}
	if !global {
		return regExpExec(m, rx, s)
	}
	if err := m.Put(rx, m.N.LastIndex, heap.Int(0)); err != nil {
		return vm.Undefined, err
	}
	out := m.NewArrayLen(0)
	for {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		r, err := regExpExec(m, rx, s)
		if err != nil {
			return vm.Undefined, err
		}
		if r == vm.Null {
			if m.H.Obj(out).Length == 0 {
				return vm.Null, nil
			}
			return heap.ObjectValue(out), nil
		}
		t, err := matchedString(m, r)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.H.Push(out, heap.StringValue(t)); err != nil {
			return vm.Undefined, err
		}
		if m.H.Len(t) == 0 {
			if err := advanceLastIndex(m, rx, s, unicode); err != nil {
				return vm.Undefined, err
			}
		}
	}
}

// matchedString is ToString(Get(result, "0")).
func matchedString(m *vm.Machine, result vm.Value) (vm.Str, error) {
	v, err := m.Get(result.AsObj(), heap.IndexKey(0))
	if err != nil {
		return 0, err
	}
	return m.ToString(v)
}

// allMatches collects the matched strings of an untouched regular expression.
func allMatches(m *vm.Machine, rx vm.Obj, prog *regexp.Program, s vm.Str) (vm.Value, error) {
	if err := m.SetLastIndex(rx, 0); err != nil {
		return vm.Undefined, err
	}
	var x matches
	if err := x.start(m, prog, s); err != nil {
		return vm.Undefined, err
	}
	out := vm.Obj(0)
	for { //meter: matching charges
		ok, err := x.next()
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			break
		}
		if out == 0 {
			out = m.NewArrayLen(0)
		}
		if err := pushSubstring(m, out, s, int(x.caps[0]), int(x.caps[1])); err != nil {
			return vm.Undefined, err
		}
	}
	if out == 0 {
		return vm.Null, nil
	}
	noteMatch(m, rx, prog, s, x.caps)
	return heap.ObjectValue(out), nil
}

// regExpSearch is RegExp.prototype [ @@search ] (§22.2.6.12).
func regExpSearch(m *vm.Machine, c vm.Call) (vm.Value, error) {
	rx, s, err := regExpThis(m, &c, "[Symbol.search]")
	if err != nil {
		return vm.Undefined, err
	}
	if m.RegExpPristine(rx) {
		prog, err := m.RegExpProgram(rx)
		if err != nil {
			return vm.Undefined, err
		}
		var x matches
		if err := x.start(m, prog, s); err != nil {
			return vm.Undefined, err
		}
		ok, err := x.next()
		if !ok || err != nil {
			return heap.Int(-1), err
		}
		noteMatch(m, rx, prog, s, x.caps)
		return heap.Int(x.caps[0]), nil
	}
	previous, err := m.Get(rx, m.N.LastIndex)
	if err != nil {
		return vm.Undefined, err
	}
	if err := putIfOther(m, rx, previous, heap.Int(0)); err != nil {
		return vm.Undefined, err
	}
	r, err := regExpExec(m, rx, s)
	if err != nil {
		return vm.Undefined, err
	}
	current, err := m.Get(rx, m.N.LastIndex)
	if err != nil {
		return vm.Undefined, err
	}
	if err := putIfOther(m, rx, current, previous); err != nil {
		return vm.Undefined, err
	}
	if r == vm.Null {
		return heap.Int(-1), nil
	}
	return m.Get(r.AsObj(), m.N.Index)
}

// putIfOther sets lastIndex to v unless it is the same value already.
func putIfOther(m *vm.Machine, rx vm.Obj, current, v vm.Value) error {
	same, err := m.SameValue(current, v)
	if same || err != nil {
		return err
	}
	return m.Put(rx, m.N.LastIndex, v)
}

// regExpSpecies is SpeciesConstructor(rx, %RegExp%) (§7.3.22).
func regExpSpecies(m *vm.Machine, rx vm.Obj) (vm.Value, error) {
	def := heap.ObjectValue(m.Intrinsic(vm.RegExpConstructor))
	c, err := m.Get(rx, m.N.Constructor)
	if err != nil || c == vm.Undefined {
		return def, err
	}
	if !c.IsObject() {
		return vm.Undefined, m.TypeError("The .constructor property is not an object")
	}
	s, err := m.Get(c.AsObj(), m.N.SymSpecies)
	if err != nil || s.IsNullish() {
		return def, err
	}
	if !m.IsConstructor(s) {
		return vm.Undefined, m.TypeError("object.constructor[Symbol.species] is not a constructor")
	}
	return s, nil
}

// regExpSplit is RegExp.prototype [ @@split ] (§22.2.6.14).
func regExpSplit(m *vm.Machine, c vm.Call) (vm.Value, error) {
	rx, s, err := regExpThis(m, &c, "[Symbol.split]")
	if err != nil {
		return vm.Undefined, err
	}
	limit := c.Arg(1)
	if m.RegExpPristine(rx) && m.RegExpSpeciesPristine() && (limit == vm.Undefined || limit.IsNumber()) {
		prog, err := m.RegExpProgram(rx)
		if err != nil {
			return vm.Undefined, err
		}
		lim, err := splitLimit(m, limit)
		if err != nil {
			return vm.Undefined, err
		}
		return splitPattern(m, rx, prog, s, lim)
	}
	ctor, err := regExpSpecies(m, rx)
	if err != nil {
		return vm.Undefined, err
	}
	flags, _, sticky, unicode, err := flagsOf(m, rx)
	if err != nil {
		return vm.Undefined, err
	}
	if !sticky {
		if flags, err = m.H.Concat(flags, m.H.Char('y')); err != nil {
			return vm.Undefined, err
		}
	}
	v, err := m.Construct(ctor, ctor, heap.ObjectValue(rx), heap.StringValue(flags))
	if err != nil {
		return vm.Undefined, err
	}
	lim, err := splitLimit(m, limit)
	if err != nil {
		return vm.Undefined, err
	}
	out := m.NewArrayLen(0)
	if lim > 0 {
		err = splitGeneric(m, out, v.AsObj(), s, lim, unicode)
	}
	return heap.ObjectValue(out), err
}

func splitLimit(m *vm.Machine, v vm.Value) (uint32, error) {
	if v == vm.Undefined {
		return math.MaxUint32, nil
	}
	return m.ToUint32(v)
}

// splitGeneric is the loop of @@split with a splitter of any kind.
func splitGeneric(m *vm.Machine, out, splitter vm.Obj, s vm.Str, lim uint32, unicode bool) error {
	size := m.H.Len(s)
	if size == 0 {
		z, err := regExpExec(m, splitter, s)
		if err != nil || z != vm.Null {
			return err
		}
		return m.H.Push(out, heap.StringValue(s))
	}
	p := 0
	for q := 0; q < size; {
		if err := m.Charge(1); err != nil {
			return err
		}
		if err := m.Put(splitter, m.N.LastIndex, heap.Int(int32(q))); err != nil {
			return err
		}
		z, err := regExpExec(m, splitter, s)
		if err != nil {
			return err
		}
		e := p
		if z != vm.Null {
			v, err := m.Get(splitter, m.N.LastIndex)
			if err != nil {
				return err
			}
			l, err := m.ToLength(v)
			if err != nil {
				return err
			}
			e = int(min(l, int64(size)))
		}
		if z == vm.Null || e == p {
			if q, err = advanceIndex(m, s, q, unicode); err != nil {
				return err
			}
			continue
		}
		if err := pushSubstring(m, out, s, p, q); err != nil {
			return err
		}
		if m.H.Obj(out).Length == lim {
			return nil
		}
		p = e
		n, err := m.LengthOf(z.AsObj())
		if err != nil {
			return err
		}
		for i := int64(1); i < n; i++ {
			if err := m.Charge(1); err != nil {
				return err
			}
			k, err := m.KeyOfInt64(i)
			if err != nil {
				return err
			}
			v, err := m.Get(z.AsObj(), k)
			if err != nil {
				return err
			}
			if err := m.H.Push(out, v); err != nil {
				return err
			}
			if m.H.Obj(out).Length == lim {
				return nil
			}
		}
		q = p
	}
	return pushSubstring(m, out, s, p, size)
}

// splitPattern is @@split of an untouched regular expression. Trying a sticky
// copy of it at one index after the other is searching.
func splitPattern(m *vm.Machine, rx vm.Obj, prog *regexp.Program, s vm.Str, lim uint32) (vm.Value, error) {
	out := m.NewArrayLen(0)
	if lim == 0 {
		return heap.ObjectValue(out), nil
	}
	var x matches
	if err := x.start(m, prog, s); err != nil {
		return vm.Undefined, err
	}
	x.search = true
	size := m.H.Len(s)
	p, found := 0, false
	if size == 0 {
		ok, err := x.next()
		if ok || err != nil {
			return heap.ObjectValue(out), err
		}
		return heap.ObjectValue(out), m.H.Push(out, heap.StringValue(s))
	}
	for x.pos < size {
		ok, err := x.next()
		if err != nil {
			return vm.Undefined, err
		}
		from, e := int(x.caps[0]), int(x.caps[1])
		if !ok || from >= size {
			break
		}
		found = true
		if e == p {
			continue // empty, where the last piece ended; next has moved on
		}
		if err := pushSubstring(m, out, s, p, from); err != nil {
			return vm.Undefined, err
		}
		if m.H.Obj(out).Length == lim {
			noteMatch(m, rx, prog, s, x.caps)
			return heap.ObjectValue(out), nil
		}
		if err := m.Charge(len(x.caps)/2 - 1); err != nil {
			return vm.Undefined, err
		}
		for i := 2; i < len(x.caps); i += 2 { //meter: charged above
			v := vm.Undefined
			if x.caps[i] >= 0 {
				if v, err = substring(m, s, int(x.caps[i]), int(x.caps[i+1])); err != nil {
					return vm.Undefined, err
				}
			}
			if err := m.H.Push(out, v); err != nil {
				return vm.Undefined, err
			}
			if m.H.Obj(out).Length == lim {
				return heap.ObjectValue(out), nil
			}
		}
		p, x.pos = e, e
	}
	if found {
		noteMatch(m, rx, prog, s, x.caps)
	}
	return heap.ObjectValue(out), pushSubstring(m, out, s, p, size)
}

// RegExp string iterators are of ClassIterator with Length iterRegExpString.
// Data is a block: the regular expression, the string, whether it is global,
// whether it goes by code points, the state.
const (
	regExpIterMatcher = iota
	regExpIterString
	regExpIterGlobal
	regExpIterUnicode
	regExpIterState
	regExpIterSize
)

// States of an iterator.
const (
	regExpIterReady = iota
	regExpIterRunning
	regExpIterDone
)

// regExpMatchAll is RegExp.prototype [ @@matchAll ] (§22.2.6.9).
func regExpMatchAll(m *vm.Machine, c vm.Call) (vm.Value, error) {
	rx, s, err := regExpThis(m, &c, "[Symbol.matchAll]")
	if err != nil {
		return vm.Undefined, err
	}
	ctor, err := regExpSpecies(m, rx)
	if err != nil {
		return vm.Undefined, err
	}
	flags, global, _, unicode, err := flagsOf(m, rx)
	if err != nil {
		return vm.Undefined, err
	}
	matcher, err := m.Construct(ctor, ctor, heap.ObjectValue(rx), heap.StringValue(flags))
	if err != nil {
		return vm.Undefined, err
	}
	v, err := m.Get(rx, m.N.LastIndex)
	if err != nil {
		return vm.Undefined, err
	}
	last, err := m.ToLength(v)
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Put(matcher.AsObj(), m.N.LastIndex, heap.Int64(last)); err != nil {
		return vm.Undefined, err
	}
	b := m.H.NewSmallValues(regExpIterSize)
	w := m.H.ValuesW(b)
	w[regExpIterMatcher], w[regExpIterString] = matcher, heap.StringValue(s)
	w[regExpIterGlobal], w[regExpIterUnicode] = heap.Bool(global), heap.Bool(unicode)
	w[regExpIterState] = heap.Int(regExpIterReady)
	return newIteratorObject(m, vm.RegExpStringIteratorPrototype, iterRegExpString, b), nil
}

// regExpStringIteratorNext is %RegExpStringIteratorPrototype%.next (§22.2.9.2).
func regExpStringIteratorNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterRegExpString)
	if !ok {
		return vm.Undefined, incompatible(m, "%RegExpStringIterator%.prototype.next", c.This)
	}
	switch m.H.Word(b, regExpIterState).AsInt() {
	case regExpIterDone:
		return m.IterResult(vm.Undefined, true), nil
	case regExpIterRunning:
		return vm.Undefined, m.TypeError("Generator is already running")
	}
	m.H.SetWord(b, regExpIterState, heap.Int(regExpIterRunning))
	v, done, err := regExpIteratorStep(m, b)
	state := int32(regExpIterReady)
	if done || err != nil || m.H.Word(b, regExpIterGlobal) != vm.True {
		state = regExpIterDone
	}
	m.H.SetWord(b, regExpIterState, heap.Int(state))
	if err != nil {
		return vm.Undefined, err
	}
	return m.IterResult(v, done), nil
}

func regExpIteratorStep(m *vm.Machine, b heap.Block) (v vm.Value, done bool, err error) {
	w := m.H.Values(b)
	rx, s := w[regExpIterMatcher].AsObj(), w[regExpIterString].AsStr()
	global, unicode := w[regExpIterGlobal] == vm.True, w[regExpIterUnicode] == vm.True
	if v, err = regExpExec(m, rx, s); err != nil || v == vm.Null {
		return vm.Undefined, true, err
	}
	if !global {
		return v, false, nil
	}
	t, err := matchedString(m, v)
	if err != nil {
		return vm.Undefined, false, err
	}
	if m.H.Len(t) == 0 {
		err = advanceLastIndex(m, rx, s, unicode)
	}
	return v, false, err
}
