// Private fields and methods, statics, accessors, inheritance, custom errors.
type Entry = Readonly<{ kind: "deposit" | "withdrawal" | "fee"; cents: number; balance: number }>;

class InsufficientFunds extends Error {
  readonly missing: number;
  constructor(missing: number) {
    super(`missing ${(missing / 100).toFixed(2)}`);
    this.name = "InsufficientFunds";
    this.missing = missing;
  }
}

abstract class Account {
  static #opened = 0;
  static get opened(): number {
    return Account.#opened;
  }
  static isAccount(x: object): x is Account {
    return #entries in x;
  }

  #entries: Entry[] = [];
  #balance = 0;
  readonly number: string;
  owner: string;

  constructor(owner: string, prefix = "AC") {
    this.number = `${prefix}-${String(++Account.#opened).padStart(4, "0")}`;
    this.owner = owner;
  }

  abstract feeFor(cents: number): number;

  get balance(): number {
    return this.#balance;
  }
  get history(): readonly Entry[] {
    return [...this.#entries];
  }

  #post(kind: Entry["kind"], cents: number): void {
    this.#balance += cents;
    this.#entries.push(Object.freeze({ kind, cents, balance: this.#balance }));
  }

  deposit(cents: number): this {
    if (!Number.isInteger(cents) || cents <= 0) throw new RangeError(`bad amount: ${cents}`);
    this.#post("deposit", cents);
    return this;
  }

  withdraw(cents: number): this {
    const fee = this.feeFor(cents);
    const missing = cents + fee - this.#balance;
    if (missing > 0) throw new InsufficientFunds(missing);
    this.#post("withdrawal", -cents);
    if (fee) this.#post("fee", -fee);
    return this;
  }

  toJSON() {
    return { number: this.number, owner: this.owner, balance: this.#balance };
  }
}

class Basic extends Account {
  feeFor(cents: number): number {
    return Math.max(25, Math.round(cents * 0.01));
  }
}

class Premium extends Account {
  #free = 1;
  constructor(owner: string) {
    super(owner, "PR");
  }
  override feeFor(_cents: number): number {
    return this.#free-- > 0 ? 0 : 10;
  }
}

const ada = new Basic("Ada").deposit(10_000).withdraw(2_000);
const bob = new Premium("Bob").deposit(5_000).withdraw(1_000).withdraw(500);

for (const account of [ada, bob]) {
  for (const { kind, cents, balance } of account.history) {
    console.log(`${account.number} ${kind.padEnd(10)} ${String(cents).padStart(6)} ${String(balance).padStart(6)}`);
  }
}

const failures: string[] = [];
for (const attempt of [() => ada.withdraw(1_000_000), () => bob.deposit(-1), () => ((bob.history as Entry[])[0] as { cents: number }).cents = 1]) {
  try {
    attempt();
  } catch (e) {
    if (e instanceof InsufficientFunds) failures.push(`${e.name}: ${e.message} (${e.missing})`);
    else if (e instanceof Error) failures.push(`${e.name}: ${e.message}`);
  }
}

return {
  accounts: [ada, bob],
  opened: Account.opened,
  keys: Object.keys(ada),
  isAccount: [Account.isAccount(ada), Account.isAccount({})],
  failures,
};
