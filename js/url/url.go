package url

import (
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/meter"
)

// URL is a URL record (§4.1). The path is kept as it is serialized: a list of
// segments has a slash before each.
type URL struct {
	Scheme      string
	Username    string
	Password    string
	Host        string // serialized
	HasHost     bool   // the host is not null
	Port        int    // -1 is null
	Path        string
	Opaque      bool // the path is opaque
	Query       string
	HasQuery    bool
	Fragment    string
	HasFragment bool
}

// Parse is the URL parser (§4.4) without its blob part. ok is false on failure;
// the error is the meter's.
func Parse(m *meter.Meter, input string, base *URL) (u *URL, ok bool, err error) {
	u = &URL{Port: -1}
	ok, err = parse(m, strings.TrimFunc(input, isC0OrSpace), base, u, noState)
	return u, ok, err
}

func isC0OrSpace(r rune) bool { return r <= ' ' }

// defaultPort returns the default port of a special scheme; -1 for file.
func defaultPort(scheme string) (port int, special bool) {
	switch scheme {
	case "http", "ws":
		return 80, true
	case "https", "wss":
		return 443, true
	case "ftp":
		return 21, true
	case "file":
		return -1, true
	}
	return -1, false
}

func isSpecial(scheme string) bool {
	_, special := defaultPort(scheme)
	return special
}

// Parts are offsets in a serialization, in order.
type Parts struct {
	SchemeEnd   int // after the colon
	Username    int // where it begins; the host's beginning when there are no credentials
	UsernameEnd int
	Password    int // likewise
	PasswordEnd int
	Host        int
	HostEnd     int
	Port        int // its digits, empty when there is none
	PortEnd     int
	Path        int
	Query       int // with the question mark; empty when there is none
	Fragment    int // with the number sign
}

// Serialize is the URL serializer (§4.5).
func (u *URL) Serialize() (string, Parts) {
	b := make([]byte, 0, len(u.Scheme)+len(u.Username)+len(u.Password)+len(u.Host)+len(u.Path)+len(u.Query)+len(u.Fragment)+16)
	var p Parts
	b = append(append(b, u.Scheme...), ':')
	p.SchemeEnd = len(b)
	if u.HasHost {
		b = append(b, '/', '/')
	}
	p.Username, p.UsernameEnd, p.Password, p.PasswordEnd = len(b), len(b), len(b), len(b)
	if u.HasHost {
		if u.hasCredentials() {
			b = append(b, u.Username...)
			p.UsernameEnd, p.Password, p.PasswordEnd = len(b), len(b), len(b)
			if u.Password != "" {
				b = append(b, ':')
				p.Password = len(b)
				b = append(b, u.Password...)
				p.PasswordEnd = len(b)
			}
			b = append(b, '@')
		}
		p.Host = len(b)
		b = append(b, u.Host...)
		p.HostEnd, p.Port, p.PortEnd = len(b), len(b), len(b)
		if u.Port >= 0 {
			b = append(b, ':')
			p.Port = len(b)
			b = strconv.AppendInt(b, int64(u.Port), 10)
			p.PortEnd = len(b)
		}
	} else {
		p.Host, p.HostEnd, p.Port, p.PortEnd = len(b), len(b), len(b), len(b)
		if !u.Opaque && strings.HasPrefix(u.Path, "//") {
			b = append(b, '/', '.')
		}
	}
	p.Path = len(b)
	b = append(b, u.Path...)
	p.Query = len(b)
	if u.HasQuery {
		b = append(append(b, '?'), u.Query...)
	}
	p.Fragment = len(b)
	if u.HasFragment {
		b = append(append(b, '#'), u.Fragment...)
	}
	return string(b), p
}

// Origin is the serialized origin (§4.7).
func (u *URL) Origin(m *meter.Meter) (string, error) { //meter: once: the URL inside has the scheme http or https
	switch u.Scheme {
	case "blob":
		inner, ok, err := Parse(m, u.Path, nil)
		if err != nil || !ok || inner.Scheme != "http" && inner.Scheme != "https" {
			return "null", err
		}
		return inner.Origin(m)
	case "http", "https", "ws", "wss", "ftp":
		s := u.Scheme + "://" + u.Host
		if u.Port >= 0 {
			s += ":" + strconv.Itoa(u.Port)
		}
		return s, nil
	}
	return "null", nil
}

func (u *URL) hasCredentials() bool { return u.Username != "" || u.Password != "" }

// cannotHaveCredentials is cannot have a username/password/port.
func (u *URL) cannotHaveCredentials() bool {
	return !u.HasHost || u.Host == "" || u.Scheme == "file"
}

// The setters of the class URL (§6.1). Each does nothing when the new value
// does not fit.

// SetProtocol is the setter protocol.
func (u *URL) SetProtocol(m *meter.Meter, v string) error {
	_, err := parse(m, v+":", nil, u, schemeStartState)
	return err
}

// SetUsername and SetPassword are the setters username and password.
func (u *URL) SetUsername(v string) {
	if !u.cannotHaveCredentials() {
		u.Username = string(appendEncoded(nil, v, setUserinfo))
	}
}

func (u *URL) SetPassword(v string) {
	if !u.cannotHaveCredentials() {
		u.Password = string(appendEncoded(nil, v, setUserinfo))
	}
}

// SetHost is the setter host, or, if it is only the name, hostname.
func (u *URL) SetHost(m *meter.Meter, v string, nameOnly bool) error {
	if u.Opaque {
		return nil
	}
	s := hostState
	if nameOnly {
		s = hostnameState
	}
	_, err := parse(m, v, nil, u, s)
	return err
}

// SetPort is the setter port.
func (u *URL) SetPort(m *meter.Meter, v string) error {
	if u.cannotHaveCredentials() {
		return nil
	}
	if v == "" {
		u.Port = -1
		return nil
	}
	_, err := parse(m, v, nil, u, portState)
	return err
}

// SetPathname is the setter pathname.
func (u *URL) SetPathname(m *meter.Meter, v string) error {
	if u.Opaque {
		return nil
	}
	u.Path = ""
	_, err := parse(m, v, nil, u, pathStartState)
	return err
}

// SetSearch is the setter search, but for the query object.
func (u *URL) SetSearch(m *meter.Meter, v string) error {
	if v == "" {
		u.Query, u.HasQuery = "", false
		u.stripSpaces()
		return nil
	}
	u.Query, u.HasQuery = "", true
	_, err := parse(m, strings.TrimPrefix(v, "?"), nil, u, queryState)
	return err
}

// SetQuery is the last part of update (§6.2): the query becomes what a query
// object serializes to.
func (u *URL) SetQuery(serialized string) {
	u.Query, u.HasQuery = serialized, serialized != ""
	if serialized == "" {
		u.stripSpaces()
	}
}

// SetHash is the setter hash.
func (u *URL) SetHash(m *meter.Meter, v string) error {
	if v == "" {
		u.Fragment, u.HasFragment = "", false
		u.stripSpaces()
		return nil
	}
	u.Fragment, u.HasFragment = "", true
	_, err := parse(m, strings.TrimPrefix(v, "#"), nil, u, fragmentState)
	return err
}

// stripSpaces is potentially strip trailing spaces from an opaque path.
func (u *URL) stripSpaces() {
	if u.Opaque && !u.HasFragment && !u.HasQuery {
		u.Path = strings.TrimRight(u.Path, " ")
	}
}

// FromParts is the record whose serialization is s, with its parts.
func FromParts(s string, p Parts) *URL {
	u := &URL{
		Scheme: s[:p.SchemeEnd-1], Username: s[p.Username:p.UsernameEnd], Password: s[p.Password:p.PasswordEnd],
		Host: s[p.Host:p.HostEnd], HasHost: p.Username > p.SchemeEnd, Port: -1, Path: s[p.Path:p.Query],
		HasQuery: p.Fragment > p.Query, HasFragment: len(s) > p.Fragment,
	}
	u.Opaque = !u.HasHost && !strings.HasPrefix(u.Path, "/")
	if p.Port < p.PortEnd {
		u.Port, _ = strconv.Atoi(s[p.Port:p.PortEnd])
	}
	if u.HasQuery {
		u.Query = s[p.Query+1 : p.Fragment]
	}
	if u.HasFragment {
		u.Fragment = s[p.Fragment+1:]
	}
	return u
}
