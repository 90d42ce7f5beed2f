// A CSV reader (quotes, doubled quotes, line breaks in cells) and a pivot.
type Row = Record<string, string>;

function parseCsv(text: string): Row[] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') {
        cell += '"';
        i++;
      } else quoted = false;
      continue;
    }
    switch (c) {
      case '"':
        quoted = true;
        break;
      case ",":
        record.push(cell);
        cell = "";
        break;
      case "\r":
        break;
      case "\n":
        record.push(cell);
        records.push(record);
        record = [];
        cell = "";
        break;
      default:
        cell += c;
    }
  }
  if (cell !== "" || record.length > 0) records.push([...record, cell]);
  const [header, ...body] = records;
  return body.map((r) => Object.fromEntries(header.map((name, i) => [name, r[i] ?? ""])) as Row);
}

interface Sale {
  month: string;
  region: string;
  product: string;
  units: number;
  cents: number;
}

const rows = parseCsv((input as { csv: string }).csv);
const bad: number[] = [];
const sales = rows.flatMap((row, i): Sale[] => {
  const units = Number.parseInt(row["units"], 10);
  if (Number.isNaN(units)) {
    bad.push(i + 2);
    return [];
  }
  const cents = Math.round(Number(row["unit price"]) * 100);
  return [{ month: row.date.slice(0, 7), region: row.region, product: row.product, units, cents: units * cents }];
});

const pivot: Record<string, Record<string, number>> = {};
for (const s of sales) {
  (pivot[s.region] ??= {})[s.month] ??= 0;
  pivot[s.region][s.month] += s.cents;
}

const months = [...new Set(sales.map((s) => s.month))].sort();
console.log(["region", ...months].map((h) => h.padEnd(10)).join("").trimEnd());
for (const region of Object.keys(pivot).sort()) {
  const cells = months.map((m) => ((pivot[region][m] ?? 0) / 100).toFixed(2).padEnd(10));
  console.log(region.padEnd(10) + cells.join("").trimEnd());
}
console.log(`skipped line ${bad.join(", ")}`);
console.log(JSON.stringify(rows[1].note) + " " + JSON.stringify(rows[3].note));

return {
  rows: rows.length,
  total: sales.reduce((a, s) => a + s.cents, 0) / 100,
  best: sales.toSorted((a, b) => b.cents - a.cents)[0].product,
  pivot,
};
