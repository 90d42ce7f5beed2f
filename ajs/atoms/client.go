package atoms

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/vm"
	"github.com/pinfold-js/pinfold/capability/egress"
)

// A Client is a way to the network: Capabilities.Client. It sends only what the
// policy of a run has admitted, each request under a grant for that one URL's
// host.
type Client struct {
	// Base is the policy that bounds what any run may do: denied hosts,
	// credentials, limits, a resolver. Its Allow is not used.
	Base egress.Policy
}

var _ vm.Fetcher = (*Client)(nil)

// Fetch sends a request and returns its body: JSON if the server says that it
// is, or if the program asked for it; a data URI for responseType dataUrl; else
// text. A redirect is { redirect: true, status, location }.
func (c *Client) Fetch(ctx context.Context, r *vm.Request) (any, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil, &vm.Refusal{Message: "Invalid URL: " + r.URL}
	}
	p := c.Base
	rule := egress.Rule{Hosts: []string{strings.ToLower(u.Hostname())}, Methods: []string{r.Method}, Schemes: []string{u.Scheme}}
	if s := u.Port(); s != "" {
		n, err := strconv.ParseUint(s, 10, 16)
		if err != nil {
			return nil, &vm.Refusal{Message: "Invalid URL: " + r.URL}
		}
		rule.Ports = []uint16{uint16(n)}
	}
	req := egress.Request{URL: r.URL, Method: r.Method, Header: map[string]string{}, Redirect: egress.Manual, MaxBytes: max(r.MaxBytes, 1)}
	depth := 0
	hasType := false
	for _, h := range r.Headers {
		text, _ := h.Value.(string)
		if strings.EqualFold(h.Key, egress.AgentDepthHeader) {
			// The header counts this request; the client adds its own one.
			depth, _ = strconv.Atoi(text)
			depth = max(depth-1, 0)
			continue
		}
		hasType = hasType || strings.EqualFold(h.Key, "Content-Type")
		req.Header[h.Key] = text
		if _, named := egress.Forbidden(h.Key); named {
			rule.Headers = append(rule.Headers, h.Key)
		}
	}
	if rule.Headers != nil {
		// A list names all headers, not only the special ones.
		rule.Headers = rule.Headers[:0]
		for k := range req.Header {
			rule.Headers = append(rule.Headers, k)
		}
	}
	req.AgentDepth = depth
	if r.Body != vm.Undefined {
		if s, ok := r.Body.(string); ok && hasType {
			req.Body = []byte(s)
		} else {
			b, err := ast.AppendData(nil, vm.JSONData(r.Body))
			if err != nil {
				return nil, err
			}
			req.Body = b
			if !hasType {
				req.Header["Content-Type"] = "application/json"
				if rule.Headers != nil {
					rule.Headers = append(rule.Headers, "Content-Type")
				}
			}
		}
	}
	if d, ok := ctx.Deadline(); ok {
		req.Timeout = max(time.Until(d), time.Millisecond)
		p.Timeout = max(p.Timeout, req.Timeout)
	}
	p.MaxBodyBytes = max(p.MaxBodyBytes, req.MaxBytes)
	p.Allow = []egress.Rule{rule}
	// The run's allowlist names a host inside of the network only exactly; then
	// its address may be dialled.
	p.AllowPrivate = append(p.AllowPrivate[:len(p.AllowPrivate):len(p.AllowPrivate)], private(u.Hostname())...)
	client, err := egress.New(p)
	if err != nil {
		return nil, &vm.Refusal{Message: "Fetch blocked: " + err.Error()}
	}
	res, err := client.Do(ctx, req)
	if err != nil {
		var e *egress.Error
		switch {
		case errors.As(err, &e) && e.Code == egress.TooLarge:
			return nil, fmt.Errorf("httpFetch: response too large (over %d bytes)", req.MaxBytes)
		case errors.As(err, &e) && strings.HasSuffix(string(e.Code), "not_allowed"):
			return nil, &vm.Refusal{Message: "Fetch blocked: " + e.Error()}
		}
		return nil, fmt.Errorf("httpFetch: %w", err)
	}
	switch res.Status {
	case 301, 302, 303, 307, 308:
		if res.Location != "" {
			return ast.Object{{Key: "redirect", Value: true}, {Key: "status", Value: float64(res.Status)}, {Key: "location", Value: res.Location}}, nil
		}
	}
	kind := res.Header["content-type"]
	mime, _, _ := strings.Cut(kind, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	switch {
	case r.ResponseType == "dataUrl":
		if mime == "" {
			mime = "application/octet-stream"
		}
		return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(res.Body), nil
	case r.ResponseType == "json" || r.ResponseType == "" && (mime == "application/json" || strings.HasSuffix(mime, "+json")):
		d, err := ast.ParseData(res.Body, ast.Limits{MaxBytes: len(res.Body) + 1, MaxDepth: 9000, MaxNodes: len(res.Body) + 1})
		if err != nil {
			return nil, fmt.Errorf("httpFetch: the response is no JSON: %w", err)
		}
		return d, nil
	}
	return strings.ToValidUTF8(string(res.Body), "\uFFFD"), nil
}

// private are the addresses of a literal host that is not on the public
// internet.
func private(host string) []netip.Prefix {
	if host == "localhost" {
		return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		if ip.IsPrivate() || ip.IsLoopback() {
			return []netip.Prefix{netip.PrefixFrom(ip, ip.BitLen())}
		}
	}
	return nil
}
