package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/store/sqlitestore"
	"github.com/pinfold-js/pinfold/config"
	"github.com/pinfold-js/pinfold/tape"
	"github.com/spf13/cobra"
)

// grantFlags say what programs and tools may do. Without them it is nothing.
type grantFlags struct {
	config  string
	read    []string
	write   []string
	net     []string
	private []string
	store   string
}

func (g *grantFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&g.config, "config", "", "take grants and limits from a `FILE`; auto looks for pinfold.yaml here and in the folders above")
	fs.StringArrayVar(&g.read, "allow-read", nil, "let it read the files of a folder: `DIR`, or DIR=GLOB,GLOB")
	fs.StringArrayVar(&g.write, "allow-write", nil, "let it write files of a folder: `DIR`, or DIR=GLOB,GLOB")
	fs.StringArrayVar(&g.net, "allow-net", nil, "let it make requests to a `HOST`, HOST:PORT or http://HOST:PORT; *.HOST is all names below")
	fs.StringArrayVar(&g.private, "allow-private", nil, "addresses that aren't public and may be dialled, such as 127.0.0.0/8, if --allow-net has the host: `CIDR`")
	fs.StringVar(&g.store, "store", "", "let it keep values in a SQLite `FILE`")
	_ = cmd.MarkFlagFilename("config", "yaml", "yml")
	_ = cmd.MarkFlagDirname("allow-read")
	_ = cmd.MarkFlagDirname("allow-write")
}

// grantNames are the flags that grant something.
var grantNames = []string{"allow-read", "allow-write", "allow-net", "allow-private", "store"}

// load reads the configuration, if there is one, and adds what the flags say.
func (g *grantFlags) load() (*config.Config, error) {
	cfg, err := loadConfig(g.config)
	if err != nil {
		return nil, err
	}
	for _, d := range g.read {
		if err := cfg.AddRead("--allow-read", d); err != nil {
			return nil, err
		}
	}
	for _, d := range g.write {
		if err := cfg.AddWrite("--allow-write", d); err != nil {
			return nil, err
		}
	}
	for _, h := range g.net {
		if err := cfg.AddHost("--allow-net", h); err != nil {
			return nil, err
		}
	}
	for _, c := range g.private {
		cfg.AddPrivate("--allow-private", c)
	}
	if g.store != "" {
		if err := cfg.SetStore("--store", g.store); err != nil {
			return nil, err
		}
	}
	return cfg, nil
}

// loadConfig reads the configuration that is named: "" is an empty one.
func loadConfig(name string) (*config.Config, error) {
	switch name {
	case "":
		dir, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		return config.New(dir), nil
	case "auto":
		found, err := findConfig()
		if err != nil {
			return nil, err
		}
		name = found
	}
	return config.Load(name)
}

// findConfig looks for pinfold.yaml here and in the folders above. It takes none
// that somebody else may have put there.
func findConfig() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for from := dir; ; {
		p := filepath.Join(dir, config.Name)
		if info, err := os.Lstat(p); err == nil {
			if !info.Mode().IsRegular() {
				return "", fmt.Errorf("--config auto: %s is no regular file; name it with --config if you mean it", p)
			}
			if why := foreign(info); why != "" {
				return "", fmt.Errorf("--config auto: %s %s; name it with --config if you trust it", p, why)
			}
			if rel, err := filepath.Rel(from, p); err == nil {
				return rel, nil
			}
			return p, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("--config auto: there is no %s in %s, nor in a folder above it", config.Name, from)
		}
		dir = up
	}
}

// tapeFlags are those of recordings.
type tapeFlags struct{ record, replay string }

func (t *tapeFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.record, "record", "", "write what the host functions and the clock gave to a `FILE`")
	cmd.Flags().StringVar(&t.replay, "replay", "", "run again as a `FILE` of --record has it, without any host call")
}

// records takes what ctx.log writes.
type records struct {
	mu   sync.Mutex
	list []log.Record
	w    io.Writer // nil: only kept
}

func (r *records) Write(_ context.Context, x log.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, x)
	if r.w != nil {
		fields := ""
		if len(x.Fields) > 0 {
			fields = " " + string(x.Fields)
		}
		fmt.Fprintf(r.w, "log: %s: %s%s\n", x.Level, x.Message, fields)
	}
	return nil
}

// session is what one run of the command works with: what is granted, and a
// recording that is written or replayed.
type session struct {
	cfg     *config.Config
	opt     pinfold.Options
	world   *config.World
	records *records

	recording *tape.Recording // that is replayed
	player    *tape.Player
	recorder  *tape.Recorder
	file      *os.File // that is recorded to
}

// close lets go of all of it.
func (s *session) close() {
	if s.file != nil {
		_ = s.file.Close()
	}
	if s.world != nil {
		_ = s.world.Close()
	}
}

// target is what a session runs.
type target struct {
	name, source, export string
	input                any // nil, or json.RawMessage
}

// open makes a session. opt are options that come from flags, over those of the
// configuration; errs is where records of ctx.log are printed, nil if nowhere.
func (g *grantFlags) open(cmd *cobra.Command, t *tapeFlags, flags *flags, errs io.Writer) (s *session, err error) {
	s = &session{records: &records{w: errs}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if t.replay != "" {
		if err := exclusive(cmd, "replay", append(slices.Clone(grantNames), "record", "seed", "time", "deterministic", "timers")); err != nil {
			return s, err
		}
		f, err := os.Open(t.replay)
		if err != nil {
			return s, fileError(t.replay, err)
		}
		defer f.Close()
		if s.recording, err = tape.Read(f); err != nil {
			return s, fmt.Errorf("--replay %s: %w", t.replay, err)
		}
	}
	if s.cfg, err = g.load(); err != nil {
		return s, err
	}
	if s.opt, err = s.cfg.Options(); err != nil {
		return s, err
	}
	if err := flags.apply(cmd, &s.opt); err != nil {
		return s, err
	}
	if s.recording != nil {
		h := s.recording.Head
		s.opt.Seed, s.opt.Deterministic, s.opt.Timers, s.opt.FixedTime = uint64(h.Seed), h.Deterministic, h.Timers, time.Time{}
		if h.Time != nil {
			s.opt.FixedTime = *h.Time
		}
		s.world, err = config.Replayed(h.Granted, h.Hosts)
	} else {
		var protect []string
		if t.record != "" {
			if abs, err := filepath.Abs(t.record); err == nil {
				protect = append(protect, abs)
			}
		}
		s.world, err = s.cfg.Open(config.Extra{Log: s.records, Protect: protect, Store: openStore})
	}
	if err != nil {
		return s, err
	}
	s.opt.Grants = s.world.Grants
	return s, nil
}

// exclusive refuses flags that can't be together with one.
func exclusive(cmd *cobra.Command, with string, names []string) error {
	for _, n := range names {
		if f := cmd.Flags().Lookup(n); f != nil && f.Changed {
			return fmt.Errorf("--%s and --%s exclude each other: a recording says what the run was given", n, with)
		}
	}
	return nil
}

// begin begins a recording, or a replay, of a target. The context is for the run.
func (s *session) begin(ctx context.Context, t *tapeFlags, x *target) (context.Context, error) {
	stands := s.opt.Deterministic || !s.opt.FixedTime.IsZero()
	switch {
	case s.recording != nil:
		h := s.recording.Head
		if h.Export != x.export {
			return ctx, fmt.Errorf("--replay %s: it is a recording of %s, not of this", t.replay, describe(h.Export))
		}
		if x.input == nil && h.Input != nil {
			x.input = h.Input
		}
		s.player, ctx = s.recording.Player(ctx, x.source)
		if s.opt.Tape = s.player; !stands {
			s.opt.Clock = s.player.Clock
		}
	case t.record != "":
		if s.opt.Timers && !stands {
			return ctx, errors.New("--record and --timers go together only while the clock stands: add --deterministic or --time")
		}
		if s.opt.Seed == 0 && !s.opt.Deterministic {
			s.opt.Seed = tape.NewSeed()
		}
		h := tape.Head{
			Program: x.name, Hash: tape.Hash(x.source), Export: x.export, Granted: s.world.Granted, Hosts: s.world.Hosts,
			Seed: tape.Seed(s.opt.Seed), Deterministic: s.opt.Deterministic, Timers: s.opt.Timers, Started: time.Now().UTC(),
		}
		if !s.opt.FixedTime.IsZero() {
			h.Time = &s.opt.FixedTime
		}
		h.Input, _ = x.input.(json.RawMessage)
		var err error
		if s.file, err = os.OpenFile(t.record, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return ctx, fileError(t.record, err)
		}
		if s.recorder, err = tape.NewRecorder(s.file, h); err != nil {
			return ctx, fmt.Errorf("--record %s: %w", t.record, err)
		}
		if s.opt.Tape = s.recorder; !stands {
			s.opt.Clock = s.recorder.Clock
		}
	}
	return ctx, nil
}

func describe(export string) string {
	if export == "" {
		return "a program"
	}
	return "a call of a tool's " + export
}

// end ends a recording or a replay. It may change the outcome: a replay that took
// another course failed.
func (s *session) end(o *pinfold.Outcome) error {
	switch {
	case s.player != nil:
		var d *tape.DivergedError
		if errors.As(s.player.Close(o), &d) {
			f := &pinfold.Failure{Kind: pinfold.ErrScript, Name: "ReplayError", Message: d.Error(), Code: tape.CodeDiverged, Hint: "record it anew, or undo what changed"}
			if o.Failure != nil {
				f.File, f.Line, f.Column, f.SourceLine = o.Failure.File, o.Failure.Line, o.Failure.Column, o.Failure.SourceLine
			}
			o.Failure, o.Value = f, pinfold.Value{}
		}
	case s.recorder != nil:
		if err := s.recorder.Close(o); err != nil {
			return err
		}
		err := s.file.Close()
		s.file = nil
		return err
	}
	return nil
}

// grantHints say by which flag a capability is granted.
var grantHints = []struct{ capability, hint string }{
	{pinfold.FileRead, "grant it with --allow-read DIR"},
	{pinfold.FileWrite, "grant it with --allow-write DIR"},
	{pinfold.Network, "grant it with --allow-net HOST"},
	{pinfold.Store, "grant it with --store FILE"},
	{pinfold.Cost, "grant it with cost in a configuration file: see --config"},
	{pinfold.Log, "grant it with log: true in a configuration file: see --config"},
	{pinfold.Delay, "grant it with delay in a configuration file: see --config"},
}

// hintGrant says how to grant what a run failed for want of.
func hintGrant(f *pinfold.Failure) {
	if f == nil || f.Code != pinfold.CodeNotGranted {
		return
	}
	for _, h := range grantHints {
		if strings.Contains(f.Message, h.capability+" was not granted") {
			f.Hint = h.hint
		}
	}
}

// openStore opens the file of a store.
func openStore(file string, l store.Limits) (store.Backend, error) {
	return sqlitestore.Open(file, sqlitestore.Options{Limits: l})
}
