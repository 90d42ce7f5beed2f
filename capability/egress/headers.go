package egress

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"unicode/utf8"
)

// AgentDepthHeader counts the agents in a chain that call each other.
const AgentDepthHeader = "X-Agent-Depth"

// hard are headers that nobody may set: they are the connection's, or the
// client's own.
var hard = set("accept-encoding", "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
	"te", "trailer", "transfer-encoding", "upgrade", "x-agent-depth")

// soft are headers that a rule must name: they speak for somebody else, or make
// of a method or a path another one than the rules have seen.
var soft = set("cookie2", "forwarded", "origin", "referer", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port",
	"x-forwarded-prefix", "x-forwarded-proto", "x-forwarded-server", "x-forwarded-uri", "x-http-method",
	"x-http-method-override", "x-method-override", "x-original-host", "x-original-url", "x-real-ip", "x-rewrite-url")

// harmless are headers that go along when a redirect changes the origin. Others
// may be credentials.
var harmless = set("accept", "accept-language", "cache-control", "content-language", "content-type", "if-match",
	"if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range", "user-agent", "x-correlation-id",
	"x-request-id", "x-requested-with")

// bodyHeaders go away with the body (Fetch, request-body-header name).
var bodyHeaders = set("content-encoding", "content-language", "content-location", "content-type")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// Forbidden says whether scripts may not set the header: always, or unless a
// rule names it in its Headers.
func Forbidden(name string) (always, unlessNamed bool) {
	n := strings.ToLower(name)
	if hard[n] || strings.HasPrefix(n, "proxy-") || strings.HasPrefix(n, "sec-") {
		return true, true
	}
	return false, soft[n]
}

// field is a header of a request.
type field struct{ name, value string } // the name in lower case

// requestFields checks a script's headers by themselves and sorts them.
func requestFields(h map[string]string, limit int64) ([]field, *Error) {
	fields := make([]field, 0, len(h))
	size := int64(0)
	for name, value := range h {
		size += int64(len(name) + len(value) + 4)
		fields = append(fields, field{name, value})
	}
	if size > limit {
		return nil, tooLarge(limit, "request headers")
	}
	// Sorted before they are looked at: which one an error names must not depend
	// on the map's order.
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	for i, f := range fields {
		if !isToken(f.name) {
			return nil, badArgument("headers", "not a header's name: "+quote(f.name))
		}
		fields[i] = field{strings.ToLower(f.name), strings.Trim(f.value, " \t\r\n")}
		if !validValue(fields[i].value) {
			return nil, badArgument("headers", "not a header's value: "+f.name)
		}
	}
	slices.SortStableFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	for i, f := range fields {
		if i > 0 && fields[i-1].name == f.name {
			return nil, badArgument("headers", "given twice: "+f.name)
		}
		if always, _ := Forbidden(f.name); always {
			e := fail(HeaderNotAllowed, f.name)
			e.Rule = "reserved headers"
			return nil, e
		}
	}
	return fields, nil
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7F || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != "" && len(s) <= 256
}

// validValue allows visible ASCII, spaces and tabs.
func validValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c >= 0x7F {
			return false
		}
	}
	return true
}

// responseHeader makes a script's form of a response's headers.
func responseHeader(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name, values := range h {
		n := strings.ToLower(name)
		if n == "set-cookie" || n == "set-cookie2" {
			continue
		}
		m[n] = text(strings.Join(values, ", "))
	}
	return m
}

// text reads what a server sent: as UTF-8, else as Latin-1.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := make([]rune, len(s))
	for i := range len(s) {
		b[i] = rune(s[i])
	}
	return string(b)
}

// AgentDepth reads the depth of a request that came in, for Request.AgentDepth
// of those that are made to answer it. A header that can't be read counts as a
// chain that is too long.
func AgentDepth(h http.Header) int {
	values := h.Values(AgentDepthHeader)
	if len(values) == 0 {
		return 0
	}
	n, err := strconv.ParseUint(values[0], 10, 31)
	if err != nil || len(values) > 1 {
		return 1<<31 - 1
	}
	return int(n)
}

// quote shows a short piece of what somebody wrote.
func quote(s string) string {
	if len(s) > 100 {
		cut := 100
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		return strconv.Quote(s[:cut]) + "…"
	}
	return strconv.Quote(s)
}

func index(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }
