package pinfold_test

import (
	"bytes"
	"fmt"

	"github.com/pinfold-js/pinfold"
)

// A run that waits for an answer is written out, and goes on elsewhere.
func ExampleRun_Suspend() {
	sandbox, err := pinfold.New(pinfold.Options{Functions: []pinfold.Function{{Name: "approve", Deferred: true}}})
	if err != nil {
		panic(err)
	}
	program, err := sandbox.Compile("refund.js", `
		const list = ["A1", "B2"];
		const ok = await Promise.all(list.map(order => approve({ order })));
		return list.filter((_, i) => ok[i])`)
	if err != nil {
		panic(err)
	}
	run := sandbox.Start(nil, program, nil)
	var file bytes.Buffer
	if err := run.Suspend(&file); err != nil {
		panic(err)
	}

	// Later, in another process with the same sandbox:
	run, err = sandbox.Resume(nil, program, &file)
	if err != nil {
		panic(err)
	}
	for _, call := range run.Pending() {
		fmt.Println(call.ID, call.Name, call.Arguments[0])
		if err := run.Answer(call.ID, call.ID == 2, nil); err != nil {
			panic(err)
		}
	}
	fmt.Println(run.Outcome().Value)
	// Output:
	// 1 approve {"order":"A1"}
	// 2 approve {"order":"B2"}
	// ["B2"]
}
