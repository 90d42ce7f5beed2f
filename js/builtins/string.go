package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupString makes %String%, %String.prototype% (ECMA-262 §22.1, §B.2.2) and
// %StringIteratorPrototype%.
func setupString(b *vm.Builder) {
	proto := b.H.NewObject(b.H.RootShape(b.Intrinsic(vm.ObjectPrototype)), heap.ClassString)
	w := b.H.ObjW(proto)
	w.Data = heap.StringValue(b.N.StrEmpty)
	w.Flags |= heap.Exotic
	b.Set(vm.StringPrototype, proto)
	ctor := b.Set(vm.StringConstructor, b.Ctor("String", 1, stringConstructor, proto, 0))
	b.Method(ctor, "fromCharCode", 1, stringFromCharCode)
	b.Method(ctor, "fromCodePoint", 1, stringFromCodePoint)
	b.Method(ctor, "raw", 1, stringRaw)

	b.Method(proto, "at", 1, stringAt)
	b.Method(proto, "charAt", 1, stringCharAt)
	b.Method(proto, "charCodeAt", 1, stringCharCodeAt)
	b.Method(proto, "codePointAt", 1, stringCodePointAt)
	b.Method(proto, "concat", 1, stringConcat)
	b.Method(proto, "endsWith", 1, stringEndsWith)
	b.Method(proto, "includes", 1, stringIncludes)
	b.Method(proto, "indexOf", 1, stringIndexOf)
	b.Method(proto, "isWellFormed", 0, stringIsWellFormed)
	b.Method(proto, "lastIndexOf", 1, stringLastIndexOf)
	b.Method(proto, "localeCompare", 1, stringLocaleCompare)
	b.Method(proto, "match", 1, stringMatch)
	b.Method(proto, "matchAll", 1, stringMatchAll)
	b.Method(proto, "normalize", 0, stringNormalize)
	b.Method(proto, "padEnd", 1, stringPadEnd)
	b.Method(proto, "padStart", 1, stringPadStart)
	b.Method(proto, "repeat", 1, stringRepeat)
	b.Method(proto, "replace", 2, stringReplace)
	b.Method(proto, "replaceAll", 2, stringReplaceAll)
	b.Method(proto, "search", 1, stringSearch)
	b.Method(proto, "slice", 2, stringSlice)
	b.Method(proto, "split", 2, stringSplit)
	b.Method(proto, "startsWith", 1, stringStartsWith)
	b.Method(proto, "substring", 2, stringSubstring)
	b.Method(proto, "toLocaleLowerCase", 0, stringToLocaleLowerCase)
	b.Method(proto, "toLocaleUpperCase", 0, stringToLocaleUpperCase)
	b.Method(proto, "toLowerCase", 0, stringToLowerCase)
	b.Method(proto, "toString", 0, stringToString)
	b.Method(proto, "toUpperCase", 0, stringToUpperCase)
	b.Method(proto, "toWellFormed", 0, stringToWellFormed)
	b.Method(proto, "trim", 0, stringTrim)
	end := b.Method(proto, "trimEnd", 0, stringTrimEnd)
	start := b.Method(proto, "trimStart", 0, stringTrimStart)
	b.Method(proto, "valueOf", 0, stringValueOf)
	b.Method(proto, "@@iterator", 0, stringIterator)

	b.Method(proto, "substr", 2, stringSubstr)
	b.Prop(proto, "trimLeft", heap.ObjectValue(start), heap.HiddenAttrs)
	b.Prop(proto, "trimRight", heap.ObjectValue(end), heap.HiddenAttrs)
	for _, t := range []struct{ name, tag, attr string }{
		{"anchor", "a", "name"}, {"big", "big", ""}, {"blink", "blink", ""}, {"bold", "b", ""},
		{"fixed", "tt", ""}, {"fontcolor", "font", "color"}, {"fontsize", "font", "size"}, {"italics", "i", ""},
		{"link", "a", "href"}, {"small", "small", ""}, {"strike", "strike", ""}, {"sub", "sub", ""}, {"sup", "sup", ""},
	} {
		length := 0
		if t.attr != "" {
			length = 1
		}
		b.Method(proto, t.name, length, stringHTML(t.name, t.tag, t.attr))
	}
	b.GlobalObj("String", ctor)

	it := b.Set(vm.StringIteratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	b.MarkStep(b.Method(it, "next", 0, stringIteratorNext))
	b.Tag(it, "String Iterator")
}

// stringConstructor is String (§22.1.1.1).
func stringConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s := m.N.StrEmpty
	if len(c.Args) > 0 {
		v := c.Args[0]
		if c.NewTarget == vm.Undefined && v.IsSymbol() {
			return symbolDescriptiveString(m, v.AsStr())
		}
		var err error
		if s, err = m.ToString(v); err != nil {
			return vm.Undefined, err
		}
	}
	if c.NewTarget == vm.Undefined {
		return heap.StringValue(s), nil
	}
	o, err := m.NewFrom(c.NewTarget, vm.StringPrototype, heap.ClassString)
	if err != nil {
		return vm.Undefined, err
	}
	w := m.H.ObjW(o)
	w.Data = heap.StringValue(s)
	w.Flags |= heap.Exotic
	return heap.ObjectValue(o), nil
}

// stringFromCharCode is String.fromCharCode (§22.1.2.1).
func stringFromCharCode(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if len(c.Args) == 1 {
		n, err := m.ToInt32(c.Args[0])
		return heap.StringValue(m.H.Char(uint16(n))), err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	for _, v := range c.Args {
		n, err := m.ToInt32(v)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := sb.unit(uint16(n)); err != nil {
			return vm.Undefined, err
		}
	}
	return sb.value()
}

// stringFromCodePoint is String.fromCodePoint (§22.1.2.2).
func stringFromCodePoint(m *vm.Machine, c vm.Call) (vm.Value, error) {
	sb := stringBuilder{m: m}
	defer sb.release()
	for _, v := range c.Args {
		n, err := m.ToNumber(v)
		if err != nil {
			return vm.Undefined, err
		}
		f := n.AsFloat()
		if !(f >= 0 && f <= 0x10FFFF) || f != math.Trunc(f) {
			return vm.Undefined, m.RangeError("Invalid code point %s", plainText(m, n))
		}
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		r := uint32(f)
		if r > 0xFFFF {
			if err := sb.unit(uint16(0xD7C0 + r>>10)); err != nil {
				return vm.Undefined, err
			}
			r = 0xDC00 | r&0x3FF
		}
		if err := sb.unit(uint16(r)); err != nil {
			return vm.Undefined, err
		}
	}
	return sb.value()
}

// plainText renders a value for a message.
func plainText(m *vm.Machine, v vm.Value) string { return m.Describe(v) }

// stringRaw is String.raw (§22.1.2.4).
func stringRaw(m *vm.Machine, c vm.Call) (vm.Value, error) {
	cooked, err := m.ToObject(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	v, err := m.Get(cooked, m.N.Raw)
	if err != nil {
		return vm.Undefined, err
	}
	literals, err := m.ToObject(v)
	if err != nil {
		return vm.Undefined, err
	}
	n, err := m.LengthOf(literals)
	if err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	for i := int64(0); i < n; i++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		k, err := m.KeyOfInt64(i)
		if err != nil {
			return vm.Undefined, err
		}
		v, err := m.Get(literals, k)
		if err != nil {
			return vm.Undefined, err
		}
		if err := appendToString(m, &sb, v); err != nil {
			return vm.Undefined, err
		}
		if i+1 < n && i+1 < int64(len(c.Args)) {
			if err := appendToString(m, &sb, c.Args[i+1]); err != nil {
				return vm.Undefined, err
			}
		}
	}
	return sb.value()
}

// appendToString appends ToString(v).
func appendToString(m *vm.Machine, sb *stringBuilder, v vm.Value) error {
	s, err := m.ToString(v)
	if err != nil {
		return err
	}
	return sb.str(s)
}

// thisString is ToString(RequireObjectCoercible(this value)).
func thisString(m *vm.Machine, c *vm.Call, method string) (vm.Str, error) {
	if c.This.IsString() {
		return c.This.AsStr(), nil
	}
	if c.This.IsNullish() {
		return 0, m.TypeError("String.prototype.%s called on null or undefined", method)
	}
	return m.ToString(c.This)
}

// stringToString and stringValueOf are §22.1.3.29 and §22.1.3.35.
func stringToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return thisStringValue(m, &c, "toString")
}

func stringValueOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return thisStringValue(m, &c, "valueOf")
}

// thisStringValue is ThisStringValue (§22.1.3.35.1).
func thisStringValue(m *vm.Machine, c *vm.Call, method string) (vm.Value, error) {
	if c.This.IsString() {
		return c.This, nil
	}
	if c.This.IsObject() {
		if rec := m.H.Obj(c.This.AsObj()); rec.Class == heap.ClassString {
			return rec.Data, nil
		}
	}
	return vm.Undefined, m.TypeError("String.prototype.%s requires that 'this' be a String", method)
}

// stringAt is String.prototype.at (§22.1.3.1).
func stringAt(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "at")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToInteger(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	n := float64(m.H.Len(s))
	if f < 0 {
		f += n
	}
	if f < 0 || f >= n {
		return vm.Undefined, nil
	}
	return charAt(m, s, int(f))
}

func charAt(m *vm.Machine, s vm.Str, i int) (vm.Value, error) {
	u, err := m.H.At(s, i)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.StringValue(m.H.Char(u)), nil
}

// stringPosition converts an argument that is an index into s; ok is false if it
// lies outside.
func stringPosition(m *vm.Machine, s vm.Str, v vm.Value) (i int, ok bool, err error) {
	if v.IsInt() {
		i = int(v.AsInt())
		return i, i >= 0 && i < m.H.Len(s), nil
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return 0, false, err
	}
	if f < 0 || f >= float64(m.H.Len(s)) {
		return 0, false, nil
	}
	return int(f), true, nil
}

// stringCharAt is String.prototype.charAt (§22.1.3.2).
func stringCharAt(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "charAt")
	if err != nil {
		return vm.Undefined, err
	}
	i, ok, err := stringPosition(m, s, c.Arg(0))
	if !ok || err != nil {
		return heap.StringValue(m.N.StrEmpty), err
	}
	return charAt(m, s, i)
}

// stringCharCodeAt is String.prototype.charCodeAt (§22.1.3.3).
func stringCharCodeAt(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "charCodeAt")
	if err != nil {
		return vm.Undefined, err
	}
	i, ok, err := stringPosition(m, s, c.Arg(0))
	if !ok || err != nil {
		return heap.NaN, err
	}
	u, err := m.H.At(s, i)
	return heap.Int(int32(u)), err
}

// stringCodePointAt is String.prototype.codePointAt (§22.1.3.4).
func stringCodePointAt(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "codePointAt")
	if err != nil {
		return vm.Undefined, err
	}
	i, ok, err := stringPosition(m, s, c.Arg(0))
	if !ok || err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	if u == nil {
		return heap.Int(int32(b[i])), nil
	}
	r, _ := text.CodePointAt(u, i)
	return heap.Int(int32(r)), nil
}

// stringConcat is String.prototype.concat (§22.1.3.5).
func stringConcat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "concat")
	if err != nil {
		return vm.Undefined, err
	}
	for _, v := range c.Args {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		t, err := m.ToString(v)
		if err != nil {
			return vm.Undefined, err
		}
		if s, err = m.H.Concat(s, t); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.StringValue(s), nil
}

// stringRelative converts a relative index argument: negative ones count from the
// end. undefined gives def.
func stringRelative(m *vm.Machine, v vm.Value, n, def int) (int, error) {
	if v.IsInt() {
		i := int(v.AsInt())
		if i < 0 {
			return max(i+n, 0), nil
		}
		return min(i, n), nil
	}
	if v == vm.Undefined {
		return def, nil
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return 0, err
	}
	if f < 0 {
		return int(max(f+float64(n), 0)), nil
	}
	return int(min(f, float64(n))), nil
}

// stringSlice is String.prototype.slice (§22.1.3.22).
func stringSlice(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "slice")
	if err != nil {
		return vm.Undefined, err
	}
	n := m.H.Len(s)
	from, err := stringRelative(m, c.Arg(0), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	to, err := stringRelative(m, c.Arg(1), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	return substring(m, s, from, to)
}

// substring returns units [i, j) as a value, "" if j ≤ i.
func substring(m *vm.Machine, s vm.Str, i, j int) (vm.Value, error) {
	if j <= i {
		return heap.StringValue(m.N.StrEmpty), nil
	}
	r, err := m.H.Substring(s, i, j)
	return heap.StringValue(r), err
}

// clampIndex converts an argument to an index between 0 and n.
func clampIndex(m *vm.Machine, v vm.Value, n, def int) (int, error) {
	if v.IsInt() {
		return min(max(int(v.AsInt()), 0), n), nil
	}
	if v == vm.Undefined {
		return def, nil
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return 0, err
	}
	return int(min(max(f, 0), float64(n))), nil
}

// stringSubstring is String.prototype.substring (§22.1.3.25).
func stringSubstring(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "substring")
	if err != nil {
		return vm.Undefined, err
	}
	n := m.H.Len(s)
	i, err := clampIndex(m, c.Arg(0), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	j, err := clampIndex(m, c.Arg(1), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	return substring(m, s, min(i, j), max(i, j))
}

// stringSubstr is String.prototype.substr (§B.2.2.1).
func stringSubstr(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "substr")
	if err != nil {
		return vm.Undefined, err
	}
	n := m.H.Len(s)
	from, err := stringRelative(m, c.Arg(0), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	size, err := clampIndex(m, c.Arg(1), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	return substring(m, s, from, min(from+size, n))
}

// stringHTML is CreateHTML (§B.2.2.2.1) for one method.
func stringHTML(name, tag, attr string) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := thisString(m, &c, name)
		if err != nil {
			return vm.Undefined, err
		}
		sb := stringBuilder{m: m}
		defer sb.release()
		err = sb.ascii("<" + tag)
		if err == nil && attr != "" {
			err = appendAttribute(m, &sb, attr, c.Arg(0))
		}
		if err == nil {
			err = sb.ascii(">")
		}
		if err == nil {
			err = sb.str(s)
		}
		if err == nil {
			err = sb.ascii("</" + tag + ">")
		}
		if err != nil {
			return vm.Undefined, err
		}
		return sb.value()
	}
}

func appendAttribute(m *vm.Machine, sb *stringBuilder, attr string, v vm.Value) error {
	s, err := m.ToString(v)
	if err != nil {
		return err
	}
	if err := sb.ascii(" " + attr + "=\""); err != nil {
		return err
	}
	quote := m.H.Char('"')
	for from, n := 0, m.H.Len(s); from < n; { //meter: stringIndex charges
		at, err := stringIndex(m, s, quote, from) // charges
		if err != nil {
			return err
		}
		if at < 0 {
			at = n
		}
		if err := sb.substr(s, from, at); err != nil {
			return err
		}
		if at < n {
			if err := sb.ascii("&quot;"); err != nil {
				return err
			}
		}
		from = at + 1
	}
	return sb.ascii("\"")
}

// String iterators are of ClassIterator with Length iterString. Data is a
// block: the string, or undefined when done; the next index.
const (
	stringIterString = iota
	stringIterIndex
	stringIterSize
)

// stringIterator is String.prototype [ @@iterator ] (§22.1.3.36).
func stringIterator(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "[Symbol.iterator]")
	if err != nil {
		return vm.Undefined, err
	}
	b := m.H.NewSmallValues(stringIterSize)
	w := m.H.ValuesW(b)
	w[stringIterString], w[stringIterIndex] = heap.StringValue(s), heap.Int(0)
	return newIteratorObject(m, vm.StringIteratorPrototype, iterString, b), nil
}

// stringIteratorNext is %StringIteratorPrototype%.next (§22.1.5.1.1).
func stringIteratorNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterString)
	if !ok {
		return vm.Undefined, m.TypeError("next method called on incompatible receiver %s", m.Describe(c.This))
	}
	v, done, err := stringIteratorStep(m, b)
	if err != nil {
		return vm.Undefined, err
	}
	return m.StepResult(&c, v, done), nil
}

func stringIteratorStep(m *vm.Machine, b heap.Block) (v vm.Value, done bool, err error) {
	w := m.H.Values(b)
	sv := w[stringIterString]
	if sv == vm.Undefined {
		return vm.Undefined, true, nil
	}
	s, i := sv.AsStr(), int(w[stringIterIndex].AsInt())
	if i >= m.H.Len(s) {
		m.H.SetWord(b, stringIterString, vm.Undefined)
		return vm.Undefined, true, nil
	}
	l, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, false, err
	}
	if u == nil {
		v = heap.StringValue(m.H.Char(uint16(l[i])))
		m.H.SetWord(b, stringIterIndex, heap.Int(int32(i+1)))
		return v, false, nil
	}
	if _, n := text.CodePointAt(u, i); n == 2 {
		t, err := m.H.Substring(s, i, i+2)
		if err != nil {
			return vm.Undefined, false, err
		}
		m.H.SetWord(b, stringIterIndex, heap.Int(int32(i+2)))
		return heap.StringValue(t), false, nil
	}
	v = heap.StringValue(m.H.Char(u[i]))
	m.H.SetWord(b, stringIterIndex, heap.Int(int32(i+1)))
	return v, false, nil
}

// stringRepeat is String.prototype.repeat (§22.1.3.18).
func stringRepeat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "repeat")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToFloat(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	f = conv.ToIntegerOrInfinity(f)
	if f < 0 || math.IsInf(f, 0) {
		return vm.Undefined, m.RangeError("Invalid count value: %s", plainText(m, c.Arg(0)))
	}
	l := m.H.Len(s)
	if l == 0 || f == 0 {
		return heap.StringValue(m.N.StrEmpty), nil
	}
	if f > float64(heap.MaxStringLength/l) {
		return vm.Undefined, heap.ErrStringLength
	}
	r, err := repeatString(m, s, int(f))
	return heap.StringValue(r), err
}

// shortText is the longest Latin-1 string that is put together on the stack.
const shortText = 64

// fill fills dst with b again and again, the last time perhaps in part.
func fill(dst, b []byte) {
	for n := copy(dst, b); n > 0 && n < len(dst); { //meter: at most shortText
		n += copy(dst[n:], dst[:n])
	}
}

// flatRepeat is how many units a repetition has before it becomes a rope of
// larger and larger parts.
const flatRepeat = 4096

// repeatString returns s, which is not empty, n times. The caller has checked
// the length.
func repeatString(m *vm.Machine, s vm.Str, n int) (vm.Str, error) {
	l := m.H.Len(s)
	if n == 1 {
		return s, nil
	}
	rest := 0
	if l*n > 2*flatRepeat && l < flatRepeat {
		k := flatRepeat / l
		rest = n % k
		n /= k
		unit, err := flatRepetition(m, s, k)
		if err != nil {
			return 0, err
		}
		tail := m.N.StrEmpty
		if rest > 0 {
			if tail, err = flatRepetition(m, s, rest); err != nil {
				return 0, err
			}
		}
		if s, err = ropeRepetition(m, unit, n); err != nil {
			return 0, err
		}
		return m.H.Concat(s, tail)
	}
	if l*n <= 2*flatRepeat {
		return flatRepetition(m, s, n)
	}
	return ropeRepetition(m, s, n)
}

func flatRepetition(m *vm.Machine, s vm.Str, n int) (vm.Str, error) {
	if l := m.H.Len(s) * n; l <= shortText && !m.H.IsWide(s) {
		var buf [shortText]byte
		b, _, err := m.H.Units16(s)
		if err != nil {
			return 0, err
		}
		fill(buf[:l], b)
		return m.H.NewLatin1(buf[:l])
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	if err := sb.repeat(s, n); err != nil {
		return 0, err
	}
	return sb.finish()
}

// ropeRepetition doubles: the rope has about 2*log2(n) nodes.
func ropeRepetition(m *vm.Machine, s vm.Str, n int) (vm.Str, error) {
	r := m.N.StrEmpty
	for {
		var err error
		if n&1 == 1 {
			if r, err = m.H.Concat(r, s); err != nil {
				return 0, err
			}
		}
		if n >>= 1; n == 0 {
			return r, nil
		}
		if err := m.Charge(1); err != nil {
			return 0, err
		}
		if s, err = m.H.Concat(s, s); err != nil {
			return 0, err
		}
	}
}

// stringPadEnd and stringPadStart are §22.1.3.16 and §22.1.3.17.
func stringPadEnd(m *vm.Machine, c vm.Call) (vm.Value, error) { return pad(m, &c, "padEnd", false) }

func stringPadStart(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return pad(m, &c, "padStart", true)
}

// pad is StringPaddingBuiltinsImpl (§22.1.3.17.1).
func pad(m *vm.Machine, c *vm.Call, method string, start bool) (vm.Value, error) {
	s, err := thisString(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	want, err := m.ToLength(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	n := int64(m.H.Len(s))
	if want <= n {
		return heap.StringValue(s), nil
	}
	filler := m.H.Char(' ')
	if v := c.Arg(1); v != vm.Undefined {
		if filler, err = m.ToString(v); err != nil {
			return vm.Undefined, err
		}
	}
	l := int64(m.H.Len(filler))
	if l == 0 {
		return heap.StringValue(s), nil
	}
	if want > heap.MaxStringLength {
		return vm.Undefined, heap.ErrStringLength
	}
	if want <= shortText && !m.H.IsWide(s) && !m.H.IsWide(filler) {
		return padShort(m, s, filler, int(want), start)
	}
	want -= n
	p := m.N.StrEmpty
	if k := int(want / l); k > 0 {
		if p, err = repeatString(m, filler, k); err != nil {
			return vm.Undefined, err
		}
	}
	if rest := int(want % l); rest > 0 {
		t, err := m.H.Substring(filler, 0, rest)
		if err != nil {
			return vm.Undefined, err
		}
		if p, err = m.H.Concat(p, t); err != nil {
			return vm.Undefined, err
		}
	}
	if start {
		p, err = m.H.Concat(p, s)
	} else {
		p, err = m.H.Concat(s, p)
	}
	return heap.StringValue(p), err
}

// padShort pads a Latin-1 string to want ≤ shortText units.
func padShort(m *vm.Machine, s, filler vm.Str, want int, start bool) (vm.Value, error) {
	var buf [shortText]byte
	b, _, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	f, _, err := m.H.Units16(filler)
	if err != nil {
		return vm.Undefined, err
	}
	if start {
		fill(buf[:want-len(b)], f)
		copy(buf[want-len(b):want], b)
	} else {
		copy(buf[:], b)
		fill(buf[len(b):want], f)
	}
	r, err := m.H.NewLatin1(buf[:want])
	return heap.StringValue(r), err
}
