package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"pinfold": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"jsonfield": jsonField,
			"interrupt": interrupt,
			"hits":      hits,
		},
		Setup:               serve,
		RequireExplicitExec: true,
	})
}

// serve gives each script a server of its own: $server is its host and port.
func serve(env *testscript.Env) error {
	hits := &atomic.Int64{}
	mux := http.NewServeMux()
	mux.HandleFunc("/count", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, hits.Add(1)) })
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"method": r.Method, "body": string(body), "auth": strconv.Itoa(len(r.Header.Get("Authorization")))})
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.2:1/", http.StatusFound)
	})
	server := httptest.NewServer(mux)
	env.Defer(server.Close)
	env.Values["hits"] = hits
	env.Setenv("server", strings.TrimPrefix(server.URL, "http://"))
	return nil
}

// hits N checks how many requests the script's server has had.
func hits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hits N")
	}
	if n := ts.Value("hits").(*atomic.Int64).Load(); args[0] != strconv.FormatInt(n, 10) {
		ts.Fatalf("the server had %d requests, want %s", n, args[0])
	}
}

// exits CODE ARGS… runs pinfold and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE ARGS…")
	}
	err := ts.Exec("pinfold", args[1:]...)
	code := "0"
	if ee, ok := err.(*exec.ExitError); ok {
		code = ee.String()
		code = strings.TrimPrefix(code, "exit status ")
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// jsonfield PATH WANT checks a field of the JSON object on standard output; WANT
// is JSON.
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: jsonfield PATH WANT")
	}
	out := ts.ReadFile("stdout")
	d := json.NewDecoder(strings.NewReader(out))
	var v any
	if err := d.Decode(&v); err != nil {
		ts.Fatalf("standard output isn't JSON: %v\n%s", err, out)
	}
	if d.More() {
		ts.Fatalf("standard output holds more than one object")
	}
	for _, name := range strings.Split(args[0], ".") {
		o, ok := v.(map[string]any)
		if !ok {
			ts.Fatalf("no field %s in %s", args[0], out)
		}
		if v, ok = o[name]; !ok {
			ts.Fatalf("no field %s in %s", args[0], out)
		}
	}
	got, err := json.Marshal(v)
	ts.Check(err)
	var want any
	ts.Check(json.Unmarshal([]byte(args[1]), &want))
	text, err := json.Marshal(want)
	ts.Check(err)
	if !bytes.Equal(got, text) {
		ts.Fatalf("%s is %s, want %s", args[0], got, text)
	}
}

// interrupt ARGS… runs pinfold, sends it an interrupt, and checks that it says
// that it was cancelled.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	path, err := exec.LookPath(filepath.Join(os.Getenv("PATH"), "pinfold"))
	if err != nil {
		path, err = exec.LookPath("pinfold")
		ts.Check(err)
	}
	cmd := exec.Command(path, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	ts.Check(cmd.Start())
	time.Sleep(300 * time.Millisecond)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	if ee, ok := err.(*exec.ExitError); !ok || ee.ExitCode() != exitLimit {
		ts.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	if !strings.Contains(errs.String(), "the run was cancelled") {
		ts.Fatalf("%s", errs.String())
	}
}
