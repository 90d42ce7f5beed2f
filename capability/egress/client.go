package egress

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/url"
)

// Admit says what the rules say of a request, without sending anything and
// without looking its host up. An error is an *Error with the same code.
func (c *Client) Admit(req Request) (Decision, error) {
	d := Decision{Method: strings.ToUpper(req.Method), URL: shown(req.URL)}
	x, t, err := c.prepare(req)
	if t != nil {
		d.Method, d.URL, d.Host, d.Port = x.method, t.String(), t.host, t.port
	}
	if err == nil {
		var r *rule
		if r, err = c.admit(t, x.method, x.fields); err == nil {
			err = x.overridden(t)
			d.Rule = r.name
		}
	}
	if err != nil {
		d.Rule, d.Code = err.Rule, err.Code
		return d, err
	}
	d.Allowed = true
	return d, nil
}

// Do makes a request and reads the response. An error is an *Error.
func (c *Client) Do(ctx context.Context, req Request) (*Response, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	x, t, err := c.prepare(req)
	if err != nil {
		e := Event{Method: req.Method, URL: shown(req.URL), Done: true, Err: err, Rule: err.Rule}
		if t != nil {
			e.Method, e.URL, e.Host, e.Port = x.method, t.String(), t.host, t.port
		}
		c.g.tell(e)
		return nil, err
	}
	timeout := c.g.timeout
	if req.Timeout > 0 {
		timeout = min(timeout, req.Timeout)
	}
	x.caller = ctx
	var cancel context.CancelFunc
	x.ctx, cancel = context.WithTimeout(ctx, timeout)
	defer cancel()
	resp, err := x.run(t)
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// shown is a URL that could not be read, as events have it: short, and without
// what may be a password.
func shown(raw string) string {
	if at := strings.LastIndexByte(raw, '@'); at >= 0 {
		raw = "…" + raw[at:]
	}
	return strings.ToValidUTF8(raw[:min(len(raw), 1000)], "\uFFFD")
}

func (g *grants) tell(e Event) {
	if g.observe != nil {
		g.observe(e)
	}
}

// exchange is one call of Do.
type exchange struct {
	c      *Client
	g      *grants
	caller context.Context
	ctx    context.Context // with the timeout

	// What the next hop sends.
	method string
	fields []field
	body   []byte

	redirect Redirect
	limit    int64
	depth    int
	secrets  []string // that must not come back, the longest first
	hops     []Hop
}

// prepare checks what can be checked without the rules. The target is there if
// the URL could be read.
func (c *Client) prepare(req Request) (*exchange, *target, *Error) {
	g := c.g
	x := &exchange{c: c, g: g, method: strings.ToUpper(req.Method), redirect: req.Redirect, body: req.Body, limit: g.body}
	if x.method == "" {
		x.method = http.MethodGet
	}
	t, err := parseTarget(req.URL, nil)
	if err != nil {
		return x, nil, err
	}
	if !isToken(x.method) {
		return x, t, badArgument("method", "not a method: "+quote(req.Method))
	}
	switch x.redirect {
	case "":
		x.redirect = Follow
	case Follow, Manual, ErrorOnRedirect:
	default:
		return x, t, badArgument("redirect", "it is follow, manual or error")
	}
	if req.Timeout < 0 {
		return x, t, badArgument("timeout", "it is negative")
	}
	if req.MaxBytes < 0 {
		return x, t, badArgument("maxBytes", "it is negative")
	}
	if req.MaxBytes > 0 {
		x.limit = min(x.limit, req.MaxBytes)
	}
	if len(req.Body) > 0 && (x.method == http.MethodGet || x.method == http.MethodHead) {
		return x, t, badArgument("body", x.method+" requests have none")
	}
	if int64(len(req.Body)) > g.request {
		return x, t, tooLarge(g.request, "request body")
	}
	if x.fields, err = requestFields(req.Header, g.header); err != nil {
		err.Host = t.host
		return x, t, err
	}
	if req.AgentDepth < 0 {
		return x, t, badArgument("agentDepth", "it is negative")
	}
	if req.AgentDepth >= g.depth {
		e := fail(TooDeep, "limit "+strconv.Itoa(g.depth))
		e.Rule, e.Host = "MaxAgentDepth", t.host
		return x, t, e
	}
	x.depth = req.AgentDepth + 1
	return x, t, nil
}

// admit finds the rule that has all of a request. When there is none, the error
// is about the rule that came nearest.
func (c *Client) admit(t *target, method string, fields []field) (*rule, *Error) {
	refuse := func(code Code, detail, by, hint string) *Error {
		e := fail(code, detail)
		e.Rule, e.Host, e.Hint = by, t.host, hint
		return e
	}
	for i, d := range c.g.deny {
		if d.match(t.host) {
			return nil, refuse(HostNotAllowed, t.host, index("DenyHosts", i), "")
		}
	}
	var nearest *Error
	stage := -1
	for i := range c.g.rules {
		r := &c.g.rules[i]
		at := 0
		var e *Error
		switch port := r.ports; {
		case !anyMatch(r.hosts, t.host):
			continue
		case !r.schemes[t.scheme]:
			at, e = 1, refuse(SchemeNotAllowed, t.scheme, r.name, "grant the scheme "+t.scheme+" for "+t.host)
		case port == nil && t.u.Port >= 0 || port != nil && !slices.Contains(port, t.port):
			p := strconv.Itoa(int(t.port))
			at, e = 2, refuse(PortNotAllowed, p, r.name, "grant port "+p+" for "+t.host)
		case !r.methods[method]:
			at, e = 3, refuse(MethodNotAllowed, method, r.name, "grant the method "+method+" for "+t.host)
		case !r.hasPath(t.u.Path):
			at, e = 4, refuse(PathNotAllowed, "", r.name, "grant the path "+quote(t.u.Path)+" for "+t.host)
			if !plainPath(t.u.Path) {
				e.Detail, e.Hint = "servers could read it as another path", ""
			}
		default:
			if name := r.missingHeader(fields); name != "" {
				at, e = 5, refuse(HeaderNotAllowed, name, r.name, "grant the header "+name+" for "+t.host)
			}
		}
		if e == nil {
			// Asked last: that the policy has no such host is the better answer.
			for _, list := range c.narrow {
				if !anyMatch(list, t.host) {
					return nil, refuse(HostNotAllowed, t.host, "not declared", "declare the host "+quote(t.host))
				}
			}
			return r, nil
		}
		if at > stage {
			stage, nearest = at, e
		}
	}
	if nearest == nil {
		nearest = refuse(HostNotAllowed, t.host, "default deny", "grant the host "+quote(t.host))
	}
	return nil, nearest
}

func (r *rule) hasPath(path string) bool {
	if r.paths == nil {
		return true
	}
	if !plainPath(path) {
		return false
	}
	for _, p := range r.paths {
		if p.match(path) {
			return true
		}
	}
	return false
}

// missingHeader names a header that the rule does not let scripts set.
func (r *rule) missingHeader(fields []field) string {
	for _, f := range fields {
		if r.headers != nil && !r.headers[f.name] || r.headers == nil && soft[f.name] {
			return f.name
		}
	}
	return ""
}

// run makes hops until there is a response.
func (x *exchange) run(t *target) (*Response, *Error) {
	for {
		n := len(x.hops)
		resp, next, err := x.hop(t)
		if err != nil {
			err.Hop = n
			if n > 0 && err.Code.policy() && err.Code != RedirectNotAllowed {
				err = redirectRefused(err)
			}
			return nil, err
		}
		if next == nil {
			resp.Redirected = n > 0
			return resp, nil
		}
		t = next
	}
}

// redirectRefused makes of a decision on a hop one on the redirect to it.
func redirectRefused(cause *Error) *Error {
	e := fail(RedirectNotAllowed, cause.Error())
	e.Rule, e.Host, e.Hop, e.Hint, e.cause = cause.Rule, cause.Host, cause.Hop, cause.Hint, cause
	return e
}

// hop admits one request, sends it, and returns the response or where it leads.
func (x *exchange) hop(t *target) (resp *Response, next *target, err *Error) {
	h := Hop{Method: x.method, URL: t.String(), Host: t.host}
	ev := Event{Hop: len(x.hops), Method: h.Method, URL: x.scrub(h.URL), Host: x.scrub(t.host), Port: t.port}
	defer func() {
		ev.Done, ev.Err = true, err
		if err != nil {
			x.scrubError(err)
			if err.Rule != "" {
				ev.Rule = err.Rule
			}
		}
		x.g.tell(ev)
	}()
	r, err := x.c.admit(t, x.method, x.fields)
	if err == nil && ev.Hop == 0 {
		err = x.overridden(t)
	}
	if err != nil {
		return nil, nil, err
	}
	h.Rule = r.name
	attached, err := x.attach(t)
	for _, f := range attached {
		h.Credentials = append(h.Credentials, f.credential)
	}
	h.URL, h.Host = x.scrub(h.URL), x.scrub(h.Host)
	ev.URL, ev.Host, ev.Rule, ev.Allowed, ev.Credentials = h.URL, h.Host, h.Rule, true, h.Credentials
	if err != nil {
		return nil, nil, err
	}
	x.g.tell(ev)
	var addrs []netip.Addr
	if x.g.transport == nil {
		if addrs, err = x.resolve(t, &ev); err != nil {
			return nil, nil, err
		}
	}
	w, cause := x.send(t, addrs, attached)
	defer w.close()
	ev.Addr = w.connected()
	if cause != nil {
		ev.Cause = cause
		return nil, nil, x.failed(t, cause)
	}
	raw := w.resp
	ev.Status, h.Status = raw.StatusCode, raw.StatusCode
	x.hops = append(x.hops, h)

	location, err := x.location(t, raw)
	if err != nil {
		return nil, nil, err
	}
	if location != nil && x.redirect == Follow {
		next, err = x.follow(t, raw.StatusCode, location)
		return nil, next, err
	}
	body, cause := x.read(raw)
	if cause != nil {
		ev.Cause = cause
		return nil, nil, x.failed(t, cause)
	}
	ev.Bytes = int64(len(body))
	resp = &Response{
		Status: raw.StatusCode, StatusText: text(strings.TrimPrefix(strings.TrimPrefix(raw.Status, strconv.Itoa(raw.StatusCode)), " ")),
		URL: h.URL, Header: responseHeader(raw.Header), Body: body, Hops: x.hops,
	}
	if location != nil {
		resp.Location, _ = location.Serialize()
	}
	x.scrubResponse(resp)
	return resp, nil, nil
}

// location is where a response redirects to; nil if it does not.
func (x *exchange) location(t *target, raw *http.Response) (*url.URL, *Error) {
	switch raw.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil, nil
	}
	refuse := func(detail, by string) (*url.URL, *Error) {
		e := fail(RedirectNotAllowed, detail)
		e.Rule, e.Host = by, t.host
		return nil, e
	}
	values := raw.Header.Values("Location")
	if len(values) == 0 {
		return nil, nil
	}
	if x.redirect == ErrorOnRedirect {
		return refuse("the request asks for an error", "redirect: error")
	}
	if len(values) > 1 {
		return refuse("it has more than one location", "one location")
	}
	if len(values[0]) > maxURL {
		return refuse(tooLarge(maxURL, "url").Error(), "length of URLs")
	}
	u, ok, _ := url.Parse(nil, text(values[0]), t.u)
	if !ok {
		return refuse("its location is not a URL", "one location")
	}
	return u, nil
}

// follow makes the exchange ready for the next hop (Fetch, HTTP-redirect fetch).
func (x *exchange) follow(t *target, status int, to *url.URL) (*target, *Error) {
	refuse := func(detail, by string) (*target, *Error) {
		e := fail(RedirectNotAllowed, detail)
		e.Rule, e.Host = by, t.host
		return nil, e
	}
	if len(x.hops) > x.g.redirects {
		return refuse("more than "+strconv.Itoa(x.g.redirects)+" redirects", "MaxRedirects")
	}
	s, _ := to.Serialize()
	next, err := parseTarget(s, nil)
	if err != nil {
		return nil, redirectRefused(err)
	}
	if t.scheme == "https" && next.scheme == "http" {
		e := fail(RedirectNotAllowed, "from https to http")
		e.Rule, e.Host = "no redirect from https to http", next.host
		return nil, e
	}
	if (status == 301 || status == 302) && x.method == http.MethodPost ||
		status == 303 && x.method != http.MethodGet && x.method != http.MethodHead {
		x.method, x.body = http.MethodGet, nil
		x.fields = slices.DeleteFunc(slices.Clone(x.fields), func(f field) bool { return bodyHeaders[f.name] })
	}
	if t.origin() != next.origin() {
		x.fields = slices.DeleteFunc(slices.Clone(x.fields), func(f field) bool { return !harmless[f.name] })
	}
	return next, nil
}

// resolve returns the addresses of a host, all of which may be dialled.
func (x *exchange) resolve(t *target, ev *Event) ([]netip.Addr, *Error) {
	addrs := []netip.Addr{t.addr}
	if !t.addr.IsValid() {
		var err error
		addrs, err = x.g.resolver.LookupNetIP(x.ctx, "ip", t.host)
		if e := x.ended(); e != nil {
			e.Host = t.host
			return nil, e
		}
		if err != nil || len(addrs) == 0 {
			ev.Cause = err
			e := fail(HostNotFound, t.host)
			e.Host = t.host
			return nil, e
		}
	}
	own := ownAddresses()
	for _, a := range addrs {
		if rule := x.g.refused(a, own); rule != "" {
			ev.Cause = errors.New(a.String() + ": " + rule)
			e := fail(AddressNotAllowed, t.host)
			e.Host, e.Rule, e.Hint = t.host, rule, "grant the network of "+t.host+" in AllowPrivate"
			return nil, e
		}
	}
	return addrs, nil
}

// ended is the error of an exchange whose time is over.
func (x *exchange) ended() *Error {
	cause := x.ctx.Err()
	if cause == nil {
		return nil
	}
	e := fail(TimedOut, "")
	if errors.Is(x.caller.Err(), context.Canceled) {
		e, cause = fail(Cancelled, ""), x.caller.Err()
	}
	e.cause = cause
	return e
}

// remaining is how long the exchange still has.
func (x *exchange) remaining() time.Duration {
	end, _ := x.ctx.Deadline()
	return time.Until(end)
}
