package vm

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// send is what atoms that reach outside do first: their inputs cross.
func (r *run) send(st *step, in inputs) (ast.Object, bool) {
	d, ok := r.outbound(st.atom, objectOf(in.object()), st.atom.input)
	if !ok {
		return nil, false
	}
	return d.(ast.Object), true
}

// ask calls a capability with the atom's time and takes what it returns.
func (r *run) ask(st *step, f func(c *Call) (any, error)) (value, bool) {
	var d any
	var ok bool
	if r.store != nil && strings.HasPrefix(st.atom.Name, "store") {
		d, ok = r.direct(st.atom.Name, f)
	} else {
		d, ok = r.await(st.atom.Name, r.timeoutOf(st.atom), f)
	}
	if !ok {
		return value{}, false
	}
	return r.accept(st.atom, d, st.ast.Result != "")
}

func (r *run) missing(what string) (value, bool) {
	return value{}, r.failf(KindCapability, "", "Capability '%s' missing", what)
}

func str1(o ast.Object, k string) string {
	v, _ := o.Get(k)
	s, _ := v.(string)
	return s
}

func atomStoreGet(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	s := r.storeOf()
	return r.ask(st, func(c *Call) (any, error) { return s.Get(c.Context, str1(d, "key")) })
}

func atomStoreSet(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	s := r.storeOf()
	v, _ := d.Get("value")
	return r.ask(st, func(c *Call) (any, error) { return nil, s.Set(c.Context, str1(d, "key"), v) })
}

func atomStoreQuery(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	q, can := r.storeOf().(Querier)
	query, _ := d.Get("query")
	return r.ask(st, func(c *Call) (any, error) {
		if !can {
			return []any{}, nil
		}
		return q.Query(c.Context, query)
	})
}

func atomStoreQueryWhere(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	q, can := r.storeOf().(PredicateQuerier)
	if !can {
		return value{}, r.fail(KindCapability, "", "Capability 'store.queryPredicate' missing — this store can't evaluate predicates. Use storeQuery + filter, or provide queryPredicate.")
	}
	pq := PredicateQuery{Collection: str1(d, "collection"), Limit: -1}
	pq.Predicate, _ = d.Get("predicate")
	if n, ok := d.Get("limit"); ok {
		pq.Limit, _ = n.(float64)
	}
	return r.ask(st, func(c *Call) (any, error) { return q.QueryPredicate(c.Context, pq) })
}

func atomStoreVectorSearch(r *run, st *step, in inputs) (value, bool) {
	k := 5.0
	if v := in.get("k"); v.kind == numberKind && v.n >= 0 {
		k = v.n
	}
	if _, set := r.opts.costs["storeVectorSearch"]; !set && !r.spend(k) {
		return value{}, false
	}
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	q, can := r.storeOf().(VectorSearcher)
	if !can {
		return r.missing("store.vectorSearch")
	}
	list, _ := d.Get("vector")
	var vec []float64
	for _, e := range list.([]any) {
		f, ok := e.(float64)
		if !ok {
			return value{}, r.fail(KindType, "", "storeVectorSearch: vector must be an array of numbers")
		}
		vec = append(vec, f)
	}
	return r.ask(st, func(c *Call) (any, error) {
		return q.VectorSearch(c.Context, str1(d, "collection"), vec, int(min(k, 1<<20)))
	})
}

var llmOptions = []string{"model", "temperature", "maxTokens", "max_tokens", "topP", "top_p", "stop", "seed", "responseFormat", "tools"}

func atomLLMPredict(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	o, _ := d.Get("options")
	opts, _ := o.(ast.Object)
	for _, e := range opts {
		if !slices.Contains(llmOptions, e.Key) {
			return value{}, r.failf(KindRefused, "", "llmPredict option '%s' is not available in AsyncJS (allowed: model, temperature, maxTokens, max_tokens, topP, top_p, stop, seed, responseFormat, tools)", clip(e.Key, 100))
		}
		if err := admitLLM(e.Key, e.Value); err != nil {
			what := "responseFormat is"
			if e.Key == "tools" {
				what = "tools are"
			}
			return value{}, r.failf(KindRefused, "", "%s not available in AsyncJS: %s", what, err)
		}
	}
	llm := r.opts.caps.LLM
	if llm == nil {
		return r.missing("llm.predict")
	}
	if q := r.opts.tokens; r.usage.Tokens >= q {
		return value{}, r.failf(KindQuota, "", "Quota exceeded for 'llmPredict': %s tokens allowed", formatNumber(q))
	}
	return r.ask(st, func(c *Call) (any, error) { return llm.Predict(c.Context, str1(d, "prompt"), opts) })
}

// admitLLM checks the schemas that a program sends to a model: a host may hand
// them to a validator of its own.
func admitLLM(key string, v any) error {
	switch key {
	case "responseFormat":
		o, ok := v.(ast.Object)
		if !ok {
			return errors.New("expected an object")
		}
		if js, ok := o.Get("json_schema"); ok {
			w, ok := js.(ast.Object)
			if !ok {
				return errors.New("json_schema is not an object")
			}
			if s, ok := w.Get("schema"); ok {
				_, err := admit(s)
				return err
			}
		}
	case "tools":
		list, ok := v.([]any)
		if !ok {
			return errors.New("expected an array")
		}
		for _, t := range list {
			o, ok := t.(ast.Object)
			if !ok {
				return errors.New("a tool is an object")
			}
			if f, ok := o.Get("function"); ok {
				o, _ = f.(ast.Object)
			}
			if p, ok := o.Get("parameters"); ok {
				if _, err := admit(p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func atomXMLParse(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	x := r.opts.caps.XML
	if x == nil {
		return r.missing("xml.parse")
	}
	return r.ask(st, func(c *Call) (any, error) { return x.ParseXML(c.Context, str1(d, "str")) })
}

func atomRandom(r *run, _ *step, in inputs) (value, bool) {
	num := func(k string, missing float64) (float64, bool) {
		v := in.get(k)
		if v.isNullish() {
			return missing, true
		}
		if v.kind != numberKind || !isFinite(v.n) {
			return 0, r.failf(KindType, "", "random: %s must be a number", k)
		}
		return v.n, true
	}
	format := "float"
	if f := in.get("format"); f.kind == stringKind {
		format = f.str().text()
	}
	lo, ok := num("min", 0)
	if !ok {
		return value{}, false
	}
	switch format {
	case "float":
		hi, ok := num("max", 1)
		return number(r.random()*(hi-lo) + lo), ok
	case "integer":
		hi, ok := num("max", 100)
		return number(math.Floor(r.random()*(hi-lo) + lo)), ok
	case "base36":
		n, ok := num("length", 10)
		if !ok {
			return value{}, false
		}
		n = min(max(math.Trunc(n), 0), 1<<20)
		if !r.allocate(2*n+64, "random") {
			return value{}, false
		}
		b := make([]byte, int(n))
		var one [1]byte
		for i := range b {
			// 252 is the largest multiple of 36: each digit is as likely.
			for one[0] = 255; one[0] >= 252; {
				r.opts.randomBytes(one[:])
			}
			b[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[one[0]%36]
		}
		return text(string(b)), true
	}
	return value{}, r.failf(KindType, "", "random: unknown format '%s' (known: float, integer, base36)", clip(format, 60))
}

func atomUUID(r *run, _ *step, _ inputs) (value, bool) { return text(r.opts.uuid()), true }

// messageOf is the text of a console atom's message.
func (r *run) messageOf(in inputs) (string, bool) {
	v := in.get("message")
	if v.isContainer() {
		s, ok := r.stringify(v, "", "")
		if !ok || s == nil {
			return "", ok
		}
		return s.text(), true
	}
	return v.toStr().text(), true
}

func atomConsoleLog(r *run, st *step, in inputs) (value, bool) {
	if _, ok := r.send(st, in); !ok {
		return value{}, false
	}
	m, ok := r.messageOf(in)
	if ok && r.trace != nil && r.trace.left > 0 {
		r.trace.left -= float64(len(m) + 64)
		r.trace.events = append(r.trace.events, Event{Op: "console.log", Result: clip(m, maxMessage), FuelBefore: rounded(r.fuel), FuelAfter: rounded(r.fuel),
			Timestamp: r.now().UnixMilli(), Path: st.path, Pos: st.ast.Pos, Depth: r.scopes})
	}
	return undefinedValue, ok
}

func atomConsoleWarn(r *run, st *step, in inputs) (value, bool) {
	if _, ok := r.send(st, in); !ok {
		return value{}, false
	}
	m, ok := r.messageOf(in)
	if ok {
		r.warn(m)
	}
	return undefinedValue, ok
}

func atomConsoleError(r *run, st *step, in inputs) (value, bool) {
	if _, ok := r.send(st, in); !ok {
		return value{}, false
	}
	m, ok := r.messageOf(in)
	if ok {
		r.fail(KindUser, "console.error", m)
	}
	return value{}, false
}
