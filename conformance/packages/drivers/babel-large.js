print(digest(lib.transform(inputs[0], { presets: [["env", { targets: "ie 11" }]], compact: false }).code));
print(digest(lib.transform(inputs[1], { presets: [["env", { targets: "ie 11", modules: "umd" }]], compact: true, comments: false }).code));
