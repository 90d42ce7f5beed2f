// Async iterators over a paged host function: laziness, early exit, transforms.
interface Issue {
  id: number;
  label: string;
}
interface Page {
  items: Issue[];
  next: string | null;
}

let requests = 0;

async function* pages(limit: number): AsyncGenerator<Page, number> {
  let cursor: string | null = null;
  do {
    const page: Page = await listIssues({ cursor, limit });
    requests++;
    yield page;
    cursor = page.next;
  } while (cursor !== null);
  return requests;
}

async function* issues(limit = 3): AsyncGenerator<Issue> {
  try {
    for await (const page of pages(limit)) yield* page.items;
  } finally {
    console.log(`closed after ${requests} requests`);
  }
}

async function* where<T>(source: AsyncIterable<T>, keep: (item: T) => boolean | Promise<boolean>): AsyncGenerator<T> {
  for await (const item of source) if (await keep(item)) yield item;
}

async function collect<T>(source: AsyncIterable<T>, max = Infinity): Promise<T[]> {
  const out: T[] = [];
  for await (const item of source) {
    out.push(item);
    if (out.length >= max) break;
  }
  return out;
}

const firstTwoBugs = await collect(where(issues(), (i) => i.label === "bug"), 2);
const used = requests;
const all = await collect(issues());

let failure = "";
try {
  await collect(issues(99));
} catch (e) {
  failure = (e as Error).message;
}

const it = pages(3);
await it.next();
const ended = await it.return(42);
const counts: Record<string, number> = {};
for await (const { label } of issues()) counts[label] = (counts[label] ?? 0) + 1;

return { firstTwoBugs, used, total: all.length, failure, ended, counts, promised: await collect((async function* () { yield Promise.resolve(1); yield 2; })()) };
