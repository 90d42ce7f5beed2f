// A notebook for a conversation. Two calls at once could both read the number of
// the last note before one of them writes it, so calls are made one at a time.
export const tool = {
  description:
    "Keeps notes for this conversation: add, list, search, and remove by number. Use it for what must not be forgotten: decisions, names, open questions.",
  inputSchema: {
    type: "object",
    oneOf: [
      { properties: { action: { const: "add" }, text: { type: "string", minLength: 1, maxLength: 2000 }, tags: { type: "array", items: { type: "string" }, maxItems: 10 } }, required: ["action", "text"], additionalProperties: false },
      { properties: { action: { const: "list" }, tag: { type: "string" } }, required: ["action"], additionalProperties: false },
      { properties: { action: { const: "search" }, text: { type: "string", minLength: 1 } }, required: ["action", "text"], additionalProperties: false },
      { properties: { action: { const: "remove" }, number: { type: "integer", minimum: 1 } }, required: ["action", "number"], additionalProperties: false },
    ],
  },
  requires: ["store"],
  parallelSafe: false,
};

const key = (n) => `note:${String(n).padStart(6, "0")}`;

async function all(ctx) {
  const notes = [];
  for (const k of await ctx.store.keys("note:")) notes.push({ number: Number(k.slice(5)), ...(await ctx.store.get(k)) });
  return notes;
}

export async function invoke({ action, text, tags = [], tag, number }, ctx) {
  switch (action) {
    case "add": {
      const n = ((await ctx.store.get("last")) ?? 0) + 1;
      await ctx.store.set(key(n), { text, tags, at: new Date().toISOString() });
      await ctx.store.set("last", n);
      return `note ${n} is kept`;
    }
    case "list":
      return (await all(ctx)).filter((n) => !tag || n.tags.includes(tag));
    case "search": {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      return (await all(ctx)).filter((n) => words.every((w) => `${n.text} ${n.tags.join(" ")}`.toLowerCase().includes(w)));
    }
    case "remove":
      if (!(await ctx.store.delete(key(number)))) throw new Error(`there is no note ${number}`);
      return `note ${number} is removed`;
  }
}
