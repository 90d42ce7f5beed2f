package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold"
)

// reportVersion is the version of the JSON form. It changes when a field is
// renamed, taken away or changes its meaning; new fields may come without.
const reportVersion = 1

// Report renders a problem as pinfold.Failure.Report does a failure.
func (p Problem) Report() string {
	f := &pinfold.Failure{
		Message: p.Message, File: p.File, Line: p.Line, Column: p.Column, EndColumn: p.EndColumn, SourceLine: p.SourceLine, Hint: p.Hint,
	}
	if p.Severity == Warning {
		f.Message = "warning: " + f.Message
	}
	return f.Report()
}

// Report renders all problems, for a reader; "" if there are none.
func (r *Result) Report() string {
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString(p.Report())
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "… %d more problems\n", r.More)
	}
	return b.String()
}

// MarshalJSON gives the JSON form, with a version; docs/check.md describes it.
func (r *Result) MarshalJSON() ([]byte, error) {
	j := struct {
		Version  int       `json:"version"`
		File     string    `json:"file"`
		OK       bool      `json:"ok"`
		Problems []Problem `json:"problems"`
		More     int       `json:"more"`
	}{reportVersion, r.File, r.OK(), r.Problems, r.More}
	if j.Problems == nil {
		j.Problems = []Problem{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(j)
	return b.Bytes(), err
}

// Apply makes the fixes of some problems in a source text, those that don't meet
// one that comes before them, and says how many it has made.
func Apply(source string, problems []Problem) (fixed string, made int) {
	var edits []Edit
	meets := func(e Edit) bool {
		return slices.ContainsFunc(edits, func(x Edit) bool {
			return e.Start < x.End && x.Start < e.End || e.Start == x.Start && (e.End == e.Start || x.End == x.Start)
		})
	}
	for _, p := range problems {
		if p.Fix == nil || len(p.Fix.Edits) == 0 {
			continue
		}
		bad := false
		for _, e := range p.Fix.Edits {
			bad = bad || e.Start < 0 || e.End < e.Start || e.End > len(source) || meets(e)
		}
		if !bad {
			edits = append(edits, p.Fix.Edits...)
			made++
		}
	}
	slices.SortStableFunc(edits, func(x, y Edit) int { return x.Start - y.Start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(source[at:e.Start] + e.NewText)
		at = e.End
	}
	b.WriteString(source[at:])
	return b.String(), made
}
