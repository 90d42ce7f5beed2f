package egress

import (
	"crypto/x509"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/url"
)

// The limits of a policy that sets none.
const (
	defaultRedirects = 5
	defaultTimeout   = 10 * time.Second
	defaultBody      = 8 << 20
	defaultRequest   = 1 << 20
	defaultHeader    = 64 << 10
	defaultDepth     = 10
)

// grants is a Policy, checked and made ready.
type grants struct {
	addresses
	rules       []rule
	deny        []pattern
	credentials []credential
	redirects   int
	timeout     time.Duration
	body        int64
	request     int64
	header      int64
	depth       int
	agent       string
	roots       *x509.CertPool
	resolver    Resolver
	transport   http.RoundTripper
	observe     func(Event)
	dial        dialFunc // nil but in tests
}

type rule struct {
	name    string
	hosts   []pattern
	schemes map[string]bool
	ports   []uint16 // nil: the scheme's own
	methods map[string]bool
	paths   []pathPrefix    // nil: all
	headers map[string]bool // nil: all that aren't reserved or soft
}

type credential struct {
	name     string
	hosts    []pattern
	header   string // in lower case
	insecure bool
	Credential
}

var (
	defaultSchemes = set("https")
	defaultMethods = set("GET", "HEAD")
)

type compiler struct{ problems []Problem }

func (c *compiler) add(code, field, message string) {
	c.problems = append(c.problems, Problem{Code: code, Field: field, Message: message})
}

func (c *compiler) patterns(field string, hosts []string) []pattern {
	list, problems := compilePatterns(field, hosts)
	c.problems = append(c.problems, problems...)
	return list
}

func compile(p Policy) (*grants, []Problem) {
	c := &compiler{}
	g := &grants{
		redirects: defaultRedirects, agent: "pinfold", roots: p.RootCAs, resolver: p.Resolver, transport: p.Transport, observe: p.Observe,
	}
	if p.MaxRedirects != 0 {
		g.redirects = max(p.MaxRedirects, 0)
	}
	g.timeout = limit(c, "Timeout", p.Timeout, defaultTimeout)
	g.body = limit(c, "MaxBodyBytes", p.MaxBodyBytes, defaultBody)
	g.request = limit(c, "MaxRequestBytes", p.MaxRequestBytes, defaultRequest)
	g.header = limit(c, "MaxHeaderBytes", p.MaxHeaderBytes, defaultHeader)
	g.depth = limit(c, "MaxAgentDepth", p.MaxAgentDepth, defaultDepth)
	if p.UserAgent != "" {
		g.agent = p.UserAgent
		if !validValue(p.UserAgent) {
			c.add(ProblemUserAgent, "UserAgent", "can't be the value of a header")
		}
	}
	if g.resolver == nil {
		g.resolver = systemResolver{}
	}
	g.private = c.prefixes("AllowPrivate", p.AllowPrivate)
	g.nat64 = c.prefixes("NAT64", p.NAT64)
	for i, n := range g.nat64 {
		if !n.Addr().Is6() || !slices.Contains(rfc6052, n.Bits()) {
			c.add(ProblemPrefix, index("NAT64", i), n.String()+" can't be a translator's prefix: its length is 32, 40, 48, 56, 64 or 96")
		}
	}
	g.deny = c.patterns("DenyHosts", p.DenyHosts)
	names := map[string]bool{}
	for i := range p.Allow {
		r := c.rule(g, index("Allow", i), &p.Allow[i])
		if names[r.name] {
			c.add(ProblemRuleName, index("Allow", i)+".Name", "another rule is called "+quote(r.name)+" too; decisions name rules")
		}
		names[r.name] = true
		g.rules = append(g.rules, r)
	}
	for i := range p.Credentials {
		c.credential(g, index("Credentials", i), p.Credentials[i])
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return g, nil
}

func limit[T int | int64 | time.Duration](c *compiler, field string, v, def T) T {
	if v < 0 {
		c.add(ProblemLimit, field, "is negative; 0 means the default")
	}
	if v == 0 {
		return def
	}
	return v
}

func (c *compiler) prefixes(field string, list []netip.Prefix) []netip.Prefix {
	out := make([]netip.Prefix, 0, len(list))
	for i, p := range list {
		switch {
		case !p.IsValid():
			c.add(ProblemPrefix, index(field, i), "is not a prefix of addresses")
			continue
		case p.Bits() == 0:
			c.add(ProblemPrefix, index(field, i), p.String()+" has every address; name the networks")
			continue
		case p.Masked() != p:
			c.add(ProblemPrefix, index(field, i), p.String()+" has bits behind its length; write "+p.Masked().String())
			continue
		}
		out = append(out, p)
	}
	return out
}

func (c *compiler) rule(g *grants, field string, r *Rule) rule {
	out := rule{name: r.Name, schemes: defaultSchemes, methods: defaultMethods}
	if out.name == "" {
		out.name = field
	}
	if len(r.Hosts) == 0 {
		c.add(ProblemRuleEmpty, field+".Hosts", "a rule without hosts grants nothing; name them or leave the rule out")
	}
	for i, h := range r.Hosts {
		at := index(field+".Hosts", i)
		p, problem := parsePattern(at, h)
		if problem != nil {
			c.problems = append(c.problems, *problem)
			continue
		}
		out.hosts = append(out.hosts, p)
		if anyCovers(g.deny, p) {
			c.add(ProblemHostDenied, at, quote(h)+" is granted and denied; take it out of one of them")
		}
		if t, err := parseTarget("http://"+p.name, nil); err == nil && t.addr.IsValid() {
			if why := g.refused(t.addr, nil); why != "" {
				c.add(ProblemHostPrivate, at, quote(h)+" could never be reached ("+why+"); add it to AllowPrivate or take it out")
			}
		}
	}
	if r.Schemes != nil {
		out.schemes = map[string]bool{}
		for i, s := range r.Schemes {
			if s != "http" && s != "https" {
				c.add(ProblemScheme, index(field+".Schemes", i), quote(s)+" is neither http nor https")
			}
			out.schemes[s] = true
		}
	}
	if r.Ports != nil {
		out.ports = append([]uint16{}, r.Ports...)
		for i, p := range r.Ports {
			if p == 0 {
				c.add(ProblemPort, index(field+".Ports", i), "there is no port 0")
			}
		}
	}
	if r.Methods != nil {
		out.methods = map[string]bool{}
		for i, m := range r.Methods {
			switch {
			case !isToken(m):
				c.add(ProblemMethod, index(field+".Methods", i), quote(m)+" is not a method")
			case neverMethods[strings.ToUpper(m)]:
				c.add(ProblemMethod, index(field+".Methods", i), m+" can't be granted")
			case m != strings.ToUpper(m):
				c.add(ProblemMethod, index(field+".Methods", i), "write "+strings.ToUpper(m))
			}
			out.methods[m] = true
		}
	}
	if r.Paths != nil {
		out.paths = []pathPrefix{}
		for i, s := range r.Paths {
			if u, ok, _ := url.Parse(nil, "http://h"+s, nil); !strings.HasPrefix(s, "/") || !ok || u.Path != s || !plainPath(s) {
				c.add(ProblemPath, index(field+".Paths", i), quote(s)+" is not a path as URLs have it: absolute, without query and dot segments, percent-encoded where they do")
				continue
			}
			out.paths = append(out.paths, pathPrefix(s))
		}
	}
	if r.Headers != nil {
		out.headers = map[string]bool{}
		for i, h := range r.Headers {
			at := index(field+".Headers", i)
			always, _ := Forbidden(h)
			switch {
			case !isToken(h):
				c.add(ProblemHeader, at, quote(h)+" is not a header's name")
			case always:
				c.add(ProblemHeader, at, quote(h)+" can't be granted: it belongs to the connection")
			}
			out.headers[strings.ToLower(h)] = true
		}
	}
	return out
}

func (c *compiler) credential(g *grants, field string, from Credential) {
	cr := credential{Credential: from, name: from.Name, header: strings.ToLower(from.Header), insecure: from.Insecure}
	cr.hosts = c.patterns(field+".Hosts", from.Hosts)
	always, _ := Forbidden(from.Header)
	switch {
	case from.Name == "":
		c.add(ProblemCredential, field+".Name", "is empty; events name it")
	case from.Value == nil:
		c.add(ProblemCredential, field+".Value", "is nil; it returns the value of the header")
	case len(from.Hosts) == 0:
		c.add(ProblemCredential, field+".Hosts", "is empty: it would never be attached")
	case !isToken(from.Header) || always || bodyHeaders[cr.header]:
		c.add(ProblemHeader, field+".Header", quote(from.Header)+" can't be set")
	}
	for _, p := range cr.hosts {
		granted := false
		for i := range g.rules {
			for _, h := range g.rules[i].hosts {
				granted = granted || h.overlaps(p)
			}
		}
		if !granted {
			c.add(ProblemCredentialHost, field+".Hosts", "no rule grants "+quote(p.String())+", so it would never be attached there")
		}
		for i := range g.credentials {
			if o := &g.credentials[i]; o.header == cr.header && slices.ContainsFunc(o.hosts, p.overlaps) {
				c.add(ProblemCredentialOverlap, field, "and "+quote(o.name)+" both set "+from.Header+" for "+quote(p.String()))
			}
		}
	}
	g.credentials = append(g.credentials, cr)
}

// neverMethods make tunnels or echo the request.
var neverMethods = set("CONNECT", "TRACE", "TRACK")
