package egress

import (
	"context"
	"net"
	"net/netip"
)

// WithDial returns a client that opens its connections with dial, after the
// addresses have been admitted: tests have no public addresses.
func (c *Client) WithDial(dial func(context.Context, netip.AddrPort) (net.Conn, error)) *Client {
	g := *c.g
	g.dial = dial
	return &Client{g: &g, narrow: c.narrow}
}

// Refused says which rule refuses an address.
func (c *Client) Refused(a netip.Addr) string { return c.g.refused(a, nil) }

// RefusedOn is Refused on a machine that has the addresses own.
func (c *Client) RefusedOn(a netip.Addr, own ...netip.Addr) string { return c.g.refused(a, own) }

// Control is what the socket's dialer asks, for a hop that admitted addresses.
func (c *Client) Control(admitted []netip.Addr, port uint16, address string) error {
	return (&dialer{g: c.g, admitted: admitted, port: port}).control(context.Background(), "tcp", address, nil)
}

// RequestTarget is what is written into the first line of a request for a URL.
func RequestTarget(raw string) (target, host, path, query string, ok bool) {
	t, err := parseTarget(raw, nil)
	if err != nil {
		return "", "", "", "", false
	}
	u := requestURL(t)
	return u.RequestURI(), u.Host, t.u.Path, t.u.Query, true
}

var PlainPath = plainPath
