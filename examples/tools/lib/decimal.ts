/** A decimal: digits / 10 ** scale, exact. */
export interface Decimal {
  digits: bigint;
  scale: number; // not negative
}

/** How many digits after the point a quotient has that doesn't end before. */
const quotientDigits = 40;

/** What a result may have: more is somebody's mistake. */
const maxDigits = 10_000;

const ten = (n: number): bigint => 10n ** BigInt(n);

function make(digits: bigint, scale: number): Decimal {
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  return { digits, scale };
}

export function parse(text: string): Decimal {
  const m = /^(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!m || !(m[1] || m[2])) throw new Error(`"${text}" is no number`);
  const fraction = m[2] ?? "";
  const scale = fraction.length - Number(m[3] ?? 0);
  const digits = BigInt(m[1] + fraction);
  return scale < 0 ? { digits: digits * ten(-scale), scale: 0 } : make(digits, scale);
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * ten(scale - a.scale), b.digits * ten(scale - b.scale), scale];
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b);
  return make(x + y, scale);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b);
  return make(x - y, scale);
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  if (a.scale + b.scale > maxDigits) throw new Error("the result has too many digits");
  return make(a.digits * b.digits, a.scale + b.scale);
}

export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.digits === 0n) throw new Error("division by zero");
  const scale = Math.max(quotientDigits, a.scale);
  return round(make((a.digits * ten(scale + 1 + b.scale - a.scale)) / b.digits, scale + 1), scale);
}

export function remainder(a: Decimal, b: Decimal): Decimal {
  if (b.digits === 0n) throw new Error("division by zero");
  const [x, y, scale] = aligned(a, b);
  return make(x % y, scale);
}

export function power(a: Decimal, b: Decimal): Decimal {
  if (b.scale > 0) throw new Error("an exponent must be a whole number");
  const n = b.digits < 0n ? -b.digits : b.digits;
  const size = BigInt(a.digits.toString().length) * n;
  if (size > BigInt(maxDigits) || BigInt(a.scale) * n > BigInt(maxDigits)) throw new Error("the result has too many digits");
  const x = make(a.digits ** n, a.scale * Number(n));
  return b.digits < 0n ? divide({ digits: 1n, scale: 0 }, x) : x;
}

export function compare(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Rounds to digits after the point: half to even, or up or down. */
export function round(a: Decimal, digits: number, way: "even" | "up" | "down" = "even"): Decimal {
  if (!Number.isInteger(digits) || digits < 0 || digits > 100) throw new Error("round to 0 to 100 digits");
  if (a.scale <= digits) return a;
  const unit = ten(a.scale - digits);
  let q = a.digits / unit;
  const r = a.digits % unit;
  const twice = (r < 0n ? -r : r) * 2n;
  if (way === "even" ? twice > unit || (twice === unit && q % 2n !== 0n) : r !== 0n && r > 0n === (way === "up")) {
    q += a.digits < 0n ? -1n : 1n;
  }
  return make(q, digits);
}

/** Writes a decimal, with zeros up to the digits that are wanted. */
export function format(a: Decimal, digits = 0): string {
  const text = (a.digits < 0n ? -a.digits : a.digits).toString().padStart(a.scale + 1, "0");
  const whole = text.slice(0, text.length - a.scale);
  const fraction = text.slice(text.length - a.scale).padEnd(digits, "0");
  return (a.digits < 0n ? "-" : "") + whole + (fraction ? "." + fraction : "");
}
