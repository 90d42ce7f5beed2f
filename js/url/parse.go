package url

import (
	"strings"

	"github.com/pinfold-js/pinfold/meter"
)

// state is a state of the basic URL parser.
type state uint8

const (
	noState state = iota // no state override
	schemeStartState
	schemeState
	noSchemeState
	specialRelativeOrAuthorityState
	pathOrAuthorityState
	relativeState
	relativeSlashState
	specialAuthoritySlashesState
	specialAuthorityIgnoreSlashesState
	authorityState
	hostState
	hostnameState
	portState
	fileState
	fileSlashState
	fileHostState
	pathStartState
	pathState
	opaquePathState
	queryState
	fragmentState
)

// parser is the basic URL parser (§4.4) at work. It goes over the bytes of the
// UTF-8: everything it decides on is ASCII, and the rest is percent-encoded
// byte by byte.
type parser struct {
	m        *meter.Meter
	err      error // the meter's
	in       string
	base     *URL
	u        *URL
	override state
	state    state
	i        int    // the pointer
	buf      []byte // the buffer
	path     []byte // the path, query or fragment that is being made
	at       bool   // atSignSeen
	brackets bool   // insideBrackets
	hasPass  bool   // passwordTokenSeen
	user     []byte // username and password that are being made
	pass     []byte
}

// verdict is what a state says about the code point at the pointer.
type verdict uint8

const (
	goOn verdict = iota
	stop         // terminate the algorithm: with a state override, or at its end
	failure
)

// chunk is how many bytes there may be between two looks at the meter.
const chunk = 4096

// parse runs the basic URL parser on u; ok is false when it returns failure.
func parse(m *meter.Meter, in string, base, u *URL, override state) (ok bool, err error) {
	if strings.ContainsAny(in, "\t\n\r") {
		in = strings.Map(func(r rune) rune {
			if r == '\t' || r == '\n' || r == '\r' {
				return -1
			}
			return r
		}, in)
	}
	p := parser{m: m, in: in, base: base, u: u, override: override, state: override}
	if override == noState {
		p.state = schemeStartState
	}
	p.path = append(make([]byte, 0, len(u.Path)+min(len(in), 256)), u.Path...)
	p.buf = make([]byte, 0, min(len(in), 256))
	next := 0
	v := goOn
	for ; v == goOn; p.i++ {
		if p.i >= next {
			if m != nil {
				if err := m.Charge(int64(32 + min(len(in)-p.i, chunk)/4)); err != nil {
					return false, err
				}
			}
			next = p.i + chunk
		}
		c := -1
		if p.i < len(in) {
			c = int(in[p.i])
		}
		v = p.step(c)
		if c < 0 && p.i >= len(in) {
			break
		}
	}
	p.keep()
	return v != failure, p.err
}

// parseHost parses the buffer as a host. An error of the meter is kept.
func (p *parser) parseHost() (string, bool) {
	h, ok, err := parseHost(p.m, string(p.buf), !p.special())
	if err != nil {
		p.err = err
	}
	return h, ok
}

// keep moves what was collected to the record.
func (p *parser) keep() {
	switch p.state {
	case queryState:
		p.u.Query += string(p.buf)
	case fragmentState:
		p.u.Fragment += string(p.buf)
	default:
	}
	p.u.Path = string(p.path)
}

// special reports whether the record's scheme is special.
func (p *parser) special() bool { return isSpecial(p.u.Scheme) }

// slash reports whether c is a slash, or a backslash in a special URL.
func (p *parser) slash(c int) bool { return c == '/' || c == '\\' && p.special() }

// at1 is the byte after the pointer, 0 at the end.
func (p *parser) at1() byte {
	if p.i+1 < len(p.in) {
		return p.in[p.i+1]
	}
	return 0
}

func (p *parser) step(c int) verdict {
	switch p.state {
	case schemeStartState:
		switch {
		case isAlpha(c):
			p.buf = append(p.buf, byte(c)|0x20)
			p.state = schemeState
		case p.override != noState:
			return failure
		default:
			p.state = noSchemeState
			p.i--
		}
	case schemeState:
		return p.scheme(c)
	case noSchemeState:
		switch {
		case p.base == nil || p.base.Opaque && c != '#':
			return failure
		case p.base.Opaque:
			p.u.Scheme, p.u.Opaque, p.u.Query, p.u.HasQuery = p.base.Scheme, true, p.base.Query, p.base.HasQuery
			p.path = append(p.path[:0], p.base.Path...)
			p.begin(fragmentState)
		case p.base.Scheme != "file":
			p.state = relativeState
			p.i--
		default:
			p.state = fileState
			p.i--
		}
	case specialRelativeOrAuthorityState:
		if c == '/' && p.at1() == '/' {
			p.state = specialAuthorityIgnoreSlashesState
			p.i++
		} else {
			p.state = relativeState
			p.i--
		}
	case pathOrAuthorityState:
		if c == '/' {
			p.state = authorityState
		} else {
			p.state = pathState
			p.i--
		}
	case relativeState:
		p.relative(c)
	case relativeSlashState:
		switch {
		case p.special() && (c == '/' || c == '\\'):
			p.state = specialAuthorityIgnoreSlashesState
		case c == '/':
			p.state = authorityState
		default:
			p.copyAuthority()
			p.state = pathState
			p.i--
		}
	case specialAuthoritySlashesState:
		p.state = specialAuthorityIgnoreSlashesState
		if c == '/' && p.at1() == '/' {
			p.i++
		} else {
			p.i--
		}
	case specialAuthorityIgnoreSlashesState:
		if c != '/' && c != '\\' {
			p.state = authorityState
			p.i--
		}
	case authorityState:
		return p.authority(c)
	case hostState, hostnameState:
		return p.host(c)
	case portState:
		return p.port(c)
	case fileState:
		p.file(c)
	case fileSlashState:
		if c == '/' || c == '\\' {
			p.state = fileHostState
			break
		}
		if p.base != nil && p.base.Scheme == "file" {
			p.u.Host, p.u.HasHost = p.base.Host, p.base.HasHost
			if !startsWithDrive(p.in[p.i:]) {
				if d, ok := firstDrive(p.base.Path); ok {
					p.path = append(append(p.path, '/'), d...)
				}
			}
		}
		p.state = pathState
		p.i--
	case fileHostState:
		return p.fileHost(c)
	case pathStartState:
		switch {
		case p.special():
			p.state = pathState
			if c != '/' && c != '\\' {
				p.i--
			}
		case p.override == noState && c == '?':
			p.begin(queryState)
		case p.override == noState && c == '#':
			p.begin(fragmentState)
		case c >= 0:
			p.state = pathState
			if c != '/' {
				p.i--
			}
		case p.override != noState && !p.u.HasHost:
			p.path = append(p.path, '/')
		}
	case pathState:
		p.pathSegment(c)
	case opaquePathState:
		switch {
		case c == '?':
			p.begin(queryState)
		case c == '#':
			p.begin(fragmentState)
		case c >= 0:
			p.path = appendEncoded(p.path, p.span(stopOpaque), setC0)
		}
	case queryState:
		switch {
		case c == '#' && p.override == noState:
			p.u.Query += string(p.buf)
			p.begin(fragmentState)
		case c >= 0:
			in := setQuery
			if p.special() {
				in = setSpecialQuery
			}
			stop := stopQuery
			if p.override != noState {
				stop = 0
			}
			p.buf = appendEncoded(p.buf, p.span(stop), in)
		}
	case fragmentState:
		if c >= 0 {
			p.buf = appendEncoded(p.buf, p.span(0), setFragment)
		}
	default:
	}
	return goOn
}

// span returns the bytes from the pointer up to one that the state looks at,
// and sets the pointer to the last of them. The first is never looked at again.
func (p *parser) span(stop set) string {
	rest := p.in[p.i:min(len(p.in), p.i+chunk)]
	n := 1
	for n < len(rest) && sets[rest[n]]&stop == 0 { //meter: at most chunk, which the loop of parse charges for
		n++
	}
	p.i += n - 1
	return rest[:n]
}

// begin starts the query or the fragment.
func (p *parser) begin(s state) {
	p.state, p.buf = s, p.buf[:0]
	if s == queryState {
		p.u.Query, p.u.HasQuery = "", true
	} else {
		p.u.Fragment, p.u.HasFragment = "", true
	}
}

func isAlpha(c int) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' && c >= 0 }
func isDigit(c int) bool { return c >= '0' && c <= '9' }

func (p *parser) scheme(c int) verdict {
	u := p.u
	switch {
	case isAlpha(c):
		p.buf = append(p.buf, byte(c)|0x20)
		return goOn
	case isDigit(c) || c == '+' || c == '-' || c == '.':
		p.buf = append(p.buf, byte(c))
		return goOn
	case c == ':':
	case p.override != noState:
		return failure
	default:
		p.buf = p.buf[:0]
		p.state = noSchemeState
		p.i = -1
		return goOn
	}
	scheme := string(p.buf)
	port, special := defaultPort(scheme)
	if p.override != noState {
		if p.special() != special || (u.hasCredentials() || u.Port >= 0) && scheme == "file" || u.Scheme == "file" && u.Host == "" {
			return stop
		}
		u.Scheme = scheme
		if u.Port == port {
			u.Port = -1
		}
		return stop
	}
	u.Scheme = scheme
	p.buf = p.buf[:0]
	switch {
	case scheme == "file":
		p.state = fileState
	case special && p.base != nil && p.base.Scheme == scheme:
		p.state = specialRelativeOrAuthorityState
	case special:
		p.state = specialAuthoritySlashesState
	case p.at1() == '/':
		p.state = pathOrAuthorityState
		p.i++
	default:
		u.Opaque = true
		p.path = p.path[:0]
		p.state = opaquePathState
	}
	return goOn
}

// copyAuthority takes username, password, host and port from the base.
func (p *parser) copyAuthority() {
	b, u := p.base, p.u
	u.Username, u.Password, u.Host, u.HasHost, u.Port = b.Username, b.Password, b.Host, b.HasHost, b.Port
}

func (p *parser) relative(c int) {
	p.u.Scheme = p.base.Scheme
	if p.slash(c) {
		p.state = relativeSlashState
		return
	}
	p.copyAuthority()
	p.copyPath(c)
	if c >= 0 && c != '?' && c != '#' {
		p.shorten()
		p.state = pathState
		p.i--
	}
}

// copyPath takes path and query from the base, and begins what replaces them.
func (p *parser) copyPath(c int) {
	p.path = append(p.path[:0], p.base.Path...)
	p.u.Query, p.u.HasQuery = p.base.Query, p.base.HasQuery
	switch {
	case c == '?':
		p.begin(queryState)
	case c == '#':
		p.begin(fragmentState)
	case c >= 0:
		p.u.Query, p.u.HasQuery = "", false
	}
}

func (p *parser) authority(c int) verdict {
	u := p.u
	switch {
	case c == '@':
		if p.at {
			to := &p.user
			if p.hasPass {
				to = &p.pass
			}
			*to = append(*to, "%40"...)
		}
		p.at = true
		name, pass := string(p.buf), ""
		if p.hasPass {
			name, pass = "", name
		} else {
			name, pass, p.hasPass = strings.Cut(name, ":")
		}
		p.user = appendEncoded(p.user, name, setUserinfo)
		p.pass = appendEncoded(p.pass, pass, setUserinfo)
		p.buf = p.buf[:0]
	case c < 0 || p.slash(c) || c == '?' || c == '#':
		if p.at && len(p.buf) == 0 {
			return failure
		}
		u.Username, u.Password = string(p.user), string(p.pass)
		p.i -= len(p.buf) + 1
		p.buf = p.buf[:0]
		p.state = hostState
	default:
		p.buf = append(p.buf, byte(c))
	}
	return goOn
}

func (p *parser) host(c int) verdict {
	u := p.u
	switch {
	case p.override != noState && u.Scheme == "file":
		p.i--
		p.state = fileHostState
	case c == ':' && !p.brackets:
		if len(p.buf) == 0 || p.override == hostnameState {
			return failure
		}
		h, ok := p.parseHost()
		if !ok {
			return failure
		}
		u.Host, u.HasHost = h, true
		p.buf = p.buf[:0]
		p.state = portState
	case c < 0 || p.slash(c) || c == '?' || c == '#':
		p.i--
		if p.special() && len(p.buf) == 0 {
			return failure
		}
		if p.override != noState && len(p.buf) == 0 && (u.hasCredentials() || u.Port >= 0) {
			return failure
		}
		h, ok := p.parseHost()
		if !ok {
			return failure
		}
		u.Host, u.HasHost = h, true
		p.buf = p.buf[:0]
		p.state = pathStartState
		if p.override != noState {
			return stop
		}
	default:
		if c == '[' {
			p.brackets = true
		} else if c == ']' {
			p.brackets = false
		}
		p.buf = append(p.buf, byte(c))
	}
	return goOn
}

func (p *parser) port(c int) verdict {
	switch {
	case isDigit(c):
		p.buf = append(p.buf, byte(c))
	case c < 0 || p.slash(c) || c == '?' || c == '#' || p.override != noState:
		if len(p.buf) > 0 {
			port := 0
			for _, d := range p.buf { //meter: the loop of parse charged for them
				if port = port*10 + int(d-'0'); port > 65535 {
					return failure
				}
			}
			if def, _ := defaultPort(p.u.Scheme); port == def {
				port = -1
			}
			p.u.Port = port
			p.buf = p.buf[:0]
			if p.override != noState {
				return stop
			}
		}
		if p.override != noState {
			return failure
		}
		p.state = pathStartState
		p.i--
	default:
		return failure
	}
	return goOn
}

func (p *parser) file(c int) {
	u := p.u
	u.Scheme, u.Host, u.HasHost = "file", "", true
	if c == '/' || c == '\\' {
		p.state = fileSlashState
		return
	}
	if p.base == nil || p.base.Scheme != "file" {
		p.state = pathState
		p.i--
		return
	}
	u.Host, u.HasHost = p.base.Host, p.base.HasHost
	p.copyPath(c)
	if c >= 0 && c != '?' && c != '#' {
		if !startsWithDrive(p.in[p.i:]) {
			p.shorten()
		} else {
			p.path = p.path[:0]
		}
		p.state = pathState
		p.i--
	}
}

func (p *parser) fileHost(c int) verdict {
	if c >= 0 && c != '/' && c != '\\' && c != '?' && c != '#' {
		p.buf = append(p.buf, byte(c))
		return goOn
	}
	p.i--
	if p.override == noState && isDrive(p.buf) {
		p.state = pathState
		return goOn
	}
	host := ""
	if len(p.buf) > 0 {
		h, ok := p.parseHost()
		if !ok {
			return failure
		}
		if h != "localhost" {
			host = h
		}
	}
	p.u.Host, p.u.HasHost = host, true
	p.buf = p.buf[:0]
	p.state = pathStartState
	if p.override != noState {
		return stop
	}
	return goOn
}

func (p *parser) pathSegment(c int) {
	slash := p.slash(c)
	if c >= 0 && !slash && (p.override != noState || c != '?' && c != '#') {
		p.buf = appendEncoded(p.buf, p.span(stopPath), setPath)
		return
	}
	switch {
	case isDoubleDot(p.buf):
		p.shorten()
		if !slash {
			p.path = append(p.path, '/')
		}
	case isSingleDot(p.buf):
		if !slash {
			p.path = append(p.path, '/')
		}
	default:
		if p.u.Scheme == "file" && len(p.path) == 0 && isDrive(p.buf) {
			p.buf[1] = ':'
		}
		p.path = append(append(p.path, '/'), p.buf...)
	}
	p.buf = p.buf[:0]
	switch c {
	case '?':
		p.begin(queryState)
	case '#':
		p.begin(fragmentState)
	}
}

// shorten is shorten a URL's path.
func (p *parser) shorten() {
	if p.u.Scheme == "file" {
		if d, ok := firstDrive(string(p.path[:min(len(p.path), 4)])); ok && len(p.path) == 1+len(d) {
			return
		}
	}
	for i := len(p.path) - 1; i >= 0; i-- { //meter: gives up what was charged when it was appended
		if p.path[i] == '/' {
			p.path = p.path[:i]
			return
		}
	}
}

// firstDrive returns the first segment of a path if it is a normalized Windows
// drive letter.
func firstDrive(path string) (string, bool) {
	if len(path) >= 3 && path[0] == '/' && isAlpha(int(path[1])) && path[2] == ':' && (len(path) == 3 || path[3] == '/') {
		return path[1:3], true
	}
	return "", false
}

func isDrive(b []byte) bool {
	return len(b) == 2 && isAlpha(int(b[0])) && (b[1] == ':' || b[1] == '|')
}

// startsWithDrive is starts with a Windows drive letter.
func startsWithDrive(s string) bool {
	return len(s) >= 2 && isAlpha(int(s[0])) && (s[1] == ':' || s[1] == '|') && (len(s) == 2 || strings.IndexByte("/\\?#", s[2]) >= 0)
}

func isSingleDot(b []byte) bool {
	return len(b) == 1 && b[0] == '.' || isDotCode(b)
}

func isDotCode(b []byte) bool {
	return len(b) == 3 && b[0] == '%' && b[1] == '2' && b[2]|0x20 == 'e'
}

func isDoubleDot(b []byte) bool {
	switch len(b) {
	case 2:
		return b[0] == '.' && b[1] == '.'
	case 4:
		return b[0] == '.' && isDotCode(b[1:]) || isDotCode(b[:3]) && b[3] == '.'
	case 6:
		return isDotCode(b[:3]) && isDotCode(b[3:])
	}
	return false
}
