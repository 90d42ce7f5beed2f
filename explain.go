package pinfold

// Explanation is what running a failed program again, with tracing, found out
// about the value that it stumbled over.
type Explanation struct {
	Subject string        // the expression whose value is wrong: "r.user"
	Value   string        // what it is: "undefined"
	Origins []Origin      // where the value came from, newest first; at most 5
	Locals  []FrameLocals // of the innermost frames; at most 4
	Names   []string      // names visible at the failing place; at most 500
	Keys    []string      // own and inherited keys of the object that lacks a property or method; at most 500

	// Unavailable says why there is no explanation; the other fields are then
	// empty.
	Unavailable string
}

// Origin is one step on the way of a value.
type Origin struct {
	Text   string   // "missing key 'user' of the object created at …"
	Key    string   // the key that was missing, if one was
	Keys   []string // of the object that it was missing from
	Of     string   // what that object is: "Object", "Array", "Promise", …
	File   string
	Line   int
	Column int
}

// FrameLocals are the variables of a frame.
type FrameLocals struct {
	Function string // "" at top level
	File     string
	Line     int
	Column   int
	Locals   []Local // at most 8
}

// Local is a variable and its value, in at most 80 characters.
type Local struct {
	Name  string
	Value string
}
