// Records what this machine's JavaScript engine makes of regular expressions.
//
//   node record.mjs [random rows] [seed] > node.json
//
// A row is [pattern, flags, input, result]. The result is "!" with the reason
// of a SyntaxError, "" for no match, or "start,end" of each group joined with
// ";", "-" for a group that took no part. In the strings ~XXXX stands for a
// UTF-16 code unit.
const COUNT = Number(process.argv[2] ?? 700);
let seed = Number(process.argv[3] ?? 1) >>> 0;

const enc = (s) => s.replace(/[^ -}]/g, (c) => "~" + c.charCodeAt(0).toString(16).padStart(4, "0"));

function row(pattern, flags, input) {
  let re;
  try {
    re = new RegExp(pattern, flags.replace("d", "") + "d");
  } catch (e) {
    return [enc(pattern), flags, "", "!" + e.message.slice(e.message.lastIndexOf(": ") + 2)];
  }
  const m = re.exec(input);
  return [enc(pattern), flags, enc(input), m ? m.indices.map((x) => (x ? x.join(",") : "-")).join(";") : ""];
}

// Where this engine is known to leave the specification: a match that begins
// between the halves of a surrogate pair in Unicode mode, [^] with v under a
// quantifier, and -- with v and i.
function wrong(pattern, flags, input) {
  if (!/[uv]/.test(flags)) return false;
  if (flags.includes("v") && (pattern.includes("[^]") || (flags.includes("i") && pattern.includes("--")))) return true;
  try {
    const m = new RegExp(pattern, flags).exec(input);
    return m !== null && m.index > 0 && /^[\udc00-\udfff]/.test(input.slice(m.index)) && /[\ud800-\udbff]$/.test(input.slice(0, m.index));
  } catch {
    return false;
  }
}

const rows = [];
const add = (pattern, flags, ...inputs) => {
  if (inputs.length === 0) inputs = [""];
  for (const i of inputs) {
    if (wrong(pattern, flags, i)) continue;
    const r = row(pattern, flags, i);
    rows.push(r);
    if (r[3][0] === "!") break;
  }
};

// --- by hand ---------------------------------------------------------------

// Quantifiers, captures and their reset, empty checks.
add("a*", "", "", "aaab", "b"); add("a+?", "", "aaa"); add("a{2,3}", "", "a", "aa", "aaaa"); add("a{2,3}?", "", "aaaa");
add("(a*)*", "", "b", "aab"); add("(a*)+", "", "b", "aa"); add("(?:a*?)*?b", "", "aab"); add("(a*)?", "", "b");
add("(z)((a+)?(b+)?(c))*", "", "zaacbbbcac"); add("(?:(a)|b)*", "", "ab", "ba"); add("(?:(a)|(b)|(c))+", "", "abc", "cab");
add("(|a)+", "", "a", "aa"); add("(?:|a)+", "", "a"); add("(|a){3}", "", "aaaa"); add("(?:|aa|a){2}b", "", "aaab");
add("(a|ab)(c|bcd)(d*)", "", "abcd"); add("(aa|aabaac|ba|b|c)*", "", "aabaac"); add("((a)|(ab))((c)|(bc))", "", "abc");
add("(?=(a+))a*b\\1", "", "baaabac"); add("(.*?)a(?!(a+)b\\2c)\\2(.*)", "", "baaabaac"); add("(?=(a+))", "", "baaabac");
add("(a(b)?)+", "", "aba"); add("(\\2)(\\1)", "", "aaa"); add("(a*)b\\1+", "", "baaaac"); add("\\1(a)", "", "aa"); add("(a\\1)", "", "aa");
add("(?:a|$)*", "", "aa"); add("(?:$)+", "", ""); add("(?:(?=a))*a", "", "a"); add("(?:\\b|a){2,}", "", "aa"); add("($|a)*?b", "", "aab");
add("(?:a?){3}b", "", "aab"); add("(?:a?b??)*", "", "abab"); add("x{0}y", "", "y"); add("(a){0}b\\1", "", "b"); add("(?:(a)|b){2}?c", "", "abc", "bac");
add("((?:a{1,2}){1,2})b", "", "aaab"); add("(?:(?:a+)+)+b", "", "aaab"); add("(a+|b+)*c", "", "aabbc"); add("(?:a{2}){2,3}", "", "aaaaaaa");
add("a{0,1}?a{1,2}?b", "", "aab"); add("[ab]{2,}?c", "", "abac"); add(".*b.*c", "", "abcbc"); add(".+?b", "", "aab"); add("^.*$", "m", "x\nyz"); add("^.*$", "s", "x\nyz");
add("\\s+$", "", "a  b   ", "  x"); add("^\\s+|\\s+$", "", " a ", "a  ", "a"); add("(\\w+)\\s(\\w+)", "", "John Smith"); add("\\d*x", "", "123 45x"); add("[a-z]*@", "", "foo bar@");
add("(\\d{4})-(\\d{2})-(\\d{2})", "", "on 2024-05-17."); add("\"(?:[^\"\\\\]|\\\\.)*\"", "", 'say "a\\"b" x'); add("(['\"])(.*?)\\1", "", `a 'b"c' d`);
add("^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$", "", "192.168.1.255", "256.1.1.1"); add("^([a-z0-9_.+-]+)@([\\da-z.-]+)\\.([a-z.]{2,6})$", "i", "Joe.B@mail.example.com");
add("<([a-z]+)([^<]*)(?:>(.*)<\\/\\1>|\\s+\\/>)", "", '<a href="x">t</a>'); add("foo|foobar|bar", "", "xfoobar", "xbar"); add("(foo|bar|baz|qux)+$", "", "foobazqux");
// Assertions.
add("^a", "m", "b\na"); add("a$", "m", "a\nb"); add("^$", "m", "a\n\nb"); add("a$", "", "a\n"); add("\\bfoo\\b", "", "afoo foo"); add("\\Boo", "", "foo"); add("^", "", "a"); add("$", "", "ab"); add("(?!)", "", "a"); add("(?=)", "", "a");
add("a(?=b)", "", "acab"); add("a(?!b)", "", "abac"); add("(?=(a))\\1b", "", "ab"); add("(?!(a))b|c", "", "ac"); add("(?=a){2}a", "", "a"); add("(?!a)*b", "", "b"); add("(?=(a))?b", "", "ab"); add("(?=(a)){0}b", "", "ab");
add("(?<=a)b", "", "bab"); add("(?<!a)b", "", "abb"); add("(?<=(\\d+)(\\d+))$", "", "1053"); add("(?<=\\1(\\d+))x", "", "1212x"); add("(?<=(\\d+)\\1)x", "", "1212x"); add("(?<=([abc]+)([abc]+))$", "", "abc");
add("(?<=^(\\w{3}))def", "", "abcdef"); add("(?<=a|bc)d", "", "bcd"); add("(?<!(^|[ab]))\\w{2}", "", "abcde"); add("(?<=(?=a)b?a)c", "", "ac"); add("(?<=a(?=([^a]{2})d)\\w{2})\\w", "", "abcdcdefg"); add("(?<=a(.\\2)b(\\1)).{4}", "", "aabcacbc"); add("(?<=(?:a|b)*c)d", "", "abcd"); add("(?<=a{2,3}?)b", "", "aaab"); add("(?<=\\w*)b$", "", "aab"); add("(?<![\\w.])\\d+", "", "a1 22"); add("(?<=^[a-c]{3})def$", "m", "foo\nabcdef"); add("(?<=\\ba)b", "", "ab"); add("(?<=(a)|b)c", "", "bc"); add("(?<=a.*)x", "", "abx");
add("(?<=\\$)\\d+(?:\\.\\d\\d)?", "", "cost $10.50"); add("(?<=([\\s\\S]))b", "", "ab");
// Case.
add("abc", "i", "xABc"); add("[a-z]+", "i", "ABC"); add("[^a]", "i", "aAb"); add("\u00e9", "i", "\u00c9"); add("\u017f", "i", "s", "S"); add("\u017f", "iu", "s", "S"); add("\\w+", "iu", "\u017f\u212a"); add("\\w", "i", "\u017f"); add("\\W", "iu", "\u017f", "S", "!"); add("[\\W]", "iu", "\u017f", "s"); add("[^\\W]", "iu", "\u017f"); add("\\b", "iu", "\u017f"); add("\\b", "i", "\u017f"); add("\\u212a", "i", "k"); add("k", "iu", "\u212a"); add("[\\u212a]", "iu", "k"); add("[^x]", "iu", "\u212a"); add("\\u0390", "iu", "\u1fd3"); add("\\u1fd3", "i", "\u0390"); add("\u00df", "i", "\u1e9e", "SS"); add("\u00df", "iu", "\u1e9e"); add("\u03c3", "i", "\u03c2", "\u03a3"); add("[\u03c3]+", "iu", "\u03c2\u03a3"); add("\ud801\udc00", "iu", "\ud801\udc28"); add("[\ud801\udc00]", "iu", "\ud801\udc28"); add("\ud801\udc00", "i", "\ud801\udc28"); add("(a\u03c3)\\1", "i", "a\u03c3A\u03c2"); add("(\ud801\udc00)\\1", "iu", "\ud801\udc00\ud801\udc28"); add("(k)\\1", "iu", "k\u212a"); add("(?<=\\1(k))x", "iu", "\u212akx"); add("\u01c4", "i", "\u01c5", "\u01c6"); add("\u0130", "i", "i", "I"); add("\u0131", "i", "I"); add("\u1e9b", "iu", "\u1e61"); add("[\u00b5]", "i", "\u03bc"); add("\u00ff", "i", "\u0178"); add("error: (\\w+)", "i", "ERROR: Disk"); add("\\p{Lu}", "iu", "a"); add("\\P{Lu}", "iu", "A"); add("[^\\P{Lu}]", "iu", "a", "A"); add("\\P{Lu}", "iv", "A", "a", "1"); add("[^\\P{Lu}]", "iv", "a"); add("\\p{Ll}+", "iv", "ABC"); add("[\\p{Lu}&&[a-z]]", "iv", "b"); add("[\\w--k]", "iv", "\u212a", "j"); add("[^\\w]", "iv", "\u017f");
// Unicode mode and surrogates.
add("^.$", "", "\ud83d\ude00"); add("^.$", "u", "\ud83d\ude00"); add("\\ud83d", "u", "\ud83d\ude00", "\ud83d"); add("\\ud83d", "", "\ud83d\ude00"); add("\\ude00", "u", "\ud83d\ude00"); add("\\ud83d\\ude00", "u", "\ud83d\ude00"); add("\\u{1f600}", "u", "\ud83d\ude00"); add("\\u{1f600}", "", "u".repeat(9)); add("[\\u{1f600}-\\u{1f610}]", "u", "\ud83d\ude01"); add("[\ud83d\ude00]", "", "\ud83d\ude00"); add("[^a]", "u", "\ud83d\ude00"); add("(?<=\ud83d\ude00)a", "u", "\ud83d\ude00a"); add("(?<=.)a", "u", "\ud83d\ude00a"); add("(?<=^.)a", "u", "\ud83d\ude00a"); add("(?<=\\ud83d)a", "u", "\ud83da"); add("(?<=\\ude00)a", "u", "\ud83d\ude00a"); add("(\\ud83d).*\\1", "u", "\ud83dx\ud83d\ude00", "\ud83dx\ud83d"); add(".*\\ud83d", "u", "x\ud83d"); add(".*?\ude00", "u", "\ud83d\ude00\ude00"); add("\ud83d\ude00+", "u", "\ud83d\ude00\ud83d\ude00"); add("\ud83d\ude00+", "", "\ud83d\ude00\ude00"); add("\ud83d\ude00{2}", "u", "\ud83d\ude00\ud83d\ude00"); add(".{2}$", "u", "a\ud83d\ude00b\ud83d\ude00"); add("[^x]*y", "u", "\ud83d\ude00\ud83d\ude00y"); add("[^x]*?\ud83d", "u", "\ud83d\ude00\ud83d"); add("\\udf06", "u", "\ud834\udf06"); add("^[^x]$", "u", "\ud834\udf06", "\ud834"); add("\\ud834\\u{df06}", "u", "\ud834\udf06"); add("[\\ud83d\\ude00]", "u", "\ud83d\ude00", "\ud83d"); add("\\W\\S\\D", "u", "\ud83d\ude00\ud83d\ude00\ud83d\ude00");
// Classes and escapes, Annex B among them.
for (const p of ["[a-c]", "[^a-c]", "[a\\-c]", "[-a]", "[a-]", "[\\w-a]", "[\\w-]", "[a-\\d]", "[\\d-\\w]", "[]", "[^]", "[\\b]", "[\\]]", "[a\\]b]", "[\\0]", "[\\1]", "[\\12]", "[\\8]", "[\\c]", "[\\ca]", "[\\c1]", "[\\c_]", "[\\c*]", "[\\x41]", "[\\x4]", "[\\u0041]", "[\\u004]", "[\\k]", "[\\B]", "[\\-]", "[\\a]", "\\0", "\\00", "\\01", "\\1", "\\12", "\\8", "\\9", "\\18", "\\377", "\\400", "\\7777", "\\c", "\\cA", "\\c1", "\\x", "\\x4", "\\x41", "\\u", "\\u00", "\\u0041", "\\u{41}", "\\k", "\\k<a>", "\\k<a", "\\p{L}", "\\p", "\\-", "\\a", "\\_", "\\/", "{", "}", "]", "a{", "a{1", "a{1,", "a{,1}", "{}", "{a}", "a{b}", "x{1}{", "{1}", "{1,2}", "a{1}?", "a??", "a*?", "\\d{2}", "[\\d\\D]", "[\\s\\S]", "[^\\s\\S]", "[\\w\\W]", "[\\cA-\\cC]", "[\\x00-\\x1f]", "[a-z&&b]", "(?=a)*", "(?=a)+", "(?=a){2}", "(?!a)?", "(?<=a)*", "(?<!a){1}", "^*", "$+", "\\b*", "\\B{1}", "(?:a)*", "a**", "a*+", "a+++", "*", "+", "?", "a|*", "(*)", "(?", "(?a", "(?:", "(?=", "(?!", "(?<", "(?<=", "(?<a", "(?<a>", "(?<a>x", "(", ")", "())", "(()", "[", "[a", "[a-", "[^", "\\", "[\\", "a\\", "[b-a]", "[\\x42-\\x41]", "a{2,1}", "a{0,0}", "{2,1}", "a{99999999999,99999999999}", "a{99999999999}", "a{00001}", "\\u{110000}", "\\u{10ffff}", "\\u{}", "\\u{g}", "\\ud83d\\ude00", "(?<a>.)(?<a>.)", "(?<a>.)\\k<a>", "(?<a>.)\\k<b>", "(?<a>.)\\k", "(?<a>.)\\k<", "(?<a>.)[\\k]", "\\k<a>(?<a>.)", "(?<$>.)", "(?<_\\u0061>.)", "(?<\\u{61}>.)", "(?<\\u0020>.)", "(?<1a>.)", "(?<a-b>.)", "(?<>.)", "(?<\ud835\udc9c>.)", "(?<\ud835>.)", "(?<\\ud835\\udc9c>.)", "(?<a\u200d>.)", "(?<\u200d>.)", "(?<a>)|\\k<a>", "(?:(?<a>x)\\k<a>)+", "(?-:a)", "(?ii:a)", "[\\q{a}]", "[\\p{L}--a]", "[a&&b]", "(?<\\u{1F600}>.)", "(?<\\u{>.)", "[\\u{61}-\\u{63}]", "\\S", "\\D\\W", "[\\D]", "[^\\D]", "[^\\W\\d]"])
  for (const f of ["", "u", "v"]) add(p, f, "ab-c1 \x01\0A\\]{a{1}u{41}", "x\xffB8k<a>c");
for (const p of ["[(]", "[)]", "[[]]", "[[a]", "[a]]", "[{]", "[}]", "[/]", "[|]", "[-]", "[a-]", "[-a]", "[\\-]", "[a--b]", "[a--]", "[--a]", "[a&&b]", "[a&&]", "[&&a]", "[&]", "[a&]", "[a&b]", "[a&&&b]", "[\\&&&a]", "[a!!b]", "[!!]", "[!]", "[^^]", "[^^^]", "[a^^b]", "[``]", "[~~]", "[a~b]", "[a-c--b]", "[[a-c]--b]", "[[a-c]--[b]]", "[\\w--\\d]", "[\\w&&\\d]", "[\\w--\\d--a]", "[\\w&&\\d--1]", "[\\w&&[^\\d]]", "[^\\w--\\d]", "[ab&&bc]", "[[ab]&&[bc]]", "[a&&b-c]", "[\\q{}]", "[\\q{a}]", "[\\q{ab}]", "[\\q{ab|a|}]", "[\\q{abc|ab|a}x]", "[\\q{ab|cd}--\\q{ab}]", "[\\q{ab|cd}&&\\q{cd|e}]", "[^\\q{a}]", "[^\\q{ab}]", "[^\\q{}]", "[^[\\q{ab}--\\q{ab}]]", "[^[\\q{ab}&&a]]", "[\\q]", "[\\q{a]", "[\\q{(}]", "[\\q{a|b}-c]", "[a-\\q{b}]", "[a-\\d]", "[\\d-a]", "[a-[b]]", "[z-a]", "[a-z&&b]", "[\\p{L}]", "[\\p{L}--[a-z]]", "[^\\p{L}]", "\\p{RGI_Emoji}", "\\P{RGI_Emoji}", "[\\p{RGI_Emoji}]", "[^\\p{RGI_Emoji}]", "[^[\\p{RGI_Emoji}&&\\d]]", "[\\b]", "[\\B]", "[\\1]", "[\\0]", "[\\00]", "[\\c]", "[\\_]", "[\\!]", "[\\ ]", "[\\#\\%\\,\\:\\;\\<\\=\\>\\@\\`\\~]", "[[[[a]]]]", "[[]--a]", "[]", "[^]", "\\q{a}", "[a-z--b]", "[ab--b]", "[\\w--b-c]", "[a--b&&c]", "[((]", "[..]", "[a..b]", "[a.b]", "[**]", "[*]", "[$$]", "[?a]", "[a=]", "[a==]", "[\\q{ab}]+", "[\\q{ab}c]{2}", "(?<=[\\q{ab|b}])c", "[\\q{KM|km}]", "[\\p{Emoji_Keycap_Sequence}--\\q{0\ufe0f\u20e3}]"])
  for (const f of ["v", "vi"]) add(p, f, "abc 1A", "cdab&!(^", "\u0031\ufe0f\u20e3\ud83d\udc69\u200d\ud83d\udc67", "KmkM");
// Properties.
for (const p of ["L", "Lu", "Letter", "gc=Lu", "General_Category=Uppercase_Letter", "Script=Greek", "sc=Grek", "scx=Greek", "Script_Extensions=Grek", "Script=greek", "lu", "Any", "ASCII", "Assigned", "ID_Start", "IDS", "Emoji", "Emoji_Presentation", "Extended_Pictographic", "White_Space", "space", "Alphabetic", "Alpha", "LC", "punct", "digit", "cntrl", "Cn", "Zzzz", "sc=Zzzz", "sc=Unknown", "Foo", "L=Lu", "gc", "gc=", "sc", "=Lu", "Block=Latin", "InGreek", "IsGreek", "^L", " L", "L ", "", "Basic_Emoji", "RGI_Emoji_Flag_Sequence", "sc=Hrkt", "sc=Qaac", "sc=Kawi", "sc=Beria_Erfe", "Lowercase", "XIDC", "Other_Math", "Expands_On_NFC", "ASCII=Y", "Combining_Mark", "Changes_When_NFKC_Casefolded"])
  for (const q of ["p", "P"]) for (const f of ["u", "v"]) add(`\\${q}{${p}}`, f, "aA\u03b1\u0342 1\ud83d\ude00", "\ud83c\uddeb\ud83c\uddf7\u2c80");
// Where a search may start.
add("abc", "", "xxabxabcx", "xxabxab\u2028abc"); add("ab", "g", "xab"); add("^b", "", "ab"); add("^b", "m", "a\rb", "a\u2029b"); add("(?:ab|cd)e", "", "abcde"); add("\u0100b", "", "xb", "\u0100b"); add("[\u0100-\u0200]b", "", "xb\u0150b"); add("\\bab", "", "cab ab"); add("(?!a)ab?|b", "", "ab"); add("a*b", "", "aaac aab", "aaaaaaaac"); add("a*?b", "", "aacab"); add("(\\d+)x", "", "12 345x"); add("(\\d+)(?<=1\\d)x", "", "112x"); add("\\s*\\bx", "", "a  x"); add("y", "y", "xy", "y"); add("x*", "y", "ax"); add(".*x", "", "ab\ncx"); add("[^]*x", "", "ab\ncx\n"); add("(a*)\\1b", "", "aaab");

// --- at random ---------------------------------------------------------------

const rnd = (n) => { seed ^= seed << 13; seed >>>= 0; seed ^= seed >>> 17; seed ^= seed << 5; seed >>>= 0; return seed % n; };
const pick = (a) => a[rnd(a.length)];
let groups, uni, vee;
const chars = ["a", "b", "c", "A", "k", "s", "1", " ", "\n", "\u00e9", "\u017f", "\u212a", "\u03c3", "\u03c2", "\u2028", "\ud83d\ude00", "\ud801\udc00", "\ud801\udc28", "\ud83d", "\ude00"];
const input = () => { let s = ""; for (let n = rnd(9); n > 0; n--) s += rnd(3) ? pick(["a", "b", "c"]) : pick(chars); return s; };
const atomChar = () => (rnd(3) ? pick(["a", "b", "c"]) : pick(chars));
function cls() {
  if (vee && rnd(2)) {
    const operand = () => pick([() => atomChar(), () => "[" + atomChar() + atomChar() + "]", () => "\\w", () => "\\q{ab|" + atomChar() + "|}", () => "[a-c]", () => "\\p{Lu}", () => "[^a]"])();
    const op = pick(["", "--", "&&"]);
    let s = "[" + operand();
    for (let n = rnd(3); n > 0; n--) s += op + operand();
    return s + "]";
  }
  let s = rnd(4) ? "[" : "[^";
  for (let n = 1 + rnd(3); n > 0; n--) s += pick([() => atomChar(), () => "a-c", () => "\\w", () => "\\W", () => "\\d", () => "\\s", () => "A-Z", () => (uni ? "\\p{Ll}" : "\\S"), () => (uni ? "\\u{1f600}" : "\\x61")])();
  return s + "]";
}
function atom(d) {
  switch (rnd(d > 0 ? 14 : 7)) {
    default: return atomChar();
    case 3: return cls();
    case 4: return pick([".", "\\w", "\\W", "\\s", "\\d", "[^]", uni ? "\\P{Lu}" : "\\S"]);
    case 5: return pick(["^", "$", "\\b", "\\B"]);
    case 6: return rnd(2) ? "\\" + (1 + rnd(3)) : atomChar();
    case 7: case 8: groups++; return "(" + alt(d - 1) + ")";
    case 9: return "(?:" + alt(d - 1) + ")";
    case 10: return "(?=" + alt(d - 1) + ")";
    case 11: return "(?!" + alt(d - 1) + ")";
    case 12: return "(?<=" + alt(d - 1) + ")";
    case 13: return "(?<!" + alt(d - 1) + ")";
  }
}
const quant = () => (rnd(2) ? "" : pick(["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}"]) + (rnd(3) ? "" : "?"));
function seq(d) { let s = ""; for (let n = rnd(4); n >= 0; n--) s += atom(d) + quant(); return s; }
function alt(d) { let s = seq(d); while (rnd(3) === 0) s += "|" + (rnd(6) ? seq(d) : ""); return s; }
for (let n = 0; n < COUNT; ) {
  const mode = pick(["", "", "u", "v"]);
  uni = mode !== ""; vee = mode === "v"; groups = 0;
  const flags = (rnd(3) ? "" : "i") + (rnd(4) ? "" : "m") + (rnd(4) ? "" : "s") + mode;
  const p = alt(3);
  if (row(p, flags, "")[3][0] === "!") { if (rnd(10) === 0) { add(p, flags); n++; } continue; }
  if (p.length > 60 && rnd(2)) continue;
  add(p, flags, input(), input());
  n += 2;
}

process.stdout.write("[\n" + rows.map((r) => JSON.stringify(r)).join(",\n") + "\n]\n");
