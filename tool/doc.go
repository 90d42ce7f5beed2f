// Package tool is about tools that models call: what one is, and those that are
// written as files.
//
// In: a file, or a folder of files, of JavaScript or TypeScript, with a
// description in it or beside it as YAML; what the host grants; the arguments of
// a call. Out: a Tool with its definition for the model, and for each call a
// Result: text or JSON, or an error that the model can act on.
//
// # Files
//
// A tool is a module that exports the function invoke:
//
//	export const tool = {
//	  description: "Says how long a text is.",
//	  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
//	};
//
//	export async function invoke(inputs, ctx) {
//	  return { chars: [...inputs.text].length };
//	}
//
// What it returns is the result: a text as it is, undefined no text, anything else
// as JSON. What it throws is an error for the model. Each call runs the file
// afresh; nothing is kept between calls. It may import .js, .ts and .json files of
// its own folder, by relative paths.
//
// The description is the exported object tool, or NAME.tool.yaml beside the file,
// which wins. It is read once, when the file is loaded. Its keys:
//
//	name              that of the file, without its extension
//	description       what the model reads: 1 to 4000 characters
//	inputSchema       JSON Schema of an object; no arguments
//	outputSchema      JSON Schema of what is returned; anything
//	requires          capabilities; none
//	endsLoop          a result ends the loop of the agent; false
//	requiresApproval  each call needs a yes of the host's Approver; false
//	costHint          US dollars of a call, as a number or a decimal in a string
//	parallelSafe      calls for one instance may be made at once; true
//	timeout           seconds; it narrows Limits.Timeout and never widens it
//
// requires is a list of capabilities, or an object in which lists narrow them. It
// gives nothing: what a tool has is what it requires, is granted, and is its
// caller's.
//
//	requires:
//	  network: [api.example.com]
//	  fileRead: ['data/**']
//	  store:
//
// # Tests
//
// NAME.tool.test.yaml, or .json, beside a file has cases for it: see Test.
package tool
