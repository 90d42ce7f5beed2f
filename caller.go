package pinfold

import (
	"context"
	"slices"
)

// CallerFrom returns what WithCaller has put into a context; the zero Caller if
// there is none.
func CallerFrom(ctx context.Context) Caller {
	c := *callerOf(ctx)
	c.Capabilities = slices.Clone(c.Capabilities)
	return c
}
