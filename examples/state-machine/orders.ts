// Event sourcing: a typed transition table, an immutable reducer, time travel.
type State = "new" | "paid" | "shipped" | "delivered" | "cancelled";
type Event =
  | { type: "create"; id: number }
  | { type: "pay"; id: number; cents: number }
  | { type: "ship" | "deliver" | "cancel"; id: number };
type Order = Readonly<{ id: number; state: State; paid: number; log: readonly string[] }>;
type Store = Readonly<Record<number, Order>>;

const transitions = {
  pay: { new: "paid" },
  ship: { paid: "shipped" },
  deliver: { shipped: "delivered" },
  cancel: { new: "cancelled", paid: "cancelled" },
} as const satisfies Partial<Record<Event["type"], Partial<Record<State, State>>>>;

function assertNever(x: never): never {
  throw new TypeError(`unknown event ${(x as { type: string }).type}`);
}

function reduce(store: Store, event: Event): Store {
  const order = store[event.id];
  switch (event.type) {
    case "create":
      if (order) throw new Error(`order ${event.id} exists`);
      return { ...store, [event.id]: { id: event.id, state: "new", paid: 0, log: ["new"] } };
    case "pay":
    case "ship":
    case "deliver":
    case "cancel": {
      const next = (transitions[event.type] as Partial<Record<State, State>>)[order?.state];
      if (!next) throw new Error(`can't ${event.type} an order that is ${order?.state ?? "missing"}`);
      const paid = order.paid + ("cents" in event ? event.cents : 0);
      return { ...store, [event.id]: { ...order, state: next, paid, log: [...order.log, next] } };
    }
    default:
      return assertNever(event);
  }
}

const history: Store[] = [{}];
const rejected: string[] = [];
for (const [i, event] of (input.events as Event[]).entries()) {
  try {
    history.push(reduce(history.at(-1)!, event));
  } catch (e: unknown) {
    rejected.push(`${i}: ${(e as Error).message}`);
  }
}

const now = history[history.length - 1];
for (const o of Object.values(now)) console.log(`order ${o.id}: ${o.log.join(" > ")}`);
rejected.forEach((r) => console.log(`rejected ${r}`));
return {
  now,
  steps: history.length - 1,
  then: Object.fromEntries(Object.entries(history[3]).map(([id, o]) => [id, o.state])),
  shared: history[4][2] === history[3][2],
};
