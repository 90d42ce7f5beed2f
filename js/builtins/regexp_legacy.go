package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The static properties of RegExp that show the last match (TC39 proposal
// "Legacy RegExp features"): RegExp.input or $_, lastMatch or $&, lastParen or
// $+, leftContext or $`, rightContext or $', $1 to $9.

// noteMatch records a match.
func noteMatch(m *vm.Machine, rx vm.Obj, prog *regexp.Program, s vm.Str, caps []int32) {
	l := m.LastMatch()
	l.Input, l.Shown = s, s
	l.Valid = m.H.Obj(rx).Flags&heap.Derived == 0
	l.Groups = prog.NumCaptures
	copy(l.Caps[:], caps)
	if n := len(caps); n > len(l.Caps) {
		l.Last = [2]int32{caps[n-2], caps[n-1]}
	}
}

func setupLegacyRegExp(b *vm.Builder, ctor vm.Obj) {
	for _, name := range []string{"input", "$_"} {
		b.Getter(ctor, name, legacyGetter(func(m *vm.Machine, l *vm.LastMatch) (vm.Value, error) {
			return heap.StringValue(l.Shown), nil
		}), legacyInputSetter)
	}
	for _, name := range []string{"lastMatch", "$&"} {
		b.Getter(ctor, name, legacyGetter(func(m *vm.Machine, l *vm.LastMatch) (vm.Value, error) {
			return legacyPart(m, l, l.Caps[0], l.Caps[1])
		}), nil)
	}
	for _, name := range []string{"lastParen", "$+"} {
		b.Getter(ctor, name, legacyGetter(func(m *vm.Machine, l *vm.LastMatch) (vm.Value, error) {
			switch n := l.Groups - 1; {
			case n < 1:
				return heap.StringValue(m.N.StrEmpty), nil
			case 2*n >= len(l.Caps):
				return legacyPart(m, l, l.Last[0], l.Last[1])
			default:
				return legacyPart(m, l, l.Caps[2*n], l.Caps[2*n+1])
			}
		}), nil)
	}
	for _, name := range []string{"leftContext", "$`"} {
		b.Getter(ctor, name, legacyGetter(func(m *vm.Machine, l *vm.LastMatch) (vm.Value, error) {
			return legacyPart(m, l, 0, l.Caps[0])
		}), nil)
	}
	for _, name := range []string{"rightContext", "$'"} {
		b.Getter(ctor, name, legacyGetter(func(m *vm.Machine, l *vm.LastMatch) (vm.Value, error) {
			return legacyPart(m, l, l.Caps[1], int32(m.H.Len(l.Input)))
		}), nil)
	}
	for n := 1; n <= 9; n++ {
		b.Getter(ctor, "$"+string(rune('0'+n)), legacyGetter(func(m *vm.Machine, l *vm.LastMatch) (vm.Value, error) {
			if n >= l.Groups {
				return heap.StringValue(m.N.StrEmpty), nil
			}
			return legacyPart(m, l, l.Caps[2*n], l.Caps[2*n+1])
		}), nil)
	}
}

// legacyPart returns a part of the last input, "" for a group that took no
// part.
func legacyPart(m *vm.Machine, l *vm.LastMatch, i, j int32) (vm.Value, error) {
	if i < 0 {
		return heap.StringValue(m.N.StrEmpty), nil
	}
	return substring(m, l.Input, int(i), int(j))
}

// legacyGetter is GetLegacyRegExpStaticProperty of the proposal.
func legacyGetter(get func(m *vm.Machine, l *vm.LastMatch) (vm.Value, error)) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if c.This != heap.ObjectValue(m.Intrinsic(vm.RegExpConstructor)) {
			return vm.Undefined, m.TypeError("RegExp static property getter called on incompatible receiver %s", plainText(m, c.This))
		}
		l := m.LastMatch()
		if l.Input == 0 {
			if l.Shown == 0 {
				l.Shown = m.N.StrEmpty
			}
			l.Input, l.Valid = m.N.StrEmpty, true
		}
		if !l.Valid {
			return vm.Undefined, m.TypeError("RegExp static properties are not available after a match of a subclass instance")
		}
		return get(m, l)
	}
}

// legacyInputSetter is SetLegacyRegExpStaticProperty for RegExp.input.
func legacyInputSetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.This != heap.ObjectValue(m.Intrinsic(vm.RegExpConstructor)) {
		return vm.Undefined, m.TypeError("RegExp static property setter called on incompatible receiver %s", plainText(m, c.This))
	}
	s, err := m.ToString(c.Arg(0))
	if err == nil {
		m.LastMatch().Shown = s
	}
	return vm.Undefined, err
}
