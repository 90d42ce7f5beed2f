// Units by quantity: how many of the base unit one of it is. Temperatures also
// have an offset: base = value * factor + offset.
const quantities: Record<string, Record<string, number>> = {
  length: { m: 1, km: 1000, cm: 0.01, mm: 0.001, um: 1e-6, nm: 1e-9, in: 0.0254, ft: 0.3048, yd: 0.9144, mi: 1609.344, nmi: 1852 },
  mass: { kg: 1, g: 0.001, mg: 1e-6, t: 1000, lb: 0.45359237, oz: 0.028349523125, st: 6.35029318 },
  temperature: { K: 1, C: 1, F: 5 / 9 },
  volume: { l: 1, ml: 0.001, m3: 1000, gal: 3.785411784, qt: 0.946352946, pt: 0.473176473, cup: 0.2365882365, floz: 0.0295735295625, tbsp: 0.01478676478125, tsp: 0.00492892159375 },
  area: { m2: 1, km2: 1e6, cm2: 1e-4, ha: 1e4, acre: 4046.8564224, ft2: 0.09290304, mi2: 2589988.110336 },
  speed: { "m/s": 1, "km/h": 1 / 3.6, mph: 0.44704, kn: 1852 / 3600, "ft/s": 0.3048 },
  time: { s: 1, ms: 0.001, min: 60, h: 3600, d: 86400, wk: 604800 },
  data: { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4, bit: 0.125 },
  pressure: { Pa: 1, kPa: 1e3, bar: 1e5, mbar: 100, atm: 101325, psi: 6894.757293168, mmHg: 133.322387415 },
  energy: { J: 1, kJ: 1e3, kWh: 3.6e6, Wh: 3600, cal: 4.184, kcal: 4184, BTU: 1055.05585262 },
};

const offsets: Record<string, number> = { K: 0, C: 273.15, F: (459.67 * 5) / 9 };

const names: Record<string, string> = {
  meter: "m", metre: "m", kilometer: "km", kilometre: "km", centimeter: "cm", centimetre: "cm", millimeter: "mm", millimetre: "mm",
  inch: "in", inche: "in", foot: "ft", feet: "ft", yard: "yd", mile: "mi", kilogram: "kg", gram: "g", tonne: "t", pound: "lb", ounce: "oz", stone: "st",
  kelvin: "K", celsius: "C", fahrenheit: "F", "°c": "C", "°f": "F", liter: "l", litre: "l", milliliter: "ml", gallon: "gal", quart: "qt", pint: "pt",
  tablespoon: "tbsp", teaspoon: "tsp", hectare: "ha", acre: "acre", knot: "kn", kph: "km/h", kmh: "km/h", second: "s", minute: "min", hour: "h", hr: "h",
  day: "d", week: "wk", byte: "B", pascal: "Pa", joule: "J", calorie: "cal", kilocalorie: "kcal", cup: "cup",
};

interface Unit {
  quantity: string;
  symbol: string;
}

function find(text: string): Unit {
  const wanted = text.trim();
  const word = wanted.toLowerCase();
  const alias = names[word] ?? names[word.replace(/s$/, "")];
  for (const same of [(u: string) => u === wanted, (u: string) => u === alias, (u: string) => u.toLowerCase() === word]) {
    const hits: Unit[] = [];
    for (const [quantity, units] of Object.entries(quantities)) {
      for (const symbol of Object.keys(units)) if (same(symbol)) hits.push({ quantity, symbol });
    }
    if (hits.length === 1) return hits[0];
    if (hits.length > 1) throw new Error(`the unit "${text}" is ambiguous: write ${hits.map((h) => h.symbol).join(" or ")}`);
  }
  const all = Object.entries(quantities).map(([q, units]) => `${q}: ${Object.keys(units).join(" ")}`);
  throw new Error(`there is no unit "${text}"; there are ${all.join("; ")}`);
}

/** Twelve significant digits: what is beyond them is noise of binary fractions. */
const tidy = (x: number): number => Number(x.toPrecision(12));

export function invoke({ value, from, to }: { value: number; from: string; to: string }) {
  const a = find(from);
  const b = find(to);
  if (a.quantity !== b.quantity) {
    throw new Error(`${from} is a ${a.quantity} and ${to} a ${b.quantity}: they can't be converted`);
  }
  const units = quantities[a.quantity];
  let base = value * units[a.symbol];
  if (a.quantity === "temperature") {
    base += offsets[a.symbol];
    if (base < -1e-9) throw new Error(`${value} ${from} is below absolute zero`);
    base -= offsets[b.symbol];
  }
  return { value: tidy(base / units[b.symbol]), unit: b.symbol, quantity: a.quantity };
}
