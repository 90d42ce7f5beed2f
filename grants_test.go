package pinfold_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
)

// granted makes a folder with files and a server, and grants them.
func granted(t *testing.T) (*pinfold.Grants, string, string) {
	dir := t.TempDir()
	for name, text := range map[string]string{"notes.txt": "hello", "data/a.json": `{"n":1}`, "bytes.bin": "\xff\x00", ".env": "SECRET=1"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fs, err := files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"**"}, Write: []string{"out/**", "*.txt"}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fs.Close() })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Seen", r.Header.Get("X-Sent"))
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		if r.URL.Path == "/missing" {
			w.WriteHeader(404)
		}
		body := make([]byte, r.ContentLength)
		_, _ = r.Body.Read(body)
		fmt.Fprintf(w, `{"method":%q,"path":%q,"body":%q}`, r.Method, r.URL.Path, body)
	}))
	t.Cleanup(server.Close)
	u, _ := url.Parse(server.URL)
	port, _ := strconv.Atoi(u.Port())
	client, err := egress.New(egress.Policy{
		Allow:        []egress.Rule{{Name: "local", Hosts: []string{"127.0.0.1"}, Schemes: []string{"http"}, Ports: []uint16{uint16(port)}, Methods: []string{"GET", "POST"}}},
		AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &pinfold.Grants{Files: fs, Network: client}, dir, server.URL
}

// TestCtx runs programs that use ctx. The messages are those of the host functions'
// specification.
func TestCtx(t *testing.T) {
	var grants *pinfold.Grants
	var dir, server string
	for _, tt := range []struct {
		name     string
		none     bool // nothing is granted
		requires []pinfold.Requirement
		source   string
		want     string
	}{
		{"read text", false, nil, `return ctx.readFile('notes.txt')`, `"hello"`},
		{"read base64", false, nil, `return ctx.readFile('/bytes.bin', {encoding: 'base64'})`, `"/wA="`},
		{"read bytes", false, nil, `return [...await ctx.readFile('bytes.bin', {encoding: 'bytes'})]`, `[255,0]`},
		{"read what isn't text", false, nil, `return ctx.readFile('bytes.bin').catch(e => [e.message, e.code, e.data.hint])`, `["ctx.readFile: not UTF-8 text","E_FILE_ENCODING","read it with {encoding: \"bytes\"}"]`},
		{"read nothing", false, nil, `return ctx.readFile('nothing.txt').catch(e => [e.message, e.code, e.constructor === Error])`, `["ctx.readFile: no such file","E_FILE_NOT_FOUND",true]`},
		{"read a protected name", false, nil, `return ctx.readFile('.env').catch(e => e.message)`, `"ctx.readFile: protected name"`},
		{"read with a wrong option", false, nil, `return ctx.readFile('notes.txt', {encoding: 'latin1'}).catch(e => e.message)`, `"ctx.readFile: bad argument: encoding"`},
		{"write", false, nil, `return [await ctx.writeFile('new.txt', 'text'), await ctx.readFile('new.txt')]`, `[{"bytes":4},"text"]`},
		{"append", false, nil, `await ctx.writeFile('add.txt', 'a'); await ctx.writeFile('add.txt', new Uint8Array([98]), {append: true}); return ctx.readFile('add.txt')`, `"ab"`},
		{"write outside of what is granted", false, nil, `return ctx.writeFile('data/a.json', '').catch(e => e.message)`, `"ctx.writeFile: outside the granted folders"`},
		{"write into a missing file without create", false, nil, `return ctx.writeFile('gone.txt', '', {create: false}).catch(e => e.message)`, `"ctx.writeFile: no such file"`},
		{"write an object", false, nil, `return ctx.writeFile('new.txt', {}).catch(e => e.message + ' ' + e.data.hint)`, `"ctx.writeFile: bad argument: data pass a string or a Uint8Array; for an object: JSON.stringify(data)"`},
		{"list", false, nil, `return (await ctx.listFiles('data')).entries.map(e => [e.name, e.path, e.kind, e.size])`, `[["a.json","data/a.json","file",7]]`},
		{"find", false, nil, `return (await ctx.findFiles('**/*.json')).entries.map(e => e.path)`, `["data/a.json"]`},
		{"not declared", false, []pinfold.Requirement{{Capability: "network"}}, `return ctx.readFile('notes.txt').catch(e => e.message)`, `"ctx.readFile needs 'fileRead' in the program's requires list"`},
		{"a narrower declaration", false, []pinfold.Requirement{{Capability: "fileRead", Scope: []string{"data/**"}}}, `return [await ctx.readFile('data/a.json'), await ctx.readFile('notes.txt').catch(e => e.message)]`, `["{\"n\":1}","ctx.readFile: outside the granted folders"]`},
		{"not granted", true, nil, `return ctx.readFile('notes.txt').catch(e => e.message)`, `"ctx.readFile is not available: fileRead was not granted"`},
		{"fetch not granted", true, nil, `return [ctx.capabilities, await fetch('https://example.com').catch(e => e.message)]`, `[[],"ctx.fetch is not available: network was not granted"]`},
		{"ctx is frozen", false, nil, `'use strict'; try { ctx.x = 1 } catch (e) { return [Object.getPrototypeOf(ctx), Object.isFrozen(ctx), ctx.capabilities, Object.isFrozen(ctx.capabilities), ctx.toolName, ctx.remainingMs() > 0] }`, `[null,true,["fileRead","fileWrite","network"],true,{"$js":"undefined"},true]`},
		{"no function leads on", false, nil, `return Object.values(ctx).filter(f => typeof f === 'function').flatMap(f => Reflect.ownKeys(f).filter(k => k !== 'name' && k !== 'length'))`, `[]`},
		{"fetch", false, nil, `let r = await fetch(SERVER + '/a', {headers: {'x-sent': '1'}}); return [r.ok, r.status, r.headers['x-seen'], r.headers.get('X-Seen'), r.headers.has('no'), r.headers.get('no'), await r.json()]`, `[true,200,"1","1",false,null,{"method":"GET","path":"/a","body":""}]`},
		{"the body again and again", false, nil, `let r = await ctx.fetch(SERVER + '/a'); return [(await r.text()).length, (await r.bytes()).constructor.name, (await r.bytes()) !== (await r.bytes()), (await r.arrayBuffer()).byteLength, Object.keys(r)]`, `[38,"Uint8Array",true,38,["ok","status","statusText","url","redirected","headers"]]`},
		{"post an object", false, nil, `let r = await ctx.fetch(SERVER + '/p', {method: 'POST', body: {a: [1]}}); return [r.headers['content-type'], (await r.json()).body]`, `["application/json","{\"a\":[1]}"]`},
		{"a status is no error", false, nil, `let r = await ctx.fetch(SERVER + '/missing'); return [r.ok, r.status]`, `[false,404]`},
		{"what isn't JSON", false, nil, `let r = await ctx.fetch(SERVER + '/a'); JSON.parse = null; return r.text().then(JSON.stringify).then(() => r.json()).then(x => x.path)`, `"/a"`},
		{"another host", false, nil, `return ctx.fetch('https://example.com/').catch(e => [e.message, e.code])`, `["ctx.fetch: host not allowed: example.com","E_FETCH_HOST_NOT_ALLOWED"]`},
		{"too many requests", false, nil, `let n = 0, m; for (let i = 0; i < 25; i++) await fetch(SERVER + '/a').then(() => n++, e => m = e.message); return [n, m]`, `[20,"ctx.fetch: too many requests (limit 20)"]`},
		{"many at once", false, nil, `return (await Promise.all(Array.from({length: 12}, () => fetch(SERVER + '/a')))).length`, `12`},
		{"scripts that change the world", false, nil, `Object.prototype.body = 1; Object.prototype.headers = 2; Object.defineProperty(Object.prototype, 'text', {set() { throw 1 }}); Uint8Array.prototype.slice = null; TextDecoder = null; return (await (await ctx.fetch(SERVER + '/a')).json()).path`, `"/a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			grants, dir, server = granted(t)
			onTiers(t, func(*testing.T) pinfold.Options {
				if tt.none {
					grants = &pinfold.Grants{}
				}
				return pinfold.Options{Grants: grants, Requires: tt.requires}
			}, func(t *testing.T, s *pinfold.Sandbox) {
				source := strings.ReplaceAll(tt.source, "SERVER", strconv.Quote(server))
				got, _ := run(t, s, context.Background(), source)
				if got != tt.want {
					t.Errorf("%s\nwant %s", got, tt.want)
				}
				if strings.Contains(got, dir) {
					t.Errorf("a path of the host is in %s", got)
				}
			})
		})
	}
}

func TestCaller(t *testing.T) {
	onTiers(t, func(*testing.T) pinfold.Options { return pinfold.Options{Grants: &pinfold.Grants{}} }, func(t *testing.T, s *pinfold.Sandbox) {
		ctx := pinfold.WithCaller(context.Background(), pinfold.Caller{Tool: "sum", CallID: "c1", InstanceID: "i1"})
		if got, _ := run(t, s, ctx, `return [ctx.toolName, ctx.callId, ctx.instanceId]`); got != `["sum","c1","i1"]` {
			t.Error(got)
		}
		if got, _ := run(t, s, ctx, `return ctx.readFile('x').catch(e => e.message)`); got != `"ctx.readFile is not available: fileRead was not granted"` {
			t.Error(got)
		}
	})
}

func TestMissing(t *testing.T) {
	grants, _, _ := granted(t)
	got := grants.Missing([]pinfold.Requirement{
		{Capability: "fileRead"}, {Capability: "fileRead", Scope: []string{"data/**"}}, {Capability: "fileWrite", Scope: []string{"out/a", "elsewhere/**"}},
		{Capability: "network", Scope: []string{"127.0.0.1", "example.com"}}, {Capability: "mail"},
	})
	if s := fmt.Sprint(got); s != "[fileWrite: [elsewhere/**] network: [example.com] mail]" {
		t.Error(s)
	}
	if s := fmt.Sprint((*pinfold.Grants)(nil).Missing([]pinfold.Requirement{{Capability: "network"}})); s != "[network]" {
		t.Error(s)
	}
	for _, o := range []pinfold.Options{
		{Requires: []pinfold.Requirement{{Capability: "mail"}}},
		{Quotas: map[string]pinfold.Quota{"mail": {}}},
		{Grants: grants, Quotas: map[string]pinfold.Quota{"network": {Calls: -1}}},
		{Grants: grants, Requires: []pinfold.Requirement{{Capability: "network", Scope: []string{"*"}}}},
		{KeepCalls: -1},
	} {
		if _, err := pinfold.New(o); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
}
