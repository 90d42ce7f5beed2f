package config

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/capability/store"
)

// Dir is the folder that relative paths begin at.
func (c *Config) Dir() string { return c.dir }

// Path resolves a path of the configuration.
func (c *Config) Path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(c.dir, p)
}

// problem makes a problem of a field.
func (c *Config) problem(field, code, hint, format string, args ...any) Problem {
	p := Problem{Code: code, Field: field, Message: fmt.Sprintf(format, args...), Hint: hint}
	for f := field; ; {
		if at, ok := c.places[f]; ok {
			if p.Line, p.Column, p.Flag = at.line, at.column, at.flag; at.flag == "" {
				p.File = c.file
			}
			return p
		}
		i := strings.LastIndexAny(f, ".[")
		if i < 0 {
			p.File = c.file
			return p
		}
		f = f[:i]
	}
}

// Check returns all that is wrong with the configuration: what contradicts itself,
// folders that aren't there, secrets that are referred to and aren't there. It opens
// no store and no connection.
func (c *Config) Check() []Problem {
	var all []Problem
	_, p := c.options()
	all = append(all, p...)
	fc, _, p := c.filesConfig(nil)
	all = append(all, p...)
	if len(p) == 0 && fc != nil {
		all = append(all, c.fileProblems(fc.Validate())...)
	}
	if policy, p := c.policy(); policy != nil {
		all = append(all, p...)
		all = append(all, c.networkProblems(policy.Validate())...)
	}
	all = append(all, c.checkRest()...)
	sortProblems(all)
	return all
}

// goNames are the names of fields in messages of other packages, with those that
// they have here.
var goNames = regexp.MustCompile(`\b(MaxFileBytes|MaxTotalRead|MaxTotalWrite|MaxEntries|MaxVisit|MaxDepth|ProtectDirs|AllowPrivate|DenyHosts|NativeDepth|ResultDepth|CallDepth)\b`)

// named begins a message with the key that it is about, if it doesn't name it.
func named(field, s string) string {
	for _, w := range []string{"it ", "is ", "write ", "must "} {
		if strings.HasPrefix(s, w) {
			return lower(last(field)) + ": " + s
		}
	}
	return s
}

func reworded(s string) string {
	s = strings.ReplaceAll(s, `Read: []string{"**"} is all`, `write read: ["**"] for all`)
	return goNames.ReplaceAllStringFunc(s, lower)
}

func lower(s string) string {
	if s == "NAT64" {
		return "nat64"
	}
	r := []rune(s)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

// yamlField makes a field's path of a Go one: Roots[0].Read is files.roots[0].read.
func yamlField(section, field string) string {
	parts := strings.Split(field, ".")
	for i, p := range parts {
		if p != "" {
			name, index, _ := strings.Cut(p, "[")
			if parts[i] = lower(name); index != "" {
				parts[i] += "[" + index
			}
		}
	}
	return section + "." + strings.Join(parts, ".")
}

func (c *Config) fileProblems(err error) []Problem {
	var ce *files.ConfigError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &ce):
		return []Problem{c.problem("files", ProblemValue, "", "%v", err)}
	}
	var out []Problem
	for _, p := range ce.Problems {
		message := reworded(p.Message)
		if i, dir := 0, ""; p.Code == files.ProblemNoDir || p.Code == files.ProblemNotDir {
			if _, err := fmt.Sscanf(p.Field, "Roots[%d].Dir", &i); err == nil && i < len(c.Files.Roots) {
				dir = c.Files.Roots[i].Dir
				message = fmt.Sprintf("the folder %s can't be granted: %s", dir, message)
			}
		}
		out = append(out, c.problem(yamlField("files", p.Field), p.Code, "", "%s", named(p.Field, message)))
	}
	return out
}

func (c *Config) networkProblems(list []egress.Problem) []Problem {
	var out []Problem
	for _, p := range list {
		out = append(out, c.problem(yamlField("network", p.Field), "E_NETWORK_"+strings.ToUpper(p.Code), "", "%s", named(p.Field, reworded(p.Message))))
	}
	return out
}

// filesConfig makes the configuration of package files. more are further files of
// the host that are protected.
func (c *Config) filesConfig(more []string) (*files.Config, []string, []Problem) {
	f := c.Files
	if f == nil {
		return nil, nil, nil
	}
	var problems []Problem
	out := &files.Config{
		Protect: f.Protect, PortableNames: f.PortableNames, Blind: f.Blind, MaxFileBytes: int64(f.MaxFileBytes),
		MaxTotalRead: int64(f.MaxTotalRead), MaxTotalWrite: int64(f.MaxTotalWrite), MaxEntries: f.MaxEntries,
		MaxDepth: f.MaxDepth, MaxVisit: f.MaxVisit, OpenTimeout: time.Duration(f.OpenTimeout), Sync: f.Sync,
	}
	for _, d := range f.ProtectDirs {
		out.ProtectDirs = append(out.ProtectDirs, c.Path(d))
	}
	hidden := c.ownFiles(more)
	names := map[string]int{}
	for i, r := range f.Roots {
		dir := c.Path(r.Dir)
		name := r.Name
		switch {
		case name == "/":
			name = ""
		case name == "" && len(f.Roots) > 1:
			name = filepath.Base(dir)
			if j, twice := names[name]; twice {
				problems = append(problems, c.problem(fmt.Sprintf("files.roots[%d]", i), files.ProblemDuplicate, "give them names in "+Name, "the folders %s and %s are both called %s", f.Roots[j].Dir, r.Dir, name))
				continue
			}
		}
		names[name] = i
		root := files.Root{Name: name, Dir: dir, Read: r.Read, Write: r.Write, Protect: slices.Clone(r.Protect), HardLinks: r.HardLinks}
		for _, h := range hidden {
			if p, ok := within(dir, h); ok {
				root.Protect = append(root.Protect, p)
			}
		}
		out.Roots = append(out.Roots, root)
	}
	return out, hidden, problems
}

// ownFiles are files that no program may read or write: the configuration itself,
// the store, and secrets.
func (c *Config) ownFiles(more []string) []string {
	list := slices.Clone(more)
	if c.path != "" {
		list = append(list, c.path)
	}
	if c.Store != nil && c.Store.File != "" {
		p := c.Path(c.Store.File)
		list = append(list, p, p+"-wal", p+"-shm", p+"-journal")
	}
	if c.Network != nil {
		for _, x := range c.Network.Credentials {
			if p, ok := strings.CutPrefix(string(x.Value), "file:"); ok {
				list = append(list, c.Path(p))
			}
		}
	}
	return list
}

// within returns the pattern of a file in a folder, if it is in there.
func within(dir, file string) (string, bool) {
	resolve := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return r
		}
		if r, err := filepath.EvalSymlinks(filepath.Dir(p)); err == nil {
			return filepath.Join(r, filepath.Base(p))
		}
		return p
	}
	rel, err := filepath.Rel(resolve(dir), resolve(file))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", false
	}
	var b strings.Builder
	for _, r := range filepath.ToSlash(rel) {
		switch r {
		case '*', '?', '{', '}', ',', '[', ']', '!', '\\': // any character in its place
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
	}
	if s := b.String(); strings.Contains(s, "/") {
		return s, true
	} else {
		return "/" + s, true
	}
}

// policy makes the policy of package egress. Its credentials can be asked for their
// values only by Open.
func (c *Config) policy() (*egress.Policy, []Problem) {
	n := c.Network
	if n == nil {
		return nil, nil
	}
	var problems []Problem
	p := &egress.Policy{
		DenyHosts: n.DenyHosts, MaxRedirects: n.MaxRedirects, Timeout: time.Duration(n.Timeout), MaxBodyBytes: int64(n.MaxBodyBytes),
		MaxRequestBytes: int64(n.MaxRequestBytes), MaxHeaderBytes: int64(n.MaxHeaderBytes), MaxAgentDepth: n.MaxAgentDepth, UserAgent: n.UserAgent,
	}
	for i, r := range n.Allow {
		rule := egress.Rule{Name: r.Name, Hosts: r.Hosts, Methods: r.Methods, Schemes: r.Schemes, Paths: r.Paths, Headers: r.Headers}
		for j, port := range r.Ports {
			if port < 1 || port > 65535 {
				problems = append(problems, c.problem(fmt.Sprintf("network.allow[%d].ports[%d]", i, j), "E_NETWORK_PORT", "", "there is no port %d", port))
				continue
			}
			rule.Ports = append(rule.Ports, uint16(port))
		}
		p.Allow = append(p.Allow, rule)
	}
	prefixes := func(field string, list []string) (out []netip.Prefix) {
		for i, s := range list {
			x, err := netip.ParsePrefix(s)
			if a, e := netip.ParseAddr(s); e == nil {
				x, err = netip.PrefixFrom(a, a.BitLen()), nil
			}
			if err != nil {
				problems = append(problems, c.problem(fmt.Sprintf("network.%s[%d]", field, i), "E_NETWORK_PREFIX", "write an address, or a network such as 10.0.0.0/8", "%q is neither", clip(s)))
				continue
			}
			out = append(out, x)
		}
		return out
	}
	p.AllowPrivate, p.NAT64 = prefixes("allowPrivate", n.AllowPrivate), prefixes("nat64", n.NAT64)
	for i, x := range n.Credentials {
		value, problem := c.secret(fmt.Sprintf("network.credentials[%d].value", i), x.Value)
		if problem != nil {
			problems = append(problems, *problem)
		}
		p.Credentials = append(p.Credentials, egress.Credential{Name: x.Name, Hosts: x.Hosts, Header: x.Header, Insecure: x.Insecure, Value: attach(x.Prefix, value)})
	}
	return p, problems
}

// checkRest looks at what isn't looked at elsewhere.
func (c *Config) checkRest() []Problem {
	var out []Problem
	if c.Cost != nil && c.Cost.Budget != "" {
		if _, err := cost.Parse(c.Cost.Budget); err != nil {
			out = append(out, c.problem("cost.budget", ProblemValue, `write a decimal such as "0.50"`, "%q is no amount in US dollars", clip(c.Cost.Budget)))
		}
	}
	if s := c.Store; s != nil {
		for _, x := range []struct {
			key string
			n   int
		}{{"keyBytes", s.KeyBytes}, {"keys", s.Keys}} {
			if x.n < 0 {
				out = append(out, c.problem("store."+x.key, ProblemValue, "", "%s is negative", x.key))
			}
		}
		if err := store.CheckNamespace(c.namespace()); err != nil {
			out = append(out, c.problem("store.namespace", ProblemValue, "", "%q can't be the name of a namespace", clip(s.Namespace)))
		}
		switch info, err := os.Stat(c.Path(s.File)); {
		case s.File == "":
			out = append(out, c.problem("store.file", ProblemValue, "", "the file has no name"))
		case err == nil && !info.Mode().IsRegular():
			out = append(out, c.problem("store.file", ProblemStore, "", "%s is no regular file", s.File))
		case err != nil:
			if d, err := os.Stat(filepath.Dir(c.Path(s.File))); err != nil || !d.IsDir() {
				out = append(out, c.problem("store.file", ProblemStore, "", "the folder of %s isn't there", s.File))
			}
		}
	}
	if c.Tools != nil && c.Tools.Dir != "" {
		if d, err := os.Stat(c.Path(c.Tools.Dir)); err != nil || !d.IsDir() {
			out = append(out, c.problem("tools.dir", ProblemValue, "", "there is no folder %s", c.Tools.Dir))
		}
	}
	return out
}

func (c *Config) namespace() string {
	if c.Store.Namespace == "" {
		return "default"
	}
	return c.Store.Namespace
}

// granted are the capabilities that the configuration gives.
func (c *Config) granted() []string {
	var out []string
	add := func(name string, ok bool) {
		if ok {
			out = append(out, name)
		}
	}
	reads, writes := false, false
	if c.Files != nil {
		for _, r := range c.Files.Roots {
			reads, writes = reads || len(r.Read) > 0, writes || len(r.Write) > 0
		}
	}
	add(pinfold.FileRead, reads)
	add(pinfold.FileWrite, writes)
	add(pinfold.Network, c.Network != nil && len(c.Network.Allow) > 0)
	add(pinfold.Store, c.Store != nil)
	add(pinfold.Cost, c.Cost != nil)
	add(pinfold.Log, c.Log)
	add(pinfold.Delay, c.Delay != nil)
	return out
}

// capabilities are those that a configuration can give.
var capabilities = []string{pinfold.FileRead, pinfold.FileWrite, pinfold.Network, pinfold.Store, pinfold.Cost, pinfold.Log, pinfold.Delay}

// options makes the options of a sandbox.
func (c *Config) options() (pinfold.Options, []Problem) {
	var opt pinfold.Options
	var problems []Problem
	if l := c.Limits; l != nil {
		opt.Limits = pinfold.Limits{
			MemoryBytes: int64(l.Memory), AllocatedBytes: int64(l.Allocated), Fuel: l.Fuel, Timeout: time.Duration(l.Timeout), CallDepth: l.CallDepth,
			NativeDepth: l.NativeDepth, OutputBytes: int64(l.OutputBytes), OutputLines: l.OutputLines, SourceBytes: int64(l.SourceBytes),
			ResultBytes: int64(l.ResultBytes), ResultDepth: l.ResultDepth, HostCalls: l.HostCalls, ConcurrentHostCalls: l.ConcurrentHostCalls,
		}
		if l.Allocated > 0 && l.Memory > l.Allocated {
			problems = append(problems, c.problem("limits.allocated", ProblemLimits, "", "allocated is %v, less than memory (%v), so that memory could never be reached", l.Allocated, l.Memory))
		}
		if err := opt.Limits.Validate(); err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				name, rest, _ := strings.Cut(strings.TrimPrefix(line, "Limits."), " ")
				problems = append(problems, c.problem("limits."+lower(name), ProblemLimits, "", "%s %s", lower(name), reworded(rest)))
			}
		}
	}
	granted := c.granted()
	for _, name := range sortedKeys(c.Quotas) {
		q := c.Quotas[name]
		field := "quotas." + name
		switch {
		case !slices.Contains(capabilities, name):
			problems = append(problems, c.problem(field, ProblemQuota, meant(name, capabilities), "there is no capability %s", clip(name)))
			continue
		case !slices.Contains(granted, name):
			problems = append(problems, c.problem(field, ProblemQuota, "grant it, or leave its quota out", "%s has a quota and isn't granted", name))
			continue
		case q.Calls < 0 || q.Concurrent < 0:
			problems = append(problems, c.problem(field, ProblemQuota, "leave out what has no bound", "the quota of %s is negative", name))
			continue
		case q == (Quota{}) || q == (Quota{Refuse: true}):
			problems = append(problems, c.problem(field, ProblemQuota, "write calls, concurrent, bytesIn or bytesOut", "the quota of %s bounds nothing", name))
			continue
		}
		if opt.Quotas == nil {
			opt.Quotas = map[string]pinfold.Quota{}
		}
		opt.Quotas[name] = pinfold.Quota{Calls: q.Calls, Concurrent: q.Concurrent, BytesIn: int64(q.BytesIn), BytesOut: int64(q.BytesOut), Refuse: q.Refuse}
	}
	if r := c.Run; r != nil {
		if r.Isolation != "" {
			tier, err := pinfold.ParseIsolation(r.Isolation)
			if err != nil {
				problems = append(problems, c.problem("run.isolation", ProblemValue, "write in-process or process", "there is no isolation %q", clip(r.Isolation)))
			}
			opt.Isolation = tier
		}
		opt.Timers, opt.Deterministic = r.Timers, r.Deterministic
		if r.Seed < 0 {
			problems = append(problems, c.problem("run.seed", ProblemValue, "", "seed is negative"))
		}
		opt.Seed = uint64(max(0, r.Seed))
		if r.Time != "" {
			t, err := time.Parse(time.RFC3339Nano, r.Time)
			if err != nil {
				problems = append(problems, c.problem("run.time", ProblemValue, "write it like 2026-01-31T09:00:00Z", "%q is not a time", clip(r.Time)))
			}
			opt.FixedTime = t
		}
	}
	return opt, problems
}

// Options returns the options of a sandbox that the configuration has: limits,
// quotas, and how programs are run. The grants are Open's. The error is an *Error.
func (c *Config) Options() (pinfold.Options, error) {
	opt, problems := c.options()
	if len(problems) > 0 {
		sortProblems(problems)
		return opt, &Error{problems}
	}
	return opt, nil
}

// Granted returns the capabilities that the configuration gives.
func (c *Config) Granted() []string { return c.granted() }
