package js_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// waiter runs programs that wait for calls of ask, which are answered in the
// order in which they were made.
type waiter struct {
	t     *testing.T
	realm *js.Realm
	code  *js.Program
	mt    *meter.Meter
	m     *vm.Machine
	log   []string
	quiet bool // jobs may fail
}

var snapRealm = func() *js.Realm {
	r, err := js.NewRealm(func(*vm.Builder) {})
	if err != nil {
		panic(err)
	}
	return r
}()

// hosts are the functions of a waiter. The promises that ask returned are in the
// array that is the first root, those answered undefined.
func (w *waiter) hosts() []vm.HostFunc {
	return []vm.HostFunc{
		{Name: "ask", Func: func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			p := m.NewPromise()
			if err := m.H.Push(m.RootAt(0).AsObj(), heap.ObjectValue(p)); err != nil {
				return vm.Undefined, err
			}
			return heap.ObjectValue(p), m.H.Push(m.RootAt(1).AsObj(), c.Arg(0))
		}},
		{Name: "log", Func: func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			s, err := m.ToString(c.Arg(0))
			if err == nil {
				w.log = append(w.log, m.H.GoString(s))
			}
			return vm.Undefined, err
		}},
	}
}

func (w *waiter) options() vm.Options {
	return vm.Options{Seed: 7, Now: func() float64 { return 1.7e12 }}
}

func startWaiter(t *testing.T, src string) *waiter {
	t.Helper()
	w := &waiter{t: t, realm: snapRealm, mt: meter.New(nil, meter.Limits{LiveBytes: 64 << 20, Fuel: 1 << 30})}
	code, err := js.Compile("t.js", src, js.CompileOptions{Goal: js.FunctionBody, Strict: false})
	if err != nil {
		t.Fatal(err)
	}
	w.code = code
	m := w.realm.NewMachine(w.mt, w.options())
	w.m = m
	m.Root(heap.ObjectValue(m.NewArrayLen(0)))
	m.Root(heap.ObjectValue(m.NewArrayLen(0)))
	m.Root(vm.Undefined)
	for _, f := range w.hosts() {
		o, err := m.NewHostFunction(f.Name, 1, f.Func)
		if err == nil {
			err = m.SetGlobal(f.Name, heap.ObjectValue(o))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v, err := m.RunFunctionBody(code, vm.Undefined)
	if err != nil {
		t.Fatal(err)
	}
	m.SetRootAt(2, v)
	w.jobs()
	return w
}

func (w *waiter) jobs() {
	w.t.Helper()
	if err := w.m.RunJobs(); err != nil && !w.quiet {
		w.t.Fatal(err)
	}
}

// answer resolves the oldest call that waits with what it asked; false: none
// does.
func (w *waiter) answer() bool {
	m := w.m
	list := m.RootAt(0).AsObj()
	for i := range m.H.Obj(list).ElemLen {
		v, _, _ := m.H.GetElem(list, i)
		if v == vm.Undefined {
			continue
		}
		m.H.SetElem(list, i, vm.Undefined)
		x, _, _ := m.H.GetElem(m.RootAt(1).AsObj(), i)
		if err := m.ResolvePromise(v.AsObj(), x); err != nil {
			w.t.Fatal(err)
		}
		w.jobs()
		return true
	}
	return false
}

func (w *waiter) bytes() []byte {
	w.t.Helper()
	s := heap.NewSnapWriter(nil)
	if err := w.m.Snapshot(s, w.code); err != nil {
		w.t.Fatal(err)
	}
	return s.Bytes()
}

func (w *waiter) load(b []byte, trusted bool) (*waiter, error) {
	n := &waiter{t: w.t, realm: w.realm, code: w.code, log: append([]string(nil), w.log...)}
	n.mt = meter.New(nil, meter.Limits{LiveBytes: 64 << 20, Fuel: 1 << 30})
	rd := &heap.SnapReader{B: b}
	m, err := n.realm.LoadMachine(n.mt, n.options(), rd, vm.LoadOptions{Main: n.code, Hosts: n.hosts(), Trusted: trusted})
	if err != nil {
		return nil, err
	}
	n.m = m
	if rd.Left() != 0 {
		return nil, fmt.Errorf("%d bytes are left", rd.Left())
	}
	n.mt.Restore(w.mt.Usage())
	return n, nil
}

// outcome runs to the end and says what came out.
func (w *waiter) outcome() string {
	for w.answer() {
	}
	state, v := w.m.PromiseStateOf(w.m.RootAt(2).AsObj())
	return fmt.Sprintf("%d %s %q fuel %d", state, w.m.Describe(v), w.log, w.mt.Usage().Fuel)
}

var snapshotPrograms = map[string]string{
	"plain":    `const a = await ask(1), b = await ask({x: [1, 2.5, 'long enough to be a block of its own', null, undefined, true]}); return a + b.x.join()`,
	"parallel": `const r = await Promise.all([ask(1), ask('two'), ask(3n)]); log(r); return String(r)`,
	"closures": `let n = 0; const inc = () => ++n; class A { #p = 1; static s = 5; get p() { return this.#p + n } static { this.t = 6 } bump() { this.#p += 10; return super.toString() } }
		const a = new A(); inc(); await ask(0); inc(); log(a.bump()); await ask(1); return [a.p, A.s, A.t, n, a instanceof A].join()`,
	"generators": `function* g() { let i = 0; try { while (true) { const x = yield i++; log('got ' + x) } } finally { log('fin') } }
		const it = g(); it.next(); await ask(1); log(it.next('a').value); await ask(2); log(it.next('b').value); it.return(); return 'done'`,
	"async generators": `async function* g() { for (let i = 0; i < 3; i++) { const x = await ask(i); yield x * 2 } }
		let s = 0; for await (const x of g()) { s += x; log(s) } const it = g(); const p = [it.next(), it.next(), it.return(9)]; const r = await Promise.all(p); return s + JSON.stringify(r)`,
	"collections": `const m = new Map([['a', 1], [NaN, 2], [-0, 3], [{}, 4], [10n, 5], ['k'.repeat(30), 6]]); const s = new Set([1, 2, 3]); const k = {}, w = new WeakMap([[k, {v: 1}]]), ws = new WeakSet([k]), r = new WeakRef(k);
		const it = m.entries(); it.next(); m.delete('a'); await ask(1); s.delete(2); s.add(9); m.set('z', 7); await ask(2);
		return [[...m.keys()].length, m.get(NaN), m.get(0), m.get(10n), m.get('k'.repeat(30)), [...s].join(), w.get(k).v, ws.has(k), r.deref() === k, it.next().value[1], m.get('z')].join('|')`,
	"typed arrays": `const b = new ArrayBuffer(16, {maxByteLength: 64}); const u = new Uint8Array(b), f = new Float64Array([1.5, NaN, -0]), d = new DataView(b, 4); u[5] = 200; d.setInt16(2, -7);
		await ask(1); b.resize(32); await ask(2); return [...u.slice(0, 10), u.length, f[0], f[1], Object.is(f[2], -0), d.getInt16(2)].join()`,
	"objects": `const o = Object.create({inherited: 1}, {x: {get() { return this.y * 2 }, set(v) { this.y = v }, enumerable: true}}); o.y = 4; const frozen = Object.freeze({a: [1]});
		const d = {}; for (let i = 0; i < 40; i++) d['k' + i] = i; delete d.k3; delete d.k20; const sparse = []; sparse[1000000] = 1; sparse[5] = 2; const holes = [1, , 3];
		await ask(1); o.x = 21; d.k41 = 1; await ask(2); return [o.x, o.inherited, Object.isFrozen(frozen), Object.keys(d).length, d.k39, sparse.length, Object.keys(sparse), 1 in holes, holes.length].join('|')`,
	"symbols": `const s = Symbol('mine'), r = Symbol.for('shared'); const o = {[s]: 1, [r]: 2, [Symbol.toStringTag]: 'T'}; await ask(1); return [o[s], o[Symbol.for('shared')], String(o), Symbol.keyFor(r), s.description].join()`,
	"regexps": `const re = /(\d+)-(?<w>\w+)/g; re.exec('a 12-ab 13-cd'); const re2 = new RegExp('[α-ω]+', 'u'); await ask(1); const l = RegExp.$1; const m = re.exec('a 12-ab 13-cd');
		const f = x => x.replace(/o/g, '0'); await ask(2); return [l, m[1], m.groups.w, re.lastIndex, re2.test('abγ'), f('foo'), 'x1y2'.split(/\d/).join()].join('|')`,
	"dates":      `const d = new Date(2024, 1, 29, 12); await ask(1); d.setMonth(2); return [d.toISOString(), Date.now(), new Date(NaN).getTime()].join()`,
	"intl":       `const n = new Intl.NumberFormat('de-DE', {style: 'currency', currency: 'EUR'}), d = new Intl.DateTimeFormat('en-US', {dateStyle: 'long', timeZone: 'UTC'}), c = new Intl.Collator('sv'); const f = n.format; await ask(1); return [n.format(1234.5), f(2), d.format(0), ['z', 'ä', 'a'].sort(c.compare).join(), (12345.678).toLocaleString()].join('|')`,
	"urls":       `const u = new URL('https://a.example/p?x=1#h'), q = u.searchParams; await ask(1); q.append('y', '2 3'); return [u.href, q.get('y'), [...q].length].join('|')`,
	"strings":    `let s = ''; for (let i = 0; i < 200; i++) s += 'part ' + i + ' '; const cut = s.slice(20, 90); const wide = '日本語'.repeat(20); const esc = wide + s; await ask(1); return [s.length, cut.length, cut.slice(0, 5), wide.charCodeAt(7), esc.length, esc.indexOf('part 7')].join('|')`,
	"bigints":    `const big = 2n ** 200n, neg = -12345678901234567890n; await ask(1); return String(big * neg)`,
	"proxies":    `const log1 = []; const p = new Proxy({a: 1}, {get(t, k) { log1.push(String(k)); return t[k] }}); const b = function (x, y) { return this.v + x + y }.bind({v: 1}, 2); await ask(1); return [p.a, b(3), log1.join()].join()`,
	"errors":     `function bad() { throw new TypeError('no') } let e; try { bad() } catch (x) { e = x } const g = new AggregateError([new Error('in', {cause: e})], 'all'); await ask(1); return e.stack + g.errors[0].cause.message`,
	"eval":       `var x = 5; const f = eval('(a) => { let q = a; return () => q + x }'), g = new Function('a', 'b', 'return a * b'), h = (0, eval)('(function () { return typeof x })'); const k = f(1); await ask(1); x = 10; return [k(), g(3, 4), h(), f.toString(), g.toString()].join('|')`,
	"templates":  `function tag(s) { return s } const f = () => tag` + "`a${1}b`" + `; const a = f(); await ask(1); return [a === f(), a.raw.join(), Object.isFrozen(a)].join()`,
	"destruct":   `const {a, ...rest} = await ask({a: 1, b: 2, c: 3}); label: for (const [k, v] of Object.entries(rest)) { for (const z of [1, 2]) { log(k + v + await ask(z)); if (z == 1) continue label } } return a`,
	"finally":    `const out = []; try { try { await ask(1); throw new Error('x') } finally { out.push(await ask('f')) } } catch (e) { out.push(e.message, await ask('c')) } return out.join()`,
	"rejected":   `const p = Promise.reject(new Error('late')); await ask(1); const r = await p.catch(e => e.message); const t = {then(ok) { log('then'); ask(7).then(ok) }}; return r + await t`,
	"random":     `const a = Math.random(); await ask(1); return [a, Math.random()].join()`,
	"finalizers": `const r = new FinalizationRegistry(x => log(x)), k = {}, t = {}; r.register(k, 'held', t); await ask(1); return r.unregister(t)`,
	"iterators":  `const it = [1, 2, 3, 4, 5].values().map(x => x * 2).filter(x => x > 2); it.next(); const m = 'abc'[Symbol.iterator](); m.next(); const e = 'a1b2'.matchAll(/\d/g); await ask(1); return [...it, ...m, ...[...e].map(String)].join()`,
	"built-ins":  builtIns,
	"arguments":  `function f(a) { const g = () => arguments; return [g, v => { a = v }] } const [g, set] = f(1, 2); await ask(1); set(9); return [...g()].join()`,
	"many":       `const objs = Array.from({length: 1000}, (_, i) => ({id: i, name: 'item ' + i, tags: ['a', i], next: null})); for (let i = 1; i < 1000; i++) objs[i - 1].next = objs[i]; const r = await Promise.all([ask(1), ask(2), ask(3)]); let n = 0; for (let o = objs[0]; o; o = o.next) n += o.id + o.tags[1] + o.name.length; return n + r.length`,
}

// builtIns has an object of each kind that has state of its own, and uses all of
// them when it has waited.
const builtIns = `
	const rows = [1, 2, 3], map = new Map([['a', 1], ['b', 2]]), set = new Set([5, 6]), params = new URLSearchParams('x=1&y=2');
	const its = [rows.keys(), rows.values(), rows.entries(), map.entries(), map.keys(), set.values(), set.entries(), params.entries(), params.keys(), 'añ日b'[Symbol.iterator](), 'a1b22c'.matchAll(/\d+/g),
		new Intl.Segmenter('en', {granularity: 'word'}).segment('one two')[Symbol.iterator](), Iterator.from({next() { return {done: this.n-- == 0, value: 'w'} }, n: 2}),
		rows.values().map(x => x * 2), rows.values().filter(x => x > 1), rows.values().take(2), rows.values().drop(1), rows.values().flatMap(x => [x, x])];
	for (const it of its) it.next();
	const intl = [new Intl.Collator('sv', {numeric: true}), new Intl.DateTimeFormat('de', {dateStyle: 'full', timeZone: 'UTC'}), new Intl.DisplayNames('en', {type: 'region'}), new Intl.DisplayNames('en', {type: 'language', languageDisplay: 'standard'}), new Intl.ListFormat('en'),
		new Intl.Locale('en-Latn-US-u-ca-gregory'), new Intl.NumberFormat('de', {style: 'currency', currency: 'EUR'}), new Intl.PluralRules('en', {type: 'ordinal'}), new Intl.RelativeTimeFormat('en', {numeric: 'auto'}), new Intl.Segmenter('en', {granularity: 'sentence'})];
	const bound = [intl[0].compare, intl[1].format, intl[6].format], segments = intl[9].segment('One. Two.');
	const url = new URL('https://u:p@x.example:81/a/b?c=d#e'), plain = new URL('data:text'), sp = url.searchParams;
	const dec = new TextDecoder('utf-16le', {fatal: true}), enc = new TextEncoder(); dec.decode(new Uint8Array([0x61]), {stream: true});
	const stack = new DisposableStack(); const log1 = []; stack.defer(() => log1.push('d')); stack.adopt(3, v => log1.push(v)); const over = new DisposableStack(); over.dispose();
	const boxes = [Object(true), Object(1), Object('s'), Object(Symbol.iterator), Object(2n), new Date(5)];
	const buf = new ArrayBuffer(8, {maxByteLength: 16}), u8 = new Uint8Array(buf, 1), f64 = new Float64Array(2), dv = new DataView(buf, 2, 4), gone = new ArrayBuffer(4); gone.transfer();
	function sloppy(a, b) { return arguments } const args = sloppy(1, 2, 3);
	const reg = new FinalizationRegistry(() => 0); reg.register(boxes, 1, boxes);
	const out = []; async function* each() { for await (const x of [ask(7), 8]) yield x } const gen = each(); out.push((await gen.next()).value);
	for (const k in {p: 1, q: 2}) { out.push(k); await ask(k) }
	for (const it of its) { const r = it.next(); out.push(r.done, JSON.stringify(r.value)) }
	out.push(intl[0].compare('a2', 'a10'), intl[1].format(0), intl[2].of('US'), intl[3].of('en-GB'), intl[4].format(['x', 'y']), intl[5].language + intl[5].calendar, intl[6].format(2.5), intl[7].select(2), intl[8].format(-1, 'day'), [...intl[9].segment('A. B.')].length);
	for (const x of intl) if (x.resolvedOptions) out.push(JSON.stringify(x.resolvedOptions())); out.push(intl[5].maximize().toString());
	out.push(bound[0]('a', 'b'), bound[1](0), bound[2](1), segments.containing(6).segment, [...segments].length);
	url.hash = 'f'; url.port = ''; sp.append('g', 'h'); sp.sort(); params.delete('x'); out.push(url.href, url.username + url.password + url.host + url.pathname + url.search, plain.href, plain.pathname, String(params), sp.size);
	out.push(dec.decode(new Uint8Array([0]), {stream: true}), dec.encoding + dec.fatal, enc.encode('é').length);
	stack.dispose(); out.push(stack.disposed, over.disposed, log1.join());
	out.push(boxes.map(x => typeof x.valueOf() + Object.prototype.toString.call(x)).join(), u8.length, f64.fill(1).join(), dv.getInt8(1), buf.byteLength, gone.detached, new Uint8Array(buf).set([1, 2], 1), u8.join());
	buf.resize(12); args[0] = 9; out.push(u8.length, args.length, [...args].join(), reg.unregister(boxes), (await gen.next()).value);
	return out.join('|')`

// A program that is written out and read again at every point where it waits
// gives what it gives otherwise, for the same fuel.
func TestSnapshotPrograms(t *testing.T) {
	for name, src := range snapshotPrograms {
		t.Run(name, func(t *testing.T) {
			want := startWaiter(t, src).outcome()
			if !strings.HasPrefix(want, "1 ") {
				t.Fatal(want)
			}
			for _, trusted := range []bool{true, false} {
				w := startWaiter(t, src)
				for waits := 0; ; waits++ {
					b := w.bytes()
					n, err := w.load(b, trusted)
					if err != nil {
						t.Fatalf("after %d answers: %v", waits, err)
					}
					if again := n.bytes(); string(again) != string(b) {
						t.Fatalf("after %d answers: %d bytes are written as %d", waits, len(b), len(again))
					}
					if err := n.m.Verify(); err != nil {
						t.Fatal(err)
					}
					if w = n; !w.answer() {
						break
					}
				}
				if got := w.outcome(); got != want {
					t.Errorf("trusted %v:\n got %s\nwant %s", trusted, got, want)
				}
			}
		})
	}
}

// Cut and changed snapshots are refused, or are as good as any: nothing panics
// and nothing runs for ever.
func TestSnapshotDamaged(t *testing.T) {
	w := startWaiter(t, snapshotPrograms["collections"])
	b := w.bytes()
	for n := 0; n < len(b); n += 1 + len(b)/200 {
		if _, err := w.load(b[:n], false); !errors.Is(err, heap.ErrSnapshot) {
			t.Fatalf("cut at %d of %d: %v", n, len(b), err)
		}
	}
	other, err := js.Compile("t.js", "await ask(1)", js.CompileOptions{Goal: js.FunctionBody})
	if err != nil {
		t.Fatal(err)
	}
	w.code = other
	if _, err := w.load(b, false); !errors.Is(err, vm.ErrSnapshotProgram) {
		t.Error(err)
	}
}

// A built-in object whose state is another than it can be is refused, or is one
// that its methods can work with: nothing panics.
func TestSnapshotBuiltInsChanged(t *testing.T) {
	odd := []heap.Value{vm.Undefined, vm.Null, vm.True, heap.Int(-1), heap.Int(1 << 30), heap.Int(3), heap.Float(-0.5), heap.NaN, heap.Float(1e300)}
	type place struct {
		o    heap.Obj
		word int
	}
	classes := map[heap.Class]bool{
		heap.ClassIterator: true, heap.ClassIntl: true, heap.ClassWeb: true, heap.ClassDisposable: true, heap.ClassArrayBuffer: true, heap.ClassTypedArray: true,
		heap.ClassDataView: true, heap.ClassForIn: true, heap.ClassArguments: true, heap.ClassFinalizationRegistry: true, heap.ClassDate: true, heap.ClassNumber: true, heap.ClassString: true,
	}
	var places []place
	kinds := map[[2]uint32]bool{}
	w := startWaiter(t, builtIns)
	w.answer() // it stands in the enumeration then
	good := w.bytes()
	first, err := w.load(good, true)
	if err != nil {
		t.Fatal(err)
	}
	err = first.m.H.EachOwn(func(o heap.Obj, r *heap.Object) error {
		if !classes[r.Class] {
			return nil
		}
		places = append(places, place{o, -2}, place{o, -1})
		kinds[[2]uint32{uint32(r.Class), r.Length}] = true
		if r.Data.IsInternal() && r.Data == heap.ValuesValue(r.Data.AsBlock()) {
			for i := range min(first.m.H.BlockSize(r.Data.AsBlock()), 20) {
				places = append(places, place{o, i})
			}
		}
		return nil
	})
	if err != nil || len(kinds) < 38 {
		t.Fatalf("%v, %d kinds of objects", err, len(kinds))
	}
	refused, n := 0, 0
	for _, p := range places {
		for _, v := range append(odd, heap.ObjectValue(p.o), heap.StringValue(w.m.H.Char('x'))) {
			x, err := w.load(good, true)
			if err != nil {
				t.Fatal(err)
			}
			h := x.m.H
			switch r := h.ObjW(p.o); {
			case p.word == -2 && v.IsInt():
				r.Length = uint32(v.AsInt())
			case p.word == -2:
				continue
			case p.word == -1:
				r.Data = v
			default:
				h.SetWord(r.Data.AsBlock(), p.word, v)
			}
			n++
			func() {
				what := fmt.Sprintf("object %d of class %d, word %d as %x", p.o, h.Obj(p.o).Class, p.word, uint64(v))
				defer func() {
					if e := recover(); e != nil {
						t.Errorf("%s: %v", what, e)
					}
				}()
				y, err := w.load(x.bytes(), false)
				switch {
				case err == nil:
					y.quiet = true
					y.outcome()
				case errors.Is(err, heap.ErrSnapshot):
					refused++
				default:
					t.Errorf("%s: %v", what, err)
				}
			}()
		}
	}
	t.Logf("%d of %d were refused", refused, n)
}

func BenchmarkSnapshot(b *testing.B) {
	w := startWaiter(&testing.T{}, snapshotPrograms["many"])
	for _, trusted := range []bool{true, false} {
		b.Run(fmt.Sprintf("trusted=%v", trusted), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				s := heap.NewSnapWriter(nil)
				if err := w.m.Snapshot(s, w.code); err != nil {
					b.Fatal(err)
				}
				n = len(s.Bytes())
				if _, err := w.load(s.Bytes(), trusted); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
}
