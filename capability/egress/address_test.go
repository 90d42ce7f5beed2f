package egress_test

import (
	"math/big"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pinfold-js/pinfold/capability/egress"
)

// registries are the blocks of IANA's special-purpose address registries, the
// multicast blocks, and what else is no global unicast. Their first and last
// addresses are refused.
var registries = []string{
	"0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.0.0/29",
	"192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/32", "192.0.0.171/32", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "255.255.255.255/32",
	"224.0.0.0/4", "168.63.129.16/32",

	"::1/128", "::/128", "::ffff:0:0/96", "::ffff:0:0:0/96", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001::/32", "2001:1::1/128",
	"2001:1::2/128", "2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28", "2001:20::/28", "2001:30::/28", "2001:db8::/32",
	"2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "4000::/3", "6000::/3", "e000::/3", "8000::/2", "c000::/3", "::/3",
}

func last(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func TestAddresses(t *testing.T) {
	c := client(t, egress.Policy{})
	for _, s := range registries {
		p := netip.MustParsePrefix(s)
		for _, a := range []netip.Addr{p.Addr(), last(p)} {
			if c.Refused(a) == "" {
				t.Errorf("%s of %s is allowed", a, s)
			}
		}
	}
	for _, s := range []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255", "172.32.0.0",
		"192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "169.253.255.255", "169.255.0.0", "168.63.129.15",
		"2001:200::1", "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e", "3ffe::1", "2000::1",
		"2606:4700::5efe:808:808", // ISATAP of a public address
	} {
		if rule := c.Refused(addr(s)); rule != "" {
			t.Errorf("%s is refused: %s", s, rule)
		}
	}
	for _, s := range disguised {
		if c.Refused(addr(s)) == "" {
			t.Errorf("%s is allowed", s)
		}
	}
	for _, s := range []string{"fe80::1%eth0", "2606:4700::1%eth0"} {
		if c.Refused(addr(s)) == "" {
			t.Errorf("%s is allowed", s)
		}
	}
	if c.Refused(netip.Addr{}) == "" {
		t.Error("no address is allowed")
	}
	if c.RefusedOn(public, local, public) == "" || c.RefusedOn(public, local, public6) != "" {
		t.Error("the addresses of the machine itself")
	}
}

func TestAllowPrivate(t *testing.T) {
	with := func(list ...string) *egress.Client {
		var p egress.Policy
		for _, s := range list {
			p.AllowPrivate = append(p.AllowPrivate, netip.MustParsePrefix(s))
		}
		return client(t, p)
	}
	for _, tc := range []struct {
		c    *egress.Client
		a    string
		fits bool
	}{
		{with("10.0.0.0/8"), "10.1.2.3", true},
		{with("10.0.0.0/8"), "192.168.0.1", false},
		{with("10.0.0.0/8"), "::ffff:10.1.2.3", false},
		{with("10.0.0.0/8"), "64:ff9b::a01:203", false},
		{with("10.0.0.0/8"), "2002:a01:203::1", false},
		{with("::ffff:0:0/96"), "::ffff:10.1.2.3", false},
		{with("::ffff:0:0/96"), "::ffff:8.8.8.8", true},
		{with("::ffff:0:0/96", "10.0.0.0/8"), "::ffff:10.1.2.3", true},
		{with("64:ff9b::/96"), "64:ff9b::808:808", true},
		{with("64:ff9b::/96"), "64:ff9b::7f00:1", false},
		{with("64:ff9b:1::/48"), "64:ff9b:1:808:8:800::", false}, // at /96 it would be 0.0.0.0
		{with("2001::/32"), "2001:0:808:808::f7f7:f7f7", true},   // the client 8.8.8.8
		{with("2001::/32"), "2001:0:808:808::f5fe:fdfc", false},  // 10.1.2.3
		{with("2001::/32"), "2001:0:a01:203::f7f7:f7f7", false},  // the server 10.1.2.3
		{with("2002::/16"), "2002:808:808::1", true},
		{with("2002::/16"), "2002:a01:203::1", false},
		{with("fd00::/8"), "fd00::1", true},
		{with("fd00::/8"), "fd00::5efe:7f00:1", false},
		{with("fe80::/10"), "fe80::1%eth0", false},
		{with("127.0.0.0/8"), "127.0.0.1", true},
	} {
		if got := tc.c.Refused(addr(tc.a)); (got == "") != tc.fits {
			t.Errorf("%s: %q", tc.a, got)
		}
	}
	// A translator of the network's own: RFC 6052 §2.4 has these forms of
	// 192.0.2.33.
	for prefix, a := range map[string]string{
		"2606:db8::/32": "2606:db8:c000:221::", "2606:db8:100::/40": "2606:db8:1c0:2:21::", "2606:db8:122::/48": "2606:db8:122:c000:2:2100::",
		"2606:db8:122:300::/56": "2606:db8:122:3c0:0:221::", "2606:db8:122:344::/64": "2606:db8:122:344:c0:2:2100::", "2606:db8:122:344::/96": "2606:db8:122:344::192.0.2.33",
	} {
		if rule := client(t, egress.Policy{}).Refused(addr(a)); rule != "" {
			t.Errorf("%s: %s", a, rule)
		}
		c := client(t, egress.Policy{NAT64: []netip.Prefix{netip.MustParsePrefix(prefix)}})
		if rule := c.Refused(addr(a)); rule != "special range 192.0.2.0/24 inside IPv6" {
			t.Errorf("%s: %q", a, rule)
		}
	}
}

// TestAddressesProperty compares with the registries by arithmetic on numbers,
// for addresses near their borders and for any.
func TestAddressesProperty(t *testing.T) {
	c := client(t, egress.Policy{})
	inRegistry := func(a netip.Addr) bool {
		n := new(big.Int).SetBytes(a.AsSlice())
		for _, s := range registries {
			p := netip.MustParsePrefix(s)
			if p.Addr().BitLen() != a.BitLen() {
				continue
			}
			size := uint(a.BitLen() - p.Bits())
			base := new(big.Int).SetBytes(p.Addr().AsSlice())
			if new(big.Int).Rsh(n, size).Cmp(new(big.Int).Rsh(base, size)) == 0 {
				return true
			}
		}
		return false
	}
	rapid.Check(t, func(t *rapid.T) {
		var a netip.Addr
		if rapid.Bool().Draw(t, "near") {
			p := netip.MustParsePrefix(rapid.SampledFrom(registries).Draw(t, "block"))
			a = p.Addr()
			if rapid.Bool().Draw(t, "last") {
				a = last(p)
			}
			for range rapid.IntRange(0, 3).Draw(t, "steps") {
				if n := a.Next(); n.IsValid() {
					a = n
				}
			}
			for range rapid.IntRange(0, 3).Draw(t, "back") {
				if n := a.Prev(); n.IsValid() {
					a = n
				}
			}
		} else if rapid.Bool().Draw(t, "v4") {
			a = netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "bytes")))
		} else {
			a = netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes")))
		}
		rule := c.Refused(a)
		if want := inRegistry(a); want != (rule != "") && !strings.HasSuffix(rule, "inside IPv6") {
			t.Fatalf("%s: in a registry: %v, refused: %q", a, want, rule)
		}
	})
}
