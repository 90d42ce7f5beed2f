package egress_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pinfold-js/pinfold/capability/egress"
)

// The tests here are the rows of the table of field cases, group H, by their
// numbers. H16 is about servers of ours, not about requests.

// publicPolicy grants hosts over http; they have public addresses, which the
// dialer of the test leads to this machine.
func publicPolicy(port uint16, n *names, hosts ...string) egress.Policy {
	for _, h := range hosts {
		if n.answers[h] == nil {
			n.set(h, at(public))
		}
	}
	return egress.Policy{
		Allow:    []egress.Rule{{Name: "public", Hosts: hosts, Schemes: []string{"http", "https"}, Ports: []uint16{port, 80, 443}}},
		Resolver: n,
	}
}

func TestH1(t *testing.T) {
	_, inside, insideHits := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "internal") })
	var to atomic.Value
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to.Load().(string), http.StatusFound)
	})
	n := (&names{}).set("inside.example.com", at(local))
	p := publicPolicy(port, n, "a.example.com", "inside.example.com")
	p.Allow[0].Ports = append(p.Allow[0].Ports, inside)
	d := &toLocal{}
	c := client(t, p).WithDial(d.dial)
	for _, tc := range []struct {
		to   string
		code egress.Code
	}{
		{"http://127.0.0.1:%d/", egress.HostNotAllowed},
		{"//127.0.0.1:%d/", egress.HostNotAllowed},
		{"http://localhost:%d/", egress.HostNotAllowed},
		{"http://[::1]:%d/", egress.HostNotAllowed},
		{"http://inside.example.com:%d/", egress.AddressNotAllowed},
		{"\\\\inside.example.com:%d\\", egress.AddressNotAllowed},
		{"http://user@inside.example.com:%d/", egress.BadArgument},
		{"ftp://inside.example.com:%d/", egress.SchemeNotAllowed},
		{"http://a.example.com:1/%d", egress.PortNotAllowed},
		{"http://%d.example.com:99999999/", egress.RedirectNotAllowed},
		{"file:///etc/passwd?%d", egress.SchemeNotAllowed},
		{"data:text/plain,%d", egress.SchemeNotAllowed},
		{"javascript:%d", egress.SchemeNotAllowed},
	} {
		to.Store(fmt.Sprintf(tc.to, inside))
		e := refusedURL(t, c, "http://a.example.com:"+at16(port)+"/", egress.RedirectNotAllowed, tc.code)
		if e.Code != egress.RedirectNotAllowed || !strings.HasPrefix(e.Error(), "redirect not allowed") {
			t.Errorf("%s: %s (%s)", tc.to, e, e.Code)
		}
		if strings.Contains(e.Error(), "127.0.0.1") && !strings.Contains(tc.to, "127.0.0.1") {
			t.Errorf("%s: the text has a resolved address: %s", tc.to, e)
		}
	}
	if insideHits.Load() != 0 {
		t.Errorf("%d requests came through", insideHits.Load())
	}
	for _, a := range d.addrs() {
		if a != public {
			t.Errorf("dialled %s", a)
		}
	}
}

func TestH2(t *testing.T) {
	_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	n := (&names{}).set("zero.example.com", at(addr("0.0.0.0"))).set("zero6.example.com", at(addr("::"))).set("this.example.com", at(addr("0.1.2.3")))
	p := publicPolicy(port, n, "zero.example.com", "zero6.example.com", "this.example.com")
	c := client(t, p)
	for _, h := range []string{"0.0.0.0", "[::]", "0", "0x0", "[::0.0.0.0]"} {
		refusedURL(t, c, "http://"+h+":"+at16(port)+"/", egress.HostNotAllowed)
	}
	for _, h := range []string{"zero.example.com", "zero6.example.com", "this.example.com"} {
		refusedURL(t, c, "http://"+h+":"+at16(port)+"/", egress.AddressNotAllowed)
	}
	for _, h := range []string{"0.0.0.0", "::", "127.0.0.1", "[::1]", "10.0.0.1", "[fe80::1]"} {
		problem(t, egress.Policy{Allow: []egress.Rule{{Hosts: []string{h}}}}, egress.ProblemHostPrivate)
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
}

// disguised are addresses that carry loopback, private and link-local IPv4
// addresses, or are such themselves.
var disguised = []string{
	// H3
	"::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1",
	// H4
	"64:ff9b::7f00:1", "64:ff9b::169.254.169.254", "2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::1",
	"2001:0:5db8:d70e:0:0:80ff:fffe", "64:ff9b:1::7f00:1", "64:ff9b:1:7f00:0:100::",
	"2606:2800:21f:cb07:0:5efe:7f00:1", "2606:2800:21f:cb07:200:5efe:a00:1",
	// H8
	"fc00::1", "fd00:ec2::254", "100.64.0.1", "100.127.255.255", "198.18.0.1", "198.19.255.255", "192.0.0.1", "192.0.0.192",
	"64:ff9b::8.8.8.8",
}

func TestH3(t *testing.T) { testDisguised(t) }
func TestH4(t *testing.T) { testDisguised(t) }

func testDisguised(t *testing.T) {
	_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	n := &names{}
	p := publicPolicy(port, n, "aaaa.example.com")
	for _, private := range [][]netip.Prefix{nil, {loopback}} {
		// That loopback is granted does not grant its disguises.
		p.AllowPrivate = private
		c := client(t, p)
		for _, s := range disguised {
			n.set("aaaa.example.com", at(addr(s)))
			e := refusedURL(t, c, "http://aaaa.example.com:"+at16(port)+"/", egress.AddressNotAllowed)
			if e.Error() != "address not allowed: aaaa.example.com" {
				t.Errorf("%s: %s", s, e)
			}
			host := s
			if addr(s).Is6() {
				host = "[" + s + "]"
			}
			refusedURL(t, c, "http://"+host+":"+at16(port)+"/", egress.HostNotAllowed)
			q := p
			q.Allow = []egress.Rule{{Hosts: []string{canonical(t, host)}}}
			problem(t, q, egress.ProblemHostPrivate)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
}

// canonical is the host as patterns have it.
func canonical(t *testing.T, host string) string {
	t.Helper()
	c := client(t, egress.Policy{})
	d, _ := c.Admit(egress.Request{URL: "http://" + host + "/"})
	if d.Host == "" {
		t.Fatalf("%s has no canonical form", host)
	}
	return d.Host
}

func TestH5(t *testing.T) {
	n := (&names{}).set("localhost", at(local, addr("::1"))).set("metadata.google.internal", at(addr("169.254.169.254")))
	c := client(t, publicPolicy(80, n, "localhost", "metadata.google.internal"))
	ungranted := client(t, publicPolicy(80, &names{}, "example.com"))
	for _, u := range []string{
		"http://localhost./", "http://LOCALHOST/", "http://LocalHost./", "http://metadata.google.internal./", "http://metadata.google.internal/",
		"http://metadata.google.internal%2e/", "http://localhost%E3%80%82/",
	} {
		refusedURL(t, c, u, egress.AddressNotAllowed)
		refusedURL(t, ungranted, u, egress.HostNotAllowed)
	}
	for _, host := range n.asked {
		if strings.HasSuffix(host, ".") || host != strings.ToLower(host) {
			t.Errorf("%q was looked up", host)
		}
	}
	// A denied name is denied with a dot too.
	p := publicPolicy(80, &names{}, "*.example.com")
	p.DenyHosts = []string{"secret.example.com"}
	c = client(t, p)
	for _, u := range []string{"http://secret.example.com/", "http://secret.example.com./", "http://SECRET.example.com./", "http://secret%2Eexample.com/"} {
		if e := refusedURL(t, c, u, egress.HostNotAllowed); e.Rule != "DenyHosts[0]" {
			t.Errorf("%s: rule %q", u, e.Rule)
		}
	}
	for _, u := range []string{"http://localhost../", "http://..localhost/", "http://a..example.com/", "http://./"} {
		refusedURL(t, c, u, egress.BadArgument)
	}
}

func TestH6(t *testing.T) {
	var hosts []string
	_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) { hosts = append(hosts, r.Host) })
	forms := []string{
		"2130706433", "0x7f000001", "0X7F000001", "017700000001", "0177.0.0.1", "0x7f.0.0.1", "0x7f.1", "127.1", "127.0.1", "127.0.0.1.",
		"１２７.０.０.１", "%31%32%37.0.0.1", "127%2E0%2e0.1", "127。0。0。1", "127．0．0．1", "127｡0.0.1",
		"%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1", "127.0.0.1\t", "1\n27.0.0.1",
	}
	granted := client(t, localPolicy(port, "127.0.0.1"))
	not := client(t, localPolicy(port, "example.com"))
	for _, f := range forms {
		u := "http://" + f + ":" + at16(port) + "/"
		refusedURL(t, not, u, egress.HostNotAllowed)
		if r := get(t, granted, u); r.URL != "http://127.0.0.1:"+at16(port)+"/" {
			t.Errorf("%q went to %s", f, r.URL)
		}
	}
	if int(hits.Load()) != len(forms) {
		t.Errorf("%d requests for %d forms", hits.Load(), len(forms))
	}
	for _, h := range hosts {
		if h != "127.0.0.1:"+at16(port) {
			t.Errorf("the Host header is %q", h)
		}
	}
	for _, f := range []string{"256.0.0.1", "127.0.0.0.1", "4294967296", "0x100000000", "127.0.0.09", "1.2.3.4.5", "[::1", "[fe80::1%25eth0]", "[::1]x", "a b", "a%00b", "a%2Fb", "a%40b", "exa<mple"} {
		refusedURL(t, granted, "http://"+f+":"+at16(port)+"/", egress.BadArgument)
	}
	// Names in other letters are the names that they stand for.
	named := client(t, localPolicy(port, "api.example.com"))
	for _, f := range []string{"API.Example.COM", "ａｐｉ.example.com", "api。example。com", "%61pi.example.com", "api.example.com."} {
		if r := get(t, named, "http://"+f+":"+at16(port)+"/"); r.URL != "http://api.example.com:"+at16(port)+"/" {
			t.Errorf("%s went to %s", f, r.URL)
		}
	}
	// A Cyrillic а is another letter.
	refusedURL(t, named, "http://аpi.example.com:"+at16(port)+"/", egress.HostNotAllowed)
}

func TestH7(t *testing.T) {
	_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	n := &names{}
	n.set("rebind.example.com", at(public), at(local), at(public), at(local))
	d := &toLocal{}
	c := client(t, publicPolicy(port, n, "rebind.example.com")).WithDial(d.dial)
	u := "http://rebind.example.com:" + at16(port) + "/"
	for i := range 4 {
		n.asked = nil
		_, err := c.Do(t.Context(), egress.Request{URL: u})
		if i%2 == 0 && err != nil || i%2 == 1 && !errors.Is(err, egress.AddressNotAllowed) {
			t.Fatalf("request %d: %v", i, err)
		}
		if len(n.asked) != 1 {
			t.Errorf("request %d: looked up %d times", i, len(n.asked))
		}
	}
	if got := d.addrs(); len(got) != 2 || got[0] != public || got[1] != public {
		t.Errorf("dialled %v", got)
	}
	before := hits.Load()
	for _, answer := range [][]netip.Addr{
		at(public, local), at(local, public), at(public, public6, addr("::1")), at(public, addr("10.1.2.3")), at(public, addr("fe80::1%eth0")), at(public, netip.Addr{}),
	} {
		n.set("rebind.example.com", answer)
		refusedURL(t, c, u, egress.AddressNotAllowed)
	}
	if hits.Load() != before {
		t.Error("a name with a private address among its addresses was dialled")
	}
	// The socket is asked once more, about the address it connects to.
	if err := c.Control(at(public), 80, "93.184.215.14:80"); err != nil {
		t.Errorf("an admitted address: %v", err)
	}
	for _, a := range []string{"127.0.0.1:80", "93.184.215.14:81", "8.8.8.8:80", "[::ffff:93.184.215.14]:80", "example.com:80", ""} {
		if err := c.Control(at(public, local), 80, a); !errors.Is(err, egress.AddressNotAllowed) {
			t.Errorf("%s: %v", a, err)
		}
	}
}

func TestH8(t *testing.T) { testDisguised(t) }

func TestH9(t *testing.T) {
	_, plain, hits := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	s, port := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://a.example.com:"+at16(plain)+"/", http.StatusMovedPermanently)
	})
	p := localPolicy(port, "a.example.com")
	p.Allow[0].Schemes = []string{"https", "http"}
	p.Allow[0].Ports = append(p.Allow[0].Ports, plain)
	p.RootCAs = rootsOf(s)
	e := refusedURL(t, client(t, p), "https://a.example.com:"+at16(port)+"/", egress.RedirectNotAllowed)
	if e.Detail != "from https to http" || e.Hop != 0 {
		t.Errorf("%+v", e)
	}
	// Without http among the schemes as well.
	p.Allow[0].Schemes = []string{"https"}
	refusedURL(t, client(t, p), "https://a.example.com:"+at16(port)+"/", egress.RedirectNotAllowed)
	if hits.Load() != 0 {
		t.Error("the request came over http")
	}
}

func TestH10(t *testing.T) {
	type seen struct{ host, authorization, key, other string }
	var got []seen
	var to atomic.Value
	s, port := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, seen{strings.Split(r.Host, ":")[0], r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"), r.Header.Get("X-Other")})
		if u, _ := to.Load().(string); u != "" && r.URL.Path == "/start" {
			http.Redirect(w, r, u, http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		fmt.Fprintf(w, "you sent %s", r.Header.Get("Authorization"))
	})
	p := localPolicy(port, "a.example.com", "b.example.com")
	p.Allow[0].Schemes = []string{"https"}
	p.RootCAs = rootsOf(s)
	const secret = "sk-0123456789abcdef"
	p.Credentials = []egress.Credential{{
		Name: "key of a", Hosts: []string{"a.example.com"}, Header: "Authorization",
		Value: func(context.Context) (string, error) { return "Bearer " + secret, nil },
	}}
	c := client(t, p)
	a, b := "https://a.example.com:"+at16(port), "https://b.example.com:"+at16(port)

	// It goes to its host, and does not come back.
	r := get(t, c, a+"/")
	if len(got) != 1 || got[0].authorization != "Bearer "+secret {
		t.Fatalf("%+v", got)
	}
	if all := fmt.Sprintf("%+v %s", r, r.Body); strings.Contains(all, secret) {
		t.Errorf("the script can read it: %s", all)
	}
	if string(r.Body) != "you sent [hidden]" || r.Header["x-echo"] != "[hidden]" {
		t.Errorf("%s, %q", r.Body, r.Header["x-echo"])
	}
	if len(r.Hops) != 1 || !slices.Equal(r.Hops[0].Credentials, []string{"key of a"}) {
		t.Errorf("%+v", r.Hops)
	}

	// To another host, not to it; and to it again when it comes back there.
	got = nil
	to.Store(b + "/x")
	get(t, c, a+"/start")
	if len(got) != 2 || got[0].authorization == "" || got[1] != (seen{host: "b.example.com"}) {
		t.Errorf("%+v", got)
	}
	got = nil
	to.Store(a + "/x")
	get(t, c, b+"/start")
	if len(got) != 2 || got[0].authorization != "" || got[1].authorization != "Bearer "+secret {
		t.Errorf("%+v", got)
	}

	// What the script set itself stays at its origin.
	got = nil
	to.Store(a + "/x")
	_, err := c.Do(t.Context(), egress.Request{URL: b + "/start", Header: map[string]string{
		"authorization": "Bearer mine", "cookie": "a=1", "X-API-Key": "k", "x-other": "1", "accept": "text/plain",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != (seen{"b.example.com", "Bearer mine", "k", "1"}) || got[1] != (seen{host: "a.example.com", authorization: "Bearer " + secret}) {
		t.Errorf("%+v", got)
	}
	// It can't stand in for the host's.
	got = nil
	e := refused(t, c, egress.Request{URL: a + "/", Header: map[string]string{"AUTHORIZATION": "Bearer mine"}}, egress.HeaderNotAllowed)
	if e.Rule != "credential key of a" || len(got) != 0 {
		t.Errorf("%+v, %v", e, got)
	}
}

func rootsOf(s *httptest.Server) *poolT { return pool(s.Certificate()) }

func TestH11(t *testing.T) {
	_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	c := client(t, localPolicy(port, "a.example.com"))
	u := "http://a.example.com:" + at16(port) + "/"
	for _, name := range []string{
		"Host", "hOsT", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade", "Expect",
		"Proxy-Authorization", "proxy-connection", "PROXY-anything", "Sec-Fetch-Site", "HTTP2-Settings", "Accept-Encoding", "X-Agent-Depth", "x-agent-depth",
		"X-Forwarded-For", "Forwarded", "X-HTTP-Method-Override", "X-Original-URL", "X-Rewrite-URL", "Origin", "Referer",
	} {
		e := refused(t, c, egress.Request{URL: u, Header: map[string]string{name: "1"}}, egress.HeaderNotAllowed)
		if !strings.HasPrefix(e.Error(), "header not allowed: ") {
			t.Error(e)
		}
	}
	for name, value := range map[string]string{
		"x-a": "1\r\nHost: evil.com", "x-b": "1\nx: y", "x-c": "1\x00", "x d": "1", "x:e": "1", "": "1", "x-f\r\nHost": "1", "x-ü": "1", "x-g": "ü", ":authority": "evil.com", "x-h": "\x7f",
	} {
		refused(t, c, egress.Request{URL: u, Header: map[string]string{name: value}}, egress.BadArgument)
	}
	refused(t, c, egress.Request{URL: u, Header: map[string]string{"accept": "a", "Accept": "b"}}, egress.BadArgument)
	for _, m := range []string{"GET / HTTP/1.1\r\nX: y", "G T", "", "é", "CONNECT", "TRACE", "track"} {
		r := egress.Request{URL: u, Method: m}
		if m == "" {
			r.Method = " "
		}
		if _, err := c.Do(t.Context(), r); !errors.Is(err, egress.BadArgument) && !errors.Is(err, egress.MethodNotAllowed) {
			t.Errorf("%q: %v", m, err)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests were sent", hits.Load())
	}
	// What a rule names may be set, as far as anybody may.
	p := localPolicy(port, "a.example.com")
	p.Allow[0].Headers = []string{"X-Forwarded-For", "accept"}
	c = client(t, p)
	if _, err := c.Do(t.Context(), egress.Request{URL: u, Header: map[string]string{"x-forwarded-for": "1.2.3.4", "Accept": " */* "}}); err != nil {
		t.Error(err)
	}
	if e := refused(t, c, egress.Request{URL: u, Header: map[string]string{"x-other": "1"}}, egress.HeaderNotAllowed); e.Detail != "x-other" || e.Rule != "local" {
		t.Errorf("%+v", e)
	}
	p.Allow[0].Headers = []string{"Host"}
	problem(t, p, egress.ProblemHeader)
}

func TestH12(t *testing.T) {
	var paths []string
	_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) { paths = append(paths, r.RequestURI) })
	d := &toLocal{port: port}
	n := &names{}
	p := publicPolicy(80, n, "allowed.com", "*.sub.com")
	n.set("evil.com", at(public))
	c := client(t, p).WithDial(d.dial)
	for _, u := range []string{
		"https://evil.com#@allowed.com", "https://allowed.com.evil.com", "https://evil.com/@allowed.com", "https://evil.com?allowed.com", "http://evil.com\\@allowed.com",
		"http:\\\\evil.com\\allowed.com", "http:/evil.com", "http:evil.com", "ht\ttp://ev\nil.com/", " http://evil.com/ ", "http://evil.com:80\\@allowed.com/",
		"http://allowed.comevil.com", "http://xallowed.com", "http://sub.com", "http://xsub.com", "http://evil.com/.sub.com", "http://.evil.com",
	} {
		if _, err := c.Do(t.Context(), egress.Request{URL: u}); !errors.Is(err, egress.HostNotAllowed) && !errors.Is(err, egress.BadArgument) {
			t.Errorf("%q: %v", u, err)
		}
	}
	for _, u := range []string{"https://allowed.com@evil.com/", "http://allowed.com:80@evil.com/", "https://evil.com@allowed.com/", "http://u:p@allowed.com/", "http://:p@allowed.com/", "//evil.com", "/x", "", "allowed.com", "http://", "http://allowed.com:x/", "http://allowed.com:80:80/", "http://allowed.com:65536/"} {
		e := refusedURL(t, c, u, egress.BadArgument)
		if e.Reason != "bad argument: url" {
			t.Errorf("%q: %s", u, e)
		}
	}
	for _, u := range []string{"ftp://allowed.com/", "file:///etc/passwd", "ws://allowed.com/", "data:,x", "blob:http://allowed.com/x", "gopher://allowed.com/", "about:blank"} {
		refusedURL(t, c, u, egress.SchemeNotAllowed)
	}
	if hits.Load() != 0 {
		t.Fatalf("%d requests were sent", hits.Load())
	}

	p = publicPolicy(80, n, "api.x.com")
	p.Allow[0].Paths = []string{"/v1", "/open/"}
	c = client(t, p).WithDial(d.dial)
	for path, sent := range map[string]string{
		"/v1": "/v1", "/v1/": "/v1/", "/v1/items?q=/../x": "/v1/items?q=/../x", "/x/../v1/a": "/v1/a", "/v1/./a": "/v1/a", "\\v1\\a": "/v1/a", "/%2e/v1": "/v1",
		"/v1?x": "/v1?x", "/v1#x": "/v1", "/open/a": "/open/a", "/v1/a%20b": "/v1/a%20b", "/v1/a|b^c": "/v1/a|b^c", "/v1//a": "/v1//a", "/v1/a;b=c": "/v1/a;b=c",
		"/v1?": "/v1?", "/v1/group%2Fproject": "/v1/group%2Fproject", "/v1/..a/...": "/v1/..a/...", "/v1/ü": "/v1/%C3%BC",
	} {
		paths = nil
		if _, err := c.Do(t.Context(), egress.Request{URL: "http://api.x.com" + path}); err != nil {
			t.Errorf("%q: %v", path, err)
		} else if len(paths) != 1 || paths[0] != sent {
			t.Errorf("%q was sent as %q, not %q", path, paths, sent)
		}
	}
	before := hits.Load()
	for _, path := range []string{
		"/v1evil", "/v1/../admin", "/v1/%2e%2e/admin", "/v1/.%2E/admin", "/v1\\..\\admin", "/", "", "/V1/a", "//v1", "/open", "/v1/..%2fadmin", "/v1/%2e%2e%2fadmin",
		"/v1/..%5cadmin", "/v1/%252e%252e/admin", "/v1/%252e%252e%252fadmin", "/v1/..;/admin", "/v1/..;x=y/admin", "/v1/%2525252e/x", "/v1/a%00", "/v1/%c0%ae%c0%ae/admin", "/v1/..%c0%afadmin", "/v1/x%2f%2e%2e%3bx%2fadmin", "/v1%2fadmin", "/v1/%2f..%2fadmin", "/%76%31/a",
	} {
		refusedURL(t, c, "http://api.x.com"+path, egress.PathNotAllowed)
	}
	if hits.Load() != before {
		t.Errorf("%d requests were sent", hits.Load()-before)
	}
}

func TestH14(t *testing.T) {
	var port uint16
	var depths []string
	var c *egress.Client
	var last error
	// An agent that calls itself, as a service that runs agents would.
	_, port, _ = serve(t, func(w http.ResponseWriter, r *http.Request) {
		depths = append(depths, r.Header.Get(egress.AgentDepthHeader))
		_, err := c.Do(r.Context(), egress.Request{URL: "http://a.example.com:" + at16(port) + "/", AgentDepth: egress.AgentDepth(r.Header)})
		if err != nil && last == nil {
			last = err
		}
	})
	c = client(t, localPolicy(port, "a.example.com"))
	get(t, c, "http://a.example.com:"+at16(port)+"/")
	if want := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}; !slices.Equal(depths, want) {
		t.Errorf("depths %v", depths)
	}
	if !errors.Is(last, egress.TooDeep) {
		t.Errorf("ended by %v", last)
	}
	for header, want := range map[string]int{"": 0, "3": 3, "-1": 1<<31 - 1, "x": 1<<31 - 1, "99999999999999999999": 1<<31 - 1, "+1": 1<<31 - 1} {
		h := http.Header{}
		if header != "" {
			h.Set(egress.AgentDepthHeader, header)
		}
		if got := egress.AgentDepth(h); got != want {
			t.Errorf("%q: %d", header, got)
		}
	}
	if egress.AgentDepth(http.Header{"X-Agent-Depth": {"1", "0"}}) != 1<<31-1 {
		t.Error("of two headers one was taken")
	}
}

func TestH15(t *testing.T) {
	for host, hint := range map[string]string{
		"bücher.example":    "xn--bcher-kva.example",
		"аpple.com":         "xn--pple-43d.com",
		"ｅxample.com":       "example.com",
		"example。com":       "example.com",
		"*.bücher.example":  "*.xn--bcher-kva.example",
		"exam\u00adple.com": "example.com",
	} {
		for _, p := range []egress.Policy{
			{Allow: []egress.Rule{{Hosts: []string{host}}}},
			{DenyHosts: []string{host}},
		} {
			if got := problem(t, p, egress.ProblemHostNotASCII); !strings.Contains(got.Message, `"`+hint+`"`) {
				t.Errorf("%s: %s", host, got)
			}
		}
		if _, err := client(t, egress.Policy{}).Narrow([]string{host}); err == nil {
			t.Errorf("Narrow took %s", host)
		}
	}
	// URLs are converted, and the ASCII form is what is compared.
	d := &toLocal{}
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	n := &names{}
	c := client(t, publicPolicy(port, n, "xn--bcher-kva.example")).WithDial(d.dial)
	for _, u := range []string{"http://bücher.example:%d/", "http://BÜCHER.example:%d/", "http://xn--bcher-kva.example:%d/", "http://b%C3%BCcher.example:%d/"} {
		get(t, c, strings.Replace(u, "%d", at16(port), 1))
	}
	for _, h := range n.asked {
		if h != "xn--bcher-kva.example" {
			t.Errorf("%q was looked up", h)
		}
	}
}
