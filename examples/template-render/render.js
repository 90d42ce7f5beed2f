// A small template language: paths, filters, if/else, each, escaping.
const filters = {
  upper: (s) => String(s).toUpperCase(),
  money: (n) => `$${Number(n).toFixed(2)}`,
  default: (v) => v ?? 'n/a',
};
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (s) => String(s).replace(/[&<>"']/g, (c) => escapes[c]);

function parse(source) {
  const root = { body: [], otherwise: null };
  const stack = [root];
  const top = () => stack[stack.length - 1];
  const add = (node) => (top().otherwise ?? top().body).push(node);
  let last = 0;
  for (const { 0: whole, 1: inner, index } of source.matchAll(/\{\{\s*(.*?)\s*\}\}/g)) {
    if (index > last) add({ type: 'text', text: source.slice(last, index) });
    last = index + whole.length;
    const block = /^#(if|each)\s+(\S+)$/.exec(inner);
    if (block) {
      const node = { type: block[1], path: block[2], body: [], otherwise: null };
      add(node);
      stack.push(node);
    } else if (inner === 'else') {
      top().otherwise = [];
    } else if (inner.startsWith('/')) {
      const node = stack.pop();
      if (node === root || node.type !== inner.slice(1)) throw new SyntaxError(`unexpected {{${inner}}} at ${index}`);
    } else {
      const [path, ...names] = inner.split(/\s*\|\s*/);
      add({ type: 'value', path, names });
    }
  }
  if (stack.length > 1) throw new SyntaxError(`{{#${top().type}}} is not closed`);
  if (last < source.length) add({ type: 'text', text: source.slice(last) });
  return root.body;
}

const lookup = (path, scopes) => {
  const [head, ...rest] = path.split('.');
  const scope = scopes.find((s) => Object.hasOwn(s, head));
  return rest.reduce((v, k) => v?.[k], scope?.[head]);
};

function render(nodes, scopes) {
  return nodes.map((node) => {
    switch (node.type) {
      case 'text': return node.text;
      case 'value': return escapeHtml(node.names.reduce((v, f) => filters[f](v), lookup(node.path, scopes)) ?? '');
      case 'if': return render(lookup(node.path, scopes) ? node.body : node.otherwise ?? [], scopes);
      case 'each': return lookup(node.path, scopes).map((item, i) => render(node.body, [{ ...item, '@index': i + 1 }, ...scopes])).join('');
    }
  }).join('');
}

const text = render(parse(input.template), [input.data]);
text.split('\n').forEach((line) => console.log(line));

const errors = ['{{#if a}}', '{{/each}}', '{{#each a}}{{/if}}'].map((t) => {
  try { return parse(t); } catch ({ name, message }) { return `${name}: ${message}`; }
});
return { length: text.length, errors };
