const md = "# Title *em*\n\nPara with **bold**, `code`, [link](http://x.y \"t\") and ![i](a.png).\nhttps://auto.link\n\n> quote\n> - a\n>   1. b\n\n- [x] done\n- [ ] todo\n\n```js\nlet a = '<b>';\n```\n\n| a | b |\n|:--|--:|\n| 1 | `2|3` |\n\n---\n\nHard  \nbreak &amp; <em>html</em> ~~del~~\n\n[ref]: /url 'T'\n\nUse [ref] and \\*esc\\*.\n";
print(lib.parse(md)); print(lib.parse("a\nb", { breaks: true }), lib.parseInline("**x** _y_ <z@w.co>"));
print(lib.lexer("1. x\n\n   y\n2. z").map(t => t.type + (t.items ? t.items.map(i => i.raw) : "")));
const m = new lib.Marked({ renderer: { heading({ tokens, depth }) { return `<H${depth}>` + this.parser.parseInline(tokens) + "\n"; } }, extensions: [{ name: "at", level: "inline", start: s => s.indexOf("@"), tokenizer(s) { const r = /^@(\w+)/.exec(s); if (r) return { type: "at", raw: r[0], who: r[1] }; }, renderer: t => `<a>${t.who}</a>` }] });
print(m.parse("## Hi @bob\n\n* * *\n")); print(lib.parse("<div>\n*a*\n\n*b*\n</div>\n\n***a** b*\n\n__init__ snake_case_word"));
print(lib.parse(Array(200).fill("* item **b** `c` [l](u)\n").join("")).length);
