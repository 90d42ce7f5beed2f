// Command approval shows a run that waits for a person: the first call starts a
// program that asks for approval and writes the run to a file, a second one, in
// another process and whenever, answers and lets the program finish.
//
//	go run ./examples/approval            starts, and writes refund.run
//	go run ./examples/approval yes        answers
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pinfold-js/pinfold"
)

const (
	file   = "refund.run"
	source = `
		const orders = [{ id: "A1", total: 40 }, { id: "B2", total: 900 }];
		const log = [];
		for (const o of orders) {
			if (o.total < 100) { log.push(o.id + ": refunded"); continue }
			// Nobody works here until somebody has answered: minutes or weeks.
			const ok = await approve({ action: "refund", order: o });
			log.push(o.id + (ok ? ": refunded" : ": refused"));
		}
		return log;`
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	// Both processes make the same sandbox. With a key, nobody else can write
	// what it resumes.
	sandbox, err := pinfold.New(pinfold.Options{
		SnapshotKey: []byte("from the host's own secrets"),
		Functions:   []pinfold.Function{{Name: "approve", Deferred: true}},
	})
	if err != nil {
		return err
	}
	program, err := sandbox.Compile("refund.js", source)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return start(sandbox, program)
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no run waits: start one without arguments")
	} else if err != nil {
		return err
	}
	x, err := sandbox.Resume(nil, program, bytes.NewReader(text))
	if err != nil {
		return err
	}
	for _, call := range x.Pending() {
		if err := x.Answer(call.ID, args[0] == "yes", nil); err != nil {
			return err
		}
	}
	out := x.Outcome()
	if out.Failure != nil {
		return out.Failure
	}
	fmt.Println(out.Value)
	return os.Remove(file)
}

func start(sandbox *pinfold.Sandbox, program *pinfold.Program) error {
	x := sandbox.Start(nil, program, nil)
	if out := x.Outcome(); out != nil {
		return out.Failure
	}
	for _, call := range x.Pending() {
		fmt.Printf("waiting for %s(%s)\n", call.Name, call.Arguments[0])
	}
	var b bytes.Buffer
	if err := x.Suspend(&b); err != nil {
		return err
	}
	fmt.Printf("%d bytes in %s; go on with: go run ./examples/approval yes\n", b.Len(), file)
	return os.WriteFile(file, b.Bytes(), 0o600)
}
