package tool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pinfold-js/pinfold/tool"
)

func ExampleSource_Load() {
	f, err := tool.Source{
		File: "greet.ts",
		Text: `export async function invoke({ name }: { name: string }): Promise<string> {
  return "Hello, " + name + "!";
}`,
		YAML: `
description: Greets somebody.
inputSchema: {type: object, properties: {name: {type: string}}, required: [name]}
`,
	}.Load(tool.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Call(context.Background(), json.RawMessage(`{"name": "Ada"}`)).Text)
	fmt.Println(f.Call(context.Background(), json.RawMessage(`{"nam": "Ada"}`)).Text)
	// Output:
	// Hello, Ada!
	// Error: the arguments of greet don't fit its inputSchema:
	// - the key name is missing (string)
}

func ExampleDiff() {
	load := func(requires string) tool.Definition {
		f, err := tool.Source{File: "t.js", Text: "export const invoke = () => 1", YAML: "description: x\nrequires: " + requires}.Load(tool.Config{})
		if err != nil {
			panic(err)
		}
		return f.Definition()
	}
	for _, c := range tool.Diff(load("[log]"), load("[log, delay]")) {
		fmt.Println(c)
	}
	// Output:
	// asks for delay now
}
