package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/url"
	"github.com/pinfold-js/pinfold/js/vm"
)

// A URL's block has its serialization, the offsets of its parts (url.Parts in
// their order), and its URLSearchParams once it was asked for.
const (
	urlHref = iota
	urlSchemeEnd
	urlUsername
	urlUsernameEnd
	urlPassword
	urlPasswordEnd
	urlHost
	urlHostEnd
	urlPort
	urlPortEnd
	urlPath
	urlQuery
	urlFragment
	urlParams
	urlWords
)

// urlTimes is how much memory work on a URL takes, in terms of its text.
const urlTimes = 10

// urlAttribute is an attribute of the class URL (URL Standard §6.1).
type urlAttribute struct {
	name string
	get  func(m *vm.Machine, o vm.Obj) (vm.Value, error)
	set  func(m *vm.Machine, u *url.URL, v string) error
}

// urlAttributes are in the order in which they are defined and shown.
var urlAttributes = []urlAttribute{
	{"href", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return webWord(m, o, urlHref), nil }, nil},
	{"origin", urlOrigin, nil},
	{"protocol", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return urlPart(m, o, 0, urlSchemeEnd, 0) }, func(m *vm.Machine, u *url.URL, v string) error { return u.SetProtocol(m.Meter(), v) }},
	{"username", func(m *vm.Machine, o vm.Obj) (vm.Value, error) {
		return urlPart(m, o, urlUsername, urlUsernameEnd, 0)
	}, func(_ *vm.Machine, u *url.URL, v string) error { u.SetUsername(v); return nil }},
	{"password", func(m *vm.Machine, o vm.Obj) (vm.Value, error) {
		return urlPart(m, o, urlPassword, urlPasswordEnd, 0)
	}, func(_ *vm.Machine, u *url.URL, v string) error { u.SetPassword(v); return nil }},
	{"host", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return urlPart(m, o, urlHost, urlPortEnd, 0) }, func(m *vm.Machine, u *url.URL, v string) error { return u.SetHost(m.Meter(), v, false) }},
	{"hostname", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return urlPart(m, o, urlHost, urlHostEnd, 0) }, func(m *vm.Machine, u *url.URL, v string) error { return u.SetHost(m.Meter(), v, true) }},
	{"port", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return urlPart(m, o, urlPort, urlPortEnd, 0) }, func(m *vm.Machine, u *url.URL, v string) error { return u.SetPort(m.Meter(), v) }},
	{"pathname", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return urlPart(m, o, urlPath, urlQuery, 0) }, func(m *vm.Machine, u *url.URL, v string) error { return u.SetPathname(m.Meter(), v) }},
	{"search", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return urlPart(m, o, urlQuery, urlFragment, 1) }, func(m *vm.Machine, u *url.URL, v string) error { return u.SetSearch(m.Meter(), v) }},
	{"searchParams", urlSearchParams, nil},
	{"hash", func(m *vm.Machine, o vm.Obj) (vm.Value, error) { return urlPart(m, o, urlFragment, 0, 1) }, func(m *vm.Machine, u *url.URL, v string) error { return u.SetHash(m.Meter(), v) }},
}

// setupURL makes URL and URLSearchParams.
func setupURL(b *vm.Builder) {
	proto := b.Set(vm.URLPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor := webCtor(b, "URL", 1, urlConstructor, proto, 0)
	b.Tag(proto, "URL")
	webMethod(b, proto, "toString", 0, urlToString)
	for _, a := range urlAttributes { //meter: a table
		get := func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			o, err := thisURL(m, &c)
			if err != nil {
				return vm.Undefined, err
			}
			return a.get(m, o)
		}
		var set vm.NativeFunc
		switch {
		case a.name == "href":
			set = urlSetHref
		case a.set != nil:
			set = urlSetter(a)
		}
		webGetter(b, proto, a.name, get, set)
	}
	webMethod(b, proto, "toJSON", 0, urlToString)
	webMethod(b, ctor, "parse", 1, urlParse)
	webMethod(b, ctor, "canParse", 1, urlCanParse)
	b.GlobalObj("URL", ctor)
	setupURLSearchParams(b)
}

func thisURL(m *vm.Machine, c *vm.Call) (vm.Obj, error) {
	if isWeb(m, c.This, webURL) {
		return c.This.AsObj(), nil
	}
	return 0, m.TypeError("Receiver must be an instance of class URL")
}

// urlPart is the part of the serialization between two words; a part that is
// not longer than least is empty. The word 0 stands for the beginning and the
// end.
func urlPart(m *vm.Machine, o vm.Obj, from, to, least int) (vm.Value, error) {
	w := m.H.Values(m.H.Obj(o).Data.AsBlock())
	href := w[urlHref].AsStr()
	i, j := 0, m.H.Len(href)
	if from != 0 {
		i = int(w[from].AsInt())
	}
	if to != 0 {
		j = int(w[to].AsInt())
	}
	if j-i <= least {
		return heap.StringValue(m.N.StrEmpty), nil
	}
	s, err := m.H.Substring(href, i, j)
	return heap.StringValue(s), err
}

// urlRecord reads the record back from an object.
func urlRecord(m *vm.Machine, o vm.Obj) (*url.URL, error) {
	w := m.H.Values(m.H.Obj(o).Data.AsBlock())
	at := func(i int) int { return int(w[i].AsInt()) }
	p := url.Parts{
		SchemeEnd: at(urlSchemeEnd), Username: at(urlUsername), UsernameEnd: at(urlUsernameEnd), Password: at(urlPassword),
		PasswordEnd: at(urlPasswordEnd), Host: at(urlHost), HostEnd: at(urlHostEnd), Port: at(urlPort), PortEnd: at(urlPortEnd),
		Path: at(urlPath), Query: at(urlQuery), Fragment: at(urlFragment),
	}
	s, err := utf8Text(m, w[urlHref].AsStr(), urlTimes)
	if err != nil {
		return nil, err
	}
	return url.FromParts(s, p), nil
}

// storeURL gives an object a new record.
func storeURL(m *vm.Machine, o vm.Obj, u *url.URL) error {
	s, p := u.Serialize()
	if err := m.Charge(len(s)/16 + 16); err != nil {
		return err
	}
	href, err := m.H.NewLatin1([]byte(s))
	if err != nil {
		return err
	}
	w := m.H.ValuesW(m.H.Obj(o).Data.AsBlock())
	w[urlHref] = heap.StringValue(href)
	for i, n := range [...]int{p.SchemeEnd, p.Username, p.UsernameEnd, p.Password, p.PasswordEnd, p.Host, p.HostEnd, p.Port, p.PortEnd, p.Path, p.Query, p.Fragment} { //meter: a fixed number
		w[urlSchemeEnd+i] = heap.Int(int32(n))
	}
	return nil
}

// parseURL parses the arguments (url, base) of the constructor and the static
// methods. u is nil when the URL is not valid; input and base are their texts.
func parseURL(m *vm.Machine, c *vm.Call) (u *url.URL, input, base vm.Value, err error) {
	input, base = vm.Undefined, vm.Undefined
	if len(c.Args) == 0 {
		return nil, input, base, missingArgs(m, `"url" argument`)
	}
	if err := m.Charge(100); err != nil {
		return nil, input, base, err
	}
	s, err := usvString(m, c.Arg(0))
	if err != nil {
		return nil, input, base, err
	}
	input = heap.StringValue(s)
	var from *url.URL
	if c.Arg(1) != vm.Undefined {
		if s, err = usvString(m, c.Arg(1)); err != nil {
			return nil, input, base, err
		}
		base = heap.StringValue(s)
	}
	t, err := utf8Text(m, input.AsStr(), urlTimes)
	if err != nil {
		return nil, input, base, err
	}
	if base != vm.Undefined {
		bt, err := utf8Text(m, base.AsStr(), urlTimes)
		if err != nil {
			return nil, input, base, err
		}
		b, ok, err := url.Parse(m.Meter(), bt, nil)
		if err != nil || !ok {
			return nil, input, base, err
		}
		from = b
	}
	u, ok, err := url.Parse(m.Meter(), t, from)
	if !ok {
		u = nil
	}
	return u, input, base, err
}

// invalidURL is the error for a text that is no URL.
func invalidURL(m *vm.Machine, input, base vm.Value, headline bool) error {
	v, err := newNodeError(m, vm.TypeErrorPrototype, "ERR_INVALID_URL", "Invalid URL", headline)
	if err != nil {
		return err
	}
	for _, p := range []struct {
		name string
		v    vm.Value
	}{{"input", input}, {"base", base}} { //meter: two
		if p.v == vm.Undefined {
			continue
		}
		k, err := m.H.KeyOfName(p.name)
		if err != nil {
			return err
		}
		m.H.AddNamed(v.AsObj(), k.Name(), p.v, heap.DefaultAttrs)
	}
	return m.Throw(v)
}

// urlConstructor is URL(url, base).
func urlConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newWeb(m, &c, webURL, vm.URLPrototype, urlWords)
	if err != nil {
		return vm.Undefined, err
	}
	u, input, base, err := parseURL(m, &c)
	if err == nil && u == nil {
		err = invalidURL(m, input, base, false)
	}
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), storeURL(m, o, u)
}

// urlParse is URL.parse.
func urlParse(m *vm.Machine, c vm.Call) (vm.Value, error) {
	u, _, _, err := parseURL(m, &c)
	if err != nil || u == nil {
		return vm.Null, err
	}
	o := webObject(m, m.Intrinsic(vm.URLPrototype), webURL, urlWords)
	return heap.ObjectValue(o), storeURL(m, o, u)
}

// urlCanParse is URL.canParse.
func urlCanParse(m *vm.Machine, c vm.Call) (vm.Value, error) {
	u, _, _, err := parseURL(m, &c)
	return heap.Bool(u != nil), err
}

func urlToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisURL(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	return webWord(m, o, urlHref), nil
}

// urlOrigin is the getter origin.
func urlOrigin(m *vm.Machine, o vm.Obj) (vm.Value, error) {
	u, err := urlRecord(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	s, err := u.Origin(m.Meter())
	if err != nil {
		return vm.Undefined, err
	}
	return m.NewString(s)
}

// urlSearchParams is the getter searchParams: the same object each time.
func urlSearchParams(m *vm.Machine, o vm.Obj) (vm.Value, error) {
	if v := webWord(m, o, urlParams); v.IsObject() {
		return v, nil
	}
	p := webObject(m, m.Intrinsic(vm.URLSearchParamsPrototype), webSearchParams, paramsWords)
	setWebWord(m, p, paramsList, heap.ObjectValue(m.NewArrayLen(0)))
	if err := refreshParams(m, o, p); err != nil {
		return vm.Undefined, err
	}
	setWebWord(m, p, paramsURL, heap.ObjectValue(o))
	setWebWord(m, o, urlParams, heap.ObjectValue(p))
	return heap.ObjectValue(p), nil
}

// refreshParams fills the list of a URL's URLSearchParams from its query.
func refreshParams(m *vm.Machine, o, p vm.Obj) error {
	list := searchList(m, p)
	if err := m.Charge(m.H.NumElems(list)); err != nil {
		return err
	}
	m.H.Truncate(list, 0)
	v, err := urlPart(m, o, urlQuery, urlFragment, 1)
	if err != nil {
		return err
	}
	s, err := utf8Text(m, v.AsStr(), 3)
	if err != nil {
		return err
	}
	return parsePairs(m, list, strings.TrimPrefix(s, "?"))
}

// urlSetHref is the setter href.
func urlSetHref(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := settableURL(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	s, err := usvString(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	t, err := utf8Text(m, s, urlTimes)
	if err != nil {
		return vm.Undefined, err
	}
	u, ok, err := url.Parse(m.Meter(), t, nil)
	if err == nil && !ok {
		err = invalidURL(m, heap.StringValue(s), vm.Undefined, true)
	}
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, changeURL(m, o, u)
}

// changeURL gives an object a new record, and its URLSearchParams the new
// query.
func changeURL(m *vm.Machine, o vm.Obj, u *url.URL) error {
	if err := storeURL(m, o, u); err != nil {
		return err
	}
	if p := webWord(m, o, urlParams); p.IsObject() {
		return refreshParams(m, o, p.AsObj())
	}
	return nil
}

func settableURL(m *vm.Machine, c *vm.Call) (vm.Obj, error) {
	if isWeb(m, c.This, webURL) {
		return c.This.AsObj(), nil
	}
	return 0, m.TypeError("Cannot read private member #context from an object whose class did not declare it")
}

// urlSetter is the setter of an attribute.
func urlSetter(a urlAttribute) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, err := settableURL(m, &c)
		if err != nil {
			return vm.Undefined, err
		}
		v, err := usvText(m, c.Arg(0), urlTimes)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.Charge(len(v) / 8); err != nil {
			return vm.Undefined, err
		}
		u, err := urlRecord(m, o)
		if err != nil {
			return vm.Undefined, err
		}
		if err := a.set(m, u, v); err != nil {
			return vm.Undefined, err
		}
		if a.name == "search" {
			return vm.Undefined, changeURL(m, o, u)
		}
		return vm.Undefined, storeURL(m, o, u)
	}
}
