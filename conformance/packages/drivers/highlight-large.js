for (const [i, language] of [[0, "javascript"], [1, "typescript"], [2, "markdown"]]) print(language, digest(lib.highlight(inputs[i], { language }).value));
const a = lib.highlightAuto(inputs[1].slice(0, 2000)); print(a.language, a.relevance, a.secondBest && a.secondBest.language);
