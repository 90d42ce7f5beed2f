package egress_test

import (
	"context"
	"crypto/x509"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/capability/egress"
)

type poolT = x509.CertPool

func pool(c *x509.Certificate) *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(c)
	return p
}

// problem wants a policy to be refused for one reason among others.
func problem(t testing.TB, p egress.Policy, code string) egress.Problem {
	t.Helper()
	_, err := egress.New(p)
	var e *egress.ConfigError
	if !errors.As(err, &e) {
		t.Fatalf("%+v: %v, want %s", p.Allow, err, code)
	}
	for _, got := range e.Problems {
		if got.Code == code {
			return got
		}
	}
	t.Fatalf("%v, want %s", err, code)
	return egress.Problem{}
}

func TestZeroPolicyGrantsNothing(t *testing.T) {
	c := client(t, egress.Policy{})
	for _, u := range []string{"https://example.com/", "http://127.0.0.1/", "https://93.184.215.14/"} {
		if e := refusedURL(t, c, u, egress.HostNotAllowed); e.Rule != "default deny" || !strings.Contains(e.Hint, "grant the host") {
			t.Errorf("%+v", e)
		}
	}
}

func TestValidate(t *testing.T) {
	value := func(context.Context) (string, error) { return "Bearer 12345678", nil }
	host := func(h string) egress.Policy { return egress.Policy{Allow: []egress.Rule{{Hosts: []string{h}}}} }
	rule := func(r egress.Rule) egress.Policy {
		r.Hosts = []string{"example.com"}
		return egress.Policy{Allow: []egress.Rule{r}}
	}
	cred := func(list ...egress.Credential) egress.Policy {
		p := host("example.com")
		p.Credentials = list
		return p
	}
	for _, tc := range []struct {
		p     egress.Policy
		code  string
		field string
	}{
		{host(""), egress.ProblemHostEmpty, "Allow[0].Hosts[0]"},
		{host("*"), egress.ProblemHostWildcard, "Allow[0].Hosts[0]"},
		{host("*."), egress.ProblemHostWildcard, ""},
		{host("*.com"), egress.ProblemHostWildcard, ""},
		{host("a.*.com"), egress.ProblemHostWildcard, ""},
		{host("*.*.com"), egress.ProblemHostWildcard, ""},
		{host("*example.com"), egress.ProblemHostWildcard, ""},
		{host("https://example.com"), egress.ProblemHostMalformed, ""},
		{host("example.com:443"), egress.ProblemHostMalformed, ""},
		{host("example.com/v1"), egress.ProblemHostMalformed, ""},
		{host("user@example.com"), egress.ProblemHostMalformed, ""},
		{host("exa mple.com"), egress.ProblemHostMalformed, ""},
		{host("*.93.184.215.14"), egress.ProblemHostMalformed, ""},
		{host("a..b"), egress.ProblemHostMalformed, ""},
		{host("[fe80::1%eth0]"), egress.ProblemHostMalformed, ""},
		{host("999.1.1.1"), egress.ProblemHostMalformed, ""},
		{host("Example.com"), egress.ProblemHostNotCanonical, ""},
		{host("example.com."), egress.ProblemHostNotCanonical, ""},
		{host("0x5db8d70e"), egress.ProblemHostNotCanonical, ""},
		{host("[2606:2800:021f:cb07:6820:80da:af6b:8b2c]"), egress.ProblemHostNotCanonical, ""},
		{host("169.254.169.254"), egress.ProblemHostPrivate, ""},
		{host("168.63.129.16"), egress.ProblemHostPrivate, ""},
		{egress.Policy{Allow: []egress.Rule{{}}}, egress.ProblemRuleEmpty, "Allow[0].Hosts"},
		{egress.Policy{Allow: []egress.Rule{{Name: "a", Hosts: []string{"a.com"}}, {Name: "a", Hosts: []string{"b.com"}}}}, egress.ProblemRuleName, "Allow[1].Name"},
		{egress.Policy{Allow: []egress.Rule{{Hosts: []string{"a.b.com"}}}, DenyHosts: []string{"*.b.com"}}, egress.ProblemHostDenied, ""},
		{egress.Policy{Allow: []egress.Rule{{Hosts: []string{"*.a.b.com"}}}, DenyHosts: []string{"*.b.com"}}, egress.ProblemHostDenied, ""},
		{rule(egress.Rule{Schemes: []string{"HTTPS"}}), egress.ProblemScheme, "Allow[0].Schemes[0]"},
		{rule(egress.Rule{Schemes: []string{"ftp"}}), egress.ProblemScheme, ""},
		{rule(egress.Rule{Ports: []uint16{0}}), egress.ProblemPort, ""},
		{rule(egress.Rule{Methods: []string{"get"}}), egress.ProblemMethod, ""},
		{rule(egress.Rule{Methods: []string{"CONNECT"}}), egress.ProblemMethod, ""},
		{rule(egress.Rule{Methods: []string{"*/*"}}), egress.ProblemMethod, ""},
		{rule(egress.Rule{Paths: []string{"v1"}}), egress.ProblemPath, ""},
		{rule(egress.Rule{Paths: []string{"/v1/../x"}}), egress.ProblemPath, ""},
		{rule(egress.Rule{Paths: []string{"/v1?x"}}), egress.ProblemPath, ""},
		{rule(egress.Rule{Paths: []string{"/ü"}}), egress.ProblemPath, ""},
		{rule(egress.Rule{Paths: []string{"/v1/%2e%2e%2fx"}}), egress.ProblemPath, ""},
		{rule(egress.Rule{Headers: []string{"Proxy-X"}}), egress.ProblemHeader, ""},
		{rule(egress.Rule{Headers: []string{"a b"}}), egress.ProblemHeader, ""},
		{egress.Policy{AllowPrivate: []netip.Prefix{{}}}, egress.ProblemPrefix, "AllowPrivate[0]"},
		{egress.Policy{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}, egress.ProblemPrefix, ""},
		{egress.Policy{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("10.1.2.3/8")}}, egress.ProblemPrefix, ""},
		{egress.Policy{NAT64: []netip.Prefix{netip.MustParsePrefix("2001:67c::/33")}}, egress.ProblemPrefix, "NAT64[0]"},
		{egress.Policy{NAT64: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}, egress.ProblemPrefix, ""},
		{egress.Policy{Timeout: -1}, egress.ProblemLimit, "Timeout"},
		{egress.Policy{MaxBodyBytes: -1}, egress.ProblemLimit, "MaxBodyBytes"},
		{egress.Policy{UserAgent: "a\nb"}, egress.ProblemUserAgent, "UserAgent"},
		{cred(egress.Credential{Hosts: []string{"example.com"}, Header: "a", Value: value}), egress.ProblemCredential, "Credentials[0].Name"},
		{cred(egress.Credential{Name: "n", Hosts: []string{"example.com"}, Header: "a"}), egress.ProblemCredential, "Credentials[0].Value"},
		{cred(egress.Credential{Name: "n", Header: "a", Value: value}), egress.ProblemCredential, "Credentials[0].Hosts"},
		{cred(egress.Credential{Name: "n", Hosts: []string{"example.com"}, Header: "Host", Value: value}), egress.ProblemHeader, ""},
		{cred(egress.Credential{Name: "n", Hosts: []string{"other.com"}, Header: "a", Value: value}), egress.ProblemCredentialHost, ""},
		{cred(egress.Credential{Name: "n", Hosts: []string{"example.com"}, Header: "a", Value: value}, egress.Credential{Name: "m", Hosts: []string{"example.com"}, Header: "A", Value: value}), egress.ProblemCredentialOverlap, ""},
	} {
		got := problem(t, tc.p, tc.code)
		if tc.field != "" && got.Field != tc.field {
			t.Errorf("%s: field %s, want %s", got, got.Field, tc.field)
		}
		if len(got.Message) < 8 {
			t.Errorf("%s says nothing", got)
		}
	}
	for _, h := range []string{"example.com", "*.example.com", "localhost", "*.internal", "a_b.example.com", "93.184.215.14", "2606:2800:21f::1", "[2606:2800:21f::1]", "xn--bcher-kva.example"} {
		if problems := host(h).Validate(); len(problems) > 0 {
			t.Errorf("%s: %v", h, problems)
		}
	}
	// All problems at once.
	p := egress.Policy{Allow: []egress.Rule{{Hosts: []string{"*", "ü.com"}}}, Timeout: -1}
	if _, err := egress.New(p); err == nil || len(p.Validate()) != 3 || !strings.Contains(err.Error(), "3 problems") {
		t.Errorf("%v", err)
	}
}

func TestRuleDimensions(t *testing.T) {
	c := client(t, egress.Policy{Allow: []egress.Rule{
		{Name: "read", Hosts: []string{"api.example.com", "*.data.example.com"}},
		{Name: "write", Hosts: []string{"api.example.com"}, Methods: []string{"POST"}, Paths: []string{"/v1"}, Ports: []uint16{443, 8443}},
		{Name: "plain", Hosts: []string{"old.example.com"}, Schemes: []string{"http"}},
	}, DenyHosts: []string{"secret.data.example.com"}})
	for _, tc := range []struct {
		method, url, rule string
		code              egress.Code
	}{
		{"GET", "https://api.example.com/", "read", ""},
		{"", "https://api.example.com:443/", "read", ""},
		{"head", "https://api.example.com/x", "read", ""},
		{"POST", "https://api.example.com/v1/x", "write", ""},
		{"post", "https://api.example.com:8443/v1", "write", ""},
		{"GET", "http://old.example.com/", "plain", ""},
		{"GET", "https://a.b.data.example.com/", "read", ""},
		{"GET", "https://data.example.com/", "default deny", egress.HostNotAllowed},
		{"GET", "https://secret.data.example.com/", "DenyHosts[0]", egress.HostNotAllowed},
		{"GET", "http://api.example.com/", "read", egress.SchemeNotAllowed},
		{"GET", "https://old.example.com/", "plain", egress.SchemeNotAllowed},
		{"GET", "https://api.example.com:8443/", "write", egress.MethodNotAllowed},
		{"GET", "https://api.example.com:444/", "read", egress.PortNotAllowed},
		{"DELETE", "https://api.example.com/", "read", egress.MethodNotAllowed},
		{"POST", "https://api.example.com/v2", "write", egress.PathNotAllowed},
	} {
		d, err := c.Admit(egress.Request{Method: tc.method, URL: tc.url})
		if d.Rule != tc.rule || d.Code != tc.code || d.Allowed != (tc.code == "") || (err == nil) != d.Allowed {
			t.Errorf("%s %s: %+v, %v", tc.method, tc.url, d, err)
		}
	}
	d, _ := c.Admit(egress.Request{URL: "https://user:pass@api.example.com/"})
	if strings.Contains(d.URL, "pass") {
		t.Errorf("%+v", d)
	}
}

func TestNarrow(t *testing.T) {
	c := client(t, egress.Policy{Allow: []egress.Rule{{Hosts: []string{"a.example.com", "*.b.example.com"}}}, DenyHosts: []string{"x.b.example.com"}})
	allowed := func(c *egress.Client, host string) bool {
		d, _ := c.Admit(egress.Request{URL: "https://" + host + "/"})
		return d.Allowed
	}
	narrow := func(c *egress.Client, hosts ...string) *egress.Client {
		t.Helper()
		n, err := c.Narrow(hosts)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	one := narrow(c, "a.example.com", "evil.com")
	if !allowed(one, "a.example.com") || allowed(one, "evil.com") || allowed(one, "c.b.example.com") {
		t.Error("Narrow to one host")
	}
	if e := refusedURL(t, one, "https://c.b.example.com/", egress.HostNotAllowed); e.Rule != "not declared" || e.Hint != `declare the host "c.b.example.com"` {
		t.Errorf("%+v", e)
	}
	if none := narrow(c); allowed(none, "a.example.com") {
		t.Error("no hosts are some")
	}
	// Two times is both; the second can't widen.
	two := narrow(narrow(c, "*.example.com"), "c.b.example.com")
	if !allowed(two, "c.b.example.com") || allowed(two, "a.example.com") || allowed(two, "d.b.example.com") {
		t.Error("Narrow two times")
	}
	if wider := narrow(one, "*.example.com"); allowed(wider, "c.b.example.com") || !allowed(wider, "a.example.com") {
		t.Error("Narrow widens")
	}
	if !allowed(c, "c.b.example.com") {
		t.Error("Narrow changed the client")
	}
	if _, err := c.Narrow([]string{"*"}); err == nil {
		t.Error("Narrow took *")
	}
	hosts := []string{"a.example.com", "c.b.example.com", "*.c.b.example.com", "*.b.example.com", "x.b.example.com", "b.example.com", "*.example.com", "evil.com", "*"}
	if got, want := c.Missing(hosts), []string{"*.b.example.com", "x.b.example.com", "b.example.com", "*.example.com", "evil.com", "*"}; !slices.Equal(got, want) {
		t.Errorf("missing %q", got)
	}
	if got := one.Missing([]string{"a.example.com", "c.b.example.com"}); !slices.Equal(got, []string{"c.b.example.com"}) {
		t.Errorf("missing %q", got)
	}
}
