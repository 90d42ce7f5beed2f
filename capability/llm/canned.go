package llm

import (
	"context"
	"fmt"
	"iter"
	"sync"
)

// Canned is a model for tests: it gives answers that were written down. It is
// safe for use by many goroutines.
type Canned struct {
	// Answer makes the answer to a request; nil takes Replies.
	Answer func(req *Request) (*Response, error)
	// Replies are given in their order, one for each request. More requests
	// fail with code NotAvailable.
	Replies []Reply
	// PieceSize is how many characters a piece of a stream has; 0 is 8.
	PieceSize int

	mu       sync.Mutex
	requests []*Request
}

// Reply is a canned answer: a Response, or an error.
type Reply struct {
	Response *Response
	Err      error
}

// Text is a Reply that says a text. Its usage counts the characters.
func Text(s string) Reply {
	return Reply{Response: &Response{Content: s, StopReason: StopEnd, Usage: Usage{OutputTokens: int64(len([]rune(s)))}}}
}

// Complete gives the next answer.
func (c *Canned) Complete(ctx context.Context, req *Request) (*Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, AsError(err)
	}
	if err := req.Check(Limits{}); err != nil {
		return nil, err
	}
	c.mu.Lock()
	n := len(c.requests)
	c.requests = append(c.requests, req)
	c.mu.Unlock()
	if c.Answer != nil {
		return c.Answer(req)
	}
	if n >= len(c.Replies) {
		return nil, &Error{Code: NotAvailable, Reason: fmt.Sprintf("there is no canned answer to request %d", n+1)}
	}
	r := c.Replies[n]
	if r.Err != nil {
		return nil, r.Err
	}
	res := *r.Response
	if res.Model == "" {
		res.Model = req.Model
	}
	return &res, nil
}

// Stream gives the next answer in pieces.
func (c *Canned) Stream(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		res, err := c.Complete(ctx, req)
		if err != nil {
			yield(Chunk{}, err)
			return
		}
		size := c.PieceSize
		if size <= 0 {
			size = 8
		}
		for p := range pieces(res, size) {
			if err := ctx.Err(); err != nil {
				yield(Chunk{}, AsError(err))
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// Requests returns the requests that came, in their order.
func (c *Canned) Requests() []*Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*Request(nil), c.requests...)
}
