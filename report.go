package pinfold

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// maxReportLine is how many characters of a source line a report shows.
const maxReportLine = 140

// maxReportFrames is how many frames a report lists.
const maxReportFrames = 16

// Report renders the failure for a reader, in its compact form: headline, place,
// the source line with a caret under it, and the best hint. It has at most
// MaxMessageChars characters: what gives way is the message.
//
//	TypeError: Cannot read properties of undefined (reading 'email')
//	 --> reshape.js:7:24
//	  7 |   return rows.map(r => r.user.email);
//	    |                               ^^^^^
//	 hint: r.user is undefined here; check it first, or use ?.
func (f *Failure) Report() string {
	var b strings.Builder
	f.writePlace(&b, 0)
	if f.Hint != "" {
		fmt.Fprintf(&b, " hint: %s\n", f.Hint)
	}
	rest := cutTo(b.String(), MaxMessageChars/2)
	return cutTo(f.headline(), MaxMessageChars-1-utf8.RuneCountInString(rest)) + "\n" + rest
}

// FullReport renders the failure with everything that is known: the compact
// report with the lines around the place, where the wrong value came from, what
// may have been meant, the variables of the innermost functions, the stack, and
// notes on limits. It has at most MaxMessageChars characters; sections that
// don't fit are left out from the end, and a last line says so.
func (f *Failure) FullReport() string {
	var b strings.Builder
	f.writePlace(&b, 1)
	if f.Hint != "" {
		fmt.Fprintf(&b, " hint: %s\n", f.Hint)
	}
	rest := cutTo(b.String(), MaxMessageChars/2)
	out := cutTo(f.headline(), MaxMessageChars/2-1) + "\n" + rest
	room := MaxMessageChars - utf8.RuneCountInString(out) - len("… [10240 more characters left out]\n")
	left := 0
	for _, section := range f.sections() { //meter: what a report holds: a bounded number
		n := utf8.RuneCountInString(section)
		if left > 0 || n > room {
			left += n
			continue
		}
		room -= n
		out += section
	}
	if left > 0 {
		out += fmt.Sprintf("… [%d more characters left out]\n", left)
	}
	return out
}

// sections are what a full report has beside the compact one, in its order.
func (f *Failure) sections() []string {
	var out []string
	var b strings.Builder
	section := func(title string, write func()) {
		b.Reset()
		write()
		if b.Len() > 0 {
			out = append(out, " "+title+":\n"+b.String())
		}
	}
	e := f.Explanation
	if e == nil {
		e = &Explanation{}
	}
	section("value origin", func() {
		if len(e.Origins) > 0 && e.Subject != "" {
			fmt.Fprintf(&b, "    %s is %s\n", e.Subject, e.Value)
		}
		for _, o := range e.Origins { //meter: what a report holds: a bounded number
			fmt.Fprintf(&b, "    - %s%s\n", o.Text, at(o.File, o.Line, o.Column))
		}
	})
	section("did you mean", func() {
		for _, s := range f.Suggestions { //meter: what a report holds: a bounded number
			fmt.Fprintf(&b, "    %s\n", s)
		}
	})
	section("locals", func() {
		for _, fl := range e.Locals { //meter: what a report holds: a bounded number
			if len(fl.Locals) == 0 {
				continue
			}
			fmt.Fprintf(&b, "    %s\n", Frame{Function: fl.Function, File: fl.File, Line: fl.Line, Column: fl.Column})
			for _, l := range fl.Locals { //meter: what a report holds: a bounded number
				fmt.Fprintf(&b, "      %s = %s\n", l.Name, l.Value)
			}
		}
	})
	section("stack", func() {
		for i, fr := range f.Frames { //meter: what a report holds: a bounded number
			if i == maxReportFrames {
				fmt.Fprintf(&b, "    … %d more\n", len(f.Frames)-i)
				break
			}
			fmt.Fprintf(&b, "    at %s\n", fr)
		}
	})
	section("notes", func() {
		for _, n := range f.Notes { //meter: what a report holds: a bounded number
			fmt.Fprintf(&b, "    %s\n", n)
		}
		if e.Unavailable != "" {
			fmt.Fprintf(&b, "    explanation unavailable: %s\n", e.Unavailable)
		}
	})
	return out
}

// at says where a step was.
func at(file string, line, column int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s:%d:%d)", file, line, column)
}

// String returns the frame as a line of a stack trace has it, after "at ".
func (fr Frame) String() string {
	place := fr.File
	if fr.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", fr.File, fr.Line, fr.Column)
	}
	async := ""
	if fr.Async {
		async = "async "
	}
	if fr.Function == "" {
		return async + place
	}
	return async + fr.Function + " (" + place + ")"
}

// writePlace writes where the failure was, with some lines around it.
func (f *Failure) writePlace(b *strings.Builder, around int) {
	switch {
	case f.File == "":
		return
	case f.Line == 0:
		fmt.Fprintf(b, " --> %s\n", f.File)
		return
	}
	fmt.Fprintf(b, " --> %s:%d:%d", f.File, f.Line, f.Column)
	if f.Limit > 0 && len(f.Frames) > 0 && f.Frames[0].Function != "" {
		fmt.Fprintf(b, " in %s", f.Frames[0].Function)
	}
	b.WriteByte('\n')
	if f.SourceLine == "" {
		return
	}
	near := func(line int) {
		if text := lineOf(f.source, line); line > 0 && strings.TrimSpace(text) != "" {
			text, _, _ = window(text, 1, 2)
			fmt.Fprintf(b, "%3d | %s\n", line, text)
		}
	}
	if around > 0 && f.source != "" {
		near(f.Line - 1)
	}
	writeSnippet(b, f.SourceLine, f.Line, f.Column, f.EndColumn)
	if around > 0 && f.source != "" {
		near(f.Line + 1)
	}
}

// writeSnippet writes a source line and carets under the columns [col, end), in
// UTF-16 units from 1.
func writeSnippet(b *strings.Builder, line string, no, col, end int) {
	text, from, to := window(line, col, end)
	number := fmt.Sprint(no)
	fmt.Fprintf(b, "%3s | %s\n", number, text)
	fmt.Fprintf(b, "%*s | ", max(3, len(number)), "")
	// The caret line has a column for each column of the text: tabs stay tabs.
	for i, r := range text { //meter: a line that window has cut
		if i >= from {
			break
		}
		switch w := columns(r); {
		case r == '\t':
			b.WriteByte('\t')
		default:
			b.WriteString(strings.Repeat(" ", w)) //meter: as wide as the source line, which window has cut
		}
	}
	n := 0
	for i, r := range text { //meter: a line that window has cut
		if i >= from && i < to {
			n += max(columns(r), 0)
		}
	}
	b.WriteString(strings.Repeat("^", max(n, 1))) //meter: as wide as the source line, which window has cut
	b.WriteByte('\n')
}

// window cuts a long line to what is around the columns, and turns columns into
// byte offsets of what is left.
func window(line string, col, end int) (text string, from, to int) {
	line = strings.TrimRight(line, " \t")
	offset := func(col int) int {
		n := 1
		for i, r := range line { //meter: a line of the source text, in a report
			if n >= col {
				return i
			}
			if n++; r > 0xFFFF {
				n++
			}
		}
		return len(line)
	}
	from, to = offset(col), offset(max(end, col+1))
	if utf8.RuneCountInString(line) <= maxReportLine {
		return printable(line), from, to
	}
	start := from
	for range maxReportLine / 2 {
		if start == 0 {
			break
		}
		_, w := utf8.DecodeLastRuneInString(line[:start])
		start -= w
	}
	stop := start
	for range maxReportLine {
		_, w := utf8.DecodeRuneInString(line[stop:])
		stop += w
	}
	text = line[start:stop]
	from, to = from-start, min(to, stop)-start
	if start > 0 {
		text = "…" + text
		from += len("…")
		to += len("…")
	}
	if stop < len(line) {
		text += "…"
	}
	return printable(text), from, to
}

// printable replaces control characters by ones of the same number of bytes.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7F {
			return '?'
		}
		return r
	}, s)
}

// columns returns how many columns of a terminal a character takes.
func columns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	if r >= 0x1F300 && r <= 0x1FAFF {
		return 2
	}
	return 1
}
