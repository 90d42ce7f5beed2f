package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// stringIndex is StringIndexOf (§6.1.4.1): -1 if needle does not occur from
// index from on.
func stringIndex(m *vm.Machine, s, needle vm.Str, from int) (int, error) {
	sb, su, err := m.H.Units16(s)
	if err != nil {
		return 0, err
	}
	nb, nu, err := m.H.Units16(needle)
	if err != nil {
		return 0, err
	}
	switch {
	case su == nil && nu == nil:
		return text.Index(m.Meter(), sb, nb, from)
	case su == nil:
		return text.Index(m.Meter(), sb, nu, from)
	case nu == nil:
		return text.Index(m.Meter(), su, nb, from)
	}
	return text.Index(m.Meter(), su, nu, from)
}

// stringLastIndex is StringLastIndexOf (§6.1.4.2).
func stringLastIndex(m *vm.Machine, s, needle vm.Str, from int) (int, error) {
	sb, su, err := m.H.Units16(s)
	if err != nil {
		return 0, err
	}
	nb, nu, err := m.H.Units16(needle)
	if err != nil {
		return 0, err
	}
	switch {
	case su == nil && nu == nil:
		return text.LastIndex(m.Meter(), sb, nb, from)
	case su == nil:
		return text.LastIndex(m.Meter(), sb, nu, from)
	case nu == nil:
		return text.LastIndex(m.Meter(), su, nb, from)
	}
	return text.LastIndex(m.Meter(), su, nu, from)
}

// stringHasAt reports whether needle occurs in s at an index.
func stringHasAt(m *vm.Machine, s, needle vm.Str, at int) (bool, error) {
	sb, su, err := m.H.Units16(s)
	if err != nil {
		return false, err
	}
	nb, nu, err := m.H.Units16(needle)
	if err != nil {
		return false, err
	}
	switch {
	case su == nil && nu == nil:
		return text.HasPrefixAt(m.Meter(), sb, nb, at)
	case su == nil:
		return text.HasPrefixAt(m.Meter(), sb, nu, at)
	case nu == nil:
		return text.HasPrefixAt(m.Meter(), su, nb, at)
	}
	return text.HasPrefixAt(m.Meter(), su, nu, at)
}

// searchString converts the argument of includes and its like, which must not
// be a regular expression.
func searchString(m *vm.Machine, v vm.Value, method string) (vm.Str, error) {
	if v.IsString() {
		return v.AsStr(), nil
	}
	is, err := isRegExp(m, v)
	if err != nil {
		return 0, err
	}
	if is {
		return 0, m.TypeError("First argument to String.prototype.%s must not be a regular expression", method)
	}
	return m.ToString(v)
}

// stringIncludes is String.prototype.includes (§22.1.3.8).
func stringIncludes(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "includes")
	if err != nil {
		return vm.Undefined, err
	}
	needle, err := searchString(m, c.Arg(0), "includes")
	if err != nil {
		return vm.Undefined, err
	}
	from, err := clampIndex(m, c.Arg(1), m.H.Len(s), 0)
	if err != nil {
		return vm.Undefined, err
	}
	i, err := stringIndex(m, s, needle, from)
	return heap.Bool(i >= 0), err
}

// stringStartsWith is String.prototype.startsWith (§22.1.3.24).
func stringStartsWith(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "startsWith")
	if err != nil {
		return vm.Undefined, err
	}
	needle, err := searchString(m, c.Arg(0), "startsWith")
	if err != nil {
		return vm.Undefined, err
	}
	at, err := clampIndex(m, c.Arg(1), m.H.Len(s), 0)
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := stringHasAt(m, s, needle, at)
	return heap.Bool(ok), err
}

// stringEndsWith is String.prototype.endsWith (§22.1.3.7).
func stringEndsWith(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "endsWith")
	if err != nil {
		return vm.Undefined, err
	}
	needle, err := searchString(m, c.Arg(0), "endsWith")
	if err != nil {
		return vm.Undefined, err
	}
	n := m.H.Len(s)
	end, err := clampIndex(m, c.Arg(1), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	at := end - m.H.Len(needle)
	if at < 0 {
		return vm.False, nil
	}
	ok, err := stringHasAt(m, s, needle, at)
	return heap.Bool(ok), err
}

// stringIndexOf is String.prototype.indexOf (§22.1.3.9).
func stringIndexOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "indexOf")
	if err != nil {
		return vm.Undefined, err
	}
	needle, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	from, err := clampIndex(m, c.Arg(1), m.H.Len(s), 0)
	if err != nil {
		return vm.Undefined, err
	}
	i, err := stringIndex(m, s, needle, from)
	return heap.Int(int32(i)), err
}

// stringLastIndexOf is String.prototype.lastIndexOf (§22.1.3.11).
func stringLastIndexOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "lastIndexOf")
	if err != nil {
		return vm.Undefined, err
	}
	needle, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToFloat(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	from := m.H.Len(s)
	if !math.IsNaN(f) {
		from = int(min(max(math.Trunc(f), 0), float64(from)))
	}
	i, err := stringLastIndex(m, s, needle, from)
	return heap.Int(int32(i)), err
}

// symbolMethod is the beginning of match, matchAll, replace, search and split:
// the method of the argument under a well-known symbol, or undefined.
func symbolMethod(m *vm.Machine, v vm.Value, key vm.Key) (vm.Value, error) {
	if !v.IsObject() {
		return vm.Undefined, nil
	}
	return m.GetMethod(v, key)
}

// coercible is RequireObjectCoercible(this value).
func coercible(m *vm.Machine, c *vm.Call, method string) error {
	if c.This.IsNullish() {
		return m.TypeError("String.prototype.%s called on null or undefined", method)
	}
	return nil
}

// pristineRegExp reports whether v is a regular expression whose methods are
// all the original ones, and this value a string: then the methods are called
// without looking them up.
func pristineRegExp(m *vm.Machine, c *vm.Call, v vm.Value) bool {
	return c.This.IsString() && v.IsObject() && m.RegExpPristine(v.AsObj())
}

// stringMatch is String.prototype.match (§22.1.3.13).
func stringMatch(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	if pristineRegExp(m, &c, v) {
		return regExpMatchString(m, v.AsObj(), c.This.AsStr())
	}
	if err := coercible(m, &c, "match"); err != nil {
		return vm.Undefined, err
	}
	f, err := symbolMethod(m, v, m.N.SymMatch)
	if err != nil {
		return vm.Undefined, err
	}
	if f != vm.Undefined {
		return m.Call(f, v, c.This)
	}
	return createAndInvoke(m, &c, "match", vm.Undefined, m.N.SymMatch)
}

// createAndInvoke is the end of match, matchAll and search: it makes a regular
// expression of the argument and calls a method of it.
func createAndInvoke(m *vm.Machine, c *vm.Call, method string, flags vm.Value, key vm.Key) (vm.Value, error) {
	s, err := thisString(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	rx, err := m.NewRegExp(c.Arg(0), flags)
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.GetV(rx, key)
	if err != nil {
		return vm.Undefined, err
	}
	return m.Call(f, rx, heap.StringValue(s))
}

// stringMatchAll is String.prototype.matchAll (§22.1.3.14).
func stringMatchAll(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := coercible(m, &c, "matchAll"); err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	if v.IsObject() {
		if err := requireGlobal(m, v, "matchAll"); err != nil {
			return vm.Undefined, err
		}
		f, err := m.GetMethod(v, m.N.SymMatchAll)
		if err != nil {
			return vm.Undefined, err
		}
		if f != vm.Undefined {
			return m.Call(f, v, c.This)
		}
	}
	return createAndInvoke(m, &c, "matchAll", heap.StringValue(m.H.Char('g')), m.N.SymMatchAll)
}

// requireGlobal throws if v is a regular expression without the flag g.
func requireGlobal(m *vm.Machine, v vm.Value, method string) error {
	is, err := isRegExp(m, v)
	if !is || err != nil {
		return err
	}
	flags, err := m.Get(v.AsObj(), m.N.Flags)
	if err != nil {
		return err
	}
	if flags.IsNullish() {
		return m.TypeError("String.prototype.%s called with a non-global RegExp argument", method)
	}
	s, err := m.ToString(flags)
	if err != nil {
		return err
	}
	i, err := stringIndex(m, s, m.H.Char('g'), 0)
	if err != nil {
		return err
	}
	if i < 0 {
		return m.TypeError("String.prototype.%s called with a non-global RegExp argument", method)
	}
	return nil
}

// stringSearch is String.prototype.search (§22.1.3.21).
func stringSearch(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := coercible(m, &c, "search"); err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	f, err := symbolMethod(m, v, m.N.SymSearch)
	if err != nil {
		return vm.Undefined, err
	}
	if f != vm.Undefined {
		return m.Call(f, v, c.This)
	}
	return createAndInvoke(m, &c, "search", vm.Undefined, m.N.SymSearch)
}

// stringReplace is String.prototype.replace (§22.1.3.19).
func stringReplace(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	if pristineRegExp(m, &c, v) {
		return regExpReplaceString(m, v.AsObj(), c.This.AsStr(), c.Arg(1))
	}
	if err := coercible(m, &c, "replace"); err != nil {
		return vm.Undefined, err
	}
	f, err := symbolMethod(m, v, m.N.SymReplace)
	if err != nil {
		return vm.Undefined, err
	}
	if f != vm.Undefined {
		return m.Call(f, v, c.This, c.Arg(1))
	}
	return replaceText(m, &c, "replace", false)
}

// stringReplaceAll is String.prototype.replaceAll (§22.1.3.20).
func stringReplaceAll(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := coercible(m, &c, "replaceAll"); err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	if v.IsObject() {
		if err := requireGlobal(m, v, "replaceAll"); err != nil {
			return vm.Undefined, err
		}
		f, err := m.GetMethod(v, m.N.SymReplace)
		if err != nil {
			return vm.Undefined, err
		}
		if f != vm.Undefined {
			return m.Call(f, v, c.This, c.Arg(1))
		}
	}
	return replaceText(m, &c, "replaceAll", true)
}

// replaceText replaces one or all occurrences of a plain string.
func replaceText(m *vm.Machine, c *vm.Call, method string, all bool) (vm.Value, error) {
	s, err := thisString(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	needle, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	with := c.Arg(1)
	fn := m.IsCallable(with)
	var tmpl vm.Str
	plain := false
	if !fn {
		if tmpl, err = m.ToString(with); err != nil {
			return vm.Undefined, err
		}
		i, err := stringIndex(m, tmpl, m.H.Char('$'), 0)
		if err != nil {
			return vm.Undefined, err
		}
		plain = i < 0
	}
	at, err := stringIndex(m, s, needle, 0)
	if err != nil {
		return vm.Undefined, err
	}
	if at < 0 {
		return heap.StringValue(s), nil
	}
	n, l := m.H.Len(s), m.H.Len(needle)
	if plain && !all {
		return replaceOnce(m, s, tmpl, at, at+l)
	}
	root := m.Root(heap.StringValue(s))
	m.Root(heap.StringValue(needle))
	defer m.PopRoots(root)
	sb := stringBuilder{m: m}
	defer sb.release()
	end := 0
	for at >= 0 {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := sb.substr(s, end, at); err != nil {
			return vm.Undefined, err
		}
		switch {
		case plain:
			err = sb.str(tmpl)
		case fn:
			var r vm.Value
			if r, err = m.CallRooted(with, vm.Undefined, heap.StringValue(needle), heap.Int(int32(at)), heap.StringValue(s)); err == nil {
				err = appendToString(m, &sb, r)
			}
		default:
			err = appendSubstitution(m, &sb, tmpl, &substitution{str: s, pos: at, end: at + l, matched: needle, named: vm.Undefined})
		}
		if err != nil {
			return vm.Undefined, err
		}
		end = at + l
		if !all {
			break
		}
		next := at + max(l, 1)
		if next > n {
			break
		}
		if at, err = stringIndex(m, s, needle, next); err != nil {
			return vm.Undefined, err
		}
	}
	if err := sb.substr(s, end, n); err != nil {
		return vm.Undefined, err
	}
	return sb.value()
}

// replaceOnce replaces units [i, j) of s. The parts are shared.
func replaceOnce(m *vm.Machine, s, with vm.Str, i, j int) (vm.Value, error) {
	r, err := m.H.Substring(s, 0, i)
	if err != nil {
		return vm.Undefined, err
	}
	if r, err = m.H.Concat(r, with); err != nil {
		return vm.Undefined, err
	}
	t, err := m.H.Substring(s, j, m.H.Len(s))
	if err != nil {
		return vm.Undefined, err
	}
	r, err = m.H.Concat(r, t)
	return heap.StringValue(r), err
}

// stringSplit is String.prototype.split (§22.1.3.23).
func stringSplit(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	if err := coercible(m, &c, "split"); err != nil {
		return vm.Undefined, err
	}
	f, err := symbolMethod(m, v, m.N.SymSplit)
	if err != nil {
		return vm.Undefined, err
	}
	if f != vm.Undefined {
		return m.Call(f, v, c.This, c.Arg(1))
	}
	s, err := thisString(m, &c, "split")
	if err != nil {
		return vm.Undefined, err
	}
	limit := uint32(math.MaxUint32)
	if l := c.Arg(1); l != vm.Undefined {
		if limit, err = m.ToUint32(l); err != nil {
			return vm.Undefined, err
		}
	}
	sep, err := m.ToString(v)
	if err != nil {
		return vm.Undefined, err
	}
	out := m.NewArrayLen(0)
	if limit == 0 {
		return heap.ObjectValue(out), nil
	}
	n, l := m.H.Len(s), m.H.Len(sep)
	switch {
	case v == vm.Undefined:
		err = m.H.Push(out, heap.StringValue(s))
	case n == 0:
		if l > 0 {
			err = m.H.Push(out, heap.StringValue(s))
		}
	case l == 0:
		err = splitUnits(m, out, s, int(min(int64(n), int64(limit))))
	default:
		err = splitText(m, out, s, sep, limit)
	}
	return heap.ObjectValue(out), err
}

// splitUnits pushes the first n code units of s.
func splitUnits(m *vm.Machine, out vm.Obj, s vm.Str, n int) error {
	if err := m.Charge(n); err != nil {
		return err
	}
	if err := m.H.EnsureElems(out, n); err != nil {
		return err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return err
	}
	for i := range n { //meter: charged above
		var c uint16
		if u != nil {
			c = u[i]
		} else {
			c = uint16(b[i])
		}
		if err := m.H.Push(out, heap.StringValue(m.H.Char(c))); err != nil {
			return err
		}
	}
	return nil
}

func splitText(m *vm.Machine, out vm.Obj, s, sep vm.Str, limit uint32) error {
	n, l := m.H.Len(s), m.H.Len(sep)
	for i := 0; ; {
		if err := m.Charge(1); err != nil {
			return err
		}
		j, err := stringIndex(m, s, sep, i)
		if err != nil {
			return err
		}
		end := j
		if j < 0 {
			end = n
		}
		if err := pushSubstring(m, out, s, i, end); err != nil || j < 0 {
			return err
		}
		if m.H.Obj(out).Length >= limit {
			return nil
		}
		i = j + l
	}
}

// pushSubstring appends units [i, j) of s to an array made here.
func pushSubstring(m *vm.Machine, out vm.Obj, s vm.Str, i, j int) error {
	v, err := substring(m, s, i, j)
	if err != nil {
		return err
	}
	return m.H.Push(out, v)
}
