package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// newText makes a string of a text that js/text returned.
func newText(m *vm.Machine, t text.Text) (vm.Value, error) {
	var s vm.Str
	var err error
	if t.Wide != nil {
		s, err = m.H.NewUTF16(t.Wide)
	} else {
		s, err = m.H.NewLatin1(t.Latin1)
	}
	return heap.StringValue(s), err
}

// sameBytes reports whether two slices are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// shortCase is the longest ASCII string whose case is mapped on the stack.
const shortCase = 64

// asciiCase maps a short ASCII string to upper (from 'a') or lower (from 'A')
// case. ok is false if it is not ASCII.
func asciiCase(dst *[shortCase]byte, b []byte, from byte) (changed, ok bool) {
	for i, c := range b { //meter: at most shortCase
		if c >= 0x80 {
			return false, false
		}
		if c-from < 26 {
			c ^= 0x20
			changed = true
		}
		dst[i] = c
	}
	return changed, true
}

func lowerCase(m *vm.Machine, s vm.Str) (vm.Value, error) {
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	if u != nil {
		t, err := text.ToLower(m.Meter(), u)
		if err != nil {
			return vm.Undefined, err
		}
		return newText(m, t)
	}
	if len(b) <= shortCase {
		var buf [shortCase]byte
		if changed, ok := asciiCase(&buf, b, 'A'); ok {
			if !changed {
				return heap.StringValue(s), nil
			}
			r, err := m.H.NewLatin1(buf[:len(b)])
			return heap.StringValue(r), err
		}
	}
	t, err := text.ToLowerLatin1(m.Meter(), b)
	if err != nil {
		return vm.Undefined, err
	}
	if sameBytes(t, b) {
		return heap.StringValue(s), nil
	}
	r, err := m.H.NewLatin1(t)
	return heap.StringValue(r), err
}

func upperCase(m *vm.Machine, s vm.Str) (vm.Value, error) {
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	if u != nil {
		t, err := text.ToUpper(m.Meter(), u)
		if err != nil {
			return vm.Undefined, err
		}
		return newText(m, t)
	}
	if len(b) <= shortCase {
		var buf [shortCase]byte
		if changed, ok := asciiCase(&buf, b, 'a'); ok {
			if !changed {
				return heap.StringValue(s), nil
			}
			r, err := m.H.NewLatin1(buf[:len(b)])
			return heap.StringValue(r), err
		}
	}
	t, err := text.ToUpperLatin1(m.Meter(), b)
	if err != nil {
		return vm.Undefined, err
	}
	if t.Wide == nil && sameBytes(t.Latin1, b) {
		return heap.StringValue(s), nil
	}
	return newText(m, t)
}

// stringToLowerCase and stringToUpperCase are §22.1.3.28 and §22.1.3.30.
func stringToLowerCase(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "toLowerCase")
	if err != nil {
		return vm.Undefined, err
	}
	return lowerCase(m, s)
}

func stringToUpperCase(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "toUpperCase")
	if err != nil {
		return vm.Undefined, err
	}
	return upperCase(m, s)
}

// stringTrim, stringTrimStart and stringTrimEnd are §22.1.3.32 to §22.1.3.34.
func stringTrim(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return trim(m, &c, "trim", true, true)
}

func stringTrimStart(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return trim(m, &c, "trimStart", true, false)
}

func stringTrimEnd(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return trim(m, &c, "trimEnd", false, true)
}

func trim(m *vm.Machine, c *vm.Call, method string, start, end bool) (vm.Value, error) {
	s, err := thisString(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	i, j := 0, m.H.Len(s)
	if start {
		if u != nil {
			i, err = text.TrimStart(m.Meter(), u)
		} else {
			i, err = text.TrimStart(m.Meter(), b)
		}
	}
	if err == nil && end && i < j {
		if u != nil {
			j, err = text.TrimEnd(m.Meter(), u)
		} else {
			j, err = text.TrimEnd(m.Meter(), b)
		}
	}
	if err != nil {
		return vm.Undefined, err
	}
	return substring(m, s, i, j)
}

// stringNormalize is String.prototype.normalize (§22.1.3.15).
func stringNormalize(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "normalize")
	if err != nil {
		return vm.Undefined, err
	}
	form := text.NFC
	if v := c.Arg(0); v != vm.Undefined {
		f, err := m.ToString(v)
		if err != nil {
			return vm.Undefined, err
		}
		name := ""
		if m.H.Len(f) <= 4 {
			name = m.H.GoString(f)
		}
		switch name {
		case "NFC":
		case "NFD":
			form = text.NFD
		case "NFKC":
			form = text.NFKC
		case "NFKD":
			form = text.NFKD
		default:
			return vm.Undefined, m.RangeError("The normalization form should be one of NFC, NFD, NFKC, NFKD.")
		}
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	var t text.Text
	var changed bool
	if u != nil {
		t, changed, err = text.Normalize(m.Meter(), u, form)
	} else {
		t, changed, err = text.Normalize(m.Meter(), b, form)
	}
	if err != nil {
		return vm.Undefined, err
	}
	if !changed {
		return heap.StringValue(s), nil
	}
	return newText(m, t)
}

// stringIsWellFormed is String.prototype.isWellFormed (§22.1.3.10).
func stringIsWellFormed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "isWellFormed")
	if err != nil {
		return vm.Undefined, err
	}
	if !m.H.IsWide(s) {
		return vm.True, nil
	}
	_, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := text.IsWellFormed(m.Meter(), u)
	return heap.Bool(ok), err
}

// stringToWellFormed is String.prototype.toWellFormed (§22.1.3.31).
func stringToWellFormed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "toWellFormed")
	if err != nil {
		return vm.Undefined, err
	}
	if !m.H.IsWide(s) {
		return heap.StringValue(s), nil
	}
	_, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := text.IsWellFormed(m.Meter(), u)
	if err != nil {
		return vm.Undefined, err
	}
	if ok {
		return heap.StringValue(s), nil
	}
	r, err := text.ToWellFormed(m.Meter(), nil, u)
	if err != nil {
		return vm.Undefined, err
	}
	return newText(m, text.Text{Wide: r})
}
