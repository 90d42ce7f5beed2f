package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/clock"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/capability/llm"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/toolcall"
	"github.com/pinfold-js/pinfold/membrane"
)

// Report is what the tests of a tool gave.
type Report struct {
	Tool  string       `json:"tool"`
	File  string       `json:"file"`
	Cases []CaseReport `json:"cases"` // none if the tool has no tests
}

// Failed returns how many cases failed.
func (r *Report) Failed() int {
	n := 0
	for _, c := range r.Cases {
		if len(c.Problems) > 0 {
			n++
		}
	}
	return n
}

// CaseReport is what one case gave.
type CaseReport struct {
	Name     string        `json:"name"`
	File     string        `json:"file"` // of the tests
	Line     int           `json:"line"`
	Problems []string      `json:"problems,omitempty"` // none if it passed
	Text     string        `json:"text"`               // of the result
	IsError  bool          `json:"isError,omitempty"`
	Duration time.Duration `json:"duration"` // ns
	Result   *Result       `json:"-"`
}

// testSuffixes are what the names of files of tests end in, after the name of
// the tool's file without its extension.
var testSuffixes = []string{".tool.test.yaml", ".tool.test.json"}

// Test runs the tests of a tool: the cases of NAME.tool.test.yaml and
// NAME.tool.test.json beside it. A case calls the tool in a world of its own, in
// which everything that the tool requires is granted, and canned: files are in a
// temporary folder, requests are answered by what the case says, and nothing
// leaves the process. Of the configuration, the grants and the approver are not
// used; functions of the host are called as ever.
//
//	cases:
//	  - name: the weather in Bern
//	    input: {city: Bern}
//	    fetch:
//	      - url: https://api.example.com/weather?q=*
//	        json: {celsius: 7}
//	    output: {celsius: 7, fahrenheit: 44.6}
//
// What a case expects are output (the value), text, contains (parts of the text),
// error (true, or parts of its text), writes (files by their paths; null: none),
// stored (keys of the store), logs, and cost. Without output, text and error any
// result that is no error will do. What it finds are fetch, files, store, llm (answers of the
// model), tools (values of ctx.callTool), now and seed; these may stand at the top,
// too, for all cases. approve: false, or a reason, refuses the call.
//
// An answer to requests has url (with * for anything), and may have method, sends
// (the body, as text or as data), status, headers, body or json, error (the
// request fails), and optional: an answer of a case that isn't asked for fails it.
//
// The error is that of Load, or a *LoadError with the code BadTest.
func Test(name string, cfg Config) (*Report, error) {
	l, err := newLoader(cfg)
	if err != nil {
		return nil, err
	}
	l.ungranted = true
	f, err := l.file(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &Report{Tool: f.def.Name, File: f.name}
	dir, file := split(name)
	for _, suffix := range testSuffixes {
		tests := stem(file) + suffix
		text, err := readRegular(os.DirFS(dir), tests, tests, maxYAMLBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		cases, err := readCases(tests, text)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			x, err := f.test(c)
			if err != nil {
				return nil, err
			}
			x.File = tests
			r.Cases = append(r.Cases, *x)
		}
	}
	return r, nil
}

// stage is what one case works with.
type stage struct {
	grants    pinfold.Grants
	dir       string
	transport *canned
	log       *log.Memory
	store     store.Store
	close     []func()
}

// test runs one case.
func (f *File) test(c *testCase) (*CaseReport, error) {
	s, err := c.stage(f.def.Requires)
	defer func() {
		for _, close := range s.close {
			close()
		}
	}()
	if err != nil {
		return nil, fmt.Errorf("tool: the world of the case %s can't be made: %w", quote(c.name), err)
	}
	opt := f.base
	opt.Grants, opt.Deterministic, opt.Seed, opt.Clock, opt.Location, opt.FixedTime = &s.grants, true, c.seed, nil, nil, c.now
	one := &File{
		def: f.def, input: f.input, output: f.output, program: f.program, hash: f.hash, name: f.name,
		approver: ApproverFunc(func(context.Context, Question) (Answer, error) {
			return Answer{Approved: !c.refuse, Reason: c.reason}, nil
		}),
	}
	if one.sandbox, err = pinfold.New(f.options(opt)); err != nil {
		return nil, fmt.Errorf("tool: the case %s can't run: %w", quote(c.name), err)
	}
	defer one.Close()
	start := time.Now()
	r := one.Call(pinfold.WithCaller(context.Background(), pinfold.Caller{CallID: "test", InstanceID: "test"}), c.input)
	out := &CaseReport{Name: c.name, Line: c.line, Text: r.Text, IsError: r.IsError, Duration: time.Since(start), Result: r}
	out.Problems = append(c.check(r), s.check(c)...)
	return out, nil
}

// check compares a result with what is expected.
func (c *testCase) check(r *Result) []string {
	var bad []string
	problem := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if c.fails {
		if !r.IsError {
			problem("it gives %s, want an error", shown(r.Text))
		}
		for _, s := range c.errors {
			if r.IsError && !strings.Contains(r.Text, s) {
				problem("the error is %s, want %s in it", shown(r.Text), shown(s))
			}
		}
		return bad
	}
	if r.IsError {
		problem("it fails: %s", r.Text)
		return bad
	}
	if want, ok := c.text.(string); ok && r.Text != want {
		problem("the text is %s, want %s", shown(r.Text), shown(want))
	}
	for _, s := range c.contains {
		if !strings.Contains(r.Text, s) {
			problem("the text is %s, want %s in it", shown(r.Text), shown(s))
		}
	}
	if !isUndefined(c.output) {
		plain, err := r.Value.Plain()
		var got any
		d := json.NewDecoder(bytes.NewReader(plain))
		d.UseNumber()
		switch {
		case err != nil:
			problem("the value can't be compared: %v", err)
		case r.Value.IsUndefined():
			problem("it returns nothing, want %s", shown(c.output))
		case d.Decode(&got) == nil:
			if diff := difference("", got, c.output); diff != "" {
				problem("%s", diff)
			}
		}
	}
	return bad
}

// stage makes the world of a case, as far as the tool requires it.
func (c *testCase) stage(requires []pinfold.Requirement) (*stage, error) {
	s := &stage{log: &log.Memory{}}
	needs := func(name string) bool {
		return slices.ContainsFunc(requires, func(q pinfold.Requirement) bool { return q.Capability == name })
	}
	s.grants.Log, s.grants.Cost, s.grants.Clock = s.log, cost.NewLedger(cost.Options{}), clock.Fixed(c.now)
	if needs(pinfold.FileRead) || needs(pinfold.FileWrite) {
		if err := s.makeFiles(c.files); err != nil {
			return s, err
		}
	}
	if needs(pinfold.Network) {
		s.transport = &canned{answers: c.fetch}
		client, err := egress.New(s.transport.policy())
		if err != nil {
			return s, err
		}
		s.grants.Network = client
	}
	if needs(pinfold.Store) {
		memory := store.NewMemory(store.Limits{})
		s.close = append(s.close, func() { _ = memory.Close() })
		var err error
		if s.store, err = memory.Namespace("test"); err != nil {
			return s, err
		}
		for i := 0; c.store != nil && i < c.store.Len(); i++ {
			k, v := c.store.At(i)
			text, err := json.Marshal(v)
			if err == nil {
				err = s.store.Set(context.Background(), k, text)
			}
			if err != nil {
				return s, err
			}
		}
		s.grants.Store = s.store
	}
	if needs(pinfold.LLM) {
		m := &llm.Canned{}
		for _, x := range c.llm {
			if x.fails != "" {
				m.Replies = append(m.Replies, llm.Reply{Err: &llm.Error{Code: llm.NotAvailable, Reason: x.fails}})
				continue
			}
			m.Replies = append(m.Replies, llm.Text(x.text))
		}
		s.grants.LLM = m
	}
	if needs(pinfold.Tools) {
		t := &toolcall.Canned{Answers: map[string]func(toolcall.Call) (*toolcall.Result, error){}}
		for i := 0; c.tools != nil && i < c.tools.Len(); i++ {
			name, v := c.tools.At(i)
			t.Answers[name] = func(toolcall.Call) (*toolcall.Result, error) {
				if s, ok := v.(string); ok {
					return toolcall.TextResult(s), nil
				}
				text, err := json.Marshal(v)
				return toolcall.JSONResult(text), err
			}
		}
		s.grants.Tools = t
	}
	return s, nil
}

// makeFiles makes a folder with the files of a case.
func (s *stage) makeFiles(all map[string][]byte) error {
	dir, err := os.MkdirTemp("", "pinfold-test-")
	if err != nil {
		return err
	}
	s.dir = dir
	s.close = append(s.close, func() { _ = os.RemoveAll(dir) })
	for name, b := range all {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(p, b, 0o600); err != nil {
			return err
		}
	}
	g, err := files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"**"}, Write: []string{"**"}}}})
	if err != nil {
		return err
	}
	s.close = append([]func(){func() { _ = g.Close() }}, s.close...)
	s.grants.Files = g
	return nil
}

// check looks at what the tool has done to its world.
func (s *stage) check(c *testCase) []string {
	var bad []string
	problem := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if s.transport != nil {
		s.transport.mu.Lock()
		bad = append(bad, s.transport.unknown...)
		for _, a := range c.fetch {
			if a.used == 0 && !a.optional {
				problem("nothing was requested for the answer to %s", strings.TrimSpace(a.method+" "+a.url))
			}
		}
		s.transport.mu.Unlock()
	}
	for i := 0; c.writes != nil && i < c.writes.Len(); i++ {
		name, want := c.writes.At(i)
		b, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
		switch w := want.(type) {
		case nil:
			if err == nil {
				problem("the file %s is there, want none", quote(name))
			}
			continue
		case string:
			if err == nil && string(b) != w {
				problem("the file %s has %s, want %s", quote(name), shown(string(b)), shown(w))
			}
		default:
			var got any
			if err == nil {
				if e := json.Unmarshal(b, &got); e != nil {
					problem("the file %s isn't JSON: %s", quote(name), shown(string(b)))
				} else if d := difference("", got, w); d != "" {
					problem("the file %s: %s", quote(name), d)
				}
			}
		}
		if err != nil || s.dir == "" {
			problem("the file %s was not written", quote(name))
		}
	}
	for i := 0; c.stored != nil && i < c.stored.Len(); i++ {
		k, want := c.stored.At(i)
		if s.store == nil {
			problem("the tool doesn't require store, want the key %s in it", quote(k))
			continue
		}
		text, ok, err := s.store.Get(context.Background(), k)
		var got any
		switch {
		case err != nil:
			problem("the store can't be read: %v", err)
		case !ok:
			problem("the store has no key %s, want %s", quote(k), shown(want))
		case json.Unmarshal(text, &got) == nil:
			if d := difference("", got, want); d != "" {
				problem("the store's key %s: %s", quote(k), d)
			}
		}
	}
	for _, want := range c.logs {
		if !slices.ContainsFunc(s.log.Records(), func(r log.Record) bool { return strings.Contains(r.Message, want) }) {
			problem("no record of the log has %s in it", shown(want))
		}
	}
	if c.cost != nil {
		if total := s.grants.Cost.Total(); total.Cmp(*c.cost) != 0 {
			problem("the cost is $%s, want $%s", total, *c.cost)
		}
	}
	return bad
}

// canned answers requests.
type canned struct {
	mu      sync.Mutex
	answers []*answerOf
	unknown []string
}

// policy allows the hosts of the answers.
func (t *canned) policy() egress.Policy {
	p := egress.Policy{Transport: t, Timeout: 5 * time.Second}
	if len(t.answers) == 0 {
		return p
	}
	r := egress.Rule{Name: "the case", Schemes: []string{"http", "https"}, Ports: []uint16{80, 443}, Methods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}}
	for _, a := range t.answers {
		u, err := url.Parse(a.url)
		if err != nil {
			continue
		}
		host := strings.ToLower(u.Hostname())
		if ip, err := netip.ParseAddr(host); err == nil {
			p.AllowPrivate = append(p.AllowPrivate, netip.PrefixFrom(ip, ip.BitLen()))
		}
		if !slices.Contains(r.Hosts, host) {
			r.Hosts = append(r.Hosts, host)
		}
		if port, err := strconv.ParseUint(u.Port(), 10, 16); err == nil && !slices.Contains(r.Ports, uint16(port)) {
			r.Ports = append(r.Ports, uint16(port))
		}
	}
	p.Allow = []egress.Rule{r}
	return p
}

// RoundTrip gives the first answer that matches.
func (t *canned) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range t.answers {
		if !a.matches(req.Method, req.URL.String(), body) {
			continue
		}
		a.used++
		if a.fails != "" {
			return nil, &net.OpError{Op: "dial", Err: errors.New(a.fails)}
		}
		h := http.Header{}
		if a.json {
			h.Set("Content-Type", "application/json")
		}
		for i := 0; a.headers != nil && i < a.headers.Len(); i++ {
			k, v := a.headers.At(i)
			h.Set(k, headerText(v))
		}
		return &http.Response{
			Status: fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: h, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: req,
		}, nil
	}
	asked := req.Method + " " + req.URL.String()
	if len(body) > 0 {
		asked += " with the body " + shown(string(body))
	}
	t.unknown = append(t.unknown, "there is no answer to "+asked)
	return nil, &net.OpError{Op: "dial", Err: errors.New("there is no answer")}
}

func headerText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case *membrane.Object, []any:
		return shown(v)
	}
	return strings.Trim(shown(v), `"`)
}
