package main

import (
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
)

// terminal reports whether a stream is one that a person reads.
func terminal(x any) bool {
	f, ok := x.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// The colours, as SGR parameters.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	dim    = "2"
	bold   = "1"
)

// coloured reports whether colour may be written to a stream: to a terminal, unless
// NO_COLOR is set (no-color.org) or the terminal says that it can't.
func coloured(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal(w)
}

// paint colours a text for a stream.
func paint(w io.Writer, colour, text string) string {
	if text == "" || !coloured(w) {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// paintReport colours the report of a failure: its first line, and its hints.
func paintReport(w io.Writer, report string) string {
	if !coloured(w) {
		return report
	}
	lines := strings.Split(report, "\n")
	for i, l := range lines {
		switch t := strings.TrimSpace(l); {
		case i == 0:
			lines[i] = paint(w, red, l)
		case strings.HasPrefix(t, "-->"):
			lines[i] = paint(w, dim, l)
		case strings.HasPrefix(t, "hint:"):
			lines[i] = paint(w, yellow, l)
		}
	}
	return strings.Join(lines, "\n")
}

// progress shows on a terminal what is being done, in one line that is taken away
// again.
type progress struct {
	w  io.Writer
	on bool
}

func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, on: !quiet && os.Getenv("TERM") != "dumb" && terminal(w)}
}

// show replaces the line.
func (p *progress) show(text string) {
	if p.on {
		_, _ = io.WriteString(p.w, "\r\x1b[K"+text)
	}
}

// clear takes it away.
func (p *progress) clear() { p.show("") }

// listed joins names; none is what stands for no names.
func listed(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}
