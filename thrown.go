package pinfold

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/internal/inspect"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// failure describes an error of the machine that ends the run.
func (r *run) failure(err error) *Failure {
	var limit *meter.LimitError
	var me *membrane.Error
	var je *membrane.SyntaxError
	var hp *hostPanic
	switch {
	case r.panic != nil:
		return r.panicFailure(r.panic)
	case errors.As(err, &hp):
		return r.panicFailure(hp)
	case errors.As(err, &me):
		f := resultFailure(err)
		f.File = r.p.name
		return f
	case errors.As(err, &limit):
		f := limitFailure(limit)
		if r.m != nil {
			f.stacked(r.m.LimitFrames())
		}
		if f.File == "" {
			f.File = r.p.name
		}
		return f
	case errors.As(err, &je):
		return &Failure{Kind: ErrResult, Message: "input: " + je.Error(), cause: err}
	}
	var se *syntax.SyntaxError
	if errors.As(err, &se) {
		return syntaxFailure(se, r.sourceOf(se.Name))
	}
	if r.m != nil {
		if exc, ok := r.m.Caught(err); ok {
			return r.thrown(exc, "")
		}
	}
	f := internalFailure("a bug in the engine: "+err.Error(), err, nil)
	return f
}

// sourceOf finds the text of the program or module of a name.
func (r *run) sourceOf(name string) string {
	if src, ok := r.sb.opt.Modules[name]; ok && name != r.p.name {
		return src
	}
	return r.p.source
}

func (r *run) panicFailure(p *hostPanic) *Failure {
	f := &Failure{Kind: ErrInternal, Message: p.Error(), stack: p.stack, File: r.p.name}
	if err, ok := p.value.(error); ok {
		f.cause = err
	}
	return f
}

// thrown describes an exception that nobody caught. No script code runs.
func (r *run) thrown(v vm.Value, hint string) *Failure {
	m := r.m
	r.uncaught = v
	f := &Failure{Kind: ErrScript, Hint: hint, File: r.p.name}
	at := m.Root(v)
	defer m.PopRoots(at)
	name, message, more, isError := membrane.ErrorHead(m, v)
	if isError {
		f.Name, f.Message = cut(name), cutMore(message, more, MaxMessageChars)
		f.Code = membrane.TextProperty(m, v, "code", 200)
	} else if text, more, is := membrane.TextHead(m, v); is && len(text) > 4<<10 { // too long to be quoted
		f.Message = cutMore("uncaught "+text, more, MaxMessageChars)
	} else {
		text, err := inspect.Value(m, v, inspect.Options{Depth: 3, Items: 20, MaxBytes: 8 << 10})
		if err != nil { //meter: for a report; a limit is sticky
			text = m.Describe(v)
		}
		f.Message = cut("uncaught " + text)
	}
	frames := m.Frames(v)
	if len(frames) == 0 {
		if fr, ok := m.ThrownAt(); ok {
			frames = []vm.Frame{fr}
		}
	}
	f.stacked(frames)
	if f.Line == 0 {
		r.placeOfImport(f)
	}
	if r.sb.opt.PartialResults {
		if t, partial, err := membrane.EncodePartial(m, v, "thrown", r.sb.crossing); err == nil {
			f.Thrown, r.partial = t, partial
		}
	} else if t, err := membrane.Encode(m, v, "thrown", membrane.Limits{Bytes: 64 << 10}); err == nil {
		f.Thrown = t
	}
	return f
}

var reModule = regexp.MustCompile(`module '([^']+)'`)

// placeOfImport finds the import that an error of loading or linking is about.
func (r *run) placeOfImport(f *Failure) {
	m := reModule.FindStringSubmatch(f.Message)
	if m == nil || !r.p.module {
		return
	}
	src := r.p.source
	for _, q := range []string{"'", `"`} {
		at := strings.Index(src, q+m[1]+q)
		if at < 0 {
			continue
		}
		start := strings.LastIndexAny(src[:at], "\n\r") + 1
		f.Line = 1 + strings.Count(src[:start], "\n")
		f.Column = 1 + utf16Len(src[start:at])
		f.EndColumn = f.Column + utf16Len(m[1]) + 2
		f.SourceLine = lineOf(src, f.Line)
		return
	}
}

// stacked sets the frames of a failure, and its place: that of the innermost
// frame of the script.
func (f *Failure) stacked(frames []vm.Frame) {
	placed := false
	for _, fr := range frames { //meter: at most as many frames as calls may nest
		f.Frames = append(f.Frames, Frame{Function: fr.Function, File: fr.File, Line: fr.Line, Column: fr.Column, Async: fr.Async})
		if !placed && fr.Line > 0 {
			f.at(fr)
			placed = true
		}
	}
}

// at sets the place of a failure.
func (f *Failure) at(fr vm.Frame) {
	f.source, f.offset = fr.Source, fr.Offset
	f.File, f.Line, f.Column = fr.File, fr.Line, fr.Column
	f.SourceLine = lineOf(fr.Source, fr.Line)
	f.EndColumn = f.Column + max(1, utf16Len(tokenAt(fr.Source, fr.Offset)))
}

// tokenAt returns the name or the run of digits at an offset, or one character.
func tokenAt(src string, at int) string {
	if at < 0 || at >= len(src) {
		return ""
	}
	end := at
	for end < len(src) { //meter: a name of the source text, in a report
		r, w := utf8.DecodeRuneInString(src[end:])
		if r != '_' && r != '$' && r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		end += w
	}
	if end == at {
		_, w := utf8.DecodeRuneInString(src[at:])
		end += w
	}
	return src[at:end]
}
