package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"
)

// watchQuiet is how long a file must be left alone to be run again: editors write
// in several steps.
const watchQuiet = 25 * time.Millisecond

func newWatch() *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:   "watch FILE",
		Short: "Run a program, and again each time that it is saved",
		Long: `Run a program as pinfold run does, and again each time that it, its input file or its
configuration file is saved, until Ctrl-C. A run that is still going on then is
cancelled. With --json each run prints one line.`,
		Example: `  pinfold watch report.ts --input orders.json
  pinfold watch fetch.js --replay calls.jsonl`,
		Args:              oneArg("FILE"),
		ValidArgsFunction: sourceFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case args[0] == "-" || f.input == "-":
				return errors.New("watch needs files: standard input can be read only once")
			case f.tape.record != "":
				return errors.New("watch records nothing: each run would overwrite the recording of the one before")
			}
			return f.watch(cmd, args[0])
		},
	}
	f.add(cmd)
	return cmd
}

// watch runs a file until the command's context ends.
func (f *flags) watch(cmd *cobra.Command, path string) error {
	if _, err := os.Stat(path); err != nil {
		return fileError(path, err)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("files can't be watched here: %w", err)
	}
	defer w.Close()
	// Folders are watched, since many editors save by putting another file in the
	// place of the old one.
	files := map[string]bool{}
	watch := func(p string) error {
		abs, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		files[abs] = true
		return w.Add(filepath.Dir(abs))
	}
	list := []string{path}
	if fileExists(f.input) {
		list = append(list, f.input)
	}
	switch f.grants.config {
	case "":
	case "auto":
		if p, err := findConfig(); err == nil {
			list = append(list, p)
		}
	default:
		list = append(list, f.grants.config)
	}
	if f.tape.replay != "" {
		list = append(list, f.tape.replay)
	}
	for _, p := range list {
		if err := watch(p); err != nil {
			return fmt.Errorf("%s can't be watched: %w", p, err)
		}
	}
	ctx := cmd.Context()
	var stop context.CancelFunc
	var done chan struct{}
	start := func() {
		if stop != nil {
			stop()
			<-done
		}
		var run context.Context
		run, stop = context.WithCancel(ctx)
		done = make(chan struct{})
		go func() {
			defer close(done)
			f.watched(run, cmd, path)
		}()
	}
	defer func() {
		stop()
		<-done
	}()
	start()
	quiet := time.NewTimer(0)
	quiet.Stop()
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.Events:
			if !ok {
				return errors.New("the files can't be watched any more")
			}
			if abs, err := filepath.Abs(e.Name); err == nil && files[abs] && e.Op&^fsnotify.Chmod != 0 {
				quiet.Reset(watchQuiet)
			}
		case err, ok := <-w.Errors:
			if ok {
				fmt.Fprintf(cmd.ErrOrStderr(), "pinfold: %v\n", err)
			}
		case <-quiet.C:
			start()
		}
	}
}

// watched runs the file once.
func (f *flags) watched(ctx context.Context, cmd *cobra.Command, path string) {
	errs := cmd.ErrOrStderr()
	name, source, err := readSource(path, nil)
	begun := time.Now()
	if err == nil {
		err = f.once(ctx, cmd, name, source)
	}
	if ctx.Err() != nil {
		return
	}
	var exit exitError
	switch {
	case err == nil || errors.As(err, &exit):
	default:
		fmt.Fprintf(errs, "pinfold: %v\n", err)
	}
	if f.json {
		return
	}
	status := paint(errs, green, "ok")
	if err != nil {
		status = paint(errs, red, "failed")
	}
	fmt.Fprintln(errs, paint(errs, dim, fmt.Sprintf("-- %s: ", name))+status+paint(errs, dim, fmt.Sprintf(" in %v; waiting for changes", time.Since(begun).Round(100*time.Microsecond))))
}
