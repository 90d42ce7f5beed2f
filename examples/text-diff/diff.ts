// A line diff by longest common subsequence, printed as hunks with context.
type Op = { sign: " " | "-" | "+"; text: string; a: number; b: number };

function lcsTable(a: string[], b: string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

function diff(a: string[], b: string[]): Op[] {
  const table = lcsTable(a, b);
  const ops: Op[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) ops.push({ sign: " ", text: a[i], a: i++, b: j++ });
    else if (j >= b.length || (i < a.length && table[i + 1][j] >= table[i][j + 1])) ops.push({ sign: "-", text: a[i], a: i++, b: j });
    else ops.push({ sign: "+", text: b[j], a: i, b: j++ });
  }
  return ops;
}

function* hunks(ops: Op[], context = 1): Generator<Op[]> {
  let current: Op[] = [];
  for (const [i, op] of ops.entries()) {
    const near = ops.slice(Math.max(0, i - context), i + context + 1).some((o) => o.sign !== " ");
    if (near) {
      current.push(op);
    } else if (current.length) {
      yield current;
      current = [];
    }
  }
  if (current.length) yield current;
}

const split = (s: string): string[] => s.replace(/\n$/, "").split("\n");
const { before, after } = input as Record<"before" | "after", string>;
const ops = diff(split(before), split(after));

for (const hunk of hunks(ops)) {
  const count = (signs: string): number => hunk.filter((o) => signs.includes(o.sign)).length;
  console.log(`@@ -${hunk[0].a + 1},${count(" -")} +${hunk[0].b + 1},${count(" +")} @@`);
  for (const { sign, text } of hunk) console.log(sign + text);
}

const rebuilt = ops.filter((o) => o.sign !== "-").map((o) => o.text).join("\n") + "\n";
const added = ops.filter((o) => o.sign === "+").length;
const removed = ops.filter((o) => o.sign === "-").length;
return { added, removed, same: ops.length - added - removed, roundTrip: rebuilt === after };
