for (const text of inputs) {
  const tree = lib.parse(text, { ecmaVersion: "latest", locations: true, allowHashBang: true });
  print(digest(JSON.stringify(tree, (k, v) => typeof v === "bigint" ? String(v) : v instanceof RegExp ? v.source + v.flags : v)));
  let n = 0, s = 0; for (const t of lib.tokenizer(text, { ecmaVersion: "latest" })) { n++; s = (s * 31 + t.start) % 1000003; } print(n, s);
}
