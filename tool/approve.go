package tool

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pinfold-js/pinfold"
)

// Approver says whether calls of tools that require approval may be made.
type Approver interface {
	// Approve decides about one call, and may wait for a person. The context is
	// that of the call. An error is a no.
	Approve(ctx context.Context, q Question) (Answer, error)
}

// Question is what an Approver is asked.
type Question struct {
	Tool        string
	Description string
	// Arguments are those that the call is made with, checked against the tool's
	// schema.
	Arguments json.RawMessage
	Requires  []pinfold.Requirement
	CostHint  string
	// Hash is that of the tool's source: see File.Hash.
	Hash string
	// CallID and InstanceID are those of the caller.
	CallID, InstanceID string
}

// Answer is what it says.
type Answer struct {
	Approved bool
	// Reason is for the model if the answer is no; may be empty.
	Reason string
}

// ApproverFunc is a function as an Approver.
type ApproverFunc func(ctx context.Context, q Question) (Answer, error)

// Approve calls the function.
func (f ApproverFunc) Approve(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

// approved asks the approver; the result is nil if the answer is yes.
func (f *File) approved(ctx context.Context, caller *pinfold.Caller, arguments json.RawMessage) *Result {
	if !f.def.RequiresApproval {
		return nil
	}
	if f.approver == nil {
		return Failed(fmt.Sprintf("%s needs approval for each call, and there is nobody here to give it; the call was not made", f.def.Name))
	}
	a, err := f.approver.Approve(ctx, Question{
		Tool: f.def.Name, Description: f.def.Description, Arguments: append(json.RawMessage(nil), arguments...), Requires: cloneRequires(f.def.Requires),
		CostHint: f.def.CostHint, Hash: f.hash, CallID: caller.CallID, InstanceID: caller.InstanceID,
	})
	switch {
	case ctx.Err() != nil:
		return Failed(fmt.Sprintf("the call of %s was cancelled while it waited for approval; it was not made", f.def.Name))
	case err != nil:
		return Failed(fmt.Sprintf("%s needs approval, and asking for it failed; the call was not made", f.def.Name))
	case !a.Approved && a.Reason != "":
		return Failed(fmt.Sprintf("the call of %s was not approved: %s", f.def.Name, a.Reason))
	case !a.Approved:
		return Failed(fmt.Sprintf("the call of %s was not approved; it was not made", f.def.Name))
	}
	return nil
}
