import type { Ctx } from "./ctx.d.ts";

interface Section {
  heading: string;
  text?: string;
  rows?: Record<string, string | number | boolean | null>[];
}

const cell = (v: unknown): string => (v === null || v === undefined ? "" : String(v).replaceAll("|", "\\|").replace(/\s*\n\s*/g, "<br>"));

function table(rows: NonNullable<Section["rows"]>): string {
  const names = [...new Set(rows.flatMap((r) => Object.keys(r)))];
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(names.map(cell)), line(names.map(() => "---")), ...rows.map((r) => line(names.map((n) => cell(r[n]))))].join("\n");
}

export async function invoke({ file, title, sections }: { file: string; title: string; sections: Section[] }, ctx: Ctx) {
  const parts = [`# ${title.trim()}`];
  for (const s of sections) {
    parts.push(`## ${s.heading.trim()}`);
    if (s.text) parts.push(s.text.trim());
    if (s.rows?.length) parts.push(table(s.rows));
  }
  const path = `reports/${file}`;
  const { bytes } = await ctx.writeFile(path, parts.join("\n\n") + "\n");
  return { path, bytes };
}
