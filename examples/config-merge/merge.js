// Layers of configuration: deep merge, variables, frozen result, change log.
const isPlain = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);

export function merge(base, layer, path = [], changes = []) {
  const out = { ...base };
  for (const [key, value] of Object.entries(layer)) {
    if (key === '__proto__') continue;
    const here = [...path, key];
    if (value === null) {
      delete out[key];
      changes.push(`- ${here.join('.')}`);
    } else if (isPlain(value) && isPlain(out[key])) {
      out[key] = merge(out[key], value, here, changes);
    } else if (Array.isArray(value) && Array.isArray(out[key])) {
      out[key] = [...new Set([...out[key], ...value])];
      changes.push(`~ ${here.join('.')}`);
    } else {
      changes.push(`${key in out ? '~' : '+'} ${here.join('.')}`);
      out[key] = value;
    }
  }
  return out;
}

const expand = (value, env) => {
  if (typeof value === 'string') {
    const text = value.replace(/\$\{(\w+)\}/g, (whole, name) => env[name] ?? whole);
    return /^\d+$/.test(text) ? Number(text) : text;
  }
  if (Array.isArray(value)) return value.map((v) => expand(v, env));
  if (isPlain(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, expand(v, env)]));
  return value;
};

const deepFreeze = (o) => {
  Object.values(o).forEach((v) => typeof v === 'object' && v !== null && deepFreeze(v));
  return Object.freeze(o);
};

export default async (input) => {
  const changes = [];
  const merged = input.layers.reduce((acc, layer) => merge(acc, layer, [], changes), {});
  const config = deepFreeze(expand(merged, input.environment));
  changes.forEach((c) => console.log(c));
  let frozen = false;
  try {
    config.server.port = 1;
  } catch (e) {
    frozen = e instanceof TypeError;
  }
  return { config, frozen, polluted: {}.polluted === undefined, own: Object.getOwnPropertyNames(input.layers[2]) };
};
