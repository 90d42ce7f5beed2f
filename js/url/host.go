package url

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/pinfold-js/pinfold/meter"
)

// maxUnicodeDomain is the longest domain, in bytes, that goes through IDNA
// processing; one that is longer is refused. Names that can be resolved have at
// most 253 characters.
const maxUnicodeDomain = 4 * 256

// unicodeToASCII is Unicode ToASCII of UTS #46 as domain to ASCII (§3.3) calls
// it.
var unicodeToASCII = idna.New(
	idna.MapForLookup(), idna.Transitional(false), idna.CheckHyphens(false), idna.CheckJoiners(true),
	idna.BidiRule(), idna.StrictDomainName(false), idna.VerifyDNSLength(false),
)

// domainToASCII is domain to ASCII (§3.3), beStrict being false.
func domainToASCII(m *meter.Meter, domain string) (s string, ok bool, err error) {
	plain, upper := true, false
	for i := range len(domain) { //meter: the parser charged for the input
		c := domain[i]
		if c >= 0x80 || (c == 'x' || c == 'X') && acePrefix(domain[i:]) && (i == 0 || domain[i-1] == '.') {
			plain = false
			break
		}
		upper = upper || c >= 'A' && c <= 'Z'
	}
	if plain {
		if upper {
			domain = asciiLower(domain)
		}
		return domain, domain != "", nil
	}
	if len(domain) > maxUnicodeDomain {
		return "", false, nil
	}
	if m != nil {
		// Punycode looks at all characters once for each different one.
		n := int64(utf8.RuneCountInString(domain))
		if err := m.Charge(20*n + n*n/4); err != nil {
			return "", false, err
		}
	}
	out, invalid := unicodeToASCII.ToASCII(domain)
	return out, invalid == nil && out != "", nil
}

func acePrefix(s string) bool { return len(s) >= 4 && strings.EqualFold(s[:4], "xn--") }

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b { //meter: the parser charged for the input
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func hasAny(s string, in set) bool {
	for i := range len(s) { //meter: the parser charged for the input
		if sets[s[i]]&in != 0 {
			return true
		}
	}
	return false
}

// parseHost is the host parser (§3.5) with the host serializer (§3.6): it
// returns the host as text.
func parseHost(m *meter.Meter, input string, opaque bool) (host string, ok bool, err error) {
	if strings.HasPrefix(input, "[") {
		if !strings.HasSuffix(input, "]") || len(input) < 2 {
			return "", false, nil
		}
		a, ok := parseIPv6(input[1 : len(input)-1])
		if !ok {
			return "", false, nil
		}
		return "[" + formatIPv6(a) + "]", true, nil
	}
	if opaque {
		if hasAny(input, forbiddenHost) {
			return "", false, nil
		}
		return string(appendEncoded(nil, input, setC0)), true, nil
	}
	ascii, ok, err := domainToASCII(m, decodeUTF8(percentDecode(input, false)))
	if err != nil {
		return "", false, err
	}
	if !ok || hasAny(ascii, forbiddenDomain) {
		return "", false, nil
	}
	if endsInNumber(ascii) {
		a, ok := parseIPv4(ascii)
		if !ok {
			return "", false, nil
		}
		return formatIPv4(a), true, nil
	}
	return ascii, true, nil
}

// endsInNumber is the ends in a number checker.
func endsInNumber(s string) bool {
	s = strings.TrimSuffix(s, ".")
	last := s[strings.LastIndexByte(s, '.')+1:]
	if last == "" {
		return false
	}
	digits := true
	for i := range len(last) { //meter: the parser charged for the input
		if last[i] < '0' || last[i] > '9' {
			digits = false
			break
		}
	}
	if digits {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

// parseIPv4Number is the IPv4 number parser. Numbers past 2**32 are as good as
// 2**32.
func parseIPv4Number(s string) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	base := uint64(10)
	switch {
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		s, base = s[1:], 8
	}
	n := uint64(0)
	for i := range len(s) { //meter: the parser charged for the input
		d, ok := unhex(s[i])
		if !ok || uint64(d) >= base {
			return 0, false
		}
		n = min(n*base+uint64(d), 1<<32)
	}
	return n, true
}

// parseIPv4 is the IPv4 parser.
func parseIPv4(s string) (uint32, bool) {
	parts := strings.SplitN(strings.TrimSuffix(s, "."), ".", 5)
	if len(parts) > 4 {
		return 0, false
	}
	ip := uint64(0)
	for i, p := range parts { //meter: at most four
		n, ok := parseIPv4Number(p)
		if !ok {
			return 0, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return 0, false
			}
			ip |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return 0, false
		}
		ip |= n
	}
	return uint32(ip), true
}

func formatIPv4(a uint32) string {
	b := make([]byte, 0, 15)
	for i := 24; i >= 0; i -= 8 { //meter: four
		b = strconv.AppendUint(b, uint64(a>>i&0xFF), 10)
		if i > 0 {
			b = append(b, '.')
		}
	}
	return string(b)
}

// parseIPv6 is the IPv6 parser.
func parseIPv6(s string) (a [8]uint16, ok bool) {
	at := func(i int) byte {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	piece, compress, p := 0, -1, 0
	if at(p) == ':' {
		if at(p+1) != ':' {
			return a, false
		}
		p += 2
		piece++
		compress = piece
	}
	for p < len(s) { //meter: at most eight pieces
		if piece == 8 {
			return a, false
		}
		if s[p] == ':' {
			if compress >= 0 {
				return a, false
			}
			p++
			piece++
			compress = piece
			continue
		}
		value, length := uint16(0), 0
		for length < 4 && p < len(s) { //meter: at most four
			d, ok := unhex(s[p])
			if !ok {
				break
			}
			value = value<<4 | uint16(d)
			p++
			length++
		}
		if at(p) == '.' && p < len(s) {
			if length == 0 || piece > 6 {
				return a, false
			}
			p -= length
			if !parseIPv4In6(s[p:], &a, piece) {
				return a, false
			}
			piece += 2
			break
		}
		if p < len(s) {
			if s[p] != ':' {
				return a, false
			}
			p++
			if p == len(s) {
				return a, false
			}
		}
		a[piece] = value
		piece++
	}
	switch {
	case compress >= 0:
		n := piece - compress
		copy(a[8-n:], a[compress:piece])
		clear(a[compress : 8-n])
	case piece != 8:
		return a, false
	}
	return a, true
}

// parseIPv4In6 reads the dotted end of an IPv6 address.
func parseIPv4In6(s string, a *[8]uint16, piece int) bool {
	for seen := 0; seen < 4; seen++ { //meter: four
		if seen > 0 {
			if s == "" || s[0] != '.' {
				return false
			}
			s = s[1:]
		}
		n, digits := 0, 0
		for s != "" && s[0] >= '0' && s[0] <= '9' { //meter: ends when n passes 255
			if digits > 0 && n == 0 {
				return false
			}
			n = n*10 + int(s[0]-'0')
			if n > 255 {
				return false
			}
			digits++
			s = s[1:]
		}
		if digits == 0 {
			return false
		}
		i := piece + seen/2
		a[i] = a[i]<<8 | uint16(n)
	}
	return s == ""
}

// formatIPv6 is the IPv6 serializer.
func formatIPv6(a [8]uint16) string {
	start, length := -1, 1
	for i := 0; i < 8; i++ { //meter: eight
		n := 0
		for i+n < 8 && a[i+n] == 0 { //meter: eight
			n++
		}
		if n > length {
			start, length = i, n
		}
		i += n
	}
	b := make([]byte, 0, 39)
	for i := 0; i < 8; i++ { //meter: eight
		if i == start {
			b = append(b, ':', ':')
			i += length - 1
			continue
		}
		if i > 0 && i != start+length || start < 0 && i > 0 {
			b = append(b, ':')
		}
		b = strconv.AppendUint(b, uint64(a[i]), 16)
	}
	return string(b)
}
