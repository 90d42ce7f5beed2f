// The meaning of a program's JSON, as section 8, 14 and 15 of the specification
// have it, without costs: an oracle for programs that were lifted.
function interpret(ast, args, call) {
  const own = (o, k) => Object.prototype.hasOwnProperty.call(o, k);
  const globals = { undefined: undefined, NaN, Infinity, Math, JSON, Object, Array, Number, String };
  class Fail { constructor(message) { this.message = message; } }
  function lookup(s, name) {
    for (let x = s; x; x = x.up) if (own(x.vars, name)) return x.vars[name];
    if (own(args, name)) return args[name];
    return globals[name];
  }
  function assign(s, name, v) {
    for (let x = s; x; x = x.up) if (own(x.vars, name)) { x.vars[name] = v; return; }
    s.vars[name] = v;
  }
  function node(n, s) {
    if (n === null || typeof n !== 'object' || !own(n, '$expr')) return n;
    switch (n.$expr) {
      case 'literal': return n.value;
      case 'ident': return lookup(s, n.name);
      case 'member': {
        const o = node(n.object, s), k = node(n.property, s);
        return o === null || o === undefined ? undefined : o[k];
      }
      case 'binary': {
        const a = node(n.left, s), b = node(n.right, s);
        switch (n.op) {
          case '+': return a + b;
          case '-': return a - b;
          case '*': return a * b;
          case '/': return a / b;
          case '%': return a % b;
          case '<': return a < b;
          case '>': return a > b;
          case '<=': return a <= b;
          case '>=': return a >= b;
          case '===': return a === b;
          case '!==': return a !== b;
          case '==': return a === b || (a ?? null) === null && (b ?? null) === null || a !== a && b !== b;
          case '!=': return !(a === b || (a ?? null) === null && (b ?? null) === null || a !== a && b !== b);
        }
        throw new Error(n.op);
      }
      case 'unary': {
        const a = node(n.argument, s);
        return n.op === '!' ? !a : n.op === '-' ? -a : n.op === '+' ? +a : typeof a;
      }
      case 'logical': {
        const a = node(n.left, s);
        if (n.op === '&&') return a && node(n.right, s);
        if (n.op === '||') return a || node(n.right, s);
        return a ?? node(n.right, s);
      }
      case 'conditional': return node(n.test, s) ? node(n.consequent, s) : node(n.alternate, s);
      case 'array': return n.elements.map(e => node(e, s));
      case 'object': return Object.fromEntries(n.properties.map(p => [p.key, node(p.value, s)]));
      case 'call': {
        const a = n.arguments.map(e => node(e, s));
        return globalThis[n.callee](...a);
      }
      case 'methodCall': {
        const o = node(n.object, s);
        if (n.optional && (o === null || o === undefined)) return undefined;
        const a = n.arguments.map(e => node(e, s));
        if (o === Object && n.method === 'assign') return Object.assign({}, ...a);
        return o[n.method](...a);
      }
    }
    throw new Error('node ' + n.$expr);
  }
  function value(v, s) {
    if (v === null || typeof v !== 'object') return v;
    if (own(v, '$expr')) return node(v, s);
    if (Array.isArray(v)) return v.map(e => value(e, s));
    return Object.fromEntries(Object.entries(v).map(([k, e]) => [k, value(e, s)]));
  }
  // A block returns undefined, or { value } of a return in it.
  function block(steps, s) {
    for (const st of steps) {
      const r = step(st, s);
      if (r) return r;
    }
  }
  const child = (up, vars = {}) => ({ up, vars });
  function callback(st, s, vars) {
    const c = child(s, vars);
    const r = block(st.steps, c);
    return r ? r.value : own(c.vars, 'result') ? c.vars.result : undefined;
  }
  function step(st, s) {
    let out;
    switch (st.op) {
      case 'varsImport': for (const k of st.keys) s.vars[k] = args[k]; return;
      case 'varSet': case 'constSet': s.vars[st.key] = value(st.value, s); return;
      case 'varAssign': assign(s, st.key, value(st.value, s)); return;
      case 'evaluate': value(st.value, s); return;
      case 'return': return { value: value(st.value, s) };
      case 'scope': return block(st.steps, child(s));
      case 'if': return node(st.condition, s) ? block(st.then, child(s)) : st.else ? block(st.else, child(s)) : undefined;
      case 'while':
        while (node(st.condition, s)) {
          const r = block(st.body, child(s));
          if (r) return r;
        }
        return;
      case 'try':
        try {
          return block(st.try, child(s));
        } catch (e) {
          if (!(e instanceof Fail)) throw e;
          return st.catch ? block(st.catch, child(s, { [st.catchParam ?? 'error']: e.message })) : undefined;
        }
      case 'Error': throw new Fail(value(st.args[0], s));
      case 'map': {
        const items = value(st.items, s);
        if (!Array.isArray(items)) throw new Fail('map: items is not an array');
        if (st.loop) {
          for (const it of items) {
            const r = block(st.steps, child(s, { [st.as]: it }));
            if (r) return r;
          }
          return;
        }
        out = items.map(it => callback(st, s, { [st.as]: it }) ?? null);
        break;
      }
      case 'filter': out = value(st.items, s).filter(it => node(st.condition, child(s, { [st.as]: it }))); break;
      case 'find': out = value(st.items, s).find(it => node(st.condition, child(s, { [st.as]: it }))) ?? null; break;
      case 'reduce': {
        out = value(st.items, s).reduce((acc, it) => callback(st, s, { [st.accumulator]: acc, [st.as]: it }), value(st.initial, s));
        break;
      }
      case 'callLocal': {
        const h = ast.helpers[st.name], vals = st.args.map(a => value(a, s));
        const r = block(h.steps, child(null, Object.fromEntries(h.paramNames.map((n, i) => [n, vals[i]]))));
        out = r ? r.value : undefined;
        break;
      }
      default: {
        const { op, result, resultConst, resultAssign, ...input } = st;
        out = call(op, value(input, s));
      }
    }
    if (st.result !== undefined) {
      if (st.resultAssign) assign(s, st.result, out);
      else s.vars[st.result] = out;
    }
  }
  const r = block(ast.steps, child(null));
  return r ? r.value : undefined;
}
