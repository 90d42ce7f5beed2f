export const tool = {
  name: "reshape_json",
  description:
    "Reshapes JSON by a list of steps, each applied to the result of the one before: get, pick, omit, rename, where, sort, limit, group, count, " +
    "flatten, unique, map. Paths are like items[0].user.name; a step on a list works on each of its objects. Use it to cut large data down to what you need.",
  inputSchema: {
    type: "object",
    properties: {
      data: { description: "the data: JSON, or a text that holds JSON" },
      steps: {
        type: "array",
        minItems: 1,
        maxItems: 50,
        items: {
          type: "object",
          minProperties: 1,
          maxProperties: 1,
          properties: {
            get: { type: "string", description: "a path: the value there" },
            pick: { type: "array", items: { type: "string" }, description: "paths to keep, under their last key" },
            omit: { type: "array", items: { type: "string" }, description: "keys to leave out" },
            rename: { type: "object", additionalProperties: { type: "string" }, description: "new names by old ones" },
            where: {
              type: "object",
              properties: { path: { type: "string" }, is: { enum: ["=", "!=", "<", "<=", ">", ">=", "contains", "exists"] }, value: {} },
              required: ["path", "is"],
              additionalProperties: false,
            },
            sort: { type: "string", description: "a path; with - before it from the largest on" },
            limit: { type: "integer", minimum: 0 },
            group: { type: "string", description: "a path: an object of lists by the value there" },
            count: { type: "string", description: "a path: how often each value is there" },
            flatten: { type: "boolean", description: "lists in a list become one" },
            unique: { type: "boolean", description: "each value once" },
            map: { type: "object", additionalProperties: { type: "string" }, description: "new objects: paths by new keys" },
          },
          additionalProperties: false,
        },
      },
    },
    required: ["data", "steps"],
    additionalProperties: false,
  },
};

/** Reads a path: keys and indices in turn. */
function keys(path) {
  const found = [];
  const part = /\.?([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;
  while (part.lastIndex < path.length) {
    const at = part.lastIndex;
    const m = part.exec(path);
    if (!m) throw new Error(`the path "${path}" can't be read from character ${at + 1} on; write it like items[0].name`);
    found.push(m[2] !== undefined ? Number(m[2]) : m[1] ?? JSON.parse(`"${m[3]}"`));
  }
  return found;
}

function at(value, path) {
  for (const k of keys(path)) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, k)) return undefined;
    value = value[k];
  }
  return value;
}

function order(a, b) {
  if (typeof a === typeof b && (typeof a === "number" || typeof a === "string")) return a < b ? -1 : a > b ? 1 : 0;
  const rank = (x) => ["number", "string", "boolean"].indexOf(typeof x) + 1 || (x === null ? 8 : 9);
  return rank(a) - rank(b);
}

const tests = {
  "=": (a, b) => JSON.stringify(a) === JSON.stringify(b),
  "!=": (a, b) => JSON.stringify(a) !== JSON.stringify(b),
  "<": (a, b) => typeof a === typeof b && a < b,
  "<=": (a, b) => typeof a === typeof b && a <= b,
  ">": (a, b) => typeof a === typeof b && a > b,
  ">=": (a, b) => typeof a === typeof b && a >= b,
  contains: (a, b) => (typeof a === "string" ? a.toLowerCase().includes(String(b).toLowerCase()) : Array.isArray(a) && a.some((x) => tests["="](x, b))),
  exists: (a) => a !== undefined && a !== null,
};

const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);

/** Applies a function to an object, or to each object of a list. */
function each(data, step, f) {
  if (Array.isArray(data)) return data.map((x) => (isObject(x) ? f(x) : x));
  if (isObject(data)) return f(data);
  throw new Error(`${step} needs an object or a list of objects`);
}

function list(data, step) {
  if (Array.isArray(data)) return data;
  throw new Error(`${step} needs a list, and this is ${data === null ? "null" : isObject(data) ? `an object with the keys ${Object.keys(data).slice(0, 10).join(", ")}: get one of them first` : typeof data}`);
}

const fromEntries = (entries) => Object.fromEntries(entries.filter(([, v]) => v !== undefined));

const steps = {
  get(data, path) {
    const v = at(data, path);
    if (v !== undefined) return v;
    const first = Array.isArray(data) ? `a list of ${data.length}` : isObject(data) ? `an object with the keys ${Object.keys(data).slice(0, 20).join(", ")}` : typeof data;
    throw new Error(`there is nothing at ${path}; the data is ${first}`);
  },
  pick: (data, paths) => each(data, "pick", (o) => fromEntries(paths.map((p) => [String(keys(p).at(-1)), at(o, p)]))),
  omit: (data, names) => each(data, "omit", (o) => fromEntries(Object.entries(o).filter(([k]) => !names.includes(k)))),
  rename: (data, names) => each(data, "rename", (o) => fromEntries(Object.entries(o).map(([k, v]) => [Object.hasOwn(names, k) ? names[k] : k, v]))),
  map: (data, paths) => each(data, "map", (o) => fromEntries(Object.entries(paths).map(([k, p]) => [k, at(o, p)]))),
  where: (data, { path, is, value }) => list(data, "where").filter((x) => tests[is](at(x, path), value)),
  sort(data, path) {
    const down = path.startsWith("-");
    const by = down ? path.slice(1) : path;
    return list(data, "sort").toSorted((a, b) => (down ? order(at(b, by), at(a, by)) : order(at(a, by), at(b, by))));
  },
  limit: (data, n) => list(data, "limit").slice(0, n),
  group: (data, path) => ({ ...Object.groupBy(list(data, "group"), (x) => String(at(x, path) ?? null)) }),
  count(data, path) {
    const n = new Map();
    for (const x of list(data, "count")) {
      const k = String(at(x, path) ?? null);
      n.set(k, (n.get(k) ?? 0) + 1);
    }
    return Object.fromEntries([...n].sort((a, b) => b[1] - a[1] || order(a[0], b[0])));
  },
  flatten: (data, on) => (on ? list(data, "flatten").flat() : data),
  unique(data, on) {
    if (!on) return data;
    const seen = new Set();
    return list(data, "unique").filter((x) => {
      const k = JSON.stringify(x);
      return !seen.has(k) && seen.add(k);
    });
  },
};

export function invoke({ data, steps: wanted }) {
  if (typeof data === "string") {
    try {
      data = JSON.parse(data);
    } catch (e) {
      throw new Error(`data is a text that isn't JSON: ${e.message}`);
    }
  }
  wanted.forEach((step, i) => {
    const [name, argument] = Object.entries(step)[0];
    try {
      data = steps[name](data, argument);
    } catch (e) {
      throw new Error(`step ${i + 1} (${name}): ${e.message}`);
    }
  });
  return data;
}
