package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The functions here add what flags of a command say. Their paths are relative to
// the working directory; problems with them name the flag.

// AddRead grants reading: DIR, or DIR=GLOB,GLOB for a part of it.
func (c *Config) AddRead(flag, spec string) error { return c.addRoot(flag, spec, false) }

// AddWrite grants writing, as AddRead does reading.
func (c *Config) AddWrite(flag, spec string) error { return c.addRoot(flag, spec, true) }

func (c *Config) addRoot(flag, spec string, write bool) error {
	dir, globs, parts := strings.Cut(spec, "=")
	patterns := []string{"**"}
	if parts {
		patterns = nil
		for _, g := range splitGlobs(globs) {
			if g = strings.TrimSpace(g); g != "" {
				patterns = append(patterns, g)
			}
		}
	}
	if dir == "" || len(patterns) == 0 {
		return fmt.Errorf("%s %s: write DIR, or DIR=GLOB,GLOB such as data=*.csv,notes/**", flag, spec)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, spec, err)
	}
	if c.Files == nil {
		c.Files = &Files{}
	}
	at := slices.IndexFunc(c.Files.Roots, func(r Root) bool { return c.Path(r.Dir) == abs })
	if at < 0 {
		at = len(c.Files.Roots)
		c.Files.Roots = append(c.Files.Roots, Root{Dir: abs})
		c.places[fmt.Sprintf("files.roots[%d]", at)] = place{flag: flag + " " + spec}
	}
	r := &c.Files.Roots[at]
	list, key := &r.Read, "read"
	if write {
		list, key = &r.Write, "write"
	}
	for _, p := range patterns {
		c.places[fmt.Sprintf("files.roots[%d].%s[%d]", at, key, len(*list))] = place{flag: flag + " " + spec}
		*list = append(*list, p)
	}
	return nil
}

// splitGlobs splits at commas that aren't in braces.
func splitGlobs(s string) (out []string) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth <= 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// AddHost grants requests to a host: HOST or HOST:PORT over https, or
// http://HOST[:PORT]; with all methods that programs may use.
func (c *Config) AddHost(flag, spec string) error {
	scheme, rest, ok := strings.Cut(spec, "://")
	if !ok {
		scheme, rest = "https", spec
	}
	host, port := strings.TrimSuffix(rest, "/"), ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") && strings.Count(host, ":") == 1 || i > 0 && host[i-1] == ']' {
		host, port = host[:i], host[i+1:]
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	r := Rule{Name: flag + " " + spec, Hosts: []string{host}, Schemes: []string{scheme}, Methods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return fmt.Errorf("%s %s: %q is not a port", flag, spec, port)
		}
		r.Ports = []int{int(n)}
	}
	if c.Network == nil {
		c.Network = &Network{}
	}
	if slices.ContainsFunc(c.Network.Allow, func(o Rule) bool { return o.Name == r.Name }) {
		return nil
	}
	c.places[fmt.Sprintf("network.allow[%d]", len(c.Network.Allow))] = place{flag: flag + " " + spec}
	c.Network.Allow = append(c.Network.Allow, r)
	return nil
}

// AddPrivate allows addresses outside the public internet.
func (c *Config) AddPrivate(flag, spec string) {
	if c.Network == nil {
		c.Network = &Network{}
	}
	c.places[fmt.Sprintf("network.allowPrivate[%d]", len(c.Network.AllowPrivate))] = place{flag: flag + " " + spec}
	c.Network.AllowPrivate = append(c.Network.AllowPrivate, spec)
}

// SetStore says where values are kept.
func (c *Config) SetStore(flag, file string) error {
	abs, err := filepath.Abs(file)
	if err != nil || file == "" {
		return fmt.Errorf("%s: name a file", flag)
	}
	if c.Store == nil {
		c.Store = &Store{}
	}
	c.Store.File = abs
	c.places["store.file"] = place{flag: flag + " " + file}
	return nil
}
