const paras = inputs[0].split(/\n\n+/).map((text, id) => ({ id, text })); const idx = lib(function () { this.ref("id"); this.field("text"); paras.forEach(p => this.add(p)); });
print(paras.length); for (const q of ["locale fix", "+release -bugfix", "durat*", "parsng~2"]) print(q, idx.search(q).slice(0, 5).map(r => [r.ref, r.score.toFixed(8)])); print(digest(JSON.stringify(idx)));
