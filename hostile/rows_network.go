package hostile

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/egress"
)

func none(http.ResponseWriter, *http.Request) {}

func addrs(list ...string) []netip.Addr {
	var out []netip.Addr
	for _, a := range list {
		out = append(out, netip.MustParseAddr(a))
	}
	return out
}

// networkCases are the rows of H: requests of programs through fetch, to servers
// that are really there, by a resolver that lies.
var networkCases = []Case{
	{ID: "H1", Scenario: func(s *Scene) {
		// Redirects to where the program may not go, by every status that redirects.
		inside := s.Serve(there, nil, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "INTERNAL") })
		var to atomic.Value
		var status atomic.Int64
		front := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Refresh", "0; url="+to.Load().(string))
			w.Header().Set("Location", to.Load().(string))
			w.WriteHeader(int(status.Load()))
		})
		n := &names{}
		n.set("inside.example.com", []netip.Addr{there})
		sb := s.Network(policy(n, []*server{front, inside}, "a.example.com", "inside.example.com"))
		for i, to2 := range []string{
			"http://127.0.0.2:%d/", "//127.0.0.2:%d/", "http://127.0.0.1:%d/", "http://localhost:%d/", "http://[::1]:%d/", "http://[::ffff:7f00:2]:%d/", "http://2130706434:%d/", "http://0:%d/", "http://inside.example.com:%d/", "\\\\inside.example.com:%d\\", "http://user@inside.example.com:%d/",
			"ftp://inside.example.com:%d/", "http://a.example.com:1/%d", "file:///etc/passwd?%d", "data:text/plain,%d", "javascript:%d", "http://%d.example.com:99999999/", "gopher://inside.example.com:%d/_GET", "http://evil.com:%d/",
		} {
			to.Store(fmt.Sprintf(to2, inside.port))
			status.Store([]int64{301, 302, 303, 307, 308}[i%5])
			s.Fetches(sb, fetch{front.url("a.example.com", "/"), nil, "redirect_not_allowed"}, fetch{front.url("a.example.com", "/"), map[string]any{"method": "POST", "body": "SECRET"}, "redirect_not_allowed"},
				fetch{front.url("a.example.com", "/"), map[string]any{"redirect": "error"}, "redirect_not_allowed"}, fetch{front.url("a.example.com", "/"), map[string]any{"redirect": "manual"}, "=3|redirect_not_allowed"})
		}
		s.quiet(inside, "redirects")
		status.Store(200) // what a page asks of browsers is nothing to fetch
		s.Fetches(sb, fetch{front.url("a.example.com", "/"), nil, "=200"})
		s.quiet(inside, "a page")
	}},
	{ID: "H2", Scenario: func(s *Scene) {
		x := s.Serve(here, nil, none)
		n := &names{}
		n.set("zero.example.com", addrs("0.0.0.0"))
		n.set("zero6.example.com", addrs("::"))
		n.set("this.example.com", addrs("0.1.2.3"))
		sb := s.Network(policy(n, []*server{x}, "zero.example.com", "zero6.example.com", "this.example.com"))
		var list []fetch
		for _, h := range []string{"0.0.0.0", "[::]", "0", "0x0", "[::0.0.0.0]", "00000000000", "0.0"} {
			list = append(list, fetch{x.url(h, "/"), nil, "host_not_allowed"})
		}
		for _, h := range []string{"zero.example.com", "zero6.example.com", "this.example.com"} {
			list = append(list, fetch{x.url(h, "/"), nil, "address_not_allowed"})
		}
		s.Fetches(sb, list...)
		s.quiet(x, "unspecified addresses")
	}},
	{ID: "H3", Scenario: func(s *Scene) {
		disguises(s, "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "::1", "fe80::1", "::ffff:0.0.0.0")
	}},
	{ID: "H4", Scenario: func(s *Scene) {
		disguises(s, "64:ff9b::7f00:1", "64:ff9b::169.254.169.254", "2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::1", "2001:0:5db8:d70e:0:0:80ff:fffe", "64:ff9b:1::7f00:1", "2606:2800:21f:cb07:0:5efe:7f00:1")
	}},
	{ID: "H5", Scenario: func(s *Scene) {
		x := s.Serve(here, nil, none)
		n := &names{}
		n.set("localhost", addrs("127.0.0.2", "::1"))
		n.set("metadata.google.internal", addrs("169.254.169.254"))
		p := policy(n, []*server{x}, "localhost", "metadata.google.internal", "*.example.com")
		p.DenyHosts = []string{"secret.example.com"}
		n.set("secret.example.com", addrs("127.0.0.1"))
		sb, other := s.Network(p), s.Network(policy(&names{}, []*server{x}, "example.com"))
		for _, h := range []string{"localhost.", "LOCALHOST", "LocalHost.", "metadata.google.internal.", "metadata.google.internal", "metadata.google.internal%2e", "localhost%E3%80%82"} {
			s.Fetches(sb, fetch{x.url(h, "/"), nil, "address_not_allowed"})
			s.Fetches(other, fetch{x.url(h, "/"), nil, "host_not_allowed"})
		}
		for _, h := range []string{"secret.example.com", "secret.example.com.", "SECRET.example.com.", "secret%2Eexample.com"} {
			s.Fetches(sb, fetch{x.url(h, "/"), nil, "host_not_allowed"})
		}
		for _, h := range []string{"localhost..", "..localhost", "a..example.com", "."} {
			s.Fetches(sb, fetch{x.url(h, "/"), nil, "bad_argument"})
		}
		for _, h := range n.lookups() {
			if strings.HasSuffix(h, ".") || h != strings.ToLower(h) {
				s.Errorf("%q was looked up", h)
			}
		}
		s.quiet(x, "dots")
	}},
	{ID: "H6", Scenario: func(s *Scene) {
		// Numbers and letters in other clothes: what the parser makes of them is what is
		// compared and dialled.
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) })
		granted := policy(&names{}, []*server{x}, "127.0.0.1")
		yes, no := s.Network(granted), s.Network(policy(&names{}, []*server{x}, "example.com"))
		var all, refused, bad []fetch
		for _, f := range []string{
			"2130706433", "0x7f000001", "017700000001", "0177.0.0.1", "0x7f.0.0.1", "127.1", "127.0.0.1.", "１２７.０.０.１", "%31%32%37.0.0.1", "127%2E0%2e0.1", "127。0。0。1", "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1", "1\n27.0.0.1",
		} {
			all = append(all, fetch{x.url(f, "/"), nil, "=200 " + x.url("127.0.0.1", "/") + " 127.0.0.1:" + strconv.Itoa(int(x.port))})
			refused = append(refused, fetch{x.url(f, "/"), nil, "host_not_allowed"})
		}
		for _, f := range []string{"256.0.0.1", "127.0.0.0.1", "4294967296", "0x100000000", "127.0.0.09", "[::1", "[fe80::1%25eth0]", "[::1]x", "a b", "a%00b", "a%2Fb", "a%40b", "exa<mple"} {
			bad = append(bad, fetch{x.url(f, "/"), nil, "bad_argument"})
		}
		s.Fetches(yes, slices.Concat(all, bad)...)
		before := x.hits.Load()
		s.Fetches(no, refused...)
		if x.hits.Load() != before {
			s.Errorf("a host that isn't granted was asked")
		}
	}},
	{ID: "H7", Scenario: func(s *Scene) {
		// A name whose answers change, and one with good and bad addresses together.
		x, inside := s.Serve(here, nil, none), s.Serve(there, nil, none)
		n := &names{}
		n.set("rebind.example.com", []netip.Addr{here}, []netip.Addr{there}, []netip.Addr{here}, []netip.Addr{there})
		sb := s.Network(policy(n, []*server{x, inside}, "rebind.example.com"))
		u := x.url("rebind.example.com", "/")
		s.Fetches(sb, fetch{u, nil, "=200"}, fetch{u, nil, "address_not_allowed"}, fetch{u, nil, "=200"}, fetch{inside.url("rebind.example.com", "/"), nil, "address_not_allowed"})
		if got := len(n.lookups()); got != 4 {
			s.Errorf("%d lookups for 4 requests", got)
		}
		before := x.hits.Load()
		for _, a := range [][]netip.Addr{{here, there}, {there, here}, {here, netip.MustParseAddr("::1")}, {here, netip.MustParseAddr("10.1.2.3")}, {here, netip.MustParseAddr("fe80::1%eth0")}, {here, {}}, {here, netip.MustParseAddr("169.254.169.254")}} {
			n.set("rebind.example.com", a)
			s.Fetches(sb, fetch{u, nil, "address_not_allowed"}, fetch{inside.url("rebind.example.com", "/"), nil, "address_not_allowed"})
		}
		if x.hits.Load() != before {
			s.Errorf("a name with a bad address among its addresses was dialled")
		}
		s.quiet(inside, "rebinding")
	}},
	{ID: "H7b", Scenario: func(s *Scene) {
		// The answers change between the hops of one request.
		inside := s.Serve(there, nil, none)
		n := &names{}
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", http.StatusFound) })
		n.set("rebind.example.com", []netip.Addr{here}, []netip.Addr{here}, []netip.Addr{there})
		sb := s.Network(policy(n, []*server{x, inside}, "rebind.example.com"))
		s.Fetches(sb, fetch{x.url("rebind.example.com", "/"), nil, "redirect_not_allowed"})
		if x.hits.Load() != 2 {
			s.Errorf("%d requests", x.hits.Load())
		}
		s.quiet(inside, "rebinding between hops")
	}},
	{ID: "H8", Scenario: func(s *Scene) {
		disguises(s, "fc00::1", "fd00:ec2::254", "100.64.0.1", "100.127.255.255", "198.18.0.1", "198.19.255.255", "192.0.0.1", "192.0.0.192", "64:ff9b::8.8.8.8",
			"10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "ff02::1", "2001:db8::1", "100::1", "fec0::1", "5f00::1", "3fff::1")
	}},
	{ID: "H9", Scenario: func(s *Scene) {
		cert, pool := certificate()
		plain := s.Serve(here, nil, none)
		x := s.Serve(here, cert, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, plain.url("a.example.com", "/"), http.StatusMovedPermanently)
		})
		p := policy(&names{}, []*server{x, plain}, "a.example.com")
		p.RootCAs = pool
		secure := strings.Replace(x.url("a.example.com", "/"), "http:", "https:", 1)
		s.Fetches(s.Network(p), fetch{secure, nil, "redirect_not_allowed"})
		p.Allow[0].Schemes = []string{"https"}
		s.Fetches(s.Network(p), fetch{secure, nil, "redirect_not_allowed"}, fetch{plain.url("a.example.com", "/"), nil, "scheme_not_allowed"})
		s.quiet(plain, "http")
		p.RootCAs = nil // nobody vouches for the certificate
		s.Fetches(s.Network(p), fetch{secure, nil, "tls_failed"})
	}},
	{ID: "H10", Scenario: credentials},
	{ID: "H11", Scenario: func(s *Scene) {
		x := s.Serve(here, nil, none)
		sb := s.Network(policy(&names{}, []*server{x}, "a.example.com"))
		u := x.url("a.example.com", "/")
		var list []fetch
		for _, name := range []string{
			"Host", "hOsT", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade", "Expect", "Proxy-Authorization", "proxy-connection", "PROXY-anything", "Sec-Fetch-Site", "HTTP2-Settings", "Accept-Encoding",
			"X-Agent-Depth", "x-agent-depth", "X-Forwarded-For", "Forwarded", "X-HTTP-Method-Override", "X-Original-URL", "X-Rewrite-URL", "Origin", "Referer",
		} {
			list = append(list, fetch{u, map[string]any{"headers": map[string]any{name: "1"}}, "header_not_allowed"})
		}
		for name, value := range map[string]string{"x-a": "1\r\nHost: evil.com", "x-b": "1\nx: y", "x-c": "1\x00", "x d": "1", "x:e": "1", "": "1", "x-f\r\nHost": "1", "x-ü": "1", "x-g": "ü", ":authority": "evil.com", "x-h": "\x7f", "__proto__\n": "1"} {
			list = append(list, fetch{u, map[string]any{"headers": map[string]any{name: value}}, "bad_argument"})
		}
		list = append(list, fetch{u, map[string]any{"headers": map[string]any{"accept": "a", "Accept": "b"}}, "bad_argument"})
		for _, m := range []string{"GET / HTTP/1.1\r\nX: y", "G T", " ", "é", "CONNECT", "TRACE", "track", "OPTIONS", "get\x00"} {
			list = append(list, fetch{u, map[string]any{"method": m}, "bad_argument|method_not_allowed"})
		}
		list = append(list, fetch{u + "\r\nX: y", nil, "=200"}) // the parser takes line breaks out
		s.Fetches(sb, list...)
		if x.hits.Load() != 1 {
			s.Errorf("%d requests were sent", x.hits.Load())
		}
	}},
	{ID: "H12", Scenario: func(s *Scene) {
		var mu sync.Mutex
		var paths []string
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			paths = append(paths, r.RequestURI)
			fmt.Fprint(w, r.RequestURI)
		})
		evil := s.Serve(here, nil, none)
		n := &names{}
		n.set("evil.com", []netip.Addr{here})
		sb := s.Network(policy(n, []*server{x, evil}, "allowed.com", "*.sub.com"))
		var list []fetch
		port := ":" + strconv.Itoa(int(evil.port))
		for _, u := range []string{
			"http://evil.com" + port + "#@allowed.com", "http://allowed.com.evil.com" + port, "http://evil.com" + port + "/@allowed.com", "http://evil.com" + port + "\\@allowed.com", "http:\\\\evil.com" + port + "\\allowed.com", "http:/evil.com" + port, "http:evil.com" + port,
			"ht\ttp://ev\nil.com" + port, " http://evil.com" + port + "/ ", "http://allowed.comevil.com" + port, "http://xallowed.com" + port, "http://sub.com" + port, "http://xsub.com" + port, "http://evil.com" + port + "/.sub.com", "http://.evil.com" + port,
		} {
			list = append(list, fetch{u, nil, "host_not_allowed|bad_argument"})
		}
		for _, u := range []string{"http://allowed.com@evil.com" + port, "http://allowed.com:80@evil.com/", "http://evil.com@allowed.com/", "http://u:p@allowed.com/", "//evil.com", "/x", "", "allowed.com", "http://", "http://allowed.com:x/", "http://allowed.com:65536/"} {
			list = append(list, fetch{u, nil, "bad_argument"})
		}
		for _, u := range []string{"ftp://allowed.com/", "file:///etc/passwd", "ws://allowed.com/", "data:,x", "blob:http://allowed.com/x", "about:blank"} {
			list = append(list, fetch{u, nil, "scheme_not_allowed"})
		}
		s.Fetches(sb, list...)
		s.quiet(evil, "another host")
		s.quiet(x, "another host")
		p := policy(&names{}, []*server{x}, "api.x.com")
		p.Allow[0].Paths = []string{"/v1", "/open/"}
		part := s.Network(p)
		list = nil
		for _, path := range []string{"/v1evil", "/v1/../admin", "/v1/%2e%2e/admin", "/v1/.%2E/admin", "/v1\\..\\admin", "/", "", "/V1/a", "//v1", "/open", "/v1/..%2fadmin", "/v1/..%5cadmin", "/v1/%252e%252e/admin", "/v1/..;/admin", "/v1/a%00", "/v1/%c0%ae%c0%ae/admin", "/v1%2fadmin", "/%76%31/a"} {
			list = append(list, fetch{x.url("api.x.com", path), nil, "path_not_allowed"})
		}
		for path, sent := range map[string]string{"/v1": "/v1", "/v1/": "/v1/", "/x/../v1/a": "/v1/a", "\\v1\\a": "/v1/a", "/v1?x=/../y": "/v1?x=/../y", "/v1#x": "/v1", "/open/a": "/open/a", "/v1/ü": "/v1/%C3%BC"} {
			list = append(list, fetch{x.url("api.x.com", path), nil, "=200 " + x.url("api.x.com", sent) + " " + sent})
		}
		s.Fetches(part, list...)
		for _, path := range paths {
			if !strings.HasPrefix(path, "/v1") && !strings.HasPrefix(path, "/open/") {
				s.Errorf("%s was sent", path)
			}
		}
	}},
	{ID: "H13", Scenario: bombs, Growth: 200 << 20},
	{ID: "H13b", Scenario: func(s *Scene) {
		// Redirects without end.
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
			switch {
			case r.URL.Path == "/loop":
				http.Redirect(w, r, "/loop", http.StatusFound)
			case r.URL.Path == "/long":
				w.Header().Set("Location", "/"+strings.Repeat("x", 40_000))
				w.WriteHeader(302)
			case n > 0:
				http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
			}
		})
		sb := s.Network(policy(&names{}, []*server{x}, "a.example.com"))
		s.Fetches(sb, fetch{x.url("a.example.com", "/5"), nil, "=200 " + x.url("a.example.com", "/0")}, fetch{x.url("a.example.com", "/6"), nil, "redirect_not_allowed"}, fetch{x.url("a.example.com", "/10000"), nil, "redirect_not_allowed"}, fetch{x.url("a.example.com", "/loop"), nil, "redirect_not_allowed"})
		s.Fetches(sb, fetch{x.url("a.example.com", "/long"), nil, "=200|bad_argument|redirect_not_allowed"})
		if n := x.hits.Load(); n > 30 {
			s.Errorf("%d requests", n)
		}
	}},
	{ID: "H13c", Scenario: func(s *Scene) {
		// The limits of the run hold while it waits, and what it waits for ends.
		var cancelled, at atomic.Int64
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) {
			at.Add(1)
			defer at.Add(-1)
			if r.URL.Path == "/body" {
				w.WriteHeader(200)
				w.(http.Flusher).Flush()
			}
			select {
			case <-r.Context().Done():
				cancelled.Add(1)
			case <-time.After(10 * time.Second):
			}
		})
		sb := s.Network(policy(&names{}, []*server{x}, "a.example.com"), func(o *pinfold.Options) { o.Limits.Timeout = 150 * time.Millisecond })
		u := strconv.Quote(x.url("a.example.com", "/"))
		b := strconv.Quote(x.url("a.example.com", "/body"))
		for _, src := range []string{"await fetch(U)", "await fetch(B)", "fetch(U); for (;;);", "try { await fetch(U) } finally { await fetch(U) }", "await Promise.race([fetch(U), fetch(B)])", "await fetch(U).catch(() => fetch(U))", "await Promise.all(Array.from({length: 30}, () => fetch(U)))"} {
			// A connection may notice the deadline just before the run does.
			s.Check(sb, strings.NewReplacer("U", u, "B", b).Replace(src), nil, "limit:time|throw:Error")
		}
		s.Check(sb, "fetch("+u+"); return 1", nil, "value=1")
		s.Check(sb, "return fetch("+u+", {timeoutMs: 20}).catch(e => e.code)", nil, "value=E_FETCH_TIMED_OUT")
		s.Check(sb, "return fetch("+u+", {timeoutMs: -1}).catch(e => e.code)", nil, "value=E_ARGUMENT")
		for range 200 {
			if at.Load() == 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if at.Load() != 0 || cancelled.Load() == 0 {
			s.Errorf("%d requests go on after their runs, %d were cancelled", at.Load(), cancelled.Load())
		}
	}},
	{ID: "H13d", Scenario: func(s *Scene) {
		// What comes counts as the run's memory and against its quotas, and so does what is
		// made of it.
		big := strings.Repeat("x", 1<<20)
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); fmt.Fprint(w, big) })
		u := strconv.Quote(x.url("a.example.com", "/"))
		p := policy(&names{}, []*server{x}, "a.example.com")
		sb := s.Network(p, func(o *pinfold.Options) { o.Limits.MemoryBytes = 8 << 20 })
		for _, src := range []string{
			"const a = []; for (;;) a.push(await fetch(U))", "const a = []; for (;;) a.push(await (await fetch(U)).text())", "const r = await fetch(U); const a = []; for (;;) a.push(await r.bytes())", "const r = await fetch(U); const a = []; for (;;) a.push(r.text())",
			"const r = await fetch(U); const a = []; for (;;) a.push(await r.arrayBuffer())", "const a = []; for (let i = 0; i < 20; i++) a.push(fetch(U)); const l = await Promise.all(a); return l.length",
		} {
			s.Check(sb, strings.ReplaceAll(src, "U", u), nil, "limit:memory")
		}
		s.Check(sb, strings.ReplaceAll("return fetch(U, {body: 'x'.repeat(1 << 21)}).catch(e => e.code)", "U", u), nil, "value=E_FETCH_TOO_LARGE")
		s.Check(sb, strings.ReplaceAll("return fetch(U, {maxBytes: 10}).catch(e => e.code)", "U", u), nil, "value=E_FETCH_TOO_LARGE")
		s.Check(sb, strings.ReplaceAll("return fetch(U, {maxBytes: 1e15}).then(r => r.status, e => e.code)", "U", u), nil, "value=200")
		few := s.Network(p, func(o *pinfold.Options) {
			o.Quotas = map[string]pinfold.Quota{pinfold.Network: {Calls: 5, Concurrent: 2, BytesOut: 5 << 19}}
		})
		s.Check(few, strings.ReplaceAll("let n = 0, c; for (let i = 0; i < 9; i++) await fetch(U).then(() => n++, e => c = e.code); return n + c", "U", u), nil, "value=2E_QUOTA")
		s.Check(few, strings.ReplaceAll("const c = await Promise.all(Array.from({length: 50}, () => fetch(U).then(() => 'ok', e => e.code))); return [...new Set(c)].sort().join()", "U", u), nil, "value=E_QUOTA,ok")
	}, Growth: 200 << 20},
	{ID: "H14", Scenario: func(s *Scene) {
		// An endpoint that runs a program which calls the endpoint.
		n := &names{}
		var sb *pinfold.Sandbox
		var mu sync.Mutex
		var depths []string
		var last string
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			depths = append(depths, r.Header.Get(egress.AgentDepthHeader))
			mu.Unlock()
			ctx := pinfold.WithCaller(context.Background(), pinfold.Caller{AgentDepth: egress.AgentDepth(r.Header)})
			o := sb.Eval(ctx, "agent.js", "return fetch(input).then(r => r.text(), e => e.code)", "http://a.example.com:"+r.Host[strings.LastIndex(r.Host, ":")+1:]+"/")
			if o.Failure == nil {
				_ = o.Value.Decode(&last)
			}
			fmt.Fprint(w, last)
		})
		sb = s.Network(policy(n, []*server{x}, "a.example.com"), func(o *pinfold.Options) { o.Workers.Max = 12 })
		s.Fetches(sb, fetch{x.url("a.example.com", "/"), nil, "=200 " + x.url("a.example.com", "/") + " E_FETCH_TOO_DEEP"})
		if want := "1 2 3 4 5 6 7 8 9 10"; strings.Join(depths, " ") != want {
			s.Errorf("depths %v", depths)
		}
	}},
	{ID: "H15", Scenario: func(s *Scene) {
		for _, host := range []string{"bücher.example", "аpple.com", "ｅxample.com", "example。com", "*.bücher.example", "exam\u00adple.com", "*", "*.com", "**.example.com", "exam*ple.com", "http://example.com", "example.com/x", "example.com:80", "EXAMPLE.com", "", "0x7f.1", "127.1"} {
			for _, p := range []egress.Policy{{Allow: []egress.Rule{{Hosts: []string{host}}}}, {DenyHosts: []string{host}, Allow: []egress.Rule{{Hosts: []string{"example.org"}}}}} {
				if _, err := egress.New(p); err == nil && !(p.DenyHosts != nil && host == "*.com") {
					s.Errorf("%q is accepted: %+v", host, p)
				}
			}
			_, err := pinfold.New(pinfold.Options{Grants: &pinfold.Grants{Network: must(egress.New(egress.Policy{Allow: []egress.Rule{{Hosts: []string{"example.org"}}}}))}, Requires: []pinfold.Requirement{{Capability: pinfold.Network, Scope: []string{host}}}})
			if err == nil {
				s.Errorf("a declaration of %q is accepted", host)
			}
		}
		x := s.Serve(here, nil, none)
		n := &names{}
		sb := s.Network(policy(n, []*server{x}, "xn--bcher-kva.example"))
		for _, h := range []string{"bücher.example", "BÜCHER.example", "xn--bcher-kva.example", "b%C3%BCcher.example"} {
			s.Fetches(sb, fetch{x.url(h, "/"), nil, "=200 " + x.url("xn--bcher-kva.example", "/")})
		}
		s.Fetches(sb, fetch{x.url("bucher.example", "/"), nil, "host_not_allowed"})
	}},
	{ID: "H17", Scenario: func(s *Scene) {
		// What a server says comes as data: names and texts that lead programs.
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			for _, k := range []string{"__proto__", "constructor", "then", "toString", "get", "has", "valueOf", "length", "0"} {
				h[k] = []string{"mine"}
			}
			h.Add("Set-Cookie", "session=SECRET")
			h.Add("X-Two", "a")
			h.Add("X-Two", "b")
			h["X-Raw"] = []string{"\xff\xfe \u202e"}
			fmt.Fprint(w, `{"__proto__": {"admin": true}, "constructor": {"prototype": {"admin": true}}, "then": "x", "toJSON": 1}`)
		})
		sb := s.Network(policy(&names{}, []*server{x}, "a.example.com"))
		for src, want := range map[string]string{
			"return [{}.admin, Object.prototype.mine, r.headers.constructor, r.headers.then, typeof r.headers.get, r.headers.get('__proto__'), Object.getPrototypeOf(r.headers) === Object.prototype || Object.getPrototypeOf(r.headers) === null].join()": "value=,,mine,mine,function,mine,true|value=,,mine,mine,string,mine,true",
			"const j = await r.json(); return [j.admin, {}.admin, Object.hasOwn(j, '__proto__'), j.then].join()":                                                                                                                                           "value=,,true,x",
			"return [r.headers['set-cookie'], r.headers.get('set-cookie'), r.headers.has('Set-Cookie')].join()":                                                                                                                                            "value=,,false",
			"return r.headers['x-two'] + typeof r.headers['x-raw'] + (r.headers['x-raw'] ?? '').isWellFormed()":                                                                                                                                            "value=a, bstringtrue|value=a, bundefinedtrue",
			"return JSON.stringify(Object.keys(r))": `value=["ok","status","statusText","url","redirected","headers"]`,
			"r.text = () => 'forged'; r.headers.get = 1; const q = await fetch(U); return (await q.text()).length + q.headers.get('x-two')":                         "value=103a, b",
			"const b = await r.bytes(); b.fill(0); return (await r.bytes())[0] + (await r.text())[0]":                                                               "value=123{",
			"JSON.parse = () => 'forged'; Promise.resolve = 1; Object.prototype.body = 1; Array.prototype.push = null; return (await (await fetch(U)).json()).then": "value=x",
			"const {text} = r; return text().then(t => t.length, e => e.name)":                                                                                      "value=103",
			"return Reflect.ownKeys(r.text).join() + Reflect.ownKeys(fetch).join()":                                                                                 "value=length,namelength,name",
			"try { return fetch.constructor('return typeof process + typeof require')() } catch (e) { return e.name }":                                              "value=undefinedundefined",
		} {
			s.Check(sb, "const U = input, r = await fetch(U); "+src, x.url("a.example.com", "/"), want)
		}
	}},
	{ID: "H18", Scenario: func(s *Scene) {
		// Arguments that are alive.
		x := s.Serve(here, nil, func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%s %s %s %s", r.Method, r.URL.Path, r.Header.Get("X-A"), b)
		})
		evil := s.Serve(there, nil, none)
		sb := s.Network(policy(&names{}, []*server{x, evil}, "a.example.com"))
		u, e := strconv.Quote(x.url("a.example.com", "/")), strconv.Quote(evil.url("127.0.0.2", "/"))
		s.Want(sb, strings.NewReplacer("@U", u, "@EVIL", e).Replace(`
			let n = 0; return fetch({toString() { return n++ ? @EVIL : @U }}).then(r => r.status, e => e.name) ==> value=TypeError
			let n = 0; return fetch(@U, {get method() { return n++ ? 'DELETE' : 'POST' }}).catch(e => e.name) ==> value=TypeError
			const h = {'x-a': '1'}; const p = fetch(@U, {headers: h}); h['x-a'] = '2'; h.host = 'evil'; return (await p).text() ==> value=GET / 1 
			const b = new Uint8Array([65]); const p = fetch(@U, {body: b}); b[0] = 66; return (await p).text() ==> value=POST /  A
			return fetch(@U, {headers: new Proxy({}, {ownKeys() { throw new RangeError('mine') }, get() { throw new RangeError('mine') }})}).catch(e => e.name) ==> value=RangeError|value=TypeError
			return fetch(@U, {headers: {'x-a': {toString() { throw new RangeError('mine') }}}}).catch(e => e.name) ==> value=TypeError|value=RangeError
			return fetch(@U, JSON.parse('{"__proto__": {"method": "DELETE"}}')).then(r => r.text(), e => e.name) ==> value=GET /  |value=TypeError
			Object.prototype.method = 'DELETE'; return fetch(@U).then(r => r.text()) ==> value=GET /  
			Object.prototype.method = 'DELETE'; return fetch(@U, {}).then(r => r.text()) ==> value=GET /  |value=DELETE /  
			return fetch(@U, {body: {toJSON() { return {x: 1} }}}).then(r => r.text(), e => e.name) ==> value=POST /  {"x":1}|value=TypeError|value=POST /  {}
			const o = {}; o.o = o; return fetch(@U, {body: o}).catch(e => e.name) ==> value=TypeError
			return fetch(@U, {body: () => 1}).catch(e => e.name) ==> value=TypeError
			return fetch(@U, {body: 10n}).then(r => r.text(), e => e.code) ==> value=E_ARGUMENT
			return fetch(@U, {body: new Map([[1, 2]])}).then(r => r.text(), e => e.code) ==> value=E_ARGUMENT
			return fetch(@U, {body: {a: [new Set([1])]}}).then(r => r.text(), e => e.data.hint) ==> value=body.a[0] is a Set: use [...x]
			return fetch(@U, {body: {a: new Uint8Array(1)}}).then(r => r.text(), e => e.code) ==> value=E_ARGUMENT
			return fetch(@U, {body: {a: new Error('x')}}).then(r => r.text(), e => e.code) ==> value=E_ARGUMENT
			return fetch(@U, {body: [NaN]}).then(r => r.text(), e => e.code) ==> value=E_ARGUMENT|value=POST /  [null]
			return fetch(@U, {body: {a: undefined, b: [undefined], c: null}}).then(r => r.text(), e => e.code) ==> value=POST /  {"b":[null],"c":null}|value=E_ARGUMENT
			return fetch(@U, {body: {d: new Date(0)}}).then(r => r.text(), e => e.code) ==> value=POST /  {"d":"1970-01-01T00:00:00.000Z"}|value=E_ARGUMENT
			return fetch(@U, {body: 'a\ud800b'}).then(r => r.text()) ==> value=POST /  a�b
			return fetch(@U, {signal: {}, cache: 'no', proxy: @EVIL, agent: @EVIL}).then(r => r.text(), e => e.name) ==> value=GET /  |value=TypeError
			return fetch(@U, {redirect: 'sideways'}).catch(e => e.code) ==> value=E_FETCH_BAD_ARGUMENT
			return fetch(@U, {timeoutMs: NaN}).catch(e => e.code) ==> value=E_ARGUMENT
			return fetch().catch(e => e.code) ==> value=E_FETCH_BAD_ARGUMENT
			return fetch(Symbol()).catch(e => e.name) ==> value=TypeError
			return fetch('http://a.example.com/' + 'x'.repeat(1e6)).catch(e => e.code) ==> value=E_FETCH_BAD_ARGUMENT|value=E_FETCH_TOO_LARGE|value=E_FETCH_PORT_NOT_ALLOWED
			return fetch === ctx.fetch && Object.isFrozen(ctx) ==> value=true
		`))
		s.quiet(evil, "arguments")
	}},
	{ID: "H19", Scenario: func(s *Scene) {
		// The environment's proxies are nobody's.
		proxy := s.Serve(here, nil, none)
		for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
			check(os.Setenv(name, proxy.url("127.0.0.1", "")))
			defer os.Unsetenv(name)
		}
		x := s.Serve(here, nil, none)
		s.Fetches(s.Network(policy(&names{}, []*server{x}, "a.example.com")), fetch{x.url("a.example.com", "/"), nil, "=200"}, fetch{"http://b.example.com/", nil, "host_not_allowed"})
		s.quiet(proxy, "the proxy")
		if x.hits.Load() != 1 {
			s.Errorf("%d requests", x.hits.Load())
		}
	}},
	{ID: "H20", Scenario: func(s *Scene) {
		// Many runs with many requests: each has its own quota, and nothing is left.
		x := s.Serve(here, nil, func(w http.ResponseWriter, _ *http.Request) { time.Sleep(time.Millisecond); fmt.Fprint(w, "ok") })
		sb := s.Network(policy(&names{}, []*server{x}, "a.example.com"), func(o *pinfold.Options) { o.Quotas = nil })
		s.Check(sb, "return 1", nil, "value=1")
		before := runtime.NumGoroutine()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 3 {
					s.Check(sb, "let n = 0; await Promise.all(Array.from({length: 40}, () => fetch(input).then(() => n++, e => { if (e.code !== 'E_QUOTA') throw e }))); return n", x.url("a.example.com", "/"), "value=20")
				}
			})
		}
		wg.Wait()
		if x.hits.Load() != 240 {
			s.Errorf("%d requests", x.hits.Load())
		}
		time.Sleep(50 * time.Millisecond)
		if n := runtime.NumGoroutine(); n > before+20 {
			s.Errorf("%d goroutines before, %d after", before, n)
		}
	}},
}

// disguises are addresses that must not be dialled, written in URLs and given by a
// resolver; loopback being granted doesn't grant its disguises.
func disguises(s *Scene, list ...string) {
	x := s.Serve(here, nil, none)
	n := &names{}
	sb := s.Network(policy(n, []*server{x}, "aaaa.example.com"))
	for _, a := range list {
		n.set("aaaa.example.com", addrs(a))
		host := a
		if strings.Contains(a, ":") {
			host = "[" + a + "]"
		}
		s.Fetches(sb, fetch{x.url("aaaa.example.com", "/"), nil, "address_not_allowed"}, fetch{x.url(host, "/"), nil, "host_not_allowed"})
		if _, err := egress.New(egress.Policy{AllowPrivate: []netip.Prefix{justMe}, Allow: []egress.Rule{{Hosts: []string{host}}}}); err == nil && a != "::ffff:127.0.0.1" {
			s.Errorf("a rule for %s is accepted", host)
		}
	}
	s.quiet(x, "disguises")
}

// credentials is the row H10: what the host attaches goes to its host alone, and no
// program reads it or puts another in its place.
func credentials(s *Scene) {
	const secret = "sk-0123456789abcdef"
	var mu sync.Mutex
	var got []string
	var to atomic.Value
	cert, pool := certificate()
	x := s.Serve(here, cert, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		got = append(got, strings.Split(r.Host, ":")[0]+" "+r.Header.Get("Authorization")+" "+r.Header.Get("Cookie")+r.Header.Get("X-Api-Key"))
		mu.Unlock()
		if r.URL.Path == "/start" {
			http.Redirect(w, r, to.Load().(string), http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		fmt.Fprintf(w, "you sent %s", r.Header.Get("Authorization"))
	})
	p := policy(&names{}, []*server{x}, "a.example.com", "b.example.com")
	p.RootCAs = pool
	p.Credentials = []egress.Credential{{Name: "key of a", Hosts: []string{"a.example.com"}, Header: "Authorization", Value: func(context.Context) (string, error) { return "Bearer " + secret, nil }}}
	sb := s.Network(p)
	base := func(h, path string) string { return strings.Replace(x.url(h, path), "http:", "https:", 1) }
	hops := func(want ...string) {
		mu.Lock()
		defer mu.Unlock()
		if !slices.Equal(got, want) {
			s.Errorf("the servers saw %q, want %q", got, want)
		}
		got = nil
	}
	a, b := "a.example.com", "b.example.com"
	const sent = "Bearer " + secret
	all := s.value(sb, "const r = await fetch(input); return JSON.stringify([r, await r.text(), r.headers, ctx])", base(a, "/"))
	if strings.Contains(all, secret) || !strings.Contains(all, "[hidden]") {
		s.Errorf("the program can read it: %s", all)
	}
	hops(a + " " + sent + " ")
	to.Store(base(b, "/x"))
	s.Fetches(sb, fetch{base(a, "/start"), nil, "=200 " + base(b, "/x") + " you sent "})
	hops(a+" "+sent+" ", b+"  ")
	to.Store(base(a, "/x"))
	s.Fetches(sb, fetch{base(b, "/start"), nil, "=200 " + base(a, "/x") + " you sent [hidden]"})
	hops(b+"  ", a+" "+sent+" ")
	own := map[string]any{"headers": map[string]any{"authorization": "Bearer mine", "cookie": "a=1", "X-API-Key": "k"}}
	to.Store(base(a, "/x"))
	s.Fetches(sb, fetch{base(b, "/start"), own, "=200"}, fetch{base(a, "/"), own, "header_not_allowed"})
	hops(b+" Bearer mine a=1k", a+" "+sent+" ")
	// In errors, records and events it isn't either.
	to.Store("http://" + a + "/")
	o := sb.Eval(context.Background(), "p.js", "return fetch(input).catch(e => JSON.stringify([e.message, e.data, e.stack]))", base(a, "/start"))
	if text := fmt.Sprintf("%s %+v", o.Value, o.Calls); strings.Contains(text, secret) {
		s.Errorf("it is in %s", text)
	}
}

// bombs is the row H13: responses without end or measure.
func bombs(s *Scene) {
	bomb := gzipped(strings.Repeat("\x00", 8<<20)) // 8 KiB
	write := func(w io.Writer, texts ...string) {
		for _, t := range texts {
			_, _ = io.WriteString(w, t)
		}
	}
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, c := range []struct {
		name string
		want string
		say  func(w io.Writer, done <-chan struct{})
	}{
		{"endless body", "too_large", func(w io.Writer, _ <-chan struct{}) { write(w, ok, "\r\n"); forever(w, "x") }},
		{"endless chunks", "too_large", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Transfer-Encoding: chunked\r\n\r\n")
			forever(w, "4\r\nabcd\r\n")
		}},
		{"endless extensions", "bad_response", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Transfer-Encoding: chunked\r\n\r\n")
			forever(w, "1;"+strings.Repeat("e", 500)+"\r\na\r\n")
		}},
		{"gzip bomb", "too_large", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Content-Encoding: gzip\r\nContent-Length: ", strconv.Itoa(len(bomb)), "\r\n\r\n", bomb)
		}},
		{"gzip of nothing", "too_large", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Content-Encoding: gzip\r\n\r\n")
			forever(w, gzipped(""))
		}},
		{"gzip cut off", "bad_response", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Content-Encoding: gzip\r\n\r\n", bomb[:100])
		}},
		{"length too long", "too_large", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Content-Length: 9223372036854775807\r\n\r\nhello")
		}},
		{"length longer", "bad_response", func(w io.Writer, _ <-chan struct{}) { write(w, ok, "Content-Length: 500000\r\n\r\nhello") }},
		{"two lengths", "bad_response", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!")
		}},
		{"endless header", "too_large", func(w io.Writer, _ <-chan struct{}) { write(w, ok, "X: "); forever(w, "x") }},
		{"endless headers", "too_large", func(w io.Writer, _ <-chan struct{}) { write(w, ok); forever(w, "X: y\r\n") }},
		{"endless status", "too_large", func(w io.Writer, _ <-chan struct{}) { write(w, "HTTP/1.1 200 "); forever(w, "K") }},
		{"endless hints", "too_large", func(w io.Writer, _ <-chan struct{}) {
			forever(w, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
		}},
		{"endless trailers", "bad_response", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\n")
			forever(w, "X: y\r\n")
		}},
		{"slow body", "timed_out", func(w io.Writer, done <-chan struct{}) { write(w, ok, "\r\n"); trickle(w, done) }},
		{"slow header", "timed_out", func(w io.Writer, done <-chan struct{}) { write(w, ok, "X: "); trickle(w, done) }},
		{"silence", "timed_out", func(w io.Writer, done <-chan struct{}) { <-done }},
		{"another protocol", "bad_response", func(w io.Writer, _ <-chan struct{}) { write(w, "SSH-2.0-OpenSSH_9.6\r\n") }},
		{"switched", "bad_response", func(w io.Writer, _ <-chan struct{}) {
			write(w, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
		}},
		{"nothing", "bad_response", func(io.Writer, <-chan struct{}) {}},
		{"length shorter", "=200", func(w io.Writer, _ <-chan struct{}) {
			write(w, ok, "Content-Length: 5\r\n\r\nhello and more HTTP/1.1 200 OK\r\n\r\n")
		}},
	} {
		x := s.Speak(c.say)
		p := policy(&names{}, []*server{x}, "a.example.com")
		p.MaxBodyBytes = 1 << 20
		init := map[string]any{}
		if c.want == "timed_out" {
			init["timeoutMs"] = 60
		}
		s.bomb(p, x, c.name, init, c.want)
	}
}

// bomb makes one request; the sandboxes of bombs are closed at once, so that their
// workers don't wait side by side.
func (s *Scene) bomb(p egress.Policy, x *server, name string, init map[string]any, want string) {
	sb := s.Network(p)
	defer sb.Close()
	before := len(s.problems)
	s.Fetches(sb, fetch{x.url("a.example.com", "/"), init, want})
	if len(s.problems) > before {
		s.Errorf("… that was %s", name)
	}
}
