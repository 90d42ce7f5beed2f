package js_test

import (
	"fmt"
	"strings"

	"github.com/pinfold-js/pinfold/js"
)

// What the hostile programs may end as.
const (
	timeLimit = "limit:time"
	memLimit  = "limit:memory"
	anyLimit  = "limit:time|limit:memory"
	bounded   = "limit:time|limit:memory|throw:RangeError"
	deep      = "limit:stack|throw:RangeError|limit:time|limit:memory|value"
	nested    = "limit:stack|throw:RangeError|throw:SyntaxError|limit:time|limit:memory|value"
)

// collidingStrings is script that makes 16 384 strings with the same hash: pairs
// of blocks that take the hash's state to the same one, one after another.
const collidingStrings = `
	const all = (() => {
		let strings = [''], state = 2166136261;
		while (strings.length < 16384) {
			const seen = new Map();
			search: for (let a = 32; a < 256; a++) for (let b = 32; b < 256; b++) for (let c = 32; c < 36; c++) {
				let x = state;
				for (const k of [a, b, c]) x = Math.imul(x ^ k, 16777619);
				const s = String.fromCharCode(a, b, c);
				if (seen.has(x)) {
					const t = seen.get(x);
					strings = strings.flatMap(p => [p + s, p + t]);
					state = x;
					break search;
				}
				seen.set(x, s);
			}
			if (seen.size > 200000) return strings;
		}
		return strings;
	})();
`

// hostileCases are the programs: the ones that other engines were measured with, the baseline
// of 25 (M), and the rows on memory (B), time (C), promises (D), nesting (E) and
// engine safety (L) that need no host.
func hostileCases() []hostile {
	cases := []hostile{
		// What other engines were measured with first.
		{id: "S1", src: "Array.prototype.indexOf.call({length:2**53-1},1)", want: timeLimit},
		{id: "S2", src: "Array.prototype.lastIndexOf.call({length:2**53-1},1)", want: anyLimit},
		{id: "S3", src: "new Array(2**28).join('xx').length", want: bounded},
		{id: "S4", src: "const s='x'.repeat(1<<20), a=[]; for (let i=0;;i++) { a.push(s+i); JSON.stringify(a) }", want: anyLimit},
		{id: "S5", src: "let s=''; for (let i=0;i<300000;i++) s += 'x'+i; s.length", want: "value"},
		{id: "S6", src: "const a=[]; for (let i=0;i<100000;i++) a.push((i*7919)%100003); a.sort((x,y)=>x-y|0); a[5]", want: "value"},

		// M: the baseline.
		{id: "M1", src: "while(true){}", want: timeLimit},
		{id: "M2", src: "function f(){ Promise.resolve().then(f) } f()", want: timeLimit},
		{id: "M3", src: "async function g(){ await null; for(;;); } (async()=>{ while(true) await g().catch(()=>{}) })()", want: timeLimit},
		{id: "M4", src: "JSON.stringify({toJSON(){ for(;;); }})", want: timeLimit},
		{id: "M5", src: "const a = new Array(1000000); for (let i=0;i<1000000;i++) a[i]=i; for(;;) a.sort(() => 1)", want: anyLimit},
		{id: "M6", src: "/^(a+)+$/.test('a'.repeat(40)+'!')", want: timeLimit + "|value=false"},
		{id: "M7", src: `/^(a+)+\1$/.test('a'.repeat(40)+'!')`, want: anyLimit + "|value=false"},
		{id: "M8", src: "Array.prototype.every.call({length:2**32-1}, () => true)", want: timeLimit + "|value=true"},
		{id: "M9", src: "Array.prototype.indexOf.call({length:2**53-1},1)", want: timeLimit},
		{id: "M10", src: "new Array(2**31).join('')", want: bounded + "|value"},
		{id: "M11", src: "11n**71111111n", want: bounded},
		{id: "M12", src: "'x'.repeat(8*1024*1024*1024)", want: bounded},
		{id: "M13", src: "let s='x'; for (let i=0;i<33;i++) s+=s; s.length", want: bounded},
		{id: "M14", src: "const b=[]; for(;;) b.push(new Array(100000).fill(1))", want: memLimit},
		{id: "M15", src: "(function f(){f()})()", want: "limit:stack"},
		{id: "M16", src: "const o={get x(){return this.x}}; o.x", want: "limit:stack"},
		{id: "ST1", src: "Error.stackTraceLimit=1e9; function f(n){ if(n) f(n-1); else for(;;) new Error('x') } f(900)", want: anyLimit},
		{id: "ST2", src: "Error.stackTraceLimit=1e9; const o={}; for(let i=0;i<2000;i++) o['k'+i]=1; o.f=function(n){ return n ? this.f(n-1) : new Error('x') }; for(;;) o.f(900).stack", want: anyLimit},
		{id: "ST3", src: "Error.stackTraceLimit=1e9; let p={f(n){ return n ? this.f(n-1) : new Error('x') }}; for(let i=0;i<100000;i++) p=Object.create(p); for(;;) p.f(900).stack", want: anyLimit},
		{id: "ST4", src: "function other(){} function f(n){ if(n) f(n-1); else for(;;) Error.captureStackTrace({}, other) } f(1500)", want: anyLimit},
		{id: "ST5", src: "const all=[]; function f(n){ if(n) f(n-1); else for(;;) all.push(new Error('x')) } f(20)", want: memLimit},
		{id: "ST6", src: "async function f(n){ await null; if(n) return await f(n-1); throw new Error('x') } (async()=>{ for(;;) try { await f(50) } catch(e) { e.stack } })()", want: anyLimit},
		{id: "ST7", src: "const f=Function; let s='throw new Error(1)'; for(;;) { try { f(s)() } catch(e) { s='eval('+JSON.stringify(s).slice(0,200)+')'; e.stack } }", want: anyLimit + "|throw:SyntaxError"},
		{id: "ST8", src: "const n='x'.repeat(1<<22); const o={[n](){ throw new Error(n) }}; for(;;) try { o[n]() } catch(e) { e.stack }", want: anyLimit},
		{id: "M17", src: "const a=[1,2,3]; a[42]=a; String(a)", want: "value"},
		{id: "M18", src: "eval('('.repeat(200000)+'1'+')'.repeat(200000))", want: nested},
		{id: "M19", src: "eval('('.repeat(5000000)+'1'+')'.repeat(5000000))", want: nested},
		{id: "M20", src: "JSON.parse('['.repeat(200000)+']'.repeat(200000)); 1", want: nested},
		{id: "M21", src: "JSON.parse('['.repeat(5000000)+']'.repeat(5000000)); 1", want: nested},
		{id: "M22", src: "let o={}; for (let i=0;i<200000;i++) o={o}; JSON.stringify(o).length", want: deep},
		{id: "M23", src: "let o={}; for (let i=0;i<300000;i++) o=Object.create(o); o.missing", want: deep},
		{id: "M24", src: "let o={}; for (let i=0;i<300000;i++) o=new Proxy(o,{}); o.missing", want: deep},
		{id: "M25", src: "let f=()=>1; for (let i=0;i<300000;i++) f=f.bind(null); f()", want: deep},

		// B: memory.
		{id: "B1", src: "'x'.repeat(1024*1024*1024*1024)", want: bounded},
		{id: "B1b", src: "'x'.repeat(2**28-1).length", want: "value=268435455"},
		{id: "B2", src: "const a=[]; for(;;) a.push('x'.repeat(1<<20))", want: anyLimit},
		{id: "B2b", src: "const a=[]; for(let i=0;;i++) a.push('\\u1234'.repeat(1<<19)+i)", want: anyLimit},
		{id: "B3", src: "const a=[]; for(;;) a.push(new Uint8Array(1<<20))", want: memLimit},
		{id: "B3b", src: "const a=[]; for(;;) { a.push(new ArrayBuffer(3<<20)); a.push(new Float64Array(1000)); a.push('y'.repeat(5000)) }", want: memLimit},
		{id: "B3c", src: "const a=[]; for(;;) a.push(new Float64Array(1<<17).fill(1.5))", want: memLimit},
		{id: "B4", src: "const a=[]; while(true) a.push(new Array(1e6).fill('leak'))", want: anyLimit},
		{id: "B10", src: "new Array(2147483647).join('*')", want: bounded},
		{id: "B12", src: "11n**711111111n", want: bounded},
		{id: "B12b", src: "let x=3n; for(;;) x*=x", want: bounded},
		{id: "B12c", src: "1n<<(1n<<40n)", want: bounded},
		{id: "B12d", src: "let x=1n; for(;;) x = (x<<100000n)+1n", want: bounded},
		{id: "B12e", src: "const a=[]; for(let i=0n;;i++) a.push((1n<<1000000n)+i)", want: bounded},
		{id: "B13", src: "'x'.padStart(2147483647)", want: bounded},
		{id: "B13b", src: "'x'.padEnd(536870911,'ab')", want: bounded},
		{id: "B13c", src: "Array.from({length:50000000})", want: anyLimit},
		{id: "B13d", src: "String.raw({raw:{length:2**53-1}})", want: bounded},
		{id: "B13e", src: "String.fromCharCode.apply(null, {length: 2**32-1})", want: bounded},
		{id: "B13f", src: "const a=[]; a.length=1e6; a.fill(65); for(;;) String.fromCharCode(...a)", want: bounded},
		{id: "B13g", src: "String.raw({raw:Array(1e6).fill('x'.repeat(1000))})", want: bounded},
		{id: "B15", src: "new Array(2**32-1).fill(0)", want: anyLimit},
		{id: "B15b", src: "new Array(2**32-1).toReversed()", want: bounded},
		{id: "B15c", src: "new Array(2**32-1).with(5,1)", want: bounded},
		{id: "B15d", src: "new Array(2**32-1).copyWithin(0,5)", want: anyLimit},
		{id: "B15e", src: "new Array(2**31).concat(new Array(2**31-1)).length", want: bounded + "|value"},
		{id: "B15f", src: "let a=[1]; for(;;) a=a.concat(a)", want: bounded},
		{id: "B15g", src: "let a=[1]; for(;;) a.push(...a)", want: bounded},
		{id: "B15h", src: "let a=[1,2]; for(;;) a=[...a,...a]", want: bounded},
		{id: "B15i", src: "let a=[[1]]; for(;;) a=[a,a].flat(Infinity)", want: bounded},
		{id: "B15j", src: "new Array(2**32-1).toSpliced(0,0)", want: bounded},
		{id: "B15k", src: "new Array(2**32-1).toSorted()", want: bounded},
		{id: "B15l", src: "const u=new Uint8Array(1<<25); for(;;) u.copyWithin(1,0)", want: timeLimit},
		{id: "B15m", src: "const u=new Uint8Array(1<<24); for(;;) u.toReversed()", want: bounded},
		{id: "B15n", src: "const u=new Float64Array(1<<21); for(let i=0;i<u.length;i++) u[i]=-i; for(;;) { u.sort(); u.reverse() }", want: bounded},
		{id: "B16", src: "new ArrayBuffer(2**40)", want: bounded},
		{id: "B16b", src: "new Float64Array(2**32)", want: bounded},
		{id: "B16c", src: "new ArrayBuffer(1,{maxByteLength:2**40})", want: bounded},
		{id: "B16d", src: "const a=[]; for(;;) { const b=new ArrayBuffer(10,{maxByteLength:1<<20}); b.resize(1<<20); a.push(b) }", want: bounded},
		{id: "B16e", src: "let b=new ArrayBuffer(8); for(let n=8;;n*=2) b=b.transfer(n)", want: bounded},
		{id: "B16f", src: "for(;;) new ArrayBuffer(1<<25)", want: anyLimit},
		{id: "B19", src: "var a=[]; while(true) a.push('x')", want: anyLimit},
		{id: "B25a", src: "let s='abc'; for(let i=0;i<40;i++) s=s+s; s.length", want: bounded},
		{id: "B25b", src: "const m=new Map(); for(let i=0;;i++) m.set(i,i)", want: anyLimit},
		{id: "B25c", src: "const m=new Set(); for(let i=0;;i++) m.add('k'+i)", want: anyLimit},
		{id: "B25d", src: "for(let i=0;;i++) Symbol.for('k'+i)", want: anyLimit},
		{id: "B25e", src: "for(;;) Promise.resolve().then(()=>{})", want: anyLimit},
		{id: "B25f", src: "const a=[]; for(;;) a.push(()=>a)", want: anyLimit},
		{id: "B25g", src: "let f=null; for(let i=0;;i++) { const g=f; let x=i; f=()=>g||x }", want: anyLimit},
		{id: "B25h", src: "const a=[]; for(;;) a.push(new Error('x'.repeat(1000)+a.length))", want: anyLimit},
		{id: "B25i", src: "const a='\\u00e9'.repeat(15000000), b=a+'x'; a.localeCompare(b)", want: bounded + "|value"},
		{id: "B25j", src: "const o={}; for(let i=0;;i++) o['k'+i]=i", want: anyLimit},
		{id: "B25k", src: "const a=[]; for(let i=0;;i++) { const o={}; o['p'+i]=1; a.push(o) }", want: anyLimit},
		{id: "B25l", src: "const w=new WeakMap(), a=[]; for(;;) { const k={}; a.push(k); w.set(k,{}) }", want: anyLimit},
		{id: "B25m", src: "const a=[]; for(;;) a.push(Symbol('d'.repeat(100)+a.length))", want: anyLimit},
		{id: "B25n", src: "const a=[]; for(;;) a.push([1,2,3].values())", want: anyLimit},
		{id: "B25o", src: "function* g(){ yield 1 } const a=[]; for(;;) { const i=g(); i.next(); a.push(i) }", want: anyLimit},
		{id: "B25p", src: "const a=[]; for(let i=0;;i++) a.push(new RegExp('a'+i))", want: anyLimit},
		{id: "B25q", src: "const p=new Promise(()=>{}); for(;;) p.then(()=>{})", want: anyLimit},
		{id: "B25r", src: "const a=[]; for(;;) a.push(async()=>{ await new Promise(()=>{}) }), a[a.length-1]()", want: anyLimit},
		{id: "B25s", src: "const a=[]; for(;;) a.push(new Date(), new Proxy({},{}), Object(1n), (function(){return arguments})(1,2,3))", want: anyLimit},
		{id: "B25t", src: "for(;;) queueMicrotask(()=>{})", want: anyLimit},
		{id: "B25u", src: "for(;;) Promise.reject(1)", want: anyLimit},
		{id: "B25v", src: "let o={}; for(let i=0;;i++) { o={__proto__:o}; o['a'+i%10]=1 }", want: anyLimit},
		{id: "B25w", src: "const r=new FinalizationRegistry(()=>{}); const k=[]; for(;;) { const o={}; k.push(o); r.register(o,1) }", want: anyLimit},
		{id: "B25x", src: "const d=new DisposableStack(); for(;;) d.defer(()=>{})", want: anyLimit},
		{id: "B25y", src: "const a=[]; for(let i=0;;i++) a[i*5000]=i", want: bounded},
		{id: "B25z", src: "const a=[]; for(;;) { const x=[]; x[4e9]=1; a.push(x) }", want: bounded},
		{id: "B26a", src: "let s=''; for(let i=0;i<1000000;i++) s=s+'a'; s.charCodeAt(5)", want: "value=97"},
		{id: "B26b", src: "let s=''; for(let i=0;i<1000000;i++) s='a'+s; s.charCodeAt(5)", want: "value=97|" + memLimit},
		{id: "B26c", src: "let s=''; for(let i=0;i<1000000;i++) s='a'+s; /b/.test(s)", want: "value=false|" + memLimit},
		{id: "B26d", src: "let s=''; for(let i=0;i<1000000;i++) s+='a'; JSON.stringify([1],null,s)", want: "value"},
		{id: "B26e", src: "let s=''; for(let i=0;i<1000000;i++) s+='a'; RegExp.escape(s).length", want: bounded + "|value"},
		{id: "B30", src: "(function*(){ for(;;) yield 1 })().toArray()", want: anyLimit},
		{id: "B30b", src: "[...(function*(){ for(;;) yield 1 })()]", want: anyLimit},
		{id: "B30c", src: "const it=[1].values(); it.flatMap(()=>({[Symbol.iterator]:()=>({next:()=>({value:1,done:false})})})).toArray()", want: anyLimit},
		{id: "B40", src: "for(let i=0;;i++) eval('var a'+i+'=1')", want: anyLimit},
		{id: "B40b", src: "const s=' '.repeat(1000000); for(let i=0;;i++) eval(s+i)", want: bounded},
		{id: "B40c", src: "for(;;) eval('['+'1,'.repeat(400000)+']')", want: bounded},
		{id: "B40d", src: "const a=[]; for(let i=0;;i++) a.push(new Function('x','return x+'+i))", want: anyLimit},
		{id: "B40e", src: "eval('x=>'.repeat(2000)+'1'); eval('{'.repeat(900)+'}'.repeat(900)); for(;;) eval('(a,b)=>{'+'if(a)b();'.repeat(50000)+'}')", want: nested},
		{id: "B41", src: "const f=(n)=>n?f.apply(null,{length:1000000,get 0(){return f(n-1)}}):0; f(900)", want: deep},
		{id: "B41b", src: "let n=0; const p=new Proxy({},{ownKeys(){ return Object.assign(Array.from({length:100000},(_, i)=>'k'+i), {}) }}); for(;;) Reflect.ownKeys(p)", want: anyLimit},
		{id: "B41c", src: "let f=()=>1; const big=new Array(100000).fill(0); for(let i=0;i<1000;i++) f=f.bind(null,...big); f()", want: bounded},
		{id: "B41d", src: "let f=()=>1; for(let i=0;i<200000;i++) f=f.bind(null,1); f()", want: deep},
		{id: "B41e", src: "function f(...a){ return f(...a,1,2,3,4) } f()", want: deep},
		{id: "B41f", src: "function f(){ return f.apply(null,new Array(100000)) } f()", want: deep},
		{id: "B41g", src: "const a=new Array(1000000).fill(1); function f(n){ return n?Math.max(...a)+f(n-1):0 } for(;;) f(100)", want: deep},
		{id: "B41h", src: "const o={}; for(let i=0;i<200000;i++) o['k'+i]=i; for(;;) { Object.entries(o); Object.assign({},o); ({...o}); JSON.stringify(o) }", want: anyLimit},
		{id: "B41i", src: "const f=n=>{ Object.keys({get a(){ return n?f(n-1):1 }, ...o}); }; const o={}; for(let i=0;i<100000;i++) o['k'+i]=i; Object.values(new Proxy(o,{get(){ return Object.values(o).length }}))", want: anyLimit + "|value"},
		{id: "B41j", src: "const o={}; for(let i=0;i<100000;i++) o['k'+i]=i; const h={get(t,k){ return k==='k5'?Object.entries(new Proxy(o,h)).length:1 }}; Object.entries(new Proxy(o,h))", want: deep},
		{id: "B42", src: "const a=[]; for(let i=0;;i++) a.push(('x'.repeat(200000)+i).slice(3))", want: memLimit},
		{id: "B42b", src: "let s='x'.repeat(1000000); const a=[]; for(let i=0;;i++) a.push(s.toUpperCase(), s.replaceAll('x','yy'), s.split(''))", want: bounded},
		{id: "B42c", src: "'x'.repeat(1000000).replaceAll('x', 'y'.repeat(1000))", want: bounded},
		{id: "B42d", src: "'x'.repeat(100000).replace(/x/g, \"$`$'\")", want: bounded},
		{id: "B42e", src: "'x'.repeat(10000000).split('')", want: bounded},
		{id: "B42f", src: "'\\ufdfa'.repeat(10000000).normalize('NFKD').length", want: bounded + "|value"},
		{id: "B42g", src: "encodeURIComponent('\\u1234'.repeat(20000000)).length", want: bounded + "|value"},
		{id: "B42h", src: "escape('\\u1234'.repeat(20000000)).length", want: bounded + "|value"},
		{id: "B42i", src: "[...'x'.repeat(20000000)].length", want: bounded},
		{id: "B42j", src: "'x'.repeat(20000000).match(/x/g).length", want: bounded},
		{id: "B42k", src: "[...'x'.repeat(20000000).matchAll(/(x)/g)].length", want: bounded},
		{id: "B42l", src: "JSON.stringify('\\u0001'.repeat(20000000)).length", want: bounded + "|value"},
		{id: "B42m", src: "JSON.stringify(Array(1000).fill(Array(1000).fill(0)),null,'          ').length", want: bounded + "|value"},
		{id: "B42n", src: "let o={}; for(let i=0;i<40;i++) o={a:o,b:o}; JSON.stringify(o)", want: bounded},
		{id: "B42o", src: "let o={}; for(let i=0;i<40;i++) o=[o,o]; String(o)", want: bounded},
		{id: "B42p", src: "let o={}; for(let i=0;i<40;i++) o=[o,o]; o.flat(Infinity)", want: bounded},
		{id: "B42q", src: "let o={a:1}; for(let i=0;i<40;i++) o=[o,{o}]; structuredClone(o); JSON.stringify(o)", want: bounded},
		{id: "B42r", src: "JSON.parse('['+'{\"a\":[1,2,3]},'.repeat(1000000)+'1]').length", want: bounded + "|value"},
		{id: "B42s", src: "JSON.parse('\"'+'\\\\u1234'.repeat(5000000)+'\"').length", want: bounded + "|value"},
		{id: "B42t", src: "BigInt('9'.repeat(10000000))", want: bounded + "|value"},
		{id: "B42u", src: "(1n<<20000000n).toString().length", want: bounded + "|value"},
		{id: "B42v", src: "const x=(1n<<5000000n)-1n; for(;;) x*x%(x-1n)", want: bounded},
		{id: "B42w", src: "Array(100).fill('x'.repeat(1000000)).join('')+''", want: bounded + "|value"},
		{id: "B42x", src: "let s='x'.repeat(1<<20); let t=''; for(let i=0;i<200;i++) { t+=s; t.charCodeAt(0) }", want: bounded},
		{id: "B42y", src: "const a=Array.from({length:1000000},(_,i)=>({i})); Object.groupBy(a,o=>o.i).length", want: bounded},
		{id: "B42z", src: "Map.groupBy({[Symbol.iterator]:()=>({next:()=>({value:1,done:false})})},x=>x)", want: bounded},

		// X: what this engine is made of, attacked.
		{id: "X1", src: collidingStrings + "const o={}; for(;;) for(const s of all) o[s]=1", want: anyLimit},
		{id: "X1b", src: collidingStrings + "const m=new Map(); for(;;) for(const s of all) m.set(s,1), m.delete(s+'x')", want: anyLimit},
		{id: "X1c", src: collidingStrings + "const s=new Set(all); for(;;) for(const x of all) s.has(x.slice(1))", want: anyLimit},
		{id: "X2", src: "let inv=1; for(let i=0;i<5;i++) inv=Math.imul(inv,2-Math.imul(2654435761,inv)); const a={}; const ix=[]; for(let h=0;h<4096;h++) for(let l=0;l<16;l++) ix.push(Math.imul((h<<20)|l,inv)>>>0); for(;;) for(const i of ix) a[i]=i", want: anyLimit},
		{id: "X3", src: "const m=new Map(); const b=new DataView(new ArrayBuffer(8)); for(let e=1;e<2000;e++) for(let k=0;k<16;k++) { b.setUint32(0,(e<<20)|(k<<16)); m.set(b.getFloat64(0),1) } for(;;) for(const k of m.keys()) m.has(k)", want: anyLimit},
		{id: "X4", src: "eval('with(a)'.repeat(60)+'{'+'x;'.repeat(100000)+'}')", want: nested},
		{id: "X4b", src: "eval('(function(){eval(\"\");'.repeat(60)+'{'+'x;'.repeat(100000)+'}'+'})'.repeat(60))", want: nested},
		{id: "X4c", src: "eval('{let a;'.repeat(900)+'x;'.repeat(300000)+'}'.repeat(900))", want: nested},
		{id: "X4d", src: "eval('var [' + 'a,'.repeat(300000) + ']=[]')", want: bounded + "|value"},
		{id: "X4e", src: "eval('switch(1){' + Array.from({length:60000},(_, i)=>'case '+i+':').join('') + '}')", want: bounded + "|value"},
		{id: "X4f", src: "eval('class A{' + Array.from({length:60000},(_, i)=>'#p'+i+';').join('') + '}')", want: bounded + "|value"},
		{id: "X4g", src: "for(let i=0;;i++) eval('function f'+i+'(){}')", want: anyLimit},
		{id: "X4h", src: "const f=[]; for(let i=0;;i++) f.push(eval('()=>'+i))", want: anyLimit},
		{id: "X5", src: `/^(.+)\1$/.test('a'.repeat(200001))`, want: anyLimit + "|value=false"},
		{id: "X5b", src: `/^(.+)(.+)\2\1$/i.test('a'.repeat(20001))`, want: anyLimit + "|value=false"},
		{id: "X5c", src: `'x'.repeat(10000000).replace(/(?:)/g,'')`, want: bounded + "|value"},
		{id: "X5d", src: `for(;;) /(?<=a+)b/.exec('a'.repeat(100000))`, want: anyLimit},
		{id: "X5e", src: `const r=/x/y; for(;;) { r.lastIndex=2**32; r.test('x'.repeat(1e6)); r.lastIndex=-1; r.test('y') }`, want: anyLimit},
		{id: "X5f", src: `'\u{1F600}'.repeat(3000000).split(/(?:)/u).length`, want: bounded + "|value"},
		{id: "X5g", src: `'ab'.repeat(1000000).split(/(a)(b)?/).length`, want: bounded + "|value"},
		{id: "X5h", src: `for(;;) 'a'.repeat(1000000).search(/b$/)`, want: anyLimit},
		{id: "X5i", src: `new RegExp('(?:' + 'a?'.repeat(20000) + ')' + 'a'.repeat(20000)).test('a'.repeat(20000))`, want: nested},
		{id: "X5j", src: `new RegExp('[' + Array.from({length:50000},(_, i)=>String.fromCodePoint(0x20000+i*2)).join('') + ']','iu').test('x')`, want: bounded + "|value=false"},
		{id: "X5k", src: `for(let i=0;;i++) new RegExp('a'.repeat(100000)+i)`, want: anyLimit},
		{id: "X6", src: "BigInt.asUintN(2**53-1,-1n)", want: bounded},
		{id: "X6b", src: "BigInt.asIntN(2**40,-(1n<<1000000n))", want: bounded + "|value"},
		{id: "X6c", src: "(1n<<30000000n).toString(2).length", want: bounded + "|value"},
		{id: "X6d", src: "BigInt('0x'+'f'.repeat(20000000)).toString(16).length", want: bounded + "|value"},
		{id: "X6e", src: "(-1n)**(2n**1000n); (2n)**(2n**1000n)", want: bounded},
		{id: "X6f", src: "for(;;) (3n**100000n)/(7n**50000n)", want: anyLimit},
		{id: "X6g", src: "const a=1n<<3000000n; for(;;) a==1e300, a<1.5, String(a)==a, BigInt(1e308)", want: anyLimit},
		{id: "X6h", src: "const b=1n<<100000000n; for(;;) b>1.5", want: timeLimit},
		{id: "X6i", src: "const b=1n<<100000000n; for(;;) b==1e300", want: timeLimit},
		{id: "X6j", src: "const b=-(1n<<100000000n); for(;;) BigInt.asUintN(64,b)", want: timeLimit},
		{id: "X6k", src: "const b=1n<<100000000n; for(;;) Number(b)", want: timeLimit},
		{id: "X6l", src: "const b=-(1n<<100000000n); for(;;) b>>99999999n", want: bounded},
		{id: "X6m", src: "const b=1n<<100000000n; for(;;) b**1n", want: bounded},
		{id: "X6n", src: "const b=1n<<100000000n; for(;;) b>'1'", want: timeLimit},
		{id: "X6o", src: "const s='\u0430\u0410'.repeat(1e7), r=/^([^]{9999999})\\1/i; for(;;) r.test(s)", want: timeLimit},
		{id: "X6p", src: "const s='\u0430\u0410'.repeat(1e7), r=/^[^]{19999998}(?<=\\1([^]{9999999}))/i; for(;;) r.test(s)", want: timeLimit},
		{id: "X6q", src: "const s='/'+'(?:(?<n>a)|'.repeat(900)+Array.from({length:6e4},(_, i)=>'(?<n'+i+'>a)').join('|')+')'.repeat(900)+'/'; for(;;) eval(s)", want: bounded},
		{id: "X7", src: "const g=(async function*(){ await new Promise(()=>{}) })(); for(;;) g.next()", want: memLimit},
		{id: "X7b", src: "const g=(async function*(){ for(;;) yield })(); for(let i=0;i<200000;i++) g.next(); 1", want: anyLimit + "|value"},
		{id: "X7c", src: "const g=(async function*(){})(); for(let i=0;i<200000;i++) g.next(); g.return(); 1", want: anyLimit + "|value"},
		{id: "X8", src: "const w=new WeakRef({}), v=Array.from({length:20},()=>new WeakRef({})); for(;;) for(const x of v) x.deref()", want: anyLimit},
		{id: "X8b", src: "const r=new FinalizationRegistry(()=>{}), k=[]; for(let i=0;i<100000;i++) { const o={}; k.push(o); r.register(o,1,o) } for(const o of k) r.unregister(o)", want: anyLimit + "|value"},
		{id: "X8c", src: "const w=new WeakMap(), k=Array.from({length:200000},()=>({})); for(let i=k.length-2;i>=0;i--) w.set(k[i],k[i+1]); const first=k[0]; k.length=0; for(;;) new Array(1000).fill({})", want: anyLimit},
		{id: "X9", src: "const f=()=>{ throw new Error('x'.repeat(1e7)) }; for(;;) try { f() } catch(e) { e.stack.length; String(e) }", want: anyLimit},
		{id: "X9b", src: "const f=()=>new Error; Object.defineProperty(f,'name',{value:'x'.repeat(1e7)}); for(;;) f().stack", want: anyLimit},
		{id: "X9c", src: "const s=Symbol('x'.repeat(1e7)); for(;;) { try { s+1 } catch {} s.toString(); s.description; try { null[s] } catch {} }", want: anyLimit},
		{id: "X9d", src: "const s='x'.repeat(1e7); for(;;) { try { null[s] } catch {} try { s() } catch {} try { new s } catch {} try { undefined[s]=1 } catch {} try { ({})[s]() } catch {} try { s in 1 } catch {} }", want: anyLimit},
		{id: "X9e", src: "const a=new Array(1e6).fill('xy'), o={a}; for(;;) { try { a() } catch {} try { o.a.b.c } catch {} try { throw a } catch {} try { BigInt(a) } catch {} }", want: anyLimit},
		{id: "X10", src: "Uint8Array.fromBase64('A'.repeat(100000000)).length", want: bounded + "|value"},
		{id: "X10b", src: "new Uint8Array(20000000).toBase64().length; new Uint8Array(20000000).toHex().length; Uint8Array.fromHex('0'.repeat(20000000)).length", want: bounded + "|value"},
		{id: "X10c", src: "decodeURIComponent('%41'.repeat(10000000)).length; unescape('%41'.repeat(10000000)).length", want: bounded + "|value"},
		{id: "X10d", src: "const s='\\ud800'.repeat(10000000); s.isWellFormed(); s.toWellFormed().length", want: bounded + "|value"},
		{id: "X10e", src: "String.fromCodePoint(...new Array(1000000).fill(0x1f600)).length", want: bounded + "|value=2000000"},
		{id: "X10f", src: "const s='x'.repeat(1e8); for(;;) { s.at(-1); s.codePointAt(5); s[5e7]; s.slice(1,-1); s.substring(3) }", want: anyLimit},
		{id: "X10g", src: "for(let s='a';;s=s.toUpperCase()+'b') s.localeCompare(s+'c',undefined,{numeric:true})", want: anyLimit},
		{id: "X10h", src: "const b=new ArrayBuffer(8,{maxByteLength:1<<25}); for(;;) { b.resize(1<<25); b.resize(0) }", want: anyLimit},
		{id: "X11", src: "Iterator.zip?.([{next(){return {value:1,done:false}},[Symbol.iterator](){return this}}]).toArray()", want: anyLimit + "|value"},
		{id: "X11b", src: "Iterator.concat?.(...Array.from({length:100000},()=>[])).toArray()", want: bounded + "|value"},
		{id: "X11c", src: "new Set([1]).intersection({size:2**53,has:()=>true,keys(){ return {next(){ return {value:1,done:false} }} }})", want: anyLimit + "|value"},
		{id: "X11d", src: "Array.from({length:1e6},()=>0).toSorted(()=>{ for(let i=0;i<10;i++) [].concat([1]); return 1 })", want: anyLimit + "|value"},
		{id: "X11e", src: "JSON.stringify({a:1}, Array.from({length:1000000},(_, i)=>'k'+i))", want: bounded + "|value"},
		{id: "X11f", src: "JSON.rawJSON?.('1'.repeat(30000000)); JSON.parse('1'.repeat(30000000)); JSON.parse('0.'+'0'.repeat(30000000)+'1')", want: bounded + "|value"},
		{id: "X11g", src: "for(;;) try { JSON.parse('['.repeat(500)+'x'.repeat(1000000)) } catch {}", want: anyLimit},
		{id: "X12", src: "Object.prototype.__defineGetter__('then',function(){ return undefined }); for(;;) (async()=>({}))()", want: anyLimit},
		{id: "X12b", src: "const a=[]; for(let i=0;i<70000;i++) a.push({['k'+i]:1}); for(;;) for(const o of a) o.missing", want: anyLimit},
		{id: "X12c", src: "const p={}; const a=Array.from({length:100000},()=>Object.create(p)); for(let i=0;;i++) { p['k'+i]=1; a[i%a.length].k0 }", want: anyLimit},
		{id: "X12d", src: "for(let i=0;;i++) { const o={}; Object.setPrototypeOf(o,Object.create({['x'+i]:1})); o.y }", want: anyLimit},
		{id: "X12e", src: "function F(){} for(;;) { F.prototype={}; new F().x }", want: anyLimit},
		{id: "X12f", src: "const o={}; for(let i=0;i<5000;i++) o['k'+i]=i; for(;;) Object.defineProperty(o,'k77',{enumerable:Math.random()<.5})", want: anyLimit},
		{id: "X12g", src: "const o={}; for(let i=0;i<5000;i++) o['k'+i]=i; for(;;) { Object.isFrozen(o); Object.preventExtensions({...o}) }", want: anyLimit},
		{id: "X12h", src: "const a=[]; a.length=2**32-1; for(let i=0;i<100000;i++) Object.defineProperty(a,i*40000,{value:1,configurable:i>5}); a.length=0; for(;;) a.length=4e9", want: anyLimit + "|throw:TypeError|throw:RangeError"},
		{id: "X12i", src: "(function f(a,b,c,d,e,g,h,i,j,k){ let q=[a,b,c]; return f(q,q,q,q,q,q,q,q,q,q) })()", want: "limit:stack"},
		{id: "X12j", src: "eval('function f(){'+Array.from({length:20000},(_, i)=>'let a'+i+'=1;').join('')+'return f()}f()')", want: deep},

		// C: time.
		{id: "C2", src: "for(;;);", want: timeLimit},
		{id: "C3", src: "[1].forEach(()=>{ [1].map(()=>{ try { for(;;); } catch { } }) })", want: timeLimit},
		{id: "C6", src: "new Array(1_000_000_000) + ''", want: bounded},
		{id: "C9", src: `/^[A-Z]+\.([A-Z]+)*$/.test('A.'+'ABCDEFGHIJ'.repeat(6)+'@')`, want: timeLimit + "|value=false"},
		{id: "C9b", src: `/(x+x+)+y/.test('x'.repeat(50))`, want: timeLimit + "|value=false"},
		{id: "C9c", src: `/(.*)*(.*)*(.*)*b/s.test('a'.repeat(100000))`, want: anyLimit + "|value=false"},
		{id: "C9d", src: `for(;;) 'a'.repeat(100000).replace(/a*?$/g,'')`, want: anyLimit},
		{id: "C9e", src: `new RegExp('(?:a?){100000}').test('b'.repeat(100000))`, want: nested},
		{id: "C9f", src: `new RegExp('a{1000}{1000}{1000}')`, want: nested},
		{id: "C9g", src: `new RegExp('(?:'.repeat(10)+'a{100}'+'){100}'.repeat(10)).test('a'.repeat(1000))`, want: nested},
		{id: "C9h", src: `for(;;) /(?=.*x)(?<=y.*)/u.test('y'.repeat(100000))`, want: anyLimit},
		{id: "C9i", src: `/[\p{L}&&[\p{Lu}--[A-Z]]]+$/v.test('\u00c9'.repeat(2000000)+'1')`, want: anyLimit + "|value=false"},
		{id: "C9j", src: `new RegExp('['+'\\p{L}\\p{N}'.repeat(50000)+']','u').test('x')`, want: bounded + "|value"},
		{id: "C9k", src: `new RegExp('\\p{L}'.repeat(50000),'ui').test('x')`, want: bounded + "|value"},
		{id: "C9l", src: `new RegExp(Array.from({length:50000},(_,i)=>'(?<n'+i+'>a)').join('|')).exec('b')`, want: bounded + "|value"},
		{id: "C9m", src: `for(;;) 'x'.repeat(100000).match(new RegExp('(x)'.repeat(500),'g'))`, want: bounded},
		{id: "C13", src: "const s='\\u1234 '.repeat(500000), r=/\\s/g; let n=0; for(let i=0;i<100000;i++) { if (r.exec(s)) n++ } n", want: "value=100000"},
		{id: "C13b", src: "const s=' \\u1234'.repeat(500000); for(let i=0;i<1000;i++) s.trim(); 1", want: anyLimit + "|value"},
		{id: "C18a", src: "const a='x'.repeat(15000000)+'a', b='x'.repeat(15000000)+'b'; for(;;) a<b", want: anyLimit},
		{id: "C18b", src: "const a='x'.repeat(1000000)+'a', b='x'.repeat(1000000)+'b'; for(;;) a.localeCompare(b)", want: anyLimit},
		{id: "C18c", src: "const a='\\u0041\\u0300'.repeat(1000000); for(;;) a.normalize('NFC')", want: anyLimit},
		{id: "C18d", src: "const a='\\u0130X'.repeat(1000000); for(;;) a.toLowerCase()", want: anyLimit},
		{id: "C18e", src: "const a=[]; for(let i=0;i<1000;i++) a.push('x'.repeat(10000)+i); for(;;) a.sort()", want: anyLimit},
		{id: "C18f", src: "const a='x'.repeat(10000000)+'y', b='x'.repeat(10000000)+'y'; for(;;) a===b", want: anyLimit},
		{id: "C18g", src: "const a='ab'.repeat(1000000), b='ab'.repeat(100000)+'c'; for(;;) a.indexOf(b)", want: anyLimit},
		{id: "C18h", src: "const a='a'.repeat(1000000), b='a'.repeat(100000)+'c'; for(;;) { a.lastIndexOf(b); a.includes(b); a.split(b); a.replaceAll(b,'') }", want: anyLimit},
		{id: "C18i", src: "const a='ba'+'a'.repeat(200000), b='b'+'a'.repeat(100000); a.lastIndexOf(b); ('a'.repeat(200000)).lastIndexOf('b'+'a'.repeat(100000))", want: anyLimit + "|value"},
		{id: "C18j", src: "const m=new Map(); for(let i=0;;i++) m.get('x'.repeat(100000)+(i%7))", want: anyLimit},
		{id: "C18k", src: "const a='\\u0301'.repeat(2000000); for(;;) a.normalize('NFD')", want: anyLimit},
		{id: "C18l", src: "const o={}; for(let i=0;;i++) o['x'.repeat(100000)+(i%7)]=1", want: anyLimit},
		{id: "C18m", src: "for(;;) Number('1'.repeat(1000000))", want: anyLimit},
		{id: "C18n", src: "for(;;) parseInt('1'.repeat(1000000),3)", want: anyLimit},
		{id: "C18o", src: "for(;;) parseFloat('0.'+'0'.repeat(1000000)+'1')", want: anyLimit},
		{id: "C18p", src: "for(;;) Date.parse('1'.repeat(1000000))", want: anyLimit},
		{id: "C18q", src: "const s=' '.repeat(5000000); for(;;) { s.trim(); s.trimEnd(); Number(s); isNaN(s) }", want: anyLimit},
		{id: "C25", src: "const r=new FinalizationRegistry(()=>{ for(;;); }); (()=>{ for(let i=0;i<1000;i++) r.register({},i) })(); const p=()=>Promise.resolve().then(()=>{ new Array(100000).fill(0); p() }); p()", want: anyLimit},
		{id: "C30", src: "const t=Date.now()+1e9; while(Date.now()<t){}", want: timeLimit},
		{id: "C31a", src: "(function(){}).apply(null, {length: 2**32-1})", want: bounded},
		{id: "C31b", src: "new (class extends Array{})(2**32-1).fill(1)", want: bounded},
		{id: "C31c", src: "Array.from({length:2**53-1})", want: bounded + "|throw:TypeError"},
		{id: "C31d", src: "Reflect.ownKeys(new Proxy({}, {ownKeys: () => ({length: 1e7})}))", want: bounded + "|throw:TypeError"},
		{id: "C31e", src: "JSON.stringify({toJSON(){ return {a:this, toJSON:this.toJSON, b:{toJSON:this.toJSON}} }})", want: deep},
		{id: "C31f", src: "const f=()=>({get a(){ return f() }}); structuredClone(f())", want: deep},
		{id: "C31g", src: "Reflect.construct(function(){}, {length: 2**32-1})", want: bounded},
		{id: "C31h", src: "new Uint8Array({length: 2**53-1})", want: bounded},
		{id: "C31i", src: "Uint8Array.from({length: 2**31})", want: bounded},
		{id: "C31j", src: "Array.prototype.splice.call({length:2**53-1},0,1)", want: bounded + "|throw:TypeError"},
		{id: "C31k", src: "Array.prototype.unshift.call({length:2**53-2},1)", want: bounded + "|throw:TypeError"},
		{id: "C31l", src: "Array.prototype.reverse.call({length:2**53-1})", want: anyLimit},
		{id: "C31m", src: "Object.freeze(new Uint8Array(0)); Object.freeze(new Array(2**32-1)); const a=[]; a[4294967290]=1; a.length=0; a.length=2**32-1; a.shift(); a.pop()", want: bounded + "|value"},
		{id: "C31n", src: "new Set([1]).union({size:1,has(){},keys(){ return {next(){ return {value:{},done:false} }} }})", want: anyLimit},
		{id: "C31o", src: "new Set([1]).isSubsetOf({size:Infinity,has(){ for(;;); },keys(){}})", want: anyLimit},
		{id: "C31p", src: "for(let x in new Proxy({},{ownKeys(){ return Array.from({length:300000},(_, i)=>'k'+i) }})) for(;;);", want: anyLimit + "|value"},
		{id: "C31q", src: "Iterator.from({next(){ return {value:1,done:false} }}).drop(Infinity).next()", want: timeLimit},
		{id: "C31r", src: "Iterator.from({next(){ return {value:1,done:false} }}).filter(()=>false).next()", want: timeLimit},
		{id: "C31s", src: "Iterator.from({next(){ return {value:1,done:false} }}).every(()=>true)", want: timeLimit},
		{id: "C31t", src: "Math.hypot(...new Array(1000000).fill(1)); for(;;) Math.max.apply(null,new Array(1000000).fill(1))", want: bounded},
		{id: "C31u", src: "const a=new Array(1e6); for(;;) { delete a[5]; a.includes(1); a.indexOf(1); a.findLast(x=>x) }", want: anyLimit},
		{id: "C31v", src: "Object.defineProperties({}, new Proxy({},{ownKeys:()=>Array.from({length:300000},(_, i)=>'k'+i),getOwnPropertyDescriptor:()=>({value:{},enumerable:true,configurable:true}),get:()=>({value:1})}))", want: bounded + "|value"},
		{id: "C31w", src: "Object.fromEntries({[Symbol.iterator]:()=>({next:()=>({value:['a',1],done:false})})})", want: anyLimit},
		{id: "C31x", src: "const a=[]; for(let i=0;i<300000;i++) a.push(i); for(;;) { a.shift(); a.unshift(1) }", want: anyLimit},
		{id: "C31y", src: "const a=[]; a[4294967290]=1; for(let i=0;i<100000;i++) a[i*3]=1; for(;;) { a.reverse(); a.indexOf(77); a.sort() }", want: anyLimit},
		{id: "C31z", src: "const o={}; for(let i=0;i<2000;i++) o['a'+i]=1; for(;;) for(let i=0;i<2000;i++) { delete o['a'+i]; o['a'+i]=1 }", want: anyLimit},
		{id: "C32a", src: "const u=new Uint32Array(1<<22); for(;;) { u.indexOf(1); u.includes(1); u.lastIndexOf(1); u.join().length }", want: bounded},
		{id: "C32b", src: "const u=new Uint8Array(1<<24); for(;;) { u.slice(); u.set(u); u.subarray(1); new Uint8Array(u); new Float64Array(1<<20).set(new Uint8Array(1<<20)) }", want: bounded},
		{id: "C32c", src: "const b=new ArrayBuffer(1<<24); for(;;) b.slice(0)", want: bounded},
		{id: "C32d", src: "const u=new BigInt64Array(1<<20); for(;;) u.fill(5n).toSorted()", want: bounded},
		{id: "C33a", src: "const p=new Proxy(new Array(1e6).fill(1),{}); for(;;) { p.slice(); JSON.stringify(p); p.concat(p) }", want: bounded},
		{id: "C33b", src: "const f=n=>n<2?n:f(n-1)+f(n-2); f(100)", want: timeLimit},
		{id: "C33c", src: "let s=''; for(let i=0;i<41;i++) s+='function f'+i+'(){'+(i<40?'f'+(i+1)+'();f'+(i+1)+'()':'')+'}'; eval(s+'f0()')", want: timeLimit},
		{id: "C33d", src: "eval('x=0;'+'x=x+1;'.repeat(100000))", want: bounded + "|value"},
		{id: "C33e", src: "const x={valueOf(){ for(;;); }}; [3,1].sort(()=>x)", want: timeLimit},
		{id: "C33f", src: "label: for(;;) { for(;;) continue label }", want: timeLimit},
		{id: "C33g", src: "do { try { continue } finally { } } while(true)", want: timeLimit},
		{id: "C33h", src: "for(const x of {[Symbol.iterator](){ return {next(){ return {done:false} }} }});", want: timeLimit},
		{id: "C33i", src: "(function*(){ yield* (function*(){ for(;;) yield 1 })() })().forEach(()=>{})", want: timeLimit},
		{id: "C33j", src: "with({}) { for(;;) x = 1 } var x", want: timeLimit},
		{id: "C33k", src: "for(;;) Math.random()", want: timeLimit},
		{id: "C33loc-compare", src: "const a='é'.repeat(1<<24)+'x', b='é'.repeat(1<<24)+'y'; for(;;) a.localeCompare(b)", want: anyLimit},
		{id: "C33loc-ascii", src: "const a='a'.repeat(1<<24)+'x', b='a'.repeat(1<<24)+'y'; for(;;) a.localeCompare(b)", want: anyLimit},
		{id: "C33loc-wide", src: "const a='я'.repeat(1<<22)+'x', b='я'.repeat(1<<22)+'y'; const c=new Intl.Collator('ja',{numeric:true}).compare; for(;;) c(a,b)", want: anyLimit},
		{id: "C33loc-marks", src: "const a='я'+'\\u0301\\u0323'.repeat(1<<21), b='я'+'\\u0323\\u0301'.repeat(1<<21); for(;;) a.localeCompare(b,'es')", want: anyLimit},
		{id: "C33loc-digits", src: "const a='0'.repeat(1<<23)+'1', b='0'.repeat(1<<22)+'1', c=new Intl.Collator('en',{numeric:true}).compare; for(;;) c(a,b)", want: anyLimit},
		{id: "C33loc-digits2", src: "const a='1x'.repeat(1<<22)+'1', c=new Intl.Collator('en',{numeric:true,ignorePunctuation:true}).compare; for(;;) c(a,a+'-')", want: anyLimit},
		{id: "C33loc-ignored", src: "const a='-'.repeat(1<<23), c=new Intl.Collator('en',{ignorePunctuation:true}).compare; for(;;) c(a,a+'-')", want: anyLimit},
		{id: "C33loc-sort", src: "const a=Array.from({length:1e5},(_, i)=>'é'+(i*7919%1e5)); for(;;) a.slice().sort((x,y)=>x.localeCompare(y,'de',{numeric:true}))", want: anyLimit},
		{id: "C33loc-many", src: "for(let i=0;;i++) 'ä'.localeCompare('b','de-u-kn-x-'+i)", want: anyLimit},
		{id: "C33loc-tags", src: "const a=[]; for(let i=0;i<1e6;i++) a.push('en-x-'+i.toString(36)); for(;;) Intl.getCanonicalLocales(a)", want: anyLimit},
		{id: "C33loc-tag", src: "const s='en'+'-abcde'.repeat(1e6); for(;;) try { new Intl.Locale(s) } catch {}", want: anyLimit},
		{id: "C33loc-length", src: "Intl.getCanonicalLocales({length:2**53})", want: anyLimit},
		{id: "C33loc-case", src: "const s='I\\u0323'.repeat(1<<22); for(;;) s.toLocaleLowerCase('tr')+s.toLocaleUpperCase('lt')", want: anyLimit},
		{id: "C33loc-list", src: "const f=new Intl.ListFormat('es'); const a=Array(1e6).fill('i'.repeat(99)); for(;;) f.format(a)+f.formatToParts(a)", want: anyLimit},
		{id: "C33loc-list2", src: "new Intl.ListFormat().format({*[Symbol.iterator]() { for(;;) yield 'x' }})", want: anyLimit},
		{id: "C33loc-segment", src: "const s='a\\u0301'.repeat(1<<21); for(const g of ['grapheme','word','sentence']) for(const x of new Intl.Segmenter('en',{granularity:g}).segment(s+s)); for(;;);", want: anyLimit},
		{id: "C33loc-cluster", src: "const s='a'+'\\u0301'.repeat(1<<22), g=new Intl.Segmenter().segment(s); for(;;) g.containing(1<<21)", want: anyLimit},
		{id: "C33loc-contain", src: "const s='a.'.repeat(1<<22), g=new Intl.Segmenter('en',{granularity:'sentence'}).segment(s); for(let i=0;;i++) g.containing((i*7919)%s.length)", want: anyLimit},
		{id: "C33loc-midword", src: "const s='a'+'\\''.repeat(1)+'\\u00ad'.repeat(1<<22), g=new Intl.Segmenter('en',{granularity:'word'}); for(;;) for(const x of g.segment(s));", want: anyLimit},
		{id: "C33loc-lower", src: "const s='a. '+'1 '.repeat(1<<14), g=new Intl.Segmenter('en',{granularity:'sentence'}); for(;;) for(const x of g.segment(s.repeat(64)));", want: anyLimit},
		{id: "C33loc-keep", src: "const a=[]; for(;;) { const c=new Intl.Collator('de'); a.push(c,c.compare,new Intl.Locale('de'),new Intl.Segmenter().segment('x')) }", want: anyLimit},
		{id: "C33loc-names", src: "const n=['language','region','script','currency','calendar'].map(type=>new Intl.DisplayNames('ja',{type})); for(;;) for(const x of n) try { x.of('en-'+'abcde-'.repeat(1e5)) } catch {}", want: anyLimit},
		{id: "C33l", src: "const c=new Intl.Collator(); for(;;) c", want: timeLimit + "|throw:ReferenceError"},
		{id: "C33m", src: "switch(1) { case (()=>{ for(;;); })(): }", want: timeLimit},
		{id: "C33n", src: "const a=Array.from({length:3000},(_, i)=>i%3?NaN:-0); for(;;) { a.includes(NaN); new Set(a); a.toLocaleString() }", want: anyLimit},
		{id: "C33o", src: "const d=new Date(); for(;;) d.toLocaleString()", want: timeLimit},
		{id: "C33o-options", src: "const d=new Date(); for(;;) d.toLocaleString('ja',{dateStyle:'full',timeStyle:'full',timeZone:'Asia/Tokyo'})", want: timeLimit},
		{id: "C33o-new", src: "for(;;) new Intl.DateTimeFormat('en',{timeZone:'Europe/Paris',dateStyle:'full'}).formatRange(0,1e12)", want: timeLimit},
		{id: "C33o-many", src: "for(let i=0;;i++) new Intl.DateTimeFormat('en',{timeZone:'Etc/GMT-'+(i%14+1),hour:'numeric',second:i&1?'numeric':undefined,month:i&2?'long':undefined}).formatRangeToParts(0,1e12)", want: timeLimit},
		{id: "C33o-keep", src: "const a=[]; for(;;) { const f=new Intl.DateTimeFormat(); a.push(f, f.format, f.formatToParts(0)) }", want: anyLimit},
		{id: "C33o-text", src: "const s='x'.repeat(1<<24); for(;;) for(const k of ['timeZone','calendar','numberingSystem','hourCycle']) try { new Intl.DateTimeFormat('en',{[k]:s}) } catch {}", want: anyLimit},
		{id: "C33num", src: "for(let i=0;;i++) (i*1.5).toLocaleString()", want: timeLimit},
		{id: "C33num-options", src: "for(let i=0;;i++) i.toLocaleString('ja',{style:'currency',currency:'USD',minimumFractionDigits:i%100,maximumFractionDigits:100})", want: timeLimit},
		{id: "C33num-new", src: "for(;;) new Intl.NumberFormat('fr',{style:'unit',unit:'liter-per-kilometer',unitDisplay:'long'}).formatRange(1,2)", want: timeLimit},
		{id: "C33num-keep", src: "const a=[]; for(;;) { const f=new Intl.NumberFormat(); a.push(f, f.format, f.formatToParts(1e300), f.resolvedOptions()) }", want: anyLimit},
		{id: "C33num-big", src: "for(let n=1n;;n<<=4096n) { n.toLocaleString('en-u-nu-mathsans'); new Intl.NumberFormat('de',{maximumSignificantDigits:3}).formatToParts(n) }", want: anyLimit},
		{id: "C33num-huge", src: "let n=1n<<25000000n; for(;;) new Intl.NumberFormat('en-u-nu-mathsans').formatRangeToParts(n,n+1n)", want: anyLimit},
		{id: "C33num-digits", src: "const s='0.'+'1'.repeat(1<<23), t='9'.repeat(300)+'.'+s.slice(2); const f=new Intl.NumberFormat(); for(;;) f.format(s)+f.formatRange(t,s)", want: anyLimit},
		{id: "C33num-exponent", src: "const f=new Intl.NumberFormat('en',{maximumSignificantDigits:21}); for(;;) f.format('1e-999999999')+f.format('1e999999999')+f.format('1'+'0'.repeat(1<<20)+'e-1048570')", want: anyLimit},
		{id: "C33num-text", src: "const s='x'.repeat(1<<24); for(;;) for(const k of ['style','currency','unit','numberingSystem','useGrouping','roundingMode']) try { new Intl.NumberFormat('en',{[k]:s}) } catch {}", want: anyLimit},
		{id: "C33num-rules", src: "const a=new Intl.RelativeTimeFormat('pl',{numeric:'auto'}); for(let i=0;;i++) new Intl.PluralRules('ar',{type:i&1?'ordinal':'cardinal'}).select(i)+a.formatToParts(i,'day')", want: timeLimit},
		{id: "C33p", src: "for(;;) (1.7976931348623157e308).toFixed(100), (5e-324).toPrecision(100), (1/3).toString(2)", want: timeLimit},
		{id: "C33q", src: "for(;;) JSON.parse('{\"__proto__\":1,\"a\":'.repeat(100)+'1'+'}'.repeat(100))", want: anyLimit},
		{id: "C33r", src: "const o=JSON.parse('['+'1,'.repeat(1000000)+'1]'); for(;;) JSON.parse(JSON.stringify(o),(k,v)=>v)", want: bounded},

		// W: the globals of web standards.
		{id: "W1", src: "for (const n of [1e3, 1e5, 1e6, 4e6]) try { new URL('http://' + 'é'.repeat(n)) } catch {}", want: anyLimit + "|value"},
		{id: "W1b", src: "let s = ''; for (let i = 0x4E00; i < 0x9000; i++) s += String.fromCharCode(i); for (;;) URL.canParse('http://' + s.slice(0, 1300))", want: anyLimit},
		{id: "W1c", src: "for (;;) URL.canParse('http://' + 'xn--4ca.'.repeat(500) + 'é')", want: anyLimit},
		{id: "W2", src: "for (let n = 1e4;; n *= 2) URL.canParse('http://' + 'a@'.repeat(n) + 'h')", want: anyLimit},
		{id: "W3", src: "for (let n = 1e4;; n *= 2) URL.canParse('http://h/' + 'a/../'.repeat(n) + './'.repeat(n))", want: anyLimit},
		{id: "W3b", src: "for (let n = 1e4;; n *= 2) URL.canParse('/'.repeat(n), 'http://h/' + '/a'.repeat(n))", want: anyLimit},
		{id: "W4", src: "for (let n = 1e4;; n *= 2) URL.canParse('http://h?' + '\\u{1f600}'.repeat(n))", want: anyLimit},
		{id: "W5", src: "for (let n = 1e4;; n *= 2) { URL.canParse('http://' + '1.'.repeat(n)); URL.canParse('http://0x' + 'f'.repeat(n)); URL.canParse('http://h:' + '0'.repeat(n)); URL.canParse('http://[' + ':'.repeat(n)) }", want: anyLimit},
		{id: "W6", src: "const u = new URL('http://h'); for (;;) u.searchParams.append('a', 'b')", want: anyLimit},
		{id: "W6b", src: "const p = new URLSearchParams(); for (let i = 0;; i++) { p.append('k' + i, i); p.get('none'); p.delete('none') }", want: anyLimit},
		{id: "W6c", src: "const p = new URLSearchParams('a&'.repeat(1e5)); for (;;) { p.sort(); String(p); p.getAll('a') }", want: anyLimit},
		{id: "W6d", src: "const p = new URLSearchParams('a=1'); p.forEach(() => p.append('a', 1))", want: anyLimit},
		{id: "W6e", src: "new URLSearchParams((function* () { for (;;) yield ['a', 'b'] })())", want: anyLimit},
		{id: "W6f", src: "new URLSearchParams([(function* () { for (;;) yield 'a' })()])", want: anyLimit},
		{id: "W6g", src: "const u = new URL('http://h/?' + 'a=%F0%9F%98%80&'.repeat(1e4)); for (;;) { u.search = u.search; u.searchParams.set('b', 1) }", want: anyLimit},
		{id: "W7", src: "const e = new TextEncoder(), d = new TextDecoder(); let s = 'é\\u{1f600}a'; for (;;) s += d.decode(e.encode(s))", want: bounded},
		{id: "W7b", src: "const b = new Uint8Array(4e6).fill(0xE2), ds = ['utf-8', 'utf-16le', 'koi8-r'].map(x => new TextDecoder(x)); for (;;) ds.forEach(d => d.decode(b))", want: anyLimit},
		{id: "W7c", src: "const d = new TextDecoder(), b = new Uint8Array([0xF0]); for (;;) d.decode(b, {stream: true})", want: anyLimit},
		{id: "W7d", src: "const e = new TextEncoder(), s = '\\ud800'.repeat(1e6), b = new Uint8Array(1e6); for (;;) e.encodeInto(s, b)", want: anyLimit},
		{id: "W8", src: "let s = 'abc'; for (;;) s = btoa(s)", want: bounded},
		{id: "W8b", src: "const s = ' '.repeat(3e6) + 'YQ=='; for (;;) atob(s)", want: anyLimit},
		{id: "W9", src: "const b = new Uint8Array(65536); for (;;) crypto.getRandomValues(b)", want: anyLimit},
		{id: "W9b", src: "const a = []; for (;;) a.push(crypto.randomUUID())", want: anyLimit},
		{id: "W10", src: "class U extends URL { get href() { return new U(this).href } } new U('http://h').href; URL.prototype.toString = function () { return String(this) }; String(new URL('http://h'))", want: deep},

		// D: promises.
		{id: "D1", src: "const inner=async()=>{ await Promise.resolve(); for(;;); }; (async()=>{ while(true) { await inner().catch(()=>{}) } })()", want: timeLimit},
		{id: "D4", src: "function f(){ Promise.resolve().then(f) } f()", want: timeLimit},
		{id: "D8", src: "(async()=>{ for(;;) await null })()", want: timeLimit},
		{id: "D8b", src: "for await (const x of (async function*(){ for(;;) yield 1 })());", goal: js.FunctionBody, want: timeLimit},
		{id: "D8c", src: "const t={then(r){ r(t) }}; await t", goal: js.FunctionBody, want: anyLimit},
		{id: "D8d", src: "Promise.all({[Symbol.iterator]:()=>({next:()=>({value:1,done:false})})})", want: anyLimit},
		{id: "D8K", src: "Promise.allKeyed(new Proxy({}, {ownKeys: () => Array.from({length: 3e6}, (_, i) => 'k' + i)}))", want: anyLimit + "|value"},
		{id: "D8L", src: "Promise.allSettledKeyed(Object.fromEntries(Array.from({length: 1e6}, (_, i) => ['k' + i, i])))", want: anyLimit + "|value"},
		{id: "D8M", src: "(function* () { for (;;) yield 'x'.repeat(1000) })().join()", want: bounded},
		{id: "D8N", src: "Iterator.from({next: () => ({value: '', done: false})}).join('')", want: timeLimit},
		{id: "D8O", src: "const a = []; for (;;) a.push(new ArrayBuffer(1 << 20).transferToImmutable())", want: memLimit},
		{id: "D8P", src: "const b = new ArrayBuffer(1 << 24); for (;;) b.sliceToImmutable()", want: anyLimit},
		{id: "D8e", src: "Promise.any(Array(1000000).fill(Promise.reject(1)))", want: bounded + "|value|throw:AggregateError|throw:"},
		{id: "D8f", src: "const a=Array.from({length:100000},()=>new Promise(()=>{})); for(;;) Promise.race(a)", want: anyLimit},
		{id: "D8g", src: "await Array.fromAsync({length:2**53-1})", goal: js.FunctionBody, want: bounded + "|throw:TypeError"},
		{id: "D8h", src: "let p=Promise.reject(1); for(let i=0;;i++) { const q=Promise.reject(i); q.catch(()=>{}); Promise.reject(2) }", want: anyLimit},
		{id: "D8i", src: "const rs=[]; for(let i=0;i<50000;i++) rs.push(Promise.reject(i)); for(const r of rs) r.catch(()=>{}); 1", want: anyLimit + "|value"},

		// E: nesting.
		{id: "E1", src: "const a=[1,2,3]; a[42]=a; a+1", want: "value"},
		{id: "E1b", src: "const a=[],b=[a]; a.push(b,a,b); [String(a),a.toLocaleString(),a.join()].length", want: "value=3"},
		{id: "E11", src: "let o=[]; for(let i=0;i<500000;i++) o=[o]; JSON.stringify(o)", want: deep},
		{id: "E11b", src: "JSON.parse('{\"a\":'.repeat(500000)+'1'+'}'.repeat(500000)); 1", want: nested},
		{id: "E11c", src: "JSON.parse('['.repeat(900)+']'.repeat(900),(k,v)=>[v,v]); 1", want: nested},
		{id: "E14a", src: "let e; for(let i=0;i<100000;i++) e=new Error('x',{cause:e}); String(e)+e.stack", want: deep},
		{id: "E14b", src: "let e=1; for(let i=0;i<100000;i++) e=new AggregateError([e],'x'); String(e)", want: deep},
		{id: "E14c", src: "let e=1; for(let i=0;i<100000;i++) e=new SuppressedError(e,e,'x'); throw e", want: deep + "|throw:SuppressedError"},
		{id: "E14d", src: "let o={}; for(let i=0;i<100000;i++) o=Object.create(o); 'x' in o; o.x=1; Object.create(o) instanceof Object; for(const k in o) k; o.y", want: deep},
		{id: "E14e", src: "let o=function(){}; for(let i=0;i<100000;i++) o=new Proxy(o,{}); Array.isArray(o); typeof o; try { o() } catch {} ; Object.keys(o)", want: deep},
		{id: "E14f", src: "let o={}; for(let i=0;i<100000;i++) o=new Proxy({},Object.setPrototypeOf({},o)); o.x", want: deep},
		{id: "E14g", src: "let o={}; for(let i=0;i<100000;i++) o=Object.setPrototypeOf({},new Proxy(o,{})); 'x' in o; o.x=1", want: deep},
		{id: "E14h", src: "let f=class{}; for(let i=0;i<100000;i++) f=f.bind(); new f", want: deep},
		{id: "E14i", src: "let f=class{}; for(let i=0;i<100000;i++) f=f.bind(); ({}) instanceof f", want: deep},
		{id: "E14j", src: "let p=Promise.resolve(1); for(let i=0;i<100000;i++) { const q=p; p=new Promise(r=>r(q)) } await p", goal: js.FunctionBody, want: deep},
		{id: "E14k", src: "let p=Promise.resolve(1); for(let i=0;i<100000;i++) p=p.then(x=>x); await p", goal: js.FunctionBody, want: deep},
		{id: "E14l", src: "async function f(n){ return n?await f(n-1):1 } await f(100000)", goal: js.FunctionBody, want: deep},
		{id: "E14m", src: "new RegExp('('.repeat(100000)+'a'+')'.repeat(100000)).test('a')", want: nested},
		{id: "E14n", src: "new RegExp('(?:'.repeat(100000)+'a'+')*'.repeat(100000)).test('a')", want: nested},
		{id: "E14o", src: "new RegExp('['.repeat(100000)+'a'+']'.repeat(100000),'v').test('a')", want: nested},
		{id: "E14p", src: "new RegExp('(?='.repeat(100000)+'a'+')'.repeat(100000)).test('a')", want: nested},
		{id: "E14q", src: "let a=[]; for(let i=0;i<100000;i++) a=[a]; a.flat(Infinity); String(a)", want: deep},
		{id: "E14r", src: "let a=[]; for(let i=0;i<100000;i++) a=[a]; structuredClone(a)", want: deep},
		{id: "E14s", src: "let it=[1].values(); for(let i=0;i<100000;i++) it=it.map(x=>x); it.next()", want: deep},
		{id: "E14t", src: "function* g(n){ if(n) yield* g(n-1); else yield 1 } [...g(100000)]", want: deep},
		{id: "E14u", src: "let it=[1][Symbol.iterator](); for(let i=0;i<100000;i++) { const p=it; it={next:()=>p.next(),[Symbol.iterator](){return this}} } it.next()", want: deep},
		{id: "E14v", src: "let c=class{}; for(let i=0;i<20000;i++) c=class extends c{}; new c", want: deep},
		{id: "E14w", src: "let g=(function*(){})(); for(let i=0;i<100000;i++) { const p=g; g=(function*(){ yield* p })() } g.next()", want: deep},
		{id: "E14x", src: "let o={toString(){ return 'x' }}; for(let i=0;i<100000;i++) { const p=o; o={toString(){ return `${p}` }} } `${o}`", want: deep},
		{id: "E14y", src: "let it=[1].values(); for(let i=0;i<100000;i++) it=it.flatMap(x=>[x]); it.next()", want: deep},
		{id: "E14z", src: "let o={a:1}; for(let i=0;i<100000;i++) o={a:o}; let f=x=>x&&f(x.a); f(o)", want: deep},
		{id: "E15a", src: "let d=new DisposableStack(); for(let i=0;i<100000;i++) { const e=new DisposableStack(); e.use(d); d=e } d.dispose()", want: deep},
		{id: "E15b", src: "let p=new Proxy({},{}); Object.setPrototypeOf(p,{}); const h={}; let q=new Proxy({},h); h.__proto__=q; q.x", want: deep + "|throw:TypeError"},
		{id: "E15c", src: "const p=new Proxy([],{}); p.__proto__=p; p.x", want: deep + "|throw:TypeError"},
		{id: "E15d", src: "const a=[]; const p=new Proxy({},{getPrototypeOf(){ return p }}); p instanceof Object; Object.prototype.isPrototypeOf.call({},p)", want: deep},
		{id: "E15e", src: "const o={get [Symbol.toPrimitive](){ return ()=>+o }}; +o", want: deep},
		{id: "E15f", src: "class A { static [Symbol.hasInstance](x){ return x instanceof A } } ({}) instanceof A", want: deep},
		{id: "E15g", src: "Function.prototype.call.bind(Function.prototype.call).call.call.call(Function.prototype.call,()=>1)", want: deep + "|throw:TypeError"},
		{id: "E15h", src: "let f=()=>1; for(let i=0;i<50000;i++) { const g=f; f=Function.prototype.apply.bind(g,null) } f([])", want: deep + "|throw:TypeError"},
		{id: "E15i", src: "function f(){ Reflect.apply(f,null,[]) } f()", want: deep},
		{id: "E15j", src: "const f=()=>{ [1].forEach(f) }; f()", want: deep},
		{id: "E15k", src: "const f=()=>eval('f()'); f()", want: deep},
		{id: "E15l", src: "const f=()=>new Function('f','f()')(f); f()", want: deep},
		{id: "E15m", src: "Error.prepareStackTrace=()=>new Error().stack; new Error().stack", want: deep},
		{id: "E15n", src: "let s='1'; for(let i=0;i<500;i++) s='eval('+JSON.stringify(s)+')'; s.length", want: bounded},
		{id: "E15o", src: "Object.defineProperty(Array.prototype,'0',{get(){ return [].concat(new Array(2)) }}); [,].concat([,])+''", want: deep},
		{id: "E15p", src: "Array.prototype[Symbol.iterator]=function(){ return [...[1]] }; [...[1]]", want: deep + "|throw:TypeError"},
		{id: "E15q", src: "const a=[1]; a.constructor={[Symbol.species]:function(){ return a.map(x=>x) }}; a.map(x=>x)", want: deep},
		{id: "E15r", src: "RegExp.prototype.exec=function(){ return /x/[Symbol.replace]('x','y') }; 'x'.replace(/x/,'y')", want: deep},
		{id: "E15s", src: "Promise.prototype.then=function(){ return Promise.resolve().finally(()=>{}) }; Promise.resolve().finally(()=>{})", want: deep},
		{id: "E15t", src: "let j={}; for(let i=0;i<100;i++) j={a:j}; const big={toJSON(){ return j }}; let x={toJSON(){ return {x} }}; JSON.stringify(x)", want: deep},

		// L: engine safety.
		{id: "L1", src: "for(let k=0;k<30;k++) { const a=[0]; a.length=245; a.push(2); if (a.length!==246||a[245]!==2) throw 1 } 1", want: "value=1"},
		{id: "L2", src: "const d=new DisposableStack(); const junk=[]; d.defer(()=>{ for(let i=0;i<100000;i++) junk.push({i}) }); d.dispose(); junk.length", want: "value=100000"},
		{id: "L3", src: "const d=new AsyncDisposableStack(); d.defer(()=>Promise.reject(new Error('x'))); await d.disposeAsync()", goal: js.FunctionBody, want: "throw:Error"},
		{id: "L4", src: "(()=>{ for(let i=0;i<10000;i++) { const o={}; o.r=new FinalizationRegistry(()=>o); o.r.register(o,o.r) } })(); for(let i=0;i<300000;i++) ({i}); 1", want: "value=1|throw:TypeError"},
		{id: "L5", src: "let esc; function* g(){ let x={a:[1,2,3]}; esc=()=>it; const it=this; yield 1; return x.a[2] } let it=g.call(null); it.next(); it=(i=>()=>i)(it); for(let i=0;i<300000;i++) [i]; it().next().value", want: "value=3"},
		{id: "L6", src: "const a=[1,2,3]; delete a[1]; a.push(4); delete a[3]; a.push(5); a.length+','+(1 in a)+','+(3 in a)+','+a", want: "value=5,false,false,1,,3,,5"},
		{id: "L7", src: "function f(a,b){ arguments[0]=5; const g=()=>a; arguments.length=1; delete arguments[1]; b=9; return [g(),arguments[1],arguments.length]+'' } f(1,2)", want: "value=5,,1"},
		{id: "L8", src: "const it=Iterator.concat([1,2],{[Symbol.iterator](){ it.return(); return [3].values() }}); let r=[]; try { for(const x of it) r.push(x) } catch(e) { r.push(e.name) } r+''", want: "value=1,2,TypeError"},
		{id: "L9", src: "const x=2n**40000n; BigInt(x.toString())===x && BigInt('0x'+x.toString(16))===x && BigInt.asUintN(64,x+5n)===5n", want: "value=true"},
		{id: "L11", src: "let p=[]; for(let i=0;i<300000;i++) p=new Proxy(p,{}); Array.isArray(p)", want: deep},
	}

	// C7: every array method over a huge array-like.
	methods := map[string]string{
		"every": "()=>true", "some": "()=>false", "find": "()=>false", "findIndex": "()=>false", "findLast": "()=>false", "findLastIndex": "()=>false",
		"forEach": "()=>1", "map": "()=>1", "filter": "()=>false", "indexOf": "1", "lastIndexOf": "1", "includes": "1", "reduce": "()=>1,1", "reduceRight": "()=>1,1",
		"join": "''", "fill": "1", "copyWithin": "0,3", "reverse": "", "sort": "", "slice": "", "splice": "0,1", "shift": "", "unshift": "1",
		"flat": "", "flatMap": "x=>x", "toReversed": "", "toSorted": "", "toSpliced": "0,1", "with": "0,1", "concat": "[1]", "at": "5", "toString": "", "toLocaleString": "",
		"pop": "", "push": "1", "entries": "", "keys": "", "values": "",
	}
	for _, name := range sortedKeys(methods) {
		for _, length := range []string{"2**32-1", "2**53-1"} {
			id := "C7-" + name + "-32"
			if length != "2**32-1" {
				id = "C7-" + name + "-53"
			}
			call := "Array.prototype." + name + ".call"
			args := ""
			if methods[name] != "" {
				args = "," + methods[name]
			}
			cases = append(cases, hostile{id: id, src: fmt.Sprintf("for(;;) [...[%s({length:%s}%s)]]", call, length, args), want: bounded + "|throw:TypeError"})
		}
	}
	for _, name := range []string{"every", "some", "find", "findLast", "forEach", "map", "filter", "reduce", "reduceRight", "sort", "toSorted", "toReversed", "fill", "set", "indexOf", "join", "slice", "reverse", "with", "copyWithin", "toLocaleString"} {
		arg := methods[name]
		if name == "set" {
			arg = "new Array(1<<20).fill(1)"
		}
		cases = append(cases, hostile{id: "C7-typed-" + name, src: fmt.Sprintf("const u=new Uint8Array(1<<22); for(;;) u.%s(%s)", name, arg), want: bounded})
	}

	// E9, E12, C29: source text nested a hundred thousand deep, through eval and
	// compiled beforehand.
	for _, s := range nestingShapes {
		for _, n := range []int{1000, 100_000} {
			cases = append(cases, hostile{id: fmt.Sprintf("E9-%s-%d", s.name, n), src: s.make(n), ts: s.ts, want: nested + "|throw:ReferenceError|throw:TypeError"})
		}
		if !s.ts {
			cases = append(cases, hostile{id: fmt.Sprintf("E9-%s-eval", s.name), want: nested + "|throw:ReferenceError|throw:TypeError",
				src: fmt.Sprintf("eval(%q.repeat(100000)+%q+%q.repeat(100000))", s.open, s.mid, s.close)})
		}
	}
	return cases
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	// Few enough for the simplest sort.
	for i := range keys {
		for j := i; j > 0 && keys[j] < keys[j-1]; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}

// A nestingShape is source text that nests as deep as one likes: open n times,
// mid, close n times.
type nestingShape struct {
	name, open, mid, close string
	ts                     bool
}

func (s nestingShape) make(n int) string {
	return strings.Repeat(s.open, n) + s.mid + strings.Repeat(s.close, n)
}

var nestingShapes = []nestingShape{
	{name: "arrow-defaults", open: "(a=", mid: "1", close: ")=>1"},
	{name: "arrow-defaults-open", open: "(a=", mid: "1"},
	{name: "arrow-patterns", open: "([a=", mid: "1", close: "])=>1"},
	{name: "arrow-objects", open: "({a=", mid: "1", close: "})=>1"},
	{name: "async-arrows", open: "async(a=", mid: "1", close: ")=>1"},
	{name: "blocks", open: "{", mid: "", close: "}"},
	{name: "blocks-open", open: "{"},
	{name: "arrows", open: "a=>", mid: "1"},
	{name: "arrow-bodies", open: "()=>{", mid: "1", close: "}"},
	{name: "parens", open: "(", mid: "1", close: ")"},
	{name: "parens-open", open: "("},
	{name: "arrays", open: "[", mid: "1", close: "]"},
	{name: "arrays-open", open: "["},
	{name: "array-patterns", open: "[a=[", mid: "1", close: "]]"},
	{name: "objects", open: "({a:", mid: "1", close: "})"},
	{name: "functions", open: "(function(){", mid: "", close: "})"},
	{name: "classes", open: "(class{a=", mid: "1", close: "})"},
	{name: "class-extends", open: "(class extends ", mid: "x", close: "{})"},
	{name: "class-keys", open: "(class{[", mid: "1", close: "]=1})"},
	{name: "unary", open: "!", mid: "1"},
	{name: "minus", open: "- ", mid: "1"},
	{name: "typeof", open: "typeof ", mid: "1"},
	{name: "new", open: "new ", mid: "x"},
	{name: "await", open: "await ", mid: "x"},
	{name: "ternary", open: "1?1:", mid: "1"},
	{name: "ternary-left", open: "1?", mid: "1", close: ":1"},
	{name: "plus", open: "1+", mid: "1"},
	{name: "power", open: "1**", mid: "1"},
	{name: "coalesce", open: "1??", mid: "1"},
	{name: "comma", open: "1,", mid: "1"},
	{name: "assign", open: "a=", mid: "1"},
	{name: "member", open: "", mid: "a", close: ".a"},
	{name: "index", open: "", mid: "a", close: "[a]"},
	{name: "index-in", open: "a[", mid: "1", close: "]"},
	{name: "call", open: "", mid: "(()=>{})", close: "()"},
	{name: "call-in", open: "String(", mid: "1", close: ")"},
	{name: "optional", open: "", mid: "globalThis", close: "?.a"},
	{name: "templates", open: "`${", mid: "1", close: "}`"},
	{name: "tagged", open: "", mid: "a", close: "``"},
	{name: "if", open: "if(1)", mid: ";"},
	{name: "else", open: "if(0);else ", mid: ";"},
	{name: "for", open: "for(;0;)", mid: ";"},
	{name: "for-of", open: "for(x of [])", mid: ";"},
	{name: "while", open: "while(0)", mid: ";"},
	{name: "do", open: "do ", mid: ";", close: " while(0)\n"},
	{name: "label", open: "a", mid: ":", close: "1"},
	{name: "try", open: "try{", mid: "", close: "}finally{}"},
	{name: "switch", open: "switch(1){case 1:", mid: "", close: "}"},
	{name: "with", open: "with(a)", mid: ";"},
	{name: "yield", open: "function*g(){yield ", mid: "1", close: "}"},
	{name: "let-patterns", open: "", mid: "let [", close: "["},
	{name: "regex-groups", open: "/(/;", mid: "1"},
	{name: "labels", open: "x:{", mid: "", close: "}"},
	{name: "ts-generics", open: "a<", mid: "b", close: ">", ts: true},
	{name: "ts-generics-open", open: "<", ts: true},
	{name: "ts-types", open: "type a=Array<", mid: "b", close: ">", ts: true},
	{name: "ts-arrow", open: "<T>(", mid: "a", close: ")=>1", ts: true},
	{name: "ts-conditional", open: "type A=B extends C?", mid: "D", close: ":E", ts: true},
	{name: "ts-paren", open: "let x:(", mid: "A", close: ")", ts: true},
	{name: "ts-fn", open: "let x:(a:", mid: "A", close: ")=>B", ts: true},
	{name: "ts-as", open: "", mid: "1", close: " as any", ts: true},
	{name: "ts-array", open: "let x:", mid: "A", close: "[]", ts: true},
	{name: "ts-object", open: "type A={a:", mid: "B", close: "}", ts: true},
	{name: "ts-cast", open: "<any>", mid: "1", ts: true},
	{name: "ts-nonnull", open: "", mid: "a", close: "!", ts: true},
	{name: "ts-namespace", open: "namespace A{", mid: "", close: "}", ts: true},
	{name: "ts-cond-arrow", open: "a?(b):", mid: "c", close: "=>1", ts: true},
}
