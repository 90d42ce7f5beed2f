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

// Report renders the failure for a reader: headline, place, the source line
// with a caret under it, hint, frames.
//
//	TypeError: Cannot read properties of undefined (reading 'email')
//	 --> reshape.js:7:24
//	  7 |   return rows.map(r => r.user.email);
//	    |                               ^^^^^
//	 hint: r.user is undefined here; check it first, or use ?.
func (f *Failure) Report() string {
	var b strings.Builder
	b.WriteString(f.headline())
	b.WriteByte('\n')
	if f.File != "" && f.Line > 0 {
		fmt.Fprintf(&b, " --> %s:%d:%d\n", f.File, f.Line, f.Column)
		if f.SourceLine != "" {
			writeSnippet(&b, f.SourceLine, f.Line, f.Column, f.EndColumn)
		}
	} else if f.File != "" {
		fmt.Fprintf(&b, " --> %s\n", f.File)
	}
	if f.Hint != "" {
		fmt.Fprintf(&b, " hint: %s\n", f.Hint)
	}
	if len(f.Frames) > 1 {
		for i, fr := range f.Frames {
			if i == maxReportFrames {
				fmt.Fprintf(&b, "    … %d more\n", len(f.Frames)-i)
				break
			}
			if fr.Function == "" {
				fmt.Fprintf(&b, "    at %s:%d:%d\n", fr.File, fr.Line, fr.Column)
			} else {
				fmt.Fprintf(&b, "    at %s (%s:%d:%d)\n", fr.Function, fr.File, fr.Line, fr.Column)
			}
		}
	}
	return b.String()
}

// writeSnippet writes a source line and carets under the columns [col, end), in
// UTF-16 units from 1.
func writeSnippet(b *strings.Builder, line string, no, col, end int) {
	text, from, to := window(line, col, end)
	number := fmt.Sprint(no)
	fmt.Fprintf(b, "%3s | %s\n", number, text)
	fmt.Fprintf(b, "%*s | ", max(3, len(number)), "")
	// The caret line has a column for each column of the text: tabs stay tabs.
	for i, r := range text {
		if i >= from {
			break
		}
		switch w := columns(r); {
		case r == '\t':
			b.WriteByte('\t')
		default:
			b.WriteString(strings.Repeat(" ", w))
		}
	}
	n := 0
	for i, r := range text {
		if i >= from && i < to {
			n += max(columns(r), 0)
		}
	}
	b.WriteString(strings.Repeat("^", max(n, 1)))
	b.WriteByte('\n')
}

// window cuts a long line to what is around the columns, and turns columns into
// byte offsets of what is left.
func window(line string, col, end int) (text string, from, to int) {
	line = strings.TrimRight(line, " \t")
	offset := func(col int) int {
		n := 1
		for i, r := range line {
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
