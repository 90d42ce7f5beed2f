// Dependency order (Kahn), build waves, and the cycles that block the rest.
type Graph = Map<string, Set<string>>;

class CycleError extends Error {
  readonly cycle: readonly string[];
  constructor(cycle: readonly string[], options?: ErrorOptions) {
    super(`cycle: ${cycle.join(" -> ")}`, options);
    this.name = new.target.name;
    this.cycle = cycle;
  }
}

const graph: Graph = new Map(Object.entries(input.packages as Record<string, string[]>).map(([k, deps]) => [k, new Set(deps)]));
const missing = new Set([...graph.values()].flatMap((deps) => [...deps]).filter((d) => !graph.has(d)));
for (const m of missing) graph.set(m, new Set());

function waves(g: Graph): { order: string[][]; stuck: string[] } {
  const left = new Map([...g].map(([k, deps]) => [k, new Set(deps)] as const));
  const order: string[][] = [];
  while (left.size) {
    const ready = [...left].filter(([, deps]) => deps.size === 0).map(([k]) => k).sort();
    if (!ready.length) break;
    for (const k of ready) left.delete(k);
    for (const deps of left.values()) ready.forEach((k) => deps.delete(k));
    order.push(ready);
  }
  return { order, stuck: [...left.keys()] };
}

function findCycle(g: Graph, start: string): string[] | null {
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];
  const visit = (n: string): string[] | null => {
    if (state.get(n) === "done") return null;
    if (state.get(n) === "open") return [...path.slice(path.indexOf(n)), n];
    state.set(n, "open");
    path.push(n);
    for (const d of g.get(n) ?? []) {
      const found = visit(d);
      if (found) return found;
    }
    path.pop();
    state.set(n, "done");
    return null;
  };
  return visit(start);
}

const { order, stuck } = waves(graph);
order.forEach((wave, i) => console.log(`wave ${i + 1}: ${wave.join(", ")}`));

let problem: CycleError | undefined;
try {
  if (stuck.length) {
    const cycle = findCycle(graph, stuck[0]);
    if (cycle) throw new CycleError(cycle, { cause: new Error(`${stuck.length} packages wait`) });
  }
} catch (e) {
  if (!(e instanceof CycleError)) throw e;
  problem = e;
  console.log(`${e.name}: ${e.message} (${(e.cause as Error).message})`);
}

return { order: order.flat(), stuck, missing: [...missing], cycle: problem?.cycle ?? null };
