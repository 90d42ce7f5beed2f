import { guessDelimiter, parseCsv } from "./lib/csv.ts";

type Format = "markdown" | "text" | "json";

interface Inputs {
  csv: string;
  format?: Format;
  delimiter?: string;
  columns?: string[];
  sort?: string;
  limit?: number;
}

export function invoke({ csv, format = "markdown", delimiter, columns, sort, limit = 200 }: Inputs) {
  const [head, ...body] = parseCsv(csv.replace(/^\uFEFF/, ""), delimiter ?? guessDelimiter(csv));
  if (!head) throw new Error("the CSV is empty");
  const names = unique(head.map((h, i) => h.trim() || `column ${i + 1}`));
  const place = (name: string): number => {
    const i = names.findIndex((n) => n.toLowerCase() === name.trim().toLowerCase());
    if (i < 0) throw new Error(`there is no column "${name}"; there are ${names.join(", ")}`);
    return i;
  };
  let rows = body.map((r) => names.map((_, i) => (r[i] ?? "").trim()));
  if (sort) {
    const down = sort.startsWith("-");
    const by = place(down ? sort.slice(1) : sort);
    rows = rows.toSorted((a, b) => order(a[by], b[by]) * (down ? -1 : 1));
  }
  const total = rows.length;
  rows = rows.slice(0, limit);
  const wanted = columns?.length ? columns.map(place) : names.map((_, i) => i);
  const shown = wanted.map((i) => names[i]);
  const cells = rows.map((r) => wanted.map((i) => r[i]));
  if (format === "json") return cells.map((r) => Object.fromEntries(shown.map((n, i) => [n, value(r[i])])));
  const table = format === "markdown" ? markdown(shown, cells) : columnsOfText(shown, cells);
  return total > rows.length ? `${table}\n(${total - rows.length} of ${total} rows are left out)` : table;
}

/** Names of columns, each once: "a", "a 2". */
function unique(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((n) => {
    const k = (seen.get(n) ?? 0) + 1;
    seen.set(n, k);
    return k === 1 ? n : `${n} ${k}`;
  });
}

const numeric = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?%?$/;
const toNumber = (s: string): number => Number(s.replace(/[,%]/g, ""));

function order(a: string, b: string): number {
  if (numeric.test(a) && numeric.test(b)) return toNumber(a) - toNumber(b);
  return a.localeCompare(b, "en", { numeric: true });
}

/** What a cell holds: a number only if nothing is lost by it, such as the zeros of 007. */
function value(s: string): string | number | boolean | null {
  if (s === "") return null;
  if (s === "true" || s === "false") return s === "true";
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(s) ? Number(s) : s;
}

/** Columns whose cells are all numbers stand at the right. */
const isRight = (cells: string[][], i: number): boolean => cells.some((r) => r[i] !== "") && cells.every((r) => r[i] === "" || numeric.test(r[i]));

function markdown(names: string[], cells: string[][]): string {
  const cell = (s: string) => s.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replace(/\s*\n\s*/g, "<br>");
  const row = (r: string[]) => `| ${r.map(cell).join(" | ")} |`;
  const rule = `| ${names.map((_, i) => (isRight(cells, i) ? "---:" : "---")).join(" | ")} |`;
  return [row(names), rule, ...cells.map(row)].join("\n");
}

function columnsOfText(names: string[], cells: string[][]): string {
  const all = [names, ...cells].map((r) => r.map((s) => s.replace(/\s+/g, " ")));
  const widths = names.map((_, i) => Math.max(...all.map((r) => [...r[i]].length)));
  const pad = (s: string, i: number, right: boolean) => (right ? " ".repeat(widths[i] - [...s].length) + s : s + " ".repeat(widths[i] - [...s].length));
  const right = names.map((_, i) => isRight(cells, i));
  const lines = all.map((r) => r.map((s, i) => pad(s, i, right[i])).join("  ").trimEnd());
  lines.splice(1, 0, widths.map((w) => "-".repeat(w)).join("  "));
  return lines.join("\n");
}
