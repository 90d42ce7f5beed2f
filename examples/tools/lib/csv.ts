/** Reads CSV as RFC 4180 has it: quotes, doubled quotes, line breaks in quotes. */
export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  let line = 1;
  let opened = 0;
  const end = () => {
    row.push(field);
    field = "";
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\n") line++;
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') field += text[++i];
      else quoted = false;
    } else if (c === '"' && field === "") {
      quoted = true;
      opened = line;
    } else if (c === delimiter) {
      end();
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[i + 1] === "\n") {
        i++;
        line++;
      }
      end();
      rows.push(row);
      row = [];
    } else {
      field += c;
    }
  }
  if (quoted) throw new Error(`the quotes that begin in line ${opened} don't end`);
  if (field !== "" || row.length > 0) {
    end();
    rows.push(row);
  }
  return rows.filter((r) => r.length > 1 || r[0] !== "");
}

/** Finds the delimiter: the one that most often gives the first lines as many fields. */
export function guessDelimiter(text: string): string {
  const sample = text.split(/\r?\n/).filter(Boolean).slice(0, 10);
  let best = ",";
  let most = 0;
  for (const d of [",", ";", "\t", "|"]) {
    const counts = sample.map((l) => l.split(d).length - 1);
    const score = counts[0] > 0 ? counts.filter((n) => n === counts[0]).length * 100 + counts[0] : 0;
    if (score > most) [best, most] = [d, score];
  }
  return best;
}
