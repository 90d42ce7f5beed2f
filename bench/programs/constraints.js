// An incremental solver of one-way constraints: a chain of equalities and a row
// of scalings whose plan is made again whenever a constraint comes or goes.
const REQUIRED = 0, STRONG = 1, NORMAL = 2, WEAK = 3;

class Variable {
  constructor(name, value) {
    this.name = name;
    this.value = value;
    this.constraints = [];
    this.source = null;
    this.mark = 0;
    this.stay = true;
  }
}

class Constraint {
  constructor(strength) { this.strength = strength; }
  inputs() { return []; }
  execute() { }
  satisfied() { return this.output() !== null && this.output().source === this; }
}

class Edit extends Constraint {
  constructor(v, strength) {
    super(strength);
    this.v = v;
    v.constraints.push(this);
  }
  output() { return this.v; }
}

class Equal extends Constraint {
  constructor(a, b, strength) {
    super(strength);
    this.a = a;
    this.b = b;
    this.forward = true;
    a.constraints.push(this);
    b.constraints.push(this);
  }
  inputs() { return this.forward ? [this.a] : [this.b]; }
  output() { return this.forward ? this.b : this.a; }
  execute() {
    if (this.forward) this.b.value = this.a.value;
    else this.a.value = this.b.value;
  }
}

class Scale extends Equal {
  constructor(a, b, factor, offset, strength) {
    super(a, b, strength);
    this.factor = factor;
    this.offset = offset;
  }
  execute() {
    if (this.forward) this.b.value = this.a.value * this.factor + this.offset;
    else this.a.value = (this.b.value - this.offset) / this.factor;
  }
}

class Planner {
  constructor() { this.mark = 0; }
  // plan orders the constraints that follow from the edited variables.
  plan(edits) {
    this.mark++;
    const order = [];
    const todo = [];
    for (const e of edits) {
      e.v.source = e;
      e.v.mark = this.mark;
      todo.push(e.v);
    }
    while (todo.length > 0) {
      const v = todo.pop();
      for (const c of v.constraints) {
        if (c instanceof Edit || c === v.source) continue;
        c.forward = c.a === v;
        const out = c.output();
        if (out.mark === this.mark && out.source !== null && out.source.strength <= c.strength) continue;
        out.mark = this.mark;
        out.source = c;
        order.push(c);
        todo.push(out);
      }
    }
    return order;
  }
  execute(order) {
    for (const c of order) if (c.satisfied()) c.execute();
  }
}

function chain(planner, n) {
  const vars = [];
  for (let i = 0; i <= n; i++) vars.push(new Variable('v' + i, 0));
  for (let i = 0; i < n; i++) new Equal(vars[i], vars[i + 1], i % 5 === 0 ? STRONG : REQUIRED);
  const edit = new Edit(vars[0], NORMAL);
  let sum = 0;
  for (let round = 0; round < 20; round++) {
    const order = planner.plan([edit]);
    for (let i = 0; i < 5; i++) {
      vars[0].value = round * 10 + i;
      planner.execute(order);
      sum += vars[n].value;
    }
  }
  return sum;
}

function projection(planner, n) {
  let sum = 0;
  const sources = [], targets = [];
  for (let i = 0; i < n; i++) {
    const s = new Variable('s' + i, i), t = new Variable('t' + i, 0);
    new Scale(s, t, 10, 1000, REQUIRED);
    sources.push(s);
    targets.push(t);
  }
  for (let i = 0; i < n; i++) {
    const forward = i % 2 === 0;
    const edit = new Edit(forward ? sources[i] : targets[i], WEAK);
    const order = planner.plan([edit]);
    for (let k = 0; k < 10; k++) {
      edit.v.value = k * i;
      planner.execute(order);
      sum = (sum + (forward ? targets[i].value : Math.round(sources[i].value * 10))) % 1000003;
    }
    edit.v.constraints.pop();
  }
  return sum;
}

function main() {
  const planner = new Planner();
  return chain(planner, 1000) + ' ' + projection(planner, 4000);
}
