package egress_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	neturl "net/url"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/capability/egress"
)

// pipes dials into nowhere: it notes the addresses and answers each request
// itself, the first one by a redirect.
type pipes struct {
	location string
	dialed   []netip.AddrPort
	requests []*http.Request
}

func (p *pipes) dial(_ context.Context, to netip.AddrPort) (net.Conn, error) {
	p.dialed = append(p.dialed, to)
	client, server := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer server.Close()
		r, err := http.ReadRequest(bufio.NewReader(server))
		if err != nil {
			return
		}
		p.requests = append(p.requests, r)
		if len(p.requests) == 1 {
			io.WriteString(server, "HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: "+p.location+"\r\n\r\n")
		} else {
			io.WriteString(server, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		}
	}()
	return &piped{client, done}, nil
}

// piped waits for the server when it is closed, so that what it wrote down can
// be read.
type piped struct {
	net.Conn
	done chan struct{}
}

func (p *piped) Close() error {
	err := p.Conn.Close()
	<-p.done
	return err
}

// resolver gives each name a public address of its own, but names with "inside"
// in them a private one.
type resolver struct{ asked map[string]netip.Addr }

func (r *resolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if a, ok := r.asked[host]; ok {
		return at(a), nil
	}
	a := netip.AddrFrom4([4]byte{93, 184, 0, byte(len(r.asked))})
	if strings.Contains(host, "inside") {
		a = addr("10.0.0.7")
	}
	r.asked[host] = a
	return at(a), nil
}

// FuzzURL holds that whatever is dialled was admitted: a URL and a redirect from
// it, of any text, lead to granted hosts, ports and paths, at public addresses,
// and what stands in the request is what was granted.
func FuzzURL(f *testing.F) {
	for _, s := range []string{
		"http://api.example.com/v1/x", "http://a.sub.example.com:8080/v1", "http://api.example.com@evil.com/v1", "http://evil.com#@api.example.com", "http:\\\\api.example.com\\v1",
		"//evil.com/v1", "/v1/../admin", "/v1/%2e%2e/admin", "http://0x7f.1/v1", "http://[::ffff:7f00:1]/v1", "http://inside.sub.example.com/v1", "http://api.example.com.:80/v1//x?q",
		"http://api。example。com/v1", "http://a\tpi.example.com/v1\n", "http://api.example.com/v1/..%2f", "http://api.example.com//v1", "http://api.example.com/v1|\"^`{}<>", "http://api.example.com/v1/%zz?%",
		"http://api.example.com:443/v1", "https://api.example.com/v1", "ws://api.example.com/v1", "http://api.example.com/v1#x", "http://xn--api-.example.com/v1", "?x", "http:v1/x",
	} {
		f.Add(s, s)
		f.Add("http://api.example.com/v1/a", s)
	}
	const name = "api.example.com"
	f.Fuzz(func(t *testing.T, first, location string) {
		if strings.ContainsAny(location, "\r\n") {
			t.Skip("would be more than a location")
		}
		p := &pipes{location: location}
		r := &resolver{asked: map[string]netip.Addr{}}
		c := client(t, egress.Policy{
			Allow:    []egress.Rule{{Hosts: []string{name, "*.sub.example.com"}, Schemes: []string{"http"}, Ports: []uint16{80, 8080}, Paths: []string{"/v1"}}},
			Resolver: r, Timeout: time.Minute,
		}).WithDial(p.dial)
		resp, err := c.Do(t.Context(), egress.Request{URL: first})
		var e *egress.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T", err)
		}
		if err == nil && len(resp.Hops) != len(p.dialed) {
			t.Errorf("%d hops, %d dialled", len(resp.Hops), len(p.dialed))
		}
		for host := range r.asked {
			if host != name && !strings.HasSuffix(host, ".sub.example.com") {
				t.Errorf("%q was looked up", host)
			}
		}
		for _, to := range p.dialed {
			if b := to.Addr().As4(); b[0] != 93 || b[1] != 184 || to.Port() != 80 && to.Port() != 8080 {
				t.Errorf("%s was dialled", to)
			}
		}
		for i, got := range p.requests {
			host := strings.TrimSuffix(got.Host, ":8080")
			if a, ok := r.asked[host]; !ok || i < len(p.dialed) && p.dialed[i].Addr() != a {
				t.Errorf("the Host header is %q", got.Host)
			}
			// As a careless server would read the path: decoded until nothing is left
			// to decode, with any slash, cleaned.
			target := got.URL.EscapedPath()
			for range 5 {
				u, err := neturl.PathUnescape(target)
				if err != nil || u == target {
					break
				}
				target = u
			}
			target = path.Clean(strings.ReplaceAll(target, "\\", "/"))
			if target != "/v1" && !strings.HasPrefix(target, "/v1/") {
				t.Errorf("%q is read as %q", got.RequestURI, target)
			}
		}
	})
}

// FuzzRequestTarget holds that the path and the query stand in a request as they
// were admitted, and the host with them.
func FuzzRequestTarget(f *testing.F) {
	for _, s := range []string{"http://a.com/x?y", "http://a.com//evil.com/", "http://a.com//evil.com/a|b?x", "http://a.com/%zz", "http://a.com/a|b", "http://a.com/?", "http://a.com", "http://a.com:81/*", "http://a.com///?#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		target, host, p, query, ok := egress.RequestTarget(raw)
		if !ok {
			return
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(target, "http://"+host), "https://"+host)
		got, q, _ := strings.Cut(rest, "?")
		if got != p || q != query {
			t.Errorf("%q is sent as %q, not as %q?%q", raw, target, p, query)
		}
	})
}
