// Comments everywhere, HTML-like comments in sloppy scripts.
let n = 1; // trailing
/* block */ n += 1 /* inside */ + 1;
/* multi
line */ n++
let m = 5 <!-- this is a comment
--> and so is this
n = m
/* a
*/ --> comment after a multi-line comment
console.log(String(n));
console.log(String(/* a */ 6 /**/ / /**/ 2 /* / */));
let z = 3;
console.log(String(z-->0), String(z));
const s = '// not a comment /* nor this */';
console.log(s, String(s.length));
const r = /\/*/.source; // a regex, not a comment
console.log(r);
console.log(`${/* in a template */ 'x' // line
}`);
console.log(String([1, /* hole? */ , 3].length));
