// Typed arrays: matrix product, a prime sieve, and a checksum over bytes.
function multiply(a, b, n) {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const x = a[i * n + k];
      for (let j = 0; j < n; j++) c[i * n + j] += x * b[k * n + j];
    }
  }
  return c;
}

function main() {
  const n = 100;
  const a = new Float64Array(n * n), b = new Float64Array(n * n);
  for (let i = 0; i < n * n; i++) {
    a[i] = (i % 17) - 8;
    b[i] = (i % 13) / 4;
  }
  const c = multiply(a, b, n);
  let trace = 0;
  for (let i = 0; i < n; i++) trace += c[i * n + i];

  const limit = 300000;
  const composite = new Uint8Array(limit + 1);
  let primes = 0;
  for (let i = 2; i <= limit; i++) {
    if (composite[i]) continue;
    primes++;
    for (let j = i * 2; j <= limit; j += i) composite[j] = 1;
  }

  let hash = 0x811c9dc5 | 0;
  const view = new Uint8Array(c.buffer);
  for (let i = 0; i < view.length; i++) hash = Math.imul(hash ^ view[i], 0x01000193);
  return trace + ' ' + primes + ' ' + (hash >>> 0);
}
