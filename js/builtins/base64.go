package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupBase64 makes atob and btoa (HTML §8.3).
func setupBase64(b *vm.Builder) {
	global := b.Intrinsic(vm.GlobalObject)
	webMethod(b, global, "atob", 1, globalAtob)
	webMethod(b, global, "btoa", 1, globalBtoa)
}

// globalBtoa is btoa.
func globalBtoa(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if len(c.Args) == 0 {
		return vm.Undefined, missingArgs(m, `"input" argument`)
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	l, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	if u != nil {
		fits, err := text.FitsLatin1(m.Meter(), u)
		if err != nil {
			return vm.Undefined, err
		}
		if !fits {
			return vm.Undefined, domException(m, "InvalidCharacterError", "Invalid character")
		}
		if err := m.Hold(int64(len(u))); err != nil {
			return vm.Undefined, err
		}
		l = text.AppendNarrow(nil, u)
	}
	if err := m.Hold(int64(len(l))/3*4 + 4); err != nil {
		return vm.Undefined, err
	}
	out, err := text.AppendBase64(m.Meter(), nil, l, false, false)
	if err != nil {
		return vm.Undefined, err
	}
	r, err := m.H.NewLatin1(out)
	return heap.StringValue(r), err
}

// globalAtob is atob: the forgiving-base64 decode of the Infra Standard (§6.1),
// which takes no padding that is not whole and ignores bits left over.
func globalAtob(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if len(c.Args) == 0 {
		return vm.Undefined, missingArgs(m, `"input" argument`)
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	l, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Hold(int64(len(l)+len(u))/4*3 + 4); err != nil {
		return vm.Undefined, err
	}
	var out []byte
	if u != nil {
		out, err = forgivingBase64(m, u)
	} else {
		out, err = forgivingBase64(m, l)
	}
	if err != nil {
		return vm.Undefined, err
	}
	r, err := m.H.NewLatin1(out)
	return heap.StringValue(r), err
}

func forgivingBase64[C text.Char](m *vm.Machine, s []C) ([]byte, error) {
	_, out, err := text.FromBase64(m.Meter(), nil, s, false, text.Loose, -1)
	switch {
	case err == nil:
		return out, nil
	case err == text.ErrBase64Partial:
		return nil, domException(m, "InvalidCharacterError", "The string to be decoded is not correctly encoded.")
	case err == text.ErrBase64Char || err == text.ErrBase64Padding || err == text.ErrBase64Bits:
		return nil, domException(m, "InvalidCharacterError", "Invalid character")
	}
	return nil, err
}
