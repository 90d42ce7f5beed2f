for (const text of inputs) { print(digest(lib.parse(text)), digest(JSON.stringify(lib.lexer(text)))); }
