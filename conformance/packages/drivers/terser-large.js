print(digest((await lib.minify(inputs[0])).code));
print(digest((await lib.minify(inputs[0], { compress: { passes: 2, unsafe: true, toplevel: true }, mangle: { toplevel: true }, ecma: 2020 })).code));
print(digest((await lib.minify(inputs[0], { compress: false, mangle: false, format: { beautify: true, comments: "all" } })).code));
