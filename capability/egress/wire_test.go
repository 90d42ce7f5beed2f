package egress_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/capability/egress"
)

// speak starts a server that writes what it likes, after it has read a request.
func speak(t testing.TB, say func(w io.Writer, done <-chan struct{})) uint16 {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					say(c, done)
				}
			})
		}
	})
	t.Cleanup(func() {
		close(done)
		l.Close()
		wg.Wait()
	})
	return portOf(t, "http://"+l.Addr().String())
}

func gzipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// forever writes s again and again until the other side is gone.
func forever(w io.Writer, s string) {
	for len(s) < 32<<10 {
		s += s
	}
	for {
		if _, err := io.WriteString(w, s); err != nil {
			return
		}
	}
}

func TestH13(t *testing.T) {
	const limit = 1 << 20
	bomb := gzipped(strings.Repeat("\x00", 8<<20)) // 8 KiB
	for _, tc := range []struct {
		name string
		say  func(w io.Writer, done <-chan struct{})
		code egress.Code
		text string
	}{
		{"endless body", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\n\r\n")
			forever(w, "x")
		}, egress.TooLarge, "too large (limit 1048576 bytes): response body"},
		{"endless chunks", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
			forever(w, "4\r\nabcd\r\n")
		}, egress.TooLarge, ""},
		{"endless tiny chunks with extensions", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
			forever(w, "1;"+strings.Repeat("e", 500)+"\r\na\r\n")
		}, egress.BadResponse, ""},
		{"gzip bomb", func(w io.Writer, _ <-chan struct{}) {
			fmt.Fprintf(w, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(bomb), bomb)
		}, egress.TooLarge, ""},
		{"endless gzip without content", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
			forever(w, gzipped(""))
		}, egress.TooLarge, ""},
		{"endless gzip header", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03")
			forever(w, "n")
		}, egress.BadResponse, ""},
		{"gzip that is none", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")
		}, egress.BadResponse, "bad response"},
		{"gzip cut off", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+bomb[:100])
		}, egress.BadResponse, ""},
		{"length too long to read", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nhello")
		}, egress.TooLarge, ""},
		{"length longer than the body", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\nhello")
		}, egress.BadResponse, ""},
		{"two lengths", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!")
		}, egress.BadResponse, ""},
		{"negative length", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello!")
		}, egress.BadResponse, ""},
		{"endless header line", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nX: ")
			forever(w, "x")
		}, egress.TooLarge, "too large (limit 65536 bytes): response headers"},
		{"endless header lines", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\n")
			forever(w, "X: y\r\n")
		}, egress.TooLarge, ""},
		{"endless status line", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 ")
			forever(w, "K")
		}, egress.TooLarge, ""},
		{"endless early hints", func(w io.Writer, _ <-chan struct{}) {
			forever(w, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
		}, egress.TooLarge, ""},
		{"endless trailers", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\n")
			forever(w, "X: y\r\n")
		}, egress.BadResponse, ""},
		{"slow body", func(w io.Writer, done <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\n\r\n")
			trickle(w, done)
		}, egress.TimedOut, "timed out"},
		{"slow header", func(w io.Writer, done <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nX: ")
			trickle(w, done)
		}, egress.TimedOut, "timed out"},
		{"silence", func(w io.Writer, done <-chan struct{}) { <-done }, egress.TimedOut, "timed out"},
		{"other protocol", func(w io.Writer, _ <-chan struct{}) { io.WriteString(w, "SSH-2.0-OpenSSH_9.6\r\n") }, egress.BadResponse, ""},
		{"switched protocol", func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
		}, egress.BadResponse, ""},
		{"nothing", func(w io.Writer, _ <-chan struct{}) {}, egress.BadResponse, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			port := speak(t, tc.say)
			p := localPolicy(port, "a.example.com")
			p.MaxBodyBytes = limit
			p.Timeout = time.Minute
			r := egress.Request{URL: "http://a.example.com:" + at16(port) + "/"}
			if tc.code == egress.TimedOut {
				r.Timeout = 150 * time.Millisecond
			}
			c := client(t, p)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			e := refused(t, c, r, tc.code)
			runtime.ReadMemStats(&after)
			if tc.text != "" && e.Error() != tc.text {
				t.Errorf("text %q", e.Error())
			}
			// All that was allocated, the test's server included.
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 16*limit {
				t.Errorf("%d bytes were allocated", grown)
			}
		})
	}
	t.Run("length shorter than the body", func(t *testing.T) {
		port := speak(t, func(w io.Writer, _ <-chan struct{}) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more HTTP/1.1 200 OK\r\n\r\n")
		})
		if r := get(t, client(t, localPolicy(port, "a.example.com")), "http://a.example.com:"+at16(port)+"/"); string(r.Body) != "hello" {
			t.Errorf("%q", r.Body)
		}
	})
	t.Run("redirects", func(t *testing.T) {
		_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
			if r.URL.Path == "/loop" {
				http.Redirect(w, r, "/loop", http.StatusFound)
			} else if n > 0 {
				http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
			}
		})
		p := localPolicy(port, "a.example.com")
		c := client(t, p)
		base := "http://a.example.com:" + at16(port) + "/"
		if r := get(t, c, base+"5"); !r.Redirected || r.URL != base+"0" || len(r.Hops) != 6 || r.Hops[0].Status != 302 {
			t.Errorf("%+v", r)
		}
		hits.Store(0)
		for _, path := range []string{"6", "10000", "loop"} {
			if e := refusedURL(t, c, base+path, egress.RedirectNotAllowed); e.Error() != "redirect not allowed: more than 5 redirects" || e.Rule != "MaxRedirects" || e.Hop != 5 {
				t.Errorf("%+v", e)
			}
		}
		if hits.Load() != 18 {
			t.Errorf("%d requests", hits.Load())
		}
		p.MaxRedirects = -1
		refusedURL(t, client(t, p), base+"1", egress.RedirectNotAllowed)
	})
}

func trickle(w io.Writer, done <-chan struct{}) {
	for {
		if _, err := io.WriteString(w, "x"); err != nil {
			return
		}
		select {
		case <-done:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func TestHTTP2(t *testing.T) {
	s, port := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Proto", r.Proto)
		switch r.URL.Path {
		case "/flood":
			for i := range 200 {
				w.Header().Set("X-"+strconv.Itoa(i), strings.Repeat("x", 1<<10))
			}
		case "/big":
			w.Header().Set("X-Big", strings.Repeat("x", 200<<10))
		case "/endless":
			forever(w, "x")
		case "/slow":
			<-r.Context().Done()
		}
	})
	p := localPolicy(port, "a.example.com")
	p.Allow[0].Schemes = nil
	p.RootCAs = rootsOf(s)
	c := client(t, p)
	base := "https://a.example.com:" + at16(port)
	if r := get(t, c, base+"/"); r.Header["x-proto"] != "HTTP/2.0" || r.StatusText != "OK" {
		t.Errorf("%+v", r)
	}
	// A path that begins with two slashes is no authority.
	if r := get(t, c, base+"//evil.com/"); r.URL != base+"//evil.com/" {
		t.Errorf("%+v", r)
	}
	// HTTP/2 knows only an error of the connection for headers far over the limit.
	refusedURL(t, c, base+"/flood", egress.BadResponse)
	refusedURL(t, c, base+"/big", egress.BadResponse)
	refused(t, c, egress.Request{URL: base + "/endless", MaxBytes: 1000}, egress.TooLarge)
	refused(t, c, egress.Request{URL: base + "/slow", Timeout: 100 * time.Millisecond}, egress.TimedOut)
}

func TestTLS(t *testing.T) {
	s, port := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {})
	_, plain, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	p := localPolicy(port, "a.example.com", "a.example.org")
	p.Allow[0].Schemes = nil
	p.Allow[0].Ports = append(p.Allow[0].Ports, plain)
	u := "https://a.example.com:" + at16(port) + "/"
	if e := refusedURL(t, client(t, p), u, egress.TLSFailed); e.Error() != "secure connection failed: the certificate is not accepted" {
		t.Error(e)
	}
	p.RootCAs = rootsOf(s)
	c := client(t, p)
	get(t, c, u)
	refusedURL(t, c, "https://a.example.org:"+at16(port)+"/", egress.TLSFailed)
	refusedURL(t, c, "https://a.example.com:"+at16(plain)+"/", egress.TLSFailed)
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := portOf(t, "http://"+l.Addr().String())
	l.Close()
	p := localPolicy(port, "a.example.com", "nowhere.example.com")
	p.Resolver.(*names).set("nowhere.example.com")
	c := client(t, p)
	if e := refusedURL(t, c, "http://a.example.com:"+at16(port)+"/", egress.ConnectionFailed); e.Error() != "connection failed" {
		t.Error(e)
	}
	if e := refusedURL(t, c, "http://nowhere.example.com:"+at16(port)+"/", egress.HostNotFound); e.Error() != "host not found: nowhere.example.com" {
		t.Error(e)
	}
	// The second address is tried when the first one does not answer.
	_, port, _ = serve(t, func(w http.ResponseWriter, r *http.Request) {})
	p = localPolicy(port, "a.example.com")
	p.Resolver.(*names).set("a.example.com", at(addr("127.0.0.2"), local))
	p.AllowPrivate = []netip.Prefix{loopback}
	get(t, client(t, p), "http://a.example.com:"+at16(port)+"/")
}

func TestContext(t *testing.T) {
	port := speak(t, func(w io.Writer, done <-chan struct{}) { <-done })
	c := client(t, localPolicy(port, "a.example.com"))
	r := egress.Request{URL: "http://a.example.com:" + at16(port) + "/"}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := c.Do(ctx, r); !errors.Is(err, context.Canceled) || !errors.Is(err, egress.Cancelled) {
		t.Errorf("%v", err)
	}
	if _, err := c.Do(ctx, r); !errors.Is(err, egress.Cancelled) {
		t.Errorf("a context that has ended: %v", err)
	}
	// What is still being dialled ends with the request.
	dialed := make(chan struct{})
	slow := c.WithDial(func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		defer close(dialed)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	refused(t, slow, egress.Request{URL: r.URL, Timeout: 20 * time.Millisecond}, egress.TimedOut)
	<-dialed
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Do(ctx, r); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, egress.TimedOut) {
		t.Errorf("%v", err)
	}
}

func TestResponse(t *testing.T) {
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("X-Two", "a")
		w.Header().Add("X-Two", "b")
		w.Header().Set("Set-Cookie", "session=1")
		w.Header()["X-Latin"] = []string{"caf\xe9"}
		if r.URL.Path == "/zipped" {
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, gzipped("hello"))
			return
		}
		w.WriteHeader(418)
		b, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %q %q %q %q %q", r.Method, r.RequestURI, b, r.UserAgent(), r.Header["Accept-Encoding"], r.Header["Content-Type"], r.Header["Cookie"])
	})
	c := client(t, localPolicy(port, "a.example.com"))
	base := "http://a.example.com:" + at16(port)
	r, err := c.Do(t.Context(), egress.Request{Method: "post", URL: base + "/x?y#z", Header: map[string]string{"content-type": "text/plain"}, Body: []byte("body")})
	if err != nil {
		t.Fatal(err)
	}
	if want := `POST /x?y "body" "pinfold" ["gzip"] ["text/plain"] []`; r.Status != 418 || string(r.Body) != want || r.StatusText != "I'm a teapot" {
		t.Errorf("%d %q, want %q", r.Status, r.Body, want)
	}
	if r.Header["x-two"] != "a, b" || r.Header["x-latin"] != "café" || r.Header["set-cookie"] != "" || r.URL != base+"/x?y" || r.Redirected {
		t.Errorf("%+v", r)
	}
	// No cookie was kept.
	if r := get(t, c, base+"/"); !strings.HasSuffix(string(r.Body), "[]") {
		t.Errorf("%s", r.Body)
	}
	if r := get(t, c, base+"/zipped"); string(r.Body) != "hello" {
		t.Errorf("%q", r.Body)
	}
	r, err = c.Do(t.Context(), egress.Request{Method: "HEAD", URL: base + "/zipped"})
	if err != nil || len(r.Body) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = c.Do(t.Context(), egress.Request{URL: base + "/", Header: map[string]string{"range": "bytes=0-3", "User-Agent": "me"}})
	if err != nil || !strings.Contains(string(r.Body), `"me" ["identity"]`) {
		t.Errorf("%+v, %v", r, err)
	}
	for name, bad := range map[string]egress.Request{
		"body":     {URL: base + "/", Body: []byte("x")},
		"redirect": {URL: base + "/", Redirect: "maybe"},
		"timeout":  {URL: base + "/", Timeout: -1},
		"maxBytes": {URL: base + "/", MaxBytes: -1},
		"method":   {URL: base + "/", Method: "a b"},
		"url":      {URL: "http://a.example.com:" + at16(port) + "/\xff"},
	} {
		if e := refused(t, c, bad, egress.BadArgument); e.Reason != "bad argument: "+name {
			t.Errorf("%s: %s", name, e)
		}
	}
	refused(t, c, egress.Request{URL: base + "/" + strings.Repeat("x", 17<<10)}, egress.TooLarge)
	refused(t, c, egress.Request{URL: base + "/", Method: "PUT", Body: make([]byte, 1<<20+1)}, egress.TooLarge)
	refused(t, c, egress.Request{URL: base + "/", Header: map[string]string{"x": strings.Repeat("x", 65<<10)}}, egress.TooLarge)
}

func TestBodyLimits(t *testing.T) {
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		body := strings.Repeat("x", n)
		switch r.URL.Path {
		case "/zipped":
			w.Header().Set("Content-Encoding", "gzip")
			body = gzipped(body)
		case "/chunked":
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, body)
	})
	p := localPolicy(port, "a.example.com")
	p.MaxBodyBytes = 1000
	c := client(t, p)
	for _, path := range []string{"/", "/zipped", "/chunked"} {
		for _, tc := range []struct {
			n    int
			max  int64
			fits bool
		}{{0, 0, true}, {1, 0, true}, {999, 0, true}, {1000, 0, true}, {1001, 0, false}, {1000, 5000, true}, {1001, 5000, false}, {10, 10, true}, {11, 10, false}, {600, 511, false}} {
			r, err := c.Do(t.Context(), egress.Request{URL: fmt.Sprintf("http://a.example.com:%d%s?n=%d", port, path, tc.n), MaxBytes: tc.max})
			if tc.fits && (err != nil || len(r.Body) != tc.n) || !tc.fits && !errors.Is(err, egress.TooLarge) {
				t.Errorf("%s, %d bytes, limit %d: %v", path, tc.n, tc.max, err)
			}
		}
	}
}

func TestRedirectMethods(t *testing.T) {
	var status atomic.Int64
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/start" {
			w.Header().Set("Location", "end#fragment")
			w.WriteHeader(int(status.Load()))
			return
		}
		b, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %q %q", r.Method, b, r.Header["Content-Type"], r.Header["X-Kept"])
	})
	c := client(t, localPolicy(port, "a.example.com"))
	base := "http://a.example.com:" + at16(port)
	for _, tc := range []struct {
		status   int
		method   string
		want     string
		followed bool
	}{
		{301, "POST", `GET  [] ["1"]`, true}, {302, "POST", `GET  [] ["1"]`, true}, {303, "POST", `GET  [] ["1"]`, true},
		{301, "PUT", `PUT body ["text/plain"] ["1"]`, true}, {302, "DELETE", `DELETE body ["text/plain"] ["1"]`, true}, {303, "PUT", `GET  [] ["1"]`, true},
		{307, "POST", `POST body ["text/plain"] ["1"]`, true}, {308, "PATCH", `PATCH body ["text/plain"] ["1"]`, true},
		{303, "GET", `GET  ["text/plain"] ["1"]`, true}, {303, "HEAD", ``, true},
		{300, "GET", "", false}, {304, "GET", "", false}, {305, "GET", "", false},
	} {
		status.Store(int64(tc.status))
		r := egress.Request{Method: tc.method, URL: base + "/start", Header: map[string]string{"content-type": "text/plain", "x-kept": "1"}}
		if tc.method != "GET" && tc.method != "HEAD" {
			r.Body = []byte("body")
		}
		resp, err := c.Do(t.Context(), r)
		if err != nil || resp.Redirected != tc.followed || string(resp.Body) != tc.want {
			t.Errorf("%d %s: %+v %s, %v", tc.status, tc.method, resp, resp.Body, err)
		}
	}
	status.Store(307)
	r, err := c.Do(t.Context(), egress.Request{URL: base + "/start", Redirect: egress.Manual})
	if err != nil || r.Status != 307 || r.Location != base+"/end#fragment" || r.Redirected || r.Header["location"] != "end#fragment" {
		t.Errorf("%+v, %v", r, err)
	}
	if e := refused(t, c, egress.Request{URL: base + "/start", Redirect: egress.ErrorOnRedirect}, egress.RedirectNotAllowed); e.Rule != "redirect: error" {
		t.Errorf("%+v", e)
	}
	// A method is admitted on each hop.
	p := localPolicy(port, "a.example.com")
	p.Allow[0].Methods = []string{"POST"}
	status.Store(303)
	e := refused(t, client(t, p), egress.Request{Method: "POST", URL: base + "/start"}, egress.RedirectNotAllowed, egress.MethodNotAllowed)
	if e.Hop != 1 {
		t.Errorf("%+v", e)
	}
	status.Store(302)
	bad := speak(t, func(w io.Writer, _ <-chan struct{}) {
		io.WriteString(w, "HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\n\r\n")
	})
	if e := refusedURL(t, client(t, localPolicy(bad, "a.example.com")), "http://a.example.com:"+at16(bad)+"/", egress.RedirectNotAllowed); e.Detail != "it has more than one location" {
		t.Errorf("%+v", e)
	}
	none := speak(t, func(w io.Writer, _ <-chan struct{}) {
		io.WriteString(w, "HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nhi")
	})
	if r := get(t, client(t, localPolicy(none, "a.example.com")), "http://a.example.com:"+at16(none)+"/"); r.Status != 302 || string(r.Body) != "hi" || r.Location != "" {
		t.Errorf("%+v", r)
	}
}

func TestScrubbing(t *testing.T) {
	const user, password = "robot", `p"ss/wörd+123`
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
	const key = "k-0123456789/+abc"
	var text string
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", text)
		if r.URL.Path == "/redirect" {
			w.Header().Set("Location", "/?key="+url.QueryEscape(key))
			w.WriteHeader(302)
			return
		}
		if r.URL.Path == "/elsewhere" {
			w.Header().Set("Location", "http://k-0123456789.example.com/?"+key)
			w.WriteHeader(302)
			return
		}
		io.WriteString(w, text)
	})
	value := key
	p := localPolicy(port, "a.example.com")
	p.Credentials = []egress.Credential{
		{Name: "basic", Hosts: []string{"a.example.com"}, Header: "Authorization", Insecure: true, Value: func(context.Context) (string, error) { return basic, nil }},
		{Name: "key", Hosts: []string{"*.example.com"}, Header: "X-Key", Insecure: true, Value: func(context.Context) (string, error) {
			if value == "" {
				return "", errors.New("the vault at 10.0.0.7 is closed")
			}
			return value, nil
		}},
	}
	var events []egress.Event
	p.Observe = func(e egress.Event) { events = append(events, e) }
	c := client(t, p)
	base := "http://a.example.com:" + at16(port)
	for _, s := range []string{
		basic, strings.TrimPrefix(basic, "Basic "), user + ":" + password, password, `{"p":"p\"ss/wörd+123"}`, "p%22ss%2Fw%C3%B6rd%2B123", key, url.QueryEscape(key), url.PathEscape(key),
		base64.StdEncoding.EncodeToString([]byte(key)), base64.URLEncoding.EncodeToString([]byte(key)), strings.Repeat(key, 100), `k-0123456789\/+abc`,
	} {
		text = "before " + s + " after"
		r := get(t, c, base+"/")
		all := fmt.Sprintf("%+v %s", r, r.Body)
		if strings.Contains(all, s) || strings.Contains(all, "0123456789") || strings.Contains(all, "123456") || !strings.HasPrefix(string(r.Body), "before ") || !strings.HasSuffix(string(r.Body), " after") {
			t.Errorf("%s came back: %s", s, all)
		}
	}
	text = "nothing of it"
	r := get(t, c, base+"/redirect")
	if all := fmt.Sprintf("%+v", r); strings.Contains(all, "0123456789") || string(r.Body) != text {
		t.Errorf("%s", all)
	}
	r, err := c.Do(t.Context(), egress.Request{URL: base + "/redirect", Redirect: egress.Manual})
	if all := fmt.Sprintf("%+v", r); err != nil || strings.Contains(all, "0123456789") {
		t.Errorf("%s, %v", all, err)
	}
	value = "k-0123456789"
	e := refusedURL(t, c, base+"/elsewhere", egress.RedirectNotAllowed)
	if all := fmt.Sprintf("%+v %s %+v", e, e, e.Unwrap()); strings.Contains(all, "0123456789") {
		t.Errorf("%s", all)
	}
	for _, e := range events {
		if all := fmt.Sprintf("%+v", e); strings.Contains(all, "0123456789") {
			t.Errorf("%s", all)
		}
	}
	// Over http only if the host says so; and nothing is sent without it.
	events = nil
	for _, v := range []string{"", "short", "a\r\nb: 12345678", " 123456789"} {
		value = v
		if e := refusedURL(t, c, base+"/", egress.CredentialUnavailable); e.Error() != "credential not available: key" {
			t.Errorf("%q: %s", v, e)
		}
	}
	for _, e := range events {
		if e.Addr.IsValid() {
			t.Errorf("%+v", e)
		}
	}
	p.Credentials[0].Insecure, p.Credentials[1].Insecure = false, false
	text = "open"
	if r := get(t, client(t, p), base+"/"); len(r.Hops[0].Credentials) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestObserve(t *testing.T) {
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a" {
			http.Redirect(w, r, "http://b.example.com:"+at16(port16(r))+"/", http.StatusFound)
			return
		}
		io.WriteString(w, "12345")
	})
	p := localPolicy(port, "a.example.com", "b.example.com", "private.example.com")
	p.Resolver.(*names).set("private.example.com", at(addr("10.0.0.7")))
	var events []egress.Event
	p.Observe = func(e egress.Event) { events = append(events, e) }
	c := client(t, p)
	get(t, c, "http://a.example.com:"+at16(port)+"/a")
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprintf("%d %s %v %v %s %d %d", e.Hop, e.Host, e.Allowed, e.Done, e.Rule, e.Status, e.Bytes))
	}
	if want := []string{
		"0 a.example.com true false local 0 0", "0 a.example.com true true local 302 0", "1 b.example.com true false local 0 0", "1 b.example.com true true local 200 5",
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if events[1].Addr != netip.AddrPortFrom(local, port) {
		t.Errorf("%+v", events[1])
	}
	events = nil
	refusedURL(t, c, "http://private.example.com:"+at16(port)+"/", egress.AddressNotAllowed)
	if len(events) != 2 || events[1].Rule != "special range 10.0.0.0/8" || !strings.Contains(events[1].Cause.Error(), "10.0.0.7") || events[1].Err == nil {
		t.Errorf("%+v", events)
	}
	events = nil
	refusedURL(t, c, "http://u:secret@evil.com/", egress.BadArgument)
	if len(events) != 1 || events[0].Allowed || !events[0].Done || strings.Contains(fmt.Sprintf("%+v", events), "secret") {
		t.Errorf("%+v", events)
	}
}

func port16(r *http.Request) uint16 {
	a, _ := netip.ParseAddrPort(r.Context().Value(http.LocalAddrContextKey).(net.Addr).String())
	return a.Port()
}

// TestNoProxy: TestMain has set proxies.
func TestNoProxy(t *testing.T) {
	if u, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: "http", Host: "a.example.com"}}); u == nil || err != nil {
		t.Fatalf("the environment has no proxy: %v", err)
	}
	_, port, hits := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	get(t, client(t, localPolicy(port, "a.example.com")), "http://a.example.com:"+at16(port)+"/")
	if hits.Load() != 1 {
		t.Error("the request did not come directly")
	}
}

func TestConcurrent(t *testing.T) {
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n := r.URL.Path[1]; n > '0' {
			http.Redirect(w, r, "/"+string(n-1), http.StatusFound)
			return
		}
		io.WriteString(w, r.URL.RawQuery)
	})
	p := localPolicy(port, "a.example.com")
	p.Credentials = []egress.Credential{{Name: "k", Hosts: []string{"a.example.com"}, Header: "X-Key", Insecure: true, Value: func(context.Context) (string, error) { return "0123456789", nil }}}
	var events atomic.Int64
	p.Observe = func(egress.Event) { events.Add(1) }
	c := client(t, p)
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			r, err := c.Do(t.Context(), egress.Request{URL: "http://a.example.com:" + at16(port) + "/3"})
			if err != nil || len(r.Hops) != 4 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	wg.Wait()
	if events.Load() != 40*8 {
		t.Errorf("%d events", events.Load())
	}
}

func TestSystemResolver(t *testing.T) {
	_, port, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	p := localPolicy(port, "localhost")
	p.Resolver = nil
	// The name may have two addresses, of which the server has one.
	p.AllowPrivate = append(p.AllowPrivate, netip.MustParsePrefix("::1/128"))
	c := client(t, p)
	u := "http://localhost:" + at16(port) + "/"
	if r := get(t, c, u); string(r.Body) != "localhost:"+at16(port) {
		t.Errorf("%s", r.Body)
	}
	p.AllowPrivate = nil
	refusedURL(t, client(t, p), u, egress.AddressNotAllowed)
}
