print(digest(JSON.stringify(lib.parseScript(inputs[0], { loc: true, range: true, comment: true, tokens: true })))); print(lib.tokenize(inputs[0]).length);
