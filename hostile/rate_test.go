package hostile_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// A search for work that nothing charges for: each built-in function is called with
// large receivers and arguments, and the processor time that a unit of fuel
// stands for is compared. It measures, so it asserts nothing: read what it prints,
// and try the first lines again by hand.
//
//	go test ./hostile -run FuelRate -rate 20 -v

var rate = flag.Int("rate", 0, "how many calls of each built-in TestFuelRate measures; 0 is none")

// sized are large values of all kinds, by the class whose methods they are
// receivers of.
var sized = map[string][]string{
	"String": {"'x'.repeat(N)", "'ab '.repeat(N/3)", "'\\u00e9'.repeat(N)", "'e'+'\\u0301'.repeat(N)", "'\\u{1F468}\\u200d'.repeat(N/2)", "'1'.repeat(N)", "'0x'+'f'.repeat(N)", "'%41'.repeat(N/3)", "'['.repeat(N)", "'$<a>$1$&'.repeat(N/8)", "'(a)'.repeat(3000)", "'\\n'.repeat(N)", "' '.repeat(N)", "'\\ud800'.repeat(N)", "'\\u03a3'.repeat(N)", "'\\uac00'.repeat(N)", "'http://h/'+'a/../'.repeat(N/5)", "'http://h/?'+'a=b&'.repeat(N/4)", "'{'+'\"a\":1,'.repeat(N/6)+'\"b\":1}'", "many(i=>'ab'+i).join('')", "many(i=>i).reduce((s,i)=>i+s,'')"},
	"Array":  {"new Array(N).fill(1)", "many(i=>i*7919%N)", "many(i=>'k'+i)", "new Array(1000).fill('x'.repeat(N))", "new Array(N)", "(a=>(a[7e7]=1,a))([])", "many(i=>[i,i])", "many(i=>({a:i}))", "many(i=>BigInt(i))", "(a=>{for(let i=0;i<N;i++)a[i*1000]=i;for(let i=1;i<N;i++)delete a[i*1000];return a})([])"},
	"Object": {"Object.fromEntries(many(i=>['p'+i,i]))", "(o=>{for(let i=0;i<N;i++)o['p'+i]=i;for(let i=1;i<N;i++)delete o['p'+i];return o})({})", "(()=>{let o={};for(let i=0;i<3000;i++)o=Object.create(o);return o})()", "{length:N}", "{length:2**53-1}", "(()=>{let p={};for(let i=0;i<90;i++)p=new Proxy(p,{});return p})()", "new Proxy({},{ownKeys:()=>many(i=>'k'+i)})"},
	"Map":    {"new Map(many(i=>[i,i]))", "(m=>{for(let i=1;i<N;i++)m.delete(i);return m})(new Map(many(i=>[i,i])))"}, "Set": {"new Set(many(i=>i))", "(m=>{for(let i=0;i<N-1;i++)m.delete(i);return m})(new Set(many(i=>i)))"},
	"ArrayBuffer": {"new ArrayBuffer(N*8)"}, "DataView": {"new DataView(new ArrayBuffer(N))"}, "BigInt": {"1n<<200000n", "10n**20000n"}, "Number": {"1e300", "5e-324"},
	"RegExp":   {"/(a)|(b)/g", "new RegExp(many(i=>i<3000?'(?<a>x'+i+')|':'').join('')+'x','g')", "new RegExp('(a)'.repeat(3000)+'|x','dg')", "/x*?y/g", "/\\p{L}/gu", "/(x+)+y/"},
	"Function": {"(()=>{let f=()=>1;for(let i=0;i<90;i++)f=f.bind(null,1);return f})()", "new Function('a'.repeat(1000),'return '+'1+'.repeat(5000)+'1')"},
	"URL":      {"new URL('http://h/'+'a/'.repeat(N/2)+'?'+'a=b&'.repeat(N/4))"}, "URLSearchParams": {"new URLSearchParams('a=b&'.repeat(N/4))"}, "Error": {"new Error('x'.repeat(N))"}, "Iterator": {"many(i=>i).values()"},
	"": {"N", "-1", "2**53-1", "0", "NaN", "Symbol('x'.repeat(N))", "x=>x", "(a,b)=>a-b", "()=>true", "undefined", "'en'", "{maxByteLength:1<<22}", "{toString(){return 'z'.repeat(N)}}", "new Uint8Array(N*4)", "new Float64Array(N)"},
}

func TestFuelRate(t *testing.T) {
	if *rate == 0 {
		t.Skip("measures time, and prints what it finds: -rate says how much")
	}
	var all []string
	for _, l := range sortedSizes() {
		all = append(all, l...)
	}
	type row struct {
		rate float64 // nanoseconds a unit
		text string
	}
	var rows []row
	r := rand.New(rand.NewPCG(*seed, 5))
	for _, b := range builtins() {
		if strings.HasSuffix(b.path, "Atomics.wait") {
			continue
		}
		receivers := []string{"undefined"}
		switch {
		case b.class != "" && strings.Contains(b.class, "Int8Array"):
			receivers = typedArray
		case sized[b.class] != nil:
			receivers = sized[b.class]
		case instances[b.class] != nil:
			receivers = instances[b.class]
		case strings.HasPrefix(b.class, "Object.getPrototypeOf("):
			receivers = []string{strings.TrimSuffix(strings.TrimPrefix(b.class, "Object.getPrototypeOf("), ")")}
		case b.class != "":
			receivers = []string{"new " + b.class}
		}
		for range *rate {
			var args []string
			for range r.IntN(4) {
				args = append(args, all[r.IntN(len(all))])
			}
			call := fmt.Sprintf("%s.call(this_%s)", parens(b.path), strings.Repeat(",...args", min(1, len(args))))
			if b.class == "" && r.IntN(2) == 0 {
				call = fmt.Sprintf("new %s(...args)", parens(b.path))
			}
			src := fmt.Sprintf("const N=30000, many=f=>Array.from({length:N},(_,i)=>f(i)); const this_=(%s), args=[%s]; begin(); for(let i=0;i<200;i++) try { %s } catch {}", receivers[r.IntN(len(receivers))], strings.Join(args, ","), call)
			if cpu, fuel := callTime(src); cpu > 5*time.Millisecond {
				rows = append(rows, row{float64(cpu.Nanoseconds()) / float64(fuel+1), fmt.Sprintf("%v for %d units: %s", cpu, fuel, src)})
			}
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.rate, a.rate) })
	if len(rows) == 0 {
		t.Fatal("nothing took any time")
	}
	t.Logf("%d measured, in the middle %.0f ns a unit; the slowest:", len(rows), rows[len(rows)/2].rate)
	for _, x := range rows[:min(len(rows), 40)] {
		t.Logf("%6.0f ns a unit: %s", x.rate, x.text)
	}
}

func sortedSizes() (lists [][]string) {
	var names []string
	for n := range sized {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		lists = append(lists, sized[n])
	}
	return lists
}

// callTime runs a program and returns the processor time and the fuel that it took
// after it called begin.
func callTime(src string) (cpu time.Duration, fuel int64) {
	mt := meter.New(nil, meter.Limits{Fuel: 4_000_000, LiveBytes: 256 << 20, RequestedBytes: 1 << 30, Depth: 500, NativeDepth: 150, Timeout: 2 * time.Second})
	defer mt.Close()
	p, err := js.Compile("rate.js", src, js.CompileOptions{Goal: js.Script, Charge: mt.Charge})
	if err != nil {
		return 0, 0
	}
	m, err := js.NewMachine(mt, vm.Options{Seed: 7})
	if err != nil {
		return 0, 0
	}
	began := false
	f, err := m.NewHostFunction("begin", 0, func(*vm.Machine, vm.Call) (vm.Value, error) {
		began, cpu, fuel = true, cpuTime(), mt.Usage().Fuel
		return heap.Undefined, nil
	})
	if err == nil {
		err = m.SetGlobal("begin", heap.ObjectValue(f))
	}
	if err == nil {
		_, err = m.RunScript(p)
	}
	for err == nil && m.HasJobs() {
		err = m.RunJobs()
	}
	if !began {
		return 0, 0
	}
	return cpuTime() - cpu, mt.Usage().Fuel - fuel
}
