// Exact money: decimals as scaled BigInts, half-even rounding, fair splits.
class Decimal {
  static readonly scale = 9n;
  static readonly one = 10n ** Decimal.scale;
  readonly units: bigint;

  private constructor(units: bigint) {
    this.units = units;
  }

  static parse(text: string): Decimal {
    const m = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<part>\d{1,9}))?$/.exec(text);
    if (!m?.groups) throw new SyntaxError(`not a decimal: ${text}`);
    const { sign, whole, part = "" } = m.groups;
    const units = BigInt(whole) * Decimal.one + BigInt(part.padEnd(9, "0"));
    return new Decimal(sign ? -units : units);
  }

  static readonly zero = new Decimal(0n);

  plus(other: Decimal): Decimal {
    return new Decimal(this.units + other.units);
  }
  times(other: Decimal): Decimal {
    return new Decimal(divide(this.units * other.units, Decimal.one));
  }
  percent(p: number): Decimal {
    return new Decimal(divide(this.units * BigInt(p), 100n));
  }
  round(digits = 2): Decimal {
    const step = 10n ** (Decimal.scale - BigInt(digits));
    return new Decimal(divide(this.units, step) * step);
  }
  /** Splits into parts by weight; the last cents go to the first parts. */
  split(weights: readonly bigint[]): Decimal[] {
    const cent = Decimal.one / 100n;
    const cents = this.units / cent;
    const total = weights.reduce((a, b) => a + b, 0n);
    const parts = weights.map((w) => (cents * w) / total);
    let rest = cents - parts.reduce((a, b) => a + b, 0n);
    return parts.map((p) => new Decimal((rest-- > 0n ? p + 1n : p) * cent));
  }
  toString(digits = 2): string {
    const value = this.round(digits).units;
    const abs = value < 0n ? -value : value;
    const whole = String(abs / Decimal.one).replace(/\B(?=(\d{3})+$)/g, ",");
    return `${value < 0n ? "-" : ""}${whole}.${String(abs % Decimal.one).padStart(9, "0").slice(0, digits)}`;
  }
  toJSON(): string {
    return this.toString();
  }
}

/** Division that rounds halves to the even neighbour. */
function divide(a: bigint, b: bigint): bigint {
  const q = a / b;
  const twice = (a % b) * 2n;
  const abs = twice < 0n ? -twice : twice;
  if (abs < b || (abs === b && q % 2n === 0n)) return q;
  return q + (a < 0n ? -1n : 1n);
}

type Line = { text: string; quantity: string; unit: string; vat: number };
const { currency, lines, split } = input as { currency: string; lines: Line[]; split: string[] };

let net = Decimal.zero;
const vat = new Map<number, Decimal>();
for (const line of lines) {
  const amount = Decimal.parse(line.quantity).times(Decimal.parse(line.unit)).round();
  net = net.plus(amount);
  vat.set(line.vat, (vat.get(line.vat) ?? Decimal.zero).plus(amount.percent(line.vat)));
  console.log(`${line.text.padEnd(12)} ${amount.toString().padStart(14)} ${currency}`);
}
const gross = [...vat.values()].reduce((sum, v) => sum.plus(v.round()), net);
console.log(`${"Total".padEnd(12)} ${gross.toString().padStart(14)} ${currency}`);

const errors: string[] = [];
for (const bad of [() => Decimal.parse("1,5"), () => JSON.stringify({ raw: 1n }), () => BigInt(1.5), () => (1n as any) + 1]) {
  try {
    bad();
  } catch (e) {
    errors.push(`${(e as Error).name}: ${(e as Error).message}`);
  }
}

return {
  net,
  vat: Object.fromEntries([...vat].map(([rate, v]) => [`${rate}%`, v.round()])),
  gross,
  shares: gross.split(split.map(BigInt)),
  halves: ["0.125", "0.135", "-0.125", "2.675"].map((s) => Decimal.parse(s).toString()),
  errors,
};
