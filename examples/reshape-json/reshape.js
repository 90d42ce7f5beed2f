// Turns a flat export into a tree with camelCase keys and joined names.
const camel = (s) => s.replace(/_([a-z])/g, (_, c) => c.toUpperCase());

function camelKeys(value) {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [camel(k), camelKeys(v)]));
  }
  return value;
}

const { categories, products, meta: { version, ...restOfMeta } } = input;
const byId = new Map(categories.map((c) => [c.id, c]));

function pathOf(id) {
  const path = [];
  for (let c = byId.get(id); c; c = byId.get(c.parent)) path.unshift(c.name);
  return path.length ? path.join(' / ') : '(unknown)';
}

const reshaped = products.map(({ category_id, price: { amount, currency }, attributes = {}, ...rest }) => ({
  ...camelKeys(rest),
  category: pathOf(category_id),
  price: `${currency} ${amount.toFixed(2)}`,
  ...camelKeys(attributes),
  color: attributes?.color ?? 'unspecified',
}));

const tagged = reshaped.flatMap((p) => p.tags.map((tag) => [tag, p.sku]));
console.log(`version ${version}, ${Object.keys(restOfMeta).length} other meta key`);
for (const p of reshaped) console.log(`${p.sku}: ${p.category}`);

const tree = (parent) =>
  categories
    .filter((c) => c.parent === parent)
    .map((c) => ({ name: c.name, items: products.filter((p) => p.category_id === c.id).map((p) => p.sku), children: tree(c.id) }));

return { products: reshaped, tags: Object.fromEntries(tagged), tree: tree(null), orphans: reshaped.filter((p) => p.category === '(unknown)').map((p) => p.sku) };
