package atoms_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atoms"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

func run(t *testing.T, source string, args ast.Object, opts ...vm.Option) *vm.Result {
	t.Helper()
	m := vm.MustNew()
	p, err := transpile.Transpile(source, transpile.Options{Atoms: m.Atoms()})
	if err != nil {
		t.Fatal(err)
	}
	res, err := m.Run(context.Background(), p.Program, args, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestClient(t *testing.T) {
	var depth, body, kind string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		depth, kind = r.Header.Get("X-Agent-Depth"), r.Header.Get("Content-Type")
		b, _ := io.ReadAll(r.Body)
		body = string(b)
		switch r.URL.Path {
		case "/json":
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = io.WriteString(w, `{"n": 1, "xs": [true, null]}`)
		case "/text":
			_, _ = io.WriteString(w, "hello")
		case "/move":
			w.Header().Set("Location", "/text")
			w.WriteHeader(302)
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 5000))
		}
	}))
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "http://")
	const source = `function f({ url: '', method = 'GET', type = '', body }) {
  try {
    let data = httpFetch({ url, method, responseType: type, body })
    return { data }
  } catch (e) {
    return { e }
  }
}`
	opts := []vm.Option{
		vm.WithPolicy(vm.Policy{Domains: []string{host}, Methods: []string{"POST"}, RequestDepth: 2}),
		vm.WithCapabilities(vm.Capabilities{Client: &atoms.Client{}}),
		vm.WithMembraneMaxBytes(4096),
	}
	arg := func(path string, more ...ast.Entry) ast.Object {
		return append(ast.Object{{Key: "url", Value: srv.URL + path}, {Key: "body", Value: nil}}, more...)
	}
	for _, c := range []struct {
		args ast.Object
		want string
	}{
		{arg("/json"), `{"data":{"n":1,"xs":[true,null]}}`},
		{arg("/text"), `{"data":"hello"}`},
		{arg("/text", ast.Entry{Key: "type", Value: "dataUrl"}), `{"data":"data:text/plain;base64,aGVsbG8="}`},
		{arg("/text", ast.Entry{Key: "type", Value: "json"}), `{"e":"httpFetch: the response is no JSON: unexpected 'h' in the JSON, line 1 column 1"}`},
		{arg("/move"), `{"data":{"redirect":true,"status":302,"location":"` + srv.URL + `/text"}}`},
		{arg("/large"), `{"e":"httpFetch: response too large (over 4096 bytes)"}`},
		{ast.Object{{Key: "url", Value: "http://example.com/"}, {Key: "body", Value: nil}}, `{"e":"Fetch blocked: domain not in allowlist. Allowed: ` + host + `"}`},
	} {
		res := run(t, source, c.args, opts...)
		if b, err := res.JSON(); err != nil || string(b) != c.want {
			t.Errorf("%v\n got %s %v\nwant %s", c.args[0].Value, b, err, c.want)
		}
	}
	res := run(t, source, ast.Object{{Key: "url", Value: srv.URL + "/text"}, {Key: "method", Value: "POST"}, {Key: "body", Value: ast.Object{{Key: "a", Value: 1.0}}}}, opts...)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	if depth != "3" || body != `{"a":1}` || kind != "application/json" {
		t.Errorf("depth %q, body %q, type %q", depth, body, kind)
	}
}

// A private address is dialled only if the allowlist names it; a name that
// leads to one is refused where it is dialled.
func TestClientPrivate(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { t.Error("dialled") }))
	defer srv.Close()
	const source = `function f({ url: '' }) { try { let d = httpFetch({ url }) 
 return { d } } catch (e) { return { e } } }`
	caps := vm.WithCapabilities(vm.Capabilities{Client: &atoms.Client{}})
	for _, domains := range [][]string{nil, {"*.0.0.1"}} {
		res := run(t, source, ast.Object{{Key: "url", Value: srv.URL}}, caps, vm.WithPolicy(vm.Policy{Domains: domains}))
		b, _ := res.JSON()
		if !strings.Contains(string(b), "Blocked URL: private") && !strings.Contains(string(b), "domain not in allowlist") {
			t.Errorf("%s", b)
		}
	}
}

func TestCanned(t *testing.T) {
	d, err := ast.ParseData([]byte(`{"llm":{"returns":"ok"},"store":{"get":{"throws":"disk gone"}}}`), ast.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := atoms.Canned(d.(ast.Object))
	if err != nil {
		t.Fatal(err)
	}
	res := run(t, `function f() {
  let a = llmPredict({ prompt: 'x' })
  try { let v = storeGet({ key: 'k' }) } catch (e) { return { a, e } }
}`, nil, vm.WithCapabilities(c))
	if b, _ := res.JSON(); string(b) != `{"a":"ok","e":"disk gone"}` {
		t.Errorf("%s", b)
	}
	for _, bad := range []string{`{"llm":1}`, `{"llm":{}}`, `{"nope":{"returns":1}}`, `{"store":{"x":{}}}`, `{"fetch":{"throws":1}}`} {
		d, _ := ast.ParseData([]byte(bad), ast.Limits{})
		if _, err := atoms.Canned(d.(ast.Object)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
