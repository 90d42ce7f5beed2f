// Calls host functions with bounded concurrency and joins their answers.
interface User {
  id: string;
  name: string;
  team: string;
}
type Outcome<T> = { ok: true; value: T } | { ok: false; reason: string };

async function mapLimit<A, B>(items: readonly A[], limit: number, fn: (item: A, index: number) => Promise<B>): Promise<Outcome<B>[]> {
  const results = new Array<Outcome<B>>(items.length);
  let next = 0;
  let active = 0;
  let peak = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      peak = Math.max(peak, ++active);
      try {
        results[i] = { ok: true, value: await fn(items[i], i) };
      } catch (e) {
        results[i] = { ok: false, reason: e instanceof Error ? e.message : String(e) };
      } finally {
        active--;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  console.log(`peak ${peak} of ${limit}`);
  return results;
}

const { ids, limit } = input as { ids: string[]; limit: number };
const outcomes = await mapLimit(ids, limit, async (id) => {
  const [user, hours] = await Promise.all([getUser(id) as Promise<User>, getHours(id).catch((): number[] => []) as Promise<number[]>]);
  return { ...user, hours: hours.length ? await add(...hours) : 0 };
});

outcomes.forEach((o, i) => console.log(`${ids[i]}: ${o.ok ? `${o.value.name} ${o.value.hours}` : o.reason}`));

const settled = await Promise.allSettled(ids.map((id) => getHours(id)));
const teams: Record<string, number> = {};
for (const o of outcomes) if (o.ok) teams[o.value.team] = (teams[o.value.team] ?? 0) + o.value.hours;

return {
  teams,
  first: await Promise.any([getUser("u3"), getUser("u4")]).then((u: User) => u.name),
  statuses: settled.map((s) => s.status),
  missing: settled.flatMap((s) => (s.status === "rejected" ? [(s.reason as Error).message] : [])),
};
