// Fans out to a search tool, merges duplicates, ranks, then asks for summaries.
interface Hit {
  url: string;
  title: string;
  score: number;
}
type Merged = Hit & { queries: string[] };
type Report = Pick<Hit, "url" | "title"> & { score: number; summary?: string; problem?: string };

const { queries, keep } = input as { queries: string[]; keep: number };
const canonical = (url: string): string => url.replace(/\?.*$/, "");

const settled = await Promise.allSettled(queries.map(async (q) => ({ q, hits: (await search(q)) as Hit[] })));
const merged = new Map<string, Merged>();
const problems: string[] = [];
settled.forEach((r, i) => {
  if (r.status === "rejected") {
    problems.push(`${queries[i]}: ${r.reason.message}`);
    return;
  }
  for (const hit of r.value.hits) {
    const url = canonical(hit.url);
    const known = merged.get(url);
    merged.set(url, {
      ...hit,
      url,
      score: Math.max(hit.score, known?.score ?? 0) + (known ? 0.05 : 0),
      queries: [...(known?.queries ?? []), r.value.q],
    });
  }
});

const ranked = [...merged.values()].sort((a, b) => b.score - a.score).slice(0, keep);
let tokens = 0;
const reports = await Promise.all(
  ranked.map(async ({ url, title, score }): Promise<Report> => {
    const base = { url, title, score: Number(score.toFixed(2)) };
    try {
      const { text, tokens: used } = (await summarize(url)) as { text: string; tokens: number };
      tokens += used;
      return { ...base, summary: text };
    } catch (e) {
      return { ...base, problem: (e as Error).message };
    }
  }),
);

for (const r of reports) console.log(`${r.score.toFixed(2)} ${r.title}: ${r.summary ?? `(${r.problem})`}`);
return { reports, problems, tokens, overlap: ranked.filter((r) => r.queries.length > 1).map((r) => r.url) };
