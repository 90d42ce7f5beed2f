package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

// world is a sandbox whose host functions count their calls.
type world struct {
	sb    *pinfold.Sandbox
	calls atomic.Int64
	ticks atomic.Int64
}

func newWorld(t testing.TB, change func(*pinfold.Options)) *world {
	t.Helper()
	w := &world{}
	opt := pinfold.Options{
		Timers: true,
		Limits: pinfold.Limits{Timeout: time.Minute}, // a replay must fit in, on a slow machine too
		Functions: []pinfold.Function{
			{Name: "getUser", Func: func(id string) (any, error) {
				w.calls.Add(1)
				switch id {
				case "none":
					return nil, nil
				case "bad":
					return nil, errors.New("no such id")
				}
				return map[string]any{"id": id, "tags": []any{"a", nil}, "at": time.Unix(0, 0)}, nil
			}},
			{Name: "load", Async: true, Cancel: pinfold.Cooperative, Func: func(id string) (any, error) {
				n := w.calls.Add(1)
				switch id {
				case "none":
					return nil, nil
				case "bad":
					return nil, &pinfold.Error{Code: "E_GONE", Message: "it is gone", Data: map[string]any{"id": id}}
				}
				return map[string]any{"id": id, "n": n}, nil
			}},
			{Name: "count", Func: func() float64 { return float64(w.calls.Add(1)) }},
		},
		Modules: map[string]string{"lib": "export function pick(o, k) {\n  return o[k];\n}\nexport let conf;\n"},
		Clock:   func() time.Time { return time.Unix(1_700_000_000+w.ticks.Add(1), 0) },
	}
	if change != nil {
		change(&opt)
	}
	var err error
	if w.sb, err = pinfold.New(opt); err != nil {
		t.Fatal(err)
	}
	return w
}

var explainInput = map[string]any{"items": []any{
	map[string]any{"id": 1, "user": nil},
	map[string]any{"id": 2, "usr": map[string]any{"email": "a@b.c"}},
}}

// tell writes an explanation in the form that the tests compare.
func tell(e *pinfold.Explanation) string {
	if e == nil {
		return "none"
	}
	if e.Unavailable != "" {
		return "unavailable: " + e.Unavailable
	}
	var b strings.Builder
	if e.Subject != "" {
		fmt.Fprintf(&b, "%s is %s\n", e.Subject, e.Value)
	}
	for _, o := range e.Origins {
		fmt.Fprintf(&b, "- %s (%s:%d:%d)\n", o.Text, o.File, o.Line, o.Column)
	}
	for _, f := range e.Locals {
		fmt.Fprintf(&b, "%s:%d:%d %s", f.File, f.Line, f.Column, f.Function)
		for _, l := range f.Locals {
			fmt.Fprintf(&b, " %s=%s", l.Name, l.Value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestExplain(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a property of input", `
const rows = input.items;
function mail(r) {
  return r.user.email;
}
return rows.map((r) => mail(r));`, `
r.user is null
- input.items[0].user is null (p:3:12)
p:3:17 mail r={ id: 1, user: null }
p:5:24  r={ id: 1, user: null }
p:5:13  rows=[ { id: 1, user: null }, { id: 2, usr: { email: 'a@b.c' } } ] mail=[Function: mail] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a missing key", `
return input.items.map((r) => r.usr).at(1).mail.length;`, `
input.items.map((r) => r.usr).at(1).mail is undefined
- missing key 'mail' of input.items[1].usr, which has the key email (p:1:44)
p:1:49  input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"null in a chain", `
const cfg = { a: { b: null } };
return cfg.a.b.c;`, `
cfg.a.b is null
- null stored in key 'b' (p:1:20)
p:2:16  cfg={ a: { b: null } } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a thrown object", `
const e = { code: 5 };
throw e;`, `
e is { code: 5 }
- object created here (p:1:11)
p:2:1  e={ code: 5 } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"thrown undefined", `
let reason;
throw reason;`, `
reason is undefined
- declared without a value (p:1:5)
p:2:1  reason=undefined input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"an unhandled rejection", `
async function work(o) {
  return o.x.y;
}
work({ z: 1 });
await null;`, `
o.x is undefined
- missing key 'x' of the object created at p:4:6, which has the key z (p:2:12)
p:2:14 work o={ z: 1 }
p:4:1  work=[AsyncFunction: work] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"destructuring a host result", `
const { name } = getUser("none");`, `
getUser("none") is null
- the result of the host call getUser (p:1:18)
p:1:18  input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"destructuring a nested pattern", `
const f = ({ a: { b } }) => b;
f({ a: undefined });`, `
a is undefined
- undefined stored in key 'a' (p:2:5)
p:1:19 f b=undefined
p:2:1  f=[Function: f] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"destructuring an array", `
const [a, b] = [1];
return b.c;`, `
b is undefined
- element 1 of an array of length 1 created at p:1:16 (p:1:11)
p:2:10  b=undefined a=1 input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a call of undefined", `
const o = { size() { return 1; } };
o.sise();`, `
o.sise is undefined
- missing key 'sise' of the object created at p:1:11, which has the key size (p:2:3)
p:2:3  o={ size: [Function: size] } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"past an array's end", `
const last = input.items[2];
return last.id;`, `
last is undefined
- element 2 of input.items, an array of length 2 (p:1:26)
p:2:13  last=undefined input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"past a literal's end", `
const list = [1, 2, 3];
return list[3].toString();`, `
list[3] is undefined
- element 3 of an array of length 3 created at p:1:14 (p:2:13)
p:2:16  list=[ 1, 2, 3 ] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"NaN from undefined", `
let sum = 0;
for (const item of input.items) {
  sum += item.price * 2;
}
if (Number.isNaN(sum)) throw new RangeError("no sum");`, `
sum is NaN
- NaN from undefined * 2 (p:3:10)
- missing key 'price' of input.items[0], which has the keys id, user (p:3:15)
p:5:24  sum=NaN input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"NaN as an argument", `
const n = input.n * 2;
return new Array(n);`, `
n is NaN
- NaN from undefined * 2 (p:1:11)
- missing key 'n' of input, which has the key items (p:1:17)
p:2:8  n=NaN input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"an invalid date", `
const d = new Date(input.at);
return d.toISOString();`, `
d is Invalid Date
- Date made by new Date(undefined) created here (p:1:11)
- missing key 'at' of input, which has the key items (p:1:26)
p:2:10  d=Invalid Date input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"find", `
const u = input.items.find((x) => x.id === 3);
return u.id;`, `
u is undefined
- find returned undefined: no element matched (p:1:23)
p:2:10  u=undefined input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"Map.get", `
const m = new Map([["x", 1]]);
const v = m.get("k");
v.name;`, `
v is undefined
- Map.get found no 'k' (p:2:13)
p:3:3  v=undefined m=Map(1) { 'x' => 1 } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"match", `
const m = "abc".match(/z(.)/);
return m[1];`, `
m is null
- match returned null: nothing matched (p:1:17)
p:2:10  m=null input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"no return", `
function total(list) {
  list.length;
}
const t = total([]);
return t.x;`, `
t is undefined
- returned by total (p:4:11)
- total ended without return (p:3:1)
p:5:10  t=undefined input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a missing argument", `
function area(w, h) {
  return w.n * h.n;
}
area({ n: 1 });`, `
h is undefined
- area was called without argument 2 (p:4:1)
p:2:18 area w={ n: 1 } h=undefined
p:4:1  area=[Function: area] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a tested value", `
const user = getUser("none");
if (!user) throw new Error("no user");`, `
user is null
- the result of the host call getUser (p:1:14)
p:2:12  user=null input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"an optional chain", `
const o = { a: null };
const x = o.a?.b;
x.y;`, `
x is undefined
- the optional chain stopped at o.a (p:2:16)
- null stored in key 'a' (p:1:13)
p:3:3  x=undefined o={ a: null } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"reduce without return", `
input.items.reduce((acc, x) => { acc[x.id] = x; }, {});`, `
acc is undefined
- argument 1 that reduce passed (p:1:13)
- the function ended without return (p:1:49)
p:1:38  acc=undefined x={ id: 2, usr: { email: 'a@b.c' } }
p:1:13  input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"an element of an array", `
[1, null].forEach((x) => x.toFixed());`, `
x is null
- element 1 of the array created at p:1:1, passed by forEach (p:1:11)
- null stored in key '1' (p:1:5)
p:1:28  x=null
p:1:11  input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a closure's variable", `
function counter() {
  let c;
  return () => c.n++;
}
counter()();`, `
c is undefined
- declared without a value (p:2:7)
p:3:18 
p:5:1  counter=[Function: counter] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"classes", `
class Base {
  constructor(o) { this.o = o; }
  get size() { return this.o.len; }
}
class Box extends Base {
  constructor() { super({ length: 1 }); }
}
new Box().size.toFixed();`, `
new Box().size is undefined
- returned by get size (p:8:11)
- missing key 'len' of the object created at p:6:25, which has the key length (p:3:30)
p:8:16  Box=[class Box extends Base] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a private field", `
class P {
  #x;
  get() { return this.#x; }
}
new P().get().foo;`, `
new P().get() is undefined
- returned by get (p:5:9)
- declared without a value (p:2:3)
p:5:15  P=[class P] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a generator", `
function* g() {
  yield 1;
  yield undefined;
}
for (const v of g()) v.x;`, `
v is undefined
- yielded by the generator (p:5:17)
- undefined written here (p:3:9)
p:5:24  v=undefined g=[GeneratorFunction: g] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"an async function", `
async function items(id) {
  const r = await load(id);
  return r.items;
}
const list = await items("a");
return list.map((x) => x);`, `
list is undefined
- missing key 'items' of load(…), which has the keys id, n (p:3:12)
p:6:13  list=undefined input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a promise that is not awaited", `
const u = load("a");
return u.id.length;`, `
u.id is undefined
- missing key 'id' of the promise that load returned at p:1:11 (p:2:10)
p:2:13  u=Promise { <pending> } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"an asynchronous host result", `
const u = await load("none");
return u.id;`, `
u is null
- the result of the host call load (p:1:11)
p:2:10  u=null input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"an error of the host's", `
await load("bad");`, `
- thrown by the host call load (p:1:1)
p:1:1  input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a part of a host result", `
return getUser("a").tags[1].x;`, `
getUser("a").tags[1] is null
- getUser(…).tags[1] is null (p:1:26)
p:1:29  input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a module", `
import { pick } from "lib";
export default function main(input) {
  return pick(input, "q").a;
}`, `
pick(input, "q") is undefined
- returned by pick (p:3:10)
- missing key 'q' of input, which has the key items (lib:2:12)
p:3:27 main input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a module's variable", `
import { conf } from "lib";
export default () => conf.b;`, `
conf is undefined
- declared without a value (lib:4:12)
p:2:27 default
`}, {"eval", `
const r = eval("let q = { a: 1 }; q.zz");
r.y;`, `
r is undefined
- assigned to r (p:1:11)
- missing key 'zz' of the object created at <eval>:1:9, which has the key a (<eval>:1:21)
p:2:3  r=undefined input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"JSON", `
const o = JSON.parse('{"a":{"b":[1,null]}}');
return o.a.b[1].c;`, `
o.a.b[1] is null
- JSON.parse(…).a.b[1] is null (p:2:14)
p:2:17  o={ a: { b: [ 1, null ] } } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a timer", `
setTimeout(() => { const q = {}; q.a.b; }, 1);
await new Promise((resolve) => setTimeout(resolve, 1000));`, `
q.a is undefined
- missing key 'a' of the object created at p:1:30, which is empty (p:1:36)
p:1:38  q={}
`}, {"iterating nothing", `
for (const x of input.nope) x;`, `
input.nope is undefined
- missing key 'nope' of input, which has the key items (p:1:23)
p:1:17  input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"what a callback of map returned", `
const us = input.items.map((i) => i.usr);
us.map((u) => u.email);`, `
u is undefined
- element 0 of the array that map returned at p:1:24, passed by map (p:2:4)
- returned by the callback of map (p:1:24)
- missing key 'usr' of input.items[0], which has the keys id, user (p:1:37)
p:2:17  u=undefined
p:2:4  us=[ undefined, { email: 'a@b.c' } ] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a key that is undefined", `
const groups = {};
for (const r of input.items) groups[r.kind].push(r);`, `
groups[r.kind] is undefined
- the key is undefined (p:2:37)
- missing key 'kind' of input.items[0], which has the keys id, user (p:2:39)
p:2:45  r={ id: 1, user: null } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] } groups={}
`}, {"a method without its object", `
class T {
  read() { return this.n; }
}
[1].map(new T().read);`, `
this is undefined
- map calls it without an object, so there is no this (p:4:5)
p:2:24 read
p:4:5  T=[class T] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a lost this", `
const o = { f() { return this.x; } };
const { f } = o;
f();`, `
this is undefined
- no object stands in front of the call, so there is no this (p:3:1)
p:1:31 f
p:3:1  f=[Function: f] o={ f: [Function: f] } input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a date that is none", `
const day = new Date("soon").getTime();
if (isNaN(day)) throw new Error("no day");`, `
day is NaN
- getTime returned NaN (p:1:30)
- Date made by new Date("soon") created here (p:1:13)
p:2:17  day=NaN input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"a part of a text", `
const [, second] = "a".split(",");
second.trim();`, `
second is undefined
- element 1 of an array of length 1 that split returned at p:1:24 (p:1:10)
p:2:8  second=undefined input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`}, {"five steps at most", `
const a = () => undefined;
const b = () => a();
const c = () => b();
const d = () => c();
const e = () => d();
e().x;`, `
e() is undefined
- returned by e (p:6:1)
- returned by d (p:5:17)
- returned by c (p:4:17)
- returned by b (p:3:17)
- returned by a (p:2:17)
p:6:5  e=[Function: e] input={ items: [ { id: 1, user: null }, { id: 2, usr: [Object] } ] }
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, stress := range []bool{false, true} {
				w := newWorld(t, nil)
				if stress { // what is freed must not be mistaken for what takes its place
					w.sb.Stress()
				}
				o := w.sb.Eval(context.Background(), "p", strings.TrimPrefix(c.src, "\n"), explainInput)
				if o.Failure == nil {
					t.Fatalf("it did not fail: %s", o.Value)
				}
				if got := "\n" + tell(o.Failure.Explanation); got != c.want {
					t.Errorf("%s (stress: %t)\ngot:%s\nwant:%s", o.Failure, stress, got, c.want)
				}
				if n := w.calls.Load(); n != o.Usage.HostCalls {
					t.Errorf("the host was called %d times in a run of %d calls", n, o.Usage.HostCalls)
				}
			}
		})
	}
}

// What a run got from the clock and from Math.random is what its replay gets:
// the same values reach the error.
func TestExplainClockAndRandom(t *testing.T) {
	w := newWorld(t, nil)
	o := w.sb.Eval(context.Background(), "p", `
const t = [Date.now(), new Date().getTime(), Date.now()], r = [Math.random(), Math.random()];
throw new Error(t.join() + " " + r.join());`, nil)
	e := o.Failure.Explanation
	if e == nil || e.Unavailable != "" || len(e.Locals) == 0 {
		t.Fatalf("%+v", e)
	}
	want := []pinfold.Local{}
	for _, l := range e.Locals[0].Locals {
		if l.Name == "t" || l.Name == "r" {
			want = append(want, l)
		}
	}
	var clock, random string
	for _, l := range want {
		text := strings.NewReplacer("[ ", "", " ]", "", ", ", ",").Replace(l.Value)
		if l.Name == "t" {
			clock = text
		} else {
			random = text
		}
	}
	if got := clock + " " + random; got != o.Failure.Message {
		t.Errorf("the run got %s, the replay %s", o.Failure.Message, got)
	}
	if n := w.ticks.Load(); n != 3 {
		t.Errorf("the clock was read %d times", n)
	}
}

func TestExplainUnavailable(t *testing.T) {
	big := func(opt *pinfold.Options) {
		opt.Functions = []pinfold.Function{{Name: "text", Func: func() string { return strings.Repeat("x", 300_000) }}}
	}
	for _, c := range []struct {
		name, src, want string
		change          func(*pinfold.Options)
	}{
		{"off", `null.x`, "none", func(o *pinfold.Options) { o.NoExplain = true }},
		{"host results", `let s = 0; for (let i = 0; i < 5; i++) s += text().length; null.x`,
			"unavailable: what the host functions returned is larger than 1 MiB", big},
		{"fuel", `for (let i = 0; i < 3e7; i++); null.x`, "unavailable: the explanation exceeded its work budget", nil},
		{"memory", `const keep = []; for (let i = 0; i < 5e4; i++) keep.push({ i, a: undefined }); null.x`,
			"unavailable: the explanation exceeded its memory budget", func(o *pinfold.Options) { o.Limits.MemoryBytes = 8 << 20 }},
		{"a limit", `for (;;);`, "none", func(o *pinfold.Options) { o.Limits.Fuel = 10_000 }},
		{"syntax", `let let = 1`, "none", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.change)
			o := w.sb.Eval(context.Background(), "p", c.src, nil)
			if o.Failure == nil {
				t.Fatal("it did not fail")
			}
			if got := tell(o.Failure.Explanation); got != c.want {
				t.Errorf("%s: got %q, want %q", o.Failure, got, c.want)
			}
		})
	}
}

// Loops that make ever new missing values leave nothing behind.
func TestExplainLoops(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`const o = {}; let z; for (let i = 0; i < 3e5; i++) z = o["k" + i]; z.q;`,
			"missing key 'k299999' of the object created at p:1:11, which is empty"},
		{`let s = 0; for (let i = 0; i < 2e5; i++) s = i * input.n; if (s !== s) throw new Error("no sum");`, "NaN from 199999 * undefined"},
		{`let z; for (let i = 0; i < 2e5; i++) z = { a: undefined, i }; z.a.q;`, "undefined stored in key 'a'"},
		{`async function f() {} let z; for (let i = 0; i < 5e4; i++) z = await f(); z.q;`, "f ended without return"},
		{`function* g() { for (let i = 0; i < 1e5; i++) yield null; } let z; for (const v of g()) z = v; z.q;`, "yielded by the generator"},
		{`const fs = []; for (let i = 0; i < 3e4; i++) { let v; fs.push(() => v); } fs[5]().q;`, "returned by the function"},
		{`let z; for (let i = 0; i < 500; i++) z = eval("var q" + i + "; q" + i); z.q;`, "assigned to z"},
	} {
		w := newWorld(t, nil)
		o := w.sb.Eval(context.Background(), "p", c.src, map[string]any{})
		e := o.Failure.Explanation
		if e == nil || len(e.Origins) == 0 || e.Origins[0].Text != c.want {
			t.Errorf("%s\ngot %s\nwant %s", c.src, tell(e), c.want)
		}
	}
}

// The values that the host gives are copied as they come in: what the host does
// to its own data afterwards changes nothing.
func TestExplainHostDataChanges(t *testing.T) {
	data := map[string]any{"a": map[string]any{"n": nil}}
	w := newWorld(t, func(o *pinfold.Options) {
		o.Functions = []pinfold.Function{
			{Name: "fetchData", Func: func() map[string]any { return data }},
			{Name: "change", Func: func() { data["a"] = 1 }},
		}
	})
	o := w.sb.Eval(context.Background(), "p", `const d = fetchData(); change(); return d.a.n.x;`, nil)
	want := "d.a.n is null\n- fetchData(…).a.n is null (p:1:45)\np:1:47  d={ a: { n: null } } input=undefined\n"
	if got := tell(o.Failure.Explanation); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The names and keys that suggestions are made of.
func TestExplainNames(t *testing.T) {
	w := newWorld(t, nil)
	o := w.sb.Eval(context.Background(), "p", `
const users = [];
function f(first) {
  { let inner = 1; { return userz.length + inner + first; } }
}
f();`, nil)
	if got := strings.Join(o.Failure.Explanation.Names, " "); got != "inner first input f users" {
		t.Errorf("names: %s", got)
	}
	o = w.sb.Eval(context.Background(), "p", `class A { go() {} } class B extends A { run() {} } new B().rum();`, nil)
	keys := o.Failure.Explanation.Keys
	for _, k := range []string{"run", "go", "hasOwnProperty"} {
		if !strings.Contains(" "+strings.Join(keys, " ")+" ", " "+k+" ") {
			t.Errorf("%s is not among the keys %s", k, keys)
		}
	}
}

// Programs made at random: whatever they did before they failed, the replay
// fails in the same way at the same place, and calls nothing.
func TestExplainRandomPrograms(t *testing.T) {
	steps := []string{
		`let v%d = getUser("u%d");`, `let v%d = await load("u%d");`, `let v%d = count() + %d;`, `let v%d = Math.random() + %d;`,
		`let v%d = Date.now() + %d;`, `let v%d = [1, 2, %d].map((x) => x * count());`,
		`let v%d = await Promise.all([load("a"), load("b"), %d]);`,
		`let v%d; try { getUser("bad"); } catch (e) { v%[1]d = e.message + %[2]d; }`,
		`let v%d; try { await load("bad"); } catch (e) { v%[1]d = [e.code, e.data, %[2]d]; }`,
		`class C%d { #n = %d; get n() { return this.#n; } } let v%[1]d = new C%[1]d().n;`,
		`function* g%d() { let i = 0; while (i < %d) yield i++; } let v%[1]d = [...g%[1]d()];`,
		`let v%d = await new Promise((r) => setTimeout(() => r(count()), %d %% 3));`,
		`let v%d = new Map([["k", %d]]); v%[1]d.set("r", Math.random());`,
		`let v%d = eval("count() + %d");`, `let v%d = []; for (const i of [1, 2, %d]) v%[1]d.push(() => i + Date.now());`,
		`let v%d = structuredClone({ a: [getUser("x"), %d] });`,
		`let v%d = Promise.race([load("r"), new Promise((r) => setTimeout(r, %d))]); await v%[1]d;`,
		`let v%d = { n: %d, get late() { return count(); } }; v%[1]d.late;`,
	}
	ends := []string{
		`v%d.missing.field;`, `(void v%d).x;`, `v%d.nothing();`, `throw new Error(String(v%d) + Math.random());`, `throw [v%d];`,
		`const { a: { b } } = { a: v%d.nope };`, `for (const x of v%d.nope) x;`, `[][v%d.q].y;`, `await (async () => v%d.x.y)();`,
		`Promise.reject(new TypeError("lost " + Date.now() + typeof v%d)); await 0;`, `new (v%d.K)();`, `nosuch(v%d);`,
		`setTimeout(() => v%d.q.r, 1); await new Promise((r) => setTimeout(r, 30));`,
		`[3, 1, 2].sort((a, b) => { if (a === 2 || b === 2) throw new RangeError("cmp " + typeof v%d); return a - b; });`,
	}
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var b strings.Builder
		n := 2 + rng.IntN(8)
		for i := range n {
			fmt.Fprintf(&b, steps[rng.IntN(len(steps))]+"\n", i, 1+rng.IntN(5))
		}
		fmt.Fprintf(&b, ends[rng.IntN(len(ends))], rng.IntN(n))
		w := newWorld(t, nil)
		o := w.sb.Eval(context.Background(), "p", b.String(), explainInput)
		if o.Failure == nil {
			t.Fatalf("seed %d did not fail:\n%s", seed, &b)
		}
		e := o.Failure.Explanation
		if e == nil || e.Unavailable != "" {
			t.Errorf("seed %d: %s\n%s\n%s", seed, o.Failure, tell(e), &b)
			continue
		}
		if len(e.Locals) == 0 {
			t.Errorf("seed %d: %s: no locals\n%s", seed, o.Failure, &b)
		}
		if c := w.calls.Load(); c != o.Usage.HostCalls {
			t.Errorf("seed %d: %d host calls in a run of %d\n%s", seed, c, o.Usage.HostCalls, &b)
		}
	}
}
