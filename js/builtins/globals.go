package builtins

import (
	"errors"
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupGlobals makes the value and function properties of the global object
// (§19.1, §19.2, §B.2.1) and queueMicrotask.
func setupGlobals(b *vm.Builder) {
	b.GlobalValue("globalThis", heap.ObjectValue(b.Global()), heap.HiddenAttrs)
	b.GlobalValue("Infinity", heap.Float(math.Inf(1)), 0)
	b.GlobalValue("NaN", heap.NaN, 0)
	b.GlobalValue("undefined", vm.Undefined, 0)

	b.Set(vm.EvalFunction, b.GlobalFunc("eval", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		return m.IndirectEval(c.Arg(0))
	}))
	b.GlobalFunc("isFinite", 1, globalIsFinite)
	b.GlobalFunc("isNaN", 1, globalIsNaN)
	shareWithNumber(b, "parseFloat", 1, globalParseFloat)
	shareWithNumber(b, "parseInt", 2, globalParseInt)
	b.GlobalFunc("decodeURI", 1, uriDecoder(false))
	b.GlobalFunc("decodeURIComponent", 1, uriDecoder(true))
	b.GlobalFunc("encodeURI", 1, uriEncoder(false))
	b.GlobalFunc("encodeURIComponent", 1, uriEncoder(true))
	b.GlobalFunc("escape", 1, globalEscape)
	b.GlobalFunc("unescape", 1, globalUnescape)
	b.GlobalFunc("queueMicrotask", 1, globalQueueMicrotask)
}

// shareWithNumber makes a global function that is the same object as the
// method of Number with its name (§21.1.2.12, §21.1.2.13).
func shareWithNumber(b *vm.Builder, name string, length int, fn vm.NativeFunc) {
	if n := b.Intrinsic(vm.NumberConstructor); n != 0 {
		if v, _, ok := b.H.GetNamed(n, b.Key(name).Name()); ok {
			b.GlobalValue(name, v, heap.HiddenAttrs)
			return
		}
		b.Prop(n, name, heap.ObjectValue(b.GlobalFunc(name, length, fn)), heap.HiddenAttrs)
		return
	}
	b.GlobalFunc(name, length, fn)
}

func globalIsFinite(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, err := m.ToFloat(c.Arg(0))
	return heap.Bool(!math.IsNaN(f) && !math.IsInf(f, 0)), err
}

func globalIsNaN(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, err := m.ToFloat(c.Arg(0))
	return heap.Bool(f != f), err
}

// globalParseFloat is parseFloat (§19.2.4).
func globalParseFloat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.Arg(0).IsInt() {
		return c.Arg(0), nil
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	var f float64
	if u != nil {
		f, err = conv.ParseFloatPrefix(m.Meter(), u)
	} else {
		f, err = conv.ParseFloatPrefix(m.Meter(), b)
	}
	return heap.Number(f), err
}

// globalParseInt is parseInt (§19.2.5).
func globalParseInt(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.Arg(0).IsInt() && len(c.Args) == 1 {
		return c.Arg(0), nil
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	radix, err := m.ToInt32(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	var f float64
	if u != nil {
		f, err = conv.ParseIntPrefix(m.Meter(), u, radix)
	} else {
		f, err = conv.ParseIntPrefix(m.Meter(), b, radix)
	}
	return heap.Number(f), err
}

// uriEncoder is encodeURI or encodeURIComponent (§19.2.6).
func uriEncoder(component bool) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := m.ToString(c.Arg(0))
		if err != nil {
			return vm.Undefined, err
		}
		b, u, err := m.H.Units16(s)
		if err != nil {
			return vm.Undefined, err
		}
		var out []byte
		if u != nil {
			out, err = text.EncodeURI(m.Meter(), nil, u, component)
		} else {
			out, err = text.EncodeURI(m.Meter(), nil, b, component)
		}
		if err != nil {
			return vm.Undefined, uriError(m, err)
		}
		r, err := m.H.NewLatin1(out)
		return heap.StringValue(r), err
	}
}

// uriDecoder is decodeURI or decodeURIComponent.
func uriDecoder(component bool) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := m.ToString(c.Arg(0))
		if err != nil {
			return vm.Undefined, err
		}
		b, u, err := m.H.Units16(s)
		if err != nil {
			return vm.Undefined, err
		}
		var t text.Text
		if u != nil {
			t, err = text.DecodeURI(m.Meter(), u, component)
		} else {
			t, err = text.DecodeURI(m.Meter(), b, component)
		}
		if err != nil {
			return vm.Undefined, uriError(m, err)
		}
		return globalText(m, t)
	}
}

func uriError(m *vm.Machine, err error) error {
	if errors.Is(err, text.ErrURI) {
		return m.URIError("URI malformed")
	}
	return err
}

func globalText(m *vm.Machine, t text.Text) (vm.Value, error) {
	var s heap.Str
	var err error
	if t.IsWide() {
		s, err = m.H.NewUTF16(t.Wide)
	} else {
		s, err = m.H.NewLatin1(t.Latin1)
	}
	return heap.StringValue(s), err
}

// globalEscape is escape (§B.2.1.1).
func globalEscape(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	var out []byte
	if u != nil {
		out, err = text.Escape(m.Meter(), nil, u)
	} else {
		out, err = text.Escape(m.Meter(), nil, b)
	}
	if err != nil {
		return vm.Undefined, err
	}
	r, err := m.H.NewLatin1(out)
	return heap.StringValue(r), err
}

// globalUnescape is unescape (§B.2.1.2).
func globalUnescape(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	var t text.Text
	if u != nil {
		t, err = text.Unescape(m.Meter(), u)
	} else {
		t, err = text.Unescape(m.Meter(), b)
	}
	if err != nil {
		return vm.Undefined, err
	}
	return globalText(m, t)
}

// globalQueueMicrotask is queueMicrotask of the HTML standard.
func globalQueueMicrotask(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsCallable(c.Arg(0)) {
		return vm.Undefined, ArgumentTypeError(m, "callback", "of type function", c.Arg(0))
	}
	m.QueueMicrotask(c.Arg(0))
	return vm.Undefined, nil
}
