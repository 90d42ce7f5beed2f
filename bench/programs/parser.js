// Text: a tokenizer, a recursive descent parser and an evaluator for formulas.
const sources = [];
for (let i = 0; i < 400; i++) {
  sources.push(`(${i} + alpha * ${i % 7}) * (beta - ${i % 13}.5) / (1 + gamma) + max(${i}, beta, ${i * 2}) - -alpha % 17`);
}

function tokenize(text) {
  const tokens = [];
  let i = 0;
  while (i < text.length) {
    const c = text[i];
    if (c === ' ') {
      i++;
    } else if (c >= '0' && c <= '9') {
      let j = i + 1;
      while (j < text.length && ((text[j] >= '0' && text[j] <= '9') || text[j] === '.')) j++;
      tokens.push({ type: 'number', value: parseFloat(text.slice(i, j)) });
      i = j;
    } else if (c >= 'a' && c <= 'z') {
      let j = i + 1;
      while (j < text.length && text.charCodeAt(j) >= 97 && text.charCodeAt(j) <= 122) j++;
      tokens.push({ type: 'name', value: text.substring(i, j) });
      i = j;
    } else {
      tokens.push({ type: c });
      i++;
    }
  }
  tokens.push({ type: 'end' });
  return tokens;
}

const binding = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2 };

function parse(tokens) {
  let at = 0;
  const expect = (type) => {
    if (tokens[at].type !== type) throw new SyntaxError('expected ' + type + ', got ' + tokens[at].type);
    return tokens[at++];
  };
  function primary() {
    const t = tokens[at++];
    switch (t.type) {
      case 'number':
        return { kind: 'number', value: t.value };
      case 'name': {
        if (tokens[at].type !== '(') return { kind: 'name', name: t.value };
        at++;
        const args = [expression(1)];
        while (tokens[at].type === ',') {
          at++;
          args.push(expression(1));
        }
        expect(')');
        return { kind: 'call', name: t.value, args };
      }
      case '(': {
        const e = expression(1);
        expect(')');
        return e;
      }
      case '-':
        return { kind: 'negate', operand: primary() };
    }
    throw new SyntaxError('unexpected ' + t.type);
  }
  function expression(min) {
    let left = primary();
    for (; ;) {
      const op = tokens[at].type;
      const power = binding[op];
      if (power === undefined || power < min) return left;
      at++;
      left = { kind: 'binary', op, left, right: expression(power + 1) };
    }
  }
  const e = expression(1);
  expect('end');
  return e;
}

const functions = { max: Math.max, min: Math.min };

function evaluate(e, env) {
  switch (e.kind) {
    case 'number': return e.value;
    case 'name':
      if (!(e.name in env)) throw new ReferenceError(e.name);
      return env[e.name];
    case 'negate': return -evaluate(e.operand, env);
    case 'call': return functions[e.name](...e.args.map((a) => evaluate(a, env)));
    case 'binary': {
      const l = evaluate(e.left, env), r = evaluate(e.right, env);
      switch (e.op) {
        case '+': return l + r;
        case '-': return l - r;
        case '*': return l * r;
        case '/': return l / r;
        default: return l % r;
      }
    }
  }
}

function main() {
  let sum = 0, failed = 0;
  for (let round = 0; round < 4; round++) {
    for (const source of sources) {
      sum += evaluate(parse(tokenize(source)), { alpha: round, beta: 3, gamma: 1 });
      try {
        parse(tokenize(source + ' )'));
      } catch (e) {
        if (e instanceof SyntaxError) failed++;
      }
    }
  }
  return sum.toFixed(3) + ' ' + failed;
}
