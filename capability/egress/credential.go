package egress

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// minSecret is the shortest secret, in bytes: a shorter one could not be told
// from other text when it is taken out of responses.
const minSecret = len(hidden)

// hidden stands for a secret. It is never longer, so that nothing grows.
const hidden = "[hidden]"

// attached is a credential's header on one hop.
type attached struct {
	field
	credential string
}

func (cr *credential) applies(t *target) bool {
	return anyMatch(cr.hosts, t.host) && (t.scheme == "https" || cr.insecure)
}

// overridden refuses a header of the script where the host sets it.
func (x *exchange) overridden(t *target) *Error {
	for i := range x.g.credentials {
		cr := &x.g.credentials[i]
		if !cr.applies(t) {
			continue
		}
		for _, f := range x.fields {
			if f.name == cr.header {
				e := fail(HeaderNotAllowed, f.name+" is set by the host")
				e.Rule, e.Host = "credential "+cr.name, t.host
				return e
			}
		}
	}
	return nil
}

// attach fetches the credentials for a hop. Those fetched are kept out of
// responses from here on.
func (x *exchange) attach(t *target) ([]attached, *Error) {
	var list []attached
	for i := range x.g.credentials {
		cr := &x.g.credentials[i]
		if !cr.applies(t) {
			continue
		}
		v, err := cr.Value(x.ctx)
		if e := x.ended(); e != nil {
			e.Host = t.host
			return list, e
		}
		forms, ok := secretForms(v)
		if err != nil || !ok {
			e := fail(CredentialUnavailable, cr.name)
			e.Rule, e.Host = "credential "+cr.name, t.host
			return list, e
		}
		x.secrets = append(x.secrets, forms...)
		list = append(list, attached{field{cr.header, v}, cr.name})
	}
	slices.SortFunc(x.secrets, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	x.secrets = slices.Compact(x.secrets)
	return list, nil
}

// secretForms are the texts by which a credential could come back: its value,
// the part after the scheme, and the password of Basic, each as it is and as
// URLs, JSON and Base64 write it. ok is false if it can't be used.
func secretForms(v string) (forms []string, ok bool) {
	if !validValue(v) || v != strings.TrimSpace(v) {
		return nil, false
	}
	plain := []string{v}
	secret := v
	if scheme, rest, found := strings.Cut(v, " "); found {
		secret = strings.TrimSpace(rest)
		plain = append(plain, secret)
		if strings.EqualFold(scheme, "basic") {
			if b, err := base64.StdEncoding.DecodeString(secret); err == nil {
				user := string(b)
				plain = append(plain, user)
				if _, password, found := strings.Cut(user, ":"); found {
					plain = append(plain, password)
				}
			}
		}
	}
	if len(secret) < minSecret {
		return nil, false
	}
	for _, p := range plain {
		quoted, _ := json.Marshal(p)
		forms = append(forms, p, url.QueryEscape(p), url.PathEscape(p), string(quoted[1:len(quoted)-1]),
			strings.ReplaceAll(p, "/", `\/`),
			base64.RawStdEncoding.EncodeToString([]byte(p)), base64.RawURLEncoding.EncodeToString([]byte(p)))
	}
	return slices.DeleteFunc(forms, func(f string) bool { return len(f) < minSecret }), true
}

// scrub takes secrets out of a text.
func (x *exchange) scrub(s string) string {
	for _, secret := range x.secrets {
		s = strings.ReplaceAll(s, secret, hidden)
	}
	return s
}

func (x *exchange) scrubResponse(r *Response) {
	if len(x.secrets) == 0 {
		return
	}
	r.StatusText, r.URL, r.Location = x.scrub(r.StatusText), x.scrub(r.URL), x.scrub(r.Location)
	for name, v := range r.Header {
		r.Header[name] = x.scrub(v)
		if clean := x.scrub(name); clean != name {
			delete(r.Header, name)
			r.Header[clean] = hidden
		}
	}
	for i := range r.Hops {
		r.Hops[i].URL, r.Hops[i].Host = x.scrub(r.Hops[i].URL), x.scrub(r.Hops[i].Host)
	}
	for _, secret := range x.secrets {
		if bytes.Contains(r.Body, []byte(secret)) {
			r.Body = bytes.ReplaceAll(r.Body, []byte(secret), []byte(hidden))
		}
	}
}

func (x *exchange) scrubError(e *Error) {
	if len(x.secrets) == 0 {
		return
	}
	for ; e != nil; e, _ = e.cause.(*Error) {
		e.Detail, e.Host, e.Hint = x.scrub(e.Detail), x.scrub(e.Host), x.scrub(e.Hint)
	}
}
