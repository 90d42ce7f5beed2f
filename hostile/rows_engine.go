package hostile

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

// enginePrograms attack what this engine is made of: its tables, its shapes, its
// inline caches, its compiler (X); and what other engines crashed on (L).
var enginePrograms = []Case{
	{ID: "X1", Script: true, Source: collidingStrings + "const o={}; for(;;) for(const s of all) o[s]=1", Want: anyLimit},
	{ID: "X1b", Script: true, Source: collidingStrings + "const m=new Map(); for(;;) for(const s of all) m.set(s,1), m.delete(s+'x')", Want: anyLimit},
	{ID: "X1c", Script: true, Source: collidingStrings + "const s=new Set(all); for(;;) for(const x of all) s.has(x.slice(1))", Want: anyLimit},
	{ID: "X2", Script: true, Source: "let inv=1; for(let i=0;i<5;i++) inv=Math.imul(inv,2-Math.imul(2654435761,inv)); const a={}; const ix=[]; for(let h=0;h<4096;h++) for(let l=0;l<16;l++) ix.push(Math.imul((h<<20)|l,inv)>>>0); for(;;) for(const i of ix) a[i]=i", Want: anyLimit},
	{ID: "X3", Script: true, Source: "const m=new Map(); const b=new DataView(new ArrayBuffer(8)); for(let e=1;e<2000;e++) for(let k=0;k<16;k++) { b.setUint32(0,(e<<20)|(k<<16)); m.set(b.getFloat64(0),1) } for(;;) for(const k of m.keys()) m.has(k)", Want: anyLimit},
	{ID: "X4", Script: true, Source: "eval('with(a)'.repeat(60)+'{'+'x;'.repeat(100000)+'}')", Want: nested},
	{ID: "X4b", Script: true, Source: "eval('(function(){eval(\"\");'.repeat(60)+'{'+'x;'.repeat(100000)+'}'+'})'.repeat(60))", Want: nested},
	{ID: "X4c", Script: true, Source: "eval('{let a;'.repeat(900)+'x;'.repeat(300000)+'}'.repeat(900))", Want: nested},
	{ID: "X4d", Script: true, Source: "eval('var [' + 'a,'.repeat(300000) + ']=[]')", Want: bounded + "|value"},
	{ID: "X4e", Script: true, Source: "eval('switch(1){' + Array.from({length:60000},(_, i)=>'case '+i+':').join('') + '}')", Want: bounded + "|value"},
	{ID: "X4f", Script: true, Source: "eval('class A{' + Array.from({length:60000},(_, i)=>'#p'+i+';').join('') + '}')", Want: bounded + "|value"},
	{ID: "X4g", Script: true, Source: "for(let i=0;;i++) eval('function f'+i+'(){}')", Want: anyLimit},
	{ID: "X4h", Script: true, Source: "const f=[]; for(let i=0;;i++) f.push(eval('()=>'+i))", Want: anyLimit},
	{ID: "X5", Script: true, Source: `/^(.+)\1$/.test('a'.repeat(200001))`, Want: anyLimit + "|value=false"},
	{ID: "X5b", Script: true, Source: `/^(.+)(.+)\2\1$/i.test('a'.repeat(20001))`, Want: anyLimit + "|value=false"},
	{ID: "X5c", Script: true, Source: `'x'.repeat(10000000).replace(/(?:)/g,'')`, Want: bounded + "|value"},
	{ID: "X5d", Script: true, Source: `for(;;) /(?<=a+)b/.exec('a'.repeat(100000))`, Want: anyLimit},
	{ID: "X5e", Script: true, Source: `const r=/x/y; for(;;) { r.lastIndex=2**32; r.test('x'.repeat(1e6)); r.lastIndex=-1; r.test('y') }`, Want: anyLimit},
	{ID: "X5f", Script: true, Source: `'\u{1F600}'.repeat(3000000).split(/(?:)/u).length`, Want: bounded + "|value"},
	{ID: "X5g", Script: true, Source: `'ab'.repeat(1000000).split(/(a)(b)?/).length`, Want: bounded + "|value"},
	{ID: "X5h", Script: true, Source: `for(;;) 'a'.repeat(1000000).search(/b$/)`, Want: anyLimit},
	{ID: "X5i", Script: true, Source: `new RegExp('(?:' + 'a?'.repeat(20000) + ')' + 'a'.repeat(20000)).test('a'.repeat(20000))`, Want: nested},
	{ID: "X5j", Script: true, Source: `new RegExp('[' + Array.from({length:50000},(_, i)=>String.fromCodePoint(0x20000+i*2)).join('') + ']','iu').test('x')`, Want: bounded + "|value=false"},
	{ID: "X5k", Script: true, Source: `for(let i=0;;i++) new RegExp('a'.repeat(100000)+i)`, Want: anyLimit},
	{ID: "X6", Script: true, Source: "BigInt.asUintN(2**53-1,-1n)", Want: bounded},
	{ID: "X6b", Script: true, Source: "BigInt.asIntN(2**40,-(1n<<1000000n))", Want: bounded + "|value"},
	{ID: "X6c", Script: true, Source: "(1n<<30000000n).toString(2).length", Want: bounded + "|value"},
	{ID: "X6d", Script: true, Source: "BigInt('0x'+'f'.repeat(20000000)).toString(16).length", Want: bounded + "|value"},
	{ID: "X6e", Script: true, Source: "(-1n)**(2n**1000n); (2n)**(2n**1000n)", Want: bounded},
	{ID: "X6f", Script: true, Source: "for(;;) (3n**100000n)/(7n**50000n)", Want: anyLimit},
	{ID: "X6g", Script: true, Source: "const a=1n<<3000000n; for(;;) a==1e300, a<1.5, String(a)==a, BigInt(1e308)", Want: anyLimit},
	{ID: "X7", Script: true, Source: "const g=(async function*(){ await new Promise(()=>{}) })(); for(;;) g.next()", Want: memLimit},
	{ID: "X7b", Script: true, Source: "const g=(async function*(){ for(;;) yield })(); for(let i=0;i<200000;i++) g.next(); 1", Want: anyLimit + "|value"},
	{ID: "X7c", Script: true, Source: "const g=(async function*(){})(); for(let i=0;i<200000;i++) g.next(); g.return(); 1", Want: anyLimit + "|value"},
	{ID: "X8", Script: true, Source: "const w=new WeakRef({}), v=Array.from({length:20},()=>new WeakRef({})); for(;;) for(const x of v) x.deref()", Want: anyLimit},
	{ID: "X8b", Script: true, Source: "const r=new FinalizationRegistry(()=>{}), k=[]; for(let i=0;i<100000;i++) { const o={}; k.push(o); r.register(o,1,o) } for(const o of k) r.unregister(o)", Want: anyLimit + "|value"},
	{ID: "X8c", Script: true, Source: "const w=new WeakMap(), k=Array.from({length:200000},()=>({})); for(let i=k.length-2;i>=0;i--) w.set(k[i],k[i+1]); const first=k[0]; k.length=0; for(;;) new Array(1000).fill({})", Want: anyLimit},
	{ID: "X9", Script: true, Source: "const f=()=>{ throw new Error('x'.repeat(1e7)) }; for(;;) try { f() } catch(e) { e.stack.length; String(e) }", Want: anyLimit},
	{ID: "X9b", Script: true, Source: "const f=()=>new Error; Object.defineProperty(f,'name',{value:'x'.repeat(1e7)}); for(;;) f().stack", Want: anyLimit},
	{ID: "X9c", Script: true, Source: "const s=Symbol('x'.repeat(1e7)); for(;;) { try { s+1 } catch {} s.toString(); s.description; try { null[s] } catch {} }", Want: anyLimit},
	{ID: "X9d", Script: true, Source: "const s='x'.repeat(1e7); for(;;) { try { null[s] } catch {} try { s() } catch {} try { new s } catch {} try { undefined[s]=1 } catch {} try { ({})[s]() } catch {} try { s in 1 } catch {} }", Want: anyLimit},
	{ID: "X9e", Script: true, Source: "const a=new Array(1e6).fill('xy'), o={a}; for(;;) { try { a() } catch {} try { o.a.b.c } catch {} try { throw a } catch {} try { BigInt(a) } catch {} }", Want: anyLimit},
	{ID: "X10", Script: true, Source: "Uint8Array.fromBase64('A'.repeat(100000000)).length", Want: bounded + "|value"},
	{ID: "X10b", Script: true, Source: "new Uint8Array(20000000).toBase64().length; new Uint8Array(20000000).toHex().length; Uint8Array.fromHex('0'.repeat(20000000)).length", Want: bounded + "|value"},
	{ID: "X10c", Script: true, Source: "decodeURIComponent('%41'.repeat(10000000)).length; unescape('%41'.repeat(10000000)).length", Want: bounded + "|value"},
	{ID: "X10d", Script: true, Source: "const s='\\ud800'.repeat(10000000); s.isWellFormed(); s.toWellFormed().length", Want: bounded + "|value"},
	{ID: "X10e", Script: true, Source: "String.fromCodePoint(...new Array(1000000).fill(0x1f600)).length", Want: bounded + "|value=2000000"},
	{ID: "X10f", Script: true, Source: "const s='x'.repeat(1e8); for(;;) { s.at(-1); s.codePointAt(5); s[5e7]; s.slice(1,-1); s.substring(3) }", Want: anyLimit},
	{ID: "X10g", Script: true, Source: "for(let s='a';;s=s.toUpperCase()+'b') s.localeCompare(s+'c',undefined,{numeric:true})", Want: anyLimit},
	{ID: "X10h", Script: true, Source: "const b=new ArrayBuffer(8,{maxByteLength:1<<25}); for(;;) { b.resize(1<<25); b.resize(0) }", Want: anyLimit},
	{ID: "X11", Script: true, Source: "Iterator.zip?.([{next(){return {value:1,done:false}},[Symbol.iterator](){return this}}]).toArray()", Want: anyLimit + "|value"},
	{ID: "X11b", Script: true, Source: "Iterator.concat?.(...Array.from({length:100000},()=>[])).toArray()", Want: bounded + "|value"},
	{ID: "X11c", Script: true, Source: "new Set([1]).intersection({size:2**53,has:()=>true,keys(){ return {next(){ return {value:1,done:false} }} }})", Want: anyLimit + "|value"},
	{ID: "X11d", Script: true, Source: "Array.from({length:1e6},()=>0).toSorted(()=>{ for(let i=0;i<10;i++) [].concat([1]); return 1 })", Want: anyLimit + "|value"},
	{ID: "X11e", Script: true, Source: "JSON.stringify({a:1}, Array.from({length:1000000},(_, i)=>'k'+i))", Want: bounded + "|value"},
	{ID: "X11f", Script: true, Source: "JSON.rawJSON?.('1'.repeat(30000000)); JSON.parse('1'.repeat(30000000)); JSON.parse('0.'+'0'.repeat(30000000)+'1')", Want: bounded + "|value"},
	{ID: "X11g", Script: true, Source: "for(;;) try { JSON.parse('['.repeat(500)+'x'.repeat(1000000)) } catch {}", Want: anyLimit},
	{ID: "X12", Script: true, Source: "Object.prototype.__defineGetter__('then',function(){ return undefined }); for(;;) (async()=>({}))()", Want: anyLimit},
	{ID: "X12b", Script: true, Source: "const a=[]; for(let i=0;i<70000;i++) a.push({['k'+i]:1}); for(;;) for(const o of a) o.missing", Want: anyLimit},
	{ID: "X12c", Script: true, Source: "const p={}; const a=Array.from({length:100000},()=>Object.create(p)); for(let i=0;;i++) { p['k'+i]=1; a[i%a.length].k0 }", Want: anyLimit},
	{ID: "X12d", Script: true, Source: "for(let i=0;;i++) { const o={}; Object.setPrototypeOf(o,Object.create({['x'+i]:1})); o.y }", Want: anyLimit},
	{ID: "X12e", Script: true, Source: "function F(){} for(;;) { F.prototype={}; new F().x }", Want: anyLimit},
	{ID: "X12f", Script: true, Source: "const o={}; for(let i=0;i<5000;i++) o['k'+i]=i; for(;;) Object.defineProperty(o,'k77',{enumerable:Math.random()<.5})", Want: anyLimit},
	{ID: "X12g", Script: true, Source: "const o={}; for(let i=0;i<5000;i++) o['k'+i]=i; for(;;) { Object.isFrozen(o); Object.preventExtensions({...o}) }", Want: anyLimit},
	{ID: "X12h", Script: true, Source: "const a=[]; a.length=2**32-1; for(let i=0;i<100000;i++) Object.defineProperty(a,i*40000,{value:1,configurable:i>5}); a.length=0; for(;;) a.length=4e9", Want: anyLimit + "|throw:TypeError|throw:RangeError"},
	{ID: "X12i", Script: true, Source: "(function f(a,b,c,d,e,g,h,i,j,k){ let q=[a,b,c]; return f(q,q,q,q,q,q,q,q,q,q) })()", Want: "limit:stack"},
	{ID: "X12j", Script: true, Source: "eval('function f(){'+Array.from({length:20000},(_, i)=>'let a'+i+'=1;').join('')+'return f()}f()')", Want: deep},
	{ID: "L1", Script: true, Source: "for(let k=0;k<30;k++) { const a=[0]; a.length=245; a.push(2); if (a.length!==246||a[245]!==2) throw 1 } 1", Want: "value=1"},
	{ID: "L2", Script: true, Source: "const d=new DisposableStack(); const junk=[]; d.defer(()=>{ for(let i=0;i<100000;i++) junk.push({i}) }); d.dispose(); junk.length", Want: "value=100000"},
	{ID: "L3", Source: "const d=new AsyncDisposableStack(); d.defer(()=>Promise.reject(new Error('x'))); await d.disposeAsync()", Want: "throw:Error"},
	{ID: "L4", Script: true, Source: "(()=>{ for(let i=0;i<10000;i++) { const o={}; o.r=new FinalizationRegistry(()=>o); o.r.register(o,o.r) } })(); for(let i=0;i<300000;i++) ({i}); 1", Want: "value=1|throw:TypeError"},
	{ID: "L5", Script: true, Source: "let esc; function* g(){ let x={a:[1,2,3]}; esc=()=>it; const it=this; yield 1; return x.a[2] } let it=g.call(null); it.next(); it=(i=>()=>i)(it); for(let i=0;i<300000;i++) [i]; it().next().value", Want: "value=3"},
	{ID: "L6", Script: true, Source: "const a=[1,2,3]; delete a[1]; a.push(4); delete a[3]; a.push(5); a.length+','+(1 in a)+','+(3 in a)+','+a", Want: "value=5,false,false,1,,3,,5"},
	{ID: "L7", Script: true, Source: "function f(a,b){ arguments[0]=5; const g=()=>a; arguments.length=1; delete arguments[1]; b=9; return [g(),arguments[1],arguments.length]+'' } f(1,2)", Want: "value=5,,1"},
	{ID: "L8", Script: true, Source: "const it=Iterator.concat([1,2],{[Symbol.iterator](){ it.return(); return [3].values() }}); let r=[]; try { for(const x of it) r.push(x) } catch(e) { r.push(e.name) } r+''", Want: "value=1,2,TypeError"},
	{ID: "L9", Script: true, Source: "const x=2n**40000n; BigInt(x.toString())===x && BigInt('0x'+x.toString(16))===x && BigInt.asUintN(64,x+5n)===5n", Want: "value=true"},
	{ID: "L11", Script: true, Source: "let p=[]; for(let i=0;i<300000;i++) p=new Proxy(p,{}); Array.isArray(p)", Want: deep},
	{ID: "XST1", Script: true, Source: "Error.stackTraceLimit=1e9; function f(n){ if(n) f(n-1); else for(;;) new Error('x') } f(900)", Want: anyLimit},
	{ID: "XST2", Script: true, Source: "Error.stackTraceLimit=1e9; const o={}; for(let i=0;i<2000;i++) o['k'+i]=1; o.f=function(n){ return n ? this.f(n-1) : new Error('x') }; for(;;) o.f(900).stack", Want: anyLimit},
	{ID: "XST3", Script: true, Source: "Error.stackTraceLimit=1e9; let p={f(n){ return n ? this.f(n-1) : new Error('x') }}; for(let i=0;i<100000;i++) p=Object.create(p); for(;;) p.f(900).stack", Want: anyLimit},
	{ID: "XST4", Script: true, Source: "function other(){} function f(n){ if(n) f(n-1); else for(;;) Error.captureStackTrace({}, other) } f(1500)", Want: anyLimit},
	{ID: "XST5", Script: true, Source: "const all=[]; function f(n){ if(n) f(n-1); else for(;;) all.push(new Error('x')) } f(20)", Want: memLimit},
	{ID: "XST6", Script: true, Source: "async function f(n){ await null; if(n) return await f(n-1); throw new Error('x') } (async()=>{ for(;;) try { await f(50) } catch(e) { e.stack } })()", Want: anyLimit},
	{ID: "XST7", Script: true, Source: "const f=Function; let s='throw new Error(1)'; for(;;) { try { f(s)() } catch(e) { s='eval('+JSON.stringify(s).slice(0,200)+')'; e.stack } }", Want: anyLimit + "|throw:SyntaxError"},
	{ID: "XST8", Script: true, Source: "const n='x'.repeat(1<<22); const o={[n](){ throw new Error(n) }}; for(;;) try { o[n]() } catch(e) { e.stack }", Want: anyLimit},
	{ID: "X6h", Script: true, Source: "const b=1n<<100000000n; for(;;) b>1.5", Want: timeLimit},
	{ID: "X6i", Script: true, Source: "const b=1n<<100000000n; for(;;) b==1e300", Want: timeLimit},
	{ID: "X6j", Script: true, Source: "const b=-(1n<<100000000n); for(;;) BigInt.asUintN(64,b)", Want: timeLimit},
	{ID: "X6k", Script: true, Source: "const b=1n<<100000000n; for(;;) Number(b)", Want: timeLimit},
	{ID: "X6l", Script: true, Source: "const b=-(1n<<100000000n); for(;;) b>>99999999n", Want: bounded},
	{ID: "X6m", Script: true, Source: "const b=1n<<100000000n; for(;;) b**1n", Want: bounded},
	{ID: "X6n", Script: true, Source: "const b=1n<<100000000n; for(;;) b>'1'", Want: timeLimit},
	{ID: "X6o", Script: true, Source: "const s='\u0430\u0410'.repeat(1e7), r=/^([^]{9999999})\\1/i; for(;;) r.test(s)", Want: timeLimit},
	{ID: "X6p", Script: true, Source: "const s='\u0430\u0410'.repeat(1e7), r=/^[^]{19999998}(?<=\\1([^]{9999999}))/i; for(;;) r.test(s)", Want: timeLimit},
	{ID: "X6q", Script: true, Source: "const s='/'+'(?:(?<n>a)|'.repeat(900)+Array.from({length:6e4},(_, i)=>'(?<n'+i+'>a)').join('|')+')'.repeat(900)+'/'; for(;;) eval(s)", Want: bounded},
	{ID: "X6r", Script: true, Source: "eval('\"'+'\u00e9'.repeat(400000)+'\";for(;;) new Error(1).stack')", Want: timeLimit},
	{ID: "X6s", Script: true, Source: "const s='for(let i of a){'.repeat(90)+'if(a)return 1;'.repeat(2e4)+'}'.repeat(90); for(;;) eval('()=>{'+s+'}')", Want: bounded},
	{ID: "X6t", Script: true, Source: "const e=new Error('x'); e.message=e; throw e", Want: "throw:Error"},
	{ID: "X2b", Script: true, Source: "let inv=1; for(let i=0;i<5;i++) inv=Math.imul(inv,2-Math.imul(2654435761,inv)); const a={}; for(let h=0;h<65536;h++) for(let l=0;l<16;l++) a[Math.imul((h<<16)|l,inv)>>>0]=h; for(;;);", Want: anyLimit},
	{ID: "X1d", Script: true, Source: collidingStrings + "while (true) { const o={}; for (const s of all) o[s.slice(0,-1)+s.at(-1)]=1 }", Want: anyLimit},
	{ID: "C31p2", Script: true, Source: "const k=Array.from({length:300000},(_, i)=>'k'+i), t=Object.freeze(Object.fromEntries(k.map(x=>[x,1]))), p=new Proxy(t,{ownKeys:()=>k}); for(;;) Reflect.ownKeys(p)", Want: anyLimit},
}
