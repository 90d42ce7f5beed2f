package vm

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"strings"
)

// natives are the atoms that the VM does itself.
var natives map[string]func(r *run, st *step, in inputs) (value, bool)

func init() {
	natives = map[string]func(r *run, st *step, in inputs) (value, bool){
		"push": atomPush, "len": atomLen, "split": atomSplit, "join": atomJoin, "template": atomTemplate,
		"regexMatch": atomRegexMatch, "pick": atomPick, "omit": atomOmit, "merge": atomMerge, "keys": atomKeys,
		"jsonParse": atomJSONParse, "jsonStringify": atomJSONStringify, "hash": atomHash,

		"httpFetch": atomHTTPFetch, "storeGet": atomStoreGet, "storeSet": atomStoreSet, "storeQuery": atomStoreQuery,
		"storeQueryWhere": atomStoreQueryWhere, "storeVectorSearch": atomStoreVectorSearch, "llmPredict": atomLLMPredict,
		"xmlParse": atomXMLParse, "random": atomRandom, "uuid": atomUUID,
		"consoleLog": atomConsoleLog, "consoleWarn": atomConsoleWarn, "consoleError": atomConsoleError,

		"agentRun": atomAgentRun, "runCode": atomRunCode, "transpileCode": atomTranspileCode,
		"storeProcedure": atomStoreProcedure, "releaseProcedure": atomReleaseProcedure, "clearExpiredProcedures": atomClearExpired,
	}
}

func (r *run) needText(v value, what string) (*str, bool) {
	if v.kind != stringKind {
		return nil, r.failf(KindType, "", "%s must be a string", what)
	}
	return v.str(), true
}

func atomPush(r *run, _ *step, in inputs) (value, bool) {
	v := in.get("list")
	if !v.isArray() {
		return value{}, r.fail(KindType, "", "push: list is not an array")
	}
	item := in.get("item")
	a := v.array()
	if !r.insert(a, []value{item}, "expr.push") {
		return value{}, false
	}
	n := len(a.elems)
	a.elems = append(a.elems, item)
	a.grown(n)
	return v, true
}

func atomLen(r *run, _ *step, in inputs) (value, bool) {
	switch v := in.get("list"); v.kind {
	case arrayKind:
		return number(float64(len(v.array().elems))), true
	case stringKind:
		return number(float64(v.str().len())), true
	}
	return number(0), true
}

func atomSplit(r *run, _ *step, in inputs) (value, bool) {
	s, ok := r.needText(in.get("str"), "split: str")
	if !ok {
		return value{}, false
	}
	sep, ok := r.needText(in.get("sep"), "split: sep")
	if !ok {
		return value{}, false
	}
	return splitMethod(r, stringOf(s), []value{stringOf(sep)})
}

func atomJoin(r *run, _ *step, in inputs) (value, bool) {
	v := in.get("list")
	if v.kind != arrayKind {
		return value{}, r.fail(KindType, "", "join: list is not an array")
	}
	sep, ok := r.needText(in.get("sep"), "join: sep")
	if !ok {
		return value{}, false
	}
	return r.apply(arrayMethods["join"], v, []value{stringOf(sep)})
}

// atomTemplate fills {{name}} in a text; what is missing is empty.
func atomTemplate(r *run, _ *step, in inputs) (value, bool) {
	tmpl, ok := r.needText(in.get("tmpl"), "template: tmpl")
	if !ok {
		return value{}, false
	}
	vars := in.get("vars")
	open, shut := &str{s: "{{"}, &str{s: "}}"}
	var b builder
	at := 0
	for {
		i := tmpl.index(open, at)
		if i < 0 {
			break
		}
		j := tmpl.index(shut, i+2)
		if j < 0 {
			break
		}
		name := strings.TrimSpace(tmpl.slice(i+2, j).text())
		if !wordName(name) {
			if !r.allocate(2*float64(i+2-at), "template") {
				return value{}, false
			}
			b.add(tmpl.slice(at, i+2))
			at = i + 2
			continue
		}
		v := undefinedValue
		if vars.kind == objectKind && !forbidden(name) {
			v, _ = vars.object().get(name)
		}
		var s *str
		switch {
		case v.isNullish():
			s = emptyStr
		case v.isContainer():
			if s, ok = r.stringify(v, "", "template"); !ok {
				return value{}, false
			}
		default:
			s = v.toStr()
		}
		if !r.allocate(2*float64(i-at+s.len()), "template") || !r.poll(16) {
			return value{}, false
		}
		b.add(tmpl.slice(at, i))
		b.add(s)
		at = j + 2
	}
	if !r.allocate(2*float64(tmpl.len()-at), "template") {
		return value{}, false
	}
	b.add(tmpl.slice(at, tmpl.len()))
	return stringOf(b.str()), true
}

func wordName(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	for _, c := range s {
		if c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c < 0x80 {
			return false
		}
	}
	return true
}

func atomRegexMatch(r *run, _ *step, in inputs) (value, bool) {
	s, ok := r.needText(in.get("value"), "regexMatch: value")
	if !ok {
		return value{}, false
	}
	p := in.get("pattern")
	if !argPattern.accepts(p) {
		return value{}, r.fail(KindType, "", "regexMatch: pattern must be a string or a regex")
	}
	prog, ok := r.pattern(p, "regexMatch")
	if !ok {
		return value{}, false
	}
	_, found, ok := r.matcher(prog, s, "regexMatch").find(0)
	return boolean(found), ok
}

func (r *run) needObject(v value, what string) (*object, bool) {
	if v.kind != objectKind {
		return nil, r.failf(KindType, "", "%s is not an object", what)
	}
	return v.object(), true
}

// chosen copies the members of an object whose names are listed, or the others.
func (r *run) chosen(in inputs, op string, listed bool) (value, bool) {
	o, ok := r.needObject(in.get("obj"), op+": obj")
	if !ok {
		return value{}, false
	}
	keys := in.get("keys")
	if keys.kind != arrayKind {
		return value{}, r.failf(KindType, "", "%s: keys is not an array", op)
	}
	want := map[string]bool{}
	var order []string
	for _, k := range keys.array().elems {
		if !r.poll(1) {
			return value{}, false
		}
		if k.isPrim() {
			n := k.toStr().text()
			want[n] = true
			order = append(order, n)
		}
	}
	if !r.allocate(shallow(objectOf(o))+64, op) {
		return value{}, false
	}
	out := newObject(0)
	if listed {
		for _, k := range order {
			if v, ok := o.get(k); ok {
				out.set(k, v)
			}
		}
		return objectOf(out), true
	}
	for i, k := range o.keys {
		if !want[k] {
			out.set(k, o.vals[i])
		}
	}
	return objectOf(out), true
}

func atomPick(r *run, _ *step, in inputs) (value, bool) { return r.chosen(in, "pick", true) }
func atomOmit(r *run, _ *step, in inputs) (value, bool) { return r.chosen(in, "omit", false) }

func atomMerge(r *run, _ *step, in inputs) (value, bool) {
	out := newObject(0)
	for _, n := range []string{"a", "b"} {
		v := in.get(n)
		if v.isNullish() {
			continue
		}
		o, ok := r.needObject(v, "merge: "+n)
		if !ok || !r.allocate(shallow(v)+64, "merge") {
			return value{}, false
		}
		for i, k := range o.keys {
			out.set(k, o.vals[i])
		}
	}
	return objectOf(out), true
}

func atomKeys(r *run, _ *step, in inputs) (value, bool) {
	v := in.get("obj")
	if !v.isContainer() {
		return listOf([]value{}), true
	}
	return r.apply(objectSpace.methods["keys"], undefinedValue, []value{v})
}

func atomJSONParse(r *run, _ *step, in inputs) (value, bool) {
	s, ok := r.needText(in.get("str"), "jsonParse: str")
	if !ok || !r.allocate(16*float64(s.len())+64, "jsonParse") {
		return value{}, false
	}
	return parseJSON(r, undefinedValue, []value{stringOf(s)})
}

func atomJSONStringify(r *run, _ *step, in inputs) (value, bool) {
	s, ok := r.stringify(in.get("value"), "", "jsonStringify")
	if !ok {
		return value{}, false
	}
	if s == nil {
		return undefinedValue, true
	}
	return stringOf(s), true
}

// atomHash digests a text, or the JSON of another value.
func atomHash(r *run, _ *step, in inputs) (value, bool) {
	v := in.get("value")
	var s *str
	if v.kind == stringKind {
		s = v.str()
	} else {
		var ok bool
		if s, ok = r.stringify(v, "", "hash"); !ok {
			return value{}, false
		}
		if s == nil {
			s = undefinedStr
		}
	}
	if !r.spend(sourceFuel*float64(s.len())) || !r.poll(s.len()) {
		return value{}, false
	}
	name := "SHA-256"
	if a := in.get("algorithm"); a.kind == stringKind {
		name = a.str().text()
	}
	b := []byte(s.text())
	var sum []byte
	switch strings.ToUpper(name) {
	case "SHA-1":
		h := sha1.Sum(b)
		sum = h[:]
	case "SHA-256":
		h := sha256.Sum256(b)
		sum = h[:]
	case "SHA-384":
		h := sha512.Sum384(b)
		sum = h[:]
	case "SHA-512":
		h := sha512.Sum512(b)
		sum = h[:]
	default:
		return value{}, r.failf(KindType, "", "hash: unknown algorithm '%s' (known: SHA-1, SHA-256, SHA-384, SHA-512)", clip(name, 60))
	}
	return text(hex.EncodeToString(sum)), true
}
