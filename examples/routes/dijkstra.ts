// Shortest routes with a binary heap; a module with a default export.
export interface RoadMap {
  roads: [string, string, number][];
  from: string;
  to: string[];
}

export class Heap<T> {
  #items: T[] = [];
  #less: (a: T, b: T) => boolean;
  constructor(less: (a: T, b: T) => boolean) {
    this.#less = less;
  }
  get size(): number {
    return this.#items.length;
  }
  push(item: T): void {
    const a = this.#items;
    let i = a.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.#less(a[i], a[parent])) break;
      [a[i], a[parent]] = [a[parent], a[i]];
      i = parent;
    }
  }
  pop(): T | undefined {
    const a = this.#items;
    const top = a[0];
    const last = a.pop();
    if (a.length && last !== undefined) {
      a[0] = last;
      for (let i = 0; ; ) {
        let small = i;
        for (const child of [2 * i + 1, 2 * i + 2]) {
          if (child < a.length && this.#less(a[child], a[small])) small = child;
        }
        if (small === i) break;
        [a[i], a[small]] = [a[small], a[i]];
        i = small;
      }
    }
    return top;
  }
}

const neighbours = ({ roads }: RoadMap): Map<string, [string, number][]> => {
  const map = new Map<string, [string, number][]>();
  const link = (a: string, b: string, km: number) => void (map.get(a) ?? map.set(a, []).get(a)!).push([b, km]);
  for (const [a, b, km] of roads) {
    link(a, b, km);
    link(b, a, km);
  }
  return map;
};

export default function main(input: RoadMap) {
  const graph = neighbours(input);
  const best = new Map<string, { km: number; via?: string }>([[input.from, { km: 0 }]]);
  const queue = new Heap<{ town: string; km: number }>((a, b) => a.km < b.km);
  queue.push({ town: input.from, km: 0 });
  let settled = 0;
  while (queue.size > 0) {
    const { town, km } = queue.pop()!;
    if (km > best.get(town)!.km) continue;
    settled++;
    for (const [next, distance] of graph.get(town) ?? []) {
      const through = km + distance;
      if (through < (best.get(next)?.km ?? Infinity)) {
        best.set(next, { km: through, via: town });
        queue.push({ town: next, km: through });
      }
    }
  }
  const route = (town: string): string[] => {
    const via = best.get(town)?.via;
    return via === undefined ? [town] : [...route(via), town];
  };
  const results = input.to.map((town) => ({ town, km: best.get(town)?.km ?? null, route: best.has(town) ? route(town) : [] }));
  for (const r of results) console.log(r.km === null ? `${r.town}: unreachable` : `${r.route.join(" > ")}: ${r.km} km`);
  return { settled, results };
}
