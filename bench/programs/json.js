// JSON: a document of about 1 MB parsed and written again.
function build() {
  const items = [];
  for (let i = 0; i < 6800; i++) {
    items.push({
      id: i,
      name: 'Item number ' + i,
      price: (i * 37 % 10000) / 100,
      tags: ['alpha', 'beta "quoted"', 'g\u00e4mma\n'],
      stock: { berlin: i % 17, lagos: (i * 3) % 11, open: i % 2 === 0, note: null },
    });
  }
  return JSON.stringify({ version: 1, items });
}
const text = build();

function main() {
  const doc = JSON.parse(text);
  let sum = 0;
  for (const item of doc.items) {
    item.price += 1;
    sum += item.stock.berlin + item.tags.length;
  }
  const back = JSON.stringify(doc);
  return text.length + ' ' + back.length + ' ' + sum;
}
