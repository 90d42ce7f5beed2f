// Tokenizer, precedence-climbing parser, tree, evaluator, printer.
type Token = { type: "number"; value: number; at: number } | { type: "name" | "op"; value: string; at: number };

type Node =
  | { kind: "num"; value: number }
  | { kind: "var"; name: string }
  | { kind: "neg"; arg: Node }
  | { kind: "bin"; op: string; left: Node; right: Node }
  | { kind: "call"; name: string; args: Node[] };

class FormulaError extends Error {
  override name = "FormulaError";
  readonly at: number;
  constructor(message: string, at: number) {
    super(`${message} at ${at}`);
    this.at = at;
  }
}

function tokenize(text: string): Token[] {
  const pattern = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([-+*\/%^(),]))/y;
  const tokens: Token[] = [];
  while (pattern.lastIndex < text.trimEnd().length) {
    const start = pattern.lastIndex;
    const m = pattern.exec(text);
    if (!m) throw new FormulaError(`unexpected '${text.slice(start).trimStart()[0]}'`, start);
    const at = pattern.lastIndex - m[0].trimStart().length;
    if (m[1] !== undefined) tokens.push({ type: "number", value: Number(m[1]), at });
    else tokens.push({ type: m[2] !== undefined ? "name" : "op", value: m[2] ?? m[3], at });
  }
  return tokens;
}

const binary: Record<string, { power: number; right?: boolean; apply: (a: number, b: number) => number }> = {
  "+": { power: 1, apply: (a, b) => a + b },
  "-": { power: 1, apply: (a, b) => a - b },
  "*": { power: 2, apply: (a, b) => a * b },
  "/": { power: 2, apply: (a, b) => a / b },
  "%": { power: 2, apply: (a, b) => a % b },
  "^": { power: 4, right: true, apply: (a, b) => a ** b },
};

const functions = new Map<string, (...args: number[]) => number>([
  ["sqrt", Math.sqrt],
  ["max", Math.max],
  ["min", Math.min],
]);

class Parser {
  #tokens: Token[];
  #pos = 0;
  #end: number;
  constructor(text: string) {
    this.#tokens = tokenize(text);
    this.#end = text.length;
  }
  #peek(): Token | undefined {
    return this.#tokens[this.#pos];
  }
  #take(value?: string): Token {
    const t = this.#peek();
    if (!t) throw new FormulaError("unexpected end", this.#end);
    if (value !== undefined && t.value !== value) throw new FormulaError(`expected '${value}', found '${t.value}'`, t.at);
    this.#pos++;
    return t;
  }
  parse(): Node {
    const node = this.#expression(0);
    const rest = this.#peek();
    if (rest) throw new FormulaError(`unexpected '${rest.value}'`, rest.at);
    return node;
  }
  #expression(power: number): Node {
    let left = this.#unary();
    for (;;) {
      const t = this.#peek();
      const op = t?.type === "op" ? binary[t.value] : undefined;
      if (!t || !op || op.power < power) return left;
      this.#pos++;
      left = { kind: "bin", op: String(t.value), left, right: this.#expression(op.right ? op.power : op.power + 1) };
    }
  }
  #unary(): Node {
    if (this.#peek()?.value === "-") {
      this.#take("-");
      return { kind: "neg", arg: this.#expression(3) };
    }
    return this.#primary();
  }
  #primary(): Node {
    const t = this.#take();
    if (t.type === "number") return { kind: "num", value: t.value };
    if (t.type === "name") {
      if (this.#peek()?.value !== "(") return { kind: "var", name: t.value };
      this.#take("(");
      const args: Node[] = [];
      while (this.#peek()?.value !== ")") {
        args.push(this.#expression(0));
        if (this.#peek()?.value === ",") this.#take();
        else break;
      }
      this.#take(")");
      return { kind: "call", name: t.value, args };
    }
    if (t.value === "(") {
      const inner = this.#expression(0);
      this.#take(")");
      return inner;
    }
    throw new FormulaError(`unexpected '${t.value}'`, t.at);
  }
}

function show(n: Node): string {
  switch (n.kind) {
    case "num": return String(n.value);
    case "var": return n.name;
    case "neg": return `(-${show(n.arg)})`;
    case "bin": return `(${show(n.left)} ${n.op} ${show(n.right)})`;
    case "call": return `${n.name}(${n.args.map(show).join(", ")})`;
    default: return n satisfies never;
  }
}

function evaluate(n: Node, env: Record<string, number>): number {
  switch (n.kind) {
    case "num": return n.value;
    case "var":
      if (!Object.hasOwn(env, n.name)) throw new ReferenceError(`unknown name '${n.name}'`);
      return env[n.name];
    case "neg": return -evaluate(n.arg, env);
    case "bin": return binary[n.op].apply(evaluate(n.left, env), evaluate(n.right, env));
    case "call": {
      const f = functions.get(n.name);
      if (!f) throw new ReferenceError(`unknown function '${n.name}'`);
      return f(...n.args.map((a) => evaluate(a, env)));
    }
  }
}

const { formulas, variables } = input as { formulas: string[]; variables: Record<string, number> };
const results: Record<string, string> = {};
for (const formula of formulas) {
  try {
    const tree = new Parser(formula).parse();
    results[formula] = String(evaluate(tree, variables));
    console.log(`${show(tree)} = ${results[formula]}`);
  } catch (e) {
    const { name, message } = e as Error;
    results[formula] = `${name}: ${message}`;
    console.log(`${formula} -> ${results[formula]}`);
  }
}
return results;
