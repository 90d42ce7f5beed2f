import { type Decimal, add, compare, divide, format, multiply, parse, power, remainder, round, subtract } from "./lib/decimal.ts";

export const tool = {
  description:
    "Calculates an expression exactly, with decimals of any length: 0.1 + 0.2 is 0.3. Operators: + - * / % ^ and parentheses; " +
    "functions: abs, ceil, floor, max, min, round(x, digits), sum, avg, percent(part, whole). Quotients that don't end have 40 digits. " +
    "Use it for money, totals and percentages instead of calculating in your head.",
  inputSchema: {
    type: "object",
    properties: {
      expression: { type: "string", minLength: 1, maxLength: 2000, description: "such as (19.99 * 3 + 4.5) * 1.081" },
      digits: { type: "integer", minimum: 0, maximum: 100, description: "round the result to so many digits after the point, half to even" },
    },
    required: ["expression"],
    additionalProperties: false,
  },
  outputSchema: { type: "string" },
  timeout: 2,
};

const zero: Decimal = parse("0");
const functions: Record<string, (args: Decimal[]) => Decimal> = {
  abs: ([x]) => (compare(x, zero) < 0 ? subtract(zero, x) : x),
  ceil: ([x]) => round(x, 0, "up"),
  floor: ([x]) => round(x, 0, "down"),
  max: (all) => all.reduce((a, b) => (compare(a, b) >= 0 ? a : b)),
  min: (all) => all.reduce((a, b) => (compare(a, b) <= 0 ? a : b)),
  round: ([x, digits]) => round(x, digits ? Number(format(digits)) : 0),
  sum: (all) => all.reduce(add),
  avg: (all) => divide(all.reduce(add), parse(String(all.length))),
  percent: ([part, whole]) => multiply(divide(part, whole), parse("100")),
};
const counts: Record<string, [number, number]> = { abs: [1, 1], ceil: [1, 1], floor: [1, 1], round: [1, 2], percent: [2, 2] };

/** A parser by recursive descent: each method reads one level of precedence. */
class Parser {
  #tokens: { text: string; at: number }[] = [];
  #next = 0;
  #depth = 0;

  readonly source: string;

  constructor(source: string) {
    this.source = source;
    const token = /\s*(?:(\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|\.\d+)|([A-Za-z]+)|(\*\*|[-+*/%^(),])|(\S))/gy;
    for (const m of source.matchAll(token)) {
      const at = m.index + m[0].length - (m[1] ?? m[2] ?? m[3] ?? m[4]).length;
      if (m[4]) throw new Error(`unexpected "${m[4]}" at character ${at + 1} of ${source}`);
      this.#tokens.push({ text: m[1] ?? m[2] ?? m[3], at });
    }
  }

  all(): Decimal {
    const x = this.#sum();
    if (this.#next < this.#tokens.length) this.#fail("an operator");
    return x;
  }

  #peek(): string {
    return this.#tokens[this.#next]?.text ?? "";
  }

  #take(...texts: string[]): string {
    const t = this.#peek();
    if (!texts.includes(t)) return "";
    this.#next++;
    return t;
  }

  #fail(wanted: string): never {
    const t = this.#tokens[this.#next];
    throw new Error(t ? `expected ${wanted} at character ${t.at + 1}, got "${t.text}"` : `expected ${wanted} at the end of ${this.source}`);
  }

  #sum(): Decimal {
    if (++this.#depth > 100) throw new Error("the expression is nested too deeply");
    let x = this.#product();
    for (let op; (op = this.#take("+", "-")); ) x = (op === "+" ? add : subtract)(x, this.#product());
    this.#depth--;
    return x;
  }

  #product(): Decimal {
    let x = this.#sign();
    for (let op; (op = this.#take("*", "/", "%")); ) {
      const y = this.#sign();
      if (op !== "*" && compare(y, zero) === 0) throw new Error("division by zero");
      x = { "*": multiply, "/": divide, "%": remainder }[op]!(x, y);
    }
    return x;
  }

  #sign(): Decimal {
    let negative = false;
    for (let op; (op = this.#take("+", "-")); ) negative = negative !== (op === "-");
    const x = this.#power();
    return negative ? subtract(zero, x) : x;
  }

  #power(): Decimal {
    const x = this.#atom();
    if (!this.#take("^", "**")) return x;
    if (++this.#depth > 100) throw new Error("the expression is nested too deeply");
    const y = this.#sign(); // from the right: 2^3^2 is 2^9
    this.#depth--;
    return power(x, y);
  }

  #atom(): Decimal {
    const t = this.#peek();
    if (/^[\d.]/.test(t)) {
      this.#next++;
      return parse(t.replaceAll("_", ""));
    }
    if (this.#take("(")) {
      const x = this.#sum();
      if (!this.#take(")")) this.#fail('")"');
      return x;
    }
    const name = t.toLowerCase();
    if (!Object.hasOwn(functions, name)) {
      if (/^[a-z]/i.test(t)) throw new Error(`there is no function "${t}"; there are ${Object.keys(functions).join(", ")}`);
      this.#fail("a number");
    }
    this.#next++;
    if (!this.#take("(")) this.#fail('"("');
    const args = [this.#sum()];
    while (this.#take(",")) args.push(this.#sum());
    if (!this.#take(")")) this.#fail('")"');
    const [least, most] = counts[name] ?? [1, Infinity];
    if (args.length < least || args.length > most) throw new Error(`${name} takes ${least === most ? least : `${least} to ${most}`} arguments, not ${args.length}`);
    return functions[name](args);
  }
}

export function invoke({ expression, digits }: { expression: string; digits?: number }): string {
  const x = new Parser(expression).all();
  return format(digits === undefined ? x : round(x, digits), digits);
}
