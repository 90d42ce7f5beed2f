package vm

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// A Policy says what httpFetch may do. The four fields have the names of the
// run's context: allowedFetchDomains, allowedRequestHeaders,
// allowedFetchMethods, requestDepth.
type Policy struct {
	// Domains are host, host:port or *.host; nil is no list. Without one the
	// VM's own client reaches nothing.
	Domains []string
	// Headers and Methods are beside those that every agent may use.
	Headers []string
	Methods []string
	// RequestDepth is how many agents called one another to come here.
	RequestDepth int

	bad string
}

// The headers that an agent may set, and the depth at which it stops.
var requestHeaders = []string{"accept", "accept-language", "authorization", "cache-control", "content-language", "content-type",
	"if-match", "if-modified-since", "if-none-match", "if-unmodified-since", "range", "user-agent", "x-api-key", "x-request-id",
	"x-correlation-id", "x-requested-with"}

const maxRequestDepth = 10

// policyFromData reads a run's context. Keys it doesn't know are the host's.
func policyFromData(c ast.Object) Policy {
	var p Policy
	list := func(k string) []string {
		v, ok := c.Get(k)
		if !ok {
			return nil
		}
		out := []string{}
		a, ok := v.([]any)
		for _, e := range a {
			s, isText := e.(string)
			ok = ok && isText
			out = append(out, s)
		}
		if !ok && p.bad == "" {
			p.bad = k + " must be an array of strings"
		}
		return out
	}
	p.Domains = list("allowedFetchDomains")
	p.Headers = list("allowedRequestHeaders")
	p.Methods = list("allowedFetchMethods")
	if d, _ := c.Get("requestDepth"); d != nil {
		if f, ok := d.(float64); ok && f >= 0 && f < 1e9 {
			p.RequestDepth = int(f)
		}
	}
	return p
}

func atomHTTPFetch(r *run, st *step, in inputs) (value, bool) {
	d, ok := r.send(st, in)
	if !ok {
		return value{}, false
	}
	caps := &r.opts.caps
	req, err := r.opts.policy.admit(d, caps.Fetch != nil, caps.Client != nil)
	if err != nil {
		r.fail(KindRefused, "", err.Error())
		return value{}, false
	}
	req.MaxBytes = int64(min(r.opts.membraneMax, 1<<40))
	f := caps.Fetch
	if f == nil {
		f = caps.Client
	}
	return r.ask(st, func(c *Call) (any, error) { return f.Fetch(c.Context, req) })
}

// admit checks a request, in the order of the specification, and returns what
// may be sent. host: the host has a fetch of its own, client: there is the VM's.
func (p *Policy) admit(in ast.Object, host, client bool) (*Request, error) {
	refuse := func(format string, args ...any) (*Request, error) { return nil, &Refusal{fmt.Sprintf(format, args...)} }
	if p.bad != "" {
		return refuse("%s", p.bad)
	}
	raw := str1(in, "url")
	req := &Request{Method: "GET", Body: Undefined, ResponseType: str1(in, "responseType")}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" || hasControls(raw) {
		if !host {
			return refuse("Invalid URL: %s", clip(raw, 500))
		}
		if p.Domains != nil {
			return refuse("Fetch blocked: '%s' is not an absolute URL, and an allowlist needs one to check", clip(raw, 500))
		}
		if err != nil || hasControls(raw) || strings.Contains(raw, "\\") || u.Host != "" || strings.HasPrefix(raw, "//") || u.Scheme != "" {
			return refuse("Fetch blocked: '%s' is not a plain relative path (it names a host, or contains characters a URL parser rewrites); write an absolute http(s) URL", clip(raw, 500))
		}
		req.URL = raw
	} else {
		if u.Scheme != "http" && u.Scheme != "https" {
			return refuse("Blocked URL: only http: or https: URLs may be fetched (got %s:)", clip(u.Scheme, 40))
		}
		if u.Hostname() == "" || strings.Contains(raw, "\\") {
			return refuse("Invalid URL: %s", clip(raw, 500))
		}
		switch {
		case p.Domains != nil:
			if !slices.ContainsFunc(p.Domains, func(d string) bool { return allows(d, u) }) {
				return refuse("Fetch blocked: domain not in allowlist. Allowed: %s", strings.Join(p.Domains, ", "))
			}
		case !host:
			if privateHost(u.Hostname()) {
				return refuse("Blocked URL: private/internal addresses not allowed in default fetch")
			}
			return refuse("Fetch blocked: no allowedFetchDomains configured. Set ctx.context.allowedFetchDomains or provide a custom fetch capability.")
		}
		if !host {
			if privateHost(u.Hostname()) && !slices.ContainsFunc(p.Domains, func(d string) bool { return exactly(d, u) }) {
				return refuse("Blocked URL: private/internal addresses not allowed in default fetch")
			}
			if !client {
				return refuse("Fetch blocked: this host has no network client. Provide a fetch capability.")
			}
		}
		if u.Path == "" {
			u.Path = "/"
		}
		u.User = nil
		u.Host = strings.ToLower(u.Host)
		if port := u.Port(); port != "" && port == defaultPort(u.Scheme) {
			u.Host = strings.TrimSuffix(u.Host, ":"+port)
		}
		req.URL = u.String()
	}
	if h, ok := in.Get("headers"); ok {
		for _, e := range h.(ast.Object) {
			name := strings.ToLower(e.Key)
			text, _ := e.Value.(string)
			if name == "x-agent-depth" || !slices.Contains(requestHeaders, name) && !containsFold(p.Headers, name) {
				return refuse("httpFetch: the '%s' header cannot be set by an agent (allowed: %s; the host can allow more: vm.run context.allowedRequestHeaders, or Eval/SafeFunction fetchPolicy.headers)",
					clip(e.Key, 200), strings.Join(append(slices.Clone(requestHeaders), p.Headers...), ", "))
			}
			if strings.ContainsAny(text, "\r\n\x00") {
				return refuse("httpFetch: the '%s' header contains a line break", clip(e.Key, 200))
			}
			req.Headers = append(req.Headers, ast.Entry{Key: e.Key, Value: text})
		}
	}
	if m := str1(in, "method"); m != "" {
		req.Method = strings.ToUpper(m)
	}
	allowed := append([]string{"GET", "HEAD"}, p.Methods...)
	if slices.Contains([]string{"CONNECT", "TRACE", "TRACK"}, req.Method) || !containsFold(allowed, req.Method) {
		return refuse("httpFetch: method '%s' is not allowed (use %s; the host can allow more: vm.run context.allowedFetchMethods, or Eval/SafeFunction fetchPolicy.methods)",
			clip(req.Method, 60), strings.Join(allowed, ", "))
	}
	if p.RequestDepth >= maxRequestDepth {
		return refuse("Agent request depth exceeded (max %d). This prevents recursive agent loops.", maxRequestDepth)
	}
	req.Headers = append(req.Headers, ast.Entry{Key: "X-Agent-Depth", Value: strconv.Itoa(p.RequestDepth + 1)})
	if b, _ := in.Get("body"); b != nil {
		req.Body = b
	}
	return req, nil
}

func hasControls(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c == 0x7F })
}

func containsFold(list []string, s string) bool {
	return slices.ContainsFunc(list, func(e string) bool { return strings.EqualFold(e, s) })
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// allows reports whether an entry of an allowlist covers a URL: host (on its
// default port only), host:port, *.host (the host and what is under it).
func allows(entry string, u *url.URL) bool {
	entry = strings.ToLower(strings.TrimSuffix(entry, "."))
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	port := u.Port()
	if port == "" {
		port = defaultPort(u.Scheme)
	}
	want := defaultPort(u.Scheme)
	name := entry
	if i := strings.LastIndexByte(entry, ':'); i >= 0 && !strings.HasSuffix(entry, "]") && strings.Count(entry, ":") == 1 || strings.Contains(entry, "]:") {
		name, want = entry[:i], entry[i+1:]
	}
	name = strings.Trim(name, "[]")
	if port != want {
		return false
	}
	if rest, ok := strings.CutPrefix(name, "*."); ok {
		return host == rest || strings.HasSuffix(host, "."+rest)
	}
	return host == name
}

// exactly: the entry names the host itself, which is how a private one is
// allowed.
func exactly(entry string, u *url.URL) bool {
	return !strings.HasPrefix(entry, "*.") && allows(entry, u)
}

// privateHost reports literal hosts inside of a network. What a name resolves
// to is looked at where it is dialled.
func privateHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".local") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		// 127.1, 0x7f000001, 2130706433: numbers that dialling would accept.
		if last := host[strings.LastIndexByte(host, '.')+1:]; last != "" && last[0] >= '0' && last[0] <= '9' {
			return true
		}
		return false
	}
	ip = ip.Unmap()
	if ip.Is6() {
		// IPv4-compatible: ::a.b.c.d.
		b := ip.As16()
		if [12]byte(b[:12]) == [12]byte{} {
			ip = netip.AddrFrom4([4]byte(b[12:]))
		}
	}
	return ip.IsLoopback() || ip.IsUnspecified() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.Is4() && ip.As4()[0] == 0
}
