// Descriptive statistics, quantiles, outliers, regression, a text histogram.
const sum = (xs) => xs.reduce((a, b) => a + b, 0);
const mean = (xs) => (xs.length ? sum(xs) / xs.length : NaN);
const variance = (xs) => {
  const m = mean(xs);
  return xs.length > 1 ? sum(xs.map((x) => (x - m) ** 2)) / (xs.length - 1) : 0;
};
const quantile = (xs, q) => {
  const sorted = Float64Array.from(xs).sort();
  const pos = (sorted.length - 1) * q;
  const low = Math.floor(pos);
  return sorted[low] + ((sorted[low + 1] ?? sorted[low]) - sorted[low]) * (pos - low);
};
const round = (x, digits = 3) => (Number.isFinite(x) ? Number(x.toFixed(digits)) : null);

function describe(xs) {
  if (!xs.length) return { count: 0 };
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((q) => quantile(xs, q));
  const fence = 1.5 * (q3 - q1);
  return {
    count: xs.length,
    mean: round(mean(xs)),
    sd: round(Math.sqrt(variance(xs))),
    min: Math.min(...xs),
    q1: round(q1), median: round(median), q3: round(q3),
    max: Math.max(...xs),
    outliers: xs.filter((x) => x < q1 - fence || x > q3 + fence),
  };
}

function regression(pairs) {
  const xs = pairs.map(([x]) => x);
  const ys = pairs.map(([, y]) => y);
  const mx = mean(xs);
  const my = mean(ys);
  const cov = sum(pairs.map(([x, y]) => (x - mx) * (y - my)));
  const slope = cov / sum(xs.map((x) => (x - mx) ** 2));
  const r = cov / Math.sqrt(sum(xs.map((x) => (x - mx) ** 2)) * sum(ys.map((y) => (y - my) ** 2)));
  return { slope: round(slope), intercept: round(my - slope * mx), r2: round(r * r, 4) };
}

function histogram(xs, bins = 4) {
  const low = Math.min(...xs);
  const width = (Math.max(...xs) - low) / bins;
  const counts = new Uint32Array(bins);
  for (const x of xs) counts[Math.min(bins - 1, Math.trunc((x - low) / width))]++;
  return Array.from(counts, (n, i) => `${(low + i * width).toFixed(1).padStart(6)} | ${'#'.repeat(n)}`);
}

for (const [name, xs] of Object.entries(input.series)) {
  console.log(`${name}:`);
  if (xs.length) histogram(xs).forEach((line) => console.log(line));
}

const { before, after } = input.series;
const t = (mean(before) - mean(after)) / Math.sqrt(variance(before) / before.length + variance(after) / after.length);
return {
  series: Object.fromEntries(Object.entries(input.series).map(([k, xs]) => [k, describe(xs)])),
  welch: round(t),
  fit: regression(input.pairs),
  nothing: { mean: round(mean([])), raw: mean([]) },
};
