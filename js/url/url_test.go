package url_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/url"
	"github.com/pinfold-js/pinfold/meter"
)

// TestParse has its values from the URL Standard's algorithms, one case for
// each turn they take; package builtins compares many more with node.
func TestParse(t *testing.T) {
	for _, tt := range []struct{ input, base, want string }{
		{"http://h", "", "http://h/"},
		{"HTTP://U:P@H:80/a/./b/../c", "", "http://U:P@h/a/c"},
		{"http://a@b@c/", "", "http://a%40b@c/"},
		{"http://a:b@c:d@h/", "", "http://a:b%40c%3Ad@h/"},
		{"http:\\\\h\\p", "", "http://h/p"},
		{"https:h", "", "https://h/"},
		{"https:h", "https://b/c/d", "https://b/c/h"},
		{"//o", "https://b/c", "https://o/"},
		{"?q", "https://b/c?p#f", "https://b/c?q"},
		{"#g", "https://b/c?p#f", "https://b/c?p#g"},
		{"", "https://b/c?p#f", "https://b/c?p"},
		{"..", "https://b/c/d/e", "https://b/c/"},
		{"../../../..", "https://b/c/d/e", "https://b/"},
		{"%2e%2E/x", "https://b/c/d/e", "https://b/c/x"},
		{"foo:bar", "", "foo:bar"},
		{"foo:/..//x", "", "foo:/.//x"},
		{"foo://H%zz", "", "foo://H%zz"},
		{"#f", "foo:bar", "foo:bar#f"},
		{"x", "foo:bar", "!"},
		{"x", "", "!"},
		{"file:///C|/../x", "", "file:///C:/x"},
		{"D:/y", "file:///C:/x", "d:/y"},
		{"D|/y", "file:///C:/x", "file:///D:/y"},
		{"/y", "file:///C:/x", "file:///C:/y"},
		{"file://localhost/x", "", "file:///x"},
		{"file://h/x", "", "file://h/x"},
		{"http://h:65535/", "", "http://h:65535/"},
		{"http://h:65536/", "", "!"},
		{"http://h:8a/", "", "!"},
		{"http:///", "", "!"},
		{"http://@/", "", "!"},
		{"http://0x7f.1", "", "http://127.0.0.1/"},
		{"http://1.2.3.4.5", "", "!"},
		{"http://4294967296", "", "!"},
		{"http://a.0x", "", "!"},
		{"http://1.a", "", "http://1.a/"},
		{"http://[1:0:0:2::]", "", "http://[1:0:0:2::]/"},
		{"http://[::127.0.0.1]", "", "http://[::7f00:1]/"},
		{"http://[1:2:3:4:5:6:7::]", "", "http://[1:2:3:4:5:6:7:0]/"},
		{"http://[1::2::]", "", "!"},
		{"http://[12345::]", "", "!"},
		{"http://[::01.2.3.4]", "", "!"},
		{"http://[:]", "", "!"},
		{"http://faß.de", "", "http://xn--fa-hia.de/"},
		{"http://xn--zca.de", "", "http://xn--zca.de/"},
		{"http://xn--a", "", "!"},
		{"http://a b", "", "!"},
		{"http://%61%42", "", "http://ab/"},
		{"http://h/?'\"<>#'\"<>`", "", "http://h/?%27%22%3C%3E#'%22%3C%3E%60"},
		{"foo://h/?'", "", "foo://h/?'"},
		{" \x00http://h/\tx\n ", "", "http://h/x"},
		{"http://" + strings.Repeat("é", 2000), "", "!"},
	} {
		var base *url.URL
		if tt.base != "" {
			base, _, _ = url.Parse(nil, tt.base, nil)
		}
		u, ok, err := url.Parse(nil, tt.input, base)
		got := "!"
		if ok {
			got, _ = u.Serialize()
		}
		if err != nil || got != tt.want {
			t.Errorf("%q, base %q: got %q, %v; want %q", tt.input, tt.base, got, err, tt.want)
		}
	}
}

func TestOrigin(t *testing.T) {
	for in, want := range map[string]string{
		"https://u:p@h:81/x": "https://h:81", "file:///x": "null", "foo://h": "null", "data:x": "null",
		"blob:https://h/x": "https://h", "blob:blob:https://h": "null", "blob:ftp://h": "null", "wss://h:443": "wss://h",
	} {
		u, ok, _ := url.Parse(nil, in, nil)
		if !ok {
			t.Fatal(in)
		}
		if got, err := u.Origin(nil); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestForm(t *testing.T) {
	var got []string
	err := url.ParseForm(nil, "a=1&&b&=c&%41+b=%zz%20&x=\xff&y=\xe2\x82z&d=e=f", func(name, value string) error {
		got = append(got, name+"→"+value)
		return nil
	})
	want := "a→1|b→|→c|A b→%zz |x→\ufffd|y→\ufffdz|d→e=f"
	if s := strings.Join(got, "|"); err != nil || s != want {
		t.Errorf("got %q, %v; want %q", s, err, want)
	}
	if s := string(url.AppendForm(nil, "aZ09*-._ ~!é")); s != "aZ09*-._+%7E%21%C3%A9" {
		t.Errorf("got %q", s)
	}
}

// TestMeter looks at whether long inputs are charged for in proportion, and
// whether the meter's error comes through.
func TestMeter(t *testing.T) {
	fuel := func(in string) int64 {
		m := meter.New(nil, meter.Limits{Fuel: 1 << 40})
		if _, _, err := url.Parse(m, in, nil); err != nil {
			t.Fatal(err)
		}
		return m.Usage().Fuel
	}
	for _, part := range []string{"a/", "../", "é", "@", "a?"} {
		one, ten := fuel("http://h/"+strings.Repeat(part, 1e5)), fuel("http://h/"+strings.Repeat(part, 1e6))
		if ten < 5*one || ten > 20*one || one < 1e4 {
			t.Errorf("%q: %d units for 1e5, %d for 1e6", part, one, ten)
		}
	}
	for _, in := range []string{"http://h/" + strings.Repeat("a", 1e6), "http://" + strings.Repeat("ü.", 300)} {
		m := meter.New(nil, meter.Limits{Fuel: 2000})
		if _, _, err := url.Parse(m, in, nil); !meter.IsLimit(err) {
			t.Errorf("%.20s…: got %v, want a limit", in, err)
		}
	}
}

// check looks at what must hold of every URL: its serialization is ASCII, gives
// the same record back, by its parts and parsed anew.
func check(t *testing.T, u *url.URL, how string) {
	t.Helper()
	s, p := u.Serialize()
	for i := range len(s) {
		if s[i] <= ' ' && s[i] != ' ' || s[i] > '~' {
			t.Fatalf("%s: %q has %q", how, s, s[i])
		}
	}
	if again, _ := url.FromParts(s, p).Serialize(); again != s {
		t.Fatalf("%s: %q became %q by its parts", how, s, again)
	}
	v, ok, err := url.Parse(nil, s, nil)
	if err != nil || !ok {
		t.Fatalf("%s: %q does not parse: %v", how, s, err)
	}
	again, _ := v.Serialize()
	// The spaces at the end of a text are stripped.
	if again != s && again != strings.TrimRight(s, " ") {
		t.Fatalf("%s: %q became %q", how, s, again)
	}
}

func FuzzURL(f *testing.F) {
	for _, in := range []string{"http://u:p@h:1/a/../b?c#d", "file:///C|/x", "foo:/..//x", "data: x ?y", "//h\\x", "http://[1::2]/", "http://é.xn--zca/"} {
		f.Add(in, "http://b/c", "x:1/../?#")
	}
	f.Fuzz(func(t *testing.T, in, base, v string) {
		if !utf8.ValidString(in) || !utf8.ValidString(base) || !utf8.ValidString(v) {
			t.Skip("not scalar values")
		}
		var b *url.URL
		if u, ok, _ := url.Parse(nil, base, nil); ok {
			b = u
		}
		u, ok, err := url.Parse(nil, in, b)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return
		}
		check(t, u, "parsed")
		for name, set := range map[string]func(*url.URL) error{
			"protocol": func(u *url.URL) error { return u.SetProtocol(nil, v) },
			"username": func(u *url.URL) error { u.SetUsername(v); return nil },
			"password": func(u *url.URL) error { u.SetPassword(v); return nil },
			"host":     func(u *url.URL) error { return u.SetHost(nil, v, false) },
			"hostname": func(u *url.URL) error { return u.SetHost(nil, v, true) },
			"port":     func(u *url.URL) error { return u.SetPort(nil, v) },
			"pathname": func(u *url.URL) error { return u.SetPathname(nil, v) },
			"search":   func(u *url.URL) error { return u.SetSearch(nil, v) },
			"hash":     func(u *url.URL) error { return u.SetHash(nil, v) },
		} {
			c := *u
			if err := set(&c); err != nil {
				t.Fatal(err)
			}
			check(t, &c, name)
		}
	})
}
