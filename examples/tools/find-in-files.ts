import type { Ctx } from "./ctx.d.ts";

interface Inputs {
  text?: string;
  pattern?: string;
  files?: string;
  ignoreCase?: boolean;
  context?: number;
  maxMatches?: number;
}

interface Match {
  file: string;
  line: number;
  text: string;
  before?: string[];
  after?: string[];
}

const maxLine = 300;
const cut = (s: string): string => (s.length > maxLine ? `${s.slice(0, maxLine)}…` : s);

function matcher({ text, pattern, ignoreCase }: Inputs): (line: string) => boolean {
  if ((text === undefined) === (pattern === undefined)) throw new Error("give either text or pattern");
  if (text !== undefined) {
    if (!ignoreCase) return (line) => line.includes(text);
    const low = text.toLowerCase();
    return (line) => line.toLowerCase().includes(low);
  }
  let re: RegExp;
  try {
    re = new RegExp(pattern!, ignoreCase ? "iu" : "u");
  } catch (e) {
    throw new Error(`the pattern can't be read: ${(e as Error).message}`);
  }
  return (line) => re.test(line);
}

export async function invoke(inputs: Inputs, ctx: Ctx) {
  const { files = "**/*", context = 0, maxMatches = 50 } = inputs;
  const matches = matcher(inputs);
  const { entries, cut: incomplete } = await ctx.findFiles(files, { maxEntries: 1000 });
  const found: Match[] = [];
  const skipped: string[] = [];
  let searched = 0;
  let total = 0;
  for (const entry of entries) {
    let content: string;
    try {
      content = await ctx.readFile(entry.path);
    } catch (e) {
      // Pictures, archives and what is too large: said, and passed over.
      skipped.push(`${entry.path}: ${(e as Error).message.replace(/^ctx\.readFile: /, "")}`);
      continue;
    }
    searched++;
    const lines = content.split(/\r?\n/);
    lines.forEach((line, i) => {
      if (!matches(line) || ++total > maxMatches) return;
      const m: Match = { file: entry.path, line: i + 1, text: cut(line) };
      if (context > 0) {
        m.before = lines.slice(Math.max(0, i - context), i).map(cut);
        m.after = lines.slice(i + 1, i + 1 + context).map(cut);
      }
      found.push(m);
    });
  }
  return {
    matches: found,
    total,
    searched,
    ...(skipped.length > 0 && { skipped: skipped.slice(0, 20) }),
    ...(incomplete && { note: "there are more files than were looked at: narrow the pattern in files" }),
  };
}
