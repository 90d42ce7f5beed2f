// A typed column description that becomes an aligned Markdown table.
interface Column<T> {
  title: string;
  align?: "left" | "right" | "center";
  cell: (row: T, index: number) => string | number | null | undefined;
}

const escapeCell = (s: string): string => s.replaceAll("|", "\\|").replace(/\r?\n/g, "<br>");

function pad(text: string, width: number, align: Column<unknown>["align"] = "left"): string {
  if (align === "right") return text.padStart(width);
  if (align === "center") return text.padStart(Math.floor((width + text.length) / 2)).padEnd(width);
  return text.padEnd(width);
}

function table<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const body = rows.map((row, i) => columns.map((c) => escapeCell(String(c.cell(row, i) ?? "-") || " ")));
  const widths = columns.map((c, j) => Math.max(3, c.title.length, ...body.map((cells) => cells[j].length)));
  const line = (cells: string[]): string => `| ${cells.map((cell, j) => pad(cell, widths[j], columns[j].align)).join(" | ")} |`;
  const rule = columns.map((c, j) => {
    const dashes = "-".repeat(widths[j]);
    switch (c.align) {
      case "right": return dashes.slice(1) + ":";
      case "center": return ":" + dashes.slice(2) + ":";
      default: return dashes;
    }
  });
  return [line(columns.map((c) => c.title)), `| ${rule.join(" | ")} |`, ...body.map(line)].join("\n");
}

type Run = { name: string; ms: number | null; ok: boolean; note?: string };
const { title, rows } = input as { title: string; rows: Run[] };

const text = table(rows, [
  { title: "#", align: "right", cell: (_, i) => i + 1 },
  { title: "Name", cell: (r) => r.name },
  { title: "Time", align: "right", cell: (r) => r.ms?.toFixed(1) },
  { title: "OK", align: "center", cell: (r) => (r.ok ? "✓" : "✗") },
  { title: "Note", cell: (r) => r.note },
] satisfies Column<Run>[]);

console.log(`## ${title}\n`);
console.log(text);
const slowest = rows.reduce((a, b) => ((b.ms ?? 0) > (a.ms ?? 0) ? b : a));
return { lines: text.split("\n").length, slowest: slowest.name };
