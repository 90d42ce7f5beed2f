export const tool = {
  name: "text_diff",
  description:
    "Compares two texts line by line and writes what changed as a unified diff, with the lines around; or, with words: true, marks the words that changed: [-old-]{+new+}. " +
    "Use it to see or to show exactly what an edit did. Equal texts give \"no difference\".",
  inputSchema: {
    type: "object",
    properties: {
      before: { type: "string" },
      after: { type: "string" },
      context: { type: "integer", minimum: 0, maximum: 100, default: 3, description: "lines around each change" },
      ignoreSpace: { type: "boolean", default: false, description: "lines that differ in white space alone are equal" },
      words: { type: "boolean", default: false },
    },
    required: ["before", "after"],
    additionalProperties: false,
  },
  outputSchema: { type: "string" },
  timeout: 5,
};

/**
 * The shortest edit by Myers' algorithm: the parts of both lists in order, with
 * " ", "-" or "+". Beyond maxEdits changes the rest is all removed and added.
 */
function edits(a, b, same, maxEdits = 2000) {
  let start = 0;
  while (start < a.length && start < b.length && same(a[start], b[start])) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && same(a[a.length - 1 - end], b[b.length - 1 - end])) end++;
  const x = a.slice(start, a.length - end);
  const y = b.slice(start, b.length - end);
  const out = [];
  for (let i = 0; i < start; i++) out.push([" ", b[i]]);
  out.push(...middle(x, y, same, maxEdits));
  for (let i = end; i > 0; i--) out.push([" ", b[b.length - i]]);
  return out;
}

function middle(x, y, same, maxEdits) {
  const n = x.length;
  const m = y.length;
  const limit = Math.min(n + m, maxEdits);
  const offset = limit + 1;
  let v = new Int32Array(2 * limit + 3);
  const trace = [];
  let found = false;
  for (let d = 0; d <= limit && !found; d++) {
    trace.push(v.slice(offset - d - 1, offset + d + 2)); // what the steps back look at
    for (let k = -d; k <= d; k += 2) {
      let i = k === -d || (k !== d && v[offset + k - 1] < v[offset + k + 1]) ? v[offset + k + 1] : v[offset + k - 1] + 1;
      while (i < n && i - k < m && same(x[i], y[i - k])) i++;
      v[offset + k] = i;
      if (i >= n && i - k >= m) {
        found = true;
        break;
      }
    }
  }
  if (!found) return [...x.map((l) => ["-", l]), ...y.map((l) => ["+", l])];
  const out = [];
  let i = n;
  let j = m;
  for (let d = trace.length - 1; d >= 0; d--) {
    const at = (k) => trace[d][k + d + 1];
    const k = i - j;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const from = down ? k + 1 : k - 1;
    const pi = d === 0 ? 0 : at(from);
    const pj = d === 0 ? 0 : pi - from;
    while (i > pi && j > pj) {
      i--;
      j--;
      out.push([" ", y[j]]);
    }
    if (d > 0) out.push(down ? ["+", y[--j]] : ["-", x[--i]]);
  }
  return out.reverse();
}

function lines(text) {
  const all = text.split("\n");
  const ends = all.at(-1) === "";
  if (ends) all.pop();
  return { all, ends: ends || text === "" };
}

function unified(before, after, context, same) {
  const a = lines(before);
  const b = lines(after);
  const all = edits(a.all, b.all, same);
  const changed = all.flatMap(([kind], i) => (kind === " " ? [] : [i]));
  const out = [];
  for (let i = 0; i < changed.length; ) {
    let last = i;
    while (last + 1 < changed.length && changed[last + 1] - changed[last] <= 2 * context + 1) last++;
    const from = Math.max(0, changed[i] - context);
    const to = Math.min(all.length, changed[last] + context + 1);
    const count = (part, kind) => part.filter(([k]) => k !== kind).length;
    const oldStart = count(all.slice(0, from), "+");
    const newStart = count(all.slice(0, from), "-");
    const hunk = all.slice(from, to);
    const range = (start, n) => `${n === 0 ? start : start + 1}${n === 1 ? "" : `,${n}`}`;
    out.push(`@@ -${range(oldStart, count(hunk, "+"))} +${range(newStart, count(hunk, "-"))} @@`);
    out.push(...hunk.map(([kind, line]) => kind + line));
    i = last + 1;
  }
  if (a.ends !== b.ends) out.push(`\\ the ${a.ends ? "new" : "old"} text has no line break at its end`);
  return out.join("\n");
}

function marked(before, after, same) {
  const split = (s) => s.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  let out = "";
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) out += `[-${removed}-]`;
    if (added) out += `{+${added}+}`;
    removed = added = "";
  };
  for (const [kind, word] of edits(split(before), split(after), same)) {
    if (kind === "-") removed += word;
    else if (kind === "+") added += word;
    else {
      flush();
      out += word;
    }
  }
  flush();
  return out;
}

export function invoke({ before, after, context = 3, ignoreSpace = false, words = false }) {
  before = before.replaceAll("\r\n", "\n");
  after = after.replaceAll("\r\n", "\n");
  const plain = (s) => s.trim().replace(/\s+/g, " ");
  const same = ignoreSpace ? (a, b) => a === b || plain(a) === plain(b) : (a, b) => a === b;
  if (before === after) return "no difference";
  const diff = words ? marked(before, after, same) : unified(before, after, context, same);
  return diff || "no difference";
}
