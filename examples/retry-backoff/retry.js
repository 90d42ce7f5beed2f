// Retries with exponential backoff, jitter from a seeded generator, and a budget.
class GaveUp extends AggregateError {
  name = 'GaveUp';
  constructor(label, errors) {
    super(errors, `${label} failed ${errors.length} times`);
  }
}

function randomFrom(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const random = randomFrom(42);
const waits = [];

async function retry(label, task, { attempts = 5, base = 100, factor = 2, cap = 1000, retryable = () => true } = {}) {
  const errors = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const value = await task(attempt);
      console.log(`${label}: done at attempt ${attempt}`);
      return value;
    } catch (error) {
      errors.push(error);
      console.log(`${label}: attempt ${attempt}: ${error.message}`);
      if (!retryable(error)) throw error;
    }
    if (attempt < attempts) {
      const delay = Math.min(cap, base * factor ** (attempt - 1));
      waits.push(await sleep(Math.round(delay / 2 + (random() * delay) / 2)));
    }
  }
  throw new GaveUp(label, errors);
}

const transient = ({ message }) => /^(429|5\d\d) /.test(message);
const receipt = await retry('charge', () => charge({ cents: 500 }), { retryable: transient });

const outcome = await retry('refund', () => refund({ cents: -1 }), { retryable: transient })
  .then((value) => ({ value }), (error) => ({ error: error.message }));

let gaveUp;
try {
  await retry('ping', (n) => ping(n), { attempts: 3, base: 400 });
} catch (e) {
  gaveUp = { name: e.name, message: e.message, causes: new Set(e.errors.map((x) => x.message)).size, aggregate: e instanceof AggregateError };
}

return { receipt, outcome, gaveUp, waits, total: waits.reduce((a, b) => a + b, 0) };
