// A generic LRU cache over Map's insertion order, with events and statistics.
type Listener<E> = (event: E) => void;

class Emitter<Events extends Record<string, unknown>> {
  #listeners: { [K in keyof Events]?: Set<Listener<Events[K]>> } = {};
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    const set = (this.#listeners[name] ??= new Set());
    set.add(listener);
    return () => void set.delete(listener);
  }
  protected emit<K extends keyof Events>(name: K, event: Events[K]): void {
    this.#listeners[name]?.forEach((l) => l(event));
  }
}

class LruCache<K, V> extends Emitter<{ evict: { key: K; value: V }; hit: K }> implements Iterable<[K, V]> {
  readonly capacity: number;
  #map = new Map<K, V>();
  hits = 0;
  misses = 0;

  constructor(capacity: number) {
    super();
    this.capacity = capacity;
  }

  getOrAdd(key: K, make: (key: K) => V): V {
    if (this.#map.has(key)) {
      const value = this.#map.get(key)!;
      this.#map.delete(key);
      this.#map.set(key, value);
      this.hits++;
      this.emit("hit", key);
      return value;
    }
    this.misses++;
    const value = make(key);
    this.#map.set(key, value);
    if (this.#map.size > this.capacity) {
      const [oldest] = this.#map.keys();
      const gone = this.#map.get(oldest)!;
      this.#map.delete(oldest);
      this.emit("evict", { key: oldest, value: gone });
    }
    return value;
  }

  get [Symbol.toStringTag](): string {
    return "LruCache";
  }
  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#map.entries();
  }
}

const { capacity, requests } = input as { capacity: number; requests: string[] };
const cache = new LruCache<string, number>(capacity);
const evicted: string[] = [];
cache.on("evict", ({ key, value }) => evicted.push(`${key}=${value}`));
const off = cache.on("hit", (key) => console.log(`hit ${key}`));

let clock = 0;
for (const [i, r] of requests.entries()) {
  if (i === 8) off();
  cache.getOrAdd(r, () => ++clock);
}
console.log(`${cache}: ${cache.hits} hits, ${cache.misses} misses`);
return { evicted, content: Object.fromEntries(cache), order: [...cache].map(([k]) => k).join("") };
