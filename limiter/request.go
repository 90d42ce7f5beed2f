package limiter

import (
	"context"
	"fmt"
)

// Class is what kind of work asks for a slot.
type Class uint8

// The classes.
const (
	Tool    Class = iota // a tool's call or a snippet: what a model asks for
	Hook                 // a hook of the agent loop
	Decider              // the logic around a decision model
	classes
)

var classNames = [classes]string{"tool", "hook", "decider"}

// String returns the class's name.
func (c Class) String() string {
	if c < classes {
		return classNames[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// Caller is an instance in a tree of instances. It is immutable.
type Caller struct {
	id     string
	parent *Caller
	root   *Caller
}

// NewCaller returns the root of a tree. Two roots with the same id are the same
// caller.
func NewCaller(id string) *Caller {
	c := &Caller{id: id}
	c.root = c
	return c
}

// Child returns an instance that c has started. A nil Caller may have children
// too: they belong to the caller without a name.
func (c *Caller) Child(id string) *Caller {
	if c == nil {
		return &Caller{id: id}
	}
	return &Caller{id: id, parent: c, root: c.root}
}

// ID returns the instance's own name.
func (c *Caller) ID() string {
	if c == nil {
		return ""
	}
	return c.id
}

// Parent returns the instance that started c, nil for a root.
func (c *Caller) Parent() *Caller {
	if c == nil {
		return nil
	}
	return c.parent
}

// Root returns the name of the root of the tree.
func (c *Caller) Root() string {
	if c == nil || c.root == nil {
		return ""
	}
	return c.root.id
}

// Request asks for a slot. The zero value is a tool of the caller without a
// name; all those count as one caller.
type Request struct {
	Class Class
	// Caller is the instance that a tool or snippet runs for. The root of its
	// tree is what is capped.
	Caller *Caller
	// Owner is the definition that a hook belongs to, or the decider.
	Owner string
	// Loading says that a file is loaded rather than run. It takes a slot of
	// its class in the same way.
	Loading bool
}

// key names those who share a cap.
type key struct {
	class Class
	name  string
}

func (r Request) key() key {
	if r.Class == Tool {
		return key{Tool, r.Caller.Root()}
	}
	return key{r.Class, r.Owner}
}

type contextKey struct{}

// With returns a context that says who runs. What is started with a context
// that comes from it, such as a run in a host function of another run, counts
// for the same caller unless it says otherwise.
func With(ctx context.Context, r Request) context.Context {
	return context.WithValue(ctx, contextKey{}, r)
}

// From returns what With has put into a context.
func From(ctx context.Context) (Request, bool) {
	r, ok := ctx.Value(contextKey{}).(Request)
	return r, ok
}
