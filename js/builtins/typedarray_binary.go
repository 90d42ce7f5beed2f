package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupUint8Array adds the base64 and hex functions of Uint8Array (§23.3).
func setupUint8Array(b *vm.Builder, c, p vm.Obj) {
	b.Method(c, "fromBase64", 1, uint8FromBase64)
	b.Method(c, "fromHex", 1, uint8FromHex)
	b.Method(p, "setFromBase64", 1, uint8SetFromBase64)
	b.Method(p, "setFromHex", 1, uint8SetFromHex)
	b.Method(p, "toBase64", 0, uint8ToBase64)
	b.Method(p, "toHex", 0, uint8ToHex)
}

// thisUint8 is ValidateUint8Array (§23.3.3.1).
func thisUint8(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	if m.IsTypedArray(c.This) && m.TypedElem(c.This.AsObj()) == vm.ElemUint8 {
		return c.This.AsObj(), nil
	}
	return 0, m.TypeError("Method Uint8Array.prototype.%s called on incompatible receiver %s", method, m.Describe(c.This))
}

// stringOption reads a property of an options object, which must be one of two
// or three strings; "" when it is undefined.
func stringOption(m *vm.Machine, opts vm.Value, name string, allowed ...string) (string, error) {
	if opts == vm.Undefined {
		return "", nil
	}
	k, err := m.H.KeyOfName(name)
	if err != nil {
		return "", err
	}
	v, err := m.Get(opts.AsObj(), k)
	if err != nil || v == vm.Undefined {
		return "", err
	}
	if v.IsString() && m.H.Len(v.AsStr()) < 32 {
		s := m.H.GoString(v.AsStr())
		for _, a := range allowed { //meter: at most three
			if s == a {
				return s, nil
			}
		}
	}
	return "", m.TypeError("Invalid value for option %s", name)
}

// optionsObject is GetOptionsObject.
func optionsObject(m *vm.Machine, v vm.Value) error {
	if v != vm.Undefined && !v.IsObject() {
		return m.TypeError("The options argument must be an object")
	}
	return nil
}

func base64Options(m *vm.Machine, opts vm.Value) (url bool, last text.LastChunk, err error) {
	if err = optionsObject(m, opts); err != nil {
		return false, 0, err
	}
	alphabet, err := stringOption(m, opts, "alphabet", "base64", "base64url")
	if err != nil {
		return false, 0, err
	}
	chunk, err := stringOption(m, opts, "lastChunkHandling", "loose", "strict", "stop-before-partial")
	switch chunk {
	case "strict":
		last = text.Strict
	case "stop-before-partial":
		last = text.StopBeforePartial
	}
	return alphabet == "base64url", last, err
}

// codeError turns a syntax error of package text into an exception.
func codeError(m *vm.Machine, err error) error {
	switch err {
	case text.ErrBase64Char, text.ErrBase64Padding, text.ErrBase64Partial, text.ErrBase64Bits, text.ErrHexLength, text.ErrHexChar:
		return m.SyntaxError("%s", err.Error())
	}
	return err
}

func needString(m *vm.Machine, v vm.Value) error {
	if !v.IsString() {
		return m.TypeError("The first argument must be a string, got %s", m.Describe(v))
	}
	return nil
}

// decode runs a decoder over a string. limit < 0 is no limit.
func decodeBytes(m *vm.Machine, s vm.Str, hex, url bool, last text.LastChunk, limit int) (read int, out []byte, err error) {
	b, u, err := m.H.Units16(s)
	if err != nil {
		return 0, nil, err
	}
	// The result is at most as long as the text.
	n := max(len(b), len(u))
	if err := m.Meter().Grow(int64(n)); err != nil {
		return 0, nil, err
	}
	defer m.Meter().Shrink(int64(n))
	mt := m.Meter()
	switch {
	case hex && u != nil:
		return text.FromHex(mt, nil, u, limit)
	case hex:
		return text.FromHex(mt, nil, b, limit)
	case u != nil:
		return text.FromBase64(mt, nil, u, url, last, limit)
	}
	return text.FromBase64(mt, nil, b, url, last, limit)
}

func newUint8Array(m *vm.Machine, b []byte) (vm.Value, error) {
	o, err := typedOfLength(m, typedProto(m, vm.ElemUint8), vm.ElemUint8, float64(len(b)))
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), copyBytes(m, m.TypedBytesW(o), b)
}

// uint8FromBase64 is Uint8Array.fromBase64 (§23.3.1.1).
func uint8FromBase64(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := needString(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	url, last, err := base64Options(m, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	_, b, err := decodeBytes(m, c.Arg(0).AsStr(), false, url, last, -1)
	if err != nil {
		return vm.Undefined, codeError(m, err)
	}
	return newUint8Array(m, b)
}

// uint8FromHex is Uint8Array.fromHex (§23.3.1.2).
func uint8FromHex(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := needString(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	_, b, err := decodeBytes(m, c.Arg(0).AsStr(), true, false, 0, -1)
	if err != nil {
		return vm.Undefined, codeError(m, err)
	}
	return newUint8Array(m, b)
}

// setDecoded is what setFromBase64 and setFromHex do after their options.
func setDecoded(m *vm.Machine, o vm.Obj, s vm.Str, hex, url bool, last text.LastChunk, method string) (vm.Value, error) {
	n, err := typedBounds(m, o, "Uint8Array.prototype."+method)
	if err != nil {
		return vm.Undefined, err
	}
	read, b, err := decodeBytes(m, s, hex, url, last, n)
	if err != nil {
		if err = codeError(m, err); b == nil {
			return vm.Undefined, err
		}
	}
	if cerr := copyBytes(m, m.TypedBytesW(o), b); cerr != nil {
		return vm.Undefined, cerr
	}
	if err != nil {
		return vm.Undefined, err
	}
	r := m.NewPlain()
	for _, e := range []struct {
		name string
		n    int
	}{{"read", read}, {"written", len(b)}} {
		k, err := m.H.KeyOfName(e.name)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.CreateDataOrThrow(r, k, heap.Int(int32(e.n))); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(r), nil
}

// uint8SetFromBase64 is Uint8Array.prototype.setFromBase64 (§23.3.2.1).
func uint8SetFromBase64(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisUint8(m, &c, "setFromBase64")
	if err == nil && m.IsImmutable(m.ViewBuffer(o)) {
		err = immutableError(m, "Uint8Array.prototype.setFromBase64")
	}
	if err != nil {
		return vm.Undefined, err
	}
	if err := needString(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	url, last, err := base64Options(m, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	return setDecoded(m, o, c.Arg(0).AsStr(), false, url, last, "setFromBase64")
}

// uint8SetFromHex is Uint8Array.prototype.setFromHex (§23.3.2.2).
func uint8SetFromHex(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisUint8(m, &c, "setFromHex")
	if err == nil && m.IsImmutable(m.ViewBuffer(o)) {
		err = immutableError(m, "Uint8Array.prototype.setFromHex")
	}
	if err != nil {
		return vm.Undefined, err
	}
	if err := needString(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	return setDecoded(m, o, c.Arg(0).AsStr(), true, false, 0, "setFromHex")
}

// encoded makes a string of what encode appends; factor bounds its length in
// bytes for each byte of o.
func encoded(m *vm.Machine, o vm.Obj, method string, encode func(src []byte) ([]byte, error)) (vm.Value, error) {
	n, err := typedBounds(m, o, "Uint8Array.prototype."+method)
	if err != nil {
		return vm.Undefined, err
	}
	if n > heap.MaxStringLength/2 {
		return vm.Undefined, heap.ErrStringLength
	}
	if err := m.Meter().Grow(int64(n) * 2); err != nil {
		return vm.Undefined, err
	}
	defer m.Meter().Shrink(int64(n) * 2)
	b, err := encode(m.TypedBytes(o))
	if err != nil {
		return vm.Undefined, err
	}
	return latin1Value(m, b)
}

// uint8ToBase64 is Uint8Array.prototype.toBase64 (§23.3.2.3).
func uint8ToBase64(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisUint8(m, &c, "toBase64")
	if err != nil {
		return vm.Undefined, err
	}
	opts := c.Arg(0)
	if err := optionsObject(m, opts); err != nil {
		return vm.Undefined, err
	}
	alphabet, err := stringOption(m, opts, "alphabet", "base64", "base64url")
	if err != nil {
		return vm.Undefined, err
	}
	omit := false
	if opts != vm.Undefined {
		k, err := m.H.KeyOfName("omitPadding")
		if err != nil {
			return vm.Undefined, err
		}
		v, err := m.Get(opts.AsObj(), k)
		if err != nil {
			return vm.Undefined, err
		}
		omit = m.ToBoolean(v)
	}
	return encoded(m, o, "toBase64", func(src []byte) ([]byte, error) {
		return text.AppendBase64(m.Meter(), nil, src, alphabet == "base64url", omit)
	})
}

// uint8ToHex is Uint8Array.prototype.toHex (§23.3.2.4).
func uint8ToHex(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisUint8(m, &c, "toHex")
	if err != nil {
		return vm.Undefined, err
	}
	return encoded(m, o, "toHex", func(src []byte) ([]byte, error) { return text.AppendHex(m.Meter(), nil, src) })
}
