package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/store/sqlitestore"
	"github.com/pinfold-js/pinfold/schema"
)

const full = `version: 1
files:
  roots:
    - {dir: data, name: "/", read: ["**"], write: ["*.out"], protect: [x], hardLinks: true}
  protect: [y]
  protectDirs: [state]
  portableNames: true
  blind: true
  maxFileBytes: 1MiB
  maxTotalRead: 2MiB
  maxTotalWrite: 2MiB
  maxEntries: 10
  maxDepth: 3
  maxVisit: 100
  openTimeout: 1s
  sync: true
network:
  allow:
    - {name: a, hosts: [api.example.com], methods: [GET], schemes: [https], ports: [443], paths: [/v1], headers: [x-own]}
  denyHosts: [evil.example.com]
  allowPrivate: [10.0.0.0/8]
  nat64: ["64:ff9b:1::/48"]
  credentials:
    - {name: c, hosts: [api.example.com], header: Authorization, value: "env:PINFOLD_CONFIG_TEST", prefix: "Bearer ", insecure: true}
  maxRedirects: -1
  timeout: 3
  maxBodyBytes: 1000
  maxRequestBytes: 1kB
  maxHeaderBytes: 32KiB
  maxAgentDepth: 2
  userAgent: me
store: {file: s.db, namespace: n, keyBytes: 10, valueBytes: 1KiB, keys: 5, totalBytes: 10KiB}
log: true
cost: {budget: 1.50}
delay: {max: 2s}
limits: {memory: 64MiB, allocated: 1GiB, fuel: 1_000_000, timeout: 2s, callDepth: 100, nativeDepth: 50, outputBytes: 1KiB, outputLines: 5, sourceBytes: 1KiB, resultBytes: 1KiB, resultDepth: 5, hostCalls: 7, concurrentHostCalls: 2}
quotas:
  network: {calls: 3, concurrent: 1, bytesIn: 1KiB, bytesOut: 2KiB, refuse: true}
run: {isolation: process, timers: true, deterministic: true, time: 2026-01-31T09:00:00Z, seed: 7}
tools: {dir: data, lenient: true}
`

// folder makes a folder with a configuration and what it names.
func folder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{"data", "state"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, Name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestFull(t *testing.T) {
	t.Setenv("PINFOLD_CONFIG_TEST", "quite-secret-words")
	c, err := Load(folder(t, full))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Check() {
		t.Error(p)
	}
	opt, err := c.Options()
	if err != nil {
		t.Fatal(err)
	}
	if q := opt.Quotas["network"]; q != (pinfold.Quota{Calls: 3, Concurrent: 1, BytesIn: 1024, BytesOut: 2048, Refuse: true}) || opt.Limits.Fuel != 1_000_000 || opt.Limits.MemoryBytes != 64<<20 || opt.Seed != 7 || opt.Isolation != pinfold.Process || opt.FixedTime.IsZero() {
		t.Errorf("%+v", opt)
	}
	w, err := c.Open(Extra{Store: openStore})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if got := w.Grants.Capabilities(); !reflect.DeepEqual(got, []string{"fileRead", "fileWrite", "network", "store", "cost", "delay"}) {
		t.Errorf("granted are %v", got)
	}
	// Every field is in the text above, and none gets lost.
	tree, err := json.Marshal(c.Tree())
	if err != nil {
		t.Fatal(err)
	}
	walk(reflect.TypeFor[Config](), func(_, key string) {
		if !strings.Contains(string(tree), `"`+key+`":`) {
			t.Errorf("the key %s is lost", key)
		}
	})
	if strings.Contains(string(tree), "quite-secret") {
		t.Error("the tree has the secret")
	}
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := again.YAML(); string(second) != string(text) {
		t.Errorf("written again:\n%s\nfirst:\n%s", second, text)
	}
}

// walk goes through all keys.
func walk(t reflect.Type, f func(section, key string)) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "" {
			f(t.Name(), key)
			walk(t.Field(i).Type, f)
		}
	}
}

func TestDocs(t *testing.T) {
	doc, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	walk(reflect.TypeFor[Config](), func(section, key string) {
		for _, form := range []string{"`" + key + "`", "." + key + "`"} {
			if strings.Contains(string(doc), form) {
				return
			}
		}
		t.Errorf("docs/configuration.md doesn't have the key %s of %s", key, section)
	})
	for _, code := range []string{ProblemRead, ProblemYAML, ProblemVersion, ProblemKey, ProblemMissing, ProblemType, ProblemValue, ProblemSecret, ProblemLimits, ProblemQuota, ProblemStore} {
		if !strings.Contains(string(doc), "`"+code+"`") {
			t.Errorf("docs/configuration.md doesn't have the code %s", code)
		}
	}
}

// The schema takes what the reader takes.
func TestSchema(t *testing.T) {
	s, err := schema.Compile(json.RawMessage(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse("c.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := json.Marshal(c.Tree())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(json.RawMessage(tree)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{`{}`, `{"version":2}`, `{"version":1,"fils":{}}`, `{"version":1,"limits":{"memory":"x"}}`, `{"version":1,"network":{"allow":[{}]}}`, `{"version":1,"quotas":{"nothing":{}}}`} {
		if s.Validate(json.RawMessage(bad)) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}
}

func TestSecretsAreNotRepeated(t *testing.T) {
	for _, value := range []string{"hunter2hunter2", "env:", "vault:hunter2", "file:nowhere/hunter.txt", "env:PINFOLD_CONFIG_TEST_NONE"} {
		c, err := Parse(folder(t, ""), []byte("version: 1\nnetwork:\n  allow: [{hosts: [a.example.com]}]\n  credentials: [{name: n, hosts: [a.example.com], header: X-Key, value: '"+value+"'}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Open(Extra{Store: openStore})
		var e *Error
		if !errors.As(err, &e) || !e.Has(ProblemSecret) {
			t.Errorf("%s: %v", value, err)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the message has what may be the secret: %v", err)
		}
		if tree, _ := json.Marshal(c.Tree()); strings.Contains(string(tree), "hunter2") {
			t.Errorf("the tree has what may be the secret: %s", tree)
		}
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{"1": 1, "64KiB": 65536, "1.5MB": 1_500_000, "2 GiB": 2 << 30, "3k": 3072} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%s is %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "NaN", "1e30", "KiB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestReplayedGrants(t *testing.T) {
	all := []string{"fileRead", "network", "store", "cost", "log", "delay"}
	if _, err := Replayed(all, []string{"api.example.com", "*.example.org", "127.0.0.1", "[::1]"}); err == nil {
		t.Fatal("a host that isn't one is taken")
	}
	w, err := Replayed(all, []string{"api.example.com", "*.example.org", "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if got := w.Grants.Capabilities(); !reflect.DeepEqual(got, all) {
		t.Errorf("granted are %v", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(full)
	f.Add("version: 1\nfiles: {roots: [{dir: x, read: ['**']}]}")
	f.Add("a: &b [*b]")
	f.Add("[[[[[{{{{")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f.yaml", []byte(text))
		var e *Error
		if err != nil && (!errors.As(err, &e) || len(e.Problems) == 0) {
			t.Fatal(err)
		}
		if c != nil {
			_, _ = c.YAML()
			_, _ = c.Options()
		}
	})
}

func openStore(file string, l store.Limits) (store.Backend, error) {
	return sqlitestore.Open(file, sqlitestore.Options{Limits: l})
}
