package config

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/clock"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/capability/store"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// maxSecretBytes bounds a secret.
const maxSecretBytes = 64 << 10

// secret finds what a reference leads to.
func (c *Config) secret(field string, ref Secret) (string, *Problem) {
	fail := func(hint, format string, args ...any) (string, *Problem) {
		p := c.problem(field, ProblemSecret, hint, format, args...)
		return "", &p
	}
	const usage = "write env:NAME or file:PATH"
	kind, name, ok := strings.Cut(string(ref), ":")
	switch {
	case !ok || name == "", kind != "env" && kind != "file":
		// The text may be the secret itself: it isn't repeated.
		return fail(usage, "this refers to no secret, and secrets don't stand in configurations")
	case kind == "env":
		v, ok := os.LookupEnv(name)
		if !ok || v == "" {
			return fail("set it", "the environment variable %s isn't set", name)
		}
		return v, nil
	}
	info, err := os.Stat(c.Path(name))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSecretBytes {
		return fail("", "the file %s can't be read", name)
	}
	b, err := os.ReadFile(c.Path(name))
	v := strings.TrimRight(string(b), "\r\n")
	if err != nil || v == "" {
		return fail("", "the file %s can't be read, or is empty", name)
	}
	return v, nil
}

func attach(prefix, value string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return prefix + value, nil }
}

// World is what the grants of a configuration work with.
type World struct {
	Grants *pinfold.Grants
	// Granted are their capabilities, and Hosts the hosts that may be asked.
	Granted []string
	Hosts   []string

	close []func() error
}

// Close lets go of what Open has opened.
func (w *World) Close() error {
	var errs []error
	for _, f := range slices.Backward(w.close) {
		errs = append(errs, f())
	}
	w.close = nil
	return errors.Join(errs...)
}

// Extra is what Open needs beside the configuration.
type Extra struct {
	// Log takes the records of ctx.log, if it is granted.
	Log log.Sink
	// Store opens the file of a store, such as sqlitestore.Open does. It is for
	// the host to say, so that a program that needs none doesn't link a database.
	Store func(file string, limits store.Limits) (store.Backend, error)
	// Protect are further files of the host that programs must not see.
	Protect []string
}

// Open makes the grants. The error is an *Error.
func (c *Config) Open(x Extra) (*World, error) {
	w := &World{Grants: &pinfold.Grants{}, Granted: c.granted()}
	var problems []Problem
	fc, _, p := c.filesConfig(x.Protect)
	problems = append(problems, p...)
	if fc != nil && len(fc.Roots) > 0 && len(p) == 0 {
		f, err := files.New(*fc)
		if err != nil {
			problems = append(problems, c.fileProblems(err)...)
		} else {
			w.Grants.Files = f
			w.close = append(w.close, f.Close)
		}
	}
	policy, p := c.policy()
	problems = append(problems, p...)
	if policy != nil && len(p) == 0 {
		client, err := egress.New(*policy)
		var ce *egress.ConfigError
		switch {
		case errors.As(err, &ce):
			problems = append(problems, c.networkProblems(ce.Problems)...)
		case err != nil:
			problems = append(problems, c.problem("network", ProblemValue, "", "%v", err))
		case len(policy.Allow) > 0:
			w.Grants.Network = client
			for _, r := range policy.Allow {
				w.Hosts = append(w.Hosts, r.Hosts...)
			}
		}
	}
	problems = append(problems, c.checkRest()...)
	if c.Cost != nil {
		o := cost.Options{}
		if a, err := cost.Parse(c.Cost.Budget); err == nil {
			o.Budget = &a
		}
		w.Grants.Cost = cost.NewLedger(o)
	}
	if c.Log {
		w.Grants.Log = x.Log
	}
	if c.Delay != nil {
		w.Grants.Clock, w.Grants.MaxDelay = clock.System(), time.Duration(c.Delay.Max)
	}
	if s := c.Store; s != nil && len(problems) == 0 {
		backend, err := store.Backend(nil), errors.New("this program keeps no stores: set config.Extra.Store")
		if x.Store != nil {
			backend, err = x.Store(c.Path(s.File), store.Limits{
				KeyBytes: s.KeyBytes, ValueBytes: int(s.ValueBytes), Keys: s.Keys, TotalBytes: int64(s.TotalBytes),
			})
		}
		if err == nil {
			w.close = append(w.close, backend.Close)
			w.Grants.Store, err = backend.Namespace(c.namespace())
		}
		if err != nil {
			problems = append(problems, c.problem("store.file", ProblemStore, "", "the store %s can't be opened: %v", s.File, err))
		}
	}
	if len(problems) > 0 {
		_ = w.Close()
		sortProblems(problems)
		return nil, &Error{problems}
	}
	return w, nil
}

// Replayed makes grants of the capabilities of a recording, for a run whose host
// calls are answered from it: they lead nowhere.
func Replayed(granted, hosts []string) (*World, error) {
	w := &World{Grants: &pinfold.Grants{}, Granted: granted, Hosts: hosts}
	has := func(name string) bool { return slices.Contains(granted, name) }
	fail := func(err error) (*World, error) {
		_ = w.Close()
		return nil, fmt.Errorf("what the recorded run was granted can't be made: %w", err)
	}
	if has(pinfold.FileRead) || has(pinfold.FileWrite) {
		dir, err := os.MkdirTemp("", "pinfold-replay-")
		if err != nil {
			return fail(err)
		}
		w.close = append(w.close, func() error { return os.RemoveAll(dir) })
		root := files.Root{Dir: dir}
		if has(pinfold.FileRead) {
			root.Read = []string{"**"}
		}
		if has(pinfold.FileWrite) {
			root.Write = []string{"**"}
		}
		f, err := files.New(files.Config{Roots: []files.Root{root}})
		if err != nil {
			return fail(err)
		}
		w.close = append(w.close, f.Close)
		w.Grants.Files = f
	}
	if has(pinfold.Network) {
		p := egress.Policy{}
		for _, h := range hosts {
			p.Allow = append(p.Allow, egress.Rule{Hosts: []string{h}})
			if a, err := netip.ParseAddr(h); err == nil {
				p.AllowPrivate = append(p.AllowPrivate, netip.PrefixFrom(a, a.BitLen()))
			}
		}
		client, err := egress.New(p)
		if err != nil {
			return fail(err)
		}
		w.Grants.Network = client
	}
	if has(pinfold.Store) {
		backend := store.NewMemory(store.Limits{})
		w.close = append(w.close, backend.Close)
		s, err := backend.Namespace("replay")
		if err != nil {
			return fail(err)
		}
		w.Grants.Store = s
	}
	if has(pinfold.Cost) {
		w.Grants.Cost = cost.NewLedger(cost.Options{})
	}
	if has(pinfold.Log) {
		w.Grants.Log = &log.Memory{}
	}
	if has(pinfold.Delay) {
		w.Grants.Clock = clock.System()
	}
	return w, nil
}
