const csv = 'id,name,note\r\n1,"Ann ""A""","line one\nline two"\r\n2,Bob,\r\n3,"C, D",1e3\r\n';
print(lib.parse(csv)); print(lib.parse(csv, { header: true, dynamicTyping: true, skipEmptyLines: true }).data);
print(lib.parse("a;b;c\n1;2;3\n4;5").meta.delimiter, lib.parse("a,b\n1", { header: true }).errors, lib.parse('a,"b\n1,2').errors);
print(lib.unparse([{ a: 1, b: 'x"y' }, { a: null, b: "p,q" }]), lib.unparse({ fields: ["x"], data: [["=1"], [" s "]] }, { quotes: true, newline: "\n", escapeFormulae: true }));
const rows = []; lib.parse("x\ty\n1\t2\n3\t4", { delimiter: "\t", comments: "#", step: r => rows.push(r.data), complete: () => rows.push("done") }); print(rows);
print(lib.parse(Array.from({ length: 3000 }, (_, i) => i + ',"v ' + i + '",' + i * 2).join("\n")).data.length, lib.parse("a,b\n#c\n1,2", { comments: true, preview: 1 }).data, lib.parse("h 1,h 1\n1,2", { header: true, transformHeader: h => h.replace(" ", "_") }).data);
