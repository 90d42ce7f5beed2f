// A JSON Schema subset with paths to every problem.
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Schema {
  type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  enum?: Json[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  items?: Schema;
  uniqueItems?: boolean;
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

interface Problem {
  path: string;
  message: string;
}

const typeOf = (v: Json): string => (v === null ? "null" : Array.isArray(v) ? "array" : typeof v);
const isObject = (v: Json): v is { [key: string]: Json } => typeOf(v) === "object";

function* validate(schema: Schema, value: Json, path = "$"): Generator<Problem, void, undefined> {
  const actual = typeOf(value);
  if (schema.type) {
    const fits = schema.type === "integer" ? Number.isInteger(value) : schema.type === actual;
    if (!fits) return yield* report(path, `expected ${schema.type}, got ${actual === "number" ? value : actual}`);
  }
  if (schema.enum && !schema.enum.some((e) => JSON.stringify(e) === JSON.stringify(value))) {
    yield { path, message: `must be one of ${schema.enum.map((e) => JSON.stringify(e)).join(", ")}` };
  }
  if (typeof value === "string") {
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) yield { path, message: `does not match ${schema.pattern}` };
    if (value.length > (schema.maxLength ?? Infinity)) yield { path, message: `longer than ${schema.maxLength}` };
  }
  if (typeof value === "number") {
    if (value < (schema.minimum ?? -Infinity)) yield { path, message: `below ${schema.minimum}` };
    if (value > (schema.maximum ?? Infinity)) yield { path, message: `above ${schema.maximum}` };
  }
  if (Array.isArray(value)) {
    if (schema.items) for (const [i, v] of value.entries()) yield* validate(schema.items, v, `${path}[${i}]`);
    if (schema.uniqueItems && new Set(value.map((v) => JSON.stringify(v))).size < value.length) yield { path, message: "has duplicates" };
  }
  if (isObject(value)) {
    for (const key of schema.required ?? []) if (!(key in value)) yield { path: `${path}.${key}`, message: "is missing" };
    for (const [key, v] of Object.entries(value)) {
      const sub = schema.properties?.[key];
      if (sub) yield* validate(sub, v, `${path}.${key}`);
      else if (schema.additionalProperties === false) yield { path: `${path}.${key}`, message: "is not allowed" };
    }
  }
}

function* report(path: string, message: string): Generator<Problem> {
  yield { path, message };
}

const { schema, candidates } = input as { schema: Schema; candidates: Json[] };
const results = candidates.map((c) => Array.from(validate(schema, c)));
results.forEach((problems, i) => {
  console.log(`candidate ${i}: ${problems.length ? `${problems.length} problems` : "ok"}`);
  for (const { path, message } of problems) console.log(`  ${path} ${message}`);
});
return { valid: results.map((r) => r.length === 0), paths: results.map((r) => r.map((p) => p.path)) };
