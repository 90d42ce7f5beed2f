package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
)

func main() {
	dir := flag.String("dir", "", "directory with node_modules")
	out := flag.String("json", "", "file for the results as JSON")
	show := flag.Bool("v", false, "show what a package that differs printed")
	stress := flag.Bool("stress", false, "collect garbage at every safepoint (very slow)")
	profile := flag.String("cpuprofile", "", "file for a CPU profile")
	flag.Parse()
	if *dir == "" {
		fmt.Fprintln(os.Stderr, "packages: --dir is missing")
		os.Exit(2)
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "packages:", err)
			os.Exit(2)
		}
	}
	results, err := runAll(*dir, *stress, flag.Args(), func(r Result) {
		fmt.Println(r.line())
		if *show && !r.OK {
			fmt.Print(r.Printed)
		}
	})
	pprof.StopCPUProfile()
	if err == nil && *out != "" {
		var b []byte
		if b, err = json.MarshalIndent(results, "", "  "); err == nil {
			err = os.WriteFile(*out, append(b, '\n'), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(2)
	}
	if slices.ContainsFunc(results, func(r Result) bool { return !r.OK }) {
		os.Exit(1)
	}
}

// line describes a result in one line.
func (r Result) line() string {
	state := "ok"
	if !r.OK {
		state = "FAIL " + r.Difference
	}
	return strings.TrimRight(fmt.Sprintf("%-16s compile %6.0f ms  load %6.0f ms  run %6.0f ms  %s", r.Name, r.CompileMS, r.LoadMS, r.RunMS, state), " ")
}
