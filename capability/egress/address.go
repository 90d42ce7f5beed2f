package egress

import (
	"encoding/binary"
	"net"
	"net/netip"
)

// special are the ranges that are not dialled: IANA's special-purpose address
// registries for IPv4 and IPv6, multicast, and 168.63.129.16, the address by
// which machines of a large cloud reach its control plane. IPv6 has one more
// rule: what is outside 2000::/3 is not global unicast.
var special = prefixes(
	"0.0.0.0/8",     // this network
	"10.0.0.0/8",    // private use
	"100.64.0.0/10", // shared address space
	"127.0.0.0/8",   // loopback
	"168.63.129.16/32",
	"169.254.0.0/16",  // link local
	"172.16.0.0/12",   // private use
	"192.0.0.0/24",    // IETF protocol assignments
	"192.0.2.0/24",    // documentation
	"192.31.196.0/24", // AS112
	"192.52.193.0/24", // AMT
	"192.88.99.0/24",  // 6to4 relay anycast
	"192.168.0.0/16",  // private use
	"192.175.48.0/24", // direct delegation AS112
	"198.18.0.0/15",   // benchmarking
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, limited broadcast

	"::/128",            // unspecified
	"::1/128",           // loopback
	"::ffff:0:0/96",     // IPv4-mapped
	"::ffff:0:0:0/96",   // IPv4-translated (RFC 2765)
	"::/96",             // IPv4-compatible
	"64:ff9b::/96",      // translation
	"64:ff9b:1::/48",    // local-use translation
	"100::/64",          // discard only
	"100:0:0:1::/64",    // dummy
	"2001::/23",         // IETF protocol assignments, with Teredo and ORCHID
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4
	"2620:4f:8000::/48", // direct delegation AS112
	"3fff::/20",         // documentation
	"5f00::/16",         // segment routing
	"fc00::/7",          // unique local
	"fe80::/10",         // link local
	"fec0::/10",         // site local
	"ff00::/8",          // multicast
)

var globalUnicast6 = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	p := make([]netip.Prefix, len(list))
	for i, s := range list {
		p[i] = netip.MustParsePrefix(s)
	}
	return p
}

// addresses decides on addresses.
type addresses struct {
	private []netip.Prefix
	nat64   []netip.Prefix
}

// refused says which rule refuses the address; empty means none does. own are
// the addresses of this machine.
func (g *addresses) refused(a netip.Addr, own []netip.Addr) string {
	if !a.IsValid() {
		return "not an address"
	}
	if a.Zone() != "" {
		return "an address with a zone"
	}
	// The addresses inside must be allowed by themselves, also where the one that
	// carries them was granted. Where it was not, no grant of theirs counts: it is
	// for the address as it is, not for its disguises.
	granted := g.granted(a)
	var room [4]netip.Addr
	for _, inner := range g.embedded(a, room[:0]) {
		if granted && g.granted(inner) {
			continue
		}
		if rule := notPublic(inner, own); rule != "" {
			return rule + " inside IPv6"
		}
	}
	if granted {
		return ""
	}
	return notPublic(a, own)
}

func (g *addresses) granted(a netip.Addr) bool {
	for _, p := range g.private {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// notPublic says which range a is in that is no part of the public internet.
func notPublic(a netip.Addr, own []netip.Addr) string {
	for _, p := range special {
		if p.Contains(a) {
			return "special range " + p.String()
		}
	}
	if a.Is6() && !globalUnicast6.Contains(a) {
		return "not global unicast"
	}
	for _, o := range own {
		if o == a {
			return "an address of this machine"
		}
	}
	return ""
}

// embedded appends the IPv4 addresses that an IPv6 address carries, by any of
// the ways there are.
func (g *addresses) embedded(a netip.Addr, to []netip.Addr) []netip.Addr {
	if !a.Is6() {
		return to
	}
	b := a.As16()
	v4 := func(i int) netip.Addr { return netip.AddrFrom4([4]byte(b[i : i+4])) }
	hi := binary.BigEndian.Uint64(b[:8])
	mid := binary.BigEndian.Uint32(b[8:12])
	switch {
	case a == netip.IPv6Unspecified() || a == netip.IPv6Loopback():
		return to
	case hi == 0 && (mid == 0 || mid == 0xFFFF || mid == 0xFFFF0000):
		// Compatible, mapped, translated.
		return append(to, v4(12))
	case hi>>48 == 0x2002: // 6to4
		to = append(to, v4(2))
	case hi>>32 == 0x20010000: // Teredo: the server, and the client with its bits inverted
		c := v4(12).As4()
		for i := range c {
			c[i] ^= 0xFF
		}
		to = append(to, v4(4), netip.AddrFrom4(c))
	case hi == 0x0064FF9B<<32 && mid == 0: // translation by the well-known prefix
		return append(to, v4(12))
	case hi>>16 == 0x0064FF9B0001:
		// Local-use translation: the operator chooses the length of the prefix, and
		// all of them are read.
		for _, bits := range rfc6052 {
			if bits >= 48 {
				to = append(to, translated(b, bits))
			}
		}
		return to
	}
	for _, p := range g.nat64 {
		if p.Contains(a) {
			to = append(to, translated(b, p.Bits()))
		}
	}
	if mid&^0x02000000 == 0x5EFE { // ISATAP
		to = append(to, v4(12))
	}
	return to
}

// rfc6052 are the lengths of the prefixes of translators.
var rfc6052 = []int{32, 40, 48, 56, 64, 96}

// translated is the IPv4 address after a prefix (RFC 6052 §2.2): octet 8 is
// left out.
func translated(b [16]byte, bits int) netip.Addr {
	var v4 [4]byte
	at := bits / 8
	for i := range v4 {
		if at == 8 {
			at++
		}
		v4[i] = b[at]
		at++
	}
	return netip.AddrFrom4(v4)
}

// ownAddresses are those of this machine's interfaces: a public one leads to
// local services just as loopback does.
func ownAddresses() []netip.Addr {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return nil // where there are no interfaces to ask for
	}
	own := make([]netip.Addr, 0, len(list))
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok {
			if ip, ok := netip.AddrFromSlice(n.IP); ok {
				own = append(own, ip.Unmap())
			}
		}
	}
	return own
}
