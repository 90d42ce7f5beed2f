package egress

import (
	"fmt"
	"strconv"
	"strings"
)

// Code is the stable name of what went wrong. It is an error itself, for
// errors.Is: errors.Is(err, egress.HostNotAllowed).
type Code string

// The codes of requests. Those that end in "not_allowed" are decisions of the
// policy.
const (
	HostNotAllowed        Code = "host_not_allowed"
	SchemeNotAllowed      Code = "scheme_not_allowed"
	PortNotAllowed        Code = "port_not_allowed"
	MethodNotAllowed      Code = "method_not_allowed"
	PathNotAllowed        Code = "path_not_allowed"
	HeaderNotAllowed      Code = "header_not_allowed"
	AddressNotAllowed     Code = "address_not_allowed"
	RedirectNotAllowed    Code = "redirect_not_allowed" // wraps the decision on the hop, if it was one
	TooDeep               Code = "too_deep"             // the chain of agents that call each other
	BadArgument           Code = "bad_argument"
	TooLarge              Code = "too_large"
	TimedOut              Code = "timed_out"
	Cancelled             Code = "cancelled" // wraps the context's error
	HostNotFound          Code = "host_not_found"
	ConnectionFailed      Code = "connection_failed"
	TLSFailed             Code = "tls_failed"
	BadResponse           Code = "bad_response"
	CredentialUnavailable Code = "credential_unavailable"
)

// reasons are what scripts read, with the codes that have one text only.
var reasons = map[Code]string{
	HostNotAllowed:        "host not allowed",
	SchemeNotAllowed:      "scheme not allowed",
	PortNotAllowed:        "port not allowed",
	MethodNotAllowed:      "method not allowed",
	PathNotAllowed:        "path not allowed",
	HeaderNotAllowed:      "header not allowed",
	AddressNotAllowed:     "address not allowed",
	RedirectNotAllowed:    "redirect not allowed",
	TooDeep:               "too many agents in a chain",
	BadArgument:           "bad argument",
	TooLarge:              "too large",
	TimedOut:              "timed out",
	Cancelled:             "cancelled",
	HostNotFound:          "host not found",
	ConnectionFailed:      "connection failed",
	TLSFailed:             "secure connection failed",
	BadResponse:           "bad response",
	CredentialUnavailable: "credential not available",
}

func (c Code) Error() string {
	if r, ok := reasons[c]; ok {
		return r
	}
	return string(c)
}

// policy says whether c is a decision on what was asked for, rather than
// something that happened on the way.
func (c Code) policy() bool {
	return strings.HasSuffix(string(c), "_not_allowed") || c == BadArgument
}

// Error is how a request fails. Its text, Reason and Detail are fit for scripts:
// they hold nothing that the script did not write or the server did not say, and
// never an address that a name resolved to. Rule and Hint are for the host.
type Error struct {
	Code   Code
	Reason string // short: "host not allowed", "too large (limit 8388608 bytes)", "bad argument: url"
	Detail string // more of it, or nothing
	Rule   string // what decided: a rule's name, "DenyHosts[0]", "default deny", a range of addresses
	Host   string // the host of the hop, as it was parsed; empty if it could not be
	Hop    int    // 0 is the URL that the script gave
	Hint   string // what would have to be granted; empty if nothing would help

	cause error
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Detail
}

// Is says whether target is the error's code.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

// Unwrap returns the decision on a redirect's hop, or the context's error.
func (e *Error) Unwrap() error { return e.cause }

func fail(code Code, detail string) *Error {
	return &Error{Code: code, Reason: reasons[code], Detail: detail}
}

func badArgument(name, detail string) *Error {
	return &Error{Code: BadArgument, Reason: "bad argument: " + name, Detail: detail}
}

func tooLarge(limit int64, what string) *Error {
	return &Error{Code: TooLarge, Reason: "too large (limit " + strconv.FormatInt(limit, 10) + " bytes)", Detail: what}
}

// Problem is one thing that is wrong with a Policy. Code is stable.
type Problem struct {
	Code    string // see the Problem… constants
	Field   string // where: "Allow[0].Hosts[1]"
	Message string // what it is and what to write instead
}

// The codes of problems.
const (
	ProblemHostEmpty         = "host_empty"         // a host pattern without text
	ProblemHostWildcard      = "host_wildcard"      // * for more than the labels before a granted domain
	ProblemHostNotASCII      = "host_not_ascii"     // written as Unicode: two names can look the same
	ProblemHostMalformed     = "host_malformed"     // not a host: has a scheme, port or path, or can't be one
	ProblemHostNotCanonical  = "host_not_canonical" // the parser writes it differently
	ProblemHostDenied        = "host_denied"        // DenyHosts takes away all that the pattern grants
	ProblemHostPrivate       = "host_private"       // an address that AllowPrivate does not have
	ProblemRuleEmpty         = "rule_empty"         // a rule without hosts
	ProblemRuleName          = "rule_name"          // two rules with one name
	ProblemScheme            = "scheme"             // neither http nor https
	ProblemPort              = "port"               // port 0
	ProblemMethod            = "method"             // not a token, or CONNECT, TRACE, TRACK
	ProblemPath              = "path"               // not an absolute path in the parser's form
	ProblemHeader            = "header"             // not a token, or one that nobody may set
	ProblemPrefix            = "prefix"             // not a prefix of addresses, or all of them
	ProblemLimit             = "limit"              // a negative limit
	ProblemCredential        = "credential"         // a credential without name, header or value
	ProblemCredentialHost    = "credential_host"    // for a host that no rule grants
	ProblemCredentialOverlap = "credential_overlap" // two for one header of one host
	ProblemUserAgent         = "user_agent"         // can't be the value of a header
)

func (p Problem) String() string { return p.Field + ": " + p.Message + " (" + p.Code + ")" }

// ConfigError is all that is wrong with a Policy.
type ConfigError struct{ Problems []Problem }

func (e *ConfigError) Error() string {
	if len(e.Problems) == 1 {
		return "egress policy: " + e.Problems[0].String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "egress policy: %d problems", len(e.Problems))
	for _, p := range e.Problems {
		b.WriteString("\n\t" + p.String())
	}
	return b.String()
}
