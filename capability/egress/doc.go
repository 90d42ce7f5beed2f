// Package egress makes the HTTP requests of scripts, to the places a host has
// granted and to no others.
//
// In: a Policy of the host, and requests as scripts write them. Out: responses
// read to their end, or an *Error with a stable code, a short reason that a
// script may see, and the rule that decided.
//
//	client, err := egress.New(egress.Policy{
//		Allow: []egress.Rule{{Hosts: []string{"api.example.com"}, Methods: []string{"GET", "POST"}}},
//	})
//	response, err := client.Do(ctx, egress.Request{URL: "https://api.example.com/v1/items"})
//
// The zero Policy grants nothing. A rule grants by host, scheme, port, method,
// path and header together; DenyHosts wins over every rule; Client.Narrow makes
// a client that may do less, never more.
//
// # What is checked, and when
//
// A URL is parsed once, by the URL Standard. What came out of the parser is what
// is compared with the rules, resolved, dialled and written into the request, so
// there is no second reading that could differ. All addresses that a name
// resolves to must be allowed, else none is dialled; the ones that were checked
// are the ones that are dialled, without resolving again; and the socket's
// address is checked once more before it connects. Allowed are the public
// unicast addresses: everything in IANA's special-purpose registries is refused
// unless Policy.AllowPrivate has it, and an IPv6 address that carries an IPv4
// address (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP) needs
// both to be allowed. So are the addresses of this machine's own interfaces.
//
// Every hop of a redirect goes through all of that again. No hop leads from
// https to http. When the origin changes, headers that might be credentials stay
// behind. Proxy settings of the environment are not looked at, no cookies are
// kept, no connection outlives its request. Each request carries X-Agent-Depth,
// which counts the agents that call each other; a chain that is too long ends.
//
// # Credentials
//
// A Credential belongs to the host: it is attached to each hop whose host it is
// for, after the script's headers were checked, and it is taken out of what
// comes back. A script can neither read nor replace it. That holds for echoes of
// the credential as it is, percent-encoded, in JSON and in Base64; a server that
// is granted a credential and sends it back in other disguises can't be stopped.
//
// # Limits
//
// Sizes of requests, of response headers and of bodies are limited, bodies by
// their decompressed bytes while they are read; one timeout covers all hops from
// the first lookup to the last byte; and all work ends with the context. How many
// requests a run may make is not this package's business: the path that admits
// host calls counts.
//
// The package knows neither the engine nor the runs.
//
// meter: it has no meter: loops go over the host's policy, or over one URL, the headers, the body or the hops of one request, each within a limit that Policy sets; errors of url.Parse can't be a meter's where it is given none
// meter: depth: what calls itself calls another type's method through an interface: an error's cause, a body's reader
package egress
