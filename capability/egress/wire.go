package egress

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	neturl "net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// dialFunc opens a connection to an address that was admitted.
type dialFunc func(ctx context.Context, to netip.AddrPort) (net.Conn, error)

// systemResolver asks the system. A name with a dot in it is complete: the
// search list of the system is not tried on it.
type systemResolver struct{}

func (systemResolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if strings.Contains(host, ".") {
		host += "."
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, network, host)
	for i, a := range addrs {
		addrs[i] = a.Unmap() // package net may write IPv4 so
	}
	return addrs, err
}

// wire is what a hop has open.
type wire struct {
	resp      *http.Response
	transport *http.Transport
	cancel    context.CancelFunc

	mu     sync.Mutex
	conns  []net.Conn
	addr   netip.AddrPort
	closed bool
}

// add takes over a connection; it is closed at once if the hop has ended.
func (w *wire) add(c net.Conn, addr netip.AddrPort) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		c.Close()
		return false
	}
	w.conns, w.addr = append(w.conns, c), addr
	return true
}

func (w *wire) connected() netip.AddrPort {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.addr
}

// close ends everything: a connection serves one hop.
func (w *wire) close() {
	w.cancel()
	w.mu.Lock()
	w.closed = true
	conns := w.conns
	w.mu.Unlock()
	if w.resp != nil {
		w.resp.Body.Close()
	}
	w.transport.CloseIdleConnections()
	for _, c := range conns {
		c.Close()
	}
}

// send makes a request over a connection of its own to one of the addresses.
// The wire must be closed.
func (x *exchange) send(t *target, addrs []netip.Addr, credentials []attached) (*wire, error) {
	w := &wire{}
	ctx, cancel := context.WithCancel(x.ctx)
	w.cancel = cancel
	authority := net.JoinHostPort(strings.Trim(t.host, "[]"), strconv.Itoa(int(t.port)))
	w.transport = &http.Transport{
		Proxy: nil, // that of the environment would see and choose
		DialContext: func(_ context.Context, _, to string) (net.Conn, error) {
			if to != authority {
				return nil, &dialError{errors.New("not the host that was admitted")}
			}
			// The hop's context, not the transport's, which outlives it.
			return x.dial(ctx, w, addrs, t.port)
		},
		TLSClientConfig:        &tls.Config{RootCAs: x.g.roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		DisableCompression:     true, // done here, where it is limited
		MaxResponseHeaderBytes: x.g.header,
	}
	req := (&http.Request{
		Method: x.method, URL: requestURL(t), Host: hostHeader(t), Header: http.Header{},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if len(x.body) > 0 {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(x.body)), int64(len(x.body))
	}
	// GetBody stays nil: what was sent once is not sent again.
	set := func(name, value string) { req.Header[http.CanonicalHeaderKey(name)] = []string{value} }
	set("User-Agent", x.g.agent)
	for _, f := range x.fields {
		set(f.name, f.value)
	}
	for _, f := range credentials {
		set(f.name, f.value)
	}
	encoding := "gzip"
	if x.method == http.MethodHead || req.Header.Get("Range") != "" {
		encoding = "identity"
	}
	set("Accept-Encoding", encoding)
	set(AgentDepthHeader, strconv.Itoa(x.depth))
	var err error
	if x.g.transport != nil {
		w.resp, err = x.g.transport.RoundTrip(req)
	} else {
		w.resp, err = w.transport.RoundTrip(req)
	}
	if err == nil && w.resp.StatusCode == http.StatusSwitchingProtocols {
		err = errors.New("switches protocols")
	}
	return w, err
}

// dialError marks what failed before a request could be sent.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

// dial tries the addresses in turn, as package net does.
func (x *exchange) dial(ctx context.Context, w *wire, addrs []netip.Addr, port uint16) (net.Conn, error) {
	open := x.g.dial
	if open == nil {
		open = (&dialer{g: x.g, admitted: addrs, port: port}).dial
	}
	var first error
	for i, a := range addrs {
		share := max(x.remaining()/time.Duration(len(addrs)-i), min(x.remaining(), 2*time.Second))
		one, cancel := context.WithTimeout(ctx, share)
		to := netip.AddrPortFrom(a, port)
		c, err := open(one, to)
		cancel()
		if err == nil {
			if !w.add(c, to) {
				return nil, &dialError{net.ErrClosed}
			}
			return c, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, &dialError{first}
}

// dialer connects sockets, to admitted addresses only.
type dialer struct {
	g        *grants
	admitted []netip.Addr
	port     uint16
}

func (d *dialer) dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	nd := net.Dialer{FallbackDelay: -1, KeepAlive: -1, ControlContext: d.control}
	nd.SetMultipathTCP(false)
	return nd.DialContext(ctx, "tcp", to.String())
}

// control is asked with the address that the socket is about to connect to.
func (d *dialer) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err == nil && to.Port() == d.port && d.g.refused(to.Addr(), ownAddresses()) == "" && slices.Contains(d.admitted, to.Addr()) {
		return nil
	}
	e := fail(AddressNotAllowed, "")
	e.Rule = "address of the socket"
	return e
}

// requestURL makes what package http writes into the request: the path and the
// query as they were admitted, byte for byte.
func requestURL(t *target) *neturl.URL {
	u := &neturl.URL{Scheme: t.scheme, Host: hostHeader(t), RawQuery: t.u.Query, ForceQuery: t.u.HasQuery && t.u.Query == ""}
	path := t.u.Path
	if p, err := neturl.PathUnescape(path); err == nil {
		u.Path, u.RawPath = p, path
		if u.EscapedPath() == path {
			return u
		}
	}
	u.Path, u.RawPath = "", ""
	if strings.HasPrefix(path, "//") {
		u.Opaque = "//" + u.Host + path // written in the absolute form
	} else {
		u.Opaque = path
	}
	return u
}

// hostHeader is the host with its port unless that is the scheme's own.
func hostHeader(t *target) string {
	if t.u.Port < 0 {
		return t.host
	}
	return t.host + ":" + strconv.Itoa(t.u.Port)
}

// failed is what a script is told of an error of the system, which may know
// more than it should.
func (x *exchange) failed(t *target, cause error) *Error {
	var e *Error
	var dial *dialError
	var certificate *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var op *net.OpError
	switch msg := cause.Error(); {
	case errors.As(cause, &e):
		c := *e
		e = &c
	case x.ended() != nil:
		e = x.ended()
	case errors.As(cause, &certificate), errors.As(cause, &unknown), errors.As(cause, &name):
		e = fail(TLSFailed, "the certificate is not accepted")
	case errors.As(cause, &record), errors.As(cause, &alert), strings.HasPrefix(msg, "tls: "), strings.HasPrefix(msg, "remote error: tls: "), strings.Contains(msg, "HTTP response to HTTPS client"):
		e = fail(TLSFailed, "")
	case errors.As(cause, &dial), errors.As(cause, &op):
		e = fail(ConnectionFailed, "")
	case strings.Contains(msg, "response headers exceeded"), strings.Contains(msg, "header list larger than"):
		// Package http has no type for these two.
		e = tooLarge(x.g.header, "response headers")
	default:
		e = fail(BadResponse, "")
	}
	if e.Host == "" {
		e.Host = t.host
	}
	return e
}

// slack is how much longer than its content compressed data may be.
const slack = 64 << 10

// read reads a body to its end, at most as far as the limit.
func (x *exchange) read(resp *http.Response) ([]byte, error) {
	if x.method == http.MethodHead {
		return nil, nil
	}
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(resp.Header.Values("Content-Encoding"), ",")))
	zipped := encoding == "gzip" || encoding == "x-gzip"
	raw := x.limit
	if zipped {
		raw += slack
	}
	large := tooLarge(x.limit, "response body")
	if resp.ContentLength > raw {
		return nil, large
	}
	var body io.Reader = &capped{r: resp.Body, left: raw, err: large}
	if zipped {
		z, err := gzip.NewReader(body)
		if err == io.EOF {
			return nil, nil // no body at all
		}
		if err != nil {
			return nil, err
		}
		body = &capped{r: z, left: x.limit, err: large}
	}
	room := int64(512)
	if resp.ContentLength > 0 && !zipped {
		room = min(resp.ContentLength+1, slack) // what the server says is not yet there
	}
	b := make([]byte, 0, room)
	for {
		n, err := body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// capped reads at most so many bytes; one more is the error.
type capped struct {
	r    io.Reader
	left int64
	err  error
}

func (c *capped) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		return 0, c.err
	}
	c.left -= int64(n)
	return n, err
}
