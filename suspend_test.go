package pinfold_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"pgregory.net/rapid"
)

// askers are the functions of the tests: ask is answered later, add is done at
// once.
var askers = []pinfold.Function{
	{Name: "ask", Deferred: true},
	{Name: "tools.ask", Deferred: true},
	{Name: "add", Func: func(a, b float64) float64 { return a + b }},
}

func asker(t testing.TB, change func(*pinfold.Options)) *pinfold.Sandbox {
	t.Helper()
	opt := pinfold.Options{Deterministic: true, Seed: 3, Timers: true, Functions: askers}
	if change != nil {
		change(&opt)
	}
	s, err := pinfold.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compiled(t testing.TB, s *pinfold.Sandbox, src string) *pinfold.Program {
	t.Helper()
	p, err := s.Compile("t", src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// suspend writes a run out.
func suspend(t testing.TB, x *pinfold.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := x.Suspend(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// answerAll answers the calls that wait, the first one first, with what they
// asked, until the run is over. between may exchange the run.
func answerAll(t testing.TB, x *pinfold.Run, between func(*pinfold.Run) *pinfold.Run) *pinfold.Outcome {
	t.Helper()
	for x.Outcome() == nil {
		calls := x.Pending()
		if len(calls) == 0 {
			out, err := x.Wait(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		if between != nil {
			x = between(x)
			if again := x.Pending(); !reflect.DeepEqual(again, calls) {
				t.Fatalf("pending calls were %v and are %v", calls, again)
			}
		}
		var v any
		var err error
		if len(calls[0].Arguments) > 0 {
			v = calls[0].Arguments[0]
			if s := calls[0].Arguments[0].String(); strings.HasPrefix(s, `"fail`) {
				v, err = nil, &pinfold.Error{Code: "NO", Message: s, Data: map[string]any{"n": 1}}
			}
		}
		if err := x.Answer(calls[0].ID, v, err); err != nil {
			t.Fatal(err)
		}
	}
	return x.Outcome()
}

// everything is a program that holds everything while it waits.
const everything = `
class Account {
	#balance = 0; static count = 0;
	constructor(owner) { this.owner = owner; Account.count++ }
	get balance() { return this.#balance }
	add(n) { this.#balance += n; return this }
}
const account = new Account('Ann').add(5);
let n = 0; const count = () => ++n;
function* numbers() { let i = 0; try { while (true) { const x = yield i++; if (x) console.log('sent', x) } } finally { console.log('closed') } }
async function* pages(k) { for (let i = 0; i < k; i++) yield await ask({page: i}) }
const it = numbers(); it.next();
const key = {}, weak = new WeakMap([[key, 'w']]), ref = new WeakRef(key);
const map = new Map([[1, 'one'], [NaN, 'nan'], [key, 'obj'], ['k'.repeat(40), 'long']]), set = new Set('abc');
const bytes = new Uint8Array([1, 2, 250]), floats = new Float64Array([0.5, NaN, -0]), view = new DataView(new ArrayBuffer(8)); view.setInt32(2, -99);
const fmt = new Intl.NumberFormat('de-DE', {minimumFractionDigits: 2}), url = new URL('https://x.example/a?b=1'), re = /(\d+)-(\w)/g, date = new Date(86400000);
const sym = Symbol('s'), reg = Symbol.for('shared'), o = {[sym]: 1, get twice() { return this.v * 2 }, v: 21, [reg]: 2};
re.exec('12-a 13-b');
const late = []; const t = setInterval(() => { late.push(count()); if (late.length == 3) clearInterval(t) }, 10); setTimeout((a, b) => late.push(a + b), 25, 'x', 'y');
console.group('group'); console.count('c'); console.time('t');
const three = await Promise.all([ask('a'), tools.ask({b: [1, 2n, new Date(5)]}), ask('fail').catch(e => [e.message, e.code, e.data.n].join())]);
console.count('c'); console.log(three, count()); console.groupEnd();
url.searchParams.append('c', '2'); map.delete(1); set.delete('b');
let seen = ''; for await (const p of pages(3)) { seen += JSON.stringify(p); console.log(it.next(p.page).value) }
const scoped = eval('(x) => x + n'), made = new Function('a', 'return a * 2');
await new Promise(ok => setTimeout(ok, 100));
const last = await ask({sum: add(1, 2), rnd: Math.random()});
it.return();
return { three, seen, last, late, n, balance: account.balance, owner: account.owner, made: Account.count,
	weak: weak.get(key), ref: ref.deref() === key, map: [...map.values()], set: [...set].join(''), bytes: [...bytes], floats: [...floats], view: view.getInt32(2),
	fmt: fmt.format(1234.5), url: url.href, re: re.exec('12-a 13-b')[2], date: date.toISOString(), sym: o[sym] + o[Symbol.for('shared')], twice: o.twice,
	evals: [scoped(1), made(21)], now: Date.now(), rnd: Math.random() };`

// same compares what a run came to, memory and time aside.
func same(t testing.TB, got, want *pinfold.Outcome) {
	t.Helper()
	if got.Failure != nil || want.Failure != nil {
		if got.Failure == nil || want.Failure == nil || got.Failure.Error() != want.Failure.Error() {
			t.Fatalf("failure %v, want %v", got.Failure, want.Failure)
		}
		if g, w := got.Failure.Report(), want.Failure.Report(); g != w {
			t.Errorf("report\n%s\nwant\n%s", g, w)
		}
	}
	if got.Value.String() != want.Value.String() {
		t.Errorf("value\n%s, want\n%s", got.Value, want.Value)
	}
	if !reflect.DeepEqual(got.Console, want.Console) {
		t.Errorf("console\n%v, want\n%v", got.Console, want.Console)
	}
	if got.Usage.Fuel != want.Usage.Fuel || got.Usage.HostCalls != want.Usage.HostCalls || got.Usage.OutputBytes != want.Usage.OutputBytes {
		t.Errorf("usage %+v, want %+v", got.Usage, want.Usage)
	}
}

// A run that is written out wherever it waits is the run that isn't.
func TestSuspend(t *testing.T) {
	for name, key := range map[string][]byte{"checked": nil, "signed": []byte("secret"), "stressed": nil} {
		t.Run(name, func(t *testing.T) {
			s := asker(t, func(o *pinfold.Options) { o.SnapshotKey = key })
			if name == "stressed" {
				s.Stress() // what isn't rooted is gone at once
			}
			for _, src := range []string{
				everything,
				"export default async function (input) { const m = await import('data.json', {with: {type: 'json'}}).catch(e => e.name); return [await ask(input), m] }",
				"const top = await ask('top'); export default async x => [top, await ask(x)]",
				"const a = await ask('fail it'); return a",
				"const r = await Promise.allSettled([ask(1), ask('fail'), ask()]); throw new TypeError(JSON.stringify(r))",
				"await ask(1); let f = 0; while (f < 1000) f++; return f",
			} {
				p := compiled(t, s, src)
				want := answerAll(t, s.Start(nil, p, "in"), nil)
				got := answerAll(t, s.Start(nil, p, "in"), func(x *pinfold.Run) *pinfold.Run {
					id := x.ID()
					b := suspend(t, x)
					if _, err := x.Wait(nil); !errors.Is(err, pinfold.ErrNotWaiting) {
						t.Fatal(err)
					}
					y, err := s.Resume(nil, p, bytes.NewReader(b))
					if err != nil {
						t.Fatal(err)
					}
					if y.ID() != id {
						t.Fatal("another ID")
					}
					return y
				})
				same(t, got, want)
			}
		})
	}
}

// The child of TestSuspendProcess: it resumes the snapshot that is in the file,
// and writes it again or writes the outcome.
func TestSuspendChild(t *testing.T) {
	file := os.Getenv("PINFOLD_TEST_SNAPSHOT")
	if file == "" {
		t.Skip("it is run by TestSuspendProcess")
	}
	s := asker(t, nil)
	p := compiled(t, s, everything)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	x, err := s.Resume(nil, p, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	calls := x.Pending()
	var v any = calls[0].Arguments[0]
	err = nil
	if strings.HasPrefix(calls[0].Arguments[0].String(), `"fail`) {
		err = &pinfold.Error{Code: "NO", Message: calls[0].Arguments[0].String(), Data: map[string]any{"n": 1}}
	}
	if err := x.Answer(calls[0].ID, v, err); err != nil {
		t.Fatal(err)
	}
	if out := x.Outcome(); out != nil {
		text, err := json.Marshal(map[string]any{"value": out.Value, "console": out.Console, "fuel": out.Usage.Fuel, "failure": fmt.Sprint(out.Failure)})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file+".out", text, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.WriteFile(file, suspend(t, x), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every answer is given in a process of its own.
func TestSuspendProcess(t *testing.T) {
	s := asker(t, nil)
	p := compiled(t, s, everything)
	want := answerAll(t, s.Start(nil, p, "in"), nil)
	x := s.Start(nil, p, "in")
	if n := len(x.Pending()); n != 3 {
		t.Fatalf("%d calls are pending", n)
	}
	file := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(file, suspend(t, x), 0o600); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSuspendChild$", "-test.count=1")
		cmd.Env = append(os.Environ(), "PINFOLD_TEST_SNAPSHOT="+file)
		if out, err := cmd.CombinedOutput(); err != nil || n > 20 {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(file + ".out")
		if err != nil {
			continue
		}
		var got struct {
			Value   pinfold.Value
			Console []pinfold.ConsoleLine
			Fuel    int64
			Failure string
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if text, _ := json.Marshal(want.Value); got.Value.String() != string(text) || got.Fuel != want.Usage.Fuel || !reflect.DeepEqual(got.Console, want.Console) || want.Failure != nil {
			t.Errorf("in other processes:\n%s, fuel %d\n%v\nwant\n%s, fuel %d\n%v", got.Value, got.Fuel, got.Console, want.Value, want.Usage.Fuel, want.Console)
		}
		return
	}
}

func TestSuspendRefused(t *testing.T) {
	s := asker(t, nil)
	p := compiled(t, s, "const a = [1, 2]; return [await ask(a), a]")
	b := suspend(t, s.Start(nil, p, nil))
	resume := func(s *pinfold.Sandbox, p *pinfold.Program, b []byte, want pinfold.SnapshotReason) {
		t.Helper()
		x, err := s.Resume(nil, p, bytes.NewReader(b))
		var e *pinfold.SnapshotError
		if !errors.Is(err, want) || !errors.As(err, &e) || x != nil {
			t.Errorf("%v, want %v", err, want)
		}
	}
	change := func(at int) []byte {
		c := bytes.Clone(b)
		c[at] ^= 0x40
		return c
	}
	resume(s, p, nil, pinfold.SnapshotDamaged)
	resume(s, p, change(0), pinfold.SnapshotDamaged)
	resume(s, p, change(12), pinfold.SnapshotVersion)
	resume(s, p, change(13), pinfold.SnapshotDamaged)
	resume(s, p, change(14), pinfold.SnapshotEngine)
	resume(s, p, change(14+32), pinfold.SnapshotProgram)
	resume(s, p, change(14+64), pinfold.SnapshotFunctions)
	resume(s, p, b[:len(b)-1], pinfold.SnapshotDamaged)
	resume(s, p, append(bytes.Clone(b), 0), pinfold.SnapshotDamaged)
	resume(s, compiled(t, s, "return ask(1)"), b, pinfold.SnapshotProgram)
	resume(asker(t, func(o *pinfold.Options) { o.Timers = false }), p, b, pinfold.SnapshotFunctions)
	resume(asker(t, func(o *pinfold.Options) { o.Functions = askers[:1] }), p, b, pinfold.SnapshotFunctions)
	resume(asker(t, func(o *pinfold.Options) { o.SnapshotKey = []byte("k") }), p, b, pinfold.SnapshotKey)
	resume(asker(t, func(o *pinfold.Options) { o.Limits.MemoryBytes = 1 << 20; o.Limits.OutputBytes = 1 }), p, make([]byte, 4<<20), pinfold.SnapshotTooLarge)

	// A limit is a limit.
	big := compiled(t, s, "const a = Array.from({length: 30000}, (_, i) => ({i})); await ask(1); return a.length")
	b = suspend(t, s.Start(nil, big, nil))
	small := asker(t, func(o *pinfold.Options) { o.Limits.MemoryBytes = 2 << 20 })
	if _, err := small.Resume(nil, big, bytes.NewReader(b)); !errors.Is(err, pinfold.ErrMemory) {
		t.Error(err)
	}
	if x, err := s.Resume(nil, big, bytes.NewReader(b)); err != nil || answerAll(t, x, nil).Value.String() != "30000" {
		t.Error(err)
	}
}

func TestSuspendNotWaiting(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	s := asker(t, func(o *pinfold.Options) {
		o.Functions = append(askers[:len(askers):len(askers)], pinfold.Function{Name: "slow", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) int {
			close(begun)
			<-finish
			return 7
		}})
	})
	// While a host function is at work the run belongs to who waits for it.
	x := s.Start(nil, compiled(t, s, "return ask(1)"), nil)
	go func() { <-begun; _ = x.Suspend(new(bytes.Buffer)); close(finish) }()
	y := s.Start(nil, compiled(t, s, "const a = ask(1); return [await slow(), await a]"), nil)
	if out := answerAll(t, y, nil); out.Value.String() != "[7,1]" {
		t.Error(out.Value, out.Failure)
	}
	if err := y.Suspend(nil); !errors.Is(err, pinfold.ErrNotWaiting) || !strings.Contains(err.Error(), "it is over") {
		t.Error(err)
	}
	if err := y.Answer(1, nil, nil); !errors.Is(err, pinfold.ErrNotWaiting) {
		t.Error(err)
	}
	x = s.Start(nil, compiled(t, s, "return ask(1)"), nil)
	if err := x.Answer(99, nil, nil); !errors.Is(err, pinfold.ErrNotPending) {
		t.Error(err)
	}
	if out := x.Cancel(); !errors.Is(out.Failure, pinfold.ErrCancelled) {
		t.Error(out.Failure)
	}
	// The context ends a run that waits.
	ctx, cancel := context.WithCancel(context.Background())
	x = s.Start(ctx, compiled(t, s, "return ask(1)"), nil)
	cancel()
	if out, err := x.Wait(nil); err != nil || !errors.Is(out.Failure, context.Canceled) {
		t.Error(err, out)
	}
	// Run can't wait.
	if out := s.Run(nil, compiled(t, s, "return ask(1)"), nil); out.Failure == nil || !strings.Contains(out.Failure.Message, "Sandbox.Start") {
		t.Error(out.Failure)
	}
	// A writer that fails leaves the run as it is.
	x = s.Start(nil, compiled(t, s, "return ask(1)"), nil)
	if err := x.Suspend(failing{}); err == nil || errors.Is(err, pinfold.ErrNotWaiting) {
		t.Error(err)
	}
	if out := answerAll(t, x, nil); out.Value.String() != "1" {
		t.Error(out.Failure)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// Real timers go on while a run waits, and while it is away.
func TestSuspendRealTimers(t *testing.T) {
	s := asker(t, func(o *pinfold.Options) { o.Deterministic = false; o.Limits.Timeout = 5 * time.Second })
	p := compiled(t, s, "const log = []; setTimeout(() => log.push('timer'), 30); const a = ask(1); await new Promise(ok => setTimeout(ok, 60)); log.push('later'); return [log, await a]")
	x := s.Start(nil, p, nil)
	x, err := s.Resume(nil, p, bytes.NewReader(suspend(t, x)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := x.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if out := answerAll(t, x, nil); out.Value.String() != `[["timer","later"],1]` {
		t.Error(out.Value, out.Failure)
	}
}

func TestFork(t *testing.T) {
	s := asker(t, nil)
	p := compiled(t, s, everything)
	want := answerAll(t, s.Start(nil, p, "in"), nil)
	var forks []*pinfold.Run
	got := answerAll(t, s.Start(nil, p, "in"), func(x *pinfold.Run) *pinfold.Run {
		f, err := x.Fork()
		if err != nil {
			t.Fatal(err)
		}
		if f.ID() == x.ID() || !reflect.DeepEqual(f.Pending(), x.Pending()) {
			t.Fatal("a fork has the ID of its origin, or other pending calls")
		}
		forks = append(forks, f)
		return x
	})
	same(t, got, want)
	for i := len(forks) - 1; i >= 0; i-- {
		f := forks[i]
		same(t, answerAll(t, f, nil), want)
	}
	// Forks that are told other things go other ways, and their new calls have
	// keys of their own.
	p = compiled(t, s, "const seen = [await ask('first')]; seen.push(await ask(seen[0])); return seen")
	a := s.Start(nil, p, nil)
	b, err := a.Fork()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Answer(1, "A", nil), b.Answer(1, "B", nil)); err != nil {
		t.Fatal(err)
	}
	ca, cb := a.Pending()[0], b.Pending()[0]
	if ca.IdempotencyKey == cb.IdempotencyKey || ca.Arguments[0].String() != `"A"` || cb.Arguments[0].String() != `"B"` {
		t.Error(ca, cb)
	}
	if x, y := answerAll(t, a, nil), answerAll(t, b, nil); x.Value.String() != `["A","A"]` || y.Value.String() != `["B","B"]` {
		t.Error(x.Value, y.Value)
	}
}

// randomProgram writes an asynchronous program: statements over a few variables,
// in nested functions, loops and handlers, that wait here and there.
func randomProgram(t *rapid.T) string {
	names := []string{"a", "b", "c"}
	name := rapid.SampledFrom(names)
	var expr, block func(depth int) string
	expr = func(depth int) string {
		k := 14
		if depth <= 0 {
			k = 4
		}
		switch rapid.IntRange(0, k).Draw(t, "expr") {
		case 0, 1:
			return name.Draw(t, "name")
		case 2:
			return fmt.Sprint(rapid.IntRange(-5, 1000).Draw(t, "n"))
		case 3:
			return fmt.Sprintf("%q", rapid.StringMatching(`[a-z&<é日]{0,30}`).Draw(t, "s"))
		case 4, 5:
			return "(await ask(str(" + expr(depth-1) + ")))"
		case 6:
			return "[" + expr(depth-1) + ", " + expr(depth-1) + "]"
		case 7:
			return "{x: " + expr(depth-1) + ", get y() { return str(" + name.Draw(t, "name") + ") }}"
		case 8:
			return "(await (async () => { " + block(depth-1) + " return " + expr(depth-1) + " })())"
		case 9:
			return "await Promise.all([ask(1), (async () => (" + expr(depth-1) + "))(), ask(str(" + expr(depth-1) + "))])"
		case 10:
			return "await first((async function* () { yield " + expr(depth-1) + "; yield " + expr(depth-1) + " })())"
		case 11:
			return "new Map([[str(" + expr(depth-1) + "), " + expr(depth-1) + "]])"
		case 12:
			return "new K(" + expr(depth-1) + ").v()"
		case 13:
			return "await new Promise(ok => setTimeout(ok, " + fmt.Sprint(rapid.IntRange(0, 50).Draw(t, "ms")) + ", str(" + name.Draw(t, "name") + ")))"
		}
		return "str(" + expr(depth-1) + ") + " + "str(" + expr(depth-1) + ")"
	}
	block = func(depth int) string {
		var b strings.Builder
		for range rapid.IntRange(1, 3).Draw(t, "statements") {
			k := 6
			if depth <= 0 {
				k = 1
			}
			switch rapid.IntRange(0, k).Draw(t, "statement") {
			case 0:
				fmt.Fprintf(&b, "%s = (%s);\n", name.Draw(t, "name"), strings.TrimPrefix(expr(depth), ""))
			case 1:
				fmt.Fprintf(&b, "note((%s));\n", expr(depth))
			case 2:
				fmt.Fprintf(&b, "for (let i = 0; i < %d; i++) { fs.push(() => i); %s }\n", rapid.IntRange(0, 3).Draw(t, "times"), block(depth-1))
			case 3:
				fmt.Fprintf(&b, "try { %s throw new Error(str(%s)) } catch (e) { note(e.message); %s } finally { %s }\n", block(depth-1), name.Draw(t, "name"), block(depth-1), block(depth-1))
			case 4:
				fmt.Fprintf(&b, "try { await ask('fail') } catch (e) { note(e.code) }\n")
			case 5:
				fmt.Fprintf(&b, "for await (const x of (async function* () { %s yield a; %s })()) { note(x) }\n", block(depth-1), block(depth-1))
			case 6:
				fmt.Fprintf(&b, "if (await ask(str(%s))) { %s }\n", name.Draw(t, "name"), block(depth-1))
			}
		}
		return b.String()
	}
	return `let a = 1, b = 'two', c = [3]; const fs = []; let left = 60;
const str = x => { try { return JSON.stringify(x instanceof Map ? [...x] : x)?.slice(0, 50) ?? 'u' } catch { return 'cyclic' } };
const note = x => { if (left-- > 0) console.log(str(x)) };
const first = async g => { for await (const x of g) return x };
class K { #v; constructor(v) { this.#v = v } v() { return this.#v } }
` + block(3) + "return [a, b, c].map(str).concat(fs.length, fs.map(f => f()).slice(0, 5))"
}

// What the tests above say of some programs holds of random ones. Half of the
// snapshots go through a journal's replay instead.
func TestSuspendProperty(t *testing.T) {
	s, stressed := asker(t, nil), asker(t, nil)
	stressed.Stress()
	rapid.Check(t, func(t *rapid.T) {
		src := randomProgram(t)
		p, err := s.Compile("t.js", src)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		run := func(between func(*pinfold.Run) *pinfold.Run) *pinfold.Outcome {
			x := s.Start(nil, p, nil)
			for n := 0; x.Outcome() == nil && n < 40; n++ {
				if between != nil {
					x = between(x)
				}
				calls := x.Pending()
				c := calls[(n*7)%len(calls)]
				var v any
				var err error
				if c.Arguments[0].String() == `"fail"` {
					v, err = nil, &pinfold.Error{Code: "NO"}
				} else {
					v = c.Arguments[0]
				}
				if err := x.Answer(c.ID, v, err); err != nil {
					t.Fatal(err)
				}
			}
			return x.Cancel()
		}
		want := run(nil)
		got := run(func(x *pinfold.Run) *pinfold.Run {
			y, err := stressed.Resume(nil, p, bytes.NewReader(suspendAny(t, x)))
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			return y
		})
		check := func(got *pinfold.Outcome, fuel bool) {
			t.Helper()
			if got.Value.String() != want.Value.String() || !reflect.DeepEqual(got.Console, want.Console) || fuel && got.Usage.Fuel != want.Usage.Fuel || (got.Failure == nil) != (want.Failure == nil) ||
				got.Failure != nil && got.Failure.Error() != want.Failure.Error() {
				t.Fatalf("got %s %v %v %d\nwant %s %v %v %d\n%s", got.Value, got.Failure, got.Console, got.Usage.Fuel, want.Value, want.Failure, want.Console, want.Usage.Fuel, src)
			}
		}
		check(got, true)
		check(run(func(x *pinfold.Run) *pinfold.Run {
			var b bytes.Buffer
			if err := x.Journal(&b); err != nil {
				t.Fatal(err)
			}
			calls := x.Pending()
			x.Cancel()
			y, err := s.Replay(nil, p, &b, pinfold.ReplayOptions{})
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			if again := y.Pending(); !reflect.DeepEqual(again, calls) {
				t.Fatalf("pending calls were %v and are %v\n%s", calls, again, src)
			}
			return y
		}), false)
	})
}

func suspendAny(t *rapid.T, x *pinfold.Run) []byte {
	var b bytes.Buffer
	if err := x.Suspend(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var manyRuns = flag.Int("suspended", 200, "how many runs TestSuspendMany writes to disk")

// Many runs on disk, resumed in random order. The figure of the goal is
// -suspended=100000.
func TestSuspendMany(t *testing.T) {
	s := asker(t, func(o *pinfold.Options) { o.SnapshotKey = []byte("key") })
	p := compiled(t, s, "const rows = Array.from({length: 50}, (_, i) => ({i, name: 'row ' + i})); const [x, y] = await Promise.all([ask(input), ask(rows.length)]); return x * 1000 + y + rows[7].i")
	dir := t.TempDir()
	name := func(i int) string { return filepath.Join(dir, fmt.Sprint(i%1000), fmt.Sprint(i)) }
	for i := range min(1000, *manyRuns) {
		if err := os.Mkdir(filepath.Dir(name(i)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	total := 0
	for i := range *manyRuns {
		b := suspend(t, s.Start(nil, p, i))
		total += len(b)
		if err := os.WriteFile(name(i), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d runs written in %v, %d bytes each", *manyRuns, time.Since(start), total/(*manyRuns))
	start = time.Now()
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(*manyRuns) {
		b, err := os.ReadFile(name(i))
		if err != nil {
			t.Fatal(err)
		}
		x, err := s.Resume(nil, p, bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if out := answerAll(t, x, nil); out.Value.String() != fmt.Sprint(i*1000+57) {
			t.Fatalf("run %d gives %s, %v", i, out.Value, out.Failure)
		}
	}
	t.Logf("… resumed in %v", time.Since(start))
}

// Bytes of any origin are refused or make a run that ends like any other.
func FuzzResume(f *testing.F) {
	s := asker(f, func(o *pinfold.Options) {
		o.Limits = pinfold.Limits{MemoryBytes: 8 << 20, Fuel: 2_000_000, Timeout: 2 * time.Second, HostCalls: 50}
	})
	p := compiled(f, s, everything)
	x := s.Start(nil, p, "in")
	for x.Outcome() == nil {
		y, err := x.Fork()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(suspend(f, y)[14+96:])
		c := x.Pending()[0]
		if err := x.Answer(c.ID, c.Arguments[0], nil); err != nil {
			f.Fatal(err)
		}
	}
	head := suspend(f, s.Start(nil, p, "in"))[:14+96]
	f.Fuzz(func(t *testing.T, body []byte) {
		resumeForged(t, s, p, append(bytes.Clone(head), body...))
	})
}

// Snapshots with changed bytes are refused or make a run that ends.
func TestResumeChanged(t *testing.T) {
	s := asker(t, func(o *pinfold.Options) {
		o.Limits = pinfold.Limits{MemoryBytes: 8 << 20, Fuel: 500_000, Timeout: 2 * time.Second, HostCalls: 50}
	})
	p := compiled(t, s, everything)
	b := suspend(t, s.Start(nil, p, "in"))
	rng := rand.New(rand.NewPCG(1, 2))
	resumed := 0
	for n := range *changedSnapshots {
		c := bytes.Clone(b)
		for range 1 + rng.IntN(3) {
			at := 110 + rng.IntN(len(c)-110)
			switch rng.IntN(3) {
			case 0:
				c[at] ^= 1 << rng.IntN(8)
			case 1:
				c[at] = byte(rng.Uint32())
			default:
				c[at]++
			}
		}
		begin := time.Now()
		if resumeForged(t, s, p, c) {
			resumed++
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("snapshot %d took %v", n, d)
		}
	}
	t.Logf("%d of %d passed the checks", resumed, *changedSnapshots)
}

var changedSnapshots = flag.Int("changed", 300, "how many changed snapshots TestResumeChanged tries")

// resumeForged resumes bytes of unknown origin and takes the run to its end.
func resumeForged(t *testing.T, s *pinfold.Sandbox, p *pinfold.Program, b []byte) bool {
	x, err := s.Resume(nil, p, bytes.NewReader(b))
	var refused *pinfold.SnapshotError
	var limit *pinfold.Failure
	switch {
	case err == nil:
	case errors.As(err, &refused), errors.As(err, &limit):
		return false
	default:
		t.Fatal(err)
	}
	for n := 0; x.Outcome() == nil && n < 60; n++ {
		calls := x.Pending()
		if len(calls) == 0 {
			break
		}
		_ = x.Answer(calls[0].ID, 1, nil)
	}
	if out := x.Cancel(); out == nil {
		t.Fatal("no outcome")
	}
	return true
}

// The figures of a waiting run: 1000 objects and three pending calls.
func BenchmarkSuspendResume(b *testing.B) {
	for name, key := range map[string][]byte{"checked": nil, "signed": []byte("key")} {
		b.Run(name, func(b *testing.B) {
			s := asker(b, func(o *pinfold.Options) { o.SnapshotKey = key })
			p := compiled(b, s, "const rows = Array.from({length: 1000}, (_, i) => ({id: i, name: 'item', next: null})); const r = await Promise.all([ask(1), ask({q: 'two'}), ask([3])]); return rows.length")
			x := s.Start(nil, p, nil)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				var buf bytes.Buffer
				if err := x.Suspend(&buf); err != nil {
					b.Fatal(err)
				}
				n = buf.Len()
				var err error
				if x, err = s.Resume(nil, p, &buf); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
}

// Modules in every state go into a snapshot: evaluated, waiting for one that
// waits, in circles, deferred, JSON, and made at run time.
func TestSuspendModules(t *testing.T) {
	s := asker(t, func(o *pinfold.Options) {
		o.Modules = map[string]string{
			"slow.js":   "export let n = 0; export const got = await ask('slow'); export function bump() { return ++n }",
			"user.js":   "import {got, bump} from 'slow.js'; import * as self from 'user.js'; export const twice = got + got; bump(); export {self}",
			"a.js":      "import {b} from 'b.js'; export function a() { return 'a' } export const ab = () => a() + b()",
			"b.js":      "import {a} from 'a.js'; export function b() { return 'b' + a() }",
			"data.json": `{"x": [1, 2]}`,
			"types.ts":  "export enum Color { Red = 3 } export const meta: string = typeof import.meta",
		}
	})
	p := compiled(t, s, `
		import {twice, self} from 'user.js'; import {ab} from 'a.js'; import data from 'data.json' with {type: 'json'}; import {n, bump} from 'slow.js';
		const first = await ask('main');
		export default async function (input) {
			const {Color, meta} = await import('types.ts');
			const x = await ask('inner'); bump();
			const again = await import('data.json', {with: {type: 'json'}});
			return [twice, Object.keys(self).join(), ab(), data.x, n, first, Color[3], meta, x, again.default === data, input];
		}`)
	run := func(between func(*pinfold.Run) *pinfold.Run) *pinfold.Outcome {
		return answerAll(t, s.Start(nil, p, "in"), between)
	}
	want := run(nil)
	if want.Value.String() != `["slowslow","self,twice","aba",[1,2],2,"main","Red","object","inner",true,"in"]` {
		t.Fatal(want.Value, want.Failure)
	}
	same(t, run(func(x *pinfold.Run) *pinfold.Run {
		y, err := s.Resume(nil, p, bytes.NewReader(suspend(t, x)))
		if err != nil {
			t.Fatal(err)
		}
		return y
	}), want)
	if out := run(func(x *pinfold.Run) *pinfold.Run {
		y, err := s.Replay(nil, p, bytes.NewReader(journal(t, x)), pinfold.ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		x.Cancel()
		return y
	}); out.Value.String() != want.Value.String() {
		t.Error(out.Value, out.Failure)
	}
}

// A large run is compressed.
func TestSuspendLarge(t *testing.T) {
	s := asker(t, nil)
	p := compiled(t, s, "const rows = Array.from({length: 40000}, (_, i) => ({i, s: 'row ' + i, half: i / 2})), text = 'abc'.repeat(300000), big = new Uint8Array(500000).fill(7); await ask(1); return [rows[39999], text.length, big[499999]]")
	x := s.Start(nil, p, nil)
	b := suspend(t, x)
	if len(b) > 1<<20 {
		t.Errorf("%d bytes", len(b))
	}
	x, err := s.Resume(nil, p, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if out := answerAll(t, x, nil); out.Value.String() != `[{"i":39999,"s":"row 39999","half":19999.5},900000,7]` {
		t.Error(out.Value, out.Failure)
	}
	// What unfolds to more than the limits allow is refused.
	for n := 110; n < len(b); n += len(b) / 50 {
		c := bytes.Clone(b)
		c[n] ^= 0x55
		if x, err := s.Resume(nil, p, bytes.NewReader(c)); err == nil {
			x.Cancel()
		} else if e := new(pinfold.SnapshotError); !errors.As(err, &e) && !errors.Is(err, pinfold.ErrMemory) {
			t.Error(err)
		}
	}
}

// A run's methods may be called from any goroutine.
func TestRunConcurrent(t *testing.T) {
	s := asker(t, nil)
	p := compiled(t, s, "let n = 0; await Promise.all(Array.from({length: 40}, async (_, i) => { const a = await ask(i), b = await ask(i); n += a + b })); return n")
	x := s.Start(nil, p, nil)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for x.Outcome() == nil {
				for _, c := range x.Pending() {
					if err := x.Answer(c.ID, 1, nil); err != nil && !errors.Is(err, pinfold.ErrNotPending) && !errors.Is(err, pinfold.ErrNotWaiting) {
						t.Error(err)
					}
				}
				if f, err := x.Fork(); err == nil {
					f.Cancel()
				} else if !errors.Is(err, pinfold.ErrNotWaiting) {
					t.Error(err)
				}
				if err := x.Journal(new(bytes.Buffer)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	out, err := x.Wait(nil)
	all.Wait()
	if err != nil || out.Value.String() != "80" {
		t.Error(err, out)
	}
}

// The child of TestEngineChanged: another engine, to which a snapshot means
// nothing and a journal everything.
func TestEngineChangedChild(t *testing.T) {
	dir := os.Getenv("PINFOLD_TEST_ENGINE")
	if dir == "" {
		t.Skip("it is run by TestEngineChanged")
	}
	if os.Getenv("PINFOLD_TEST_ENGINE_SAME") == "" {
		pinfold.AnotherEngine()
	}
	s := asker(t, nil)
	p := compiled(t, s, everything)
	b, err := os.ReadFile(filepath.Join(dir, "snapshot"))
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	if x, err := s.Resume(nil, p, bytes.NewReader(b)); err != nil {
		said = err.Error()
		if !errors.Is(err, pinfold.SnapshotEngine) {
			t.Error(err)
		}
	} else {
		x.Cancel()
	}
	if b, err = os.ReadFile(filepath.Join(dir, "journal")); err != nil {
		t.Fatal(err)
	}
	x, err := s.Replay(nil, p, bytes.NewReader(b), pinfold.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out := answerAll(t, x, nil)
	said += "\n" + out.Value.String()
	if err := os.WriteFile(filepath.Join(dir, "said"), []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An engine with one built-in function more refuses a snapshot, and goes on from
// the journal.
func TestEngineChanged(t *testing.T) {
	s := asker(t, nil)
	p := compiled(t, s, everything)
	want := answerAll(t, s.Start(nil, p, "in"), nil)
	x := s.Start(nil, p, "in")
	if err := x.Answer(2, "two", nil); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "journal"), journal(t, x), 0o600),
		os.WriteFile(filepath.Join(dir, "snapshot"), suspend(t, x), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	value := strings.Replace(want.Value.String(), `{"b":[1,{"$js":"bigint","v":"2"},{"$js":"date","v":"1970-01-01T00:00:00.005Z"}]}`, `"two"`, 1)
	for same, refusal := range map[string]string{
		"":  "pinfold: the snapshot can't be resumed: another version of the engine wrote it: replay the run's journal",
		"1": "",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestEngineChangedChild$", "-test.count=1")
		cmd.Env = append(os.Environ(), "PINFOLD_TEST_ENGINE="+dir, "PINFOLD_TEST_ENGINE_SAME="+same)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		said, err := os.ReadFile(filepath.Join(dir, "said"))
		if err != nil {
			t.Fatal(err)
		}
		if string(said) != refusal+"\n"+value {
			t.Errorf("it said\n%s\nwant\n%s\n%s", said, refusal, value)
		}
	}
}

// An input stands in a snapshot once, unless the program has changed it.
func TestSuspendInputOnce(t *testing.T) {
	s := asker(t, nil)
	long := strings.Repeat("some text that is found nowhere else, \u00e9 \"quoted\" \n", 500)
	input := map[string]any{"text": long, "list": []any{1, 2.5, -3, true, nil, map[string]any{"deep": []any{}}, "short"}, "n": 1e21}
	// How often the text's sentence is in the snapshot: 500 times in the heap, and
	// as often in the journal.
	for src, want := range map[string]int{
		"await ask(1); return input.text.length":                                                            500,
		"export default async i => { await ask(1); return i.text.length }":                                  500,
		"const n = input.text.length; input.text = 0; await ask(1); return n":                               500,
		"input.list.push(1n); await ask(1); return input.text.length":                                       1000,
		"input.self = input; await ask(1); return input.text.length":                                        1000,
		"Object.defineProperty(input, 'n', {get() { throw 1 }}); await ask(1); return input.text.length":    1000,
		"input.text = input.text.slice(0, 5) + input.text.slice(5); await ask(1); return input.text.length": 1000,
	} {
		p := compiled(t, s, src)
		x := s.Start(nil, p, input)
		was := journal(t, x)
		b := suspend(t, x)
		if n := bytes.Count(b, []byte("is found nowhere else")); n != want {
			t.Errorf("%s: the sentence is there %d times, want %d", src, n, want)
		}
		x, err := s.Resume(nil, p, bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if is := journal(t, x); !bytes.Equal(is, was) {
			t.Errorf("%s: the journal was\n%.200s\nand is\n%.200s", src, was, is)
		}
		if out := answerAll(t, x, nil); out.Value.String() != fmt.Sprint(len([]rune(long))) {
			t.Errorf("%s: %v %v", src, out.Value, out.Failure)
		}
	}
}
