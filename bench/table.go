package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// row is one line of the table: a program or a small measurement.
type row struct {
	name    string
	samples []sample // by column
	micro   bool     // not part of the geometric mean
}

// table is everything that was measured.
type table struct {
	about   []string // what was measured where
	engines []string // the columns; ratios are to the first
	rows    []row
}

// mismatches returns a line for every row whose engines disagree.
func (t *table) mismatches() []string {
	var out []string
	for _, r := range t.rows {
		want, from := "", ""
		for i, s := range r.samples {
			switch {
			case s.err != nil:
				out = append(out, fmt.Sprintf("%s: %s: %v", r.name, t.engines[i], s.err))
			case !s.ok() || s.result == "":
			case from == "":
				want, from = s.result, t.engines[i]
			case s.result != want:
				out = append(out, fmt.Sprintf("%s: %s gives %s, %s gives %s", r.name, t.engines[i], s.result, from, want))
			}
		}
	}
	return out
}

// cells lays the table out: a head and its lines.
func (t *table) cells() [][]string {
	head := []string{"program"}
	head = append(head, t.engines...)
	for _, e := range t.engines[1:] {
		head = append(head, e+" / "+t.engines[0])
	}
	out := [][]string{head}
	ratios, withStopped := make([][]float64, len(t.engines)), make([][]float64, len(t.engines))
	anyStopped := false
	for _, r := range t.rows {
		line := []string{r.name}
		for i := range t.engines {
			line = append(line, cell(r.samples[i]))
		}
		base := r.samples[0]
		for i := 1; i < len(t.engines); i++ {
			s := r.samples[i]
			if !s.ok() || !base.ok() || base.median() == 0 {
				line = append(line, "")
				continue
			}
			ratio := float64(s.median()) / float64(base.median())
			mark := ""
			if s.stopped {
				mark = "> "
			}
			if base.stopped {
				mark = "< "
			}
			line = append(line, mark+fmt.Sprintf("%.2f", ratio))
			if r.micro {
				continue
			}
			withStopped[i] = append(withStopped[i], ratio)
			if s.stopped || base.stopped {
				anyStopped = true
			} else {
				ratios[i] = append(ratios[i], ratio)
			}
		}
		out = append(out, line)
	}
	if !anyStopped {
		return append(out, t.meanLine("geometric mean of the programs", ratios))
	}
	return append(out,
		t.meanLine("geometric mean without stopped ones", ratios),
		t.meanLine("geometric mean with them at their time", withStopped))
}

func (t *table) meanLine(name string, ratios [][]float64) []string {
	line := make([]string, 2*len(t.engines))
	line[0] = name
	for i := 1; i < len(t.engines); i++ {
		if len(ratios[i]) > 0 {
			line[len(t.engines)+i] = fmt.Sprintf("%.2f", geomean(ratios[i]))
		}
	}
	return line
}

func cell(s sample) string {
	switch {
	case s.err != nil:
		return "failed"
	case !s.ok():
		return ""
	case s.stopped:
		return "> " + short(s.median())
	case s.size:
		return fmt.Sprintf("%.1f KB", float64(s.median())/1e3)
	}
	return fmt.Sprintf("%s ±%.0f%%", short(s.median()), 50*s.spread())
}

func short(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1e3)
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d.Nanoseconds())/1e6)
	}
	return fmt.Sprintf("%.0f ms", float64(d.Nanoseconds())/1e6)
}

func (t *table) writeText(w io.Writer) {
	for _, l := range t.about {
		fmt.Fprintln(w, l)
	}
	fmt.Fprintln(w)
	cells := t.cells()
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, c := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, line := range cells {
		var b strings.Builder
		for i, c := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if i == 0 {
				b.WriteString(c + pad)
			} else {
				b.WriteString("  " + pad + c)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

func (t *table) writeMarkdown(w io.Writer) {
	for _, l := range t.about {
		fmt.Fprintf(w, "%s  \n", l)
	}
	fmt.Fprintln(w)
	for i, line := range t.cells() {
		fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|---%s|\n", strings.Repeat("|--:", len(line)-1))
		}
	}
}
