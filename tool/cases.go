package tool

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/membrane"
)

// The keys of a file of tests. Those of a world may also stand at the top, for
// all cases.
var (
	worldKeys  = []string{"fetch", "files", "store", "llm", "tools", "now", "seed"}
	caseKeys   = append([]string{"name", "input", "output", "text", "contains", "error", "approve", "writes", "stored", "logs", "cost"}, worldKeys...)
	testKeys   = append([]string{"cases"}, worldKeys...)
	answerKeys = []string{"url", "method", "sends", "status", "headers", "body", "json", "error", "optional"}
)

// world is what a tool finds in a test.
type world struct {
	fetch []*answerOf
	files map[string][]byte
	store *membrane.Object
	llm   []llmReply
	tools *membrane.Object
	now   time.Time
	seed  uint64
}

// answerOf is a canned answer to requests.
type answerOf struct {
	url, method string // a * in the url stands for anything; the method "" for any
	sends       any    // the body that is expected; undefined is any
	status      int
	headers     *membrane.Object
	body        []byte
	json        bool
	fails       string
	optional    bool
	used        int
}

type llmReply struct{ text, fails string }

// testCase is one case.
type testCase struct {
	name     string
	line     int
	input    json.RawMessage
	output   any // undefined is any
	text     any // string; undefined is any
	contains []string
	fails    bool
	errors   []string // parts of the error's text
	refuse   bool     // approval is refused
	reason   string
	writes   *membrane.Object
	stored   *membrane.Object
	logs     []string
	cost     *cost.Amount
	world
}

// caseReader reads a file of tests.
type caseReader struct{ *tree }

func (r caseReader) fail(ptr, format string, args ...any) error {
	at := r.at(ptr)
	return &LoadError{Code: BadTest, File: r.file, Line: at.line, Column: at.column, Message: fmt.Sprintf(format, args...)}
}

// readCases reads the cases of a text.
func readCases(file, text string) ([]*testCase, error) {
	t, err := readYAML(file, text, BadTest)
	if err != nil {
		return nil, err
	}
	r := caseReader{t}
	top, err := r.object("", t.value, testKeys)
	if err != nil {
		return nil, err
	}
	list, ok := get(top, "cases").([]any)
	if !ok || len(list) == 0 {
		return nil, r.fail("/cases", "write cases: a list of objects such as {name: …, input: {…}, output: …}")
	}
	var all []*testCase
	for i, e := range list {
		ptr := pointerAt("/cases", i)
		o, err := r.object(ptr, e, caseKeys)
		if err != nil {
			return nil, err
		}
		c := &testCase{name: fmt.Sprintf("case %d", i+1), line: r.at(ptr).line, output: membrane.Undefined{}, text: membrane.Undefined{}, input: json.RawMessage("{}")}
		c.files = map[string][]byte{}
		if err := r.world("", top, &c.world, true); err != nil {
			return nil, err
		}
		if err := r.world(ptr, o, &c.world, false); err != nil {
			return nil, err
		}
		if err := r.read(ptr, o, c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func get(o *membrane.Object, key string) any {
	v, ok := o.Get(key)
	if !ok {
		return membrane.Undefined{}
	}
	return v
}

// object checks that a value is an object of known keys.
func (r caseReader) object(ptr string, v any, known []string) (*membrane.Object, error) {
	o, ok := v.(*membrane.Object)
	if !ok {
		return nil, r.fail(ptr, "this must be an object, not %s", kindOf(v))
	}
	for _, k := range o.Keys() {
		if known != nil && !slices.Contains(known, k) {
			return nil, r.fail(pointer(ptr, k), "unknown key %s; %s", quote(k), meant(k, known))
		}
	}
	return o, nil
}

// texts reads a text, or a list of texts.
func (r caseReader) texts(ptr string, v any) ([]string, error) {
	if s, ok := v.(string); ok {
		return []string{s}, nil
	}
	list, ok := v.([]any)
	var out []string
	for _, e := range list {
		s, is := e.(string)
		ok = ok && is
		out = append(out, s)
	}
	if !ok {
		return nil, r.fail(ptr, "this must be a text or a list of texts, not %s", kindOf(v))
	}
	return out, nil
}

// read reads what is a case's own.
func (r caseReader) read(ptr string, o *membrane.Object, c *testCase) error {
	for i := range o.Len() {
		k, v := o.At(i)
		p := pointer(ptr, k)
		var err error
		switch k {
		case "name":
			s, ok := v.(string)
			if !ok {
				return r.fail(p, "name must be a text, not %s", kindOf(v))
			}
			c.name = s
		case "input":
			if c.input, err = json.Marshal(v); err != nil {
				return r.fail(p, "input isn't JSON: %v", err)
			}
		case "output":
			c.output = v
		case "text":
			if _, ok := v.(string); !ok {
				return r.fail(p, "text must be a text, not %s; for other values write output", kindOf(v))
			}
			c.text = v
		case "contains":
			c.contains, err = r.texts(p, v)
		case "error":
			if c.fails = true; v != true {
				c.errors, err = r.texts(p, v)
			}
		case "approve":
			switch v := v.(type) {
			case bool:
				c.refuse = !v
			case string:
				c.refuse, c.reason = true, v
			default:
				return r.fail(p, "approve must be true, false, or the reason of a no")
			}
		case "writes":
			if c.writes, err = r.object(p, v, nil); err == nil {
				for _, name := range c.writes.Keys() {
					if !filepath.IsLocal(filepath.FromSlash(name)) {
						return r.fail(pointer(p, name), "the path %s must be relative, and lead nowhere else", quote(name))
					}
				}
			}
		case "stored":
			c.stored, err = r.object(p, v, nil)
		case "logs":
			c.logs, err = r.texts(p, v)
		case "cost":
			var amount any = v
			if n, ok := v.(json.Number); ok {
				amount = n.String()
			}
			a, e := cost.Of(amount)
			if e != nil {
				return r.fail(p, "cost must be US dollars, such as \"0.0025\", not %s", kindOf(v))
			}
			c.cost = &a
		}
		if err != nil {
			return err
		}
	}
	if c.fails && (!isUndefined(c.output) || !isUndefined(c.text)) {
		return r.fail(pointer(ptr, "error"), "a case has either an error, or an output or text")
	}
	return nil
}

// world reads what a tool finds.
func (r caseReader) world(ptr string, o *membrane.Object, w *world, optional bool) error {
	for i := range o.Len() {
		k, v := o.At(i)
		p := pointer(ptr, k)
		var err error
		switch k {
		case "fetch":
			list, ok := v.([]any)
			if !ok {
				return r.fail(p, "fetch must be a list of answers such as {url: …, json: …}, not %s", kindOf(v))
			}
			var own []*answerOf
			for j, e := range list {
				a, err := r.answer(pointerAt(p, j), e)
				if err != nil {
					return err
				}
				a.optional = a.optional || optional
				own = append(own, a)
			}
			w.fetch = append(own, w.fetch...) // a case's own first
		case "files":
			err = r.files(p, v, w)
		case "store":
			var own *membrane.Object
			if own, err = r.object(p, v, nil); err == nil {
				w.store = merged(w.store, own)
			}
		case "tools":
			var own *membrane.Object
			if own, err = r.object(p, v, nil); err == nil {
				w.tools = merged(w.tools, own)
			}
		case "llm":
			list, ok := v.([]any)
			if !ok {
				list = []any{v}
			}
			w.llm = nil
			for j, e := range list {
				q := pointerAt(p, j)
				if s, ok := e.(string); ok {
					w.llm = append(w.llm, llmReply{text: s})
					continue
				}
				f, err := r.object(q, e, []string{"error"})
				if err != nil {
					return err
				}
				s, ok := get(f, "error").(string)
				if !ok {
					return r.fail(q, "an answer of the model is a text, or {error: …}")
				}
				w.llm = append(w.llm, llmReply{fails: s})
			}
		case "now":
			s, _ := v.(string)
			if w.now, err = time.Parse(time.RFC3339, s); err != nil {
				return r.fail(p, "now must be a time such as 2025-06-01T12:00:00Z, not %s", kindOf(v))
			}
		case "seed":
			n, _ := v.(json.Number)
			if w.seed, err = strconv.ParseUint(n.String(), 10, 64); err != nil {
				return r.fail(p, "seed must be a whole number, not %s", kindOf(v))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func merged(base, own *membrane.Object) *membrane.Object {
	out := membrane.NewObject()
	for _, o := range []*membrane.Object{base, own} {
		for i := 0; o != nil && i < o.Len(); i++ {
			out.Set(o.At(i))
		}
	}
	return out
}

// files reads files by their paths: texts, or {base64: …} or {json: …}.
func (r caseReader) files(ptr string, v any, w *world) error {
	o, err := r.object(ptr, v, nil)
	if err != nil {
		return err
	}
	all := map[string][]byte{}
	for name, b := range w.files {
		all[name] = b
	}
	for i := range o.Len() {
		name, v := o.At(i)
		p := pointer(ptr, name)
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return r.fail(p, "the path %s must be relative, and lead nowhere else", quote(name))
		}
		if s, ok := v.(string); ok {
			all[name] = []byte(s)
			continue
		}
		f, err := r.object(p, v, []string{"base64", "json"})
		if err != nil {
			return err
		}
		s, _ := get(f, "base64").(string)
		b, err := base64.StdEncoding.DecodeString(s)
		if x := get(f, "json"); !isUndefined(x) {
			b, err = json.Marshal(x)
		}
		if err != nil || f.Len() != 1 {
			return r.fail(p, "a file is a text, {base64: …} or {json: …}")
		}
		all[name] = b
	}
	w.files = all
	return nil
}

// answer reads a canned answer.
func (r caseReader) answer(ptr string, v any) (*answerOf, error) {
	o, err := r.object(ptr, v, answerKeys)
	if err != nil {
		return nil, err
	}
	a := &answerOf{status: 200, sends: membrane.Undefined{}}
	for i := range o.Len() {
		k, v := o.At(i)
		p := pointer(ptr, k)
		s, isText := v.(string)
		switch k {
		case "url":
			u, err := url.Parse(s)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Contains(u.Host, "*") {
				return nil, r.fail(p, "url must be an absolute one with a host, such as https://api.example.com/v1/*, not %s", kindOf(v))
			}
			a.url = s
		case "method":
			if !isText {
				return nil, r.fail(p, "method must be a text, not %s", kindOf(v))
			}
			a.method = strings.ToUpper(s)
		case "sends":
			a.sends = v
		case "status":
			n, _ := v.(json.Number)
			if a.status, err = strconv.Atoi(n.String()); err != nil || a.status < 100 || a.status > 599 {
				return nil, r.fail(p, "status must be a number from 100 to 599, not %s", kindOf(v))
			}
		case "headers":
			if a.headers, err = r.object(p, v, nil); err != nil {
				return nil, err
			}
			for i := range a.headers.Len() {
				if k, h := a.headers.At(i); kindOf(h) == "null" {
					return nil, r.fail(pointer(p, k), "a header must have a value")
				}
			}
		case "body":
			if !isText {
				return nil, r.fail(p, "body must be a text, not %s; for data write json", kindOf(v))
			}
			a.body = []byte(s)
		case "json":
			if a.body, err = json.Marshal(v); err != nil {
				return nil, r.fail(p, "json can't be written: %v", err)
			}
			a.json = true
		case "error":
			if !isText {
				return nil, r.fail(p, "error must be a text, not %s", kindOf(v))
			}
			a.fails = s
		case "optional":
			a.optional = v == true
		}
	}
	if a.url == "" {
		return nil, r.fail(ptr, "the key url is missing")
	}
	return a, nil
}

// matches reports whether a request is one that the answer is for.
func (a *answerOf) matches(method, url string, body []byte) bool {
	if a.method != "" && a.method != method || !glob(a.url, url) {
		return false
	}
	switch s := a.sends.(type) {
	case membrane.Undefined:
		return true
	case string:
		return s == string(body)
	}
	var sent any
	return json.Unmarshal(body, &sent) == nil && difference("", sent, a.sends) == ""
}

// glob matches a text with a pattern in which * stands for anything.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return strings.HasSuffix(s, parts[len(parts)-1])
}

// difference says where two values differ, "" if they don't. Numbers are equal
// if they are the same number, objects whatever the order of their keys is.
func difference(path string, got, want any) string {
	at := path
	if at == "" {
		at = "the value"
	}
	if g, ok := number(got); ok {
		if w, ok := number(want); ok && g.Cmp(w) == 0 {
			return ""
		}
		return fmt.Sprintf("%s is %s, want %s", at, shown(got), shown(want))
	}
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		if !ok {
			break
		}
		for i := range min(len(g), len(w)) {
			if d := difference(fmt.Sprintf("%s[%d]", path, i), g[i], w[i]); d != "" {
				return d
			}
		}
		if len(g) != len(w) {
			return fmt.Sprintf("%s has %d elements, want %d", at, len(g), len(w))
		}
		return ""
	case *membrane.Object:
		g, ok := fieldsOf(got)
		if !ok {
			break
		}
		for i := range w.Len() {
			k, v := w.At(i)
			x, has := g[k]
			if !has {
				return fmt.Sprintf("%s has no key %s, want %s", at, quote(k), shown(v))
			}
			if d := difference(strings.TrimPrefix(path+"."+k, "."), x, v); d != "" {
				return d
			}
		}
		var more []string
		for k := range g {
			if _, ok := w.Get(k); !ok {
				more = append(more, k)
			}
		}
		if len(more) > 0 {
			slices.Sort(more)
			return fmt.Sprintf("%s has the key %s, which is not wanted: it is %s", at, quote(more[0]), shown(g[more[0]]))
		}
		return ""
	case string, bool, nil:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%s is %s, want %s", at, shown(got), shown(want))
}

func fieldsOf(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case *membrane.Object:
		m := map[string]any{}
		for i := range v.Len() {
			k, x := v.At(i)
			m[k] = x
		}
		return m, true
	}
	return nil, false
}

func number(v any) (*big.Float, bool) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case float64:
		s = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return nil, false
	}
	f, _, err := big.ParseFloat(s, 10, 1000, big.ToNearestEven)
	return f, err == nil
}

// shown writes a value for a message.
func shown(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	s := strings.TrimSuffix(b.String(), "\n")
	if r := []rune(s); len(r) > 500 {
		return string(r[:500]) + "…"
	}
	return s
}
