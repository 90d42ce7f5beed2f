package egress_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/egress"
)

// TestMain sets proxies that nothing answers at: a request through one fails.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		os.Setenv(name, "http://127.0.0.1:1")
	}
	os.Setenv("NO_PROXY", "")
	os.Setenv("no_proxy", "")
	goleak.VerifyTestMain(m)
}

var (
	loopback = netip.MustParsePrefix("127.0.0.0/8")
	public   = netip.MustParseAddr("93.184.215.14")
	public6  = netip.MustParseAddr("2606:2800:21f:cb07:6820:80da:af6b:8b2c")
	local    = netip.MustParseAddr("127.0.0.1")
)

// names is a resolver: each lookup of a name takes the next of its answers, and
// the last one again and again.
type names struct {
	mu      sync.Mutex
	answers map[string][][]netip.Addr
	asked   []string
}

func (n *names) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, host)
	list := n.answers[host]
	if len(list) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(list) > 1 {
		n.answers[host] = list[1:]
	}
	return list[0], nil
}

func (n *names) set(host string, answers ...[]netip.Addr) *names {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.answers == nil {
		n.answers = map[string][][]netip.Addr{}
	}
	n.answers[host] = answers
	return n
}

func at(list ...netip.Addr) []netip.Addr { return list }

func addr(s string) netip.Addr { return netip.MustParseAddr(s) }

// serve starts a server that counts its requests.
func serve(t testing.TB, h http.HandlerFunc) (s *httptest.Server, port uint16, hits *atomic.Int64) {
	t.Helper()
	hits = new(atomic.Int64)
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s, portOf(t, s.URL), hits
}

// serveTLS starts a server with a certificate for example.com and the names
// below it.
func serveTLS(t testing.TB, h http.HandlerFunc) (*httptest.Server, uint16) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // refused certificates are what some tests are about
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, portOf(t, s.URL)
}

func portOf(t testing.TB, raw string) uint16 {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	return uint16(n)
}

func client(t testing.TB, p egress.Policy) *egress.Client {
	t.Helper()
	c, err := egress.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// localPolicy grants http to the hosts given, all of which are this machine.
func localPolicy(port uint16, hosts ...string) egress.Policy {
	n := &names{}
	for _, h := range hosts {
		n.set(h, at(local))
	}
	return egress.Policy{
		Allow: []egress.Rule{{
			Name: "local", Hosts: hosts, Schemes: []string{"http"}, Ports: []uint16{port},
			Methods: []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"},
		}},
		AllowPrivate: []netip.Prefix{loopback},
		Resolver:     n,
	}
}

// toLocal dials this machine whatever the address, and notes which it was.
type toLocal struct {
	mu     sync.Mutex
	dialed []netip.Addr
	port   uint16 // 0 means the one asked for
}

func (d *toLocal) dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	d.mu.Lock()
	d.dialed = append(d.dialed, to.Addr())
	d.mu.Unlock()
	port := to.Port()
	if d.port != 0 {
		port = d.port
	}
	var nd net.Dialer
	return nd.DialContext(ctx, "tcp", netip.AddrPortFrom(local, port).String())
}

func (d *toLocal) addrs() []netip.Addr {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]netip.Addr(nil), d.dialed...)
}

func get(t testing.TB, c *egress.Client, url string) *egress.Response {
	t.Helper()
	r, err := c.Do(t.Context(), egress.Request{URL: url})
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return r
}

// refused wants a request to fail with a code, and its text to hold no address.
func refused(t testing.TB, c *egress.Client, r egress.Request, codes ...egress.Code) *egress.Error {
	t.Helper()
	resp, err := c.Do(t.Context(), r)
	if err == nil {
		t.Fatalf("%s %s: status %d, want %v", r.Method, r.URL, resp.Status, codes)
	}
	var e *egress.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: %T is not an *egress.Error", r.URL, err)
	}
	for _, code := range codes {
		if !errors.Is(err, code) {
			t.Fatalf("%s %q: %v (%s, rule %q), want %s", r.Method, r.URL, err, e.Code, e.Rule, code)
		}
	}
	if strings.Contains(e.Error(), "dial tcp") || strings.Contains(e.Error(), "lookup ") {
		t.Errorf("%s: the text has the system's words: %s", r.URL, e)
	}
	return e
}

func refusedURL(t testing.TB, c *egress.Client, url string, codes ...egress.Code) *egress.Error {
	t.Helper()
	return refused(t, c, egress.Request{URL: url}, codes...)
}

func at16(port uint16) string { return strconv.Itoa(int(port)) }
