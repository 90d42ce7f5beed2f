package vm

import (
	"errors"
	"math"
	"slices"

	"github.com/pinfold-js/pinfold/js/conv"
	jstext "github.com/pinfold-js/pinfold/js/text"
)

func math1(f func(float64) float64) bodyFunc {
	return func(_ *run, _ value, args []value) (value, bool) { return number(f(args[0].n)), true }
}

func math2(f func(a, b float64) float64) bodyFunc {
	return func(_ *run, _ value, args []value) (value, bool) { return number(f(args[0].n, args[1].n)), true }
}

func extreme(start float64, better func(a, b float64) bool) bodyFunc {
	return func(_ *run, _ value, args []value) (value, bool) {
		out := start
		for _, a := range args {
			if a.n != a.n || out != out {
				out = math.NaN()
			} else if better(a.n, out) || a.n == 0 && out == 0 && math.Signbit(a.n) == (start > 0) {
				out = a.n
			}
		}
		return number(out), true
	}
}

var mathSpace = &space{name: "Math", constants: map[string]any{
	"PI": math.Pi, "E": math.E, "LN2": math.Ln2, "LN10": math.Ln10, "LOG2E": math.Log2E, "LOG10E": math.Log10E,
	"SQRT2": math.Sqrt2, "SQRT1_2": math.Sqrt2 / 2,
}, methods: methods(
	define("abs(num)", free, math1(math.Abs)),
	define("acos(num)", free, math1(conv.Acos)),
	define("acosh(num)", free, math1(conv.Acosh)),
	define("asin(num)", free, math1(conv.Asin)),
	define("asinh(num)", free, math1(conv.Asinh)),
	define("atan(num)", free, math1(conv.Atan)),
	define("atan2(num,num)", free, math2(conv.Atan2)),
	define("atanh(num)", free, math1(conv.Atanh)),
	define("cbrt(num)", free, math1(conv.Cbrt)),
	define("ceil(num)", free, math1(math.Ceil)),
	define("clz32(num)", free, math1(func(x float64) float64 { return float64(conv.Clz32(conv.ToUint32(x))) })),
	define("cos(num)", free, math1(conv.Cos)),
	define("cosh(num)", free, math1(conv.Cosh)),
	define("exp(num)", free, math1(conv.Exp)),
	define("expm1(num)", free, math1(conv.Expm1)),
	define("floor(num)", free, math1(math.Floor)),
	define("fround(num)", free, math1(conv.Fround)),
	define("hypot(...num)", free, func(_ *run, _ value, args []value) (value, bool) {
		xs := make([]float64, len(args))
		for i, a := range args {
			xs[i] = a.n
		}
		return number(conv.Hypot(xs...)), true
	}),
	define("imul(num,num)", free, math2(func(a, b float64) float64 {
		return float64(conv.Imul(conv.ToUint32(a), conv.ToUint32(b)))
	})),
	define("log(num)", free, math1(conv.Log)),
	define("log10(num)", free, math1(conv.Log10)),
	define("log1p(num)", free, math1(conv.Log1p)),
	define("log2(num)", free, math1(conv.Log2)),
	define("max(...num)", free, extreme(math.Inf(-1), func(a, b float64) bool { return a > b })),
	define("min(...num)", free, extreme(math.Inf(1), func(a, b float64) bool { return a < b })),
	define("pow(num,num)", free, math2(conv.Pow)),
	define("random()", free, func(r *run, _ value, _ []value) (value, bool) { return number(r.random()), true }),
	define("round(num)", free, math1(conv.Round)),
	define("sign(num)", free, math1(conv.Sign)),
	define("sin(num)", free, math1(conv.Sin)),
	define("sinh(num)", free, math1(conv.Sinh)),
	define("sqrt(num)", free, math1(math.Sqrt)),
	define("tan(num)", free, math1(conv.Tan)),
	define("tanh(num)", free, math1(conv.Tanh)),
	define("trunc(num)", free, math1(math.Trunc)),
)}

var jsonSpace = &space{name: "JSON", methods: methods(
	define("parse(str)", func(_ *run, _ value, args []value) float64 { return 16*float64(args[0].str().len()) + 64 }, parseJSON),
	define("stringify(any,nullish?,prim?)", nil, stringifyMethod),
)}

func arrayFrom(r *run, _ value, args []value) (value, bool) {
	v := args[0]
	switch v.kind {
	case stringKind:
		s := v.str()
		out := make([]value, 0, s.len())
		for i := 0; i < s.len(); {
			_, w := codePoint(s, i)
			out = append(out, stringOf(s.slice(i, i+w)))
			i += w
		}
		return listOf(out), true
	case arrayKind:
		return listOf(slices.Clone(v.array().elems)), true
	}
	o := v.object()
	n, _ := o.get("length")
	out := make([]value, int(min(max(conv.ToIntegerOrInfinity(n.n), 0), 1<<28)))
	for i := range out {
		if !r.poll(4) {
			return value{}, false
		}
		out[i], _ = o.get(itoa(i))
	}
	return listOf(out), true
}

func arrayFromBound(_ *run, _ value, args []value) float64 {
	v := args[0]
	switch v.kind {
	case stringKind:
		return 40*float64(v.str().len()) + 64
	case arrayKind:
		return shallow(v) + 64
	}
	n, _ := v.object().get("length")
	return 16 + 8*max(conv.ToIntegerOrInfinity(n.n), 0) + 64
}

var arraySpace = &space{name: "Array", methods: methods(
	define("from(arrayLike)", arrayFromBound, arrayFrom),
	define("of(...any)", func(_ *run, _ value, args []value) float64 { return 16 + 8*float64(len(args)) + 64 }, func(_ *run, _ value, args []value) (value, bool) {
		return listOf(slices.Clone(args)), true
	}),
	define("isArray(any)", free, func(_ *run, _ value, args []value) (value, bool) { return boolean(args[0].kind == arrayKind), true }),
)}

// members calls f for the members of an object or an array.
func members(v value, f func(k string, v value)) {
	if v.kind == arrayKind {
		for i, e := range v.array().elems {
			f(itoa(i), e)
		}
		return
	}
	o := v.object()
	for i := range o.keys {
		f(o.keys[i], o.vals[i])
	}
}

func shallows(factor float64) boundFunc {
	return func(_ *run, _ value, args []value) float64 {
		n := 0.0
		for _, a := range args {
			n += shallow(a)
		}
		return factor*n + 64
	}
}

var objectSpace = &space{name: "Object", methods: methods(
	define("keys(objOrArr)", shallows(4), func(_ *run, _ value, args []value) (value, bool) {
		out := []value{}
		members(args[0], func(k string, _ value) { out = append(out, text(k)) })
		return listOf(out), true
	}),
	define("values(objOrArr)", shallows(2), func(_ *run, _ value, args []value) (value, bool) {
		out := []value{}
		members(args[0], func(_ string, v value) { out = append(out, v) })
		return listOf(out), true
	}),
	define("entries(objOrArr)", shallows(8), func(_ *run, _ value, args []value) (value, bool) {
		out := []value{}
		members(args[0], func(k string, v value) { out = append(out, listOf([]value{text(k), v})) })
		return listOf(out), true
	}),
	define("assign(objOrArr,...any)", shallows(2), func(r *run, _ value, args []value) (value, bool) {
		if args[0].isSet() || args[0].isDate() {
			return value{}, r.fail(KindType, "expr.assign", "Object.assign cannot write into a Set or a Date (use its methods)")
		}
		out := newObject(0)
		for _, a := range args {
			if a.isContainer() {
				members(a, func(k string, v value) {
					if k != "__proto__" {
						out.set(k, v)
					}
				})
			}
		}
		return objectOf(out), true
	}),
	define("fromEntries(entries)", func(_ *run, _ value, args []value) float64 {
		n := 0.0
		for _, e := range args[0].array().elems {
			n += shallow(e.array().elems[0]) + 8
		}
		return 2*n + 64
	}, func(r *run, _ value, args []value) (value, bool) {
		out := newObject(0)
		for _, e := range args[0].array().elems {
			p := e.array().elems
			k := p[0].toStr().text()
			if k == "__proto__" {
				return value{}, r.failf(KindSecurity, "", badKey, k)
			}
			out.set(k, arg(p, 1))
		}
		return objectOf(out), true
	}),
	define("hasOwn(objOrArr,prim)", free, func(_ *run, _ value, args []value) (value, bool) {
		k := args[1].toStr().text()
		if args[0].kind == arrayKind {
			i, ok := arrayIndex(k)
			return boolean(ok && i < len(args[0].array().elems) || k == "length"), true
		}
		_, ok := args[0].object().get(k)
		return boolean(ok), true
	}),
)}

var stringSpace = &space{name: "String", methods: methods(
	define("fromCharCode(...num)", func(_ *run, _ value, args []value) float64 { return 2*float64(len(args)) + 64 }, func(_ *run, _ value, args []value) (value, bool) {
		u := make([]uint16, len(args))
		for i, a := range args {
			u[i] = conv.ToUint16(a.n)
		}
		return stringOf(ofUnits(u)), true
	}),
	define("fromCodePoint(...num)", func(_ *run, _ value, args []value) float64 { return 4*float64(len(args)) + 64 }, func(r *run, _ value, args []value) (value, bool) {
		var u []uint16
		for _, a := range args {
			if a.n < 0 || a.n > 0x10FFFF || a.n != math.Trunc(a.n) {
				return value{}, r.fail(KindType, "", "Invalid code point "+formatNumber(a.n))
			}
			u = jstext.AppendCodePoint(u, uint32(a.n))
		}
		return stringOf(ofUnits(u)), true
	}),
)}

func numberTest(f func(float64) bool) bodyFunc {
	return func(_ *run, _ value, args []value) (value, bool) {
		return boolean(args[0].kind == numberKind && f(args[0].n)), true
	}
}

func isFinite(f float64) bool { return f == f && !math.IsInf(f, 0) }

func parseFloatMethod(r *run, _ value, args []value) (value, bool) {
	s := args[0].str()
	if !r.poll(s.len()) {
		return value{}, false
	}
	var f float64
	var err error
	if s.wide == nil {
		f, err = conv.ParseFloatPrefix(r.meter(), []byte(s.s))
	} else {
		f, err = conv.ParseFloatPrefix(r.meter(), s.wide)
	}
	return number(f), err == nil || r.look()
}

func parseIntMethod(r *run, _ value, args []value) (value, bool) {
	s := args[0].str()
	if !r.poll(s.len()) {
		return value{}, false
	}
	radix := int32(0)
	if len(args) > 1 && args[1].kind == numberKind {
		radix = conv.ToInt32(args[1].n)
	}
	var f float64
	var err error
	if s.wide == nil {
		f, err = conv.ParseIntPrefix(r.meter(), []byte(s.s), radix)
	} else {
		f, err = conv.ParseIntPrefix(r.meter(), s.wide, radix)
	}
	return number(f), err == nil || r.look()
}

var numberSpace = &space{name: "Number", constants: map[string]any{
	"MAX_VALUE": math.MaxFloat64, "MIN_VALUE": math.SmallestNonzeroFloat64, "MAX_SAFE_INTEGER": float64(1<<53 - 1),
	"MIN_SAFE_INTEGER": -float64(1<<53 - 1), "POSITIVE_INFINITY": math.Inf(1), "NEGATIVE_INFINITY": math.Inf(-1),
	"NaN": math.NaN(), "EPSILON": 0x1p-52,
}, methods: methods(
	define("isNaN(any)", free, numberTest(func(f float64) bool { return f != f })),
	define("isFinite(any)", free, numberTest(isFinite)),
	define("isInteger(any)", free, numberTest(func(f float64) bool { return isFinite(f) && f == math.Trunc(f) })),
	define("isSafeInteger(any)", free, numberTest(func(f float64) bool { return f == math.Trunc(f) && math.Abs(f) <= 1<<53-1 })),
	define("parseFloat(str)", free, parseFloatMethod),
	define("parseInt(str,num?)", free, parseIntMethod),
)}

func ignore(*run, value, []value) (value, bool) { return undefinedValue, true }

var consoleSpace = &space{name: "console", methods: methods(
	define("log(...any)", free, ignore),
	define("info(...any)", free, ignore),
	define("warn(...any)", free, ignore),
	define("error(...any)", free, ignore),
)}

var dateSpace = &space{name: "Date", methods: methods(
	define("now()", free, func(r *run, _ value, _ []value) (value, bool) { return number(r.nowMs()), true }),
	define("parse(str)", fixed(4096), func(r *run, _ value, args []value) (value, bool) { return number(parseDate(args[0].str())), true }),
)}

// spaces are the namespaces, by name.
var spaces = map[string]*space{
	"Math": mathSpace, "JSON": jsonSpace, "Array": arraySpace, "Object": objectSpace, "String": stringSpace,
	"Number": numberSpace, "console": consoleSpace, "Date": dateSpace, "Schema": schemaSpace,
}

func uri(decode, component bool) bodyFunc {
	return func(r *run, _ value, args []value) (value, bool) {
		s := args[0].str()
		var out *str
		var err error
		switch {
		case decode:
			var t jstext.Text
			if s.wide == nil {
				t, err = jstext.DecodeURI(r.meter(), []byte(s.s), component)
			} else {
				t, err = jstext.DecodeURI(r.meter(), s.wide, component)
			}
			out = ofText(t)
		default:
			var b []byte
			if s.wide == nil {
				b, err = jstext.EncodeURI(r.meter(), nil, []byte(s.s), component)
			} else {
				b, err = jstext.EncodeURI(r.meter(), nil, s.wide, component)
			}
			out = &str{s: string(b)}
		}
		if errors.Is(err, jstext.ErrURI) {
			return value{}, r.fail(KindType, "", "URI malformed")
		}
		if err != nil {
			return value{}, r.look()
		}
		return stringOf(out), true
	}
}

func perArg(f, n float64) boundFunc {
	return func(_ *run, _ value, args []value) float64 { return f*float64(args[0].str().len()) + n }
}

func globalSet(r *run, _ value, args []value) (value, bool) {
	out := newSet()
	switch v := arg(args, 0); v.kind {
	case arrayKind:
		if !r.poll(8 * len(v.array().elems)) {
			return value{}, false
		}
		for _, e := range v.array().elems {
			out.add(e)
		}
	case stringKind:
		s := v.str()
		for i := 0; i < s.len(); {
			_, w := codePoint(s, i)
			out.add(stringOf(s.slice(i, i+w)))
			i += w
		}
	}
	return arrayOf(out), true
}

// globals are the global functions.
var globals = methods(
	define("parseInt(str,num?)", free, parseIntMethod),
	define("parseFloat(str)", free, parseFloatMethod),
	define("isNaN(num)", free, func(_ *run, _ value, args []value) (value, bool) { return boolean(args[0].n != args[0].n), true }),
	define("isFinite(num)", free, func(_ *run, _ value, args []value) (value, bool) { return boolean(isFinite(args[0].n)), true }),
	define("encodeURI(str)", perArg(18, 64), uri(false, false)),
	define("encodeURIComponent(str)", perArg(18, 64), uri(false, true)),
	define("decodeURI(str)", perArg(2, 64), uri(true, false)),
	define("decodeURIComponent(str)", perArg(2, 64), uri(true, true)),
	define("Set(setSource?)", func(_ *run, _ value, args []value) float64 {
		switch v := arg(args, 0); v.kind {
		case stringKind:
			return 64*float64(v.str().len()) + 4096
		case arrayKind:
			return 2*shallow(v) + 4096
		}
		return 4096
	}, globalSet),
	define("Date(any?)", fixed(4096), globalDate),
	define("filter(any,any)", nil, filterGlobal),
)

// IsGlobal reports whether a name is a global function or a namespace.
func IsGlobal(name string) bool { return globals[name] != nil || spaces[name] != nil }
