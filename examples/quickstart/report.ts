// Reads orders, prints a short report, returns a summary.

interface Line {
  sku: string;
  quantity: number;
  cents: number;
}

interface Order {
  id: string;
  customer: string;
  country: string;
  status: "paid" | "open" | "refunded";
  lines: Line[];
}

interface Summary {
  orders: number;
  revenue: string;
  byCountry: Record<string, string>;
  bestCustomer: { name: string; spent: string };
  waiting: string[];
}

const { currency, orders } = input as { currency: string; orders: Order[] };

const total = (order: Order): number =>
  order.lines.reduce((sum, line) => sum + line.quantity * line.cents, 0);

const money = (cents: number): string => `${(cents / 100).toFixed(2)} ${currency}`;

/** Adds up a number per key; the keys stay in the order they first appear. */
function sumBy<T>(items: Iterable<T>, key: (item: T) => string, value: (item: T) => number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) {
    const k = key(item);
    sums.set(k, (sums.get(k) ?? 0) + value(item));
  }
  return sums;
}

function largest(sums: Map<string, number>): [string, number] {
  return [...sums].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
}

const paid = orders.filter((o) => o.status === "paid");
const revenue = paid.reduce((sum, o) => sum + total(o), 0);
const byCountry = sumBy(paid, (o) => o.country, total);
const [name, spent] = largest(sumBy(paid, (o) => o.customer, total));

console.log(`${orders.length} orders, ${paid.length} paid, ${money(revenue)}`);
for (const [country, cents] of [...byCountry].sort((a, b) => b[1] - a[1])) {
  const share = Math.round((cents / revenue) * 100);
  console.log(`  ${country}  ${money(cents).padStart(12)}  ${"█".repeat(Math.round(share / 4))} ${share} %`);
}

const summary: Summary = {
  orders: orders.length,
  revenue: money(revenue),
  byCountry: Object.fromEntries([...byCountry].map(([k, v]) => [k, money(v)])),
  bestCustomer: { name, spent: money(spent) },
  waiting: orders.filter((o) => o.status === "open").map((o) => o.id),
};
return summary;
