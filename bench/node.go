package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

//go:embed node.mjs
var nodeScript []byte

// node is a way of calling the node that is installed.
type node struct {
	name  string
	flags []string
}

var nodes = []node{{"node --jitless", []string{"--jitless"}}, {"node", nil}}

// nodeVersion returns "" if node isn't installed.
func nodeVersion() string {
	out, err := exec.Command("node", "--version").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// measure runs a program in a child process of its own.
func (n node) measure(p program, runs int, timeout time.Duration) (sample, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return sample{}, err
	}
	defer os.RemoveAll(dir)
	script, file := filepath.Join(dir, "node.mjs"), filepath.Join(dir, p.name+".js")
	if err := os.WriteFile(script, nodeScript, 0o600); err != nil {
		return sample{}, err
	}
	if err := os.WriteFile(file, []byte(p.source), 0o600); err != nil {
		return sample{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout*time.Duration(runs+1))
	defer cancel()
	args := append(append([]string{}, n.flags...), script, file, strconv.Itoa(runs))
	out, err := exec.CommandContext(ctx, "node", args...).Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			return sample{}, fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return sample{}, err
	}
	var got struct {
		Result string
		Times  []float64
	}
	if err := json.Unmarshal(out, &got); err != nil {
		return sample{}, err
	}
	s := sample{result: got.Result}
	for _, ms := range got.Times {
		s.times = append(s.times, time.Duration(ms*1e6))
	}
	return s, nil
}
