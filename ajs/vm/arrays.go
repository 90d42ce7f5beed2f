package vm

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/conv"
)

// insert measures values before they go into an array, and holds them.
func (r *run) insert(a *array, vs []value, op string) bool {
	n := float64(len(vs))
	sum := held{8 * n, slotExtra * n}
	if a.set != nil {
		sum.add(8*n, indexExtra*n)
	}
	for _, v := range vs {
		switch v.kind {
		case stringKind, arrayKind, objectKind:
			if v.isContainer() && isKnown(v) {
				break
			}
			h, ok := r.size(v, "expr.measure")
			if !ok {
				return false
			}
			sum.add(h.bytes, h.extra)
		default:
			if r.fuel -= oneNode; r.fuel <= 0 {
				return r.outOfFuel("expr.measure")
			}
		}
	}
	return r.hold(sum.bytes, sum.extra, "expr.measure") && r.grow(a, len(vs), "expr.measure")
}

// grow is asked before n members are appended: a large array is copied to a new
// place when it is full, and for a moment both are there.
func (r *run) grow(a *array, n int, op string) bool {
	if len(a.elems)+n <= cap(a.elems) || len(a.elems) < 1<<15 {
		return true
	}
	bytes := 32 * 1.25 * float64(len(a.elems)+n)
	if r.over(0, bytes) && !r.gate(0, bytes, op) {
		return false
	}
	r.asks(bytes)
	return true
}

func isKnown(v value) bool {
	if v.kind == arrayKind {
		return v.array().known == len(v.array().elems)+1
	}
	return v.object().known
}

// grown keeps the mark of an array that was measured and whose new members
// were too.
func (a *array) grown(before int) {
	if a.known == before+1 {
		a.known = len(a.elems) + 1
	}
}

func search(from func(args []value, n int) (int, bool), back bool, eq func(a, b value) bool, found func(i int) value) bodyFunc {
	return func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		want := arg(args, 0)
		n := len(a.elems)
		if !r.poll(n) {
			return value{}, false
		}
		i, ok := from(args, n)
		if !ok {
			return found(-1), true
		}
		step := 1
		if back {
			step = -1
		}
		for ; i >= 0 && i < n; i += step {
			if a.elems[i].kind == stringKind && !r.poll(1) {
				return value{}, false
			}
			if eq(a.elems[i], want) {
				return found(i), true
			}
		}
		return found(-1), true
	}
}

func fromStart(args []value, n int) (int, bool) { return relative(args, 1, n, 0), true }

func fromEnd(args []value, n int) (int, bool) {
	if len(args) < 2 || args[1].kind == undefinedKind {
		return n - 1, true
	}
	f := conv.ToIntegerOrInfinity(args[1].n)
	if f < 0 {
		f += float64(n)
	}
	return int(min(f, float64(n-1))), f >= 0
}

func indexFound(i int) value { return number(float64(i)) }

// fromIndex sorts texts by code units, ECMA-262 §23.1.3.30.2 CompareArrayElements
// without a comparator.
func (r *run) sorted(elems []value, op string) ([]value, bool) {
	out := slices.Clone(elems)
	texts := make([]*str, len(out))
	simple := true
	for i, v := range out {
		if v.kind >= arrayKind {
			return nil, r.failf(KindType, op, "%s() sorts strings, numbers, booleans and null, not %s: sort by a key with map and a text, e.g. xs.map(x => x.name)", op[len("expr."):], plainNoun(v)+"s")
		}
		simple = simple && v.kind == stringKind
		texts[i] = v.toStr()
	}
	type pair struct {
		v value
		s *str
	}
	ps := make([]pair, len(out))
	for i := range out {
		ps[i] = pair{out[i], texts[i]}
	}
	ok := true
	slices.SortStableFunc(ps, func(a, b pair) int {
		if !ok {
			return 0
		}
		ok = r.poll(4 + min(a.s.len(), b.s.len())/8)
		if a.v.kind == undefinedKind || b.v.kind == undefinedKind {
			switch {
			case a.v.kind == b.v.kind:
				return 0
			case a.v.kind == undefinedKind:
				return 1
			}
			return -1
		}
		return a.s.compare(b.s)
	})
	for i := range ps {
		out[i] = ps[i].v
	}
	return out, ok
}

// splice computes what splice and toSpliced take out and put in.
func splice(args []value, n int) (at, del int, add []value) {
	at = relative(args, 0, n, 0)
	switch len(args) {
	case 0:
		return at, 0, nil
	case 1:
		return at, n - at, nil
	}
	return at, int(min(max(intArg(args, 1, 0), 0), float64(n-at))), args[2:]
}

func (r *run) joinBound(this value, args []value) float64 {
	t, ok := r.tree(this, false)
	if !ok {
		return 0
	}
	sep := 2.0
	if len(args) > 0 && args[0].kind == stringKind {
		sep = 2 * float64(args[0].str().len())
	}
	return t.bytes + max(float64(len(this.array().elems))-1, 0)*sep + 64
}

// join is Array.prototype.join; arrays in arrays join with commas. tree has
// bounded the text and the depth before.
func (r *run) join(v value, sep *str, b *builder, depth int) bool {
	if depth > maxDepth {
		return r.fail(KindType, "", "The array nests too deeply to be joined")
	}
	for i, e := range v.array().elems {
		if i > 0 {
			b.add(sep)
		}
		if !r.poll(8) {
			return false
		}
		switch {
		case e.isNullish():
		case e.kind == arrayKind:
			if !r.join(e, &str{s: ","}, b, depth+1) {
				return false
			}
		case e.kind == objectKind:
			b.add(objectText(e))
		default:
			b.add(e.toStr())
		}
	}
	return true
}

func objectText(v value) *str {
	o := v.object()
	switch o.tag {
	case dateTag:
		if s, _ := o.get("value"); s.kind == stringKind {
			return s.str()
		}
	case regexTag:
		return regexText(o)
	}
	return &str{s: "[object Object]"}
}

var arrayMethods = methods(
	define("at(num?)", free, func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		i := intArg(args, 0, 0)
		if i < 0 {
			i += float64(len(a.elems))
		}
		if i < 0 || i >= float64(len(a.elems)) {
			return undefinedValue, true
		}
		return a.elems[int(i)], true
	}),
	define("concat(...any)", func(_ *run, this value, args []value) float64 {
		n := 16 + 8*float64(len(this.array().elems)) + 64
		for _, a := range args {
			if a.kind == arrayKind {
				n += 8 * float64(len(a.array().elems))
			} else {
				n += 8
			}
		}
		return n
	}, func(r *run, this value, args []value) (value, bool) {
		out := slices.Clone(this.array().elems)
		for _, a := range args {
			if a.kind == arrayKind {
				out = append(out, a.array().elems...)
			} else {
				out = append(out, a)
			}
		}
		return listOf(out), true
	}),
	define("copyWithin(num,num?,num?)", free, func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		n := len(a.elems)
		to, from, end := relative(args, 0, n, 0), relative(args, 1, n, 0), relative(args, 2, n, n)
		if from < end {
			copy(a.elems[to:], a.elems[from:end])
		}
		return this, r.poll(n)
	}),
	define("fill(any,num?,num?)", free, func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		n := len(a.elems)
		lo, hi := relative(args, 1, n, 0), relative(args, 2, n, n)
		if lo < hi {
			if !r.insert(a, args[:1], "expr.fill") {
				return value{}, false
			}
			for i := lo; i < hi; i++ {
				a.elems[i] = args[0]
			}
		}
		return this, r.poll(n)
	}),
	define("includes(any,num?)", free, search(fromStart, false, sameValueZero, func(i int) value { return boolean(i >= 0) })),
	define("indexOf(any,num?)", free, search(fromStart, false, strictEqual, indexFound)),
	define("lastIndexOf(any,num?)", free, search(fromEnd, true, strictEqual, indexFound)),
	define("pop()", free, func(r *run, this value, _ []value) (value, bool) {
		a := this.array()
		n := len(a.elems)
		if n == 0 {
			return undefinedValue, true
		}
		v := a.elems[n-1]
		a.elems[n-1] = value{}
		a.elems = a.elems[:n-1]
		a.grown(n)
		return v, true
	}),
	define("shift()", free, func(r *run, this value, _ []value) (value, bool) {
		a := this.array()
		n := len(a.elems)
		if n == 0 {
			return undefinedValue, true
		}
		v := a.elems[0]
		a.elems[0] = value{}
		a.elems = a.elems[1:]
		a.grown(n)
		return v, true
	}),
	define("reverse()", free, func(r *run, this value, _ []value) (value, bool) {
		a := this.array()
		slices.Reverse(a.elems)
		return this, r.poll(len(a.elems))
	}),
	define("push(...any)", free, func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		if !r.insert(a, args, "expr.push") {
			return value{}, false
		}
		n := len(a.elems)
		a.elems = append(a.elems, args...)
		a.grown(n)
		return number(float64(len(a.elems))), true
	}),
	define("unshift(...any)", free, func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		if !r.insert(a, args, "expr.unshift") || !r.poll(len(a.elems)) {
			return value{}, false
		}
		n := len(a.elems)
		a.elems = slices.Insert(a.elems, 0, args...)
		a.grown(n)
		return number(float64(len(a.elems))), true
	}),
	define("join(str?)", func(r *run, this value, args []value) float64 { return r.joinBound(this, args) }, func(r *run, this value, args []value) (value, bool) {
		sep := &str{s: ","}
		if len(args) > 0 && args[0].kind == stringKind {
			sep = args[0].str()
		}
		var b builder
		if !r.join(this, sep, &b, 0) {
			return value{}, false
		}
		return stringOf(b.str()), true
	}),
	define("slice(num?,num?)", func(_ *run, this value, args []value) float64 {
		lo, hi := pickSlice(args, len(this.array().elems))
		return 16 + 8*float64(hi-lo) + 64
	}, func(r *run, this value, args []value) (value, bool) {
		e := this.array().elems
		lo, hi := pickSlice(args, len(e))
		return listOf(slices.Clone(e[lo:hi])), true
	}),
	define("sort()", perElem(0, 64), func(r *run, this value, _ []value) (value, bool) {
		out, ok := r.sorted(this.array().elems, "expr.sort")
		if ok {
			copy(this.array().elems, out)
		}
		return this, ok
	}),
	define("toSorted()", perElem(16, 72), func(r *run, this value, _ []value) (value, bool) {
		out, ok := r.sorted(this.array().elems, "expr.toSorted")
		return listOf(out), ok
	}),
	define("toReversed()", perElem(80, 8), func(r *run, this value, _ []value) (value, bool) {
		out := slices.Clone(this.array().elems)
		slices.Reverse(out)
		return listOf(out), true
	}),
	define("splice(num?,num?,...any)", perElem(80, 8), func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		n := len(a.elems)
		at, del, add := splice(args, n)
		if !r.insert(a, add, "expr.splice") {
			return value{}, false
		}
		gone := slices.Clone(a.elems[at : at+del])
		a.elems = slices.Replace(a.elems, at, at+del, add...)
		a.grown(n)
		return listOf(gone), r.poll(n)
	}),
	define("toSpliced(num?,num?,...any)", func(_ *run, this value, args []value) float64 {
		return shallow(this) + 8*float64(len(args)) + 64
	}, func(r *run, this value, args []value) (value, bool) {
		e := this.array().elems
		at, del, add := splice(args, len(e))
		out := append(slices.Clone(e[:at]), add...)
		return listOf(append(out, e[at+del:]...)), true
	}),
	define("with(num,any)", perElem(80, 8), func(r *run, this value, args []value) (value, bool) {
		out := slices.Clone(this.array().elems)
		i := conv.ToIntegerOrInfinity(args[0].n)
		if i < 0 {
			i += float64(len(out))
		}
		if i < 0 || i >= float64(len(out)) {
			return value{}, r.fail(KindType, "", "Invalid index : "+formatNumber(args[0].n))
		}
		out[int(i)] = args[1]
		return listOf(out), true
	}),
	define("flat(num?)", func(r *run, this value, args []value) float64 {
		t, ok := r.tree(this, false)
		if !ok {
			return 0
		}
		return 16 + 8*t.slots + 64
	}, func(r *run, this value, args []value) (value, bool) {
		depth := int(min(intArg(args, 0, 1), maxDepth))
		var out []value
		var flat func(a *array, d int) bool
		flat = func(a *array, d int) bool {
			if !r.poll(len(a.elems)) {
				return false
			}
			for _, v := range a.elems {
				if v.kind == arrayKind && d > 0 {
					if !flat(v.array(), d-1) {
						return false
					}
				} else {
					out = append(out, v)
				}
			}
			return true
		}
		ok := flat(this.array(), depth)
		return listOf(out), ok
	}),
	define("toString()", treeText, joinText),
	define("toLocaleString()", treeText, joinText),
	define("valueOf()", free, same),
)

func treeText(r *run, this value, _ []value) float64 {
	t, ok := r.tree(this, false)
	if !ok {
		return 0
	}
	return t.bytes + 64
}

func joinText(r *run, this value, _ []value) (value, bool) {
	var b builder
	ok := r.join(this, &str{s: ","}, &b, 0)
	return stringOf(b.str()), ok
}

var objectMethods = methods(
	define("hasOwnProperty(prim)", free, func(r *run, this value, args []value) (value, bool) {
		_, ok := this.object().get(args[0].toStr().text())
		return boolean(ok), true
	}),
	define("propertyIsEnumerable(prim)", free, func(r *run, this value, args []value) (value, bool) {
		_, ok := this.object().get(args[0].toStr().text())
		return boolean(ok), true
	}),
	define("toString()", fixed(64), func(r *run, this value, _ []value) (value, bool) { return text("[object Object]"), true }),
	define("toLocaleString()", fixed(64), func(r *run, this value, _ []value) (value, bool) { return text("[object Object]"), true }),
	define("valueOf()", free, same),
)

func setBound(_ *run, this value, args []value) float64 {
	return 2*(shallow(this)+shallow(args[0])) + 4096
}

var setMethods = methods(
	define("add(any)", free, func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		if a.has(args[0]) {
			return this, true
		}
		if !r.insert(a, args[:1], "expr.add") {
			return value{}, false
		}
		n := len(a.elems)
		a.add(args[0])
		a.grown(n)
		return this, true
	}),
	define("remove(any)", free, func(r *run, this value, args []value) (value, bool) {
		a := this.array()
		n := len(a.elems)
		if a.remove(args[0]) {
			a.grown(n)
		}
		return this, r.poll(n)
	}),
	define("has(any)", free, func(r *run, this value, args []value) (value, bool) {
		return boolean(this.array().has(args[0])), true
	}),
	define("clear()", free, func(r *run, this value, _ []value) (value, bool) {
		a := this.array()
		a.elems, a.set.at, a.known = nil, map[any]int{}, 0
		return this, true
	}),
	define("toArray()", perElem(80, 8), func(r *run, this value, _ []value) (value, bool) {
		return listOf(slices.Clone(this.array().elems)), true
	}),
	define("toJSON()", perElem(80, 8), func(r *run, this value, _ []value) (value, bool) {
		return listOf(slices.Clone(this.array().elems)), true
	}),
	define("union(setLike)", setBound, setOp(func(in, other *array, out *array) {
		for _, v := range in.elems {
			out.add(v)
		}
		for _, v := range other.elems {
			out.add(v)
		}
	})),
	define("intersection(setLike)", setBound, setOp(func(in, other *array, out *array) {
		for _, v := range in.elems {
			if other.has(v) {
				out.add(v)
			}
		}
	})),
	define("diff(setLike)", setBound, setOp(func(in, other *array, out *array) {
		for _, v := range in.elems {
			if !other.has(v) {
				out.add(v)
			}
		}
	})),
)

func setOp(f func(in, other, out *array)) bodyFunc {
	return func(r *run, this value, args []value) (value, bool) {
		other := args[0].array()
		if !r.poll(8 * (len(this.array().elems) + len(other.elems))) {
			return value{}, false
		}
		if other.set == nil {
			s := newSet()
			for _, v := range other.elems {
				s.add(v)
			}
			other = s
		}
		out := newSet()
		f(this.array(), other, out)
		return arrayOf(out), true
	}
}
