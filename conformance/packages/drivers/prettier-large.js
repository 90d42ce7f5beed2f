const plugins = Object.keys(libs).filter(k => k.startsWith("plugins/")).map(k => libs[k]);
for (const [i, parser] of [[0, "babel"], [1, "markdown"], [2, "typescript"]]) { const text = await lib.format(inputs[i], { parser, plugins, proseWrap: "always" }); print(parser, digest(text), await lib.check(text, { parser, plugins, proseWrap: "always" })); }
