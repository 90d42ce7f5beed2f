package hostile

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
)

// intlCases attack Intl and the locale-sensitive methods (N).
func intlCases() []Case {
	var cases []Case
	services := []string{"Collator", "DateTimeFormat", "DisplayNames", "ListFormat", "NumberFormat", "PluralRules", "RelativeTimeFormat", "Segmenter", "Locale"}
	limits := anyLimit + "|throw:RangeError|throw:TypeError"
	for _, s := range services {
		second := "undefined"
		switch s {
		case "DisplayNames":
			second = "{type:'region'}"
		case "Locale":
			second = "{}"
		}
		cases = append(cases,
			Case{ID: "N-" + s + "-new", Source: fmt.Sprintf("for(let i=0;;i++) new Intl.%s(['en','de','ar','ja','zh-Hant'][i%%5],%s)", s, second), Want: anyLimit},
			Case{ID: "N-" + s + "-keep", Source: fmt.Sprintf("const a=[]; for(let i=0;;i++) a.push(new Intl.%s('en-x-'+i.toString(36),%s))", s, second), Want: anyLimit},
			Case{ID: "N-" + s + "-tag", Source: fmt.Sprintf("const t='en'+'-a'+'-abcdefgh'.repeat(2e5); for(;;) try { new Intl.%s(t,%s) } catch {}", s, second), Want: anyLimit},
			Case{ID: "N-" + s + "-keywords", Source: fmt.Sprintf("const t='en-u-'+Array.from({length:676},(_, i)=>String.fromCharCode(97+i/26|0,97+i%%26)+'-abcd').join('-'); for(;;) try { new Intl.%s(t,%s) } catch {}", s, second), Want: anyLimit},
			Case{ID: "N-" + s + "-list", Source: fmt.Sprintf("new Intl.%s({length:2**53-1,get 0(){ return 'en' }},%s)", s, second), Want: limits},
			Case{ID: "N-" + s + "-list2", Source: fmt.Sprintf("new Intl.%s(Array.from({length:3e5},(_, i)=>'xx-x-'+i.toString(36)),%s); for(;;);", s, second), Want: limits},
			Case{ID: "N-" + s + "-supported", Source: fmt.Sprintf("const a=Array.from({length:1e5},(_, i)=>'en-x-'+i.toString(36)); for(;;) Intl.%s.supportedLocalesOf?.(a) ?? new Intl.Locale(a[0]).maximize()", s), Want: anyLimit},
			Case{ID: "N-" + s + "-options", Source: fmt.Sprintf("let n=0; const p=new Proxy({},{get(t,k){ n++; return new Intl.%s('en',p) }}); new Intl.%s('en',p)", s, s), Want: "limit:stack|" + limits},
			Case{ID: "N-" + s + "-strings", Source: fmt.Sprintf("const big='x'.repeat(1e6), p=new Proxy({},{get:()=>big}); for(;;) try { new Intl.%s('en',p) } catch {}", s), Want: anyLimit},
			Case{ID: "N-" + s + "-numbers", Source: fmt.Sprintf("for(const v of [2**53,-1,NaN,1e9,Infinity,1n,Symbol()]) { const p=new Proxy({},{get:()=>v}); for(let i=0;i<50;i++) try { new Intl.%s('en',p) } catch {} } for(;;);", s), Want: anyLimit},
			Case{ID: "N-" + s + "-resolved", Source: fmt.Sprintf("const x=new Intl.%s('en',%s), a=[]; for(;;) a.push(x.resolvedOptions?.() ?? x.toString())", s, second), Want: anyLimit},
		)
	}
	for id, src := range map[string]string{
		"case-long":      "const s='\\u0130\\u00df\\ufb03'.repeat(1<<20); for(;;) s.toLocaleUpperCase('de')+s.toLocaleLowerCase('az')",
		"compare-sort":   "const a=Array.from({length:5e4},(_, i)=>'\\u00e9'.repeat(i%50)+i); for(;;) a.toSorted(new Intl.Collator('fr',{numeric:true,sensitivity:'base'}).compare)",
		"compare-zero":   "const c=new Intl.Collator('en',{ignorePunctuation:true,sensitivity:'base'}).compare, s='\\u200b'.repeat(1<<22); for(;;) c(s,s+'.')",
		"compare-hangul": "const c=new Intl.Collator('ko').compare, s='\\u1100\\u1161\\u11a8'.repeat(1<<20); for(;;) c(s+'a',s+'b')",
		"compare-han":    "const c=new Intl.Collator('zh-u-co-pinyin').compare; let s=''; for(let i=0x4e00;i<0x9fff;i++) s+=String.fromCharCode(i); s=s.repeat(50); for(;;) c(s+'a',s+'b')",
		"compare-marks":  "const c=new Intl.Collator('en').compare; let s='a'; for(let i=0;i<1e6;i++) s+=String.fromCharCode(0x300+i%110); for(;;) c(s,s.slice(0,-1))",
		"segment-index":  "const s=new Intl.Segmenter('en',{granularity:'word'}).segment('word '.repeat(1e6)); for(let i=0;;i++) s.containing(i*104729%5e6)",
		"segment-flags":  "const s='\\u{1F1E6}'.repeat(1e6); for(const x of new Intl.Segmenter().segment(s)); for(;;) new Intl.Segmenter().segment(s).containing(1999999)",
		"segment-zwj":    "const s='\\u{1F468}\\u200d'.repeat(1e6), g=new Intl.Segmenter().segment(s); for(;;) { g.containing(3000000); for(const x of g) break }",
		"segment-keep":   "const a=[], s=new Intl.Segmenter('en',{granularity:'word'}).segment('a b '.repeat(1000)); for(;;) a.push([...s])",
		"list-nested":    "let s='x'; const f=new Intl.ListFormat('en'); for(;;) s=f.format([s,s])",
		"list-iter":      "const f=new Intl.ListFormat('en'); f.format({[Symbol.iterator]:()=>({next:()=>({value:'x'.repeat(1000),done:false})})})",
		"number-parts":   "const f=new Intl.NumberFormat('en',{minimumFractionDigits:100}), a=[]; for(;;) a.push(f.formatToParts(1e308))",
		"number-string":  "const f=new Intl.NumberFormat('en',{maximumFractionDigits:100}); for(let n=1;;n*=2) f.format('1'.repeat(n))",
		"number-string2": "const f=new Intl.NumberFormat('en',{notation:'compact',maximumSignificantDigits:21}); for(let n=1;;n*=2) f.format('0.'+'0'.repeat(n)+'1')",
		"number-exp":     "const f=new Intl.NumberFormat('en'); for(const e of [1e3,1e5,1e6,1e7,1e9,1e15,1e300]) { try { f.format('1e'+e) } catch {} try { f.format('1e-'+e) } catch {} } for(;;) f.format('1e'+'9'.repeat(1e5))",
		"number-bigint":  "const f=new Intl.NumberFormat('hi-IN',{style:'currency',currency:'INR'}); let n=10n; for(;;) { n*=n; f.format(n) }",
		"number-range":   "const f=new Intl.NumberFormat('en'); for(;;) f.formatRangeToParts('1'.repeat(1e5),'2'.repeat(1e5))",
		"date-parts":     "const f=new Intl.DateTimeFormat('en',{dateStyle:'full',timeStyle:'full'}), a=[]; for(let i=0;;i++) a.push(f.formatToParts(i*1e9))",
		"date-zones":     "const z=Intl.supportedValuesOf('timeZone'); for(let i=0;;i++) new Date(i*1e9).toLocaleString('en',{timeZone:z[i%z.length],timeZoneName:'long'})",
		"date-offsets":   "for(let i=0;;i++) try { new Intl.DateTimeFormat('en',{timeZone:(i&1?'+':'-')+String(i%24).padStart(2,'0')+':'+String(i%60).padStart(2,'0')}).format(8.64e15-i) } catch {}",
		"date-extremes":  "const f=new Intl.DateTimeFormat('en',{dateStyle:'full',timeStyle:'full',timeZone:'America/New_York'}); for(;;) for(const t of [8.64e15,-8.64e15,0,-1,1e15,-1e15]) f.formatRangeToParts(-8.64e15,t)",
		"date-methods":   "const d=new Date(1e12); for(;;) { d.toLocaleDateString('ar-EG'); d.toLocaleTimeString('th',{hour12:true}); d.toLocaleString(['xx','yy','ja-JP-u-ca-iso8601']) }",
		"plural":         "const p=new Intl.PluralRules('ar',{type:'ordinal',minimumFractionDigits:50}); for(let i=0;;i++) { p.select(i/7); p.selectRange(i,i*2) }",
		"relative":       "const r=new Intl.RelativeTimeFormat('en',{numeric:'auto'}), a=[]; for(let i=0;;i++) a.push(r.formatToParts(-i*1e300%1e300,'quarter'))",
		"names-code":     "const d=new Intl.DisplayNames('en',{type:'language',fallback:'none'}); for(;;) for(const c of ['en-'+'Latn-'.repeat(1e5),'a'.repeat(1e6),'zh-Hant-TW-u-co-stroke','x']) try { d.of(c) } catch {}",
		"names-keep":     "const d=new Intl.DisplayNames('en',{type:'language'}), a=[]; for(let i=0;;i++) try { a.push(d.of('en-x-'+i.toString(36))) } catch { a.push(d.of('en-US')+i) }",
		"locale-chain":   "let l=new Intl.Locale('en'); for(let i=0;;i++) l=new Intl.Locale(l.maximize(),{numeric:i%2===0}).minimize()",
		"locale-grow":    "let t='en-x'; for(;;) { t+='-abcdefgh'; new Intl.Locale(t) }",
		"locale-info":    "const l=new Intl.Locale('ar'), a=[]; for(;;) a.push(l.getCalendars?.(),l.getTimeZones?.(),l.getWeekInfo?.(),l.getTextInfo?.(),l.getNumberingSystems?.(),new Intl.Locale('ar'))",
		"canonical":      "for(let n=1;;n*=2) try { Intl.getCanonicalLocales('sl-rozaj-biske-1994-'.repeat(n)+'x') } catch {}",
		"canonical2":     "const a=Array.from({length:2e5},(_, i)=>'en-t-'+(i%2?'und-':'')+'k0-'+(i%10)+'abcd'+i.toString(36).padStart(3,'a').slice(-3)); for(;;) try { Intl.getCanonicalLocales(a) } catch {}",
		"values":         "const a=[]; for(;;) for(const k of ['calendar','collation','currency','numberingSystem','timeZone','unit']) a.push(Intl.supportedValuesOf(k))",
		"array-locale":   "const a=Array.from({length:1e5},(_, i)=>i*1.5); for(;;) a.toLocaleString('de',{style:'currency',currency:'EUR'})",
		"array-locale2":  "const a=[]; a[0]=a; a[1]=[a,a]; for(;;) a.toLocaleString('de')",
		"array-locale3":  "Number.prototype.toLocaleString=function(){ return [this+1].toLocaleString() }; [1].toLocaleString()",
		"bigint-locale":  "const n=7n**200000n; for(;;) n.toLocaleString('en-IN')",
		"normalize":      "for(let s='\\u1e9b\\u0323';;s+=s) for(const f of ['NFC','NFD','NFKC','NFKD']) s.normalize(f)",
		"format-this":    "const f=Intl.NumberFormat.prototype.formatToParts; for(;;) for(const x of [{},[],1,null,new Intl.Collator,Intl.NumberFormat.prototype,new Proxy(new Intl.NumberFormat,{})]) try { f.call(x,1) } catch {}",
		"format-getter":  "const p=Object.create(Intl.NumberFormat.prototype), a=[]; for(;;) { try { p.format } catch {} a.push(Reflect.construct(Intl.NumberFormat,[],class extends Intl.NumberFormat{})) }",
		"value-of":       "const f=new Intl.NumberFormat('en'), o={valueOf(){ return f.format(o) }}; f.format(o)",
		"value-of2":      "const f=new Intl.DateTimeFormat('en'), o={valueOf(){ return f.formatToParts(o).length }}; f.format(o)",
		"value-of3":      "const o={toString(){ return new Intl.Locale(o).toString() }}; new Intl.Locale(o)",
	} {
		cases = append(cases, Case{ID: "N-" + id, Source: src, Want: "limit:stack|" + limits})
	}
	return sortCases(cases)
}

func sortCases(cases []Case) []Case {
	byID := map[string]Case{}
	for _, c := range cases {
		byID[c.ID] = c
	}
	cases = cases[:0]
	for _, id := range sortedKeys(byID) {
		cases = append(cases, byID[id])
	}
	return cases
}

func withTimers(o *pinfold.Options) { o.Timers = true }

func virtualTimers(o *pinfold.Options) { o.Timers, o.Deterministic = true, true }

// timerCases attack the timers (T).
var timerCases = []Case{
	{ID: "T1", Options: withTimers, Source: "for(;;) setTimeout(()=>{},1e9)", Want: anyLimit},
	{ID: "T2", Options: withTimers, Source: "for(;;) setInterval(()=>{},0)", Want: anyLimit},
	{ID: "T3", Options: withTimers, Source: "const f=()=>setTimeout(f,0); f(); await new Promise(()=>{})", Want: timeLimit},
	{ID: "T4", Options: virtualTimers, Source: "const f=()=>setTimeout(f,1e9); f(); await new Promise(()=>{})", Want: timeLimit},
	{ID: "T5", Options: virtualTimers, Source: "setInterval(()=>{ setInterval(()=>{},1) },1); await new Promise(()=>{})", Want: anyLimit},
	{ID: "T6", Options: withTimers, Source: "await new Promise(r=>setTimeout(r,1e9))", Want: timeLimit},
	{ID: "T7", Options: virtualTimers, Source: "await new Promise(r=>setTimeout(r,2**31-1)); for(let i=0;i<100;i++) await new Promise(r=>setTimeout(r,2**31-1)); return Date.now()>0", Want: "value=true"},
	{ID: "T8", Options: virtualTimers, Source: "setTimeout(()=>{ for(;;); }); await new Promise(()=>{})", Want: timeLimit},
	{ID: "T9", Options: virtualTimers, Source: "setTimeout(()=>{ throw new RangeError('x') }); await new Promise(()=>{})", Want: "throw:RangeError"},
	{ID: "T10", Options: virtualTimers, Source: "try { setTimeout(()=>{ (function f(){ f() })() }) ; await new Promise(()=>{}) } finally { touched() }", Want: "limit:stack"},
	{ID: "T11", Options: virtualTimers, Source: "const ids=[]; for(let i=0;i<2e5;i++) ids.push(setTimeout(()=>{},i%97)); for(const i of ids) clearTimeout(i); for(;;) clearTimeout(5)", Want: anyLimit},
	{ID: "T12", Options: virtualTimers, Source: "for(let i=0;;i++) { const t=setTimeout(()=>{},1e6-i%1000); if (i%2) clearTimeout(t) }", Want: anyLimit},
	{ID: "T13", Options: virtualTimers, Source: "const o={valueOf(){ setTimeout(()=>{},o); return 1 }}; setTimeout(()=>{},o)", Want: "limit:stack"},
	{ID: "T14", Options: virtualTimers, Source: "const a=new Array(1e6).fill(1); for(;;) setTimeout(()=>{},1,...a)", Want: bounded},
	{ID: "T15", Options: virtualTimers, Source: "const s='x'.repeat(1e6); for(;;) setTimeout(()=>{},1,s+Math.random())", Want: anyLimit},
	{ID: "T16", Options: virtualTimers, Source: "const i=setInterval(()=>{ clearInterval(i); setTimeout(()=>queueMicrotask(()=>{ for(;;); })) },1); await new Promise(()=>{})", Want: timeLimit},
	{ID: "T17", Options: virtualTimers, Source: "let n=0; const i=setInterval(()=>{ if (++n===1000) clearInterval(i) },1e6); await new Promise(r=>setTimeout(r,2e9)); return n", Want: "value=1000"},
	{ID: "T18", Options: withTimers, Source: "for(const x of [null,'code',{},1n,Symbol()]) for(const d of [NaN,-1,Infinity,'x',{},2**53,Symbol(),1n,null]) { try { setTimeout(x,d) } catch {} try { setTimeout(()=>1,d) } catch {} try { clearTimeout(d) } catch {} } return 1", Want: "value=1"},
	{ID: "T19", Options: virtualTimers, Source: "Promise.prototype.then=function(){ for(;;); }; setTimeout(()=>{},1); await new Promise(r=>setTimeout(r,5))", Want: timeLimit + "|value|unsettled"},
	{ID: "T20", Options: withTimers, Source: "setTimeout(()=>touched(),1); setInterval(()=>touched(),1); for(;;);", Want: timeLimit},
	{ID: "T21", Scenario: func(s *Scene) {
		var beats atomic.Int64
		sb := s.New(pinfold.Options{Timers: true, Limits: pinfold.Limits{Timeout: 60 * time.Millisecond}, Functions: []pinfold.Function{{Name: "beat", Func: func() { beats.Add(1) }}}})
		for _, src := range []string{"setInterval(beat,1); return 1", "setInterval(beat,1); await new Promise(()=>{})", "setTimeout(beat,200); throw new Error('x')"} {
			s.Eval(sb, src, nil)
		}
		n := beats.Load()
		time.Sleep(300 * time.Millisecond)
		if beats.Load() != n {
			s.Errorf("timers fire after the end of their run")
		}
	}},
}

// explainCases fail in ways that make their explanation work hard: the program
// runs a second time, traced (P).
var explainCases = func() []Case {
	failed := "throw:|" + anyLimit
	cases := []Case{
		{ID: "P1", Source: "let s=0; for(let i=0;i<3e5;i++) s+=i; null.x", Want: failed},
		{ID: "P2", Source: "const t=Date.now(); while(Date.now()-t<30); null.x", Want: failed},
		{ID: "P3", Source: "const a=[]; for(let i=0;i<3e5;i++) a.push({i,v:undefined}); a[7].v.x", Want: failed},
		{ID: "P4", Source: "const a=[]; for(let i=0;i<2e5;i++) a.push('x'.repeat(100)+i); a.missing.x", Want: failed},
		{ID: "P5", Source: "const f=(n,v)=>n?f(n-1,v):v.x; f(1500,undefined)", Want: failed},
		{ID: "P6", Source: "let v; for(let i=0;i<1e5;i++) { const w=v; v=w } v.x", Want: failed},
		{ID: "P7", Source: "let o={}; for(let i=0;i<1e5;i++) o={o,u:undefined}; o.u.x", Want: failed},
		{ID: "P8", Source: "const o={}; for(let i=0;i<2e5;i++) o['k'+i]=i; o.nope.x", Want: failed},
		{ID: "P9", Source: "const big='x'.repeat(5e7); big.nope.x", Want: failed},
		{ID: "P10", Source: "const p=new Proxy({},{get(){ touched(); return undefined }, ownKeys(){ for(;;); }, getPrototypeOf(){ for(;;); }}); p.a.b", Want: failed},
		{ID: "P11", Source: "const o={get a(){ return undefined }, get b(){ for(;;); }, toString(){ for(;;); }, toJSON(){ for(;;); }, [Symbol.toPrimitive](){ for(;;); }}; o.a.b", Want: failed},
		{ID: "P12", Source: "const e=new Error('x'); Object.defineProperty(e,'message',{get(){ for(;;); }}); Object.defineProperty(e,'stack',{get(){ for(;;); }}); Object.defineProperty(e,'name',{get(){ for(;;); }}); throw e", Want: failed},
		{ID: "P13", Source: "throw new Proxy(new Error('x'),{get(){ for(;;); }, has(){ for(;;); }, getOwnPropertyDescriptor(){ for(;;); }, getPrototypeOf(){ for(;;); }, ownKeys(){ for(;;); }})", Want: failed},
		{ID: "P14", Source: "let e=new Error('x'); for(let i=0;i<2e4;i++) e=new Error('y'+i,{cause:e}); throw e", Want: failed},
		{ID: "P15", Source: "throw new AggregateError(Array.from({length:1e5},(_, i)=>new Error('e'+i)),'many')", Want: failed},
		{ID: "P16", Source: "(Math.random()<2?undefined:1).x.y", Want: failed},
		{ID: "P17", Source: "const m=new Map(); for(let i=0;i<1e5;i++) m.set({i},undefined); [...m.values()][5].x", Want: failed},
		{ID: "P18", Source: "await Promise.all(Array.from({length:2e4},async(_, i)=>{ await null; if(i===19999) return undefined.x }))", Want: failed},
		{ID: "P19", Source: "const f=async n=>{ if(n) return await f(n-1); return undefined.x }; await f(1000)", Want: failed},
		{ID: "P20", Source: "function* g(){ for(;;) yield undefined } let n=0; for(const v of g()) if(n++>5e4) v.x", Want: failed},
		{ID: "P21", Source: "eval('let v;'+'v=v;'.repeat(5e4)+'v.x')", Want: failed},
		{ID: "P22", Source: "eval('const o={'+Array.from({length:2e4},(_, i)=>'a'+i+':undefined').join()+'}; o.a7.x')", Want: failed},
		{ID: "P23", Source: "const f=new Function('a','return a.x'.padEnd(1e5)); f()", Want: failed},
		{ID: "P24", Source: "JSON.parse('['+'1,'.repeat(1e6)+'x]')", Want: failed},
		{ID: "P25", Source: "new Array(-1)", Want: "throw:RangeError"},
		{ID: "P26", Source: "const o=Object.create(null); for(let i=0;i<1e5;i++) Object.setPrototypeOf(o,null); o.x.y", Want: failed},
		{ID: "P27", Source: "const u=new Float64Array(1e6); u[5e6].x", Want: failed},
		{ID: "P28", Source: "Symbol('x'.repeat(1e6)).x.y", Want: failed},
		{ID: "P29", Source: "const n=10n**100000n; n.x.y", Want: failed},
		{ID: "P30", Source: "globalThis.undefinedd['x'.repeat(1e5)]", Want: failed},
		{ID: "P31", Source: "const names=Array.from({length:1e4},(_, i)=>'name'+i); for(const n of names) globalThis[n]=1; nam", Want: failed},
		{ID: "P32", Source: "const k='k'.repeat(1e5); const o={[k]:1}; o[k+'x'].y", Want: failed},
		{ID: "P33", Source: "[3,1,2].sort((a,b)=>undefined.x)", Want: failed},
		{ID: "P34", Source: "Array.from({length:1e6},(_, i)=>i).map(x=>x>999990?undefined.x:x)", Want: failed},
		{ID: "P35", Source: "'a'.repeat(1e5).replace(/a/g,(m,i)=>i>99990?undefined.x:m)", Want: failed},
		{ID: "P36", Source: "const a=[]; for(;;) { a.push(new Array(1000).fill(1)); if (a.length>6000) undefined.x }", Want: failed},
		{ID: "P37", Source: "Error.prepareStackTrace=()=>{ for(;;); }; undefined.x", Want: failed},
		{ID: "P38", Source: "Error.stackTraceLimit=Infinity; (function f(n){ if(n) return f(n-1); undefined.x })(1900)", Want: failed},
		{ID: "P39", Source: "Object.defineProperty(Object.prototype,'x',{get(){ throw new Error('y'.repeat(1e6)) }}); ({}).x", Want: failed},
		{ID: "P40", Source: "const a=Array.from({length:1e6}); const {b:{c}}=a", Want: failed},
		{ID: "P41", Source: "const [{a:{b}}]=Array(1e6).fill({})", Want: failed},
		{ID: "P42", Source: "try { undefined.x } finally { for(let i=0;i<1e5;i++) try { null.y } catch {} }", Want: failed},
		{ID: "P43", Source: "for(let i=0;i<3e4;i++) try { null.y } catch {} undefined.x", Want: failed},
		{ID: "P44", Source: "const r=[]; for(let i=0;i<3e4;i++) r.push(Promise.reject(i)); undefined.x", Want: failed},
		{ID: "P45", Source: "class A { #p; static s=A.q?.r; get p(){ return this.#p } } const a=Array.from({length:1e5},()=>new A()); a[9].p.x", Want: failed},
		{ID: "P46", Source: "const w=new Proxy({},{get:(t,k)=>k==='then'?undefined:w}); (await w).a.b.c; let v=w.x; v=undefined; v()", Want: failed},
		{ID: "P47", Make: func() string { return strings.Repeat("let a0;{", 300) + "a0.x" + strings.Repeat("}", 300) }, Want: failed},
		{ID: "P48", Make: func() string {
			return "const f=" + strings.Repeat("(x=>", 200) + "undefined.y" + strings.Repeat(")", 200) + "; f(); " + "let g=f; for(let i=0;i<200;i++) g=g(1); g.z"
		}, Want: failed},
		{ID: "P49", Options: withTimers, Source: "setInterval(()=>{ for(let i=0;i<1e4;i++); },1); await new Promise(r=>setTimeout(r,10)); undefined.x", Want: failed},
		{ID: "P50", Options: virtualTimers, Source: "let n=0; const i=setInterval(()=>{ if(++n>2e4) { clearInterval(i); undefined.x } },1); await new Promise(()=>{})", Want: failed},
		{ID: "P51", Scenario: func(s *Scene) {
			// The explanation calls nothing of the host, whatever the program does.
			var calls atomic.Int64
			sb := s.New(pinfold.Options{Timers: true, Functions: []pinfold.Function{
				{Name: "row", Func: func(n int) map[string]any { calls.Add(1); return map[string]any{"n": n} }},
				{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func(n int) any { calls.Add(1); return nil }},
				{Name: "fails", Func: func() error { calls.Add(1); return fmt.Errorf("no") }},
			}})
			for src, want := range map[string]int64{
				"row(1).missing.x": 1, "(await later(1)).x": 1, "let n=0; try { fails() } catch (e) { n=e.nope } n.x": 1, "for(let i=0;i<50;i++) row(i); row(9).q.x": 51, "await Promise.all([later(1),later(2),later(3)]); undefined.x": 3,
				"if (Math.random()<2) row(1); Date.now(); row(2).x.y": 2, "later(1); later(2); row(1).x.y": 3, "setTimeout(()=>row(1),1); await new Promise(r=>setTimeout(r,5)); row(2).x.y": 2, "console.log(row(1)); row(1).x.y": 2,
			} {
				calls.Store(0)
				s.Check(sb, src, nil, "throw:TypeError")
				if n := calls.Load(); n != want {
					s.Errorf("%s: the host functions were called %d times, want %d", src, n, want)
				}
			}
		}},
		{ID: "P52", Scenario: func(s *Scene) {
			// The explanation's console lines are not printed twice.
			lines := 0
			sb := s.New(pinfold.Options{Console: func(pinfold.ConsoleLine) { lines++ }})
			o := s.Check(sb, "for (let i = 0; i < 10; i++) console.log(i); undefined.x", nil, "throw:TypeError")
			if lines != 10 || len(o.Console) != 10 {
				s.Errorf("%d lines were told of, %d are in the outcome", lines, len(o.Console))
			}
		}},
		{ID: "P53", Scenario: func(s *Scene) {
			// A run that fails late leaves its explanation little time: the whole stays
			// within the limit.
			sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 100 * time.Millisecond}})
			for range 3 {
				start := time.Now()
				s.Check(sb, "const t = Date.now(); let n = 0; while (Date.now() - t < 85) n++; undefined.x", nil, "throw:TypeError|limit:time")
				if d := time.Since(start); d > 5*time.Second {
					s.Errorf("it took %v", d)
				}
			}
		}},
		{ID: "P54", Scenario: func(s *Scene) {
			// Same failure, same report, same fuel: with explanations and without.
			with, without := s.New(pinfold.Options{Deterministic: true}), s.New(pinfold.Options{Deterministic: true, NoExplain: true})
			for _, src := range []string{"const o={a:undefined}; o.a.b", "let x; x()", "[1].map(y => y.z.w)", "(function f(n){ return n ? f(n-1) : null.x })(100)"} {
				a, b, c := s.Check(with, src, nil, "throw:TypeError"), s.Check(with, src, nil, "throw:TypeError"), s.Check(without, src, nil, "throw:TypeError")
				if a.Usage.Fuel != b.Usage.Fuel || a.Usage.Fuel != c.Usage.Fuel || a.Failure.FullReport() != b.Failure.FullReport() || a.Failure.Error() != c.Failure.Error() {
					s.Errorf("%s: %+v %+v %+v", src, a.Usage, b.Usage, c.Usage)
				}
			}
		}},
	}
	return cases
}()
