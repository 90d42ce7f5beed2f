package egress

import (
	"context"
	"crypto/x509"
	"net/http"
	"net/netip"
	"time"
)

// Policy is what a host grants. The zero value grants nothing. New copies what it
// needs; a Policy may be changed and used again afterwards.
type Policy struct {
	// Allow are the grants. A request needs one rule that has all of it.
	Allow []Rule
	// DenyHosts are host patterns as in Rule.Hosts. They win over Allow.
	DenyHosts []string
	// AllowPrivate are the addresses outside the public internet that may be
	// dialled, if a rule has the host: loopback, private networks, and the rest
	// of the special-purpose registries.
	AllowPrivate []netip.Prefix
	// NAT64 are the prefixes by which this network's translators carry IPv4
	// addresses (RFC 6052), besides 64:ff9b::/96. The IPv4 address inside is
	// checked too.
	NAT64 []netip.Prefix

	// Credentials are attached to requests by the host.
	Credentials []Credential

	MaxRedirects    int           // 0 means 5; less, none
	Timeout         time.Duration // of all hops together; 0 means 10 s
	MaxBodyBytes    int64         // of a response, decompressed; 0 means 8 MiB
	MaxRequestBytes int64         // of a request's body; 0 means 1 MiB
	MaxHeaderBytes  int64         // of the headers, each way; 0 means 64 KiB
	MaxAgentDepth   int           // of agents that call each other; 0 means 10

	// UserAgent is the header where the script sets none; empty means "pinfold".
	UserAgent string
	// RootCAs are the authorities that servers' certificates must come from; nil
	// means those of the system.
	RootCAs *x509.CertPool
	// Resolver looks names up; nil means the system's resolver.
	Resolver Resolver
	// Transport, if not nil, answers the hops instead of the network, for tests:
	// no name is looked up and nothing is dialled. The rules hold all the same.
	Transport http.RoundTripper
	// Observe, if not nil, is told of each hop when it was decided on and again
	// when it ended. It is called by the goroutine of Do, and by many of them at
	// once.
	Observe func(Event)
}

// Rule is a grant: requests to any of its hosts, by any of its schemes, ports,
// methods, and so on.
type Rule struct {
	// Name is how decisions name the rule; empty means "Allow[i]".
	Name string
	// Hosts are host names or addresses, in lower-case ASCII. "*.example.com" has
	// all names below example.com, at any depth, and not example.com. A bare "*"
	// is refused, as is a pattern for a whole top-level domain.
	Hosts []string
	// Methods; nil means GET and HEAD.
	Methods []string
	// Schemes, "https" and "http"; nil means https.
	Schemes []string
	// Ports; nil means the scheme's own, 443 or 80.
	Ports []uint16
	// Paths are prefixes that end at a segment's border: "/v1" has /v1 and
	// /v1/items, not /v1evil; "/v1/" has only what is below. nil means all paths.
	Paths []string
	// Headers are the names of headers that scripts may set; nil means all but
	// those that direct a request elsewhere or speak for somebody else (see
	// Forbidden). Some of these may be listed here; the rest is nobody's to set.
	Headers []string
}

// Credential is a header that the host adds to requests for some hosts.
type Credential struct {
	// Name is what events and messages call it.
	Name string
	// Hosts are patterns as in Rule.Hosts.
	Hosts []string
	// Header is the header's name, for example "Authorization".
	Header string
	// Value returns the header's whole value, for example "Bearer …". It is called
	// for each hop. Its secret part must have 8 bytes or more.
	Value func(context.Context) (string, error)
	// Insecure attaches it over http too.
	Insecure bool
}

// Resolver looks up the addresses of a host name. network is "ip". It must end
// with its context. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Event is what happened to a hop. It holds no header, no body, no credential's
// value; but it may hold addresses and causes that scripts must not see.
type Event struct {
	Hop         int
	Method      string
	URL         string // as it was parsed, without fragment; what the script wrote if it could not be
	Host        string
	Port        uint16
	Rule        string // what decided
	Allowed     bool   // the rules allow the hop; addresses are checked after that
	Done        bool   // the hop has ended: Status or Err is set
	Credentials []string
	Addr        netip.AddrPort // that was connected to
	Status      int
	Bytes       int64 // of the body, decompressed
	Err         *Error
	Cause       error // what the system said
}

// Decision is what the rules say of a request before anything is sent.
type Decision struct {
	Allowed bool
	Rule    string // what decided
	Code    Code   // why not
	Method  string
	URL     string // as it was parsed, without fragment
	Host    string
	Port    uint16
}

// Redirect says what happens to a redirect.
type Redirect string

// The values of Redirect are those of fetch's option of that name.
const (
	Follow          Redirect = "follow"
	Manual          Redirect = "manual" // the redirect is the response
	ErrorOnRedirect Redirect = "error"
)

// Request is a request as a script makes it.
type Request struct {
	Method   string // empty means GET
	URL      string // absolute
	Header   map[string]string
	Body     []byte
	Redirect Redirect      // empty means Follow
	Timeout  time.Duration // can only shorten the policy's; 0 means that
	MaxBytes int64         // can only lower the policy's MaxBodyBytes; 0 means that

	// AgentDepth is how many agents stand before this request in a chain of
	// agents that call each other. It comes from the host (see AgentDepth), never
	// from a script.
	AgentDepth int
}

// Response is a response, read to its end.
type Response struct {
	Status     int
	StatusText string
	URL        string // of the last hop, without fragment
	Redirected bool
	// Header has lower-case names; values of one name are joined by ", ".
	// Set-Cookie is left out, as fetch does. Content-Encoding and Content-Length
	// are about the body as it was sent.
	Header map[string]string
	// Body is decompressed.
	Body []byte
	// Location is where a redirect that was not followed leads, as an absolute
	// URL.
	Location string
	Hops     []Hop
}

// Hop is one request of a chain.
type Hop struct {
	Method      string
	URL         string
	Host        string
	Rule        string // what allowed it
	Status      int
	Credentials []string // the names of those that were attached
}

// New checks the policy and makes a client of it. The error is a *ConfigError.
func New(p Policy) (*Client, error) {
	g, problems := compile(p)
	if len(problems) > 0 {
		return nil, &ConfigError{Problems: problems}
	}
	return &Client{g: g}, nil
}

// Validate returns what is wrong with the policy.
func (p Policy) Validate() []Problem {
	_, problems := compile(p)
	return problems
}

// Client makes requests under a policy. It is immutable and safe for use by many
// goroutines.
type Client struct {
	g *grants
	// narrow are host patterns of which each list must have the host.
	narrow [][]pattern
}

// Narrow returns a client that may do what c may, and only with the hosts given,
// which are patterns as in Rule.Hosts. Hosts that c may not use stay refused: see
// Missing. No hosts, no requests.
func (c *Client) Narrow(hosts []string) (*Client, error) {
	list, problems := compilePatterns("hosts", hosts)
	if len(problems) > 0 {
		return nil, &ConfigError{Problems: problems}
	}
	n := &Client{g: c.g, narrow: make([][]pattern, 0, len(c.narrow)+1)}
	n.narrow = append(append(n.narrow, c.narrow...), list)
	return n, nil
}

// Missing returns those of the hosts that c does not grant in full, which are
// patterns as in Rule.Hosts; malformed ones are among them. It is for refusing a
// definition that asks for more than there is.
func (c *Client) Missing(hosts []string) []string {
	var missing []string
	for i, h := range hosts {
		p, problem := parsePattern("", h)
		if problem != nil || !c.grants(p) {
			missing = append(missing, hosts[i])
		}
	}
	return missing
}

func (c *Client) grants(p pattern) bool {
	for _, d := range c.g.deny {
		if d.overlaps(p) {
			return false
		}
	}
	for _, list := range c.narrow {
		if !anyCovers(list, p) {
			return false
		}
	}
	for i := range c.g.rules {
		if anyCovers(c.g.rules[i].hosts, p) {
			return true
		}
	}
	return false
}
