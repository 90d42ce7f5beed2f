package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupRegExp makes %RegExp%, %RegExp.prototype% (ECMA-262 §22.2, §B.2.4) and
// %RegExpStringIteratorPrototype%. What a RegExp object looks like is said in
// package vm.
func setupRegExp(b *vm.Builder) {
	proto := b.Set(vm.RegExpPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor := b.Set(vm.RegExpConstructor, b.Ctor("RegExp", 2, regExpConstructor, proto, 0))
	b.Method(ctor, "escape", 1, regExpEscape)
	b.Getter(ctor, "@@species", returnThis, nil)
	pair, _, _ := b.H.GetNamed(ctor, b.N.SymSpecies.Name())
	get, _ := b.H.Pair(pair)
	b.Set(vm.RegExpSpeciesGetter, get.AsObj())
	setupLegacyRegExp(b, ctor)

	b.Set(vm.RegExpProtoExec, b.Method(proto, "exec", 1, regExpExecMethod))
	for _, f := range regExpFlags {
		b.Getter(proto, f.name, regExpFlagGetter(f.name, f.flag), nil)
	}
	b.Getter(proto, "flags", regExpFlagsGetter, nil)
	b.Getter(proto, "source", regExpSourceGetter, nil)
	b.Method(proto, "test", 1, regExpTest)
	b.Method(proto, "toString", 0, regExpToString)
	b.Method(proto, "compile", 2, regExpCompile)
	b.Method(proto, "@@match", 1, regExpMatch)
	b.Method(proto, "@@matchAll", 1, regExpMatchAll)
	b.Method(proto, "@@replace", 2, regExpReplace)
	b.Method(proto, "@@search", 1, regExpSearch)
	b.Method(proto, "@@split", 2, regExpSplit)
	b.GlobalObj("RegExp", ctor)

	it := b.Set(vm.RegExpStringIteratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	b.Method(it, "next", 0, regExpStringIteratorNext)
	b.Tag(it, "RegExp String Iterator")
	b.SealRegExp()
}

// regExpFlags are the flags in the order in which the getter flags reads them
// (§22.2.6.4).
var regExpFlags = [...]struct {
	name   string
	letter byte
	flag   regexp.Flags
}{
	{"hasIndices", 'd', regexp.HasIndices}, {"global", 'g', regexp.Global}, {"ignoreCase", 'i', regexp.IgnoreCase},
	{"multiline", 'm', regexp.Multiline}, {"dotAll", 's', regexp.DotAll}, {"unicode", 'u', regexp.Unicode},
	{"unicodeSets", 'v', regexp.UnicodeSets}, {"sticky", 'y', regexp.Sticky},
}

// isRegExpObject reports whether v has [[RegExpMatcher]].
func isRegExpObject(m *vm.Machine, v vm.Value) bool {
	return v.IsObject() && m.H.Obj(v.AsObj()).Class == heap.ClassRegExp
}

// isRegExp is IsRegExp (§7.2.6).
func isRegExp(m *vm.Machine, v vm.Value) (bool, error) {
	if !v.IsObject() {
		return false, nil
	}
	if m.RegExpPristine(v.AsObj()) {
		return true, nil
	}
	x, err := m.Get(v.AsObj(), m.N.SymMatch)
	if err != nil {
		return false, err
	}
	if x != vm.Undefined {
		return m.ToBoolean(x), nil
	}
	return isRegExpObject(m, v), nil
}

// regExpConstructor is RegExp (§22.2.4.1).
func regExpConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	pattern, flags := c.Arg(0), c.Arg(1)
	is, err := isRegExp(m, pattern)
	if err != nil {
		return vm.Undefined, err
	}
	newTarget := c.NewTarget
	if newTarget == vm.Undefined {
		newTarget = heap.ObjectValue(c.Callee)
		if is && flags == vm.Undefined {
			k, err := m.Get(pattern.AsObj(), m.N.Constructor)
			if err != nil {
				return vm.Undefined, err
			}
			if k == newTarget {
				return pattern, nil
			}
		}
	}
	p, f := pattern, flags
	switch {
	case isRegExpObject(m, pattern):
		src, fl := m.RegExpSource(pattern.AsObj())
		p = heap.StringValue(src)
		if flags == vm.Undefined {
			f = heap.StringValue(fl)
		}
	case is:
		if p, err = m.Get(pattern.AsObj(), m.N.Source); err != nil {
			return vm.Undefined, err
		}
		if flags == vm.Undefined {
			if f, err = m.Get(pattern.AsObj(), m.N.Flags); err != nil {
				return vm.Undefined, err
			}
		}
	}
	o, err := m.AllocRegExp(newTarget)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), initializeRegExp(m, o, p, f)
}

// initializeRegExp is RegExpInitialize (§22.2.3.3).
func initializeRegExp(m *vm.Machine, o vm.Obj, pattern, flags vm.Value) error {
	p, f := m.N.StrEmpty, m.N.StrEmpty
	var err error
	if pattern != vm.Undefined {
		if p, err = m.ToString(pattern); err != nil {
			return err
		}
	}
	if flags != vm.Undefined {
		if f, err = m.ToString(flags); err != nil {
			return err
		}
	}
	return m.SetRegExp(o, p, f)
}

// regExpCompile is RegExp.prototype.compile (§B.2.4.1). Objects that a
// subclass made can't be changed so.
func regExpCompile(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !isRegExpObject(m, c.This) {
		return vm.Undefined, incompatible(m, "RegExp.prototype.compile", c.This)
	}
	o := c.This.AsObj()
	if rec := m.H.Obj(o); rec.Flags&heap.Derived != 0 || rec.Realm != m.CurrentRealm() {
		return vm.Undefined, incompatible(m, "RegExp.prototype.compile", c.This)
	}
	pattern, flags := c.Arg(0), c.Arg(1)
	if isRegExpObject(m, pattern) {
		if flags != vm.Undefined {
			return vm.Undefined, m.TypeError("Cannot supply flags when constructing one RegExp from another")
		}
		p, f := m.RegExpSource(pattern.AsObj())
		return c.This, m.SetRegExp(o, p, f)
	}
	return c.This, initializeRegExp(m, o, pattern, flags)
}

func incompatible(m *vm.Machine, method string, v vm.Value) error {
	return m.TypeError("Method %s called on incompatible receiver %s", method, plainText(m, v))
}

// regExpFlagGetter is RegExpHasFlag (§22.2.6.4.1) for one flag.
func regExpFlagGetter(name string, flag regexp.Flags) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if isRegExpObject(m, c.This) {
			return heap.Bool(originalFlags(m, c.This.AsObj())&flag != 0), nil
		}
		if c.This == heap.ObjectValue(m.Intrinsic(vm.RegExpPrototype)) {
			return vm.Undefined, nil
		}
		return vm.Undefined, m.TypeError("RegExp.prototype.%s getter called on non-RegExp object", name)
	}
}

// originalFlags is [[OriginalFlags]].
func originalFlags(m *vm.Machine, o vm.Obj) regexp.Flags {
	_, s := m.RegExpSource(o)
	f, _ := regexp.ParseFlags(m.H.GoString(s)) // at most 8 letters
	return f
}

// regExpFlagsGetter is get RegExp.prototype.flags (§22.2.6.4).
func regExpFlagsGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("RegExp.prototype.flags getter called on non-object %s", plainText(m, c.This))
	}
	o := c.This.AsObj()
	var buf [8]byte
	b := buf[:0]
	if m.RegExpPristine(o) {
		b = append(b, originalFlags(m, o).String()...)
	} else {
		for i := range regExpFlags { //meter: a fixed number
			v, err := m.Get(o, flagKey(m, i))
			if err != nil {
				return vm.Undefined, err
			}
			if m.ToBoolean(v) {
				b = append(b, regExpFlags[i].letter)
			}
		}
	}
	s, err := m.H.NewLatin1(b)
	return heap.StringValue(s), err
}

func flagKey(m *vm.Machine, i int) vm.Key {
	n := m.N
	return [...]vm.Key{n.HasIndices, n.Global, n.IgnoreCase, n.Multiline, n.DotAll, n.Unicode, n.UnicodeSets, n.Sticky}[i]
}

// regExpSourceGetter is get RegExp.prototype.source (§22.2.6.13).
func regExpSourceGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !isRegExpObject(m, c.This) {
		if c.This == heap.ObjectValue(m.Intrinsic(vm.RegExpPrototype)) {
			return m.NewString("(?:)")
		}
		return vm.Undefined, m.TypeError("RegExp.prototype.source getter called on non-RegExp object")
	}
	src, _ := m.RegExpSource(c.This.AsObj())
	return escapedPattern(m, src)
}

// escapedPattern is EscapeRegExpPattern (§22.2.6.13.1): slashes outside
// classes and line terminators are escaped.
func escapedPattern(m *vm.Machine, src vm.Str) (vm.Value, error) {
	n := m.H.Len(src)
	if n == 0 {
		return m.NewString("(?:)")
	}
	if err := m.Charge(n / 16); err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(src)
	if err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	from := 0
	class, escaped := false, false
	for i := range n { //meter: charged above
		var c uint16
		if u != nil {
			c = u[i]
		} else {
			c = uint16(b[i])
		}
		with := ""
		switch c {
		case '[':
			class = class || !escaped
		case ']':
			class = class && escaped
		case '/':
			if !class && !escaped {
				with = `\/`
			}
		case '\n':
			with = `\n`
		case '\r':
			with = `\r`
		case 0x2028:
			with = `\u2028`
		case 0x2029:
			with = `\u2029`
		}
		if with != "" {
			if err := sb.substr(src, from, i); err != nil {
				return vm.Undefined, err
			}
			if escaped {
				with = with[1:]
			}
			if err := sb.ascii(with); err != nil {
				return vm.Undefined, err
			}
			from = i + 1
		}
		escaped = c == '\\' && !escaped
	}
	if from == 0 {
		return heap.StringValue(src), nil
	}
	if err := sb.substr(src, from, n); err != nil {
		return vm.Undefined, err
	}
	return sb.value()
}

// regExpToString is RegExp.prototype.toString (§22.2.6.17).
func regExpToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, incompatible(m, "RegExp.prototype.toString", c.This)
	}
	o := c.This.AsObj()
	sb := stringBuilder{m: m}
	defer sb.release()
	if err := sb.ascii("/"); err != nil {
		return vm.Undefined, err
	}
	v, err := m.Get(o, m.N.Source)
	if err != nil {
		return vm.Undefined, err
	}
	if err := appendToString(m, &sb, v); err != nil {
		return vm.Undefined, err
	}
	if err := sb.ascii("/"); err != nil {
		return vm.Undefined, err
	}
	if v, err = m.Get(o, m.N.Flags); err != nil {
		return vm.Undefined, err
	}
	if err := appendToString(m, &sb, v); err != nil {
		return vm.Undefined, err
	}
	return sb.value()
}

// regExpEscape is RegExp.escape (§22.2.5.1).
func regExpEscape(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	if !v.IsString() {
		return vm.Undefined, m.TypeError("Invalid value used in RegExp.escape: %s is not a string", plainText(m, v))
	}
	s := v.AsStr()
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	n := m.H.Len(s)
	if err := m.Charge(n / 8); err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	from := 0
	for i := 0; i < n; i++ { //meter: charged above
		var c uint16
		if u != nil {
			c = u[i]
		} else {
			c = uint16(b[i])
		}
		if text.IsLead(c) && i+1 < n && text.IsTrail(u[i+1]) {
			i++
			continue
		}
		var buf [6]byte
		e := appendRegExpEscape(buf[:0], c, i == 0)
		if len(e) == 0 {
			continue
		}
		if err := sb.substr(s, from, i); err != nil {
			return vm.Undefined, err
		}
		if err := sb.latin1(e); err != nil {
			return vm.Undefined, err
		}
		from = i + 1
	}
	if from == 0 {
		return v, nil
	}
	if err := sb.substr(s, from, n); err != nil {
		return vm.Undefined, err
	}
	return sb.value()
}

// appendRegExpEscape is EncodeForRegExpEscape (§22.2.5.1.1); nothing is
// appended for a unit that stands for itself.
func appendRegExpEscape(dst []byte, c uint16, first bool) []byte {
	const hex = "0123456789abcdef"
	switch {
	case c < 0x80 && (c-'0' < 10 || c|0x20-'a' < 26):
		if !first {
			return dst
		}
		return append(dst, '\\', 'x', hex[c>>4], hex[c&15])
	case c < 0x80:
		switch byte(c) {
		case '^', '$', '\\', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/':
			return append(dst, '\\', byte(c))
		case '\t':
			return append(dst, '\\', 't')
		case '\n':
			return append(dst, '\\', 'n')
		case '\v':
			return append(dst, '\\', 'v')
		case '\f':
			return append(dst, '\\', 'f')
		case '\r':
			return append(dst, '\\', 'r')
		case ',', '-', '=', '<', '>', '#', '&', '!', '%', ':', ';', '@', '~', '\'', '`', '"', ' ':
			return append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		}
		return dst
	case c == 0xA0:
		return append(dst, '\\', 'x', 'a', '0')
	case text.IsSpace(uint32(c)), text.IsLineTerminator(uint32(c)), c&0xF800 == 0xD800:
		return append(dst, '\\', 'u', hex[c>>12], hex[c>>8&15], hex[c>>4&15], hex[c&15])
	}
	return dst
}
