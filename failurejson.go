package pinfold

import (
	"bytes"
	"encoding/json"
)

// reportVersion is the version of the JSON report. It changes when a field is
// renamed, taken away or changes its meaning; new fields may come without.
const reportVersion = 1

type jsonReport struct {
	Version     int          `json:"version"`
	Kind        Kind         `json:"kind"`
	Name        string       `json:"name"`
	Message     string       `json:"message"`
	Code        string       `json:"code"`
	File        string       `json:"file"`
	Line        int          `json:"line"`
	Column      int          `json:"column"`
	EndColumn   int          `json:"endColumn"`
	SourceLine  string       `json:"sourceLine"`
	Hint        string       `json:"hint"`
	Suggestions []string     `json:"suggestions"`
	Limit       int64        `json:"limit"`
	Used        int64        `json:"used"`
	Subject     string       `json:"subject"`
	Value       string       `json:"value"`
	Origins     []jsonOrigin `json:"origins"`
	Frames      []jsonFrame  `json:"frames"`
	Notes       []string     `json:"notes"`
	Unavailable string       `json:"explanationUnavailable"`
}

type jsonOrigin struct {
	Text   string   `json:"text"`
	Key    string   `json:"key,omitempty"`
	Keys   []string `json:"keys,omitempty"`
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Column int      `json:"column"`
}

type jsonFrame struct {
	Function string      `json:"function"`
	File     string      `json:"file"`
	Line     int         `json:"line"`
	Column   int         `json:"column"`
	Async    bool        `json:"async,omitempty"`
	Locals   []jsonLocal `json:"locals,omitempty"`
}

type jsonLocal struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// MarshalJSON gives the JSON report: the fields of the failure and of its
// explanation, with a version. docs/cli-json.md describes them.
func (f *Failure) MarshalJSON() ([]byte, error) {
	e := f.Explanation
	if e == nil {
		e = &Explanation{}
	}
	j := jsonReport{
		Version: reportVersion, Kind: f.Kind, Name: f.Name, Message: f.Message, Code: f.Code,
		File: f.File, Line: f.Line, Column: f.Column, EndColumn: f.EndColumn, SourceLine: f.SourceLine,
		Hint: f.Hint, Suggestions: orEmpty(f.Suggestions), Limit: f.Limit, Used: f.Used,
		Subject: e.Subject, Value: e.Value, Origins: []jsonOrigin{}, Frames: []jsonFrame{}, Notes: orEmpty(f.Notes), Unavailable: e.Unavailable,
	}
	for _, o := range e.Origins { //meter: what a report holds: a bounded number
		j.Origins = append(j.Origins, jsonOrigin{Text: o.Text, Key: o.Key, Keys: o.Keys, File: o.File, Line: o.Line, Column: o.Column})
	}
	for _, fr := range f.Frames { //meter: what a report holds: a bounded number
		j.Frames = append(j.Frames, jsonFrame{Function: fr.Function, File: fr.File, Line: fr.Line, Column: fr.Column, Async: fr.Async})
	}
	// Locals belong to frames by their place; a frame that an error didn't
	// capture gets its own entry at the end.
	for _, fl := range e.Locals { //meter: what a report holds: a bounded number
		var locals []jsonLocal
		for _, l := range fl.Locals { //meter: what a report holds: a bounded number
			locals = append(locals, jsonLocal(l))
		}
		to := -1
		for i, fr := range j.Frames { //meter: what a report holds: a bounded number
			if fr.Locals == nil && fr.File == fl.File && fr.Line == fl.Line && fr.Column == fl.Column {
				to = i
				break
			}
		}
		if to < 0 {
			j.Frames = append(j.Frames, jsonFrame{Function: fl.Function, File: fl.File, Line: fl.Line, Column: fl.Column})
			to = len(j.Frames) - 1
		}
		j.Frames[to].Locals = locals
	}
	return marshalPlain(j)
}

// marshalPlain is json.Marshal that leaves < > & as they are.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
