package vm

import (
	"math"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/conv"
)

// operators of binary nodes other than +.
type operator uint8

const (
	opNone operator = iota
	opSub
	opMul
	opDiv
	opMod
	opPow
	opLess
	opGreater
	opLessEq
	opGreaterEq
	opEq
	opNe
	opSame
	opDiffers
)

var operators = map[string]operator{
	"-": opSub, "*": opMul, "/": opDiv, "%": opMod, "**": opPow,
	"<": opLess, ">": opGreater, "<=": opLessEq, ">=": opGreaterEq,
	"==": opEq, "!=": opNe, "===": opSame, "!==": opDiffers,
}

func (c *compiler) binary(b *ast.Binary) expr {
	if b.Op == "+" {
		return c.sum(b)
	}
	op := operators[b.Op]
	if op >= opLess {
		t := c.comparison(b)
		return func(r *run) (value, bool) {
			v, ok := t(r)
			return boolean(v), ok
		}
	}
	if op == opNone {
		x, y, name := c.expr(b.Left), c.expr(b.Right), b.Op
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			if _, ok := x(r); !ok {
				return value{}, false
			}
			if _, ok := y(r); !ok {
				return value{}, false
			}
			return value{}, r.failf(KindType, "", "Unknown binary operator: %s", clip(name, 100))
		}
	}
	x, y := c.expr(b.Left), c.expr(b.Right)
	what := "'" + b.Op + "'"
	return func(r *run) (value, bool) {
		if r.fuel -= nodeFuel; r.fuel <= 0 {
			return value{}, r.outOfFuel("")
		}
		v, ok := x(r)
		if !ok {
			return value{}, false
		}
		w, ok := y(r)
		if !ok || !r.needPrims(v, w, what) {
			return value{}, false
		}
		if !r.convert(v) || !r.convert(w) {
			return value{}, false
		}
		return number(arithmetic(op, v.toNumber(), w.toNumber())), true
	}
}

// convert pays attention to the clock for a long text that becomes a number.
func (r *run) convert(v value) bool {
	return v.kind != stringKind || r.poll(v.str().len())
}

func arithmetic(op operator, a, b float64) float64 {
	switch op {
	case opSub:
		return a - b
	case opMul:
		return a * b
	case opDiv:
		return a / b
	case opMod:
		// The common case is whole numbers; math.Mod is exact but slow.
		if a >= 0 && b > 0 && a < 1<<53 && b < 1<<53 {
			if i, j := int64(a), int64(b); float64(i) == a && float64(j) == b {
				return float64(i % j)
			}
		}
		return math.Mod(a, b)
	}
	return conv.Pow(a, b)
}

// slotOf returns the slot of a name that is sure to be there when it is read.
func (c *compiler) slotOf(v ast.Value) (int, bool) {
	id, ok := v.(*ast.Ident)
	if !ok {
		return 0, false
	}
	places, sure := c.lookup(id.Name)
	if !sure || len(places) != 1 {
		return 0, false
	}
	return places[0], true
}

// constant returns the number of a literal node.
func constant(v ast.Value) (float64, bool) {
	l, ok := v.(*ast.Literal)
	if !ok {
		return 0, false
	}
	f, ok := l.Data.(float64)
	return f, ok
}

// comparison compiles a comparison or an equality.
func (c *compiler) comparison(b *ast.Binary) cond {
	op := operators[b.Op]
	if op < opLess {
		return nil
	}
	what := "'" + b.Op + "'"
	slow := func(r *run, v, w value) (bool, bool) {
		switch op {
		case opEq:
			return looseEqual(v, w), r.poll(16)
		case opNe:
			return !looseEqual(v, w), r.poll(16)
		case opSame:
			return strictEqual(v, w), r.poll(16)
		case opDiffers:
			return !strictEqual(v, w), r.poll(16)
		}
		if v.kind == stringKind && w.kind == stringKind {
			d := v.str().compare(w.str())
			return d < 0 && (op == opLess || op == opLessEq) || d > 0 && (op == opGreater || op == opGreaterEq) ||
				d == 0 && (op == opLessEq || op == opGreaterEq), r.poll(min(v.str().len(), w.str().len()))
		}
		if !r.convert(v) || !r.convert(w) {
			return false, false
		}
		return compareNumbers(op, v.toNumber(), w.toNumber()), true
	}
	if slot, ok := c.slotOf(b.Left); ok {
		if k, ok := constant(b.Right); ok {
			kv := number(k)
			return func(r *run) (bool, bool) {
				v := &r.slots[slot]
				if v.kind == numberKind {
					if r.fuel -= 3 * nodeFuel; r.fuel <= 0 {
						return false, r.outOfFuel("")
					}
					return compareNumbers(op, v.n, k), true
				}
				if r.fuel -= 3 * nodeFuel; r.fuel <= 0 {
					return false, r.outOfFuel("")
				}
				if op < opEq && !r.needPrims(*v, kv, what) {
					return false, false
				}
				return slow(r, *v, kv)
			}
		}
	}
	x, y := c.expr(b.Left), c.expr(b.Right)
	return func(r *run) (bool, bool) {
		if r.fuel -= nodeFuel; r.fuel <= 0 {
			return false, r.outOfFuel("")
		}
		v, ok := x(r)
		if !ok {
			return false, false
		}
		w, ok := y(r)
		if !ok || op < opEq && !r.needPrims(v, w, what) {
			return false, false
		}
		if v.kind == numberKind && w.kind == numberKind && op < opEq {
			return compareNumbers(op, v.n, w.n), true
		}
		return slow(r, v, w)
	}
}

func compareNumbers(op operator, a, b float64) bool {
	switch op {
	case opLess:
		return a < b
	case opGreater:
		return a > b
	case opLessEq:
		return a <= b
	case opGreaterEq:
		return a >= b
	case opEq:
		return a == b || a != a && b != b
	case opNe:
		return a != b && (a == a || b == b)
	case opSame:
		return a == b
	}
	return a != b
}

// sum compiles a chain of + as one node: all operands from left to right, then
// numbers are added up to the first text, then texts are joined.
func (c *compiler) sum(b *ast.Binary) expr {
	var chain []ast.Value
	var left ast.Value = b
	for {
		l, ok := left.(*ast.Binary)
		if !ok || l.Op != "+" {
			break
		}
		chain = append(chain, l.Right)
		left = l.Left
	}
	chain = append(chain, left)
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i], chain[j] = chain[j], chain[i]
	}
	if len(chain) == 2 {
		if slot, ok := c.slotOf(chain[0]); ok {
			if k, ok := constant(chain[1]); ok {
				kv := number(k)
				return func(r *run) (value, bool) {
					v := r.slots[slot]
					if v.kind == numberKind {
						if r.fuel -= 3 * nodeFuel; r.fuel <= 0 {
							return value{}, r.outOfFuel("")
						}
						return value{kind: numberKind, n: v.n + k}, true
					}
					if r.fuel -= 2 * nodeFuel; r.fuel <= 0 {
						return value{}, r.outOfFuel("")
					}
					if !r.needPrim(v, "'+'", "expr.concat") || !r.node() {
						return value{}, false
					}
					return r.concat([]value{v, kv})
				}
			}
		}
		x, y := c.expr(chain[0]), c.expr(chain[1])
		return func(r *run) (value, bool) {
			if r.fuel -= nodeFuel; r.fuel <= 0 {
				return value{}, r.outOfFuel("")
			}
			before := r.transient
			v, ok := x(r)
			if !ok || v.kind >= arrayKind && !r.needPrim(v, "'+'", "expr.concat") {
				return value{}, false
			}
			w, ok := y(r)
			if !ok || w.kind >= arrayKind && !r.needPrim(w, "'+'", "expr.concat") {
				return value{}, false
			}
			if v.kind == numberKind && w.kind == numberKind {
				return value{kind: numberKind, n: v.n + w.n}, true
			}
			out, ok := r.concat([]value{v, w})
			r.release(before, out)
			return out, ok
		}
	}
	items := c.exprs(chain)
	return func(r *run) (value, bool) {
		if !r.node() {
			return value{}, false
		}
		before := r.transient
		base := len(r.stack)
		defer func() { r.stack = r.stack[:base] }()
		for _, x := range items {
			v, ok := x(r)
			if !ok || !r.needPrim(v, "'+'", "expr.concat") {
				return value{}, false
			}
			r.stack = append(r.stack, v)
		}
		out, ok := r.concat(r.stack[base:])
		r.release(before, out)
		return out, ok
	}
}

// release ends what the operands of a joined text held; the text itself stays
// in flight.
func (r *run) release(before held, out value) {
	if out.kind == stringKind {
		before.add(2*float64(out.str().len()), 0)
		r.transient = before
	}
}

// concat adds operands that are primitives.
func (r *run) concat(vs []value) (value, bool) {
	first := len(vs)
	for i := range vs {
		if vs[i].kind == stringKind {
			first = i
			break
		}
	}
	if first == len(vs) {
		total := vs[0].toNumber()
		for _, v := range vs[1:] {
			total += v.toNumber()
		}
		return number(total), true
	}
	bytes := 0.0
	for i := first; i < len(vs); i++ {
		bytes += strform(vs[i])
	}
	sum := vs[0]
	if first > 0 {
		total := vs[0].toNumber()
		for _, v := range vs[1:first] {
			total += v.toNumber()
		}
		if first > 1 {
			sum = number(total)
		}
		bytes += 64
	}
	if !r.allocate(bytes, "expr.concat") {
		return value{}, false
	}
	rest := vs[max(first, 1):]
	if len(rest) == 1 && rest[0].kind == stringKind {
		a, b := sum.toStr(), rest[0].str()
		if a.wide == nil && b.wide == nil {
			return stringOf(&str{s: a.s + b.s}), true
		}
	}
	var b builder
	b.add(sum.toStr())
	for _, v := range rest {
		b.add(v.toStr())
	}
	return stringOf(b.str()), true
}

// strform is the bound of a primitive's text in bytes.
func strform(v value) float64 {
	if v.kind == stringKind {
		return 2 * float64(v.str().len())
	}
	return 64
}
