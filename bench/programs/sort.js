// Sorting: 100 000 numbers with a comparator.
function main() {
  const a = [];
  let x = 12345;
  for (let i = 0; i < 100000; i++) {
    x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff;
    a.push(x % 1000000);
  }
  a.sort((p, q) => p - q);
  let sum = 0;
  for (let i = 0; i < a.length; i += 97) sum = (sum * 17 + a[i]) % 1000003;
  return sum;
}
