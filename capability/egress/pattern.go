package egress

import (
	"net/netip"
	"strings"

	"github.com/pinfold-js/pinfold/js/url"
)

// pattern is a host or, with sub, all names below it.
type pattern struct {
	name string // as the URL parser writes it, without a dot at the end
	sub  bool
}

func (p pattern) String() string {
	if p.sub {
		return "*." + p.name
	}
	return p.name
}

// match says whether the pattern has the host, which is in the parser's form.
func (p pattern) match(host string) bool {
	if !p.sub {
		return host == p.name
	}
	n := len(host) - len(p.name)
	return n > 1 && host[n-1] == '.' && host[n:] == p.name
}

// covers says whether p has all that q has.
func (p pattern) covers(q pattern) bool {
	if !q.sub {
		return p.match(q.name)
	}
	return p.sub && (p.name == q.name || p.match(q.name))
}

// overlaps says whether there is a host that both have.
func (p pattern) overlaps(q pattern) bool { return p.covers(q) || q.covers(p) }

func anyMatch(list []pattern, host string) bool {
	for _, p := range list {
		if p.match(host) {
			return true
		}
	}
	return false
}

func anyCovers(list []pattern, q pattern) bool {
	for _, p := range list {
		if p.covers(q) {
			return true
		}
	}
	return false
}

// wholeTLD are the top-level names that a pattern may have all of: they are
// nobody's domain in the public tree (RFC 6761, RFC 6762, and ICANN's
// resolution on .internal).
var wholeTLD = map[string]bool{"internal": true, "local": true, "localhost": true, "test": true}

// parsePattern reads a host pattern. It must be written as the URL parser would
// write it, so that a reader sees what will be compared.
func parsePattern(field, s string) (pattern, *Problem) {
	bad := func(code, message string) (pattern, *Problem) {
		return pattern{}, &Problem{Code: code, Field: field, Message: message}
	}
	if s == "" {
		return bad(ProblemHostEmpty, "an empty host; name one, such as api.example.com")
	}
	name, sub := strings.CutPrefix(s, "*.")
	if strings.Contains(name, "*") || name == "" {
		return bad(ProblemHostWildcard, quote(s)+" would grant too much; name the hosts, or use *.example.com for the names below a domain")
	}
	for i := range len(name) {
		if name[i] >= 0x80 {
			hint := ""
			if t, err := parseTarget("http://"+name+"/", nil); err == nil {
				hint = "; write " + quote(pattern{t.host, sub}.String()) + " if that is the one you mean"
			}
			return bad(ProblemHostNotASCII, quote(s)+" is not ASCII, and other letters may look like its own"+hint)
		}
	}
	text := name
	if strings.Contains(name, ":") {
		bare := strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
		if a, err := netip.ParseAddr(bare); err != nil || a.Zone() != "" || !a.Is6() {
			return bad(ProblemHostMalformed, quote(s)+" is not a host; schemes, ports and paths have fields of their own")
		}
		text = "[" + bare + "]"
	} else if strings.ContainsAny(name, "/@?#\\%[] \t\r\n") {
		return bad(ProblemHostMalformed, quote(s)+" is not a host; schemes, ports and paths have fields of their own")
	}
	t, err := parseTarget("http://"+text+"/", nil)
	if err != nil {
		return bad(ProblemHostMalformed, quote(s)+" is not a host name or an address")
	}
	if t.host != text {
		return bad(ProblemHostNotCanonical, quote(s)+" is compared as "+quote(pattern{t.host, sub}.String())+"; write that")
	}
	if sub {
		if t.addr.IsValid() {
			return bad(ProblemHostMalformed, quote(s)+": an address has no names below it")
		}
		if !strings.Contains(t.host, ".") && !wholeTLD[t.host] {
			return bad(ProblemHostWildcard, quote(s)+" would grant a whole top-level domain")
		}
	}
	return pattern{t.host, sub}, nil
}

func compilePatterns(field string, hosts []string) (list []pattern, problems []Problem) {
	for i, h := range hosts {
		p, problem := parsePattern(index(field, i), h)
		if problem != nil {
			problems = append(problems, *problem)
			continue
		}
		list = append(list, p)
	}
	return list, problems
}

// target is a URL that a request may go to, taken apart once.
type target struct {
	u      *url.URL
	scheme string
	host   string     // in the parser's form, without a dot at the end
	addr   netip.Addr // if the host is an address
	port   uint16
}

// maxURL is the longest URL, in bytes.
const maxURL = 16 << 10

// parseTarget reads a URL; base is nil for the one a script gives.
func parseTarget(raw string, base *url.URL) (*target, *Error) {
	if len(raw) > maxURL {
		return nil, tooLarge(maxURL, "url")
	}
	if strings.ToValidUTF8(raw, "") != raw {
		return nil, badArgument("url", "it is not UTF-8")
	}
	u, ok, _ := url.Parse(nil, raw, base)
	if !ok {
		return nil, badArgument("url", "it is not a valid absolute URL")
	}
	t := &target{u: u, scheme: u.Scheme}
	switch u.Scheme {
	case "http":
		t.port = 80
	case "https":
		t.port = 443
	default:
		e := fail(SchemeNotAllowed, u.Scheme)
		e.Rule = "http and https only"
		return nil, e
	}
	if u.Username != "" || u.Password != "" {
		e := badArgument("url", "a user name or password does not belong in it")
		e.Host = u.Host
		return nil, e
	}
	if u.Port >= 0 {
		t.port = uint16(u.Port)
	}
	if strings.HasPrefix(u.Host, "[") {
		a, err := netip.ParseAddr(u.Host[1 : len(u.Host)-1])
		if err != nil {
			return nil, badArgument("url", "its host is not an address")
		}
		t.addr, t.host = a, u.Host
		return t, nil
	}
	if a, err := netip.ParseAddr(u.Host); err == nil {
		t.addr, t.host = a, u.Host
		return t, nil
	}
	// A dot at the end makes no other host of it. The URL gets the name without:
	// what is compared is what is sent.
	t.host = strings.TrimSuffix(u.Host, ".")
	if !validName(t.host) {
		return nil, badArgument("url", "its host is not a host name")
	}
	u.Host = t.host
	return t, nil
}

// validName says whether a name can be looked up: labels of letters, digits,
// hyphens and underscores.
func validName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	label := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.':
			if label == 0 {
				return false
			}
			label = 0
			continue
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
		if label++; label > 63 {
			return false
		}
	}
	return label > 0
}

// String is the URL without its fragment.
func (t *target) String() string {
	u := *t.u
	u.HasFragment, u.Fragment = false, ""
	s, _ := u.Serialize()
	return s
}

// origin tells apart what browsers tell apart.
func (t *target) origin() string {
	o, _ := t.u.Origin(nil)
	return o
}

// pathPrefix is an entry of Rule.Paths.
type pathPrefix string

func (p pathPrefix) match(path string) bool {
	rest, ok := strings.CutPrefix(path, string(p))
	return ok && (rest == "" || strings.HasSuffix(string(p), "/") || rest[0] == '/')
}

// maxDecodes is how often a path may be encoded over and over.
const maxDecodes = 4

// plainPath says whether a path stays below where it seems to be, also for
// servers that decode it once more, take any slash for one, or cut parameters
// off. The URL parser has resolved the dot segments it knows; those that are left
// to be found so (%2E%2E%2F, ..%5C, %252e%252e, ..;x) make a path that isn't
// plain, as do zero bytes and overlong UTF-8.
func plainPath(path string) bool {
	for range maxDecodes {
		for _, bad := range []string{"\x00", "\xC0", "\xE0\x80", "\xF0\x80"} {
			if strings.Contains(path, bad) {
				return false
			}
		}
		for seg := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
			seg, _, _ = strings.Cut(seg, ";")
			if seg == "." || seg == ".." {
				return false
			}
		}
		decoded := decodeOnce(path)
		if decoded == path {
			return true
		}
		path = decoded
	}
	return false
}

func decodeOnce(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
