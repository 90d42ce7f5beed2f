package hostile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/egress"
)

// The addresses of a scene's network: here stands for the public internet, and is
// all that its policies allow; there is another address of this machine, which
// stands for what must not be reached.
var (
	here    = netip.MustParseAddr("127.0.0.1")
	there   = netip.MustParseAddr("127.0.0.2")
	justMe  = netip.PrefixFrom(here, 32)
	methods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"}
)

// names is a resolver: each lookup of a name takes the next of its answers, and the
// last one again and again.
type names struct {
	mu      sync.Mutex
	answers map[string][][]netip.Addr
	asked   []string
}

func (n *names) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
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
	return list[0], ctx.Err()
}

func (n *names) set(host string, answers ...[]netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.answers == nil {
		n.answers = map[string][][]netip.Addr{}
	}
	n.answers[host] = answers
}

// lookups returns the names that were looked up since the last time.
func (n *names) lookups() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	a := n.asked
	n.asked = nil
	return a
}

// server is a server of a scene.
type server struct {
	port uint16
	hits atomic.Int64
}

// Serve starts a server at an address; with a certificate it speaks TLS.
func (s *Scene) Serve(at netip.Addr, cert *tls.Certificate, h http.HandlerFunc) *server {
	l, err := net.Listen("tcp", netip.AddrPortFrom(at, 0).String())
	if err != nil && at == there {
		return &server{port: 9} // only Linux has all of 127.0.0.0/8
	}
	check(err)
	x := &server{port: l.Addr().(*net.TCPAddr).AddrPort().Port()}
	hs := &http.Server{ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.hits.Add(1)
		h(w, r)
	})}
	if cert != nil {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*cert}})
	}
	go func() { _ = hs.Serve(l) }()
	s.AtEnd(func() { _ = hs.Close() })
	return x
}

// Speak starts a server that writes what it likes when it has read a request,
// until done is closed.
func (s *Scene) Speak(say func(w io.Writer, done <-chan struct{})) *server {
	l := must(net.Listen("tcp", netip.AddrPortFrom(here, 0).String()))
	x := &server{port: l.Addr().(*net.TCPAddr).AddrPort().Port()}
	done := make(chan struct{})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					x.hits.Add(1)
					say(c, done)
				}
			}()
		}
	}()
	s.AtEnd(func() { close(done); _ = l.Close() })
	return x
}

// forever writes s again and again until the other side is gone.
func forever(w io.Writer, s string) {
	for len(s) < 16<<10 {
		s += s
	}
	for {
		if _, err := io.WriteString(w, s); err != nil {
			return
		}
	}
}

// trickle writes a byte now and then.
func trickle(w io.Writer, done <-chan struct{}) {
	for {
		if _, err := io.WriteString(w, "x"); err != nil {
			return
		}
		select {
		case <-done:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.String()
}

// certificate makes one for example.com and the names below it.
func certificate() (*tls.Certificate, *x509.CertPool) {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"example.com", "*.example.com"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der := must(x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key))
	pool := x509.NewCertPool()
	pool.AddCert(must(x509.ParseCertificate(der)))
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// policy grants hosts over http and https at the ports of servers; all of them are here.
func policy(n *names, servers []*server, hosts ...string) egress.Policy {
	var ports []uint16
	for _, x := range servers {
		ports = append(ports, x.port)
	}
	for _, h := range hosts {
		if n.answers[h] == nil {
			n.set(h, []netip.Addr{here})
		}
	}
	return egress.Policy{
		Allow:        []egress.Rule{{Name: "local", Hosts: hosts, Schemes: []string{"http", "https"}, Ports: ports, Methods: methods}},
		AllowPrivate: []netip.Prefix{justMe}, Resolver: n,
	}
}

// Network makes a sandbox whose programs have what a policy grants.
func (s *Scene) Network(p egress.Policy, change ...func(*pinfold.Options)) *pinfold.Sandbox {
	return s.Granted(&pinfold.Grants{Network: must(egress.New(p))}, change...)
}

// fetches makes requests one after the other and says what came of each.
const fetches = `
const out = [];
for (const [url, init] of input) out.push(await fetch(url, init ?? undefined).then(async r => ({ok: r.status + ' ' + r.url + ' ' + await r.text(), stack: '', plain: true}), e => ({
	code: e.code, message: e.message, name: e.name, plain: Object.getPrototypeOf(e) === Error.prototype, own: Reflect.ownKeys(e).sort().join(), data: JSON.stringify(e.data), stack: e.stack,
})));
return out`

// fetch is what must come of a request: a code without E_FETCH_, several divided
// by "|"; what begins with "=" is how the outcome
// begins: status, URL, body.
type fetch struct {
	url  string
	init map[string]any
	want string
}

// Fetches has a program make requests, and says what comes out otherwise than it
// must, or shows more than it must.
func (s *Scene) Fetches(sb *pinfold.Sandbox, list ...fetch) {
	var input []any
	for _, f := range list {
		input = append(input, []any{f.url, f.init})
	}
	o := s.Check(sb, fetches, input, "value")
	if o.Failure != nil {
		return
	}
	var got []seen
	check(json.Unmarshal(o.Value.JSON(), &got))
	for i, f := range list {
		g, what := got[i], fmt.Sprintf("%v %q", f.init, clip(f.url, 100))
		if !slices.ContainsFunc(strings.Split(f.want, "|"), func(want string) bool {
			value, ok := strings.CutPrefix(want, "=")
			return ok && g.Code == "" && strings.HasPrefix(g.OK, value) || !ok && want == strings.ToLower(strings.TrimPrefix(g.Code, "E_FETCH_"))
		}) {
			s.Errorf("%s: %q %s %s, want %s", what, clip(g.OK, 200), g.Code, g.Message, f.want)
			continue
		}
		if g.Code == "" {
			continue
		}
		s.plainError(what, g)
		if strings.Contains(g.Message, "host not allowed") {
			continue // it names the host as the program, or the server that redirects, wrote it
		}
		for _, a := range []string{here.String(), there.String(), "169.254", "10.0.0", "dial tcp", "lookup ", "connection refused"} {
			if strings.Contains(g.Message+g.Data, a) && !strings.Contains(f.url, a) && !strings.Contains(fmt.Sprint(f.init), a) {
				s.Errorf("%s: the error shows %s: %s %s", what, a, g.Message, g.Data)
			}
		}
	}
	if len(o.Calls) != len(list) {
		s.Errorf("%d records of %d calls", len(o.Calls), len(list))
	}
	for _, c := range o.Calls {
		if c.Rule == "" || c.Capability != pinfold.Network {
			s.Errorf("the record is %+v", c)
		}
	}
}

// url writes the address of a server under a host's name.
func (x *server) url(host, path string) string {
	return fmt.Sprintf("http://%s:%d%s", host, x.port, path)
}

// quiet says when a server was asked for something.
func (s *Scene) quiet(x *server, what string) {
	if n := x.hits.Load(); n != 0 {
		s.Errorf("%s: %d requests came through", what, n)
	}
}
