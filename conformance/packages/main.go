package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
)

func main() {
	dir := flag.String("dir", "", "directory with node_modules")
	save := flag.String("save", "", "write the results with node's times beside ours to `FILE`, as JSON")
	runs := flag.Int("runs", 1, "run everything so often and keep the best times")
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
	var results []Result
	var err error
	for n := 0; n < *runs && err == nil; n++ {
		var again []Result
		again, err = runAll(*dir, *stress, flag.Args(), func(r Result) {
			fmt.Println(r.line())
			if *show && !r.OK {
				fmt.Print(r.Printed)
			}
		})
		results = best(results, again)
	}
	pprof.StopCPUProfile()
	if err == nil && *save != "" {
		err = saveResults(*save, *dir, *runs, results)
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
